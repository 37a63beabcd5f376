package main

import (
	"strings"
	"testing"

	"aye/llm"
	"aye/llm/llmtest"
)

// told is what the model was told by the results before its last request.
func (w *world) told() string {
	w.t.Helper()
	requests := w.model.Requests()
	messages := requests[len(requests)-1].Request.Messages
	var all []string
	for _, block := range messages[len(messages)-1].Blocks {
		if r, ok := block.(llm.ToolResult); ok {
			all = append(all, r.Text)
		}
	}
	return strings.Join(all, "\n")
}

// What the model has read it has read, also after aye was started again: its
// journal says so. What was changed meanwhile is found.
func TestResumedSessionKnowsWhatWasRead(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, between string
		after         string
		told          string
	}{
		{"as it was", "one\n", "two\n", "Edited a.txt"},
		{"changed", "ONE\none\n", "ONE\none\n", "a.txt was changed since you last saw it"},
	} {
		w := newWorld(t, llmtest.Steps(call("", "read", `{"path":"a.txt"}`), say("Read."), call("", "edit", editArgs), say("Done.")), "a.txt", "one\n")
		w.run("", "run", "read it").expect(t, exitAnswered, "Read.\n")
		w.write("a.txt", tt.between)
		w.run("", "run", "-c", "--mode", "edit", "change it").expect(t, exitAnswered, "Done.\n")
		if got := w.file("a.txt"); got != tt.after || !strings.Contains(w.told(), tt.told) {
			t.Errorf("%s: the file is %q, the model was told %q", tt.name, got, w.told())
		}
	}
}

// A refusal is journaled with what it showed: the next try may come after a
// new start.
func TestRefusalCountsAsReadAfterARestart(t *testing.T) {
	t.Parallel()
	write := call("", "write", `{"path":"a.txt","content":"new\n"}`)
	w := newWorld(t, llmtest.Steps(write, say("Refused."), write, say("Done.")), "a.txt", "one\n")
	w.run("", "run", "--mode", "edit", "write it").expect(t, exitAnswered, "Refused.\n", "not read")
	if got := w.file("a.txt"); got != "one\n" || !strings.Contains(w.told(), "1: one") {
		t.Errorf("the file is %q, the model was told %q", got, w.told())
	}
	w.run("", "run", "-c", "--mode", "edit", "again").expect(t, exitAnswered, "Done.\n")
	if got := w.file("a.txt"); got != "new\n" {
		t.Errorf("the file is %q", got)
	}
}

// A file with keys is read only when the person says so, in every mode but
// full: they see which file and why.
func TestKeysAreReadOnlyWhenAllowed(t *testing.T) {
	t.Parallel()
	read := func() llmtest.Script { return llmtest.Steps(call("", "read", `{"path":".env"}`), say("Done.")) }
	for _, tt := range []struct {
		args  []string
		code  int
		shown bool
	}{
		{nil, exitRefused, false},
		{[]string{"--mode", "plan"}, exitRefused, false},
		{[]string{"--mode", "edit", "--allow", "read"}, exitRefused, false},
		{[]string{"--allow", "read(.env)"}, exitAnswered, true},
		{[]string{"--mode", "full"}, exitAnswered, true},
	} {
		w := newWorld(t, read(), ".env", "TOKEN=hush\n")
		w.run("", append([]string{"run", "look"}, tt.args...)...).expect(t, tt.code, "Done.\n")
		if got := strings.Contains(w.told(), "hush"); got != tt.shown {
			t.Errorf("%v: shown %v: %q", tt.args, got, w.told())
		} else if !tt.shown && !strings.Contains(w.told(), "--allow 'read(.env)'") {
			t.Errorf("%v: how to allow it is not said: %q", tt.args, w.told())
		}
	}
	// A rule with a star was not made for them.
	for cmd, code := range map[string]int{"cat a.txt": exitAnswered, "cat .env": exitRefused, "cat a.txt <.env": exitRefused} {
		w := newWorld(t, llmtest.Steps(call("", "shell", `{"cmd":"`+cmd+`"}`), say("Done.")), ".env", "TOKEN=hush\n", "a.txt", "one\n")
		w.run("", "run", "look", "--allow", "shell(cat *)").expect(t, code, "Done.\n")
		if strings.Contains(w.told(), "hush") {
			t.Errorf("%s shows it: %q", cmd, w.told())
		}
	}
	for key, shown := range map[string]bool{"y": true, "n": false} {
		w := newWorld(t, read(), ".env", "TOKEN=hush\n")
		s := w.screen("--mode", "plan", "look")
		answer(s, `may hold keys or passwords(.|\n)*read \.env(.|\n)*will be sent to the model`, key)
		s.Wait(`Done\.`)
		if got := strings.Contains(w.told(), "hush"); got != shown {
			t.Errorf("%s: shown %v: %q", key, got, w.told())
		}
		s.Type("\x04")
		s.Exit()
	}
}
