package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func walked(t *testing.T, ws *Dir, base string, depth int) (string, Walked) {
	t.Helper()
	var found []string
	w, err := ws.Walk(t.Context(), base, Scope{Depth: depth}, func(rel string) error {
		found = append(found, rel)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	return strings.Join(found, " "), w
}

func TestWalk(t *testing.T) {
	t.Parallel()
	ws := open(t, map[string]string{
		"a.go": "", "sub/b.go": "", "sub/deep/c.go": "", ".env": "", ".github/w.yml": "",
		".git/config": "", "repo/.git": "gitdir: elsewhere", "repo/y.log": "", "node_modules/m/i.js": "",
		".gitignore": "*.log\n/dist/\n", "x.log": "", "sub/y.log": "", "dist/o.js": "", "sub/dist/kept.js": "",
	})
	put(t, ws.Name()+"-out/secret.go", "", false)
	link(t, ws, ".", "back")
	link(t, ws, ws.Name()+"-out", "out")
	link(t, ws, "a.go", "same.go")
	// repo is a repository of its own: the rules outside do not reach into it.
	for _, tt := range []struct {
		base  string
		depth int
		want  string
	}{
		{".", -1, ".env .github/w.yml .gitignore a.go repo/y.log sub/b.go sub/deep/c.go sub/dist/kept.js"},
		{".", 0, ".env .gitignore a.go"},
		{".", 1, ".env .github/w.yml .gitignore a.go repo/y.log sub/b.go"},
		{"sub", -1, "sub/b.go sub/deep/c.go sub/dist/kept.js"},
		{"dist", -1, "dist/o.js"},
		{".git", -1, ".git/config"},
		{"node_modules/m", -1, "node_modules/m/i.js"},
		{"nowhere", -1, ""},
	} {
		if got, _ := walked(t, ws, tt.base, tt.depth); got != tt.want {
			t.Errorf("Walk(%s, %d) = %s, want %s", tt.base, tt.depth, got, tt.want)
		}
	}
	if _, w := walked(t, ws, ".", -1); len(w.Heavy) != 1 || w.Cut || w.Unreadable > 0 {
		t.Errorf("walked: %+v", w)
	}
}

func TestWalkEndsWithItsContext(t *testing.T) {
	t.Parallel()
	files := make(map[string]string)
	for n := range 1200 {
		files[fmt.Sprintf("f%d", n)] = ""
	}
	ws := open(t, files)
	ctx, cancel := context.WithCancel(t.Context())
	seen := 0
	_, err := ws.Walk(ctx, ".", Scope{Depth: -1}, func(string) error { seen++; cancel(); return nil })
	if !errors.Is(err, context.Canceled) || seen > 1000 {
		t.Errorf("%d files seen after the end, %v", seen, err)
	}
	stop := errors.New("stop")
	if _, err = ws.Walk(t.Context(), ".", Scope{Depth: -1}, func(string) error { return stop }); err != stop {
		t.Errorf("visit's error became %v", err)
	}
}

func TestWalkIsBoundedInDepth(t *testing.T) {
	t.Parallel()
	ws := open(t, nil)
	deep, err := os.OpenRoot(ws.Name())
	if err != nil {
		t.Fatal(err)
	}
	defer deep.Close()
	for range maxDepth + 5 {
		if err := deep.Mkdir("d", 0o777); err != nil {
			t.Fatal(err)
		}
		next, err := deep.OpenRoot("d")
		if err != nil {
			t.Fatal(err)
		}
		deep.Close()
		deep = next
	}
	if _, w := walked(t, ws, ".", -1); !w.Cut {
		t.Errorf("a tree too deep is not told: %+v", w)
	}
}

// BenchmarkWalk walks 20,000 files in 200 folders, without and with rules.
func BenchmarkWalk(b *testing.B) {
	for _, bm := range []struct{ name, rules string }{
		{"plain", ""},
		{"ignore", "*.log\n*.tmp\n/dist/\nbuild/\n.cache\n__pycache__/\n*.py[co]\n/a/**/z\n!keep.log\n"},
	} {
		b.Run(bm.name, func(b *testing.B) {
			root := b.TempDir()
			for n := range 20_000 {
				name := filepath.Join(root, fmt.Sprintf("d%d/e%d/file%d.go", n%10, n%200, n))
				if n < 200 {
					put(b, filepath.Dir(name), "", true)
				}
				if err := os.WriteFile(name, nil, 0o666); err != nil {
					b.Fatal(err)
				}
			}
			put(b, filepath.Join(root, ".gitignore"), bm.rules, false)
			ws, err := Open(root)
			if err != nil {
				b.Fatal(err)
			}
			defer ws.Close()
			for b.Loop() {
				n := 0
				if _, err := ws.Walk(b.Context(), ".", Scope{Depth: -1}, func(string) error { n++; return nil }); err != nil || n < 20_000 {
					b.Fatal(n, err)
				}
			}
		})
	}
}
