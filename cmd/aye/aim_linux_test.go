package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// aim returns what waits for a random moment of a commit: of all of it, which
// begins with a record, or of the time from when the first file of the folder a
// has taken its place. The kernel tells; when it has nothing to tell for long,
// the wait is over.
func (w *world) aim(placing bool, took time.Duration) (wait func()) {
	w.t.Helper()
	folder, what, spread := filepath.Join(w.home, "commits"), uint32(unix.IN_CREATE), took/12
	if placing {
		folder, what, spread = filepath.Join(w.dir, "a"), unix.IN_MOVED_TO|unix.IN_DELETE, 100*time.Microsecond
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		w.t.Fatal(err)
	}
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err == nil {
		_, err = unix.InotifyAddWatch(fd, folder, what)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	events := os.NewFile(uintptr(fd), "inotify")
	return func() {
		defer events.Close()
		_ = events.SetReadDeadline(time.Now().Add(20 * took))
		_, _ = events.Read(make([]byte, int(unsafe.Sizeof(unix.InotifyEvent{}))+unix.NAME_MAX+1))
		if pause := rand.N(spread); !placing || pause > spread/2 {
			<-time.After(pause)
		}
	}
}
