//go:build unix

package proc

import (
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/text/encoding"
)

func systemCharset(env func(string) string) encoding.Encoding { return localeCharset(env) }

// prepare gives the command a session of its own: no terminal, no signals of
// aye's terminal.
func prepare(cmd *exec.Cmd, _ Shell, _ string) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	dieWithParent(cmd.SysProcAttr)
}

// status reads how the shell ended.
func status(state *os.ProcessState) (code int, signal string) {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return -int(ws.Signal()), ws.Signal().String()
	}
	return state.ExitCode(), ""
}

// readNow reads what the pipe holds, without waiting for more.
func readNow(pipe *os.File, buf []byte) (n int) {
	_ = pipe.SetReadDeadline(time.Time{})
	raw, err := pipe.SyscallConn()
	if err != nil {
		return 0
	}
	// The pipe does not block, and true means: do not wait until it is ready.
	_ = raw.Read(func(fd uintptr) bool {
		n, _ = unix.Read(int(fd), buf)
		return true
	})
	return max(n, 0)
}

// ask sends SIGTERM, and wakes what is stopped so that it can hear it.
func (t *tree) ask() {
	t.signal(unix.SIGTERM)
	t.signal(unix.SIGCONT)
}

func (t *tree) force() { t.signal(unix.SIGKILL) }

func (t *tree) close() {}

// groupAlive is the list of a system that shows no processes.
func groupAlive(pid int) []Process {
	if unix.Kill(-pid, 0) != nil {
		return nil
	}
	return []Process{{PID: pid, Command: "the command"}}
}
