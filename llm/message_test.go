package llm_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"aye/llm"
)

var full = llm.Message{Role: llm.Assistant, Blocks: []llm.Block{
	llm.Thinking{Text: "hm", Signature: "s", Model: "m"}, llm.Text{Text: "a <b> 界"}, llm.Image{MIME: "image/png", Data: []byte{0, 255}},
	llm.ToolCall{ID: "a", Name: "read", Args: `{"path": "x"}`}, llm.ToolCall{ID: "b", Name: "read", Args: "{broken"},
	llm.ToolResult{CallID: "a", Name: "read", Text: "ok", Failed: true},
}}

func TestMessageJSON(t *testing.T) {
	t.Parallel()
	for _, m := range []llm.Message{full, llm.UserText("hello"), {Role: llm.User}} {
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var got llm.Message
		if err := json.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, m) {
			t.Errorf("%s became %v: %v", data, got, err)
		}
	}
	for in, says := range map[string]string{
		`{"role":"user","blocks":[{"type":"video","data":{}}]}`:        `unknown block type "video"`,
		`{"role":"user","blocks":[{"type":"text","data":{"text":1}}]}`: "cannot unmarshal",
		`{"role":"user","blocks":7}`:                                   "cannot unmarshal",
	} {
		var m llm.Message
		if err := json.Unmarshal([]byte(in), &m); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", in, err)
		}
	}
}

func TestMessageViews(t *testing.T) {
	t.Parallel()
	if calls := full.Calls(); len(calls) != 2 || calls[0].ID != "a" || calls[1].Args != "{broken" {
		t.Errorf("calls %v", calls)
	}
	if full.Text() != "a <b> 界" {
		t.Errorf("text %q", full.Text())
	}
}

// What was read once is written and read again as the same message.
func FuzzMessageJSON(f *testing.F) {
	data, err := json.Marshal(full)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"role":"user","blocks":null}`))
	f.Add([]byte(`{"blocks":[{"type":"call","data":null}]}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		var m, again llm.Message
		if json.Unmarshal(in, &m) != nil {
			return
		}
		out, err := json.Marshal(m)
		if err != nil {
			t.Fatalf("%v cannot be written: %v", m, err)
		}
		if err := json.Unmarshal(out, &again); err != nil {
			t.Fatalf("%s cannot be read: %v", out, err)
		}
		second, err := json.Marshal(again)
		if err != nil || string(second) != string(out) {
			t.Errorf("%s became %s: %v", out, second, err)
		}
	})
}

func TestEstimate(t *testing.T) {
	t.Parallel()
	prose, args := strings.Repeat("word ", 700), `{"a":"`+strings.Repeat("x", 2400)+`"}`
	m := llm.Message{Role: llm.Assistant, Blocks: []llm.Block{llm.Text{Text: prose}, llm.ToolCall{Name: "x", Args: args}}}
	if got := m.Estimate(); got < 1950 || got > 2050 {
		t.Errorf("3500 bytes of prose and 2400 of JSON: %d tokens", got)
	}
	r := llm.Request{System: prose, Messages: []llm.Message{m}, Tools: []llm.ToolSpec{{Schema: json.RawMessage(args)}}}
	if got := r.Estimate(); got < 3950 || got > 4050 {
		t.Errorf("the request: %d tokens", got)
	}
}

func TestErrorsSpeak(t *testing.T) {
	t.Parallel()
	cause := errors.New("cause")
	for want, e := range map[string]*llm.Error{
		"It failed.": {Kind: llm.Broken, Status: 500, Detail: "It failed.", Err: cause}, "overloaded (HTTP 503)": {Kind: llm.Overloaded, Status: 503}, "idle": {Kind: llm.Idle},
	} {
		if e.Error() != want {
			t.Errorf("got %q", e.Error())
		}
	}
	if !errors.Is(&llm.Error{Err: cause}, cause) {
		t.Error("the cause is lost")
	}
	if got := (llm.Usage{Input: 1, Cached: 2, Output: 3}).Add(llm.Usage{Input: 10, Cached: 20, Output: 30, Estimated: true}); got != (llm.Usage{Input: 11, Cached: 22, Output: 33, Estimated: true}) {
		t.Errorf("sum %+v", got)
	}
}
