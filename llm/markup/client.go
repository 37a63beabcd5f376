package markup

import (
	"context"
	"iter"
	"slices"
	"strings"
	"sync"

	"aye/llm"
)

// New returns a client whose replies are those of c, read for markup.
func New(c llm.Client) llm.Client { return &client{inner: c, drops: map[string]bool{}} }

type client struct {
	inner llm.Client

	mu    sync.Mutex      // guards drops
	drops map[string]bool // models whose template takes the tag away that opens a thought
}

// Stream sends req; see llm.Client.
func (c *client) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		s := &stream{reply: newReply(req), yield: yield}
		if c.dropsTag(req.Model) {
			s.reply.assume()
		}
		for ev, err := range c.inner.Stream(ctx, req) {
			if !s.take(ev, err) {
				break
			}
		}
		if s.reply.lacksTag != unknown {
			c.learn(req.Model, s.reply.lacksTag == lacking)
		}
	}
}

func (c *client) dropsTag(model string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.drops[model]
}

func (c *client) learn(model string, drops bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drops[model] = drops
}

// A stream passes one reply on.
type stream struct {
	reply   *reply
	yield   func(llm.Event, error) bool
	begun   bool            // something was passed on
	heard   bool            // text came
	thought strings.Builder // native reasoning
}

// take passes on what ev comes to; false ends the request.
func (s *stream) take(ev llm.Event, err error) bool {
	r := s.reply
	if err != nil {
		if s.begun {
			r.abandon()
			if !s.tell() {
				return false
			}
		}
		s.yield(nil, err)
		return false
	}
	switch ev := ev.(type) {
	case llm.TextDelta:
		s.heard = true
		r.add(ev.Text)
		switch {
		case !s.tell():
			return false
		case r.mode == ended && !r.native:
			s.yield(s.early(), nil)
			return false
		}
	case llm.ThinkingDelta:
		r.thinksNatively()
		s.thought.WriteString(ev.Text)
		return s.pass(ev)
	case llm.CallDelta:
		r.callsNow()
		return s.tell() && s.pass(ev)
	case llm.Retrying:
		return s.yield(ev, nil)
	case llm.Done:
		if !s.heard {
			r.add(ev.Message.Text())
		}
		r.finish(ev.Stop == llm.MaxTokens)
		r.unearth(s.thought.String())
		return s.tell() && s.pass(r.done(ev))
	}
	return true
}

func (s *stream) pass(ev llm.Event) bool {
	s.begun = true
	return s.yield(ev, nil)
}

// tell passes on what the reply has come to.
func (s *stream) tell() bool {
	for _, ev := range s.reply.out {
		if !s.pass(ev) {
			return false
		}
	}
	s.reply.out = s.reply.out[:0]
	return true
}

// early is the end of a reply whose rest nobody waits for, so nobody counted it.
func (s *stream) early() llm.Done {
	d := llm.Done{Stop: llm.EndTurn, Message: llm.Message{Role: llm.Assistant}}
	if s.thought.Len() > 0 {
		d.Message.Blocks = append(d.Message.Blocks, llm.Thinking{Text: s.thought.String(), Model: s.reply.req.Model})
	}
	d = s.reply.done(d)
	d.Usage = llm.Usage{Input: s.reply.req.Estimate(), Output: max(d.Message.Estimate(), 1), Estimated: true}
	return d
}

// done is d with what its text turned out to be.
func (r *reply) done(d llm.Done) llm.Done {
	if r.cut && d.Stop == llm.EndTurn {
		d.Stop = llm.MaxTokens
	}
	if !r.changed {
		return d
	}
	var blocks, calls []llm.Block
	for _, b := range d.Message.Blocks {
		switch b.(type) {
		case llm.ToolCall:
			calls = append(calls, b)
		case llm.Thinking, llm.Image, llm.ToolResult:
			blocks = append(blocks, b)
		case llm.Text: // it is in r.text, as far as it is text
		}
	}
	if s := r.thought.String(); s != "" {
		blocks = append(blocks, llm.Thinking{Text: s, Model: r.req.Model})
	}
	if s := r.text.String(); s != "" {
		blocks = append(blocks, llm.Text{Text: s})
	}
	for _, c := range r.calls {
		blocks = append(blocks, llm.ToolCall{ID: c.id, Name: c.name, Args: c.args.String()})
	}
	d.Message.Blocks = slices.Concat(blocks, calls)
	return d
}
