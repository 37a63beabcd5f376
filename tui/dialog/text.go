package dialog

import (
	tea "github.com/charmbracelet/bubbletea"

	"aye/tui/term"
	"aye/tui/theme"
)

// Ask is what a [Text] asks.
type Ask struct {
	Title   string
	Hint    string // below the field, dim; may be empty
	Initial string
	Secret  bool                      // dots are shown
	Check   func(text string) string  // why text will not do, ""; nil: anything does
	Done    func(text string) tea.Cmd // what the text means
}

// A Text asks for one line.
type Text struct {
	Ask
	th    theme.Theme
	field field
	wrong string
	caret [2]int
}

// NewText asks for one line of text.
func NewText(th theme.Theme, ask Ask) *Text {
	t := &Text{Ask: ask, th: th, field: field{secret: ask.Secret}}
	t.field.set(ask.Initial)
	return t
}

// Update edits; Enter is done, Esc closes without an answer.
func (t *Text) Update(msg tea.Msg) (Outcome, tea.Cmd) {
	switch msg := msg.(type) {
	case theme.Theme:
		t.th = msg
	case Paste:
		t.field.insert(string(msg))
		t.wrong = ""
	case tea.KeyMsg:
		switch msg.String() {
		case "ctrl+c":
			return Ignored, nil
		case "esc":
			return Closed, nil
		case "enter":
			return t.enter()
		}
		if t.field.key(msg) {
			t.wrong = ""
		}
	}
	return Kept, nil
}

func (t *Text) enter() (Outcome, tea.Cmd) {
	text := t.field.text()
	if t.Check != nil {
		if t.wrong = t.Check(text); t.wrong != "" {
			return Kept, nil
		}
	}
	return Closed, t.Done(text)
}

// View draws the field.
func (t *Text) View(width, maxRows int) []string {
	w := inner(width)
	text, x := t.field.view(w - 2)
	input := t.th.Accent.Render("› ") + text
	t.caret = [2]int{term.Margin(width) + 2 + x, 0}
	if maxRows == 1 {
		return dock([]string{input}, width, 1)
	}
	t.caret[1] = 1
	rows := []string{rule(t.th, t.th.Accent, t.th.Bold.Render(term.Line(t.Title)), "", "", w), input}
	switch {
	case t.wrong != "":
		for _, row := range term.Wrap(term.Clean(t.wrong), w) {
			rows = append(rows, t.th.Err.Render(row))
		}
	case t.Hint != "":
		for _, row := range term.Wrap(term.Clean(t.Hint), w) {
			rows = append(rows, t.th.Dim.Render(row))
		}
	}
	rows = append(rows, hints(t.th, []hint{{"enter", "done"}, {"esc", "back"}}, w, false)...)
	return dock(rows, width, maxRows)
}

// Cursor returns the caret of the field.
func (t *Text) Cursor() (x, y int, ok bool) { return t.caret[0], t.caret[1], true }

// Help says what the keys do.
func (t *Text) Help() string { return "Enter done · Esc back" }
