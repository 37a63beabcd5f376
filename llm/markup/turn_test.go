package markup_test

import (
	"context"
	"strings"
	"testing"

	"aye/llm"
	"aye/llm/llmtest"
	"aye/llm/markup"
	"aye/llm/openai"
)

// M35: what a model invents after its turn is not its answer.
func TestInventedTurns(t *testing.T) {
	call := `<tool_call>{"name":"read","arguments":{"path":"a.go"}}</tool_call>`
	for _, s := range []sample{
		{name: "ChatML", raw: "It is done.<|im_end|>\n<|im_start|>user\nThanks!<|im_end|>\n<|im_start|>assistant\nYes.", text: "It is done."},
		{name: "the mark alone", raw: "It is done.<|im_end|>", text: "It is done."},
		{name: "and a line", raw: "It is done.\n<|im_end|>\n", text: "It is done.\n"},
		{name: "no end, a beginning", raw: "It is done.\n<|im_start|>user\nThanks!", text: "It is done.\n"},
		{name: "the words after it", raw: "It is done.<|im_end|>\nuser\nThanks!", text: "It is done."},
		{name: "endoftext", raw: "It is done.<|endoftext|>Human: write a poem", text: "It is done."},
		{name: "Llama", raw: "It is done.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nThanks", text: "It is done."},
		{name: "Gemma", raw: "It is done.<end_of_turn>\n<start_of_turn>user\nThanks", text: "It is done."},
		{name: "Phi", raw: "It is done.<|end|><|user|>Thanks<|end|>", text: "It is done."},
		{name: "Mistral", raw: "It is done.</s>[INST] Thanks [/INST]", text: "It is done."},
		{name: "Mistral, alone", raw: "It is done.</s>", text: "It is done."},
		{name: "DeepSeek", raw: "It is done.<｜end▁of▁sentence｜><｜User｜>Thanks", text: "It is done."},
		{name: "after a call", raw: call + "<|im_end|>\n<|im_start|>user\n<tool_response>package a</tool_response>", calls: readA},
		{name: "a result", raw: call + "\n<tool_response>\npackage a\n</tool_response>\nIt is package a.", calls: readA},
		{name: "a second call behind", raw: call + "<|im_end|>\n<|im_start|>assistant\n" + call, calls: readA},
	} {
		try(t, s, llm.EndTurn, ask())
	}
	// A conversation about such marks keeps them.
	req := ask(llm.UserText("What does <|im_end|> do in ChatML?"))
	text := "It ends a message:\n\n<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n"
	try(t, sample{name: "about it", raw: strings.ReplaceAll(text, "<|im_start|>", ""), text: strings.ReplaceAll(text, "<|im_start|>", "")}, llm.EndTurn, req)
}

// The request for an invented turn is ended: nobody waits for the rest.
func TestAnInventedTurnEndsTheRequest(t *testing.T) {
	server := llmtest.NewServer(llmtest.Steps(llmtest.Reply{
		Text:  "It is done.<|im_end|>\n<|im_start|>user\n" + strings.Repeat("and again ", 100),
		Fault: llmtest.Fault{Then: llmtest.Stall, After: 20},
	}))
	if err := server.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	h := listen(t, markup.New(openai.New(openai.Options{BaseURL: server.URL()})), ask())
	if h.err != nil || h.done.Message.Text() != "It is done." || h.text != "It is done." {
		t.Errorf("%v, text %q", h.err, h.text)
	}
	if u := h.done.Usage; !u.Estimated || u.Input <= 0 || u.Output <= 0 {
		t.Errorf("usage %+v", u)
	}
}

// M7: a thought is no answer.
func TestThoughts(t *testing.T) {
	for _, s := range []sample{
		{name: "think", raw: "<think>\nHm, 界.\n\nYes.\n</think>\n\nIt is so.", thought: "Hm, 界.\n\nYes.", text: "It is so."},
		{name: "in one line", raw: "<think>Hm.</think>It is so.", thought: "Hm.", text: "It is so."},
		{name: "blanks before", raw: "\n <think>Hm.</think>\nIt is so.\n", thought: "Hm.", text: "It is so.\n"},
		{name: "empty", raw: "<think>\n\n</think>\n\nIt is so.", text: "It is so."},
		{name: "thinking", raw: "<thinking>Hm.</thinking>\nIt is so.", thought: "Hm.", text: "It is so."},
		{name: "Magistral", raw: "[THINK]Hm.[/THINK]It is so.", thought: "Hm.", text: "It is so."},
		{name: "code in it", raw: "<think>\n```\nx\n</think>\nIt is so.", thought: "```\nx", text: "It is so."},
		{name: "a call in it", raw: "<think>\nI could <tool_call>{\"name\":\"read\",\"arguments\":{}}</tool_call>\n</think>\nNo.", thought: "I could <tool_call>{\"name\":\"read\",\"arguments\":{}}</tool_call>", text: "No."},
		{name: "later", raw: "First.\n<think>\nHm.\n</think>\nThen.", thought: "Hm.", text: "First.\n\nThen."},
		{name: "no end", raw: "<think>\nHm.", thought: "Hm."},
		{name: "the answer speaks of it", raw: "<think>Hm.</think>Models write </think> at the end.\n</think>\n", thought: "Hm.", text: "Models write </think> at the end.\n</think>\n"},
	} {
		try(t, s, llm.EndTurn, ask())
	}
	about := "So it looks:\n<think>\nHm.\n</think>\nIt is so."
	try(t, sample{name: "asked about", raw: about, text: about}, llm.EndTurn, ask(llm.UserText("What are <think> and </think>?")))
}

// A reply that is nothing but a thought, and ends in a call, means the call.
func TestCallsInsideAThought(t *testing.T) {
	call := "<tool_call>\n{\"name\":\"read\",\"arguments\":{\"path\":\"a.go\"}}\n</tool_call>"
	for _, s := range []sample{
		{name: "never closed", raw: "<think>\nI read it.\n" + call, thought: "I read it.\n" + call, calls: readA},
		{name: "closed, and nothing", raw: "<think>\nI read it.\n" + call + "\n</think>\n", thought: "I read it.\n" + call, calls: readA},
		{name: "not at the end", raw: "<think>\n" + call + "\nNo, better not.\n</think>\n", thought: call + "\nNo, better not."},
		{name: "without a tag", raw: "<think>\n" + `{"name":"read","arguments":{"path":"a.go"}}` + "</think>", thought: `{"name":"read","arguments":{"path":"a.go"}}`},
	} {
		try(t, s, llm.EndTurn, ask())
	}
	inner := llmtest.NewClient(llmtest.Steps(llmtest.Reply{Thinking: "I read it.\n" + call}))
	h := listen(t, markup.New(inner), ask())
	if m := h.done.Message; calls(m) != readA || m.Text() != "" || thinking(m) != "I read it.\n"+call {
		t.Errorf("in its own field: %q, text %q, thought %q", calls(m), m.Text(), thinking(m))
	}
}

// Some templates take <think> away: then only the end tells that it was a
// thought, and the next reply of that model is known to begin with one.
func TestAThoughtWithoutItsOpeningTag(t *testing.T) {
	reply := llmtest.Reply{Text: "Hm. Let me see.\nYes.\n</think>\n\nIt is so.", Piece: 3}
	c := markup.New(llmtest.NewClient(llmtest.Steps(reply, reply,
		llmtest.Reply{Text: "No thought <b>this</b> time. " + `<tool_call>{"name":"read","arguments":{"path":"a.go"}}</tool_call>`, Piece: 3},
		llmtest.Reply{Text: "Nor now.", Piece: 3}, reply,
		llmtest.Reply{Text: "Only thoughts, up to the", Piece: 3, Stop: llm.MaxTokens})))
	const thought, text = "Hm. Let me see.\nYes.", "It is so."
	first := listen(t, c, ask())
	if m := first.done.Message; thinking(m) != thought || m.Text() != text {
		t.Errorf("first: thought %q, text %q", thinking(m), m.Text())
	}
	second := listen(t, c, ask())
	if m := second.done.Message; second.thought != thought || second.text != text || thinking(m) != thought || m.Text() != text {
		t.Errorf("second: deltas %q and %q, Done %q and %q", second.thought, second.text, thinking(m), m.Text())
	}
	third := listen(t, c, ask())
	if m := third.done.Message; third.text != "No thought <b>this</b> time. " || m.Text() != third.text || thinking(m) != "" || calls(m) != readA {
		t.Errorf("third: deltas %q, Done %q, %q, calls %q", third.text, thinking(m), m.Text(), calls(m))
	}
	if fourth := listen(t, c, ask()); fourth.text != "Nor now." || fourth.thought != "" {
		t.Errorf("fourth: %q, %q", fourth.thought, fourth.text)
	}
	listen(t, c, ask())
	if sixth := listen(t, c, ask()); sixth.text != "" || thinking(sixth.done.Message) != "Only thoughts, up to the" || sixth.done.Stop != llm.MaxTokens {
		t.Errorf("sixth: %q, %q", sixth.thought, sixth.text)
	}
}

// Prose that was held back is not lost when the reply breaks; a reply of which
// nothing was passed on can be asked for again.
func TestBrokenReplies(t *testing.T) {
	for _, tt := range []struct {
		name, raw string
		want      string
	}{
		{"held back", "It is <tool_", "It is <tool_"},
		{"in a fence", "See:\n```json\n{\"name\": \"rea", "See:\n```json\n{\"name\": \"rea"},
		{"nothing passed on", "<tool_call>\n{\"na", ""},
		{"in a call", `<tool_call>{"name":"read","arguments":{"pa`, ""},
	} {
		inner := llmtest.NewClient(llmtest.Steps(llmtest.Reply{Text: tt.raw, Piece: 1, Fault: llmtest.Fault{Then: llmtest.Cut, After: len(tt.raw)}}))
		h := listen(t, markup.New(inner), ask())
		if h.err == nil || h.text != tt.want {
			t.Errorf("%s: %v, text %q", tt.name, h.err, h.text)
		}
	}
}

// Leaving in the middle of held text leaves nothing behind.
func TestLeaving(t *testing.T) {
	c := markup.New(llmtest.NewClient(func(llm.Request) llmtest.Reply {
		return llmtest.Reply{Text: "One two. <tool_call>{\"name\":\"read\",\"arguments\":{\"path\":\"a\"}}</tool_call>", Piece: 2}
	}))
	for n := range 12 {
		seen := 0
		for range c.Stream(context.Background(), ask()) {
			if seen++; seen > n {
				break
			}
		}
		if seen != n+1 {
			t.Errorf("left after %d of %d events", seen, n+1)
		}
	}
}
