package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"aye/tools/cause"
	"aye/tools/lock"
)

// ErrInUse means that another process holds the journal.
var ErrInUse = errors.New("it is open in another aye; close it there, or begin a new session")

// A Journal is a file that lines are added to.
type Journal struct {
	f    *os.File
	size int64 // of the whole lines; what is behind it is half a line
	torn bool  // a failed write may have left something behind size
}

// Create begins a journal in a file that does not exist yet, and makes the
// folders above it.
func Create(path string) (*Journal, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("the folder %s for sessions cannot be made: %w", filepath.Dir(path), cause.Of(err))
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR|lock.Append, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("there is a session at %s already: %w", path, fs.ErrExist)
	}
	if err != nil {
		return nil, fmt.Errorf("the session cannot be saved at %s: %w", path, cause.Of(err))
	}
	if err := take(f); err != nil {
		return nil, errors.Join(fmt.Errorf("the session at %s cannot be held: %w", path, err), f.Close())
	}
	return &Journal{f: f}, nil
}

// Found is what Open found in a file.
type Found struct {
	Lines   [][]byte // the records in order, each a JSON object on one line
	Skipped []Skip
	Copy    string // the file that holds a torn end; "" when there was none
}

// A Skip is a part of the file that is no record.
type Skip struct {
	Line int    // from 1
	Why  string // "zeros", "not JSON", "the same as the line before", "torn"
}

// Open reads a journal and goes on with it.
func Open(path string) (*Journal, Found, error) {
	fail := func(err error) (*Journal, Found, error) {
		return nil, Found{}, fmt.Errorf("the session at %s cannot be opened: %w", path, cause.Of(err))
	}
	if info, err := os.Stat(path); err != nil {
		return fail(err)
	} else if !info.Mode().IsRegular() {
		return fail(errors.New("it is not a regular file")) // opening a pipe would wait for ever
	}
	f, err := os.OpenFile(path, os.O_RDWR|lock.Append, 0)
	if err != nil {
		return fail(err)
	}
	j := &Journal{f: f}
	found, err := j.load(path)
	if err != nil {
		return fail(errors.Join(err, j.release()))
	}
	return j, found, nil
}

// load takes the lock, reads the file, and leaves it ready for the next line.
func (j *Journal) load(path string) (Found, error) {
	info, err := j.f.Stat()
	if err != nil {
		return Found{}, err
	}
	if err := lock.Owned(info); err != nil {
		return Found{}, err
	}
	if err := take(j.f); err != nil {
		return Found{}, err
	}
	data, err := io.ReadAll(j.f)
	if err != nil {
		return Found{}, err
	}
	found, whole, torn := parse(data)
	if len(torn) > 0 {
		if found.Copy, err = keep(path, torn); err != nil {
			return Found{}, err
		}
	}
	j.size = int64(whole)
	if err := j.cut(); err != nil {
		return Found{}, err
	}
	if whole > 0 && data[whole-1] != '\n' { // a record that lost only its end of line
		if err := j.write([]byte("\n")); err != nil {
			return Found{}, err
		}
	}
	return found, nil
}

// keep writes what is cut off to a new file beside path and returns its name.
func keep(path string, torn []byte) (name string, err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".torn-*") // 0600
	if err != nil {
		return "", fmt.Errorf("its torn end cannot be copied: %w", err)
	}
	_, err = f.Write(torn)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", fmt.Errorf("its torn end cannot be copied: %w", err)
	}
	return f.Name(), nil
}

// Append adds a line, which holds no newline, in one write.
func (j *Journal) Append(line []byte) error {
	if bytes.IndexByte(line, '\n') >= 0 {
		return errors.New("a journal's line cannot hold a newline")
	}
	if j.torn { // half a line is behind the last whole one
		if err := j.cut(); err != nil {
			return err
		}
	}
	return j.write(append(bytes.Clone(line), '\n'))
}

// cut ends the file after its last whole line.
func (j *Journal) cut() error {
	err := j.f.Truncate(j.size)
	if err == nil {
		_, err = j.f.Seek(j.size, io.SeekStart)
	}
	j.torn = err != nil
	return cause.Of(err)
}

func (j *Journal) write(line []byte) error {
	n, err := j.f.Write(line)
	if err != nil {
		if n > 0 {
			_ = j.cut() // where that fails too, the next Append tries again
		}
		return cause.Of(err)
	}
	j.size += int64(n)
	return nil
}

// Sync returns when the lines so far survive a power failure.
func (j *Journal) Sync() error { return cause.Of(j.f.Sync()) }

// Close makes the lines durable and lets the file go.
func (j *Journal) Close() error { return errors.Join(j.Sync(), j.release()) }

func (j *Journal) release() error { return lock.Release(j.f) }

// take holds the file of a journal.
func take(f *os.File) error {
	err := lock.Take(f)
	if errors.Is(err, lock.ErrHeld) {
		return ErrInUse
	}
	return err
}
