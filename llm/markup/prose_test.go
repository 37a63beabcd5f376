package markup_test

import (
	"fmt"
	"strings"
	"testing"

	"aye/llm"
	"aye/llm/llmtest"
	"aye/llm/markup"
)

// X3: what only looks like a call is prose, byte for byte.
func TestProse(t *testing.T) {
	long := strings.Repeat("This explains at length how a call is written, and what it is for. ", 8)
	call := `{"name": "read", "arguments": {"path":"a.go"}}`
	for _, text := range []string{
		"", " \n", "\n\nHello.\n", "x < y && y > z", "a <b> c </b>", "An unfinished <", "<", "<tool_call", "<tool_call>",
		"The words <tool_call> and </tool_call> are prose.",
		"<tool_call> tag is used for calls.", "Use <tool_call>NAME</tool_call>, they say.",
		"In code: `<tool_call>" + call + "</tool_call>` is one.",
		"```\n<tool_call>" + call + "</tool_call>\n```\n" + long,
		"~~~xml\n<tool_call>" + call + "</tool_call>\n~~~\n" + long,
		"```go\n" + call + "\n```",
		"```python\n<think>\n</think>\n```",
		"<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\"}}</tool_call>",
		"<tool_call>{\"city\": \"Paris\"}</tool_call>", "<tool_call>{}</tool_call>", "<tool_call>[]</tool_call>",
		"<function=name> is the header", "<function=other>\n<parameter=x>\n1\n</parameter>\n</function>",
		"<invoke name=\"other\">", "<tools> are many", "[THINKING] or [TOOL_CALL] no",
		"[1, 2, 3]", "[x](y) and {z}", "{", "[", "{\"a\": 1}", "{\"name\": \"x\"}", "{\"name\": \"read me\"}", "{name: read}", "[{\"name\": \"Bob\", \"age\": 7}]",
		"{\"name\": \"aye\", \"version\": \"1.0\", \"scripts\": {}}",
		"```json\n{\"name\": \"aye\", \"version\": \"1.0\"}\n```\nis a package.json",
		"```json\n" + call + "\n```\n" + long,
		long + "\n```json\n" + call + "\n```", long + "\n" + call,
		"I call it: " + call,
		"Qwen ends a turn with <|im_end|> and begins one with <|im_start|>, then a name.",
		"The mark `<|im_end|>` ends it.\n`<|im_start|>user` begins one.", "```\n<|im_end|>\n<|im_start|>user\n```\nis how.",
		"<s>old</s> is struck out", "It says <|endoftext|> somewhere.", "a <end_of_turn> b",
		"A <think> tag in a sentence and </think> another.", "Use `<think>`:\n<think> it begins",
		"def f():\n    return x[INST]", "😀 界 <|", "text ends in <|im_", "`", "```", "``` ", "~~~", "```js", "```json\n", "```json\n{",
		"- `a`\n- `b\n<b>\n",
	} {
		s := sample{name: text, raw: text, text: text}
		for _, piece := range []int{1, 2, 5, len(text) + 1} {
			inner := llmtest.NewClient(llmtest.Steps(llmtest.Reply{Text: text, Piece: piece}))
			h := listen(t, markup.New(inner), ask())
			if h.text != s.text || h.done.Message.Text() != s.text || len(h.calls) > 0 || h.thought != "" || h.done.Stop != llm.EndTurn {
				t.Errorf("in pieces of %d, %q became %q, Done %q, calls %q, stop %s", piece, text, h.text, h.done.Message.Text(), h.calls, h.done.Stop)
			}
		}
	}
}

// What stands in the conversation is a quotation, however it is written.
func TestQuotations(t *testing.T) {
	call := `<tool_call>{"name": "shell", "arguments": {"cmd":"rm -rf ."}}</tool_call>`
	multi := "<tool_call>\n<function=shell>\n<parameter=cmd>\nrm -rf .\n</parameter>\n</function>\n</tool_call>"
	numbered := "1: # notes\n2: <tool_call>\n3: <function=shell>\n4: <parameter=cmd>\n5: rm -rf .\n6: </parameter>\n7: </function>\n8: </tool_call>\n"
	lone := `{"name": "shell", "arguments": {"cmd":"rm -rf ."}}`
	result := func(text string) llm.Request {
		return ask(llm.UserText("what does it say?"),
			llm.Message{Role: llm.Assistant, Blocks: []llm.Block{llm.ToolCall{ID: "text00001", Name: "read", Args: "{}"}}},
			llm.Message{Role: llm.User, Blocks: []llm.Block{llm.ToolResult{CallID: "text00001", Text: text}}})
	}
	for _, tt := range []struct{ name, reply, file string }{
		{"a call", "It says " + call, "1: " + call},
		{"and more", "It says " + call + " and more", call},
		{"with numbers", "It says:\n" + multi, numbered},
		{"as JSON", lone, "3: " + lone},
		{"with numbers of context", "It says:\n" + multi, strings.ReplaceAll(numbered, ": ", "- ")},
		{"with numbers as grep has them", "It says:\n" + multi, strings.ReplaceAll(numbered, ": ", ":")},
		{"as a diff", "It says:\n" + multi, "@@\n+" + strings.ReplaceAll(multi, "\n", "\n+")},
		{"in JSON", "It says:\n" + call, `{"text": ` + fmt.Sprintf("%q", "a\n"+strings.Replace(call, "{", "\n{", 1)) + "}"},
		{"of many lines in JSON", "It says:\n" + multi, fmt.Sprintf("%q", multi)},
		{"as JSON in a fence", "```json\n" + lone + "\n```", lone},
		{"only a header", "<function=shell>\n<parameter=cmd>rm -rf .</parameter></function>", "x <function=shell><parameter=cmd>rm -rf .</parameter></function>"},
	} {
		h := listen(t, markup.New(llmtest.NewClient(llmtest.Steps(llmtest.Reply{Text: tt.reply, Piece: 3}))), result(tt.file))
		if len(h.calls) > 0 || h.text != tt.reply {
			t.Errorf("%s: the file's words became the call %q, text %q", tt.name, h.calls, h.text)
		}
		// The model's own call is one, though the file has another.
		own := strings.ReplaceAll(tt.reply, "rm -rf .", "ls")
		if h := listen(t, markup.New(llmtest.NewClient(llmtest.Steps(llmtest.Reply{Text: own, Piece: 3}))), result(tt.file)); len(h.calls) != 1 {
			t.Errorf("%s: its own call is %q, text %q", tt.name, h.calls, h.text)
		}
	}
}

// What the project's instructions show as a call is one that they show.
func TestQuotationsOfInstructions(t *testing.T) {
	call := `<tool_call>{"name": "shell", "arguments": {"cmd":"make deploy"}}</tool_call>`
	req := ask(llm.UserText("what does AGENTS.md say?"))
	req.System = "Project instructions (AGENTS.md):\nTo deploy: " + call + "\n"
	for reply, want := range map[string]int{"It says: " + call: 0, strings.ReplaceAll(call, "deploy", "test"): 1} {
		h := listen(t, markup.New(llmtest.NewClient(llmtest.Steps(llmtest.Reply{Text: reply, Piece: 3}))), req)
		if len(h.calls) != want {
			t.Errorf("%q became %q, text %q", reply, h.calls, h.text)
		}
	}
}

// A model that calls as the protocol has it does not call in passing.
func TestNativeCallers(t *testing.T) {
	native := ask(llm.UserText("go"),
		llm.Message{Role: llm.Assistant, Blocks: []llm.Block{llm.ToolCall{ID: "call_1", Name: "read", Args: "{}"}}},
		llm.Message{Role: llm.User, Blocks: []llm.Block{llm.ToolResult{CallID: "call_1", Text: "x"}}})
	example := "This is a call:\n```json\n{\"name\": \"read\", \"arguments\": {\"path\":\"a.go\"}}\n```"
	try(t, sample{name: "an example", raw: example, text: example}, llm.EndTurn, native)
	try(t, sample{name: "nothing else", raw: `{"name": "read", "arguments": {"path":"a.go"}}`, calls: readA}, llm.EndTurn, native)
	try(t, sample{name: "a tag", raw: `Now. <tool_call>{"name": "read", "arguments": {"path":"a.go"}}</tool_call>`, text: "Now. ", calls: readA}, llm.EndTurn, native)

	// Beside native calls nothing in the text is one.
	text := "<tool_call>{\"name\": \"read\", \"arguments\": {\"path\":\"a.go\"}}</tool_call>"
	lone := `{"name": "read", "arguments": {"path":"a.go"}}`
	fence := "```json\n" + lone + "\n```"
	for _, text := range []string{text, lone, fence} {
		inner := llmtest.NewClient(llmtest.Steps(llmtest.Reply{Text: text, Calls: []llm.ToolCall{{ID: "c1", Name: "grep", Args: `{"pattern":"x"}`}}}))
		h := listen(t, markup.New(inner), ask())
		if got := calls(h.done.Message); !strings.HasSuffix(got, `grep {"pattern":"x"}`) {
			t.Errorf("%q beside a native call: %q, text %q", text, got, h.text)
		}
	}

	// Where no tools are offered, what was called before may still be written.
	native.Tools = nil
	try(t, sample{name: "no tools", raw: text, calls: readA}, llm.EndTurn, native)
	none := ask()
	none.Tools = nil
	try(t, sample{name: "no tools at all", raw: text, text: text}, llm.EndTurn, none)
}

// Ids are new in the conversation, and of a form that every server takes.
func TestIDs(t *testing.T) {
	inner := llmtest.NewClient(llmtest.Steps(llmtest.Reply{Text: `{"name": "read", "arguments": {"path":"a"}}{"name": "read", "arguments": {"path":"b"}}`}))
	req := ask(llm.UserText("go"),
		llm.Message{Role: llm.Assistant, Blocks: []llm.Block{llm.ToolCall{ID: "text00001", Name: "read", Args: "{}"}}},
		llm.Message{Role: llm.User, Blocks: []llm.Block{llm.ToolResult{CallID: "text00001", Text: "x"}}})
	h := listen(t, markup.New(inner), req)
	if len(h.calls) != 2 || h.calls[0].ID != "text00002" || h.calls[1].ID != "text00003" {
		t.Errorf("calls %q", h.calls)
	}
}
