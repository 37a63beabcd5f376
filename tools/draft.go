package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"aye/tools/change"
	"aye/tools/patch"
	"aye/tools/text"
	"aye/tools/workspace"
)

// A draft is a file as a patch leaves it.
type draft struct {
	target
	here    bool   // it exists
	now     []byte // its content
	mode    fs.FileMode
	text    text.Doc     // the content as text
	from    string       // where it was moved from
	to      string       // where it was moved to
	hunks   []patch.Hunk // that were to be applied
	touched []patch.Range
	notes   []string // for person and model

	views *workspace.Seen // what the model will have seen of it
	blind bool            // it has not seen it as it is
	bad   bool            // a problem was found in it
	curt  bool            // nobody reads what more could be said about it
}

func newDraft(t target) *draft {
	d := &draft{target: t, here: t.exists, now: t.data, text: t.doc, mode: t.ws.NewFileMode(), views: workspace.NewSeen()}
	if t.exists {
		d.mode = t.info.Mode() & workspace.Permissions
		d.note(lossNote(t.info))
		if t.known() >= partial {
			d.views.Add(d.same(t.seen)...)
		}
	}
	return d
}

func (d *draft) note(words string) {
	if words != "" {
		d.notes = append(d.notes, words)
	}
}

// lines is how many lines the content has.
func (d *draft) lines() int { return len(text.Split(d.text.Bytes())) }

// same are the sights of the content as it is now in seen.
func (d *draft) same(seen *workspace.Seen) []workspace.Sight {
	sum := workspace.SumOf(d.now)
	return seen.After(workspace.Swap{Path: d.rel, Was: sum, Now: sum, Lines: d.lines()})
}

// unsighted says whether the model has seen nothing of the content.
func (d *draft) unsighted() bool {
	_, _, ok := d.views.Of(d.rel)
	return !ok
}

// present is the error about a file that is not there.
func (d *draft) present() error {
	switch {
	case d.here:
		return nil
	case d.to != "":
		return fmt.Errorf("the patch has moved it to %s above; use that path from there on", d.to)
	case d.exists:
		return errors.New("the patch has deleted it above")
	}
	if gone := d.gone(); gone != "" {
		return errors.New(gone)
	}
	if d.curt {
		return d.missing
	}
	return missingPath(d.ws, d.given, d.missing)
}

// add makes a new file.
func (d *draft) add(s patch.Section) error {
	switch {
	case d.exists:
		return errors.New(`it exists already; change it with "*** Update File", or replace it with write`)
	case d.here:
		return errors.New("the patch makes it twice")
	}
	if err := text.Check(string(s.Content)); err != nil {
		return err
	}
	doc, err := text.Decode(s.Content)
	if err != nil {
		return fmt.Errorf("what the file would be %w", err)
	}
	d.here, d.now, d.text = true, s.Content, doc
	d.views.Add(workspace.Sight{Path: d.rel, Sum: workspace.SumOf(d.now), To: d.lines(), Lines: d.lines()})
	return nil
}

// legible is the error about a file that is no text.
func (d *draft) legible() error {
	if err := d.notText(); err != nil {
		return fmt.Errorf("%w; patch changes text only, use shell", err)
	}
	return nil
}

// sighted makes sure that the model has seen something of the content. A file
// that it has not seen is blind from then on: nothing is done with it.
func (d *draft) sighted() error {
	switch {
	case !d.unsighted():
	case d.from != "":
		return fmt.Errorf("you have not read %s; read it, then repeat the call", d.from)
	case d.secret() != "":
		return d.hidden()
	default:
		d.blind = true
	}
	return nil
}

// apply applies hunks.
func (d *draft) apply(ctx context.Context, hunks []patch.Hunk) error {
	if err := d.legible(); err != nil {
		return err
	}
	err := d.sighted()
	again := len(d.hunks) > 0
	d.hunks = append(d.hunks, hunks...)
	if err != nil || d.blind {
		return err
	}
	applied, misses := patch.Apply(ctx, d.text.Bytes(), hunks)
	if len(misses) > 0 {
		return d.missed(misses)
	}
	after, err := d.text.SpliceAll(applied.Edits)
	if err != nil {
		return err
	}
	d.view(applied, workspace.SumOf(after))
	if d.text, err = d.text.DecodeLike(after); err != nil {
		return fmt.Errorf("what the file would become %w", err)
	}
	d.now, d.touched = after, applied.Touched
	if again {
		d.touched = nil // lines have moved since
	}
	for _, note := range applied.Notes {
		d.note(note)
	}
	return nil
}

// missed is the error about hunks that have no place. It shows lines of the
// file, but not of one whose reading a person would have to allow first.
func (d *draft) missed(misses []*patch.Miss) error {
	var words []string
	for _, m := range misses[:min(len(misses), maxProblems)] {
		if d.secret() != "" {
			words = append(words, fmt.Sprintf("hunk %d (%s) does not have exactly one place", m.Hunk, m.Where))
			continue
		}
		words = append(words, clip(m.Error(), problemChars))
	}
	if more := len(misses) - len(words); more > 0 {
		words = append(words, fmt.Sprintf("%s more have no place either", plural(more, "hunk")))
	}
	if why := d.secret(); why != "" {
		words = append(words, fmt.Sprintf("the file %s, so no lines are shown; read it again", why))
	}
	return errors.New(strings.Join(words, "\n"))
}

// view works out what the model has seen of the new content: the lines around
// the changes that it had seen, and those that it wrote. The changes are taken
// from the last to the first, so that line numbers stay what they are.
func (d *draft) view(a patch.Applied, sum workspace.Sum) {
	was := workspace.SumOf(d.now)
	lines := d.lines()
	for n := len(a.Was) - 1; n >= 0; n-- {
		now := workspace.Sum(fmt.Sprintf("%s, %d to do", sum, n))
		if n == 0 {
			now = sum
		}
		added := a.Touched[n].To - a.Touched[n].From
		lines += added - (a.Was[n].To - a.Was[n].From)
		swap := workspace.Swap{Path: d.rel, Was: was, Now: now, From: a.Was[n].From, To: a.Was[n].To, End: a.Was[n].From + added, Lines: lines}
		sights := append(d.views.After(swap), workspace.Sight{Path: d.rel, Sum: now, From: swap.From, To: swap.End, Lines: lines})
		d.views = workspace.NewSeen()
		d.views.Add(sights...)
		was = now
	}
}

// remove removes the file.
func (d *draft) remove(s patch.Section) error {
	if err := d.present(); err != nil {
		return err
	}
	if len(s.Hunks) > 0 || d.unsighted() {
		if err := d.legible(); err != nil {
			return err
		}
	}
	if len(s.Hunks) > 0 {
		if err := patch.Whole(d.text.Bytes(), s.Hunks); err != nil {
			return err
		}
	} else if err := d.sighted(); err != nil || d.blind {
		return err
	}
	d.here = false
	return nil
}

// moveTo moves the file, with what is known of it.
func (d *draft) moveTo(to *draft) {
	to.here, to.now, to.mode = true, d.now, d.mode
	if d.exists {
		to.from = d.rel
	}
	to.text, to.foreign = d.text, d.foreign
	to.hunks, to.touched, to.notes = d.hunks, d.touched, d.notes
	if !d.unsighted() {
		for _, sight := range d.same(d.views) {
			sight.Path = to.rel
			to.views.Add(sight)
		}
	}
	d.here, d.to = false, to.rel
	d.touched, d.notes = nil, nil
}

// file is the change of the file; ok is false when there is none.
func (d *draft) file() (f change.File, ok bool) {
	f = change.File{Path: d.rel, Before: d.data, After: d.now, Existed: d.exists, Deleted: !d.here, Mode: d.mode}
	switch {
	case f.Deleted:
		f.After = nil
		return f, d.exists
	case d.exists:
		return f, !bytes.Equal(d.data, d.now)
	}
	return f, true
}
