package permit

import (
	"errors"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A command is the pattern of a command rule.
type command struct {
	exact string // without *: the command it covers
	words []word // with *
	args  bool   // further arguments are covered too
}

// A word of a pattern: the literal parts between its stars.
type word []string

func (w word) wild() bool { return len(w) > 1 }

func (c command) wild() bool { return c.args || slices.ContainsFunc(c.words, word.wild) }

// parseCommand reads a pattern. Words are separated by blanks; quotes mean
// nothing.
func parseCommand(pattern string) (command, error) {
	var c command
	current, inWord := word{""}, false
	endWord := func() {
		if inWord {
			c.words = append(c.words, current)
		}
		current, inWord = word{""}, false
	}
	exact := &strings.Builder{}
	for i := 0; i < len(pattern); i++ {
		b := pattern[i]
		switch {
		case b == ' ':
			endWord()
			exact.WriteByte(b)
			continue
		case b == '*':
			current, inWord = append(current, ""), true
			continue
		case b == '\\':
			if i++; i == len(pattern) {
				return command{}, errors.New(`there is nothing after the last \; a \ itself is written \\`)
			}
			if b = pattern[i]; b == 'n' {
				b = '\n'
			} else if b == 't' {
				b = '\t'
			}
		}
		current[len(current)-1] += string([]byte{b})
		exact.WriteByte(b)
		inWord = true
	}
	endWord()
	if len(c.words) == 0 {
		return command{}, errors.New("it names no command")
	}
	if c.words[0].wild() && (len(c.words) > 1 || !c.words[0].takesArgs() || c.words[0][0] == "") {
		return command{}, errors.New("the program's name must be spelled out; shell alone covers every command")
	}
	c.exact = exact.String()
	c.foldArgs()
	return c, nil
}

// foldArgs turns a star at the end that stands for arguments into args.
func (c *command) foldArgs() {
	last := len(c.words) - 1
	switch w := c.words[last]; {
	case len(w) == 2 && w[0] == "" && w[1] == "":
		c.words, c.args = c.words[:last], true
	case w.takesArgs():
		c.words[last], c.args = w[:len(w)-1], true
	}
}

// takesArgs tells whether a star ends the word after a letter or digit.
func (w word) takesArgs() bool {
	if len(w) < 2 || w[len(w)-1] != "" {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(w[len(w)-2])
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// matches compares a word with the pattern's; a star stands for anything
// without a slash.
func (w word) matches(s string) bool {
	if !w.wild() {
		return s == w[0]
	}
	s, ok := strings.CutPrefix(s, w[0])
	if !ok {
		return false
	}
	for _, part := range w[1 : len(w)-1] {
		before, after, ok := strings.Cut(s, part)
		if !ok || strings.Contains(before, "/") {
			return false
		}
		s = after
	}
	before, ok := strings.CutSuffix(s, w[len(w)-1])
	return ok && !strings.Contains(before, "/")
}

// allows tells whether a pattern with stars covers a command line: if that is
// one simple command of literal words, if they match, and if those that stars
// stand for are harmless.
func (c command) allows(line string) bool {
	words, ok := simple(line)
	if !ok || len(words) < len(c.words) || len(words) > len(c.words) && !c.args {
		return false
	}
	if why := c.tooWide(); why != "" {
		return false
	}
	var covered []string // by stars
	for i, w := range c.words {
		if !w.matches(words[i]) {
			return false
		}
		if w.wild() {
			covered = append(covered, words[i])
		}
	}
	return harmless(words, append(covered, words[len(c.words):]...))
}

// denies tells whether the pattern covers any command in a command line.
func (c command) denies(line string) answer {
	if line == c.exact {
		return yes
	}
	calls, whole := allCalls(line)
	found := no
	if !whole {
		found = maybe
	}
	for _, call := range calls {
		found = max(found, c.deniesCall(call))
	}
	return found
}

func (c command) deniesCall(call []arg) answer {
	if len(c.words) > len(call) || len(c.words) < len(call) && !c.args {
		return no
	}
	found := yes
	for i, w := range c.words {
		switch {
		case !call[i].known:
			found = maybe
		case w.matches(call[i].text):
		case i == 0 && w.matches(path.Base(call[i].text)):
		default:
			return no
		}
	}
	return found
}
