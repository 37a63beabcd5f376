package permit

import (
	"fmt"
	"strings"
	"testing"

	"aye/agent"
	"aye/tools"
)

func exec(command string) []tools.Effect { return []tools.Effect{{Kind: tools.Exec, Target: command}} }
func writes(path string) []tools.Effect  { return []tools.Effect{{Kind: tools.Write, Target: path}} }
func reads(path string) []tools.Effect   { return []tools.Effect{{Kind: tools.Read, Target: path}} }
func keys(path string) []tools.Effect {
	return []tools.Effect{{Kind: tools.Read, Target: path, Risk: "may hold keys"}}
}
func risky(path string) []tools.Effect {
	return []tools.Effect{{Kind: tools.Write, Target: path, Risk: "can run code"}}
}

func TestModes(t *testing.T) {
	p, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	const pass, ask, reject = agent.Pass, agent.Inquire, agent.Reject
	for _, tc := range []struct {
		name, tool            string
		effects               []tools.Effect
		plan, ask, edit, full agent.Verdict
	}{
		{"no effects", "todo", nil, pass, pass, pass, pass},
		{"read", "read", reads("a.go"), pass, pass, pass, pass},
		{"read keys", "read", keys(".env"), ask, ask, ask, pass},
		{"keys among others", "grep", append(reads("a.go"), keys(".env")...), ask, ask, ask, pass},
		{"read keys and write", "x", append(keys(".env"), writes("a.go")...), reject, ask, ask, pass},
		{"write", "write", writes("a.go"), reject, ask, pass, pass},
		{"edit in a folder", "edit", writes("a/b.go"), reject, ask, pass, pass},
		{"read and write", "edit", append(reads("a.go"), writes("a.go")...), reject, ask, pass, pass},
		{"write outside", "write", writes("../a.go"), reject, ask, ask, pass},
		{"write to an absolute path", "write", writes("/etc/passwd"), reject, ask, ask, pass},
		{"risky", "write", risky(".git/config"), reject, ask, ask, pass},
		{"one of two is risky", "patch", append(writes("a"), risky(".envrc")...), reject, ask, ask, pass},
		{"command", "shell", exec("ls"), reject, ask, ask, pass},
		{"unknown effect", "x", []tools.Effect{{Kind: "net", Target: "y"}}, reject, ask, ask, pass},
	} {
		for mode, want := range map[agent.Mode]agent.Verdict{agent.Plan: tc.plan, agent.Ask: tc.ask, "": tc.ask, "odd": tc.ask, agent.Edit: tc.edit, agent.Full: tc.full} {
			got := p.Judge(string(mode), tc.tool, tc.effects, nil)
			if got.Verdict != want {
				t.Errorf("%s in mode %q: %v", tc.name, mode, got)
			}
			if (got.Verdict == reject) != (got.Why != "") {
				t.Errorf("%s in mode %q: the reason is %q", tc.name, mode, got.Why)
			}
		}
	}
}

func TestAllow(t *testing.T) {
	for _, tc := range []struct {
		rule, tool string
		effects    []tools.Effect
		pass       bool
	}{
		{"read", "read", keys(".env"), false},
		{"read(*)", "read", keys(".env"), false},
		{"read(.env)", "read", keys(".env"), true},
		{"read(.env)", "grep", keys(".env"), true},
		{"edit(.env)", "read", keys(".env"), false},
		{"edit", "edit", writes("a.go"), true},
		{"edit", "write", writes("a.go"), true},
		{"write", "edit", writes("a.go"), true},
		{"edit", "shell", exec("ls"), false},
		{"edit", "write", risky(".envrc"), false},
		{"edit(.envrc)", "write", risky(".envrc"), true},
		{"edit(**)", "write", risky(".envrc"), false},
		{"edit(.env*)", "write", risky(".envrc"), false},
		{"write(docs/**)", "write", writes("docs/a/b.md"), true},
		{"write(docs/**)", "write", writes("docs-secret/a"), false},
		{"write(docs/**)", "write", writes("docs/../a"), false},
		{"write(docs/)", "write", writes("docs/a/b.md"), true},
		{"write(./docs/*)", "write", writes("docs/a.md"), true},
		{"write(docs/*)", "write", writes("docs/a/b.md"), false},
		{"edit(**)", "write", writes("../a"), false},
		{"edit(**)", "write", writes("/a"), false},
		{"edit(*.go)", "patch", append(writes("a.go"), writes("b.go")...), true},
		{"edit(*.go)", "patch", append(writes("a.go"), writes("b.c")...), false},
		{`edit(a\[1\].go)`, "edit", writes("a[1].go"), true},
		{`edit(a[1].go)`, "edit", writes("a[1].go"), false},
		{"patch", "patch", writes("a"), true},
		{"patch", "patch", risky(".envrc"), false},
		{"patch(docs/**)", "patch", writes("docs/a"), true},
		{"patch", "edit", writes("a"), false},
		{"shell", "shell", exec("ls; rm -rf x"), true},
		{"shell(go test ./...)", "shell", exec("go test ./..."), true},
		{"shell(go test ./...)", "shell", exec("go test  ./..."), false},
		{"shell(go test ./...)", "shell", exec("go test ./... "), false},
		{"shell(a && b)", "shell", exec("a && b"), true},
		{"shell(go test*)", "shell", exec("go test"), true},
		{"shell(go test *)", "shell", exec("go test"), true},
		{"shell(go test *)", "shell", exec("go test ./a -v"), true},
		{"shell(go test*)", "shell", exec("go tests"), false},
		{"shell(go test*)", "shell", exec("go"), false},
		{"shell(npm run test:*)", "shell", exec("npm run test:unit"), true},
		{"shell(npm run test:*)", "shell", exec("npm run test:unit -- --fix"), false},
		{"shell(npm run test:* *)", "shell", exec("npm run test:unit -- --watch"), true},
		{"shell(./scripts/*.sh)", "shell", exec("./scripts/a.sh"), false},
		{"shell(bash scripts/*.sh)", "shell", exec("bash scripts/a.sh"), false},
		{"shell(ls docs/*/x)", "shell", exec("ls docs/a/x"), true},
		{"shell(ls docs/*/x)", "shell", exec("ls docs/a/b/x"), false},
		{"shell(python3 -m pytest*)", "shell", exec("python3 -m pytest -q"), true},
		{"shell(python3 -u *)", "shell", exec("python3 -u -c x"), false},
		{"shell(python3 -u *)", "shell", exec("python3 -u a.py -c x"), true},
		{"shell(go *t*)", "shell", exec("go test"), true},
		{`shell(echo \*)`, "shell", exec("echo *"), true},
		{`shell(echo \*)`, "shell", exec("echo a"), false},
		{`shell(a\nb)`, "shell", exec("a\nb"), true},
		{`shell(a\\nb)`, "shell", exec(`a\nb`), true},
		{"mcp.server.tool", "mcp.server.tool", exec("x"), true},
	} {
		p := &Policy{posix: true}
		if got := p.Judge("ask", tc.tool, tc.effects, []string{tc.rule}); (got.Verdict == agent.Pass) != tc.pass {
			t.Errorf("%s, %s of %q: %v", tc.rule, tc.tool, tc.effects, got)
		}
	}
}

func TestForeignShell(t *testing.T) {
	p, err := New(Options{Allow: []string{"shell(dir*)", "shell(dir /b)"}, Foreign: true})
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]agent.Verdict{"dir /b": agent.Pass, "dir": agent.Inquire, "dir 'a&del b'": agent.Inquire} {
		if got := p.Judge("ask", "shell", exec(command), nil); got.Verdict != want {
			t.Errorf("%q: %v", command, got)
		}
	}
}

func TestDeny(t *testing.T) {
	const pass, ask, reject = agent.Pass, agent.Inquire, agent.Reject
	for _, tc := range []struct {
		rule, tool string
		effects    []tools.Effect
		want       agent.Verdict // in mode full
	}{
		{"edit", "write", writes("a"), reject},
		{"edit(secrets)", "write", writes("secrets/a/b"), reject},
		{"edit(secrets/)", "write", writes("secrets"), reject},
		{"edit(secrets/)", "write", writes("Secrets/a"), reject},
		{"edit(secrets/**)", "write", writes("secret/a"), pass},
		{"edit(secrets/**)", "write", writes("./secrets/a"), reject},
		{"read(secrets/**)", "read", reads("secrets/a"), reject},
		{"read(secrets/**)", "grep", reads("secrets/a"), reject},
		{"glob", "glob", nil, reject},
		{"shell", "shell", exec("ls"), reject},
		{"shell(rm*)", "shell", exec("rm -rf x"), reject},
		{"shell(rm*)", "shell", exec("ls"), pass},
		{"shell(rm*)", "shell", exec("rmdir x"), pass},
		{"shell(rm*)", "shell", exec("cd x && /bin/rm y"), reject},
		{"shell(rm*)", "shell", exec("sudo -n rm y"), reject},
		{"shell(rm*)", "shell", exec("env A=b rm y"), reject},
		{"shell(rm*)", "shell", exec(`r\m y`), reject},
		{"shell(rm*)", "shell", exec(`'r'"m" y`), reject},
		{"shell(rm*)", "shell", exec("echo $(rm y)"), reject},
		{"shell(rm*)", "shell", exec("f() { rm y; }; f"), reject},
		{"shell(rm*)", "shell", exec(`bash -c "sh -c 'rm y'"`), reject},
		{"shell(rm*)", "shell", exec("find . -exec rm {} +"), reject},
		{"shell(rm*)", "shell", exec("ls | xargs rm"), reject},
		{"shell(rm*)", "shell", exec("eval 'rm y'"), reject},
		{"shell(rm*)", "shell", exec("$X y"), ask},
		{"shell(rm*)", "shell", exec("sudo $X"), ask},
		{"shell(rm*)", "shell", exec("echo cm0geQ== | base64 -d | sh"), ask},
		{"shell(rm*)", "shell", exec("ls '"), ask},
		{"shell(rm*)", "shell", exec("ls $X"), pass},
		{"shell(rm*)", "shell", exec("git commit -m rm"), pass},
		{"shell(rm*)", "shell", exec(strings.Repeat("(", 5000)), ask},
		{"shell(git push*)", "shell", exec("git push --force"), reject},
		{"shell(git push*)", "shell", exec("git $X"), ask},
		{"shell(git push)", "shell", exec("git push"), reject},
		{"shell(git push)", "shell", exec("git push origin"), pass},
	} {
		p, err := New(Options{Deny: []string{tc.rule}, Allow: []string{"edit", "shell", "read", "glob"}})
		if err != nil {
			t.Fatal(err)
		}
		got := p.Judge("full", tc.tool, tc.effects, nil)
		if got.Verdict != tc.want {
			t.Errorf("deny %s, %s of %.60q: %v", tc.rule, tc.tool, tc.effects, got)
		}
		if got.Verdict == reject && !strings.Contains(got.Why, tc.rule) {
			t.Errorf("deny %s: the reason does not name it: %q", tc.rule, got.Why)
		}
	}
}

// The rule that is offered covers what was asked and nothing near it.
func TestOfferedRule(t *testing.T) {
	p, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		tool    string
		effects []tools.Effect
		rule    string
	}{
		{"edit", writes("a/b.go"), "edit(a/b.go)"},
		{"write", writes("a*[b]{c}?.go"), `edit(a\*\[b\]\{c\}\?.go)`},
		{"edit", append(reads("a"), writes("a")...), "edit(a)"},
		{"patch", append(writes("a"), writes("b/c.go")...), "edit({a,b/c.go})"},
		{"patch", append(writes("c{*"), writes("a,b")...), `edit({c\{\*,a\,b})`},
		{"patch", append(writes("a"), risky(".envrc")...), ""},
		{"patch", append(writes("a"), writes("../b")...), ""},
		{"patch", append(writes(strings.Repeat("a", 300)), writes(strings.Repeat("b", 300))...), ""},
		{"edit", writes("a,b"), `edit(a\,b)`},
		{"x", append(writes("a"), exec("ls")...), ""},
		{"read", keys("a*/.env"), `read(a\*/.env)`},
		{"read", append(keys(".env"), keys("id_rsa")...), ""},
		{"write", risky(".envrc"), ""},
		{"write", writes("../a"), ""},
		{"write", writes("a\nb"), ""},
		{"shell", exec("go test ./..."), "shell(go test ./...)"},
		{"shell", exec("npm test && touch M"), "shell(npm test && touch M)"},
		{"shell", exec("ls *"), `shell(ls \*)`},
		{"shell", exec("(ls)"), "shell((ls))"},
		{"shell", exec("a\nb\tc"), `shell(a\nb\tc)`},
		{"shell", exec(`echo '\n'`), `shell(echo '\\n')`},
		{"shell", exec(" ls "), "shell( ls )"},
		{"shell", exec("ls\rx"), ""},
		{"shell", exec("ls \xff"), ""},
		{"shell", exec("echo " + strings.Repeat("x", 1000)), ""},
		{"mcp.x", exec("x"), ""},
	} {
		got := p.Judge("ask", tc.tool, tc.effects, nil)
		if got.Verdict != agent.Inquire || got.Rule != tc.rule {
			t.Errorf("%s of %q: %v, want the rule %q", tc.tool, tc.effects, got, tc.rule)
			continue
		}
		if tc.rule == "" {
			continue
		}
		if again := p.Judge("ask", tc.tool, tc.effects, []string{got.Rule}); again.Verdict != agent.Pass {
			t.Errorf("%q does not cover what it was offered for", got.Rule)
		}
		last := len(tc.effects) - 1
		for _, near := range []string{"b", "{a", "x" + tc.effects[last].Target, tc.effects[last].Target + "x", tc.effects[last].Target + " x", tc.effects[last].Target + "; x"} {
			e := tc.effects[last]
			e.Target = near
			if again := p.Judge("ask", tc.tool, []tools.Effect{e}, []string{got.Rule}); again.Verdict == agent.Pass {
				t.Errorf("%q covers %q too", got.Rule, near)
			}
		}
	}
}

func TestParse(t *testing.T) {
	for _, good := range []string{"edit", "shell", "load_skill", "mcp.x-y", "shell(go test*)", "write(docs/**)", "shell((a))", `shell(a \* b)`, "edit(a/b.{go,md})"} {
		r, err := Parse(" " + good + " ")
		if err != nil || r.String() != good {
			t.Errorf("%q: %v, %v", good, r, err)
		}
	}
	for bad, want := range map[string]string{
		"":                "must begin with a name",
		"(x)":             "must begin with a name",
		"go test":         "must begin with a name",
		"edit(":           "closing )",
		"edit(a) ":        "",
		"edit(a)b":        "closing )",
		"edit()":          "covers nothing",
		"shell( )":        "covers nothing",
		"edit(/etc/x)":    "relative",
		"edit(~/x)":       "relative",
		`edit(C:\x)`:      "relative",
		"edit(a/../../b)": "outside",
		"edit(..)":        "outside",
		"edit([a)":        "cannot be read",
		`shell(a\)`:       "nothing after",
		"shell(*)":        "spelled out",
		"shell(* x)":      "spelled out",
		"shell(l*s x)":    "spelled out",
		"shell(./*)":      "spelled out",
		"shell(a\nb)":     "control",
		"shell(\xff)":     "control",
	} {
		_, err := Parse(bad)
		if want == "" {
			if err != nil {
				t.Errorf("%q: %v", bad, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", bad, err, want)
		}
	}
}

func TestNewRefusesRulesThatNeverApply(t *testing.T) {
	for _, rule := range []string{"shell(sudo*)", "shell(git*)", "shell(git -c *)", "shell(git config*)", "shell(bash -c *)", "shell(/usr/bin/env *)", "shell(awk*)", "shell(git *)"} {
		if _, err := New(Options{Allow: []string{rule}}); err == nil || !strings.Contains(err.Error(), rule) {
			t.Errorf("allow %s: %v", rule, err)
		}
		if _, err := New(Options{Deny: []string{rule}}); err != nil {
			t.Errorf("deny %s: %v", rule, err)
		}
	}
	if _, err := New(Options{Allow: []string{"shell(sudo reboot)"}}); err != nil {
		t.Errorf("an exact rule: %v", err)
	}
}

func TestNewKnowsTheTools(t *testing.T) {
	names := []string{"read", "glob"}
	if _, err := New(Options{Allow: []string{"glob", "edit"}, Deny: []string{"shell(rm*)"}, Tools: names}); err != nil {
		t.Error(err)
	}
	_, err := New(Options{Deny: []string{"bash(rm*)"}, Tools: names})
	if err == nil || !strings.Contains(err.Error(), "no tool bash; rules are about edit, glob, read, shell, write") {
		t.Errorf("got %v", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"edit", "shell(go test*)", `shell(a\*\\\n)`, "write(docs/**)", "edit({a,b}[c])", "shell(a b* c*)"} {
		f.Add(s, "go test ./...")
	}
	f.Fuzz(func(t *testing.T, s, command string) {
		r, err := Parse(s)
		if err != nil {
			return
		}
		again, err := Parse(r.String())
		if err != nil || again != r {
			t.Fatalf("%q is %q, and that is %q, %v", s, r, again, err)
		}
		for _, effects := range [][]tools.Effect{exec(command), writes(command), risky(command), reads(command)} {
			(&Policy{deny: []Rule{r}, posix: true}).Judge("full", "shell", effects, []string{s})
			(&Policy{posix: true}).Judge("ask", "shell", effects, []string{s})
		}
	})
}

// Nothing special passes by a rule with a star, and an offered rule covers
// what it was offered for.
func FuzzCommand(f *testing.F) {
	for _, commands := range structure {
		for _, c := range commands {
			if len(c) < 1000 {
				f.Add(c)
			}
		}
	}
	f.Add("ls -la 'a b'")
	p := &Policy{posix: true}
	f.Fuzz(func(t *testing.T, command string) {
		if words, ok := simple(command); ok {
			outside := command
			for _, q := range []string{"'", `"`} { // what stands in quotes is data
				for {
					before, rest, ok := strings.Cut(outside, q)
					_, after, ok2 := strings.Cut(rest, q)
					if !ok || !ok2 {
						break
					}
					outside = before + after
				}
			}
			if !strings.ContainsAny(command, `'"`) && strings.ContainsAny(outside, ";|&<>()$`\n\r\\*?{}") {
				t.Fatalf("%q is taken for the simple command %q", command, words)
			}
		}
		got := p.Judge("ask", "shell", exec(command), generous)
		if got.Verdict == agent.Inquire && got.Rule != "" {
			if p.Judge("ask", "shell", exec(command), []string{got.Rule}).Verdict != agent.Pass {
				t.Fatalf("%q does not cover %q", got.Rule, command)
			}
			if p.Judge("ask", "shell", exec(command+"x"), []string{got.Rule}).Verdict == agent.Pass {
				t.Fatalf("%q covers more than %q", got.Rule, command)
			}
		}
		(&Policy{deny: []Rule{{"shell", "rm*"}}}).Judge("full", "shell", exec(command), nil)
	})
}

func BenchmarkJudge(b *testing.B) {
	long := map[string]string{
		"one simple command": "go test ./... -run TestX",
		"a pipeline":         "cd x && go test ./... 2>&1 | tail -n 20",
		"300 KB":             "echo " + strings.Repeat("x ", 150_000),
		"5000 parentheses":   strings.Repeat("(", 5000) + "ls" + strings.Repeat(")", 5000),
		"16 KB of commands":  strings.Repeat("true; ", 16_000/6),
		"16 KB of if":        strings.Repeat("if ", 16_000/3),
		"16 KB of [[ !":      "[[ " + strings.Repeat("! ", 16_000/2),
		"16 KB of {":         strings.Repeat("{ ", 16_000/2),
		"16 KB of ${":        strings.Repeat("${a:-", 16_000/5),
		"16 KB of quotes":    strings.Repeat(`"$`, 16_000/2),
		"16 KB of heredocs":  strings.Repeat("<<a ", 16_000/4),
		"sh within sh":       `sh -c "sh -c 'sh -c \"sh -c ls ls ls\"'"` + strings.Repeat(" 'sh -c ls'", 1000),
	}
	for name, command := range long {
		for _, deny := range []bool{false, true} {
			o := Options{Allow: []string{"shell(go test*)"}}
			if deny {
				o.Deny = []string{"shell(rm*)"}
			}
			p, err := New(o)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/deny=%v", name, deny), func(b *testing.B) {
				for b.Loop() {
					p.Judge("ask", "shell", exec(command), nil)
				}
			})
		}
	}
}

// A command that deserves a second look is covered by its exact rule or by mode
// full, by nothing that was said in general, and no rule is offered for it.
func TestRiskyCommandsAreAsked(t *testing.T) {
	push := []tools.Effect{{Kind: tools.Exec, Target: "git push origin main", Risk: "sends commits to another repository"}}
	for _, tc := range []struct {
		rule, mode string
		want       agent.Verdict
	}{
		{"shell", "ask", agent.Inquire},
		{"shell", "edit", agent.Inquire},
		{"shell(git push*)", "ask", agent.Inquire},
		{"shell(git push origin main)", "ask", agent.Pass},
		{"shell(git push origin main)", "plan", agent.Reject},
		{"shell", "full", agent.Pass},
	} {
		p, err := New(Options{Allow: []string{tc.rule}})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Judge(tc.mode, "shell", push, nil); got.Verdict != tc.want || got.Rule != "" {
			t.Errorf("%s in mode %s: %+v", tc.rule, tc.mode, got)
		}
		if got := p.Judge("ask", "shell", exec("git push origin main"), []string{tc.rule}); got.Verdict != agent.Pass {
			t.Errorf("%s, of a command without risk: %+v", tc.rule, got)
		}
	}
}
