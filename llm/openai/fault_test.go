package openai_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"aye/llm"
	"aye/llm/llmtest"
	"aye/llm/openai"
)

// failing answers with an error response.
func failing(status int, body string, header ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	})
}

const page = "<html><body>nginx</body></html>"

var faultTests = []struct {
	name   string
	status int
	body   string
	kind   llm.Kind
	says   []string
}{
	{"key refused", 401, `{"error":{"message":"Incorrect API key provided.","code":"invalid_api_key"}}`, llm.Auth, []string{"api.test refused the key (401): Incorrect API key provided. Check API_KEY."}},
	{"not allowed", 403, `{"error":{"message":"no access"}}`, llm.Auth, []string{"(403): no access.", "API_KEY", "the model m"}},
	{"firewall", 403, page, llm.Auth, []string{"web page", "API_BASE_URL"}},
	{"proxy wants a log-in", 407, page, llm.Unreachable, []string{"proxy"}},
	{"no such model", 404, `{"error":{"message":"The model m does not exist","code":"model_not_found"}}`, llm.NotFound, []string{"does not know the model m (404)", "API_MODEL"}},
	{"no such model, Ollama", 404, `{"error":{"message":"model \"m\" not found, try pulling it first"}}`, llm.NotFound, []string{"try pulling it first", "API_MODEL"}},
	{"no such model, 400", 400, `{"error":{"message":"m is not a valid model ID","code":400}}`, llm.NotFound, []string{"API_MODEL"}},
	{"no such path", 404, `{"detail":"Not Found"}`, llm.NotFound, []string{"There is no /v1/chat/completions at api.test (404): Not Found.", "/v1"}},
	{"no such path, plain", 404, "404 page not found\n", llm.NotFound, []string{"404 page not found", "API_BASE_URL"}},
	{"a web page", 404, page, llm.NotFound, []string{"web page", "API_BASE_URL"}},
	{"no POST", 405, page, llm.NotFound, []string{"API_BASE_URL"}},
	{"no credit", 402, `{"error":{"message":"Insufficient Balance"}}`, llm.Credit, []string{"Insufficient Balance", "credit"}},
	{"no quota", 429, `{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","code":"insufficient_quota"}}`, llm.Credit, []string{"credit"}},
	{"no credit, Anthropic", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}`, llm.Credit, []string{"credit balance"}},
	{"quota per minute", 429, `[{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED"}}]`, llm.Limit, []string{"less often"}},
	{"limit with tokens (pi-mono#1038)", 429, `{"error":{"message":"rate limit: 30000 tokens per minute, context length 40000"}}`, llm.Limit, []string{"30000 tokens per minute"}},
	{"too long, OpenAI", 400, `{"error":{"message":"This model's maximum context length is 8192 tokens, however you requested 9000 tokens.","code":"context_length_exceeded"}}`, llm.TooLong, []string{"8192", "9000"}},
	{"too long, vLLM", 400, `{"object":"error","message":"This model's maximum context length is 8192 tokens. However, you requested 9000 tokens in the messages","type":"BadRequestError","code":400}`, llm.TooLong, []string{"8192"}},
	{"too long, llama.cpp", 400, `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":4096}}`, llm.TooLong, nil},
	{"too long, llama.cpp 500", 500, `{"error":{"code":500,"message":"context shift is disabled","type":"server_error"}}`, llm.TooLong, nil},
	{"too long, Ollama", 400, `{"error":"the input length exceeds the context length"}`, llm.TooLong, nil},
	{"too long, LM Studio", 400, `{"error":"Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens"}`, llm.TooLong, nil},
	{"too long, Anthropic", 400, `{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, llm.TooLong, nil},
	{"too long, Gemini", 400, `[{"error":{"message":"The input token count (1200000) exceeds the maximum number of tokens allowed"}}]`, llm.TooLong, nil},
	{"too large a body", 413, page, llm.TooLong, nil},
	{"refused", 400, `{"error":{"message":"temperature is too high"}}`, llm.Refused, []string{"temperature is too high"}},
	{"refused, FastAPI", 422, `{"detail":[{"loc":["body","model"],"msg":"field required","type":"missing"}]}`, llm.Refused, []string{"field required"}},
	{"no tools", 400, `{"error":{"message":"m does not support tools"}}`, llm.Refused, []string{"call tools", "Choose a model"}},
	{"failing", 500, `{"error":{"message":"boom"}}`, llm.Overloaded, []string{"boom", "500"}},
	{"failing, no body", 503, "", llm.Overloaded, []string{"503"}},
	{"failing, a web page", 502, page, llm.Overloaded, []string{"502", "Bad Gateway"}},
	{"overloaded, Anthropic", 529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, llm.Overloaded, []string{"Overloaded"}},
	{"OpenRouter passes on", 502, `{"error":{"message":"Provider returned error","code":502,"metadata":{"raw":"the GPU is on fire","provider_name":"X"}}}`, llm.Overloaded, []string{"Provider returned error: the GPU is on fire"}},
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for _, tt := range faultTests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := hear(t, t.Context(), over(failing(tt.status, tt.body)), question())
			var e *llm.Error
			if !errors.As(h.err, &e) || e.Kind != tt.kind || e.Status != tt.status {
				t.Fatalf("got %+v", h.err)
			}
			for _, s := range tt.says {
				if !strings.Contains(e.Detail, s) {
					t.Errorf("%q is not in %q", s, e.Detail)
				}
			}
			if strings.Contains(e.Detail, "<") || strings.Contains(e.Detail, "..") || !strings.HasSuffix(e.Detail, ".") && !strings.HasSuffix(e.Detail, "?") {
				t.Errorf("no sentence for people: %q", e.Detail)
			}
		})
	}
}

func TestWithoutKeySaysSo(t *testing.T) {
	t.Parallel()
	c := openai.New(openai.Options{BaseURL: "https://api.test", Transport: llmtest.Transport(failing(401, `{"error":"no key"}`))})
	if h := hear(t, t.Context(), c, question()); h.kind() != llm.Auth || !strings.Contains(h.err.Error(), "Set API_KEY") {
		t.Errorf("got %v", h.err)
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	date := func(d time.Duration) string { return at.Add(d).Format(http.TimeFormat) }
	for _, tt := range []struct {
		want   time.Duration
		header []string
	}{
		{2 * time.Second, []string{"Retry-After", "2"}},
		{1500 * time.Millisecond, []string{"Retry-After", "1.5"}},
		{250 * time.Millisecond, []string{"Retry-After-Ms", "250", "Retry-After", "1"}},
		{time.Hour, []string{"Retry-After", "3600"}},
		{90 * time.Second, []string{"Retry-After", date(90 * time.Second), "Date", date(0)}},
		{0, []string{"Retry-After", date(-time.Hour), "Date", date(0)}},
		{0, []string{"Retry-After", "-5"}}, {0, []string{"Retry-After", "soon"}}, {0, []string{"Retry-After", "NaN"}}, {0, nil},
		{30 * 24 * time.Hour, []string{"Retry-After", "1e300"}},
	} {
		h := hear(t, t.Context(), over(failing(429, `{"error":{"message":"slow down"}}`, tt.header...)), question())
		var e *llm.Error
		if !errors.As(h.err, &e) || e.RetryAfter != tt.want {
			t.Errorf("%q: got %+v", tt.header, h.err)
		}
	}
}

func TestRetryAfterInWords(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]time.Duration{
		"Rate limit reached. Please try again in 1m2.5s. Visit x.": 62500 * time.Millisecond, "Please try again in 20ms": 20 * time.Millisecond,
		"Please retry in 34.07s.": 34070 * time.Millisecond, "Try again in a while": 0, "try again in 5": 0, "slow down": 0, "retry in 999999h": 30 * 24 * time.Hour,
	} {
		h := hear(t, t.Context(), over(failing(429, `{"error":{"message":"`+says+`"}}`)), question())
		var e *llm.Error
		if !errors.As(h.err, &e) || e.RetryAfter != want {
			t.Errorf("%s: got %+v", says, h.err)
		}
	}
}

// Every string that a person may see, for a server that repeats all it was sent.
func TestTheKeyIsNeverRepeated(t *testing.T) {
	t.Parallel()
	const header = "second-secret-value"
	echo := func(status int, form string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "https://other.test/"+testKey)
			w.WriteHeader(status)
			fmt.Fprintf(w, form, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), r.Header.Get("X-Api-Key"))
		})
	}
	split := `{"error":{"message":"bad \u001b[31m` + testKey[:8] + `\u200b` + testKey[8:] + `"}}`
	long := `{"error":{"message":"` + strings.Repeat("x", 395) + `%s %s"}}`
	for _, form := range []string{`{"error":{"message":"bad key %s and %s"}}`, `{"error":"%s %s"}`, `%s %s`, `{"detail":[{"msg":"%s","type":"%s"}]}`, "data: {\"error\":{\"message\":\"%s %s\"}}\n\n", "data: {\"x%s%s\n\n", split, long, `{"error":{"code":"%s","type":"%s"}}`} {
		for _, status := range []int{200, 301, 307, 400, 401, 403, 404, 429, 500} {
			c := openai.New(openai.Options{BaseURL: "https://api.test", Key: testKey, Headers: map[string]string{"X-Api-Key": header}, Transport: llmtest.Transport(echo(status, form))})
			h := hear(t, t.Context(), c, question())
			if h.err == nil {
				t.Errorf("%d %s: no error", status, form)
				continue
			}
			for e := h.err; e != nil; e = errors.Unwrap(e) {
				if s := fmt.Sprintf("%v %+v", e, e); strings.Contains(s, testKey[:11]) || strings.Contains(s, header[:8]) {
					t.Errorf("%d %s: %s", status, form, s)
				}
				if strings.ContainsAny(e.Error(), "\x1b\n\u200b") {
					t.Errorf("%d %s: %q", status, form, e)
				}
			}
		}
	}
}

// A key is sent where it was meant to go and nowhere else.
func TestRedirects(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, to string
		status   int
		follows  bool
	}{
		{"same host", "/v2/chat/completions", 307, true},
		{"same host, 308", "https://api.test/v2/chat/completions", 308, true},
		{"same host, but GET", "/v2/chat/completions", 301, false},
		{"other host", "https://evil.test/v1/chat/completions", 307, false},
		{"other port", "https://api.test:444/v1/chat/completions", 308, false},
		{"no TLS", "http://api.test/v1/chat/completions", 308, false},
		{"no target", "", 302, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Host != "api.test" || r.URL.Scheme != "https" || r.Method != http.MethodPost {
					t.Errorf("asked %s %s", r.Method, r.URL)
				}
				if strings.HasPrefix(r.URL.Path, "/v2") {
					body, err := io.ReadAll(r.Body)
					if err != nil || len(body) == 0 || r.Header.Get("Authorization") != "Bearer "+testKey {
						t.Errorf("%q %v", body, err)
					}
					io.WriteString(w, deltas(`{"content":"x"}`))
					return
				}
				if tt.to != "" {
					w.Header().Set("Location", tt.to)
				}
				w.WriteHeader(tt.status)
			})
			got := hear(t, t.Context(), over(h), question())
			if tt.follows != (got.err == nil) {
				t.Fatalf("got %v", got.err)
			}
			if !tt.follows && (got.kind() != llm.NotFound || !strings.Contains(got.err.Error(), "API_BASE_URL")) {
				t.Errorf("got %v", got.err)
			}
		})
	}
}

// However a body of an error is made, there is a kind and a clean sentence.
func FuzzFault(f *testing.F) {
	f.Add(400, []byte(`{"error":{"message":"x","code":"y"}}`))
	f.Add(500, []byte(`[[[[[["x"]]]]]]`))
	f.Add(200, []byte("data: {\"error\":{\"message\":[1,{\"msg\":\"\\u001b[2J\"}],\"code\":429.5}}\n\n"))
	f.Add(404, []byte("<html>"))
	f.Add(429, []byte("\xff\xfe\x00"))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		if status < 200 || status > 599 {
			return
		}
		h := hear(t, t.Context(), over(failing(status, string(body))), question())
		if h.err == nil {
			return // by chance a reply
		}
		var e *llm.Error
		if !errors.As(h.err, &e) || e.Kind == "" || e.Detail == "" || len(e.Detail) > 4<<10 {
			t.Fatalf("got %#v", h.err)
		}
		for _, r := range e.Detail {
			if r < ' ' || r == 0x7f || r == '\u202e' {
				t.Fatalf("unclean %q", e.Detail)
			}
		}
	})
}
