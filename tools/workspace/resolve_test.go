package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// attacked is a workspace with links of all kinds, and a folder beside it
// whose name begins like the workspace's.
func attacked(t *testing.T) *Dir {
	ws := open(t, map[string]string{"in.txt": "IN", "sub/x.txt": "X", "~tilde/f": ""})
	put(t, ws.Name()+"-secret/k", "SECRET", false)
	for name, target := range map[string]string{
		"lin":       "in.txt",
		"labs":      ws.Abs("in.txt"),
		"din":       "sub",
		"sub/up":    "..",
		"chain1":    "chain2",
		"chain2":    "sub/up/din/x.txt",
		"lout":      ws.Name() + "-secret/k",
		"lrel":      "../app-secret/k",
		"dout":      ws.Name() + "-secret",
		"dang":      "not-there",
		"dangdeep":  "no/where/f",
		"dangout":   "../zz-new",
		"loop":      "loop",
		"loop1":     "loop2",
		"loop2":     "loop1",
		"back":      "../app/in.txt",
		"sub/local": "x.txt",
	} {
		link(t, ws, target, name)
	}
	for n := range 45 {
		link(t, ws, fmt.Sprintf("long%d", n+1), fmt.Sprintf("long%d", n))
	}
	put(t, ws.Abs("long45"), "end", false)
	return ws
}

func TestResolve(t *testing.T) {
	t.Parallel()
	ws := attacked(t)
	root := ws.Name()
	for _, tt := range []struct{ in, want string }{
		{"in.txt", "in.txt"},
		{"./sub//x.txt", "sub/x.txt"},
		{"sub/../in.txt", "in.txt"},
		{"", "."},
		{".", "."},
		{root, "."},
		{root + "/in.txt", "in.txt"},
		{"//" + root[1:] + "//in.txt", "in.txt"},
		{"new/folder/f", "new/folder/f"},
		{"lin", "in.txt"},
		{"labs", "in.txt"},
		{"din/x.txt", "sub/x.txt"},
		{"din/new", "sub/new"},
		{"din/../in.txt", "in.txt"},
		{"sub/up/in.txt", "in.txt"},
		{"chain1", "sub/x.txt"},
		{"sub/local", "sub/x.txt"},
		{"~tilde/f", "~tilde/f"},
		{"$HOMEWORK", "$HOMEWORK"},
		{"-rf", "-rf"},
		{"a\nb\x1b[2J\u202e", "a\nb\x1b[2J\u202e"},
		{"bad\xff", "bad\xff"},
	} {
		if got, err := ws.Resolve(tt.in); err != nil || got != tt.want {
			t.Errorf("Resolve(%q) = %q, %v, want %q", tt.in, got, err, tt.want)
		}
	}
}

func TestResolveRefuses(t *testing.T) {
	t.Parallel()
	ws := attacked(t)
	root := ws.Name()
	for _, tt := range []struct{ in, want string }{
		{root + "-secret/k", "outside the workspace"},
		{"../app-secret/k", "outside the workspace"},
		{"..", "outside"},
		{"../app/in.txt", "outside"},
		{"sub/../../x", "outside"},
		{"./sub/./../../x", "outside"},
		{root + "/../app-secret/k", "outside"},
		{"/etc/passwd", "outside"},
		{"/", "outside"},
		{"//t//x", "outside"},
		{"~/.ssh/id", "~ is not expanded"},
		{"$HOME/x", "$HOME is not expanded"},
		{"lout", root + "-secret/k"},
		{"lrel", "../app-secret/k"},
		{"dout/new.txt", "dout leads to " + root + "-secret"},
		{"dout/../in.txt", "outside"},
		{"back", "outside"},
		{"dang", "not-there, which does not exist"},
		{"dangdeep", "does not exist"},
		{"dangout", "../zz-new"},
		{"loop", "too many links"},
		{"loop1", "too many links"},
		{"long0", "too many links"},
		{"in.txt/x", "in.txt is a file"},
		{"gone/../in.txt", "does not exist"},
		{"a\x00b", "NUL"},
		{"/proc/self/cwd/in.txt", "outside"},
		{"/dev/fd/3", "outside"},
	} {
		got, err := ws.Resolve(tt.in)
		if err == nil {
			t.Errorf("Resolve(%q) = %q, want an error", tt.in, got)
		} else if !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Resolve(%q): %q lacks %q", tt.in, err, tt.want)
		}
	}
	if _, err := ws.Resolve("dang"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a dangling link is no fs.ErrNotExist: %v", err)
	}
}

// A workspace that was reached by a link answers to both of its names.
func TestResolveByTheUnresolvedRoot(t *testing.T) {
	t.Parallel()
	ws := open(t, map[string]string{"f": "F"})
	alias := filepath.Join(t.TempDir(), "alias")
	if err := os.Symlink(ws.Name(), alias); err != nil {
		t.Fatal(err)
	}
	aliased, err := Open(alias)
	if err != nil {
		t.Fatal(err)
	}
	defer aliased.Close()
	if aliased.Name() != ws.Name() {
		t.Errorf("Name is %s, want %s", aliased.Name(), ws.Name())
	}
	for _, root := range []string{alias, ws.Name()} {
		if got, err := aliased.Resolve(root + "/f"); got != "f" || err != nil {
			t.Errorf("Resolve(%s/f) = %q, %v", root, got, err)
		}
	}
	link(t, ws, alias+"/f", "viaalias")
	if got, err := aliased.Resolve("viaalias"); got != "f" || err != nil {
		t.Errorf("a link by the alias = %q, %v", got, err)
	}
}

// FuzzResolve holds that a resolved path is plain and inside: no link, no
// "..", and reading it gives no byte from outside.
func FuzzResolve(f *testing.F) {
	for _, s := range []string{"in", "../x", "l/../in", "/etc/passwd", "d/up/./in", "~", "out/k", "x/y/z"} {
		f.Add(s, "sub", "../..")
	}
	dir := f.TempDir()
	root := filepath.Join(dir, "app")
	put(f, filepath.Join(root, "in"), "IN", false)
	put(f, filepath.Join(root, "d/in"), "IN", false)
	put(f, filepath.Join(dir, "k"), "SECRET", false)
	ws, err := Open(root)
	if err != nil {
		f.Fatal(err)
	}
	defer ws.Close()
	f.Fuzz(func(t *testing.T, name, target1, target2 string) {
		for link, target := range map[string]string{"l": target1, "d/up": target2} {
			os.Remove(ws.Abs(link))
			if target != "" && !strings.Contains(target, "\x00") {
				os.Symlink(target, ws.Abs(link))
			}
		}
		rel, err := ws.Resolve(name)
		if err != nil {
			return
		}
		if !filepath.IsLocal(rel) || strings.Contains("/"+rel+"/", "/../") {
			t.Fatalf("Resolve(%q) = %q", name, rel)
		}
		if info, err := os.Lstat(ws.Abs(rel)); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			t.Fatalf("Resolve(%q) = %q, which is a link", name, rel)
		}
		if data, _, err := ws.ReadFile(rel, 100); err == nil && string(data) != "IN" {
			t.Fatalf("Resolve(%q) = %q, which holds %q", name, rel, data)
		}
	})
}

// A path may be as deep as the system lets it be, and lead through links and
// back up on the way.
func TestResolveDeep(t *testing.T) {
	t.Parallel()
	deep := strings.TrimSuffix(strings.Repeat("d/", 400), "/")
	d := open(t, map[string]string{deep + "/f": ""})
	link(t, d, "d/d", "l")
	for given, want := range map[string]string{
		deep + "/x":                     deep + "/x",
		deep + "/../d/../../d/d":        deep,
		strings.Repeat("d/../", 400):    ".",
		deep + "/nothing/here":          deep + "/nothing/here",
		strings.Repeat("d/d/../", 300):  strings.TrimSuffix(strings.Repeat("d/", 300), "/"),
		strings.Repeat("./", 900) + "d": "d",
		"l/d/../../l/d":                 "d/l/d",
		"d/d/d/../../../l/f":            "d/d/f",
	} {
		if rel, err := d.Resolve(given); err != nil || rel != want {
			t.Errorf("%.40s… became %.40s…, %v; want %.40s…", given, rel, err, want)
		}
	}
	if _, err := d.Resolve(strings.Repeat("d/../", 1<<16)); err == nil || !strings.Contains(err.Error(), "bytes long") || len(err.Error()) > 200 {
		t.Errorf("a path of %d bytes: %v", 5<<16, err)
	}
}

// BenchmarkResolve compares a deep path with a usual one: x/part is how many
// times as long a part of it takes. It must not grow with the depth.
func BenchmarkResolve(b *testing.B) {
	const deep, usual = 400, 10
	d := open(b, map[string]string{strings.Repeat("d/", deep) + "f": ""})
	var took [2]time.Duration
	for b.Loop() {
		for n, parts := range []int{deep, usual} {
			began := time.Now()
			for range deep / parts {
				if _, err := d.Resolve(strings.Repeat("d/", parts)); err != nil {
					b.Fatal(err)
				}
			}
			took[n] += time.Since(began)
		}
	}
	b.ReportMetric(float64(took[0])/float64(took[1]), "x/part")
}
