package change

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"aye/tools/workspace"
)

// mount puts a small disk at dir; the test is skipped where that is not
// allowed.
func mount(t *testing.T, dir, options string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
}

// protect makes the disk at dir read-only, or writable again.
func protect(t *testing.T, dir string, readOnly bool) {
	t.Helper()
	flags := uintptr(unix.MS_REMOUNT)
	if readOnly {
		flags |= unix.MS_RDONLY
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", flags, ""); err != nil {
		t.Fatal(err)
	}
}

// notWritten commits a set that cannot be written: nothing may have changed.
func notWritten(t *testing.T, ws *workspace.Dir, s Set, want string) (err error) {
	t.Helper()
	before := tree(t, ws)
	err = s.Commit(t.Context(), ws)
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Commit: %v, want %q", err, want)
	}
	if got := tree(t, ws); got != before {
		t.Errorf("the tree is\n%s\nwas\n%s", got, before)
	}
	return err
}

func TestCommitOnAFullDisk(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	mount(t, root, "size=256k")
	write(t, filepath.Join(root, "a"), "1")
	ws := reopen(t, root, t.TempDir())
	notWritten(t, ws, set(t, update("a", "1", "2"), create("b/new", "x"), create("c/new", strings.Repeat("x", 1<<20))), "c/new cannot be written: the disk is full")
	if err := set(t, update("a", "1", "2"), create("b/new", "x")).Commit(t.Context(), ws); err != nil {
		t.Errorf("what fits: %v", err)
	}
}

// A disk that has no room for the record, at any of its lines.
func TestCommitWithTheRecordsDiskFull(t *testing.T) {
	t.Parallel()
	const page = 4096
	for _, name := range []string{"no file", "first line", "second line"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ws := open(t, map[string]string{"a": "1"})
			records := t.TempDir()
			s := set(t, update("a", "1", "2"), create("b", "x"))
			switch name {
			case "no file":
				mount(t, records, "nr_inodes=1")
			case "first line":
				mount(t, records, "size=4k")
				write(t, filepath.Join(records, "fill"), strings.Repeat("x", page))
			case "second line":
				var line int
				s, line = padded(t, ws, page)
				mount(t, records, fmt.Sprint("size=", line))
			}
			small, err := workspace.OpenWith(ws.Name(), workspace.Options{Records: records})
			if err != nil {
				t.Fatal(err)
			}
			defer small.Close()
			err = notWritten(t, small, s, "the disk is full")
			if late := !strings.Contains(fmt.Sprint(err), "one file at a time"); late != (name == "second line") {
				t.Errorf("it failed at another line: %v", err)
			}
			if left, _ := filepath.Glob(filepath.Join(records, "*.jsonl")); len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

// padded is a set whose record's first line, of which it returns the length,
// fills pages to the last byte.
func padded(t *testing.T, ws *workspace.Dir, page int) (Set, int) {
	t.Helper()
	pad := 0
	for range 2 {
		files := []File{update("a", "1", "2")}
		for n := range 32 { // names of at most 200 letters
			files = append(files, create(fmt.Sprintf("x%02d%s", n, strings.Repeat("y", min(200, max(0, pad-200*n)))), "x"))
		}
		s := set(t, files...)
		line, err := json.Marshal(newCommit(t.Context(), ws, s.Files).plan())
		if err != nil {
			t.Fatal(err)
		}
		size := len(line) + 1
		if size%page == 0 {
			return s, size
		}
		pad = page - size%page
	}
	t.Fatal("there is no such set")
	return Set{}, 0
}

// A limit that the system sets to a file's size works without privileges.
func TestCommitBeyondTheFileSizeLimit(t *testing.T) {
	s := set(t, update("a", "1", "2"), create("b/new", "x"), create("c/new", strings.Repeat("x", 1<<20)))
	if ws, _ := asDoomed(t); ws != nil {
		limit := unix.Rlimit{Cur: 64 << 10, Max: 64 << 10}
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
			t.Fatal(err)
		}
		fmt.Println(strings.ReplaceAll(fmt.Sprint(s.Commit(t.Context(), ws)), "\n", " "))
		return
	}
	t.Parallel()
	records := t.TempDir()
	ws := reopen(t, open(t, map[string]string{"a": "1"}).Name(), records)
	before := tree(t, ws)
	cmd, lines := newDoomed(t, ws.Name(), records, "limited")
	lines.Scan()
	said := lines.Text()
	for lines.Scan() {
	}
	if err := cmd.Wait(); err != nil || !strings.Contains(said, "c/new cannot be written: file too large") {
		t.Errorf("the process says %q, %v", said, err)
	}
	if got := tree(t, ws); got != before {
		t.Errorf("the tree is\n%s\nwas\n%s", got, before)
	}
}

func TestCommitToAReadOnlyDisk(t *testing.T) {
	t.Parallel()
	ws := open(t, map[string]string{"a": "1"})
	disk := ws.Abs("b")
	mount(t, disk, "size=64k")
	write(t, filepath.Join(disk, "x"), "1")
	protect(t, disk, true)
	for _, file := range []File{create("b/new", "x"), update("b/x", "1", "2"), remove("b/x", "1")} {
		notWritten(t, ws, set(t, update("a", "1", "2"), file, create("c", "")), "the disk is read-only")
	}
}

// The disk becomes read-only after all was staged: the second file cannot take
// its place, the first is put back, and what could not be cleared away is at the
// next start.
func TestCommitThatFailsMidway(t *testing.T) {
	t.Parallel()
	ws := open(t, map[string]string{"a": "1", "c": "1"})
	disk := ws.Abs("b")
	mount(t, disk, "size=64k")
	write(t, filepath.Join(disk, "x"), "1")
	before := tree(t, ws)
	ctx := &meddler{t.Context(), 9, func() { protect(t, disk, true) }}
	err := set(t, update("a", "1", "2"), update("b/x", "1", "2"), update("c", "1", "2")).Commit(ctx, ws)
	if err == nil || !strings.Contains(err.Error(), "b/x cannot be replaced: the disk is read-only") || !strings.Contains(err.Error(), "next started") {
		t.Errorf("Commit: %v", err)
	}
	if got := visible(tree(t, ws)); got != before {
		t.Errorf("the tree is\n%s\nwas\n%s", got, before)
	}
	if notes := Recover(t.Context(), ws); len(notes) != 1 || !strings.Contains(notes[0], "read-only") {
		t.Errorf("Recover on the read-only disk: %q", notes)
	}
	protect(t, disk, false)
	if notes := Recover(t.Context(), ws); len(notes) != 1 || tree(t, ws) != before {
		t.Errorf("Recover: %q, and the tree is\n%s", notes, tree(t, ws))
	}
}

// What cannot be put back is said, its old content stays, and the next start
// puts it back.
func TestCommitThatCannotBePutBack(t *testing.T) {
	t.Parallel()
	ws := open(t, map[string]string{"a": "1", "c": "1"})
	disk := ws.Abs("b")
	mount(t, disk, "size=64k")
	write(t, filepath.Join(disk, "x"), "old b")
	before := tree(t, ws)
	s := set(t, update("a", "1", "2"), update("b/x", "old b", "new b"), update("c", "1", "2"))
	d := &stopped{t: t, ws: ws, s: s}
	c, _ := d.until(3*3 + 2 + 2) // a and b/x are in their places
	protect(t, disk, true)
	err := c.undo()
	if err == nil || !strings.Contains(err.Error(), "its old content is kept in b/.aye-") {
		t.Errorf("undo: %v", err)
	}
	if got := tree(t, ws); !strings.Contains(got, `"old b"`) || !strings.Contains(got, `a "1"`) {
		t.Errorf("the tree is\n%s", got)
	}
	protect(t, disk, false)
	if notes := Recover(t.Context(), ws); len(notes) != 1 || tree(t, ws) != before {
		t.Errorf("Recover: %q, and the tree is\n%s", notes, tree(t, ws))
	}
}

// asNobody has the rest of the test go on without the superuser's powers over
// files, which then belong to nobody.
func asNobody(t *testing.T, folders ...string) {
	t.Helper()
	if os.Getuid() != 0 {
		return
	}
	const nobody = 65534
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(name string, _ fs.DirEntry, err error) error {
			return errors.Join(err, os.Lchown(name, nobody, nobody))
		})
		if err := errors.Join(err, os.Chmod(filepath.Dir(folder), 0o711)); err != nil {
			t.Fatal(err)
		}
	}
	runtime.LockOSThread() // and the thread ends with the test
	t.Cleanup(func() {
		if err := errors.Join(unix.Setfsuid(0), unix.Setfsgid(0)); err != nil {
			t.Error(err)
		}
	})
	if err := errors.Join(unix.Setfsgid(nobody), unix.Setfsuid(nobody)); err != nil {
		t.Fatal(err)
	}
}

func TestCommitToAForbiddenFolder(t *testing.T) {
	t.Parallel()
	records := t.TempDir()
	ws := reopen(t, open(t, map[string]string{"a": "1", "b/x": "1", "c": "1"}).Name(), records)
	asNobody(t, ws.Name(), records)
	if err := os.Chmod(ws.Abs("b"), 0o555); err != nil {
		t.Fatal(err)
	}
	for _, file := range []File{create("b/new", "x"), create("b/deep/new", "x"), update("b/x", "1", "2"), remove("b/x", "1")} {
		notWritten(t, ws, set(t, update("a", "1", "2"), file, create("z", "")), "permission denied")
	}
	before := tree(t, ws)
	if err := os.Chmod(ws.Abs("b"), 0o755); err != nil {
		t.Fatal(err)
	}
	ctx := &meddler{t.Context(), 9, func() {
		if err := os.Chmod(ws.Abs("b"), 0o555); err != nil {
			t.Error(err)
		}
	}}
	err := set(t, update("a", "1", "2"), update("b/x", "1", "2"), update("c", "1", "2")).Commit(ctx, ws)
	if !errors.Is(err, syscall.EACCES) {
		t.Errorf("Commit: %v", err)
	}
	if got := visible(tree(t, ws)); got != before {
		t.Errorf("the tree is\n%s\nwas\n%s", got, before)
	}
	if err := os.Chmod(ws.Abs("b"), 0o755); err != nil {
		t.Fatal(err)
	}
	Recover(t.Context(), ws)
	if got := tree(t, ws); got != before {
		t.Errorf("the tree is\n%s\nwas\n%s", got, before)
	}
}
