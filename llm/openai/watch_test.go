package openai_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"aye/llm"
	"aye/llm/llmtest"
	"aye/llm/openai"
)

// A step is a wait and what is sent after it.
type step struct {
	wait time.Duration
	send string
}

// steps sends them, the header with the first that is not empty.
func steps(all ...step) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, s := range all {
			timer := time.NewTimer(s.wait)
			defer timer.Stop()
			select {
			case <-timer.C:
			case <-r.Context().Done():
				return
			}
			io.WriteString(w, s.send)
		}
	})
}

func repeat(n int, s step) []step {
	out := make([]step, n)
	for i := range out {
		out[i] = s
	}
	return out
}

func TestSilence(t *testing.T) {
	t.Parallel()
	hello := sse(`{"choices":[{"delta":{"content":"hello"}}]}`)
	role := sse(`{"choices":[{"delta":{"role":"assistant","content":""}}]}`)
	ping := step{15 * time.Second, ": ping\n\n"}
	const forever = 24 * time.Hour
	tests := []struct {
		name  string
		url   string
		steps []step
		after time.Duration // of the end
		says  string        // "": a whole reply
	}{
		{"header late, remote", "https://api.test", []step{{forever, ""}}, 2 * time.Minute, "did not begin to answer within 2m0s"},
		{"header late, local", "http://localhost:1", []step{{forever, ""}}, 10 * time.Minute, "did not begin to answer within 10m0s"},
		{"header late, but in time", "http://localhost:1", []step{{9 * time.Minute, hello + stop}}, 9 * time.Minute, ""},
		{"first token after 200 s of comments (codex#3229)", "https://api.test", append(repeat(14, ping), step{0, hello + stop}), 210 * time.Second, ""},
		{"comments for ever", "https://api.test", repeat(1000, ping), 10 * time.Minute, "signs of life for 10m0s but no answer"},
		{"the role and then long thought", "http://localhost:1", []step{{0, role}, {5 * time.Minute, hello + stop}}, 5 * time.Minute, ""},
		{"silence after some tokens", "https://api.test", append(repeat(5, step{time.Second, hello}), step{forever, ""}), 125 * time.Second, "stopped in the middle of its answer: nothing came for 2m0s"},
		{"a long answer", "https://api.test", append(repeat(500, step{time.Minute, hello}), step{0, stop}), 500 * time.Minute, ""},
		{"comments between tokens", "https://api.test", append([]step{{0, hello}}, append(repeat(30, ping), step{0, hello + stop})...), 450 * time.Second, ""},
		{"half an event", "https://api.test", []step{{0, hello + "data: {"}, {forever, ""}}, 2 * time.Minute, "stopped in the middle"},
		{"no end after finish_reason", "https://api.test", []step{{0, hello + sse(`{"choices":[{"delta":{},"finish_reason":"stop"}]}`)}, {forever, ""}}, 2 * time.Second, ""},
		{"no end after [DONE]", "https://api.test", []step{{0, hello + stop}, {forever, ""}}, 50 * time.Millisecond, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := openai.New(openai.Options{BaseURL: tt.url, Transport: llmtest.Transport(steps(tt.steps...))})
				start := time.Now()
				h := hear(t, t.Context(), c, question())
				took := time.Since(start)
				if took < tt.after || took > tt.after+time.Second {
					t.Errorf("it took %v, not %v", took, tt.after)
				}
				switch {
				case tt.says == "" && h.err != nil:
					t.Error(h.err)
				case tt.says != "" && (h.kind() != llm.Idle || !strings.Contains(h.err.Error(), tt.says)):
					t.Errorf("got %s: %v", h.kind(), h.err)
				}
			})
		})
	}
}

func TestLimitsAreOptions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		hello := sse(`{"choices":[{"delta":{"content":"hello"}}]}`)
		c := openai.New(openai.Options{BaseURL: "https://api.test", FirstByte: time.Hour, Idle: time.Second, Transport: llmtest.Transport(steps(step{59 * time.Minute, hello}, step{time.Minute, stop}))})
		start := time.Now()
		h := hear(t, t.Context(), c, question())
		if took := time.Since(start); h.kind() != llm.Idle || took != 59*time.Minute+time.Second {
			t.Errorf("after %v: %v", took, h.err)
		}
	})
}

// A caller may take its time between two events: that is not the server's silence.
func TestSlowCallerIsNoSilence(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		all := append(repeat(5, step{time.Second, sse(`{"choices":[{"delta":{"content":"x"}}]}`)}), step{0, stop})
		c := openai.New(openai.Options{BaseURL: "https://api.test", Transport: llmtest.Transport(steps(all...))})
		n := 0
		for _, err := range c.Stream(t.Context(), question()) {
			if err != nil {
				t.Fatal(err)
			}
			n++
			<-time.After(time.Hour)
		}
		if n != 6 {
			t.Errorf("%d events", n)
		}
	})
}

// An error response whose body does not end is told all the same.
func TestErrorBodyThatStalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(500)
			io.WriteString(w, "the engine")
			<-r.Context().Done()
		})
		start := time.Now()
		got := hear(t, t.Context(), over(h), question())
		if took := time.Since(start); got.kind() != llm.Overloaded || !strings.Contains(got.err.Error(), "the engine") || took > 10*time.Second {
			t.Errorf("after %v: %v", took, got.err)
		}
	})
}

func TestDeadlineOfTheCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		h := hear(t, ctx, over(steps(step{time.Hour, ""})), question())
		if !errors.Is(h.err, context.DeadlineExceeded) || h.kind() != "" {
			t.Errorf("got %v", h.err)
		}
	})
}
