package slash

import "aye/agent"

// An Action is what an entry asks for.
//
//sumtype:decl
type Action interface{ action() }

type (
	// Prompt is a message for the model.
	Prompt struct{ Text string }
	// Run is a command of the person's. Share also shows it to the model.
	Run struct {
		Command string
		Share   bool
	}
	// ShowHelp shows the commands and keys.
	ShowHelp struct{}
	// Clear empties the conversation.
	Clear struct{}
	// Quit leaves.
	Quit struct{}
	// ShowTodos shows the model's list of things to do.
	ShowTodos struct{}
	// ShowHistory shows what the session has come to.
	ShowHistory struct{}
	// Compact puts a summary in the place of the older part of the
	// conversation, with attention to Focus where there is one.
	Compact struct{ Focus string }
	// ShowCost shows tokens and money by turn.
	ShowCost struct{}
	// ShowContext shows what fills the model's context.
	ShowContext struct{}
	// ShowSkills lists the skills.
	ShowSkills struct{}
	// ShowMode says which mode is on, and which there are.
	ShowMode struct{}
	// SetMode changes the mode.
	SetMode struct{ Mode agent.Mode }
	// ShowJobs shows the background jobs.
	ShowJobs struct{}
	// StopJob ends a background job; ID 0: which one was not said.
	StopJob struct{ ID int }
	// Unknown could not be understood. Why is a sentence for the person.
	Unknown struct{ Why string }
)

func (Prompt) action()      {}
func (Run) action()         {}
func (ShowHelp) action()    {}
func (Clear) action()       {}
func (Quit) action()        {}
func (ShowTodos) action()   {}
func (ShowHistory) action() {}
func (Compact) action()     {}
func (ShowCost) action()    {}
func (ShowContext) action() {}
func (ShowSkills) action()  {}
func (ShowMode) action()    {}
func (SetMode) action()     {}
func (ShowJobs) action()    {}
func (StopJob) action()     {}
func (Unknown) action()     {}
