package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The plan of the house: which package may import which of ours, and why not
// more. A package may always import the vocabularies above its own row's
// sentence, nothing else; tests may import what they like.
var rooms = []struct {
	packages string // space-separated
	may      string // space-separated; "x/..." is x and all below
	why      string
}{
	{"tools/cause", "", "wording an error of the system needs nothing of ours"},
	{"tools/lock", "", "holding a file needs nothing of ours"},
	{"tools/near", "", "comparing words needs nothing of ours: whoever says \"did you mean\" asks it"},
	{"llm llm/sse", "", "llm is a leaf: it knows no tools, no agent, no screen"},
	{"llm/openai", "llm llm/sse", "a wire knows the vocabulary and its framing, and no other wire"},
	{"llm/markup", "llm", "it reads the text of replies, whatever wire they came by"},
	{"llm/catalog", "llm", "what is publicly known of models is a table in the vocabulary's words"},
	{"llm/llmtest", "llm", "the scripted model stands in for any wire, so it knows none"},
	{"tools", "tools/near tools/workspace tools/change tools/match tools/patch tools/proc tools/risk tools/search tools/skill tools/text", "tools know neither models nor the agent: the agent drives them"},
	{"tools/text", "", "an engine that needs nothing of ours"},
	{"tools/text/texttest", "", "what files are in many encodings is said by encoders that are not under test"},
	{"tools/proc", "tools/cause", "running a command needs no more of ours than a word for why it failed"},
	{"tools/risk", "tools/workspace", "a command line is judged by its text and by which files of the workspace are delicate"},
	{"tools/match tools/patch", "tools/near tools/text", "finding a place is about text alone"},
	{"tools/workspace", "tools/cause tools/lock tools/text", "the workspace is the ground the other engines stand on"},
	{"tools/change", "tools/workspace tools/text", "a change set is committed through the workspace, and to nothing else"},
	{"tools/search", "tools/workspace tools/text", "searching reads files through the workspace, line by line"},
	{"tools/skill", "tools/cause tools/workspace tools/text", "skills are files of the workspace and of the person"},
	{"agent", "tools/near llm tools tools/change tools/workspace", "the agent drives models and tools by their vocabulary, which has changes and sights of files; engines are wired by cmd"},
	{"agent/journal", "tools/cause tools/lock agent", "a journal keeps lines; it does not know what is in them"},
	{"agent/permit", "agent tools", "a policy judges effects; it runs and asks nothing"},
	{"agent/prompt", "", "the system prompt is made of facts it is given"},
	{"agent/agenttest", "agent llm tools tools/change", "tests of front ends know what the agent knows"},
	{"tui/theme tui/term", "", "cells and colours need nothing of ours"},
	{"tui/md tui/tty tui/compose tui/setup", "tui/theme tui/term", "a part of the screen knows its text, not where it comes from"},
	{"tui/diff", "tui/theme tui/term tools/change", "it draws hunks"},
	{"tui/slash", "tools/near agent llm tui/term", "slash commands become plain values"},
	{"tui/chat tui/status tui/dialog", "agent llm tools tools/change tui/theme tui/term tui/md tui/diff", "parts of the screen take plain types from below and drawing from beside"},
	{"tui/tuitest", "", "it runs any program, so it knows none"},
	{"tui", "agent llm tools tools/change tui/...", "the screen takes only the plain types that ride in events; engines stay below"},
	{"cmd/aye/early", "", "it has to be initialised before all others"},
	{"cmd/aye/tour", "tools/cause llm llm/llmtest", "the tour's model is a script; everything else in it is the real aye, wired by cmd"},
	{"cmd/aye", "tools/cause tools/near cmd/aye/... agent/... llm/... tools/... tui tui/term tui/tty", "cmd wires all, and leaves the drawing to the screen"},
}

// testOnly packages stay out of the product. llmtest is in it, for the tour.
var testOnly = []string{"agent/agenttest", "tools/text/texttest", "tui/tuitest"}

// TestTopLevel holds the customer's rule: what stands beside the five folders
// is named in it, or a dot-file.
func TestTopLevel(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir("../..")
	if err != nil {
		t.Fatal(err)
	}
	allowed := []string{"cmd", "tui", "agent", "tools", "llm", "go.mod", "go.sum", "Taskfile.yml", "README.md", "LICENSE", "bin"}
	for _, e := range entries {
		if name := e.Name(); name[0] != '.' && !slices.Contains(allowed, name) {
			t.Errorf("%s stands at the top level: everything lives inside the five folders", name)
		}
	}
}

func TestImports(t *testing.T) {
	t.Parallel()
	for _, p := range ours(t) {
		may, why, ok := room(p.name)
		if !ok {
			t.Errorf("package %s has no room: add it to the table rooms in arch_test.go and say what it may know", p.name)
			continue
		}
		for _, imported := range p.Imports {
			imported, isOurs := strings.CutPrefix(imported, "aye/")
			switch {
			case !isOurs:
			case slices.Contains(testOnly, imported):
				t.Errorf("%s imports %s, which is for tests", p.name, imported)
			case !allowed(may, imported):
				t.Errorf("%s imports %s, and may not: %s", p.name, imported, why)
			}
		}
	}
}

func room(name string) (may []string, why string, ok bool) {
	for _, r := range rooms {
		if slices.Contains(strings.Fields(r.packages), name) {
			return strings.Fields(r.may), r.why, true
		}
	}
	return nil, "", false
}

func allowed(may []string, imported string) bool {
	return slices.ContainsFunc(may, func(m string) bool {
		under, all := strings.CutSuffix(m, "/...")
		return imported == m || all && (imported == under || strings.HasPrefix(imported, under+"/"))
	})
}

// Names that say nothing.
var emptyNames = []string{"util", "utils", "common", "helper", "helpers", "type", "types", "misc", "base", "shared"}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, p := range ours(t) {
		if slices.Contains(emptyNames, path.Base(p.name)) {
			t.Errorf("package %s: its name says nothing about what is in it", p.name)
		}
		if p.Doc == "" {
			t.Errorf("package %s has no package comment: say what it is, the way through, what it promises", p.name)
		}
		for _, file := range p.GoFiles {
			if slices.Contains(emptyNames, strings.TrimSuffix(file, ".go")) {
				t.Errorf("%s/%s: the file's name says nothing about what is in it", p.name, file)
			}
		}
	}
}

const (
	maxFile      = 400 // lines
	maxFunc      = 60  // lines, the signature and both braces included
	maxInterface = 4   // methods
)

func TestSizes(t *testing.T) {
	t.Parallel()
	var files, funcs longest
	defer func() { t.Logf("the longest file is %v, the longest function %v", files, funcs) }()
	for _, f := range sources(t) {
		lines := f.set.File(f.tree.Pos()).LineCount()
		files.see(f.name, lines)
		if lines > maxFile {
			t.Errorf("%s has %d lines, at most %d: what is its second subject?", f.name, lines, maxFile)
		}
		ast.Inspect(f.tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				lines := f.lines(n)
				funcs.see(f.at(n)+" "+n.Name.Name, lines)
				if lines > maxFunc {
					t.Errorf("%s: %s has %d lines, at most %d: name its parts", f.at(n), n.Name.Name, lines, maxFunc)
				}
			case *ast.FuncLit:
				if lines := f.lines(n); lines > maxFunc {
					t.Errorf("%s: a function literal of %d lines, at most %d: give it a name", f.at(n), lines, maxFunc)
				}
			case *ast.InterfaceType:
				if n.Methods.NumFields() > maxInterface {
					t.Errorf("%s: an interface of %d methods, at most %d: who needs them all?", f.at(n), n.Methods.NumFields(), maxInterface)
				}
			}
			return true
		})
	}
}

// longest is the longest of what it has seen.
type longest struct {
	name  string
	lines int
}

func (l *longest) see(name string, lines int) {
	if lines > l.lines {
		*l = longest{name, lines}
	}
}

// What only some packages may do: the packages are prefixes of paths.
var privileges = []struct {
	names string // space-separated selectors
	only  string // space-separated: "x/" is all below x
	why   string
}{
	{"os.Getenv os.LookupEnv os.Environ os.ExpandEnv os.UserHomeDir os.UserConfigDir os.UserCacheDir os.Getwd", "cmd/aye/ tui/tuitest/", "only cmd reads the environment and the home folder: options arrive as plain values"},
	{"os.Open os.OpenFile os.OpenRoot os.Create os.CreateTemp os.MkdirTemp os.ReadFile os.WriteFile os.ReadDir os.Stat os.Lstat os.Remove os.RemoveAll os.Rename os.Mkdir os.MkdirAll", "cmd/aye/ tools/ agent/journal/ tui/tuitest/", "only tools, the journal and cmd touch the disk"},
	{"os.Exit log.Fatal log.Fatalf", "cmd/aye/ tui/tty/", "only cmd ends the program, after it has ended everything else; the terminal's second signal cannot wait for that"},
	{"time.Sleep", "tui/tty/", "a sleep cannot be cancelled: wait on a timer and a context"},
}

func TestPrivileges(t *testing.T) {
	t.Parallel()
	for _, f := range sources(t) {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			x, ok := sel.X.(*ast.Ident)
			if !ok {
				return true
			}
			for _, p := range privileges {
				if slices.Contains(strings.Fields(p.names), x.Name+"."+sel.Sel.Name) && !under(f.name, p.only) {
					t.Errorf("%s: %s.%s: %s", f.at(n), x.Name, sel.Sel.Name, p.why)
				}
			}
			if x.Name == "sync" && strings.HasSuffix(sel.Sel.Name, "Mutex") && under(f.name, "agent/ tui/") && !under(f.name, "tui/tuitest/ agent/agenttest/") {
				t.Errorf("%s: no locks in agent and tui: one goroutine owns each state", f.at(n))
			}
			return true
		})
	}
}

func under(name, prefixes string) bool {
	return slices.ContainsFunc(strings.Fields(prefixes), func(p string) bool { return strings.HasPrefix(name, p) })
}

func TestNoInit(t *testing.T) {
	t.Parallel()
	for _, f := range sources(t) {
		for _, d := range f.tree.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == "init" && fn.Recv == nil && !under(f.name, "cmd/aye/early/") {
				t.Errorf("%s: init runs before anyone could say how: make it a function", f.at(fn))
			}
		}
	}
}

// A tool is a function of package tools that returns a Tool; one that the
// catalogue does not call is one that no model will ever see.
func TestCatalogueHasEveryTool(t *testing.T) {
	t.Parallel()
	made, called := map[string]string{}, map[string]bool{}
	for _, f := range sources(t) {
		if path.Dir(f.name) != "tools" {
			continue
		}
		for _, d := range f.tree.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil {
				continue
			}
			if fn.Name.Name == "Catalog" {
				ast.Inspect(fn, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok {
						called[id.Name] = true
					}
					return true
				})
			} else if strings.HasSuffix(fn.Name.Name, "Tool") {
				made[fn.Name.Name] = f.at(fn)
			}
		}
	}
	if len(made) < 6 {
		t.Fatalf("found the tools %v, and there should be six at least", made)
	}
	for name, at := range made {
		if !called[name] {
			t.Errorf("%s: %s has no line in tools/catalog.go: no model will see it", at, name)
		}
	}
}

// listed is a package as go list tells it.
type listed struct {
	ImportPath, Dir, Doc string
	GoFiles, Imports     []string
	name                 string // the import path below the module
}

// ours lists the module's packages.
func ours(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Doc,GoFiles,Imports", "aye/...")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, errs.String())
	}
	var packages []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("reading go list: %v", err)
		}
		p.name = strings.TrimPrefix(p.ImportPath, "aye/")
		packages = append(packages, p)
	}
	if len(packages) == 0 {
		t.Fatal("go list found no package: the tests below it would hold nothing")
	}
	return packages
}

// source is one parsed file, for any platform, that is no test.
type source struct {
	name string // from the module's root, with slashes
	set  *token.FileSet
	tree *ast.File
}

func (f source) at(n ast.Node) string {
	p := f.set.Position(n.Pos())
	return fmt.Sprintf("%s:%d", f.name, p.Line)
}

func (f source) lines(n ast.Node) int {
	return f.set.Position(n.End()).Line - f.set.Position(n.Pos()).Line + 1
}

// sources parses all files of the module that go into the product.
func sources(t *testing.T) []source {
	t.Helper()
	const root = "../.."
	var files []source
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		f := source{name: filepath.ToSlash(rel), set: token.NewFileSet()}
		f.tree, err = parser.ParseFile(f.set, name, nil, parser.SkipObjectResolution)
		files = append(files, f)
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("reading the sources: %d files, %v", len(files), err)
	}
	return files
}
