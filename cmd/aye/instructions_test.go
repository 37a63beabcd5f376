package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aye/llm"
	"aye/llm/llmtest"
	"aye/tools/workspace"
)

// What people have written down reaches the model: their own for all projects,
// the project's, and a folder's once a call comes to it. A change holds from
// the next turn on.
func TestInstructions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(
		call("", "read", `{"path":"lib/deep/a.txt"}`), say("one"),
		call("", "read", `{"path":"lib/deep/a.txt"}`), say("two"), say("three"), say("four")),
		"AGENTS.md", "\ufeffUse tabs.\r\n",
		"lib/AGENTS.md", "In lib no globals.\n",
		"lib/deep/AGENTS.md", "Deep: no maps.\n", "lib/deep/a.txt", "a\n",
		"other/AGENTS.md", "Not for lib.\n")
	own := filepath.Join(w.home, "AGENTS.md")
	if err := os.MkdirAll(w.home, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own, []byte("Answer in haiku.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.run("", "run", "first").expect(t, exitAnswered, "one\n")
	w.write("AGENTS.md", "Use spaces.\n")
	w.run("", "run", "-c", "second").expect(t, exitAnswered, "two\n")

	requests := w.model.Requests()
	if len(requests) != 4 {
		t.Fatalf("%d requests", len(requests))
	}
	for n, wants := range [][]string{{"Answer in haiku.", "Use tabs."}, {"Answer in haiku.", "Use tabs."}, {"Answer in haiku.", "Use spaces."}, {"Use spaces."}} {
		system := requests[n].Request.System
		for _, want := range wants {
			if !strings.Contains(system, want) {
				t.Errorf("request %d: the system prompt lacks %q", n, want)
			}
		}
		if strings.Contains(system, "globals") || strings.Contains(system, "\ufeff") {
			t.Errorf("request %d: the system prompt has what it should not:\n%s", n, system)
		}
	}
	said := requests[1].Request.Messages
	last := said[len(said)-1].Text()
	outer, inner := strings.Index(last, "In lib no globals."), strings.Index(last, "Deep: no maps.")
	if outer < 0 || inner < outer || strings.Contains(last, "Not for lib.") {
		t.Errorf("after reading in lib/deep the model was told %q", last)
	}
	c := w.talk(sessionWant{})
	for n, words := range []string{"Use nothing.", "Use all."} { // in one session
		w.write("AGENTS.md", words)
		if c.say("go on", ""); !strings.Contains(w.request(4+n).System, words) {
			t.Errorf("turn %d is not told of %q", n+1, words)
		}
	}
	if slices.ContainsFunc(requests[0].Request.Messages, func(m llm.Message) bool { return strings.Contains(m.Text(), "globals") }) {
		t.Error("told before it mattered")
	}
}

// A folder's instructions are told once, and again when they change or when
// the model no longer has them before its eyes.
func TestNestedInstructions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(), "AGENTS.md", "root", "a/AGENTS.md", "one", "a/b/AGENTS.md", "two", "a/b/f", "", "bin/AGENTS.md", "\x00\x01", "empty/AGENTS.md", " \n")
	files, err := openWorkspace(w.dir, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	i := &instructions{files: files}
	for n, step := range []struct {
		paths     []string
		want, why string
	}{
		{[]string{"x.txt", "."}, "", ""},
		{[]string{"a/b/f", "a/b"}, "one two", "what a/AGENTS.md, a/b/AGENTS.md say"},
		{[]string{"a/b/f", "a/g"}, "", ""},
		{[]string{"bin/x", "empty/x", "nowhere/x", "../outside", "/abs"}, "", ""},
	} {
		text, why := i.nested(step.paths)
		if why != step.why {
			t.Errorf("step %d: told of %q, want %q", n, why, step.why)
		}
		for _, want := range strings.Fields(step.want) {
			if !strings.Contains(text, want) {
				t.Errorf("step %d: %q lacks %q", n, text, want)
			}
		}
	}
	w.write("a/AGENTS.md", "changed")
	if text, why := i.nested([]string{"a/b/f"}); why != "what a/AGENTS.md says" || !strings.Contains(text, "changed") {
		t.Errorf("after a change: %q, %q", text, why)
	}
	i.facts.Workspace = w.dir
	for _, words := range []string{"root", "anew"} {
		w.write("AGENTS.md", words)
		if system := i.system(); !strings.Contains(system, words) {
			t.Errorf("AGENTS.md says %q, and the model is told\n%s", words, system)
		}
	}
	i.forget()
	if _, why := i.nested([]string{"a/b/f"}); why != "what a/AGENTS.md, a/b/AGENTS.md say" {
		t.Errorf("after forgetting: %q", why)
	}
}

// A repository whose AGENTS.md is a link to the person's keys does not have
// them sent to the model, where nobody is asked.
func TestInstructionsThatLeadToKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(call("", "ls", `{"path":"a"}`), say("done")), ".env", "KEY=canary\n", "a/f", "")
	for name, target := range map[string]string{"AGENTS.md": ".env", "a/AGENTS.md": "../.env"} {
		if err := os.Symlink(target, filepath.Join(w.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	r := w.run("", "run", "go")
	r.expect(t, exitAnswered, "done\n")
	if !strings.Contains(r.err, "AGENTS.md is not used: it is a link to .env, which may hold keys") {
		t.Errorf("stderr: %s", r.err)
	}
	for n, req := range w.model.Requests() {
		if strings.Contains(req.Request.System, "canary") {
			t.Errorf("request %d: the system prompt has the keys", n)
		}
		for _, m := range req.Request.Messages {
			if strings.Contains(m.Text(), "canary") {
				t.Errorf("request %d: a message has the keys: %s", n, m.Text())
			}
		}
	}
}

// Ten thousand folders of instructions are not told at once: what is told at a
// time is bounded, and so is what is looked for.
func TestNestedInstructionsAreBounded(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("Do as I say.\n", 2000)
	deep := strings.Repeat("d/", 100)
	files := []string{deep + "f", ""}
	for n := range 100 {
		files = append(files, deep[:2*(n+1)]+"AGENTS.md", big)
	}
	w := newWorld(t, llmtest.Steps(), files...)
	ws, err := openWorkspace(w.dir, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	i := &instructions{files: ws}
	told := map[string]bool{}
	for range 10 {
		text, why := i.nested([]string{deep + "f"})
		if len(text) > maxNested+1000 {
			t.Fatalf("%d bytes at a time", len(text))
		}
		if why != "" {
			for name := range strings.SplitSeq(why, ", ") {
				told[name] = true
			}
		}
	}
	if len(told) < 10 || len(told) > maxLevels || !told[deep+"AGENTS.md"] && len(told) == maxLevels {
		t.Errorf("told of %d files, the innermost: %v", len(told), told[deep+"AGENTS.md"])
	}
	many := make([]string, 10_000)
	for n := range many {
		many[n] = strings.Repeat("x/", n%300+1) + "f"
	}
	if got := agentsOf(many); len(got) > maxFiles {
		t.Errorf("%d files are looked for", len(got))
	}
}
