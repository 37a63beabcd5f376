package proc

import (
	"slices"
	"strings"
	"testing"
)

// M30: Git's bash is found, Linux' is not taken for it.
func TestFindWindows(t *testing.T) {
	t.Parallel()
	const cmd = `C:\Windows\System32\cmd.exe`
	git := func(root string) []string { // as Git for Windows installs it
		return []string{cmd, root + `\cmd\git.exe`, root + `\bin\git.exe`, root + `\bin\bash.exe`, root + `\usr\bin\bash.exe`, root + `\usr\bin\msys-2.0.dll`, root + `\mingw64\bin\git.exe`}
	}
	base := []string{`PROGRAMFILES=C:\Program Files`, `ProgramFiles(x86)=C:\Program Files (x86)`, `LOCALAPPDATA=C:\Users\me\AppData\Local`, `USERPROFILE=C:\Users\me`, `ProgramData=C:\ProgramData`, `SystemRoot=C:\Windows`, `COMSPEC=` + cmd}
	wsl := []string{cmd, `C:\Windows\System32\bash.exe`, `C:\WINDOWS\sysnative\bash.exe`, `c:\windows\SYSTEM32\.\bash.exe`, `C:\Windows\WinSxS\..\System32\bash.exe`, `C:\Users\me\AppData\Local\Microsoft\WindowsApps\bash.exe`, `C:\Users\me\AppData\Local\MICROS~1\WINDOW~1\bash.exe`, `D:\WinNT\system32\bash.exe`}
	for _, tc := range []struct {
		name  string
		env   []string // besides base
		files []string
		want  string
		tools string // folders, relative to what is before \bin\bash.exe
	}{
		{"for all users", nil, git(`C:\Program Files\Git`), `C:\Program Files\Git\bin\bash.exe`, `C:\Program Files\Git\mingw64\bin;C:\Program Files\Git\usr\bin`},
		{"32 bits", nil, git(`C:\Program Files (x86)\Git`), `C:\Program Files (x86)\Git\bin\bash.exe`, `C:\Program Files (x86)\Git\mingw64\bin;C:\Program Files (x86)\Git\usr\bin`},
		{"a 32-bit aye", []string{`ProgramW6432=E:\Programs`}, git(`E:\Programs\Git`), `E:\Programs\Git\bin\bash.exe`, `E:\Programs\Git\mingw64\bin;E:\Programs\Git\usr\bin`},
		{"for one user", nil, git(`C:\Users\me\AppData\Local\Programs\Git`), `C:\Users\me\AppData\Local\Programs\Git\bin\bash.exe`, ``},
		{"scoop", nil, git(`C:\Users\me\scoop\apps\git\current`), `C:\Users\me\scoop\apps\git\current\bin\bash.exe`, ``},
		{"scoop elsewhere", []string{`SCOOP=D:\scoop\`}, git(`D:\scoop\apps\git\current`), `D:\scoop\apps\git\current\bin\bash.exe`, ``},
		{"GIT_INSTALL_ROOT", []string{`GIT_INSTALL_ROOT=D:/tools/git/`}, git(`D:\tools\git`), `D:\tools\git\bin\bash.exe`, ``},
		{"git in PATH", []string{`Path=C:\Windows\System32;"D:\My Git\cmd\"`}, git(`D:\My Git`), `D:\My Git\bin\bash.exe`, ``},
		{"git's mingw64 in PATH", []string{`Path=C:\Windows\System32;D:\Git\mingw64\bin`}, git(`D:\Git`), `D:\Git\bin\bash.exe`, ``},
		{"git on a share", []string{`Path=\\server\tools\Git\cmd`}, git(`\\server\tools\Git`), `\\server\tools\Git\bin\bash.exe`, ``},
		{"MSYS2 in PATH", []string{`Path=E:\msys64\usr\bin`}, []string{cmd, `E:\msys64\usr\bin\bash.exe`, `E:\msys64\usr\bin\msys-2.0.dll`}, `E:\msys64\usr\bin\bash.exe`, `E:\msys64\usr\bin`},
		{"Cygwin in PATH", []string{`Path=E:\cygwin\bin`}, []string{cmd, `E:\cygwin\bin\bash.exe`, `E:\cygwin\bin\cygwin1.dll`}, `E:\cygwin\bin\bash.exe`, `E:\cygwin\bin`},
		{"Linux only", []string{`Path=C:\Windows\System32;C:\WINDOWS\sysnative;c:\windows\SYSTEM32\.;C:\Windows\WinSxS\..\System32;C:\Users\me\AppData\Local\Microsoft\WindowsApps;C:\Users\me\AppData\Local\MICROS~1\WINDOW~1;D:\WinNT\system32`}, wsl, cmd, ``},
		{"Linux first", []string{`Path=C:\Windows\System32;D:\Git\cmd`}, append(git(`D:\Git`), wsl...), `D:\Git\bin\bash.exe`, ``},
		{"a git without bash", []string{`Path=D:\MinGit\cmd`}, []string{cmd, `D:\MinGit\cmd\git.exe`}, cmd, ``},
		{"in the workspace", []string{`Path=.;bin;%SystemRoot%\x;\x`}, []string{cmd, `.\bash.exe`, `bin\bash.exe`, `.\msys-2.0.dll`, `bin\msys-2.0.dll`, `\x\bash.exe`, `\x\msys-2.0.dll`, `%SystemRoot%\x\bash.exe`, `%SystemRoot%\x\msys-2.0.dll`}, cmd, ``},
		{"another command processor", []string{`ComSpec=C:\tcc.exe`}, []string{`C:\tcc.exe`, cmd}, cmd, ``},
		{"nothing", nil, nil, "", ``},
	} {
		sh, err := findWindows(lookup(append(tc.env, base...)), func(p string) bool { return slices.Contains(tc.files, p) })
		if sh.Path != tc.want || sh.POSIX() != (tc.want != cmd) || (err == nil) != (tc.want != "") {
			t.Errorf("%s: found %+v, %v", tc.name, sh, err)
		}
		if tools := strings.Join(sh.Tools, ";"); tc.tools != "" && tools != tc.tools {
			t.Errorf("%s: its programs are in %q, want %q", tc.name, tools, tc.tools)
		}
		if strings.Contains(strings.Join(sh.Args, " "), "l") {
			t.Errorf("%s: %q is a login shell (X11)", tc.name, sh.Args)
		}
	}
}

func TestWithTools(t *testing.T) {
	t.Parallel()
	folders := []string{`C:\Git\mingw64\bin`, `C:\Git\usr\bin`}
	for _, tc := range []struct{ environ, want string }{
		{`A=1|Path=C:\x;C:\y|B=2`, `A=1|Path=C:\Git\mingw64\bin;C:\Git\usr\bin;C:\x;C:\y|B=2`},
		{`A=1`, `A=1|PATH=C:\Git\mingw64\bin;C:\Git\usr\bin`},
	} {
		if got := strings.Join(withTools(strings.Split(tc.environ, "|"), folders), "|"); got != tc.want {
			t.Errorf("%q", got)
		}
	}
	if got := withTools([]string{"PATH=/bin"}, nil); !slices.Equal(got, []string{"PATH=/bin"}) {
		t.Errorf("without folders: %q", got)
	}
}

func TestCommandLine(t *testing.T) {
	t.Parallel()
	bash := Shell{Path: `C:\Program Files\Git\bin\bash.exe`, Args: []string{"-c"}, Name: "Git Bash"}
	cmd := Shell{Path: `C:\Windows\System32\cmd.exe`, Args: []string{"/d", "/s", "/c"}, Name: cmdName}
	for _, tc := range []struct {
		sh            Shell
		command, want string
	}{
		{bash, `ls *.go`, `"C:\Program Files\Git\bin\bash.exe" -c "ls *.go"`},
		{bash, `*.sh`, `"C:\Program Files\Git\bin\bash.exe" -c "*.sh"`},
		{bash, `echo "a b"`, `"C:\Program Files\Git\bin\bash.exe" -c "echo \"a b\""`},
		{bash, `echo \"a\" 'b\' c\`, `"C:\Program Files\Git\bin\bash.exe" -c "echo \\\"a\\\" 'b\' c\\"`},
		{cmd, `dir "C:\x y" & echo a`, `"C:\Windows\System32\cmd.exe" /d /s /c "dir "C:\x y" & echo a"`},
	} {
		if got := tc.sh.commandLine(tc.command); got != tc.want {
			t.Errorf("%q becomes\n%s, want\n%s", tc.command, got, tc.want)
		}
	}
}

// A program that splits its command line as C programs do gets back what was
// quoted.
func FuzzQuoteArg(f *testing.F) {
	f.Add(`echo "a\\" \`)
	f.Add(`\\\"x`)
	f.Add("")
	f.Fuzz(func(t *testing.T, arg string) {
		if got := unquoteArg(quoteArg(arg)); got != arg {
			t.Errorf("%q comes out as %q", arg, got)
		}
	})
}

// unquoteArg reads one quoted argument by the rules of Microsoft's C library:
// 2n slashes and a quote are n slashes and the end, 2n+1 are n and a quote.
func unquoteArg(s string) string {
	var b strings.Builder
	for s = s[1:]; s != ""; {
		n := len(s) - len(strings.TrimLeft(s, `\`))
		quote := len(s) > n && s[n] == '"'
		switch {
		case quote:
			b.WriteString(strings.Repeat(`\`, n/2))
			if n%2 == 0 {
				return b.String()
			}
			b.WriteByte('"')
			s = s[n+1:]
		case n > 0:
			b.WriteString(s[:n])
			s = s[n:]
		default:
			b.WriteByte(s[0])
			s = s[1:]
		}
	}
	return "no end: " + b.String()
}
