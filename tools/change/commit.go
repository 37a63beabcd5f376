package change

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"aye/tools/workspace"
)

// A Stale error says that a file is not, or no longer, what the set was made
// from. Nothing was changed.
type Stale struct {
	Path string
	Why  string // the rest of the sentence: "was changed in the meantime"
}

func (s *Stale) Error() string {
	return fmt.Sprintf("%s %s; nothing was written", s.Path, s.Why)
}

// Commit makes the set true on the disk, whole or not at all.
//
// Every file is compared with its Before, new content is written beside its
// target and synced, old content is kept beside it by a second name; then the
// new files take their places, and what was replaced is compared once more. If
// any of this fails the old files are put back. ctx can stop it until the
// first file takes its place.
func (s Set) Commit(ctx context.Context, ws *workspace.Dir) error {
	c := commit{ctx: ctx, ws: ws, steps: make([]step, len(s.Files))}
	for n, file := range s.Files {
		c.steps[n].file = file
	}
	err := c.run()
	if err != nil {
		return errors.Join(err, c.undo())
	}
	return c.finish()
}

// A commit is one Commit on its way.
type commit struct {
	ctx   context.Context
	ws    *workspace.Dir
	steps []step
	made  []string // folders, outermost first
}

// A step is what happens to one file. What is not nil lies beside it.
type step struct {
	file   File
	fresh  *workspace.Beside // new content
	kept   *workspace.Beside // the old file
	placed bool              // the file is as it shall be
}

func (c *commit) run() error {
	for _, phase := range []func(*step) error{c.check, c.stage, c.keep} {
		for n := range c.steps {
			if err := c.ctx.Err(); err != nil {
				return err
			}
			if err := phase(&c.steps[n]); err != nil {
				return err
			}
		}
	}
	for _, phase := range []func(*step) error{c.place, c.confirm} {
		for n := range c.steps {
			if err := phase(&c.steps[n]); err != nil {
				return err
			}
		}
	}
	for _, folder := range c.made {
		if err := c.ws.SyncParent(folder); err != nil {
			return err
		}
	}
	return nil
}

// straight makes sure that the folder a file lies in is the one that was
// named: a link in its place would lead to where nobody allowed a change.
func (c *commit) straight(s *step) error {
	folder := path.Dir(s.file.Path)
	if folder == "." {
		return nil
	}
	switch now, err := c.ws.Resolve(folder); {
	case err != nil:
		return err
	case now != folder:
		return &Stale{s.file.Path, "is reached by a link now, which leads to " + now}
	}
	return nil
}

// check compares the disk with what the set says was before.
func (c *commit) check(s *step) error {
	if err := c.straight(s); err != nil {
		return err
	}
	if s.file.Existed {
		return c.compare(s, s.file.Path)
	}
	switch info, err := c.ws.Stat(s.file.Path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return &Stale{s.file.Path, "is a folder now"}
	}
	return &Stale{s.file.Path, "was created in the meantime"}
}

// compare compares the file called name with what s says was before.
func (c *commit) compare(s *step, name string) error {
	if info, err := c.ws.Stat(name); err == nil && !info.Mode().IsRegular() {
		return &Stale{s.file.Path, "is no regular file any more"}
	} else if err == nil && info.Size() != int64(len(s.file.Before)) {
		return &Stale{s.file.Path, "was changed in the meantime"}
	}
	data, info, err := c.ws.ReadFile(name, int64(len(s.file.Before)))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Stale{s.file.Path, "was removed in the meantime"}
	case errors.Is(err, workspace.ErrTooLarge):
		return &Stale{s.file.Path, "was changed in the meantime"}
	case err != nil:
		return err
	case !bytes.Equal(data, s.file.Before):
		return &Stale{s.file.Path, "was changed in the meantime"}
	case info.Mode()&workspace.Permissions != s.file.Mode&workspace.Permissions:
		return &Stale{s.file.Path, fmt.Sprintf("got other permissions in the meantime (%v, was %v)", info.Mode(), s.file.Mode)}
	}
	return nil
}

// stage writes the new content beside the target.
func (c *commit) stage(s *step) (err error) {
	if s.file.Deleted {
		return nil
	}
	made, err := c.ws.MakeParents(s.file.Path)
	c.made = append(c.made, made...)
	if err != nil {
		return err
	}
	s.fresh, err = c.ws.Stage(s.file.Path, s.file.After, s.file.Mode)
	return err
}

// keep puts the old file aside.
func (c *commit) keep(s *step) (err error) {
	if !s.file.Existed {
		return nil
	}
	if s.kept, err = c.ws.Keep(s.file.Path); err != nil {
		return cmp.Or(c.compare(s, s.file.Path), err) // what was checked is gone, most likely
	}
	return nil
}

// place gives the new file its name, or removes the old one.
func (c *commit) place(s *step) (err error) {
	if err := c.straight(s); err != nil {
		return err
	}
	if s.kept != nil && !s.kept.Still() {
		return &Stale{s.file.Path, "was replaced in the meantime"}
	}
	switch {
	case s.file.Deleted:
		err = c.ws.Remove(s.file.Path)
	case s.file.Existed:
		err = s.fresh.Replace()
	default:
		err = s.fresh.Create()
	}
	if errors.Is(err, fs.ErrExist) {
		return &Stale{s.file.Path, "was created in the meantime"}
	}
	s.placed = err == nil
	return err
}

// confirm compares what was replaced once more: it may have been written to
// since it was checked.
func (c *commit) confirm(s *step) error {
	if s.kept != nil {
		if err := c.compare(s, s.kept.Name()); err != nil {
			return err
		}
	}
	return c.ws.SyncParent(s.file.Path)
}

// undo puts everything back. It does all it can, and reports what it cannot:
// then the old content still lies beside its place.
func (c *commit) undo() error {
	var failed []error
	for _, s := range slices.Backward(c.steps) {
		var err error
		switch {
		case s.placed && s.kept != nil:
			err = s.kept.Replace()
		case s.placed:
			err = c.ws.Remove(s.file.Path)
		}
		if err != nil && s.kept != nil {
			err = fmt.Errorf("%w; its old content is kept in %s", err, s.kept.Name())
		}
		failed = append(failed, err)
		if s.kept != nil && !s.placed {
			failed = append(failed, s.kept.Discard())
		}
		if s.fresh != nil && !s.placed {
			failed = append(failed, s.fresh.Discard())
		}
	}
	for _, folder := range slices.Backward(c.made) {
		c.ws.Remove(folder) // stays when somebody else put something in it
	}
	if err := errors.Join(failed...); err != nil {
		return fmt.Errorf("putting things back failed: %w", err)
	}
	return nil
}

// finish clears away what was kept.
func (c *commit) finish() error {
	var failed []error
	for _, s := range c.steps {
		if s.kept != nil {
			failed = append(failed, s.kept.Discard())
		}
	}
	if err := errors.Join(failed...); err != nil {
		return fmt.Errorf("the change was made, but its traces could not be cleared away: %w", err)
	}
	return nil
}
