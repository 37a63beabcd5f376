package proc

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"aye/tools/cause"
)

// Bounds of a command.
const (
	DefaultTimeout = 120 * time.Second
	MaxTimeout     = 3600 * time.Second
	NoTimeout      = time.Duration(-1)
	MaxOutput      = 16_000 // bytes of output kept: half of them head, half tail

	TermGrace    = 2 * time.Second        // from SIGTERM to SIGKILL, at the time limit
	cancelGrace  = 30 * time.Millisecond  // the same when ctx ended
	leftMoment   = 100 * time.Millisecond // background processes may end on their own
	leftGrace    = 200 * time.Millisecond // from SIGTERM to SIGKILL for those that did not
	drainMoment  = 50 * time.Millisecond  // the last output, once nothing writes any more
	killPatience = 2 * time.Second        // what withstands SIGKILL for so long is given up
)

// A Spec is one command.
type Spec struct {
	Command  string
	Dir      string            // absolute; where it runs
	Env      []string          // as Env made it
	Timeout  time.Duration     // 0: DefaultTimeout; at most MaxTimeout; NoTimeout: none
	Progress func(text string) // takes cleaned output as it comes, to append; may be nil; must return when ctx ends
	Room     int               // bytes that Progress takes every 50 ms; 0: 2 KB
	Stop     <-chan struct{}   // closed: end it as at the time limit; may be nil
}

// An Outcome is what a command came to.
type Outcome struct {
	End    End
	Code   int           // the exit code; -N when signal N ended it
	Signal string        // the signal that ended it, "killed", "segmentation fault"; "" otherwise
	Output string        // cleaned; head and tail where there was too much
	Took   time.Duration // until the command itself was over
	Limit  time.Duration // the time limit that held
	Left   []Process     // background processes that outlived the command and were ended
	Alive  []Process     // what could not be ended
	Err    error         // of NotStarted: a sentence
}

// End says how a command ended.
type End int

const (
	Exited     End = iota // by itself, or by a signal that was not ours
	TimedOut              // ended at the time limit
	Cancelled             // ended because ctx did
	NotStarted            // never ran
	Stopped               // ended because Spec.Stop was closed
	Stuck                 // ended because it waited for a terminal that it does not have
)

// pleas are what a program prints when it will wait for keys that never come:
// vim, when its input is at its end, listens to its error output for ever.
// Who has said one of them and is then silent for pleaPatience is ended.
var pleas = []string{"Vim: Warning: Input is not from a terminal"}

const pleaPatience = 2 * time.Second

// A Process is one that the command started.
type Process struct {
	PID     int
	Command string // its command line, shortened; foreign text
}

// Run runs a command and waits until nothing of it is left.
func (s Shell) Run(ctx context.Context, spec Spec) Outcome {
	o := Outcome{Limit: min(spec.Timeout, MaxTimeout)}
	switch {
	case spec.Timeout == NoTimeout:
		o.Limit = math.MaxInt64
	case spec.Timeout <= 0:
		o.Limit = DefaultTimeout
	}
	if ctx.Err() != nil {
		o.End = Cancelled
		return o
	}
	r, err := start(s, spec)
	if err != nil {
		o.End, o.Err = NotStarted, explain(err, s, spec)
		return o
	}
	r.wait(ctx, spec.Stop, &o)
	r.end(ctx, &o)
	r.drain()
	o.Output = r.kept.text()
	return o
}

// A run is a command on its way. The goroutine of Run owns it.
type run struct {
	cmd    *exec.Cmd
	tree   *tree
	guard  *guard
	began  time.Time
	heard  time.Time          // when output last came
	stuck  context.CancelFunc // called when it waits for a terminal
	decode decoder
	clean  cleaner
	kept   keeper
	live   *live
	ticks  *time.Ticker

	pipe   *os.File      // the read end
	chunks chan []byte   // what came through it
	free   chan []byte   // buffers to read into
	eof    chan struct{} // closed when the pipe gives no more
	exited chan struct{} // closed when the shell is over: cmd.ProcessState is set
}

func start(s Shell, spec Spec) (*run, error) {
	if strings.ContainsRune(spec.Command, 0) {
		return nil, errNUL
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer write.Close()
	mark := rand.Text()
	cmd := &exec.Cmd{Path: s.Path, Args: append(append([]string{s.Path}, s.Args...), spec.Command), Dir: spec.Dir}
	cmd.Env = withMark(append(slices.Clip(withTools(spec.Env, s.Tools)), "PWD="+spec.Dir), mark)
	cmd.Stdout, cmd.Stderr = write, write
	prepare(cmd, s, spec.Command)
	r := &run{
		cmd: cmd, began: time.Now(), heard: time.Now(), kept: keeper{max: MaxOutput / 2}, live: newLive(spec.Progress, spec.Room),
		pipe: read, chunks: make(chan []byte), free: make(chan []byte, 2), eof: make(chan struct{}), exited: make(chan struct{}),
	}
	r.clean.out = func(text []byte) { r.kept.keep(text); r.live.add(text) }
	r.decode = decoder{charset: s.Charset, out: r.clean.write}
	started := make(chan error)
	go func() {
		// The parent-death signal of Linux comes when the starting thread
		// ends, not the process: the thread must outlive the command.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		r.guard = protect(s, spec, mark, write)
		if err := cmd.Start(); err != nil {
			r.guard.dismiss()
			started <- err
			return
		}
		r.guard.over(cmd.Process.Pid)
		tree, err := grow(cmd.Process, mark, write)
		if err != nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			r.guard.dismiss()
			started <- err
			return
		}
		r.tree = tree
		started <- nil
		_ = cmd.Wait()
		close(r.exited)
	}()
	if err := <-started; err != nil {
		read.Close()
		return nil, err
	}
	r.ticks = time.NewTicker(liveTick)
	go r.read()
	return r, nil
}

const markName = "AYE_COMMAND"

// withMark adds the mark by which a command's processes are known. A mark
// that is there already stays: an aye that runs inside a command of another.
func withMark(env []string, mark string) []string {
	for _, kv := range env {
		if old, ok := strings.CutPrefix(kv, markName+"="); ok {
			mark = old + " " + mark
		}
	}
	return append(env, markName+"="+mark)
}

// read brings the pipe's bytes to the owner, in two buffers that take turns.
func (r *run) read() {
	defer close(r.eof)
	for range cap(r.free) {
		r.free <- make([]byte, 32<<10)
	}
	for {
		buf := <-r.free
		n, err := r.pipe.Read(buf)
		r.chunks <- buf[:n]
		if errors.Is(err, os.ErrDeadlineExceeded) {
			r.readRest()
			return
		}
		if err != nil {
			return
		}
	}
}

// maxPipe is what a pipe may hold, in bytes, unless the system's owner allows
// more.
const maxPipe = 1 << 20

// readRest brings what the pipe holds already. A read after the deadline says
// nothing of it, and on a busy machine the reader may come that late.
func (r *run) readRest() {
	for total := 0; total < maxPipe; {
		buf := <-r.free
		n := readNow(r.pipe, buf)
		r.chunks <- buf[:n]
		if n == 0 {
			return
		}
		total += n
	}
}

// pump takes output until a, b or c is closed; nil never is.
func (r *run) pump(a, b, c <-chan struct{}) {
	for {
		select {
		case <-a:
			return
		case <-b:
			return
		case <-c:
			return
		case chunk := <-r.chunks:
			r.heard = time.Now()
			r.decode.write(chunk)
			r.free <- chunk[:cap(chunk)]
		case now := <-r.ticks.C:
			r.live.tick(r.clean.line, now)
			if now.Sub(r.heard) > pleaPatience && r.pleads() {
				r.stuck()
			}
		}
	}
}

func (r *run) pleads() bool {
	return slices.ContainsFunc(pleas, func(plea string) bool { return bytes.Contains(r.kept.head, []byte(plea)) })
}

// wait waits for the command's end, the time limit, stop or ctx.
func (r *run) wait(ctx context.Context, stop <-chan struct{}, o *Outcome) {
	limited, cancel := context.WithTimeout(ctx, o.Limit)
	defer cancel()
	r.stuck = cancel
	r.pump(r.exited, limited.Done(), stop)
	o.Took = time.Since(r.began)
	switch {
	case closed(r.exited):
		o.End = Exited
	case ctx.Err() != nil:
		o.End = Cancelled
	case closed(stop):
		o.End = Stopped
	case limited.Err() == context.Canceled:
		o.End = Stuck
	default:
		o.End = TimedOut
	}
}

// end ends what still runs, and waits for the shell.
func (r *run) end(ctx context.Context, o *Outcome) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		grace := TermGrace
		if o.End == Exited {
			if o.Left = r.tree.rest(ctx, leftMoment); len(o.Left) == 0 {
				return
			}
			grace = leftGrace
		}
		o.Alive = r.tree.end(ctx, grace)
	}()
	r.pump(done, nil, nil)

	patience, cancel := context.WithTimeout(context.Background(), killPatience)
	defer cancel()
	r.pump(r.exited, patience.Done(), nil)
	if closed(r.exited) {
		o.Code, o.Signal = status(r.cmd.ProcessState)
	}
}

// drain takes what is left in the pipe. Should a process that could not be
// ended hold it open, that is for a moment only.
func (r *run) drain() {
	_ = r.pipe.SetReadDeadline(time.Now().Add(drainMoment)) // Windows has none: there the job is over, and with it the pipe
	r.pump(r.eof, nil, nil)
	r.pipe.Close()
	r.guard.dismiss()
	r.tree.close()
	r.ticks.Stop()
	r.decode.finish()
	r.clean.finish()
	r.live.tick(nil, time.Now())
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

var errNUL = errors.New("a command cannot hold a NUL character")

// explain says for people why a command could not be started.
func explain(err error, s Shell, spec Spec) error {
	if st, e := os.Stat(spec.Dir); e != nil || !st.IsDir() {
		return fmt.Errorf("the folder %s, where commands run, is gone: put it back, or start aye in another", spec.Dir)
	}
	switch {
	case errors.Is(err, errNUL):
		return err
	case errors.Is(err, syscall.E2BIG):
		return fmt.Errorf("the command is too long for this system (%s bytes): write it to a file and run that", thousands(len(spec.Command)))
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the shell %s is gone", s.Path)
	}
	return fmt.Errorf("the command could not be started with %s: %w", s.Path, cause.Of(err))
}
