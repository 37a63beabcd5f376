package change

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"aye/tools/workspace"
)

// A Stale error says that a file is not, or no longer, what the set was made
// from. Nothing was changed.
type Stale struct {
	Path string
	Why  string // the rest of the sentence: "was changed in the meantime"

	stands bool // something was written, and could not be taken back
}

func (s *Stale) Error() string {
	if s.stands {
		return s.Path + " " + s.Why
	}
	return fmt.Sprintf("%s %s; nothing was written", s.Path, s.Why)
}

// Commit makes the set true on the disk, whole or not at all.
//
// Every file is compared with its Before, new content is written beside its
// target and synced, old content is kept beside it by a second name; then the
// new files take their places, and what was replaced is compared once more. If
// any of this fails the old files are put back. ctx can stop it until the
// first file takes its place.
//
// A record outside the workspace tells of it as long as it lasts; should the
// process be killed, [Recover] makes the tree whole again. A set of several
// files is not committed when its record cannot be kept.
func (s Set) Commit(ctx context.Context, ws *workspace.Dir) error {
	c := newCommit(ctx, ws, s.Files)
	err := c.run()
	if err == nil {
		return c.finish()
	}
	failed := c.undo()
	if stale := (*Stale)(nil); failed != nil && errors.As(err, &stale) {
		stale.stands = true
	}
	return errors.Join(err, failed)
}

// A commit is one Commit on its way, or what a record tells of one that was
// interrupted.
type commit struct {
	ctx    context.Context
	ws     *workspace.Dir
	steps  []*step
	made   []string // folders, outermost first
	record *workspace.Record
	// placing is set before the first file takes its place: until then nothing
	// that others see has changed.
	placing bool
}

// A step is what happens to one file.
type step struct {
	path   string
	before workspace.Sum     // "": there was no file
	after  workspace.Sum     // "": there is to be none
	fresh  *workspace.Beside // the new content; nil when after is ""
	kept   *workspace.Beside // the old file; nil when before is ""
	stuck  bool              // it could not be put back: what lies beside it stays
	file   File              // what is to be done; not known of an interrupted one
}

func newCommit(ctx context.Context, ws *workspace.Dir, files []File) *commit {
	c := &commit{ctx: ctx, ws: ws, steps: make([]*step, len(files))}
	for n, file := range files {
		s := &step{path: file.Path, file: file}
		if file.Existed {
			s.before, s.kept = workspace.SumOf(file.Before), ws.Beside(file.Path)
		}
		if !file.Deleted {
			s.after, s.fresh = workspace.SumOf(file.After), ws.Beside(file.Path)
		}
		c.steps[n] = s
	}
	return c
}

func (c *commit) run() error {
	if err := c.each(c.check); err != nil {
		return err
	}
	if err := c.begin(); err != nil {
		return err
	}
	for _, phase := range []func(*step) error{c.stage, c.keep} {
		if err := c.each(phase); err != nil {
			return err
		}
	}
	if err := c.ready(); err != nil {
		return err
	}
	for _, phase := range []func(*step) error{c.place, c.confirm} {
		for _, s := range c.steps {
			if err := phase(s); err != nil {
				return err
			}
		}
	}
	return c.sync()
}

// each goes through a phase that ctx can stop.
func (c *commit) each(phase func(*step) error) error {
	for _, s := range c.steps {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if err := phase(s); err != nil {
			return err
		}
	}
	return nil
}

// sync has all names on the disk, each folder's once.
func (c *commit) sync() error {
	done := map[string]bool{}
	var failed []error
	one := func(name string) {
		if folder := path.Dir(name); !done[folder] {
			done[folder] = true
			failed = append(failed, c.ws.SyncParent(name))
		}
	}
	for _, s := range c.steps {
		one(s.path)
	}
	for _, made := range c.made {
		one(made)
	}
	return errors.Join(failed...)
}

// straight makes sure that the folder a file lies in is the one that was
// named: a link in its place would lead to where nobody allowed a change.
func (c *commit) straight(s *step) error {
	folder := path.Dir(s.path)
	if folder == "." {
		return nil
	}
	switch now, err := c.ws.Resolve(folder); {
	case err != nil:
		return err
	case now != folder:
		return &Stale{Path: s.path, Why: "is reached by a link now, which leads to " + now}
	}
	return nil
}

// check compares the disk with what the set says was before.
func (c *commit) check(s *step) error {
	if err := c.straight(s); err != nil {
		return err
	}
	if s.file.Existed {
		return c.compare(s, s.path)
	}
	switch info, err := c.ws.Stat(s.path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return &Stale{Path: s.path, Why: "is a folder now"}
	}
	return &Stale{Path: s.path, Why: "was created in the meantime"}
}

// compare compares the file called name with what s says was before.
func (c *commit) compare(s *step, name string) error {
	if info, err := c.ws.Stat(name); err == nil && !info.Mode().IsRegular() {
		return &Stale{Path: s.path, Why: "is no longer a regular file"}
	} else if err == nil && info.Size() != int64(len(s.file.Before)) {
		return &Stale{Path: s.path, Why: "was changed in the meantime"}
	}
	data, info, err := c.ws.ReadFile(name, int64(len(s.file.Before)))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Stale{Path: s.path, Why: "was removed in the meantime"}
	case errors.Is(err, workspace.ErrTooLarge):
		return &Stale{Path: s.path, Why: "was changed in the meantime"}
	case err != nil:
		return err
	case !bytes.Equal(data, s.file.Before):
		return &Stale{Path: s.path, Why: "was changed in the meantime"}
	case info.Mode()&workspace.Permissions != s.file.Mode&workspace.Permissions:
		return &Stale{Path: s.path, Why: fmt.Sprintf("got other permissions in the meantime (%v, was %v)", info.Mode(), s.file.Mode)}
	}
	return nil
}

// stage writes the new content beside the target.
func (c *commit) stage(s *step) error {
	if s.fresh == nil {
		return nil
	}
	made, err := c.ws.MakeParents(s.path)
	c.made = append(c.made, made...)
	if err != nil {
		return err
	}
	return s.fresh.Stage(s.file.After, s.file.Mode)
}

// keep puts the old file aside.
func (c *commit) keep(s *step) error {
	if s.kept == nil {
		return nil
	}
	if err := s.kept.Keep(); err != nil {
		return cmp.Or(c.compare(s, s.path), err) // what was checked is gone, most likely
	}
	return nil
}

// place gives the new file its name, or removes the old one.
func (c *commit) place(s *step) error {
	if err := c.straight(s); err != nil {
		return err
	}
	if s.kept != nil && !s.kept.Still() {
		return &Stale{Path: s.path, Why: "was replaced in the meantime"}
	}
	err := c.put(s)
	if errors.Is(err, fs.ErrExist) {
		return &Stale{Path: s.path, Why: "was created in the meantime"}
	}
	return err
}

// put is the one moment in which a file changes. A new file keeps its other
// name until all is done: that it is the same file tells whose it is.
func (c *commit) put(s *step) error {
	switch {
	case s.fresh == nil:
		return c.ws.Remove(s.path)
	case s.kept != nil:
		return s.replace()
	}
	return s.fresh.Create()
}

// replace puts the new file in the place of the old one. Where the disk can,
// they change names, so that what was replaced can be looked at: somebody else
// may have put a file there since the last look, and gets it back.
func (s *step) replace() error {
	if s.kept.Copied() { // then it cannot be told
		return s.fresh.Replace()
	}
	done, err := s.fresh.Exchange()
	switch {
	case err != nil:
		return err
	case !done:
		return s.fresh.Replace()
	case s.fresh.Is(s.kept):
		return s.fresh.Discard()
	}
	if _, err := s.fresh.Exchange(); err != nil {
		s.stuck = true
		return fmt.Errorf("%w; somebody else has put a file there, which is kept in %s", err, s.fresh.Name())
	}
	return &Stale{Path: s.path, Why: "was replaced in the meantime"}
}

// confirm compares what was replaced once more: it may have been written to
// since it was checked.
func (c *commit) confirm(s *step) error {
	if s.kept == nil {
		return nil
	}
	return c.compare(s, s.kept.Name())
}

// finish clears away what lies beside the files, and the record.
func (c *commit) finish() error {
	if err := c.sweep(); err != nil {
		return fmt.Errorf("the change was made, but its temporary files could not be removed: %w", errors.Join(err, c.record.Close()))
	}
	if err := c.record.Remove(); err != nil {
		return fmt.Errorf("the change was made, but %w", err)
	}
	return nil
}

// sweep removes what lies beside the files and is not needed any more: the old
// before the new, for as long as the new is there a file counts as not changed.
func (c *commit) sweep() error {
	var failed []error
	for _, s := range c.steps {
		if s.stuck {
			continue
		}
		for _, b := range []*workspace.Beside{s.kept, s.fresh} {
			if b != nil {
				failed = append(failed, b.Discard())
			}
		}
	}
	return errors.Join(failed...)
}
