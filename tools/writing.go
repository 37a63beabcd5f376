package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"aye/tools/change"
	"aye/tools/workspace"
)

// A writing is a change of one file that is asked for.
type writing struct {
	target
	set   change.Set
	notes []string // for person and model; "" says nothing
	// stale says what the call met in the file that turned out to have changed.
	stale func(now target) refusal
}

// action makes the Action of a change. report says what was done, and what the
// model has seen of the file then. A change that cannot be shown whole is none
// that a person can allow.
func (w writing) action(report func(change.FileDiff) (string, []workspace.Sight)) (Action, error) {
	diffs := w.set.Diff()
	if diffs[0].Left > 0 {
		return Action{}, fmt.Errorf("%s: the change is too large to be shown whole to the user, by %s; make it in several smaller ones", w.rel, plural(diffs[0].Left, "line"))
	}
	var notes []string
	for _, note := range append([]string{diffs[0].Note}, w.notes...) {
		if note != "" {
			notes = append(notes, note)
		}
	}
	diffs[0].Note = strings.Join(notes, "; ")
	view := View{Kind: Diff, Summary: fmt.Sprintf("+%d −%d", diffs[0].Added, diffs[0].Removed), Diffs: diffs}
	return Action{
		Title:   titleOf(w.given, w.rel),
		Effects: []Effect{{Kind: Write, Target: w.rel, Risk: riskOf(w.given, w.rel, workspace.Risk)}},
		Change:  &w.set,
		Preview: view,
		Run: func(ctx context.Context, _ func(string)) Result {
			if err := w.set.Commit(ctx, w.ws); err != nil {
				return w.failed(ctx, err)
			}
			words, sights := report(diffs[0])
			w.seen.Add(sights...)
			if diffs[0].Note != "" {
				words += "\n[" + diffs[0].Note + "]"
			}
			return Result{Status: OK, Text: words, View: view, Seen: sights}
		},
	}, nil
}

// failed is the result of a commit that did not happen.
func (w writing) failed(ctx context.Context, err error) Result {
	var stale *change.Stale
	switch {
	case errors.As(err, &stale):
		return w.met(stale)
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return Result{Status: Interrupted, Text: "interrupted; nothing was written"}
	}
	return failed(err)
}

// met is the result of a change of a file that was not what it was made for.
func (w writing) met(stale *change.Stale) Result {
	why := stale.Error() + ". It is not what this call was prepared for."
	now, err := w.again()
	if err != nil {
		return Result{Status: Failed, Text: why + " " + err.Error()}
	}
	if now.rel != w.rel {
		return Result{Status: Failed, Text: why + " Look at it again, then repeat the call."}
	}
	if !now.exists {
		w.seen.Drop(w.rel)
	}
	r := w.stale(now)
	r.why = why + " " + r.why
	return r.result(w.seen)
}
