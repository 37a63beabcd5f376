package proc

import "unicode/utf8"

// A cleaner reads a command's output as a terminal would show it and gives
// the text that would remain: a line that is redrawn (\r, erase, backspace)
// comes out once, as it was last; control sequences are gone; what is no
// UTF-8 is U+FFFD, a byte each. How the output was split makes no difference.
//
// It writes one line at a time: a cursor moved up redraws nothing.
type cleaner struct {
	out func(text []byte) // takes whole lines, and pieces of very long ones

	line  []byte // the open line as it stands
	start bool   // the cursor is at its start: what is printed next replaces it
	part  []byte // of a rune that has not come whole
	state state
	param int // of the control sequence: its first number
	more  bool
}

type state int

const (
	ground  state = iota
	escape        // after ESC
	charset       // ESC and intermediates: one more byte
	control       // CSI: until a final byte
	str           // OSC, DCS and their like: until BEL, ST or, for safety, the line's end
)

// maxLine bounds the open line; a longer one is handed on in pieces, and only
// its last piece can still be redrawn.
const maxLine = 16 << 10

const replacement = "\uFFFD"

func (c *cleaner) write(p []byte) {
	for len(p) > 0 {
		if c.state == ground && len(c.part) == 0 {
			if n := plain(p); n > 0 {
				c.print(p[:n])
				p = p[n:]
				continue
			}
		}
		c.step(p[0])
		p = p[1:]
	}
}

// finish hands on what is still open.
func (c *cleaner) finish() {
	c.dropPart()
	if len(c.line) > 0 {
		c.out(c.line)
		c.line = c.line[:0]
	}
}

// plain counts the bytes at the start of p that are printed as they are.
func plain(p []byte) int {
	for i, b := range p {
		if (b < ' ' && b != '\t') || b >= 0x7f {
			return i
		}
	}
	return len(p)
}

func (c *cleaner) step(b byte) {
	if b < utf8.RuneSelf {
		c.dropPart()
	}
	switch c.state {
	case ground:
		c.ground(b)
	case escape:
		c.escape(b)
	case charset:
		if b < ' ' || b > '/' { // not another intermediate
			c.state = ground
		}
		if b < ' ' || b >= 0x7f {
			c.ground(b)
		}
	case control:
		c.control(b)
	case str:
		c.str(b)
	}
}

func (c *cleaner) ground(b byte) {
	switch {
	case b == 0x1b:
		c.state = escape
	case b == '\n':
		c.line = append(c.line, '\n')
		c.out(c.line)
		c.line, c.start = c.line[:0], false
	case b == '\r':
		c.start = true
	case b == '\b':
		if _, n := utf8.DecodeLastRune(c.line); !c.start {
			c.line = c.line[:len(c.line)-n]
		}
	case b == 0: // separates names: find -print0
		c.print([]byte("␀"))
	case b >= utf8.RuneSelf:
		c.high(b)
	case b >= ' ' && b != 0x7f, b == '\t':
		c.print([]byte{b})
	}
}

func (c *cleaner) escape(b byte) {
	switch {
	case b == '[':
		c.state, c.param, c.more = control, 0, false
	case b == ']' || b == 'P' || b == 'X' || b == '^' || b == '_':
		c.state = str
	case b >= ' ' && b <= '/':
		c.state = charset
	case b == 0x1b:
	case b > '/' && b < 0x7f:
		c.state = ground
	default:
		c.state = ground
		c.ground(b)
	}
}

func (c *cleaner) control(b byte) {
	switch {
	case b >= '0' && b <= '9':
		if !c.more {
			c.param = min(c.param*10+int(b-'0'), 1<<20)
		}
	case b >= ' ' && b <= '?':
		c.more = true
	case b >= '@' && b < 0x7f:
		c.state = ground
		c.move(b)
	default: // broken off
		c.state = ground
		c.ground(b)
	}
}

// move follows the control sequences with which programs redraw a line.
func (c *cleaner) move(final byte) {
	switch {
	case final == 'K' && c.param == 2, final == 'K' && c.param == 0 && c.start:
		c.line = c.line[:0]
	case final == 'G' && c.param <= 1, final == 'D' && c.param >= max(len(c.line), 1):
		c.start = true
	}
}

func (c *cleaner) str(b byte) {
	switch b {
	case 0x07, 0x18, 0x1a:
		c.state = ground
	case 0x1b: // of ST, ESC \
		c.state = escape
	case '\n':
		c.state = ground
		c.ground(b)
	}
}

// high takes a byte of a rune that is not ASCII.
func (c *cleaner) high(b byte) {
	c.part = append(c.part, b)
	for len(c.part) > 0 && utf8.FullRune(c.part) {
		r, n := utf8.DecodeRune(c.part)
		switch {
		case r == utf8.RuneError && n == 1:
			c.print([]byte(replacement))
		case r > 0x9f: // below: the controls of the upper half
			c.print(c.part[:n])
		}
		c.part = append(c.part[:0], c.part[n:]...)
	}
}

// dropPart gives up on a rune that was broken off.
func (c *cleaner) dropPart() {
	for range c.part {
		c.print([]byte(replacement))
	}
	c.part = c.part[:0]
}

func (c *cleaner) print(text []byte) {
	if c.start {
		c.line, c.start = c.line[:0], false
	}
	for len(c.line)+len(text) > maxLine {
		n := maxLine - len(c.line)
		for n > 0 && n < len(text) && !utf8.RuneStart(text[n]) {
			n--
		}
		c.line = append(c.line, text[:n]...)
		c.out(c.line)
		c.line, text = c.line[:0], text[n:]
	}
	c.line = append(c.line, text...)
}
