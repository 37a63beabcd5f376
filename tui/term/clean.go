package term

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

const (
	tabStop  = 4
	maxMarks = 6 // combining marks one character may carry; real scripts need four
)

// Clean makes foreign text safe to show in the conversation: no control
// sequence of it reaches the terminal, tabs are blanks up to the next column
// that is a multiple of 4, lines end in LF. What would reorder the text or
// hide in it as tags is shown as its code point; other characters without ink
// are dropped.
func Clean(s string) string {
	if isPlain(s) {
		return s
	}
	var c Cleaner
	return c.Clean(s) + c.Flush()
}

// isPlain reports printable ASCII and LF.
func isPlain(s string) bool {
	for i := range len(s) {
		if b := s[i]; b >= 0x7f || b < 0x20 && b != '\n' {
			return false
		}
	}
	return true
}

// A Cleaner is [Clean] for text that comes in pieces, cut anywhere: the
// pieces' results joined are the result for the whole. The zero Cleaner is
// ready.
type Cleaner struct {
	state   state
	held    [utf8.UTFMax]byte // the bytes of a character that is not complete yet
	heldLen int
	cr      bool // a CR came last: is it half of a line end?
	column  int  // cells since the last LF
	marks   int  // combining marks on the last character
	last    rune // what was written last
	joiner  bool // a joiner is due before the next rune, if that is emoji
	out     strings.Builder
}

// state is where in a control sequence the text is.
type state uint8

const (
	ground  state = iota
	escape        // ESC
	params        // CSI, up to its final byte
	command       // OSC, up to BEL or ST
	payload       // DCS, APC, PM, SOS, up to ST
)

// Clean returns what can be shown after delta has come.
func (c *Cleaner) Clean(delta string) string {
	c.out.Reset()
	c.out.Grow(len(delta) + len(delta)/16)
	i := 0
	for c.heldLen > 0 && i < len(delta) { // finish the held character first
		c.held[c.heldLen] = delta[i]
		c.heldLen++
		i++
		c.takeHeld()
	}
	for i < len(delta) {
		if n := c.run(delta[i:]); n > 0 {
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(delta[i:])
		if r == utf8.RuneError && n == 1 && !utf8.FullRuneInString(delta[i:]) {
			c.heldLen = copy(c.held[:], delta[i:])
			break
		}
		c.take(r)
		i += n
	}
	return c.out.String()
}

// Flush ends the stream: it returns what was held back and starts anew.
func (c *Cleaner) Flush() string {
	c.out.Reset()
	for range c.heldLen {
		c.take(utf8.RuneError)
	}
	if c.cr {
		c.newline()
	}
	s := c.out.String()
	*c = Cleaner{}
	return s
}

// takeHeld takes what is complete of the held bytes.
func (c *Cleaner) takeHeld() {
	for c.heldLen > 0 && utf8.FullRune(c.held[:c.heldLen]) {
		r, n := utf8.DecodeRune(c.held[:c.heldLen])
		c.take(r)
		c.heldLen = copy(c.held[:], c.held[n:c.heldLen])
	}
}

// run passes on the printable ASCII that s begins with, where no state stands
// in the way, and returns its length.
func (c *Cleaner) run(s string) int {
	if c.state != ground || c.cr {
		return 0
	}
	n := 0
	for n < len(s) && s[n] >= 0x20 && s[n] < 0x7f {
		n++
	}
	if n > 0 {
		c.out.WriteString(s[:n])
		c.column += n
		c.last, c.marks, c.joiner = rune(s[n-1]), 0, false
	}
	return n
}

// take is one step of the machine.
func (c *Cleaner) take(r rune) {
	switch c.state {
	case ground:
	case escape:
		if c.escape(r) {
			return
		}
	case params:
		switch {
		case r >= 0x20 && r <= 0x3f:
			return
		case r >= 0x40 && r <= 0x7e:
			c.state = ground
			return
		}
	case command, payload:
		// A line end closes the string too: an unclosed one costs its line,
		// not the rest of the text.
		if !isControl(r) || r == '\t' {
			return
		}
		ends := r == 0x9c || r == 0x18 || r == 0x1a || r == 0x07 && c.state == command
		if !ends && r != '\n' && r != '\r' && r != 0x1b {
			return
		}
		if c.state = ground; ends {
			return
		}
	}
	c.state = ground
	c.text(r)
}

// escape takes the rune after ESC; false: it does not belong to a sequence.
func (c *Cleaner) escape(r rune) bool {
	switch {
	case r == '[':
		c.state = params
	case r == ']':
		c.state = command
	case r == 'P', r == 'X', r == '^', r == '_':
		c.state = payload
	case r >= 0x20 && r <= 0x2f: // more to come
	case r >= 0x30 && r <= 0x7e:
		c.state = ground
	default:
		return false
	}
	return true
}

// text takes a rune outside of sequences.
func (c *Cleaner) text(r rune) {
	if c.cr {
		c.newline()
		if r == '\n' {
			return
		}
	}
	switch {
	case r == 0x1b:
		c.state = escape
	case r == '\r':
		c.cr = true
	case r == '\n', r == '\v', r == '\f', r == 0x85, r == 0x2028, r == 0x2029:
		c.newline()
	case r == '\t':
		n := tabStop - c.column%tabStop
		c.out.WriteString("    "[:n])
		c.column += n
		c.last, c.marks = ' ', 0
	case r == 0x9b:
		c.state = params
	case r == 0x9d:
		c.state = command
	case r == 0x90, r == 0x98, r == 0x9e, r == 0x9f:
		c.state = payload
	case isControl(r):
	case r < 0x7f:
		c.write(r, 1)
	default:
		c.wide(r)
	}
}

// wide takes a rune beyond ASCII that is no control.
func (c *Cleaner) wide(r rune) {
	if isPlainWide(r) {
		c.write(r, 2)
		return
	}
	joiner := c.joiner
	c.joiner = false
	switch {
	case isBidi(r), isTag(r):
		s := codePoint(r)
		c.out.WriteString(s)
		c.column += len(s)
		c.last, c.marks = '>', 0
	case r == 0x200d:
		c.joiner = isEmoji(c.last)
	case isSelector(r):
		if !isSelector(c.last) && c.last > ' ' {
			c.write(r, 0)
		}
	case r >= 0xfdd0 && r <= 0xfdef, r&0xfffe == 0xfffe:
		c.write(utf8.RuneError, 1)
	case isMark(r):
		if c.marks++; c.marks <= maxMarks {
			c.out.WriteRune(r)
		}
	case r == 0xa0, r == 0x3000, r >= 0x2000 && r <= 0x200a, r == 0x202f, r == 0x205f, r == 0x1680, r == 0x2800:
		c.write(r, ansi.StringWidth(string(r))) // blanks
	case unicode.Is(hiddenRunes, r), unicode.Is(unicode.Cf, r):
	default:
		if joiner && isEmoji(r) {
			c.out.WriteRune(0x200d)
		}
		c.write(r, cells(r))
	}
}

func (c *Cleaner) write(r rune, width int) {
	c.out.WriteRune(r)
	c.column += width
	c.last, c.marks, c.joiner = r, 0, false
}

func (c *Cleaner) newline() {
	c.out.WriteByte('\n')
	c.cr, c.column, c.last, c.marks, c.joiner = false, 0, 0, 0, false
}

// cells is the width of a rune on its own: good enough for tab stops.
func cells(r rune) int {
	if r < 0x300 {
		return 1
	}
	return ansi.StringWidth(string(r))
}

func codePoint(r rune) string { return fmt.Sprintf("<U+%04X>", r) }

// Collapse makes of program output what a terminal would have left standing:
// of a line that was overwritten after CR the last state, of a character
// struck over after BS the last one. Other control characters stay; [Clean]
// comes after it.
func Collapse(s string) string {
	if strings.IndexByte(s, '\r') < 0 && strings.IndexByte(s, '\b') < 0 {
		return s
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		line = strings.TrimRight(line, "\r")
		if j := strings.LastIndexByte(line, '\r'); j >= 0 {
			line = line[j+1:]
		}
		lines[i] = unstrike(line)
	}
	return strings.Join(lines, "\n")
}

// unstrike takes back the character before each BS.
func unstrike(line string) string {
	if strings.IndexByte(line, '\b') < 0 {
		return line
	}
	out := make([]byte, 0, len(line))
	for i := range len(line) {
		if line[i] != '\b' {
			out = append(out, line[i])
			continue
		}
		_, n := utf8.DecodeLastRune(out)
		out = out[:len(out)-n]
	}
	return string(out)
}
