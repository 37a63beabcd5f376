package workspace

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"aye/cause"
)

// Permissions are the mode bits that a change of a file's content keeps.
// Setuid and setgid are lost, as they are when a file is written in place: new
// content must not inherit somebody else's powers.
const Permissions = fs.ModePerm

// A Beside is a file that lies in the folder of its target, complete, under a
// name nobody can guess: new content that is to take the target's place, or
// old content that was put aside.
type Beside struct {
	dir    *Dir
	name   string
	target string
	copy   bool // put aside as a copy, for want of hard links
}

// besideName is a fresh name in target's folder.
func besideName(target string) string {
	return filepath.FromSlash(path.Join(path.Dir(target), ".aye-"+strings.ToLower(rand.Text())+".tmp"))
}

// Stage writes data beside target, with these permissions, and has it on the
// disk when it returns. Where target exists, its owner, group and extended
// attributes are taken over as far as the system lets us.
func (d *Dir) Stage(target string, data []byte, mode fs.FileMode) (*Beside, error) {
	b := &Beside{dir: d, name: besideName(target), target: target}
	f, err := d.root.OpenFile(b.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, sentence(target, "cannot be written", err)
	}
	_, err = f.Write(data)
	if err == nil {
		d.dressLike(f, target)
		err = f.Chmod(mode & Permissions)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		d.root.Remove(b.name)
		return nil, fmt.Errorf("%s cannot be written: %s; it was left as it is", target, cause.Of(err))
	}
	return b, nil
}

// dressLike gives f what target has beside its content, where it is allowed.
func (d *Dir) dressLike(f *os.File, target string) {
	old, err := d.root.OpenFile(filepath.FromSlash(target), os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return
	}
	defer old.Close()
	copyOwner(f, old)
	copyAttributes(f, old)
}

// Keep puts the file that target now is aside, beside it: the same file by a
// second name, or a copy where a disk has no hard links.
func (d *Dir) Keep(target string) (*Beside, error) {
	b := &Beside{dir: d, name: besideName(target), target: target}
	if d.root.Link(filepath.FromSlash(target), b.name) == nil {
		return b, nil
	}
	data, info, err := d.ReadFile(target, 1<<32)
	if err != nil {
		return nil, err
	}
	b, err = d.Stage(target, data, info.Mode())
	if err == nil {
		b.copy = true
	}
	return b, err
}

// Still says whether b, put aside by [Dir.Keep], still is the file that its
// target is. Of a copy that cannot be told; then it says yes.
func (b *Beside) Still() bool {
	if b.copy {
		return true
	}
	mine, err := b.dir.root.Lstat(b.name)
	if err != nil {
		return false
	}
	now, err := b.dir.root.Lstat(filepath.FromSlash(b.target))
	return err == nil && os.SameFile(mine, now)
}

// Name is where the file lies, as a resolved path.
func (b *Beside) Name() string { return filepath.ToSlash(b.name) }

// Replace moves the file over its target, whatever is there.
func (b *Beside) Replace() error {
	if err := b.dir.root.Rename(b.name, filepath.FromSlash(b.target)); err != nil {
		return sentence(b.target, "cannot be replaced", err)
	}
	return nil
}

// Create moves the file to its target, where nothing may be yet.
func (b *Beside) Create() error {
	target := filepath.FromSlash(b.target)
	switch err := b.dir.root.Link(b.name, target); {
	case err == nil:
		b.dir.root.Remove(b.name)
		return nil
	case errors.Is(err, fs.ErrExist):
		return &trouble{b.target + " exists already", err}
	}
	// A disk without hard links: look first, then move.
	if _, err := b.dir.root.Lstat(target); err == nil {
		return &trouble{b.target + " exists already", fs.ErrExist}
	}
	return b.Replace()
}

// Discard removes the file.
func (b *Beside) Discard() error { return b.dir.Remove(b.Name()) }

// Remove removes a file.
func (d *Dir) Remove(rel string) error {
	if err := d.root.Remove(filepath.FromSlash(rel)); err != nil {
		return sentence(rel, "cannot be removed", err)
	}
	return nil
}

// MakeParents makes the folders that target lies in and returns those that
// were not there, outermost first, also when it fails on the way.
func (d *Dir) MakeParents(target string) (made []string, err error) {
	if path.Dir(target) == "." {
		return nil, nil
	}
	parts := strings.Split(path.Dir(target), "/")
	for n := range parts {
		folder := path.Join(parts[:n+1]...)
		switch err := d.root.Mkdir(filepath.FromSlash(folder), 0o777); {
		case err == nil:
			made = append(made, folder)
		case errors.Is(err, fs.ErrExist):
		default:
			return made, sentence(folder, "cannot be made", err)
		}
	}
	return made, nil
}

// SyncParent has what happened in target's folder on the disk.
func (d *Dir) SyncParent(target string) error {
	f, err := d.root.Open(filepath.FromSlash(path.Dir(target)))
	if err != nil {
		return sentence(target, "cannot be made durable", err)
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, syscall.EINVAL) {
		return sentence(target, "cannot be made durable", err)
	}
	return nil
}
