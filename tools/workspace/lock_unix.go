//go:build unix

package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// appending has every line go to the end of the file.
const appending = os.O_APPEND

// lockFile holds f until it is closed, also by the end of the process. On a
// disk without locks it does nothing: then a commit may be taken back by an aye
// that is started in the same millisecond, and says so.
func lockFile(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EWOULDBLOCK):
			return errInUse
		case noLocks(err):
			return nil
		}
		return err
	}
}

// unlockFile is right also where lockFile found that there are no locks.
func unlockFile(f *os.File) error {
	if err := unix.Flock(int(f.Fd()), unix.LOCK_UN); err != nil && !noLocks(err) {
		return err
	}
	return nil
}

func noLocks(err error) bool {
	return errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOLCK)
}

// removeLocked removes a file that is locked, so that whoever waits for the
// lock finds that it is gone.
func removeLocked(f *os.File, name string) error {
	return errors.Join(os.Remove(name), f.Close())
}

// ownedByUs refuses another user's file. The superuser may take any.
func ownedByUs(info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if me := os.Geteuid(); ok && me != 0 && int(stat.Uid) != me {
		return fmt.Errorf("it belongs to another user (%d)", stat.Uid)
	}
	return nil
}
