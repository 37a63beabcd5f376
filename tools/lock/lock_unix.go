//go:build unix

package lock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Append has every line go to the end of the file, whoever else writes to it
// where locks do not hold.
const Append = os.O_APPEND

// Take holds f until it is let go; [ErrHeld] when somebody else does.
func Take(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EWOULDBLOCK):
			return ErrHeld
		case unsupported(err):
			return nil
		}
		return err
	}
}

// unlock is right also where Take found that there are no locks.
func unlock(f *os.File) error {
	if err := unix.Flock(int(f.Fd()), unix.LOCK_UN); err != nil && !errors.Is(err, unix.EBADF) && !unsupported(err) {
		return err
	}
	return nil
}

func unsupported(err error) bool {
	return errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOLCK)
}

// Remove removes the file name, which f is, and lets it go. It is gone before
// the lock is, so that whoever waits for that finds no file of this name.
func Remove(f *os.File, name string) error {
	return errors.Join(os.Remove(name), f.Close())
}

// Owned refuses another user's file: what it says would be taken for what this
// user's aye wrote. The superuser may take any.
func Owned(info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if me := os.Geteuid(); ok && me != 0 && int(stat.Uid) != me {
		return fmt.Errorf("it belongs to another user (%d)", stat.Uid)
	}
	return nil
}
