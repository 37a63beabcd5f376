package proc

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// A Shell reads command lines.
type Shell struct {
	Path string   // absolute
	Args []string // what precedes the command line
	Name string   // for people and the model: "/bin/sh", "Git Bash", "cmd.exe"
}

// POSIX tells whether the shell reads POSIX syntax; cmd.exe does not.
func (s Shell) POSIX() bool { return s.Name != cmdName }

const cmdName = "cmd.exe"

// Find returns the shell that commands are run with: sh on Unix; on Windows
// Git's bash where it is installed, else cmd. environ is like os.Environ's.
func Find(environ []string) (Shell, error) {
	if runtime.GOOS == "windows" {
		return findWindows(lookup(environ), isFile)
	}
	return findUnix(lookup(environ), isFile)
}

// findUnix prefers the place that every Unix has; PATH is for those few that
// have it elsewhere, as Termux.
func findUnix(env func(string) string, exists func(string) bool) (Shell, error) {
	places := []string{"/bin/sh"}
	for _, dir := range filepath.SplitList(env("PATH")) {
		if filepath.IsAbs(dir) {
			places = append(places, filepath.Join(dir, "sh"))
		}
	}
	for _, p := range places {
		if exists(p) {
			return Shell{Path: p, Args: []string{"-c"}, Name: p}, nil
		}
	}
	return Shell{}, errors.New("no shell: there is neither /bin/sh nor an sh in PATH")
}

// findWindows takes no bash from System32 or WindowsApps: those start Linux
// in WSL, where the workspace and its tools have other names.
func findWindows(env func(string) string, exists func(string) bool) (Shell, error) {
	for _, p := range gitBashPlaces(env) {
		if exists(p) {
			return Shell{Path: p, Args: []string{"-c"}, Name: "Git Bash"}, nil
		}
	}
	for _, p := range []string{env("ComSpec"), env("SystemRoot") + `\System32\cmd.exe`, `C:\Windows\System32\cmd.exe`} {
		if p != "" && exists(p) {
			return Shell{Path: p, Args: []string{"/d", "/s", "/c"}, Name: cmdName}, nil
		}
	}
	return Shell{}, errors.New("no shell: neither Git Bash nor cmd.exe was found")
}

func gitBashPlaces(env func(string) string) []string {
	var places []string
	for _, v := range []string{"ProgramFiles", "ProgramW6432", "ProgramFiles(x86)"} {
		if dir := env(v); dir != "" {
			places = append(places, dir+`\Git\bin\bash.exe`)
		}
	}
	if dir := env("LocalAppData"); dir != "" {
		places = append(places, dir+`\Programs\Git\bin\bash.exe`)
	}
	for dir := range strings.SplitSeq(env("PATH"), ";") {
		dir = strings.TrimRight(strings.Trim(dir, `"`), `\`)
		low := strings.ToLower(dir)
		switch {
		case len(dir) < 3 || dir[1] != ':':
			// Relative: a bash in the workspace is not Git's.
		case strings.HasSuffix(low, `\windowsapps`), strings.Contains(low, `\windows\system32`), strings.Contains(low, `\windows\sysnative`):
		case strings.HasSuffix(low, `\git\cmd`):
			places = append(places, dir[:len(dir)-len(`\cmd`)]+`\bin\bash.exe`)
		default:
			places = append(places, dir+`\bash.exe`)
		}
	}
	return places
}

// lookup returns getenv over environ; names compare without case, as they do
// on Windows, where this matters.
func lookup(environ []string) func(string) string {
	return func(name string) string {
		for _, kv := range environ {
			if k, v, ok := strings.Cut(kv, "="); ok && strings.EqualFold(k, name) {
				return v
			}
		}
		return ""
	}
}

func isFile(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular()
}
