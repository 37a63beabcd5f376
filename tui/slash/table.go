package slash

// A Command is one row of the table.
type Command struct {
	Name string // with its slash
	Args string // "plan|ask|edit|full"; empty: none
	Doc  string // a few words

	parse func(args string) Action // args is trimmed
}

// Commands returns the table, in the order people read it.
func Commands() []Command {
	return []Command{
		{"/help", "", "commands and keys", plain(ShowHelp{})},
		{"/mode", "[plan|ask|edit|full]", "what is asked before it happens", mode},
		{"/history", "", "turns and tokens of this session", plain(ShowHistory{})},
		{"/todos", "", "what the model has noted to do", plain(ShowTodos{})},
		{"/clear", "", "empty the conversation", plain(Clear{})},
		{"/quit", "", "leave; /q is enough", plain(Quit{})},
		{"/exit", "", "leave; /e is enough", plain(Quit{})},
	}
}

// plain is a command without arguments.
func plain(a Action) func(string) Action {
	return func(args string) Action {
		if args == "" {
			return a
		}
		return nil
	}
}
