package tty

import (
	"os"
	"os/signal"
	"syscall"
)

// signals turns Ctrl+Break and the closing of the console into the end of the
// program.
type signals struct {
	got        chan os.Signal
	quit, done chan struct{}
}

func (s *signals) watch(t *Terminal) {
	s.got = make(chan os.Signal, 8)
	s.quit, s.done = make(chan struct{}), make(chan struct{})
	signal.Notify(s.got, os.Interrupt, syscall.SIGTERM)
	go s.handle(t)
}

func (s *signals) stop() {
	signal.Stop(s.got)
	close(s.quit)
	<-s.done
}

func (s *signals) lend(bool) {}

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
