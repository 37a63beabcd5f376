//go:build unix

package tools

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"aye/tools/text"
)

// Every byte and every bit that nobody asked to change stays as it is,
// whichever tool makes the change: line ends, byte order mark, the end of the
// file, its mode, the links to it.
func TestWhatNobodyAskedToChange(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, tool string
		was        string
		args       []any
		is         string
	}{
		{"byte order mark and CRLF", "edit", text.BOM + "x = 1\r\ny\r\n", []any{"old", "x = 1", "new", "x = 2"}, text.BOM + "x = 2\r\ny\r\n"},
		{"one CRLF among LF", "edit", "a\nb\r\nc\n", []any{"old", "a", "new", "A"}, "A\nb\r\nc\n"},
		{"one CRLF in the place", "edit", "a\nb\r\nc\n", []any{"old", "b\nc", "new", "B\nc"}, "a\nB\r\nc\n"},
		{"no newline at the end", "edit", "k=1", []any{"old", "1", "new", "2"}, "k=2"},
		{"three newlines at the end", "edit", "k=1\n\n\n", []any{"old", "1", "new", "2"}, "k=2\n\n\n"},
		{"a newline at the end taken away on purpose", "edit", "k=1\n", []any{"old", "1\n", "new", "2"}, "k=2"},
		{"and added on purpose", "edit", "k=1", []any{"old", "1", "new", "2\n"}, "k=2\n"},
		{"written over with CRLF", "write", "a\r\nb\r\n", []any{"content", "c\nd"}, "c\r\nd"},
		{"appended to with CRLF", "append", "a\r\n", []any{"content", "b\n"}, "a\r\nb\r\n"},
		{"a form feed and U+2028", "edit", "a\fb\u2028c\n", []any{"old", "c", "new", "d"}, "a\fb\u2028d\n"},
	} {
		for _, mode := range []fs.FileMode{0o755, 0o640, 0o600, 0o444} {
			b := newBench(t, map[string]string{"deep/real": tt.was})
			err := os.Chmod(b.ws.Abs("deep/real"), mode)
			if err == nil {
				err = os.Symlink("real", b.ws.Abs("deep/near"))
			}
			if err == nil {
				err = os.Symlink("deep/near", b.ws.Abs("link"))
			}
			if err != nil {
				t.Fatal(err)
			}
			b.see("link")
			if res := b.call(tt.tool, append([]any{"path", "link"}, tt.args...)...); res.Status != OK {
				t.Errorf("%s: %s", tt.name, res.Text)
			}
			info, err := os.Lstat(b.ws.Abs("deep/real"))
			if err != nil || info.Mode() != mode {
				t.Errorf("%s: mode %v, want %v; %v", tt.name, info.Mode(), mode, err)
			}
			near, err := os.Readlink(b.ws.Abs("deep/near"))
			link, linkErr := os.Readlink(b.ws.Abs("link"))
			if near != "real" || link != "deep/near" || err != nil || linkErr != nil {
				t.Errorf("%s: the links lead to %s and %s", tt.name, near, link)
			}
			if got := b.content("deep/real"); got != tt.is {
				t.Errorf("%s: %q, want %q", tt.name, got, tt.is)
			}
		}
	}
}

// Links that lead outside or nowhere are refused before anybody is asked, by
// each tool, and nothing is made.
func TestLinksThatLeadNowhere(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": "x\n"})
	outside := filepath.Join(filepath.Dir(b.ws.Name()), "outside")
	for name, target := range map[string]string{"dangling": "nowhere", "outward": outside, "up": "../outside", "loop": "loop"} {
		if err := os.Symlink(target, b.ws.Abs(name)); err != nil {
			t.Fatal(err)
		}
		for tool, args := range map[string][]any{"write": {"content", "y"}, "append": {"content", "y"}, "edit": {"old", "x", "new", "y"}, "read": nil} {
			action, err := b.prepare(tool, append([]any{"path", name}, args...)...)
			if err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s %s: %v, %+v", tool, name, err, action.Effects)
			}
		}
	}
	for _, path := range []string{outside, b.ws.Abs("nowhere")} {
		if _, err := os.Lstat(path); err == nil {
			t.Errorf("%s was made", path)
		}
	}
}

// Reading a pipe never waits, and its name says what it is.
func TestPipesAreRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	if err := syscall.Mkfifo(b.ws.Abs("pipe"), 0o666); err != nil {
		t.Fatal(err)
	}
	for tool, args := range map[string][]any{"write": {"content", "y"}, "append": {"content", "y"}, "edit": {"old", "x", "new", "y"}, "read": nil} {
		if _, err := b.prepare(tool, append([]any{"path", "pipe"}, args...)...); err == nil || !strings.Contains(err.Error(), "pipe is a named pipe; only regular files") {
			t.Errorf("%s: %v", tool, err)
		}
	}
}
