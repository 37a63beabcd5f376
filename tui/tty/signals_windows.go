package tty

import (
	"os"
	"syscall"
)

var caught = []os.Signal{os.Interrupt, syscall.SIGTERM}

func (s *signals) handle(t *Terminal) {
	defer close(s.done)
	for {
		select {
		case <-s.quit:
			return
		case sig := <-s.got:
			if !t.lent.Load() {
				t.fail(&SignalError{Signal: sig})
			}
		}
	}
}

// There is no suspending on Windows.
const canStop = false

func stopProcess() error { return nil }
