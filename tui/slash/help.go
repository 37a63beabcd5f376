package slash

import "strings"

// A Key is a row of the key table, as /help shows it.
type Key struct{ Key, Does string }

// Help returns the text of /help, in Markdown. The keys are those of the
// screen's own table.
func Help(keys []Key) string {
	var b strings.Builder
	b.WriteString("**Commands**\n\n")
	for _, c := range Commands() {
		b.WriteString("- `" + strings.TrimSpace(c.Name+" "+c.Args) + "`: " + c.Doc + "\n")
	}
	b.WriteString("- `!command`: run a command yourself; `!!command` also shows it to the model\n")
	if len(keys) > 0 {
		b.WriteString("\n**Keys**\n\n")
	}
	for _, k := range keys {
		b.WriteString("- `" + k.Key + "`: " + k.Does + "\n")
	}
	return b.String()
}

// NoTodos is what /todos says where there are none.
const NoTodos = "no todos"
