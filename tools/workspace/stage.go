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

	"aye/tools/cause"
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
	copied bool // put aside as a copy, for want of hard links
	moved  bool // to its target, for want of hard links
}

// Beside is a file to be, beside target.
func (d *Dir) Beside(target string) *Beside {
	return &Beside{dir: d, name: besideName(target, besideStart+strings.ToLower(rand.Text())+besideEnd), target: target}
}

const (
	besideStart = ".aye-"
	besideEnd   = ".tmp"
)

func besideName(target, base string) string {
	return filepath.FromSlash(path.Join(path.Dir(target), base))
}

// BesideNamed is the file beside target whose [Beside.Base] is base, or an
// error when no such file can be one.
func (d *Dir) BesideNamed(target, base string) (*Beside, error) {
	middle, ok := strings.CutPrefix(base, besideStart)
	middle, ok2 := strings.CutSuffix(middle, besideEnd)
	if !ok || !ok2 || middle == "" || strings.Trim(middle, "abcdefghijklmnopqrstuvwxyz234567") != "" {
		return nil, fmt.Errorf("%q is no name that aye gives to a file of its own", base)
	}
	return &Beside{dir: d, name: besideName(target, base), target: target}, nil
}

// Stage writes data to the file, with these permissions, and has it on the
// disk when it returns. Where the target exists, its owner, group and extended
// attributes are taken over as far as the system lets us.
func (b *Beside) Stage(data []byte, mode fs.FileMode) error {
	root := b.dir.root
	f, err := root.OpenFile(b.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return sentence(b.target, "cannot be written", err)
	}
	_, err = f.Write(data)
	if err == nil {
		b.dir.dressLike(f, b.target)
		err = f.Chmod(mode & Permissions)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		root.Remove(b.name)
		return fmt.Errorf("%s cannot be written: %w; it was left as it is", b.target, cause.Of(err))
	}
	return nil
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

// Keep puts the file that the target now is aside: the same file by a second
// name, or a copy where a disk has no hard links.
func (b *Beside) Keep() error {
	if b.dir.root.Link(filepath.FromSlash(b.target), b.name) == nil {
		return nil
	}
	data, info, err := b.dir.ReadFile(b.target, 1<<32)
	if err == nil {
		err = b.Stage(data, info.Mode())
	}
	b.copied = err == nil
	return err
}

// There says whether the file is there. Only a regular file is one of ours.
func (b *Beside) There() (bool, error) {
	info, err := b.dir.root.Lstat(b.name)
	switch {
	case err == nil:
		return info.Mode().IsRegular(), nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return false, nil
	}
	return false, sentence(b.Name(), "cannot be looked at", err)
}

// Same says whether the target is this very file, by its other name.
func (b *Beside) Same() bool {
	mine, err := b.dir.root.Lstat(b.name)
	if err != nil {
		return false
	}
	now, err := b.dir.root.Lstat(filepath.FromSlash(b.target))
	return err == nil && os.SameFile(mine, now)
}

// Still is [Beside.Same] of a file that was just put aside with [Beside.Keep].
// Of a copy it cannot be told; then it says yes.
func (b *Beside) Still() bool { return b.copied || b.Same() }

// Is says whether both are the same file, by its two names.
func (b *Beside) Is(other *Beside) bool {
	mine, err := b.dir.root.Lstat(b.name)
	if err != nil {
		return false
	}
	theirs, err := b.dir.root.Lstat(other.name)
	return err == nil && os.SameFile(mine, theirs)
}

// Copied says whether [Beside.Keep] made a copy, for want of hard links.
func (b *Beside) Copied() bool { return b.copied }

// Base is the last part of the file's name.
func (b *Beside) Base() string { return filepath.Base(b.name) }

// Name is where the file lies, as a resolved path.
func (b *Beside) Name() string { return filepath.ToSlash(b.name) }

// Replace moves the file over its target, whatever is there.
func (b *Beside) Replace() error {
	if err := b.dir.root.Rename(b.name, filepath.FromSlash(b.target)); err != nil {
		return sentence(b.target, "cannot be replaced", err)
	}
	return nil
}

// Create gives the file its target's name, where nothing may be yet. On a disk
// with hard links it keeps its own name beside that.
func (b *Beside) Create() error {
	target := filepath.FromSlash(b.target)
	switch err := b.dir.root.Link(b.name, target); {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrExist):
		return &trouble{b.target + " exists already", err}
	}
	// A disk without hard links: look first, then move.
	if _, err := b.dir.root.Lstat(target); err == nil {
		return &trouble{b.target + " exists already", fs.ErrExist}
	}
	err := b.Replace()
	b.moved = err == nil
	return err
}

// Moved says whether [Beside.Create] gave the file's own name up.
func (b *Beside) Moved() bool { return b.moved }

// Discard removes the file; it may be gone already.
func (b *Beside) Discard() error {
	if there, err := b.There(); err != nil || !there {
		return err
	}
	return b.dir.Remove(b.Name())
}

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
	if err := syncFolder(f); err != nil {
		return sentence(target, "cannot be made durable", err)
	}
	return nil
}
