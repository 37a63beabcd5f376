package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// aim returns what waits for a random moment of a commit: of all of it, which
// begins with a record, or of the time from when the first file of the folder a
// has taken its place. The kernel tells; when it has nothing to tell for long,
// the wait is over.
func (w *world) aim(placing bool, took time.Duration) (wait func()) {
	w.t.Helper()
	folder, what := filepath.Join(w.home, "commits"), uint32(unix.IN_CREATE)
	if placing {
		folder, what = filepath.Join(w.dir, "a"), unix.IN_MOVED_TO|unix.IN_DELETE
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		w.t.Fatal(err)
	}
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC)
	if err == nil {
		_, err = unix.InotifyAddWatch(fd, folder, what)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return func() {
		defer unix.Close(fd)
		news := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		for end := time.Now().Add(100 * took); ; {
			n, err := unix.Poll(news, int(took/time.Millisecond))
			if n > 0 || err != unix.EINTR && time.Now().After(end) {
				break
			}
		}
		if !placing { // else it is short, and how soon we are told is chance enough
			<-time.After(rand.N(took / 12))
		}
	}
}

// yieldFirst makes the goroutine's thread, which ends with it, and what it
// starts give way to all others: whoever aims at it is then in time.
func yieldFirst() {
	runtime.LockOSThread()
	_ = unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), 19)
}
