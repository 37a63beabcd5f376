package tools

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aye/tools/skill"
	"aye/tools/workspace"
)

// A bench is a workspace with its tools.
type bench struct {
	t    testing.TB
	ws   *workspace.Dir
	seen *workspace.Seen
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
	seen := workspace.NewSeen()
	return &bench{t, ws, seen, Catalog(Deps{Workspace: ws, Seen: seen, Skills: skill.Load(ws)})}
}

// see has the model read files whole.
func (b *bench) see(names ...string) {
	b.t.Helper()
	for _, name := range names {
		res := b.call("read", "path", name, "limit", 1_000_000)
		if res.Status != OK {
			b.t.Fatalf("read %s: %s", name, res.Text)
		}
	}
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
