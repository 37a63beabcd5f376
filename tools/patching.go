package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"aye/tools/change"
	"aye/tools/patch"
	"aye/tools/text"
	"aye/tools/workspace"
)

// Limits of what is said about a patch that cannot be applied.
const (
	maxProblems  = 8
	problemChars = 2000 // of one hunk's
)

// action is what the patch comes to.
func (p *patching) action(ctx context.Context) (Action, error) {
	var files []change.File
	var changed, blind []*draft
	for _, d := range p.order {
		file, ok := d.file()
		switch {
		case d.bad:
		case d.blind:
			blind = append(blind, d)
		case ok:
			files, changed = append(files, file), append(changed, d)
		case d.here && d.exists:
			p.problem(d.rel, errors.New("the patch changes nothing in it: what it removes and what it adds are the same"))
		}
	}
	switch {
	case len(blind) > 0:
		return p.refuse(ctx, blind), nil
	case len(p.problems) > 0:
		return Action{}, errors.New(p.refusal())
	case len(files) == 0:
		return Action{}, errors.New("the patch changes nothing: one part of it undoes another")
	}
	set, err := change.New(files...)
	if err != nil {
		return Action{}, err
	}
	return p.change(set, changed)
}

// refusal says all that is wrong.
func (p *patching) refusal() string {
	problems := p.problems
	more := ""
	if len(problems) > maxProblems {
		more = fmt.Sprintf("\nand %s more", plural(len(problems)-maxProblems, "file"))
		problems = problems[:maxProblems]
	}
	if len(problems) == 0 {
		return ""
	}
	return clip(strings.Join(problems, "\n"), maxText) + more + "\nNothing was written. Correct this and send the whole patch again."
}

// refuse is the action of a patch of files that the model has not seen as they
// are: it shows them, where the patch would change them.
func (p *patching) refuse(ctx context.Context, blind []*draft) Action {
	var names []string
	var effects []Effect
	for _, d := range blind {
		names = append(names, d.rel)
		effects = append(effects, Effect{Kind: Read, Target: d.rel, Risk: d.secret()})
	}
	return Action{Title: title(names), Effects: effects, Run: func(context.Context, func(string)) Result {
		r := refusal{short: "not read before"}
		var why, shown []string
		if problems := p.refusal(); problems != "" {
			why = append(why, problems)
		}
		for _, d := range blind {
			if d.known() == outdated {
				r.short = "changed since it was seen"
				why = append(why, d.rel+" was changed since you last saw it, so nothing was written.")
			} else {
				why = append(why, d.rel+" was not read before, so nothing was written.")
			}
			lines, seen := d.around(ctx, maxText/len(blind))
			shown = append(shown, lines)
			r.seen = append(r.seen, seen...)
		}
		r.why = strings.Join(why, "\n")
		r.shown = strings.Join(shown, "\n\n") + "\n\nIf the patch is still right, send it again."
		return r.result(p.seen)
	}}
}

// around shows the file where the hunks of the patch would change it, all of
// it when it is short, in about so many characters.
func (d *draft) around(ctx context.Context, room int) (string, []workspace.Sight) {
	body := d.text.Bytes()
	lines := text.Split(body)
	places, misses := patch.Find(ctx, body, d.hunks)
	for _, m := range misses {
		if m.Lines != "" {
			places = append(places, m.Near)
		}
	}
	what := d.rel + " reads, around the places of the hunks:"
	if len(lines) <= excerptLines || len(places) == 0 {
		what, places = d.rel+" reads:", []patch.Range{{From: 0, To: len(lines)}}
	}
	if len(lines) == 0 {
		what = d.rel + " is empty."
	}
	show := workspace.NewSeen() // which lines: sorted, each once
	for _, place := range places {
		show.Add(workspace.Sight{From: max(0, place.From-excerptAround), To: min(len(lines), place.To+excerptAround), Lines: len(lines)})
	}
	p := page{room: min(room, maxText/2)}
	s := text.NewScanner(bytes.NewReader(body), excerptKeep)
	at := 0
	for _, span := range show.After(workspace.Swap{}) {
		if span.From > at && at > 0 {
			p.out.WriteString("…\n")
		}
		_, _ = s.Skip(span.From - at) // reading from memory does not fail
		added, over, _ := p.fill(s, span.From+1, span.To-span.From)
		if at = span.From + added; over || at < span.To {
			p.note("lines from %d on are not shown: read with offset %d, then send the patch again", at+1, at)
			break
		}
	}
	var words []string
	for _, m := range misses[:min(len(misses), maxProblems)] {
		words = append(words, fmt.Sprintf("%s: hunk %d (%s): %s", d.rel, m.Hunk, m.Where, m.Why))
	}
	words = append(words, what, strings.TrimSuffix(p.out.String(), "\n"))
	return strings.Join(words, "\n"), p.sights(d.rel, d.sum, len(lines))
}

// title names files for people.
func title(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return plural(len(names), "file")
}

// change is the action of a patch that can be applied. A change that cannot be
// shown whole is none that a person can allow.
func (p *patching) change(set change.Set, changed []*draft) (Action, error) {
	diffs := set.Diff()
	byPath := make(map[string]*change.FileDiff)
	showMoves(set, diffs, changed)
	var added, removed, left int
	for n := range diffs {
		byPath[diffs[n].Path] = &diffs[n]
		added += diffs[n].Added
		removed += diffs[n].Removed
		left += diffs[n].Left
	}
	if left > 0 {
		return Action{}, fmt.Errorf("the change is too large to be shown whole to the user, by %s; send it in several smaller patches", plural(left, "line"))
	}
	var effects []Effect
	var names []string
	for _, d := range changed {
		diff := byPath[d.rel]
		diff.Note = strings.Join(append(d.moves(diff.Note), d.notes...), "; ")
		effects = append(effects, Effect{Kind: Write, Target: d.rel, Risk: riskOf(d.given, d.rel, workspace.Risk)})
		if d.to == "" {
			names = append(names, d.title())
		}
	}
	about := title(names)
	if len(names) > 1 {
		about = plural(len(changed), "file") // as many as are shown: a move is two
	}
	view := View{Kind: Diff, Summary: fmt.Sprintf("+%d −%d", added, removed), Diffs: diffs}
	return Action{
		Title:   about,
		Effects: effects,
		Change:  &set,
		Preview: view,
		Run: func(ctx context.Context, _ func(string)) Result {
			if err := set.Commit(ctx, p.ws); err != nil {
				return p.failed(ctx, err)
			}
			words, sights := p.report(changed, byPath)
			return Result{Status: OK, Text: words, View: view, Seen: sights}
		},
	}, nil
}

// showMoves shows what a move changes in the file, and not all of its lines
// twice: as removed there and as added here.
func showMoves(set change.Set, diffs []change.FileDiff, changed []*draft) {
	at := make(map[string]int)
	for n, file := range set.Files {
		at[file.Path] = n
	}
	for _, d := range changed {
		from, ok := at[d.from]
		to := at[d.rel]
		if d.from == "" || !ok || diffs[from].Kind != change.Removed || diffs[to].Kind != change.Added {
			continue
		}
		one := change.Set{Files: []change.File{{Path: d.rel, Existed: true, Before: set.Files[from].Before, After: set.Files[to].After}}}
		diffs[to] = one.Diff()[0]
		diffs[to].Kind = change.Added
		diffs[from] = change.FileDiff{Path: d.from, Kind: change.Removed}
	}
}

// moves is a note with where the file is moved.
func (d *draft) moves(note string) []string {
	var notes []string
	switch {
	case d.to != "":
		return []string{"moved to " + d.to}
	case d.from != "":
		notes = append(notes, "moved from "+d.from)
	}
	if note != "" {
		notes = append(notes, note)
	}
	return notes
}

// title names the file for people.
func (d *draft) title() string {
	if d.from != "" {
		return d.from + " → " + d.rel
	}
	return titleOf(d.given, d.rel)
}

// report says what was done, a line a file, and what the model has seen then.
func (p *patching) report(changed []*draft, diffs map[string]*change.FileDiff) (string, []workspace.Sight) {
	var lines []string
	var sights []workspace.Sight
	for _, d := range changed {
		if !d.here {
			p.seen.Drop(d.rel)
		} else if !d.unsighted() {
			sights = append(sights, d.same(d.views)...)
		}
		if d.to == "" {
			lines = append(lines, d.done(diffs[d.rel]))
		}
	}
	p.seen.Add(sights...)
	if len(lines) == 1 {
		return "Applied the patch: " + lines[0], sights
	}
	return fmt.Sprintf("Applied the patch to %s:\n%s", plural(len(lines), "file"), strings.Join(lines, "\n")), sights
}

// done says what was done to the file.
func (d *draft) done(diff *change.FileDiff) string {
	counts := fmt.Sprintf(" +%d −%d", diff.Added, diff.Removed)
	note := diff.Note
	var words string
	switch {
	case !d.here:
		return "deleted " + d.rel
	case d.from != "":
		words = "moved " + d.from + " to " + d.rel
		if diff.Added+diff.Removed == 0 {
			counts = ""
		}
		note = strings.Join(d.notes, "; ")
	case !d.exists:
		words = "created " + d.rel
	default:
		words = "modified " + d.rel
	}
	words += counts + ranges(d.touched)
	if note != "" {
		words += " [" + note + "]"
	}
	return words
}

// ranges names lines of a file: ", lines 3–5, 9", ", line 3".
func ranges(touched []patch.Range) string {
	var parts []string
	for _, r := range touched[:min(len(touched), maxProblems)] {
		if r.To > r.From+1 {
			parts = append(parts, fmt.Sprintf("%d–%d", r.From+1, r.To))
		} else {
			parts = append(parts, fmt.Sprint(r.From+1))
		}
	}
	switch {
	case len(touched) == 0:
		return ""
	case len(touched) > maxProblems:
		parts = append(parts, "…")
	}
	if len(parts) == 1 && touched[0].To <= touched[0].From+1 {
		return ", line " + parts[0]
	}
	return ", lines " + strings.Join(parts, ", ")
}

// failed is the result of a commit that did not happen.
func (p *patching) failed(ctx context.Context, err error) Result {
	var stale *change.Stale
	if !errors.As(err, &stale) || p.drafts[stale.Path] == nil {
		return writing{}.failed(ctx, err)
	}
	was := p.drafts[stale.Path]
	w := writing{target: was.target, stale: func(now target) refusal {
		r := refusal{short: "changed meanwhile", why: "No file of the patch was changed."}
		d := newDraft(now)
		d.hunks = was.hunks
		switch {
		case !now.exists:
			r.why += " " + now.rel + " does not exist now."
		case now.notText() != nil:
			r.why += " " + now.notText().Error() + "."
		case d.secret() != "":
			r.why += " Read it again, then repeat the call."
		default:
			r.shown, r.seen = d.around(ctx, maxText/2)
			r.shown += "\nIf the patch is still right, send it again."
		}
		return r
	}}
	return w.failed(ctx, err)
}
