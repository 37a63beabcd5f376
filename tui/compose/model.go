package compose

import (
	"slices"
	"strings"

	"aye/tui/theme"
)

// A Model is a composer and its text.
type Model struct {
	theme       theme.Theme
	marks       marks
	placeholder string
	width       int // cells of View
	maxRows     int // lines of View

	lines   []*line
	at      pos
	column  int // where Up and Down want to be, in cells; -1: where the caret is
	chips   []string
	undo    []edit
	redo    []edit
	typing  bool   // the last change was typing: more of it joins the same undo
	killed  string // what Ctrl+Y puts back, as a draft
	killing bool   // the last key cut text: more of it joins

	history history
	search  *search
	menu    menu

	top     spot // the first row shown
	view    []string
	caret   cell
	version int // counts changes of the text
	text    string
	textOf  int // the version text is of
	draft   string
	draftOf int // the version draft is of
}

type cell struct{ x, y int }

// New returns an empty composer.
func New(th theme.Theme) *Model {
	m := &Model{theme: th, marks: drawMarks(th), width: 80, maxRows: 10, placeholder: "type a task, or / for commands", textOf: -1, draftOf: -1}
	m.load("")
	return m
}

// SetTheme changes the colours.
func (m *Model) SetTheme(th theme.Theme) {
	m.theme, m.marks = th, drawMarks(th)
	m.view = nil
}

// minWidth is the least that a composer draws itself for.
const minWidth = 8

// Resize sets the size: width in cells, and the most lines View may have.
func (m *Model) Resize(width, maxRows int) {
	width, maxRows = max(minWidth, width), max(1, maxRows)
	if width == m.width && maxRows == m.maxRows {
		return
	}
	m.width, m.maxRows = width, maxRows
	m.refreshMenu()
}

// Empty reports whether there is no text at all.
func (m *Model) Empty() bool { return len(m.lines) == 1 && m.lines[0].text == "" }

// Text returns the text with its pastes in it.
func (m *Model) Text() string {
	if m.textOf != m.version {
		m.text, m.textOf = m.expand(m.raw()), m.version
	}
	return m.text
}

// Draft returns the text in the form that SetDraft and SetHistory read, which
// tells pastes from typed text.
func (m *Model) Draft() string {
	if m.draftOf != m.version {
		m.draft, m.draftOf = m.encode(m.raw()), m.version
	}
	return m.draft
}

// SetText puts text in the place of all that is there, open to editing; undo
// brings that back.
func (m *Model) SetText(text string) {
	m.search = nil
	m.typing, m.killing = false, false
	m.replace(pos{}, m.end(), m.inline(text))
	m.refreshMenu()
}

// Return puts a message that was sent back in front of what is being written,
// its pastes as they were.
func (m *Model) Return(text string) {
	m.search = nil
	m.typing, m.killing = false, false
	end := pos{}
	back := m.decode(m.history.draftOf(text))
	if strings.TrimSpace(m.Text()) == "" {
		end = m.end()
	} else {
		back += "\n"
	}
	m.replace(pos{}, end, back)
	m.move(m.end())
	m.refreshMenu()
}

// SetDraft starts with what Draft returned at another time.
func (m *Model) SetDraft(draft string) {
	m.search = nil
	m.history.leave()
	m.load(draft)
}

// Clear makes the text history and returns it as a draft, "" if there was none.
// A draft that had been left for an older entry comes back.
func (m *Model) Clear() string {
	m.search = nil
	draft := m.finish()
	if strings.TrimSpace(draft) == "" {
		return ""
	}
	return draft
}

// raw is the text with its chips as they are in the lines.
func (m *Model) raw() string {
	if len(m.lines) == 1 {
		return m.lines[0].text
	}
	var b strings.Builder
	for i, l := range m.lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(l.text)
	}
	return b.String()
}

// load makes draft the whole text, with the caret at its end and nothing to undo.
func (m *Model) load(draft string) {
	m.chips = nil
	m.lines = []*line{{}}
	m.at, m.top, m.column = pos{}, spot{}, -1
	m.menu.close()
	m.version++
	m.view = nil
	m.replace(pos{}, pos{}, m.decode(draft))
	m.undo, m.redo, m.typing, m.killing = nil, nil, false, false
	m.menu.hidden = false // that was about another text
	m.refreshMenu()
}

// Paste puts text in at the caret; much of it becomes a chip.
func (m *Model) Paste(text string) {
	if text == "" {
		return
	}
	if m.search != nil {
		m.searchFor(m.search.query + firstLine(text))
		return
	}
	m.typing, m.killing = false, false
	m.insert(m.pasted(text))
	m.refreshMenu()
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.ToValidUTF8(line, "\ufffd")
}

// insert puts s in at the caret and moves it behind.
func (m *Model) insert(s string) {
	m.replace(m.at, m.at, s)
}

// newline breaks the line at the caret.
func (m *Model) newline() { m.insert("\n") }

// SetHistory sets what Up and Ctrl+R find, oldest first: texts, or what Draft
// returned for them.
func (m *Model) SetHistory(entries []string) {
	m.history.entries = slices.Clone(entries)
	m.history.leave()
}
