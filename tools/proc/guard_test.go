//go:build unix

package proc

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// The guard's script in every shell that is here, and as on systems without
// /proc, where ps must do.
func TestGuardScript(t *testing.T) {
	t.Parallel()
	scripts := map[string]string{"proc": guardScript, "ps": strings.ReplaceAll(guardScript, "/proc/self/stat", "/nowhere")}
	for _, shell := range []string{"sh", "bash", "dash", "busybox", "ksh"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			continue // sh is everywhere
		}
		for name, script := range scripts {
			t.Run(shell+" "+name, func(t *testing.T) {
				t.Parallel()
				if _, err := exec.LookPath("ps"); err != nil && name == "ps" {
					t.Skip("there is no ps here, and Linux does not need it")
				}
				if _, err := os.Stat("/proc/self/stat"); err != nil && name == "proc" {
					t.Skip("there is no /proc here: ps does it")
				}
				args := []string{"-c", script, "aye-guard", "no-such-mark", "unknown"}
				if shell == "busybox" {
					args = append([]string{"sh"}, args...)
				}
				guardEndsGroup(t, exec.Command(path, args...))
			})
		}
	}
}

// guardEndsGroup lets a guard end a command of three processes, one of them
// deaf to SIGTERM.
func guardEndsGroup(t *testing.T, guard *exec.Cmd) {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", "(trap '' TERM; echo x; exec sleep 3000) & (echo x; exec sleep 3000) & wait")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	life, err := guard.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	for range 2 {
		if _, err := lines.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	if err := guard.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(life, strconv.Itoa(cmd.Process.Pid)+"\n"); err != nil {
		t.Fatal(err)
	}
	if err := life.Close(); err != nil {
		t.Fatal(err)
	}
	// The pipe is at its end when all three are dead.
	if _, err := io.Copy(io.Discard, lines); err != nil {
		t.Error(err)
	}
	_ = cmd.Wait()
	if err := guard.Wait(); err != nil {
		t.Logf("the guard ended with %v", err)
	}
}
