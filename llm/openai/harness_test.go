package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"aye/llm"
	"aye/llm/llmtest"
	"aye/llm/openai"
)

const testKey = "sk-secret-0123456789"

// question is a request with two tools.
func question() llm.Request {
	schema := json.RawMessage(`{"type":"object"}`)
	return llm.Request{
		Model: "m", System: "s", Messages: []llm.Message{llm.UserText("hello")},
		Tools: []llm.ToolSpec{{Name: "read", Doc: "Reads.", Schema: schema}, {Name: "edit", Doc: "Edits.", Schema: schema}},
	}
}

// heard is what a stream yielded: deltas put together, and its end.
type heard struct {
	text, thinking string
	names          []string // of the calls, by the order of their first delta
	args           []string
	ids            []string
	done           *llm.Done
	err            error
}

func hear(t *testing.T, ctx context.Context, c llm.Client, req llm.Request) heard {
	t.Helper()
	var h heard
	index := map[string]int{}
	for ev, err := range c.Stream(ctx, req) {
		if h.done != nil || h.err != nil {
			t.Errorf("after the end came %v %v", ev, err)
		}
		if h.err = err; err != nil {
			continue
		}
		switch ev := ev.(type) {
		case llm.TextDelta:
			h.text += ev.Text
		case llm.ThinkingDelta:
			h.thinking += ev.Text
		case llm.CallDelta:
			i, ok := index[ev.ID]
			if !ok {
				i = len(h.ids)
				index[ev.ID] = i
				h.ids, h.names, h.args = append(h.ids, ev.ID), append(h.names, ""), append(h.args, "")
			}
			h.names[i] = ev.Name
			h.args[i] += ev.Args
		case llm.Done:
			h.done = &ev
		case llm.Retrying:
		}
	}
	h.check(t)
	return h
}

// check holds deltas and Done against each other.
func (h heard) check(t *testing.T) {
	t.Helper()
	if (h.done == nil) == (h.err == nil) {
		t.Fatalf("Done %v and error %v", h.done, h.err)
	}
	if h.done == nil {
		return
	}
	thinking := ""
	var calls []llm.ToolCall
	for _, b := range h.done.Message.Blocks {
		switch b := b.(type) {
		case llm.Thinking:
			thinking += b.Text
		case llm.ToolCall:
			calls = append(calls, b)
		}
	}
	if h.done.Message.Text() != h.text || thinking != h.thinking || len(calls) != len(h.ids) {
		t.Errorf("deltas %q, %q and %d calls; Done %v", h.text, h.thinking, len(h.ids), h.done.Message)
		return
	}
	for i, c := range calls {
		if c.ID != h.ids[i] || c.Name != h.names[i] || c.Args != h.args[i] {
			t.Errorf("call %v, in deltas %s %s %s", c, h.ids[i], h.names[i], h.args[i])
		}
	}
}

// kind is the kind of h's error, "" without one.
func (h heard) kind() llm.Kind {
	var e *llm.Error
	if errors.As(h.err, &e) {
		return e.Kind
	}
	return ""
}

// over returns a client whose requests h answers in this process.
func over(h http.Handler) *openai.Client {
	return openai.New(openai.Options{BaseURL: "https://api.test/v1", Key: testKey, Transport: llmtest.Transport(h)})
}

// raw answers with body as it stands.
func raw(body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, body)
	})
}

// answered is what a client makes of body.
func answered(t *testing.T, body string) heard {
	t.Helper()
	return hear(t, t.Context(), over(raw(body)), question())
}

// sse writes chunks as events, without an end.
func sse(chunks ...string) string {
	var b strings.Builder
	for _, c := range chunks {
		b.WriteString("data: " + c + "\n\n")
	}
	return b.String()
}

// stop is the usual end of a stream.
var stop = sse(`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`) + "data: [DONE]\n\n"

// deltas writes each as the delta of a chunk, and the usual end.
func deltas(all ...string) string {
	chunks := make([]string, len(all))
	for i, d := range all {
		chunks[i] = `{"choices":[{"index":0,"delta":` + d + `,"finish_reason":null}]}`
	}
	return sse(chunks...) + stop
}
