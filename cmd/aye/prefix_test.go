package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"aye/llm"
	"aye/llm/llmtest"
)

// Servers keep what they have read of a conversation by its first bytes. So
// each request begins with the one before: in the turn, in the next one, after
// a turn that broke, and after aye was started again.
func TestEachRequestBeginsWithTheOneBefore(t *testing.T) {
	t.Parallel()
	reads := llmtest.Reply{Text: "I look <at> both.", Thinking: "Hm & so on.", Calls: []llm.ToolCall{
		{Name: "read", Args: `{"path":"a.txt"}`}, {Name: "glob", Args: `{ "pattern": "*.txt" }`}, {Name: "read", Args: `not JSON`}}}
	w := newWorld(t, llmtest.Steps(
		reads, call("", "edit", editArgs), call("", "shell", `{"cmd":"echo hi"}`), say("Done."),
		call("", "read", `{"path":"a.txt"}`), llmtest.Reply{Fault: llmtest.Fault{Status: 400, Body: "no"}},
		say("Here I am."),
	), "a.txt", "one\n")
	w.run("", "run", "--mode", "edit", "change it").expect(t, exitRefused, "Done.\n")
	w.run("", "run", "-c", "look again").expect(t, exitFailed, "")
	w.run("", "run", "-c", "are you there?").expect(t, exitAnswered, "Here I am.\n")

	type request struct {
		Model    string
		Tools    json.RawMessage
		Messages []json.RawMessage
	}
	var before request
	for i, r := range w.model.Requests() {
		var now request
		if err := json.Unmarshal(r.Body, &now); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			before = now
			continue
		}
		if now.Model != before.Model || !bytes.Equal(now.Tools, before.Tools) {
			t.Errorf("request %d: %s with the tools %s, before %s with %s", i+1, now.Model, now.Tools, before.Model, before.Tools)
		}
		if len(now.Messages) <= len(before.Messages) {
			t.Fatalf("request %d has %d messages, the one before %d", i+1, len(now.Messages), len(before.Messages))
		}
		for j, m := range before.Messages {
			if !bytes.Equal(now.Messages[j], m) {
				t.Errorf("request %d, message %d: %s, before %s", i+1, j+1, now.Messages[j], m)
			}
		}
		before = now
	}
}
