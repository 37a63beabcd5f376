//go:build !unix

package workspace

import (
	"io/fs"
	"os"
)

// umask is 0: the system gives new files what their folder says.
func umask() fs.FileMode { return 0 }

// Links is how many names a file has; 1 where the system does not tell.
func Links(fs.FileInfo) int { return 1 }

// copyOwner does nothing: a file's owner is not ours to give here.
func copyOwner(f, old *os.File) {}

// syncFolder does nothing: Windows refuses to flush a folder that was opened
// for reading, and keeps names by itself.
func syncFolder(*os.File) error { return nil }
