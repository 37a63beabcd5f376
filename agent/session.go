package agent

import (
	"context"
	"errors"
	"sync"
	"time"

	"aye/llm"
)

// ErrClosed is what Send returns once the session has ended.
var ErrClosed = errors.New("the session has ended")

// grace is how long work that was told to stop is waited for, and how long an
// ending session offers each of its last events. A cancel must be over, on the
// screen too, within 100 ms.
const grace = 90 * time.Millisecond

// A Session is one conversation. One goroutine, in Run, owns all its state:
// commands come in by one channel, events leave by one channel, in one order.
// The turn and the person's commands run on goroutines of their own, own
// nothing, and reach the session by asking.
type Session struct {
	opts    Options
	resumed bool
	state   State
	system  string   // the system prompt of the latest turn
	fixed   llm.Size // of a request without messages
	told    int      // tokens the context holds, as the server told; 0 when it did not

	in   chan Command
	asks chan ask      // from the workers
	done chan struct{} // closed when commands are no longer taken
	box  outbox

	turn     *turn // nil when idle
	pending  map[string]question
	commands map[string]context.CancelFunc // the person's, by id
	work     sync.WaitGroup                // every goroutine the session started
	heard    map[string]string             // the end of the output of what runs, by id
	unsaved  [][]byte                      // lines the journal did not take, in order
	stopping bool                          // it is being said that the journal takes nothing
	unsynced bool                          // the person was told that the journal cannot be made durable
}

// An ask is something a worker wants done by the session's goroutine, the
// only one that may touch the state.
type ask func(*Session)

// A question is an approval that waits for its answer.
type question struct {
	rule  string
	reply chan<- Answer // has room for the one answer
}

// New returns a session that begins. Run makes it live.
func New(opts Options) *Session {
	if opts.MaxRounds <= 0 {
		opts.MaxRounds = 24
	}
	if opts.Mode == "" {
		opts.Mode = Ask
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	return &Session{
		opts:     opts,
		in:       make(chan Command),
		asks:     make(chan ask),
		done:     make(chan struct{}),
		box:      outbox{ch: make(chan Event)},
		pending:  map[string]question{},
		commands: map[string]context.CancelFunc{},
		heard:    map[string]string{},
	}
}

// Resume returns a session that goes on where past, all that its journal
// holds, ends. What the past left open is closed by new events, the first that
// Run yields. Nothing starts by itself: messages that were still queued are
// withdrawn. The mode is that of opts, not the past's.
func Resume(opts Options, past []Event) *Session {
	s := New(opts)
	s.resumed = true
	for _, ev := range past {
		s.state.Apply(ev)
	}
	return s
}

// Events yields what happens, in order. It is closed when Run returns.
func (s *Session) Events() <-chan Event { return s.box.ch }

// Send hands cmd to the session. It waits until Run takes it, at most until
// ctx ends; after that the events say what became of it.
func (s *Session) Send(ctx context.Context, cmd Command) error {
	select {
	case s.in <- cmd:
		return nil
	case <-s.done:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Run serves the session until ctx ends, then stops all work, offers the last
// events for a moment, and returns when every goroutine of the session is
// gone. Its error says what could not be saved. It is called once.
func (s *Session) Run(ctx context.Context) error {
	defer close(s.box.ch)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.open()
	s.watchJobs(ctx)
	s.serve(ctx)
	cancel()
	close(s.done)
	s.hearOut()
	s.work.Wait()
	return s.saveRest()
}

func (s *Session) open() {
	s.record(SessionOpened{
		ID: s.opts.ID, Workspace: s.opts.Workspace, Model: s.opts.Model, Endpoint: s.opts.Endpoint,
		Mode: s.opts.Mode, Version: s.opts.Version, At: s.opts.Now().Round(0).UTC(), Resumed: s.resumed,
	})
	s.recordAll(s.state.repair())
	s.told = s.state.Window
	if s.resumed {
		s.forgot()
	}
}

func (s *Session) serve(ctx context.Context) {
	for ctx.Err() == nil {
		if s.turn == nil && len(s.state.Queue) > 0 {
			s.start(ctx)
		}
		asks := s.asks
		if s.box.full() {
			asks = nil // the reader's speed holds the workers back, never a command
		}
		out, ev := s.box.next()
		select {
		case <-ctx.Done():
		case cmd := <-s.in:
			s.handle(ctx, cmd)
		case do := <-asks:
			do(s)
		case out <- ev:
			s.box.pop()
		}
	}
}

// hearOut lets the workers report how they ended and offers what is left. A
// reader that has gone does not hold it up.
func (s *Session) hearOut() {
	for s.turn != nil || len(s.commands) > 0 {
		out, ev := s.box.next()
		select {
		case do := <-s.asks:
			do(s)
		case out <- ev:
			s.box.pop()
		}
	}
	s.sync()
	gone := time.NewTimer(grace)
	defer gone.Stop()
	for {
		out, ev := s.box.next()
		if out == nil {
			return
		}
		select {
		case out <- ev:
			s.box.pop()
			gone.Reset(grace)
		case <-gone.C:
			return
		}
	}
}
