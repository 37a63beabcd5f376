package slash

import (
	"strings"

	"aye/agent"
)

func mode(args string) Action {
	switch m := agent.Mode(strings.ToLower(args)); m {
	case "":
		return ShowMode{}
	case agent.Plan, agent.Ask, agent.Edit, agent.Full:
		return SetMode{m}
	}
	return nil
}

// Modes returns the modes with what each means, in Markdown; the present one
// is marked.
func Modes(now agent.Mode) string {
	var b strings.Builder
	for _, row := range []struct {
		mode agent.Mode
		doc  string
	}{
		{agent.Plan, "nothing may change"},
		{agent.Ask, "every change and every command is asked"},
		{agent.Edit, "file changes in the workspace go through, commands are asked"},
		{agent.Full, "nothing is asked"},
	} {
		mark := ""
		if row.mode == now {
			mark = " *(now)*"
		}
		b.WriteString("- `/mode " + string(row.mode) + "`: " + row.doc + mark + "\n")
	}
	return b.String()
}
