package tools

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"aye/tools/change"
	"aye/tools/match"
	"aye/tools/text"
	"aye/tools/workspace"
)

type editArgs struct {
	Path string `json:"path"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

func editTool(ws *workspace.Dir, seen *workspace.Seen) Tool {
	return Define("edit", "Replace old, which must occur exactly once in the file, by new.", func(_ context.Context, a editArgs) (Action, error) {
		t, err := look(ws, seen, a.Path)
		if err == nil {
			err = t.editable()
		}
		if err != nil {
			return Action{}, err
		}
		if known := t.known(); known < partial {
			return a.blind(t, known)
		}
		edit, err := match.Replace(t.data, a.Old, a.New)
		if err != nil {
			return Action{}, a.noMatch(t, err)
		}
		after := edit.Apply(t.data)
		w := writing{target: t, notes: []string{lossNote(t.info)}, stale: a.now}
		if w.set, err = t.change(after); err != nil {
			return Action{}, err
		}
		return w.action(func(d change.FileDiff) (string, []workspace.Sight) {
			lines, sights := excerpt(t.rel, after, edit.Start, edit.Start+len(edit.New))
			return fmt.Sprintf("Edited %s: +%d −%d. It now reads:\n%s", t.rel, d.Added, d.Removed, lines), append(t.wrote(after), sights...)
		})
	})
}

// editable says what keeps the target from being edited.
func (t target) editable() error {
	if !t.exists {
		if gone := t.gone(); gone != "" {
			return fmt.Errorf("%s; use write to create it anew", gone)
		}
		return missingPath(t.ws, t.given, t.missing)
	}
	if kind := text.Sniff(t.data, true); kind != text.UTF8 {
		return fmt.Errorf("%s is %v; edit changes text in UTF-8 only. Convert it first, or change it with a shell command", t.rel, kind)
	}
	return nil
}

// blind refuses an edit of a file that the model has not seen, or not as it is
// now. It shows the place that the edit means.
func (a editArgs) blind(t target, known knowledge) (Action, error) {
	if t.secret() != "" {
		return Action{}, t.hidden()
	}
	r := a.now(t)
	if known == outdated {
		r.short = "changed since it was seen"
		r.why = t.rel + " was changed since you last saw it, so nothing was written. " + r.why
	} else {
		r.short = "not read before"
		r.why = t.rel + " was not read before, so nothing was written. " + r.why
	}
	return t.refuse(r), nil
}

// now says what an edit meets in the file as it is now.
func (a editArgs) now(t target) refusal {
	r := refusal{short: "changed meanwhile"}
	if err := t.editable(); err != nil {
		r.why = err.Error()
		return r
	}
	if t.secret() != "" {
		r.why = "Read it again, then repeat the call."
		return r
	}
	edit, err := match.Replace(t.data, a.Old, a.New)
	if err != nil {
		r.why = err.Error() + "\nThe file begins:"
		r.shown, r.seen = excerpt(t.rel, t.data, 0, len(t.data))
		return r
	}
	r.why = "old occurs once in it; if this is the place, repeat the call:"
	r.shown, r.seen = excerpt(t.rel, t.data, edit.Start, edit.End)
	return r
}

// noMatch is the error about an edit that has no place. It shows lines of the
// file, but not of one whose reading a person would have to allow first.
func (a editArgs) noMatch(t target, err error) error {
	if why := t.secret(); why != "" {
		return fmt.Errorf("%s: old does not occur exactly once, or changes nothing; the file %s, so no lines are shown. Read it again", t.rel, why)
	}
	return fmt.Errorf("%s: %w", t.rel, err)
}

// excerpt shows the lines that bytes [start, end) of a file are in, numbered,
// with a few around them.
func excerpt(rel string, file []byte, start, end int) (string, []workspace.Sight) {
	body, mark := text.TrimBOM(file)
	if mark {
		start, end = max(0, start-len(text.BOM)), max(0, end-len(text.BOM))
	}
	lines := text.Split(body)
	if len(lines) == 0 {
		return "[the file is empty now]", []workspace.Sight{{Path: rel, Sum: workspace.SumOf(file)}}
	}
	first, last := len(lines), 0
	for n, at := 0, 0; n < len(lines) && at < max(end, start+1); n++ {
		next := at + len(lines[n].Text) + len(lines[n].End)
		if next > start || n == len(lines)-1 {
			first, last = min(first, n), n
		}
		at = next
	}
	return showLines(rel, file, max(0, first-excerptAround), min(len(lines), last+1+excerptAround))
}

// showLines shows lines [from, to) of a file, as many of the first as there is
// room for.
func showLines(rel string, file []byte, from, to int) (string, []workspace.Sight) {
	body, _ := text.TrimBOM(file)
	s := text.NewScanner(bytes.NewReader(body), excerptKeep)
	p := page{room: excerptChars}
	_, _ = s.Skip(from) // reading from memory does not fail
	added, _, _ := p.fill(s, from+1, min(to-from, excerptLines))
	if at := from + added; at < to {
		p.note("lines %d–%d not shown", at+1, to)
	}
	lines := text.Count(text.Split(body)).Lines()
	return strings.TrimSuffix(p.out.String(), "\n"), p.sights(rel, workspace.SumOf(file), lines)
}
