// Package cause says in a person's words why a file could not be used.
//
// # The way through
//
// Whoever reports an error of package os writes the sentence (what failed, on
// which path, what to do about it) and ends it with [Of].
//
// # Promises
//
// The words leave out the system call and the path, which the sentence has.
// The error matches what it was made from. Pure functions, for any goroutine.
package cause

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Of returns err in words: "permission denied", not "open /x: permission
// denied". A sentence that somebody has made of an error already stays; of
// joined errors the first counts. Of(nil) is nil.
func Of(err error) error {
	if err == nil {
		return nil
	}
	return &worded{words(bare(err)), err}
}

type worded struct {
	text string
	err  error
}

func (w *worded) Error() string { return w.text }
func (w *worded) Unwrap() error { return w.err }

// bare takes off what package os puts before the cause.
func bare(err error) error {
	switch e := err.(type) { // not errors.As: a sentence around the cause stays
	case *fs.PathError:
		return bare(e.Err)
	case *os.LinkError:
		return bare(e.Err)
	case *os.SyscallError:
		return bare(e.Err)
	case interface{ Unwrap() []error }:
		return bare(e.Unwrap()[0])
	}
	return err
}

func words(err error) string {
	if _, ok := err.(syscall.Errno); !ok {
		if err.Error() == "path escapes from parent" { // os.Root's refusal, which it does not export
			return "it leads outside the workspace"
		}
		return err.Error()
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "it does not exist"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, syscall.ENOSPC):
		return "the disk is full"
	case errors.Is(err, syscall.EROFS):
		return "the disk is read-only"
	case errors.Is(err, syscall.ENOTDIR):
		return "a part of its path is a file, not a folder"
	case errors.Is(err, syscall.ENAMETOOLONG):
		return "the name is too long"
	case errors.Is(err, syscall.ELOOP):
		return "too many links follow each other"
	}
	return err.Error()
}
