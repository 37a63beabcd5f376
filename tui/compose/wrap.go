package compose

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// A line is a line of text and where its rows begin at some width. Lines are
// not changed: spliced makes another.
type line struct {
	text  string
	rows  []int // where each row begins; the first is 0
	width int   // the width rows are for, 0: none
	stale int   // rows from this one on are of the text before a change ...
	moved int   // ... and begin this much later now
	dirty int   // the end of what changed
}

// spliced is l with the bytes from off to end replaced by s. Rows before the
// change stay, those behind it are candidates.
func (l *line) spliced(off, end int, s string) *line {
	n := &line{text: l.text[:off] + s + l.text[end:]}
	if l.width == 0 || l.stale > 0 {
		return n
	}
	// A change can make a word fit into the row before, and join characters
	// there. The word may begin a row before its own: where it was broken.
	row, _ := slices.BinarySearch(l.rows, off+1)
	n.rows, n.width = slices.Clone(l.rows), l.width
	n.stale, n.moved, n.dirty = max(1, row-2), len(s)-(end-off), off+len(s)
	return n
}

// wrapped returns where the rows of l begin at width cells.
func (l *line) wrapped(width int) []int {
	if l.width == width && l.stale == 0 {
		return l.rows
	}
	var old []int
	if l.width == width {
		old = l.rows[l.stale:]
		l.rows = l.rows[:l.stale:l.stale]
	} else {
		l.rows = []int{0}
	}
	for {
		next := breakRow(l.text, l.rows[len(l.rows)-1], width)
		if next == len(l.text) {
			break
		}
		if next > l.dirty {
			for len(old) > 0 && old[0]+l.moved < next {
				old = old[1:]
			}
			if len(old) > 0 && old[0]+l.moved == next {
				for _, o := range old {
					l.rows = append(l.rows, o+l.moved)
				}
				break
			}
		}
		l.rows = append(l.rows, next)
	}
	l.width, l.stale, l.moved, l.dirty = width, 0, 0, 0
	return l.rows
}

// breakRow returns where the row of text that begins at from ends: behind the
// last blank or beside the last wide character that fits, else where it must.
// One blank may stand in the cell that is kept for the caret. The end of text
// is a row's end only when everything fits.
func breakRow(text string, from, width int) int {
	used, fits := 0, from // fits: the last place where a break looks right
	for i := from; i < len(text); {
		c, w := cluster(text[i:])
		w = min(w, width)
		blank, last := c == " ", i+len(c) == len(text)
		if used+w > width && !(blank && !last && used+w == width+1) {
			if fits > from {
				return fits
			}
			return i // behind from: one character is never too wide for a row
		}
		if w == 2 && i > from {
			fits = i
		}
		used += w
		i += len(c)
		if blank || c == "\t" || w == 2 {
			fits = i
		}
		if used > width {
			return i
		}
	}
	return len(text)
}

// tabCells is how wide a tab is drawn.
const tabCells = 4

// cluster returns the first character of s as people count them, a chip being
// one, and its width in cells as drawn. s is not empty.
func cluster(s string) (c string, width int) {
	b := s[0]
	if b >= ' ' && b < 0x7f && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return s[:1], 1
	}
	switch {
	case b == chipMark:
		_, width, size := chip(s)
		return s[:size], width
	case b == '\t':
		return s[:1], tabCells
	case b < ' ' || b == 0x7f:
		return s[:1], 1
	}
	c, width = ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	if i := strings.IndexByte(c, chipMark); i > 0 {
		c = c[:i]
	}
	if shown := sign(c); shown != "" {
		return c, ansi.StringWidth(shown)
	}
	return c, width
}

// sign is how a character is drawn that would not be seen, or would change what
// stands beside it; "" for one that is drawn as it is.
func sign(c string) string {
	r, n := utf8.DecodeRuneInString(c)
	switch {
	case r == '\t':
		return strings.Repeat(" ", tabCells)
	case r < ' ':
		return string(rune(0x2400 + r)) // the pictures of control characters
	case r == 0x7f:
		return "\u2421"
	case r < utf8.RuneSelf && n == len(c):
		return ""
	}
	hidden, width := false, ansi.StringWidth(c)
	for i, r := range c {
		joiner := r == '\u200d' && i > 0
		hidden = hidden || !joiner && !unicode.IsPrint(r) || blank[r]
	}
	switch {
	case hidden:
		var b strings.Builder
		for _, r := range c {
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
		return b.String()
	case width <= 0:
		return "\u25cc" + c // a mark without its letter
	}
	return ""
}

// blank are characters that count as printable and are not seen.
var blank = map[rune]bool{'\u115f': true, '\u1160': true, '\u2800': true, '\u3164': true, '\uffa0': true, '\u034f': true}

// hang is where the characters that may hang together with what is before off
// begin, at the earliest: behind an ASCII character, or far enough back.
func hang(s string, off int) int {
	start := off
	for n := 0; start > 0 && n < 64; n++ {
		_, size := utf8.DecodeLastRuneInString(s[:start])
		start -= size
		if s[start] < utf8.RuneSelf && n > 0 {
			break
		}
	}
	return start
}

// snap is the first place between two characters at or behind off.
func snap(s string, off int) int {
	at := hang(s, off)
	for at < off {
		c, _ := cluster(s[at:])
		at += len(c)
	}
	return at
}

// back returns the length of the last character of s, which is not empty.
func back(s string) int {
	last := ""
	for rest := s[hang(s, len(s)):]; rest != ""; rest = rest[len(last):] {
		last, _ = cluster(rest)
	}
	return len(last)
}
