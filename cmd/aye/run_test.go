package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"aye/llm"
	"aye/llm/llmtest"
)

const editArgs = `{"path":"a.txt","old":"one","new":"two"}`

func TestRunAnswers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(call("I look.", "read", `{"path":"a.txt"}`), say("It says **one**.\n")), "a.txt", "one\n")
	w.run("", "run", "what", "is", "in a.txt?").expect(t, exitAnswered, "It says **one**.\n", "I look.", "read   a.txt")
	requests := w.model.Requests()
	if len(requests) != 2 {
		t.Fatalf("%d requests, want 2", len(requests))
	}
	if got := requests[0].Request.Messages[0].Text(); got != "what is in a.txt?" {
		t.Errorf("the task was sent as %q", got)
	}
	if got := requests[0].Request.Model; got != "scripted" {
		t.Errorf("model %q", got)
	}
}

func TestRunWithoutTheWordRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(say("yes")))
	w.run("", "is", "it", "so?").expect(t, exitAnswered, "yes\n")
}

func TestRunTakesStandardInput(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, stdin string
		args        []string
		want        string
	}{
		{"appended", "line 1\nline 2\n", []string{"run", "sum up"}, "sum up\n\nline 1\nline 2\n"},
		{"alone", "do this\n", []string{"run"}, "do this\n"},
		{"blank", " \n", []string{"run", "go"}, "go"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, llmtest.Steps(say("ok")))
			w.run(tt.stdin, tt.args...).expect(t, exitAnswered, "ok\n")
			if got := w.model.Requests()[0].Request.Messages[0].Text(); got != tt.want {
				t.Errorf("the task was sent as %q, want %q", got, tt.want)
			}
		})
	}
}

func TestUsageErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		args  []string
		stdin string
		env   []string
		want  string
	}{
		{"no task", []string{"run"}, "", nil, "there is no task"},
		{"no task, no word", nil, "text", nil, "needs a terminal"},
		{"unknown flag", []string{"run", "--modell", "x", "hi"}, "", nil, "did you mean --model?"},
		{"no model", []string{"run", "hi"}, "", []string{"API_MODEL="}, "API_MODEL is not set"},
		{"nothing configured", []string{"run", "hi"}, "", []string{"API_MODEL=", "API_KEY=", "API_BASE_URL="}, "API_KEY, API_BASE_URL and API_MODEL are not set"},
		{"bad context", []string{"run", "hi"}, "", []string{"CONTEXT_MAX_CHARS=abc"}, `CONTEXT_MAX_CHARS is "abc"`},
		{"bad URL", []string{"run", "hi"}, "", []string{"API_BASE_URL=example.com"}, "API_BASE_URL: the base URL has to start with http"},
		{"a relative home", []string{"run", "hi"}, "", []string{"AYE_HOME=state"}, `AYE_HOME is "state", which is not a whole path`},
		{"a rule about no tool", []string{"run", "--deny", "bash(rm*)", "hi"}, "", nil, "there is no tool bash"},
		{"a rule cut short", []string{"run", "--allow", "shell(go test", "hi"}, "", nil, "the closing ) is missing"},
		{"no folder", []string{"run", "-C", "nowhere", "hi"}, "", nil, "nowhere"},
		{"no session", []string{"run", "-c", "hi"}, "", nil, "no session"},
		{"too much", []string{"run", "hi"}, strings.Repeat("x", 1001), []string{"CONTEXT_MAX_CHARS=1000"}, "more than the 1000 characters"},
		{"not text", []string{"run", "hi"}, "\xff\xfe", nil, "is not text"},
		{"the tour without a terminal", []string{"tour"}, "", nil, "needs a terminal"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, llmtest.Steps())
			cmd := w.command(tt.args...)
			cmd.Env = append(cmd.Env, tt.env...)
			cmd.Stdin = strings.NewReader(tt.stdin)
			r := finish(t, cmd)
			r.expect(t, exitUsage, "", "aye: ", tt.want)
			w.noSecret(r)
			if kept := w.kept(); len(kept) != 0 {
				t.Errorf("a usage error leaves %v behind", kept)
			}
		})
	}
}

func TestRunFails(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		script llmtest.Script
		want   string
	}{
		{"refused key", llmtest.Steps(llmtest.Reply{Fault: llmtest.Fault{Status: 401, Body: "bad key " + secret}}), "Check API_KEY"},
		{"no such model", llmtest.Steps(llmtest.Reply{Fault: llmtest.Fault{Status: 404, Body: "no such model"}}), "scripted"},
		{"a web page", llmtest.Steps(llmtest.Reply{Fault: llmtest.Fault{Raw: "<html><title>Welcome</title></html>"}}), "web page"},
		{"cut in the middle", llmtest.Steps(llmtest.Reply{Text: strings.Repeat("words ", 40), Fault: llmtest.Fault{Then: llmtest.Cut, After: 3}}), "words words"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, tt.script)
			w.run("", "run", "hi").expect(t, exitFailed, "", tt.want)
		})
	}
}

func TestRunRefusesWhatNobodyAllowed(t *testing.T) {
	t.Parallel()
	script := func() llmtest.Script {
		return llmtest.Steps(edits(""), say("I could not."))
	}
	tests := []struct {
		name  string
		args  []string
		code  int
		after string
		why   string // of the refusal, for the person: what would be allowed, and nothing that would not
	}{
		{"by itself", nil, exitRefused, "one\n", "refused: Not run: this needs approval, and nobody is there to give it. To allow it, start aye with --allow"},
		{"plan", []string{"--mode", "plan", "--allow", "edit"}, exitRefused, "one\n", "refused: Plan mode is read-only"},
		{"another rule", []string{"--allow", "edit(b.txt)"}, exitRefused, "one\n", "start aye with --allow"},
		{"denied", []string{"--mode", "full", "--deny", "edit"}, exitRefused, "one\n", "refused: The user's rule \"deny edit\" forbids this"},
		{"allowed", []string{"--allow", "edit"}, exitAnswered, "two\n", ""},
		{"allowed here", []string{"--allow", "edit(a.*)"}, exitAnswered, "two\n", ""},
		{"edit mode", []string{"--mode", "edit"}, exitAnswered, "two\n", ""},
		{"full mode", []string{"--mode", "full"}, exitAnswered, "two\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, script(), "a.txt", "one\n")
			r := w.run("", append([]string{"run", "change it"}, tt.args...)...)
			r.expect(t, tt.code, "I could not.\n", "edit   a.txt", tt.why)
			if hint := strings.Contains(r.err, "--allow"); hint != strings.Contains(tt.why, "--allow") {
				t.Errorf("a way out that is none, or none where there is one:\n%s", r.err)
			}
			if got := w.file("a.txt"); got != tt.after {
				t.Errorf("the file is %q, want %q", got, tt.after)
			}
			if tt.name == "by itself" {
				told := w.model.Requests()[1].Request.Messages
				if got := told[len(told)-1].Blocks[1].(llm.ToolResult).Text; !strings.Contains(got, "--allow") {
					t.Errorf("the model was told %q", got)
				}
			}
		})
	}
}

func TestRunStopsAtTheRoundLimit(t *testing.T) {
	t.Parallel()
	n := 0
	script := func(req llm.Request) llmtest.Reply {
		if len(req.Tools) == 0 {
			return say("I read a part.")
		}
		n++
		return call("", "read", `{"path":"a.txt","offset":`+string(rune('0'+n))+`}`)
	}
	w := newWorld(t, script, "a.txt", strings.Repeat("one\n", 20))
	w.run("", "run", "--max-rounds", "3", "read it all").expect(t, exitLimited, "I read a part.\n", "aye: stopped after 3 requests, and one without tools")
	if got := len(w.model.Requests()); got != 4 {
		t.Errorf("%d requests, want 3 and a last one", got)
	}
}

func TestRunJSON(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(
		llmtest.Reply{Calls: edits("").Calls, Usage: llm.Usage{Input: 100, Cached: 50, Output: 7}},
		llmtest.Reply{Text: "Done.", Usage: llm.Usage{Input: 120, Cached: 100, Output: 3}},
	), "a.txt", "one\n")
	r := w.run("", "run", "--format", "json", "--allow", "edit", "change it")
	id := regexp.MustCompile(`"session":"([^"]*)"`).FindStringSubmatch(r.out)
	if id == nil {
		t.Fatalf("no session in %s", r.out)
	}
	r.expect(t, exitAnswered, `{"answer":"Done.","session":"`+id[1]+`","model":"scripted","turns":1,"rounds":2,`+
		`"usage":{"input":220,"output":10,"cached":150,"cost_usd":0},`+
		`"changes":[{"path":"a.txt","kind":"changed","added":1,"removed":1}],"refused":[],"error":null}`+"\n")
	if _, ok := w.kept()["/sessions/"+id[1]+".jsonl"]; !ok {
		t.Errorf("the session %s is not among %v", id[1], w.kept())
	}
}

// The plan goes through the real tool: what the model is told of it, and what a
// person without a screen sees. A list that cannot be is refused, and nothing
// asks (M8, M9, X4).
func TestRunTodo(t *testing.T) {
	t.Parallel()
	list := func(a, b, c string) string {
		return fmt.Sprintf(`{"items":[{"id":"1","text":"read","status":%q},{"id":"2","text":"write","status":%q},{"id":"3","text":"test","status":%q}]}`, a, b, c)
	}
	w := newWorld(t, llmtest.Steps(
		call("", "todo", list("completed", "in_progress", "pending")),
		call("", "todo", list("in_progress", "in_progress", "pending")),
		call("", "todo", list("done", "pending", "pending")),
		call("", "todo", list("pending", "in_progress", "pending")), // back from completed
		call("", "todo", `{"items":[]}`),
		say("Done."),
	))
	w.run("", "run", "do it").expect(t, exitAnswered, "Done.\n",
		"  todo   write  1 of 3 done\n", "failed: only one task can be in_progress, and 2 are", `failed: items[0].status "done" is unknown: it must be pending, in_progress or completed`,
		"  todo   write  0 of 3 done\n", "  todo   (empty)  no todos\n", "tokens: ")
	var told []string
	requests := w.model.Requests()
	for _, m := range requests[len(requests)-1].Request.Messages {
		for _, b := range m.Blocks {
			if r, ok := b.(llm.ToolResult); ok {
				told = append(told, r.Text)
			}
		}
	}
	if len(told) != 5 || told[0] != "[x] read\n[>] write\n[ ] test" || told[3] != "[ ] read\n[>] write\n[ ] test" || told[4] != "(no todos)" {
		t.Errorf("the model was told %q", told)
	}
}

// A server that counts no tokens gets them estimated, and that is said (M67).
func TestRunEstimates(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(llmtest.Reply{Text: "Hello.", Fault: llmtest.Fault{NoUsage: true}}))
	r := w.run("", "run", "hi")
	r.expect(t, exitAnswered, "Hello.\n")
	if !regexp.MustCompile(`(?m)^tokens: \S+ in, \d+ out \(estimated\)$`).MatchString(r.err) {
		t.Errorf("standard error %q", r.err)
	}
}

// The events are the journal, line by line.
func TestRunEvents(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(call("", "read", `{"path":"a.txt"}`), say("Done.")), "a.txt", "one\n")
	r := w.run("", "run", "--format", "events", "read it")
	if r.code != exitAnswered {
		t.Errorf("exit code %d\n%s", r.code, r.err)
	}
	var kept string
	for _, text := range w.kept() {
		kept = text
	}
	if r.out != kept {
		t.Errorf("the events are not the journal\nevents:\n%s\njournal:\n%s", r.out, kept)
	}
	var types []string
	for line := range strings.Lines(r.out) {
		var ev struct{ Type string }
		if err := json.Unmarshal([]byte(line), &ev); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		types = append(types, ev.Type)
	}
	const want = "session_opened prompt_queued turn_started prompt_accepted replied call_prepared call_finished replied turn_ended"
	if got := strings.Join(types, " "); got != want {
		t.Errorf("events\n got %s\nwant %s", got, want)
	}
}

func TestRunWithoutASession(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(say("ok")))
	w.run("", "run", "--no-session", "hi").expect(t, exitAnswered, "ok\n")
	if kept := w.kept(); len(kept) != 0 {
		t.Errorf("--no-session leaves %v behind", kept)
	}
}

func TestRunGoesOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(say("first"), say("second"), say("third")))
	w.run("", "run", "one").expect(t, exitAnswered, "first\n")
	w.run("", "run", "-c", "two").expect(t, exitAnswered, "second\n")
	kept := w.kept()
	if len(kept) != 1 {
		t.Fatalf("kept %v, want one session", kept)
	}
	for name := range kept {
		id := strings.TrimSuffix(filepath.Base(name), ".jsonl")
		w.run("", "run", "-r", id[:len(id)-2], "three").expect(t, exitAnswered, "third\n")
	}
	var said []string
	for _, m := range w.model.Requests()[2].Request.Messages {
		said = append(said, m.Text())
	}
	if got := strings.Join(said, "|"); got != "one|first|two|second|three" {
		t.Errorf("the model was sent %q", got)
	}
	// In another folder there is nothing to go on with.
	r := w.run("", "run", "-c", "-C", t.TempDir(), "four")
	r.expect(t, exitUsage, "", "no session")
}

// A journal that was torn by a crash still goes on, and nothing of it is lost
// but the torn line.
func TestRunGoesOnAfterACrash(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(say("first"), say("second")))
	w.run("", "run", "one").expect(t, exitAnswered, "first\n")
	for name := range w.kept() {
		f, err := os.OpenFile(filepath.Join(w.home, name), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, `{"type":"prompt_que`); err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
	}
	w.run("", "run", "-c", "two").expect(t, exitAnswered, "second\n", "torn off")
}

func TestRunCannotKeepItsSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(say("ok")))
	w.write("file", "")
	cmd := w.command("run", "hi")
	cmd.Env = append(cmd.Env, "AYE_HOME="+filepath.Join(w.dir, "file", "home"))
	finish(t, cmd).expect(t, exitFailed, "", "cannot be saved")
}

// The answer's reader may go away at any time.
func TestRunIntoAClosedPipe(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(call("", "read", `{"path":"a.txt"}`), say("ok")), "a.txt", "one\n")
	for _, format := range []string{"text", "events"} {
		r, wr, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		_ = r.Close()
		cmd := w.command("run", "--format", format, "hi")
		var said strings.Builder
		cmd.Stdout, cmd.Stderr = wr, &said
		err = cmd.Run()
		_ = wr.Close()
		if code := cmd.ProcessState.ExitCode(); code != exitFailed {
			t.Errorf("%s: exit code %d (%v), want %d", format, code, err, exitFailed)
		}
		if strings.Contains(said.String(), "pipe") {
			t.Errorf("%s: it complains of a reader that has had enough: %s", format, said.String())
		}
	}
}

// The whole first request, all tools included, stays small: it is paid for
// with every request.
func TestFirstRequestIsSmall(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(say("ok")))
	w.run("", "run", "hi").expect(t, exitAnswered, "ok\n")
	body := w.model.Requests()[0].Body
	const most = 5500 // less than the leanest other agent sends with four tools
	t.Logf("%d bytes", len(body))
	if len(body) >= most {
		t.Errorf("the first request has %d bytes, want less than %d:\n%s", len(body), most, body)
	}
	if got := len(w.model.Requests()[0].Request.Tools); got != 12 {
		t.Errorf("%d tools, want 12", got)
	}
}

func TestVersionAndHelp(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps())
	if r := w.run("", "version"); r.code != 0 || !regexp.MustCompile(`^aye \S+, go1\.\S+ \w+/\w+`).MatchString(r.out) {
		t.Errorf("aye version: %+v", r)
	}
	for _, args := range [][]string{{"--help"}, {"help"}, {"run", "-h"}, {"help", "run"}, {"tour", "--help"}} {
		if r := w.run("", args...); r.code != 0 || !strings.HasPrefix(r.out, "aye") || r.err != "" {
			t.Errorf("aye %v: %+v", args, r)
		}
	}
	if r := w.run("", "help", "rnu"); r.code != exitUsage || !strings.Contains(r.err, "aye help run") {
		t.Errorf("aye help rnu: %+v", r)
	}
}
