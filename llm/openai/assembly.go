package openai

import (
	"errors"
	"strings"

	"aye/llm"
)

// maxReply bounds the bytes of text, reasoning and arguments of one reply.
const maxReply = 64 << 20

var errLongReply = errors.New("it is longer than 64 MB")

// An assembly is a reply in the making: chunks go in, events come out.
type assembly struct {
	req      llm.Request
	thinking stretch
	text     stretch
	calls    calls
	model    string
	finish   string // the finish_reason, lower case
	refused  bool
	answered bool // a choice came
	atOnce   bool // the reply came in one piece
	usage    llm.Usage
	size     int
	events   []llm.Event // of one chunk; used again
}

// A stretch is a text that grows.
type stretch struct {
	all strings.Builder
	cut joiner
}

// add returns what of more is whole so far.
func (s *stretch) add(more string) string {
	more = s.cut.add(more)
	s.all.WriteString(more)
	return more
}

func newAssembly(req llm.Request) *assembly {
	return &assembly{req: req, calls: calls{req: req}}
}

// add takes a chunk and returns its events, valid until the next call.
func (a *assembly) add(c chunk) ([]llm.Event, error) {
	a.events = a.events[:0]
	if c.Model != "" {
		a.model = c.Model.clean()
	}
	a.count(c.Usage)
	a.count(c.Groq.Usage)
	for i := range c.Choices {
		ch := &c.Choices[i]
		if ch.Index != "" && ch.Index != "0" {
			continue // one answer was asked for
		}
		if err := a.choose(ch); err != nil {
			return nil, err
		}
	}
	if a.size > maxReply {
		return nil, errLongReply
	}
	return a.events, nil
}

func (a *assembly) count(u *usage) {
	if n, ok := u.tokens(); ok {
		a.usage = n
	}
}

func (a *assembly) choose(ch *choice) error {
	a.answered = true
	a.count(ch.Usage)
	if ch.Finish != "" {
		a.finish = strings.ToLower(ch.Finish.clean())
	}
	d := ch.Delta
	if d == nil && a.size == 0 && len(a.calls.list) == 0 { // else it would repeat them
		d = ch.Message
		a.atOnce = d != nil
	}
	if d == nil {
		return nil
	}
	a.think(d.thinking())
	a.say(d.Content.text)
	if d.Refusal != "" {
		a.refused = true
		a.say(string(d.Refusal))
	}
	for _, p := range d.calls() {
		ev, ok, err := a.calls.add(p)
		if err != nil {
			return err
		}
		if ok {
			a.size += len(ev.Args)
			a.events = append(a.events, ev)
		}
	}
	return nil
}

func (a *assembly) think(s string) {
	if s = a.thinking.add(s); s != "" {
		a.size += len(s)
		a.events = append(a.events, llm.ThinkingDelta{Text: s})
	}
}

func (a *assembly) say(s string) {
	if s = a.text.add(s); s != "" {
		a.size += len(s)
		a.events = append(a.events, llm.TextDelta{Text: s})
	}
}

// end returns the last events of the reply: what was held back, and Done.
func (a *assembly) end() []llm.Event {
	a.events = a.events[:0]
	a.think(a.thinking.cut.end())
	a.say(a.text.cut.end())
	for _, c := range a.calls.list {
		if rest := c.write(c.cut.end()); rest != "" {
			a.events = append(a.events, llm.CallDelta{ID: c.id, Name: c.name, Args: rest})
		}
	}
	m := a.message()
	return append(a.events, llm.Done{Message: m, Stop: a.stop(), Usage: a.used(m), Model: a.model})
}

func (a *assembly) message() llm.Message {
	m := llm.Message{Role: llm.Assistant}
	if s := a.thinking.all.String(); s != "" {
		m.Blocks = append(m.Blocks, llm.Thinking{Text: s, Model: a.req.Model})
	}
	if s := a.text.all.String(); s != "" {
		m.Blocks = append(m.Blocks, llm.Text{Text: s})
	}
	for _, c := range a.calls.list {
		m.Blocks = append(m.Blocks, llm.ToolCall{ID: c.id, Name: c.name, Args: c.args.String()})
	}
	return m
}

// stop translates the finish_reason. Words that are unknown, and the many for
// calling tools, mean that the model was done.
func (a *assembly) stop() llm.Stop {
	switch a.finish {
	case "length", "max_tokens", "max_output_tokens", "model_length", fullWindow:
		return llm.MaxTokens
	case "content_filter", "content-filter", "refusal", "safety", "prohibited_content", "recitation", "blocklist":
		return llm.Filtered
	}
	if a.refused {
		return llm.Filtered
	}
	return llm.EndTurn
}

// Finish reasons that are failures.
const (
	fullWindow    = "model_context_window_exceeded" // with words: cut by the limit
	finishError   = "error"
	finishNoMeans = "insufficient_system_resource" // DeepSeek
)

// used is what the server counted, with estimates for what it did not.
func (a *assembly) used(m llm.Message) llm.Usage {
	u := a.usage
	if u.Input == 0 {
		u.Input, u.Estimated = a.req.Estimate(), true
	}
	if n := m.Estimate(); u.Output == 0 && n > 0 {
		u.Output, u.Estimated = n, true
	}
	return u
}
