//go:build unix

package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// appending has every line go to the end of the file, whoever else wrote to
// it where locks do not hold.
const appending = os.O_APPEND

// lock holds f until it is closed, also by the end of the process.
func lock(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EWOULDBLOCK):
			return ErrInUse
		case unsupported(err):
			return nil // some network file systems know no locks: better a session without
		}
		return err
	}
}

// unlock is right also where lock found that there are no locks.
func unlock(f *os.File) error {
	if err := unix.Flock(int(f.Fd()), unix.LOCK_UN); err != nil && !errors.Is(err, unix.EBADF) && !unsupported(err) {
		return err
	}
	return nil
}

func unsupported(err error) bool {
	return errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOLCK)
}

// owned refuses another user's journal: what it says would be taken for what
// this user approved. The superuser may open any.
func owned(info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if me := os.Geteuid(); ok && me != 0 && int(stat.Uid) != me {
		return fmt.Errorf("it belongs to another user (%d)", stat.Uid)
	}
	return nil
}
