package compose

import (
	"slices"
	"strings"
)

// A pos is a place between two characters: a line, and bytes into it.
type pos struct{ line, off int }

func (p pos) before(q pos) bool { return p.line < q.line || p.line == q.line && p.off < q.off }

// An edit is one change: at from, old was replaced by new. With at, where the
// caret was before, that is enough to take it back.
type edit struct {
	from, at pos
	old, new string
}

const maxUndo = 1000

// replace puts s in the place of what is between from and to, and the caret
// behind it. It is the only way text changes.
func (m *Model) replace(from, to pos, s string) {
	if from == to && s == "" {
		return
	}
	e := edit{from: from, at: m.at, old: m.between(from, to), new: s}
	m.redo = nil
	if n := len(m.undo); n > 0 && m.typing && e.joins(m.undo[n-1]) {
		m.undo[n-1].new += s
	} else {
		m.undo = append(m.undo, e)
	}
	if len(m.undo) > maxUndo {
		m.undo = slices.Delete(m.undo, 0, len(m.undo)-maxUndo)
	}
	m.splice(from, to, s)
}

// joins reports whether e goes on typing where last stopped, within a word.
func (e edit) joins(last edit) bool {
	return e.old == "" && last.old == "" && after(last.from, last.new) == e.from &&
		!strings.ContainsAny(e.new, "\n") && !(e.new == " " && !strings.HasSuffix(last.new, " "))
}

// splice is replace without a memory.
func (m *Model) splice(from, to pos, s string) {
	first, last := m.lines[from.line], m.lines[to.line]
	rest := last.text[to.off:]
	parts := strings.Split(s, "\n")
	if len(parts) == 1 && from.line == to.line {
		m.lines[from.line] = first.spliced(from.off, to.off, s)
	} else {
		fresh := make([]*line, len(parts))
		for i, p := range parts {
			fresh[i] = &line{text: p}
		}
		fresh[0].text = first.text[:from.off] + fresh[0].text
		fresh[len(fresh)-1].text += rest
		m.lines = slices.Replace(m.lines, from.line, to.line+1, fresh...)
	}
	m.at = after(from, s)
	m.at.off = snap(m.lines[m.at.line].text, m.at.off) // what was apart may be one character now
	m.column = -1
	m.version++
	m.view = nil
}

// after is the place behind s when s begins at from.
func after(from pos, s string) pos {
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		return pos{from.line + strings.Count(s, "\n"), len(s) - i - 1}
	}
	return pos{from.line, from.off + len(s)}
}

func (m *Model) between(from, to pos) string {
	if from.line == to.line {
		return m.lines[from.line].text[from.off:to.off]
	}
	var b strings.Builder
	b.WriteString(m.lines[from.line].text[from.off:])
	for _, l := range m.lines[from.line+1 : to.line] {
		b.WriteByte('\n')
		b.WriteString(l.text)
	}
	b.WriteByte('\n')
	b.WriteString(m.lines[to.line].text[:to.off])
	return b.String()
}

func (m *Model) undoEdit() {
	n := len(m.undo)
	if n == 0 {
		return
	}
	e := m.undo[n-1]
	m.undo = m.undo[:n-1]
	m.redo = append(m.redo, e)
	m.splice(e.from, after(e.from, e.new), e.old)
	m.move(e.at)
}

func (m *Model) redoEdit() {
	n := len(m.redo)
	if n == 0 {
		return
	}
	e := m.redo[n-1]
	m.redo = m.redo[:n-1]
	m.undo = append(m.undo, e)
	m.splice(e.from, after(e.from, e.old), e.new)
}

// kill removes what is between from and to and keeps it for Ctrl+Y, together
// with what was killed just before.
func (m *Model) kill(from, to pos) {
	if from == to {
		return
	}
	cut := m.encode(m.between(from, to))
	switch {
	case !m.killing:
		m.killed = cut
	case to == m.at:
		m.killed = cut + m.killed
	default:
		m.killed += cut
	}
	m.replace(from, to, "")
	m.killing = true
}

// end is the place behind the last character.
func (m *Model) end() pos {
	last := len(m.lines) - 1
	return pos{last, len(m.lines[last].text)}
}
