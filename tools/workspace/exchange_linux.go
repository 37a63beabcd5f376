package workspace

import (
	"errors"
	"path"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Exchange has the file and its target change names, in one moment; false says
// that this disk cannot do so.
func (b *Beside) Exchange() (done bool, err error) {
	folder, err := b.dir.root.Open(filepath.FromSlash(path.Dir(b.target)))
	if err != nil {
		return false, sentence(b.target, "cannot be replaced", err)
	}
	defer folder.Close()
	fd := int(folder.Fd())
	err = unix.Renameat2(fd, b.Base(), fd, path.Base(b.target), unix.RENAME_EXCHANGE)
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EINVAL), errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.EPERM):
		return false, nil
	}
	return false, sentence(b.target, "cannot be replaced", err)
}
