package tty

import (
	"bytes"
	"strings"
	"time"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

// How long a decoder waits for the rest of something.
const (
	escWait    = 25 * time.Millisecond  // after ESC: is it the Escape key?
	seqWait    = 250 * time.Millisecond // in the middle of a sequence or a rune
	stringWait = time.Second            // in the middle of a control string
	burstWait  = 40 * time.Millisecond  // after text that came too fast to be typed
	pasteWait  = 2 * time.Second        // in a paste whose end has not come
)

const (
	maxPaste = 16 << 20
	maxItem  = 64 << 10 // of a control string; beyond it is thrown away as it comes
	maxTyped = 32       // runes in one read that hands may have typed
)

// answered is the terminal's answer to the last of our questions: it will not
// answer the earlier ones any more.
type answered struct{}

// A decoder makes messages of the bytes a terminal sends. It owns no clock: its
// caller reads wait after every call, and calls expire when so long nothing came.
type decoder struct {
	buf  []byte // the start of an item whose end has not come
	out  []tea.Msg
	skip bool // inside a control string that is too long to keep

	paste    paste
	brackets bool // the terminal is known to bracket its pastes
	rest     bool // a paste ended in this read: what follows it may belong to it
	late     bool // nothing follows what is held in buf
}

// feed takes what one read gave and returns what that completes.
func (d *decoder) feed(chunk []byte) []tea.Msg {
	d.buf = append(d.buf, chunk...)
	d.rest = false
	for len(d.buf) > 0 {
		if d.paste.mode == bracketed || d.paste.mode == overdue {
			if !d.pasted() {
				break
			}
			continue
		}
		n := d.next()
		if n == 0 {
			break
		}
		d.buf = d.buf[n:]
	}
	return d.take()
}

// next decodes the run of text or the item at the start of buf and returns its
// length, 0 while it is not whole.
func (d *decoder) next() int {
	if d.skip {
		return d.discard()
	}
	if n, held := d.text(); n > 0 || held {
		return n
	}
	n := frame(d.buf)
	if n > 0 {
		d.decode(d.buf[:n])
	} else if len(d.buf) > maxItem {
		d.skip = true
		return len("\x1b]")
	}
	return n
}

// discard drops bytes of a control string up to its end.
func (d *decoder) discard() int {
	i := bytes.IndexAny(d.buf, "\a\x18\x1a\x1b")
	if i < 0 {
		return len(d.buf)
	}
	d.skip = false
	if d.buf[i] != esc {
		return i + 1
	}
	if i+1 < len(d.buf) && d.buf[i+1] == '\\' {
		return i + 2
	}
	return i // an ESC at the very end begins an item, and ESC \ alone means nothing
}

// wait is how long silence may last before expire has to be called; 0 is for ever.
func (d *decoder) wait() time.Duration {
	switch {
	case d.paste.mode == burst, d.held():
		return burstWait
	case d.paste.mode == bracketed:
		return pasteWait
	case d.skip:
		return stringWait
	case len(d.buf) == 0:
		return 0
	case len(bytes.Trim(d.buf, "\x1b")) == 0:
		return escWait
	case d.buf[0] == esc && strings.IndexByte("]P_^X", d.buf[1]) >= 0 && len(d.buf) > 2:
		return stringWait
	}
	return seqWait
}

// held tells whether buf is text that waits for what follows; see holds.
func (d *decoder) held() bool {
	if d.skip || d.paste.mode == bracketed || d.paste.mode == overdue {
		return false
	}
	n, _, _ := textRun(d.buf)
	return n > 0 && n == len(d.buf)
}

// expire decides about what never became whole: an ESC was the Escape key, a
// paste is what came of it, a piece of a sequence is noise.
func (d *decoder) expire() []tea.Msg {
	if d.held() {
		d.late = true
		msgs := d.feed(nil)
		d.late = false
		return msgs
	}
	if d.paste.mode != none {
		d.expirePaste()
		return d.take()
	}
	b := d.buf
	d.buf, d.skip = nil, false
	switch {
	case len(b) == 0:
	case b[0] == esc && len(b) == 1:
		d.emit(tea.KeyMsg{Type: tea.KeyEscape})
	case b[0] == esc && b[1] == esc:
		d.emit(tea.KeyMsg{Type: tea.KeyEscape})
		if len(b) == 2 {
			d.emit(tea.KeyMsg{Type: tea.KeyEscape})
		}
	case b[0] == esc && len(b) == 2 && b[1] < utf8.RuneSelf:
		d.emit(runeKey(rune(b[1]), true))
	}
	return d.take()
}

// decode adds the message of one whole item, if it has one.
func (d *decoder) decode(b []byte) {
	if d.paste.mode == burst {
		d.endPaste()
	}
	withAlt := false
	if b[0] == esc && len(b) > 1 {
		switch b[1] {
		case '[':
			d.csi(b, 0)
			return
		case 'O':
			d.ss3(b, 0)
			return
		case ']':
			d.osc(b)
			return
		case 'P', '_', '^', 'X', '\\': // and the end of a string that was cut short
			return
		case esc:
			d.altKey(b[1:])
			return
		}
		withAlt = true
		b = b[1:]
	}
	switch r, n := utf8.DecodeRune(b); {
	case r == esc:
		d.emit(tea.KeyMsg{Type: tea.KeyEscape})
	case r == utf8.RuneError && n == 1, r >= 0x80 && r < 0xa0:
	case r < ' ' || r == codeBackspace:
		d.emit(control(byte(r), withAlt))
	default:
		d.emit(runeKey(r, withAlt))
	}
}

// altKey decodes a CSI or SS3 that had an ESC before it.
func (d *decoder) altKey(b []byte) {
	if b[1] == '[' {
		d.csi(b, alt)
		return
	}
	d.ss3(b, alt)
}

func (d *decoder) emit(m tea.Msg) {
	if w, ok := m.(Wheel); ok && len(d.out) > 0 {
		if last, ok := d.out[len(d.out)-1].(Wheel); ok {
			w.Delta += last.Delta
			d.out[len(d.out)-1] = w
			return
		}
	}
	d.out = append(d.out, m)
}

func (d *decoder) take() []tea.Msg {
	out := d.out
	d.out = nil
	return out
}
