package change

import (
	"math/rand/v2"
	"os"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"aye/tools/workspace"
)

const canAim = true

// aim has this process kill itself a moment after a file has taken its place:
// the kernel tells when one of the workspace's folder was moved to or removed.
func aim(t *testing.T, ws *workspace.Dir) {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC)
	if err == nil {
		_, err = unix.InotifyAddWatch(fd, ws.Name(), unix.IN_MOVED_TO)
	}
	if err != nil {
		t.Fatal(err)
	}
	began := make(chan struct{})
	go func() {
		event := make([]byte, int(unsafe.Sizeof(unix.InotifyEvent{}))+unix.NAME_MAX+1)
		close(began)
		unix.Read(fd, event)
		if wait := rand.N(200 * time.Microsecond); wait > 100*time.Microsecond {
			<-time.After(wait - 100*time.Microsecond)
		}
		unix.Kill(os.Getpid(), unix.SIGKILL)
	}()
	<-began
}
