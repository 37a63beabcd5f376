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
	// ShowMode says which mode is on, and which there are.
	ShowMode struct{}
	// SetMode changes the mode.
	SetMode struct{ Mode agent.Mode }
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
func (ShowMode) action()    {}
func (SetMode) action()     {}
func (Unknown) action()     {}
