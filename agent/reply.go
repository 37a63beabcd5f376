package agent

import (
	"fmt"
	"strings"
	"time"

	"aye/llm"
)

// replied records a whole reply and returns it as recorded. An empty one is
// an error and not kept: a message without content makes the next request
// invalid.
func (t *turn) replied(reply llm.Done) (llm.Done, error) {
	t.rounds++
	t.used = t.used.Add(reply.Usage)
	reply.Message.Role = llm.Assistant
	reply.Message.Blocks = sound(reply.Message.Blocks)
	if len(reply.Message.Calls()) == 0 && strings.TrimSpace(reply.Message.Text()) == "" {
		switch reply.Stop {
		case llm.Filtered:
			return llm.Done{}, errFiltered
		case llm.MaxTokens:
			return llm.Done{}, errNoRoom
		case llm.EndTurn:
		}
		return llm.Done{}, errEmpty
	}
	t.do(func(s *Session) {
		s.state.unique(reply.Message.Blocks)
		s.record(Replied{Message: reply.Message, Stop: reply.Stop, Usage: reply.Usage, Model: reply.Model})
	})
	return reply, nil
}

// keepPartial records what had arrived of a reply that broke.
func (t *turn) keepPartial(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	m := llm.Message{Role: llm.Assistant, Blocks: []llm.Block{llm.Text{Text: text}}}
	t.emit(Replied{Message: m, Stop: llm.EndTurn, Cut: true})
}

// sound returns the blocks that a conversation may hold of what a client
// yielded: those that are something a model can say.
func sound(blocks []llm.Block) []llm.Block {
	var out []llm.Block
	for _, b := range blocks {
		switch b := b.(type) {
		case llm.Text:
			if b.Text != "" {
				out = append(out, b)
			}
		case llm.Thinking, llm.ToolCall:
			out = append(out, b)
		case llm.Image, llm.ToolResult: // not a model's to send
		}
	}
	return out
}

// unique gives calls whose id is missing or was used before a new one, in
// place: some servers count from 0 in each reply, and the id is all that ties
// a result to its call.
func (s *State) unique(blocks []llm.Block) {
	fresh := map[string]bool{}
	for i, b := range blocks {
		c, ok := b.(llm.ToolCall)
		if !ok {
			continue
		}
		id := c.ID
		for n := 2; id == "" || s.ids[id] || fresh[id]; n++ {
			id = fmt.Sprintf("%s-%d", c.ID, n)
			if c.ID == "" {
				id = fmt.Sprintf("call-%d", len(s.ids)+n-1)
			}
		}
		fresh[id] = true
		c.ID = id
		blocks[i] = c
	}
}

// retrying begins with what kind of failure it was: where the room is short,
// as on the status line, the server's sentence is cut.
func retrying(r llm.Retrying, now time.Time) Waiting {
	w := Waiting{For: ForRetry, Until: now.Add(r.Wait)}
	if r.Why == nil {
		return w
	}
	w.Detail = r.Why.Error()
	if kind := string(r.Why.Kind); !strings.HasPrefix(w.Detail, kind) {
		w.Detail = kind + ": " + w.Detail
	}
	return w
}
