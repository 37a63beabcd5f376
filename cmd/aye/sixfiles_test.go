package main

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"aye/llm"
	"aye/llm/llmtest"

	"golang.org/x/text/encoding/unicode"
)

// sixFiles is a patch of six files below three folders, one of which it makes.
const sixFiles = `*** Begin Patch
*** Update File: a/plain.txt
 alpha
-two
+2
 omega
*** Update File: a/windows.txt
-zwei
+deux
*** Delete File: a/gone.txt
*** Update File: b/from.txt
*** Move to: c/to.txt
-old name
+new name
*** Update File: b/wide.txt
 Größe
-été
+日本 👍
*** Add File: c/new/added.txt
+fresh
+text
*** End Patch
`

// sixOld and sixNew are the files before and after it.
func sixOld(t *testing.T) map[string]string {
	return withFolders(map[string]string{
		"a/plain.txt": "alpha\ntwo\nomega\n", "a/windows.txt": "eins\r\nzwei\r\ndrei", "a/gone.txt": "gone\n",
		"b/from.txt": "old name\nstays\n", "b/wide.txt": wide(t, "Größe\r\nété\r\n"),
	})
}

func sixNew(t *testing.T) map[string]string {
	return withFolders(map[string]string{
		"a/plain.txt": "alpha\n2\nomega\n", "a/windows.txt": "eins\r\ndeux\r\ndrei",
		"c/to.txt": "new name\nstays\n", "b/wide.txt": wide(t, "Größe\r\n日本 👍\r\n"), "c/new/added.txt": "fresh\ntext\n",
	})
}

// withFolders adds the folders that files lie in, with a slash at the end.
func withFolders(files map[string]string) map[string]string {
	all := maps.Clone(files)
	for name := range files {
		for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
			all[folder+"/"] = ""
		}
	}
	return all
}

// wide is UTF-16 with a byte order mark.
func wide(t *testing.T, s string) string {
	t.Helper()
	b, err := unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewEncoder().String(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// fill writes files; a name with a slash at its end is a folder's.
func (w *world) fill(files map[string]string) {
	w.t.Helper()
	for name, content := range files {
		if !strings.HasSuffix(name, "/") {
			w.write(name, content)
		}
	}
}

// tree is all there is in w's folder.
func (w *world) tree() map[string]string {
	w.t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(w.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == w.dir {
			return err
		}
		rel, err := filepath.Rel(w.dir, name)
		if err != nil {
			return err
		}
		if d.IsDir() {
			files[filepath.ToSlash(rel)+"/"] = ""
			return nil
		}
		data, err := os.ReadFile(name)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return files
}

// A patcher is a model that, whenever it is told something, reads the files and
// then sends the patch.
type patcher struct {
	mu      sync.Mutex // guards what follows: the server's goroutines call the script
	names   []string
	patches []string // one after the other, the last for ever
	stall   int      // so many of its first tasks have no last word
	onTask  func()   // called when it is told something; may be nil
	onPatch func()   // called before the first patch is sent; may be nil
}

func newPatcher(t *testing.T) *patcher {
	p := &patcher{patches: []string{sixFiles}}
	for name := range sixOld(t) {
		if !strings.HasSuffix(name, "/") {
			p.names = append(p.names, name)
		}
	}
	slices.Sort(p.names)
	return p
}

// set changes the model while its server runs.
func (p *patcher) set(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

func (p *patcher) script(req llm.Request) llmtest.Reply {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := req.Messages[len(req.Messages)-1]
	if result, ok := last.Blocks[0].(llm.ToolResult); ok {
		if result.Name == "patch" {
			if p.stall--; p.stall >= 0 {
				return llmtest.Reply{Delay: time.Hour}
			}
			return say("Done.")
		}
		if do := p.onPatch; do != nil {
			p.onPatch = nil
			do()
		}
		patch := p.patches[0]
		if len(p.patches) > 1 {
			p.patches = p.patches[1:]
		}
		return call("Now the patch.", "patch", args("patch", patch))
	}
	if p.onTask != nil {
		p.onTask()
	}
	reads := llmtest.Reply{Text: "I read them first."}
	for _, name := range p.names {
		reads.Calls = append(reads.Calls, llm.ToolCall{Name: "read", Args: args("path", name)})
	}
	return reads
}

// args are a call's arguments, given as "name", "value" pairs.
func args(pairs ...string) string {
	values := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		values[pairs[i]] = pairs[i+1]
	}
	line, _ := json.Marshal(values) // strings always can be
	return string(line)
}

// resultIn is what the model's request n says about the last call of a tool,
// "" when it knows of none.
func (w *world) resultIn(n int, tool string) string {
	w.t.Helper()
	for _, m := range slices.Backward(w.model.Requests()[n].Request.Messages) {
		for _, block := range slices.Backward(m.Blocks) {
			if r, ok := block.(llm.ToolResult); ok && r.Name == tool {
				return r.Text
			}
		}
	}
	return ""
}

// isOld and isNew say which of the two trees one is; what is empty, and what
// aye puts beside files, counts when exactly is set.
func isOld(t *testing.T, tree map[string]string, exactly bool) bool {
	return sameTree(tree, sixOld(t), exactly)
}

func isNew(t *testing.T, tree map[string]string, exactly bool) bool {
	return sameTree(tree, sixNew(t), exactly)
}

func sameTree(got, want map[string]string, exactly bool) bool {
	if !exactly {
		trace := func(name, _ string) bool { return strings.HasSuffix(name, "/") || strings.Contains(name, "/.aye-") }
		got, want = maps.Clone(got), maps.Clone(want)
		maps.DeleteFunc(got, trace)
		maps.DeleteFunc(want, trace)
	}
	return maps.Equal(got, want)
}

// truth is what the model may be told about its patch, by how it looks to the
// one who compares it with the tree.
type truth string

const (
	applied   truth = "applied"
	unknown   truth = "unknown"
	notRun    truth = "not run"
	neverMade truth = "never made" // the call
)

// checkTruth holds what request n says about the patch against the tree as it
// was then.
func (w *world) checkTruth(n int, tree map[string]string) truth {
	w.t.Helper()
	said := w.resultIn(n, "patch")
	told := map[bool]truth{strings.HasPrefix(said, "Applied the patch"): applied, strings.Contains(said, "status is unknown"): unknown,
		strings.HasPrefix(said, "Not run"): notRun, said == "": neverMade}[true]
	isOld, isNew := isOld(w.t, tree, true), isNew(w.t, tree, true)
	switch {
	case told == "":
		w.t.Errorf("the model was told %q", said)
	case !isOld && !isNew:
		w.t.Errorf("the tree is neither old nor new:\n%q", tree)
	case told == applied && !isNew, (told == notRun || told == neverMade) && !isOld:
		w.t.Errorf("the model was told %q, and the tree is\n%q", said, tree)
	}
	return told
}
