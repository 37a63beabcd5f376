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
		{"/todos", "", "what the model has noted to do", plain(ShowTodos{})},
		{"/jobs", "[stop NUMBER]", "what runs in the background; stop ends a job", jobs},
		{"/history", "", "messages, calls and changes of this session", plain(ShowHistory{})},
		{"/cost", "", "tokens and money, by turn", plain(ShowCost{})},
		{"/context", "", "how full the model's context is, and of what", plain(ShowContext{})},
		{"/compact", "[focus]", "put a summary in place of older messages", func(focus string) Action { return Compact{focus} }},
		{"/skills", "", "what the model can load", plain(ShowSkills{})},
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
