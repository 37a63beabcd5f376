package lock

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// Append is not asked for on Windows: a file that was opened for it cannot be
// cut.
const Append = 0

// Take holds f until it is let go; [ErrHeld] when somebody else does. Windows
// keeps others from locked bytes, so the lock is on one far behind the end: the
// file can still be read.
func Take(f *os.File) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, far())
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrHeld
	}
	return err
}

func unlock(f *os.File) error {
	err := windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, far())
	if errors.Is(err, windows.ERROR_NOT_LOCKED) {
		return nil
	}
	return err
}

func far() *windows.Overlapped { return &windows.Overlapped{OffsetHigh: 1 << 30} }

// Remove lets f go and removes the file name, which f is: Windows keeps open
// files.
func Remove(f *os.File, name string) error {
	return errors.Join(f.Close(), os.Remove(name))
}

// Owned is the folder's business on Windows, where the profile is private.
func Owned(fs.FileInfo) error { return nil }
