//go:build unix

package workspace

import (
	"errors"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
)

// A FIFO nobody writes to would block an ordinary open for ever.
func TestOnlyRegularFilesAreOpened(t *testing.T) {
	t.Parallel()
	ws := open(t, nil)
	if err := syscall.Mkfifo(ws.Abs("pipe"), 0o666); err != nil {
		t.Fatal(err)
	}
	socket, err := net.ListenUnix("unix", &net.UnixAddr{Name: ws.Abs("s"), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	for name, want := range map[string]string{"pipe": "pipe is a named pipe", "s": "s is a socket"} {
		if _, _, err := ws.OpenFile(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("OpenFile(%s): %v", name, err)
		}
	}
}

// An open that looks first and then meets a FIFO must not wait either.
func TestOpenFileRacesWithAFIFO(t *testing.T) {
	t.Parallel()
	ws := open(t, map[string]string{"f": "x"})
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
			}
			os.Remove(ws.Abs("f"))
			syscall.Mkfifo(ws.Abs("f"), 0o666)
			os.Remove(ws.Abs("f"))
			os.WriteFile(ws.Abs("f"), []byte("x"), 0o666)
		}
	}()
	for range 2000 {
		if f, info, err := ws.OpenFile("f"); err == nil {
			if !info.Mode().IsRegular() {
				t.Errorf("opened %v", info.Mode())
			}
			f.Close()
		}
	}
	close(stop)
	<-done
}

// A folder that becomes a link to the outside at the wrong moment is not gone
// into, and neither is a file that does.
func TestWalkRacesWithALink(t *testing.T) {
	t.Parallel()
	ws := open(t, map[string]string{"d/f": "inside", "g": "inside"})
	outside := ws.Name() + "-out"
	put(t, outside+"/f", "outside", false)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
			}
			for name, target := range map[string]string{"d": outside, "g": outside + "/f"} {
				os.Rename(ws.Abs(name), ws.Abs(name+"-aside"))
				os.Symlink(target, ws.Abs(name))
				os.Remove(ws.Abs(name))
				os.Rename(ws.Abs(name+"-aside"), ws.Abs(name))
			}
		}
	}()
	read := 0
	for range 1000 {
		_, err := ws.Folders(t.Context(), ".", Scope{Depth: -1}, func(f *Folder) error {
			for _, name := range f.Files {
				file, err := f.Open(name)
				if err != nil {
					continue
				}
				b := make([]byte, 10)
				if n, _ := file.Read(b); string(b[:n]) != "inside" {
					t.Errorf("%s reads %q", f.Name(name), b[:n])
				}
				file.Close()
				if f.Path == "d" {
					read++ // there is one such folder, so one visit
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	<-done
	if read == 0 {
		t.Error("nothing was read: the test shows nothing")
	}
}

func TestKeepIsTheSameFile(t *testing.T) {
	t.Parallel()
	ws := open(t, map[string]string{"a": "old"})
	if err := os.Link(ws.Abs("a"), ws.Abs("b")); err != nil {
		t.Fatal(err)
	}
	info, err := ws.Stat("a")
	if err != nil || Links(info) != 2 {
		t.Errorf("Links: %d, %v", Links(info), err)
	}
	kept := ws.Beside("a")
	if err := kept.Keep(); err != nil {
		t.Fatal(err)
	}
	if !kept.Still() {
		t.Error("what was kept is not what is there")
	}
	if err := os.Remove(ws.Abs("a")); err != nil {
		t.Fatal(err)
	}
	if kept.Still() {
		t.Error("what was kept is there, though it was removed")
	}
	if err := kept.Replace(); err != nil {
		t.Fatal(err)
	}
	if data, _, err := ws.ReadFile("a", 10); string(data) != "old" || err != nil {
		t.Errorf("put back: %q, %v", data, err)
	}
}

// An edit by root must not take a file away from its owner.
func TestStageTakesOverTheOwner(t *testing.T) {
	t.Parallel()
	ws := open(t, map[string]string{"a": "old"})
	if os.Getuid() == 0 {
		if err := os.Chown(ws.Abs("a"), 1234, 2345); err != nil {
			t.Fatal(err)
		}
	}
	before, err := ws.Stat("a")
	if err != nil {
		t.Fatal(err)
	}
	fresh := ws.Beside("a")
	if err := errors.Join(fresh.Stage([]byte("new"), 0o644), fresh.Replace()); err != nil {
		t.Fatal(err)
	}
	after, err := ws.Stat("a")
	if err != nil {
		t.Fatal(err)
	}
	was, is := before.Sys().(*syscall.Stat_t), after.Sys().(*syscall.Stat_t)
	if was.Uid != is.Uid || was.Gid != is.Gid || was.Ino == is.Ino {
		t.Errorf("owner %d:%d became %d:%d", was.Uid, was.Gid, is.Uid, is.Gid)
	}
}
