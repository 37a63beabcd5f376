package slash

import (
	"fmt"
	"strings"
	"testing"

	"aye/agent"
	"aye/llm"
	"aye/tools/change"
)

// conversation is one with all kinds of messages.
func conversation() []llm.Message {
	var calls, results []llm.Block
	for i, name := range []string{"read", "shell", "read", "we|ird`*"} {
		id := fmt.Sprint(i)
		calls = append(calls, llm.ToolCall{ID: id, Name: name, Args: `{"path":"main.go"}`})
		results = append(results, llm.ToolResult{CallID: id, Text: strings.Repeat("a line of text\n", 100)})
	}
	return []llm.Message{
		llm.UserText("fix the test"),
		{Role: llm.Assistant, Blocks: calls},
		{Role: llm.User, Blocks: results},
		{Role: llm.Assistant, Blocks: []llm.Block{llm.Thinking{Text: "hm"}, llm.Text{Text: "It is fixed."}}},
		llm.UserText("thank you"),
	}
}

func lacksAndHas(t *testing.T, got string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(got, part) {
			t.Errorf("no %q in\n%s", part, got)
		}
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	s := agent.State{Messages: conversation(), Turn: 2, Changes: []agent.ChangedFile{
		{Path: "a", Kind: change.Changed, Added: 3, Removed: 1}, {Path: "b", Kind: change.Added, Added: 9}}}
	got := History(s, agent.Spent{Replies: 3, Usage: llm.Usage{Input: 12_000, Cached: 9000, Output: 340}, Cost: 0.0421})
	lacksAndHas(t, got,
		"- 5 messages in the conversation: 2 to the model, 2 from it, 1 with results of calls\n",
		"- 4 calls: read 2, shell 1, we\\|ird\\`\\* 1\n",
		"- 2 turns, 3 requests: 12k in (9k cached), 340 out · $0.042\n",
		"- 2 files changed: +12 −1\n")
	empty := History(agent.State{}, agent.Spent{})
	lacksAndHas(t, empty, "- 0 messages in the conversation", "- 0 turns, 0 requests: 0 in, 0 out\n")
	if strings.Contains(empty, "calls:") || strings.Contains(empty, "changed") {
		t.Error(empty)
	}
	guessed := History(agent.State{}, agent.Spent{Replies: 1, Usage: llm.Usage{Input: 9, Output: 1, Estimated: true}, Unpriced: 1})
	lacksAndHas(t, guessed, "9 in, 1 out (estimated)\n")
}

// meter plays turns of one reply each.
func meter(known bool, turns int, u llm.Usage) *agent.Meter {
	m := &agent.Meter{Price: func(string, string) (llm.Price, bool) {
		return llm.Price{Rates: llm.Rates{Input: 1, Cached: 0.1, Output: 10}}, known
	}}
	m.Apply(agent.SessionOpened{Model: "m"})
	for n := range turns {
		m.Apply(agent.TurnStarted{Turn: n + 1})
		m.Apply(agent.Replied{Usage: u})
	}
	return m
}

func TestCost(t *testing.T) {
	t.Parallel()
	u := llm.Usage{Input: 10_000, Cached: 5000, Output: 100}
	price := llm.Price{Rates: llm.Rates{Input: 1.25, Cached: 0.125, Output: 10}, Above: 200_000, Long: llm.Rates{Input: 2.5, Cached: 0.25, Output: 15}}
	got := Cost(meter(true, 2, u), "a_model", price, true)
	lacksAndHas(t, got, "| 1 | 10k | 5k | 100 | $0.0065 |\n| 2 |", "| **all** | 20k | 10k | 200 | $0.013 |\n",
		"a\\_model costs $1.25 in, $0.125 cached, $10 out a million tokens; beyond 200k tokens in $2.5 in,")
	if strings.Contains(got, "estimated") || strings.Contains(got, "unknown") {
		t.Error(got)
	}
	lacksAndHas(t, Cost(meter(false, 1, llm.Usage{Input: 10, Output: 1, Estimated: true}), "m", llm.Price{}, false),
		"| 1 | ~10 | 0 | ~1 | – |\n", "(estimated): the server did not count", "The price of m here is not known.")
	lacksAndHas(t, Cost(meter(true, 0, u), "m", llm.Price{}, true), "Nothing was spent yet. m costs nothing here.")

	many := Cost(meter(true, 40, u), "m", price, true)
	lacksAndHas(t, many, "| 1–28 | 280k |", "| 29 |", "| 40 |", "| **all** | 400k | 200k | 4k | $0.260 |")
	if n := strings.Count(many, "\n|"); n != 1+1+costTurns+1 {
		t.Errorf("%d rows:\n%s", n, many)
	}

	compacted := meter(true, 1, u)
	for _, ev := range []agent.Event{agent.TurnEnded{}, agent.TurnStarted{Turn: 2}, agent.TurnEnded{}, agent.TurnStarted{Turn: 3}, agent.Compacted{Usage: u}, agent.TurnStarted{Turn: 4}, agent.Compacted{Usage: u}, agent.Replied{Usage: u}} {
		compacted.Apply(ev)
	}
	lacksAndHas(t, Cost(compacted, "m", price, true), "| 1 | 10k |", "| 2 (/compact) | 10k |", "| 3 | 20k |", "| **all** | 40k |")

	mixed := meter(true, 1, u)
	mixed.Price = nil
	mixed.Apply(agent.SessionOpened{Model: "other"})
	mixed.Apply(agent.TurnStarted{Turn: 2})
	mixed.Apply(agent.Replied{Usage: u})
	lacksAndHas(t, Cost(mixed, "other", llm.Price{}, false), "| 2 | 10k | 5k | 100 | – |", "| ≥$0.0065 |", "1 request had no known price; the cost is at least what is shown.")
}

func TestContext(t *testing.T) {
	t.Parallel()
	parts := []agent.Part{{Name: "your messages", Tokens: 300}, {Name: "tool results", Tokens: 1700}}
	c := Context{Parts: parts, Overhead: 1000, Window: 100_000}
	list, total := c.shares()
	sum := 0
	for _, s := range list {
		sum += s.Tokens
	}
	if sum != total || len(list) != 3 {
		t.Errorf("%v are %d, want %d", list, sum, total)
	}
	lacksAndHas(t, c.Report(), "about ", "of 100k tokens, ", "| tool results | ~1.7k | 56 % |", "/compact")

	c.Counted = 46_000
	lacksAndHas(t, c.Report(), "`██████████████░░░░░░░░░░░░░░░░` 46k of 100k tokens, 46 %\n")
	_, total = c.shares()
	if total != 46_000 {
		t.Errorf("the parts are %d", total)
	}
	c.Window = 0
	lacksAndHas(t, c.Report(), "46k tokens; how many the model's context holds is not known")
	c.Window = 1000
	lacksAndHas(t, c.Report(), "`██████████████████████████████` 46k of 1k tokens, 4600 %\n")
	lacksAndHas(t, Context{}.Report(), "about 0 tokens")
}

func TestSkills(t *testing.T) {
	t.Parallel()
	lacksAndHas(t, Skills(nil), "There are no skills here", "`.agents/skills/NAME/SKILL.md`")
	got := Skills([]Skill{
		{Name: "pdf_fill", Description: "Fill **forms**\n# not a heading \x1b[2J", Path: "/w/.agents/skills/pdf_fill/SKILL.md"},
		{Path: ".agents/skills/bad/SKILL.md", Problem: "it has no front matter"},
	})
	lacksAndHas(t, got, "- **pdf\\_fill**: Fill \\*\\*forms\\*\\*", "**Not used**\n\n- \\.agents/skills/bad/SKILL\\.md: it has no front matter\n")
	if strings.ContainsAny(got, "\x1b") || strings.Contains(got, "\n#") {
		t.Errorf("%q", got)
	}
}
