package openai_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"aye/llm"
	"aye/llm/llmtest"
	"aye/llm/openai"
)

func TestRepliesInEveryForm(t *testing.T) {
	t.Parallel()
	whole := `{"object":"chat.completion","model":"m1","choices":[{"index":0,"message":{"role":"assistant","content":"hello"},"finish_reason":"stop"}]}`
	tests := []struct{ name, body, text, thinking string }{
		{"plain", deltas(`{"role":"assistant","content":""}`, `{"content":"hel"}`, `{"content":"lo"}`), "hello", ""},
		{"content null", deltas(`{"role":"assistant","content":null}`, `{"content":"hello"}`, `{"content":null}`), "hello", ""},
		{"content parts", deltas(`{"content":[{"type":"text","text":"hel"},{"type":"text","text":"lo"}]}`), "hello", ""},
		{"parts that think", deltas(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"hello"}]}`), "hello", "hm"},
		{"reasoning_content", deltas(`{"reasoning_content":"h"}`, `{"reasoning_content":"m"}`, `{"content":"hello"}`), "hello", "hm"},
		{"reasoning", deltas(`{"reasoning":"hm","content":""}`, `{"content":"hello"}`), "hello", "hm"},
		{"thinking", deltas(`{"thinking":"hm"}`, `{"content":"hello"}`), "hello", "hm"},
		{"reasoning under two names", deltas(`{"reasoning":"hm","reasoning_content":"hm"}`, `{"content":"hello"}`), "hello", "hm"},
		{"reasoning that is no string", deltas(`{"reasoning":{"effort":"high"},"content":"hello"}`), "hello", ""},
		{"think tags stay text", deltas(`{"content":"<think>hm</think>"}`, `{"content":"hello"}`), "<think>hm</think>hello", ""},
		{"refusal", deltas(`{"refusal":"hello"}`), "hello", ""},
		{"no [DONE]", strings.TrimSuffix(deltas(`{"content":"hello"}`), "data: [DONE]\n\n"), "hello", ""},
		{"[DONE] without finish_reason", sse(`{"choices":[{"delta":{"content":"hello"}}]}`, "[DONE]"), "hello", ""},
		{"no final line end", strings.TrimSuffix(deltas(`{"content":"hello"}`), "\n\n"), "hello", ""},
		{"CRLF, comments, no space, names", ": hi\r\n\r\nevent: message\r\nid: 1\r\ndata:{\"choices\":[{\"delta\":{\"content\":\"hello\"}}]}\r\n\r\n" + stop, "hello", ""},
		{"white space and BOM first", "\ufeff\n\n  \n" + deltas(`{"content":"hello"}`), "hello", ""},
		{"400 comments between", strings.Repeat(": ping\n\n", 400) + deltas(`{"content":"hello"}`), "hello", ""},
		{"chunks that say nothing", sse(`{"choices":[],"prompt_filter_results":[{}]}`, `null`, `"ping"`, `{}`, ``) + deltas(`{"content":"hello"}`), "hello", ""},
		{"error null", sse(`{"error":null,"choices":[{"delta":{"content":"hello"}}]}`) + stop, "hello", ""},
		{"more choices", sse(`{"choices":[{"index":1,"delta":{"content":"other"}},{"index":0,"delta":{"content":"hello"}}]}`) + stop, "hello", ""},
		{"one JSON value", whole, "hello", ""},
		{"one JSON value, in an event", sse(whole, "[DONE]"), "hello", ""},
		{"one JSON value without finish_reason", `{"choices":[{"message":{"content":"hello"}}]}`, "hello", ""},
		{"the whole once more at the end", sse(`{"choices":[{"delta":{"content":"hello"}}]}`, whole) + stop, "hello", ""},
		{"the whole after empty deltas", sse(`{"choices":[{"delta":{"role":"assistant","content":""}}]}`, whole) + stop, "hello", ""},
		{"lines of JSON", `{"choices":[{"delta":{"content":"hel"}}]}` + "\n" + `{"choices":[{"delta":{"content":"lo"},"finish_reason":"stop"}]}` + "\n", "hello", ""},
		{"a list of chunks", `[{"choices":[],"x":1},{"choices":[{"delta":{"content":"hello"},"finish_reason":"stop"}]}]`, "hello", ""},
		{"junk after the end", deltas(`{"content":"hello"}`) + "data: {junk\n\n", "hello", ""},
		{"junk after finish_reason", sse(`{"choices":[{"delta":{"content":"hello"},"finish_reason":"stop"}]}`, `{junk`), "hello", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := answered(t, tt.body)
			if h.err != nil || h.text != tt.text || h.thinking != tt.thinking {
				t.Errorf("got %q, thinking %q, %v", h.text, h.thinking, h.err)
			}
		})
	}
}

func TestBrokenReplies(t *testing.T) {
	t.Parallel()
	hello := sse(`{"choices":[{"delta":{"content":"hello"}}]}`)
	tests := []struct {
		name, body string
		kind       llm.Kind
		says       string
	}{
		{"empty", "", llm.Broken, "the reply is empty"},
		{"white space", " \n\n", llm.Broken, "the reply is empty"},
		{"comments alone", ": ping\n\n", llm.Broken, "the reply is empty"},
		{"[DONE] alone", "data: [DONE]\n\n", llm.Broken, "the reply is empty"},
		{"clean end in the middle", hello, llm.Broken, `broke off in the middle: the connection ended. Say "go on" to have the rest.`},
		{"end inside an event", hello + `data: {"choices":[{"delta":{"content":" wor`, llm.Broken, "broke off in the middle"},
		{"no JSON", hello + "data: {oops\n\n", llm.Broken, "not JSON: {oops"},
		{"error in the stream", hello + sse(`{"error":{"message":"the engine died","code":503}}`), llm.Overloaded, "the engine died"},
		{"error as a string", sse(`{"error":"no luck"}`), llm.Overloaded, "no luck"},
		{"error of vLLM's shape", sse(`{"object":"error","message":"the engine died","code":500}`), llm.Overloaded, "the engine died"},
		{"error event", "event: error\n" + sse(`{"message":"no luck"}`), llm.Overloaded, "no luck"},
		{"error event in plain words", "event: error\n" + sse(`no luck`), llm.Overloaded, "no luck"},
		{"error event with a key", "event: error\n" + sse(`{"error":{"message":"slow down","type":"rate_limit_error"}}`), llm.Limit, "slow down"},
		{"error: too long", sse(`{"error":{"message":"too much","code":"context_length_exceeded"}}`), llm.TooLong, "too much"},
		{"error: a limit", sse(`{"error":{"message":"slow down","code":429}}`), llm.Limit, "slow down"},
		{"error: the key", sse(`{"error":{"message":"bad","code":401}}`), llm.Auth, "API_KEY"},
		{"JSON error with 200", `{"error":{"message":"no such thing","type":"invalid_request_error"}}`, llm.Refused, "no such thing"},
		{"JSON error list with 200", `[{"error":{"message":"slow down","code":429,"status":"RESOURCE_EXHAUSTED"}}]`, llm.Limit, "slow down"},
		{"JSON detail with 200", `{"detail":"model not found"}`, llm.NotFound, "API_MODEL"},
		{"JSON of something else", `{"status":"ok"}`, llm.NotFound, "API_BASE_URL"},
		{"half a JSON reply", `{"choices":[{"message":{"content":"hel`, llm.Broken, "broke off in the middle"},
		{"a web page", "<!doctype html><title>Welcome</title>", llm.NotFound, "web page"},
		{"a web page with space before", "\n\n  <html>", llm.NotFound, "web page"},
		{"finish_reason error", hello + sse(`{"choices":[{"delta":{},"finish_reason":"error"}]}`), llm.Broken, "finish_reason error"},
		{"finish_reason of DeepSeek", sse(`{"choices":[{"delta":{},"finish_reason":"insufficient_system_resource"}]}`), llm.Overloaded, "insufficient_system_resource"},
		{"full window, no words", sse(`{"choices":[{"delta":{},"finish_reason":"model_context_window_exceeded"}]}`), llm.TooLong, "too long"},
		{"error after finish_reason", sse(`{"choices":[{"delta":{},"finish_reason":"error"}]}`, `{"error":{"message":"the engine died"}}`), llm.Overloaded, "the engine died"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := answered(t, tt.body)
			if h.kind() != tt.kind || !strings.Contains(h.err.Error(), tt.says) {
				t.Errorf("got %s: %v", h.kind(), h.err)
			}
		})
	}
}

// What is no answer at all is an error in words for people, whatever it is.
func TestBodiesThatAreNoAnswer(t *testing.T) {
	t.Parallel()
	internals := regexp.MustCompile(`(?i)unmarshal|\bnil\b|panic|index out|invalid character|%!|\*\w+\.`)
	for _, body := range []string{
		"hello", "{}", `{"choices":[]}`, `{"choices":[{}]}`, `{"choices":[{"message":null}]}`, `{"choices":[{"message":{}}]}`, `{"choices":null}`, `{"choices":[null]}`, `{"choices":{}}`,
		`[]`, `null`, `7`, `"x"`, `{"choices":[{"message":7}]}`, `{"error":{"message":"no luck"}}`, `{"error":null}`, "\x00\xff", "{", "data: hello\n\n", "data: {\"choices\":[]}\n\n",
	} {
		h := answered(t, body)
		if h.err == nil {
			if h.text != "" || len(h.names) > 0 {
				t.Errorf("%q: taken for the answer %q %q", body, h.text, h.names)
			}
			continue // the agent makes an error of an empty reply
		}
		if h.kind() == "" || len(h.err.Error()) < 15 || internals.MatchString(h.err.Error()) {
			t.Errorf("%q: %s: %v", body, h.kind(), h.err)
		}
		if strings.Contains(body, "no luck") && !strings.Contains(h.err.Error(), "no luck") {
			t.Errorf("the server's own words are lost: %v", h.err)
		}
	}
	for body, want := range map[string]string{
		"hello": "sent something that is no answer: hello.", "Not found.\n": "no answer: Not found. Is", " \x1b[1mno key here": "no answer: [1mno",
		"data: hello\n\n": "not JSON: hello", ": ping\n\n": "the reply is empty", "": "the reply is empty", "event: x\n\n": "the reply is empty",
	} {
		if h := answered(t, body); h.err == nil || !strings.Contains(h.err.Error(), want) {
			t.Errorf("%q: %v, want %q", body, h.err, want)
		}
	}
}

func TestStops(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]llm.Stop{
		`"stop"`: llm.EndTurn, `"tool_calls"`: llm.EndTurn, `"function_call"`: llm.EndTurn, `"STOP"`: llm.EndTurn, `"eos"`: llm.EndTurn, `""`: llm.EndTurn, `null`: llm.EndTurn, `7`: llm.EndTurn,
		`"length"`: llm.MaxTokens, `"MAX_TOKENS"`: llm.MaxTokens, `"model_context_window_exceeded"`: llm.MaxTokens,
		`"content_filter"`: llm.Filtered, `"SAFETY"`: llm.Filtered,
	} {
		h := answered(t, sse(`{"choices":[{"delta":{"content":"x","tool_calls":[{"id":"a","function":{"name":"edit","arguments":"{\"pa"}}]}}]}`,
			`{"choices":[{"delta":{},"finish_reason":`+word+`}]}`, "[DONE]"))
		if h.err != nil || h.done.Stop != want || len(h.args) != 1 || h.args[0] != `{"pa` {
			t.Errorf("%s: %+v %v", word, h.done, h.err)
		}
	}
	if h := answered(t, deltas(`{"refusal":"no"}`)); h.done.Stop != llm.Filtered {
		t.Errorf("refusal: %s", h.done.Stop)
	}
}

// pi-mono#2017: numbers in other places, none, or impossible ones.
func TestUsage(t *testing.T) {
	t.Parallel()
	hello := `"choices":[{"delta":{"content":"hello you"}}]`
	tests := []struct {
		name, body string
		want       llm.Usage
	}{
		{"last chunk, no choices", sse(`{`+hello+`}`) + stopWith(`{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":60}}}`), llm.Usage{Input: 100, Cached: 60, Output: 7}},
		{"with a delta", sse(`{`+hello+`,"usage":{"prompt_tokens":100,"completion_tokens":7}}`) + stop, llm.Usage{Input: 100, Output: 7}},
		{"grows with each chunk", sse(`{`+hello+`,"usage":{"prompt_tokens":100,"completion_tokens":1}}`) + stopWith(`{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":7}}`), llm.Usage{Input: 100, Output: 7}},
		{"in the choice", sse(`{"choices":[{"delta":{"content":"x"},"usage":{"prompt_tokens":100,"completion_tokens":7}}]}`) + stop, llm.Usage{Input: 100, Output: 7}},
		{"of Groq", sse(`{`+hello+`,"x_groq":{"usage":{"prompt_tokens":100,"completion_tokens":7}}}`) + stop, llm.Usage{Input: 100, Output: 7}},
		{"of DeepSeek", sse(`{`+hello+`,"usage":{"prompt_tokens":100,"completion_tokens":7,"prompt_cache_hit_tokens":64}}`) + stop, llm.Usage{Input: 100, Cached: 64, Output: 7}},
		{"other names", sse(`{`+hello+`,"usage":{"input_tokens":100,"output_tokens":7}}`) + stop, llm.Usage{Input: 100, Output: 7}},
		{"details null, floats, strings", sse(`{`+hello+`,"usage":{"prompt_tokens":100.0,"completion_tokens":"7","prompt_tokens_details":null}}`) + stop, llm.Usage{Input: 100, Output: 7}},
		{"cached beside the input", sse(`{`+hello+`,"usage":{"prompt_tokens":40,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":60}}}`) + stop, llm.Usage{Input: 100, Cached: 60, Output: 7}},
		{"usage null at first", sse(`{`+hello+`,"usage":null}`) + stopWith(`{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":7}}`), llm.Usage{Input: 100, Output: 7}},
		{"negative", sse(`{`+hello+`,"usage":{"prompt_tokens":-1,"completion_tokens":7}}`) + stop, llm.Usage{Input: 25, Output: 2, Estimated: true}},
		{"absurd", sse(`{`+hello+`,"usage":{"prompt_tokens":1e300,"completion_tokens":7}}`) + stop, llm.Usage{Input: 25, Output: 2, Estimated: true}},
		{"zero", sse(`{`+hello+`,"usage":{"prompt_tokens":0,"completion_tokens":0}}`) + stop, llm.Usage{Input: 25, Output: 2, Estimated: true}},
		{"only half", sse(`{`+hello+`,"usage":{"prompt_tokens":100}}`) + stop, llm.Usage{Input: 100, Output: 2, Estimated: true}},
		{"never", sse(`{`+hello+`}`) + stop, llm.Usage{Input: 25, Output: 2, Estimated: true}},
		{"of another type", sse(`{`+hello+`,"usage":"none"}`) + stop, llm.Usage{Input: 25, Output: 2, Estimated: true}},
	}
	for _, tt := range tests {
		if h := answered(t, tt.body); h.err != nil || h.done.Usage != tt.want {
			t.Errorf("%s: %+v %v, want %+v", tt.name, h.done, h.err, tt.want)
		}
	}
}

// stopWith is the usual end with a chunk before [DONE].
func stopWith(chunk string) string {
	return strings.Replace(stop, "data: [DONE]", "data: "+chunk+"\n\ndata: [DONE]", 1)
}

func zipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, s)
	z.Close()
	return b.String()
}

// The body is unpacked once, with and without a header that is right.
func TestGzip(t *testing.T) {
	t.Parallel()
	body := deltas(`{"content":"hello"}`)
	big := deltas(`{"content":"` + strings.Repeat("x", 1<<20) + `"}`)
	tests := []struct{ name, header, body, want string }{
		{"with header", "gzip", zipped(body), "hello"},
		{"without header", "", zipped(body), "hello"},
		{"header and plain", "gzip", body, "hello"},
		{"long", "gzip", zipped(big), strings.Repeat("x", 1<<20)},
		{"cut", "gzip", zipped(big)[:500], ""},
	}
	for _, tt := range tests {
		for _, status := range []int{200, 400} {
			h := hear(t, t.Context(), over(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if got := r.Header.Values("Accept-Encoding"); len(got) != 1 || got[0] != "gzip" {
					t.Errorf("Accept-Encoding %q", got)
				}
				if tt.header != "" {
					w.Header().Set("Content-Encoding", tt.header)
				}
				w.WriteHeader(status)
				io.WriteString(w, tt.body)
			})), question())
			switch {
			case status == 400:
				if h.kind() != llm.Refused {
					t.Errorf("%s, 400: %v", tt.name, h.err)
				}
			case tt.want == "":
				if h.kind() != llm.Broken {
					t.Errorf("%s: %v", tt.name, h.err)
				}
			case h.err != nil || h.text != tt.want:
				t.Errorf("%s: %.20q %v", tt.name, h.text, h.err)
			}
		}
	}
}

// Over real sockets the same, streamed and compressed, byte by byte.
func TestOverSockets(t *testing.T) {
	t.Parallel()
	args := `{"path":"界 😀 \\ \" 𝄞.txt","content":"` + strings.Repeat("界😀\\n", 50) + `"}`
	for _, f := range []llmtest.Fault{{ByteByByte: true}, {Gzip: true}, {Gzip: true, ByteByByte: true}, {Whole: true}, {Whole: true, ByteByByte: true}} {
		s := llmtest.NewServer(llmtest.Steps(llmtest.Reply{Text: "界 😀", Calls: []llm.ToolCall{{ID: "a", Name: "write", Args: args}}, Piece: 5, Fault: f}))
		if err := s.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		h := hear(t, t.Context(), openai.New(openai.Options{BaseURL: s.URL()}), question())
		s.Close()
		if h.err != nil || h.text != "界 😀" || len(h.args) != 1 || h.args[0] != args {
			t.Errorf("%+v: %q %q %v", f, h.text, h.args, h.err)
		}
	}
}
