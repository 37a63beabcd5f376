package setup

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

const (
	fieldURL = iota
	fieldKey
	fieldModel
	fieldCount
)

// fields are the form's inputs, one of them focused.
type fields struct {
	inputs [fieldCount]textinput.Model
	at     int
}

func newFields() fields {
	var f fields
	hints := [fieldCount]string{"https://api.example.com/v1", "empty for a server on this machine", "as the endpoint names it"}
	for i := range f.inputs {
		in := textinput.New()
		in.Prompt = ""
		in.Placeholder = hints[i]
		in.KeyMap.Paste = key.NewBinding() // pastes arrive as messages; the binding would run a clipboard program
		f.inputs[i] = in
	}
	f.inputs[fieldKey].EchoMode = textinput.EchoPassword
	f.focus(fieldURL)
	return f
}

func (f *fields) focus(i int) {
	f.inputs[f.at].Blur()
	f.at = i
	f.inputs[i].Focus()
}

func (f *fields) step(by int) { f.focus((f.at + by + fieldCount) % fieldCount) }

func (f *fields) last() bool { return f.at == fieldCount-1 }

func (f *fields) set(i int, text string) { f.inputs[i].SetValue(text) }

func (f *fields) key(k tea.KeyMsg) { f.inputs[f.at], _ = f.inputs[f.at].Update(k) }

// paste inserts the text's first line at the caret.
func (f *fields) paste(text string) {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	f.key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(strings.TrimSpace(line)), Paste: true})
}

// choice is what the form says; missing is a sentence about what it lacks.
func (f *fields) choice() (c Choice, missing string) {
	c = Choice{
		BaseURL: strings.TrimSpace(f.inputs[fieldURL].Value()),
		Key:     strings.TrimSpace(f.inputs[fieldKey].Value()),
		Model:   strings.TrimSpace(f.inputs[fieldModel].Value()),
	}
	if c.BaseURL == "" {
		f.focus(fieldURL)
		return c, "The URL is missing: the address of the endpoint, up to and with /v1."
	}
	if c.Model == "" {
		f.focus(fieldModel)
		return c, "The model is missing: its name, as the endpoint knows it."
	}
	return c, ""
}
