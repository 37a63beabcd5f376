package change

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aye/tools/workspace"
)

// doomed is the variable that makes this test binary the process that is
// killed; it names the workspace, the records, and what to do there.
const doomed = "AYE_TEST_DOOMED"

// newDoomed is this test in a process of its own, with the output it makes.
func newDoomed(t *testing.T, words ...string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	name, _, _ := strings.Cut(t.Name(), "/")
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+name+"$")
	cmd.Env = append(os.Environ(), doomed+"="+strings.Join(words, "\n"))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

// kill kills it, and waits until it is dead.
func kill(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("the process ended by itself")
	}
}

// asDoomed opens the workspace in the process that is to be killed; nil in the
// one that kills.
func asDoomed(t *testing.T) (ws *workspace.Dir, how string) {
	words := strings.Split(os.Getenv(doomed), "\n")
	if len(words) != 3 {
		return nil, ""
	}
	ws, err := workspace.OpenWith(words[0], workspace.Options{Records: words[1]})
	if err != nil {
		t.Fatal(err)
	}
	return ws, words[2]
}

// versions are two contents that cannot be mixed up.
var versions = [2]string{strings.Repeat("old\n", 50_000), strings.Repeat("new content\n", 50_000)}

// TestKilledCommit kills a process in the middle of its commits of one file:
// the file is always there, as it was before or as it is after, and what lies
// beside it is cleared away at the next start.
func TestKilledCommit(t *testing.T) {
	if ws, _ := asDoomed(t); ws != nil {
		forEver(t, ws, set(t, update("f", versions[0], versions[1])))
	}
	t.Parallel()
	for round := range 8 {
		records := t.TempDir()
		ws := reopen(t, open(t, map[string]string{"f": versions[0]}).Name(), records)
		cmd, lines := newDoomed(t, ws.Name(), records, "")
		for n := 0; n < 1+round && lines.Scan(); n++ {
			if !strings.HasPrefix(lines.Text(), fmt.Sprint(n, " ")) {
				t.Errorf("the process says %q", lines.Text())
			}
		}
		kill(t, cmd)
		data, _, err := ws.ReadFile("f", 1<<20)
		if err != nil || string(data) != versions[0] && string(data) != versions[1] {
			t.Errorf("round %d: %d bytes, beginning %.10q, %v", round, len(data), data, err)
		}
		notes := Recover(t.Context(), ws)
		if entries, err := ws.ReadDir("."); len(entries) != 1 || err != nil {
			t.Errorf("round %d: there are %v, %v; %q", round, entries, err, notes)
		}
	}
}

// forEver commits a set and its inverse until the process is killed, and says
// each time that it has, and how many nanoseconds it took.
func forEver(t *testing.T, ws *workspace.Dir, s Set) {
	for n := 0; ; n++ {
		began := time.Now()
		if err := s.Commit(t.Context(), ws); err != nil {
			t.Fatal(err)
		}
		fmt.Println(n, time.Since(began).Nanoseconds())
		s = s.Inverse()
	}
}

// kills is how often a commit of several files is killed.
const kills = 50

// TestKilledCommitOfManyFiles kills a process at random moments of its commits
// of six files in several folders: after the next start the tree is all old or
// all new, with nothing beside it. Half of the kills are aimed at the short time
// in which files take their places.
func TestKilledCommitOfManyFiles(t *testing.T) {
	if ws, how := asDoomed(t); ws != nil {
		s, _ := mixture(t)
		if how == "aimed" {
			aim(t, ws)
		}
		forEver(t, ws, s)
	}
	t.Parallel()
	s, files := mixture(t)
	want := open(t, files)
	old := tree(t, want)
	if err := s.Commit(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	ends := map[string]string{withoutFolders(old): "old", withoutFolders(tree(t, want)): "new"}
	rounds := kills
	if testing.Short() {
		rounds = 10
	}
	var recorded, mixed, undone, finished int
	for n := range rounds {
		records := t.TempDir()
		ws := reopen(t, open(t, files).Name(), records)
		how := [2]string{"random", "aimed"}[n%2]
		cmd, lines := newDoomed(t, ws.Name(), records, how)
		if how == "random" {
			letLive(t, lines)
			kill(t, cmd)
		} else if err := cmd.Wait(); err == nil { // by its own hand
			t.Error("the process ended well")
		}
		between := tree(t, ws)
		left, _ := filepath.Glob(filepath.Join(records, "*"))
		notes := Recover(t.Context(), ws)
		got := tree(t, ws)
		if ends[withoutFolders(got)] == "" {
			t.Errorf("kill %d, %q: the tree is\n%s\nand was\n%s", n, notes, got, between)
		}
		recorded += len(left)
		if ends[withoutFolders(visible(between))] == "" {
			mixed++
		}
		undone += strings.Count(strings.Join(notes, ""), "taken back")
		finished += strings.Count(strings.Join(notes, ""), "finished")
	}
	t.Logf("%d kills: %d in a commit, %d left a tree that was mixed; %d were taken back and %d finished", rounds, recorded, mixed, undone, finished)
	if recorded < rounds/4 {
		t.Errorf("only %d of %d kills were in a commit: this tests nothing", recorded, rounds)
	}
	if canAim && !testing.Short() && (mixed == 0 || undone+finished == 0) {
		t.Errorf("of %d kills %d left a mixed tree, and %d were recovered from: this tests nothing", rounds, mixed, undone+finished)
	}
}

// letLive waits for a random time of a commit, after a few.
func letLive(t *testing.T, lines *bufio.Scanner) {
	var n int
	var took time.Duration
	for range 2 + rand.IntN(3) {
		lines.Scan()
		if _, err := fmt.Sscan(lines.Text(), &n, &took); err != nil {
			t.Fatalf("the process says %q, %v", lines.Text(), err)
		}
	}
	<-time.After(rand.N(took))
}

// withoutFolders is a tree's files: the inverse of a set leaves the folders.
func withoutFolders(tree string) string {
	var lines []string
	for line := range strings.SplitSeq(tree, "\n") {
		if !strings.HasSuffix(line, " /") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// TestKilledRecovery kills recovery itself, again and again, until one comes to
// its end.
func TestKilledRecovery(t *testing.T) {
	if ws, _ := asDoomed(t); ws != nil {
		fmt.Println("ready")
		Recover(context.WithoutCancel(t.Context()), ws)
		fmt.Println("recovered")
		select {} // until it is killed
	}
	t.Parallel()
	first := newStopped(t)
	for placed := 1; placed < 6; placed++ {
		d := first.again()
		c, _ := d.until(3*6 + 2 + placed)
		c.record.Close()
		for range 4 {
			cmd, lines := newDoomed(t, d.ws.Name(), d.records, "")
			lines.Scan()
			<-time.After(rand.N(3 * time.Millisecond))
			kill(t, cmd)
		}
		Recover(t.Context(), d.ws)
		if got := tree(t, d.ws); got != d.old {
			t.Errorf("%d placed: the tree is\n%s", placed, got)
		}
	}
}
