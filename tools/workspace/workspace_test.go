package workspace

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// open makes a workspace with files in it; a name that ends in / is a folder.
func open(t testing.TB, files map[string]string) *Dir {
	t.Helper()
	root := filepath.Join(t.TempDir(), "app")
	if err := os.Mkdir(root, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		put(t, filepath.Join(root, name), content, strings.HasSuffix(name, "/"))
	}
	ws, err := Open(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	return ws
}

func put(t testing.TB, name, content string, folder bool) {
	t.Helper()
	dir := filepath.Dir(name)
	if folder {
		dir = name
	}
	err := os.MkdirAll(dir, 0o777)
	if err == nil && !folder {
		err = os.WriteFile(name, []byte(content), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func link(t testing.TB, ws *Dir, target, name string) {
	t.Helper()
	if err := os.Symlink(target, ws.Abs(name)); err != nil {
		t.Fatal(err)
	}
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "f"), "", false)
	for _, name := range []string{filepath.Join(dir, "nowhere"), filepath.Join(dir, "f")} {
		if _, err := Open(name); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("Open(%s): %v", name, err)
		}
	}
}

func TestReadFile(t *testing.T) {
	t.Parallel()
	ws := open(t, map[string]string{"a.txt": "A", "d/": "", "f": ""})
	if data, info, err := ws.ReadFile("a.txt", 1); string(data) != "A" || err != nil || info.Size() != 1 {
		t.Errorf("ReadFile: %q, %v", data, err)
	}
	for name, want := range map[string]string{
		"d":     "d is a folder",
		".":     ". is a folder",
		"no":    "no does not exist",
		"f/x":   "f/x does not exist: a part of its path is a file",
		"a.txt": "more than 0 bytes",
	} {
		if _, _, err := ws.ReadFile(name, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ReadFile(%s): %v, want %q", name, err, want)
		}
	}
	if _, _, err := ws.ReadFile("no", 1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file is no fs.ErrNotExist: %v", err)
	}
}

// The size a file says it has is not what is read: /proc files say 0.
func TestReadFileDoesNotTrustTheSize(t *testing.T) {
	t.Parallel()
	ws, err := Open("/proc/self")
	if err != nil {
		return // no such system here
	}
	defer ws.Close()
	if data, _, err := ws.ReadFile("status", 1<<20); err != nil || !bytes.Contains(data, []byte("Umask")) {
		t.Errorf("ReadFile: %d bytes, %v", len(data), err)
	}
	if _, _, err := ws.ReadFile("status", 10); !errors.Is(err, ErrTooLarge) {
		t.Errorf("ReadFile past its limit: %v", err)
	}
}

func TestStageKeepsModeAndNeverReplacesOnCreate(t *testing.T) {
	t.Parallel()
	ws := open(t, map[string]string{"x.sh": "old", "there": "precious"})
	if err := os.Chmod(ws.Abs("x.sh"), 0o751); err != nil {
		t.Fatal(err)
	}
	fresh := ws.Beside("x.sh")
	if err := errors.Join(fresh.Stage([]byte("new"), 0o751), fresh.Replace()); err != nil {
		t.Fatal(err)
	}
	data, info, err := ws.ReadFile("x.sh", 10)
	if string(data) != "new" || info.Mode().Perm() != 0o751 || err != nil {
		t.Errorf("after Replace: %q, %v, %v", data, info.Mode(), err)
	}
	fresh = ws.Beside("there")
	if err := fresh.Stage([]byte("new"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := fresh.Create(); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Create over a file: %v", err)
	}
	if err := fresh.Discard(); err != nil {
		t.Error(err)
	}
	if data, _, _ := ws.ReadFile("there", 10); string(data) != "precious" {
		t.Errorf("the file is now %q", data)
	}
	if left := names(t, ws, "."); strings.Contains(left, ".aye-") {
		t.Errorf("left behind: %s", left)
	}
}

func names(t *testing.T, ws *Dir, rel string) string {
	t.Helper()
	entries, err := ws.ReadDir(rel)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, entry := range entries {
		all = append(all, entry.Name())
	}
	return strings.Join(all, " ")
}

func TestMakeParents(t *testing.T) {
	t.Parallel()
	ws := open(t, map[string]string{"a/": "", "f": ""})
	made, err := ws.MakeParents("a/b/c/x")
	if err != nil || strings.Join(made, " ") != "a/b a/b/c" {
		t.Errorf("MakeParents: %v, %v", made, err)
	}
	if made, err := ws.MakeParents("x"); len(made) != 0 || err != nil {
		t.Errorf("MakeParents at the top: %v, %v", made, err)
	}
	if _, err := ws.MakeParents("f/g/x"); err == nil || !strings.Contains(err.Error(), "f/g") {
		t.Errorf("MakeParents below a file: %v", err)
	}
}

func TestNewFileModeFollowsUmask(t *testing.T) {
	t.Parallel()
	ws := open(t, nil)
	plain := filepath.Join(t.TempDir(), "plain")
	put(t, plain, "", false)
	info, err := os.Stat(plain)
	if err != nil {
		t.Fatal(err)
	}
	if ws.NewFileMode() != info.Mode().Perm() {
		t.Errorf("NewFileMode is %v, a new file has %v", ws.NewFileMode(), info.Mode().Perm())
	}
}
