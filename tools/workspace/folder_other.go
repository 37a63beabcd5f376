//go:build !unix

package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
)

// A handle is a folder that is held open.
type handle struct {
	root *os.Root
	f    *os.File // for listing
}

// openHandle opens a resolved path.
func (d *Dir) openHandle(rel string) (handle, error) {
	root, err := d.root.OpenRoot(filepath.FromSlash(rel))
	if err != nil {
		return handle{}, err
	}
	return handleOf(root)
}

// folder opens a folder in h.
func (h handle) folder(name, _ string) (handle, error) {
	root, err := h.root.OpenRoot(name)
	if err != nil {
		return handle{}, err
	}
	return handleOf(root)
}

func handleOf(root *os.Root) (handle, error) {
	f, err := root.Open(".")
	if err != nil {
		root.Close()
		return handle{}, err
	}
	return handle{root, f}, nil
}

// list returns up to n entries, in no order; io.EOF after the last.
func (h handle) list(n int) ([]fs.DirEntry, error) { return h.f.ReadDir(n) }

func (h handle) close() {
	h.f.Close()
	h.root.Close()
}

// A File is an open regular file, for one goroutine.
type File struct {
	f    *os.File
	size int64
}

// file opens a regular file in h.
func (h handle) file(name string) (File, error) {
	f, err := h.root.Open(name)
	if err != nil {
		return File{}, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fs.ErrInvalid
	}
	if err != nil {
		f.Close()
		return File{}, err
	}
	return File{f, info.Size()}, nil
}

// Size is how long the file was when it was opened.
func (f File) Size() int64 { return f.size }

// Read reads on, as io.Reader has it.
func (f File) Read(b []byte) (int, error) { return f.f.Read(b) }

// Close lets go of the file.
func (f File) Close() { f.f.Close() }
