package setup

import (
	"errors"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// A Field is one of the form's.
type Field int

// The fields of the form, from top to bottom.
const (
	FieldURL Field = iota
	FieldKey
	FieldModel
	fieldCount
)

// A Fault is an error in what a field says: the focus goes there.
type Fault struct {
	Field Field
	Err   error
}

func (f *Fault) Error() string { return f.Err.Error() }
func (f *Fault) Unwrap() error { return f.Err }

// fields are the form's inputs, one of them focused.
type fields struct {
	inputs [fieldCount]textinput.Model
	at     Field
}

func newFields(known Choice) fields {
	var f fields
	hints := [fieldCount]string{"https://api.example.com/v1", "", "as the endpoint names it"}
	for i := range f.inputs {
		in := textinput.New()
		in.Prompt = ""
		in.Placeholder = hints[i]
		in.KeyMap.Paste = key.NewBinding() // pastes arrive as messages; the binding would run a clipboard program
		f.inputs[i] = in
	}
	f.inputs[FieldKey].EchoMode = textinput.EchoPassword
	f.set(FieldURL, known.BaseURL)
	f.set(FieldModel, known.Model)
	switch {
	case known.BaseURL == "":
		f.focus(FieldURL)
	case known.Model == "":
		f.focus(FieldModel)
	default:
		f.focus(FieldKey)
	}
	return f
}

func (f *fields) focus(i Field) {
	f.inputs[f.at].Blur()
	f.at = i
	f.inputs[i].Focus()
}

func (f *fields) step(by Field) { f.focus((f.at + by + fieldCount) % fieldCount) }

func (f *fields) last() bool { return f.at == fieldCount-1 }

func (f *fields) set(i Field, text string) { f.inputs[i].SetValue(text) }

// fill begins the form anew for a server: a key typed for another is not its.
func (f *fields) fill(baseURL, model string) {
	f.set(FieldURL, baseURL)
	f.set(FieldKey, "")
	f.set(FieldModel, model)
}

func (f *fields) value(i Field) string { return strings.TrimSpace(f.inputs[i].Value()) }

func (f *fields) key(k tea.KeyMsg) { f.inputs[f.at], _ = f.inputs[f.at].Update(k) }

// paste inserts the text's first line at the caret.
func (f *fields) paste(text string) {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	f.key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(strings.TrimSpace(line)), Paste: true})
}

// complete makes the base URL whole, and shows it so: what is shown is what is
// connected to.
func (f *fields) complete(complete func(string) (string, error)) error {
	if f.value(FieldURL) == "" {
		return &Fault{FieldURL, errors.New("the base URL is missing: the address of the endpoint, up to and with /v1")}
	}
	whole, err := complete(f.value(FieldURL))
	if err != nil {
		return &Fault{FieldURL, err}
	}
	if whole != f.inputs[FieldURL].Value() {
		f.set(FieldURL, whole)
	}
	return nil
}

// choice is what the form says, once the base URL is complete.
func (f *fields) choice() (Choice, error) {
	c := Choice{BaseURL: f.value(FieldURL), Key: f.value(FieldKey), Model: f.value(FieldModel)}
	if c.Model == "" {
		return c, &Fault{FieldModel, errors.New("the model is missing: its name, as the endpoint knows it")}
	}
	return c, nil
}
