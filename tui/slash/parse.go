package slash

import (
	"fmt"
	"strings"
	"unicode"

	"aye/near"
	"aye/tui/term"
)

// Parse reads one entry of the composer.
func Parse(entry string) Action {
	switch {
	case strings.HasPrefix(entry, "!"):
		return run(entry[1:])
	case strings.HasPrefix(entry, "/"):
		return command(entry)
	}
	return Prompt{entry}
}

// run reads "!command" and, with a second "!", "!!command".
func run(rest string) Action {
	command, share := strings.CutPrefix(rest, "!")
	command = strings.TrimSpace(command)
	if command == "" {
		return Unknown{"Type a command after the !, as in !git status; !! also shows its output to the model."}
	}
	return Run{command, share}
}

// command reads an entry that begins with a slash. One that goes on like a
// path is a message about it.
func command(entry string) Action {
	name, args := strings.TrimSpace(entry), ""
	if i := strings.IndexFunc(name, unicode.IsSpace); i >= 0 {
		name, args = name[:i], strings.TrimSpace(name[i:])
	}
	if strings.Contains(name[1:], "/") {
		return Prompt{entry}
	}
	name = strings.ToLower(name)
	table := Commands()
	for _, c := range table {
		if c.Name == name || leaves(c, name, table) {
			return c.read(args)
		}
	}
	return unknown(name, table)
}

func (c Command) read(args string) Action {
	if a := c.parse(args); a != nil {
		return a
	}
	if c.Args == "" {
		return Unknown{fmt.Sprintf("%s takes nothing after it; nothing was done.", c.Name)}
	}
	return Unknown{fmt.Sprintf("%s takes one of %s.", c.Name, strings.Trim(c.Args, "[]"))}
}

// unknown names the nearest command.
func unknown(name string, table []Command) Action {
	shown := term.Cut(term.Line(name), 40)
	if name == "/" {
		return Unknown{"Type a command after the /; /help shows them all."}
	}
	names := make([]string, len(table))
	for i, c := range table {
		names[i] = c.Name
	}
	if meant := near.Word(name, names); meant != "" {
		return Unknown{fmt.Sprintf("%s: unknown; did you mean %s?", shown, meant)}
	}
	return Unknown{fmt.Sprintf("%s: unknown; /help shows all commands.", shown)}
}
