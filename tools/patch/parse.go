package patch

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"aye/tools/text"
)

// Parse reads a patch. Its error says which line is not understood and what
// should stand there.
func Parse(s string) ([]Section, error) {
	s = strings.TrimPrefix(s, text.BOM)
	p := &parser{lines: strings.Split(strings.TrimSuffix(s, "\n"), "\n")}
	for n, line := range p.lines {
		p.lines[n] = strings.TrimSuffix(line, "\r")
	}
	for p.more() {
		if err := p.outside(); err != nil {
			return nil, err
		}
	}
	if len(p.sections) == 0 {
		return nil, errors.New(`the patch names no file; it must have a line "*** Update File: path", "*** Add File: path" or "*** Delete File: path" before its changes, or the "---" and "+++" lines of a unified diff`)
	}
	return p.sections, nil
}

// A parser walks the lines of a patch.
type parser struct {
	lines    []string
	at       int
	closers  []string // lines that end the patch: a fence, the word of a here document
	sections []Section
}

func (p *parser) more() bool { return p.at < len(p.lines) }

// peek is the line n after the current one, "" past the end.
func (p *parser) peek(n int) string {
	if p.at+n < len(p.lines) {
		return p.lines[p.at+n]
	}
	return ""
}

// fail is an error about the current line.
func (p *parser) fail(format string, args ...any) error {
	line := p.peek(0)
	if len(line) > 60 {
		line = strings.ToValidUTF8(line[:60], "") + "…"
	}
	return fmt.Errorf("line %d of the patch, %s: %s", p.at+1, strconv.Quote(line), fmt.Sprintf(format, args...))
}

var (
	marker  = regexp.MustCompile(`(?i)^\*\*\* *(begin patch|end patch|end of file|(?:add|update|delete) file *:|move to *:)(.*)$`)
	fence   = regexp.MustCompile("^ {0,3}(```+|~~~+)")
	heredoc = regexp.MustCompile(`^[^-+@* \\].*<<-?\s*['"]?(\w+)['"]?|^<<-?\s*['"]?(\w+)['"]?`)
)

// mark reads a line that begins with three stars: "add file", and its path.
func mark(line string) (name, rest string) {
	m := marker.FindStringSubmatch(line)
	if m == nil {
		return "", ""
	}
	name = strings.TrimRight(strings.ToLower(m[1]), " :")
	return name, strings.TrimSpace(m[2])
}

// outside reads one line that is in no section, and the section it opens.
func (p *parser) outside() error {
	line := p.peek(0)
	switch name, path := mark(line); {
	case name == "begin patch" || name == "end patch":
	case strings.HasSuffix(name, " file") && name != "end of file":
		return p.section(Op(strings.TrimSuffix(name, " file")), path)
	case p.opensDiff():
		return p.diff()
	case name != "":
		return p.fail("it stands before any file is named")
	case strings.HasPrefix(line, "***") && strings.Trim(line, "* ") != "":
		return p.fail(`unknown; a file is named by "*** Update File: path", "*** Add File: path" or "*** Delete File: path"`)
	case strings.HasPrefix(line, "@@"):
		return p.fail(`no file is named before it; put "*** Update File: path" there`)
	case line != "" && (line[0] == '+' || line[0] == '-') && strings.Trim(line, "- ") != "":
		return p.fail(`no file is named before it; put "*** Update File: path" or "*** Add File: path" there`)
	default:
		p.wrapping(line)
	}
	p.at++
	return nil
}

// wrapping remembers how what is wrapped around a patch will end.
func (p *parser) wrapping(line string) {
	if m := fence.FindStringSubmatch(line); m != nil && !slices.Contains(p.closers, m[1]) {
		p.closers = append(p.closers, m[1])
	} else if m := heredoc.FindStringSubmatch(line); m != nil {
		p.closers = append(p.closers, m[1]+m[2])
	}
}

// closes says whether the current line ends the patch from outside.
func (p *parser) closes() bool {
	line := strings.TrimRight(p.peek(0), ` "')`)
	return line != "" && slices.Contains(p.closers, line)
}

// section reads a section of the apply_patch form.
func (p *parser) section(op Op, path string) error {
	if path == "" {
		return p.fail("the path is missing after the colon")
	}
	s := Section{Op: op, Path: path, At: p.at + 1}
	p.at++
	for p.more() && op == Update { // before the first hunk
		name, to := mark(p.peek(0))
		if name == "move to" {
			if to == "" {
				return p.fail("the path is missing after the colon")
			}
			s.To = to
		} else if p.peek(0) != "" {
			break
		}
		p.at++
	}
	p.skipNames(path)
	b := body{parser: p, add: op == Add}
	if err := b.read(); err != nil {
		return err
	}
	return p.take(s, b)
}

// skipNames passes over the "---" and "+++" lines that repeat the path.
func (p *parser) skipNames(path string) {
	was, isOld := strings.CutPrefix(p.peek(0), "--- ")
	now, isNew := strings.CutPrefix(p.peek(1), "+++ ")
	if !isOld || !isNew || !strings.HasPrefix(p.peek(2), "@@") {
		return
	}
	for _, name := range []string{was, now} {
		if name = diffName(name); name != path && name != "a/"+path && name != "b/"+path && name != nowhere {
			return
		}
	}
	p.at += 2
}

// take adds a section with the body that was read for it.
func (p *parser) take(s Section, b body) error {
	switch s.Op {
	case Add:
		s.Content = b.content()
	case Update:
		s.Hunks = b.hunks
		if len(s.Hunks) == 0 && s.To == "" {
			return fmt.Errorf(`line %d of the patch: nothing is changed in %s; write "@@" and lines that begin with " ", "-" or "+" below its header`, s.At, s.Path)
		}
	case Delete:
		s.Hunks = b.hunks
	}
	p.sections = append(p.sections, s)
	return nil
}
