package cause

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestOf(t *testing.T) {
	t.Parallel()
	_, missing := os.Open(filepath.Join(t.TempDir(), "none"))
	link := os.Link(filepath.Join(t.TempDir(), "none"), "x")
	full := &fs.PathError{Op: "write", Path: "/x", Err: syscall.ENOSPC}
	for _, tt := range []struct {
		err  error
		want string
	}{
		{missing, "it does not exist"},
		{link, "it does not exist"},
		{full, "the disk is full"},
		{errors.Join(full, os.ErrClosed), "the disk is full"},
		{&fs.PathError{Op: "open", Path: "/x", Err: syscall.EACCES}, "permission denied"},
		{&fs.PathError{Op: "open", Path: "/x", Err: syscall.EISDIR}, syscall.EISDIR.Error()},
		{os.NewSyscallError("fork", syscall.ENOSPC), "the disk is full"},
		{fmt.Errorf("the end could not be copied: %w", full), "the end could not be copied: write /x: " + syscall.ENOSPC.Error()},
		{errors.New("plain"), "plain"},
	} {
		got := Of(tt.err)
		if got.Error() != tt.want || !errors.Is(got, tt.err) {
			t.Errorf("Of(%v) = %q, want %q", tt.err, got, tt.want)
		}
	}
	if Of(nil) != nil {
		t.Error("no error became one")
	}
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if _, err := root.Open("../x"); !strings.Contains(Of(err).Error(), "outside the workspace") {
		t.Errorf("of a path that leaves a root: %v", Of(err))
	}
}
