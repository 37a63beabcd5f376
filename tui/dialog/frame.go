package dialog

import (
	"strings"

	"github.com/charmbracelet/lipgloss"

	"aye/tui/term"
	"aye/tui/theme"
)

// dock puts the margin in front of each row, and holds what dialogs promise:
// at most maxRows rows of at most width cells.
func dock(rows []string, width, maxRows int) []string {
	if len(rows) > maxRows {
		rows = rows[:maxRows]
	}
	pad := strings.Repeat(" ", term.Margin(width))
	docked := make([]string, len(rows))
	for i, row := range rows {
		docked[i] = pad + row
		if term.Width(docked[i]) > width {
			docked[i] = term.Cut(docked[i], width)
		}
	}
	return docked
}

// rule draws a dialog's first row: "╶ edit parser.go ╴ writes 1 file ─── 1–9 of 12 ╴".
// Its colour and its length are what no text in the conversation can imitate.
// title is drawn already, about and right are plain.
func rule(th theme.Theme, line lipgloss.Style, title, about, right string, width int) string {
	end := line.Render("╴")
	if right != "" {
		end = th.Dim.Render(" "+right) + line.Render(" ╴")
	}
	left := line.Render("╶ ") + title + line.Render(" ╴")
	if about != "" {
		about = th.Dim.Render(" " + about + " ")
	}
	room := width - term.Width(end)
	if term.Width(left)+term.Width(about) > room {
		about = ""
	}
	if term.Width(left) > room {
		left = term.Cut(left, max(1, room))
	}
	fill := width - term.Width(left) - term.Width(about) - term.Width(end)
	return left + about + line.Render(strings.Repeat("─", max(0, fill))) + end
}

// A hint is a key and what it does.
type hint struct{ key, does string }

// hints lays out keys in rows; a hint is only broken when it is wider than a
// row by itself. dim: none of them counts yet.
func hints(th theme.Theme, list []hint, width int, dim bool) []string {
	var rows []string
	row, used := "", 0
	for _, h := range list {
		text := strings.TrimSpace(h.key + " " + h.does)
		cells := term.Width(text)
		if used > 0 && used+3+cells > width {
			rows = append(rows, row)
			row, used = "", 0
		}
		if used > 0 {
			row, used = row+"   ", used+3
		}
		if cells > width {
			rows = append(rows, broken(th, text, width, dim)...)
			continue
		}
		row, used = row+h.render(th, dim), used+cells
	}
	if used > 0 {
		rows = append(rows, row)
	}
	return rows
}

func (h hint) render(th theme.Theme, dim bool) string {
	text := ""
	if h.does != "" {
		text = " " + h.does
	}
	if dim {
		return th.Dim.Render(h.key + text)
	}
	return th.Key.Render(h.key) + th.Dim.Render(text)
}

func broken(th theme.Theme, text string, width int, dim bool) []string {
	rows := term.Wrap(text, width)
	for i, row := range rows {
		key, rest, found := strings.Cut(row, " ")
		if i == 0 && !dim && found {
			rows[i] = th.Key.Render(key) + th.Dim.Render(" "+rest)
			continue
		}
		rows[i] = th.Dim.Render(row)
	}
	return rows
}
