package agenttest_test

import (
	"strings"
	"testing"

	"aye/agent"
	"aye/agent/agenttest"
	"aye/llm"
)

func reply(ids ...string) agent.Replied {
	m := llm.Message{Role: llm.Assistant, Blocks: []llm.Block{llm.Text{Text: "x"}}}
	for _, id := range ids {
		m.Blocks = append(m.Blocks, llm.ToolCall{ID: id, Name: "look"})
	}
	return agent.Replied{Message: m}
}

// TestCheckFinds breaks each rule once.
func TestCheckFinds(t *testing.T) {
	started, ended := agent.TurnStarted{Turn: 1}, agent.TurnEnded{Turn: 1, Reason: agent.Finished}
	queued, accepted := agent.PromptQueued{ID: 1}, agent.PromptAccepted{ID: 1}
	asked, finished := agent.ApprovalAsked{CallID: "a"}, agent.CallFinished{CallID: "a"}
	for name, c := range map[string]struct {
		says string // "" where the order is good
		evs  []agent.Event
	}{
		"a good turn":          {"", []agent.Event{queued, started, accepted, reply("a"), agent.CallPrepared{CallID: "a"}, asked, agent.ApprovalSettled{CallID: "a"}, agent.CallProgress{CallID: "a"}, agent.ChangeCommitted{CallID: "a"}, finished, reply(), ended}},
		"turn in a turn":       {"came before", []agent.Event{started, agent.TurnStarted{Turn: 2}}},
		"turn twice":           {"came before", []agent.Event{started, ended, started}},
		"end without a turn":   {"came before", []agent.Event{ended}},
		"broken without error": {"does not fit", []agent.Event{started, agent.TurnEnded{Turn: 1, Reason: agent.Broken}}},
		"call left open":       {"have no result", []agent.Event{started, reply("a"), ended}},
		"question left open":   {"its question is open", []agent.Event{started, reply("a"), asked, finished}},
		"two questions":        {"asked already", []agent.Event{started, reply("a", "b"), asked, agent.ApprovalAsked{CallID: "b"}}},
		"settled unasked":      {"not asked", []agent.Event{started, reply("a"), agent.ApprovalSettled{CallID: "a", Choice: agent.Allow}}},
		"two results":          {"no such call", []agent.Event{started, reply("a"), finished, finished}},
		"late change":          {"no such call", []agent.Event{started, reply("a"), finished, agent.ChangeCommitted{CallID: "a"}}},
		"reply over calls":     {"without a result", []agent.Event{started, reply("a"), reply()}},
		"reply outside a turn": {"running: false", []agent.Event{reply()}},
		"empty reply":          {"empty", []agent.Event{started, agent.Replied{}}},
		"calls in a cut reply": {"cut reply", []agent.Event{started, agent.Replied{Message: reply("a").Message, Cut: true}}},
		"call id twice":        {"taken", []agent.Event{started, reply("a"), finished, reply("a")}},
		"prompt among calls":   {"between", []agent.Event{queued, started, reply("a"), accepted}},
		"prompt from nowhere":  {"no such message", []agent.Event{started, accepted}},
		"prompt taken twice":   {"no such message", []agent.Event{queued, started, accepted, agent.PromptWithdrawn{ID: 1}}},
		"prompt out of a turn": {"outside", []agent.Event{queued, accepted}},
		"queued twice":         {"twice", []agent.Event{queued, queued}},
		"cleared in a turn":    {"a turn runs", []agent.Event{started, agent.Cleared{}}},
		"pruned":               {"", []agent.Event{started, agent.Pruned{CallIDs: []string{"a"}, Before: 2, After: 1}}},
		"pruned in a call":     {"between", []agent.Event{started, reply("a"), agent.Pruned{CallIDs: []string{"b"}, Before: 2, After: 1}}},
		"pruned to no avail":   {"shorter", []agent.Event{started, agent.Pruned{CallIDs: []string{"a"}, Before: 2, After: 2}}},
		"compacted at rest":    {"no turn", []agent.Event{agent.Compacted{Dropped: 1, Before: 2, After: 1}}},
		"compacted nothing":    {"shorter", []agent.Event{started, agent.Compacted{Before: 2, After: 1}}},
		"reminded in a call":   {"between", []agent.Event{started, reply("a"), agent.Reminded{}}},
		"command ends twice":   {"no such command", []agent.Event{agent.CommandStarted{ID: "c"}, agent.CommandFinished{ID: "c"}, agent.CommandFinished{ID: "c"}}},
		"command id twice":     {"taken", []agent.Event{agent.CommandStarted{ID: "c"}, agent.CommandStarted{ID: "c"}}},
		"jobs":                 {"", []agent.Event{agent.JobStarted{ID: 1}, agent.JobStarted{ID: 3}, started, reply("a"), agent.JobEnded{ID: 1}, agent.JobsListed{}}},
		"job number twice":     {"started before", []agent.Event{agent.JobStarted{ID: 1}, agent.JobEnded{ID: 1}, agent.JobStarted{ID: 1}}},
		"job ends twice":       {"no such job", []agent.Event{agent.JobStarted{ID: 1}, agent.JobEnded{ID: 1}, agent.JobEnded{ID: 1}}},
		"stray output":         {"does not run", []agent.Event{agent.CallProgress{CallID: "c"}}},
		"stray text":           {"no turn", []agent.Event{agent.TextStreamed{Text: "x"}}},
	} {
		t.Run(name, func(t *testing.T) {
			holds(t, agenttest.Check(append([]agent.Event{agent.SessionOpened{}}, c.evs...)), c.says)
		})
	}
	holds(t, agenttest.Check([]agent.Event{started}), "not opened")
}

func TestConversationFinds(t *testing.T) {
	calls := reply("a", "b").Message
	result := func(id string) llm.Block { return llm.ToolResult{CallID: id, Text: "x"} }
	for name, c := range map[string]struct {
		says string
		msgs []llm.Message
	}{
		"good":            {"", []llm.Message{llm.UserText("hi"), calls, {Role: llm.User, Blocks: []llm.Block{result("a"), result("b")}}}},
		"no results":      {"have no results", []llm.Message{calls}},
		"one result":      {"results of", []llm.Message{calls, {Role: llm.User, Blocks: []llm.Block{result("a")}}}},
		"wrong order":     {"results of", []llm.Message{calls, {Role: llm.User, Blocks: []llm.Block{result("b"), result("a")}}}},
		"prompt between":  {"results of", []llm.Message{calls, llm.UserText("hi")}},
		"stray result":    {"results of", []llm.Message{{Role: llm.User, Blocks: []llm.Block{result("a")}}}},
		"empty result":    {"empty result", []llm.Message{calls, {Role: llm.User, Blocks: []llm.Block{llm.ToolResult{CallID: "a"}}}}},
		"empty message":   {"is empty", []llm.Message{{Role: llm.User}}},
		"a user's call":   {"call by the user", []llm.Message{{Role: llm.User, Blocks: calls.Blocks}}},
		"nothing at all":  {"", nil},
		"two user's ones": {"", []llm.Message{llm.UserText("a"), llm.UserText("b")}},
	} {
		t.Run(name, func(t *testing.T) { holds(t, agenttest.Conversation(c.msgs), c.says) })
	}
}

func holds(t *testing.T, err error, says string) {
	t.Helper()
	if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
		t.Errorf("got %v, want %q", err, says)
	}
}
