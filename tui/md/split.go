package md

import (
	"bytes"
	"strings"
)

// maxBlock is how many bytes a block may have. What goes on for longer is cut
// at a line end and goes on in a block of its own: no block makes a frame late.
const maxBlock = 32 << 10

// A block is a piece of the source that can be rendered for itself: a
// paragraph, a heading, a fence, a table, a quote, or one item of a list with
// all that is in it.
type block struct {
	text   string
	item   bool // an item of a list at the outermost level
	number int  // of an item of an ordered list; else 0
	joined bool // belongs directly under the block before: no blank row between
}

// A splitter cuts clean Markdown into blocks, line by line. It is a value: a
// copy may be fed a line to see what would become of it.
//
// It cuts only where the parser would start anew as well: where it is in
// doubt, two blocks stay one, which costs time and nothing else.
type splitter struct {
	open    []byte // the open block's text
	current block  // what else is known of it
	kind    kind

	blank  bool   // the last line was blank
	inside int    // item: how far what belongs to it is indented
	mark   byte   // item: the list's bullet, or the '.' or ')' after its number
	number int    // item: its number
	fence  string // fence: the run of '`' or '~' that opened it
	opener string // fence: its first line
}

type kind uint8

const (
	none   kind = iota // nothing open
	prose              // a paragraph, table, quote, indented code
	item               // an item of a list
	fenced             // a fence at the outermost level
)

// line takes the next line, with its LF, and returns the block that it ends,
// or two: a line can end the block before it and be one itself.
func (s *splitter) line(line string) (ended []block) {
	if s.kind != none && len(s.open)+len(line) > maxBlock && len(s.open) > len(s.opener) {
		ended = append(ended, s.cut())
	}
	l := look(line)
	switch {
	case s.kind == fenced:
		s.open = append(s.open, line...)
		if l.closes(s.fence) {
			ended = append(ended, s.close())
		}
		return ended
	case l.blank:
		if s.kind != none {
			s.open = append(s.open, line...)
			s.blank = true
		}
		return ended
	case s.starts(l):
		next := s.next(l)
		if s.kind != none {
			ended = append(ended, s.close())
		}
		*s = next
	}
	if s.kind == none {
		s.kind = prose
	}
	s.open = append(s.open, line...)
	s.blank = false
	if l.heading {
		ended = append(ended, s.close())
	}
	return ended
}

// starts reports whether the line is the first of a new block.
func (s *splitter) starts(l lineLook) bool {
	switch s.kind {
	case none, fenced:
		return true
	case item:
		if l.indent >= s.inside {
			return false
		}
		return s.blank || l.marker != 0 && !l.rule || l.fence != "" || l.heading
	case prose:
		if s.blank {
			return l.indent < 4 || !bytes.HasPrefix(s.open, []byte("    "))
		}
		if l.indent >= 4 {
			return false
		}
		return l.interrupts || l.fence != "" || l.heading
	}
	return false
}

// next returns the splitter with a block open that the line l begins.
func (s *splitter) next(l lineLook) splitter {
	n := splitter{kind: prose}
	switch {
	case l.fence != "":
		n.kind, n.fence, n.opener = fenced, l.fence, l.text
	case l.marker != 0 && !l.rule && l.indent < 4:
		n.kind, n.mark, n.inside, n.number = item, l.marker, l.inside, l.number
		n.current.item = true
		if s.kind == item && s.mark == l.marker {
			n.current.joined = !s.blank
			n.number = s.number + 1
		}
		if l.marker == '.' || l.marker == ')' {
			n.current.number = n.number
		}
	}
	return n
}

// close ends the open block.
func (s *splitter) close() block {
	b := s.current
	b.text = string(s.open)
	*s = splitter{}
	return b
}

// cut ends the open block because of its length; the same goes on in another.
func (s *splitter) cut() block {
	b := s.current
	b.text = string(s.open)
	s.current, s.open = block{joined: true}, nil
	if s.kind == fenced {
		s.open = append(s.open, s.opener...)
	} else {
		s.kind = prose
	}
	return b
}

// A lineLook is what can be seen of one line for itself.
type lineLook struct {
	text       string
	indent     int
	blank      bool
	heading    bool   // # Heading
	rule       bool   // ***, - - -
	fence      string // the run that opens a fence
	marker     byte   // bullet, or what follows the number, of a list item
	number     int
	inside     int  // the indent of what belongs to the item
	interrupts bool // the item may follow a paragraph without a blank line
}

func look(line string) lineLook {
	l := lineLook{text: line}
	text := strings.TrimRight(line, " \n")
	for l.indent < len(text) && text[l.indent] == ' ' {
		l.indent++
	}
	text = text[l.indent:]
	if l.blank = text == ""; l.blank {
		return l
	}
	l.item(text)
	if l.indent >= 4 {
		return l
	}
	hashes := len(text) - len(strings.TrimLeft(text, "#"))
	l.heading = hashes > 0 && hashes <= 6 && (hashes == len(text) || text[hashes] == ' ')
	l.rule = isRule(text)
	l.interrupts = l.interrupts && !l.rule
	for _, c := range []string{"`", "~"} {
		rest := strings.TrimLeft(text, c)
		if n := len(text) - len(rest); n >= 3 && (c == "~" || !strings.Contains(rest, "`")) {
			l.fence = text[:n]
		}
	}
	return l
}

// isRule reports a thematic break: three or more of the same, with blanks.
func isRule(text string) bool {
	n := 0
	for i := range len(text) {
		switch text[i] {
		case text[0]:
			n++
		case ' ':
		default:
			return false
		}
	}
	return n >= 3 && strings.IndexByte("*-_", text[0]) >= 0
}

// item looks for the marker of a list item.
func (l *lineLook) item(text string) {
	digits := 0
	for digits < len(text) && digits < 9 && text[digits] >= '0' && text[digits] <= '9' {
		l.number = l.number*10 + int(text[digits]-'0')
		digits++
	}
	if digits == len(text) {
		return
	}
	c := text[digits]
	if digits == 0 && c != '-' && c != '*' && c != '+' || digits > 0 && c != '.' && c != ')' {
		return
	}
	rest := text[digits+1:]
	if rest != "" && rest[0] != ' ' {
		return
	}
	l.marker = c
	gap := len(rest) - len(strings.TrimLeft(rest, " "))
	if rest == "" || gap > 4 { // an empty item, or one that begins with code
		gap = 1
	}
	l.inside = l.indent + digits + 1 + gap
	l.interrupts = rest != "" && l.indent < 4 && (digits == 0 || l.number == 1)
}

// closes reports whether the line ends a fence that was opened by run.
func (l lineLook) closes(run string) bool {
	text := strings.TrimSpace(l.text)
	return l.indent < 4 && len(text) >= len(run) && strings.Trim(text, run[:1]) == ""
}

// fenced returns the language of the open fence, and its indent.
func (s *splitter) fenced() (language string, indent int) {
	info := strings.TrimLeft(s.opener, " ")
	indent = len(s.opener) - len(info)
	words := strings.Fields(strings.TrimLeft(info, "`~"))
	if len(words) > 0 {
		language = words[0]
	}
	return language, indent
}
