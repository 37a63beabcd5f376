package llmtest_test

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"strings"
	"testing"

	"aye/llm"
	"aye/llm/llmtest"
	"aye/llm/openai"
)

// recorder is a TB that keeps what is reported.
type recorder struct{ reports []string }

func (r *recorder) Helper() {}
func (r *recorder) Errorf(f string, args ...any) {
	r.reports = append(r.reports, fmt.Sprintf(f, args...))
}
func (r *recorder) Fatalf(f string, args ...any) { r.Errorf(f, args...); runtime.Goexit() }

// changed is a client whose events, and its error, pass through change.
type changed struct {
	llm.Client
	change func(llm.Event, error, func(llm.Event, error) bool) bool
}

func (c changed) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		for ev, err := range c.Client.Stream(ctx, req) {
			if !c.change(ev, err, yield) {
				return
			}
		}
	}
}

// Conform finds each way to break the contract.
func TestConformFindsFaults(t *testing.T) {
	for _, tt := range []struct {
		name, says string
		change     func(llm.Event, error, func(llm.Event, error) bool) bool
	}{
		{"Done twice", "deltas come first", func(ev llm.Event, err error, yield func(llm.Event, error) bool) bool {
			if _, ok := ev.(llm.Done); ok && !yield(ev, nil) {
				return false
			}
			return yield(ev, err)
		}},
		{"a delta lost", "deltas come first", func(ev llm.Event, err error, yield func(llm.Event, error) bool) bool {
			if d, ok := ev.(llm.TextDelta); ok && d.Text == "ill" {
				return true
			}
			return yield(ev, err)
		}},
		{"usage lost", "usage, stop and model", func(ev llm.Event, err error, yield func(llm.Event, error) bool) bool {
			if d, ok := ev.(llm.Done); ok {
				d.Usage = llm.Usage{}
				return yield(d, nil)
			}
			return yield(ev, err)
		}},
		{"broken taken for whole", "a broken reply", func(ev llm.Event, err error, yield func(llm.Event, error) bool) bool {
			if err != nil {
				return yield(llm.Done{}, nil)
			}
			return yield(ev, nil)
		}},
		{"no kind", "an error response", func(ev llm.Event, err error, yield func(llm.Event, error) bool) bool {
			if err != nil {
				err = fmt.Errorf("it failed: %s", err.Error())
			}
			return yield(ev, err)
		}},
	} {
		rec := &recorder{}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			llmtest.Conform(rec, func(url string) llm.Client {
				return changed{openai.New(openai.Options{BaseURL: url}), tt.change}
			})
		}()
		<-ended
		if all := strings.Join(rec.reports, "\n"); !strings.Contains(all, tt.says) {
			t.Errorf("%s: Conform reports %q", tt.name, all)
		}
	}
}
