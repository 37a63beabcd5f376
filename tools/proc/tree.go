package proc

import (
	"context"
	"time"
)

// A tree is all that a command has started. Each system has its own list,
// ask and force.
//
//	list   what is alive, the shell included
//	ask    asks everything to end (SIGTERM)
//	force  ends everything (SIGKILL)
//	close  frees what the tree holds

// rest waits a moment for processes to end by themselves and returns those
// that did not.
func (t *tree) rest(ctx context.Context, moment time.Duration) []Process {
	deadline := time.Now().Add(moment)
	hurry := ctx.Done()
	for pause := 2 * time.Millisecond; ; pause = min(2*pause, 40*time.Millisecond) {
		left := t.list()
		remaining := time.Until(deadline)
		if len(left) == 0 || remaining <= 0 {
			return left
		}
		select {
		case <-time.After(min(pause, remaining)):
		case <-hurry:
			hurry = nil
			deadline = time.Now().Add(min(remaining, cancelGrace))
		}
	}
}

// end ends everything, gently for the grace, then by force, and returns what
// is alive after all. When ctx ends, the grace shrinks to cancelGrace.
func (t *tree) end(ctx context.Context, grace time.Duration) []Process {
	t.ask()
	if len(t.rest(ctx, grace)) == 0 {
		return nil
	}
	for deadline := time.Now().Add(killPatience); ; {
		t.force()
		// A process may have forked while the others were ended.
		left := t.rest(context.Background(), 10*time.Millisecond)
		if len(left) == 0 || time.Now().After(deadline) {
			return left
		}
	}
}

// maxShown bounds a process's command line, in bytes.
const maxShown = 80

func shorten(command string) string {
	if len(command) <= maxShown {
		return command
	}
	return string(cutHead([]byte(command[:maxShown]))) + "…"
}
