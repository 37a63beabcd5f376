package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Limits of a path: how many links it may go through, and how long it may be,
// which is more than any system takes.
const (
	maxLinks = 40
	maxPath  = 8 << 10
)

// Resolve turns a path as a model writes it, relative to the workspace or
// absolute inside it, into the real one: slash-separated, relative to the
// workspace, links followed, "." for the workspace itself. What it names need
// not exist. A path that leads outside is refused, also where it would come
// back; "~" and "$HOME" are names like others.
func (d *Dir) Resolve(name string) (string, error) {
	if strings.IndexByte(name, 0) >= 0 {
		return "", fmt.Errorf("the path %q has a NUL byte in it; no path can", name)
	}
	if len(name) > maxPath {
		return "", fmt.Errorf("the path %s… is %d bytes long; no path is", strings.ToValidUTF8(name[:60], ""), len(name))
	}
	todo, ok := d.inside(name)
	if !ok {
		return "", fmt.Errorf("%s is outside the workspace %s; use a path relative to the workspace", name, d.name)
	}
	if len(todo) > 0 && slices.Contains([]string{"~", "$HOME", "${HOME}"}, todo[0]) {
		if _, err := d.root.Lstat(todo[0]); err != nil {
			return "", fmt.Errorf("%s is outside the workspace %s: %s is not expanded; use a path relative to the workspace", name, d.name, todo[0])
		}
	}
	w := walk{dir: d, asked: name, todo: todo}
	defer w.leave()
	for len(w.todo) > 0 {
		if err := w.step(); err != nil {
			return "", err
		}
	}
	if len(w.done) == 0 {
		return ".", nil
	}
	return strings.Join(w.done, "/"), nil
}

// inside cuts a path into the parts that are to be walked from the workspace,
// unless it is absolute and begins elsewhere. Parts are compared as a whole:
// /t/app-secret is not in /t/app.
func (d *Dir) inside(name string) (parts []string, ok bool) {
	if !filepath.IsAbs(name) && !strings.HasPrefix(name, "/") {
		return components(name), true
	}
	parts = components(name)
	for _, root := range []string{d.name, d.given} {
		if prefix := components(root); len(parts) >= len(prefix) && slices.Equal(parts[:len(prefix)], prefix) {
			return parts[len(prefix):], true
		}
	}
	return nil, false
}

// components cuts a path at its separators; empty parts and "." say nothing.
func components(name string) []string {
	var parts []string
	for part := range strings.SplitSeq(filepath.ToSlash(name), "/") {
		if part != "" && part != "." {
			parts = append(parts, part)
		}
	}
	return parts
}

// A walk follows one path, part by part.
type walk struct {
	dir   *Dir
	asked string
	done  []string // real so far: no links in it
	todo  []string
	links int
	own   int    // how many parts of todo, the last ones, are no link's
	via   string // the last link that was followed, and where it leads
	lost  bool   // what was walked to does not exist

	// at is the folder that done named before the last step, held open so that
	// a step into it costs no walk from the top; nil when it is not.
	at *os.Root
}

// last is where the last part of done is: a name in the folder that is held,
// else a path in the workspace.
func (w *walk) last() (in *os.Root, name string) {
	if w.at != nil {
		return w.at, w.done[len(w.done)-1]
	}
	return w.dir.root, filepath.Join(w.done...)
}

// enter goes into the folder that is the last part of done. Where that fails
// the next step meets the error.
func (w *walk) enter() {
	in, name := w.last()
	next, err := in.OpenRoot(name)
	if w.leave(); err == nil {
		w.at = next
	}
}

// leave lets go of the folder that is held.
func (w *walk) leave() {
	if w.at != nil {
		w.at.Close()
		w.at = nil
	}
}

// inLink says whether the part that was just taken came from a link.
func (w *walk) inLink() bool { return w.links > 0 && len(w.todo) >= w.own }

func (w *walk) step() error {
	part := w.todo[0]
	w.todo = w.todo[1:]
	if part == ".." {
		if len(w.done) == 0 {
			return w.outside()
		}
		if w.lost {
			return w.missing()
		}
		w.leave()
		w.done = w.done[:len(w.done)-1]
		return nil
	}
	w.done = append(w.done, part)
	if w.lost {
		return nil
	}
	in, name := w.last()
	info, err := in.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.lost = true
		if w.inLink() {
			return w.dangling()
		}
		return nil
	case err != nil:
		return sentence(w.asked, "cannot be reached", err)
	case info.Mode()&fs.ModeSymlink != 0:
		return w.follow()
	case len(w.todo) > 0 && !info.IsDir():
		return fmt.Errorf("%s cannot be reached: %s is a file, not a folder", w.asked, strings.Join(w.done, "/"))
	case len(w.todo) > 0:
		w.enter()
	}
	return nil
}

// follow goes where the link that is the last part of done leads.
func (w *walk) follow() error {
	w.leave()
	rel := filepath.Join(w.done...)
	if !w.inLink() {
		w.own = len(w.todo)
	}
	if w.links++; w.links > maxLinks {
		return fmt.Errorf("%s cannot be reached: too many links follow each other (a loop?)", w.asked)
	}
	target, err := w.dir.root.Readlink(rel)
	if err != nil {
		return sentence(w.asked, "cannot be reached", err)
	}
	w.via = fmt.Sprintf("the link %s leads to %s", filepath.ToSlash(rel), target)
	parts, ok := w.dir.inside(target)
	if !ok {
		return w.outside()
	}
	w.done = w.done[:len(w.done)-1]
	if filepath.IsAbs(target) {
		w.done = nil
	}
	w.todo = append(slices.Clone(parts), w.todo...)
	return nil
}

// outside is the refusal of a path that leaves the workspace.
func (w *walk) outside() error {
	if w.links > 0 {
		return fmt.Errorf("%s is outside the workspace: %s; only paths inside %s can be used", w.asked, w.via, w.dir.name)
	}
	return fmt.Errorf("%s is outside the workspace %s; use a path relative to the workspace", w.asked, w.dir.name)
}

func (w *walk) missing() error {
	return &trouble{w.asked + " does not exist in the workspace", os.ErrNotExist}
}

// dangling is the refusal of a link whose target is not there: to write
// through it would make a file in a place nobody looked at.
func (w *walk) dangling() error {
	return &trouble{fmt.Sprintf("%s cannot be reached: %s, which does not exist", w.asked, w.via), os.ErrNotExist}
}
