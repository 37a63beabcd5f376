package workspace

import (
	"errors"
	"testing"

	"golang.org/x/sys/unix"
)

func TestStageTakesOverAttributes(t *testing.T) {
	t.Parallel()
	ws := open(t, map[string]string{"a": "old"})
	if err := unix.Setxattr(ws.Abs("a"), "user.colour", []byte("blue"), 0); errors.Is(err, unix.ENOTSUP) {
		return // this disk has none
	} else if err != nil {
		t.Fatal(err)
	}
	fresh := ws.Beside("a")
	if err := errors.Join(fresh.Stage([]byte("new"), 0o644), fresh.Replace()); err != nil {
		t.Fatal(err)
	}
	value := make([]byte, 10)
	if n, err := unix.Getxattr(ws.Abs("a"), "user.colour", value); err != nil || string(value[:n]) != "blue" {
		t.Errorf("the attribute is %q, %v", value[:max(n, 0)], err)
	}
}
