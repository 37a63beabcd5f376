package compose

import (
	"fmt"
	"strings"

	"aye/tui/term"
	"aye/tui/theme"
)

// The two cells before each row.
const (
	promptText = "> " // its width; drawn as promptMark
	promptMark = "› "
	plainMark  = "  "
)

// marks are the others, drawn once for a theme.
type marks struct {
	prompt string
	above  string // rows above are not shown
	below  string
}

func drawMarks(th theme.Theme) marks {
	return marks{th.Accent.Render(promptMark), th.Dim.Render("↑ "), th.Dim.Render("↓ ")}
}

// View draws the composer: a menu or the search line above, and the rows of the
// text around the caret. The slice is valid until something changes.
func (m *Model) View() []string {
	if m.view == nil {
		m.draw()
	}
	return m.view
}

// Cursor is the cell of View that the caret is in.
func (m *Model) Cursor() (x, y int) {
	m.View()
	return m.caret.x, m.caret.y
}

func (m *Model) draw() {
	head := m.head()
	m.view = append(make([]string, 0, m.maxRows), head...)
	if m.Empty() && m.search == nil {
		m.view = append(m.view, m.marks.prompt+m.theme.Dim.Render(term.Cut(m.placeholder, m.textWidth()+1)))
		m.caret = cell{len(promptText), len(head)}
		return
	}
	here := m.spotOf(m.at)
	m.scroll(here, m.maxRows-len(head))
	at := m.top
	for more := true; more && len(m.view) < m.maxRows; at, more = m.step(at, +1) {
		text, _ := m.rowText(at)
		if at == here {
			before := text[:m.at.off-m.rows(at.line)[at.row]]
			m.caret = cell{len(promptText) + m.cells(before), len(m.view)}
		}
		m.view = append(m.view, m.mark(at, len(m.view) == m.maxRows-1)+m.paint(text))
	}
	if m.search != nil {
		label, _ := m.search.line()
		m.caret = cell{min(m.width-1, len(plainMark)+term.Width(term.Line(label))), 0}
	}
}

// mark is what stands before a row.
func (m *Model) mark(at spot, lowest bool) string {
	_, below := m.step(at, +1)
	switch {
	case at == spot{}:
		return m.marks.prompt
	case at == m.top:
		return m.marks.above
	case lowest && below:
		return m.marks.below
	}
	return plainMark
}

// scroll moves the first row shown as little as shows the caret's row and
// leaves no room unused.
func (m *Model) scroll(here spot, height int) {
	if m.top.line >= len(m.lines) || m.top.row >= len(m.rows(m.top.line)) {
		m.top = here
	}
	if here.line < m.top.line || here.line == m.top.line && here.row < m.top.row {
		m.top = here
	}
	// Count the rows from the top on that fill the height, and see whether the
	// caret's is among them.
	ahead, reached, more := 1, m.top == here, true
	for at := m.top; ahead < height; ahead++ {
		if at, more = m.step(at, +1); !more {
			break
		}
		reached = reached || at == here
	}
	if !reached {
		m.top, ahead, more = here, 1, true
	}
	// Where rows are missing below, or the caret's has just become the last, take
	// some from above.
	for up := true; up && ahead < height && (!more || !reached); ahead++ {
		m.top, up = m.step(m.top, -1)
	}
}

// paint draws the text of a row.
func (m *Model) paint(text string) string {
	if plainASCII(text) {
		return text
	}
	var b strings.Builder
	for text != "" {
		c, _ := cluster(text)
		if c[0] == chipMark {
			id, _, _ := chip(c)
			b.WriteString(m.theme.Accent.Render(term.Cut(m.label(id), m.textWidth())))
		} else if shown := sign(c); shown != "" {
			b.WriteString(m.theme.Dim.Render(term.Cut(shown, m.textWidth())))
		} else {
			b.WriteString(c)
		}
		text = text[len(c):]
	}
	return b.String()
}

func plainASCII(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// head is what stands above the text.
func (m *Model) head() []string {
	room := min(menuRows, m.maxRows-1)
	switch {
	case m.search != nil:
		label, hint := m.search.line()
		label = term.CutLeft(term.Line(label), m.width-len(plainMark)-1)
		line := plainMark + m.theme.Ask.Render(label)
		if left := m.width - len(plainMark) - term.Width(label) - 2; left > 10 {
			line += "  " + m.theme.Dim.Render(term.Cut(hint, left))
		}
		return []string{line}
	case m.menu.kind == forFiles && !m.menu.listed:
		return []string{plainMark + m.theme.Dim.Render(term.Cut("listing files…", m.width-len(plainMark)))}
	case m.menu.kind != closed:
		return m.drawMenu(room)
	}
	return nil
}

// drawMenu shows the items around the chosen one, and says how many more there are.
func (m *Model) drawMenu(room int) (lines []string) {
	n := &m.menu
	more := ""
	if len(n.items) > room && room > 1 {
		room--
		more = fmt.Sprintf("… %d more", len(n.items)-room)
		if len(n.items) == maxItems { // of how many, nobody counted
			more = "… many more"
		}
	}
	first := max(0, min(n.chosen-room+1, len(n.items)-room))
	sign := map[menuKind]string{forCommands: "/", forFiles: "@"}[n.kind]
	name := 0
	for _, item := range n.items {
		name = max(name, term.Width(term.Line(item.Name))+1)
	}
	name = min(name, m.width-len(plainMark))
	for i := first; i < min(first+room, len(n.items)); i++ {
		item := n.items[i]
		label := term.Cut(sign+term.Line(item.Name), name)
		mark, style := plainMark, m.theme.Text
		if i == n.chosen {
			mark, style = m.marks.prompt, m.theme.Accent
		}
		line := mark + style.Render(label)
		if left := m.width - len(plainMark) - name - 2; item.Doc != "" && left > 8 {
			line += strings.Repeat(" ", name-term.Width(label)+2) + m.theme.Dim.Render(term.Cut(term.Line(item.Doc), left))
		}
		lines = append(lines, line)
	}
	if more != "" {
		lines = append(lines, plainMark+m.theme.Dim.Render(term.Cut(more, m.width-len(plainMark))))
	}
	return lines
}
