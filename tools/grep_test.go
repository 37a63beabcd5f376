package tools

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestGrep(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{
		"cmd/main.go": "package main\n\nfunc main() {\n\trun(1)\n}\n", "lib/run.go": "package lib\n// run( it\nfunc run(n int) {\n}\n",
		"lib/run.txt": "run(2)\r\nRUN(3)\r\n", "a|b.txt": "a|b\n", ".env": "run(\n", "x.bin": "\x00run(", ".gitignore": "*.log\n", "x.log": "run(",
		".github/w.yml": "run: run(\n", "node_modules/m/i.js": "run(",
	})
	for _, tt := range []struct {
		name  string
		args  []any
		want  string // the whole result
		shows string // the summary
	}{
		{"a regular expression, grouped by file", []any{"pattern", `run\(\d`},
			"2 matches in 2 files\ncmd/main.go\n4: \trun(1)\nlib/run.txt\n1: run(2)\n" +
				"[not searched, may hold keys or passwords: .env; read can show one]\n[not searched: node_modules; path can name such a folder]", ""},
		{"literal", []any{"pattern", "run(", "literal", true, "path", "lib"}, "3 matches in 2 files\nlib/run.go\n2: // run( it\n3: func run(n int) {\nlib/run.txt\n1: run(2)", "3 matches in 2 files"},
		{"case", []any{"pattern", `(?i)^RUN`, "path", "lib"}, "2 matches in 1 file\nlib/run.txt\n1: run(2)\n2: RUN(3)", "2 matches in 1 file"},
		{"a file", []any{"pattern", "run", "path", "./lib/run.go"}, "2 matches\n2: // run( it\n3: func run(n int) {", "2 matches"},
		{"an absolute path", []any{"pattern", "main", "path", b.ws.Name() + "/cmd", "context", 1},
			"2 matches in 1 file\ncmd/main.go\n1: package main\n2- \n3: func main() {\n4- \trun(1)", "2 matches in 1 file"},
		{"apart", []any{"pattern", "package|^}", "path", "cmd/main.go", "context", 1}, "2 matches\n1: package main\n2- \n--\n4- \trun(1)\n5: }", "2 matches"},
		{"glob by name", []any{"pattern", "run", "glob", "*.{txt,md}"}, "1 match in 1 file\nlib/run.txt\n1: run(2)\n[not searched: node_modules; path can name such a folder]", "1 match in 1 file"},
		{"glob by path", []any{"pattern", "run", "path", "lib", "glob", "lib/*.txt"}, "1 match in 1 file\nlib/run.txt\n1: run(2)", ""},
		{"glob within path", []any{"pattern", "run", "path", "lib", "glob", "./*.txt"}, "1 match in 1 file\nlib/run.txt\n1: run(2)", ""},
		{"glob turned around", []any{"pattern", "run", "path", "lib", "glob", "!*.go"}, "1 match in 1 file\nlib/run.txt\n1: run(2)", ""},
		{"hidden", []any{"pattern", "run", "path", ".github"}, "1 match in 1 file\n.github/w.yml\n1: run: run(", ""},
		{"ignored, named", []any{"pattern", "run", "path", "x.log"}, "1 match\n1: run(", ""},
		{"heavy, named", []any{"pattern", "run", "path", "node_modules"}, "1 match in 1 file\nnode_modules/m/i.js\n1: run(", ""},
		{"keys", []any{"pattern", "run", "path", ".env"}, "no matches in 0 files\n[not searched, may hold keys or passwords: .env; read can show one]", "0 matches"},
		{"nothing", []any{"pattern", "nowhere", "path", "lib"}, "no matches in 2 files", "0 matches"},
		{"a habit of other tools", []any{"pattern", `a\|c`, "path", "lib"}, `no matches in 2 files` + "\n" + `[\| is a literal |; | is the alternative]`, ""},
		{"an escaped bar is a bar", []any{"pattern", `a\|b`, "path", "a|b.txt"}, "1 match\n1: a|b", ""},
		{"a brace is a brace", []any{"pattern", `n int) {`, "path", "lib", "literal", true}, "1 match in 1 file\nlib/run.go\n3: func run(n int) {", ""},
	} {
		res := b.call("grep", tt.args...)
		if res.Text != tt.want {
			t.Errorf("%s: %q\nwant %q", tt.name, res.Text, tt.want)
		}
		if res.Status != OK || res.View.Text != res.Text || tt.shows != "" && res.View.Summary != tt.shows {
			t.Errorf("%s: %s, %+v", tt.name, res.Status, res.View)
		}
	}
	got := b.call("grep", "pattern", "run").Text
	wants(t, "all that is left out", got, "[binary, not shown, but matching: x.bin]", "[not searched, may hold keys or passwords: .env; read can show one]", "[not searched: node_modules;")
	if strings.Contains(got, "x.log") || strings.Contains(got, ".env\n") {
		t.Errorf("all: %s", got)
	}
	wants(t, "nothing at all", b.call("grep", "pattern", "nowhere").Text, "[what .gitignore names was left out; path can name it]")
}

// A bad pattern is never "no matches" (BUGS 37): it says where, and how else.
func TestGrepRefuses(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"dir/name.go": "foo( a{ x [ (?<=x)y\n"})
	for _, tt := range []struct {
		args []any
		want []string
	}{
		{[]any{"pattern", "foo("}, []string{"( is not closed at character 4", "literal: true"}},
		{[]any{"pattern", `\d(`}, []string{"at character 3", "literal: true"}},
		{[]any{"pattern", "(?<=x)y"}, []string{"at character 1", "literal: true"}},
		{[]any{"pattern", "["}, []string{"[ is not closed at character 1", "literal: true"}},
		{[]any{"pattern", "a\nb", "literal", true}, []string{"line end"}},
		{[]any{"pattern", ""}, []string{"pattern is empty"}},
		{[]any{"pattern", "x", "path", "dir/nam.go"}, []string{"does not exist", "did you mean dir/name.go?"}},
		{[]any{"pattern", "x", "path", "../x"}, []string{"outside the workspace"}},
		{[]any{"pattern", "x", "glob", "["}, []string{"not valid"}},
		{[]any{"pattern", "x", "context", -1}, []string{"must be 0 or more"}},
	} {
		_, err := b.prepare("grep", tt.args...)
		if err == nil {
			t.Errorf("%v is taken", tt.args)
			continue
		}
		wants(t, fmt.Sprint(tt.args...), err.Error(), tt.want...)
	}
	for _, pattern := range []string{"foo(", "a{", "[", "(?<=x)y"} {
		if res := b.call("grep", "pattern", pattern, "literal", true); !strings.HasPrefix(res.Text, "1 match") {
			t.Errorf("literal %s: %s", pattern, res.Text)
		}
	}
	if res := b.call("grep", "pattern", "a{"); !strings.HasPrefix(res.Text, "1 match") { // no count: a brace
		t.Errorf("a{: %s", res.Text)
	}
}

func TestGrepSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	files := map[string]string{"long/l": strings.Repeat("hit "+strings.Repeat("ü", 400)+"\n", 150)}
	for n := range 10 {
		files[fmt.Sprintf("many/f%02d", n)] = strings.Repeat("hit\n", 50)
	}
	b := newBench(t, files)
	got := b.call("grep", "pattern", "hit", "path", "many").Text
	wants(t, "many", got, "500 matches in 10 files\n", "… 20 more in this file\n", "many/f06\n", "[210 of 500 matches shown; narrow the search with path, glob or a longer pattern]")
	if strings.Contains(got, "many/f07") {
		t.Errorf("many: %s", got)
	}
	got = b.call("grep", "pattern", "hit", "path", "many/f03").Text
	if n := strings.Count(got, ": hit"); n != 50 || strings.Contains(got, "[") {
		t.Errorf("one file shows %d: %s", n, got)
	}
	for _, path := range []string{"long", "long/l"} {
		got = b.call("grep", "pattern", "hit", "path", path).Text
		shown := strings.Count(got, ": hit")
		if chars := utf8.RuneCountInString(got); chars > maxText+300 || !utf8.ValidString(got) {
			t.Errorf("%s: %d characters", path, chars)
		}
		wants(t, path, got[:20]+got[len(got)-150:], "150 matches", fmt.Sprintf("[%d of 150 matches shown", shown))
	}
}

func TestGrepIsInterrupted(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": "x"})
	action, err := b.prepare("grep", "pattern", "x")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if res := action.Run(ctx, func(string) {}); res.Status != Interrupted {
		t.Errorf("%s: %s", res.Status, res.Text)
	}
}

func TestLs(t *testing.T) {
	t.Parallel()
	files := map[string]string{"b.go": "12345", "a.txt": "1", ".hidden": "", "z/x": "", "c/.keep": "", ".gitignore": "*.log\nout/\n", "x.log": "22", "out/o": "", ".git/HEAD": "", "empty/gone": ""}
	for n := range 600 {
		files[fmt.Sprintf("many/f%03d", n)] = ""
	}
	b := newBench(t, files)
	for target, name := range map[string]string{"b.go": "link", "nowhere": "dangling", "/etc": "outside"} {
		if err := os.Symlink(target, b.ws.Abs(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(b.ws.Abs("empty/gone")); err != nil {
		t.Fatal(err)
	}
	want := ".git/  ignored\nc/\nempty/\nmany/\nout/  ignored\nz/\n.gitignore  11 bytes\n.hidden  0 bytes\na.txt  1 byte\nb.go  5 bytes\n" +
		"dangling -> nowhere\nlink -> b.go\noutside -> /etc\nx.log  2 bytes  ignored"
	for _, args := range [][]any{nil, {"path", ""}, {"path", "."}, {"path", b.ws.Name()}} {
		if res := b.call("ls", args...); res.Text != want || res.View.Summary != "14 entries" {
			t.Errorf("ls %v: %s\n%s\nwant %s", args, res.View.Summary, res.Text, want)
		}
	}
	for path, want := range map[string]string{"empty": "empty is empty", "z": "x  0 bytes", "out": "o  0 bytes  ignored"} {
		if res := b.call("ls", "path", path); res.Text != want {
			t.Errorf("ls %s: %s", path, res.Text)
		}
	}
	got := b.call("ls", "path", "many").Text
	wants(t, "many", got, "f499  0 bytes\n[the first 500 of 600 entries; glob with a pattern finds the others]")
	if strings.Contains(got, "f500") {
		t.Error("many shows more than it says")
	}
	for path, want := range map[string]string{"b.go": "read shows it", "zz": "does not exist", "outside": "outside the workspace", "..": "outside the workspace"} {
		if _, err := b.prepare("ls", "path", path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ls %s: %v", path, err)
		}
	}
}
