package tty

import (
	"os"
	"os/signal"
)

// signals turns signals into the end of the program, or, when the program does
// not end, into the end of the process with the terminal given back.
//
// SIGTSTP is not among them: Go does not give up a signal it has once taken,
// and then Ctrl+Z could not stop us. A program stopped from outside finds its
// terminal again at SIGCONT.
type signals struct {
	got        chan os.Signal
	quit, done chan struct{}
}

func (s *signals) watch(t *Terminal) {
	s.got = make(chan os.Signal, 8)
	s.quit, s.done = make(chan struct{}), make(chan struct{})
	signal.Notify(s.got, caught...)
	go s.handle(t)
}

func (s *signals) stop() {
	signal.Stop(s.got)
	close(s.quit)
	<-s.done
}
