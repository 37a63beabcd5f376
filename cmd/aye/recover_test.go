package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aye/llm/llmtest"
)

// half makes what a killed aye leaves: of a change of two files one is done.
func half(t *testing.T, w *world) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(w.dir)
	if err != nil {
		t.Fatal(err)
	}
	sum := func(content string) string {
		sum := sha256.Sum256([]byte(content))
		return hex.EncodeToString(sum[:16])
	}
	w.write("a.txt", "new a\n")
	w.write(".aye-aaaa.tmp", "old a\n")
	w.write("b.txt", "old b\n")
	w.write(".aye-bbbb.tmp", "new b\n")
	if err := os.Link(filepath.Join(dir, "b.txt"), filepath.Join(dir, ".aye-cccc.tmp")); err != nil {
		t.Fatal(err)
	}
	record := fmt.Sprintf(`{"version":1,"workspace":%q,"files":[`+
		`{"path":"a.txt","before":%q,"after":%q,"fresh":".aye-dddd.tmp","kept":".aye-aaaa.tmp"},`+
		`{"path":"b.txt","before":%q,"after":%q,"fresh":".aye-bbbb.tmp","kept":".aye-cccc.tmp"}]}`+"\n\"placing\"\n",
		strings.ReplaceAll(dir, "%", "%25"), sum("old a\n"), sum("new a\n"), sum("old b\n"), sum("new b\n"))
	key := sha256.Sum256([]byte(dir))
	name := filepath.Join(w.home, "commits", hex.EncodeToString(key[:8])+"-aaaa.jsonl")
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(record), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A change that a killed aye left half done is taken back at the next start,
// and the person is told; so it is with --no-session.
func TestAnInterruptedChangeIsTakenBack(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"run", "hi"}, {"run", "--no-session", "hi"}} {
		w := newWorld(t, llmtest.Steps(say("ok"), say("again")))
		half(t, w)
		w.run("", args...).expect(t, exitAnswered, "ok\n", "note: An earlier change of a.txt and b.txt was interrupted. It was taken back")
		if a, b := w.file("a.txt"), w.file("b.txt"); a != "old a\n" || b != "old b\n" {
			t.Errorf("the files hold %q and %q", a, b)
		}
		entries, err := os.ReadDir(w.dir)
		if err != nil || len(entries) != 2 {
			t.Errorf("the folder holds %v, %v", entries, err)
		}
		if left, _ := os.ReadDir(filepath.Join(w.home, "commits")); len(left) != 0 {
			t.Errorf("records are left: %v", left)
		}
		w.run("", args...).expect(t, exitAnswered, "again\n")
	}
}

// A record that comes with a project is none.
func TestARecordInTheWorkspaceIsNotFollowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(say("ok")))
	half(t, w)
	if err := os.Rename(filepath.Join(w.home, "commits"), filepath.Join(w.dir, "commits")); err != nil {
		t.Fatal(err)
	}
	w.run("", "run", "hi").expect(t, exitAnswered, "ok\n")
	if a := w.file("a.txt"); a != "new a\n" {
		t.Errorf("the file holds %q", a)
	}
}
