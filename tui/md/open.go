package md

import (
	"strings"
)

// open is the block that still grows, as it was rendered last. It is rendered
// again only where that can change more than its end.
type open struct {
	id     int    // how many blocks were complete before it
	text   string // what is shown
	parsed int    // how much of it the parser has seen
	base   layout
	fence  fenceRows
}

// closed returns the rows of b, the block with number id, from what was shown
// of it if that was all.
func (o *open) closed(r *Renderer, id int, b block, refs references) []string {
	if o.id != id || o.text != strings.TrimRight(b.text, "\n") || o.parsed != len(o.text) {
		o.parse(r, id, b, refs)
	}
	return o.base.rows
}

func (o *open) parse(r *Renderer, id int, b block, refs references) {
	o.id, o.text, o.base = id, strings.TrimRight(b.text, "\n"), r.block(b, refs)
	o.parsed = len(o.text)
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
	case o.id != id || !same || o.text == "":
		o.parse(r, id, b, refs)
	case strings.Trim(grown, "\n") == "":
	case !o.base.leaf.known:
		if len(b.text)-o.parsed > o.parsed/growth {
			o.parse(r, id, b, refs)
		}
	case isCalm(grown):
		o.base, o.text = o.base.extend(grown), b.text
	case len(b.text)-o.parsed > o.parsed/growth:
		o.parse(r, id, b, refs)
	default:
		longer := o.base.extend(grown)
		return longer.rows
	}
	return o.base.rows
}

// growth says when a block is parsed again for what may be marks: when it has
// grown by one part in so many. Until then they are shown as they came.
const growth = 8

// isCalm reports words that mean nothing to Markdown where they stand.
func isCalm(grown string) bool {
	return !strings.ContainsAny(grown, "\n*_`[]()<>&\\~|#:/@")
}

// fenceRows are the rows of an open fence, line by line: what a line says
// about those before it is left until the fence is closed.
type fenceRows struct {
	id    int
	taken int // bytes of the open block that are in rows
	rows  []string
}

func (f *fenceRows) draw(r *Renderer, id int, s *splitter) []string {
	r.prepare()
	if f.id != id || f.taken == 0 {
		*f = fenceRows{id: id, taken: min(len(s.opener), len(s.open))}
	}
	language, indent := s.fenced()
	rest := string(s.open[f.taken:])
	for line := range strings.Lines(rest) {
		text, ended := strings.CutSuffix(line, "\n")
		n := len(text) - len(strings.TrimLeft(text, " "))
		rows := codeRows(r.code.paint(language, text[min(n, indent):]), r.width)
		if !ended {
			return append(f.rows[:len(f.rows):len(f.rows)], rows...)
		}
		f.rows = append(f.rows, rows...)
		f.taken += len(line)
	}
	return f.rows
}
