package workspace

import (
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// copyAttributes gives f the extended attributes of old that are about the
// file and not about its content, as far as we may. Capabilities are not among
// them: they were given to the old content.
func copyAttributes(f, old *os.File) {
	list := make([]byte, 4<<10)
	n, err := unix.Flistxattr(int(old.Fd()), list)
	if err != nil || n == 0 {
		return
	}
	value := make([]byte, 64<<10)
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list[:n]), "\x00"), "\x00") {
		if !strings.HasPrefix(name, "user.") && name != "system.posix_acl_access" && name != "security.selinux" {
			continue
		}
		if size, err := unix.Fgetxattr(int(old.Fd()), name, value); err == nil {
			unix.Fsetxattr(int(f.Fd()), name, value[:size], 0)
		}
	}
}
