package skill

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aye/tools/workspace"
)

func open(t testing.TB, files map[string]string) *workspace.Dir {
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
		if err := os.WriteFile(full, []byte(content), 0o666); err != nil {
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

// one loads a workspace with one skill, in the folder "f".
func one(t *testing.T, content string) (Skill, []Problem) {
	t.Helper()
	c := Load(open(t, map[string]string{".agents/skills/f/SKILL.md": content}))
	if len(c.Skills) > 1 {
		t.Fatalf("%d skills", len(c.Skills))
	}
	if len(c.Skills) == 0 {
		return Skill{}, c.Problems
	}
	return c.Skills[0], c.Problems
}

func TestFrontMatter(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("x", 1<<20)
	for _, tt := range []struct{ name, content, wantName, wantDescription, problem string }{
		{"plain", "---\nname: a\ndescription: does it\n---\nbody", "a", "does it", ""},
		{"none", "# Title\n", "f", "", ""},
		{"almost none", "--- \nname: a\n---\n", "f", "", ""},
		{"empty file", "", "f", "", ""},
		{"BOM and CRLF", "\ufeff---\r\nname: a\r\ndescription: d\r\n---\r\nbody", "a", "d", ""},
		{"quotes", "---\nname: \"a\"\ndescription: 'it''s'\n---\n", "a", "it's", ""},
		{"colon inside", "---\nname: a\ndescription: Use when: x\n---\n", "a", "Use when: x", ""},
		{"tabs", "---\nname:\ta\n\tdescription: d\n---\n", "a description: d", "", ""},
		{"literal block", "---\nname: a\ndescription: |\n  one\n  two\n---\n", "a", "one two", ""},
		{"folded block", "---\nname: a\ndescription: >-\n  one\n  two\n---\n", "a", "one two", ""},
		{"comment", "---\nname: a # the name\ndescription: d\n---\n", "a", "d", ""},
		{"nested map", "---\nname: a\nmetadata:\n  name: b\ndescription: d\n---\n", "a", "d", ""},
		{"a number", "---\nname: 3000\ndescription: 1.50\n---\n", "3000", "1.50", ""},
		{"yes", "---\nname: yes\n---\n", "yes", "", ""},
		{"null", "---\nname: null\ndescription: ~\n---\n", "f", "", ""},
		{"a list", "---\nname: a\ndescription: [a: b]\n---\n", "a", "[a: b]", ""},
		{"three dashes inside", "---\nname: a\n---\nx\n---\ny", "a", "", ""},
		{"not closed", "---\nname: a\n", "", "", "not closed"},
		{"not UTF-8", "---\nname: caf\xe9\n---\n", "", "", "not UTF-8"},
		{"UTF-16", "\xff\xfea\x00", "", "", "UTF-16"},
		{"binary", "\x00\x01", "", "", "binary"},
		{"a name of 1 MB", "---\nname: " + big + "\n---\n", "", "", "not closed"},
		{"a long name", "---\nname: " + big[:200] + "\n---\n", "f", "", "name is too long"},
		{"a name with escapes", "---\nname: \"a\\e[2Jb\"\n---\n", "f", "", "control characters"},
		{"a long description", "---\nname: a\ndescription: " + big[:5000] + "\n---\n", "a", big[:maxDescription], "was cut"},
		{"no YAML at all", "---\n{{{\n---\n", "f", "", "no valid YAML"},
		{"aliases", "---\na: &a [x,x]\nb: &b [*a,*a]\nname: *b\n---\n", "*b", "", ""},
		{"keys in another case", "---\nName: b\nDESCRIPTION: x\n---\n", "f", "", ""},
		{"a key twice", "---\nname: a\nname: b\ndescription: c\ndescription: d\n---\n", "b", "d", ""},
		{"other keys", "---\nlicense: MIT\nname: a\nversion: 1\n---\n", "a", "", ""},
		{"quotes that do not match", "---\nname: \"a'\ndescription: 'b\n---\n", "a", "b", ""},
		{"a block with a plus", "---\nname: a\ndescription: |+\n  one\n\n  two\n\n---\n", "a", "one two", ""},
		{"a continued line", "---\nname: a\ndescription: one\n  two\n\tthree\n---\n", "a", "one two three", ""},
		{"a comment between", "---\nname: a\n# name: b\n  # more\ndescription: d # e\n---\n", "a", "d", ""},
		{"indented after a comment", "---\n# about\n  name: a\n---\n", "a", "", ""},
		{"a line that is no key", "---\nname: a\nwhatever\ndescription: d\n---\n", "a", "d", ""},
		{"a broken line, others fine", "---\nname: a\n  - what: [\ndescription: d\n---\n", "a - what: [", "d", ""},
	} {
		s, problems := one(t, tt.content)
		if s.Name != tt.wantName || s.Description != tt.wantDescription {
			t.Errorf("%s: name %.80q, description %.80q", tt.name, s.Name, s.Description)
		}
		if got := fmt.Sprint(problems); (tt.problem == "") != (len(problems) == 0) || !strings.Contains(got, tt.problem) {
			t.Errorf("%s: problems %.200s, want %q", tt.name, got, tt.problem)
		}
	}
}

// A file of many aliases to aliases must neither take time nor memory.
func TestAliasBomb(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("---\na0: &a0 [x]\n")
	for n := range 60 {
		fmt.Fprintf(&b, "a%d: &a%d [*a%d,*a%d,*a%d]\n", n+1, n+1, n, n, n)
	}
	b.WriteString("name: bomb\n---\n")
	if s, problems := one(t, b.String()); s.Name != "bomb" || len(problems) != 0 {
		t.Errorf("name %q, problems %v", s.Name, problems)
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	ws := open(t, map[string]string{
		".agents/skills/b/SKILL.md":        "---\nname: beta\n---\nB",
		".agents/skills/a/SKILL.md":        "A",
		".agents/skills/.dot/SKILL.md":     "dot",
		".agents/skills/c/SKILL.md":        "---\nname: a\n---\nsame name as folder a",
		".agents/skills/d/skill.md":        "wrong case",
		".agents/skills/e/deep/SKILL.md":   "too deep",
		".agents/skills/README.md":         "no folder",
		".agents/skills/g/SKILL.md/folder": "",
		"real/SKILL.md":                    "---\nname: linked\n---\n",
	})
	outside := filepath.Join(filepath.Dir(ws.Name()), "outside")
	if err := os.Mkdir(outside, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"h": "../../real", "i": "../../real", "j": outside, "k": "nowhere"} {
		if err := os.Symlink(target, ws.Abs(".agents/skills/"+name)); err != nil {
			t.Fatal(err)
		}
	}
	c := Load(ws)
	var names []string
	for _, s := range c.Skills {
		names = append(names, s.Name)
	}
	if got := strings.Join(names, " "); got != ".dot a beta linked" {
		t.Errorf("skills: %s", got)
	}
	if s, _ := c.Find("linked"); s.Path != ws.Abs("real/SKILL.md") {
		t.Errorf("path of a linked skill: %s", s.Path)
	}
	if _, ok := c.Find("nope"); ok {
		t.Error("found a skill that is not there")
	}
	all := fmt.Sprint(c.Problems)
	for _, want := range []string{"skills/c/SKILL.md the name a is taken by .agents/skills/a/SKILL.md", "skills/g/SKILL.md", "skills/i/SKILL.md the name linked is taken", "skills/j/SKILL.md"} {
		if !strings.Contains(all, want) {
			t.Errorf("problems %s lack %q", all, want)
		}
	}
	if len(c.Problems) != 4 {
		t.Errorf("%d problems: %s", len(c.Problems), all)
	}
}

func TestLoadWithoutSkills(t *testing.T) {
	t.Parallel()
	if c := Load(open(t, nil)); len(c.Skills)+len(c.Problems) != 0 {
		t.Errorf("%+v", c)
	}
	if c := Load(open(t, map[string]string{".agents": "a file"})); len(c.Skills) != 0 || len(c.Problems) != 1 {
		t.Errorf("a file in the way: %+v", c)
	}
}

// The person's skills come first, may be links to anywhere, and one bad one
// costs only itself.
func TestOwn(t *testing.T) {
	t.Parallel()
	ws := open(t, map[string]string{
		".agents/skills/mine/SKILL.md":  "---\ndescription: a stranger's\n---\nrun this",
		".agents/skills/local/SKILL.md": "L",
	})
	home := t.TempDir()
	files := map[string]string{
		"own/mine/SKILL.md":        "---\ndescription: the person's\n---\nMine",
		"own/mine/ref/notes.md":    "notes",
		"own/broken/SKILL.md":      "---\nname: b\n",
		"own/README.md":            "no folder",
		"own/empty/x":              "",
		"dotfiles/linked/SKILL.md": "---\nname: linked\n---\nfar away",
		"second/mine/SKILL.md":     "third of this name",
		"second/other/SKILL.md":    "O",
	}
	for name, content := range files {
		full := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"linked": "../dotfiles/linked", "dangling": "nowhere", "note": "README.md"} {
		if err := os.Symlink(target, filepath.Join(home, "own", name)); err != nil {
			t.Fatal(err)
		}
	}
	c := Load(ws, filepath.Join(home, "own"), filepath.Join(home, "absent"), filepath.Join(home, "second"))
	var got []string
	for _, s := range c.Skills {
		body, err := c.Body(s)
		got = append(got, fmt.Sprintf("%s=%s own:%v err:%v", s.Name, body, s.Own, err))
	}
	want := "linked=far away own:true err:<nil>, mine=Mine own:true err:<nil>, other=O own:true err:<nil>, local=L own:false err:<nil>"
	if strings.Join(got, ", ") != want {
		t.Errorf("skills:\n%s, want\n%s", strings.Join(got, ", "), want)
	}
	var problems []string
	for _, p := range c.Problems {
		problems = append(problems, filepath.ToSlash(p.Path)+": "+p.Reason)
	}
	all := strings.Join(problems, "\n")
	for _, want := range []string{"own/broken/SKILL.md: the front matter is not closed", "second/mine/SKILL.md: the name mine is taken by ", ".agents/skills/mine/SKILL.md: the name mine is taken by "} {
		if !strings.Contains(all, want) {
			t.Errorf("the problems lack %q:\n%s", want, all)
		}
	}
	if len(problems) != 3 {
		t.Errorf("problems:\n%s", all)
	}

	s, _ := c.Find("mine")
	folder, rel, ok := c.Folder(filepath.Join(s.Folder(), "ref", "notes.md"))
	if !ok || rel != "ref/notes.md" || folder != s.Folder() {
		t.Errorf("Folder: %q, %q, %v", folder, rel, ok)
	}
	for _, path := range []string{filepath.Join(home, "own", "README.md"), filepath.Join(s.Folder(), "..", "broken", "SKILL.md"), ws.Abs(".agents/skills/local/SKILL.md"), "ref/notes.md"} {
		if _, _, ok := c.Folder(path); ok {
			t.Errorf("Folder lets %s through", path)
		}
	}
}

func TestBody(t *testing.T) {
	t.Parallel()
	b64, err := base64.StdEncoding.DecodeString("YQ1iDQpjDGTigKhlCg==") // a CR b CRLF c FF d U+2028 e LF
	if err != nil {
		t.Fatal(err)
	}
	ws := open(t, map[string]string{".agents/skills/f/SKILL.md": "---\nname: x\n---\n\n" + string(b64) + "\n"})
	c := Load(ws)
	s, _ := c.Find("x")
	if body, err := c.Body(s); body != "a\nb\nc\fd\u2028e" || err != nil {
		t.Errorf("Body: %q, %v", body, err)
	}
	// The link trick after the start: the folder now leads outside.
	outside := filepath.Join(filepath.Dir(ws.Name()), "outside")
	err = os.Rename(ws.Abs(".agents/skills/f"), outside)
	if err == nil {
		err = os.Symlink(outside, ws.Abs(".agents/skills/f"))
	}
	if err != nil {
		t.Fatal(err)
	}
	if body, err := c.Body(s); err == nil || !strings.Contains(err.Error(), "outside") {
		t.Errorf("Body outside: %q, %v", body, err)
	}
}

// A skill of the person's that is a link to a file somewhere does not open the
// folder of that file.
func TestFolderOfALinkedFile(t *testing.T) {
	t.Parallel()
	ws := open(t, nil)
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(home, "own", "notes"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"notes.md", "diary.md"} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(home, "notes.md"), filepath.Join(home, "own", "notes", "SKILL.md")); err != nil {
		t.Fatal(err)
	}
	c := Load(ws, filepath.Join(home, "own"))
	if len(c.Skills) != 1 {
		t.Fatalf("skills %v, problems %v", c.Skills, c.Problems)
	}
	if body, err := c.Body(c.Skills[0]); body != "notes.md" || err != nil {
		t.Errorf("Body: %q, %v", body, err)
	}
	for name, want := range map[string]bool{"notes.md": true, "diary.md": false, ".": false} {
		if _, _, ok := c.Folder(filepath.Join(home, name)); ok != want {
			t.Errorf("Folder lets %s through: %v", name, ok)
		}
	}
}

// A repository that calls a link to the person's keys a skill has them sent to
// the model without a question: they are no skill, nor what one has become.
func TestSkillThatLeadsToKeys(t *testing.T) {
	t.Parallel()
	ws := open(t, map[string]string{".env": "KEY=canary\n", ".agents/skills/good/SKILL.md": "fine", ".agents/skills/bad/note": ""})
	if err := os.Symlink("../../../.env", ws.Abs(".agents/skills/bad/SKILL.md")); err != nil {
		t.Fatal(err)
	}
	c := Load(ws)
	if len(c.Skills) != 1 || len(c.Problems) != 1 || !strings.Contains(c.Problems[0].Reason, ".env may hold keys") {
		t.Fatalf("skills %v, problems %v", c.Skills, c.Problems)
	}
	good := c.Skills[0]
	err := os.Remove(good.Path)
	if err == nil {
		err = os.Symlink("../../../.env", good.Path)
	}
	if err != nil {
		t.Fatal(err)
	}
	if body, err := c.Body(good); err == nil || body != "" {
		t.Errorf("Body of the keys: %q, %v", body, err)
	}
}

// FuzzFront holds that any file gives a front matter on one line, or a reason.
func FuzzFront(f *testing.F) {
	for _, s := range []string{"---\nname: a\n---\nbody", "---\n\tname: [x\n---", "---\r\na: &a [*a]\n---\r\n", "---\nname: !!binary aGk=\n---\n", "---\n? name\n: x\n---\n", "---\n%YAML 9\n---\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		head, body, err := cutFront(s)
		if err != nil {
			return
		}
		if !strings.HasSuffix(s, body) {
			t.Fatalf("the body %q is not the end of %q", body, s)
		}
		front := parseFront(head)
		if strings.ContainsAny(front.name+front.description, "\n\r") || len(front.name) > maxName || len(front.description) > maxDescription {
			t.Fatalf("%q gave %+v", head, front)
		}
	})
}
