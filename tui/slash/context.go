package slash

import (
	"fmt"
	"strings"

	"aye/agent"
	"aye/tui/term"
)

// A Context is what the model's context holds.
type Context struct {
	Parts     []agent.Part // of the messages
	Overhead  int          // tokens of the system prompt and the tools, estimated
	Counted   int          // tokens as of the last reply; 0: not known
	Estimated bool         // Counted is aye's own guess
	Window    int          // tokens; 0: not known
}

// shares weighs what fills the context. The estimates are scaled to what was
// counted, where something was.
func (c Context) shares() (list []agent.Part, total int) {
	list = append([]agent.Part{{Name: "system prompt and tools", Tokens: c.Overhead}}, c.Parts...)
	sum := 0
	for _, s := range list {
		sum += s.Tokens
	}
	if c.Counted <= 0 || sum == 0 {
		return list, sum
	}
	for i := range list {
		list[i].Tokens = int(int64(list[i].Tokens) * int64(c.Counted) / int64(sum))
	}
	return list, c.Counted
}

const barCells = 30

// Report returns the text of /context, in Markdown.
func (c Context) Report() string {
	list, total := c.shares()
	about := ""
	if c.Counted <= 0 || c.Estimated {
		about = "about "
	}
	var b strings.Builder
	if c.Window > 0 {
		full := min(barCells, (total*barCells+c.Window-1)/c.Window)
		fmt.Fprintf(&b, "`%s%s` %s%s of %s tokens, %d %%\n\n", strings.Repeat("█", full), strings.Repeat("░", barCells-full), about, term.Tokens(total), term.Tokens(c.Window), 100*total/c.Window)
	} else {
		fmt.Fprintf(&b, "%s%s tokens; how many the model's context holds is not known. CONTEXT_MAX_CHARS says it.\n\n", about, term.Tokens(total))
	}
	b.WriteString("| what fills it | tokens | |\n| --- | ---: | ---: |\n")
	for _, s := range list {
		fmt.Fprintf(&b, "| %s | ~%s | %d %% |\n", s.Name, term.Tokens(s.Tokens), 100*s.Tokens/max(1, total))
	}
	b.WriteString("\n`/compact` puts a summary in place of the oldest messages; `/clear` begins anew.\n")
	return b.String()
}
