//go:build !windows

package tty

import (
	"bytes"
	"context"
	"errors"
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/term"
	"github.com/muesli/cancelreader"
)

// An input reads the terminal. A reader goroutine takes bytes as soon as they
// are there, so that typing stays apart in time; a decoder goroutine makes
// messages of them and waits for the program to take each.
type input struct {
	file       *os.File
	found, raw *term.State

	silent, silence *os.File // Bubble Tea's input, where nothing ever comes, and its other end

	chunks  chan []byte
	posted  chan tea.Msg // messages that are not input
	reader  *reading     // nil while paused
	left    []byte       // read before a pause, not decoded yet
	gone    func()       // the terminal went away
	asked   time.Time
	replied chan struct{} // closed when the terminal has answered our questions
	decoded chan struct{} // closed when the decoder is over; nil before start
	end     context.CancelFunc
}

// reading is one life of the reader goroutine.
type reading struct {
	from cancelreader.CancelReader
	stop chan struct{}
	left chan []byte // at its end: what it could not hand on
}

func (in *input) open(file *os.File) (err error) {
	in.file = file
	if in.found, err = term.MakeRaw(file.Fd()); err != nil {
		return err
	}
	if in.raw, err = term.GetState(file.Fd()); err == nil {
		in.raw.Oflag = in.found.Oflag // a line feed stays a new line, whoever writes it
		err = term.SetState(file.Fd(), in.raw)
	}
	if err == nil {
		in.silent, in.silence, err = os.Pipe()
	}
	if err != nil {
		in.restore()
		return err
	}
	in.chunks = make(chan []byte, 256)
	in.posted = make(chan tea.Msg, 4)
	in.replied = make(chan struct{})
	return nil
}

func (in *input) forTea() tea.ProgramOption { return tea.WithInput(in.silent) }

// start begins to read. gone is called when the terminal gives no more.
func (in *input) start(ctx context.Context, send func(tea.Msg), gone func()) {
	ctx, in.end = context.WithCancel(ctx)
	in.gone, in.asked, in.decoded = gone, time.Now(), make(chan struct{})
	go in.decode(ctx, send)
	in.resume()
}

// post hands over a message that is not input; it never blocks.
func (in *input) post(m tea.Msg) {
	select {
	case in.posted <- m:
	default:
	}
}

// pause leaves the terminal's bytes to somebody else.
func (in *input) pause() {
	if in.reader == nil {
		return
	}
	close(in.reader.stop)
	in.reader.from.Cancel()
	in.left = <-in.reader.left
	_ = in.reader.from.Close()
	in.reader = nil
}

// resume goes back to single keys and reads on.
func (in *input) resume() {
	in.makeRaw()
	from, err := cancelreader.NewReader(in.file)
	if err != nil {
		in.gone()
		return
	}
	in.reader = &reading{from: from, stop: make(chan struct{}), left: make(chan []byte, 1)}
	go in.read(in.reader, in.left)
	in.left = nil
}

func (in *input) makeRaw() { _ = term.SetState(in.file.Fd(), in.raw) }

// restore is the terminal's line mode as it was found.
func (in *input) restore() { _ = term.SetState(in.file.Fd(), in.found) }

// close ends both goroutines. Answers that are still on their way are awaited
// for a moment: the shell would take them for typing.
func (in *input) close() {
	if in.decoded != nil {
		if time.Since(in.asked) < 2*time.Second && in.reader != nil {
			select {
			case <-in.replied:
			case <-time.After(100 * time.Millisecond):
			}
		}
		in.pause()
		in.end()
		<-in.decoded
	}
	_ = in.silent.Close()
	_ = in.silence.Close()
}

func (in *input) read(r *reading, left []byte) {
	buf := make([]byte, 64<<10)
	for {
		if left == nil {
			n, err := r.from.Read(buf)
			if err != nil {
				r.left <- nil
				if !errors.Is(err, cancelreader.ErrCanceled) {
					in.gone()
				}
				return
			}
			left = bytes.Clone(buf[:n])
		}
		select {
		case in.chunks <- left:
			left = nil
		case <-r.stop:
			r.left <- left
			return
		}
	}
}

// decode is the goroutine that makes messages. Silence counts only while no
// bytes wait: the program may have kept us from looking.
func (in *input) decode(ctx context.Context, send func(tea.Msg)) {
	defer close(in.decoded)
	var d decoder
	silence := time.NewTimer(time.Hour)
	defer silence.Stop()
	for {
		silence.Stop()
		if w := d.wait(); w > 0 {
			silence.Reset(w)
		}
		var msgs []tea.Msg
		select {
		case <-ctx.Done():
			return
		case m := <-in.posted:
			msgs = []tea.Msg{m}
		case b := <-in.chunks:
			msgs = in.drain(&d, d.feed(b))
		case <-silence.C:
			if msgs = in.drain(&d, nil); msgs == nil {
				msgs = d.expire()
			}
		}
		for _, m := range msgs {
			if _, ok := m.(answered); ok {
				in.answered()
				continue
			}
			send(m)
		}
	}
}

// drain decodes what else has been read, so that the wheel's turns add up.
func (in *input) drain(d *decoder, msgs []tea.Msg) []tea.Msg {
	for {
		select {
		case b := <-in.chunks:
			d.out = msgs
			msgs = d.feed(b)
		default:
			return msgs
		}
	}
}

func (in *input) answered() {
	select {
	case <-in.replied:
	default:
		close(in.replied)
	}
}
