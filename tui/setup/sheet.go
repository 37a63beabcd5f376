package setup

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/lipgloss"

	"aye/tui/term"
)

// A sheet is a page being laid out.
type sheet struct {
	m     *Model
	width int
	lines []string
	at    int // the line that must be seen: what is chosen, or typed into
	end   int // the line after what must be seen with it: the failure
}

func (p *sheet) add(line string) { p.lines = append(p.lines, line) }

func (p *sheet) prose(text string, style lipgloss.Style) {
	for _, l := range term.Wrap(text, min(p.width, 96)) {
		p.add(style.Render(l))
	}
}

// failure says what went wrong, next to where it can be put right.
func (p *sheet) failure() {
	if p.m.err == "" {
		return
	}
	p.add("")
	p.prose(sentence(term.Visible(p.m.err)), p.m.theme.Err)
	p.end = len(p.lines)
}

// sentence begins text with a capital, as an error does not.
func sentence(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}

// hints lays out pairs of a key and what it does on as many lines as they need.
func (p *sheet) hints(pairs ...string) {
	line, width := "", 0
	for i := 0; i < len(pairs); i += 2 {
		w := term.Width(strings.TrimSpace(pairs[i] + " " + pairs[i+1]))
		if width > 0 && width+3+w > p.width {
			p.add(line)
			line, width = "", 0
		}
		if width > 0 {
			line += "   "
			width += 3
		}
		line += p.m.hint(pairs[i], pairs[i+1])
		width += w
	}
	p.add(line)
}

// fit returns at most rows of the lines: where there are more, first the empty
// ones go, then what is farthest from where the person is.
func (p *sheet) fit(rows int) []string {
	if len(p.lines) > rows {
		p.squeeze()
	}
	if len(p.lines) <= rows {
		return p.lines
	}
	first := p.at
	if p.end > 0 {
		first = min(first, p.end-rows) // with the failure's last line, where both fit
	} else {
		first -= rows / 2
	}
	first = max(0, min(first, len(p.lines)-rows))
	return p.lines[first : first+rows]
}

func (p *sheet) squeeze() {
	var kept []string
	at, end := 0, 0
	for i, l := range p.lines {
		if i == p.at {
			at = len(kept)
		}
		if l != "" {
			kept = append(kept, l)
		}
		if i == p.end-1 {
			end = len(kept)
		}
	}
	p.lines, p.at, p.end = kept, at, end
}

// row adds what can be picked, with the key that picks it; what does not fit
// in a line goes on below.
func (p *sheet) row(i int, key, text string) {
	mark, style := "  ", p.m.theme.Text
	if i == p.m.cursor {
		mark, style = p.m.theme.Accent.Render("› "), p.m.theme.Bold
		p.at = len(p.lines)
	}
	if key == "" { // one of many: a line each
		p.add(mark + style.Render(text))
		return
	}
	lead := mark + p.m.theme.Key.Render(key) + "  "
	for _, l := range term.Wrap(text, max(1, p.width-term.Width(lead))) {
		p.add(lead + style.Render(l))
		lead = strings.Repeat(" ", term.Width(lead))
	}
}

func (m *Model) hint(key, does string) string {
	if key == "" {
		return m.theme.Dim.Render(does)
	}
	return m.theme.Key.Render(key) + m.theme.Dim.Render(" "+does)
}
