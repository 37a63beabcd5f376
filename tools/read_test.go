package tools

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
)

func TestReadNamesWhatItDoesNotShow(t *testing.T) {
	t.Parallel()
	var long strings.Builder
	for n := range 1000 {
		fmt.Fprintf(&long, "line %d %s\n", n+1, strings.Repeat("x", 190))
	}
	b := newBench(t, map[string]string{
		"long": long.String(), "wide": "short\n" + strings.Repeat("é", 50_000) + "\nafter\n",
		"mixed": "a\r\nb\nc", "empty": "", "zero": "a\x00b"[:1] + strings.Repeat("x", 9000) + "\x00\n",
	})
	for _, tt := range []struct {
		args    []any
		want    []string
		summary string
	}{
		{[]any{"path", "long"}, []string{"1: line 1 x", "\n[lines 79–1000 of 1000 are not shown; continue with offset 78]\n"}, "lines 1–78 of 1000"},
		{[]any{"path", "long", "offset", 998}, []string{"999: line 999", "1000: line 1000"}, "lines 999–1000 of 1000"},
		{[]any{"path", "long", "offset", 10, "limit", 2}, []string{"11: ", "12: ", "[lines 13–1000 of 1000 are not shown; continue with offset 12]"}, "lines 11–12 of 1000"},
		{[]any{"path", "wide"}, []string{"1: short\n2: éé", " bytes left out …]éé", "\n3: after\n[too long and cut: line 2; shell shows a part of one: sed -n 2p"}, "3 lines"},
		{[]any{"path", "mixed"}, []string{"1: a\n2: b\n3: c\n[mixed line ends: 1 CRLF, 1 LF]\n"}, "3 lines"},
		{[]any{"path", "empty"}, []string{"[empty is empty: 0 lines]"}, "empty"},
		{[]any{"path", "long", "offset", 1000}, []string{"[offset 1000 is past the end: long has 1000 lines]"}, "past the end"},
		{[]any{"path", "zero"}, []string{`\x00`, "not UTF-8"}, "1 line"},
	} {
		res := b.call("read", tt.args...)
		wants(t, fmt.Sprint(tt.args), res.Text, tt.want...)
		if res.Status != OK || res.View.Summary != tt.summary {
			t.Errorf("%v: %s, %q, want %q", tt.args, res.Status, res.View.Summary, tt.summary)
		}
		if len(res.Text) > maxText+6*keepOfLine {
			t.Errorf("%v: %d bytes", tt.args, len(res.Text))
		}
	}
}

func TestReadSaysWhatItCannotRead(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"src/parser.go": "x", "a.txt": "x"})
	for _, tt := range []struct {
		path string
		want []string
	}{
		{"src", []string{"src is a folder", "ls lists"}},
		{"src/parsr.go", []string{"does not exist", "did you mean src/parser.go?"}},
		{"nowhere/else.go", []string{"does not exist", "glob **/else.go"}},
		{"a.txt/b", []string{"a.txt is a file"}},
		{"../x", []string{"outside the workspace"}},
	} {
		_, err := b.prepare("read", "path", tt.path)
		if err == nil {
			t.Errorf("%s: no error", tt.path)
			continue
		}
		wants(t, tt.path, err.Error(), tt.want...)
	}
}

func TestReadMarksKeys(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{".env": "KEY=1\n", "main.go": ""})
	for path, risky := range map[string]bool{".env": true, "main.go": false} {
		action, err := b.prepare("read", "path", path)
		if err != nil {
			t.Fatal(err)
		}
		if e := action.Effects; len(e) != 1 || e[0].Kind != Read || e[0].Target != path || (e[0].Risk != "") != risky {
			t.Errorf("%s: %+v", path, e)
		}
	}
}

// The last lines of a file that does not fit in memory: here it has a hole of
// 100 MB, which costs no disk.
func TestReadOfAHugeFile(t *testing.T) {
	b := newBench(t, nil)
	f, err := os.Create(b.ws.Abs("huge"))
	if err != nil {
		t.Fatal(err)
	}
	head := strings.Repeat("0123456789\n", 1000)
	_, err = f.WriteString(head)
	if err == nil {
		_, err = f.WriteAt([]byte("\nlast but one\nlast\n"), 100<<20)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	last := b.call("read", "path", "huge", "offset", 1001)
	hole := b.call("read", "path", "huge", "offset", 1000, "limit", 1)
	runtime.ReadMemStats(&after)
	if last.Text != "1002: last but one\n1003: last\n" {
		t.Errorf("last lines: %q", last.Text)
	}
	wants(t, "the hole", hole.Text, "1001: ", "bytes left out", "lines 1002–1003 of 1003")
	if used := after.TotalAlloc - before.TotalAlloc; used > 8<<20 {
		t.Errorf("took %d MB of memory", used>>20)
	}
	if _, err := b.prepare("edit", "path", "huge", "old", "last but", "new", "x"); err == nil || !strings.Contains(err.Error(), "more than 67108864 bytes") {
		t.Errorf("edit: %v", err)
	}
}

// BenchmarkReadTail reads the last lines of a file of 64 MB.
func BenchmarkReadTail(b *testing.B) {
	bn := newBench(b, nil)
	line := strings.Repeat("x", 63) + "\n"
	if err := os.WriteFile(bn.ws.Abs("big"), []byte(strings.Repeat(line, 1<<20)), 0o644); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(64 << 20)
	b.ReportAllocs()
	for b.Loop() {
		if res := bn.call("read", "path", "big", "offset", 1<<20-10); !strings.HasPrefix(res.Text, "1048567: x") {
			b.Fatal(res.Text)
		}
	}
}
