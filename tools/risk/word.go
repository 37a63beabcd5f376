package risk

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A word of a command, as far as it is known: if not wholly, text is what it
// begins with.
type word struct {
	text    string
	known   bool
	glob    bool
	written *syntax.Word
}

// source is how the word is written.
func (w word) source() string {
	if w.written == nil {
		return w.text
	}
	var b strings.Builder
	_ = syntax.NewPrinter().Print(&b, w.written)
	return b.String()
}

func (r *reader) words(list []*syntax.Word) []word {
	out := make([]word, len(list))
	for i, w := range list {
		out[i] = r.read(w)
	}
	return out
}

func (r *reader) read(w *syntax.Word) word {
	out := word{known: true, written: w}
	for i, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			out.literal(p.Value, i == 0, r.at.Home)
		case *syntax.SglQuoted:
			if p.Dollar && strings.Contains(p.Value, `\`) {
				out.known = false
			}
			out.append(p.Value)
		case *syntax.DblQuoted:
			for _, inner := range p.Parts {
				if lit, ok := inner.(*syntax.Lit); ok {
					out.append(unescape(lit.Value))
				} else {
					r.expand(&out, inner)
				}
			}
		default:
			r.expand(&out, part)
		}
	}
	return out
}

// maxWord bounds a word, in bytes: variables can double one as often as there
// are lines.
const maxWord = 64 << 10

// append adds text, as long as all before it is known.
func (w *word) append(text string) {
	if w.known = w.known && len(w.text)+len(text) <= maxWord; w.known {
		w.text += text
	}
}

// literal adds what is written without quotes.
func (w *word) literal(lit string, first bool, home string) {
	if rest, ok := strings.CutPrefix(lit, "~"); ok && first {
		if home != "" && (rest == "" || rest[0] == '/') {
			w.text, lit = home, rest
		} else {
			w.text, lit = "/~", rest // another person's: outside, wherever that is
		}
	}
	w.glob = w.glob || strings.ContainsAny(lit, "*?[{")
	w.append(unescape(lit))
}

func unescape(lit string) string {
	if !strings.Contains(lit, `\`) {
		return lit
	}
	var b strings.Builder
	for i := 0; i < len(lit); i++ {
		if lit[i] == '\\' && i+1 < len(lit) {
			if i++; lit[i] == '\n' {
				continue
			}
		}
		b.WriteByte(lit[i])
	}
	return b.String()
}

// expand adds what the shell puts in the place of a part.
func (r *reader) expand(w *word, part syntax.WordPart) {
	switch p := part.(type) {
	case *syntax.ParamExp:
		if v, ok := r.variable(p); ok {
			w.append(v.text)
			w.known, w.glob = w.known && v.known, w.glob || v.glob
			return
		}
	case *syntax.CmdSubst:
		switch first := r.firstOf(p.Stmts); {
		case first == "mktemp":
			w.append("/tmp/mktemp")
			return
		case first == "pwd" && r.dir != "":
			w.append(r.dir)
			return
		}
	}
	w.known = false
}

func (r *reader) firstOf(stmts []*syntax.Stmt) string {
	if len(stmts) != 1 {
		return ""
	}
	call, ok := stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return ""
	}
	return call.Args[0].Lit()
}

// variable is the value of a plain variable; false if it is not known. One
// that must be set, ${X:?}, is what it is.
func (r *reader) variable(p *syntax.ParamExp) (word, bool) {
	must := p.Exp != nil && (p.Exp.Op == syntax.ErrorUnset || p.Exp.Op == syntax.ErrorUnsetOrNull)
	if p.Param == nil || p.Excl || p.Length || p.Index != nil || p.Slice != nil || p.Repl != nil || p.Names != 0 || p.Exp != nil && !must {
		return word{}, false
	}
	switch v, set := r.vars[p.Param.Value]; {
	case set:
		return v, true
	case p.Param.Value == "HOME" && r.at.Home != "":
		return word{text: r.at.Home, known: true}, true
	case p.Param.Value == "PWD" && r.dir != "":
		return word{text: r.dir, known: true}, true
	case p.Param.Value == "TMPDIR":
		return word{text: "/tmp", known: true}, true
	}
	return word{}, false
}

// A place is where a path lies; the farther out, the greater.
type place int

const (
	within    place = iota // in the workspace, or for passing things: /dev/null, /tmp
	workspace              // the workspace itself, or a folder it is in
	unknown                // only the shell will know
	outside
)

// passing are places where nothing of value is.
var passing = []string{"/tmp/", "/var/tmp/", "/private/tmp/", "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty", "/dev/fd/", "/dev/shm/"}

// place says where a word's path lies.
func (r *reader) place(w word) place {
	p := unix(w.text)
	if w.glob { // of what a pattern finds, the folder is known
		i := strings.IndexAny(p, "*?[{")
		if i < 0 {
			i = len(p)
		}
		if tail := strings.TrimRight(p[i:], "/"); tail == "*" || tail == ".*" || strings.HasPrefix(tail, "{*") || tail == "*/" {
			p = strings.TrimSuffix(p[:i], ".") + "." // all that is in the folder: as the folder
		} else {
			p = p[:i] + "x"
		}
	}
	switch {
	case !w.known && !path.IsAbs(p):
		return unknown
	case !w.known:
		p = path.Dir(p + "x")
	}
	if !path.IsAbs(p) {
		if r.dir == "" {
			return unknown
		}
		p = r.dir + "/" + p
	}
	p = path.Clean(p)
	root := path.Clean(r.at.Root)
	switch {
	case p == root:
		return workspace
	case strings.HasPrefix(p, root+"/"):
		return within
	case strings.HasPrefix(root, strings.TrimSuffix(p, "/")+"/"):
		return outside
	case slices.ContainsFunc(passing, func(free string) bool { return strings.HasPrefix(p+"/", free) && p+"/" != free || p == free }):
		return within
	default:
		return outside
	}
}

// unix is a Windows path as Git Bash writes it.
func unix(p string) string {
	if len(p) > 2 && p[1] == ':' && (p[2] == '/' || p[2] == '\\') {
		return "/" + strings.ToLower(p[:1]) + strings.ReplaceAll(p[2:], `\`, "/")
	}
	return p
}

// relative is a word's path in the workspace; "" if it is not there for sure.
func (r *reader) relative(w word) string {
	p := unix(w.text)
	if !path.IsAbs(p) {
		p = r.dir + "/" + p
	}
	rel, ok := strings.CutPrefix(path.Clean(p), path.Clean(r.at.Root)+"/")
	if !ok || !w.known || r.dir == "" {
		return ""
	}
	return rel
}

// name is the program that a command calls.
func name(words []word) string {
	if len(words) == 0 {
		return ""
	}
	return base(words[0].text)
}

func base(program string) string {
	program = path.Base(strings.ReplaceAll(program, `\`, "/"))
	return strings.TrimSuffix(strings.TrimSuffix(program, ".exe"), ".cmd")
}

// operands are the arguments that are no options.
func operands(words []word) []word {
	var out []word
	ended := false
	for i, w := range words {
		switch {
		case i == 0:
		case !ended && w.text == "--":
			ended = true
		case ended || !strings.HasPrefix(w.text, "-") || w.text == "-":
			out = append(out, w)
		}
	}
	return out
}

// has tells whether a command has one of some options: "--force", or a letter
// that may stand in a group, "-f".
func has(words []word, options ...string) bool {
	for _, w := range words[min(1, len(words)):] {
		if w.text == "--" {
			return false
		}
		for _, o := range options {
			name, _, _ := strings.Cut(w.text, "=")
			if name == o || len(o) == 2 && len(w.text) > 1 && w.text[0] == '-' && w.text[1] != '-' && strings.Contains(w.text[1:], o[1:]) {
				return true
			}
		}
	}
	return false
}
