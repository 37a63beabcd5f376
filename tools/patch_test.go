package tools

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aye/tools/change"
	"aye/tools/text"
	"aye/tools/workspace"
)

// tree is all files of the workspace, with their permissions.
func (b *bench) tree() string {
	b.t.Helper()
	var lines []string
	err := filepath.WalkDir(b.ws.Name(), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(b.ws.Name(), path)
		lines = append(lines, fmt.Sprintf("%s %q %o", filepath.ToSlash(rel), data, info.Mode().Perm()))
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// patches applies a patch to files that the model has read, and takes it back.
// It returns what the tree is in between: name, content.
func patches(t *testing.T, files map[string]string, patch string) (map[string]string, Result) {
	t.Helper()
	b := newBench(t, files)
	b.see(slices.Sorted(maps.Keys(files))...)
	before := b.tree()
	action, err := b.prepare("patch", "patch", patch)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if action.Change == nil {
		t.Fatalf("it only says: %s", action.Run(t.Context(), nil).Text)
	}
	if got := b.tree(); got != before {
		t.Fatalf("prepared, and the tree is %s", got)
	}
	res := action.Run(t.Context(), func(string) {})
	if res.Status != OK {
		t.Fatalf("%s %q", res.Status, res.Text)
	}
	after := make(map[string]string)
	for line := range strings.SplitSeq(b.tree(), "\n") {
		if name, _, ok := strings.Cut(line, " "); ok {
			after[name] = b.content(name)
		}
	}
	if err := action.Change.Inverse().Commit(t.Context(), b.ws); err != nil {
		t.Fatalf("taking it back: %v", err)
	}
	if got := b.tree(); got != before {
		t.Errorf("taken back, the tree is\n%s\nwas\n%s", got, before)
	}
	return after, res
}

func TestPatch(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name        string
		files       map[string]string
		patch, says string
		want        map[string]string
	}{
		{
			"all kinds at once", map[string]string{"a.go": "1\n2\n3\n", "old": "x\ny\n", "gone": "z\n"},
			"*** Begin Patch\n*** Update File: a.go\n@@\n 1\n-2\n+two\n*** Add File: d/new\n+n\n*** Update File: old\n*** Move to: e/moved\n@@\n-x\n+X\n*** Delete File: gone\n*** End Patch",
			"Applied the patch to 4 files:\nmodified a.go +1 −1, line 2\ncreated d/new +1 −0\nmoved old to e/moved +1 −1, line 1\ndeleted gone",
			map[string]string{"a.go": "1\ntwo\n3\n", "d/new": "n\n", "e/moved": "X\ny\n"},
		},
		{
			"M56: a unified diff", map[string]string{"m": "a\nb\n", "d": "z\n"},
			"--- a/m\n+++ b/m\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n--- d\n+++ /dev/null\n@@ -1 +0,0 @@\n-z\n",
			"modified m +1 −1", map[string]string{"m": "a\nc\n", "n": "x\n"},
		},
		{
			"a pure move", map[string]string{"a": "x"}, "*** Update File: a\n*** Move to: b",
			"Applied the patch: moved a to b", map[string]string{"b": "x"},
		},
		{
			"a folder called a", map[string]string{"a/m": "x\n", "b/m": "x\n"}, "--- a/m\n+++ a/m\n@@\n-x\n+y\n",
			"modified a/m", map[string]string{"a/m": "y\n", "b/m": "x\n"},
		},
		{
			"a folder called a, deleted", map[string]string{"a/m": "x\n"}, "--- a/m\n+++ /dev/null\n@@\n-x\n", "deleted a/m", map[string]string{},
		},
		{
			"X14: two sections for one file", map[string]string{"a": "1\n2\n"}, "*** Update File: a\n-1\n+one\n*** Update File: ./a\n one\n-2\n+two\n",
			"modified a +2 −2", map[string]string{"a": "one\ntwo\n"},
		},
		{
			"moved, then changed under its new name", map[string]string{"a": "1\n"}, "*** Update File: a\n*** Move to: b\n*** Update File: b\n*** Move to: c\n-1\n+2\n",
			"moved a to c", map[string]string{"c": "2\n"},
		},
		{
			"made, then changed", map[string]string{}, "*** Add File: a\n+1\n*** Update File: a\n-1\n+2\n", "created a", map[string]string{"a": "2\n"},
		},
		{
			"X12: a new file ends in a newline", map[string]string{"x": ""}, "*** Add File: a\n+1\n", "created a", map[string]string{"a": "1\n", "x": ""},
		},
		{
			"X6: CRLF", map[string]string{"a": text.BOM + "1\r\n2\r\n"}, "*** Update File: a\n 1\n-2\n+two\n+three\n", "byte order mark", map[string]string{"a": text.BOM + "1\r\ntwo\r\nthree\r\n"},
		},
		{
			"UTF-16", map[string]string{"a": "\xff\xfe1\x00\n\x002\x00\n\x00"}, "*** Update File: a\n-1\n+é\n", "modified a", map[string]string{"a": "\xff\xfe\xe9\x00\n\x002\x00\n\x00"},
		},
		{
			"GB18030", map[string]string{"a": "\xd6\xd0\xce\xc4\xb2\xe2\xca\xd4\n\xb5\xda\xb6\xfe\xd0\xd0\n\xba\xcd\xb5\xda\xc8\xfd\xd0\xd0\n"}, "*** Update File: a\n 中文测试\n-第二行\n+第一行\n",
			"modified a", map[string]string{"a": "\xd6\xd0\xce\xc4\xb2\xe2\xca\xd4\n\xb5\xda\xd2\xbb\xd0\xd0\n\xba\xcd\xb5\xda\xc8\xfd\xd0\xd0\n"},
		},
		{
			"loosely", map[string]string{"a": "\tx\n\ty\n"}, "*** Update File: a\n     x\n-    y\n+\tz\n",
			"[hunk 1 matched only without regard to indentation and blanks; its + lines were added as they are]", map[string]string{"a": "\tx\n\tz\n"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, res := patches(t, tt.files, tt.patch)
			if !maps.Equal(got, tt.want) {
				t.Errorf("the tree is %q, want %q", got, tt.want)
			}
			wants(t, "result", res.Text, tt.says)
		})
	}
}

// All that is wrong is said at once, and nothing is done.
func TestPatchRefuses(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": "one\ntwo\nthree\n", "b": "x\nx\n", "bin": "\x00\x01", ".env": "KEY=secret\nA=1\n"})
	b.see("a", "b", ".env")
	before := b.tree()
	for _, tt := range []struct {
		name, patch string
		want        []string
	}{
		{"everything at once", "*** Update File: a\n@@\n-one\n+1\n@@\n two\n-four\n+4\n*** Update File: b\n@@\n-x\n+y\n*** Update File: nope\n-a\n*** Add File: a\n+x\n*** Delete File: gone\n",
			[]string{`a: hunk 2 (line 5 of the patch)`, `line 2 of its context and removed lines, "four"`, "2: two", "b: hunk 1", "2 times", "nope does not exist", "gone does not exist", "Nothing was written", "send the whole patch again"}},
		{"M59: ALREADY_EXISTS", "*** Add File: a\n+x\n", []string{"a: it exists already", "*** Update File"}},
		{"a target that exists", "*** Update File: a\n*** Move to: b\n", []string{"a: it cannot be moved to b, which exists"}},
		{"M59: PATH_ESCAPE", "*** Add File: ../x\n+x\n", []string{"../x is outside the workspace"}},
		{"M59: PARSE_FAILED", "@@\n-a\n", []string{"line 1 of the patch"}},
		{"binary", "*** Update File: bin\n-a\n", []string{"bin", "binary", "use shell"}},
		{"X16: deleted with other content", "--- a/a\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-one\n-2\n-three\n", []string{"a: line 2 of the file that is to be removed is not \"2\""}},
		{"X16: deleted with some of its content", "--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n", []string{"gives 1 lines", "it has 3"}},
		{"nothing in the end", "*** Update File: a\n-one\n+one\n", []string{"a: the patch changes nothing in it"}},
		{"made and deleted", "*** Add File: n\n+x\n*** Delete File: n\n", []string{"changes nothing: one part of it undoes another"}},
		{"deleted, then changed", "*** Delete File: a\n*** Update File: a\n-one\n", []string{"the patch has deleted it above"}},
		{"moved, then changed", "*** Update File: a\n*** Move to: c\n*** Update File: a\n-one\n", []string{"has moved it to c above"}},
		{"a lost character", "*** Update File: a\n-one\n+\ufffd\n", []string{"U+FFFD"}},
		{"too large to be shown", "*** Add File: n\n" + strings.Repeat("+x\n", 25_000), []string{"too large to be shown whole"}},
	} {
		action, err := b.prepare("patch", "patch", tt.patch)
		if err == nil {
			t.Errorf("%s: no error but %+v", tt.name, action.Title)
			continue
		}
		wants(t, tt.name, err.Error(), tt.want...)
	}
	_, err := b.prepare("patch", "patch", "*** Update File: .env\n-KEY=\n+KEY=x\n")
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("keys are shown: %v", err)
	} else {
		wants(t, "keys", err.Error(), "no lines are shown", "read it again")
	}
	if got := b.tree(); got != before {
		t.Errorf("the tree is\n%s\nwas\n%s", got, before)
	}
}

// A file that the model has not seen as it is is shown where the patch would
// change it; then the same patch works.
func TestPatchNeedsAFreshRead(t *testing.T) {
	t.Parallel()
	var long strings.Builder
	for n := range 500 {
		fmt.Fprintf(&long, "line %d\n", n+1)
	}
	b := newBench(t, map[string]string{"long": long.String(), "short": "a\nb\n", "gone": "z\n", ".env": "K=secret\n"})
	b.see("gone")
	if err := os.WriteFile(b.ws.Abs("gone"), []byte("new\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	const patch = "*** Update File: long\n@@\n-line 100\n+x\n@@\n line 300\n+y\n@@\n-line 400 !\n+z\n*** Update File: short\n-b\n+B\n*** Delete File: gone\n"
	action, err := b.prepare("patch", "patch", patch)
	if err != nil {
		t.Fatal(err)
	}
	if len(action.Effects) != 3 || action.Effects[0] != (Effect{Kind: Read, Target: "long"}) || action.Change != nil || action.Title != "3 files" {
		t.Errorf("%+v", action)
	}
	res := action.Run(t.Context(), nil)
	wants(t, "refusal", res.Text, "long was not read before, so nothing was written", "97: line 97", "100: line 100", "103: line 103", "…\n297: line 297", "long: hunk 3 (line 8 of the patch)", "400: line 400",
		"short was not read before", "short reads:\n1: a\n2: b", "gone was changed since you last saw it", "gone reads:\n1: new", "send it again")
	if strings.Contains(res.Text, "line 200") || strings.Contains(res.Text, "line 96") || res.Status != Failed || len(res.Seen) < 5 {
		t.Errorf("%s %q %v", res.Status, res.Text, res.Seen)
	}
	res = b.call("patch", "patch", strings.Replace(patch, "400 !", "400", 1))
	if res.Status != OK {
		t.Fatal(res.Text)
	}
	wants(t, "then", res.Text, "modified long +3 −2, lines 100, 301, 401", "deleted gone")

	// What was seen around the changes is in sight, and so are the changes.
	sum, whole, ok := b.seen.Of("long")
	if !ok || whole || sum != workspace.SumOf([]byte(b.content("long"))) {
		t.Errorf("long: %v %v", whole, ok)
	}
	if gaps := b.seen.Gaps("long", sum, 501); fmt.Sprint(gaps) != "[[0 96] [103 296] [304 396] [405 501]]" {
		t.Errorf("not in sight: %v", gaps)
	}
	if _, whole, _ := b.seen.Of("short"); !whole {
		t.Error("short is not in sight")
	}
	if _, _, ok := b.seen.Of("gone"); ok {
		t.Error("gone is still in sight")
	}
	if _, err := b.prepare("patch", "patch", "*** Update File: .env\n-K=secret\n+K=\n"); err == nil || !strings.Contains(err.Error(), "read it first") || strings.Contains(err.Error(), "secret") {
		t.Errorf("keys that were not read: %v", err)
	}
	// A diff that has all lines of a file has them from somewhere.
	if err := os.WriteFile(b.ws.Abs("other"), []byte("q\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if res := b.call("patch", "patch", "--- a/other\n+++ /dev/null\n@@ -1 +0,0 @@\n-q\n"); res.Status != OK {
		t.Error(res.Text)
	}
}

func TestPatchShowsWhatItWillDo(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": "1\n", "run.sh": "x\n", ".github/workflows/ci.yml": "on: push\n"})
	if err := os.Chmod(b.ws.Abs("run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	b.see("a", "run.sh", ".github/workflows/ci.yml")
	action, err := b.prepare("patch", "patch", "*** Update File: run.sh\n*** Move to: bin/run.sh\n-x\n+y\n*** Update File: .github/workflows/ci.yml\n-on: push\n+on: pull\n")
	if err != nil {
		t.Fatal(err)
	}
	if action.Title != "3 files" || action.Preview.Summary != "+2 −2" || len(action.Preview.Diffs) != 3 {
		t.Errorf("%q, %+v", action.Title, action.Preview)
	}
	var effects []string
	for _, e := range action.Effects {
		effects = append(effects, fmt.Sprintf("%s %s %v", e.Kind, e.Target, e.Risk != ""))
	}
	if got := strings.Join(effects, ", "); got != "write run.sh false, write bin/run.sh false, write .github/workflows/ci.yml true" {
		t.Errorf("effects: %s", got)
	}
	for _, d := range action.Preview.Diffs {
		if n := len(d.Hunks); d.Path == "bin/run.sh" && (n != 1 || d.Added != 1 || d.Removed != 1) || d.Path == "run.sh" && n != 0 {
			t.Errorf("a move shows more than what it changes: %+v", d)
		}
		if d.Path == "bin/run.sh" && (d.Kind != change.Added || d.Note != "moved from run.sh") || d.Path == "run.sh" && d.Note != "moved to bin/run.sh" {
			t.Errorf("%+v", d)
		}
	}
	if res := action.Run(t.Context(), nil); res.Status != OK {
		t.Fatal(res.Text)
	}
	if info, err := os.Stat(b.ws.Abs("bin/run.sh")); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("moved: %v, %v", info, err)
	}
	if action, err := b.prepare("patch", "patch", "*** Update File: a\n*** Move to: b\n"); err != nil || action.Title != "a → b" {
		t.Errorf("title %q, %v", action.Title, err)
	}
}

// A meddler is a context that does something when it is asked for the n-th
// time whether it has ended: a commit asks between its steps.
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

const threeFiles = "*** Update File: a\n-1\n+one\n*** Update File: b\n-2\n+two\n*** Add File: d/c\n+three\n"

// Whatever happens on the way, all files are changed or none is.
func TestPatchInterrupted(t *testing.T) {
	t.Parallel()
	happens := map[string]func(b *bench, stop func()) error{
		"cancelled":                   func(_ *bench, stop func()) error { stop(); return nil },
		"the third cannot be written": func(b *bench, _ func()) error { return os.WriteFile(b.ws.Abs("d"), nil, 0o644) },
		"the third's folder is replaced": func(b *bench, _ func()) error {
			os.RemoveAll(b.ws.Abs("d"))
			return os.WriteFile(b.ws.Abs("d"), nil, 0o644)
		},
		"the second is changed": func(b *bench, _ func()) error { return os.WriteFile(b.ws.Abs("b"), []byte("theirs\n"), 0o644) },
		"the second is removed": func(b *bench, _ func()) error { return os.Remove(b.ws.Abs("b")) },
	}
	const steps = 15
	for name, do := range happens {
		failed := 0
		for n := 1; n <= steps; n++ {
			b := newBench(t, map[string]string{"a": "1\n", "b": "2\n"})
			b.see("a", "b")
			action, err := b.prepare("patch", "patch", threeFiles)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			res := action.Run(&meddler{ctx, n, func() { _ = do(b, cancel) }}, nil) // in some steps there is nothing left to do it to
			cancel()
			a := b.content("a")
			data, _ := os.ReadFile(b.ws.Abs("b"))
			_, third := os.Stat(b.ws.Abs("d/c"))
			switch all := a == "one\n" && third == nil; {
			case res.Status == OK && !all && name != "the third's folder is replaced":
				t.Errorf("%s at %d: done, and the tree is %s", name, n, b.tree())
			case res.Status != OK && (a != "1\n" || third == nil || string(data) == "two\n"):
				t.Errorf("%s at %d: %s %q, and the tree is %s", name, n, res.Status, res.Text, b.tree())
			case res.Status != OK:
				failed++
			}
		}
		if failed == 0 {
			t.Errorf("%s: it never stopped the patch: the test proves nothing", name)
		}
	}
}

// A file that was changed during the approval is shown as it is now, and the
// others are left alone.
func TestPatchOfAStaleFile(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": "1\n", "b": "2\n"})
	b.see("a", "b")
	action, err := b.prepare("patch", "patch", threeFiles)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(b.ws.Abs("b"), []byte("0\n2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	before := b.tree()
	res := action.Run(t.Context(), nil)
	wants(t, "stale", res.Text, "b was changed in the meantime", "nothing was written", "1: 0\n2: 2", "send it again")
	if got := b.tree(); got != before || res.Status != Failed {
		t.Errorf("%s, the tree is\n%s", res.Status, got)
	}
	if res := b.call("patch", "patch", threeFiles); res.Status != OK || b.content("b") != "0\ntwo\n" {
		t.Errorf("the next try: %q, %q", res.Text, b.content("b"))
	}
}
