//go:build unix && !linux

package proc

import (
	"context"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A tree is found with ps: the shell's group, and its descendants.
type tree struct{ pid int }

func dieWithParent(*syscall.SysProcAttr) {} // there is no such thing

func grow(shell *os.Process, _ string, _ *os.File) (*tree, error) { return &tree{pid: shell.Pid}, nil }

func pipeNumber(*os.File) string { return "unknown" } // ps shows none

func (t *tree) list() []Process {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	text, err := exec.CommandContext(ctx, "ps", psArgs...).Output()
	if err != nil {
		return groupAlive(t.pid)
	}
	return descendants(string(text), t.pid)
}

func (t *tree) signal(sig unix.Signal) {
	members := t.list()
	_ = unix.Kill(-t.pid, sig)
	for _, p := range members {
		if p.PID != t.pid {
			_ = unix.Kill(p.PID, sig)
		}
	}
}
