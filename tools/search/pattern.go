package search

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
)

// Limits of a pattern: its time per byte grows with its size.
const (
	maxPattern = 4000 // bytes
	maxProgram = 10_000
)

// A Pattern is what is looked for.
type Pattern struct {
	program *program
	need    need // every match has one of them in it; nil when none is known
	exact   bool // and every line that has it in it matches
	every   bool // every line matches
	spans   func() *regexp.Regexp
}

// Compile reads a regular expression as package regexp has it, or a text that
// is meant literally. Lines are looked at one by one: ^ and $ are their ends.
// The error is a [Mistake].
func Compile(expr string, literally bool) (*Pattern, error) {
	if len(expr) > maxPattern {
		return nil, &Mistake{Pattern: expr, At: -1, Why: "it is too long"}
	}
	source := expr
	if literally {
		source = regexp.QuoteMeta(expr)
	}
	tree, err := syntax.Parse(source, syntax.Perl&^syntax.OneLine)
	if err != nil {
		return nil, mistakeOf(expr, err)
	}
	if ofLineEnds(tree) {
		return nil, &Mistake{Pattern: expr, At: -1, Why: "it asks for a line end, and lines are looked at one by one"}
	}
	inLine(tree)
	text := tree.String()
	compiled, err := syntax.Compile(tree.Simplify())
	if err != nil || len(compiled.Inst) > maxProgram {
		return nil, &Mistake{Pattern: expr, At: -1, Why: "its repeat counts make it too large"}
	}
	p := &Pattern{program: newProgram(compiled)}
	if p.program == nil {
		return nil, &Mistake{Pattern: expr, At: -1, Why: "it is too large"}
	}
	p.spans = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
	p.need, p.exact = required(tree)
	p.every = p.program.matchesNothing()
	return p, nil
}

func isEnd(r rune) bool { return r == '\n' || r == '\r' }

// ofLineEnds says whether a part of the expression can be nothing but a line
// end: no line has one in it.
func ofLineEnds(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral:
		return slices.ContainsFunc(re.Rune, isEnd)
	case syntax.OpCharClass:
		return len(re.Rune) > 0 && len(withoutEnds(re.Rune)) == 0
	}
	return slices.ContainsFunc(re.Sub, ofLineEnds)
}

// inLine makes an expression never match a line end, and its anchors those of
// lines.
func inLine(re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpCharClass:
		if re.Rune = withoutEnds(re.Rune); len(re.Rune) == 0 {
			re.Op = syntax.OpNoMatch
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		re.Op, re.Rune = syntax.OpCharClass, []rune{0, '\n' - 1, '\n' + 1, '\r' - 1, '\r' + 1, '\U0010ffff'}
	case syntax.OpBeginText:
		re.Op = syntax.OpBeginLine
	case syntax.OpEndText:
		re.Op = syntax.OpEndLine
	}
	for _, sub := range re.Sub {
		inLine(sub)
	}
}

// withoutEnds takes the line ends out of a class's ranges.
func withoutEnds(ranges []rune) []rune {
	for _, end := range []rune{'\n', '\r'} {
		var kept []rune
		for n := 0; n < len(ranges); n += 2 {
			low, high := ranges[n], ranges[n+1]
			if end < low || end > high {
				kept = append(kept, low, high)
				continue
			}
			if low < end {
				kept = append(kept, low, end-1)
			}
			if end < high {
				kept = append(kept, end+1, high)
			}
		}
		ranges = kept
	}
	return ranges
}

// Habit says what a pattern that matched nothing may have been meant to be, in
// the way other tools write expressions; "" when nothing is odd about it.
func Habit(expr string) string {
	for _, habit := range []struct{ written, means, instead string }{
		{`\|`, "a literal |", "| is the alternative"},
		{`\(`, "a literal (", "( begins a group"},
		{`\{`, "a literal {", "{ begins a count"},
		{`\+`, "a literal +", "+ repeats"},
		{`\<`, "a literal <", `\b is the edge of a word`},
		{`\>`, "a literal >", `\b is the edge of a word`},
	} {
		if at := strings.Index(expr, habit.written); at >= 0 && (at == 0 || expr[at-1] != '\\') {
			return habit.written + " is " + habit.means + "; " + habit.instead
		}
	}
	return ""
}
