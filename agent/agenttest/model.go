package agenttest

import (
	"context"
	"iter"
	"strings"
	"sync"
	"time"

	"aye/llm"
)

// A Reply is what a Model does with one request. It yields events and
// returns the error that ends the stream, if any.
type Reply func(ctx context.Context, req llm.Request, yield func(llm.Event) bool) error

// A Model is an [llm.Client] that gives its replies in order, and after them
// says "done" to everything.
type Model struct {
	mu       sync.Mutex
	replies  []Reply
	requests []llm.Request
}

// NewModel returns a model with these replies.
func NewModel(replies ...Reply) *Model { return &Model{replies: replies} }

// Requests returns what was asked so far.
func (m *Model) Requests() []llm.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]llm.Request(nil), m.requests...)
}

// Stream implements [llm.Client].
func (m *Model) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		on := true
		err := m.next(req)(ctx, req, func(ev llm.Event) bool {
			on = on && ctx.Err() == nil && yield(ev, nil)
			return on
		})
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		if on && err != nil {
			yield(nil, err)
		}
	}
}

func (m *Model) next(req llm.Request) Reply {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = append(m.requests, req)
	if len(m.replies) == 0 {
		return Say("done")
	}
	r := m.replies[0]
	m.replies = m.replies[1:]
	return r
}

// Say answers with text, word by word, one a second.
func Say(text string) Reply {
	return func(ctx context.Context, _ llm.Request, yield func(llm.Event) bool) error {
		if err := speak(ctx, text, yield); err != nil {
			return err
		}
		yield(llm.Done{
			Message: llm.Message{Role: llm.Assistant, Blocks: []llm.Block{llm.Text{Text: text}}},
			Stop:    llm.EndTurn, Usage: llm.Usage{Input: 10, Output: 2}, Model: "script",
		})
		return nil
	}
}

func speak(ctx context.Context, text string, yield func(llm.Event) bool) error {
	for _, word := range strings.SplitAfter(text, " ") {
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return ctx.Err()
		}
		if !yield(llm.TextDelta{Text: word}) {
			return ctx.Err()
		}
	}
	return nil
}

// Call makes the calls, at once.
func Call(calls ...llm.ToolCall) Reply {
	blocks := make([]llm.Block, len(calls))
	for i, c := range calls {
		blocks[i] = c
	}
	return Give(llm.Done{Message: llm.Message{Role: llm.Assistant, Blocks: blocks}, Stop: llm.EndTurn})
}

// Give replies with done alone, its calls announced before.
func Give(done llm.Done) Reply {
	return func(_ context.Context, _ llm.Request, yield func(llm.Event) bool) error {
		for _, c := range done.Message.Calls() {
			if !yield(llm.CallDelta(c)) {
				return nil
			}
		}
		yield(done)
		return nil
	}
}

// Break says text, as Say does, and then fails with err.
func Break(text string, err error) Reply {
	return func(ctx context.Context, _ llm.Request, yield func(llm.Event) bool) error {
		if text != "" {
			if err := speak(ctx, text, yield); err != nil {
				return err
			}
		}
		return err
	}
}
