package status

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"

	"aye/agent"
	"aye/tui/term"
)

// part is something at the right of the line.
type part struct {
	text  string
	style lipgloss.Style
	rank  int // the highest is left out first
}

// parts returns what stands at the right, in order.
func (m *Model) parts() []part {
	th := m.th
	var parts []part
	add := func(text string, style lipgloss.Style, rank int) {
		if text != "" {
			parts = append(parts, part{text, style, rank})
		}
	}
	add(m.background(), th.Text, 4)
	add(m.place(), th.Dim, 3)
	add(term.Cut(term.Line(string(m.mode)), 8), m.modeStyle(), 0)
	add(term.Cut(term.Line(m.facts.Model), 32), th.Dim, 2)
	add(m.fullness(), m.fullnessStyle(), 1)
	add(m.spent(), th.Dim, 5)
	return parts
}

// View returns the line, at most w cells wide.
func (m *Model) View(w int, now time.Time) string {
	indent := term.Margin(w)
	room := w - 2*indent
	if room < 1 {
		return ""
	}
	words, _, _ := m.doing(now)
	wish := term.Width(words) + 10
	if words == "" {
		wish = term.Width(m.facts.Hint)
	}
	parts := m.parts()
	right := join(parts)
	for len(parts) > 1 && term.Width(right)+3+min(wish, room/2) > room {
		parts = leaveOut(parts)
		right = join(parts)
	}
	left := m.left(max(1, room-term.Width(right)-2), now)
	gap := room - term.Width(left) - term.Width(right)
	if gap < 1 {
		return term.Cut(right, w)
	}
	return strings.Repeat(" ", indent) + left + strings.Repeat(" ", gap) + right
}

// background says how many jobs run: "2 jobs".
func (m *Model) background() string {
	switch n := len(m.jobs); n {
	case 0:
		return ""
	case 1:
		return "1 job"
	default:
		return fmt.Sprintf("%d jobs", n)
	}
}

// spent says what the session has taken so far: "↑12.4k ↓800 $0.041".
func (m *Model) spent() string {
	total := m.total
	if m.meter != nil { // it counts summaries too
		total = m.meter.Total.Usage
	}
	if total.Input+total.Output == 0 {
		return ""
	}
	about := ""
	if total.Estimated {
		about = "~"
	}
	words := fmt.Sprintf("↑%s%s ↓%s%s", about, term.Tokens(total.Input), about, term.Tokens(total.Output))
	if m.meter != nil && m.meter.Total.KnownCost() > 0 {
		words += " " + term.Dollars(m.meter.Total.Cost)
	}
	return words
}

func join(parts []part) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.style.Render(p.text)
	}
	return strings.Join(texts, "   ")
}

func leaveOut(parts []part) []part {
	last := 0
	for i, p := range parts {
		if p.rank > parts[last].rank {
			last = i
		}
	}
	return append(parts[:last:last], parts[last+1:]...)
}

const placeWidth = 32 // cells for the workspace and its branch

// place names the workspace by the end of its path, and its branch.
func (m *Model) place() string {
	path := term.Line(m.facts.Workspace)
	if home := term.Line(m.facts.Home); home != "" {
		if path == home {
			path = "~"
		} else if rest, ok := strings.CutPrefix(path, home+string(filepath.Separator)); ok {
			path = "~" + string(filepath.Separator) + rest
		}
	}
	branch := ""
	if m.facts.Branch != "" {
		branch = " " + term.Cut(term.Line(m.facts.Branch), placeWidth/2)
	}
	return shorten(path, placeWidth-term.Width(branch)) + branch
}

// shorten keeps the end of a path: "…/src/app".
func shorten(path string, w int) string {
	if term.Width(path) <= w {
		return path
	}
	rest := path
	for {
		i := strings.IndexByte(rest[1:], filepath.Separator)
		if i < 0 {
			return term.Cut(filepath.Base(path), w)
		}
		rest = rest[1+i:]
		if term.Width(rest)+1 <= w {
			return "…" + rest
		}
	}
}

func (m *Model) modeStyle() lipgloss.Style {
	switch m.mode {
	case agent.Plan:
		return m.th.Accent
	case agent.Edit:
		return m.th.Ask
	case agent.Full:
		return m.th.Err.Bold(true)
	case agent.Ask:
	}
	return m.th.Text
}

// fullness says how much of the context is used: "~12.4k/128k 10 %".
func (m *Model) fullness() string {
	used := m.context.Input + m.context.Output
	if used == 0 {
		return ""
	}
	about := ""
	if m.context.Estimated {
		about = "~"
	}
	if m.facts.Window <= 0 {
		return about + term.Tokens(used)
	}
	return fmt.Sprintf("%s%s/%s %d %%", about, term.Tokens(used), term.Tokens(m.facts.Window), m.percent())
}

func (m *Model) percent() int {
	return 100 * (m.context.Input + m.context.Output) / m.facts.Window
}

func (m *Model) fullnessStyle() lipgloss.Style {
	switch {
	case m.facts.Window <= 0 || m.percent() < 75:
		return m.th.Dim
	case m.percent() < 90:
		return m.th.Ask
	}
	return m.th.Err
}

func kilobytes(n int) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f KB", float64(n)/1e3)
}
