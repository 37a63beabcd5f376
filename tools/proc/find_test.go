package proc

import (
	"os"
	"slices"
	"testing"
)

func TestFind(t *testing.T) {
	t.Parallel()
	sh, err := Find(os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	if sh.Path == "" || sh.Name == "" || len(sh.Args) == 0 {
		t.Errorf("found %+v", sh)
	}
}

func TestFindUnix(t *testing.T) {
	t.Parallel()
	env := lookup([]string{"PATH=relative:/data/data/com.termux/files/usr/bin:/usr/bin"})
	for _, tc := range []struct {
		files []string
		want  string
	}{
		{[]string{"/bin/sh", "/usr/bin/sh"}, "/bin/sh"},
		{[]string{"/data/data/com.termux/files/usr/bin/sh"}, "/data/data/com.termux/files/usr/bin/sh"},
		{[]string{"relative/sh"}, ""},
	} {
		sh, err := findUnix(env, func(p string) bool { return slices.Contains(tc.files, p) })
		if sh.Path != tc.want || (err == nil) != (tc.want != "") {
			t.Errorf("with %q found %q, %v", tc.files, sh.Path, err)
		}
	}
}

func TestFindWindows(t *testing.T) {
	t.Parallel()
	env := lookup([]string{
		`PROGRAMFILES=C:\Program Files`, `SystemRoot=C:\Windows`, `COMSPEC=C:\Windows\System32\cmd.exe`,
		`Path=C:\Windows\System32;C:\Users\me\AppData\Local\Microsoft\WindowsApps;.;"D:\Git\cmd";E:\msys\usr\bin\`,
	})
	const cmd = `C:\Windows\System32\cmd.exe`
	for _, tc := range []struct {
		files []string
		want  string
		posix bool
	}{
		{[]string{`C:\Program Files\Git\bin\bash.exe`, cmd}, `C:\Program Files\Git\bin\bash.exe`, true},
		{[]string{`D:\Git\bin\bash.exe`, cmd}, `D:\Git\bin\bash.exe`, true},
		{[]string{`E:\msys\usr\bin\bash.exe`, cmd}, `E:\msys\usr\bin\bash.exe`, true},
		{[]string{`C:\Windows\System32\bash.exe`, `C:\Users\me\AppData\Local\Microsoft\WindowsApps\bash.exe`, `.\bash.exe`, cmd}, cmd, false},
		{nil, "", true},
	} {
		sh, err := findWindows(env, func(p string) bool { return slices.Contains(tc.files, p) })
		if sh.Path != tc.want || sh.POSIX() != tc.posix || (err == nil) != (tc.want != "") {
			t.Errorf("with %q found %+v, %v", tc.files, sh, err)
		}
	}
}
