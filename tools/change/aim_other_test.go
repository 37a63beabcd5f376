//go:build !linux

package change

import (
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"aye/tools/workspace"
)

const canAim = false

// aim has this process kill itself at a random moment: here nobody tells it
// when a file has taken its place.
func aim(t *testing.T, ws *workspace.Dir) {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(rand.N(20*time.Millisecond), func() { self.Kill() })
}
