package change

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"aye/tools/workspace"
)

// open makes a workspace with these files.
func open(t *testing.T, files map[string]string) *workspace.Dir {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		write(t, filepath.Join(root, name), content)
	}
	return reopen(t, root, t.TempDir())
}

// reopen opens the workspace root as the next aye would. When the test is over
// no record may be left.
func reopen(t *testing.T, root, records string) *workspace.Dir {
	t.Helper()
	ws, err := workspace.OpenWith(root, workspace.Options{Records: records})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ws.Close()
		if left, _ := os.ReadDir(records); len(left) > 0 {
			t.Errorf("%d records are left, such as %s", len(left), left[0].Name())
		}
	})
	return ws
}

// write makes a file, and its folders, with the same mode whatever the umask is.
func write(t *testing.T, name, content string) {
	t.Helper()
	err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(content), 0o644), os.Chmod(name, 0o644))
	if err != nil {
		t.Fatal(err)
	}
}

// tree is all that is in a workspace: paths with content and mode.
func tree(t *testing.T, ws *workspace.Dir) string {
	t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(ws.Name(), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(ws.Name(), path)
		switch {
		case entry.IsDir():
			all[rel] = "/"
		case entry.Type()&fs.ModeSymlink != 0:
			all[rel], err = os.Readlink(path)
			all[rel] = "→" + all[rel]
		default:
			var data []byte
			var info fs.FileInfo
			if info, err = entry.Info(); err == nil {
				data, err = os.ReadFile(path)
			}
			all[rel] = fmt.Sprintf("%q %o", data, info.Mode().Perm())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		lines = append(lines, name+" "+all[name])
	}
	return strings.Join(lines, "\n")
}

func set(t *testing.T, files ...File) Set {
	t.Helper()
	s, err := New(files...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func update(path, before, after string) File {
	return File{Path: path, Before: []byte(before), After: []byte(after), Existed: true, Mode: 0o644}
}

func create(path, after string) File { return File{Path: path, After: []byte(after), Mode: 0o640} }

func remove(path, before string) File {
	return File{Path: path, Before: []byte(before), Existed: true, Deleted: true, Mode: 0o644}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for name, files := range map[string][]File{
		"a is named twice":    {update("a", "1", "2"), update("b", "1", "2"), update("a", "2", "3")},
		"nothing to change":   {update("a", "1", "1")},
		"cannot be removed":   {{Path: "a", Deleted: true}},
		"already has exactly": {update("a", "", "")},
	} {
		if _, err := New(files...); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("New: %v, want %q", err, name)
		}
	}
	s := set(t, create("b", ""), create("a", ""))
	if s.Files[0].Path != "a" {
		t.Errorf("not sorted: %v", s.Files)
	}
}

func TestCommitAndInverse(t *testing.T) {
	t.Parallel()
	ws := open(t, map[string]string{"changed": "old\r\n", "removed": "gone", "d/in": "x"})
	before := tree(t, ws)
	s := set(t, update("changed", "old\r\n", "new\r\n"), remove("removed", "gone"), create("new/deep/f", "hello"))
	if err := s.Commit(t.Context(), ws); err != nil {
		t.Fatal(err)
	}
	want := ". /\nchanged \"new\\r\\n\" 644\nd /\nd/in \"x\" 644\nnew /\nnew/deep /\nnew/deep/f \"hello\" 640"
	if got := tree(t, ws); got != want {
		t.Errorf("after Commit:\n%s\nwant\n%s", got, want)
	}
	if err := s.Commit(t.Context(), ws); !isStale(err, "changed") {
		t.Errorf("the second Commit: %v", err)
	}
	if err := s.Inverse().Commit(t.Context(), ws); err != nil {
		t.Fatal(err)
	}
	if got := strings.ReplaceAll(tree(t, ws), "new /\nnew/deep /\n", ""); got != before {
		t.Errorf("after Inverse:\n%s\nwant\n%s", got, before)
	}
	if twice := s.Inverse().Inverse(); !reflect.DeepEqual(twice, s) {
		t.Errorf("Inverse twice is %v", twice)
	}
}

func isStale(err error, path string) bool {
	var stale *Stale
	return errors.As(err, &stale) && stale.Path == path
}

// What is on the disk is not what the set was made from: nothing is written,
// not even the files that would fit.
func TestCommitIsStale(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		file File
		do   func(path string) error
	}{
		{"changed", update("x", "old", "new"), func(p string) error { return os.WriteFile(p, []byte("odd"), 0o644) }},
		{"longer", update("x", "old", "new"), func(p string) error { return os.WriteFile(p, []byte("older"), 0o644) }},
		{"removed", update("x", "old", "new"), os.Remove},
		{"other mode", update("x", "old", "new"), func(p string) error { return os.Chmod(p, 0o755) }},
		{"a folder", update("x", "old", "new"), func(p string) error { return errors.Join(os.Remove(p), os.Mkdir(p, 0o755)) }},
		{"a link", update("x", "old", "new"), func(p string) error { return errors.Join(os.Rename(p, p+"2"), os.Symlink("x2", p)) }},
		{"to be removed", remove("x", "old"), func(p string) error { return os.WriteFile(p, []byte("odd"), 0o644) }},
		{"there already", create("x", "new"), func(string) error { return nil }},
		{"there as a folder", create("x", "new"), func(p string) error { return errors.Join(os.Remove(p), os.Mkdir(p, 0o755)) }},
		{"there as a dangling link", create("x", "new"), func(p string) error { return errors.Join(os.Remove(p), os.Symlink("/nowhere", p)) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ws := open(t, map[string]string{"a": "1", "x": "old"})
			if err := tt.do(ws.Abs("x")); err != nil {
				t.Fatal(err)
			}
			before := tree(t, ws)
			err := set(t, update("a", "1", "2"), tt.file, create("new/f", "")).Commit(t.Context(), ws)
			if !isStale(err, "x") {
				t.Errorf("Commit: %v", err)
			}
			if got := tree(t, ws); got != before {
				t.Errorf("the tree is now\n%s\nwas\n%s", got, before)
			}
		})
	}
}

// A meddler is a context that does something when it is asked for the n-th
// time whether it has ended: Commit asks between its steps.
type meddler struct {
	context.Context
	n  int
	do func()
}

func (m *meddler) Err() error {
	if m.n--; m.n == 0 {
		m.do()
	}
	return m.Context.Err()
}

// Whenever somebody meddles while a commit is on its way, either all of it
// happens or nothing, and what the meddler wrote is never lost.
func TestCommitWhileSomebodyMeddles(t *testing.T) {
	t.Parallel()
	meddling := map[string]func(path string) error{
		"writes": func(p string) error { return os.WriteFile(p, []byte("theirs"), 0o644) },
		"replaces": func(p string) error {
			return errors.Join(os.WriteFile(p+".t", []byte("theirs"), 0o644), os.Rename(p+".t", p))
		},
		"removes":  os.Remove,
		"a folder": func(p string) error { return errors.Join(os.Remove(p), os.Mkdir(p, 0o755)) },
		"creates": func(p string) error {
			return os.WriteFile(filepath.Join(filepath.Dir(p), "new"), []byte("theirs"), 0o644)
		},
	}
	for name, do := range meddling {
		for n := 1; n <= 9; n++ { // three phases over three files
			t.Run(fmt.Sprintf("%s at %d", name, n), func(t *testing.T) {
				t.Parallel()
				ws := open(t, map[string]string{"a": "1", "x": "old"})
				var between string
				ctx := &meddler{t.Context(), n, func() {
					if err := do(ws.Abs("x")); err != nil {
						t.Error(err)
					}
					between = visible(tree(t, ws))
				}}
				s := set(t, update("a", "1", "2"), create("new", "ours"), update("x", "old", "new"))
				err := s.Commit(ctx, ws)
				if !isStale(err, "x") && !isStale(err, "new") {
					t.Errorf("Commit: %v", err)
				}
				if got := tree(t, ws); got != between {
					t.Errorf("the tree is now\n%s\nwas\n%s", got, between)
				}
			})
		}
	}
}

// visible is a tree without what a commit on its way put beside the files.
func visible(tree string) string {
	var lines []string
	for line := range strings.SplitSeq(tree, "\n") {
		if name, _, _ := strings.Cut(line, " "); !strings.HasPrefix(filepath.Base(name), ".aye-") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// A commit that is interrupted before its first rename leaves no trace.
func TestCommitInterrupted(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 9; n++ {
		ws := open(t, map[string]string{"a": "1", "x": "old"})
		before := tree(t, ws)
		base, cancel := context.WithCancel(t.Context())
		ctx := &meddler{base, n, cancel}
		err := set(t, update("a", "1", "2"), create("n/m/f", ""), update("x", "old", "new")).Commit(ctx, ws)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("at %d: %v", n, err)
		}
		if got := tree(t, ws); got != before {
			t.Errorf("at %d the tree is\n%s\nwas\n%s", n, got, before)
		}
	}
}

// A parent that is a file stops everything, whatever was staged before.
func TestCommitThatCannotBeStaged(t *testing.T) {
	t.Parallel()
	ws := open(t, map[string]string{"a": "1", "f": "file"})
	before := tree(t, ws)
	err := set(t, update("a", "1", "2"), create("f/g/x", "")).Commit(t.Context(), ws)
	if err == nil || !strings.Contains(err.Error(), "f/g") {
		t.Errorf("Commit: %v", err)
	}
	if got := tree(t, ws); got != before {
		t.Errorf("the tree is now\n%s\nwas\n%s", got, before)
	}
}

func TestCommitBreaksAHardLink(t *testing.T) {
	t.Parallel()
	ws := open(t, map[string]string{"a": "old"})
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.Link(ws.Abs("a"), outside); err != nil {
		t.Fatal(err)
	}
	if err := set(t, update("a", "old", "new")).Commit(t.Context(), ws); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(outside); string(data) != "old" || err != nil {
		t.Errorf("the name outside now has %q, %v", data, err)
	}
}
