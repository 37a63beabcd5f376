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
