package risk

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A Place is where a command runs.
type Place struct {
	Root  string // the workspace, absolute
	Home  string // the person's folder, absolute; "" if there is none
	POSIX bool   // it is read by a POSIX shell, else by cmd.exe
}

// Of says for people why a command deserves a second look, "deletes outside
// the workspace: ~/x"; "" when nothing is known against it.
func Of(command string, at Place) string {
	if at.POSIX {
		at.Root, at.Home = unix(at.Root), unix(at.Home)
	}
	r := &reader{at: at, dir: at.Root, vars: map[string]word{}}
	if at.POSIX {
		r.script(command, 0)
	} else {
		r.lines(command)
	}
	return strings.Join(r.found, "; ")
}

// Bounds of what is read; more is said to be unreadable.
const (
	maxScript = 64 << 10 // bytes
	maxWithin = 4        // scripts within scripts
	maxLooks  = 50_000   // at parts of a script again, for what flows into a shell
	maxFound  = 3        // reasons: a person reads no list
)

const unreadable = "cannot be read before it runs: look closely"

// A reader goes through a command line in the order in which it would run.
type reader struct {
	at    Place
	dir   string // the current folder; "" when only the shell will know
	vars  map[string]word
	found []string
	looks int
}

func (r *reader) warn(why string) {
	if why != "" && !slices.Contains(r.found, why) && len(r.found) < maxFound {
		r.found = append(r.found, why)
	}
}

func (r *reader) script(text string, depth int) {
	// Long rows of what opens take the parser square time.
	rows := strings.Contains(text, strings.Repeat("(", 100)) || strings.Contains(text, strings.Repeat("$(", 100))
	if len(text) > maxScript || depth > maxWithin || rows {
		r.warn(unreadable)
		return
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		r.warn(unreadable)
		return
	}
	r.walk(file, depth)
}

// walk goes through what is parsed. What a subshell does to the current folder
// is over with it.
func (r *reader) walk(file *syntax.File, depth int) {
	var before []string
	syntax.Walk(file, func(n syntax.Node) bool {
		if n == nil {
			last := len(before) - 1
			if before[last] != unchanged {
				r.dir = before[last]
			}
			before = before[:last]
			return true
		}
		restore := unchanged
		switch n := n.(type) {
		case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst:
			restore = r.dir
		case *syntax.BinaryCmd:
			if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
				r.pipe(n)
			}
		case *syntax.ForClause:
			r.loop(n)
		case *syntax.Redirect:
			r.redirect(n)
		case *syntax.DeclClause:
			r.assign(n.Args)
		case *syntax.CallExpr:
			if len(n.Args) == 0 {
				r.assign(n.Assigns)
			} else {
				r.call(r.words(n.Args), n.Args, depth)
			}
		}
		before = append(before, restore)
		return true
	})
}

// unchanged is no folder.
const unchanged = "\x00"

func (r *reader) assign(assigns []*syntax.Assign) {
	for _, a := range assigns {
		if a.Name != nil && a.Value != nil {
			r.vars[a.Name.Value] = r.read(a.Value)
		}
	}
}

// loop takes a loop's variable for that of its values which is farthest out.
func (r *reader) loop(n *syntax.ForClause) {
	iter, ok := n.Loop.(*syntax.WordIter)
	if !ok || len(iter.Items) == 0 {
		return
	}
	items := r.words(iter.Items)
	farthest := slices.MaxFunc(items, func(a, b word) int { return int(r.place(a)) - int(r.place(b)) })
	r.vars[iter.Name.Value] = farthest
}

func (r *reader) redirect(n *syntax.Redirect) {
	switch n.Op {
	case syntax.RdrIn:
		r.reads(r.read(n.Word))
	case syntax.RdrOut, syntax.AppOut, syntax.RdrInOut, syntax.RdrClob, syntax.AppClob, syntax.RdrAll, syntax.RdrAllClob, syntax.AppAll, syntax.AppAllClob:
		r.writes(r.read(n.Word))
	case syntax.DplOut:
		if w := r.read(n.Word); strings.Trim(w.text, "0123456789-") != "" {
			r.writes(w)
		}
	}
}

// pipe looks at what flows into a shell.
func (r *reader) pipe(n *syntax.BinaryCmd) {
	into := r.first(n.Y)
	program := name(into)
	script := !(isShell(program) && has(into, "-s")) && slices.ContainsFunc(operands(into), func(w word) bool { return w.text != "-" && w.text != "/dev/stdin" })
	if !isShell(program) && !slices.Contains(interpreters, program) || script {
		return
	}
	switch {
	case r.calls(n.X, fetchers):
		r.warn(unseenCode)
	case isShell(program) && r.calls(n.X, decoders):
		r.warn("runs text that cannot be read here")
	}
}

const unseenCode = "runs what it gets from the network, unseen"

// first is the first simple command of a part of a pipeline, without what only
// starts it.
func (r *reader) first(n syntax.Node) []word {
	var found []word
	syntax.Walk(n, func(n syntax.Node) bool {
		r.looks++
		if call, ok := n.(*syntax.CallExpr); ok && found == nil && len(call.Args) > 0 {
			found = r.words(call.Args)
		}
		return found == nil && r.looks < maxLooks
	})
	for len(found) > 1 && slices.Contains(wrappers, name(found)) {
		found = found[1:]
		for len(found) > 1 && (strings.HasPrefix(found[0].text, "-") || strings.Contains(found[0].text, "=")) {
			found = found[1:]
		}
	}
	return found
}

// calls tells whether any of some programs is called anywhere in n.
func (r *reader) calls(n syntax.Node, programs []string) bool {
	found := false
	syntax.Walk(n, func(n syntax.Node) bool {
		if r.looks++; r.looks == maxLooks {
			r.warn(unreadable)
		}
		if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 {
			for _, w := range r.words(call.Args) { // sudo curl, env wget
				found = found || slices.Contains(programs, base(w.text))
			}
		}
		return !found && r.looks < maxLooks
	})
	return found
}

// lines reads what is for cmd.exe, roughly: its rules are its own.
func (r *reader) lines(text string) {
	r.dir = ""
	for _, command := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune("&|\n", c) }) {
		var words []word
		for _, f := range strings.Fields(command) {
			words = append(words, word{text: strings.Trim(f, `"`), known: true})
		}
		if len(words) == 0 {
			continue
		}
		program := strings.ToLower(name(words))
		folded := strings.ToLower(command)
		switch {
		case slices.Contains([]string{"del", "erase", "rd", "rmdir"}, program) && strings.Contains(folded, "/s"):
			r.warn("deletes folders with all that is in them")
		case slices.Contains([]string{"format", "diskpart"}, program):
			r.warn(writesDisk)
		case program == "reg" && !strings.Contains(folded, "query"):
			r.warn("changes the registry")
		case program == "powershell" && strings.Contains(folded, "-e"):
			r.warn("runs text that cannot be read here")
		default:
			r.known(program, words)
		}
	}
}
