package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"aye/agent/journal"
)

func line(n int) []byte {
	return fmt.Appendf(nil, `{"id":%d,"text":"ä %s"}`, n, strings.Repeat("x", n%7))
}

func create(t testing.TB, lines int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sessions", "one.jsonl")
	j, err := journal.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range lines {
		if err := j.Append(line(n)); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func write(t testing.TB, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "one.jsonl")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t testing.TB, path string) (*journal.Journal, journal.Found) {
	t.Helper()
	j, found, err := journal.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() }) // again is fine
	return j, found
}

func TestCreateAppendOpen(t *testing.T) {
	t.Parallel()
	path := create(t, 10)
	_, found := open(t, path)
	if len(found.Lines) != 10 || len(found.Skipped) != 0 || found.Copy != "" {
		t.Errorf("%d lines, skipped %v, copy %q", len(found.Lines), found.Skipped, found.Copy)
	}
	for n, l := range found.Lines {
		if !bytes.Equal(l, line(n)) {
			t.Errorf("line %d is %s", n, l)
		}
	}
	if _, err := journal.Create(path); !errors.Is(err, fs.ErrExist) {
		t.Errorf("creating it again: %v", err)
	}
}

func TestModes(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		return // modes are the profile's there
	}
	path := create(t, 1)
	for name, want := range map[string]fs.FileMode{path: 0o600, filepath.Dir(path): fs.ModeDir | 0o700} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != want {
			t.Errorf("%s is %v, not %v", filepath.Base(name), info.Mode(), want)
		}
	}
}

func TestSecondOpener(t *testing.T) {
	t.Parallel()
	path := create(t, 3)
	j, _ := open(t, path)
	if _, _, err := journal.Open(path); !errors.Is(err, journal.ErrInUse) || !strings.Contains(err.Error(), "open in another aye") {
		t.Errorf("a second opener got %v", err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, path)
}

// TestCutAtEveryByte cuts the file at every byte of the last three records:
// all whole ones load, the rest is kept beside, and writing goes on.
func TestCutAtEveryByte(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(create(t, 6))
	if err != nil {
		t.Fatal(err)
	}
	start := 0
	for n := range 3 {
		start += len(line(n)) + 1
	}
	for cut := start; cut <= len(data); cut++ {
		path := write(t, data[:cut])
		whole := bytes.Count(data[:cut], []byte("}\n"))
		torn := data[bytes.LastIndexByte(data[:cut], '\n')+1 : cut]
		if bytes.HasSuffix(torn, []byte("}")) { // only the end of its line is missing
			whole, torn = whole+1, nil
		}
		j, found := open(t, path)
		if len(found.Lines) != whole {
			t.Fatalf("cut at %d: %d records, want %d", cut, len(found.Lines), whole)
		}
		if (found.Copy != "") != (len(torn) > 0) || len(found.Skipped) != min(1, len(torn)) {
			t.Fatalf("cut at %d: copy %q, skipped %v", cut, found.Copy, found.Skipped)
		}
		if found.Copy != "" {
			if kept, err := os.ReadFile(found.Copy); err != nil || !bytes.Equal(kept, torn) {
				t.Fatalf("cut at %d: the copy holds %q (%v), want %q", cut, kept, err, torn)
			}
		}
		if err := errors.Join(j.Append(line(100)), j.Close()); err != nil {
			t.Fatal(err)
		}
		_, again := open(t, path)
		if len(again.Lines) != whole+1 || len(again.Skipped) != 0 {
			t.Fatalf("cut at %d, then one more: %d records, skipped %v", cut, len(again.Lines), again.Skipped)
		}
	}
}

func TestDamage(t *testing.T) {
	t.Parallel()
	a, b, c := string(line(1)), string(line(2)), string(line(3))
	zeros := strings.Repeat("\x00", 4096)
	for name, test := range map[string]struct {
		data    string
		want    []string
		skipped string
		copied  bool
	}{
		"empty":               {"", nil, "[]", false},
		"CRLF":                {a + "\r\n" + b + "\r\n", []string{a, b}, "[]", false},
		"byte order mark":     {"\ufeff" + a + "\n", []string{a}, "[]", false},
		"blank lines":         {"\n" + a + "\n\n  \n" + b + "\n", []string{a, b}, "[]", false},
		"a bad line":          {a + "\nrubbish\n" + b + "\n", []string{a, b}, "[{2 not JSON}]", false},
		"half a line in it":   {a + "\n" + b[:9] + "\n" + c + "\n", []string{a, c}, "[{2 not JSON}]", false},
		"two on one line":     {a + b + "\n" + c + "\n", []string{c}, "[{1 not JSON}]", false},
		"no object":           {"null\n[1]\n7\n" + a + "\n", []string{a}, "[{1 not JSON} {2 not JSON} {3 not JSON}]", false},
		"a duplicate":         {a + "\n" + b + "\n" + b + "\n" + c + "\n", []string{a, b, c}, "[{3 the same as the line before}]", false},
		"a line of zeros":     {a + "\n" + zeros + "\n" + b + "\n", []string{a, b}, "[{2 zeros}]", false},
		"zeros before a line": {a + "\n" + zeros + b + "\n", []string{a, b}, "[{2 zeros}]", false},
		"zeros at the end":    {a + "\n" + zeros, []string{a}, "[{2 torn}]", true},
		"only zeros":          {zeros, nil, "[{1 torn}]", true},
		"torn":                {a + "\n" + b[:12], []string{a}, "[{2 torn}]", true},
		"no newline":          {a + "\n" + b, []string{a, b}, "[]", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := write(t, []byte(test.data))
			j, found := open(t, path)
			var got []string
			for _, l := range found.Lines {
				got = append(got, string(l))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("records %q\nwant %q", got, test.want)
			}
			if s := fmt.Sprint(found.Skipped); s != test.skipped {
				t.Errorf("skipped %s, want %s", s, test.skipped)
			}
			if (found.Copy != "") != test.copied {
				t.Errorf("copy %q", found.Copy)
			}
			if err := errors.Join(j.Append(line(9)), j.Close()); err != nil {
				t.Fatal(err)
			}
			if _, again := open(t, path); len(again.Lines) != len(test.want)+1 {
				t.Errorf("after one more: %d records", len(again.Lines))
			}
		})
	}
}

func TestWhatIsNoJournal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "none.jsonl")} {
		_, _, err := journal.Open(path)
		if err == nil || !strings.Contains(err.Error(), "cannot be opened: ") || strings.Contains(err.Error(), "stat ") {
			t.Errorf("%v", err)
		}
	}
	if _, err := journal.Create(filepath.Join(write(t, nil), "one.jsonl")); err == nil {
		t.Error("a folder below a file was made")
	}
}

func TestAppendRefusesNewlines(t *testing.T) {
	t.Parallel()
	j, _ := open(t, create(t, 0))
	if err := j.Append([]byte("{\n}")); err == nil {
		t.Error("a line with a newline was taken")
	}
}

func TestAppendAfterCloseFails(t *testing.T) {
	t.Parallel()
	j, _ := open(t, create(t, 0))
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if err := j.Append(line(1)); err == nil {
		t.Error("a closed journal took a line")
	}
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte("{\"a\":1}\n\x00\x00{\"b\":2}\r\nrubbish\n{\"c\""))
	f.Add([]byte("\ufeff{}\n{}\n{}"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(dir, "one.jsonl")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		j, found, err := journal.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if found.Copy != "" {
			defer os.Remove(found.Copy)
		}
		if err := errors.Join(j.Append(line(1)), j.Close()); err != nil {
			t.Fatal(err)
		}
		j, again, err := journal.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		want := found.Lines
		if n := len(want); n == 0 || !bytes.Equal(want[n-1], line(1)) { // else it is a duplicate
			want = append(want, line(1))
		}
		if !slices.EqualFunc(again.Lines, want, bytes.Equal) || again.Copy != "" {
			t.Errorf("records %q, want %q, copy %q", again.Lines, want, again.Copy)
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	j, _ := open(b, create(b, 0))
	l := []byte(`{"type":"replied","text":"` + strings.Repeat("x", 1000) + `"}`)
	b.ReportAllocs()
	for b.Loop() {
		if err := j.Append(l); err != nil {
			b.Fatal(err)
		}
	}
}
