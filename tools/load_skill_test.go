package tools

import (
	"os"
	"strings"
	"testing"
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
