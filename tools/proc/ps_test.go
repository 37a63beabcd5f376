package proc

import (
	"os"
	"os/exec"
	"slices"
	"testing"
)

func TestDescendants(t *testing.T) {
	t.Parallel()
	const ps = `
    1     0     1 Ss   /sbin/init
   50     1    50 Ss   sh -c x
   51    50    50 S    go test ./...
   52    51    52 R    setsid sleep 5
   53    52    52 S    sleep 5
   54    50    50 Z    (dead)
   60     1    50 S    left in the group
   70     1    70 S    another's
 junk
`
	want := []Process{{50, "sh -c x"}, {51, "go test ./..."}, {60, "left in the group"}, {52, "setsid sleep 5"}, {53, "sleep 5"}}
	if got := descendants(ps, 50); !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

// The real ps of this machine says what descendants reads.
func TestDescendantsOfRealPS(t *testing.T) {
	t.Parallel()
	ps, err := exec.LookPath("ps")
	if err != nil {
		t.Log("there is no ps here; the parser is tested above")
		return
	}
	text, err := exec.Command(ps, psArgs...).Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := descendants(string(text), os.Getpid()); !slices.ContainsFunc(got, func(p Process) bool { return p.PID == os.Getpid() }) {
		t.Errorf("this process is not in it: %v", got)
	}
}
