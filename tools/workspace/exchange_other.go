//go:build !linux

package workspace

// Exchange has the file and its target change names, in one moment; false says
// that this system cannot do so.
func (b *Beside) Exchange() (done bool, err error) { return false, nil }
