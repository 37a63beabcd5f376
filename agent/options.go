package agent

import (
	"context"
	"time"

	"aye/llm"
	"aye/tools"
	"aye/tools/workspace"
)

// Options make a session. Client, Model, Tools and Policy are required.
type Options struct {
	ID        string // names the session, and its journal
	Version   string // of aye
	Workspace string // absolute path
	Endpoint  string // base URL, for people; without credentials
	Client    llm.Client
	Model     string
	// System makes the system prompt. It is called at the start of each turn,
	// on the turn's goroutine, so that it may look at files; as long as they
	// are the same it returns the same, or no server's cache will hit.
	System func() string
	// Instructions gives what the project says about files that calls have just
	// looked at or changed, and was not said yet, and in a few words why the
	// model is told; "" when there is nothing. It is called on the turn's
	// goroutine. nil: there is none.
	Instructions func(paths []string) (text, why string)
	Tools        []tools.Tool // in the order the model sees them
	Journal      Journal      // nil: nothing is kept
	Policy       Policy
	Mode         Mode // "": Ask
	// Unattended means that nobody can answer: what would be asked is denied
	// at once, and the model is told how that could be allowed.
	Unattended bool
	MaxRounds  int // requests a turn may make; 0: 24
	// Window is how many tokens the model's context holds, 0 when nobody knows;
	// MaxChars bounds a request in characters, as CONTEXT_MAX_CHARS does, 0 for
	// no bound. A request beyond either is compacted first.
	Window, MaxChars int
	// Forget is told what the model still has before its eyes of files, each
	// time that it lost something of it: the conversation was cleared, pruned or
	// compacted, or goes on from a journal. It is quick. nil: nobody cares.
	Forget func(kept []workspace.Sight)
	// Shell prepares a person's own command (RunCommand); nil: there is none.
	Shell func(ctx context.Context, command string) (tools.Action, error)
	// Jobs are the commands that calls leave running; nil: none do.
	Jobs Jobs
	// Now is the clock; nil: time.Now.
	Now func() time.Time
}

// A Journal keeps the lines of durable events, in order.
type Journal interface {
	// Append adds one line. A line that it returned an error for it does not
	// have; the session offers it again.
	Append(line []byte) error
	// Sync makes the lines durable. It is called when a turn has ended.
	Sync() error
}

// Jobs are the background commands of a session. They are [tools.Jobs] in the
// product. Its methods may be called from any goroutine.
type Jobs interface {
	// Watch tells of each job that has begun to run in the background and of
	// its end, in order, until ctx ends.
	Watch(ctx context.Context, tell func(tools.JobInfo))
	// List and Stop are quick. Stop does not wait for the end; its error is for
	// the person.
	List() []tools.JobInfo
	Stop(id int) error
}

// A Policy judges a prepared call. It is package permit's in the product.
type Policy interface {
	// Judge says what happens with a call of tool under mode ("plan", "ask",
	// "edit", "full"), given its effects and the rules granted in this
	// session so far. It is quick and does no I/O.
	Judge(mode, tool string, effects []tools.Effect, grants []string) Ruling
}

// A Ruling is a policy's word on one call.
type Ruling struct {
	Verdict Verdict
	Why     string // of a Reject, for the model and the person: a sentence that says how it could be allowed
	Rule    string // of an Inquire: what Always would add; "" when no rule may cover it
}

// Verdict is what a policy may say.
type Verdict int

const (
	Inquire Verdict = iota // ask the person
	Pass                   // go ahead
	Reject                 // no
)
