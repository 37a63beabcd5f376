package search

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// A Mistake says what is wrong with a pattern, and where.
type Mistake struct {
	Pattern string
	At      int // bytes before the mistake; -1: in no one place
	Why     string
}

// around is how many bytes of a pattern are shown at each side of a mistake.
const around = 30

func (m *Mistake) Error() string {
	if m.At < 0 {
		return fmt.Sprintf("the pattern cannot be searched for: %s", m.Why)
	}
	before, after := m.Pattern[:m.At], m.Pattern[m.At:]
	if len(before) > around {
		before = "…" + strings.ToValidUTF8(before[len(before)-around:], "")
	}
	if len(after) > around {
		after = strings.ToValidUTF8(after[:around], "") + "…"
	}
	return fmt.Sprintf("the pattern is no valid regular expression: %s at character %d: %s▸%s",
		m.Why, utf8.RuneCountInString(m.Pattern[:m.At])+1, before, after)
}

// mistakeOf words what package syntax found, and finds the place.
func mistakeOf(expr string, err error) *Mistake {
	var s *syntax.Error
	if !errors.As(err, &s) {
		return &Mistake{expr, -1, err.Error()}
	}
	m := &Mistake{expr, strings.Index(expr, s.Expr), string(s.Code)}
	switch s.Code {
	case syntax.ErrMissingParen:
		m.At, m.Why = unclosed(expr), "( is not closed"
	case syntax.ErrUnexpectedParen:
		m.At, m.Why = unclosed(expr), ") closes nothing"
	case syntax.ErrMissingBracket:
		m.Why = "[ is not closed"
	case syntax.ErrTrailingBackslash:
		m.At, m.Why = len(expr)-1, `\ is last`
	case syntax.ErrMissingRepeatArgument:
		m.Why = s.Expr + " has nothing before it to repeat"
	case syntax.ErrInvalidRepeatOp:
		m.Why = s.Expr + " repeats what is repeated already"
	case syntax.ErrInvalidRepeatSize, syntax.ErrLarge:
		m.Why = "the count " + s.Expr + " is too large or not in order"
		if s.Code == syntax.ErrLarge {
			m.At, m.Why = -1, "its repeat counts make it too large"
		}
	case syntax.ErrInvalidPerlOp:
		m.Why = s.Expr + " is not supported (no looking ahead or behind)"
	case syntax.ErrInvalidEscape:
		m.Why = s.Expr + " is no known escape"
	case syntax.ErrInvalidCharRange, syntax.ErrInvalidCharClass:
		m.Why = s.Expr + " is no range or class"
	case syntax.ErrInvalidUTF8:
		m.At, m.Why = -1, "it is not UTF-8"
	case syntax.ErrNestingDepth:
		m.At, m.Why = -1, "it is nested too deeply"
	case syntax.ErrInvalidNamedCapture:
		m.Why = s.Expr + " is no valid name of a group"
	case syntax.ErrInternalError:
	}
	return m
}

// unclosed is where the parenthesis is that has no other.
func unclosed(expr string) int {
	var open []int
	class := false
	for n := 0; n < len(expr); n++ {
		switch c := expr[n]; {
		case strings.HasPrefix(expr[n:], `\Q`):
			end := strings.Index(expr[n:], `\E`)
			if end < 0 {
				end = len(expr) - n
			}
			n += end
		case c == '\\':
			n++
		case class:
			class = c != ']'
		case c == '[':
			class = true
			if rest := strings.TrimPrefix(expr[n+1:], "^"); strings.HasPrefix(rest, "]") {
				n = len(expr) - len(rest) // a bracket that comes first is one of the set
			}
		case c == '(':
			open = append(open, n)
		case c == ')' && len(open) == 0:
			return n
		case c == ')':
			open = open[:len(open)-1]
		}
	}
	if len(open) == 0 {
		return -1
	}
	return open[len(open)-1]
}
