package llmtest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"aye/llm"
	"aye/llm/llmtest"
	"aye/llm/openai"
)

// heard writes what a stream yields, deltas glued together.
func heard(ctx context.Context, c llm.Client, req llm.Request) string {
	var out strings.Builder
	last := ""
	write := func(kind, s string) {
		if kind != last {
			out.WriteString("\n" + kind + " ")
		}
		last = kind
		out.WriteString(s)
	}
	for ev, err := range c.Stream(ctx, req) {
		var known *llm.Error
		switch {
		case errors.As(err, &known):
			write("error", string(known.Kind))
			continue
		case err != nil:
			write("error", err.Error())
			continue
		}
		switch ev := ev.(type) {
		case llm.TextDelta:
			write("text", ev.Text)
		case llm.ThinkingDelta:
			write("thinking", ev.Text)
		case llm.CallDelta:
			write("call "+ev.ID+" "+ev.Name, ev.Args)
		case llm.Done:
			write("done", fmt.Sprintf("%v %s %+v", ev.Message, ev.Stop, ev.Usage))
		case llm.Retrying:
		}
	}
	return out.String()
}

func request() llm.Request {
	return llm.Request{Model: "m", System: "s", Messages: []llm.Message{llm.UserText("hello")}}
}

// The same script tells the same, without a wire and over HTTP.
func TestClientAndServerPlayAlike(t *testing.T) {
	t.Parallel()
	call := llm.ToolCall{Name: "read", Args: `{"path":"界.go"}`}
	for name, r := range map[string]llmtest.Reply{
		"text":       {Text: "Hello 界, how are you today?"},
		"everything": {Thinking: "hm", Text: "I read.", Calls: []llm.ToolCall{call, call}, Usage: llm.Usage{Input: 5, Cached: 3, Output: 2}},
		"cut short":  {Text: "Hello", Stop: llm.MaxTokens},
		"filtered":   {Text: "Hello", Stop: llm.Filtered},
		"nothing":    {},
		"cut":        {Text: "Hello", Piece: 1, Fault: llmtest.Fault{Then: llmtest.Cut, After: 3}},
		"cut late":   {Text: "Hello", Fault: llmtest.Fault{Then: llmtest.Cut, After: 99}},
		"error":      {Text: "Hello", Piece: 1, Fault: llmtest.Fault{Then: llmtest.Error, After: 3}},
		"garbage":    {Text: "Hello", Piece: 1, Fault: llmtest.Fault{Then: llmtest.Garbage}},
		"no usage":   {Text: "Hello", Usage: llm.Usage{Input: 5, Output: 2}, Fault: llmtest.Fault{NoUsage: true}},
		"no end":     {Text: "Hello", Fault: llmtest.Fault{NoEnd: true}},
		"401":        {Fault: llmtest.Fault{Status: 401, Body: "no"}},
		"402":        {Fault: llmtest.Fault{Status: 402, Body: "no"}},
		"403":        {Fault: llmtest.Fault{Status: 403, Body: "no"}},
		"404":        {Fault: llmtest.Fault{Status: 404, Body: "<html>"}},
		"413":        {Fault: llmtest.Fault{Status: 413, Body: "no"}},
		"429":        {Fault: llmtest.Fault{Status: 429, Body: "no"}},
		"503":        {Fault: llmtest.Fault{Status: 503, Body: `{"error":"no"}`}},
		"418":        {Fault: llmtest.Fault{Status: 418, Body: "no"}},
	} {
		want := heard(t.Context(), llmtest.NewClient(llmtest.Steps(r)), request())
		for _, f := range []llmtest.Fault{{}, {ByteByByte: true}, {Comments: 2}, {Gzip: true}} {
			over := r
			over.Fault.ByteByByte, over.Fault.Comments, over.Fault.Gzip = f.ByteByByte, f.Comments, f.Gzip
			c := openai.New(openai.Options{BaseURL: "https://api.test", Transport: llmtest.Transport(llmtest.Handler(llmtest.Steps(over)))})
			if got := heard(t.Context(), c, request()); got != want {
				t.Errorf("%s, %+v: over HTTP%s\nwithout%s", name, f, got, want)
			}
		}
	}
}

func TestStepsEnd(t *testing.T) {
	t.Parallel()
	c := llmtest.NewClient(llmtest.Steps(llmtest.Reply{Text: "one"}))
	if got := heard(t.Context(), c, request()); !strings.Contains(got, "text one") {
		t.Errorf("got %s", got)
	}
	if got := heard(t.Context(), c, request()); got != "\nerror refused" {
		t.Errorf("got %s", got)
	}
	if len(c.Requests()) != 2 {
		t.Errorf("%d requests", len(c.Requests()))
	}
}

func TestPaceOnVirtualTime(t *testing.T) {
	t.Parallel()
	r := llmtest.Reply{Text: "abcd", Piece: 1, Delay: time.Minute, Between: time.Second}
	want := time.Minute + 3*time.Second
	for name, c := range map[string]func() llm.Client{
		"client": func() llm.Client { return llmtest.NewClient(llmtest.Steps(r)) },
		"HTTP": func() llm.Client {
			return openai.New(openai.Options{BaseURL: "https://api.test", Transport: llmtest.Transport(llmtest.Handler(llmtest.Steps(r)))})
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			got := heard(t.Context(), c(), request())
			if !strings.Contains(got, "text abcd") || time.Since(start) != want {
				t.Errorf("%s: %s after %v", name, got, time.Since(start))
			}
		})
	}
}

// Leaving ends the handler, which Transport waits for.
func TestTransportEndsItsHandler(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := llmtest.Handler(llmtest.Steps(llmtest.Reply{Text: "hello", Piece: 1, Fault: llmtest.Fault{Then: llmtest.Stall, After: 2}}))
		c := openai.New(openai.Options{BaseURL: "https://api.test", Transport: llmtest.Transport(h)})
		for range c.Stream(t.Context(), request()) {
			break
		}
		if h.Serving() != 0 {
			t.Error("the handler still runs")
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		slow := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://x.test", nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := llmtest.Transport(slow).RoundTrip(req); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
}

func TestServer(t *testing.T) {
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := llmtest.NewServer(llmtest.Steps(llmtest.Reply{Text: "hi"}))
	s.Key, s.Models = "k", []string{"one", "two"}
	if err := s.Start(ctx); err != nil {
		t.Fatal(err)
	}
	get := func(method, path, key, body string) string {
		req, err := http.NewRequestWithContext(t.Context(), method, s.URL()+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+key)
		resp, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		data, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(resp.StatusCode, " ", string(bytes.TrimSpace(data)))
	}
	if got := get("GET", "/models", "k", ""); got != `200 {"object":"list","data":[{"id":"one","object":"model"},{"id":"two","object":"model"}]}` {
		t.Error(got)
	}
	for _, tt := range [][5]string{
		{"GET", "/models", "wrong", "", "401"}, {"GET", "/nothing", "k", "", "404"},
		{"POST", "/chat/completions", "k", "{", "400"},
		{"POST", "/chat/completions", "k", `{"messages":[{"role":"tool","content":"x","tool_call_id":"a"}]}`, "no call before it"},
		{"POST", "/chat/completions", "k", `{"messages":[{"role":"assistant"}]}`, "no content"},
		{"POST", "/chat/completions", "k", `{"messages":[{"role":"king","content":"x"}]}`, "role"},
		{"POST", "/chat/completions", "k", `{"model":"m","messages":[{"role":"user","content":"x"}]}`, `"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"`},
	} {
		if got := get(tt[0], tt[1], tt[2], tt[3]); !strings.Contains(got, tt[4]) {
			t.Errorf("%q: %s", tt, got)
		}
	}
	if n := len(s.Requests()); n != 5 {
		t.Errorf("%d requests", n)
	}
	cancel()
	s.Close()
	s.Close()
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before && time.Now().Before(end); {
		runtime.Gosched()
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines, %d before", n, before)
	}
}

// Close waits for replies that are still going out.
func TestCloseEndsReplies(t *testing.T) {
	t.Parallel()
	s := llmtest.NewServer(llmtest.Steps(llmtest.Reply{Text: "hello", Piece: 1, Fault: llmtest.Fault{Then: llmtest.Stall, After: 1}}))
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	var last error
	for _, err := range openai.New(openai.Options{BaseURL: s.URL()}).Stream(t.Context(), request()) {
		last = err
		s.Close()
		if s.Serving() != 0 {
			t.Error("a reply is still going out")
		}
	}
	var known *llm.Error
	if !errors.As(last, &known) || known.Kind != llm.Broken {
		t.Errorf("the client heard %v", last)
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	script, err := llmtest.Load([]byte(`[
		{"thinking": "Hm.", "text": "I read.", "piece": 3, "calls": [{"name": "read", "args": {"path": "a.go"}}, {"id": "x", "name": "now"}, {"name": "edit", "args": "{cut"}]},
		{"text": "Done.", "delay_ms": 500, "between_ms": 20, "stop": "max_tokens", "usage": {"input": 1200, "cached": 1000, "output": 30}},
		{"fault": {"status": 429, "header": {"Retry-After": "2"}, "body": "slow down"}},
		{"text": "I was", "fault": {"then": "cut", "after": 2, "byte_by_byte": true, "no_usage": true}}
	]`))
	if err != nil {
		t.Fatal(err)
	}
	first := script(llm.Request{})
	if first.Piece != 3 || len(first.Calls) != 3 || first.Calls[0].Args != `{"path": "a.go"}` || first.Calls[1] != (llm.ToolCall{ID: "x", Name: "now"}) || first.Calls[2].Args != "{cut" {
		t.Errorf("got %+v", first)
	}
	second := script(llm.Request{})
	if second.Delay != 500*time.Millisecond || second.Between != 20*time.Millisecond || second.Stop != llm.MaxTokens || second.Usage != (llm.Usage{Input: 1200, Cached: 1000, Output: 30}) {
		t.Errorf("got %+v", second)
	}
	if third := script(llm.Request{}); third.Fault.Status != 429 || third.Fault.Header["Retry-After"] != "2" {
		t.Errorf("got %+v", third)
	}
	if fourth := script(llm.Request{}); fourth.Fault.Then != llmtest.Cut || fourth.Fault.After != 2 || !fourth.Fault.ByteByByte || !fourth.Fault.NoUsage {
		t.Errorf("got %+v", fourth)
	}
	for in, says := range map[string]string{
		`{}`: "list of replies", `[`: "list of replies", `[{"txt":"x"}]`: `unknown field "txt"`, `[] []`: "goes on",
		`[{"stop":"now"}]`: "reply 1", `[{},{"fault":{"then":"explode"}}]`: "reply 2", `[{"calls":[{"args":{}}]}]`: "no name",
	} {
		if _, err := llmtest.Load([]byte(in)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", in, err)
		}
	}
}
