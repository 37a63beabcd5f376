//go:build unix

package proc

import (
	_ "embed"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// A guard is a small process beside a command that outlives aye: when aye dies
// without a word (SIGKILL, out of memory) it ends what the command started.
// It is a shell with a script, not aye again, since that costs a tenth of the
// time and memory.
type guard struct {
	cmd  *exec.Cmd
	life *os.File // only aye holds this end of the guard's input: when it closes, aye is dead
}

//go:embed guard.sh
var guardScript string

// protect sets a guard for a command that is about to start; pipe is its
// output. Without one, when no more processes may be started say, the command
// runs all the same: Linux then still ends its shell with aye.
func protect(s Shell, spec Spec, mark string, pipe *os.File) *guard {
	read, write, err := os.Pipe()
	if err != nil {
		return nil
	}
	defer read.Close()
	// The mark is no variable of the guard's: it is not one of the processes
	// that it is to end.
	g := &guard{life: write, cmd: &exec.Cmd{Path: s.Path, Args: []string{s.Path, "-c", guardScript, "aye-guard", mark, pipeNumber(pipe)}}}
	g.cmd.Env, g.cmd.Dir, g.cmd.Stdin = spec.Env, "/", read
	g.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // what ends aye's group or session does not end the guard
	if g.cmd.Start() != nil {
		write.Close()
		return nil
	}
	return g
}

// over tells the guard which process the command is. Until then it knows it by
// its mark and pipe.
func (g *guard) over(pid int) {
	if g != nil {
		_, _ = g.life.WriteString(strconv.Itoa(pid) + "\n")
	}
}

// dismiss ends the guard of a command that is over. Its input is closed last:
// that means that aye is dead.
func (g *guard) dismiss() {
	if g == nil {
		return
	}
	_ = g.cmd.Process.Kill()
	_ = g.cmd.Wait()
	_ = g.life.Close()
}
