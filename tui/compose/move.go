package compose

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// move puts the caret at p and forgets the column it wanted.
func (m *Model) move(p pos) {
	m.at = p
	m.column = -1
	m.typing = false
	m.view = nil
}

func (m *Model) left(p pos) pos {
	if p.off > 0 {
		p.off -= back(m.lines[p.line].text[:p.off])
	} else if p.line > 0 {
		p.line--
		p.off = len(m.lines[p.line].text)
	}
	return p
}

func (m *Model) right(p pos) pos {
	if text := m.lines[p.line].text; p.off < len(text) {
		c, _ := cluster(text[p.off:])
		p.off += len(c)
	} else if p.line < len(m.lines)-1 {
		p = pos{p.line + 1, 0}
	}
	return p
}

// class sorts characters for moving by words.
type class int

const (
	blankClass class = iota // also the end of a line
	signClass
	wordClass
	chipClass
)

func (m *Model) classAt(p pos) class {
	text := m.lines[p.line].text[p.off:]
	if text == "" {
		return blankClass
	}
	if text[0] == chipMark {
		return chipClass
	}
	switch r, _ := utf8.DecodeRuneInString(text); {
	case unicode.IsSpace(r):
		return blankClass
	case unicode.IsLetter(r), unicode.IsDigit(r), r == '_':
		return wordClass
	}
	return signClass
}

// wordLeft is where the word before p begins. A chip is a word.
func (m *Model) wordLeft(p pos) pos {
	return m.runLeft(p, func(c class) bool { return c < wordClass }, func(c class) bool { return c == wordClass })
}

// fieldLeft is where the run of anything but blanks before p begins.
func (m *Model) fieldLeft(p pos) pos {
	return m.runLeft(p, func(c class) bool { return c == blankClass }, func(c class) bool { return c == signClass || c == wordClass })
}

func (m *Model) runLeft(p pos, skip, run func(class) bool) pos {
	q := m.left(p)
	for q != p && skip(m.classAt(q)) {
		p, q = q, m.left(q)
	}
	if q != p && m.classAt(q) == chipClass {
		return q
	}
	for q != p && run(m.classAt(q)) {
		p, q = q, m.left(q)
	}
	return p
}

// wordRight is where the word behind p ends.
func (m *Model) wordRight(p pos) pos {
	end := m.end()
	for p != end && m.classAt(p) < wordClass {
		p = m.right(p)
	}
	if p != end && m.classAt(p) == chipClass {
		return m.right(p)
	}
	for p != end && m.classAt(p) == wordClass {
		p = m.right(p)
	}
	return p
}

func (m *Model) lineStart() pos { return pos{m.at.line, 0} }
func (m *Model) lineEnd() pos   { return pos{m.at.line, len(m.lines[m.at.line].text)} }

// textWidth is the cells of a row that text may take: the prompt stands before
// it, and behind it is a cell for the caret.
func (m *Model) textWidth() int { return m.width - len(promptText) - 1 }

// A spot is a row on the way from the first line to the last.
type spot struct{ line, row int }

func (m *Model) rows(line int) []int { return m.lines[line].wrapped(m.textWidth()) }

func (m *Model) spotOf(p pos) spot {
	i, _ := slices.BinarySearch(m.rows(p.line), p.off+1)
	return spot{p.line, i - 1}
}

// step returns the row before (-1) or behind (+1) s; ok is false at the edge.
func (m *Model) step(s spot, by int) (next spot, ok bool) {
	switch {
	case by > 0 && s.row+1 < len(m.rows(s.line)):
		return spot{s.line, s.row + 1}, true
	case by > 0 && s.line+1 < len(m.lines):
		return spot{s.line + 1, 0}, true
	case by < 0 && s.row > 0:
		return spot{s.line, s.row - 1}, true
	case by < 0 && s.line > 0:
		return spot{s.line - 1, len(m.rows(s.line-1)) - 1}, true
	}
	return s, false
}

// rowText is the text of a row, and whether it is the last of its line.
func (m *Model) rowText(s spot) (text string, last bool) {
	rows, text := m.rows(s.line), m.lines[s.line].text
	if s.row+1 < len(rows) {
		return text[rows[s.row]:rows[s.row+1]], false
	}
	return text[rows[s.row]:], true
}

// moveRow moves the caret a row up or down; it reports false at the edge.
func (m *Model) moveRow(by int) bool {
	here := m.spotOf(m.at)
	next, ok := m.step(here, by)
	if !ok {
		return false
	}
	want := m.column
	if want < 0 {
		text, _ := m.rowText(here)
		want = m.cells(text[:m.at.off-m.rows(here.line)[here.row]])
	}
	text, last := m.rowText(next)
	off := 0
	for used := 0; off < len(text); {
		c, w := cluster(text[off:])
		if used += min(w, m.textWidth()); used > want || !last && off+len(c) == len(text) {
			break
		}
		off += len(c)
	}
	m.move(pos{next.line, m.rows(next.line)[next.row] + off})
	m.column = want
	return true
}

// cells is how many cells a piece of a row takes.
func (m *Model) cells(s string) (n int) {
	for s != "" {
		c, w := cluster(s)
		n += min(w, m.textWidth())
		s = s[len(c):]
	}
	return n
}
