package workspace

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a person is told about a protected path.
const (
	runsCode  = "can run code on this machine"
	runsCI    = "can run code where the project is built"
	gitInside = "is git's own; git can run code from it"
	steers    = "tells coding agents what to do"
	holdsKeys = "may hold keys or passwords"
)

// A protected path is one that a change of deserves a second look. Exactly one
// of the fields besides risk is set; all are in lower case.
type protected struct {
	part   string // a folder of this name, anywhere, and all in it
	name   string // a file of this name, anywhere; path.Match pattern
	suffix string // the last parts of a path
	within string // successive folders, anywhere, and all in them
	risk   string
}

// keys are files whose reading alone can do harm.
var keys = []protected{
	{name: ".env", risk: holdsKeys},
	{name: ".env.*", risk: holdsKeys},
	{name: ".envrc", risk: holdsKeys},
	{name: "*.pem", risk: holdsKeys},
	{name: "*.key", risk: holdsKeys},
	{name: "*.p12", risk: holdsKeys},
	{name: "*.pfx", risk: holdsKeys},
	{name: "*.kdbx", risk: holdsKeys},
	{name: "id_rsa", risk: holdsKeys},
	{name: "id_dsa", risk: holdsKeys},
	{name: "id_ecdsa", risk: holdsKeys},
	{name: "id_ed25519", risk: holdsKeys},
	{name: ".netrc", risk: holdsKeys},
	{name: "_netrc", risk: holdsKeys},
	{name: ".pgpass", risk: holdsKeys},
	{name: ".my.cnf", risk: holdsKeys},
	{name: ".npmrc", risk: holdsKeys},
	{name: ".pypirc", risk: holdsKeys},
	{name: ".git-credentials", risk: holdsKeys},
	{name: ".htpasswd", risk: holdsKeys},
	{name: ".vault-token", risk: holdsKeys},
	{part: ".ssh", risk: holdsKeys},
	{part: ".aws", risk: holdsKeys},
	{part: ".gnupg", risk: holdsKeys},
	{part: ".kube", risk: holdsKeys},
	{part: ".azure", risk: holdsKeys},
	{suffix: ".docker/config.json", risk: holdsKeys},
	{suffix: ".cargo/credentials.toml", risk: holdsKeys},
	{suffix: ".git/config", risk: holdsKeys},
	{suffix: ".git/config.worktree", risk: holdsKeys},
	{within: ".git/modules", risk: holdsKeys},
	{within: ".config/gcloud", risk: holdsKeys},
	{within: ".config/gh", risk: holdsKeys},
}

// harmless ends the names of files that are made to be read by everybody.
var harmless = []string{".example", ".sample", ".template", ".dist"}

// code are files that programs run, or take orders from, without being asked.
var code = []protected{
	{part: ".git", risk: gitInside},
	{name: ".gitmodules", risk: gitInside},
	{name: ".gitattributes", risk: gitInside},
	{name: ".gitconfig", risk: gitInside},
	{part: ".husky", risk: runsCode},
	{name: ".pre-commit-config.yaml", risk: runsCode},
	{name: "lefthook.y*ml", risk: runsCode},
	{part: ".vscode", risk: runsCode},
	{part: ".idea", risk: runsCode},
	{part: ".devcontainer", risk: runsCode},
	{name: "*.code-workspace", risk: runsCode},
	{name: ".envrc", risk: runsCode},
	{name: ".mise.toml", risk: runsCode},
	{name: "mise.toml", risk: runsCode},
	{name: ".tool-versions", risk: runsCode},
	{name: ".npmrc", risk: runsCode},
	{name: ".yarnrc*", risk: runsCode},
	{name: ".pnpmfile.cjs", risk: runsCode},
	{name: "pip.conf", risk: runsCode},
	{name: ".ripgreprc", risk: runsCode},
	{suffix: ".cargo/config", risk: runsCode},
	{suffix: ".cargo/config.toml", risk: runsCode},
	{within: ".github/workflows", risk: runsCI},
	{within: ".github/actions", risk: runsCI},
	{part: ".circleci", risk: runsCI},
	{part: ".buildkite", risk: runsCI},
	{name: ".gitlab-ci.yml", risk: runsCI},
	{name: ".travis.yml", risk: runsCI},
	{name: "azure-pipelines.yml", risk: runsCI},
	{name: "jenkinsfile", risk: runsCI},
	{name: ".bashrc", risk: runsCode},
	{name: ".bash_*", risk: runsCode},
	{name: ".profile", risk: runsCode},
	{name: ".zshrc", risk: runsCode},
	{name: ".zshenv", risk: runsCode},
	{name: ".zprofile", risk: runsCode},
	{name: ".zlogin", risk: runsCode},
	{name: ".inputrc", risk: runsCode},
	{name: ".vimrc", risk: runsCode},
	{name: ".exrc", risk: runsCode},
	{name: ".nvimrc", risk: runsCode},
	{name: ".tmux.conf", risk: runsCode},
	{name: "crontab", risk: runsCode},
	{part: ".config", risk: runsCode},
	{within: ".local/bin", risk: runsCode},
	{within: ".local/share/systemd", risk: runsCode},
	{part: ".aye", risk: steers},
	{part: ".agents", risk: steers},
	{part: ".claude", risk: steers},
	{part: ".codex", risk: steers},
	{part: ".gemini", risk: steers},
	{part: ".cursor", risk: steers},
	{part: ".crush", risk: steers},
	{part: ".opencode", risk: steers},
	{name: ".mcp.json", risk: steers},
	{name: ".cursorrules", risk: steers},
	{name: "agents.md", risk: steers},
	{name: "agents.override.md", risk: steers},
	{name: "claude.md", risk: steers},
	{name: "gemini.md", risk: steers},
	{name: "crush.md", risk: steers},
	{suffix: ".github/copilot-instructions.md", risk: steers},
}

// Risk says why a change of the file at a resolved path deserves a second
// look, as the rest of a sentence that begins with the path ("can run code on
// this machine"); "" for ordinary files. Letter case, and blanks and dots at
// the end of a name, which some file systems drop, do not hide a path.
func Risk(rel string) string {
	parts := fold(rel)
	if risk := find(code, parts); risk != "" {
		return risk
	}
	return findKeys(parts)
}

// Secret says why even reading the file deserves a second look; "" for
// ordinary files.
func Secret(rel string) string { return findKeys(fold(rel)) }

// SecretIn is [Secret] for the files of one folder, and much faster: nearly
// all names are seen at a glance to be ordinary.
func SecretIn(folder string) func(name string) string {
	inHidden := strings.HasPrefix(folder, ".") && folder != "." || strings.Contains(folder, "/.") || !isASCII(folder)
	return func(name string) string {
		if !inHidden && isPlain(name) {
			return ""
		}
		return Secret(path.Join(folder, name))
	}
}

// isPlain says at a glance that no table of keys has the name. All it does not
// say so of are looked up.
func isPlain(name string) bool {
	if name == "" || !isASCII(name) || strings.IndexByte("._iI", name[0]) >= 0 {
		return false
	}
	dot := strings.LastIndexByte(name, '.')
	return dot < 0 && name[len(name)-1] != ' ' || dot >= 0 && slices.Contains(plainTypes, name[dot:])
}

// plainTypes are the most usual ends of names.
var plainTypes = strings.Fields(".go .s .py .js .ts .tsx .jsx .rs .c .h .cc .cpp .hpp .java .rb .md .txt .html .css .json .yaml .yml .toml .xml .svg .png .sh .sum .mod .golden .out")

func isASCII(s string) bool {
	for n := range len(s) {
		if s[n] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func findKeys(parts []string) string {
	if slices.Contains(harmless, path.Ext(parts[len(parts)-1])) {
		return ""
	}
	return find(keys, parts)
}

// find looks the path up in a table.
func find(table []protected, parts []string) string {
	whole := "/" + strings.Join(parts, "/")
	for _, p := range table {
		var hit bool
		switch {
		case p.part != "":
			hit = slices.Contains(parts, p.part)
		case p.name != "":
			hit, _ = path.Match(p.name, parts[len(parts)-1])
		case p.suffix != "":
			hit = strings.HasSuffix(whole, "/"+p.suffix)
		case p.within != "":
			hit = strings.Contains(whole+"/", "/"+p.within+"/")
		}
		if hit {
			return p.risk
		}
	}
	return ""
}

// fold brings the parts of a path to the one form in which the tables are
// written: the smallest letter of each set that differs in case only (the
// Kelvin sign is a k), without characters that are not seen.
func fold(rel string) []string {
	parts := strings.Split(rel, "/")
	for n, part := range parts {
		part = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Cf, r) {
				return -1
			}
			for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
				if f < unicode.MaxASCII {
					r = f
					break
				}
			}
			return unicode.ToLower(r)
		}, part)
		parts[n] = strings.TrimRight(part, ". ")
	}
	return parts
}
