package chat

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"aye/tui/term"
)

// A pos is a row of the conversation: a row of an item.
type pos struct{ item, line int }

// An anchor is a pos that survives a change of the look. While the look stays,
// it is the row; across a change it is the text that the row begins with.
type anchor struct {
	pos
	gen    uint64
	pinned bool
	marks  int // printing characters of the item before the row, once pinned
}

// pin remembers the text at a, before the look changes. A pinned anchor stays
// with its text over any number of changes, until the reader moves.
func (m *Model) pin(a *anchor) {
	if a.pinned || a.item >= len(m.slots) {
		return
	}
	s := &m.slots[a.item]
	if s.gen != m.gen || a.gen != m.gen {
		return
	}
	a.pinned = true
	a.marks = -1 // above the first row
	for i, line := range s.lines {
		if s.gap+i >= a.line {
			break
		}
		a.marks = max(a.marks, 0) + marks(line)
	}
}

// resolve gives a its row under the present look.
func (m *Model) resolve(a *anchor) {
	if a.gen == m.gen {
		return
	}
	a.gen = m.gen
	if !a.pinned || a.item >= len(m.slots) {
		return
	}
	s := m.at(a.item)
	if a.marks < 0 {
		a.line = min(a.line, s.gap)
		return
	}
	before := 0
	for i, line := range s.lines {
		before += marks(line)
		if before > a.marks {
			a.line = s.gap + i
			return
		}
	}
	a.line = s.height()
}

// marks counts what wrapping does not change: the printing characters.
func marks(line string) int {
	n := 0
	for _, r := range ansi.Strip(line) {
		if !unicode.IsSpace(r) {
			n++
		}
	}
	return n
}

// at returns item i laid out for the present look; the item after the last is
// the queue.
func (m *Model) at(i int) *slot {
	s := &m.rest
	if i < len(m.slots) {
		s = &m.slots[i]
	}
	if s.gen == m.gen && !s.stale {
		return s
	}
	m.cached -= len(s.lines)
	s.lines = s.it.rows(&m.look)
	m.cached += len(s.lines)
	s.gen, s.stale = m.gen, false
	if i < len(m.slots) {
		m.tall.set(i, s.height())
	}
	return s
}

// end is the pos after the last row.
func (m *Model) end() pos {
	return pos{len(m.slots), m.at(len(m.slots)).height()}
}

// move returns the pos n rows after p, before it when n is negative; it stops
// at the ends. Only the items on the way are laid out.
func (m *Model) move(p pos, n int) pos {
	p.line += n
	for p.line < 0 {
		if p.item == 0 {
			return pos{}
		}
		p.item--
		p.line += m.at(p.item).height()
	}
	for {
		height := m.at(p.item).height()
		if p.item == len(m.slots) {
			p.line = min(p.line, height)
			return p
		}
		if p.line < height {
			return p
		}
		p.line -= height
		p.item++
	}
}

// rows returns how many rows show the conversation: while the reader is away
// from its end, the last one says what is below.
func (m *Model) rows() int {
	if m.following || m.h < 3 {
		return m.h
	}
	return m.h - 1
}

// first returns the first visible row. Where the rows after the reader's place
// do not fill the window, it begins earlier, and the place is kept.
func (m *Model) first() pos {
	if !m.following {
		m.resolve(&m.top)
		top := m.move(m.top.pos, 0)
		if m.move(top, m.rows()) != m.end() {
			return top
		}
	}
	return m.move(m.end(), -m.rows())
}

// Scroll moves the window n rows down, up when n is negative. At the end the
// view follows again.
func (m *Model) Scroll(n int) {
	if n == 0 || m.h == 0 {
		return
	}
	m.goTo(m.move(m.first(), n))
}

// Page scrolls n windows down, up when n is negative; two rows stay in sight.
func (m *Model) Page(n int) { m.Scroll(n * max(1, m.h-2)) }

// Home goes to the first row.
func (m *Model) Home() { m.goTo(pos{}) }

// End goes to the last row; the view follows from then on.
func (m *Model) End() {
	m.following = true
	m.version++
}

// Latest shows the last item from its beginning, where it does not fit below
// the rest.
func (m *Model) Latest() {
	n := len(m.slots)
	if n == 0 || m.h == 0 {
		return
	}
	m.goTo(pos{n - 1, m.at(n - 1).gap})
}

// goTo makes p the first row, or follows when the end is in sight then.
func (m *Model) goTo(p pos) {
	m.version++
	end := m.end()
	bottom := m.move(p, m.h)
	if bottom == end {
		m.following = true
		return
	}
	if m.following {
		m.following = false
		m.seen = anchor{pos: end, gen: m.gen}
		if n := len(m.slots); n > 0 { // the queue is not part of what was said
			m.seen.pos = pos{n - 1, m.at(n - 1).height()}
		}
	}
	m.top = anchor{pos: p, gen: m.gen}
}

// below returns how many rows are below the window. Of items never seen at
// this width the count is a guess.
func (m *Model) below() int {
	if m.following {
		return 0
	}
	return max(0, m.offset(m.end())-m.offset(m.move(m.first(), m.rows())))
}

// fresh returns how many rows came since the reader left the end.
func (m *Model) fresh() int {
	m.resolve(&m.seen)
	return max(0, m.offset(pos{len(m.slots), 0})-m.offset(m.seen.pos))
}

// offset returns how many rows are before p.
func (m *Model) offset(p pos) int { return m.tall.before(p.item) + p.line }

// View returns the window: exactly its rows, each at most as wide as it is.
func (m *Model) View() string {
	if m.drawn == m.version {
		return m.frame
	}
	m.measure()
	m.frame = m.draw()
	m.drawn = m.version
	m.forget()
	return m.frame
}

// measure lays out what changed out of sight, so that the rows below count.
func (m *Model) measure() {
	if !m.following {
		for _, i := range m.pending {
			m.at(i)
		}
	}
	m.pending = m.pending[:0]
}

func (m *Model) draw() string {
	if m.h == 0 {
		return ""
	}
	var b strings.Builder
	pad := strings.Repeat(" ", term.Margin(m.w))
	p := m.first()
	rows := m.rows()
	for row := range rows {
		if row > 0 {
			b.WriteByte('\n')
		}
		s := m.at(p.item)
		for p.line >= s.height() && p.item < len(m.slots) {
			p = pos{p.item + 1, 0}
			s = m.at(p.item)
		}
		if p.line >= s.height() {
			continue
		}
		if line := s.line(p.line); line != "" {
			if m.w < least {
				line = term.Cut(line, m.w)
			}
			b.WriteString(pad)
			b.WriteString(line)
		}
		p.line++
	}
	if rows < m.h {
		b.WriteByte('\n')
		b.WriteString(pad)
		b.WriteString(term.Cut(m.mark(), m.w-len(pad)))
	}
	return b.String()
}

// mark says what is below the window.
func (m *Model) mark() string {
	fresh, below := m.fresh(), m.below()
	switch {
	case below == 0:
		return ""
	case fresh > 0:
		return m.look.th.Accent.Render("↓ "+count(min(fresh, below), "new line")) + m.look.th.Dim.Render(" · end")
	}
	return m.look.th.Dim.Render("↓ " + count(below, "line") + " · end")
}

const maxCached = 50_000 // rows, before those out of sight are let go

// forget bounds what laid-out rows take: those far away are made again when
// the reader comes back to them.
func (m *Model) forget() {
	if m.cached <= maxCached {
		return
	}
	top := m.first()
	bottom := m.move(top, m.h)
	for i := range m.slots {
		if i < top.item || i > bottom.item {
			s := &m.slots[i]
			m.cached -= len(s.lines)
			s.lines, s.gen = nil, 0
		}
	}
}
