package main

import (
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"aye/llm/llmtest"
)

// kills is how often a run with a patch of six files is killed.
const kills = 50

// tries is how often a run is started that may end before it is killed.
const tries = 8

// A toll is what became of the kills.
type toll struct {
	mu                      sync.Mutex // guards the rest
	killed, recorded, mixed int
	old, new                int
	told                    map[truth]int
}

// TestKilledPatch kills aye while it carries out a patch of six files in three
// folders, at random moments of the run, of the commit, and of the short time in
// which files take their places. After the next start, which goes on with the
// session, the tree is all old or all new, nothing is left over, and what the
// model is told about the call is true. Then the model does it once more, and
// the tree is the new one.
func TestKilledPatch(t *testing.T) {
	t.Parallel()
	rounds := kills
	if testing.Short() || len(buildFlags) > 0 { // the race detector is slow
		rounds = 12
	}
	whole := newDoomed(t, newPatcher(t).script)
	began := time.Now()
	whole.run("", "run", "--mode", "edit", "patch it").expect(t, exitAnswered, "Done.\n")
	took := time.Since(began)
	if got := whole.tree(); !isNew(t, got, true) {
		t.Fatalf("without a kill the tree is\n%q", got)
	}
	toll := toll{told: map[truth]int{}}
	t.Run("kills", func(t *testing.T) {
		for n := range rounds {
			t.Run([]string{"run", "commit", "placing"}[n%3], func(t *testing.T) {
				t.Parallel()
				within := took
				for range tries {
					if killOnce(t, &toll, n, within) {
						return
					}
					if n%3 == 0 { // the machine was busier when it was measured
						within /= 2
					}
				}
				// A machine that is busy with other things: the count below tells.
				t.Logf("%d runs ended before they could be killed", tries)
			})
		}
	})
	t.Logf("%d kills: %d in a commit, of which %d left a mixed tree; afterwards %d old and %d new; what the model was told: %v",
		toll.killed, toll.recorded, toll.mixed, toll.old, toll.new, toll.told)
	if toll.recorded == 0 && rounds == kills { // a few, of a slow program, may all miss
		t.Error("no kill was in a commit: this tests nothing")
	}
}

func newDoomed(t *testing.T, script llmtest.Script) *world {
	t.Helper()
	w := newWorld(t, script)
	w.fill(sixOld(t))
	return w
}

// killOnce kills one run and looks what the next one makes of it; false says
// that the run was over already.
func killOnce(t *testing.T, toll *toll, n int, took time.Duration) bool {
	model := newPatcher(t)
	w := newDoomed(t, model.script)
	trees := make(chan map[string]string, 2) // when a session begins or goes on
	model.set(func() { model.onTask = func() { trees <- w.tree() } })
	rule := [][]string{{"--mode", "edit"}, {"--allow", "edit"}}[n/3%2]
	wait := func() { <-time.After(rand.N(took)) }
	if n%3 > 0 {
		wait = w.aim(n%3 == 2, took)
		model.set(func() { model.stall = 1 }) // so that the run does not end before the aim is taken
	}
	killed := kill(t, w.command(append([]string{"run", "patch it"}, rule...)...), wait)
	killedTree := w.tree()
	records, _ := filepath.Glob(filepath.Join(w.home, "commits", "*"))

	asked := len(w.model.Requests())
	again := append([]string{"run", "go on"}, rule...)
	if w.begun() {
		again = append(again, "-c")
	}
	w.run("", again...).expect(t, exitAnswered, "Done.\n")
	if asked > 0 {
		<-trees
	}
	tree := <-trees
	told := w.checkTruth(asked, tree)
	if got := w.tree(); !isNew(t, got, true) {
		t.Errorf("in the end the tree is\n%q", got)
	}
	if left, _ := filepath.Glob(filepath.Join(w.home, "commits", "*")); len(left) > 0 {
		t.Errorf("records are left: %q", left)
	}
	mixed := !isOld(t, killedTree, false) && !isNew(t, killedTree, false)
	if mixed && len(records) == 0 {
		t.Errorf("a mixed tree, and no record of it:\n%q", killedTree)
	}
	if !killed {
		return false
	}
	toll.mu.Lock()
	defer toll.mu.Unlock()
	for count, yes := range map[*int]bool{&toll.killed: true, &toll.recorded: len(records) > 0, &toll.mixed: mixed,
		&toll.old: isOld(t, tree, true), &toll.new: isNew(t, tree, true)} {
		if yes {
			*count++
		}
	}
	toll.told[told]++
	return true
}

// begun says whether there is a session to go on with: it begins with a whole
// line.
func (w *world) begun() bool {
	w.t.Helper()
	for name, text := range w.kept() {
		if strings.HasPrefix(filepath.ToSlash(name), "/sessions/") && strings.Contains(text, "\n") {
			return true
		}
	}
	return false
}

// kill starts a command, waits, and kills it; false says that it had ended by
// itself.
func kill(t *testing.T, cmd *exec.Cmd, wait func()) bool {
	t.Helper()
	started := make(chan error)
	go func() {
		yieldFirst()
		started <- cmd.Start()
	}()
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	wait()
	killing := cmd.Process.Kill()
	ended := cmd.Wait()
	return killing == nil && ended != nil
}
