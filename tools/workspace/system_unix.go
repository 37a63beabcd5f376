//go:build unix

package workspace

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// umask is the process's file mode mask. Linux tells it; elsewhere it can only
// be read by setting it, so that is done once, and to the strictest value.
var umask = sync.OnceValue(func() fs.FileMode {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, "Umask:"); ok {
			if n, err := strconv.ParseUint(strings.TrimSpace(value), 8, 32); err == nil {
				return fs.FileMode(n) & fs.ModePerm
			}
		}
	}
	old := syscall.Umask(0o077)
	syscall.Umask(old)
	return fs.FileMode(old) & fs.ModePerm
})

// Links is how many names a file has.
func Links(info fs.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Nlink)
	}
	return 1
}

// copyOwner gives f the owner and the group of old, or the group alone when
// that is all we may give.
func copyOwner(f, old *os.File) {
	from, err := old.Stat()
	if err != nil {
		return
	}
	to, err := f.Stat()
	if err != nil {
		return
	}
	want, ok := from.Sys().(*syscall.Stat_t)
	have, ok2 := to.Sys().(*syscall.Stat_t)
	if !ok || !ok2 || (want.Uid == have.Uid && want.Gid == have.Gid) {
		return
	}
	if f.Chown(int(want.Uid), int(want.Gid)) != nil {
		f.Chown(-1, int(want.Gid))
	}
}

// syncFolder has the names in an open folder on the disk, where the disk can.
func syncFolder(f *os.File) error {
	if err := f.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}
