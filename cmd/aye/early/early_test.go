//go:build !windows

package early

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// firstBytes runs a program of testdata on a terminal that answers nothing, and
// returns what it wrote until it stopped, or asked the terminal something.
func firstBytes(t *testing.T, program string) string {
	t.Helper()
	exe := filepath.Join(t.TempDir(), program)
	if out, err := exec.Command("go", "build", "-o", exe, "./testdata/"+program).CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	cmd := exec.Command(exe)
	cmd.Env = []string{"TERM=xterm-256color"}
	ptmx, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer ptmx.Close()
	stuck := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
	defer stuck.Stop()

	var out bytes.Buffer
	buf := make([]byte, 1024)
	for {
		n, err := ptmx.Read(buf) // fails when the program is over
		out.Write(buf[:n])
		if err != nil || bytes.ContainsRune(out.Bytes(), '\x1b') {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			return out.String()
		}
	}
}

func TestNoQuestionBeforeMain(t *testing.T) {
	t.Parallel()
	if out := firstBytes(t, "quiet"); strings.TrimSpace(out) != "ready enter" {
		t.Errorf("wrote %q before main.\nThe terminal is asked for its colours, and a mute one stalls every command for 5 s.\nDoes this package's import path still sort before github.com/charmbracelet?", out)
	}
}

// The cure is needed as long as this holds.
func TestBubbleTeaStillAsks(t *testing.T) {
	t.Parallel()
	if out := firstBytes(t, "asking"); !strings.Contains(out, "\x1b]11;?") {
		t.Errorf("wrote %q: Bubble Tea does not ask any more, and package early may go", out)
	}
}
