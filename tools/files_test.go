package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"aye/tools/change"
	"aye/tools/skill"
	"aye/tools/text"
	"aye/tools/workspace"
)

// A bench is a workspace with its tools.
type bench struct {
	t    testing.TB
	ws   *workspace.Dir
	list []Tool
}

func newBench(t testing.TB, files map[string]string) *bench {
	t.Helper()
	root := filepath.Join(t.TempDir(), "app")
	if err := os.Mkdir(root, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		full := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := workspace.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	return &bench{t, ws, Catalog(Deps{Workspace: ws, Skills: skill.Load(ws)})}
}

// prepare prepares a call of the named tool; pairs are its arguments.
func (b *bench) prepare(name string, pairs ...any) (Action, error) {
	args := make(map[string]any)
	for n := 0; n < len(pairs); n += 2 {
		args[pairs[n].(string)] = pairs[n+1]
	}
	encoded, err := json.Marshal(args)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, tool := range b.list {
		if tool.Name == name {
			return tool.Prepare(b.t.Context(), string(encoded))
		}
	}
	b.t.Fatalf("no tool %s", name)
	return Action{}, nil
}

// call prepares and runs a call that can be prepared.
func (b *bench) call(name string, pairs ...any) Result {
	b.t.Helper()
	action, err := b.prepare(name, pairs...)
	if err != nil {
		b.t.Fatalf("%s %v: %v", name, pairs, err)
	}
	return action.Run(b.t.Context(), func(string) {})
}

func (b *bench) content(name string) string {
	b.t.Helper()
	data, err := os.ReadFile(b.ws.Abs(name))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(data)
}

func wants(t *testing.T, what, got string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(got, part) {
			t.Errorf("%s: %q lacks %q", what, got, part)
		}
	}
}

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
		{[]any{"path", "wide"}, []string{"1: short\n2: éé", " bytes left out …]éé", "\n3: after\n[line 2 is too long and was cut; shell shows a part of it: sed -n 2p"}, "3 lines"},
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
		{"src", []string{"src is a folder", "glob src/*"}},
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
// 300 MB, which costs no disk.
func TestReadOfAHugeFile(t *testing.T) {
	b := newBench(t, nil)
	f, err := os.Create(b.ws.Abs("huge"))
	if err != nil {
		t.Fatal(err)
	}
	head := strings.Repeat("0123456789\n", 1000)
	_, err = f.WriteString(head)
	if err == nil {
		_, err = f.WriteAt([]byte("\nlast but one\nlast\n"), 300<<20)
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

func TestRunsEndWithTheirContext(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": "old\n"})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, args := range map[string][]any{
		"read": {"path", "a"}, "glob": {"pattern", "**"}, "write": {"path", "a", "content", "new\n"}, "edit": {"path", "a", "old", "old", "new", "new"},
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
	wants(t, "create", res.Text, "Created new/deep/f: 1 line, 1 bytes", "no newline at the end")

	action, err = b.prepare("write", "path", "bin", "content", "text\n")
	if err != nil {
		t.Fatal(err)
	}
	wants(t, "over binary", action.Preview.Diffs[0].Note, "binary, 2 bytes, becomes")

	res = b.call("write", "path", "crlf", "content", "a\nc\n")
	wants(t, "CRLF", res.Text, "the file's CRLF line ends and byte order mark kept")
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
	res := b.call("edit", "path", "p.go", "old", "5\n", "new", "five\nand a half\n")
	wants(t, "edit", res.Text, "Edited p.go: +2 −1.", "2: 2\n3: 3\n4: 4\n5: five\n6: and a half\n7: 6\n8: 7\n9: 8")
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
	if _, err := b.prepare("edit", "path", "latin", "old", "x", "new", "y"); err == nil || !strings.Contains(err.Error(), "latin is not UTF-8") {
		t.Errorf("not UTF-8: %v", err)
	}
	if _, err := b.prepare("edit", "path", "p.go", "old", "4\nfive", "new", "4\nfive\n", "all", true); err == nil || !strings.Contains(err.Error(), `"all" is unknown`) {
		t.Errorf("unknown key: %v", err)
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
		action, err := b.prepare(name, args...)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(b.ws.Abs("a"), []byte("old\ntheirs\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		res := action.Run(t.Context(), func(string) {})
		wants(t, name, res.Text, "a was changed in the meantime", "nothing was written", "look at it again")
		if name == "edit" {
			wants(t, name, res.Text, "old still occurs once in it:\n1: old\n2: theirs")
		}
		if got := b.content("a"); res.Status != Failed || got != "old\ntheirs\n" {
			t.Errorf("%s: %s, the file is %q", name, res.Status, got)
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
			action, err := b.prepare("write", "path", call[0], "content", fmt.Sprint(n))
			if err == nil && action.Run(t.Context(), nil).Status == OK {
				written++
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
		{"**/*.log", []string{"(no matches)", ".gitignore"}, "x.log"},
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

func TestLoadSkill(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{
		".agents/skills/deploy/SKILL.md": "---\nname: deploy\ndescription: Ships it.\n---\n\n# Steps\r\n1. go\n\n",
		".agents/skills/long/SKILL.md":   strings.Repeat("a line of it\n", 5000),
	})
	res := b.call("load_skill", "name", "deploy")
	if want := "Skill: deploy\nBase directory: " + b.ws.Abs(".agents/skills/deploy") + "\n# Steps\n1. go"; res.Text != want || res.View.Summary != "2 lines" {
		t.Errorf("got %q, %q, want %q", res.Text, res.View.Summary, want)
	}
	res = b.call("load_skill", "name", "long")
	wants(t, "long", res.Text, "more characters; read .agents/skills/long/SKILL.md for the rest]")
	if len(res.Text) > maxText+300 {
		t.Errorf("%d bytes", len(res.Text))
	}
	if _, err := b.prepare("load_skill", "name", "deplo"); err == nil || !strings.Contains(err.Error(), "the skills are: deploy, long") {
		t.Errorf("unknown: %v", err)
	}
	if err := os.Remove(b.ws.Abs(".agents/skills/deploy/SKILL.md")); err != nil {
		t.Fatal(err)
	}
	action, err := b.prepare("load_skill", "name", "deploy")
	if err != nil {
		t.Fatal(err)
	}
	if res := action.Run(t.Context(), nil); res.Status != Failed || !strings.Contains(res.Text, "does not exist") {
		t.Errorf("removed: %+v", res)
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
