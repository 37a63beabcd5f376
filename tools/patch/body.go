package patch

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A body is what stands below the header of one file.
type body struct {
	*parser
	add   bool // of a new file: nothing but added lines
	diff  bool // of a unified diff
	hunks []Hunk
	blank int // lines at the end of the last hunk that are empty, without a sign

	// What the numbers after the last "@@" leave to come; counted is false
	// when there were none.
	counted  bool
	old, new int
}

var numbers = regexp.MustCompile(`^@@+ *-\d*(?:,(\d*))? +\+\d*(?:,(\d*))? *@@+(.*)$`)

// read reads up to the next file, or the end.
func (b *body) read() error {
	for b.more() && !b.ends() {
		if err := b.line(); err != nil {
			return err
		}
		b.at++
	}
	b.settle()
	return nil
}

// ends says whether the current line is no part of this body.
func (b *body) ends() bool {
	line := b.peek(0)
	switch name, _ := mark(line); name {
	case "begin patch", "end patch", "add file", "update file", "delete file":
		return true
	}
	if b.closes() || strings.HasPrefix(line, "diff --git ") {
		return true
	}
	if !b.diff {
		return false
	}
	done := b.counted && b.old == 0 && b.new == 0
	switch {
	case b.opensDiff():
		return done || !b.continues()
	case done && (line == "-- " || line == "--"): // git's signature
		return true
	case done && line != "" && !strings.ContainsRune(` +-\@*`, rune(line[0])):
		return true
	}
	return false
}

// continues says whether lines that look like the names of the next file are
// a removed and an added line: whether the numbers of the hunk come out right
// that way.
func (b *body) continues() bool {
	if !strings.HasPrefix(b.peek(2), "@@") {
		return true
	}
	return b.counted && b.old == 1 && b.new == 1
}

// line reads the current line.
func (b *body) line() error {
	line := b.peek(0)
	name, _ := mark(line)
	switch {
	case name == "end of file":
		if len(b.hunks) == 0 && !b.add {
			return b.fail("there are no lines before it that could be the end of the file")
		}
		if len(b.hunks) > 0 {
			b.hunks[len(b.hunks)-1].Last = true
		}
		return nil
	case strings.HasPrefix(line, "***") && (name != "" || !b.diff):
		return b.fail(`it cannot stand here; a context line begins with a space, and "*** Move to: path" comes directly below "*** Update File: path"`)
	case strings.HasPrefix(line, "@@"):
		b.header(line)
		return nil
	case strings.HasPrefix(line, `\`) && b.marksEnd():
		return nil
	case b.add && line != "" && line[0] != '+':
		return b.fail("every line of a new file begins with +")
	case b.add && line == "":
		b.put('+', "", true)
	case line == "":
		b.put(' ', "", true)
	case line[0] == ' ' || line[0] == '+' || line[0] == '-':
		b.put(line[0], line[1:], false)
	default: // context that lost its blank: the file will tell
		b.put(' ', line, false)
	}
	return nil
}

// marksEnd takes "\ No newline at end of file", in any language, for the line
// before it.
func (b *body) marksEnd() bool {
	line, n := b.peek(0), len(b.hunks)-1
	if !strings.HasPrefix(line, `\ `) || n < 0 || len(b.hunks[n].Lines) == 0 {
		return false
	}
	b.hunks[n].Lines[len(b.hunks[n].Lines)-1].NoEnd = true
	b.blank = 0
	return true
}

// header reads a line that begins with "@@": a new hunk, or one more line that
// stands above it.
func (b *body) header(line string) {
	h := Hunk{At: b.at + 1}
	b.counted = false
	above := ""
	if m := numbers.FindStringSubmatch(line); m != nil {
		b.counted, b.old, b.new = true, count(m[1]), count(m[2])
		above, h.Loose = strings.TrimSpace(m[3]), true
	} else {
		above = strings.TrimLeft(line, "@")
		above = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(above), "@@"))
		if strings.Trim(above, ".… ") == "" {
			above = ""
		}
	}
	if above != "" {
		h.Headers = []string{above}
	}
	if n := len(b.hunks) - 1; n >= 0 && len(b.hunks[n].Lines) == 0 && !b.hunks[n].Loose && !h.Loose {
		b.hunks[n].Headers = append(b.hunks[n].Headers, h.Headers...)
		return
	}
	b.settle()
	b.hunks = append(b.hunks, h)
}

// count is a number of lines as a diff has it: one when it says nothing.
func count(digits string) int {
	if n, err := strconv.Atoi(digits); err == nil {
		return n
	}
	return 1
}

// put adds a line to the last hunk. unsigned: it is an empty line, which may
// as well stand between two hunks.
func (b *body) put(op byte, s string, unsigned bool) {
	if len(b.hunks) == 0 {
		if unsigned {
			return
		}
		b.hunks = append(b.hunks, Hunk{At: b.at + 1})
	}
	h := &b.hunks[len(b.hunks)-1]
	if unsigned && len(h.Lines) == 0 && !b.add && len(h.Headers) == 0 && !h.Loose {
		return // between "@@" and the first line
	}
	for rest, more := s, true; more; { // a lone CR is a line end too
		var line string
		line, rest, more = strings.Cut(rest, "\r")
		h.Lines = append(h.Lines, Line{Op: op, Text: line, CR: more})
	}
	if unsigned {
		b.blank++
	} else {
		b.blank = 0
	}
	if op != '+' {
		b.old--
	}
	if op != '-' {
		b.new--
	}
}

// settle ends the last hunk: empty lines without a sign at its end separate it
// from what follows.
func (b *body) settle() {
	if n := len(b.hunks) - 1; n >= 0 && b.blank > 0 {
		b.hunks[n].Lines = b.hunks[n].Lines[:len(b.hunks[n].Lines)-b.blank]
	}
	b.blank = 0
}

// content is the text of a new file.
func (b *body) content() []byte {
	var out bytes.Buffer
	for _, h := range b.hunks {
		for _, line := range h.Lines {
			out.WriteString(line.Text)
			switch {
			case line.CR:
				out.WriteByte('\r')
			case !line.NoEnd:
				out.WriteByte('\n')
			}
		}
	}
	return out.Bytes()
}

// String is a hunk's name in a sentence.
func (h Hunk) String() string {
	if len(h.Headers) > 0 {
		return fmt.Sprintf("line %d of the patch, @@ %s", h.At, h.Headers[len(h.Headers)-1])
	}
	return fmt.Sprintf("line %d of the patch", h.At)
}
