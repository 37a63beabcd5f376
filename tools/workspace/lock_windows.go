package workspace

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// appending is not asked for: a record is written by one process, from its
// beginning to its end.
const appending = 0

// lockFile holds f until it is closed, also by the end of the process. The lock
// is on a byte far behind the end: Windows keeps others from what is locked.
func lockFile(f *os.File) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, far())
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return errInUse
	}
	return err
}

// unlockFile lets go of what lockFile held.
func unlockFile(f *os.File) error {
	return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, far())
}

func far() *windows.Overlapped { return &windows.Overlapped{OffsetHigh: 1 << 30} }

// removeLocked closes the file first: Windows keeps open files.
func removeLocked(f *os.File, name string) error {
	return errors.Join(f.Close(), os.Remove(name))
}

// ownedByUs is the folder's business on Windows, where the profile is private.
func ownedByUs(fs.FileInfo) error { return nil }
