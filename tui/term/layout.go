package term

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Width returns the number of cells s takes; s is one line and holds no
// control characters other than colour sequences.
func Width(s string) int {
	for i := range len(s) {
		if s[i] >= 0x7f || s[i] < 0x20 {
			return ansi.StringWidth(s)
		}
	}
	return len(s)
}

// Cut shortens s to at most w cells, ending in "…" where it had to.
func Cut(s string, w int) string {
	if w <= 0 {
		return ""
	}
	if Width(s) <= w {
		return s
	}
	return ansi.Truncate(s, w, "…")
}

// CutLeft shortens s to at most w cells, beginning with "…" where it had to:
// for paths, whose end says more.
func CutLeft(s string, w int) string {
	if w <= 0 {
		return ""
	}
	over := Width(s) - w
	switch {
	case over <= 0:
		return s
	case w == 1:
		return "…"
	}
	cut := ansi.TruncateLeft(s, over+1, "…")
	if Width(cut) > w { // the cut fell into a wide character
		cut = ansi.TruncateLeft(s, over+2, "…")
	}
	return cut
}

// Pad fills s with blanks up to w cells; a wider s stays as it is.
func Pad(s string, w int) string {
	if n := w - Width(s); n > 0 {
		return s + strings.Repeat(" ", n)
	}
	return s
}

// Indent puts n blanks before each of rows, in a new slice.
func Indent(rows []string, n int) []string {
	pad := strings.Repeat(" ", n)
	indented := make([]string, len(rows))
	for i, row := range rows {
		indented[i] = pad + row
	}
	return indented
}

// Wrap breaks s into lines of at most w cells (at least 1): at its LFs, then
// at blanks and between CJK characters, and anywhere where it must. The
// blanks at a break are dropped. Colour sequences survive and each line
// closes its own. There is always at least one line.
func Wrap(s string, w int) []string { return breakLines(s, w, true) }

// Fold is Wrap for text in which every blank counts, as code: it breaks only
// at the edge and drops nothing.
func Fold(s string, w int) []string { return breakLines(s, w, false) }

func breakLines(s string, w int, words bool) []string {
	w = max(w, 1)
	if len(s) <= w && isPlain(s) && strings.IndexByte(s, '\n') < 0 {
		return []string{s}
	}
	b := breaker{width: w, words: words}
	b.all(s)
	return b.lines
}

// A breaker fills lines greedily. Colour is what is switched on where the
// current line ends so far.
type breaker struct {
	width int
	words bool
	lines []string

	line   strings.Builder // the open line
	cells  int             // its width
	colour string          // colour sequences in force

	// The last place in line where it may be broken: kept is what stays, next
	// is what moves to the next line.
	kept, next int
	nextCells  int
	nextColour string
	canBreak   bool
	blank      bool // the last cluster was a blank
	last       rune // the last rune of the last cluster
	ink        bool // something but blanks is on the line
	blanksFrom int  // where the run of blanks at the end begins
}

func (b *breaker) all(s string) {
	for i := 0; i < len(s); {
		switch {
		case s[i] == '\n':
			b.breakHere()
			i++
		case s[i] == 0x1b:
			n := sequenceLen(s[i:])
			b.sequence(s[i : i+n])
			i += n
		case s[i] < 0x80 && (i+1 == len(s) || s[i+1] < 0x80):
			b.cluster(s[i:i+1], 1)
			i++
		default:
			c, n := ansi.FirstGraphemeCluster(s[i:], ansi.GraphemeWidth)
			b.cluster(c, n)
			i += len(c)
		}
	}
	b.breakHere()
}

// sequenceLen returns the length of the colour sequence s begins with; for
// anything else that begins with ESC, 1.
func sequenceLen(s string) int {
	if len(s) < 2 || s[1] != '[' {
		return 1
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 0x40 && c <= 0x7e:
			return i + 1
		case c < 0x20 || c > 0x7e:
			return 1
		}
	}
	return 1
}

func (b *breaker) sequence(seq string) {
	if len(seq) < 3 || seq[len(seq)-1] != 'm' {
		return // not a colour: it has no business here
	}
	b.line.WriteString(seq)
	if seq == "\x1b[m" || seq == "\x1b[0m" {
		b.colour = ""
		return
	}
	if strings.HasPrefix(seq, "\x1b[0;") {
		b.colour = ""
	}
	b.colour += seq
}

// cluster puts one grapheme cluster of n cells on the line.
func (b *breaker) cluster(c string, n int) {
	if n > b.width { // two cells cannot be shown in one
		c, n = "…", 1
	}
	if b.words {
		b.word(c, n)
		return
	}
	if b.cells+n > b.width {
		b.breakHere()
	}
	b.line.WriteString(c)
	b.cells += n
}

// word is cluster for [Wrap].
func (b *breaker) word(c string, n int) {
	first, _ := utf8.DecodeRuneInString(c)
	if c == " " {
		b.space()
		return
	}
	if !b.blank && b.ink && breaksBetween(b.last, first) {
		b.mark(b.line.Len(), b.line.Len())
	}
	for b.cells+n > b.width {
		if b.canBreak {
			b.breakAt(b.kept, b.next, b.nextCells, b.nextColour)
		} else {
			b.breakHere()
		}
	}
	b.line.WriteString(c)
	b.cells += n
	b.blank, b.ink = false, true
	b.last, _ = utf8.DecodeLastRuneInString(c)
	if n == 2 && b.last == 0xfe0f {
		b.last = first
	}
}

// space puts a blank on the line, or lets it fall off the end of a full one.
func (b *breaker) space() {
	if !b.blank {
		b.blanksFrom = b.line.Len()
	}
	fits := b.cells < b.width
	if !fits && !b.ink {
		b.breakHere()
		fits = true
	}
	if fits {
		b.line.WriteByte(' ')
		b.cells++
	}
	b.blank, b.last = true, ' '
	if b.ink {
		b.mark(b.blanksFrom, b.line.Len())
	}
}

// mark remembers that the line may be broken here.
func (b *breaker) mark(kept, next int) {
	b.kept, b.next, b.nextCells, b.nextColour, b.canBreak = kept, next, b.cells, b.colour, true
}

// breakAt ends the line at kept and begins the next one with what stands from
// next on, where the line was nextCells wide and colour was on.
func (b *breaker) breakAt(kept, next, nextCells int, colour string) {
	text, cells := b.line.String(), b.cells-nextCells
	b.flush(text[:kept], colour)
	b.reopen(text[next:], colour)
	b.cells = cells
}

func (b *breaker) breakHere() {
	b.flush(b.line.String(), b.colour)
	b.reopen("", b.colour)
}

func (b *breaker) flush(text, colour string) {
	if colour != "" || openColour(text) {
		text += "\x1b[0m"
	}
	b.lines = append(b.lines, text)
}

// openColour reports whether the text leaves a colour on.
func openColour(text string) bool {
	i := strings.LastIndexByte(text, 0x1b)
	if i < 0 {
		return false
	}
	seq := text[i:]
	return !strings.HasPrefix(seq, "\x1b[0m") && !strings.HasPrefix(seq, "\x1b[m")
}

// reopen starts a line with rest, which began under colour.
func (b *breaker) reopen(rest, colour string) {
	b.line.Reset()
	b.line.WriteString(colour)
	b.line.WriteString(rest)
	b.cells = 0
	b.canBreak, b.blank = false, false
	b.ink = rest != ""
}

// breaksBetween reports whether a line may be broken between two characters
// without a blank: at CJK text, but never before closing or after opening
// punctuation.
func breaksBetween(a, b rune) bool {
	if !isCJK(a) && !isCJK(b) && !isPictograph(a) && !isPictograph(b) {
		return false
	}
	return !strings.ContainsRune("（〔［｛〈《「『【〖〘“‘([{<", a) && !strings.ContainsRune("）〕］｝〉》」』】〗〙”’、。，．・：；？！…—～ー々)]}>.,;:!?", b)
}

func isPictograph(r rune) bool { return r >= 0x1f300 && r <= 0x1faff }
