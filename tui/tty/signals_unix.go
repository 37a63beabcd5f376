//go:build !windows

package tty

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// patience is how long a program may take to end after a signal.
const patience = time.Second

// signals turns signals into the end of the program, or, when the program does
// not end, into the end of the process with the terminal given back.
type signals struct {
	got        chan os.Signal
	quit, done chan struct{}
}

func (s *signals) watch(t *Terminal) {
	s.got = make(chan os.Signal, 8)
	s.quit, s.done = make(chan struct{}), make(chan struct{})
	signal.Notify(s.got, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGTSTP, syscall.SIGCONT)
	go s.handle(t)
}

func (s *signals) stop() {
	signal.Stop(s.got)
	close(s.quit)
	<-s.done
}

// lend leaves Ctrl+Z to the program that has the terminal, or takes it back.
func (s *signals) lend(on bool) {
	if on {
		signal.Reset(syscall.SIGTSTP)
		return
	}
	signal.Notify(s.got, syscall.SIGTSTP)
}

func (s *signals) handle(t *Terminal) {
	defer close(s.done)
	var ending os.Signal // why the program was told to end
	var late <-chan time.Time
	for {
		select {
		case <-s.quit:
			return
		case <-late:
			die(t, ending)
		case sig := <-s.got:
			switch {
			case t.lent.Load() && (sig == syscall.SIGINT || sig == syscall.SIGQUIT): // meant for the other program
			case sig == syscall.SIGTSTP:
				t.input.post(suspendNow{})
			case sig == syscall.SIGCONT:
				t.input.post(continued{})
			case sig == syscall.SIGQUIT, ending != nil: // all stacks, please; or: now, please
				die(t, sig)
			default:
				ending, late = sig, time.After(patience)
				t.fail(&SignalError{Signal: sig})
			}
		}
	}
}

// die gives the terminal back and ends the process by sig, as if nobody had
// caught it.
func die(t *Terminal, sig os.Signal) {
	t.abandon()
	signal.Reset(sig)
	_ = syscall.Kill(os.Getpid(), sig.(syscall.Signal))
	time.Sleep(patience) // the signal comes in this time
	os.Exit((&SignalError{Signal: sig}).ExitCode())
}

const canStop = true

// stopProcess stops the whole process group, as Ctrl+Z does, until it is told
// to go on. A group without a shell above it cannot be stopped: then it goes on.
func stopProcess() error {
	goOn := make(chan os.Signal, 1)
	signal.Notify(goOn, syscall.SIGCONT)
	defer signal.Stop(goOn)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return err
	}
	select {
	case <-goOn:
	case <-time.After(300 * time.Millisecond):
	}
	return nil
}
