package tools

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"aye/tools/text"
)

func TestAppend(t *testing.T) {
	t.Parallel()
	var long strings.Builder
	for range 30 {
		long.WriteString("x\n")
	}
	for _, tt := range []struct {
		name, was, content, is string
		says                   []string
	}{
		{"ends in a newline", "a\n", "b\n", "a\nb\n", []string{"Appended f: +2 bytes, now 2 lines, 4 bytes. It now ends:\n1: a\n2: b"}},
		{"lacks a newline", "a", "b\n", "ab\n", []string{"now 1 line, 3 bytes", "1: ab", "the file did not end with a newline: the content continues its line 1"}},
		{"lacks one afterwards", "a\n", "b", "a\nb", []string{"2: b", "newline at the end"}},
		{"CRLF", "a\r\n", "b\nc\n", "a\r\nb\r\nc\r\n", []string{"CRLF line ends", "3: c"}},
		{"CR", "a\rb\r", "c\n", "a\rb\rc\r", []string{"3: c"}},
		{"mixed line ends are left alone", "a\r\nb\n", "c\n", "a\r\nb\nc\n", []string{"mixed line ends"}},
		{"its own CRLF", "a\n", "b\r\n", "a\nb\r\n", []string{"2: b"}},
		{"byte order mark", text.BOM + "a\n", "b\n", text.BOM + "a\nb\n", []string{"2: b"}},
		{"UTF-16", "\xff\xfea\x00\n\x00", "é\n", "\xff\xfea\x00\n\x00\xe9\x00\n\x00", []string{"+4 bytes, now 2 lines, 10 bytes", "2: é"}},
		{"Windows-1252", "caf\xe9\n", "é\n", "caf\xe9\n\xe9\n", []string{"1: café\n2: é"}},
		{"empty file", "", "a\n", "a\n", []string{"now 1 line, 2 bytes", "1: a"}},
		{"only the end is shown", long.String(), "y\n", long.String() + "y\n", []string{"It now ends:\n24: x", "31: y"}},
	} {
		b := newBench(t, map[string]string{"f": tt.was})
		action, err := b.prepare("append", "path", "f", "content", tt.content)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if action.Preview.Kind != Diff || len(action.Effects) != 1 || action.Effects[0] != (Effect{Kind: Write, Target: "f"}) {
			t.Errorf("%s: %+v", tt.name, action)
		}
		res := action.Run(t.Context(), nil)
		wants(t, tt.name, res.Text, tt.says...)
		if got := b.content("f"); got != tt.is || res.Status != OK {
			t.Errorf("%s: %s, the file is %q, want %q", tt.name, res.Status, got, tt.is)
		}
	}
}

func TestAppendMakesFilesAndKeepsModes(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"run.sh": "#!/bin/sh\n", "bin": "\x00\x01"})
	if err := os.Chmod(b.ws.Abs("run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	res := b.call("append", "path", "deep/er/log", "content", "first\n")
	wants(t, "create", res.Text, "Created deep/er/log: +6 bytes, now 1 line, 6 bytes")
	if got := b.content("deep/er/log"); got != "first\n" {
		t.Errorf("the new file is %q", got)
	}
	b.call("append", "path", "run.sh", "content", "echo hi\n")
	if info, err := os.Stat(b.ws.Abs("run.sh")); err != nil || info.Mode()&fs.ModePerm != 0o755 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	for _, tt := range []struct{ path, content, want string }{
		{"run.sh", "", "there is nothing to add to run.sh"},
		{"bin", "x", "bin is binary, 2 bytes"},
		{"deep", "x", "deep is a folder"},
		{"../x", "x", "outside the workspace"},
		{"run.sh/x", "x", "run.sh is a file"},
	} {
		if _, err := b.prepare("append", "path", tt.path, "content", tt.content); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %q: %v, want %q", tt.path, tt.content, err, tt.want)
		}
	}
}

// An append adds to what was seen; it does not make of lines that were not
// seen lines that were.
func TestAppendAndWhatIsSeen(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": strings.Repeat("x\n", 50), "b": "1\n2\n"})
	b.call("append", "path", "a", "content", "end\n")
	if action, err := b.prepare("write", "path", "a", "content", "new\n"); err != nil || action.Change != nil {
		t.Errorf("after an append to an unread file it can be replaced: %v", err)
	}
	if action, err := b.prepare("edit", "path", "a", "old", "end", "new", "END"); err != nil || action.Change == nil {
		t.Errorf("what was appended cannot be edited: %v", err)
	}
	b.see("b")
	b.call("append", "path", "b", "content", "3\n")
	if action, err := b.prepare("write", "path", "b", "content", "new\n"); err != nil || action.Change == nil {
		t.Errorf("after an append to a file read whole it cannot be replaced: %v", err)
	}
}
