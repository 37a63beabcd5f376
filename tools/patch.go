package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"aye/tools/patch"
	"aye/tools/workspace"
)

// patchDoc is longer than others: a small model gets a format right that it has
// before its eyes.
const patchDoc = `Change files, all or none. Context and - lines are whole lines that occur once. Unified diffs work too.
*** Begin Patch
*** Update File: a.go
@@ func f() {
 	x := 1
-	return x
+	return 2
*** Add File: b
+text
*** Delete File: c
*** End Patch
"*** Move to: d" below Update renames.`

type patchArgs struct {
	Patch string `json:"patch"`
}

func patchTool(ws *workspace.Dir, seen *workspace.Seen) Tool {
	return Define("patch", patchDoc, func(ctx context.Context, a patchArgs) (Action, error) {
		sections, err := patch.Parse(a.Patch)
		if err != nil {
			return Action{}, err
		}
		p := patching{ws: ws, seen: seen, drafts: make(map[string]*draft)}
		for _, s := range sections {
			if ctx.Err() != nil {
				return Action{}, errors.New("interrupted; nothing was written")
			}
			p.section(ctx, s)
		}
		return p.action(ctx)
	})
}

// A patching is a patch on its way to become a change: every file it names, as
// it leaves it, and all that stands in its way.
type patching struct {
	ws       *workspace.Dir
	seen     *workspace.Seen
	drafts   map[string]*draft // by resolved path
	order    []*draft          // as they are named first
	problems []string
	held     int // bytes of the files
}

// problem notes what is wrong with a file, which is then left alone.
func (p *patching) problem(name string, err error) {
	words := err.Error()
	if !strings.HasPrefix(words, name+" ") {
		words = name + ": " + words
	}
	p.problems = append(p.problems, words)
}

// draft is the file at a path, as the sections before have left it.
func (p *patching) draft(given string) (*draft, error) {
	rel, err := p.ws.Resolve(given)
	if err != nil {
		return nil, err
	}
	d := p.drafts[rel]
	if d == nil {
		t, err := look(p.ws, p.seen, given)
		if err != nil {
			return nil, err
		}
		if p.held += len(t.data); p.held > maxEdited {
			return nil, errors.New("the files of the patch are too large together; send several patches")
		}
		d = newDraft(t)
		p.drafts[t.rel] = d
		p.order = append(p.order, d)
	}
	if riskOf(d.given, d.rel, workspace.Risk) == "" {
		d.given = given // whichever name is the more risky one
	}
	return d, nil
}

// section takes one section of the patch into the drafts.
func (p *patching) section(ctx context.Context, s patch.Section) {
	d, err := p.find(s)
	if err != nil {
		p.problem(s.Path, err)
		return
	}
	if d.bad {
		return // what is wrong with it was said
	}
	d.note(s.Note)
	d.curt = len(p.problems) >= maxProblems
	switch s.Op {
	case patch.Add:
		err = d.add(s)
	case patch.Update:
		err = p.update(ctx, d, s)
	case patch.Delete:
		err = d.remove(s)
	}
	if err != nil {
		d.bad = true
		p.problem(d.rel, err)
	}
}

// find is the draft that a section means. A diff's a/ or b/ may be a folder.
func (p *patching) find(s patch.Section) (*draft, error) {
	d, err := p.draft(s.Path)
	if s.Prefixed == "" || s.Op == patch.Add || err == nil && (d.exists || d.here) {
		return d, err
	}
	if whole, wholeErr := p.draft(s.Prefixed); wholeErr == nil && (whole.exists || whole.here) {
		return whole, nil
	}
	return d, err
}

// update takes an update into the drafts, and a move.
func (p *patching) update(ctx context.Context, d *draft, s patch.Section) error {
	if err := d.present(); err != nil {
		return err
	}
	if len(s.Hunks) > 0 {
		if err := d.apply(ctx, s.Hunks); err != nil || d.blind {
			return err
		}
	}
	if s.To == "" {
		return nil
	}
	to, err := p.draft(s.To)
	switch {
	case err != nil:
		return err
	case to == d:
		return nil
	case to.exists || to.here:
		return fmt.Errorf("it cannot be moved to %s, which exists; move it elsewhere, or delete that one first with a call of its own", to.rel)
	}
	d.moveTo(to)
	if origin := p.drafts[d.from]; origin != nil && !d.exists {
		origin.to, to.from = to.rel, origin.rel // moved twice
	}
	return nil
}
