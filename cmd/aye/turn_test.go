//go:build !windows

package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"aye/agent"
	"aye/llm/llmtest"
	"aye/tools"
)

// The rows of BEHAVIOUR.md about the turn, the request and the calls, T51 to
// T84, from the model's server to its next request.

// T51, T57, M1, M3, M55: the calls of a reply run in order, and their results
// go back in that order, paired by id; a reply without calls ends the turn.
func TestTurnFromRequestToRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(
		calls("shell", `{"cmd":"cat a.txt; echo two >a.txt"}`, "read", `{"path":"a.txt"}`, "nothing", `{}`, "shell", `{"cmd":"cat a.txt"}`), say("ok")), "a.txt", "one\n")
	c := w.talk(sessionWant{})
	end := last[agent.TurnEnded](t, c.say("go", agent.Allow))
	if end.Reason != agent.Finished || end.Rounds != 2 {
		t.Errorf("%+v", end)
	}
	req := w.request(1)
	if len(req.Messages) < 3 || req.Messages[0].Text() != "go" || len(req.Messages[1].Calls()) != 4 {
		t.Fatalf("the model was sent %v", req.Messages)
	}
	var got []string
	for i, r := range results(req) {
		got = append(got, r.Text)
		if want := req.Messages[1].Calls()[i].ID; r.CallID != want {
			t.Errorf("result %d is that of %s, not of %s", i, r.CallID, want)
		}
	}
	if len(got) != 4 || got[0] != "exit_code=0\none\n" || got[1] != "1: two\n" || !strings.Contains(got[2], `there is no tool named "nothing"`) || got[3] != "exit_code=0\ntwo\n" {
		t.Errorf("results %q", got)
	}
}

// T52, W57: at the limit the model says where it stands, and the next turn goes
// on from there.
func TestGoesOnAfterTheRoundLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(call("", "read", `{"path":"a.txt"}`), say("Half of it."), say("All of it.")), "a.txt", "one\n")
	w.run("", "run", "--max-rounds", "1", "do it").expect(t, exitLimited, "Half of it.\n")
	w.run("", "run", "-c", "go on").expect(t, exitAnswered, "All of it.\n")
	var said []string
	for _, m := range w.request(2).Messages {
		said = append(said, string(m.Role)+":"+m.Text())
	}
	if got := strings.Join(said, "|"); got != "user:do it|assistant:|user:|assistant:Half of it.|user:go on" {
		t.Errorf("the model was sent %s", got)
	}
}

// T53, W46: a request that fails leaves what was said, marked as unanswered.
func TestGoesOnAfterAFailedRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(call("", "read", `{"path":"a.txt"}`), llmtest.Reply{Fault: llmtest.Fault{Status: 400, Body: "no luck"}}, say("ok")), "a.txt", "one\n")
	c := w.talk(sessionWant{})
	if end := last[agent.TurnEnded](t, c.say("one", "")); end.Reason != agent.Broken || !strings.Contains(end.Err, "no luck") {
		t.Errorf("%+v", end)
	}
	c.say("two", "")
	var said []string
	for _, m := range w.request(-1).Messages {
		said = append(said, string(m.Role)+":"+m.Text())
	}
	if got := strings.Join(said, "|"); got != "user:one|assistant:|user:|assistant:[an error ended this turn before it was done]|user:two" {
		t.Errorf("the model was sent %s", got)
	}
}

// T54, T55, T105, W32, M28: what was interrupted is told to the model with what
// it had said by then, and what had not begun is known not to have happened.
func TestGoesOnAfterAnInterruption(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(
		calls("shell", `{"cmd":"echo begun; sleep 3000"}`, "shell", `{"cmd":"echo x >made"}`), say("I see.")))
	c := w.talk(sessionWant{})
	c.send(agent.Prompt{Text: "go"})
	c.until(agent.Allow, func(ev agent.Event) bool {
		p, ok := ev.(agent.CallProgress)
		return ok && strings.Contains(p.Text, "begun")
	})
	c.send(agent.Cancel{})
	if end := last[agent.TurnEnded](t, c.until("", is[agent.TurnEnded])); end.Reason != agent.Cancelled {
		t.Errorf("%+v", end)
	}
	if n := len(w.model.Requests()); n != 1 {
		t.Errorf("%d requests after an interruption", n)
	}
	c.say("and now?", "")
	got := results(w.request(1))
	if len(got) != 2 || !strings.Contains(got[0].Text, "begun\n") || !strings.HasSuffix(got[0].Text, "Interrupted; it may have partly happened. Inspect before retrying.") ||
		got[1].Text != "Not run: the turn was interrupted." {
		t.Errorf("results %+v", got)
	}
	if w.file("made") != "" {
		t.Error("the second command ran")
	}
}

// T59, T60, T71, T73, M5, M77, W54: the bytes on the wire.
func TestRequestOnTheWire(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(call("Ünd 界 <b>", "read", `{"path": "a.txt"}`), say("ok")), "a.txt", "é & <x>\n")
	cmd := w.command("run", "grüße 界")
	cmd.Env = append(cmd.Env, "API_BASE_URL="+w.model.URL()+"/")
	finish(t, cmd).expect(t, exitAnswered, "ok\n")
	sent := w.model.Requests()[1]
	if sent.Path != "/v1/chat/completions" || sent.Header.Get("Content-Type") != "application/json" || sent.Header.Get("Authorization") != "Bearer "+secret || !strings.HasPrefix(sent.Header.Get("User-Agent"), "aye/") {
		t.Errorf("%s %v", sent.Path, sent.Header)
	}
	for _, want := range []string{`"grüße 界"`, `Ünd 界 <b>`, `é & <x>`, `"arguments":"{\"path\": \"a.txt\"}"`} {
		if !strings.Contains(string(sent.Body), want) {
			t.Errorf("the body lacks %s:\n%s", want, sent.Body)
		}
	}
	var body struct {
		Messages []struct{ Role string }
		Tools    []struct {
			Function struct {
				Name, Description string
				Parameters        struct {
					Type       string
					Required   []string
					Additional *bool `json:"additionalProperties"`
				}
			}
		}
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(sent.Body, &keys); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(sent.Body, &body); err != nil {
		t.Fatal(err)
	}
	for key := range keys {
		if !slices.Contains([]string{"model", "stream", "stream_options", "messages", "tools"}, key) {
			t.Errorf("the body has %s", key)
		}
	}
	if body.Messages[0].Role != "system" {
		t.Errorf("the first message is of %s", body.Messages[0].Role)
	}
	var names []string
	for _, tool := range body.Tools {
		f := tool.Function
		names = append(names, f.Name)
		if f.Description == "" || f.Parameters.Type != "object" || f.Parameters.Additional == nil || *f.Parameters.Additional || len(f.Parameters.Required) == 0 && f.Name != "ls" {
			t.Errorf("%+v", f)
		}
	}
	const want = "read write append edit patch glob grep ls shell job todo load_skill"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("tools %s, want %s", got, want)
	}
}

// T80, X5, M37, W17: what changes something is asked, and only if it can work;
// what only looks is not.
func TestWhoAsks(t *testing.T) {
	t.Parallel()
	files := []string{"a.txt", "one\n", "sub/b.txt", "two\n", ".agents/skills/brush/SKILL.md", "Paint.\n"}
	for _, tt := range []struct {
		tool, args string
		asks       bool
	}{
		{"read", `{"path":"a.txt"}`, false},
		{"glob", `{"pattern":"**"}`, false},
		{"grep", `{"pattern":"one"}`, false},
		{"ls", `{"path":"."}`, false},
		{"todo", `{"items":[{"text":"a"}]}`, false},
		{"load_skill", `{"name":"brush"}`, false},
		{"write", `{"path":"new.txt","content":"x"}`, true},
		{"append", `{"path":"a.txt","content":"x"}`, true},
		{"edit", `{"path":"a.txt","old":"one","new":"two"}`, true},
		{"patch", `{"patch":"*** Begin Patch\n*** Add File: p.txt\n+x\n*** End Patch\n"}`, true},
		{"shell", `{"cmd":"echo x"}`, true},
		{"write", `{"path":"../new.txt","content":"x"}`, false},
		{"write", `{"path":"sub","content":"x"}`, false},
		{"edit", `{"path":"a.txt","old":"three","new":"x"}`, false},
		{"edit", `{"path":"none.txt","old":"a","new":"x"}`, false},
		{"shell", `{"cmd":"  "}`, false},
		{"read", `{"path":".env"}`, true},
		{"read", `{"path":".git/config"}`, true},
		{"read", `{"path":"id_rsa"}`, true},
		{"write", `{"path":".git/hooks/pre-commit","content":"x"}`, true},
	} {
		w := newWorld(t, llmtest.Steps(calls("read", `{"path":"a.txt"}`), calls(tt.tool, tt.args), say("ok")), append(files, ".env", "KEY=1\n", ".git/config", "[core]\n", "id_rsa", "KEY\n")...)
		c := w.talk(sessionWant{})
		done := last[agent.CallFinished](t, c.say("go", agent.Deny))
		if asked := len(c.asked) > 0; asked != tt.asks {
			t.Errorf("%s %s: asked %v: %s", tt.tool, tt.args, asked, done.Result.Text)
		}
		if tt.asks && (done.Result.Status != tools.Denied || lastResult(t, w.request(-1)) != "The user denied this call.") {
			t.Errorf("%s %s, denied: %s", tt.tool, tt.args, lastResult(t, w.request(-1)))
		}
		if !tt.asks && (done.Result.Status == tools.Denied || strings.Contains(done.Result.Text, "no tool named")) {
			t.Errorf("%s %s is refused: %s", tt.tool, tt.args, done.Result.Text)
		}
		if w.file("a.txt") != "one\n" || w.file("new.txt")+w.file("p.txt") != "" {
			t.Errorf("%s %s changed something", tt.tool, tt.args)
		}
	}
}

// T84, W39: each call is asked anew, unless the person says always.
func TestEachCallIsAskedAnew(t *testing.T) {
	t.Parallel()
	for choice, want := range map[agent.Choice]int{agent.Allow: 2, agent.Always: 1} {
		w := newWorld(t, llmtest.Steps(calls("write", `{"path":"a","content":"1"}`), calls("write", `{"path":"a","content":"2"}`), say("ok")))
		c := w.talk(sessionWant{})
		c.say("go", choice)
		if len(c.asked) != want || w.file("a") != "2" {
			t.Errorf("%s: asked %d times, the file is %q", choice, len(c.asked), w.file("a"))
		}
	}
}

// T79, M17, M51: an error inside a tool is a result, and the turn goes on.
func TestErrorsAreResults(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(
		calls("read", `{"path":"gone.txt"}`, "read", `{`, "glob", `{"pattern":"["}`, "load_skill", `{"name":"none"}`, "Read", `{}`, "shell", `{"cmd":"exit 9"}`), say("ok")))
	c := w.talk(sessionWant{})
	end := last[agent.TurnEnded](t, c.say("go", agent.Allow))
	got := results(w.request(1))
	if end.Reason != agent.Finished || len(got) != 6 {
		t.Fatalf("%+v, %+v", end, got)
	}
	for i, want := range []string{"error: gone.txt does not exist", "error: the arguments stop", "error: ", "error: ", `error: there is no tool named "Read". Did you mean read?`, "exit_code=9"} {
		if !strings.HasPrefix(got[i].Text, want) {
			t.Errorf("result %d: %q, want %q", i, got[i].Text, want)
		}
	}
}

// T96: an edit is of the file as it is when it is made: what somebody else has
// changed elsewhere in it meanwhile is not lost, and nothing is written over
// what nobody has seen.
func TestEditOfAFileThatChangesWhileAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(calls("read", `{"path":"a.txt"}`), call("", "edit", editArgs), call("", "edit", editArgs), say("ok")), "a.txt", "one\nmore\n")
	c := w.talk(sessionWant{})
	c.send(agent.Prompt{Text: "go"})
	asked := 0
	events := c.until("", func(ev agent.Event) bool {
		if q, ok := ev.(agent.ApprovalAsked); ok {
			if asked++; asked == 1 {
				w.write("a.txt", "one\nmore of theirs\n")
			}
			c.send(agent.Answer{CallID: q.CallID, Choice: agent.Allow})
		}
		return is[agent.TurnEnded](ev)
	})
	done := all[agent.CallFinished](events)
	if len(done) != 3 || !failed(done[1]) || done[2].Result.Status != tools.OK {
		t.Fatalf("%+v", done)
	}
	told := results(w.request(2))
	if got := told[len(told)-1].Text; !strings.Contains(got, "changed in the meantime") || !strings.Contains(got, "2: more of theirs") {
		t.Errorf("the model was told %q", got)
	}
	if got := w.file("a.txt"); got != "two\nmore of theirs\n" {
		t.Errorf("the file is %q", got)
	}
}

// T101, BUGS 19: each command starts afresh in the workspace, whatever the one
// before did to its folder and its variables.
func TestCommandsStartAfresh(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(
		calls("shell", `{"cmd":"mkdir d; cd d; X=1; export Y=2; umask 0; rm -rf ../d"}`, "shell", `{"cmd":"pwd; echo [$X$Y]; cat"}`), say("ok")))
	c := w.talk(sessionWant{})
	c.say("go", agent.Allow)
	want := fmt.Sprintf("exit_code=0\n%s\n[]\n", c.info.Workspace)
	if got := lastResult(t, w.request(1)); got != want {
		t.Errorf("the model was told %q, want %q", got, want)
	}
	if system := w.request(0).System; !strings.Contains(system, "each starts afresh in the workspace") {
		t.Errorf("the model is not told so:\n%s", system)
	}
}

// M70: what is outside the workspace is refused in words that help.
func TestOutsideTheWorkspace(t *testing.T) {
	t.Parallel()
	for tool, args := range map[string]string{"read": `{"path":"/etc/hostname"}`, "write": `{"path":"../x","content":"x"}`, "glob": `{"pattern":"../*"}`, "append": `{"path":"../x","content":"x"}`} {
		told, done, w := outcomeOf(t, agent.Allow, nil, tool, args)
		if real := w.request(0).System; !failed(done) || !strings.Contains(told, "outside the workspace") || !strings.Contains(told, "relative to the workspace") ||
			!strings.Contains(real, strings.TrimSuffix(told[strings.Index(told, "the workspace /")+len("the workspace "):], "; use a path relative to the workspace")) {
			t.Errorf("%s: %q", tool, told)
		}
	}
}
