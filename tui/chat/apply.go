package chat

import (
	"slices"
	"strings"
	"time"

	"aye/agent"
	"aye/llm"
	"aye/tools"
	"aye/tui/term"
)

// A reply is what has been streamed of the reply that is under way.
type reply struct {
	live  []int             // its items, in order
	blank string            // white space that came before the text
	args  map[string]string // of the calls of the last whole reply, by id
}

// Apply folds an event into the conversation. now is when it happened.
func (m *Model) Apply(ev agent.Event, now time.Time) {
	m.look.now = now
	switch ev := ev.(type) {
	case agent.SessionOpened:
		if ev.Resumed {
			m.Note(agent.Info, "session opened again "+ev.At.Local().Format("2006-01-02 15:04"))
		}
	case agent.PromptQueued:
		m.queue.prompts = append(m.queue.prompts, prompt{ev.ID, hold(ev.Text)})
		m.requeue()
	case agent.PromptAccepted:
		m.unqueue(ev.ID)
		m.push(&prompt{ev.ID, hold(ev.Text)})
	case agent.PromptWithdrawn:
		m.unqueue(ev.ID)
	case agent.TurnStarted:
		m.began = now
	case agent.TextStreamed:
		m.streamText(ev.Text)
	case agent.ThoughtStreamed:
		m.streamThought(ev.Text, now)
	case agent.Replied:
		m.replied(ev.Message, now)
	case agent.CallPrepared:
		m.addCall(ev.CallID, &call{name: ev.Tool, title: ev.Title, effects: ev.Effects, preview: ev.Preview, began: now})
	case agent.ApprovalAsked:
		m.setCall(ev.CallID, func(c *call) { c.state = asked })
	case agent.ApprovalSettled:
		m.setCall(ev.CallID, func(c *call) { c.approve(ev, now) })
	case agent.CallProgress:
		m.setCall(ev.CallID, func(c *call) { c.live.add(ev.Text) })
	case agent.ChangeCommitted:
		m.setCall(ev.CallID, func(c *call) { c.changed = size(ev.Files) })
	case agent.CallFinished:
		m.finishCall(ev, now)
	case agent.TurnEnded:
		m.endTurn(ev, now)
	case agent.CommandStarted:
		m.addCall(ev.ID, &call{title: ev.Command, sign: sign(ev.Share), began: now})
	case agent.CommandFinished:
		m.setCall(ev.ID, func(c *call) { c.settle(ev.Result, ev.Took) })
		delete(m.calls, ev.ID)
	case agent.JobEnded:
		m.jobEnded(ev)
	case agent.Cleared:
		m.Clear()
	case agent.Reminded:
		m.push(&remark{Remark(ev), hold(ev.Text)})
	case agent.Pruned:
		m.push(&remark{Remark(ev), ""})
	case agent.Compacted:
		m.push(&remark{Remark(ev), hold(ev.Summary)})
	case agent.Noted:
		m.Note(ev.Level, ev.Text)
	case agent.CallStreamed:
		m.endThought(now)
	case agent.ModeSet, agent.Waiting, agent.JobStarted, agent.JobsListed: // the status line's
	}
}

func sign(share bool) string {
	if share {
		return "!!"
	}
	return "!"
}

func size(files []agent.ChangedFile) string {
	added, removed := 0, 0
	for _, f := range files {
		added, removed = added+f.Added, removed+f.Removed
	}
	return plusMinus(added, removed)
}

func (m *Model) unqueue(id int) {
	m.queue.remove(id)
	m.requeue()
}

func (m *Model) requeue() {
	m.rest.stale = true
	m.version++
}

// liveItem returns the item that the reply is at, if it is the last one.
func (m *Model) liveItem() (int, item) {
	if n := len(m.reply.live); n > 0 {
		i := m.reply.live[n-1]
		return i, m.slots[i].it
	}
	return -1, nil
}

func (m *Model) streamText(text string) {
	i, it := m.liveItem()
	a, ok := it.(*answer)
	if !ok {
		m.reply.blank += text
		if strings.TrimSpace(m.reply.blank) == "" {
			return // nothing to see yet, and maybe never
		}
		text, m.reply.blank = m.reply.blank, ""
		m.endThought(m.look.now)
		a = &answer{live: true}
		i = m.push(a)
		m.reply.live = append(m.reply.live, i)
	}
	a.text.WriteString(text)
	m.touch(i)
}

func (m *Model) streamThought(text string, now time.Time) {
	i, it := m.liveItem()
	t, ok := it.(*thought)
	if !ok {
		t = &thought{began: now}
		i = m.push(t)
		m.reply.live = append(m.reply.live, i)
	}
	t.text.WriteString(text)
	if m.look.open {
		m.touch(i)
	}
}

// endThought stops the clock of a thought that the reply is at.
func (m *Model) endThought(now time.Time) {
	i, it := m.liveItem()
	if t, ok := it.(*thought); ok && !t.finished {
		t.finished, t.took = true, now.Sub(t.began)
		m.touch(i)
	}
}

// replied puts the whole reply in the place of what was streamed of it: each
// block takes the next live item of its kind, or becomes a new one.
func (m *Model) replied(msg llm.Message, now time.Time) {
	m.endThought(now)
	live := m.reply.live
	m.reply = reply{args: map[string]string{}}
	for _, c := range msg.Calls() {
		m.reply.args[c.ID] = c.Args
	}
	for _, b := range merge(msg.Blocks) {
		switch b := b.(type) {
		case llm.Text:
			a := takeLive[*answer](m, &live)
			a.settle(b.Text)
		case llm.Thinking:
			t := takeLive[*thought](m, &live)
			t.finished = true
			t.text.Reset()
			t.text.WriteString(b.Text)
		case llm.ToolCall, llm.Image, llm.ToolResult:
		}
	}
	for _, i := range live { // streamed, and not in the reply: it did not happen
		m.settleLive(i, now)
	}
}

// merge joins neighbouring texts and drops blocks that show nothing.
func merge(blocks []llm.Block) []llm.Block {
	var merged []llm.Block
	for _, b := range blocks {
		switch now := b.(type) {
		case llm.Text:
			if strings.TrimSpace(now.Text) == "" {
				continue
			}
			if n := len(merged); n > 0 {
				if last, ok := merged[n-1].(llm.Text); ok {
					merged[n-1] = llm.Text{Text: last.Text + now.Text}
					continue
				}
			}
			merged = append(merged, b)
		case llm.Thinking:
			if strings.TrimSpace(now.Text) != "" {
				merged = append(merged, b)
			}
		case llm.ToolCall, llm.Image, llm.ToolResult:
		}
	}
	return merged
}

// takeLive returns the first live item of kind T and takes it off the list; if
// there is none, a new one.
func takeLive[T interface {
	*E
	item
}, E any](m *Model, live *[]int) T {
	for n, i := range *live {
		if it, ok := m.slots[i].it.(T); ok {
			*live = slices.Delete(*live, n, n+1)
			m.touch(i)
			return it
		}
	}
	it := T(new(E))
	m.push(it)
	return it
}

// settleLive ends a live item that no reply has confirmed.
func (m *Model) settleLive(i int, now time.Time) {
	switch it := m.slots[i].it.(type) {
	case *answer:
		it.live = false
	case *thought:
		if !it.finished {
			it.finished, it.took = true, now.Sub(it.began)
		}
	}
	m.touch(i)
}

// addCall shows a call, with its neighbours where they only read.
func (m *Model) addCall(id string, c *call) {
	if n := len(m.slots); n > 0 {
		if g, ok := m.slots[n-1].it.(*calls); ok && g.joins(c) {
			g.list = append(g.list, c)
			m.calls[id] = &ref{n - 1, c}
			m.touch(n - 1)
			return
		}
	}
	i := m.push(&calls{list: []*call{c}})
	m.calls[id] = &ref{i, c}
}

func (m *Model) setCall(id string, change func(*call)) {
	if r := m.calls[id]; r != nil {
		change(r.call)
		m.touch(r.slot)
	}
}

func (c *call) approve(ev agent.ApprovalSettled, now time.Time) {
	c.state, c.began, c.seconds, c.rule = running, now, 0, ev.Rule
	if ev.Choice == agent.Deny || ev.Choice == agent.Withdrawn {
		c.note = ev.Note
	}
}

// finishCall ends a call. One that could not be prepared was not shown before:
// what the model wrote is all there is to say what it was about.
func (m *Model) finishCall(ev agent.CallFinished, now time.Time) {
	if m.calls[ev.CallID] == nil {
		m.addCall(ev.CallID, &call{name: ev.Tool, title: subject(m.reply.args[ev.CallID]), began: now})
	}
	m.setCall(ev.CallID, func(c *call) { c.settle(ev.Result, ev.Took) })
	if ev.Result.View.Kind == tools.Plan {
		m.foldPlan(m.calls[ev.CallID])
	}
	delete(m.calls, ev.CallID)
}

// foldPlan folds the plan before the latest.
func (m *Model) foldPlan(latest *ref) {
	if m.plan != nil {
		m.plan.call.folded = true
		m.touch(m.plan.slot)
	}
	m.plan = latest
}

// spent is what the turn took, in words.
func (m *Model) spent() string {
	if m.meter == nil {
		return ""
	}
	s := m.meter.Last()
	if s.Usage.Input+s.Usage.Output == 0 {
		return ""
	}
	return term.Usage(s.Usage.Input, s.Usage.Cached, s.Usage.Output, s.Usage.Estimated, s.KnownCost())
}

func (m *Model) endTurn(ev agent.TurnEnded, now time.Time) {
	for _, i := range m.reply.live {
		m.settleLive(i, now)
	}
	m.reply = reply{}
	took := now.Sub(m.began)
	if m.began.IsZero() {
		took = 0
	}
	m.push(&turnEnd{ev.Reason, ev.Worked(), ev.Err, took, m.spent()})
	for id, r := range m.calls { // none is left when the order of events holds
		if r.call.sign == "" && r.call.state != finished {
			m.setCall(id, func(c *call) { c.settle(tools.Result{Status: tools.Interrupted}, 0) })
			delete(m.calls, id)
		}
	}
}
