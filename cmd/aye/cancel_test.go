//go:build !windows

package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"aye/llm/llmtest"
	"aye/tui/tuitest"
)

// family is a command that starts children in every way, one of them in a
// session of its own where setsid is there, each of which writes its number
// down before it sleeps.
const family = `{"cmd":"sh -c 'echo $$ >b; exec sleep 3000' & setsid sh -c 'echo $$ >c; exec sleep 3000' || sh -c 'echo $$ >c; exec sleep 3000' & echo started; wait"}`

// eventually polls until good, up to the patience of a screen test.
func eventually(t *testing.T, what string, good func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(tuitest.Patience); !good(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("after %v still not: %s", tuitest.Patience, what)
		}
	}
}

// members are the processes that wrote themselves down in w's folder.
func (w *world) members() []int {
	var pids []int
	for _, name := range []string{"b", "c"} {
		data, err := os.ReadFile(filepath.Join(w.dir, name))
		if err != nil {
			return nil
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
		if err != nil {
			return nil // not yet written whole
		}
		pids = append(pids, pid)
	}
	return pids
}

func (w *world) waitForFamily() []int {
	w.t.Helper()
	var pids []int
	eventually(w.t, "the command's children run", func() bool {
		pids = w.members()
		return pids != nil
	})
	return pids
}

func expectGone(t *testing.T, pids []int) {
	t.Helper()
	for _, pid := range pids {
		eventually(t, "process "+strconv.Itoa(pid)+" is gone", func() bool { return syscall.Kill(pid, 0) == syscall.ESRCH })
	}
}

func TestEscEndsACommandWithItsChildren(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(call("", "shell", family), say("I hear you.")))
	s := w.screen("run it")
	answer(s, `sleep 3000`, "y")
	pids := w.waitForFamily()
	s.Type("\x1b")
	s.Wait(`interrupted`)
	expectGone(t, pids)
	s.Type("go on\r")
	s.Wait(`I hear you\.`)
	s.Type("\x04")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestLeavingEndsACommandWithItsChildren(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(call("", "shell", family)))
	s := w.screen("--allow", "shell", "--mode", "full", "run it")
	pids := w.waitForFamily()
	s.Type("/quit\r")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	expectGone(t, pids)
}

func TestSignalsInterruptARun(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, llmtest.Steps(call("", "shell", family)))
			cmd := w.command("run", "--mode", "full", "run it")
			var out strings.Builder
			cmd.Stdout = &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			pids := w.waitForFamily()
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
				t.Errorf("exit code %d, want %d", code, exitInterrupted)
			}
			if out.String() != "" {
				t.Errorf("standard output %q", out.String())
			}
			expectGone(t, pids)
			for name, text := range w.kept() {
				if !strings.Contains(text, `"type":"turn_ended"`) {
					t.Errorf("%s does not say how the turn ended", name)
				}
			}
		})
	}
}

// A terminal that closes sends SIGHUP twice, by the kernel and by the shell,
// and a system that goes down SIGTERM too. Nothing of a command is left.
func TestSignalsThatComeTwice(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"screen": {"--mode", "full", "run it"}, "run": {"run", "--mode", "full", "run it"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, llmtest.Steps(call("", "shell", family)))
			s := w.screen(args...)
			pids := w.waitForFamily()
			s.Signal(syscall.SIGHUP)
			s.Signal(syscall.SIGHUP)
			s.Signal(syscall.SIGTERM)
			if code := s.Exit(); code != exitInterrupted {
				t.Errorf("exit code %d, want %d", code, exitInterrupted)
			}
			expectGone(t, pids)
		})
	}
}

// The key is not in the environment of what the model runs.
func TestCommandsDoNotGetTheKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(call("", "shell", `{"cmd":"env >env.txt"}`), say("ok")))
	cmd := w.command("run", "--mode", "full", "look")
	cmd.Env = append(cmd.Env, "OTHER="+secret, "OPENAI_API_KEY=x-openai")
	finish(t, cmd).expect(t, exitAnswered, "ok\n")
	env := w.file("env.txt")
	if env == "" || strings.Contains(env, secret) || strings.Contains(env, "x-openai") {
		t.Errorf("the command's environment:\n%s", env)
	}
}
