package tui

import (
	"fmt"
	"strings"
	"time"

	"aye/tools"
	"aye/tui/term"
)

// Below this the screen says that it is too small; the session goes on.
const (
	minWidth  = 20
	minHeight = 6
)

// View returns the frame. It is put together again only when a message came.
func (m *Model) View() string {
	if m.stale {
		m.frame, m.stale = m.draw(), false
	}
	return m.frame
}

// draw puts the parts together, from the bottom up: status line, composer,
// dialog, and the conversation in what is left.
func (m *Model) draw() string {
	if m.w == 0 || m.h == 0 {
		return ""
	}
	if m.tooSmall() {
		m.term.SetCursor(0, 0, false)
		return m.drawTooSmall()
	}
	if m.setup != nil {
		return m.drawSetup()
	}
	if m.dialogs.Full() {
		return m.drawFull()
	}
	lines := m.banner()
	bottom := m.bottom(m.h - len(lines))
	rows := m.h - len(lines) - len(bottom.lines)
	m.chat.Resize(m.w, rows)
	if rows > 0 {
		lines = append(lines, m.chat.View())
	}
	foot := m.h - len(bottom.lines)
	m.dock.from, m.dock.to = foot+bottom.dialog, foot+bottom.dialog+bottom.rows
	lines = append(lines, bottom.lines...)
	m.term.SetCursor(bottom.x, foot+bottom.y, bottom.caret)
	return strings.Join(lines, "\n")
}

// drawTooSmall says what to do, in as many words as there is room for.
func (m *Model) drawTooSmall() string {
	rows := []string{}
	for _, words := range []string{
		fmt.Sprintf("The terminal is too small: make it %dx%d or larger. Nothing is lost.", minWidth, minHeight),
		fmt.Sprintf("make it %dx%d", minWidth, minHeight),
		fmt.Sprintf("%dx%d", minWidth, minHeight),
	} {
		rows = term.Wrap(words, m.w)
		if len(rows) <= m.h {
			break
		}
	}
	return strings.Join(rows[:min(len(rows), m.h)], "\n")
}

func (m *Model) tooSmall() bool { return m.w < minWidth || m.h < minHeight }

// A foot is the lines below the conversation, and where in them are the caret
// and the dialog.
type foot struct {
	lines        []string
	x, y         int
	caret        bool
	dialog, rows int
}

// bottom puts the foot together; it has at most height lines.
func (m *Model) bottom(height int) foot {
	line := m.statusLine()
	side := term.Margin(m.w)
	m.compose.Resize(m.w-2*side, max(1, min(m.h/3, height-4)))
	typed := term.Indent(m.compose.View(), side)

	var f foot
	room := height - len(typed) - 1 // for dialog and conversation
	if d := m.dialogs.View(m.w, dialogRows(room)); len(d) > 0 {
		if room-len(d) > 4 {
			f.lines = append(f.lines, "")
		}
		x, y, shown := m.dialogs.Cursor()
		f.x, f.y, f.caret = x, len(f.lines)+y, shown
		f.dialog, f.rows = len(f.lines), len(d)
		f.lines = append(f.lines, d...)
		room = height - len(typed) - 1 - len(f.lines)
	}
	if room >= 4 {
		f.lines = append(f.lines, strings.Repeat(" ", side)+m.ruler(m.w-2*side))
	}
	if !f.caret {
		x, y := m.compose.Cursor()
		f.x, f.y, f.caret = side+x, len(f.lines)+y, true
	}
	f.lines = append(append(f.lines, typed...), line)
	return f
}

const rulerTitle = 50 // cells: the rule stays one

// ruler is the line above the composer. It names what is being worked on, as
// long as the model's plan is open: there it costs no height.
func (m *Model) ruler(width int) string {
	dim := m.theme.Dim
	done, current := progress(m.state.Todos)
	if current == "" {
		return dim.Render(strings.Repeat("─", width))
	}
	title := term.Cut(fmt.Sprintf("%d/%d %s", done, len(m.state.Todos), term.Line(current)), max(1, min(width-8, rulerTitle)))
	line := dim.Render("╶ ") + m.theme.Accent.Render("▸ ") + dim.Render(title+" ╴")
	return line + dim.Render(strings.Repeat("─", max(0, width-term.Width(line))))
}

// progress says how many todos are done, and which comes now: the one that is
// worked on, else the first that is left.
func progress(list []tools.Todo) (done int, current string) {
	working := false
	for _, t := range list {
		switch t.Status {
		case tools.Completed:
			done++
			continue
		case tools.InProgress:
			working, current = true, t.Text
		case tools.Pending:
		}
		if !working && current == "" {
			current = t.Text
		}
	}
	return done, current
}

// dialogRows is how many of the rows above the composer a dialog may take: the
// conversation that led to it stays in sight where there is room for both.
func dialogRows(room int) int { return max(1, min(room-2, max(10, room*6/10))) }

func (m *Model) statusLine() string {
	if m.hint != "" {
		return m.said(m.hint)
	}
	return m.status.View(m.w, time.Now())
}

// said is a line of aye's own in the colour of questions.
func (m *Model) said(text string) string {
	side := term.Margin(m.w)
	return strings.Repeat(" ", side) + m.theme.Ask.Render(term.Cut(term.Line(text), m.w-2*side))
}

// banner is what must be said throughout.
func (m *Model) banner() []string {
	if m.opts.Info.Banner == "" || m.h < 10 {
		return nil
	}
	return []string{m.said(m.opts.Info.Banner), ""}
}

// drawFull gives the whole screen to the top dialog.
func (m *Model) drawFull() string {
	m.term.SetCursor(0, 0, false)
	return strings.Join(m.dialogs.View(m.w, m.h), "\n")
}

func (m *Model) drawSetup() string {
	m.term.SetCursor(0, 0, false)
	if m.h < 12 {
		return strings.Join(m.setup.View(m.w, m.h), "\n")
	}
	return strings.Join(append([]string{""}, m.setup.View(m.w, m.h-2)...), "\n")
}
