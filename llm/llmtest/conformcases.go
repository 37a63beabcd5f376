package llmtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"aye/llm"
)

var conformReply = Reply{
	Thinking: "First I look, 界, then I say.",
	Text:     "I will read two files. 😀\nThen I am done.",
	Calls: []llm.ToolCall{
		{ID: "call_a", Name: "read", Args: `{"path":"a 界 😀.go"}`},
		{ID: "call_b", Name: "read", Args: `{"path":"b \"quoted\" \\ name"}`},
	},
	Piece: 3,
}

var conformQuestion = llm.Request{
	Model: "scripted", System: "You are <brief> & exact.",
	Messages: []llm.Message{llm.UserText("Hello, 界 & <you>.")},
	Tools:    []llm.ToolSpec{{Name: "read", Doc: "Reads.", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}}}`)}},
}

func conformDone(t TB, open opener) {
	for _, f := range []Fault{{}, {ByteByByte: true}, {Comments: 3}} {
		r := conformReply
		r.Fault = f
		s, client := open(t, Steps(r))
		h := hear(context.Background(), client(), conformQuestion)
		s.Close()
		if len(h.errs) != 0 || len(h.dones) != 1 || h.late != 0 {
			t.Errorf("%+v: errors %v, %d Dones, %d events after the end", f, h.errs, len(h.dones), h.late)
			continue
		}
		m := h.dones[0].Message
		if m.Role != llm.Assistant || h.text != r.Text || m.Text() != r.Text || h.thinking != r.Thinking {
			t.Errorf("%+v: deltas %q and %q, Done %q", f, h.thinking, h.text, m.Text())
		}
		calls := m.Calls()
		if len(calls) != len(r.Calls) || len(h.calls) != len(calls) {
			t.Errorf("%+v: calls %v, in deltas %v", f, calls, h.calls)
			continue
		}
		for i, c := range calls {
			if c != h.calls[c.ID] || c.Name != r.Calls[i].Name || c.Args != r.Calls[i].Args {
				t.Errorf("%+v: call %v, in deltas %v, sent %v", f, c, h.calls[c.ID], r.Calls[i])
			}
		}
		if h.deltas < 10 {
			t.Errorf("%+v: %d deltas: they are not passed on as they come", f, h.deltas)
		}
	}
}

func conformEnd(t TB, open opener) {
	stops := []llm.Stop{llm.EndTurn, llm.MaxTokens, llm.Filtered}
	var replies []Reply
	for _, stop := range stops {
		replies = append(replies, Reply{Text: "x", Stop: stop, Usage: llm.Usage{Input: 100, Cached: 60, Output: 7}})
	}
	s, client := open(t, Steps(append(replies, Reply{Text: "x", Fault: Fault{NoUsage: true}})...))
	defer s.Close()
	c := client()
	for _, stop := range stops {
		h := hear(context.Background(), c, conformQuestion)
		if len(h.dones) != 1 || h.dones[0].Stop != stop || h.dones[0].Usage != replies[0].Usage || h.dones[0].Model != "scripted" {
			t.Errorf("%s: got %+v %v", stop, h.dones, h.errs)
		}
	}
	h := hear(context.Background(), c, conformQuestion)
	if len(h.dones) != 1 || !h.dones[0].Usage.Estimated || h.dones[0].Usage.Input <= 0 {
		t.Errorf("without counts from the server: %+v %v", h.dones, h.errs)
	}
}

func conformRequest(t TB, open opener) {
	s, client := open(t, Steps(conformReply, Reply{Text: "Done."}))
	defer s.Close()
	c := client()
	first := hear(context.Background(), c, conformQuestion)
	if len(first.dones) != 1 {
		t.Fatalf("no reply: %v", first.errs)
	}
	req := conformQuestion
	results := llm.Message{Role: llm.User}
	for _, call := range first.dones[0].Message.Calls() {
		results.Blocks = append(results.Blocks, llm.ToolResult{CallID: call.ID, Name: call.Name, Text: "content of " + call.ID})
	}
	results.Blocks = append(results.Blocks, llm.Text{Text: "and be quick"})
	req.Messages = append(req.Messages[:1:1], first.dones[0].Message, results)
	if h := hear(context.Background(), c, req); len(h.dones) != 1 {
		t.Fatalf("no second reply: %v", h.errs)
	}
	got := s.Requests()[1].Request
	if got.System != req.System || got.Model != req.Model || len(got.Tools) != 1 || got.Tools[0].Name != "read" || len(got.Messages) != 3 {
		t.Fatalf("the server got %+v", got)
	}
	if fmt.Sprint(got.Messages[0], got.Messages[2]) != fmt.Sprint(req.Messages[0], req.Messages[2]) {
		t.Errorf("the server got %v and %v", got.Messages[0], got.Messages[2])
	}
	back := got.Messages[1]
	if back.Text() != conformReply.Text || fmt.Sprint(back.Calls()) != fmt.Sprint(req.Messages[1].Calls()) {
		t.Errorf("of its own reply, the server got %v", back)
	}
}

func conformStable(t TB, open opener) {
	s, client := open(t, func(llm.Request) Reply { return Reply{Text: "x"} })
	defer s.Close()
	req := conformQuestion
	req.Messages = append(req.Messages[:1:1], conformReply.message("scripted"),
		llm.Message{Role: llm.User, Blocks: []llm.Block{llm.ToolResult{CallID: "call_a", Text: "a"}, llm.ToolResult{CallID: "call_b", Text: "b"}}})
	for range 8 {
		hear(context.Background(), client(), req)
	}
	all := s.Requests()
	for _, r := range all {
		if !bytes.Equal(r.Body, all[0].Body) {
			t.Errorf("%s\nand\n%s", r.Body, all[0].Body)
		}
	}
	if len(all) != 8 {
		t.Errorf("%d requests for 8 streams", len(all))
	}
}

func conformBroken(t TB, open opener) {
	for _, f := range []Fault{{Then: Cut, After: 4}, {Then: Garbage, After: 4}, {Then: Error, After: 4}, {NoEnd: true}} {
		r := conformReply
		r.Fault = f
		s, client := open(t, Steps(r))
		h := hear(context.Background(), client(), conformQuestion)
		s.Close()
		var known *llm.Error
		if len(h.errs) != 1 || len(h.dones) != 0 || h.late != 0 || !errors.As(h.errs[0], &known) {
			t.Errorf("%+v: errors %v, %d Dones, %d events after the end", f, h.errs, len(h.dones), h.late)
			continue
		}
		if h.deltas < 4 {
			t.Errorf("%+v: only %d of the deltas before the fault", f, h.deltas)
		}
		if f.Then != Error && known.Kind != llm.Broken {
			t.Errorf("%+v: the kind is %s", f, known.Kind)
		}
	}
}

func conformStatus(t TB, open opener) {
	for status, kind := range map[int]llm.Kind{
		401: llm.Auth, 404: llm.NotFound, 402: llm.Credit, 413: llm.TooLong, 400: llm.Refused, 429: llm.Limit, 500: llm.Overloaded, 529: llm.Overloaded,
	} {
		f := Fault{Status: status, Body: "that is how it is", Header: map[string]string{"Retry-After": "7"}}
		s, client := open(t, func(llm.Request) Reply { return Reply{Fault: f} })
		h := hear(context.Background(), client(), conformQuestion)
		s.Close()
		var known *llm.Error
		if len(h.errs) != 1 || h.deltas != 0 || !errors.As(h.errs[0], &known) {
			t.Errorf("%d: errors %v, %d deltas", status, h.errs, h.deltas)
			continue
		}
		if known.Kind != kind || known.Status != status || known.RetryAfter != 7*time.Second || known.Detail == "" {
			t.Errorf("%d: got %+v", status, known)
		}
	}
}

func conformBreak(t TB, open opener) {
	r := conformReply
	r.Fault = Fault{Then: Stall, After: 5}
	s, client := open(t, Steps(r, r))
	defer s.Close()
	for range 2 {
		for _, err := range client().Stream(context.Background(), conformQuestion) {
			if err != nil {
				t.Errorf("%v", err)
			}
			break
		}
		if !eventually(func() bool { return s.Serving() == 0 }) {
			t.Errorf("the server still answers")
		}
	}
}

// soon is how fast a stream ends when its context does. On a machine under
// load one try may be late; the best of five counts.
const soon = 100 * time.Millisecond

func conformCancel(t TB, open opener) {
	early := Reply{Text: "x", Delay: time.Hour}
	middle := conformReply
	middle.Fault = Fault{Then: Stall, After: 5}
	for name, r := range map[string]Reply{"before the first delta": early, "between deltas": middle} {
		best := time.Hour
		for range 5 {
			best = min(best, cancelled(t, name, r, open))
			if best <= soon {
				break
			}
		}
		if best > soon {
			t.Errorf("%s: it took %v", name, best)
		}
	}
}

// cancelled cancels a stream that stalls and returns how long it took to end.
func cancelled(t TB, name string, r Reply, open opener) time.Duration {
	s, client := open(t, Steps(r))
	defer s.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	begun := make(chan struct{})
	var at time.Time
	var wg sync.WaitGroup
	wg.Go(func() {
		if r.Delay > 0 {
			eventually(func() bool { return len(s.Requests()) > 0 })
		} else {
			<-begun
		}
		at = time.Now()
		cancel()
	})
	deltas := 0
	var last error
	for _, err := range client().Stream(ctx, conformQuestion) {
		if last = err; err == nil {
			if deltas++; deltas == 5 {
				close(begun)
			}
		}
	}
	if r.Delay == 0 && deltas < 5 {
		close(begun)
	}
	wg.Wait()
	took := time.Since(at)
	if !errors.Is(last, context.Canceled) {
		t.Errorf("%s: the last error is %v", name, last)
	}
	if !eventually(func() bool { return s.Serving() == 0 }) {
		t.Errorf("%s: the server still answers", name)
	}
	return took
}

func conformEnded(t TB, open opener) {
	s, client := open(t, Steps(conformReply))
	defer s.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	h := hear(ctx, client(), conformQuestion)
	if len(h.errs) != 1 || !errors.Is(h.errs[0], context.Canceled) || h.deltas+len(h.dones) != 0 || len(s.Requests()) != 0 {
		t.Errorf("errors %v, %d deltas, %d requests", h.errs, h.deltas, len(s.Requests()))
	}
}

func conformMany(t TB, open opener) {
	s, client := open(t, func(r llm.Request) Reply {
		return Reply{Text: "You said " + r.Messages[0].Text(), Piece: 1, Between: time.Millisecond}
	})
	defer s.Close()
	c := client()
	var wg sync.WaitGroup
	got := make([]heard, 8)
	for i := range got {
		wg.Go(func() {
			req := conformQuestion
			req.Messages = []llm.Message{llm.UserText(fmt.Sprint("number ", i))}
			got[i] = hear(context.Background(), c, req)
		})
	}
	wg.Wait()
	for i, h := range got {
		if want := fmt.Sprint("You said number ", i); h.text != want || len(h.errs) != 0 {
			t.Errorf("stream %d heard %q %v", i, h.text, h.errs)
		}
	}
}
