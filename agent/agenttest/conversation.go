package agenttest

import (
	"fmt"

	"aye/llm"
)

// Conversation reports the first thing in msgs that a model cannot be asked
// with: a call without its result in the next message, a result without its
// call, a message that says nothing.
func Conversation(msgs []llm.Message) error {
	var open []string // calls of the message before
	for i, m := range msgs {
		fail := func(format string, args ...any) error {
			return fmt.Errorf("message %d of %d, %+v: %w", i+1, len(msgs), m, fmt.Errorf(format, args...))
		}
		if len(m.Blocks) == 0 {
			return fail("it is empty")
		}
		var answered []string
		for _, b := range m.Blocks {
			switch b := b.(type) {
			case llm.ToolResult:
				answered = append(answered, b.CallID)
				if b.Text == "" {
					return fail("an empty result")
				}
			case llm.ToolCall:
				if m.Role != llm.Assistant {
					return fail("a call by the %s", m.Role)
				}
			case llm.Text, llm.Thinking, llm.Image:
			}
		}
		if fmt.Sprint(answered) != fmt.Sprint(open) {
			return fail("results of %q after calls %q", answered, open)
		}
		open = nil
		for _, c := range m.Calls() {
			open = append(open, c.ID)
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("the calls %q of the last message have no results", open)
	}
	return nil
}
