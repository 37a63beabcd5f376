package agent_test

import (
	"fmt"
	"testing"

	"aye/agent"
	"aye/llm"
	"aye/tools/change"
)

func fold(evs ...agent.Event) agent.State {
	var s agent.State
	for _, ev := range evs {
		s.Apply(ev)
	}
	return s
}

func TestChangesAddUp(t *testing.T) {
	change := func(path string, kind change.Kind, added, removed int) agent.Event {
		return agent.ChangeCommitted{CallID: "1", Files: []agent.ChangedFile{{Path: path, Kind: kind, Added: added, Removed: removed}}}
	}
	s := fold(
		change("new", "added", 5, 0), change("new", "changed", 1, 2),
		change("old", "changed", 1, 1), change("old", "removed", 0, 9),
		change("brief", "added", 3, 0), change("brief", "removed", 0, 3),
		change("back", "removed", 0, 4), change("back", "added", 4, 0),
	)
	want(t, "changes", fmt.Sprint(s.Changes), "[{new added 6 2} {old removed 1 10} {back changed 4 4}]")
}

func TestUsageAndContext(t *testing.T) {
	reply := func(in, out int) agent.Event {
		return agent.Replied{Message: llm.Message{Role: llm.Assistant, Blocks: []llm.Block{llm.Text{Text: "x"}}}, Usage: llm.Usage{Input: in, Output: out}}
	}
	s := fold(reply(10, 2), reply(20, 3), reply(0, 0)) // the last was cut and has no counts
	want(t, "usage", s.Usage, llm.Usage{Input: 30, Output: 5})
	want(t, "context", s.Context, 27) // the last one is estimated
	s.Apply(agent.Cleared{})
	want(t, "context of nothing", s.Context, 0)
	want(t, "usage still", s.Usage, llm.Usage{Input: 30, Output: 5})
}

func TestGrantsAreKeptOnce(t *testing.T) {
	settled := agent.ApprovalSettled{CallID: "1", Choice: agent.Always, Rule: "edit"}
	want(t, "grants", fmt.Sprint(fold(settled, settled, agent.Cleared{}).Grants), "[edit]")
}

// TestFoldTakesWhatIsOutOfPlace: a damaged journal may repeat or miss events.
func TestFoldTakesWhatIsOutOfPlace(t *testing.T) {
	s := fold(
		agent.CallFinished{CallID: "9"}, agent.CallPrepared{CallID: "9"}, agent.ApprovalSettled{CallID: "9"},
		agent.TurnEnded{Turn: 1, Reason: agent.Cancelled}, agent.CommandFinished{ID: "command-9"}, agent.PromptWithdrawn{ID: 9},
	)
	want(t, "messages", len(s.Messages), 0)
}
