package dialog

import (
	tea "github.com/charmbracelet/bubbletea"

	"aye/tui/term"
	"aye/tui/theme"
)

// A Pager shows a text of any length on the whole screen.
type Pager struct {
	th    theme.Theme
	title string
	lines func(width int) []string
	page  page
	keys  []hint // besides those that scroll
	dim   bool   // keys do not count yet
	said  string // above the keys: why one of them did nothing

	rows  []string // lines, for width
	width int
}

// NewPager shows what lines returns: rows of at most width cells, clean. It is
// asked again when the width or the theme changes.
func NewPager(th theme.Theme, title string, lines func(width int) []string) *Pager {
	return &Pager{th: th, title: title, lines: lines, keys: []hint{{"q", "back"}}}
}

// Update scrolls; q and Esc close.
func (p *Pager) Update(msg tea.Msg) (Outcome, tea.Cmd) {
	switch msg := msg.(type) {
	case theme.Theme:
		p.th, p.rows = msg, nil
	case Wheel:
		p.page.move(int(msg))
	case tea.KeyMsg:
		switch key := msg.String(); key {
		case "q", "esc":
			return Closed, nil
		case "ctrl+c":
			return Ignored, nil
		default:
			p.scroll(key)
		}
	}
	return Kept, nil
}

func (p *Pager) scroll(key string) {
	switch key {
	case " ":
		key = "pgdown"
	case "b":
		key = "pgup"
	case "g":
		key = "home"
	case "G":
		key = "end"
	}
	p.page.scroll(key)
}

// View draws the page.
func (p *Pager) View(width, maxRows int) []string {
	w := term.Inner(width)
	if p.rows == nil || p.width != w {
		p.rows, p.width = p.lines(w), w
	}
	keys := hints(p.th, append([]hint{{"↑↓", "scroll"}}, p.keys...), w, p.dim)
	if len(keys) > 1 && maxRows < 8 {
		keys = keys[:1]
	}
	if p.said != "" {
		said := p.th.Ask.Render(term.Cut(p.said, w))
		if keys = append([]string{said}, keys...); maxRows < 5 {
			keys = keys[:1]
		}
	}
	body := p.page.show(p.rows, maxRows-1-len(keys), nil)
	title := rule(p.th, p.th.Accent, p.th.Bold.Render(term.Line(p.title)), "", p.page.where(w), w)
	rows := append([]string{title}, body...)
	for len(rows) < maxRows-len(keys) {
		rows = append(rows, "")
	}
	return dock(append(rows, keys...), width, maxRows)
}

// Full is true: a pager takes the screen.
func (p *Pager) Full() bool { return true }
