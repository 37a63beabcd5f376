package journal

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// appending is not asked for: a file opened for it cannot be cut.
const appending = 0

// lock holds f until it is closed, also by the end of the process. Windows
// keeps others from locked bytes, so the lock is on one far behind the end:
// the journal can still be read.
func lock(f *os.File) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, far())
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrInUse
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

// owned is the folder's business on Windows, where the profile is private.
func owned(fs.FileInfo) error { return nil }
