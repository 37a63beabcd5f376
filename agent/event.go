package agent

import (
	"time"

	"aye/llm"
	"aye/tools"
	"aye/tools/change"
)

// An Event is one thing that happened in a session. Durable events are
// journaled and folded into [State]; live ones are for the screen, may be
// merged, and are said again by the durable event that follows.
//
//sumtype:decl
type Event interface{ event() }

// Durable events.
type (
	// SessionOpened is the first event of a session, and of each time it is
	// opened again.
	SessionOpened struct {
		ID        string    `json:"id"`
		Workspace string    `json:"workspace"` // absolute, links resolved
		Model     string    `json:"model"`
		Endpoint  string    `json:"endpoint"` // base URL without credentials
		Mode      Mode      `json:"mode"`
		Version   string    `json:"version"` // of aye
		At        time.Time `json:"-"`       // the line's own time, so no field of its own
		Resumed   bool      `json:"resumed,omitzero"`
	}
	// PromptQueued is a person's message, not yet part of the conversation.
	PromptQueued struct {
		ID   int    `json:"id"` // counts from 1 in a session
		Text string `json:"text"`
	}
	// PromptAccepted moves a queued message into the conversation.
	PromptAccepted struct {
		ID   int    `json:"id"`
		Text string `json:"text"`
	}
	// PromptWithdrawn takes a queued message back: the person did, or the
	// session, because the turn it was to follow was cancelled or broke. A
	// front end gives the text back to the person.
	PromptWithdrawn struct {
		ID int `json:"id"`
	}
	// TurnStarted begins the work on the queued messages. Turns count from 1.
	TurnStarted struct {
		Turn int `json:"turn"`
	}
	// Replied is one whole reply of the model. Cut means that it is what had
	// arrived when the turn was interrupted or the stream broke: then it has
	// no calls.
	Replied struct {
		Message llm.Message `json:"message"`
		Stop    llm.Stop    `json:"stop"`
		Usage   llm.Usage   `json:"usage"`
		Model   string      `json:"model,omitzero"`
		Cut     bool        `json:"cut,omitzero"`
	}
	// CallPrepared says what a call would do. A call that could not be
	// prepared has no CallPrepared, only its CallFinished.
	CallPrepared struct {
		CallID  string         `json:"call_id"`
		Tool    string         `json:"tool"`
		Title   string         `json:"title"`
		Effects []tools.Effect `json:"effects"`
		Preview tools.View     `json:"preview,omitzero"`
	}
	// ApprovalAsked waits for an Answer to the call. Rule is what the choice
	// Always would add, empty where that is not on offer.
	ApprovalAsked struct {
		CallID string `json:"call_id"`
		Rule   string `json:"rule,omitzero"`
	}
	// ApprovalSettled ends a question, whoever settled it.
	ApprovalSettled struct {
		CallID string `json:"call_id"`
		Choice Choice `json:"choice"`
		Note   string `json:"note,omitzero"` // the person's reason, or the rule that decided
		Rule   string `json:"rule,omitzero"` // what Always added
	}
	// CallFinished is a call's one result.
	CallFinished struct {
		CallID string        `json:"call_id"`
		Tool   string        `json:"tool"`
		Result tools.Result  `json:"result"`
		Took   time.Duration `json:"took"` // of the run alone, in nanoseconds; 0 when it did not run
	}
	// ChangeCommitted says which files a call changed; it comes before the
	// call's CallFinished.
	ChangeCommitted struct {
		CallID string        `json:"call_id"`
		Files  []ChangedFile `json:"files"`
	}
	// TurnEnded ends the turn. Err is for people, and set when Reason is
	// Broken, and when it is Limited for another reason than the rounds. Rounds
	// counts every request; see Worked. Usage is that of all its requests, those
	// for summaries included.
	TurnEnded struct {
		Turn   int       `json:"turn"`
		Reason Reason    `json:"reason"`
		Rounds int       `json:"rounds"`
		Usage  llm.Usage `json:"usage,omitzero"`
		Err    string    `json:"error,omitzero"`
	}
	// CommandStarted is a command the person runs themselves (!command). Its
	// id is used in CallProgress and CommandFinished.
	CommandStarted struct {
		ID      string `json:"id"`
		Command string `json:"command"`
		Share   bool   `json:"share,omitzero"` // the model will see it
	}
	// CommandFinished is the end of the person's command.
	CommandFinished struct {
		ID     string        `json:"id"`
		Result tools.Result  `json:"result"`
		Took   time.Duration `json:"took"`
	}
	// JobStarted says that a call left a command running in the background.
	// Jobs count up from 1 in a session, however often it is opened.
	JobStarted struct {
		ID      int    `json:"id"`
		Command string `json:"command"`
	}
	// JobEnded is the end of such a job. The model is told, unless a call's
	// result does so.
	JobEnded struct {
		ID      int    `json:"id"`
		Command string `json:"command"`
		Summary string `json:"summary,omitzero"` // "exit 1 · 34.0 s"; "" when it ended with aye, and nobody saw how
		Failed  bool   `json:"failed,omitzero"`
		Told    bool   `json:"told,omitzero"` // by a call's result
	}
	// ModeSet changes the mode.
	ModeSet struct {
		Mode Mode `json:"mode"`
	}
	// Cleared empties the conversation; the journal keeps what was.
	Cleared struct{}
	// Reminded says something to the model that no person said: it becomes a
	// user message in angle brackets. Why is for people, a few words: "the plan
	// is old".
	Reminded struct {
		Text string `json:"text"`
		Why  string `json:"why"`
	}
	// Pruned empties the results of old calls, to save room; what they were is
	// said in their place.
	Pruned struct {
		CallIDs []string `json:"call_ids"`
		Before  int      `json:"before"` // tokens of the next request, estimated
		After   int      `json:"after"`
	}
	// Compacted puts a summary in the place of the oldest messages of the
	// conversation: the oldest Dropped, and those at the indices Spared, which
	// follow the summary word for word. Calls are never parted from their
	// results.
	Compacted struct {
		Summary string    `json:"summary"`         // the model's
		Ledger  string    `json:"ledger,omitzero"` // what aye knows itself
		Dropped int       `json:"dropped"`
		Spared  []int     `json:"spared,omitempty"`
		Before  int       `json:"before"` // tokens of the next request, estimated
		After   int       `json:"after"`
		Usage   llm.Usage `json:"usage,omitzero"`  // of the requests for the summary
		Window  int       `json:"window,omitzero"` // tokens the context holds, where the server just told
		Why     string    `json:"why,omitzero"`    // for people: "the context was full"; "" when the person asked
	}
	// Noted is something the session has to say to the person.
	Noted struct {
		Level Level  `json:"level"`
		Text  string `json:"text"`
	}
)

// Live events.
type (
	// TextStreamed is the next piece of the answer.
	TextStreamed struct {
		Text string `json:"text"`
	}
	// ThoughtStreamed is the next piece of the reasoning.
	ThoughtStreamed struct {
		Text string `json:"text"`
	}
	// CallStreamed says that the model is writing a call: how much so far. A
	// server that repeats an id gets a new one for the call in Replied.
	CallStreamed struct {
		CallID string `json:"call_id"`
		Tool   string `json:"tool"`
		Bytes  int    `json:"bytes"` // of arguments so far
	}
	// CallProgress is output of a running call or command.
	CallProgress struct {
		CallID string `json:"call_id"`
		Text   string `json:"text"`
	}
	// Waiting says what the turn waits for from now on.
	Waiting struct {
		For    Phase     `json:"for"`
		Detail string    `json:"detail,omitzero"` // the tool's name and title; why a retry
		Until  time.Time `json:"until,omitzero"`  // of a retry: when it starts
	}
	// JobsListed answers ListJobs: how all jobs are doing.
	JobsListed struct {
		Jobs []tools.JobInfo `json:"jobs"`
	}
)

// ChangedFile is one file of a committed change.
type ChangedFile struct {
	Path    string      `json:"path"`
	Kind    change.Kind `json:"kind"`
	Added   int         `json:"added"`
	Removed int         `json:"removed"`
}

// Phase is what a turn waits for.
type Phase string

const (
	ForModel    Phase = "model"    // request sent, nothing back yet
	ForThought  Phase = "thinking" // reasoning arrives
	ForAnswer   Phase = "answer"   // text arrives
	ForCall     Phase = "call"     // a call is being written
	ForTool     Phase = "tool"     // a call runs
	ForApproval Phase = "approval" // the person is asked
	ForRetry    Phase = "retry"    // the pause before another attempt
	ForSummary  Phase = "summary"  // the conversation is being compacted
)

// Worked is how many requests the turn made to do its work. A turn that was
// stopped made one more, without tools, for where it stands.
func (e TurnEnded) Worked() int {
	if e.Reason == Limited {
		return max(0, e.Rounds-1)
	}
	return e.Rounds
}

// Reason says why a turn ended.
type Reason string

const (
	Finished  Reason = "finished"  // the model answered
	Cancelled Reason = "cancelled" // the person interrupted it
	Broken    Reason = "failed"    // an error ended it
	Limited   Reason = "limited"   // at the round limit, or looping; the model said where it stands
)

// Choice settles an approval.
type Choice string

const (
	Allow     Choice = "allow"
	Always    Choice = "always"    // allow, and add the rule shown for this session
	Deny      Choice = "deny"      // no; the turn goes on
	Withdrawn Choice = "withdrawn" // the turn ended before an answer
)

// Mode says what is asked.
type Mode string

const (
	Plan Mode = "plan" // nothing may change
	Ask  Mode = "ask"  // every change is asked
	Edit Mode = "edit" // file changes in the workspace go through, commands are asked
	Full Mode = "full" // nothing is asked
)

// Level grades a note.
type Level string

const (
	Info Level = "info"
	Warn Level = "warn"
	Fail Level = "error"
)

func (SessionOpened) event()   {}
func (PromptQueued) event()    {}
func (PromptAccepted) event()  {}
func (PromptWithdrawn) event() {}
func (TurnStarted) event()     {}
func (Replied) event()         {}
func (CallPrepared) event()    {}
func (ApprovalAsked) event()   {}
func (ApprovalSettled) event() {}
func (CallFinished) event()    {}
func (ChangeCommitted) event() {}
func (TurnEnded) event()       {}
func (CommandStarted) event()  {}
func (CommandFinished) event() {}
func (JobStarted) event()      {}
func (JobEnded) event()        {}
func (ModeSet) event()         {}
func (Cleared) event()         {}
func (Reminded) event()        {}
func (Pruned) event()          {}
func (Compacted) event()       {}
func (Noted) event()           {}
func (TextStreamed) event()    {}
func (ThoughtStreamed) event() {}
func (CallStreamed) event()    {}
func (CallProgress) event()    {}
func (Waiting) event()         {}
func (JobsListed) event()      {}
