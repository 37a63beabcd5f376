package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"aye/agent"
	"aye/tools/near"
)

// An invocation is a parsed command line.
type invocation struct {
	command command
	words   []string // the prompt's

	dir            string
	model, baseURL string
	api            string
	cont           bool
	resume         string
	mode           agent.Mode
	allow, deny    []string
	maxRounds      int
	noSession      bool
	format         string
	help, version  bool
}

// aliases are the short spellings. Where there are two, the help shows the
// capital.
var aliases = map[string]string{"C": "dir", "c": "continue", "r": "resume", "h": "help", "V": "version", "v": "version"}

// sessionFlags go with every command that talks to a model.
var sessionFlags = []string{
	"dir", "model", "base-url", "api", "continue", "resume",
	"mode", "allow", "deny", "max-rounds", "no-session",
}

// flagSet is the table of all flags. The word in back quotes names the value.
func (in *invocation) flagSet() *flag.FlagSet {
	fs := flag.NewFlagSet("aye", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&in.dir, "dir", "", "work in `DIR` instead of the current folder")
	fs.StringVar(&in.model, "model", "", "the model's `NAME`; wins over API_MODEL")
	fs.StringVar(&in.baseURL, "base-url", "", "the endpoint's `URL`; wins over API_BASE_URL")
	fs.Var(oneOf(&in.api, "openai"), "api", "the `WIRE` the endpoint speaks: openai (Chat Completions)")
	fs.BoolVar(&in.cont, "continue", false, "go on with the last session of this folder")
	fs.StringVar(&in.resume, "resume", "", "go on with the session `ID` of this folder")
	fs.Var(oneOf(&in.mode, agent.Ask, agent.Plan, agent.Edit, agent.Full), "mode",
		"`MODE`: plan (read only), ask (every change is asked), edit (file changes in the folder go through), full (nothing is asked)")
	fs.Func("allow", "`RULE` for what is not asked: edit, shell, 'shell(go test*)', 'write(docs/**)'; repeatable", appendTo(&in.allow))
	fs.Func("deny", "`RULE` for what is refused; wins over allow; repeatable", appendTo(&in.deny))
	fs.Func("max-rounds", "at most `N` requests to the model for one message (24), and one without tools to say where it stands", positive(&in.maxRounds))
	fs.BoolVar(&in.noSession, "no-session", false, "keep no record of this session, nor of what is typed in it")
	fs.Var(oneOf(&in.format, "text", "json", "events"), "format",
		"print `FORMAT`: text (the answer), json (one object), events (one JSON line for each event as it happens)")
	fs.BoolVar(&in.help, "help", false, "show this")
	fs.BoolVar(&in.version, "version", false, "which aye this is")
	return fs
}

// parse reads a command line. Flags may stand anywhere; "--" ends them. The
// first word is a command when it names one and does not follow "--".
func parse(args []string) (invocation, error) {
	in := invocation{command: commands()[0], api: "openai", mode: agent.Ask, format: "text"}
	fs := in.flagSet()
	literal := -1 // where the words after "--" begin
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if arg == "--" {
			literal = len(in.words)
			in.words = append(in.words, args...)
			break
		}
		if len(arg) < 2 || arg[0] != '-' {
			in.words = append(in.words, arg)
			continue
		}
		rest, err := setFlag(fs, arg, args)
		if err != nil {
			return in, err
		}
		args = rest
	}
	if len(in.words) > 0 && literal != 0 {
		if err := in.takeCommand(); err != nil {
			return in, err
		}
	}
	return in, in.check(fs)
}

// setFlag sets the flag of arg, with its value from after where arg has none,
// and returns what is left of after.
func setFlag(fs *flag.FlagSet, arg string, after []string) ([]string, error) {
	name, value, inline := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
	spelled := strings.TrimSuffix(arg, "="+value)
	if long, ok := aliases[name]; ok {
		name = long
	}
	f := fs.Lookup(name)
	if f == nil {
		return nil, usagef("unknown flag %s%s See aye --help; a message that begins with - goes after --.", spelled, didYouMean("--", name, flagNames(fs)))
	}
	isBool := isBoolFlag(f)
	switch {
	case isBool && !inline:
		value = "true"
	case !isBool && !inline && len(after) == 0:
		what, _ := flag.UnquoteUsage(f)
		return nil, usagef("%s needs a value: %s %s.", spelled, spelled, what)
	case !isBool && !inline:
		value, after = after[0], after[1:]
	}
	if err := fs.Set(name, value); err != nil {
		if isBool {
			return nil, usagef("%s takes no value but true or false, not %q.", spelled, value)
		}
		return nil, usagef("%s: %v.", spelled, err)
	}
	return after, nil
}

// didYouMean ends a sentence about a word that is not known.
func didYouMean(prefix, word string, known []string) string {
	if n := near.Word(word, known); n != "" {
		return "; did you mean " + prefix + n + "?"
	}
	return "."
}

func isBoolFlag(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

func flagNames(fs *flag.FlagSet) []string {
	var names []string
	fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	return names
}

// takeCommand makes the first word the command if it is one. A lone word that
// is nearly one is a slip, not a message.
func (in *invocation) takeCommand() error {
	first := in.words[0]
	for _, c := range commands() {
		if c.name == first {
			in.command, in.words = c, in.words[1:]
			return nil
		}
	}
	if len(in.words) > 1 {
		return nil
	}
	n := near.Word(first, commandNames())
	if n != "" && near.Slips(first, n) <= 1+len(first)/6 {
		return usagef("unknown command %q; did you mean aye %s? To send it as a message: aye -- %s", first, n, first)
	}
	return nil
}

// check says which flags and words do not go together.
func (in *invocation) check(fs *flag.FlagSet) error {
	if in.help || in.version {
		return nil
	}
	var err error
	fs.Visit(func(f *flag.Flag) {
		if err == nil && !slices.Contains(in.command.flags, f.Name) {
			err = usagef("--%s does not go with %s. See %s --help.", f.Name, in.command.title(), in.command.title())
		}
	})
	if err != nil {
		return err
	}
	if !in.command.prompt && len(in.words) > 0 {
		return usagef("%s takes no words: %q is too much.", in.command.title(), in.words[0])
	}
	if in.cont && in.resume != "" {
		return usagef("--continue and --resume exclude each other: one goes on with the last session, the other with the one you name.")
	}
	if in.noSession && (in.cont || in.resume != "") {
		return usagef("--no-session does not go with --continue or --resume: what goes on with a session is written to it.")
	}
	return nil
}

// choice is a flag value out of a closed set.
type choice[S ~string] struct {
	to  *S
	set []S
}

func oneOf[S ~string](to *S, set ...S) choice[S] { return choice[S]{to, set} }

func (c choice[S]) String() string { return "" }

func (c choice[S]) Set(value string) error {
	if slices.Contains(c.set, S(value)) {
		*c.to = S(value)
		return nil
	}
	return fmt.Errorf("%q is not known; it can be %s", value, list(c.set, "or"))
}

func appendTo(to *[]string) func(string) error {
	return func(value string) error {
		*to = append(*to, value)
		return nil
	}
}

func positive(to *int) func(string) error {
	return func(value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is not a whole number from 1 on", value)
		}
		*to = n
		return nil
	}
}

// list joins words for a sentence: "a, b or c".
func list[S ~string](words []S, last string) string {
	var out strings.Builder
	for i, w := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			out.WriteString(" " + last + " ")
		default:
			out.WriteString(", ")
		}
		out.WriteString(string(w))
	}
	return out.String()
}
