package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"aye/tools/cause"
)

// ErrTooLarge is matched by the error about a file beyond a caller's limit.
var ErrTooLarge = errors.New("file too large")

// A Dir is an open workspace.
type Dir struct {
	root  *os.Root
	name  string      // absolute, links resolved
	given string      // absolute, as it was asked for
	fresh fs.FileMode // permissions of a new file

	records string // folder of the records, outside the workspace; "": none are kept
}

// Options are what a workspace may be given beside its folder.
type Options struct {
	// Records is the folder, outside the workspace and nobody else's, where
	// it is kept what a process was in the middle of; "" keeps nothing, and
	// nothing is recovered.
	Records string
}

// Open is [OpenWith] without options.
func Open(dir string) (*Dir, error) { return OpenWith(dir, Options{}) }

// OpenWith opens the folder dir as a workspace. Links in dir itself are
// resolved now, once.
func OpenWith(dir string, opts Options) (*Dir, error) {
	given, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("the folder %s cannot be found: %s", dir, cause.Of(err))
	}
	name, err := filepath.EvalSymlinks(given)
	if err != nil {
		return nil, fmt.Errorf("the folder %s cannot be opened: %s", dir, cause.Of(err))
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, fmt.Errorf("the folder %s cannot be opened: %s", dir, cause.Of(err))
	}
	return &Dir{root: root, name: name, given: given, fresh: 0o666 &^ umask(), records: opts.Records}, nil
}

// Close lets go of the folder. Nothing else may be called after it.
func (d *Dir) Close() error { return d.root.Close() }

// Name is the workspace's absolute path, links resolved.
func (d *Dir) Name() string { return d.name }

// NewFileMode is the permissions that a new file gets here.
func (d *Dir) NewFileMode() fs.FileMode { return d.fresh }

// Abs is the absolute path of a resolved one.
func (d *Dir) Abs(rel string) string { return filepath.Join(d.name, filepath.FromSlash(rel)) }

// OpenFile opens a regular file for reading.
func (d *Dir) OpenFile(rel string) (*os.File, fs.FileInfo, error) {
	info, err := d.Stat(rel)
	if err != nil {
		return nil, nil, err
	}
	if err := regular(rel, info); err != nil {
		return nil, nil, err
	}
	// What was seen may be swapped for a FIFO or a device before it is opened:
	// opening must not wait for it, and what was opened is looked at again.
	f, err := d.root.OpenFile(filepath.FromSlash(rel), os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, sentence(rel, "cannot be opened", err)
	}
	if info, err = f.Stat(); err == nil {
		err = regular(rel, info)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// ReadFile returns a regular file's whole content, if it is at most limit
// bytes long. What the file's size says is not trusted.
func (d *Dir) ReadFile(rel string, limit int64) ([]byte, fs.FileInfo, error) {
	f, info, err := d.OpenFile(rel)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	tooLarge := &trouble{fmt.Sprintf("%s has more than %d bytes; that is too large to be taken as a whole", rel, limit), ErrTooLarge}
	if info.Size() > limit {
		return nil, nil, tooLarge
	}
	data := make([]byte, 0, info.Size()+1)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case err == io.EOF:
			return data, info, nil
		case err != nil:
			return nil, nil, sentence(rel, "cannot be read", err)
		case int64(len(data)) > limit:
			return nil, nil, tooLarge
		case len(data) == cap(data):
			data = append(data, 0)[:len(data)]
		}
	}
}

// Stat says what is at a resolved path. It follows no link.
func (d *Dir) Stat(rel string) (fs.FileInfo, error) {
	info, err := d.root.Lstat(filepath.FromSlash(rel))
	if err != nil {
		return nil, sentence(rel, "cannot be looked at", err)
	}
	return info, nil
}

// Readlink says where the link at a resolved path leads, as it is written
// there.
func (d *Dir) Readlink(rel string) (string, error) {
	target, err := d.root.Readlink(filepath.FromSlash(rel))
	if err != nil {
		return "", sentence(rel, "cannot be looked at", err)
	}
	return target, nil
}

// ReadDir lists a folder, by name.
func (d *Dir) ReadDir(rel string) ([]fs.DirEntry, error) {
	entries, err := d.entries(rel)
	if err != nil {
		return nil, sentence(rel, "cannot be listed", err)
	}
	return entries, nil
}

// entries lists a folder, sorted.
func (d *Dir) entries(rel string) ([]fs.DirEntry, error) {
	f, err := d.root.OpenFile(filepath.FromSlash(rel), os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries, err
}

// regular says with a sentence what is wrong when info is no regular file.
func regular(rel string, info fs.FileInfo) error {
	kind := ""
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return fmt.Errorf("%s is a folder, not a file; ls lists what is in it", rel)
	case mode&fs.ModeSymlink != 0:
		kind = "a link that was put there just now"
	case mode&fs.ModeNamedPipe != 0:
		kind = "a named pipe"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	case mode&fs.ModeDevice != 0:
		kind = "a device"
	default:
		kind = "no regular file"
	}
	return fmt.Errorf("%s is %s; only regular files can be read and written", rel, kind)
}

// A trouble is an error that reads as a sentence and still matches its cause.
type trouble struct {
	text  string
	cause error
}

func (t *trouble) Error() string { return t.text }
func (t *trouble) Unwrap() error { return t.cause }

// sentence says what failed on rel, and why.
func sentence(rel, failed string, err error) error {
	text := fmt.Sprintf("%s %s: %s", rel, failed, cause.Of(err))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		text = rel + " does not exist in the workspace"
	case errors.Is(err, syscall.ENOTDIR):
		text = rel + " does not exist: a part of its path is a file, not a folder"
	}
	return &trouble{text, err}
}
