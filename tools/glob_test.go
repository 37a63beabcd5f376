package tools

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"aye/tools/workspace"
)

func TestGlob(t *testing.T) {
	t.Parallel()
	files := map[string]string{"cmd/main.go": "", "lib/a.go": "", "lib/deep/b.go": "", "we{ird}/x[1].go": "", ".gitignore": "*.log\n", "x.log": ""}
	for n := range 250 {
		files[fmt.Sprintf("many/%s%03d", strings.Repeat("n", 100), n)] = ""
	}
	b := newBench(t, files)
	root := b.ws.Name()
	for _, tt := range []struct {
		pattern string
		want    []string
		lacks   string
	}{
		{"{cmd,lib}/**", []string{"cmd/main.go\nlib/a.go\nlib/deep/b.go"}, "many"},
		{root + "/lib/*.go", []string{"lib/a.go"}, "deep"},
		{"lib/../cmd/*", []string{"cmd/main.go"}, "lib"},
		{`we\{ird\}/*`, []string{"we{ird}/x[1].go"}, ""},
		{`**/x\[1\].go`, []string{"we{ird}/x[1].go"}, ""},
		{"many/*", []string{"n000\n", "[the first 146 of 250 files; use a narrower pattern for the others]"}, "n146\n"},
		{"lib", []string{"(no matches)\n[lib is a folder; lib/** lists the files in it]"}, ""},
		{"b.go", []string{"(no matches)", "**/b.go looks in all"}, ""},
		{"nowhere/*", []string{"(no matches)", "no folder nowhere"}, ""},
		{"**/*.log", []string{"(no matches)\n[only ignored files match: x.log]"}, ""},
	} {
		res := b.call("glob", "pattern", tt.pattern)
		wants(t, tt.pattern, res.Text, tt.want...)
		if res.Status != OK || (tt.lacks != "" && strings.Contains(res.Text, tt.lacks)) || len(res.Text) > maxText+200 {
			t.Errorf("%s: %s, %d bytes: %.200s", tt.pattern, res.Status, len(res.Text), res.Text)
		}
	}
	for pattern, want := range map[string]string{
		"../*":                         "outside the workspace",
		"/etc/*":                       "outside the workspace",
		"lib/../../*":                  "outside the workspace",
		"/**":                          "outside the workspace",
		"[":                            "not valid",
		"a{b":                          "not valid",
		strings.Repeat("{a,b}", 20):    "too complex",
		strings.Repeat("**/", 500):     "too complex",
		"a\x00b":                       "NUL",
		strings.Repeat("{a,{b,c}}", 9): "too complex",
	} {
		if _, err := b.prepare("glob", "pattern", pattern); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", pattern, err, want)
		}
	}
	if got := b.call("glob", "pattern", "{/etc,.,..}/**"); !strings.HasPrefix(got.Text, "(no matches)") {
		t.Errorf("braces that lead outside: %s", got.Text)
	}
}

// FuzzGlob holds that no pattern fails in any other way than with a sentence,
// and that all it lists is inside and there.
func FuzzGlob(f *testing.F) {
	for _, s := range []string{"**", "*.go", "{a,b}/**", "a/[!b]*", `\`, "../x", "a/**/b/../c", "[a-", "**/**/*a*b*", "./"} {
		f.Add(s)
	}
	b := newBench(f, map[string]string{"a/b/c.go": "", "a/x": "", "b": "", "[a": "", ".h/y": ""})
	f.Fuzz(func(t *testing.T, pattern string) {
		g, err := newGlobbing(b.ws, pattern)
		if err != nil {
			return
		}
		res := g.run(t.Context())
		for line := range strings.Lines(res.Text) {
			line = strings.TrimSuffix(line, "\n")
			if strings.HasPrefix(line, "(no matches)") || (strings.HasPrefix(line, "[") && line != "[a") {
				break
			}
			if _, err := b.ws.Stat(line); err != nil || !filepath.IsLocal(line) {
				t.Fatalf("%q lists %q: %v", pattern, line, err)
			}
		}
	})
}

// The rows of glob that the table above does not have: links, ignored files,
// negated classes, the workspace's own unresolved name.
func TestGlobRows(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"s/t/d.go": "", "a.go": "", "x/y": "", ".github/w.yml": "", ".gitignore": "out/\n*.log\n", "out/o.js": "", "a.log": "", "node_modules/m.js": ""})
	for target, name := range map[string]string{".": "loop", "../s": "s/again", "a.go": "same.go", "s": "link"} {
		if err := os.Symlink(target, b.ws.Abs(name)); err != nil {
			t.Fatal(err)
		}
	}
	for pattern, want := range map[string]string{
		"**/*.go":             "a.go\ns/t/d.go",                                                          // W18, W19, W20
		"link/**":             "s/t/d.go",                                                                // T97: under its real path
		"**":                  ".github/w.yml\n.gitignore\na.go\ns/t/d.go\nx/y",                          // W21
		"x[!a]y":              "(no matches)\n[x[!a]y looks in one folder only; **/x[!a]y looks in all]", // a class is no slash
		"x/[!a]":              "x/y",
		"**/*.js":             "(no matches)\n[only ignored files match: node_modules/m.js, out/o.js]",
		"out/*":               "out/o.js",
		"node_modules/**":     "node_modules/m.js",
		"**/*.{log,nothing}":  "(no matches)\n[only ignored files match: a.log]",
		b.ws.Name() + "/*.go": "a.go", // X18
	} {
		if got := b.call("glob", "pattern", pattern).Text; got != want {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
	other := filepath.Join(t.TempDir(), "other")
	if err := os.Symlink(b.ws.Name(), other); err != nil {
		t.Fatal(err)
	}
	ws, err := workspace.Open(other)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	g, err := newGlobbing(ws, other+"/*.go") // W23
	if err != nil {
		t.Fatal(err)
	}
	if got := g.run(t.Context()).Text; got != "a.go" {
		t.Errorf("the workspace by its unresolved name: %s", got)
	}
}

// Of very many files the first by name are listed, in whatever order the walk
// met them, and all are counted.
func TestGlobOfMany(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	var want []string
	for n := range 3000 {
		name := fmt.Sprintf("d%d/f%04d", n%7, n)
		files[name] = ""
		want = append(want, name)
	}
	slices.Sort(want)
	b := newBench(t, files)
	got := b.call("glob", "pattern", "**")
	if text := strings.Join(want[:200], "\n") + "\n[the first 200 of 3000 files; use a narrower pattern for the others]"; got.Text != text || got.View.Summary != "3000 files" {
		t.Errorf("%s: %s, want %s", got.View.Summary, got.Text, text)
	}
}

// W22, T99: a list that is whole does not say that it was cut, and one that is
// cut says how much there is.
func TestGlobAtTheLimit(t *testing.T) {
	t.Parallel()
	for total, ends := range map[int]string{maxLines: "f199", maxLines + 1: "f199\n[the first 200 of 201 files; use a narrower pattern for the others]"} {
		files := map[string]string{}
		for n := range total {
			files[fmt.Sprintf("f%03d", n)] = ""
		}
		got := newBench(t, files).call("glob", "pattern", "*").Text
		if !strings.HasPrefix(got, "f000\n") || !strings.HasSuffix(got, "\n"+ends) {
			t.Errorf("of %d: …%s", total, got[len(got)-100:])
		}
	}
}

// BenchmarkGlob looks through 100,000 files, and a bare walk of the same tree
// in turn: x-of-walk is our time over its.
func BenchmarkGlob(b *testing.B) {
	root := filepath.Join(b.TempDir(), "app")
	for folder := range 1000 {
		dir := filepath.Join(root, fmt.Sprintf("d%d/e%d", folder%10, folder))
		if err := os.MkdirAll(dir, 0o777); err != nil {
			b.Fatal(err)
		}
		for n := range 100 {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("file%d.%s", n, []string{"go", "txt"}[n%2])), nil, 0o666); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(root, ".gitignore"), []byte("*.log\n*.tmp\n/dist/\nbuild/\n__pycache__/\n*.py[co]\n!keep.log\n"), 0o666); err != nil {
		b.Fatal(err)
	}
	ws, err := workspace.Open(root)
	if err != nil {
		b.Fatal(err)
	}
	defer ws.Close()
	var ours, bare time.Duration
	for b.Loop() {
		begin := time.Now()
		n := 0
		filepath.WalkDir(root, func(string, fs.DirEntry, error) error { n++; return nil })
		middle := time.Now()
		g, err := newGlobbing(ws, "**/*.go")
		if err != nil {
			b.Fatal(err)
		}
		if res := g.run(b.Context()); res.View.Summary != "50000 files" || n < 100_000 {
			b.Fatal(res.View.Summary, n)
		}
		ours += time.Since(middle)
		bare += middle.Sub(begin)
	}
	b.ReportMetric(float64(ours.Milliseconds())/float64(b.N), "glob-ms")
	b.ReportMetric(ours.Seconds()/bare.Seconds(), "x-of-walk")
}
