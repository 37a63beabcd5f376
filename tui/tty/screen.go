package tty

import (
	"bytes"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// caretWait lets a frame that is about to be drawn take the caret with it.
const caretWait = 20 * time.Millisecond

// A screen is the output as Bubble Tea sees it: a file it can ask for its size.
// One goroutine owns the real file and what is known of the terminal's state.
type screen struct {
	file   *os.File
	writes chan write
	wake   chan struct{} // the caret is wanted elsewhere
	quit   chan struct{}
	done   chan struct{}
	lost   chan struct{} // closed when the terminal takes nothing and is waited for no longer
	losing sync.Once

	caret atomic.Uint64 // where the caret is wanted

	inAlt atomic.Bool // for restoring when the owner is stuck
}

type write struct {
	data  []byte
	modes bool // write our modes again after it
	done  chan error
}

// caret is a cell and whether to show it, in one word: x, y, 1.
func packCaret(x, y int, show bool) uint64 {
	if !show || x < 0 || y < 0 {
		return 0
	}
	return uint64(uint16(x))<<32 | uint64(uint16(y))<<1 | 1
}

func newScreen(file *os.File) *screen {
	s := &screen{
		file:   file,
		writes: make(chan write),
		wake:   make(chan struct{}, 1),
		quit:   make(chan struct{}),
		done:   make(chan struct{}),
		lost:   make(chan struct{}),
	}
	go s.own()
	return s
}

// Write writes one frame, or one sequence, whole.
func (s *screen) Write(b []byte) (int, error) {
	if err := s.send(write{data: b}); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Read, Close and Fd make a screen the file that Bubble Tea asks for its size.
func (s *screen) Read([]byte) (int, error) { return 0, os.ErrInvalid }
func (s *screen) Close() error             { return nil }
func (s *screen) Fd() uintptr              { return s.file.Fd() }

func (s *screen) send(w write) error {
	w.done = make(chan error, 1)
	select {
	case s.writes <- w:
	case <-s.done:
		return os.ErrClosed
	case <-s.lost:
		return os.ErrClosed
	}
	select {
	case err := <-w.done:
		return err
	case <-s.lost:
		return os.ErrClosed
	}
}

// lose has every write fail from now on, those under way too, so that the
// program can end although its terminal is stuck.
func (s *screen) lose() { s.losing.Do(func() { close(s.lost) }) }

func (s *screen) isLost() bool {
	select {
	case <-s.lost:
		return true
	default:
		return false
	}
}

// again writes the modes once more, after something else had the terminal.
func (s *screen) again() {
	if s.inAlt.Load() {
		_ = s.send(write{data: []byte("\x1b[?2004h"), modes: true})
	}
}

func (s *screen) want(caret uint64) {
	if s.caret.Swap(caret) == caret {
		return
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// stop ends the owner after what it is writing, if that ever ends. It leaves
// the file open.
func (s *screen) stop() {
	close(s.quit)
	select {
	case <-s.done:
	case <-s.lost:
	}
}

// unset is a caret that was never drawn, so that the next one is.
const unset = ^uint64(0)

// state is what the owner knows of the terminal's state.
type state struct {
	caret uint64
	asked bool // questions were written
}

// own is the goroutine that writes.
func (s *screen) own() {
	defer close(s.done)
	late := time.NewTimer(time.Hour)
	defer late.Stop()
	is := state{caret: unset}
	for {
		select {
		case <-s.quit:
			return
		case w := <-s.writes:
			_, err := s.file.Write(s.compose(w, &is))
			w.done <- err
		case <-s.wake:
			late.Reset(caretWait)
		case <-late.C:
			if out := s.changes(&is); len(out) > 0 {
				_, _ = s.file.Write(out)
			}
		}
	}
}

// compose returns the bytes for one write.
func (s *screen) compose(w write, is *state) []byte {
	b := w.data
	switch {
	case string(b) == enterAlt || w.modes:
		s.inAlt.Store(true)
		is.caret = unset
		out := append(bytes.Clone(b), keysOn+focusOn+mouseOn...)
		if !is.asked {
			is.asked = true
			out = append(out, questions...)
		}
		return out
	case string(b) == leaveAlt:
		s.inAlt.Store(false)
		is.caret = unset
		return append([]byte(mouseOff+focusOff+keysOff), b...)
	case s.inAlt.Load() && len(b) > len(frameStart) && bytes.HasPrefix(b, []byte(frameStart)):
		is.caret = s.caret.Load()
		out := make([]byte, 0, len(b)+64)
		out = append(out, syncOn+ansi.HideCursor...)
		out = append(out, b...)
		out = appendCaret(out, is.caret)
		return append(out, syncOff...)
	}
	is.caret = unset // Bubble Tea may have shown, hidden or moved it
	return b
}

// changes returns the bytes for what changed without a frame.
func (s *screen) changes(is *state) (out []byte) {
	if !s.inAlt.Load() {
		return nil
	}
	if at := s.caret.Load(); at != is.caret {
		is.caret = at
		out = appendCaret(out, at)
	}
	return out
}

func appendCaret(out []byte, caret uint64) []byte {
	if caret == 0 {
		return append(out, ansi.HideCursor...)
	}
	x, y := int(caret>>32), int(uint32(caret)>>1)
	out = append(out, ansi.CursorPosition(x+1, y+1)...)
	return append(out, ansi.ShowCursor...)
}
