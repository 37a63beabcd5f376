package tty

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/term"
)

// A Terminal is the terminal while aye has it.
type Terminal struct {
	in, out *os.File
	screen  *screen
	input   input
	signals signals

	life   context.Context // ends when the program has to; its cause says why
	fail   context.CancelCauseFunc
	lent   atomic.Bool // another program has the terminal
	closed atomic.Bool
}

// Open takes the terminal: both files must be it. Give it back with Run or Close.
func Open(in, out *os.File) (*Terminal, error) {
	if !term.IsTerminal(in.Fd()) || !term.IsTerminal(out.Fd()) {
		return nil, errors.New("the screen needs a terminal for its input and its output; use `aye run` in scripts")
	}
	t := &Terminal{in: in, out: out}
	if err := t.input.open(in); err != nil {
		return nil, fmt.Errorf("the terminal does not give single keys: %w", err)
	}
	t.life, t.fail = context.WithCancelCause(context.Background())
	t.screen = newScreen(out)
	t.signals.watch(t)
	_, _ = t.screen.Write([]byte(clean))
	return t, nil
}

// Run shows m until it quits, ctx ends, a signal comes or something panics, and
// gives the terminal back before it returns. The model it returns is the last
// one; the error is nil when m quit, else the cause: a *PanicError, a
// *SignalError, ErrGone, or the cause of ctx.
func (t *Terminal) Run(ctx context.Context, m tea.Model, options ...tea.ProgramOption) (tea.Model, error) {
	defer t.Close()
	stop := context.AfterFunc(ctx, func() { t.fail(context.Cause(ctx)) })
	defer stop()

	p := tea.NewProgram(guard{m, t}, append([]tea.ProgramOption{
		tea.WithContext(t.life),
		t.input.forTea(),
		tea.WithOutput(t.screen),
		tea.WithAltScreen(),
		tea.WithoutSignalHandler(),
	}, options...)...)
	t.input.start(t.life, p.Send, func() { t.fail(ErrGone) })

	last, err := p.Run()
	if g, ok := last.(guard); ok {
		last = g.Model
	}
	if cause := context.Cause(t.life); cause != nil {
		err = cause
	}
	return last, err
}

// lastPatience is how long the last writes may take.
const lastPatience = 2 * time.Second

// Close gives the terminal back as Open found it.
func (t *Terminal) Close() {
	if !t.closed.CompareAndSwap(false, true) {
		return
	}
	t.input.close()
	t.signals.stop()
	t.fail(context.Canceled)
	// Nobody else looks after a terminal that takes nothing from here on: the
	// program may have ended before the last write was stuck.
	stuck := time.AfterFunc(lastPatience, t.screen.lose)
	defer stuck.Stop()
	if t.screen.inAlt.Load() {
		_, _ = t.screen.Write([]byte(leaveAlt))
	}
	_, _ = t.screen.Write([]byte(clean))
	t.screen.stop()
	t.input.restore()
	if t.screen.isLost() {
		t.farewell()
	}
}

// SetCursor says where the caret belongs in the next frame: a cell of the
// screen, from 0; not show means that there is none. A View may call it.
func (t *Terminal) SetCursor(x, y int, show bool) { t.screen.want(packCaret(x, y, show)) }

// catch is deferred where a panic must not take the terminal with it.
func (t *Terminal) catch() {
	if v := recover(); v != nil {
		t.fail(&PanicError{Value: v, Stack: debug.Stack()})
	}
}

// abandon gives the terminal back without its owner, who may be stuck, and
// without waiting long for a terminal that takes nothing.
func (t *Terminal) abandon() {
	if t.lent.Load() || t.closed.Load() {
		return
	}
	t.input.restore()
	t.farewell()
}

// farewell takes the modes back on a terminal that may take nothing.
func (t *Terminal) farewell() {
	written := make(chan struct{})
	go func() {
		defer close(written)
		out := clean
		if t.screen.inAlt.Load() {
			out = keysOff + leaveAlt + clean
		}
		_, _ = t.out.WriteString(out)
	}()
	select {
	case <-written:
	case <-time.After(200 * time.Millisecond):
	}
}
