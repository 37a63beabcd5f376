package change

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"aye/tools/text"
)

// Limits of a diff.
const (
	around   = 3       // unchanged lines shown before and after changed ones
	maxLines = 20_000  // lines that are shown of one file
	maxText  = 4 << 20 // bytes of them
)

// Diff is what a person sees of the set, one entry a file, in order.
func (s Set) Diff() []FileDiff {
	diffs := make([]FileDiff, len(s.Files))
	for n, file := range s.Files {
		diffs[n] = file.diff()
	}
	return diffs
}

func (f File) diff() FileDiff {
	d := FileDiff{Path: f.Path, Kind: Changed}
	before, after := f.Before, f.After
	switch {
	case f.Deleted:
		d.Kind, after = Removed, nil
	case !f.Existed:
		d.Kind, before = Added, nil
	}
	was := readable(before, text.Doc{})
	is := readable(after, was.doc)
	notes := []string{foreignNote(d.Kind, was, is)}
	a, b := text.Split(was.doc.Bytes()), text.Split(is.doc.Bytes())
	d.fill(a, b, script(a, b))
	if d.Left > 0 {
		notes = append(notes, fmt.Sprintf("too long: the last %d lines of the diff are not shown", d.Left))
	}
	notes = append(notes, encodingNote(d.Kind, was, is))
	oldEnds, newEnds := text.Count(a), text.Count(b)
	notes = append(notes, endNote(oldEnds, newEnds, d.Kind), lastNote(oldEnds, newEnds, d.Kind))
	if !plain(was.doc.Bytes()) || !plain(is.doc.Bytes()) {
		notes = append(notes, `bytes that are no text are shown as \xNN`)
	}
	if d.Kind == Added && len(after) == 0 {
		notes = append(notes, "empty file")
	}
	if bytes.Equal(was.doc.Bytes(), is.doc.Bytes()) && was.doc.Encoding() == is.doc.Encoding() && was.what+is.what == "" && !bytes.Equal(before, after) {
		notes = append(notes, "bytes change that look the same as text")
	}
	d.Note = strings.Join(slices.DeleteFunc(notes, func(s string) bool { return s == "" }), "; ")
	return d
}

// A body is one side of a change as lines can show it.
type body struct {
	doc  text.Doc
	size int
	what string // that it is no text but this; then doc is empty
}

// readable decodes one side of a change, which is like the other. What is
// UTF-8 always is text, NUL bytes or not: nothing that a model writes can hide
// behind a note.
func readable(b []byte, like text.Doc) body {
	doc, err := like.DecodeLike(b)
	var not *text.NotText
	switch {
	case err == nil:
	case utf8.Valid(b):
		doc = text.AsUTF8(b)
	case errors.As(err, &not):
		return body{size: len(b), what: not.What}
	}
	return body{doc: doc, size: len(b)}
}

// plain says whether a text can be shown as it is.
func plain(b []byte) bool { return utf8.Valid(b) && bytes.IndexByte(b, 0) < 0 }

// foreignNote says in words what lines cannot show.
func foreignNote(kind Kind, was, is body) string {
	name := func(b body) string { return fmt.Sprintf("%s, %d bytes", cmp.Or(b.what, "text"), b.size) }
	switch {
	case was.what == "" && is.what == "":
		return ""
	case kind == Added:
		return name(is)
	case kind == Removed:
		return name(was)
	}
	return name(was) + ", becomes " + name(is)
}

// encodingNote says what encoding there is when it is not plain UTF-8, and
// whether it changes.
func encodingNote(kind Kind, was, is body) string {
	from, to := was.doc.Encoding(), is.doc.Encoding()
	note := func(e text.Encoding) string {
		if e.UTF8() && e.BOM() {
			return "byte order mark"
		}
		return e.Note()
	}
	switch {
	case kind == Added || from == to || was.what != "":
		return note(to)
	case kind == Removed || is.what != "":
		return note(from)
	case from.UTF8() && to.UTF8() && to.BOM():
		return "a byte order mark is added at the beginning"
	case from.UTF8() && to.UTF8():
		return "the byte order mark at the beginning is removed"
	case is.size == 0:
		return note(from)
	case was.size == 0:
		return note(to)
	}
	return from.Name() + " becomes " + to.Name()
}

// endNote says what line ends there are, when they are not all LF, and
// whether they change.
func endNote(was, is text.Ends, kind Kind) string {
	wasNote, isNote := was.Note(), is.Note()
	mixed := strings.HasPrefix(wasNote, "mixed") && strings.HasPrefix(isNote, "mixed")
	switch {
	case kind == Removed:
		return wasNote
	case kind == Added || wasNote == isNote || mixed || was.LF+was.CRLF+was.CR == 0:
		return isNote
	case is.LF+is.CRLF+is.CR == 0:
		return ""
	}
	return cmp.Or(wasNote, "LF line ends") + " become " + cmp.Or(isNote, "LF line ends")
}

// lastNote says whether the last line has an end.
func lastNote(was, is text.Ends, kind Kind) string {
	switch {
	case kind == Removed || !is.Missing && !was.Missing:
		return ""
	case is.Missing && (was.Missing || kind == Added):
		return "no newline at the end"
	case is.Missing && was != (text.Ends{}):
		return "the newline at the end is removed"
	case was.Missing && is != (text.Ends{}):
		return "a newline is added at the end"
	}
	return ""
}

// fill puts the changes between a and b into d as hunks, as far as there is
// room.
func (d *FileDiff) fill(a, b []text.Line, changes []span) {
	lines, size := 0, 0
	for n := 0; n < len(changes); {
		end := n + 1 // changes that are near each other share a hunk
		for end < len(changes) && changes[end].a0-changes[end-1].a1 <= 2*around {
			end++
		}
		group := changes[n:end]
		for _, c := range group {
			d.Removed += c.a1 - c.a0
			d.Added += c.b1 - c.b0
		}
		n = end
		hunk := makeHunk(a, b, group)
		room := max(0, maxLines-lines)
		for n := range hunk.Lines {
			if size += len(hunk.Lines[n].Text); size > maxText {
				room = min(room, n)
				break
			}
		}
		if len(hunk.Lines) > room {
			d.Left += len(hunk.Lines) - room
			hunk.Lines = hunk.Lines[:room]
		}
		if lines += len(hunk.Lines); len(hunk.Lines) > 0 {
			d.Hunks = append(d.Hunks, hunk)
		}
	}
}

// makeHunk writes one group of changes with the lines around it.
func makeHunk(a, b []text.Line, group []span) Hunk {
	first, last := group[0], group[len(group)-1]
	from := max(0, first.a0-around)
	to := min(len(a), last.a1+around)
	hunk := Hunk{Old: from + 1, New: first.b0 - (first.a0 - from) + 1}
	at := from
	for _, c := range group {
		hunk.add(" ", a[at:c.a0])
		hunk.add("-", a[c.a0:c.a1])
		hunk.add("+", b[c.b0:c.b1])
		at = c.a1
	}
	hunk.add(" ", a[at:to])
	return hunk
}

func (h *Hunk) add(op string, lines []text.Line) {
	for _, line := range lines {
		shown, _ := text.Show(line.Text)
		h.Lines = append(h.Lines, Line{Op: op, Text: shown, End: endName(line.End)})
	}
}

// endName is a line end as Line.End has it.
func endName(end string) string {
	switch end {
	case "\r\n":
		return "crlf"
	case "\r":
		return "cr"
	case "":
		return "none"
	}
	return ""
}

func sameLine(a, b text.Line) bool { return a.End == b.End && bytes.Equal(a.Text, b.Text) }
