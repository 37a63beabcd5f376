package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"aye/tui/term"
)

// A command is one of aye's: what people type, and what happens then.
type command struct {
	name   string // empty: the chat
	args   string // for the help
	doc    string // one line
	flags  []string
	prompt bool // it takes words
	run    func(ctx context.Context, in invocation) error
}

func (c command) title() string { return strings.TrimSpace("aye " + c.name) }

func (c command) usage() string { return strings.TrimSpace(c.title() + " " + c.args) }

// commands is the table; the first is what aye does when none is named.
func commands() []command {
	chat := slices.Concat(sessionFlags, []string{"help", "version"})
	return []command{
		{"", "[flags] [PROMPT...]", "chat on the full screen; PROMPT is sent as the first message", chat, true, chatCommand},
		{"run", "[flags] [PROMPT...]", "do one task without the screen; standard input is appended to PROMPT", slices.Concat(chat, []string{"format"}), true, runCommand},
		{"tour", "", "a guided demo in a scratch folder, offline; its model is a script", []string{"help"}, false, tourCommand},
		{"version", "", "which aye this is", []string{"help"}, false, versionCommand},
		{"help", "[COMMAND]", "this, or the help of a command", []string{"help"}, true, helpCommand},
	}
}

func commandNames() []string {
	var names []string
	for _, c := range commands()[1:] {
		names = append(names, c.name)
	}
	return names
}

// dispatch does what the command line says.
func dispatch(ctx context.Context, args []string) error {
	in, err := parse(args)
	if err != nil {
		return err
	}
	if in.help {
		return writeHelp(os.Stdout, in.command)
	}
	if in.version {
		return versionCommand(ctx, in)
	}
	return in.command.run(ctx, in)
}

func helpCommand(_ context.Context, in invocation) error {
	if len(in.words) == 0 {
		return writeHelp(os.Stdout, commands()[0])
	}
	for _, c := range commands()[1:] {
		if c.name == in.words[0] {
			return writeHelp(os.Stdout, c)
		}
	}
	return usagef("there is no command %q%s There are %s.", in.words[0], didYouMean("aye help ", in.words[0], commandNames()), list(commandNames(), "and"))
}

// writeHelp prints the help of c.
func writeHelp(to io.Writer, c command) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n  %s\n", c.usage(), c.doc)
	if c.name == "" {
		out.WriteString("\nCommands\n")
		for _, c := range commands()[1:] {
			writeRow(&out, c.usage(), c.doc)
		}
	}
	out.WriteString("\nFlags\n")
	new(invocation).flagSet().VisitAll(func(f *flag.Flag) {
		if slices.Contains(c.flags, f.Name) {
			writeFlag(&out, f)
		}
	})
	if c.prompt && c.name != "help" {
		writeEnvironment(&out)
	}
	if c.name == "run" {
		out.WriteString(exitHelp)
	}
	_, err := io.WriteString(to, out.String())
	return err
}

func writeFlag(out *strings.Builder, f *flag.Flag) {
	value, doc := flag.UnquoteUsage(f)
	name := "    --" + f.Name
	for _, short := range slices.Backward(slices.Sorted(maps.Keys(aliases))) {
		if aliases[short] == f.Name {
			name = "-" + short + ", --" + f.Name
		}
	}
	if !isBoolFlag(f) {
		name += " " + value
	}
	writeRow(out, name, doc)
}

// writeRow puts a doc beside a name, for a terminal of 80 cells.
func writeRow(out *strings.Builder, name, doc string) {
	const width, indent = 78, 31
	for _, line := range term.Wrap(doc, width-indent) {
		fmt.Fprintf(out, "  %-*s%s\n", indent-2, name, line)
		name = ""
	}
}

func writeEnvironment(out *strings.Builder) {
	var keys []string
	for _, p := range providerKeys {
		keys = append(keys, p.variable)
	}
	out.WriteString("\nEnvironment\n")
	for _, row := range [][2]string{
		{"API_BASE_URL", "the endpoint, such as http://127.0.0.1:11434/v1"},
		{"API_MODEL", "the model's name there"},
		{"API_KEY", "the key; for this machine none is needed"},
		{"OPENAI_API_KEY, ...", "without API_KEY, for that provider's own URL; likewise " + list(keys[1:], "and")},
		{"CONTEXT_MAX_CHARS", "characters the model's context holds (600000)"},
		{"AYE_HOME", "a whole path: the folder for all that aye keeps"},
		{"HTTPS_PROXY, HTTP_PROXY", "the proxy, but never to this machine"},
		{"NO_PROXY", "hosts that are reached without it"},
		{"VISUAL, EDITOR", "the editor behind Ctrl+G"},
		{"NO_COLOR", "set: no colours"},
	} {
		writeRow(out, row[0], row[1])
	}
}

const exitHelp = `
Exit codes
  0 answered   1 failed   2 usage or configuration   3 stopped at a limit
  4 answered, but a call was refused   130 interrupted
`
