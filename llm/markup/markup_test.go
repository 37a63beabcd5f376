package markup_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"aye/llm"
	"aye/llm/llmtest"
	"aye/llm/markup"
	"aye/llm/openai"
)

func spec(name string, properties ...string) llm.ToolSpec {
	var list []string
	for _, p := range properties {
		key, typ, _ := strings.Cut(p, ":")
		list = append(list, fmt.Sprintf(`%q:{"type":%q}`, key, typ))
	}
	return llm.ToolSpec{Name: name, Schema: json.RawMessage(`{"type":"object","properties":{` + strings.Join(list, ",") + `}}`)}
}

var specs = []llm.ToolSpec{
	spec("read", "path:string", "offset:integer", "limit:integer"),
	spec("write", "path:string", "content:string"),
	spec("edit", "path:string", "old:string", "new:string"),
	spec("grep", "pattern:string", "literal:boolean"),
	spec("shell", "cmd:string", "timeout:integer"),
	spec("todo", "items:array"),
}

func ask(messages ...llm.Message) llm.Request {
	if messages == nil {
		messages = []llm.Message{llm.UserText("go on")}
	}
	return llm.Request{Model: "small", Messages: messages, Tools: specs}
}

// heard is a reply as its deltas tell it, and its end.
type heard struct {
	text, thought string
	calls         []llm.ToolCall // from deltas
	deltas        int
	done          llm.Done
	err           error
}

// listen hears one reply and holds its deltas against its Done.
func listen(t *testing.T, c llm.Client, req llm.Request) heard {
	t.Helper()
	h := heard{}
	for ev, err := range c.Stream(context.Background(), req) {
		if h.err = err; err != nil {
			continue
		}
		h.deltas++
		switch ev := ev.(type) {
		case llm.TextDelta:
			h.text += ev.Text
		case llm.ThinkingDelta:
			h.thought += ev.Text
		case llm.CallDelta:
			if n := len(h.calls); n == 0 || h.calls[n-1].ID != ev.ID {
				h.calls = append(h.calls, llm.ToolCall{ID: ev.ID, Name: ev.Name})
			}
			h.calls[len(h.calls)-1].Args += ev.Args
		case llm.Done:
			h.done = ev
		case llm.Retrying:
			t.Errorf("it retries: %v", ev)
		}
	}
	if h.err == nil {
		if got := fmt.Sprint(h.done.Message.Calls()); got != fmt.Sprint(h.calls) {
			t.Errorf("deltas tell of the calls %q, Done of %q", fmt.Sprint(h.calls), got)
		}
	}
	return h
}

func thinking(m llm.Message) string {
	s := ""
	for _, b := range m.Blocks {
		if b, ok := b.(llm.Thinking); ok {
			s += b.Text
		}
	}
	return s
}

// calls writes calls in one line each.
func calls(m llm.Message) string {
	var lines []string
	for _, c := range m.Calls() {
		lines = append(lines, c.Name+" "+c.Args)
	}
	return strings.Join(lines, "\n")
}

// A sample is a reply as it comes, and what it is.
type sample struct {
	name    string
	raw     string
	text    string
	calls   string
	thought string
	cut     bool // marked as cut by the limit
}

// try plays a sample in pieces of several sizes.
func try(t *testing.T, s sample, stop llm.Stop, req llm.Request) {
	t.Helper()
	for _, piece := range []int{1, 2, 3, 7, 16, len(s.raw) + 1} {
		inner := llmtest.NewClient(llmtest.Steps(llmtest.Reply{Text: s.raw, Stop: stop, Piece: piece}))
		h := listen(t, markup.New(inner), req)
		m := h.done.Message
		if h.err != nil || m.Text() != s.text || calls(m) != s.calls || thinking(m) != s.thought {
			t.Errorf("%s, in pieces of %d: %v\ntext    %q\nwant    %q\ncalls   %q\nwant    %q\nthought %q\nwant    %q",
				s.name, piece, h.err, m.Text(), s.text, calls(m), s.calls, thinking(m), s.thought)
			return
		}
		if h.text != s.text || h.thought != s.thought {
			t.Errorf("%s, in pieces of %d: deltas %q and %q, Done %q and %q", s.name, piece, h.text, h.thought, m.Text(), thinking(m))
		}
		want := stop
		if s.cut {
			want = llm.MaxTokens
		}
		if h.done.Stop != want && h.done.Stop != llm.EndTurn {
			t.Errorf("%s: it stopped for %s", s.name, h.done.Stop)
		}
		if s.cut && h.done.Stop != llm.MaxTokens {
			t.Errorf("%s, in pieces of %d: it does not say that it was cut", s.name, piece)
		}
	}
}

func TestConform(t *testing.T) {
	llmtest.Conform(t, func(baseURL string) llm.Client {
		return markup.New(openai.New(openai.Options{BaseURL: baseURL, Key: "sk-test-key"}))
	})
}

func TestConformWithRetry(t *testing.T) {
	llmtest.Conform(t, func(baseURL string) llm.Client {
		return llm.Retry(markup.New(openai.New(openai.Options{BaseURL: baseURL})), llm.RetryOptions{Attempts: 1})
	})
}
