package slash

import (
	"fmt"
	"slices"
	"strings"

	"aye/agent"
	"aye/llm"
	"aye/tui/term"
)

// History returns the text of /history, in Markdown: what the session has come
// to so far.
func History(s agent.State, spent agent.Spent) string {
	h := tally(s.Messages)
	lines := []string{fmt.Sprintf("%s in the conversation: %d to the model, %d from it, %d with results of calls",
		plural(len(s.Messages), "message"), h.person, h.model, h.results)}
	if n := len(h.calls); n > 0 {
		lines = append(lines, plural(h.called, "call")+": "+h.byTool())
	}
	lines = append(lines, fmt.Sprintf("%s, %s: %s", plural(s.Turn, "turn"), plural(spent.Replies, "request"), took(spent)))
	if n := len(s.Changes); n > 0 {
		added, removed := 0, 0
		for _, f := range s.Changes {
			added, removed = added+f.Added, removed+f.Removed
		}
		lines = append(lines, fmt.Sprintf("%s changed: +%d −%d", plural(n, "file"), added, removed))
	}
	return "- " + strings.Join(lines, "\n- ") + "\n"
}

// took is what was spent, in words.
func took(s agent.Spent) string {
	return term.Usage(s.Usage.Input, s.Usage.Cached, s.Usage.Output, s.Usage.Estimated, s.KnownCost())
}

// A tallied conversation, by who speaks.
type tallied struct {
	person, model, results, called int
	calls                          map[string]int // by tool
}

func tally(messages []llm.Message) tallied {
	t := tallied{calls: map[string]int{}}
	for _, m := range messages {
		switch {
		case m.Role == llm.Assistant:
			t.model++
		case slices.ContainsFunc(m.Blocks, func(b llm.Block) bool { _, ok := b.(llm.ToolResult); return ok }):
			t.results++
		default:
			t.person++
		}
		for _, c := range m.Calls() {
			t.called++
			t.calls[c.Name]++
		}
	}
	return t
}

// byTool names the tools, the most used first.
func (t tallied) byTool() string {
	names := make([]string, 0, len(t.calls))
	for name := range t.calls {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if d := t.calls[b] - t.calls[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	const most = 12
	more := len(names) - most
	names = names[:min(len(names), most)]
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d", escape(term.Cut(name, 24)), t.calls[name])
	}
	if more > 0 {
		names = append(names, fmt.Sprintf("and %d more tools", more))
	}
	return strings.Join(names, ", ")
}

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// escape makes foreign text one line that Markdown takes as it is.
func escape(text string) string {
	var b strings.Builder
	for _, r := range term.Line(text) {
		if r < 0x80 && strings.ContainsRune("\\`*_{}[]<>()#+-.!|~&:@", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
