package sse

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// A Frame is one event: its name, empty for the usual "message", and its data
// lines joined by newlines.
type Frame struct {
	Event string
	Data  []byte // valid until the next frame
}

// MaxEvent is the number of bytes one event, and one line, may have.
const MaxEvent = 64 << 20

// ErrTooLong ends a stream in which an event is longer than [MaxEvent].
var ErrTooLong = fmt.Errorf("an event is longer than %d MB", MaxEvent>>20)

// Frames yields the events of r until r ends. An error of r, or ErrTooLong, is
// the last item; a clean end yields none.
func Frames(r io.Reader) iter.Seq2[Frame, error] { return frames(r, MaxEvent) }

func frames(r io.Reader, limit int) iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		in := &lines{r: r, limit: limit}
		var ev event
		for {
			line, err := in.next()
			if err != nil && !errors.Is(err, io.EOF) {
				yield(Frame{}, err)
				return
			}
			ended := err != nil // a line may still come with a clean end
			if len(line) > 0 {
				ev.take(line)
			}
			if len(ev.data) > limit {
				yield(Frame{}, ErrTooLong)
				return
			}
			if len(line) == 0 || ended {
				if ev.any && !yield(Frame{ev.name, ev.data}, nil) {
					return
				}
				ev.reset()
			}
			if ended {
				return
			}
		}
	}
}

// An event is a frame in the making. It goes out only if any data line came.
type event struct {
	name string
	data []byte
	any  bool
}

func (e *event) reset() { *e = event{data: e.data[:0]} }

// take adds one line that is not empty.
func (e *event) take(line []byte) {
	field, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(field) {
	case "data":
		if e.any {
			e.data = append(e.data, '\n')
		}
		e.data = append(e.data, value...)
		e.any = true
	case "event":
		e.name = string(value)
	}
}

// lines cuts a reader into lines, whichever of LF, CRLF and CR ends them.
type lines struct {
	r          io.Reader
	limit      int
	buf        []byte // [start:] is unread
	start      int
	seen       int // bytes after start known to hold no line end
	started    bool
	swallowLF  bool // the last line ended in CR: an LF right after it belongs to it
	emptyReads int
}

// next returns the next line without its end, valid until the next call. At
// the end of the stream it returns what is left together with io.EOF.
func (l *lines) next() ([]byte, error) {
	for {
		if l.swallowLF && l.start < len(l.buf) {
			if l.buf[l.start] == '\n' {
				l.start++
			}
			l.swallowLF = false
		}
		rest := l.buf[l.start:]
		if i := bytes.IndexAny(rest[l.seen:], "\r\n"); i >= 0 {
			end := l.seen + i
			if end > l.limit {
				return nil, ErrTooLong
			}
			l.swallowLF = rest[end] == '\r'
			l.start += end + 1
			l.seen = 0
			return l.unmarked(rest[:end]), nil
		}
		l.seen = len(rest)
		if l.seen > l.limit {
			return nil, ErrTooLong
		}
		if err := l.fill(); err != nil {
			return l.unmarked(l.buf[l.start:]), err
		}
	}
}

// unmarked removes a byte order mark from the first line of the stream.
func (l *lines) unmarked(line []byte) []byte {
	if !l.started {
		l.started = true
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	return line
}

const readSize = 32 << 10

// fill reads once, after making room: what is unread moves to the front, or
// into a buffer twice as large when it fills this one.
func (l *lines) fill() error {
	if l.start > 0 {
		l.buf = l.buf[:copy(l.buf, l.buf[l.start:])]
		l.start = 0
	}
	if len(l.buf) == cap(l.buf) {
		grown := make([]byte, len(l.buf), max(readSize, 2*cap(l.buf)))
		copy(grown, l.buf)
		l.buf = grown
	}
	n, err := l.r.Read(l.buf[len(l.buf):cap(l.buf)])
	l.buf = l.buf[:len(l.buf)+n]
	if n > 0 {
		l.emptyReads = 0
		return nil // an error that came along returns with the next read
	}
	if err == nil {
		if l.emptyReads++; l.emptyReads >= 100 {
			return io.ErrNoProgress
		}
	}
	return err
}
