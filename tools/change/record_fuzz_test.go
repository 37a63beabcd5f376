package change

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"aye/tools/workspace"
)

// Whatever a record says, recovery changes nothing outside the workspace, and
// inside it nothing but files that have one of aye's own names, or were
// replaced by one.
func FuzzRecover(f *testing.F) {
	f.Add("a", "b", "new/deep", ".aye-a.tmp", ".aye-b.tmp", true)
	f.Add("../secret", "d/x", "..", ".aye-a.tmp", "../secret", true)
	f.Add("d/x", "d", "d", ".aye-x.tmp", "secret", false)
	f.Fuzz(func(t *testing.T, one, two, made, fresh, kept string, placed bool) {
		top := t.TempDir()
		root := filepath.Join(top, "root")
		for name, content := range map[string]string{"secret": "precious", "root/a": "precious", "root/d/x": "precious", "root/d/secret": "precious"} {
			write(t, filepath.Join(top, name), content)
		}
		ws, err := workspace.OpenWith(root, workspace.Options{Records: filepath.Join(top, "records")})
		if err != nil {
			t.Fatal(err)
		}
		defer ws.Close()
		was, is := workspace.SumOf([]byte("precious")), workspace.SumOf([]byte("evil"))
		line, err := json.Marshal(plan{Version: planVersion, Workspace: exact(ws.Name()), Made: []exact{exact(made)}, Files: []planned{
			{Path: exact(one), Before: was, After: is, Fresh: fresh, Kept: kept},
			{Path: exact(two), Before: was, Kept: kept},
		}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := ws.NewRecord(line)
		if err != nil {
			t.Fatal(err)
		}
		if placed {
			r.Add([]byte(placing))
		}
		r.Close()
		Recover(t.Context(), ws)
		for _, name := range []string{"secret", "root/a", "root/d/x", "root/d/secret"} {
			if data, err := os.ReadFile(filepath.Join(top, name)); !bytes.Equal(data, []byte("precious")) || err != nil {
				t.Errorf("%s is now %q, %v", name, data, err)
			}
		}
	})
}

// Any bytes may be in a record's place.
func FuzzReadRecord(f *testing.F) {
	ws, err := workspace.Open(f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	defer ws.Close()
	c := newCommit(f.Context(), ws, []File{update("a/b", "1", "2"), create("new/\xff", "x"), remove("z", "1")})
	line, err := json.Marshal(c.plan())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(line)
	f.Add([]byte(`{"version":1}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		line = bytes.ReplaceAll(line, []byte("WS"), []byte(ws.Name()))
		c, err := readRecord(ws, [][]byte{line})
		if err != nil {
			return
		}
		for _, s := range c.steps {
			if !filepath.IsLocal(s.path) || (s.kept == nil) != (s.before == "") || (s.fresh == nil) != (s.after == "") {
				t.Errorf("a step of %q: %+v", line, s)
			}
		}
		// What was read is written and read the same.
		again, err := json.Marshal(planOf(c))
		if err != nil {
			t.Fatal(err)
		}
		if d, err := readRecord(ws, [][]byte{again}); err != nil || len(d.steps) != len(c.steps) || len(d.made) != len(c.made) {
			t.Errorf("%q became %q: %v", line, again, err)
		}
	})
}

func planOf(c *commit) plan {
	p := c.plan()
	p.Made = nil
	for _, folder := range c.made {
		p.Made = append(p.Made, exact(folder))
	}
	return p
}
