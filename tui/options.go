package tui

import (
	"context"
	"os"
	"os/exec"

	"aye/agent"
	"aye/llm"
	"aye/tui/setup"
	"aye/tui/slash"
)

// A Port is what the screen needs of a session.
type Port interface {
	Send(ctx context.Context, cmd agent.Command) error
	Events() <-chan agent.Event
}

// Info is what the screen says about where it is.
type Info struct {
	Version   string // of aye
	Workspace string // absolute path
	Branch    string // of the version control; may be empty
	Home      string // the person's home folder, shown as ~; may be empty
	Model     string
	Endpoint  string // base URL without credentials
	Shell     string // the name of what commands run in
	Tools     int    // how many the model has
	Window    int    // tokens the model's context holds; 0: unknown
	Overhead  int    // tokens of the system prompt and the tools, estimated
	Banner    string // said throughout: "tour: this model is a script"; may be empty
	Skills    []Skill
}

// A Store keeps what the person typed. Its methods are called off the UI
// goroutine, one at a time.
type Store interface {
	AddHistory(text string) error
	SaveDraft(text string) error
}

// An Edit is a text on its way through the person's editor.
type Edit struct {
	Command *exec.Cmd              // the editor, to be given the terminal
	Text    func() (string, error) // what it left, once Command has ended; also tidies up
}

type (
	// Skill is one that the model can load, or why it cannot.
	Skill = slash.Skill
	// Server is a model server found on this machine.
	Server = setup.Server
	// Choice is what the person chose on the set-up screen.
	Choice = setup.Choice
	// Configured is what the set-up screen need not ask.
	Configured = setup.Configured
	// Fault is an error of Connect that is in a field of the form.
	Fault = setup.Fault
)

// The fields of the set-up screen's form.
const (
	FieldURL   = setup.FieldURL
	FieldKey   = setup.FieldKey
	FieldModel = setup.FieldModel
)

// Setup is what the set-up screen needs. Probe and Connect run
// off the UI goroutine.
type Setup struct {
	Probe   func(ctx context.Context) []Server
	Connect func(ctx context.Context, c Choice) (Opened, error)
	Configured
}

// Opened is a session that Connect opened.
type Opened struct {
	Session Port
	Info    Info
	Past    []agent.Event // of a session that goes on
	Notes   []string      // shown first: how to keep this choice
}

// Options are what a screen is made of.
type Options struct {
	In, Out  *os.File // the terminal; nil: os.Stdin, os.Stdout
	Info     Info
	Session  Port          // nil: start on the set-up screen
	Setup    *Setup        // required when Session is nil
	Past     []agent.Event // of a session that goes on
	Prompt   string        // sent as the first message
	Warnings []string      // shown first
	Light    bool          // the terminal's background is thought to be light; it is asked

	Store   Store    // nil: nothing is kept
	History []string // earlier inputs, oldest first
	Draft   string   // what was in the composer when the last run ended

	// Price says what a model costs at an endpoint, if that is known; nil: no
	// price is.
	Price func(model, endpoint string) (llm.Price, bool)
	Files func(ctx context.Context) ([]string, error) // paths for @ completion; nil: none
	Edit  func(text string) (Edit, error)             // nil: there is no editor
}
