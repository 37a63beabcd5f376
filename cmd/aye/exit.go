package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"time"

	"aye/tui/term"
	"aye/tui/tty"
)

// Exit codes: what scripts depend on.
const (
	exitAnswered    = 0
	exitFailed      = 1   // provider, network, journal
	exitUsage       = 2   // usage or configuration
	exitLimited     = 3   // stopped at a limit
	exitRefused     = 4   // answered, but a call was refused
	exitInterrupted = 130 // by a signal
)

// An exit is an error that knows the code aye ends with. An empty text says
// that everything was said already.
type exit struct {
	code int
	text string
}

func (e *exit) Error() string { return e.text }

// usagef is a mistake of the command line or the configuration.
func usagef(format string, args ...any) error {
	return &exit{exitUsage, fmt.Sprintf(format, args...)}
}

// leavePatience is how long aye may take to leave before a signal kills it.
const leavePatience = time.Second

// start runs aye and returns its exit code.
func start(args []string) int {
	// Without this a reader that goes away (aye run | head) would kill aye
	// before it has ended its children.
	ignoreBrokenPipes()
	shield()
	// net/http tells the standard logger what strange servers do, and that would
	// write it across the screen. Whatever matters comes back as an error.
	log.SetOutput(io.Discard)
	ctx, stop := signal.NotifyContext(context.Background(), endSignals...)
	defer stop()
	// The first signal asks. One that comes later, should the leaving hang,
	// kills. It has to be later: a terminal that closes says so twice, by the
	// kernel and by the shell, and what runs must still be ended.
	context.AfterFunc(ctx, func() { time.AfterFunc(leavePatience, stop) })
	return report(ctx, os.Stderr, dispatch(ctx, args))
}

// report tells a person what went wrong and returns the exit code for it.
func report(ctx context.Context, to io.Writer, err error) int {
	if err == nil {
		return exitAnswered
	}
	if e := (*exit)(nil); errors.As(err, &e) {
		if e.text != "" {
			fmt.Fprintln(to, "aye: "+term.Clean(e.text))
		}
		return e.code
	}
	if s := (*tty.SignalError)(nil); ctx.Err() != nil || errors.As(err, &s) {
		return exitInterrupted
	}
	fmt.Fprintln(to, "aye: "+term.Clean(err.Error()))
	if p := (*tty.PanicError)(nil); errors.As(err, &p) {
		fmt.Fprintln(to, term.Clean(string(p.Stack)))
	}
	return exitFailed
}
