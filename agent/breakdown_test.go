package agent_test

import (
	"testing"

	"aye/agent"
	"aye/llm"
)

// TestBreakdown: the parts add up to all messages, whatever was counted.
func TestBreakdown(t *testing.T) {
	sum := func(s agent.State) (n int, names string) {
		for _, p := range s.Breakdown() {
			n += p.Tokens
			names += p.Name + ", "
		}
		return n, names
	}
	s := fold(turns(5, 3000)...)
	n, names := sum(s)
	want(t, "nothing counted", n, s.Context)
	want(t, "names", names, "your messages, answers, tool calls, tool results, ")
	s.Apply(agent.Compacted{Summary: "Short.", Dropped: 8, Before: 9, After: 8000})
	s.Apply(agent.Reminded{Text: "<reminder>"})
	s.Apply(agent.Replied{Message: say("ok"), Usage: llm.Usage{Input: 9000, Output: 10}})
	n, names = sum(s)
	if n < 1 || n >= s.Context {
		t.Errorf("the messages are %d of %d tokens", n, s.Context)
	}
	want(t, "names", names, "summary of what was before, your messages, answers, tool calls, tool results, reminders and your own commands, ")
	if len((&agent.State{}).Breakdown()) != 0 {
		t.Error("nothing has parts")
	}
}
