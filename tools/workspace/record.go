package workspace

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"aye/tools/cause"
)

// A Record tells, should this process die, what it was in the middle of. It is
// a file outside the workspace, of lines that are only ever added; the process
// that made it holds a lock on it, which its death releases. A nil Record
// keeps nothing.
type Record struct {
	file *os.File
	path string

	// Lines are what a record that was found says, without their ends. A line
	// that was not written to its end is left out.
	Lines [][]byte
}

// maxRecord is far more than what a record is made of.
const maxRecord = 64 << 20

// errInUse says that the process that made a record is alive, or that another
// one is at it.
var errInUse = errors.New("it is in use")

// recordStart is how the names of this workspace's records begin: by a hash,
// for a path is no file name.
func (d *Dir) recordStart() string {
	sum := sha256.Sum256([]byte(d.name))
	return hex.EncodeToString(sum[:8]) + "-"
}

// NewRecord begins a record with a line. It is nil where none are kept.
func (d *Dir) NewRecord(line []byte) (*Record, error) {
	if d.records == "" {
		return nil, nil
	}
	var err error
	for range 3 { // somebody who looks for records may catch it before it is locked
		var r *Record
		if r, err = d.newRecord(); err == nil {
			if err = r.Add(line); err == nil {
				return r, nil
			}
			return nil, errors.Join(err, r.Remove())
		}
		if !errors.Is(err, errInUse) {
			break
		}
	}
	return nil, fmt.Errorf("no record can be kept in %s: %w", d.records, cause.Of(err))
}

// newRecord makes the file, locked.
func (d *Dir) newRecord() (*Record, error) {
	name := filepath.Join(d.records, d.recordStart()+strings.ToLower(rand.Text())+".jsonl")
	const flags = os.O_RDWR | os.O_CREATE | os.O_EXCL | appending
	f, err := os.OpenFile(name, flags, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeRecords(d.records); err == nil {
			f, err = os.OpenFile(name, flags, 0o600)
		}
	}
	if err != nil {
		return nil, err
	}
	r := &Record{file: f, path: name}
	if err := lockFile(f); err != nil {
		return nil, errors.Join(err, r.Remove())
	}
	if !r.named() {
		return nil, errors.Join(errInUse, r.Close())
	}
	return r, nil
}

// makeRecords makes the folder, and has its name on the disk.
func makeRecords(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	return syncNames(filepath.Dir(folder))
}

// syncNames has the names in a folder on the disk.
func syncNames(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer f.Close()
	return syncFolder(f)
}

// named says whether the record's name still is that of its file.
func (r *Record) named() bool {
	mine, err := r.file.Stat()
	if err != nil {
		return false
	}
	now, err := os.Lstat(r.path)
	return err == nil && os.SameFile(mine, now)
}

// Add adds a line.
func (r *Record) Add(line []byte) error {
	if r == nil {
		return nil
	}
	if _, err := r.file.Write(append(bytes.Clone(line), '\n')); err != nil {
		return fmt.Errorf("the record %s cannot be written: %w", r.path, cause.Of(err))
	}
	return nil
}

// Sync makes what was added last through a power failure.
func (r *Record) Sync() error {
	if r == nil {
		return nil
	}
	err := r.file.Sync()
	if err == nil {
		err = syncNames(filepath.Dir(r.path))
	}
	if err != nil {
		return fmt.Errorf("the record %s cannot be made durable: %w", r.path, cause.Of(err))
	}
	return nil
}

// Remove ends the record: there is nothing left to tell.
func (r *Record) Remove() error {
	if r == nil {
		return nil
	}
	if err := removeLocked(r.file, r.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the record %s cannot be removed: %w", r.path, cause.Of(err))
	}
	return nil
}

// Close leaves the record to whoever looks for it next. The lock is let go by
// itself: a command that is being started holds the file too, for a moment.
func (r *Record) Close() error {
	if r == nil {
		return nil
	}
	return errors.Join(unlockFile(r.file), r.file.Close())
}

// Path is where the record lies.
func (r *Record) Path() string { return r.path }

// Records are what processes that died left behind, locked; whoever takes them
// removes or closes each. Those of living processes are not among them. The
// error is about records that cannot be read.
func (d *Dir) Records() ([]*Record, error) {
	if d.records == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(d.records)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the records in %s cannot be read: %w", d.records, cause.Of(err))
	}
	var found []*Record
	var failed []error
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), d.recordStart()) {
			continue
		}
		name := filepath.Join(d.records, entry.Name())
		switch r, err := openRecord(name); {
		case err == nil:
			found = append(found, r)
		case !errors.Is(err, errInUse) && !errors.Is(err, fs.ErrNotExist):
			failed = append(failed, fmt.Errorf("the record %s cannot be read: %w", name, cause.Of(err)))
		}
	}
	return found, errors.Join(failed...)
}

// openRecord opens and reads a record, and holds it. What is no regular file of
// this user is no record: what it says would be taken for what this user's aye
// was doing.
func openRecord(name string) (*Record, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	f, err := os.OpenFile(name, os.O_RDWR|appending|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	r := &Record{file: f, path: name}
	if err := r.take(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return r, nil
}

// take locks the file, unless it is not the one that is named, and reads it.
func (r *Record) take() error {
	if err := lockFile(r.file); err != nil {
		return err
	}
	if !r.named() {
		return errInUse // its owner was about to end it, and has
	}
	info, err := r.file.Stat()
	if err != nil {
		return err
	}
	if err := ownedByUs(info); err != nil {
		return err
	}
	data, err := io.ReadAll(io.LimitReader(r.file, maxRecord+1))
	if err != nil {
		return err
	}
	if len(data) > maxRecord {
		return errors.New("it is too large for one")
	}
	for line := range bytes.Lines(data) {
		if line, whole := bytes.CutSuffix(line, []byte("\n")); whole {
			r.Lines = append(r.Lines, line)
		}
	}
	return nil
}
