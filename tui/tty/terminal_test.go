//go:build !windows

package tty

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
)

// session is a program on a terminal of its own, seen from the terminal's side.
type session struct {
	t     testing.TB
	cmd   *exec.Cmd
	ptmx  *os.File
	tty   *os.File // keeps the terminal alive after the program, to look at it
	log   string
	found *term.State

	mu  sync.Mutex
	out bytes.Buffer
}

func start(t testing.TB, role string, env ...string) *session {
	t.Helper()
	ptmx, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	ptmx = interruptible(t, ptmx)
	_ = pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: 80})
	s := &session{t: t, ptmx: ptmx, tty: tty, log: filepath.Join(t.TempDir(), "log")}
	if s.found, err = term.GetState(tty.Fd()); err != nil {
		t.Fatal(err)
	}
	s.cmd = exec.Command(os.Args[0])
	s.cmd.Env = append(os.Environ(), roleEnv+"="+role, logEnv+"="+s.log, "TERM=screen-256color") // Bubble Tea asks no questions there
	s.cmd.Env = append(s.cmd.Env, env...)
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = tty, tty, tty
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(s, ptmx)
	}()
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
		_ = tty.Close()
		_ = ptmx.Close()
		<-read
	})
	return s
}

func (s *session) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Write(b)
}

func (s *session) output() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.String()
}

func (s *session) logged() string {
	b, _ := os.ReadFile(s.log)
	return string(b)
}

func (s *session) typed(keys string) {
	s.t.Helper()
	if _, err := s.ptmx.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

func (s *session) note(line string) {
	s.t.Helper()
	f, err := os.OpenFile(s.log, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(line + "\n"); err != nil {
		s.t.Fatal(err)
	}
}

// until polls, because what happens is in another process.
func (s *session) until(what string, ok func() bool) {
	s.t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(20 * time.Second); !ok(); {
		select {
		case <-tick.C:
		case <-deadline:
			s.t.Fatalf("waited in vain for %s\nlog:\n%.2000s\noutput: %.2000q", what, s.logged(), s.output())
		}
	}
}

func (s *session) shows(text string) {
	s.t.Helper()
	s.until("output "+text, func() bool { return strings.Contains(s.output(), text) })
}

func (s *session) logs(text string) {
	s.t.Helper()
	s.until("log "+text, func() bool { return strings.Contains(s.logged(), text) })
}

// ready waits for the first frame. The terminal answers its last question.
func (s *session) ready() *session {
	s.t.Helper()
	s.shows("ready")
	s.logs("size 80x24")
	s.typed("\x1b[?62;4c")
	return s
}

// ends waits for the program and checks that it left the terminal as it was.
func (s *session) ends(code int) {
	s.t.Helper()
	done := make(chan error, 1)
	go func() { done <- s.cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		s.t.Fatalf("does not end\nlog:\n%s", s.logged())
	}
	status := s.cmd.ProcessState.Sys().(syscall.WaitStatus)
	got := status.ExitStatus()
	if status.Signaled() {
		got = 128 + int(status.Signal())
	}
	if got != code {
		s.t.Errorf("exit %d, want %d", got, code)
	}
	now, err := term.GetState(s.tty.Fd())
	if err != nil || !reflect.DeepEqual(now, s.found) {
		s.t.Errorf("line mode is not as it was: %v, %+v\nwas %+v", err, now, s.found)
	}
	s.until("the modes to be taken back", func() bool { return s.modes() == "" })
}

var modeSeq = regexp.MustCompile(`\x1b\[([?>=<])([0-9;]*)([hlmu])`)

// modes returns which modes the output so far leaves set.
func (s *session) modes() string {
	set := map[string]bool{}
	for _, m := range modeSeq.FindAllStringSubmatch(s.output(), -1) {
		switch m[1] + m[3] {
		case "?h", "?l":
			set["?"+m[2]] = m[3] == "h"
		case ">u", "<u":
			set["kitty"] = m[1] == ">"
		case ">m":
			set["modifyOtherKeys"] = m[2] != "4"
		}
	}
	for k, on := range map[string]bool{"?7": true, "?25": true} {
		if v, ok := set[k]; ok {
			set[k] = v != on
		}
	}
	maps.DeleteFunc(set, func(_ string, wrong bool) bool { return !wrong })
	return strings.Join(slices.Sorted(maps.Keys(set)), " ")
}

func TestKeysArriveWhole(t *testing.T) {
	t.Parallel()
	s := start(t, "screen").ready()
	s.typed("a日")
	s.typed("\x1b")
	s.logs("key esc")
	s.typed("\x1b[1")
	s.typed(";5C") // two writes; they may or may not be two reads
	s.logs("key ctrl+right")
	s.typed("\xe6")
	s.typed("\x9c\xac\x1b[13;2u")
	s.logs("key alt+enter")
	s.typed("q")
	s.ends(0)
	var keys []string
	for line := range strings.Lines(s.logged()) {
		if k, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "key "); ok {
			keys = append(keys, k)
		}
	}
	if got, want := strings.Join(keys, " "), "a 日 esc ctrl+right 本 alt+enter q"; got != want {
		t.Errorf("keys %s, want %s", got, want)
	}
}

func TestBigPasteIsOneMessage(t *testing.T) {
	t.Parallel()
	s := start(t, "screen").ready()
	text := strings.Repeat("0123456789abcde\r", 1<<16)
	s.typed("\x1b[200~" + text + "\x1b[201~")
	s.logs(fmt.Sprintf("paste %d", len(text)))
	s.typed("q")
	s.ends(0)
	if n := strings.Count(s.logged(), "key "); n != 1 {
		t.Errorf("%d keys, want the q alone", n)
	}
}

func TestOrderIsKept(t *testing.T) {
	t.Parallel()
	s := start(t, "screen").ready()
	s.typed("h")
	s.logs("key h")
	s.typed("ab\x1b[200~one\x1b[201~c\x1b[200~two\x1b[201~") // while the program looks elsewhere
	s.typed("d\x1b[<64;1;1Mxq")
	s.note("go on")
	s.ends(0)
	_, got, _ := strings.Cut(s.logged(), "go on\n")
	want := "key a\nkey b\npaste 3 \"one\"\nkey c\npaste 3 \"two\"\nkey d\nwheel -1\nkey x\nkey q\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestWheelAddsUp(t *testing.T) {
	t.Parallel()
	s := start(t, "screen").ready()
	s.typed("h")
	s.logs("key h")
	s.typed(strings.Repeat("\x1b[<65;100;42M", 600))
	s.note("go on")
	s.typed("q")
	s.ends(0)
	total, messages := 0, 0
	for line := range strings.Lines(s.logged()) {
		var n int
		if _, err := fmt.Sscanf(line, "wheel %d", &n); err == nil {
			total += n
			messages++
		}
	}
	if total != 600 || messages > 20 || strings.Count(s.logged(), "key ") != 2 {
		t.Errorf("%d notches in %d messages, log:\n%s", total, messages, s.logged())
	}
}

func TestLateRepliesAreNotTyped(t *testing.T) {
	t.Parallel()
	s := start(t, "screen")
	s.shows("\x1b]11;?")
	s.shows("ready")
	s.typed("a\x1b]11;rgb:fdfd/f6f6/e3e3\x1b\\\x1b[?2004;1$y\x1b[24;80R\x1bP>|x\x1b\\\x1b[?62c")
	s.logs("tty.Background{false}")
	s.typed("q")
	s.ends(0)
	if n := strings.Count(s.logged(), "key "); n != 2 {
		t.Errorf("%d keys, want a and q:\n%s", n, s.logged())
	}
}

func TestFramesAndCaret(t *testing.T) {
	t.Parallel()
	s := start(t, "screen").ready()
	s.shows("\x1b[2;1H\x1b[?25h\x1b[?2026l") // at the end of the first frame
	before := len(s.output())
	s.typed("x") // moves the caret and changes nothing else
	s.until("the caret alone", func() bool { return strings.Contains(s.output()[before:], "\x1b[2;2H\x1b[?25h") })
	for frame := range strings.SplitSeq(s.output(), syncOn) {
		if i := strings.Index(frame, "probe"); i >= 0 && !strings.Contains(frame[i:], syncOff) {
			t.Errorf("a frame is not closed: %q", frame)
		}
	}
	s.typed("q")
	s.ends(0)
}

func TestOpenAlone(t *testing.T) {
	t.Parallel()
	start(t, "screen", "EARLY=1").ends(0)
}

func TestOpenRefusesWhatIsNoTerminal(t *testing.T) {
	t.Parallel()
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := Open(f, f); err == nil || !strings.Contains(err.Error(), "aye run") {
		t.Errorf("error %v", err)
	}
}

func TestSignalsGiveTheTerminalBack(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			s := start(t, "screen").ready()
			_ = s.cmd.Process.Signal(sig)
			s.ends(128 + int(sig))
			s.shows("ended by a signal: " + sig.String())
		})
		t.Run(sig.String()+" while stuck", func(t *testing.T) {
			t.Parallel()
			s := start(t, "screen").ready()
			s.typed("w")
			s.logs("key w")
			_ = s.cmd.Process.Signal(sig)
			s.ends(128 + int(sig))
		})
	}
	t.Run("quit shows all stacks", func(t *testing.T) {
		t.Parallel()
		s := start(t, "screen").ready()
		_ = s.cmd.Process.Signal(syscall.SIGQUIT)
		s.ends(2)
		s.until("all stacks, after the screen was left", func() bool {
			_, after, _ := strings.Cut(s.output(), leaveAlt)
			return strings.Contains(after, "goroutine 1")
		})
	})
}

// A terminal that takes nothing does not keep the program from ending in
// order: it has others to take care of.
func TestSignalWhileTheTerminalIsStuck(t *testing.T) {
	t.Parallel()
	// The race detector may report Bubble Tea's own input reader, which is not
	// waited for at the end of a killed program; not to a stuck terminal, please.
	s := start(t, "screen", "QUIET=1", "GORACE=log_path="+filepath.Join(t.TempDir(), "race")).ready()
	s.mu.Lock() // nobody reads from here on
	s.typed("f")
	s.logs("key f")
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	err := s.cmd.Wait()
	s.mu.Unlock()
	if code := s.cmd.ProcessState.ExitCode(); code != 128+int(syscall.SIGTERM) {
		t.Errorf("%v, exit code %d: it did not end by itself", err, code)
	}
}

// So it does when no signal came and nothing but the end is left to do.
func TestCloseWhileTheTerminalIsStuck(t *testing.T) {
	t.Parallel()
	s := start(t, "screen", "FULL=1")
	s.mu.Lock() // nobody reads from here on
	err := s.cmd.Wait()
	s.mu.Unlock()
	if err != nil {
		t.Errorf("it did not end by itself: %v", err)
	}
}

func TestPanicsGiveTheTerminalBack(t *testing.T) {
	for key, text := range map[string]string{
		"1": "update broke", "2": "view broke", "3": "command broke", "4": "command broke",
	} {
		t.Run(text+" "+key, func(t *testing.T) {
			t.Parallel()
			s := start(t, "screen").ready()
			s.typed(key)
			s.ends(70)
			s.shows("fault in itself: " + text)
			var after string
			s.until("a report that can be read after the screen was left", func() bool {
				_, after, _ = strings.Cut(s.output(), leaveAlt)
				return strings.Contains(after, text) && strings.Contains(after, "program_test.go")
			})
			if strings.Contains(strings.ReplaceAll(after, "\r\n", ""), "\n") {
				t.Errorf("lines do not return to the margin: %.300q", after)
			}
		})
	}
}

func TestTerminalGoesAway(t *testing.T) {
	t.Parallel()
	s := start(t, "screen").ready()
	_ = s.tty.Close()
	_ = s.ptmx.Close()
	done := make(chan error, 1)
	go func() { done <- s.cmd.Wait() }()
	select {
	case err := <-done:
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Error("goes on without a terminal")
	}
}

func TestExecLendsTheTerminal(t *testing.T) {
	t.Parallel()
	s := start(t, "screen").ready()
	s.typed("e")
	s.shows("EDITOR")
	if out := s.output(); !strings.Contains(out, " icanon") || !strings.Contains(out, " echo ") {
		t.Errorf("the editor has no ordinary terminal: %.900q", out)
	}
	if m := s.modes(); m != "" {
		t.Errorf("modes set under the editor: %s", m)
	}
	s.typed("hello\n")
	s.logs("edited <nil>")
	s.shows("got<hello>")
	s.until("our modes", func() bool { return s.modes() == "?1000 ?1004 ?1006 ?1049 ?2004 kitty modifyOtherKeys" })
	s.typed("\x1b[<64;1;1Mzq")
	s.ends(0)
	if log := s.logged(); !strings.Contains(log, "wheel -1\nkey z\nkey q") || strings.Contains(log, "key h") {
		t.Errorf("log:\n%s", log)
	}
}

func TestExecOfNothing(t *testing.T) {
	t.Parallel()
	s := start(t, "screen").ready()
	s.typed("E")
	s.logs("edited fork/exec /no/such/editor")
	s.typed("xq")
	s.ends(0)
}

// A terminal that does not bracket: what it pastes is no keys, and does not end
// in Enter.
func TestPasteWithoutBrackets(t *testing.T) {
	t.Parallel()
	s := start(t, "screen").ready()
	s.typed(strings.Repeat("0123456789abcde\r", 20_000))
	s.until("all of it", func() bool {
		total := 0
		for line := range strings.Lines(s.logged()) {
			var n int
			if _, err := fmt.Sscanf(line, "paste %d", &n); err == nil {
				total += n
			}
		}
		return total == 320_000
	})
	s.typed("q")
	s.ends(0)
	if n := strings.Count(s.logged(), "key "); n != 1 {
		t.Errorf("%d keys, want the q alone", n)
	}
}

func TestSuspendAndResume(t *testing.T) {
	t.Run("Ctrl+Z", func(t *testing.T) {
		t.Parallel()
		s := start(t, "shell").ready()
		s.typed("\x1a")
		s.logs("stopped 1")
		s.until("modes off while stopped", func() bool { return s.modes() == "" })
		if now, err := term.GetState(s.tty.Fd()); err != nil || !reflect.DeepEqual(now, s.found) {
			t.Errorf("line mode while stopped: %v %+v", err, now)
		}
		s.note("fg")
		s.logs("tea.ResumeMsg{}")
		s.until("our modes", func() bool { return s.modes() == "?1000 ?1004 ?1006 ?1049 ?2004 kitty modifyOtherKeys" })
		s.typed("xq")
		s.ends(0)
		if !strings.Contains(s.logged(), "key x\nkey q") {
			t.Errorf("log:\n%s", s.logged())
		}
	})
	t.Run("stopped from outside", func(t *testing.T) {
		t.Parallel()
		s := start(t, "shell").ready()
		_ = syscall.Kill(-foreground(t, s.ptmx), syscall.SIGSTOP)
		s.logs("stopped 1")
		_ = term.Restore(s.tty.Fd(), s.found) // as a shell does
		frames := strings.Count(s.output(), "probe")
		s.note("fg")
		s.until("a new frame", func() bool { return strings.Count(s.output(), "probe") > frames })
		s.typed("x")
		s.logs("key x")
		s.typed("q")
		s.ends(0)
	})
	t.Run("nobody to go back to", func(t *testing.T) {
		t.Parallel()
		s := start(t, "screen").ready() // the leader of its session: the kernel will not stop it
		s.typed("\x1a")
		s.logs("tea.ResumeMsg{}")
		s.typed("q")
		s.ends(0)
	})
}

// BenchmarkPaste1MB is from the terminal to Update, in another process.
func BenchmarkPaste1MB(b *testing.B) {
	s := start(b, "screen").ready()
	text := "\x1b[200~" + strings.Repeat("0123456789abcde\r", 1<<16) + "\x1b[201~"
	for n := 1; b.Loop(); n++ {
		s.typed(text)
		s.until("the paste", func() bool { return strings.Count(s.logged(), "paste ") == n })
	}
}
