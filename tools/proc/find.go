package proc

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/text/encoding"
)

// A Shell reads command lines.
type Shell struct {
	Path string   // absolute
	Args []string // what precedes the command line
	Name string   // for people and the model: "/bin/sh", "Git Bash", "cmd.exe"

	Tools   []string          // folders of the shell's own programs, put before PATH
	Charset encoding.Encoding // of output that is no UTF-8; nil: unknown
}

// POSIX tells whether the shell reads POSIX syntax; cmd.exe does not.
func (s Shell) POSIX() bool { return s.Name != cmdName }

const cmdName = "cmd.exe"

// Find returns the shell that commands are run with: sh on Unix; on Windows
// Git's bash where it is installed, else cmd. environ is like os.Environ's.
func Find(environ []string) (Shell, error) {
	env := lookup(environ)
	find := findUnix
	if runtime.GOOS == "windows" {
		find = findWindows
	}
	sh, err := find(env, isFile)
	sh.Charset = systemCharset(env)
	return sh, err
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
