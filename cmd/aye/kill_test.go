//go:build !windows

package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"aye/llm/llmtest"
)

// job is family in the background: its children have written themselves down
// when the call is over, or soon after.
var job = strings.Replace(family, `{"cmd"`, `{"background":true,"cmd"`, 1)

// expectDead is expectGone for processes whose parent is dead: where nobody
// waits for orphans, as in some containers, what is left of one is no life.
func expectDead(t *testing.T, pids []int) {
	t.Helper()
	began := time.Now()
	for _, pid := range pids {
		eventually(t, fmt.Sprintf("process %d is dead", pid), func() bool {
			if syscall.Kill(pid, 0) == syscall.ESRCH {
				return true
			}
			stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
			return err == nil && strings.Contains(string(stat), ") Z ")
		})
	}
	t.Logf("all were dead %v after aye", time.Since(began).Round(time.Millisecond))
}

// aye that is killed, without a word, takes its commands with it: with a screen
// and without, in front and in the background.
func TestKilledWithItsCommands(t *testing.T) {
	t.Parallel()
	for name, command := range map[string]string{"command": family, "job": job} {
		t.Run(name+" of a run", func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, llmtest.Steps(call("", "shell", command), llmtest.Reply{Text: "never", Delay: time.Hour}))
			cmd := w.command("run", "--mode", "full", "run it")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			pids := w.waitForFamily()
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			expectDead(t, pids)
		})
		t.Run(name+" of the screen", func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, llmtest.Steps(call("", "shell", command), llmtest.Reply{Text: "never", Delay: time.Hour}))
			s := w.screen("--mode", "full", "run it")
			pids := w.waitForFamily()
			s.Signal(os.Kill)
			s.Exit()
			expectDead(t, pids)
		})
	}
}

// A job outlives the turn that started it, and not the session.
func TestJobsEndWithTheProgram(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(call("", "shell", job), call("", "job", `{"id":1}`), say("It runs.")))
	w.run("", "run", "--mode", "full", "start it").expect(t, exitAnswered, "It runs.\n")
	expectDead(t, w.waitForFamily())

	w = newWorld(t, llmtest.Steps(call("", "shell", job), say("It runs."), call("", "job", `{"id":1}`), say("It still runs."), call("", "job", `{"id":1,"stop":true}`), say("It is over.")))
	s := w.screen("start it")
	answer(s, `sleep 3000`, "y")
	s.Wait(`It runs\.`)
	pids := w.waitForFamily()
	s.Type("is it up?\r")
	s.Wait(`It still runs\.`)
	for _, pid := range pids {
		if err := syscall.Kill(pid, 0); err != nil {
			t.Errorf("process %d did not outlive its turn: %v", pid, err)
		}
	}
	s.Type("stop it\r")
	s.Wait(`It is over\.`)
	expectDead(t, pids)
	s.Type("\x04")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
