package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"aye/agent"
	"aye/llm"
	"aye/tools"
)

func reply(text string, calls ...llm.ToolCall) agent.Replied {
	m := llm.Message{Role: llm.Assistant, Blocks: []llm.Block{llm.Text{Text: text}}}
	for _, c := range calls {
		m.Blocks = append(m.Blocks, c)
	}
	return agent.Replied{Message: m, Usage: llm.Usage{Input: 10, Output: 2}}
}

func cut(text string) agent.Replied {
	ev := reply(text)
	ev.Cut = true
	return ev
}

// aTurn is a turn that edits a file, with how that ended.
func aTurn(result tools.Result, end ...agent.Event) []agent.Event {
	return append([]agent.Event{
		agent.SessionOpened{ID: "s1", Model: "m"},
		agent.PromptQueued{ID: 1, Text: "do it"},
		agent.TurnStarted{Turn: 1},
		agent.PromptAccepted{ID: 1, Text: "do it"},
		reply("First I edit.", llm.ToolCall{ID: "c", Name: "edit", Args: "{}"}),
		agent.CallPrepared{CallID: "c", Tool: "edit", Title: "x.go"},
		agent.CallFinished{CallID: "c", Tool: "edit", Result: result},
	}, end...)
}

func TestHeadless(t *testing.T) {
	t.Parallel()
	edited := tools.Result{Status: tools.OK, Text: "ok", View: tools.View{Summary: "+1 −1"}}
	denied := tools.Result{Status: tools.Denied, Text: "Not run: this needs approval.\nMore."}
	late := tools.Result{Status: tools.Failed, Text: "exit_code=-15\n[time limit of 1.0 s reached]\n", View: tools.View{Summary: "time limit · 1.0 s"}}
	ended := func(why agent.Reason, err string) agent.TurnEnded {
		return agent.TurnEnded{Turn: 1, Reason: why, Rounds: 2, Err: err}
	}
	tests := []struct {
		name   string
		events []agent.Event
		code   int
		out    string
		errs   []string
	}{
		{"answered", aTurn(edited, reply("Done.\n\n"), ended(agent.Finished, "")), 0, "Done.\n", []string{"First I edit.\n", "  edit   x.go  +1 −1\n"}},
		{"too late", aTurn(late, reply("Done."), ended(agent.Finished, "")), 0, "Done.\n", []string{"  edit   x.go  failed: time limit · 1.0 s\n"}},
		{"refused", aTurn(denied, reply("Could not."), ended(agent.Finished, "")), 4, "Could not.\n", []string{"  edit   x.go  refused: Not run: this needs approval.\n", "a call was refused"}},
		{"limited", aTurn(edited, reply("I stand here."), ended(agent.Limited, "")), 3, "I stand here.\n", []string{"stopped after 1 request, and one without tools"}},
		{"broken", aTurn(edited, cut("Half an ans"), ended(agent.Broken, "the stream broke off")), 1, "", []string{"Half an ans\n", "the stream broke off"}},
		{"interrupted", aTurn(edited, ended(agent.Cancelled, "")), 130, "", []string{"interrupted"}},
		{"never ended", aTurn(edited), 1, "", []string{"ended before the answer"}},
		{"no answer", aTurn(edited, reply(""), ended(agent.Finished, "")), 0, "", nil},
		{"hostile", aTurn(tools.Result{Status: tools.Failed, Text: "bad \x1b]0;title\aname"}, reply("ok"), ended(agent.Finished, "")), 0, "ok\n", []string{"failed: bad "}},
		{"remarks", aTurn(edited, agent.Reminded{Text: "<reminder>x</reminder>", Why: "the plan is old"},
			agent.Pruned{CallIDs: []string{"1", "2"}, Before: 80_000, After: 35_000}, agent.Compacted{Summary: "s", Dropped: 48, Before: 92_000, After: 11_000, Why: "the context was \x1b[2Jfull"}, reply("ok"), ended(agent.Finished, "")),
			0, "ok\n", []string{"· reminded: the plan is old\n", "· 2 old outputs removed from the context, 80k → 35k tokens\n", "· compacted, because the context was full: 48 messages → summary, 92k → 11k tokens\n", "tokens: 20 in, 4 out\n"}},
		{"a note", aTurn(edited, agent.Noted{Level: agent.Warn, Text: "mind"}, reply("ok"), ended(agent.Finished, "")), 0, "ok\n", []string{"warn: mind\n"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var out, errs bytes.Buffer
			h := newHeadless("text", &out, &errs)
			for _, ev := range tt.events {
				h.take(ev)
			}
			code := report(t.Context(), &errs, h.finish())
			if code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
			if out.String() != tt.out {
				t.Errorf("standard output %q, want %q", out.String(), tt.out)
			}
			for _, want := range tt.errs {
				if !strings.Contains(errs.String(), want) {
					t.Errorf("standard error %q, want %q in it", errs.String(), want)
				}
			}
			if strings.Contains(errs.String(), "\x1b") {
				t.Errorf("a control sequence reached the terminal: %q", errs.String())
			}
		})
	}
}

// Events that mend a session which goes on are not about this task.
func TestHeadlessAfterACrash(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	h := newHeadless("text", &out, &errs)
	for _, ev := range append([]agent.Event{
		agent.SessionOpened{Resumed: true},
		agent.CallFinished{CallID: "old", Tool: "edit", Result: tools.Result{Status: tools.Denied}},
		agent.TurnEnded{Turn: 4, Reason: agent.Broken, Err: "ended in the middle"},
		agent.PromptWithdrawn{ID: 7},
	}, aTurn(tools.Result{Status: tools.OK}, reply("ok"), agent.TurnEnded{Turn: 5, Reason: agent.Finished, Rounds: 2})...) {
		h.take(ev)
	}
	if err := h.finish(); err != nil || out.String() != "ok\n" {
		t.Errorf("error %v, standard output %q", err, out.String())
	}
}

func TestHeadlessTaskNotBegun(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	h := newHeadless("text", &out, &errs)
	for _, ev := range []agent.Event{
		agent.SessionOpened{}, agent.PromptQueued{ID: 1},
		agent.Noted{Level: agent.Fail, Text: "the disk is full"}, agent.PromptWithdrawn{ID: 1},
	} {
		h.take(ev)
	}
	if code := report(t.Context(), &errs, h.finish()); !h.ended || code != exitFailed || !strings.Contains(errs.String(), "the disk is full") {
		t.Errorf("ended %v, exit code %d, standard error %q", h.ended, code, errs.String())
	}
}

// On a terminal words appear as they come, once, and cleaned.
func TestHeadlessLive(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	h := newHeadless("text", &out, &errs)
	h.live = true
	for _, ev := range []agent.Event{
		agent.SessionOpened{}, agent.PromptQueued{ID: 1}, agent.TurnStarted{Turn: 1},
		agent.TextStreamed{Text: "Hel"}, agent.TextStreamed{Text: "lo \x1b[3"}, agent.TextStreamed{Text: "1mred"},
		reply("Hello \x1b[31mred"),
		agent.TurnEnded{Turn: 1, Reason: agent.Finished, Rounds: 1},
	} {
		h.take(ev)
	}
	if err := h.finish(); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "Hello red\n"; got != want {
		t.Errorf("standard output %q, want %q", got, want)
	}
}

func TestHeadlessObject(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	h := newHeadless("json", &out, &errs)
	for _, ev := range aTurn(tools.Result{Status: tools.OK, Text: "ok"},
		agent.ChangeCommitted{CallID: "c", Files: []agent.ChangedFile{{Path: "x.go", Kind: "changed", Added: 1, Removed: 2}}},
		reply("a <b> & c"), agent.TurnEnded{Turn: 1, Reason: agent.Finished, Rounds: 2}) {
		h.take(ev)
	}
	if err := h.finish(); err != nil {
		t.Fatal(err)
	}
	const want = `{"answer":"a <b> & c","session":"s1","model":"m","turns":1,"rounds":2,` +
		`"usage":{"input":20,"output":4,"cached":0,"cost_usd":null},` +
		`"changes":[{"path":"x.go","kind":"changed","added":1,"removed":2}],"refused":[],"error":null}` + "\n"
	if out.String() != want {
		t.Errorf("got  %swant %s", out.String(), want)
	}

	// Of a model whose price is known, what it cost.
	out.Reset()
	h = newHeadless("json", &out, &errs)
	for _, ev := range []agent.Event{
		agent.SessionOpened{ID: "s1", Model: "gpt-4o", Endpoint: "https://api.openai.com/v1"}, agent.PromptQueued{ID: 1}, agent.TurnStarted{Turn: 1},
		agent.Replied{Usage: llm.Usage{Input: 10_000, Cached: 6000, Output: 100}}, agent.TurnEnded{Turn: 1, Reason: agent.Finished, Rounds: 1},
	} {
		h.take(ev)
	}
	if err := h.finish(); err != nil || !strings.Contains(out.String(), `"cached":6000,"cost_usd":0.0185}`) || !strings.Contains(errs.String(), "tokens: 10k in (6k cached), 100 out · $0.018\n") {
		t.Errorf("%v\n%s%s", err, out.String(), errs.String())
	}

	out.Reset()
	h = newHeadless("json", &out, &errs)
	for _, ev := range aTurn(tools.Result{Status: tools.Denied, Text: "no"}, agent.TurnEnded{Turn: 1, Reason: agent.Broken, Err: "no route"}) {
		h.take(ev)
	}
	if code := report(t.Context(), &errs, h.finish()); code != exitFailed {
		t.Errorf("exit code %d, want %d", code, exitFailed)
	}
	var o object
	if err := json.Unmarshal(out.Bytes(), &o); err != nil {
		t.Fatal(err)
	}
	if o.Error == nil || *o.Error != "no route" || len(o.Refused) != 1 || o.Refused[0].Title != "x.go" {
		t.Errorf("object %s", out.String())
	}
}

// What goes wrong around the turn is told, whatever the turn came to.
func TestHeadlessFailureWins(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	h := newHeadless("text", &out, &errs)
	for _, ev := range aTurn(tools.Result{Status: tools.Denied}, reply("ok"), agent.TurnEnded{Turn: 1, Reason: agent.Finished}) {
		h.take(ev)
	}
	h.fail(errors.New("the disk is full"))
	if code := report(t.Context(), &errs, h.finish()); code != exitFailed || !strings.Contains(errs.String(), "the disk is full") {
		t.Errorf("exit code %d, standard error %q", code, errs.String())
	}
	if out.String() != "ok\n" {
		t.Errorf("the answer is lost: %q", out.String())
	}
}

func TestHeadlessTellsOfRetries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out, errs bytes.Buffer
		h := newHeadless("text", &out, &errs)
		h.take(agent.PromptQueued{ID: 1})
		h.take(agent.Waiting{For: agent.ForRetry, Detail: "rate limit", Until: time.Now().Add(8 * time.Second)})
		if got := errs.String(); got != "retrying in 8s: rate limit\n" {
			t.Errorf("said %q", got)
		}
	})
}

// JSON on a terminal is text to it too: nothing in it is obeyed or unseen, and
// it says what it said.
func TestJSONIsInert(t *testing.T) {
	t.Parallel()
	const said = "a\u009b2Jb\x7f\u202ec\u200b\U000e0041 日本 é\x1b]0;t\x07"
	line, err := json.Marshal(said)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	out := &output{to: &b, json: true}
	if n, err := out.Write(line); n != len(line) || err != nil {
		t.Errorf("Write: %d, %v", n, err)
	}
	for _, r := range b.String() {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			t.Errorf("%U is in %s", r, b.String())
		}
	}
	var back string
	if err := json.Unmarshal([]byte(b.String()), &back); err != nil || back != said {
		t.Errorf("%s is %q, %v", b.String(), back, err)
	}
}
