package tools

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aye/tools/change"
	"aye/tools/text"
)

func TestRunsEndWithTheirContext(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": "old\n"})
	b.see("a")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, args := range map[string][]any{
		"read": {"path", "a"}, "glob": {"pattern", "**"}, "write": {"path", "a", "content", "new\n"}, "edit": {"path", "a", "old", "old", "new", "new"}, "append": {"path", "a", "content", "new\n"},
	} {
		action, err := b.prepare(name, args...)
		if err != nil {
			t.Fatal(err)
		}
		if res := action.Run(ended, func(string) {}); res.Status != Interrupted {
			t.Errorf("%s: %s %q", name, res.Status, res.Text)
		}
	}
	if got := b.content("a"); got != "old\n" {
		t.Errorf("the file is %q", got)
	}
}

func TestWriteShowsWhatItWillDo(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\ntwo\n", "bin": "\x00\xff", "crlf": text.BOM + "a\r\nb\r\n", ".git/config": "x\n"})
	b.see("a.txt", "crlf", ".git/config")
	action, err := b.prepare("write", "path", "a.txt", "content", "one\n2\n")
	if err != nil {
		t.Fatal(err)
	}
	if action.Preview.Kind != Diff || action.Preview.Summary != "+1 −1" || action.Change == nil || len(action.Preview.Diffs) != 1 || action.Preview.Diffs[0].Kind != change.Changed {
		t.Errorf("preview: %+v", action.Preview)
	}
	if e := action.Effects; len(e) != 1 || e[0] != (Effect{Kind: Write, Target: "a.txt"}) {
		t.Errorf("effects: %+v", e)
	}
	if got := b.content("a.txt"); got != "one\ntwo\n" {
		t.Errorf("prepared, and the file is %q", got)
	}
	res := action.Run(t.Context(), func(string) {})
	wants(t, "write", res.Text, "Wrote a.txt: 2 lines, 6 bytes")
	if got := b.content("a.txt"); got != "one\n2\n" || res.View.Kind != Diff {
		t.Errorf("the file is %q, view %+v", got, res.View)
	}

	res = b.call("write", "path", "new/deep/f", "content", "x")
	wants(t, "create", res.Text, "Created new/deep/f: 1 line, 1 byte\n", "no newline at the end")

	if _, err = b.prepare("write", "path", "bin", "content", "text\n"); err == nil {
		t.Fatal("a binary file is replaced by one that nobody could read")
	}
	wants(t, "over binary", err.Error(), "binary, 2 bytes", "remove it with shell")

	res = b.call("write", "path", "crlf", "content", "a\nc\n")
	wants(t, "CRLF", res.Text, "the file's CRLF line ends and encoding (UTF-8 with BOM) kept")
	if got := b.content("crlf"); got != text.BOM+"a\r\nc\r\n" {
		t.Errorf("the CRLF file is %q", got)
	}

	action, err = b.prepare("write", "path", ".git/config", "content", "y\n")
	if err != nil || action.Effects[0].Risk == "" {
		t.Errorf("a risk is not named: %+v, %v", action.Effects, err)
	}

	action, err = b.prepare("write", "path", "a.txt", "content", "one\n2\n")
	if err != nil || action.Change != nil || action.Effects[0].Kind != Read {
		t.Errorf("writing what is there: %+v, %v", action, err)
	}
	wants(t, "unchanged", action.Run(t.Context(), nil).Text, "exactly this content already")
}

func TestEditSaysWhatItDid(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"p.go": "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "bom": text.BOM + "x = 1\r\n", "latin": "caf\xe9 x\n", "one": "x"})
	b.see("p.go", "bom", "latin", "one")
	res := b.call("edit", "path", "p.go", "old", "5\n", "new", "five\nand a half\n")
	wants(t, "edit", res.Text, "Edited p.go: +2 −1.", "2: 2\n3: 3\n4: 4\n5: five\n6: and a half\n7: 6\n8: 7\n9: 8")
	if strings.Contains(res.Text, "10: 9") {
		t.Errorf("the excerpt is too long: %q", res.Text)
	}
	if res.View.Kind != Diff || res.View.Summary != "+2 −1" || strings.Contains(res.Text, "1: 1") {
		t.Errorf("view %+v, text %q", res.View, res.Text)
	}
	res = b.call("edit", "path", "bom", "old", "x = 1", "new", "x = 2")
	wants(t, "BOM", res.Text, "1: x = 2", "byte order mark", "CRLF line ends")
	if got := b.content("bom"); got != text.BOM+"x = 2\r\n" {
		t.Errorf("the file with a BOM is %q", got)
	}
	res = b.call("edit", "path", "one", "old", "x", "new", "")
	wants(t, "emptied", res.Text, "the file is empty now")
	res = b.call("edit", "path", "latin", "old", "x", "new", "é")
	wants(t, "Windows-1252", res.Text, "1: café é")
	if got := b.content("latin"); got != "caf\xe9 \xe9\n" {
		t.Errorf("the file in Windows-1252 is %q", got)
	}
	if _, err := b.prepare("edit", "path", "latin", "old", "caf", "new", "汉"); err == nil || !strings.Contains(err.Error(), "Windows-1252") {
		t.Errorf("a character that the encoding has not: %v", err)
	}
	if _, err := b.prepare("edit", "path", "p.go", "old", "4\nfive", "new", "4\nfive\n", "all", true); err == nil || !strings.Contains(err.Error(), `"all" is unknown`) {
		t.Errorf("unknown key: %v", err)
	}
}

// An edit that fails shows lines near what it looked for, before anybody was
// asked: not those of a file with keys.
func TestEditShowsNoKeys(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{".env": "API_KEY=sk-secret\nA=1\nA=1\n"})
	b.see(".env")
	for _, old := range []string{"API_KEY=sk-", "API_KEY = sk-secret", "API_KEY", "A=1", "KEY=sk-secrets"} {
		action, err := b.prepare("edit", "path", ".env", "old", old, "new", old+"x")
		if err != nil && (strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "Read it again")) {
			t.Errorf("%q: %v", old, err)
		}
		if err == nil && action.Effects[0].Risk == "" {
			t.Errorf("%q: no risk", old)
		}
	}
}

// What was approved is not written over what somebody else wrote meanwhile.
func TestStaleChangesAreNotWritten(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]any{
		"write": {"path", "a", "content", "ours\n"},
		"edit":  {"path", "a", "old", "old", "new", "ours"},
	} {
		b := newBench(t, map[string]string{"a": "old\n"})
		b.see("a")
		action, err := b.prepare(name, args...)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(b.ws.Abs("a"), []byte("old\ntheirs\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		res := action.Run(t.Context(), func(string) {})
		wants(t, name, res.Text, "a was changed in the meantime", "nothing was written", "1: old\n2: theirs")
		if got := b.content("a"); res.Status != Failed || got != "old\ntheirs\n" {
			t.Errorf("%s: %s, the file is %q", name, res.Status, got)
		}
	}
}

// A folder that becomes a link between the question and the answer leads to a
// place that nobody was asked about.
func TestSwappedFolderIsStale(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"docs/f", "docs/new/f", "missing/f", "docs/old"} {
		b := newBench(t, map[string]string{"docs/old": "old", ".git/hooks/old": "old"})
		if name == "docs/old" {
			b.see(name)
		}
		action, err := b.prepare("write", "path", name, "content", "new")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(b.ws.Abs("docs")); err != nil {
			t.Fatal(err)
		}
		for _, folder := range []string{"docs", "missing"} {
			if err := os.Symlink(".git/hooks", b.ws.Abs(folder)); err != nil {
				t.Fatal(err)
			}
		}
		res := action.Run(t.Context(), nil)
		wants(t, name, res.Text, name+" is reached by a link now", ".git/hooks", "nothing was written")
		entries, err := os.ReadDir(b.ws.Abs(".git/hooks"))
		if res.Status != Failed || err != nil || len(entries) != 1 || b.content(".git/hooks/old") != "old" {
			t.Errorf("%s: %s, hooks: %v, %v", name, res.Status, entries, err)
		}
	}
}

// A change that a person cannot be shown whole is not made.
func TestTooLargeToBeShown(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": "old\n"})
	b.see("a")
	long := strings.Repeat("line\n", 25_000)
	for name, args := range map[string][]any{
		"write": {"path", "new", "content", long},
		"edit":  {"path", "a", "old", "old\n", "new", long + "hidden\n"},
	} {
		if _, err := b.prepare(name, args...); err == nil || !strings.Contains(err.Error(), "too large to be shown") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := b.prepare("write", "path", "new", "content", long[:5*10_000]); err != nil {
		t.Error(err)
	}
}

// What a character would hide from the person, since the file were no text
// with it, is refused: in a file that is not UTF-8 it is NUL.
func TestContentThatCannotBeShown(t *testing.T) {
	t.Parallel()
	utf16 := string([]byte{0xff, 0xfe, 'o', 0, 'l', 0, 'd', 0, '\n', 0})
	gb := "echo \xc4\xe3\xba\xc3\xca\xc0\xbd\xe7\xce\xd2\xc3\xc7\xb5\xc4\xca\xc7 old\n"
	b := newBench(t, map[string]string{"utf16": utf16, "gb": gb, "utf8": "é old\n"})
	const evil = "你\x00\nrm -rf /\n"
	for _, name := range []string{"utf16", "gb", "utf8"} {
		b.see(name)
		for tool, args := range map[string][]any{
			"write":  {"path", name, "content", evil},
			"append": {"path", name, "content", evil},
			"edit":   {"path", name, "old", "old", "new", evil},
		} {
			act, err := b.prepare(tool, args...)
			if name == "utf8" { // there it is shown
				if err != nil || !strings.Contains(fmt.Sprint(act.Preview.Diffs), `\x00`) || !strings.Contains(fmt.Sprint(act.Preview.Diffs), "rm -rf") {
					t.Errorf("%s %s: %v, %v", tool, name, act.Preview.Diffs, err)
				}
			} else if err == nil || !strings.Contains(err.Error(), "cannot be shown") || !strings.Contains(err.Error(), "NUL") {
				t.Errorf("%s %s: %v, %v", tool, name, act.Preview.Diffs, err)
			}
		}
		act, err := b.prepare("patch", "patch", "*** Begin Patch\n*** Update File: "+name+"\n@@\n+a"+strings.Replace(evil, "\n", "\n+", 1)+"*** End of File\n*** End Patch")
		if err == nil && !strings.Contains(fmt.Sprint(act.Preview.Diffs), "rm -rf") {
			t.Errorf("patch %s: %v", name, act.Preview.Diffs)
		}
	}
}

func TestLinksAndNamesOfAFile(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"real": "old\n"})
	outside := filepath.Join(filepath.Dir(b.ws.Name()), "outside")
	if err := os.Symlink("real", b.ws.Abs("l")); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(b.ws.Abs("real"), outside); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(".", b.ws.Abs(".claude")); err != nil {
		t.Fatal(err)
	}
	if action, err := b.prepare("write", "path", ".claude/x", "content", ""); err != nil || action.Effects[0].Risk == "" || action.Effects[0].Target != "x" {
		t.Errorf("by a risky link: %+v, %v", action.Effects, err)
	}
	b.see("l")
	action, err := b.prepare("edit", "path", "l", "old", "old", "new", "new")
	if err != nil {
		t.Fatal(err)
	}
	if action.Title != "l → real" || action.Effects[0].Target != "real" {
		t.Errorf("title %q, effects %+v", action.Title, action.Effects)
	}
	wants(t, "hard link", action.Preview.Diffs[0].Note, "2 names")
	if res := action.Run(t.Context(), nil); res.Status != OK {
		t.Fatal(res.Text)
	}
	if target, err := os.Readlink(b.ws.Abs("l")); target != "real" || err != nil {
		t.Errorf("the link is %q, %v", target, err)
	}
	if data, err := os.ReadFile(outside); string(data) != "old\n" || err != nil {
		t.Errorf("outside is %q, %v", data, err)
	}
	if got := b.content("real"); got != "new\n" {
		t.Errorf("the file is %q", got)
	}
}

// The old trick: between the check and the write a folder becomes a link that
// leads outside. Nothing may ever be written there.
func TestSwapRace(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"d/f": "0", "spare": ""})
	outside := filepath.Join(filepath.Dir(b.ws.Name()), "outside")
	if err := os.MkdirAll(outside, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(outside, "f"), []byte("precious"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, b.ws.Abs("link")); err != nil {
		t.Fatal(err)
	}
	stop, done := make(chan struct{}), make(chan struct{})
	go func() { // d and link change names, again and again
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
			}
			os.Rename(b.ws.Abs("d"), b.ws.Abs("away"))
			os.Rename(b.ws.Abs("link"), b.ws.Abs("d"))
			os.Rename(b.ws.Abs("d"), b.ws.Abs("link"))
			os.Rename(b.ws.Abs("away"), b.ws.Abs("d"))
		}
	}()
	written := 0
	for n := range 3000 {
		for _, call := range [][]any{{"d/f"}, {"d/new/g"}} {
			for range 2 { // not read before, perhaps: then the first try is refused
				action, err := b.prepare("write", "path", call[0], "content", fmt.Sprint(n))
				if err == nil && action.Run(t.Context(), nil).Status == OK && action.Change != nil {
					written++
					break
				}
			}
		}
		if written > 100 {
			break
		}
	}
	close(stop)
	<-done
	if written == 0 {
		t.Error("nothing was ever written: the test proves nothing")
	}
	entries, err := os.ReadDir(outside)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(outside, "f"))
	if len(entries) != 1 || string(data) != "precious" || err != nil {
		t.Errorf("outside has %v, %q, %v", entries, data, err)
	}
}
