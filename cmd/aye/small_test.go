package main

import (
	"encoding/json"
	"strings"
	"testing"

	"aye/llm"
	"aye/llm/llmtest"
)

// A small model's calls, reasoning and ends of turns come as text. From the
// next request on the conversation is as a server wants it.
func TestSmallModels(t *testing.T) {
	t.Parallel()
	const content = "    indented\n\t\"x\" </parameter> é\n\n"
	for _, tt := range []struct {
		name, reply string
		text        string // of the reply, as the next request has it
		tool        string
		args        string
		file        string // written
	}{
		{"Hermes", "I look.\n<tool_call>\n{\"name\": \"read\", \"arguments\": {\"path\": \"a.txt\"}}\n</tool_call>", "I look.\n", "read", `{"path": "a.txt"}`, ""},
		{"Qwen3-Coder", "<tool_call>\n<function=write>\n<parameter=path>\nb.txt\n</parameter>\n<parameter=content>\n" + content + "\n</parameter>\n</function>\n</tool_call>",
			"", "write", `{"path":"b.txt","content":"    indented\n\t\"x\" </parameter> é\n\n"}`, content},
		{"a number stays text", "<tool_call>\n<function=write>\n<parameter=path>\nb.txt\n</parameter>\n<parameter=content>\n123\n</parameter>\n</function>\n</tool_call>",
			"", "write", `{"path":"b.txt","content":"123"}`, "123"},
		{"a number where one is wanted", "<tool_call><function=read><parameter=path>a.txt</parameter><parameter=limit>1</parameter></function></tool_call>", "", "read", `{"path":"a.txt","limit":1}`, ""},
		{"a lone object", `{"name": "read", "arguments": {"path": "a.txt"}}`, "", "read", `{"path": "a.txt"}`, ""},
		{"a fence, a thought, an invented turn", "<think>\nHm.\n</think>\n\n```json\n{\"name\": \"read\", \"arguments\": {\"path\": \"a.txt\"}}\n```", "", "read", `{"path": "a.txt"}`, ""},
		{"an invented result", "<tool_call>{\"name\":\"read\",\"arguments\":{\"path\":\"a.txt\"}}</tool_call>\n<tool_response>\ntwo\n</tool_response>\nIt says two.", "", "read", `{"path":"a.txt"}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, llmtest.Steps(llmtest.Reply{Text: tt.reply, Piece: 3}, say("It says one.<|im_end|>\n<|im_start|>user\nThanks")), "a.txt", "one\n")
			w.run("", "run", "--mode", "full", "do it").expect(t, exitAnswered, "It says one.\n", tt.tool)
			requests := w.model.Requests()
			if len(requests) != 2 {
				t.Fatalf("%d requests", len(requests))
			}
			sent := requests[1].Request.Messages
			if len(sent) != 3 {
				t.Fatalf("the second request has %d messages: %v", len(sent), sent)
			}
			calls := sent[1].Calls()
			if len(calls) != 1 || calls[0].Name != tt.tool || calls[0].Args != tt.args || sent[1].Text() != tt.text {
				t.Errorf("text %q, calls %q", sent[1].Text(), calls)
			}
			result, ok := sent[2].Blocks[0].(llm.ToolResult)
			if !ok || result.CallID != calls[0].ID {
				t.Errorf("the result is %v", sent[2].Blocks)
			}
			if strings.Contains(string(requests[1].Body), "tool_response") || strings.Contains(string(requests[1].Body), "think>") {
				t.Errorf("markup went back: %s", requests[1].Body)
			}
			if got := w.file("b.txt"); got != tt.file {
				t.Errorf("the file is %q, want %q", got, tt.file)
			}
		})
	}
}

// X2, X8: of one whole and one cut call the whole one runs, and the cut one is
// told to come in parts. It is stored as what it was, not as {}.
func TestACutCallIsNotRun(t *testing.T) {
	t.Parallel()
	reply := "<tool_call>\n{\"name\": \"read\", \"arguments\": {\"path\": \"a.txt\"}}\n</tool_call>\n<tool_call>\n<function=write>\n<parameter=path>\nb.txt\n</parameter>\n<parameter=content>\none\ntw"
	w := newWorld(t, llmtest.Steps(llmtest.Reply{Text: reply, Piece: 5}, say("I go on.")), "a.txt", "one\n")
	w.run("", "run", "--mode", "full", "do it").expect(t, exitAnswered, "I go on.\n", "read   a.txt")
	sent := w.model.Requests()[1].Request.Messages
	results := sent[2].Blocks
	if len(results) != 2 || !strings.Contains(results[0].(llm.ToolResult).Text, "one") || !strings.Contains(results[1].(llm.ToolResult).Text, "150 lines") {
		t.Errorf("results %q", results)
	}
	var kept map[string]string
	if err := json.Unmarshal([]byte(sent[1].Calls()[1].Args), &kept); err != nil || !strings.Contains(kept["malformed_arguments"], "tw") {
		t.Errorf("the cut call went back as %q: %v", sent[1].Calls()[1].Args, err)
	}
	if w.file("b.txt") != "" {
		t.Error("it was written")
	}
}

// M69: the reminder is a message of its own, and the answer is the last one.
func TestADodgedCallIsReminded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(say("I will read it.\n\n```bash\ncat a.txt\n```\n"), call("", "read", `{"path":"a.txt"}`), say("It says one.")), "a.txt", "one\n")
	r := w.run("", "run", "--format", "json", "what does it say?")
	if r.code != exitAnswered || !strings.Contains(r.out, `"answer":"It says one."`) {
		t.Errorf("exit %d, %s", r.code, r.out)
	}
	sent := w.model.Requests()[1].Request.Messages
	if got := sent[len(sent)-1]; got.Role != llm.User || !strings.HasPrefix(got.Text(), "<reminder>") {
		t.Errorf("the second request ends in %v", got)
	}
}
