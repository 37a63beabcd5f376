package agent

import (
	"slices"

	"aye/llm"
	"aye/tools"
	"aye/tools/change"
	"aye/tools/workspace"
)

// State is a session as of some event: the fold of all events so far. The
// session keeps one, and so may every reader of its events. It takes any
// sequence of events, also one with holes, and its Messages are always a
// conversation a model can be asked with once no turn runs.
type State struct {
	Opened   SessionOpened // the latest
	Messages []llm.Message // what the model is sent
	Turn     int           // number of the latest turn
	Busy     bool          // it still runs
	Queue    []PromptQueued
	Mode     Mode
	Grants   []string         // rules added by Always
	Asked    ApprovalAsked    // the open question; its CallID is "" when there is none
	Changes  []ChangedFile    // committed in this session, one entry a path, in order of the first change
	Usage    llm.Usage        // of all requests together
	Context  int              // tokens of the next request: counted by the server where it did, and estimated for what came since
	Window   int              // tokens the context holds, as the server told when it was too small; 0 when it did not
	Running  []CommandStarted // the person's own commands
	Jobs     []JobStarted     // the background jobs that run, by number
	LastJob  int              // the highest number of a job; 0: there was none
	Todos    []tools.Todo     // the model's plan

	entries []entry                      // what is known of Messages, one each
	size    llm.Size                     // of Messages
	counted bool                         // Context holds all of the request, not the messages alone
	summary string                       // of what was compacted
	sights  map[string][]workspace.Sight // by call, while its result is in Messages
	known   ledger                       // what a summary must not lose

	rounds   int             // replies of the latest turn
	start    int             // len(Messages) when it started
	spent    llm.Usage       // Usage when it started
	prompts  int             // highest prompt id
	commands int             // commands started
	ids      map[string]bool // call ids used
	calls    []openCall      // of the last reply, until all have results
	held     []heldMessage   // what is to be told, and may not stand here
	strange  int             // jobs up to this number are not known to the conversation
}

// An openCall is a call of the last reply. It was prepared when it may have
// run, and done when its result is there.
type openCall struct {
	call     llm.ToolCall
	title    string // of its action
	prepared bool
	done     bool
	result   llm.ToolResult
}

// A heldMessage waits for its place: a shared command of the person's that
// ended, or a job.
type heldMessage struct {
	llm.Message
	job int // its number; 0: a command
}

// Apply moves s past ev. It is the only writer of State.
func (s *State) Apply(ev Event) {
	switch ev := ev.(type) {
	case SessionOpened:
		if ev.Model != s.Opened.Model || ev.Endpoint != s.Opened.Endpoint {
			s.Window = 0
		}
		s.Opened, s.Mode = ev, ev.Mode
	case PromptQueued:
		s.Queue = append(s.Queue, ev)
		s.prompts = max(s.prompts, ev.ID)
	case PromptAccepted:
		s.dequeue(ev.ID)
		s.closeCalls()
		s.push(llm.UserText(ev.Text), entry{prompt: true})
		s.known.prompt(ev.Text)
	case PromptWithdrawn:
		s.dequeue(ev.ID)
	case TurnStarted:
		s.closeCalls()
		s.Turn, s.Busy, s.rounds, s.start, s.spent = ev.Turn, true, 0, len(s.Messages), s.Usage
	case Replied:
		s.applyReply(ev)
	case CallPrepared:
		if c := s.open(ev.CallID); c != nil {
			c.prepared, c.title = true, oneLine(ev.Title, 80)
		}
	case ApprovalAsked:
		s.Asked = ev
	case ApprovalSettled:
		s.applySettled(ev)
	case CallFinished:
		s.applyFinished(ev)
	case ChangeCommitted:
		s.applyChange(ev)
	case TurnEnded:
		s.applyEnd(ev)
	case CommandStarted:
		s.commands++
		s.Running = append(s.Running, ev)
	case CommandFinished:
		s.applyCommand(ev)
	case JobStarted:
		s.Jobs, s.LastJob = append(s.Jobs, ev), max(s.LastJob, ev.ID)
	case JobEnded:
		s.applyJobEnded(ev)
	case ModeSet:
		s.Mode = ev.Mode
	case Cleared:
		s.clear()
	case Reminded:
		s.add(llm.UserText(ev.Text))
	case Pruned:
		s.applyPruned(ev)
	case Compacted:
		s.applyCompacted(ev)
	case Noted, TextStreamed, ThoughtStreamed, CallStreamed, CallProgress, Waiting, JobsListed:
	}
}

func (s *State) applyChange(ev ChangeCommitted) {
	for _, f := range ev.Files {
		s.Changes = addChange(s.Changes, f)
		s.known.changed(f)
	}
}

func (s *State) dequeue(id int) {
	s.Queue = slices.DeleteFunc(s.Queue, func(q PromptQueued) bool { return q.ID == id })
}

func (s *State) clear() {
	s.Messages, s.entries, s.size, s.calls, s.held, s.start = nil, nil, llm.Size{}, nil, nil, 0
	s.Todos, s.Context, s.counted, s.summary, s.sights, s.known = nil, 0, false, "", nil, ledger{}
	s.strange = s.LastJob
}

// add appends m to the conversation. It never comes between a call and its
// result: calls that are still open then get one that says so.
func (s *State) add(m llm.Message) {
	s.closeCalls()
	s.push(m, entry{})
}

func (s *State) applyReply(ev Replied) {
	s.add(ev.Message)
	s.rounds++
	s.Usage = s.Usage.Add(ev.Usage)
	s.count(ev.Usage, ev.Message)
	for _, c := range ev.Message.Calls() {
		s.calls = append(s.calls, openCall{call: c})
		if s.ids == nil {
			s.ids = map[string]bool{}
		}
		s.ids[c.ID] = true
	}
}

func (s *State) applySettled(ev ApprovalSettled) {
	if s.Asked.CallID == ev.CallID {
		s.Asked = ApprovalAsked{}
	}
	if ev.Rule != "" && !slices.Contains(s.Grants, ev.Rule) {
		s.Grants = append(s.Grants, ev.Rule)
	}
}

func (s *State) applyFinished(ev CallFinished) {
	c := s.open(ev.CallID)
	if c == nil {
		return
	}
	c.done, c.result = true, toolResult(c.call, ev.Result)
	s.known.finished(ev.Tool, c.title, ev.Result)
	if len(ev.Result.Seen) > 0 {
		if s.sights == nil {
			s.sights = map[string][]workspace.Sight{}
		}
		s.sights[ev.CallID] = ev.Result.Seen
	}
	if ev.Result.Ended > 0 {
		s.held = slices.DeleteFunc(s.held, func(h heldMessage) bool { return h.job == ev.Result.Ended })
	}
	if ev.Result.View.Kind == tools.Plan {
		s.Todos = ev.Result.View.Todos
	}
	if !slices.ContainsFunc(s.calls, func(c openCall) bool { return !c.done }) {
		s.closeCalls()
	}
}

// closeCalls ends the last reply's calls: their results become one message in
// the order of the calls, and what was held back for them follows.
func (s *State) closeCalls() {
	if len(s.calls) > 0 {
		m, e := llm.Message{Role: llm.User}, entry{}
		for _, c := range s.calls {
			if !c.done {
				c.result = toolResult(c.call, c.unfinished())
			}
			m.Blocks = append(m.Blocks, c.result)
			e.titles = append(e.titles, c.title)
		}
		s.calls = nil
		s.push(m, e)
		s.release()
	}
}

func (s *State) release() {
	for _, h := range s.held {
		s.push(h.Message, entry{})
	}
	s.held = nil
}

func (s *State) applyEnd(ev TurnEnded) {
	s.closeCalls()
	if s.Busy && len(s.Messages) > s.start {
		s.mark(ev.Reason)
	}
	if s.Busy && ev.Usage != (llm.Usage{}) {
		s.Usage = s.spent.Add(ev.Usage)
	}
	s.Busy = false
	s.release()
}

// mark tells the model that its turn was cut short: without it the next
// message would follow an unanswered one, and the model would take both for
// its task.
func (s *State) mark(why Reason) {
	var note string
	switch why {
	case Cancelled:
		note = "[interrupted by the user]"
	case Broken:
		note = "[an error ended this turn before it was done]"
	case Finished, Limited:
		return
	}
	last := len(s.Messages) - 1
	if m := s.Messages[last]; m.Role == llm.Assistant {
		m.Blocks = append(slices.Clone(m.Blocks), llm.Text{Text: "\n\n" + note})
		s.put(last, m)
		return
	}
	s.push(llm.Message{Role: llm.Assistant, Blocks: []llm.Block{llm.Text{Text: note}}}, entry{})
}

func (s *State) applyCommand(ev CommandFinished) {
	i := slices.IndexFunc(s.Running, func(c CommandStarted) bool { return c.ID == ev.ID })
	if i < 0 {
		return
	}
	c := s.Running[i]
	s.Running = slices.Delete(s.Running, i, i+1)
	if !c.Share {
		return
	}
	s.tell(0, "I ran this command myself:\n\n$ "+c.Command+"\n"+resultText(ev.Result))
}

// tell adds a message that no turn waits for, where it may stand: not between
// a call and its result, nor before a reply that is on its way.
func (s *State) tell(job int, text string) {
	s.held = append(s.held, heldMessage{llm.UserText(text), job})
	if !s.Busy {
		s.closeCalls() // none are open, unless the journal lost the turn's start
		s.release()
	}
}

// open returns the call with this id that has no result yet, or nil.
func (s *State) open(id string) *openCall {
	for i := range s.calls {
		if c := &s.calls[i]; c.call.ID == id && !c.done {
			return c
		}
	}
	return nil
}

// running reports whether id is a call without a result or a command of the
// person's that has not ended.
func (s *State) running(id string) bool {
	return s.open(id) != nil || slices.ContainsFunc(s.Running, func(c CommandStarted) bool { return c.ID == id })
}

// addChange adds one change to the list of all, which says for each path what
// the session did to it altogether.
func addChange(all []ChangedFile, f ChangedFile) []ChangedFile {
	i := slices.IndexFunc(all, func(g ChangedFile) bool { return g.Path == f.Path })
	if i < 0 {
		return append(all, f)
	}
	g := all[i]
	switch {
	case g.Kind == change.Added && f.Kind == change.Removed:
		return slices.Delete(all, i, i+1)
	case g.Kind == change.Added:
		f.Kind = change.Added
	case g.Kind == change.Removed:
		f.Kind = change.Changed
	}
	f.Added += g.Added
	f.Removed += g.Removed
	all[i] = f
	return all
}
