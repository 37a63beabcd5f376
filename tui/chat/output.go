package chat

import (
	"bytes"
	"strings"

	"aye/tools"
	"aye/tools/change"
	"aye/tui/diff"
	"aye/tui/term"
)

const (
	outputRows = 5  // of an output or a text before the rest is folded
	failedRows = 12 // where it says why something failed
	diffRows   = 10
)

// viewRows lays out what people see of a finished call. A view without a kind
// and without a summary means that text is shown.
func viewRows(lk *look, v tools.View, text string, width int, failed bool) []string {
	limit := outputRows
	if failed || v.Failed {
		limit = failedRows
	}
	switch v.Kind {
	case tools.None:
		if v.Summary != "" && !failed {
			return nil
		}
		text = strings.TrimSpace(term.Clean(text))
		if text == "" {
			return nil
		}
		return lk.fold(paint(lk.th.Dim, term.Wrap(text, width)), limit, head)
	case tools.Plain, tools.Code, tools.Command:
		return lk.fold(plain(lk, v.Text, width), limit, head)
	case tools.Output:
		return lk.fold(plain(lk, v.Text, width), limit, tail)
	case tools.Plan:
		return planRows(lk, v.Todos, width)
	case tools.Diff:
		return lk.fold(diffLines(lk, v.Diffs, width), diffRows, head)
	}
	return lk.fold(plain(lk, v.Text, width), limit, head)
}

// diffLines draws a change below its call's line, which has already said
// which file it is and how much changes: that is left out.
func diffLines(lk *look, diffs []change.FileDiff, width int) []string {
	if len(diffs) == 1 {
		return diff.Untitled(lk.th, diffs[0], width)
	}
	return diff.Lines(lk.th, diffs, width)
}

// plain lays out foreign text as it is.
func plain(lk *look, text string, width int) []string {
	text = strings.Trim(term.Clean(term.Collapse(text)), "\n")
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return paint(lk.th.Dim, term.Fold(text, width))
}

// An output is the end of what a running command has printed so far.
type output struct {
	kept  []byte // at most keptTail bytes
	lines int    // ends of lines that came and are no longer kept
}

func (o *output) empty() bool { return len(o.kept) == 0 }

// add keeps text and lets go of the oldest lines, now and then, so that each
// byte is moved only once or twice.
func (o *output) add(text string) {
	if over := len(text) - keptTail; over > 0 {
		o.lines += bytes.Count(o.kept, []byte{'\n'}) + strings.Count(text[:over], "\n")
		o.kept, text = o.kept[:0], text[over:]
	}
	o.kept = append(o.kept, text...)
	if len(o.kept) <= 2*keptTail {
		return
	}
	drop := len(o.kept) - keptTail
	if i := bytes.IndexByte(o.kept[drop:], '\n'); i >= 0 {
		drop += i + 1
	}
	o.lines += bytes.Count(o.kept[:drop], []byte{'\n'})
	o.kept = append(o.kept[:0], o.kept[drop:]...)
}

// rows lays out the last rows. Only so much is looked at as can be seen.
func (o *output) rows(lk *look, width int) []string {
	text := o.kept
	want := outputRows
	if !lk.open {
		if reach := (outputRows + 1) * width * 4; len(text) > reach {
			text = text[len(text)-reach:]
		}
	} else {
		want = liveRows
	}
	rows := plain(lk, strings.ToValidUTF8(string(text), ""), width)
	more := o.lines + bytes.Count(o.kept[:len(o.kept)-len(text)], []byte{'\n'})
	if over := len(rows) - want; over > 0 {
		more += over
		rows = rows[over:]
	}
	if more == 0 {
		return rows
	}
	return append([]string{lk.th.Dim.Render(term.Cut("… "+count(more, "row")+" above", width))}, rows...)
}

const liveRows = 200 // of an open output while its command runs
