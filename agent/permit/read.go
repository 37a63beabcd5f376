package permit

import (
	"path"
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"
)

// Bounds of what is read at all; more is asked. Nesting is counted before
// parsing, which goes as deep as it must.
const (
	maxSimple  = 8 << 10  // bytes
	maxLine    = 16 << 10 // bytes
	maxNesting = 200
	maxWithin  = 4 // commands within commands: sh -c "sh -c '...'"
)

// simple returns the words of a command line that is one simple command:
// nothing but literal words, so that what is compared is what will run.
func simple(line string) ([]string, bool) {
	if len(line) > maxSimple || nesting(line) > maxNesting || strings.ContainsFunc(line, odd) {
		return nil, false
	}
	// Bash's syntax is the widest: what it takes for special counts as special.
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true)).Parse(strings.NewReader(line), "")
	if err != nil || len(file.Stmts) != 1 || len(file.Last) > 0 {
		return nil, false
	}
	stmt := file.Stmts[0]
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 || len(call.Args) == 0 || len(stmt.Redirs) > 0 || len(stmt.Comments) > 0 ||
		stmt.Negated || stmt.Background || stmt.Coprocess || stmt.Disown || stmt.Semicolon.IsValid() {
		return nil, false
	}
	words := make([]string, len(call.Args))
	for i, w := range call.Args {
		a := read(w)
		if !a.plain {
			return nil, false
		}
		words[i] = a.text
	}
	return words, true
}

// odd is a character that shells and parsers may take differently, or that a
// person cannot see.
func odd(r rune) bool { return r != ' ' && (unicode.IsSpace(r) || !unicode.IsPrint(r)) }

// nesting is an upper bound of how deep a command line is nested.
func nesting(line string) int {
	n := 0
	for _, opens := range []string{"(", "`", "{", "!", "if", "while", "until", "for", "case"} {
		n += strings.Count(line, opens)
	}
	return n
}

// An arg is a word of a command.
type arg struct {
	text  string
	known bool // text is what the program will get
	plain bool // and it is written without escapes
}

// read returns a word's text as far as it can be told without running it.
func read(w *syntax.Word) arg {
	a := arg{known: true, plain: true}
	for i, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			a.add(p.Value, `\*?[]{}$`+"`", i == 0)
		case *syntax.SglQuoted:
			a.text += p.Value
			a.known = a.known && !p.Dollar
		case *syntax.DblQuoted:
			a.known = a.known && !p.Dollar
			for _, inner := range p.Parts {
				lit, ok := inner.(*syntax.Lit)
				if !ok {
					a.known = false
					continue
				}
				a.add(lit.Value, `\$`+"`", false)
			}
		default:
			a.known = false
		}
	}
	a.plain = a.plain && a.known
	return a
}

// add adds a literal, in which special characters may stand.
func (a *arg) add(lit, special string, first bool) {
	if strings.ContainsAny(lit, special) || first && strings.HasPrefix(lit, "~") || strings.Contains(lit, "=~") || strings.Contains(lit, ":~") {
		a.plain = false
	}
	escaped := false
	for _, r := range lit {
		switch {
		case escaped:
			escaped = false
			if r != '\n' {
				a.text += string(r)
			}
		case r == '\\':
			escaped = true
		case strings.ContainsRune(special, r):
			a.known = false
			a.text += string(r)
		default:
			a.text += string(r)
		}
	}
}

// allCalls returns every command that a command line calls, those within
// others too, as far as it can be told; whole is false when there may be more.
func allCalls(line string) (calls [][]arg, whole bool) {
	r := &reader{whole: true}
	r.read(line, 0)
	return r.calls, r.whole
}

type reader struct {
	calls [][]arg
	whole bool
}

func (r *reader) read(line string, depth int) {
	if len(line) > maxLine || nesting(line) > maxNesting || depth > maxWithin {
		r.whole = false
		return
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		r.whole = false
		return
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 {
			args := make([]arg, len(call.Args))
			for i, w := range call.Args {
				args[i] = read(w)
			}
			r.add(args, depth)
		}
		return true
	})
}

// add adds a call, and what it will run in turn when it is one of those that
// run what their arguments say.
func (r *reader) add(call []arg, depth int) {
	r.calls = append(r.calls, call)
	if !call[0].known {
		r.whole = false
		return
	}
	program := path.Base(call[0].text)
	if !runsArguments(program) {
		return
	}
	if isShell(program) && len(call) == 1 {
		r.whole = false // it reads its input
	}
	for i := 1; i < len(call); i++ {
		r.calls = append(r.calls, call[i:])
		switch {
		case !call[i].known:
			r.whole = false
		case strings.ContainsAny(call[i].text, " \t\n;|&$`(<>"):
			r.read(call[i].text, depth+1)
		}
	}
}
