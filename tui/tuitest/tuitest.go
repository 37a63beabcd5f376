// Package tuitest runs a program on a real pseudo terminal with an emulator
// behind it, so that tests see the screen a person would see.
//
// # The way through
//
// [Start] runs a command. Tests type with [Screen.Type] and [Screen.Paste],
// look with [Screen.Wait], and end with [Screen.Exit]. Nothing sleeps: every
// wait looks again whenever the program has written something, and gives up
// with a picture of the screen. [Golden] holds a drawing against a file.
//
// # Promises
//
// The program is killed and everything is waited for when the test ends.
package tuitest

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// Patience is how long a wait lasts before the test fails. It is long: a
// machine may be busy, and a test that passes never waits for it.
const Patience = 20 * time.Second

// A Screen is a program on a terminal. Its methods are for the test's
// goroutine.
type Screen struct {
	t    testing.TB
	cmd  *exec.Cmd
	tty  *os.File
	done chan struct{} // closed when the program has ended and all it wrote is on the screen

	mu      sync.Mutex // guards what follows
	emu     *vt.Emulator
	raw     []byte
	changed chan struct{} // closed and replaced at each output
}

// Start runs cmd on a terminal of cols by rows cells. TERM is set; the rest
// of the environment is cmd's.
func Start(t testing.TB, cols, rows int, cmd *exec.Cmd) *Screen {
	t.Helper()
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(cmd.Env, "TERM=xterm-256color", "COLORTERM=truecolor")
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)})
	if err != nil {
		t.Fatalf("starting %s on a terminal: %v", cmd.Path, err)
	}
	s := &Screen{t: t, cmd: cmd, tty: tty, emu: vt.NewEmulator(cols, rows), done: make(chan struct{}), changed: make(chan struct{})}
	replies := make(chan struct{})
	go func() {
		defer close(replies)
		_, _ = io.Copy(tty, s.emu) // what the terminal answers to queries
	}()
	go s.read()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-s.done
		// Not emu.Close: it races with the Read of the replies.
		if pipe, ok := s.emu.InputPipe().(io.Closer); ok {
			_ = pipe.Close()
		}
		_ = tty.Close()
		<-replies
	})
	return s
}

// read puts the program's output on the screen until the program has ended.
func (s *Screen) read() {
	defer close(s.done)
	buf := make([]byte, 64<<10)
	for {
		n, err := s.tty.Read(buf)
		if n > 0 {
			s.mu.Lock()
			s.raw = append(s.raw, buf[:n]...)
			_, _ = s.emu.Write(buf[:n])
			close(s.changed)
			s.changed = make(chan struct{})
			s.mu.Unlock()
		}
		if err != nil { // Linux says EIO when the last writer is gone
			break
		}
	}
	_ = s.cmd.Wait()
}

// Text is the screen now: a line for each row, without blanks at its end.
func (s *Screen) Text() string {
	text, _ := s.look()
	return text
}

// look returns the screen and a channel that is closed when it has changed.
func (s *Screen) look() (string, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rows := strings.Split(s.emu.String(), "\n")
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	return strings.Join(rows, "\n"), s.changed
}

// Output is every byte the program has written.
func (s *Screen) Output() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.raw)
}

// Wait waits until the screen matches a pattern, and returns the screen.
func (s *Screen) Wait(pattern string) string {
	s.t.Helper()
	re := regexp.MustCompile(pattern)
	return s.waitFor("shows "+pattern, re.MatchString)
}

// WaitStyled waits as Wait does, on the screen with its colours: each row as
// text with SGR sequences. It is for what colour alone tells.
func (s *Screen) WaitStyled(pattern string) {
	s.t.Helper()
	re := regexp.MustCompile(pattern)
	s.waitFor("shows, in colour, "+pattern, func(string) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return re.MatchString(s.emu.Render())
	})
}

func (s *Screen) waitFor(what string, good func(string) bool) string {
	s.t.Helper()
	deadline := time.NewTimer(Patience)
	defer deadline.Stop()
	for {
		text, changed := s.look()
		if good(text) {
			return text
		}
		select {
		case <-changed:
		case <-s.done:
			if text := s.Text(); good(text) {
				return text
			}
			s.t.Fatalf("the program ended before the screen %s:\n%s", what, s.Text())
		case <-deadline.C:
			s.t.Fatalf("after %v still waiting until the screen %s:\n%s", Patience, what, s.Text())
		}
	}
}

// Type sends bytes as the keyboard would: text, "\r" for Enter, "\x1b" for
// Escape, "\x03" for Ctrl+C.
func (s *Screen) Type(keys string) {
	s.t.Helper()
	if _, err := io.WriteString(s.tty, keys); err != nil {
		s.t.Fatalf("typing %q: %v\n%s", keys, err, s.Text())
	}
}

// Paste sends text as a terminal does when bracketed paste is on.
func (s *Screen) Paste(text string) {
	s.t.Helper()
	s.Type("\x1b[200~" + text + "\x1b[201~")
}

// Resize changes the terminal's size.
func (s *Screen) Resize(cols, rows int) {
	s.t.Helper()
	s.mu.Lock()
	s.emu.Resize(cols, rows)
	s.mu.Unlock()
	if err := pty.Setsize(s.tty, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)}); err != nil {
		s.t.Fatalf("resizing to %dx%d: %v", cols, rows, err)
	}
}

// Signal sends a signal to the program.
func (s *Screen) Signal(sig os.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		s.t.Fatalf("sending %v: %v", sig, err)
	}
}

// Pid is the program's process.
func (s *Screen) Pid() int { return s.cmd.Process.Pid }

// Exit waits for the program to end and returns its exit code, -1 when a
// signal ended it.
func (s *Screen) Exit() int {
	s.t.Helper()
	select {
	case <-s.done:
	case <-time.After(Patience):
		s.t.Fatalf("the program has not ended after %v:\n%s", Patience, s.Text())
	}
	return s.cmd.ProcessState.ExitCode()
}
