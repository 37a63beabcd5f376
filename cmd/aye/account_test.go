package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The account of what aye's two ancestors do, and where they fail people:
// testdata/keys.txt names every row of it, testdata/account.txt the tests that
// would fail if aye did not do it, or had the weakness. Rows that aye answers
// in another way on purpose say how. bugs.txt is the same for the reports of
// other agents' faults.
//
// A row is "NUMBER KEY | TEST, TEST | aye: note"; a test is named by its
// package's folder, a dot, and its name. Lines that begin with # are headings.

// optional are the rows that need no test: "not taken: why" will do.
var optional = map[string]bool{"M78": true, "M79": true, "M80": true}

func TestAccount(t *testing.T) {
	t.Parallel()
	tests := testsOfTheModule(t)
	for name, keys := range map[string]string{"account.txt": "keys.txt", "bugs.txt": "bugkeys.txt"} {
		seen := map[string]int{}
		for _, row := range accountOf(t, name) {
			seen[row.key]++
			for _, fault := range row.faults(tests) {
				t.Error(fault)
			}
		}
		want := map[string]bool{}
		for _, key := range linesOf(t, keys) {
			want[key] = true
			if seen[key] != 1 {
				t.Errorf("%s: %s is there %d times", name, key, seen[key])
			}
		}
		for key := range seen {
			if !want[key] {
				t.Errorf("%s: there is no %s", name, key)
			}
		}
	}
	if n := len(linesOf(t, "keys.txt")); n != 299 {
		t.Errorf("%d keys, want T1 to T123, W1 to W76, M1 to M80 and X1 to X20", n)
	}
}

// An accountRow is one line of an account.
type accountRow struct {
	key   string
	tests []string
	note  string
}

// faults are what is wrong with a row, given all tests.
func (r accountRow) faults(tests map[string]bool) []string {
	var faults []string
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Sprintf("%s: ", r.key)+fmt.Sprintf(format, args...))
	}
	number, _, _ := strings.Cut(r.key, " ")
	switch {
	case r.note != "" && !strings.HasPrefix(r.note, "aye: ") && !strings.HasPrefix(r.note, "not taken: "):
		fault("a note begins with aye: or not taken:, not %q", r.note)
	case len(r.tests) == 0 && !optional[number]:
		fault("it has no test")
	case len(r.tests) == 0 && !strings.HasPrefix(r.note, "not taken: "):
		fault("it has neither a test nor a word why")
	}
	for _, name := range r.tests {
		if can, ok := tests[name]; !ok {
			fault("there is no test %s", name)
		} else if !can {
			fault("the test %s cannot fail", name)
		}
	}
	return faults
}

func accountOf(t *testing.T, name string) []accountRow {
	t.Helper()
	var rows []accountRow
	for _, line := range linesOf(t, name) {
		parts := strings.Split(line, "|")
		if len(parts) < 2 || len(parts) > 3 {
			t.Errorf("%s: not a row: %s", name, line)
			continue
		}
		row := accountRow{key: strings.TrimSpace(parts[0])}
		for test := range strings.SplitSeq(parts[1], ",") {
			if test = strings.TrimSpace(test); test != "" {
				row.tests = append(row.tests, test)
			}
		}
		if len(parts) == 3 {
			row.note = strings.TrimSpace(parts[2])
		}
		rows = append(rows, row)
	}
	return rows
}

// linesOf are the lines of a file of testdata, without headings.
func linesOf(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	return lines
}

// testsOfTheModule are all tests by the name that the account uses, and
// whether they can fail: by their own words or those of a function they call.
func testsOfTheModule(t *testing.T) map[string]bool {
	t.Helper()
	bodies := map[string]*ast.FuncDecl{} // of tests
	calls := map[string]map[string]bool{}
	err := filepath.WalkDir("../..", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || len(d.Name()) > 2 && strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, ".go"):
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		folder := path.Dir(strings.TrimPrefix(filepath.ToSlash(file), "../../"))
		for _, decl := range parsed.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body == nil || !strings.HasSuffix(file, "_test.go") && !strings.HasSuffix(folder, "test") {
				continue
			}
			called := calledIn(fn)
			if all := calls[fn.Name.Name]; all != nil {
				for name := range all {
					called[name] = true
				}
			}
			calls[fn.Name.Name] = called
			if fn.Recv == nil && isTest.MatchString(fn.Name.Name) && strings.HasSuffix(file, "_test.go") {
				bodies[folder+"."+fn.Name.Name] = fn
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	fails := map[string]bool{"Error": true, "Errorf": true, "Fatal": true, "Fatalf": true, "Fail": true, "FailNow": true}
	for grown := true; grown; {
		grown = false
		for name, called := range calls {
			for callee := range called {
				if fails[callee] && !fails[name] {
					fails[name], grown = true, true
				}
			}
		}
	}
	tests := map[string]bool{}
	for name, fn := range bodies {
		for callee := range calledIn(fn) {
			tests[name] = tests[name] || fails[callee]
		}
	}
	return tests
}

var isTest = regexp.MustCompile(`^(Test|Fuzz|Benchmark)[A-Z]`)

// calledIn are the names of what a function calls.
func calledIn(fn *ast.FuncDecl) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch f := call.Fun.(type) {
		case *ast.Ident:
			names[f.Name] = true
		case *ast.SelectorExpr:
			names[f.Sel.Name] = true
		case *ast.IndexExpr:
			if id, ok := f.X.(*ast.Ident); ok {
				names[id.Name] = true
			}
		}
		return true
	})
	return names
}

// TestAccountFindsFaults: an account that checks nothing would be green too.
func TestAccountFindsFaults(t *testing.T) {
	t.Parallel()
	tests := testsOfTheModule(t)
	if !tests["cmd/aye.TestAccount"] || !tests["agent.TestAnswer"] || len(tests) < 500 {
		t.Errorf("%d tests are known", len(tests))
	}
	for _, row := range []accountRow{
		{"T1 x", nil, ""}, {"T1 x", nil, "not taken: no"}, {"M78 x", nil, ""}, {"T1 x", []string{"agent.TestNone"}, ""}, {"T1 x", []string{"agent.TestAnswer"}, "so"},
	} {
		if len(row.faults(tests)) == 0 {
			t.Errorf("%+v passes", row)
		}
	}
}
