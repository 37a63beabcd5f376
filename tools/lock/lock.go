package lock

import (
	"errors"
	"os"
)

// ErrHeld means that another process holds the file, or another open file of
// this one.
var ErrHeld = errors.New("another process holds it")

// Release lets f go and closes it. The lock is given up first: a command that
// is just being started has a copy of the open file for a moment, and with it
// the lock.
func Release(f *os.File) error { return errors.Join(unlock(f), f.Close()) }
