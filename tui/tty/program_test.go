//go:build !windows

package tty

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"
)

// The tests of this package run a real program on a real terminal: the test
// binary itself, told by its environment to be one of these.
const (
	roleEnv = "AYE_TTY_TEST_ROLE" // "screen", or "shell": a job-control parent of a screen
	logEnv  = "AYE_TTY_TEST_LOG"
)

func TestMain(m *testing.M) {
	switch os.Getenv(roleEnv) {
	case "screen":
		os.Exit(screenMain())
	case "shell":
		os.Exit(shellMain())
	}
	os.Exit(m.Run())
}

func say(format string, args ...any) {
	f, err := os.OpenFile(os.Getenv(logEnv), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, _ = fmt.Fprintf(f, format+"\n", args...)
		err = f.Close()
	}
	if err != nil {
		panic(err)
	}
}

func screenMain() int {
	t, err := Open(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer t.Close()
	if os.Getenv("EARLY") != "" {
		return 0
	}
	if os.Getenv("FULL") != "" { // the last words come behind more than the terminal takes
		begun := make(chan struct{})
		go func() {
			close(begun)
			_, _ = t.screen.Write(make([]byte, 1<<20))
		}()
		<-begun
		return 0
	}
	_, err = t.Run(context.Background(), probe{t: t})
	var crash *PanicError
	var sig *SignalError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &crash):
		fmt.Fprintf(os.Stderr, "%v\n%s", crash, crash.Stack)
		return 70
	case errors.As(err, &sig):
		if os.Getenv("QUIET") == "" {
			fmt.Fprintln(os.Stderr, sig)
		}
		return 128 + int(sig.Signal.(syscall.Signal))
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// probe is a screen that writes down every message and does what keys say.
type probe struct {
	t    *Terminal
	keys int
	bad  bool
}

func (p probe) Init() tea.Cmd { return nil }

func (p probe) View() string {
	if p.bad {
		panic("view broke")
	}
	p.t.SetCursor(p.keys, 1, true)
	return "probe\nline\nready"
}

func (p probe) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch m := msg.(type) {
	case Paste:
		say("paste %d %.20q", len(m), string(m))
	case tea.WindowSizeMsg:
		say("size %dx%d", m.Width, m.Height)
	case tea.KeyMsg:
		say("key %s", m)
		p.keys++
		return p.key(m.String())
	default:
		say("%s", name(m))
	}
	return p, nil
}

func (p probe) key(k string) (tea.Model, tea.Cmd) {
	broken := func() tea.Msg { panic("command broke") }
	quiet := func() tea.Msg { return nil }
	switch k {
	case "q":
		return p, tea.Quit
	case "1":
		panic("update broke")
	case "2":
		p.bad = true
	case "3":
		return p, broken
	case "4":
		return p, tea.Batch(quiet, tea.Sequence(quiet, broken))
	case "h": // hold everything up until the log says so
		hold(func(log string) bool { return strings.Contains(log, "go on") })
	case "w":
		select {}
	case "f": // more than a terminal that nobody reads takes
		return p, func() tea.Msg { _, err := p.t.screen.Write(make([]byte, 1<<20)); return err }
	case "e":
		c := exec.Command("sh", "-c", `test -t 0 && test -t 1 && stty -a && echo EDITOR && read x && echo "got<$x>"`)
		return p, p.t.Exec(c, func(err error) tea.Msg { return fmt.Sprint("edited ", err) })
	case "E":
		return p, p.t.Exec(exec.Command("/no/such/editor"), func(err error) tea.Msg { return fmt.Sprint("edited ", err) })
	case "ctrl+z":
		return p, p.t.Suspend()
	}
	return p, nil
}

// hold waits until the log satisfies ok.
func hold(ok func(string) bool) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		if b, _ := os.ReadFile(os.Getenv(logEnv)); ok(string(b)) {
			return
		}
	}
}

// shellMain runs a screen as a shell with job control runs a program: in its
// own process group in the foreground. When it stops, the shell writes down how
// the terminal is, and lets it go on when the log says so.
func shellMain() int {
	signal.Ignore(syscall.SIGTTOU)
	c := exec.Command(os.Args[0])
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	c.Env = append(os.Environ(), roleEnv+"=screen")
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Foreground: true, Ctty: 0}
	if err := c.Start(); err != nil {
		say("shell: %v", err)
		return 1
	}
	for stops := 1; ; {
		var ws syscall.WaitStatus
		if _, err := syscall.Wait4(c.Process.Pid, &ws, syscall.WUNTRACED, nil); err != nil {
			say("shell: %v", err)
			return 1
		}
		if !ws.Stopped() {
			return ws.ExitStatus()
		}
		if err := unix.IoctlSetPointerInt(0, unix.TIOCSPGRP, syscall.Getpgrp()); err != nil {
			say("shell: %v", err)
		}
		say("stopped %d", stops)
		hold(func(log string) bool { return strings.Count(log, "fg") >= stops })
		stops++
		_ = unix.IoctlSetPointerInt(0, unix.TIOCSPGRP, c.Process.Pid)
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGCONT)
	}
}

// interruptible is f with reads that end when it is closed; package pty leaves
// it without.
func interruptible(t testing.TB, f *os.File) *os.File {
	t.Helper()
	defer f.Close()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(fd), f.Name())
}

// foreground is the process group that has the terminal. It does not ask for
// ptmx.Fd, which would make reads of it impossible to interrupt again.
func foreground(t *testing.T, ptmx *os.File) (pgrp int) {
	t.Helper()
	conn, err := ptmx.SyscallConn()
	if err == nil {
		var inner error
		err = conn.Control(func(fd uintptr) { pgrp, inner = unix.IoctlGetInt(int(fd), unix.TIOCGPGRP) })
		err = errors.Join(err, inner)
	}
	if err != nil {
		t.Fatal(err)
	}
	return pgrp
}
