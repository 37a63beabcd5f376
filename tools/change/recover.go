package change

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"aye/tools/workspace"
)

// Recover makes the tree whole again where a process was killed in the middle
// of a commit: the commit is taken back, or finished where every file is in its
// place already, or where somebody changed a file since so that only finishing
// leaves nothing mixed. A file that somebody else changed is never overwritten.
// What lay beside the files is cleared away. It returns sentences for a person.
//
// A commit of a living process is left alone. Recover itself may be killed: the
// next one goes on. It costs next to nothing when there is nothing to do.
func Recover(ctx context.Context, ws *workspace.Dir) []string {
	records, err := ws.Records()
	var notes []string
	if err != nil {
		notes = append(notes, err.Error())
	}
	for _, r := range records {
		if note := recoverFrom(ctx, ws, r); note != "" {
			notes = append(notes, note)
		}
	}
	return notes
}

// recoverFrom deals with one record: it ends it, or closes it for another time.
func recoverFrom(ctx context.Context, ws *workspace.Dir, r *workspace.Record) string {
	if ctx.Err() != nil {
		return told("", r.Close())
	}
	if len(r.Lines) == 0 { // killed before it did anything
		return told("", r.Remove())
	}
	c, err := readRecord(ws, r.Lines)
	if err != nil {
		return told(fmt.Sprintf("An earlier change was interrupted, and its record %s cannot be used: %v. Look at the files, then remove the record.", r.Path(), err), r.Close())
	}
	c.ctx, c.record = ctx, r
	how, err := c.way()
	if err != nil {
		return told(fmt.Sprintf("%s was interrupted, and it cannot be told how far it came: %v. It is tried again when aye is next started in this folder.", c.title(), err), r.Close())
	}
	return c.recover(how)
}

// told adds to a note what failed beside.
func told(note string, err error) string {
	switch {
	case err == nil:
		return note
	case note == "":
		return err.Error()
	}
	return note + " " + err.Error()
}

// A way is how an interrupted commit is dealt with.
type way string

const (
	forget   way = "forget"   // nothing of it is left
	notBegun way = "notBegun" // nothing was done yet
	takeBack way = "takeBack" // what was done is undone
	goOn     way = "goOn"     // what was not done is done
	complete way = "complete" // all was done
)

// A sight is what was found of a step.
type sight struct {
	state  state
	ready  bool // untouched, and it could be done now
	traces bool // something lies beside it
	old    bool // what was kept is not what was there before: somebody wrote to it
}

func (c *commit) see(s *step) (sight, error) {
	var seen sight
	var err error
	if seen.state, err = c.state(s); err != nil {
		return seen, err
	}
	fresh, err := there(s.fresh)
	if err != nil {
		return seen, err
	}
	kept, err := there(s.kept)
	if err != nil {
		return seen, err
	}
	seen.traces = fresh || kept
	if !c.placing {
		return seen, nil
	}
	if kept {
		sum, err := c.ws.SumFile(s.kept.Name())
		if err != nil {
			return seen, err
		}
		seen.old = sum != s.before
	}
	if seen.state == untouched && (fresh || s.fresh == nil) {
		now, err := c.now(s.path)
		if err != nil {
			return seen, err
		}
		seen.ready = now == s.before
		if fresh && seen.ready {
			sum, err := c.ws.SumFile(s.fresh.Name())
			if err != nil {
				return seen, err
			}
			seen.ready = sum == s.after
		}
	}
	return seen, nil
}

// way looks at all there is and decides.
func (c *commit) way() (way, error) {
	var traces, done, open, old, blocked, unready bool
	for _, s := range c.steps {
		if err := c.ctx.Err(); err != nil {
			return "", err
		}
		seen, err := c.see(s)
		if err != nil {
			return "", err
		}
		traces = traces || seen.traces
		old = old || seen.old && seen.state == placed
		switch seen.state {
		case untouched:
			open, unready = true, unready || !seen.ready
		case placed:
			done = true
		case final, edited:
			done, blocked = true, true
		case lost:
			unready = true
		}
	}
	switch {
	case !traces:
		return forget, nil
	case !done:
		return notBegun, nil
	case !open && !unready && (blocked || !old):
		return complete, nil
	case blocked && !unready:
		return goOn, nil
	}
	return takeBack, nil
}

// recover goes that way, and tells a person.
func (c *commit) recover(how way) string {
	was := c.title() + " was interrupted"
	var well string
	var err error
	switch how {
	case forget:
		c.unmake() // an empty folder is a trace too
		return told("", c.record.Remove())
	case notBegun:
		well, err = was+" before it began: nothing was changed.", c.undo()
	case takeBack:
		well, err = was+". It was taken back: the files are as they were before it.", c.undo()
	case goOn:
		well, err = was+". It was finished, for somebody has changed one of its files since: all the others are as it makes them.", c.complete()
	case complete:
		well, err = was+" at its end. It was finished: the files are as it makes them.", c.complete()
	}
	if err != nil {
		return was + ". " + strings.ReplaceAll(err.Error(), "\n", "; ") + "."
	}
	return well
}

// complete does what was not done yet.
func (c *commit) complete() error {
	var failed []error
	for _, s := range c.steps {
		failed = append(failed, c.completeStep(s))
	}
	err := errors.Join(append(failed, c.sync())...)
	if onlyLeft(err) {
		err = errors.Join(err, c.sweep())
	}
	if err = c.settle(err); err != nil {
		return fmt.Errorf("finishing it failed: %w", err)
	}
	return nil
}

func (c *commit) completeStep(s *step) error {
	seen, err := c.see(s)
	if err != nil {
		return err
	}
	if seen.state == untouched {
		if !seen.ready {
			s.stuck = true
			return c.leave(s, "was changed by somebody else in the meantime")
		}
		if err := c.put(s); err != nil {
			return err
		}
	}
	if seen.old {
		s.stuck = true
		return &Left{Path: s.path, Why: "was written to before it was replaced", Kept: s.kept.Name()}
	}
	return nil
}

// title names the change for a person.
func (c *commit) title() string {
	const most = 3
	var names []string
	for _, s := range c.steps {
		names = append(names, s.path)
	}
	rest := len(names) - most
	switch {
	case len(names) == 1:
		return "An earlier change of " + names[0]
	case rest > 0:
		return fmt.Sprintf("An earlier change of %s and %d more", strings.Join(names[:most], ", "), rest)
	}
	last := len(names) - 1
	return "An earlier change of " + strings.Join(names[:last], ", ") + " and " + names[last]
}
