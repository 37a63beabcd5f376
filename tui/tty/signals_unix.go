//go:build !windows

package tty

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// patience is how long a program may take to end after a signal, and once more
// when it does not wait for its terminal any longer.
const patience = time.Second

var caught = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGCONT}

func (s *signals) handle(t *Terminal) {
	defer close(s.done)
	var ending os.Signal // why the program was told to end
	var late <-chan time.Time
	lost := false // the terminal was given up
	for {
		select {
		case <-s.quit:
			return
		case <-late:
			if lost { // not the terminal is stuck: the program is
				die(t, ending)
			}
			lost, late = true, time.After(patience)
			t.screen.lose()
		case sig := <-s.got:
			switch {
			case t.lent.Load() && (sig == syscall.SIGINT || sig == syscall.SIGQUIT): // meant for the other program
			case sig == syscall.SIGCONT:
				t.input.post(continued{})
			case sig == syscall.SIGQUIT: // all stacks, please
				die(t, sig)
			case ending != nil: // a terminal that closes says so twice, by the kernel and by the shell
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
	os.Exit(128 + int(sig.(syscall.Signal)))
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
