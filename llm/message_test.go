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

// TestSizeOfTexts holds the guess against what real tokenizers were measured
// to say: bytes a token of Go 3.85, of prose 5.2, of Chinese 4.2, of JSON 2.4.
func TestSizeOfTexts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text     string
		perToken float64
	}{
		"code":    {strings.Repeat("\tif err != nil {\n\t\treturn nil, err\n\t}\n", 50), 3.85},
		"prose":   {strings.Repeat("The quick brown fox jumps over the lazy dog. ", 50), 5.2},
		"Chinese": {strings.Repeat("我们在这里修改一个文件。", 50), 4.2},
		"JSON":    {"[" + strings.Repeat(`{"id":17,"ok":true},`, 50) + "{}]", 2.4},
	} {
		got, real := float64(llm.TextSize(c.text).Tokens), float64(len(c.text))/c.perToken
		if got < real*0.95 || got > real*1.55 {
			t.Errorf("%s: %.0f tokens, and really about %.0f", name, got, real)
		}
	}
	if got := llm.TextSize("a\"b\\\n\x00ä日😀").Chars; got != 1+2+1+2+2+6+1+1+1 {
		t.Errorf("%d characters", got)
	}
	thought := llm.Message{Role: llm.Assistant, Blocks: []llm.Block{llm.Thinking{Text: strings.Repeat("hm ", 999)}, llm.Text{Text: "x"}}}
	if got := thought.Size().Tokens; got > 10 {
		t.Errorf("reasoning does not go back, and has %d tokens", got)
	}
	if thought.Estimate() < 500 {
		t.Error("reasoning was written, and is not counted")
	}
}

// BenchmarkSize measures what a message costs when it enters a conversation.
func BenchmarkSize(b *testing.B) {
	m := llm.UserText(strings.Repeat("\tif err != nil {\n\t\treturn nil, err\n\t}\n", 1000))
	b.SetBytes(int64(len(m.Text())))
	for b.Loop() {
		m.Size()
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
