package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"aye/llm"
	"aye/llm/llmtest"
)

// TestRunCompacts goes on with a session until it is longer than
// CONTEXT_MAX_CHARS: what is older becomes a summary, which is said, kept, and
// gone on with by the next process.
func TestRunCompacts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(req llm.Request) llmtest.Reply {
		if strings.HasPrefix(req.System, "You summarise") {
			return say("They count words.")
		}
		return say("Counted.")
	})
	run := func(name string, args ...string) result {
		cmd := w.command(append(append([]string{"run"}, args...), "--", name+strings.Repeat(" word", 1200))...)
		cmd.Env = append(cmd.Env, "CONTEXT_MAX_CHARS=30000")
		return finish(t, cmd)
	}
	run("first").expect(t, exitAnswered, "Counted.\n")
	for _, name := range []string{"second", "third", "fourth"} {
		if r := run(name, "-c"); r.code != exitAnswered {
			t.Fatalf("exit code %d\n%s", r.code, r.err)
		}
	}
	run("fifth", "-c").expect(t, exitAnswered, "Counted.\n", "messages → summary, ")
	asked := len(w.model.Requests())
	run("sixth", "-c").expect(t, exitAnswered, "Counted.\n")
	reqs := w.model.Requests()[asked:]
	last := reqs[len(reqs)-1]
	if first := last.Request.Messages[0].Text(); !strings.HasPrefix(first, "[Historical context summary]\nThey count words.\n") {
		t.Errorf("the next process sends first: %.200s", first)
	}
	for _, req := range w.model.Requests() {
		if n := utf8.RuneCount(req.Body); n > 30_000 {
			t.Errorf("a request of %d characters", n)
		}
	}
}
