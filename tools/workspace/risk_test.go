package workspace

import (
	"io/fs"
	"path"
	"strings"
	"testing"
)

// SecretIn is Secret, only faster.
func FuzzSecretIn(f *testing.F) {
	for _, name := range []string{"a.go", ".env", "ID_RSA", "x.pem", "x.KEY ", "config.json", "_netrc", "Kdb.Kdbx", "credentials.toml", "x.p12", "a.example", "noext", "pgpass.", ".go"} {
		for _, folder := range []string{".", "a/b", ".ssh", "a/.aws/b", ".config/gh", ".docker"} {
			f.Add(folder, name)
		}
	}
	f.Fuzz(func(t *testing.T, folder, name string) {
		if strings.ContainsAny(name, "/") || !fs.ValidPath(name) || !fs.ValidPath(folder) || name == "." {
			return
		}
		if got, want := SecretIn(folder)(name), Secret(path.Join(folder, name)); got != want {
			t.Fatalf("%s in %s: %q, want %q", name, folder, got, want)
		}
	})
}

func TestRisk(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ path, risk, secret string }{
		{"main.go", "", ""},
		{"Makefile", "", ""},
		{"docs/git.md", "", ""},
		{".gitignore", "", ""},
		{"environment", "", ""},
		{".env.example", "", ""},
		{"keys/monkey", "", ""},
		{".git/config", gitInside, holdsKeys},
		{".git/modules/lib/config", gitInside, holdsKeys},
		{"sub/.git/config.worktree", gitInside, holdsKeys},
		{".git/hooks/pre-commit", gitInside, ""},
		{".git", gitInside, ""},
		{"vendor/x/.git/info/attributes", gitInside, ""},
		{".GIT/config", gitInside, holdsKeys},
		{".Git/hooks/x", gitInside, ""},
		{".git./hooks/x", gitInside, ""},
		{".git /config", gitInside, holdsKeys},
		{".g\u200cit/config", gitInside, holdsKeys},
		{".hus\u212ay/pre-commit", runsCode, ""},
		{".gitmodules", gitInside, ""},
		{"sub/.gitattributes", gitInside, ""},
		{".vscode/tasks.json", runsCode, ""},
		{".VSCode/Settings.json", runsCode, ""},
		{"a.code-workspace", runsCode, ""},
		{".envrc", runsCode, holdsKeys},
		{".npmrc", runsCode, holdsKeys},
		{".cargo/config.toml", runsCode, ""},
		{".github/workflows/ci.yml", runsCI, ""},
		{".github/README.md", "", ""},
		{".gitlab-ci.yml", runsCI, ""},
		{"Jenkinsfile", runsCI, ""},
		{".bashrc", runsCode, ""},
		{".config/systemd/user/x.service", runsCode, ""},
		{".local/bin/ls", runsCode, ""},
		{"x.local/bin", "", ""},
		{".agents/skills/a/SKILL.md", steers, ""},
		{".claude/settings.json", steers, ""},
		{"AGENTS.md", steers, ""},
		{"sub/CLAUDE.md", steers, ""},
		{".mcp.json", steers, ""},
		{".env", holdsKeys, holdsKeys},
		{"app/.env.local", holdsKeys, holdsKeys},
		{"server.PEM", holdsKeys, holdsKeys},
		{".ssh/known_hosts", holdsKeys, holdsKeys},
		{".aws/credentials", holdsKeys, holdsKeys},
		{".docker/config.json", holdsKeys, holdsKeys},
		{".config/gh/hosts.yml", runsCode, holdsKeys},
	} {
		if got := Risk(tt.path); got != tt.risk {
			t.Errorf("Risk(%q) = %q, want %q", tt.path, got, tt.risk)
		}
		if got := Secret(tt.path); got != tt.secret {
			t.Errorf("Secret(%q) = %q, want %q", tt.path, got, tt.secret)
		}
	}
}

// The tables are compared with folded paths, so they must be folded.
func TestRiskTablesAreFolded(t *testing.T) {
	t.Parallel()
	for _, table := range [][]protected{keys, code} {
		for _, p := range table {
			set := 0
			for _, s := range []string{p.part, p.name, p.suffix, p.within} {
				if s != "" {
					set++
				}
				for n, part := range fold(s) {
					if want := fold(part)[0]; part != want {
						t.Errorf("%q is not folded at part %d", s, n)
					}
				}
			}
			if set != 1 || p.risk == "" {
				t.Errorf("%+v: exactly one place and a risk must be given", p)
			}
		}
	}
}
