//go:build !linux

package workspace

import "os"

// copyAttributes does nothing: extended attributes are kept on Linux only.
func copyAttributes(f, old *os.File) {}
