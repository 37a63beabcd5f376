package permit

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"aye/tools"
)

// A Rule names calls; see the package comment.
type Rule struct {
	name    string
	pattern string // as written; "" covers all that name does
}

var nameShape = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]*$`)

// Parse reads a rule. Its error is a sentence for the person who wrote it.
func Parse(text string) (Rule, error) {
	text = strings.TrimSpace(text)
	name, rest, hasPattern := strings.Cut(text, "(")
	if !nameShape.MatchString(name) {
		return Rule{}, fmt.Errorf("rule %q: it must begin with a name, as in edit, shell(go test*) or write(docs/**)", text)
	}
	if !hasPattern {
		return Rule{name: name}, nil
	}
	pattern, closed := strings.CutSuffix(rest, ")")
	switch {
	case !closed:
		return Rule{}, fmt.Errorf("rule %q: the closing ) is missing at its end", text)
	case strings.TrimSpace(pattern) == "":
		return Rule{}, fmt.Errorf("rule %q covers nothing: write %s alone to cover everything", text, name)
	case !utf8.ValidString(pattern) || strings.ContainsFunc(pattern, unicode.IsControl):
		return Rule{}, fmt.Errorf(`rule %q: control characters cannot stand in a rule; a line end is written \n`, text)
	}
	r := Rule{name, pattern}
	var err error
	if name == shellName {
		_, err = parseCommand(pattern)
	} else {
		err = checkPath(pattern)
	}
	if err != nil {
		return Rule{}, fmt.Errorf("rule %q: %w", text, err)
	}
	return r, nil
}

func (r Rule) String() string {
	if r.pattern == "" {
		return r.name
	}
	return r.name + "(" + r.pattern + ")"
}

const shellName = "shell"

// about tells whether the rule speaks about this effect of a call of tool.
func (r Rule) about(tool string, e tools.Effect) bool {
	switch r.name {
	case "edit", "write":
		return e.Kind == tools.Write
	case "read":
		return e.Kind == tools.Read
	case shellName:
		return e.Kind == tools.Exec
	default:
		return r.name == tool
	}
}

// allows tells whether the rule lets an effect pass.
func (r Rule) allows(tool string, e tools.Effect, posix bool) bool {
	if !r.about(tool, e) {
		return false
	}
	if r.pattern == "" {
		return e.Risk == ""
	}
	if e.Kind != tools.Exec {
		return inside(e.Target) && matchPath(r.pattern, e.Target) && (e.Risk == "" || isLiteral(r.pattern))
	}
	c, err := parseCommand(r.pattern)
	if err != nil {
		return false
	}
	if !c.wild() {
		return c.exact == e.Target
	}
	return posix && e.Risk == "" && c.allows(e.Target)
}

// denies tells whether the rule forbids an effect.
func (r Rule) denies(tool string, e tools.Effect) answer {
	switch {
	case !r.about(tool, e):
		return no
	case r.pattern == "":
		return yes
	case e.Kind != tools.Exec:
		return is(deniesPath(r.pattern, e.Target))
	}
	c, err := parseCommand(r.pattern)
	if err != nil {
		return maybe
	}
	return c.denies(e.Target)
}

// An answer to whether a rule covers something.
type answer int

const (
	no answer = iota
	maybe
	yes
)

func is(b bool) answer {
	if b {
		return yes
	}
	return no
}

func checkPath(pattern string) error {
	switch {
	case strings.HasPrefix(pattern, "/"), strings.HasPrefix(pattern, "~"), len(pattern) > 1 && pattern[1] == ':':
		return errors.New("paths in rules are relative to the workspace, as in docs/**")
	case strings.Contains("/"+pattern+"/", "/../"):
		return errors.New("a rule cannot use .. to reach outside the workspace")
	case !doublestar.ValidatePattern(pattern):
		return errors.New("the path pattern cannot be read: a [, { or \\ is not closed")
	}
	return nil
}

// matchPath compares a path with a pattern; one that ends in "/" means all
// that is in that folder.
func matchPath(pattern, target string) bool {
	pattern = strings.TrimPrefix(pattern, "./")
	if strings.HasSuffix(pattern, "/") {
		pattern += "**"
	}
	ok, err := doublestar.Match(pattern, target)
	return ok && err == nil
}

// deniesPath is matchPath, widely: without letter case, since some disks have
// none, and with all that is in a folder that the pattern names.
func deniesPath(pattern, target string) bool {
	pattern = strings.TrimSuffix(strings.ToLower(pattern), "/")
	target = strings.ToLower(path.Clean(target))
	return matchPath(pattern, target) || matchPath(pattern+"/**", target)
}

// inside tells whether a target is a path of the workspace, as tools write
// them.
func inside(target string) bool { return fs.ValidPath(target) }

// isLiteral tells whether a path pattern names just one path.
func isLiteral(pattern string) bool {
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '*', '?', '[', '{':
			return false
		}
	}
	return !strings.HasSuffix(pattern, "/")
}

// ruleFor returns the rule that covers just these effects; "" when there can be
// none.
func ruleFor(tool string, effects []tools.Effect) string {
	var names []string
	size := 0
	for _, e := range effects {
		name, ok := nameFor(tool, e)
		if size += len(name); !ok || size > maxOffered || len(effects) > 1 && e.Kind != tools.Write {
			return ""
		}
		names = append(names, name)
	}
	var text string
	switch {
	case len(names) == 0:
		return ""
	case effects[0].Kind == tools.Exec:
		text = shellName + "(" + names[0] + ")"
	case effects[0].Kind == tools.Read:
		text = "read(" + names[0] + ")"
	case len(names) == 1:
		text = "edit(" + names[0] + ")"
	default:
		text = "edit({" + strings.Join(names, ",") + "})"
	}
	// What the escapes do not provide for, a control character say, is not
	// offered.
	r, err := Parse(text)
	if err != nil || r.String() != text {
		return ""
	}
	for _, e := range effects {
		if !r.allows(tool, e, true) {
			return ""
		}
	}
	return text
}

// nameFor is what one effect touches, as a rule has it; ok is false when no
// rule may cover it.
func nameFor(tool string, e tools.Effect) (name string, ok bool) {
	switch {
	case e.Risk != "" && e.Kind != tools.Read || !utf8.ValidString(e.Target):
		return "", false
	case e.Kind == tools.Exec && tool == shellName:
		return commandEscapes.Replace(e.Target), true
	case (e.Kind == tools.Write || e.Kind == tools.Read) && inside(e.Target):
		return pathEscapes.Replace(e.Target), true
	}
	return "", false
}

// maxOffered bounds the rules offered, in bytes: a person must be able to read
// what they grant.
const maxOffered = 500

var (
	commandEscapes = strings.NewReplacer(`\`, `\\`, `*`, `\*`, "\n", `\n`, "\t", `\t`)
	pathEscapes    = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `]`, `\]`, `{`, `\{`, `}`, `\}`, `,`, `\,`)
)
