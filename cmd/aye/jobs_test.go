//go:build !windows

package main

import (
	"strings"
	"testing"

	"aye/llm"
	"aye/llm/llmtest"
)

const (
	server = `{"cmd":"echo up; until [ -e go ]; do sleep 0.01; done; exit 3","background":true}`
	sleep  = `{"cmd":"sleep 3000","background":true}`
)

// heardBy is all that the model was sent as text or results in request n.
func (w *world) heardBy(n int) string {
	w.t.Helper()
	var all []string
	for _, m := range w.model.Requests()[n].Request.Messages {
		all = append(all, m.Text())
		for _, b := range m.Blocks {
			if r, ok := b.(llm.ToolResult); ok {
				all = append(all, r.Text)
			}
		}
	}
	return strings.Join(all, "\n")
}

// A job that ends while nobody does anything is on the screen at once, and the
// next request tells the model.
func TestJobIsFollowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(call("", "shell", server), say("It runs."), say("I see.")))
	s := w.screen("start it")
	answer(s, `shell in the background`, "y")
	s.Wait(`(?s)It runs\..* 1 job `)
	w.write("go", "")
	s.Wait(`! job 1 \(echo up; .*\) ended: exit 3 · `)
	if text := s.Text(); strings.Contains(text, " 1 job ") {
		t.Errorf("the job is still counted:\n%s", text)
	}
	s.Type("and now?\r")
	s.Wait(`I see\.`)
	if heard := w.heardBy(2); !strings.Contains(heard, "<reminder>Job 1 (echo up; until [ -e go ]; do sleep 0.01; done; exit 3) ended: exit 3 · ") {
		t.Errorf("the model was sent\n%s", heard)
	}
	s.Type("\x04")
	if code := s.Exit(); code != 0 || strings.Contains(s.Output(), "ended with aye") {
		t.Errorf("exit code %d, %q", code, s.Output())
	}
}

// Whoever leaves is told what ended with aye; the session that goes on knows
// it, and gives no number twice.
func TestJobsOfTheLastRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(call("", "shell", sleep), say("It runs."),
		call("", "job", `{"id":1}`), call("", "shell", sleep), say("Started anew.")))
	s := w.screen("--mode", "full", "start it")
	s.Wait(`(?s)It runs\..* 1 job `)
	s.Type("/jobs\r")
	s.Wait(`▸ 1  sleep 3000 +running \d s`)
	s.Type("q/quit\r")
	if code := s.Exit(); code != 0 || !strings.Contains(s.Output(), "ended with aye: job 1 sleep 3000\r\nTo go on") {
		t.Errorf("exit code %d, %q", code, s.Output())
	}

	s = w.screen("--mode", "full", "--continue", "is it up?")
	s.Wait(`· job 1 \(sleep 3000\) ended with aye`)
	s.Wait(`(?s)Started anew\..* 1 job `)
	if heard := w.heardBy(2); !strings.Contains(heard, "<reminder>Job 1 (sleep 3000) ended with aye.</reminder>") {
		t.Errorf("the model was sent\n%s", heard)
	}
	if heard := w.heardBy(3); !strings.Contains(heard, "there is no job 1 and none is running: jobs end with aye") {
		t.Errorf("the model was sent\n%s", heard)
	}
	if heard := w.heardBy(4); !strings.Contains(heard, "[job 2 is running, ") {
		t.Errorf("the model was sent\n%s", heard)
	}
	s.Type("/jobs stop 2\r")
	s.Wait(`· job 2 \(sleep 3000\) ended: stopped by the user · `)
	s.Type("\x03\x03")
	if code := s.Exit(); code != 0 || strings.Contains(s.Output(), "ended with aye: ") {
		t.Errorf("exit code %d, %q", code, s.Output())
	}
}

// A run says the same, and its events tell.
func TestJobsOfARun(t *testing.T) {
	t.Parallel()
	steps := []llmtest.Reply{call("", "shell", sleep), call("", "shell", sleep), say("They run.")}
	w := newWorld(t, llmtest.Steps(steps...))
	w.run("", "run", "--mode", "full", "start it").expect(t, exitAnswered, "They run.\n", "ended with aye: job 1 sleep 3000, job 2 sleep 3000")
	w = newWorld(t, llmtest.Steps(steps...))
	r := w.run("", "run", "--mode", "full", "--format", "events", "start it")
	if !strings.Contains(r.out, `"type":"job_started"`) || !strings.Contains(r.out, `"id":2,"command":"sleep 3000"`) {
		t.Errorf("the events are\n%s", r.out)
	}
}

func TestEndedWith(t *testing.T) {
	t.Parallel()
	if got := endedWith(nil); got != "" {
		t.Errorf("got %q", got)
	}
}
