package change

import (
	"bytes"
	"cmp"
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
	oldBody, oldMark := text.TrimBOM(before)
	newBody, newMark := text.TrimBOM(after)
	notes := foreignNotes(d.Kind, before, after)
	if !legible(before) {
		oldBody = nil
	}
	if !legible(after) {
		newBody = nil
	}
	a, b := text.Split(oldBody), text.Split(newBody)
	d.fill(a, b, script(a, b))
	if d.Left > 0 {
		notes = append(notes, fmt.Sprintf("too long: the last %d lines of the diff are not shown", d.Left))
	}
	switch {
	case newMark && !oldMark && d.Kind == Changed:
		notes = append(notes, "a byte order mark is added at the beginning")
	case oldMark && !newMark && d.Kind == Changed:
		notes = append(notes, "the byte order mark at the beginning is removed")
	case newMark || oldMark:
		notes = append(notes, "byte order mark")
	}
	was, is := text.Count(a), text.Count(b)
	notes = append(notes, endNote(was, is, d.Kind), lastNote(was, is, d.Kind))
	if !plain(oldBody) || !plain(newBody) {
		notes = append(notes, `bytes that are no text are shown as \xNN`)
	}
	if d.Kind == Added && len(after) == 0 {
		notes = append(notes, "empty file")
	}
	d.Note = strings.Join(slices.DeleteFunc(notes, func(s string) bool { return s == "" }), "; ")
	return d
}

// legible says whether b can be shown as lines. What is UTF-8 always is, NUL
// bytes or not: nothing that a model writes can hide behind a note.
func legible(b []byte) bool { return utf8.Valid(b) || text.Sniff(b, true) == text.Legacy }

// plain says whether a text can be shown as it is.
func plain(b []byte) bool { return utf8.Valid(b) && bytes.IndexByte(b, 0) < 0 }

// foreignNotes says in words what lines cannot show.
func foreignNotes(kind Kind, before, after []byte) []string {
	name := func(b []byte) string {
		if legible(b) {
			return fmt.Sprintf("text, %d bytes", len(b))
		}
		return fmt.Sprintf("%v, %d bytes", text.Sniff(b, true), len(b))
	}
	switch {
	case legible(before) && legible(after):
		return nil
	case kind == Added:
		return []string{name(after)}
	case kind == Removed:
		return []string{name(before)}
	}
	return []string{name(before) + ", becomes " + name(after)}
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
