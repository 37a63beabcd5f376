package slash

import (
	"fmt"
	"strings"

	"aye/llm"
	"aye/tui/term"
)

// A Context is what the model's context holds.
type Context struct {
	Messages  []llm.Message
	Counted   int  // tokens as of the last reply; 0: not known
	Estimated bool // Counted is aye's own guess
	Overhead  int  // tokens of the system prompt and the tools, estimated
	Window    int  // tokens; 0: not known
}

// A share is something that fills the context.
type share struct {
	what   string
	tokens int
}

// shares weighs what fills the context. The estimates are scaled to what was
// counted, where something was.
func (c Context) shares() (list []share, total int) {
	list = []share{{"system prompt and tools", c.Overhead}, {"messages to the model", 0}, {"its words", 0}, {"its calls", 0}, {"their results", 0}}
	for _, m := range c.Messages {
		for _, b := range m.Blocks {
			tokens := llm.Message{Role: m.Role, Blocks: []llm.Block{b}}.Estimate()
			switch b.(type) {
			case llm.ToolCall:
				list[3].tokens += tokens
			case llm.ToolResult:
				list[4].tokens += tokens
			case llm.Text, llm.Thinking, llm.Image:
				if m.Role == llm.Assistant {
					list[2].tokens += tokens
				} else {
					list[1].tokens += tokens
				}
			}
		}
	}
	sum := 0
	for _, s := range list {
		sum += s.tokens
	}
	if c.Counted <= 0 || sum == 0 {
		return list, sum
	}
	for i := range list {
		list[i].tokens = int(int64(list[i].tokens) * int64(c.Counted) / int64(sum))
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
		fmt.Fprintf(&b, "| %s | ~%s | %d %% |\n", s.what, term.Tokens(s.tokens), 100*s.tokens/max(1, total))
	}
	b.WriteString("\n`/compact` puts a summary in the place of what is oldest; `/clear` begins anew.\n")
	return b.String()
}
