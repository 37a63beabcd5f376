package agent

// A Command is what a front end may tell a session.
//
//sumtype:decl
type Command interface{ command() }

type (
	// Prompt sends a message. While a turn runs it is queued and taken at the
	// next step.
	Prompt struct{ Text string }
	// Withdraw takes a queued message back; too late, it does nothing.
	Withdraw struct{ ID int }
	// Answer settles an approval. An answer to a question that is no longer
	// open does nothing.
	Answer struct {
		CallID string
		Choice Choice // Allow, Always or Deny
		Note   string // the reason for a Deny; the model is told
	}
	// Cancel interrupts the turn with this number, or whichever runs when it
	// is 0, and any command of the person's. A late one does nothing.
	Cancel struct{ Turn int }
	// RunCommand runs a command as the person, unasked. Share also shows it
	// and its output to the model.
	RunCommand struct {
		Command string
		Share   bool
	}
	// SetMode changes what is asked, from the next call on.
	SetMode struct{ Mode Mode }
	// Clear empties the conversation. It is refused while a turn runs.
	Clear struct{}
	// Compact summarises the older part of the conversation, with attention to
	// Focus where it is not "". It is refused while a turn runs.
	Compact struct{ Focus string }
	// ListJobs asks for JobsListed.
	ListJobs struct{}
	// StopJob ends a background job.
	StopJob struct{ ID int }
)

func (Prompt) command()     {}
func (Withdraw) command()   {}
func (Answer) command()     {}
func (Cancel) command()     {}
func (RunCommand) command() {}
func (SetMode) command()    {}
func (Clear) command()      {}
func (Compact) command()    {}
func (ListJobs) command()   {}
func (StopJob) command()    {}
