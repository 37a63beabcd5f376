package change

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"aye/tools/workspace"
)

// A state is how far a step came, told by what lies on the disk.
type state string

const (
	untouched state = "untouched" // not done, or put back; what is there is not ours
	placed    state = "placed"    // done, and the way back is there
	final     state = "final"     // done, and nothing is left to put back
	edited    state = "edited"    // done, and then somebody else changed the file
	lost      state = "lost"      // where it was done is not there any more, or somebody else's file is
)

// state looks at a step. That a file is ours is told by what lies beside it,
// which has a name nobody can guess, and never by its content alone.
func (c *commit) state(s *step) (state, error) {
	if !c.placing {
		return untouched, nil
	}
	if c.straight(s) != nil {
		return lost, nil
	}
	now, err := c.now(s.path)
	if err != nil {
		return "", err
	}
	fresh, err := there(s.fresh)
	if err != nil {
		return "", err
	}
	kept, err := there(s.kept)
	if err != nil {
		return "", err
	}
	if fresh && kept && s.fresh.Is(s.kept) {
		fresh = false // it has changed names with the old file
	}
	switch {
	case s.fresh == nil:
		return removedState(s, now, kept), nil
	case s.kept == nil:
		return createdState(s, now, fresh), nil
	}
	return replacedState(s, now, fresh, kept), nil
}

func there(b *workspace.Beside) (bool, error) {
	if b == nil {
		return false, nil
	}
	return b.There()
}

// irregular stands for the sum of what is no regular file.
const irregular workspace.Sum = "irregular"

// now is the sum of what is at path, "" when nothing is.
func (c *commit) now(path string) (workspace.Sum, error) {
	info, err := c.ws.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return irregular, nil
	}
	return c.ws.SumFile(path)
}

func replacedState(s *step, now workspace.Sum, fresh, kept bool) state {
	switch {
	case fresh:
		return untouched
	case kept && (now == s.before || s.kept.Same()):
		return untouched
	case kept && now == s.after:
		return placed
	case kept:
		return edited
	case now == s.after:
		return final
	}
	return untouched
}

func createdState(s *step, now workspace.Sum, fresh bool) state {
	ours := fresh && s.fresh.Same() || s.fresh.Moved()
	switch {
	case ours && now == s.after:
		return placed
	case ours && now != "":
		return edited
	case !fresh && now == s.after:
		return final
	}
	return untouched
}

func removedState(s *step, now workspace.Sum, kept bool) state {
	switch {
	case kept && now == "":
		return placed
	case kept && (now == s.before || s.kept.Same()):
		return untouched
	case kept:
		return lost
	case now == "":
		return final
	}
	return untouched
}

// A Left error says that a file was not put back, for it is somebody else's
// now.
type Left struct {
	Path string
	Why  string // the rest of the sentence
	Kept string // where its old content lies; "" when it had none
}

func (l *Left) Error() string {
	text := fmt.Sprintf("%s %s and was left as it is", l.Path, l.Why)
	if l.Kept != "" {
		text += "; its old content is kept in " + l.Kept
	}
	return text
}

// undo puts everything back. It does all it can, and reports what it cannot:
// then the old content still lies beside its place.
func (c *commit) undo() error {
	var failed []error
	for _, s := range slices.Backward(c.steps) {
		failed = append(failed, c.putBack(s))
	}
	failed = append(failed, c.sweep())
	if c.placing {
		if err := c.sync(); !errors.Is(err, fs.ErrNotExist) { // a folder that somebody removed has no names
			failed = append(failed, err)
		}
	}
	c.unmake()
	if err := c.settle(errors.Join(failed...)); err != nil {
		return fmt.Errorf("putting things back failed: %w", err)
	}
	return nil
}

// unmake removes the folders that were made, unless somebody else put something
// in them.
func (c *commit) unmake() {
	for _, folder := range slices.Backward(c.made) {
		c.ws.Remove(folder)
	}
}

// settle ends the record, unless err tells of something that may go well
// another time.
func (c *commit) settle(err error) error {
	if onlyLeft(err) {
		return errors.Join(err, c.record.Remove())
	}
	if c.record != nil {
		err = fmt.Errorf("%w; it is tried again when aye is next started in this folder", err)
	}
	return errors.Join(err, c.record.Close())
}

// onlyLeft says whether trying again would change nothing.
func onlyLeft(err error) bool {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			if !onlyLeft(e) {
				return false
			}
		}
		return true
	}
	var left *Left
	return err == nil || errors.As(err, &left)
}

// putBack undoes a step, unless the file is somebody else's by now.
func (c *commit) putBack(s *step) error {
	at, err := c.state(s)
	if err != nil {
		s.stuck = true
		return err
	}
	switch at {
	case untouched:
		return nil
	case placed:
		err = c.back(s)
	case final:
		return &Left{Path: s.path, Why: "has its new content"}
	case edited:
		err = c.leave(s, "was changed by somebody else in the meantime")
	case lost:
		err = c.leave(s, "is somebody else's file now")
	}
	if err != nil {
		s.stuck = true
	}
	return err
}

func (c *commit) back(s *step) error {
	var err error
	switch {
	case s.kept == nil:
		return c.ws.Remove(s.path)
	case s.fresh == nil:
		err = s.kept.Create()
	default:
		err = s.kept.Replace()
	}
	if err != nil {
		return fmt.Errorf("%w; its old content is kept in %s", err, s.kept.Name())
	}
	return nil
}

func (c *commit) leave(s *step, why string) error {
	left := &Left{Path: s.path, Why: why}
	if kept, err := there(s.kept); kept || err != nil {
		left.Kept = s.kept.Name()
	}
	return left
}
