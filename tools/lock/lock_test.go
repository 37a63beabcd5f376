package lock

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestLock(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "f")
	open := func() *os.File {
		t.Helper()
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|Append, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	first, second := open(), open()
	if err := Take(first); err != nil {
		t.Fatal(err)
	}
	if err := Take(second); !errors.Is(err, ErrHeld) {
		t.Errorf("what is held was taken: %v", err)
	}
	if err := Release(first); err != nil {
		t.Error(err)
	}
	if err := Take(second); err != nil {
		t.Errorf("what was let go cannot be taken: %v", err)
	}
	info, err := second.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if err := Owned(info); err != nil {
		t.Errorf("our own file: %v", err)
	}
	if err := Remove(second, name); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}
