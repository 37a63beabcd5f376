package tools

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
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

// BenchmarkGlob looks through 20,000 files.
func BenchmarkGlob(b *testing.B) {
	files := make(map[string]string)
	for n := range 20_000 {
		files[fmt.Sprintf("d%d/e%d/file%d.%s", n%10, n%200, n, []string{"go", "txt"}[n%2])] = ""
	}
	bn := newBench(b, files)
	for b.Loop() {
		if res := bn.call("glob", "pattern", "**/*.go"); res.View.Summary != "10000 files" {
			b.Fatal(res.View.Summary)
		}
	}
}
