package proc

import (
	"errors"
	"strings"
)

// How the shell is found on Windows. Nothing here asks the system: it is the
// same code, and tested, everywhere.

// findWindows prefers a bash that brings its Unix programs along: Git's, MSYS2's
// or Cygwin's.
func findWindows(env func(string) string, exists func(string) bool) (Shell, error) {
	for _, bash := range bashPlaces(env, exists) {
		if !exists(bash) {
			continue
		}
		if tools, ok := bashTools(bash, exists); ok {
			return Shell{Path: bash, Args: []string{"-c"}, Name: "Git Bash", Tools: tools}, nil
		}
	}
	for _, p := range []string{env("ComSpec"), env("SystemRoot") + `\System32\cmd.exe`, `C:\Windows\System32\cmd.exe`} {
		if absolute(p) && strings.EqualFold(base(p), cmdName) && exists(p) {
			return Shell{Path: p, Args: []string{"/d", "/s", "/c"}, Name: cmdName}, nil
		}
	}
	return Shell{}, errors.New("no shell: neither Git Bash nor cmd.exe was found; install Git for Windows")
}

// bashPlaces are where a bash may be, the likeliest first.
func bashPlaces(env func(string) string, exists func(string) bool) []string {
	var roots []string // of Git
	under := func(variable, rest string) {
		if dir := clean(env(variable)); absolute(dir) {
			roots = append(roots, dir+rest)
		}
	}
	under("GIT_INSTALL_ROOT", "")
	under("ProgramFiles", `\Git`)
	under("ProgramW6432", `\Git`)
	under("ProgramFiles(x86)", `\Git`)
	under("LocalAppData", `\Programs\Git`)
	under("SCOOP", `\apps\git\current`)
	under("UserProfile", `\scoop\apps\git\current`)
	under("ProgramData", `\scoop\apps\git\current`)
	var direct []string
	for dir := range strings.SplitSeq(env("PATH"), ";") {
		dir = clean(strings.Trim(strings.TrimSpace(dir), `"`))
		if !absolute(dir) {
			continue // a git or bash in the workspace is not the person's
		}
		if exists(dir + `\git.exe`) { // in Git's cmd, bin or mingw64\bin
			roots = append(roots, parent(dir), parent(parent(dir)))
		}
		direct = append(direct, dir+`\bash.exe`)
	}
	var places []string
	for _, root := range roots {
		places = append(places, root+`\bin\bash.exe`, root+`\usr\bin\bash.exe`)
	}
	return append(places, direct...)
}

// bashTools tells whether a bash is one for Windows, and where its programs
// are. Such a bash has the library beside it that makes Windows look like Unix.
// The bash.exe in System32 and that in WindowsApps start Linux instead, where
// the workspace and its tools have other names; they have no such library, by
// whatever spelling of their folder they were found.
func bashTools(bash string, exists func(string) bool) (tools []string, ok bool) {
	dir := parent(bash)
	up := parent(dir)
	switch {
	case exists(dir + `\msys-2.0.dll`): // usr\bin
		up = parent(up)
	case exists(up + `\usr\bin\msys-2.0.dll`): // bin, whose bash starts the other
		dir = up + `\usr\bin`
	case exists(dir + `\cygwin1.dll`):
		return []string{dir}, true
	default:
		return nil, false
	}
	for _, mingw := range []string{`\mingw64\bin`, `\clangarm64\bin`, `\mingw32\bin`} {
		if exists(up + mingw + `\git.exe`) {
			return []string{up + mingw, dir}, true
		}
	}
	return []string{dir}, true
}

// clean writes a Windows path with \ and without one at its end.
func clean(path string) string {
	return strings.TrimRight(strings.ReplaceAll(path, "/", `\`), `\`)
}

func absolute(path string) bool {
	return len(path) > 2 && path[1] == ':' && path[2] == '\\' || strings.HasPrefix(path, `\\`)
}

func parent(path string) string {
	return path[:max(strings.LastIndexByte(path, '\\'), 0)]
}

func base(path string) string { return path[strings.LastIndexByte(path, '\\')+1:] }

// withTools puts folders before the search path of an environment, in which
// Windows calls it Path or PATH.
func withTools(environ, folders []string) []string {
	if len(folders) == 0 {
		return environ
	}
	before := strings.Join(folders, ";")
	out := make([]string, 0, len(environ)+1)
	found := false
	for _, kv := range environ {
		if name, value, ok := strings.Cut(kv, "="); ok && strings.EqualFold(name, "PATH") {
			kv, found = name+"="+before+";"+value, true
		}
		out = append(out, kv)
	}
	if !found {
		out = append(out, "PATH="+before)
	}
	return out
}

// commandLine is how a shell is started on Windows, where a program gets one
// string and splits it itself. cmd.exe takes what is between the outermost
// quotes as it is. Bash splits as C programs do, and besides replaces * and ?
// in what is not quoted: everything is.
func (s Shell) commandLine(command string) string {
	line := `"` + s.Path + `" ` + strings.Join(s.Args, " ") + " "
	if !s.POSIX() {
		return line + `"` + command + `"`
	}
	return line + quoteArg(command)
}

// quoteArg quotes an argument as C programs on Windows read it: \ is special
// only before a quote.
func quoteArg(arg string) string {
	var b strings.Builder
	b.WriteByte('"')
	slashes := 0
	for i := range len(arg) {
		switch arg[i] {
		case '\\':
			slashes++
		case '"':
			b.WriteString(strings.Repeat(`\`, slashes+1)) // as many again, and one for the quote
			slashes = 0
		default:
			slashes = 0
		}
		b.WriteByte(arg[i])
	}
	b.WriteString(strings.Repeat(`\`, slashes))
	b.WriteByte('"')
	return b.String()
}
