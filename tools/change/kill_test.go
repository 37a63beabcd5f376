package change

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"aye/tools/workspace"
)

// looping is the variable that makes this test binary the process that is
// killed; it names the workspace.
const looping = "AYE_TEST_COMMIT_IN"

// versions are two contents that cannot be mixed up.
var versions = [2]string{strings.Repeat("old\n", 50_000), strings.Repeat("new content\n", 50_000)}

// TestKilledCommit kills a process in the middle of its commits: the file is
// always there, as it was before or as it is after.
func TestKilledCommit(t *testing.T) {
	if root := os.Getenv(looping); root != "" {
		commitForEver(t, root)
		return
	}
	t.Parallel()
	for round := range 8 {
		ws := open(t, map[string]string{"f": versions[0]})
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledCommit$")
		cmd.Env = append(os.Environ(), looping+"="+ws.Name())
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for n := 0; n < 1+round && lines.Scan(); n++ {
			if lines.Text() != fmt.Sprint(n) {
				t.Errorf("the process says %q", lines.Text())
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		if err := cmd.Wait(); err == nil {
			t.Error("the process ended by itself")
		}
		data, _, err := ws.ReadFile("f", 1<<20)
		if err != nil || !bytes.Equal(data, []byte(versions[0])) && !bytes.Equal(data, []byte(versions[1])) {
			t.Errorf("round %d: %d bytes, beginning %.10q, %v", round, len(data), data, err)
		}
	}
}

// commitForEver turns one version into the other until it is killed, and says
// each time that it has.
func commitForEver(t *testing.T, root string) {
	ws, err := workspace.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	s := set(t, update("f", versions[0], versions[1]))
	for n := 0; ; n++ {
		if err := s.Commit(t.Context(), ws); err != nil {
			t.Fatal(err)
		}
		fmt.Println(n)
		s = s.Inverse()
	}
}
