package workspace

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// maxIgnoreFile is how large a .gitignore may be, in bytes; larger ones are
// not read.
const maxIgnoreFile = 1 << 20

// ignoreRules are the rules of one .gitignore and, through up, of those above
// it. nil ignores nothing.
type ignoreRules struct {
	up    *ignoreRules
	base  string // the folder they are for, "." for the workspace
	rules []ignoreRule
}

// An ignoreRule is one line of a .gitignore.
type ignoreRule struct {
	pattern  string // for doublestar, relative to the rules' folder
	keep     bool   // "!": what it matches is not ignored
	folder   bool   // matches folders only
	anywhere bool   // matches the last part of a path, at any depth
	literal  bool   // pattern has no wildcards
	suffix   string // pattern is "*" + suffix
}

// with adds the rules in the text of folder's .gitignore.
func (r *ignoreRules) with(folder, text string) *ignoreRules {
	rules := parseIgnore(text)
	if len(rules) == 0 {
		return r
	}
	return &ignoreRules{r, folder, rules}
}

// ignores says whether the rules name the file or folder at rel. That a
// folder above it may be ignored is the walker's to know. The last rule that
// matches decides, those of inner folders last of all.
func (r *ignoreRules) ignores(rel string, folder bool) bool {
	name := path.Base(rel)
	for ; r != nil; r = r.up {
		inner := rel
		if r.base != "." {
			inner = rel[len(r.base)+1:]
		}
		for _, rule := range slices.Backward(r.rules) {
			if rule.matches(inner, name, folder) {
				return !rule.keep
			}
		}
	}
	return false
}

func (r *ignoreRule) matches(inner, name string, folder bool) bool {
	if r.folder && !folder {
		return false
	}
	if r.anywhere {
		inner = name
	}
	switch {
	case r.literal:
		return inner == r.pattern
	case r.suffix != "":
		return strings.HasSuffix(inner, r.suffix)
	}
	ok, err := doublestar.Match(r.pattern, inner)
	return ok && err == nil
}

// parseIgnore reads a .gitignore as git does.
func parseIgnore(text string) []ignoreRule {
	var rules []ignoreRule
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if rule, ok := parseIgnoreLine(line); ok {
			rules = append(rules, rule)
		}
	}
	return rules
}

func parseIgnoreLine(line string) (rule ignoreRule, ok bool) {
	line = trimBlanks(line)
	if line == "" || line[0] == '#' {
		return rule, false
	}
	line, rule.keep = strings.CutPrefix(line, "!")
	line, rule.folder = strings.CutSuffix(line, "/")
	rule.anywhere = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return rule, false
	}
	line = singleStars(line)
	if inner, cut := strings.CutSuffix(line, "/**"); cut {
		line = inner + "/**/*" // what is in the folder, not the folder
	}
	rule.literal = !strings.ContainsAny(line, `*?[\`)
	if rest, cut := strings.CutPrefix(line, "*"); cut && rule.anywhere && !strings.ContainsAny(rest, `*?[\`) {
		rule.suffix = rest
	}
	if !rule.literal {
		line = asGit(line)
	}
	rule.pattern = line
	return rule, true
}

// singleStars makes "**" a "*" where it is not a part of the path by itself:
// there it means no more.
func singleStars(pattern string) string {
	if !strings.Contains(pattern, "**") {
		return pattern
	}
	parts := strings.Split(pattern, "/")
	for n, part := range parts {
		for part != "**" && !strings.Contains(part, `\`) && strings.Contains(part, "**") {
			part = strings.ReplaceAll(part, "**", "*")
		}
		parts[n] = part
	}
	return strings.Join(parts, "/")
}

// trimBlanks takes blanks off the end, except one behind a backslash.
func trimBlanks(line string) string {
	for strings.HasSuffix(line, " ") {
		slashes := len(line) - 1 - len(strings.TrimRight(line[:len(line)-1], `\`))
		if slashes%2 == 1 {
			break
		}
		line = line[:len(line)-1]
	}
	return line
}

// asGit makes a pattern mean to doublestar what it means to git: braces are
// plain characters, and [!x] does not match a slash.
func asGit(pattern string) string {
	var b strings.Builder
	class, escaped := false, false
	for n, c := range pattern {
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case c == '[' && !class:
			class = true
		case c == ']':
			class = false
		case (c == '{' || c == '}') && !class:
			b.WriteByte('\\')
		}
		b.WriteRune(c)
		if class && (c == '!' || c == '^') && pattern[n-1] == '[' {
			b.WriteByte('/')
		}
	}
	return b.String()
}
