package tools

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aye/tools/skill"
)

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

// What a skill of the person's refers to can be read though it lies outside
// the workspace; nothing else outside can, and nothing there can be changed.
func TestReadOfWhatASkillRefersTo(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "a\n"})
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"skills/paint/SKILL.md": "Use a brush.", "skills/paint/ref/brush.md": "Bristles.\n", "skills/paint/.env": "KEY=1\n", "secret.txt": "no\n",
	} {
		full := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(home, "secret.txt"), filepath.Join(home, "skills", "paint", "link.md")); err != nil {
		t.Fatal(err)
	}
	b.list = Catalog(Deps{Workspace: b.ws, Seen: b.seen, Skills: skill.Load(b.ws, filepath.Join(home, "skills"))})
	paint := filepath.Join(home, "skills", "paint")
	res := b.call("read", "path", filepath.Join(paint, "ref", "brush.md"))
	if res.Status != OK || res.Text != "1: Bristles.\n" || res.Seen != nil {
		t.Errorf("got %+v", res)
	}
	for _, path := range []string{filepath.Join(home, "secret.txt"), filepath.Join(paint, "..", "..", "secret.txt"), filepath.Join(paint, "link.md"), filepath.Join(paint, "none.md")} {
		if _, err := b.prepare("read", "path", path); err == nil {
			t.Errorf("%s can be read", path)
		}
	}
	if action, err := b.prepare("read", "path", filepath.Join(paint, ".env")); err != nil || action.Effects[0].Risk == "" {
		t.Errorf("keys: %+v, %v", action.Effects, err)
	}
	if _, err := b.prepare("write", "path", filepath.Join(paint, "new.md"), "content", "x"); err == nil {
		t.Error("a write outside the workspace is prepared")
	}
}
