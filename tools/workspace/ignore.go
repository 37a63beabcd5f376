package workspace

import (
	"path"
	"slices"
	"strings"
)

// What counts as ignored, as git has it: the .gitignore of each folder from
// the workspace down, then .git/info/exclude, whose rules give way to all
// others. A repository inside the workspace begins anew. Not read, because
// they lie outside the workspace: the .gitignore files above it, when it is a
// part of a repository, and the person's own excludes file. What git tracks
// although a rule names it counts as ignored all the same.

// Limits of rules, which all have to be tried on every name: a .gitignore that
// is larger, or would make those that hold for a folder more, is not read.
const (
	maxIgnoreFile = 256 << 10 // bytes
	maxIgnoreText = 256 << 10 // bytes of all that hold for a folder
	maxRules      = 10_000    // of them
	maxRule       = 512       // bytes; a longer one matches nothing
	triedAtOnce   = 16        // rules between two looks at whether to stop
)

// ignoreRules are the rules of one .gitignore and, through up, of those above
// it. nil ignores nothing.
type ignoreRules struct {
	up    *ignoreRules
	base  string // the folder they are for, "." for the workspace
	fold  bool   // upper and lower case are the same
	rules []ignoreRule

	size, count int // bytes and rules, those of up included
}

// An ignoreRule is one line of a .gitignore.
type ignoreRule struct {
	keep     bool   // "!": what it matches is not ignored
	folder   bool   // matches folders only
	anywhere bool   // matches the last part of a path, at any depth
	fold     bool   // upper and lower case are the same
	prefix   string // the path or name begins with it, or is it
	suffix   string // the rest ends with it, when tail is set
	tail     bool
	glob     wild // the rest matches it
	globbing bool
}

// with adds the rules in the text of folder's .gitignore.
func (r *ignoreRules) with(folder, text string, fold bool) *ignoreRules {
	size, count := len(text), 0
	if r != nil {
		size, count = size+r.size, r.count
	}
	if size > maxIgnoreText {
		return r
	}
	rules := parseIgnore(text, fold)
	if count += len(rules); len(rules) == 0 || count > maxRules {
		return r
	}
	return &ignoreRules{r, folder, fold, rules, size, count}
}

// ignores is [ignoreRules.find] that nobody stops.
func (r *ignoreRules) ignores(rel string, folder bool) bool {
	return r.find(rel, folder, func() bool { return false })
}

// find says whether the rules name the file or folder at rel. That a folder
// above it may be ignored is the walker's to know. The last rule that matches
// decides, those of inner folders last of all. stop is asked from time to
// time; when it says so the answer means nothing.
func (r *ignoreRules) find(rel string, folder bool, stop func() bool) bool {
	name := path.Base(rel)
	for ; r != nil; r = r.up {
		inner := rel
		if r.base != "." {
			inner = rel[len(r.base)+1:]
		}
		for n := len(r.rules) - 1; n >= 0; n-- {
			if rule := &r.rules[n]; rule.matches(inner, name, folder) {
				return !rule.keep
			}
			if n%triedAtOnce == triedAtOnce-1 && stop() {
				return false
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
	if len(inner) < len(r.prefix) || !r.same(inner[:len(r.prefix)], r.prefix) {
		return false
	}
	inner = inner[len(r.prefix):]
	switch {
	case r.tail:
		return len(inner) >= len(r.suffix) && r.same(inner[len(inner)-len(r.suffix):], r.suffix)
	case r.globbing:
		return r.glob.match(inner, r.fold)
	}
	return inner == ""
}

func (r *ignoreRule) same(a, b string) bool {
	if a == b || !r.fold {
		return a == b
	}
	for n := range len(a) {
		if folded(a[n], true) != folded(b[n], true) {
			return false
		}
	}
	return true
}

// parseIgnore reads a .gitignore as git does.
func parseIgnore(text string, fold bool) []ignoreRule {
	var rules []ignoreRule
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if rule, ok := parseIgnoreLine(line); ok && rule.compile(fold) {
			rules = append(rules, rule)
		}
	}
	return rules
}

// wildcards begin what is not literal in a rule.
const wildcards = `*?[\`

// parseIgnoreLine takes a line apart; the pattern is in prefix.
func parseIgnoreLine(line string) (rule ignoreRule, ok bool) {
	if line == "" || line[0] == '#' || len(line) > maxRule {
		return rule, false
	}
	line, rule.keep = strings.CutPrefix(trimBlanks(line), "!")
	line, rule.folder = strings.CutSuffix(line, "/")
	rule.anywhere = !strings.Contains(line, "/")
	rule.prefix = strings.TrimPrefix(line, "/")
	return rule, rule.prefix != ""
}

// compile splits the pattern at its first wildcard, where git begins to match
// anew: "a**/b" is "a" and then "**/b". It is false for a rule that can match
// nothing.
func (r *ignoreRule) compile(fold bool) (ok bool) {
	r.fold = fold
	pattern := r.prefix
	n := strings.IndexAny(pattern, wildcards)
	if n < 0 {
		return true
	}
	if rest := pattern[1:]; r.anywhere && pattern[0] == '*' && !strings.ContainsAny(rest, wildcards) {
		r.prefix, r.suffix, r.tail = "", rest, true
		return true
	}
	if r.anywhere {
		n = 0
	}
	r.prefix, r.globbing = pattern[:n], true
	r.glob, ok = newWild(pattern[n:], r.anywhere, fold)
	return ok
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

// ignoreCase says whether the git configuration text makes upper and lower
// case the same, as git's own does on systems whose file names are so.
func ignoreCase(text string) bool {
	core, fold := false, false
	for line := range strings.Lines(strings.ToLower(text)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			core = strings.HasPrefix(line, "[core]")
			continue
		}
		key, value, set := strings.Cut(line, "=")
		if core && strings.TrimSpace(key) == "ignorecase" {
			fold = !set || slices.Contains([]string{"true", "yes", "on", "1"}, strings.TrimSpace(value))
		}
	}
	return fold
}
