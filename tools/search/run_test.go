package search

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf16"

	"aye/tools/workspace"
)

// open makes a workspace with files in it.
func open(t testing.TB, files map[string]string) *workspace.Dir {
	t.Helper()
	root := filepath.Join(t.TempDir(), "app")
	if err := os.Mkdir(root, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		full := filepath.Join(root, name)
		err := os.MkdirAll(filepath.Dir(full), 0o777)
		if err == nil {
			err = os.WriteFile(full, []byte(content), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	ws, err := workspace.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	return ws
}

func search(t testing.TB, ws *workspace.Dir, expr string, q Query) *Report {
	t.Helper()
	q.Pattern = compile(t, expr, false)
	if q.Path == "" {
		q.Path = "."
	}
	if q.Lines == 0 {
		q.Lines, q.PerFile = 200, 30
	}
	report, err := Run(t.Context(), ws, q)
	if err != nil {
		t.Fatalf("%s: %v", expr, err)
	}
	return report
}

// show is what was found in files, on one line.
func show(files []File) string {
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "%s(%d)", f.Path, f.Matches)
		for _, line := range f.Lines {
			mark := "-"
			if line.Match {
				mark = ":"
			}
			fmt.Fprintf(&b, " %d%s%s", line.Number, mark, line.Text)
		}
		b.WriteString("; ")
	}
	return strings.TrimSuffix(b.String(), "; ")
}

func TestAround(t *testing.T) {
	t.Parallel()
	ws := open(t, map[string]string{"f": "1\n2\nX3\n4\n5\n6\n7\nX8\nX9\n10\n\r\n12\r13\nX14"})
	for around, want := range map[int]string{
		0: "f(4) 3:X3 8:X8 9:X9 14:X14",
		1: "f(4) 2-2 3:X3 4-4 7-7 8:X8 9:X9 10-10 13-13 14:X14",
		2: "f(4) 1-1 2-2 3:X3 4-4 5-5 6-6 7-7 8:X8 9:X9 10-10 11- 12-12 13-13 14:X14",
		9: "f(4) 1-1 2-2 3:X3 4-4 5-5 6-6 7-7 8:X8 9:X9 10-10 11- 12-12 13-13 14:X14",
	} {
		if got := show(search(t, ws, "X", Query{Around: around}).Files); got != want {
			t.Errorf("around %d: %s\nwant %s", around, got, want)
		}
	}
}

// What is around a match is told though it is in another chunk, and lines are
// numbered through.
func TestAroundAcrossChunks(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	want := ""
	for n := 1; b.Len() < 5*chunk; n++ {
		line := fmt.Sprintf("line %d %s", n, strings.Repeat("y", n%90))
		if n%2000 == 0 {
			line = "MARK " + line
			want += fmt.Sprintf(" %d- %d- %d: %d- %d-", n-2, n-1, n, n+1, n+2)
		}
		b.WriteString(line + []string{"\n", "\r\n"}[n%2])
	}
	ws := open(t, map[string]string{"f": b.String()})
	for _, expr := range []string{"MARK", `^M\w+K .*\d+`, `(?i)mark`} {
		report := search(t, ws, expr, Query{Around: 2, Lines: 100, PerFile: 100})
		got := ""
		for _, line := range report.Files[0].Lines {
			mark := "-"
			if line.Match {
				mark = ":"
			}
			got += fmt.Sprintf(" %d%s", line.Number, mark)
			if !strings.Contains(line.Text, fmt.Sprintf("line %d ", line.Number)) {
				t.Fatalf("line %d is %s", line.Number, line.Text)
			}
		}
		if got != want {
			t.Errorf("%s: %s\nwant %s", expr, got, want)
		}
	}
}

// A line that is too long to be held is searched in pieces and counts once;
// what is shown of it is near its match.
func TestLongLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", longest) + "NEEDLE" + strings.Repeat("é", longest) + "NEEDLE"
	ws := open(t, map[string]string{"f": "a\n" + long + "\nNEEDLE z\n"})
	report := search(t, ws, "NEEDLE", Query{})
	if report.Matches != 2 || len(report.Files[0].Lines) != 2 || report.Files[0].Lines[1] != (Line{3, "NEEDLE z", true}) {
		t.Fatalf("%d matches: %.300s", report.Matches, show(report.Files))
	}
	first := report.Files[0].Lines[0]
	if first.Number != 2 || len(first.Text) > keptLine+2*len("…") || !strings.HasPrefix(first.Text, "…") || !strings.Contains(first.Text, "NEEDLE") || !strings.HasSuffix(first.Text, "…") {
		t.Errorf("line %d: %s", first.Number, first.Text)
	}
	if got := compile(t, `b+`, false).shorten([]byte(strings.Repeat("a", 250)+"b"+strings.Repeat("c", 250)), true); !strings.Contains(got, "abc") || len(got) > keptLine+6 {
		t.Errorf("shortened: %s", got)
	}
}

// Whatever is found first, the report is of the first files by name.
func TestReportIsOfTheFirstFiles(t *testing.T) {
	t.Parallel()
	files := make(map[string]string)
	for n := range 400 {
		files[fmt.Sprintf("d%02d/f%03d", n%20, n)] = strings.Repeat("hit\nmiss\n", 10)
	}
	ws := open(t, files)
	var first string
	for range 5 {
		report := search(t, ws, "hit", Query{Lines: 25, PerFile: 3})
		got := show(report.Files)
		if first == "" {
			first = got
		}
		if got != first || report.Matches != 4000 || report.Matching != 400 || report.Searched != 400 {
			t.Fatalf("%d matches in %d of %d: %s", report.Matches, report.Matching, report.Searched, got)
		}
	}
	if want := "d00/f000(10) 1:hit 3:hit 5:hit; d00/f020(10)"; !strings.HasPrefix(first, want) || strings.Count(first, ";") != 8 {
		t.Errorf("report: %s", first)
	}
}

func TestFilesThatAreNotShown(t *testing.T) {
	t.Parallel()
	ws := open(t, map[string]string{
		"a.bin": "key\x00\n", "b.bin": "\x00 none", "late": strings.Repeat("x", 9000) + "\x00\nkey\n",
		".env": "key=1\n", "sub/id_rsa": "key", ".ssh/config": "key", "x.pem": "key", ".env.example": "key\n",
		".gitignore": "*.log\n", "a.log": "key", "node_modules/m.js": "key", ".git/config": "key", ".git/HEAD": "key", "empty": "",
	})
	if err := os.Symlink(ws.Name()+"/.gitignore", ws.Abs("link")); err != nil {
		t.Fatal(err)
	}
	r := search(t, ws, "key", Query{})
	if got := show(r.Files); got != ".env.example(1) 1:key; late(1) 2:key" {
		t.Errorf("found %s", got)
	}
	if got := fmt.Sprint(r.Binary, r.Secret, r.Unread, r.Walked, r.Searched); got != "{[a.bin] 1} {[.env .ssh/config sub/id_rsa x.pem] 4} {[] 0} {[node_modules] 1 0 false} 6" {
		t.Errorf("not shown: %s", got)
	}
	// What is named is searched, unless it may hold keys.
	for path, want := range map[string]string{"a.log": "a.log(1) 1:key", "node_modules": "node_modules/m.js(1) 1:key", ".env": "", ".ssh": ""} {
		r := search(t, ws, "key", Query{Path: path})
		if got := show(r.Files); got != want || (want == "") != (r.Secret.Total == 1) {
			t.Errorf("in %s: %q, %v", path, got, r.Secret)
		}
	}
	if _, err := Run(t.Context(), ws, Query{Pattern: compile(t, "x", false), Path: "nowhere"}); err == nil {
		t.Error("a path that is not there is no error")
	}
}

// A file in another encoding is searched as text.
func TestEncodings(t *testing.T) {
	t.Parallel()
	words := "erste Zeile\nGrüße aus Köln, 日本\nEnde\n"
	wide := []byte("\xff\xfe")
	for _, c := range utf16.Encode([]rune(strings.Repeat(words, 20_000))) {
		wide = append(wide, byte(c), byte(c>>8))
	}
	latin := strings.NewReplacer("ü", "\xfc", "ß", "\xdf", "ö", "\xf6", ", 日本", "").Replace(strings.Repeat(words, 20))
	ws := open(t, map[string]string{
		"plain": words, "bom": "\ufeff" + words, "wide": string(wide), "latin": latin,
		"sjis": strings.Repeat("\x93\xfa\x96\x7b\x8c\xea\x82\xcc\x83\x65\x83\x4c\x83\x58\x83\x67\n", 40), // 日本語のテキスト
		"odd":  "\xff\xfe\x00\xd8x", "broken": "Gr\xc3\xbc\xc3\x9fe \xff Köln\n",
	})
	for expr, want := range map[string]string{
		`^erste`:     "bom plain wide latin",
		`Grüße`:      "bom broken plain wide latin",
		`(?i)GRÜSS`:  "",
		`\pL{5} aus`: "bom plain wide latin",
		`日本`:         "bom plain sjis wide",
		`^日本語`:       "sjis",
		`K.ln`:       "bom broken plain wide latin",
		`aus K`:      "bom plain wide latin",
	} {
		r := search(t, ws, expr, Query{Lines: 10_000, PerFile: 1})
		var names []string
		for _, f := range r.Files {
			names = append(names, f.Path)
			for _, line := range f.Lines {
				if strings.Contains(line.Text, "\ufffd") || strings.Contains(line.Text, `\x`) && f.Path != "broken" {
					t.Errorf("%s: %s shows %q", expr, f.Path, line.Text)
				}
			}
		}
		wanted := strings.Fields(want)
		if len(names) != len(wanted) || r.Unread.Total > 0 {
			t.Errorf("%s is found in %v, want %v; unread %v", expr, names, wanted, r.Unread)
		}
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	t.Parallel()
	files := make(map[string]string)
	for n := range 300 {
		files[fmt.Sprint("f", n)] = strings.Repeat("ab", 20_000)
	}
	ws := open(t, files)
	ctx, cancel := context.WithCancel(t.Context())
	var seen atomic.Int32
	q := Query{Pattern: compile(t, `(a|b)*a(a|b){12}c`, false), Path: ".", Lines: 1, PerFile: 1, Only: func(string) bool {
		if seen.Add(1) == 5 {
			cancel()
		}
		return true
	}}
	report, err := Run(ctx, ws, q)
	if err != nil || !report.Ended || report.Searched > 20 {
		t.Errorf("%+v, %v", report, err)
	}
	if !errors.Is(ctx.Err(), context.Canceled) {
		t.Error("the context was not ended: the test shows nothing")
	}
}
