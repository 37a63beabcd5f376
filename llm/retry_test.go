package llm_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"aye/llm"
	"aye/llm/llmtest"
	"aye/llm/openai"
)

// half is the chance that leaves waits as they are.
func half() float64 { return 0.5 }

// said writes a stream's events and its error as one line.
func said(ctx context.Context, c llm.Client) string {
	var out []string
	for ev, err := range c.Stream(ctx, llm.Request{Model: "m"}) {
		if err != nil {
			out = append(out, "error "+err.Error())
			continue
		}
		switch ev := ev.(type) {
		case llm.TextDelta:
			out = append(out, "text "+ev.Text)
		case llm.Retrying:
			out = append(out, fmt.Sprintf("retry %d after %v for %s", ev.Attempt, ev.Wait, ev.Why.Kind))
		case llm.Done:
			out = append(out, "done")
		case llm.ThinkingDelta, llm.CallDelta:
		}
	}
	return strings.Join(out, "; ")
}

// failing is a client that fails with each error in turn, then answers.
func failing(errs ...error) llm.Client { return &failingClient{errs: errs} }

type failingClient struct {
	errs  []error
	after bool // a delta comes before the error
	asked int
}

func (c *failingClient) Stream(context.Context, llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		c.asked++
		if len(c.errs) == 0 {
			_ = yield(llm.TextDelta{Text: "hi"}, nil) && yield(llm.Done{}, nil)
			return
		}
		err := c.errs[0]
		c.errs = c.errs[1:]
		if c.after && !yield(llm.TextDelta{Text: "half"}, nil) {
			return
		}
		yield(nil, err)
	}
}

func TestRetry(t *testing.T) {
	t.Parallel()
	fail := func(kind llm.Kind, after time.Duration) error {
		return &llm.Error{Kind: kind, Detail: "No luck.", RetryAfter: after}
	}
	over := fail(llm.Overloaded, 0)
	tests := []struct {
		name  string
		errs  []error
		want  string
		waits time.Duration
	}{
		{"healthy", nil, "text hi; done", 0},
		{"once", []error{over}, "retry 2 after 1s for overloaded; text hi; done", time.Second},
		{"three times", []error{over, over, over}, "retry 2 after 1s for overloaded; retry 3 after 2s for overloaded; retry 4 after 4s for overloaded; text hi; done", 7 * time.Second},
		{"four times", []error{over, over, over, over}, "retry 2 after 1s for overloaded; retry 3 after 2s for overloaded; retry 4 after 4s for overloaded; error No luck. Tried 4 times.", 7 * time.Second},
		{"asked to wait 2 s (codex#30471)", []error{fail(llm.Limit, 2*time.Second)}, "retry 2 after 2s for rate limit; text hi; done", 2 * time.Second},
		{"asked to wait a minute", []error{fail(llm.Limit, time.Minute)}, "retry 2 after 1m0s for rate limit; text hi; done", time.Minute},
		{"asked to wait longer (pi-mono#2851)", []error{fail(llm.Limit, time.Hour)}, "error No luck. The server asks to wait 1 h 0 min: try again at 01:00.", 0},
		{"asked to wait for days", []error{fail(llm.Limit, 50*time.Hour)}, "error No luck. The server asks to wait 2 days: try again at Monday 3 January 02:00.", 0},
		{"silent", []error{fail(llm.Idle, 0), fail(llm.Idle, 0)}, "retry 2 after 1s for idle; error No luck. Tried 2 times.", time.Second},
		{"no connection", []error{fail(llm.Unreachable, 0)}, "retry 2 after 1s for unreachable; text hi; done", time.Second},
		{"dropped", []error{fail(llm.Broken, 0)}, "retry 2 after 1s for broken; text hi; done", time.Second},
		{"key", []error{fail(llm.Auth, 0)}, "error No luck.", 0},
		{"not found", []error{fail(llm.NotFound, 0)}, "error No luck.", 0},
		{"credit", []error{fail(llm.Credit, time.Second)}, "error No luck.", 0},
		{"too long", []error{fail(llm.TooLong, 0)}, "error No luck.", 0},
		{"refused", []error{fail(llm.Refused, 0)}, "error No luck.", 0},
		{"not one of ours", []error{errors.New("odd")}, "error odd", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				c := llm.Retry(failing(tt.errs...), llm.RetryOptions{Chance: half, Now: func() time.Time { return time.Now().UTC() }})
				if got := said(t.Context(), c); got != tt.want {
					t.Errorf("got  %s\nwant %s", got, tt.want)
				}
				if waited := time.Since(start); waited != tt.waits {
					t.Errorf("waited %v", waited)
				}
			})
		})
	}
}

func TestNothingIsRetriedAfterTheFirstDelta(t *testing.T) {
	t.Parallel()
	c := &failingClient{errs: []error{&llm.Error{Kind: llm.Broken, Detail: "Cut."}}, after: true}
	if got := said(t.Context(), llm.Retry(c, llm.RetryOptions{})); got != "text half; error Cut." || c.asked != 1 {
		t.Errorf("got %s, %d requests", got, c.asked)
	}
}

func TestWaitsAreSpread(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		over := &llm.Error{Kind: llm.Overloaded, Detail: "No."}
		for chance, want := range map[float64]string{0: "retry 2 after 750ms", 0.999: "retry 2 after 1.2495s"} {
			c := llm.Retry(failing(over), llm.RetryOptions{Chance: func() float64 { return chance }})
			if got := said(t.Context(), c); !strings.HasPrefix(got, want) {
				t.Errorf("chance %v: %s", chance, got)
			}
		}
		seen := map[string]bool{}
		for range 20 {
			seen[said(t.Context(), llm.Retry(failing(over), llm.RetryOptions{}))] = true
		}
		if len(seen) < 2 {
			t.Errorf("by default all waits are equal: %v", seen)
		}
	})
}

func TestTheWaitEndsWithTheContextAndTheLoop(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		limit := &llm.Error{Kind: llm.Limit, RetryAfter: 30 * time.Second}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		c := &failingClient{errs: []error{limit, limit}}
		got := said(ctx, llm.Retry(c, llm.RetryOptions{}))
		if got != "retry 2 after 30s for rate limit; error context deadline exceeded" || time.Since(start) != 5*time.Second || c.asked != 1 {
			t.Errorf("got %s after %v", got, time.Since(start))
		}
		for ev := range llm.Retry(c, llm.RetryOptions{}).Stream(t.Context(), llm.Request{}) {
			if _, ok := ev.(llm.Retrying); !ok {
				t.Errorf("got %v", ev)
			}
			break
		}
		if c.asked != 2 || time.Since(start) != 5*time.Second {
			t.Errorf("after leaving, %d requests", c.asked)
		}
	})
}

// codex#30471 over HTTP: seconds, a date, milliseconds; 429 and then 200.
func TestRetryOverHTTP(t *testing.T) {
	t.Parallel()
	for name, header := range map[string]func() map[string]string{
		"seconds":      func() map[string]string { return map[string]string{"Retry-After": "2"} },
		"milliseconds": func() map[string]string { return map[string]string{"retry-after-ms": "2000"} },
		"date": func() map[string]string {
			now := time.Now().UTC()
			return map[string]string{"Date": now.Format(http.TimeFormat), "Retry-After": now.Add(2 * time.Second).Format(http.TimeFormat)}
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			script := llmtest.Steps(llmtest.Reply{Fault: llmtest.Fault{Status: 429, Body: "slow down", Header: header()}}, llmtest.Reply{Text: "hi"})
			h := llmtest.Handler(script)
			c := llm.Retry(openai.New(openai.Options{BaseURL: "https://api.test", Transport: llmtest.Transport(h)}), llm.RetryOptions{Chance: half})
			if got := said(t.Context(), c); got != "retry 2 after 2s for rate limit; text hi; done" || len(h.Requests()) != 2 {
				t.Errorf("%s: %s, %d requests", name, got, len(h.Requests()))
			}
		})
	}
}
