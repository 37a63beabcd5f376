package md

import (
	"strings"
	"unicode"
)

// open is the block that still grows, as it was rendered last. It is rendered
// again only where that can change more than its end.
type open struct {
	id     int    // how many blocks were complete before it
	text   string // what is shown
	parsed int    // how much of it the parser has seen
	stale  bool   // the parser would show the rest otherwise
	base   layout
	fence  fenceRows
}

// draw returns the rows of the block that is open in s.
func (o *open) draw(r *Renderer, id int, s *splitter, refs references) []string {
	if s.kind == fenced {
		return o.fence.draw(r, id, s)
	}
	b := s.current
	b.text = string(s.open)
	grown, same := strings.CutPrefix(b.text, o.text)
	switch {
	case o.id == id && same && o.text != "":
	case isWords(b.text):
		o.begin(r, id, b.text)
		return o.base.rows
	default:
		o.parse(r, id, b, refs)
		return o.base.rows
	}
	if strings.Trim(grown, "\n") == "" {
		return o.base.rows
	}
	o.stale = o.stale || !isCalm(o.text, grown)
	if o.stale && len(b.text)-o.parsed >= patience(o.parsed) {
		o.parse(r, id, b, refs)
	} else {
		o.base, o.text = o.base.extend(grown), b.text
	}
	return o.base.rows
}

// begin shows the first words of a paragraph without the parser.
func (o *open) begin(r *Renderer, id int, text string) {
	*o = open{id: id, text: text, base: layout{r: r, width: r.width}, fence: o.fence}
	o.base.text(text)
}

// isWords reports that text can only be the beginning of a paragraph without
// any marks: it begins with a letter, and has nothing but letters and blanks.
func isWords(text string) bool {
	for i, c := range text {
		if !unicode.IsLetter(c) && (c != ' ' || i == 0) {
			return false
		}
	}
	return text != ""
}

// parse renders b. The parser drops blanks at its end: they count as not shown
// yet, so that what follows does not melt with the last word.
func (o *open) parse(r *Renderer, id int, b block, refs references) {
	o.id, o.text, o.base, o.stale = id, strings.TrimRight(b.text, " \t\n"), r.block(b, refs), false
	o.parsed = len(o.text)
}

// patience is by how much a block has to grow before it is parsed again for
// what may be marks; until then they are shown as they came. The larger the
// block the larger the share, so that all parses together stay within a few
// times the last one.
func patience(parsed int) int {
	switch {
	case parsed < 64: // costs little, and much of it is the answer in sight
		return 0
	case parsed < 1<<10:
		return max(32, parsed/8)
	case parsed < 4<<10:
		return parsed / 8
	case parsed < 16<<10:
		return parsed / 4
	}
	return parsed / 2
}

// isCalm reports that text, put after before, ends nothing that Markdown gives
// a meaning to. What it begins is shown as it is anyway until it ends.
func isCalm(before, text string) bool {
	prev := byte(' ')
	if before != "" {
		prev = before[len(before)-1]
	}
	for i := range len(text) {
		switch c := text[i]; c {
		case '\n':
			return false
		case '*', '_', '`', '~':
			if prev != ' ' && prev != '\n' && prev != c {
				return false
			}
		case ')':
			if strings.Contains(before, "](") || strings.Contains(text, "](") {
				return false
			}
		case '>':
			if strings.Contains(before, "<") || strings.Contains(text, "<") {
				return false
			}
		case ';':
			if strings.Contains(before[max(0, len(before)-40):], "&") || strings.Contains(text, "&") {
				return false
			}
		}
		prev = text[i]
	}
	return true
}

// fenceRows are the rows of an open fence, line by line: what a line says
// about those before it is left until the fence is closed.
type fenceRows struct {
	id    int
	taken int // bytes of the open block that are in rows
	rows  []string
}

func (f *fenceRows) draw(r *Renderer, id int, s *splitter) []string {
	if !strings.HasSuffix(s.opener, "\n") { // the language may still be coming
		return nil
	}
	r.prepare()
	if f.id != id || f.taken == 0 {
		*f = fenceRows{id: id, taken: len(s.opener)}
	}
	language, indent := s.fenced()
	rest := string(s.open[f.taken:])
	for line := range strings.Lines(rest) {
		text, ended := strings.CutSuffix(line, "\n")
		n := len(text) - len(strings.TrimLeft(text, " "))
		text = text[min(n, indent):]
		if !ended {
			return append(f.rows[:len(f.rows):len(f.rows)], codeRows([]string{text}, r.width)...)
		}
		f.rows = append(f.rows, codeRows(r.code.paint(language, text), r.width)...)
		f.taken += len(line)
	}
	return f.rows
}
