package proc

import (
	"bytes"
	"time"
)

// live hands a command's output on while it runs: text to append to what was
// handed on before. At most liveText bytes a tick; what does not fit is
// counted, as in the result. A line that is redrawn is shown anew, on a line
// of its own, at most once a second.
type live struct {
	send    func(string) // nil: nobody watches
	pending keeper
	shown   []byte    // of the open line: what was handed on
	redrawn time.Time // when that was last said anew
}

const (
	liveTick   = 50 * time.Millisecond
	liveText   = 2 << 10 // bytes
	liveRedraw = time.Second
)

// newLive sends at most room bytes a tick; 0 is liveText.
func newLive(send func(string), room int) *live {
	if room <= 0 {
		room = liveText
	}
	return &live{send: send, pending: keeper{max: room / 2}}
}

// add takes finished text: the end of the open line and what follows it.
func (l *live) add(text []byte) {
	if l.send == nil {
		return
	}
	l.rest(text)
	l.shown = l.shown[:0]
}

// tick sends what has come since the last one; open is the open line so far.
func (l *live) tick(open []byte, now time.Time) {
	if l.send == nil {
		return
	}
	if !bytes.Equal(open, l.shown) && len(open) > 0 {
		anew := !bytes.HasPrefix(open, l.shown)
		if !anew || now.Sub(l.redrawn) >= liveRedraw {
			l.rest(open)
			l.shown = append(l.shown[:0], open...)
		}
		if anew && now.Sub(l.redrawn) >= liveRedraw {
			l.redrawn = now
		}
	}
	if l.pending.bytes > 0 {
		l.send(l.pending.text())
		l.pending = keeper{max: l.pending.max, head: l.pending.head[:0], tail: l.pending.tail[:0]}
	}
}

// rest adds text without what was shown of it.
func (l *live) rest(text []byte) {
	if bytes.HasPrefix(text, l.shown) {
		text = text[len(l.shown):]
	} else {
		l.pending.keep([]byte{'\n'})
	}
	l.pending.keep(text)
}
