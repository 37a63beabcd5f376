package tty

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Pastes come in two ways. A terminal that brackets them marks both ends. One
// that does not sends them like typed text, only faster: a read that holds a
// line break with text after it is a burst, and so is what follows it at once.

type pasteMode int

const (
	none pasteMode = iota
	bracketed
	overdue // bracketed, but silent for so long that the end may have been lost
	burst
)

type paste struct {
	mode    pasteMode
	text    []byte
	dropped int // bytes over maxPaste
}

var (
	pasteEnd     = []byte("\x1b[201~")
	plainNewline = strings.NewReplacer("\r\n", "\n", "\r", "\n")
)

func (p *paste) add(b []byte) {
	if over := len(p.text) + len(b) - maxPaste; over > 0 {
		over = min(over, len(b))
		p.dropped += over
		b = b[:len(b)-over]
	}
	p.text = append(p.text, b...)
}

// flushPaste sends what has been pasted so far.
func (d *decoder) flushPaste() {
	p := &d.paste
	if len(p.text) > 0 {
		d.emit(Paste(plainNewline.Replace(string(p.text))))
	}
	if p.dropped > 0 {
		d.emit(PasteCut{Kept: len(p.text), Dropped: p.dropped})
	}
	p.text, p.dropped = nil, 0
}

// pasted moves bytes from buf into a bracketed paste; it reports whether the
// paste is over.
func (d *decoder) pasted() bool {
	if i := bytes.Index(d.buf, pasteEnd); i >= 0 {
		d.paste.add(d.buf[:i])
		d.buf = d.buf[i+len(pasteEnd):]
		d.endPaste()
		d.rest = true
		return true
	}
	if d.paste.mode == overdue && d.typedAgain() {
		d.paste.mode = none
		return true
	}
	d.paste.mode = bracketed
	keep := partialEnd(d.buf)
	d.paste.add(d.buf[:len(d.buf)-keep])
	d.buf = d.buf[len(d.buf)-keep:]
	return false
}

// typedAgain tells whether what came after a long silence is a key and not the
// rest of the paste: it is one item by itself.
func (d *decoder) typedAgain() bool {
	n := frame(d.buf)
	return n == len(d.buf) || len(d.buf) == 1
}

// partialEnd is how many bytes at the end of b may be the start of pasteEnd.
func partialEnd(b []byte) int {
	for n := min(len(pasteEnd)-1, len(b)); n > 0; n-- {
		if bytes.HasSuffix(b, pasteEnd[:n]) {
			return n
		}
	}
	return 0
}

func (d *decoder) endPaste() {
	d.flushPaste()
	d.paste.mode = none
}

// expirePaste gives out what came. The rest of a bracketed paste may still come.
func (d *decoder) expirePaste() {
	late := d.paste.mode == bracketed
	d.endPaste()
	if late {
		d.paste.mode = overdue
	}
}

// text takes the run of text at the start of buf, as keys or as a paste, and
// returns its length; held means that it has to wait for what follows. A run is
// judged as a whole: too long, or a line break in the middle, and no hands
// typed it.
func (d *decoder) text() (n int, held bool) {
	n, runes, broken := textRun(d.buf)
	if n == 0 {
		return 0, false
	}
	b := d.buf[:n]
	if d.holds(b, broken) {
		return 0, true
	}
	if d.paste.mode == burst && string(b) != "\r" || broken && (!d.brackets || d.rest) {
		d.burst(b)
		return n, false
	}
	if runes > maxTyped {
		line := bytes.TrimRight(b, "\r\n")
		d.burst(line)
		b = b[len(line):]
	}
	for len(b) > 0 {
		_, size := utf8.DecodeRune(b)
		d.decode(b[:size])
		b = b[size:]
	}
	return n, false
}

// holds tells whether the text b, which is all that came, has to wait for what
// follows: its last line break may stand in the middle of a paste, and must not
// send the half. A person's Enter comes alone, and not within a burst.
func (d *decoder) holds(b []byte, broken bool) bool {
	if d.brackets || d.late || broken || len(b) < len(d.buf) || b[len(b)-1] != '\r' {
		return false
	}
	return len(b) > 1 || d.paste.mode == burst
}

// burst takes text that was not typed. Where the terminal brackets its pastes
// that is all of it; elsewhere more may follow at once.
func (d *decoder) burst(b []byte) {
	d.paste.add(b)
	if d.brackets {
		d.flushPaste()
		return
	}
	d.paste.mode = burst
}

// textRun measures the text at the start of b: bytes, runes, and whether a line
// break has text after it. A rune that is not whole ends it.
func textRun(b []byte) (n, runes int, broken bool) {
	ended := false
	for n < len(b) {
		r, size := utf8.DecodeRune(b[n:])
		switch {
		case r == '\r' || r == '\n':
			ended = true
		case r == utf8.RuneError && size == 1, r < ' ' && r != '\t', r >= codeBackspace && r < 0xa0:
			return n, runes, broken
		default:
			broken = broken || ended
		}
		n += size
		runes++
	}
	return n, runes, broken
}
