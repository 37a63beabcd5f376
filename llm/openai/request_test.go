package openai_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"aye/llm"
	"aye/llm/llmtest"
	"aye/llm/openai"
)

// sent is the body of the request that req becomes.
func sent(t *testing.T, req llm.Request) string {
	t.Helper()
	body := ""
	h := hear(t, t.Context(), over(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		body = string(data)
		io.WriteString(w, deltas(`{"content":"x"}`))
	})), req)
	if h.err != nil {
		t.Fatal(h.err)
	}
	return body
}

func TestRequestBytes(t *testing.T) {
	t.Parallel()
	req := llm.Request{
		Model: "m", System: "Be <brief> & 界.",
		Messages: []llm.Message{
			llm.UserText("look"),
			{Role: llm.Assistant, Blocks: []llm.Block{
				llm.Thinking{Text: "hm", Signature: "s", Model: "m"},
				llm.ToolCall{ID: "a", Name: "read", Args: `{"path": "<x>"}`}, llm.ToolCall{ID: "b", Name: "read", Args: ""},
				llm.ToolCall{ID: "c", Name: "read", Args: "path=<x>"}, llm.ToolCall{ID: "d", Name: "read", Args: `[1]`}, llm.ToolCall{ID: "e", Name: "read", Args: `{"cut":`},
			}},
			{Role: llm.User, Blocks: []llm.Block{
				llm.Text{Text: "hurry"},
				llm.ToolResult{CallID: "a", Name: "read", Text: "1 < 2"}, llm.ToolResult{CallID: "b", Text: "", Failed: true},
			}},
			llm.UserText("again"),
			{Role: llm.Assistant, Blocks: []llm.Block{llm.Thinking{Text: "only thought"}}},
			{Role: llm.Assistant, Blocks: []llm.Block{llm.Text{Text: "yes"}}},
			{Role: llm.User, Blocks: []llm.Block{llm.Text{Text: "see"}, llm.Image{MIME: "image/png", Data: []byte{1, 2, 3}}}},
			llm.UserText(""),
		},
		Tools: []llm.ToolSpec{{Name: "read", Doc: "Reads <a> file.", Schema: json.RawMessage(`{"type":"object","properties":{"z":{},"a":{}}}`)}, {Name: "now"}},
	}
	want := `{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[` + strings.Join([]string{
		`{"role":"system","content":"Be <brief> & 界."}`,
		`{"role":"user","content":"look"}`,
		`{"role":"assistant","content":"","tool_calls":[` + strings.Join([]string{
			`{"id":"a","type":"function","function":{"name":"read","arguments":"{\"path\": \"<x>\"}"}}`,
			`{"id":"b","type":"function","function":{"name":"read","arguments":"{}"}}`,
			`{"id":"c","type":"function","function":{"name":"read","arguments":"{\"malformed_arguments\":\"path=<x>\"}"}}`,
			`{"id":"d","type":"function","function":{"name":"read","arguments":"{\"malformed_arguments\":\"[1]\"}"}}`,
			`{"id":"e","type":"function","function":{"name":"read","arguments":"{\"malformed_arguments\":\"{\\\"cut\\\":\"}"}}`}, ",") + `]}`,
		`{"role":"tool","content":"1 < 2","tool_call_id":"a"}`,
		`{"role":"tool","content":"","tool_call_id":"b"}`,
		`{"role":"user","content":"hurry"}`,
		`{"role":"user","content":"again"}`,
		`{"role":"assistant","content":"yes"}`,
		`{"role":"user","content":[{"type":"text","text":"see"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AQID"}}]}`,
	}, ",") + `],"tools":[` +
		`{"type":"function","function":{"name":"read","description":"Reads <a> file.","parameters":{"type":"object","properties":{"z":{},"a":{}}}}},` +
		`{"type":"function","function":{"name":"now","parameters":{"type":"object","properties":{}}}}]}`
	if got := sent(t, req); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := sent(t, llm.Request{Model: "m"}), `{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[]}`; got != want {
		t.Errorf("got %s", got)
	}
}

func TestRequestHeaders(t *testing.T) {
	t.Parallel()
	var got http.Header
	var url string
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got, url = r.Header, r.URL.String()
		io.WriteString(w, deltas(`{"content":"x"}`))
	})
	c := openai.New(openai.Options{
		BaseURL: "https://x.test/openai/deployments/a%2Fb/?api-version=1", Headers: map[string]string{"api-key": "k", "user-agent": "other"},
		Transport: llmtest.Transport(h),
	})
	if h := hear(t, t.Context(), c, question()); h.err != nil {
		t.Fatal(h.err)
	}
	if url != "https://x.test/openai/deployments/a%2Fb/chat/completions?api-version=1" {
		t.Errorf("URL %s", url)
	}
	if got.Get("Api-Key") != "k" || got.Get("User-Agent") != "other" || got.Get("Authorization") != "" || got.Get("Content-Type") != "application/json" {
		t.Errorf("headers %v", got)
	}
}

// picky refuses what it does not take with a 400, as its rules say, and counts.
type picky struct {
	mu    sync.Mutex
	rules map[string]string // a part of the body: the message
	asked int
}

func (p *picky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked++
	for part, message := range p.rules {
		if strings.Contains(string(body), part) {
			w.WriteHeader(400)
			json.NewEncoder(w).Encode(map[string]any{"error": map[string]string{"message": message}})
			return
		}
	}
	io.WriteString(w, deltas(`{"content":"x"}`))
}

// goose#3786 and kin: a refused detail is left out, once and from then on.
func TestDetailsThatServersRefuse(t *testing.T) {
	t.Parallel()
	withCalls := question()
	withCalls.Messages = append(withCalls.Messages,
		llm.Message{Role: llm.Assistant, Blocks: []llm.Block{llm.ToolCall{ID: "a", Name: "read", Args: "{}"}}},
		llm.Message{Role: llm.User, Blocks: []llm.Block{llm.ToolResult{CallID: "a", Text: "x"}}})
	tests := []struct {
		name  string
		rules map[string]string
		asked int // of two streams together
		kind  llm.Kind
	}{
		{"content null", map[string]string{`"content":null`: "Error rendering prompt with jinja template: null is not a string"}, 2, ""},
		{"content missing", map[string]string{`"role":"assistant","tool_calls"`: "content is required"}, 2, ""},
		{"content empty", map[string]string{`"content":"",`: "messages: text content blocks must be non-empty"}, 3, ""},
		{"stream_options", map[string]string{`stream_options`: "Unrecognized request argument supplied: stream_options"}, 3, ""},
		{"both", map[string]string{`stream_options`: "extra fields not permitted: stream_options", `"content":"",`: "content must not be empty"}, 4, ""},
		{"neither helps", map[string]string{`"model"`: "stream_options is unsupported and content must not be empty"}, 4, llm.Refused},
	}
	for _, tt := range tests {
		p := &picky{rules: tt.rules}
		c := over(p)
		for range 2 {
			if h := hear(t, t.Context(), c, withCalls); h.kind() != tt.kind {
				t.Errorf("%s: %v", tt.name, h.err)
			}
		}
		if p.asked != tt.asked {
			t.Errorf("%s: %d requests", tt.name, p.asked)
		}
	}
}

// TestSizeIsThatOfTheWire: the characters a request is reckoned to have are
// those of its body, non-ASCII as one, within two percent.
func TestSizeIsThatOfTheWire(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("func (s *State) fold() { return \"日本 ä\" }\n\t\\", 40)
	req := llm.Request{Model: "m", System: text}
	for i := range 20 {
		id := fmt.Sprint("call", i)
		req.Tools = append(req.Tools, llm.ToolSpec{Name: "tool", Doc: text[:100], Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}}}`)})
		req.Messages = append(req.Messages, llm.UserText(text),
			llm.Message{Role: llm.Assistant, Blocks: []llm.Block{llm.Thinking{Text: text}, llm.Text{Text: text}, llm.ToolCall{ID: id, Name: "tool", Args: `{"path":"a\n\"b"}`}}},
			llm.Message{Role: llm.User, Blocks: []llm.Block{llm.ToolResult{CallID: id, Name: "tool", Text: text}}})
	}
	tools := req // what each request begins with
	tools.Messages = req.Messages[:1]
	for _, req := range []llm.Request{req, tools} {
		chars := utf8.RuneCountInString(sent(t, req))
		if got := req.Size().Chars; got < chars*98/100 || got > chars*102/100 {
			t.Errorf("%d characters, and the body has %d", got, chars)
		}
	}
}
