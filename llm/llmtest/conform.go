package llmtest

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"aye/llm"
)

// TB is what Conform needs of a *testing.T.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Conform holds the clients that newClient makes for a base URL against the
// contract of llm.Client, with a scripted server on loopback. It counts
// goroutines, so nothing else may be starting any: call it from a test that is
// not parallel.
func Conform(t TB, newClient func(baseURL string) llm.Client) {
	t.Helper()
	conform(t, func(t TB, script Script) (stage, func() llm.Client) {
		s := serving(t, script)
		return s, func() llm.Client { return newClient(s.URL()) }
	})
}

// A stage is where a script plays for the clients under test.
type stage interface {
	Requests() []Recorded
	Serving() int // replies that are still going out
	Close()
}

// An opener opens a stage for script, and makes clients for it.
type opener func(t TB, script Script) (stage, func() llm.Client)

func conform(t TB, open opener) {
	t.Helper()
	before := runtime.NumGoroutine()
	for _, c := range []struct {
		name string
		run  func(TB, opener)
	}{
		{"deltas come first and are repeated in one Done", conformDone},
		{"usage, stop and model arrive", conformEnd},
		{"the whole conversation reaches the server", conformRequest},
		{"equal requests have equal bytes", conformStable},
		{"a broken reply ends in one error", conformBroken},
		{"an error response has a kind and no events", conformStatus},
		{"leaving the loop ends the request", conformBreak},
		{"the end of the context ends the request at once", conformCancel},
		{"an ended context asks nothing", conformEnded},
		{"several streams run at once", conformMany},
	} {
		c.run(named{t, c.name}, open)
	}
	if !eventually(func() bool { return runtime.NumGoroutine() <= before }) {
		stacks := make([]byte, 64<<10)
		t.Errorf("goroutines are left over: %d, %d before\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
	}
}

// named puts the name of a case before what it reports.
type named struct {
	TB
	name string
}

func (n named) Errorf(format string, args ...any) {
	n.Helper()
	n.TB.Errorf("%s: %s", n.name, fmt.Sprintf(format, args...))
}

func (n named) Fatalf(format string, args ...any) {
	n.Helper()
	n.TB.Fatalf("%s: %s", n.name, fmt.Sprintf(format, args...))
}

// eventually polls ok for up to five seconds.
func eventually(ok func() bool) bool {
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); <-tick.C {
		if ok() {
			return true
		}
	}
	return ok()
}

// serving starts a server that plays script. The caller closes it.
func serving(t TB, script Script) *Server {
	t.Helper()
	s := NewServer(script)
	if err := s.Start(context.Background()); err != nil {
		t.Fatalf("no server on loopback: %v", err)
	}
	return s
}

// heard is everything a stream yielded.
type heard struct {
	text, thinking string
	calls          map[string]llm.ToolCall // put together from deltas
	deltas         int
	dones          []llm.Done
	errs           []error
	late           int // events after Done or an error
}

func hear(ctx context.Context, c llm.Client, req llm.Request) heard {
	h := heard{calls: map[string]llm.ToolCall{}}
	for ev, err := range c.Stream(ctx, req) {
		if len(h.dones)+len(h.errs) > 0 {
			h.late++
		}
		if err != nil {
			h.errs = append(h.errs, err)
			continue
		}
		h.take(ev)
	}
	return h
}

func (h *heard) take(ev llm.Event) {
	switch ev := ev.(type) {
	case llm.TextDelta:
		h.text += ev.Text
		h.deltas++
	case llm.ThinkingDelta:
		h.thinking += ev.Text
		h.deltas++
	case llm.CallDelta:
		c := h.calls[ev.ID]
		h.calls[ev.ID] = llm.ToolCall{ID: ev.ID, Name: ev.Name, Args: c.Args + ev.Args}
		h.deltas++
	case llm.Done:
		h.dones = append(h.dones, ev)
	case llm.Retrying: // allowed anywhere before the first delta
	}
}
