package md

import (
	"strings"

	"aye/tui/term"
)

// A Stream is one answer while it grows. It belongs to the goroutine of its
// Renderer.
type Stream struct {
	r       *Renderer
	clean   term.Cleaner
	split   splitter
	partial []byte // the line that is not complete
	refs    references

	blocks []rendered // those that are complete
	drawn  int        // of them, how many are in rows
	rows   []string   // what is shown: finished blocks, then the open one
	done   int        // how many rows are of finished blocks

	open open
	last settled
}

// rendered is a complete block and, once needed, its rows.
type rendered struct {
	block
	rows []string
	made bool
	at   int // where in Stream.rows it begins
}

// Stream begins an answer.
func (r *Renderer) Stream() *Stream { return &Stream{r: r} }

// Write takes what came. It never renders, and costs what delta is long.
func (s *Stream) Write(delta string) { s.take(s.clean.Clean(delta)) }

// take sorts clean text into lines and blocks.
func (s *Stream) take(text string) {
	for part := range strings.Lines(text) {
		s.partial = append(s.partial, part...)
		if part[len(part)-1] == '\n' || len(s.partial) > maxBlock {
			s.end(s.split.line(string(s.partial)))
			s.partial = s.partial[:0]
		}
	}
}

// end notes complete blocks.
func (s *Stream) end(blocks []block) {
	for _, b := range blocks {
		s.blocks = append(s.blocks, rendered{block: b})
		if added := s.refs.collect(s.r, b); len(added) > 0 {
			s.forget(added)
		}
	}
}

// forget drops the rows of blocks that new link definitions may change.
func (s *Stream) forget(added references) {
	s.open, s.last = open{}, settled{}
	for i := range s.blocks {
		b := &s.blocks[i]
		if !b.made || !added.in(b.block) {
			continue
		}
		b.made, b.rows = false, nil
		if i < s.drawn {
			s.drawn, s.done = i, b.at
		}
	}
}

// Lines returns what there is to show of the answer so far. The slice is
// valid until the next call to any method.
func (s *Stream) Lines() []string {
	s.finished()
	s.rows = s.rows[:s.done]
	tail := s.split // a copy: what would be if the line ended here
	id := len(s.blocks)
	for _, b := range tail.line(string(s.partial)) {
		s.put(b, s.settle(id, b))
		id++
	}
	if tail.kind != none {
		s.put(tail.current, s.open.draw(s.r, id, &tail, s.refs))
	}
	return s.rows
}

// Finish ends the answer and returns all its rows: those that [Renderer.Render]
// gives for the whole. They stay valid.
func (s *Stream) Finish() []string {
	s.take(s.clean.Flush())
	if len(s.partial) > 0 {
		s.end(s.split.line(string(s.partial)))
		s.partial = nil
	}
	if s.split.kind != none {
		s.end([]block{s.split.close()})
	}
	s.finished()
	s.rows = s.rows[:s.done]
	return s.rows
}

// finished renders the complete blocks that have not been.
func (s *Stream) finished() {
	s.rows = s.rows[:s.done]
	for ; s.drawn < len(s.blocks); s.drawn++ {
		b := &s.blocks[s.drawn]
		if !b.made {
			b.rows, b.made = s.settle(s.drawn, b.block), true
		}
		b.at = len(s.rows)
		s.put(b.block, b.rows)
	}
	s.done = len(s.rows)
}

// settled is the block that was complete last, if the line that was not had
// ended there.
type settled struct {
	id   int // how many blocks stand before it
	text string
	rows []string
}

// settle returns the rows of the complete block b with number id. What was
// shown of it while it was open is used if it was all.
func (s *Stream) settle(id int, b block) []string {
	text := strings.TrimRight(b.text, "\n")
	switch {
	case s.last.rows != nil && s.last.id == id && s.last.text == text:
	case s.open.id == id && s.open.text == text && s.open.parsed == len(text):
		s.last = settled{id: id, text: text, rows: s.open.base.rows}
	default:
		l := s.r.block(b, s.refs)
		s.last = settled{id: id, text: text, rows: l.rows}
	}
	return s.last.rows
}

// put shows the rows of a block under those before.
func (s *Stream) put(b block, rows []string) {
	if len(rows) > 0 && len(s.rows) > 0 && !b.joined {
		s.rows = append(s.rows, "")
	}
	s.rows = append(s.rows, rows...)
}
