//go:build unix

package tools

import (
	"io/fs"
	"strconv"
	"syscall"
)

func mkfifo(path string) error { return syscall.Mkfifo(path, 0o666) }

func parseOctal(s string) (fs.FileMode, error) {
	n, err := strconv.ParseUint(s, 8, 32)
	return fs.FileMode(n), err
}
