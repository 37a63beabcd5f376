package tools

import (
	"context"
	"fmt"

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
		edit, err := match.Replace(t.doc.Bytes(), a.Old, a.New)
		if err != nil {
			return Action{}, a.noMatch(t, err)
		}
		after, err := t.doc.Splice(edit.Start, edit.End, string(edit.New))
		if err != nil {
			return Action{}, fmt.Errorf("%s: %w", t.rel, err)
		}
		is := version{t.rel, workspace.SumOf(after), text.Splice(t.doc.Bytes(), []text.Edit{edit})}
		w := writing{target: t, notes: []string{lossNote(t.info)}, stale: a.now}
		if w.set, err = t.change(after); err != nil {
			return Action{}, err
		}
		return w.action(func(d change.FileDiff) (string, []workspace.Sight) {
			lines, sights := is.excerpt(edit.Start, edit.Start+len(edit.New))
			return fmt.Sprintf("Edited %s: +%d −%d. It now reads:\n%s", t.rel, d.Added, d.Removed, lines), append(t.wrote(is), sights...)
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
	if err := t.notText(); err != nil {
		return fmt.Errorf("%w; edit changes text only, use shell", err)
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
	edit, err := match.Replace(t.doc.Bytes(), a.Old, a.New)
	if err != nil {
		r.why = err.Error() + "\nThe file begins:"
		r.shown, r.seen = t.version().excerpt(0, len(t.data))
		return r
	}
	r.why = "old occurs once in it; if this is the place, repeat the call:"
	r.shown, r.seen = t.version().excerpt(edit.Start, edit.End)
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
