package workspace

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestIgnore(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ rules, ignored, kept string }{
		{"*.log", "a.log x/b.log", "a.logs log"},
		{"/a", "a", "x/a"},
		{"x/a", "x/a", "y/x/a a"},
		{"d/", "d/ x/d/", "d"},
		{"**/t", "t x/t x/y/t", "tt"},
		{"a/**", "a/b a/b/c", "a/"},
		{"a/**/z", "a/z a/b/z a/b/c/z", "a/b"},
		{"a/*/z", "a/b/z", "a/z a/b/c/z"},
		{"/*/b", "a/b", "b a/a/b"},
		{"a**/z", "a/z aq/z a/b/z", "b/z"}, // git begins anew at the first wildcard
		{"x?**/z", "xa/z", "xa/b/z"},
		{"**", "a a/b", ""},
		{"*/**", "a/b a/b/c", "a"},
		{"!*.log\n*.log", "x.log", ""},
		{"*.log\n!keep.log", "x.log", "keep.log d/keep.log"},
		{"# c\n\\#x\n\\!y", "#x !y", "c x y"},
		{"a \nb\\ ", "a b·", "b"},
		{"a\\ \\ \nb\t", "a··", "a b"},
		{"x\\\\  ", "x\\", "x"},
		{".*\n!.keep", ".x d/.y", ".keep x"},
		{"*\n!*/\n!*.go", "x", "d/ a.go d/a.go"},
		{"/\n\n   \n!\n//", "", "a d/"},
		{"[ab].c\n[!x]y", "a.c b.c zy", "c.c xy"},
		{"a[!x]b\na/[^x]", "azb a/y a/b", "axb a/x"},
		{"q[/]r\nq[!a]s", "qbs", "q/r q/s"},
		{"[]x]\n[!]y]z", "] x az", "yz ]z"},
		{"[a-c-]\n[+--]k", "a b c - -k ,k", "d .k"},
		{"[[:digit:][:upper:]]!", "1! A!", "a! :!"},
		{"[[:nope:]]\n[[:digit:\n[a", "", "n : a"},
		{"[[:x]]", "[] :] x]", "y]"},
		{`[\]]w` + "\n" + `[\\-\]]v`, "]w \\v ]v", "\\w"},
		{"{a,b}", "{a,b}", "a b"},
		{"?x", "ax", "x aax"},
		{"é?", "éx", "éé"}, // bytes, as git counts
		{"[", "", "[ a"},
		{"tail\\", "", "tail tail\\"},
		{"\ufeffa\r\nb\r\n", "a b", "c"},
		{"*.{js", "x.{js", "x.js"},
		{"Foo", "Foo", "foo"},
	} {
		rules := (*ignoreRules)(nil).with(".", tt.rules, false)
		for _, list := range []struct {
			names string
			want  bool
		}{{tt.ignored, true}, {tt.kept, false}} {
			for name := range strings.SplitSeq(list.names, " ") {
				plain, folder := strings.CutSuffix(name, "/")
				plain = strings.ReplaceAll(plain, "·", " ")
				if name != "" && rules.ignores(plain, folder) != list.want {
					t.Errorf("%q ignores %q: %v", tt.rules, name, !list.want)
				}
			}
		}
	}
}

// Rules that name everything never name the workspace itself, and one whose
// own path has such a name is walked like any other (BUGS 36).
func TestIgnoreNeverNamesTheRoot(t *testing.T) {
	t.Parallel()
	for rules, want := range map[string]string{
		".*":           "a d/b",
		"*":            "",
		"/":            ".gitignore .h/x a d/b",
		"!*/":          ".gitignore .h/x a d/b",
		"*\n!*/":       "",
		"*\n!*/\n!b":   "d/b",
		"/*\n!/d/":     "d/b",
		"**\n!**/\n!a": "a",
	} {
		root := filepath.Join(t.TempDir(), ".hidden", "build", "app")
		for name, text := range map[string]string{".gitignore": rules, "a": "", "d/b": "", ".h/x": ""} {
			put(t, filepath.Join(root, name), text, false)
		}
		ws, err := Open(root)
		if err != nil {
			t.Fatal(err)
		}
		defer ws.Close()
		if got, _ := walked(t, ws, ".", -1); got != want {
			t.Errorf("%q leaves %q, want %q", rules, got, want)
		}
	}
}

func TestIgnoreOfInnerFoldersDecidesLast(t *testing.T) {
	t.Parallel()
	ws := open(t, map[string]string{
		".gitignore": "*.tmp\nbuild/\n", "a.tmp": "", "in/.gitignore": "!*.tmp\n/only\n", "in/b.tmp": "",
		"in/only": "", "in/x/only": "", "build/.gitignore": "!*\n", "build/o": "", ".git/info/exclude": "local\n", "local": "",
	})
	if got, _ := walked(t, ws, ".", -1); got != ".gitignore in/.gitignore in/b.tmp in/x/only" {
		t.Errorf("walked %s", got)
	}
	for name, want := range map[string]bool{"a.tmp": true, "in/b.tmp": false, "in/only": true, "build/o": true, "local": true, ".git/config": true, "in": false} {
		if got := ws.IgnoresIn(path.Dir(name))(path.Base(name), false); got != want {
			t.Errorf("IgnoresIn: %s is %v", name, got)
		}
	}
}

// Upper and lower case are the same where git's configuration says so.
func TestIgnoreCase(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		".gitignore": "*.LOG\nBuild/\n[x-z]Q\n/Exact\n", ".git/config": "[user]\n\tignorecase = false\n[core]\n\tignoreCase = true\n",
		"a.log": "", "build/x": "", "Yq": "", "exact": "", "kept": "",
	}
	if got, _ := walked(t, open(t, files), ".", -1); got != ".gitignore kept" {
		t.Errorf("case ignored: %s", got)
	}
	files[".git/config"] = "[core]\n\tignorecase = false\n"
	if got, _ := walked(t, open(t, files), ".", -1); got != ".gitignore Yq a.log build/x exact kept" {
		t.Errorf("case counts: %s", got)
	}
}

// What git lists as not ignored is what we walk, for rules made at random.
func TestIgnoreIsAsGit(t *testing.T) {
	t.Parallel()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("there is no git here to compare with")
	}
	rounds := 150
	if testing.Short() {
		rounds = 20
	}
	r := rand.New(rand.NewPCG(3, 36)) // other seeds gave the same, for some thousand rounds
	root := t.TempDir()
	for _, name := range treeNames() {
		put(t, filepath.Join(root, name), "", false)
	}
	run := func(args ...string) string {
		cmd := exec.Command(git, args...)
		cmd.Dir = root
		cmd.Env = []string{"HOME=" + root + "/nowhere", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "PATH=" + os.Getenv("PATH")}
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return string(out)
	}
	run("init", "-q")
	ws, err := Open(root)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	for range rounds {
		rules := map[string]string{".gitignore": "", "a/.gitignore": "", "b/c/.gitignore": "", ".git/info/exclude": ""}
		for _, name := range slices.Sorted(mapKeys(rules)) {
			rules[name] = randomRules(r)
			put(t, filepath.Join(root, name), rules[name], false)
		}
		run("config", "core.ignorecase", fmt.Sprint(r.IntN(4) == 0))
		want := strings.Split(strings.Trim(run("ls-files", "--others", "--exclude-standard", "-z"), "\x00"), "\x00")
		slices.Sort(want)
		got, _ := walked(t, ws, ".", -1)
		if want := strings.Join(want, " "); got != want {
			t.Fatalf("rules %q\nleave    %s\nwith git %s", rules, got, want)
		}
	}
}

func mapKeys(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}

// treeNames are the files of a small tree whose names rules like to hit.
func treeNames() []string {
	var names []string
	for _, folder := range []string{"", "a/", "a/b/", "b/", "b/c/", "ab/a/", ".x/", "a/b/c/d/"} {
		for _, name := range []string{"x", "y.c", "B", "[z]", "-", "#q", "!w", "c.y"} {
			names = append(names, folder+name)
		}
	}
	return names
}

// randomRules is a rule file whose rules hit names of the tree now and then.
func randomRules(r *rand.Rand) string {
	bits := []string{"a", "b", "x", "y", "B", "c", ".", "*", "*", "**", "?", "/", "/", "[a-c]", "[!a]", "[^x]", "[[:alpha:]]", "[[:upper:]]", "[]-]", "[",
		"]", "-", "\\", "\\[", "!", "#", "**/", "/**", "*.c", "a/", "b/c", " ", "\\ ", "{a,b}", "[B-Z]", "\t", "z", "[z\\]]", "[!/]"}
	var b bytes.Buffer
	for range r.IntN(5) {
		if r.IntN(3) == 0 {
			b.WriteByte('!')
		}
		for range 1 + r.IntN(5) {
			b.WriteString(bits[r.IntN(len(bits))])
		}
		if r.IntN(4) == 0 {
			b.WriteByte('/')
		}
		b.WriteString([]string{"\n", "\n", "\r\n", "  \n"}[r.IntN(4)])
	}
	if r.IntN(5) == 0 {
		return "\ufeff" + b.String() + "x"
	}
	return b.String()
}

// A pattern made to be slow is not.
func TestIgnoreIsLinear(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("a", 250)
	for _, rules := range []string{strings.Repeat("*a", 100) + "b", strings.Repeat("**/*a", 60) + "b", "[" + strings.Repeat("a-z", 5000) + "]"} {
		if (*ignoreRules)(nil).with(".", rules, false).ignores(strings.Repeat(name+"/", 10)+name, false) {
			t.Errorf("%.20q matches", rules)
		}
	}
	long := strings.Repeat("?", 300)
	if !(*ignoreRules)(nil).with(".", long, false).ignores(strings.Repeat("x", 300), false) {
		t.Error("a long pattern does not match")
	}
}

// FuzzIgnore holds that no rule file and no name makes the rules fail, that a
// rule without wildcards means itself, and that empty rules name nothing.
func FuzzIgnore(f *testing.F) {
	f.Add("*.log\n!a/\n[x-]\\", "a/b.log")
	f.Add("**/{a,[b}]/**", "a/{a,x/y")
	f.Add("[[:alpha:][:x]-z]*", "q")
	f.Fuzz(func(t *testing.T, rules, name string) {
		if !fs.ValidPath(name) {
			return
		}
		for _, fold := range []bool{false, true} {
			r := (*ignoreRules)(nil).with(".", rules, fold)
			for _, folder := range []bool{true, false} {
				if r.ignores(name, folder) && strings.Trim(rules, " \n\r") == "" {
					t.Fatalf("empty rules %q ignore %q", rules, name)
				}
			}
		}
		if strings.ContainsAny(name, "\r\n"+wildcards) || strings.HasSuffix(name, " ") || name == "." {
			return
		}
		if !(*ignoreRules)(nil).with(".", "/"+name, false).ignores(name, false) {
			t.Fatalf("/%q does not ignore itself", name)
		}
	})
}

// Rules without end are not taken up, and those that are can be stopped.
func TestIgnoreIsBounded(t *testing.T) {
	t.Parallel()
	none := (*ignoreRules)(nil)
	for name, text := range map[string]string{
		"large":    strings.Repeat("# a comment\n", maxIgnoreText/12+1) + "x\n",
		"many":     strings.Repeat("a\n", maxRules) + "x\n",
		"one long": strings.Repeat("?", maxRule+1) + "\n" + strings.Repeat("*?", maxRule) + "\n",
	} {
		if rules := none.with(".", text, false); rules.ignores("x", false) || rules.ignores(strings.Repeat("x", maxRule+1), false) {
			t.Errorf("%s: the rules hold", name)
		}
	}
	half := none.with(".", strings.Repeat("a*b*c\n", maxRules/2)+"y\n", false)
	if more := half.with("d", strings.Repeat("[a]\n", maxRules/2)+"d/x\n", false); more.ignores("d/x", false) || !more.ignores("d/y", false) {
		t.Error("rules of inner folders add up to any number")
	}
	asked := 0
	half.find("y-not", false, func() bool { asked++; return true })
	if asked != 1 {
		t.Errorf("asked %d times whether to stop, and told so", asked)
	}
	ws := open(t, map[string]string{".gitignore": strings.Repeat("*?\n", 5000), "f": "", ".git/info/exclude": strings.Repeat("z\n", maxRules/2+1) + "g\n", "g": ""})
	if found, _ := walked(t, ws, ".", -1); !strings.Contains(found, "f") {
		t.Errorf("with an exclude file and a .gitignore that are too much together the walk found %q", found)
	}
}
