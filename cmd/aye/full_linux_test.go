package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// mount puts a small disk at dir; the test is skipped where that is not
// allowed.
func mount(t *testing.T, dir, options string) {
	t.Helper()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
}

// bound lets a process write no file beyond a size; what it writes then fails
// as on a full disk.
func bound(t *testing.T, pid int, size uint64) {
	t.Helper()
	var limit unix.Rlimit
	err := unix.Prlimit(pid, unix.RLIMIT_FSIZE, nil, &limit)
	if err == nil {
		limit.Cur = min(size, limit.Max)
		err = unix.Prlimit(pid, unix.RLIMIT_FSIZE, &limit, nil)
	}
	if err != nil {
		t.Error(err)
	}
}

// runBound runs a command; when the model is about to send its first patch, no
// file may become larger than limit says.
func runBound(t *testing.T, model *patcher, cmd *exec.Cmd, limit func() uint64) result {
	t.Helper()
	pid := make(chan int, 1)
	model.set(func() { model.onPatch = func() { bound(t, <-pid, limit()) } })
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid <- cmd.Process.Pid
	_ = cmd.Wait()
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// There is no room for the third file of a patch: all files are as they were,
// the model is told why, and the session, on another disk, goes on.
func TestPatchOnAFullDisk(t *testing.T) {
	t.Parallel()
	const patch = "*** Begin Patch\n*** Update File: a\n-one\n+two\n*** Delete File: b\n*** Update File: c\n-one\n+two\n*** Add File: d/new\n+x\n*** End Patch\n"
	long := "one\n" + strings.Repeat(strings.Repeat("fills the disk ", 18)+"\n", 2_000) // 540 KB
	for _, how := range []string{"disk", "limit"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			without := strings.Replace(patch, "*** Update File: c\n-one\n+two\n", "*** Delete File: c\n", 1)
			model := &patcher{names: []string{"a", "b", "c"}, patches: []string{patch, without}}
			w := newWorld(t, model.script)
			if how == "disk" {
				mount(t, w.dir, "size=800k")
			}
			old := map[string]string{"a": "one\n", "b": "one\n", "c": long}
			w.fill(old)
			limit := map[string]uint64{"disk": unix.RLIM_INFINITY, "limit": 300_000}[how]
			cmd := w.command("run", "--mode", "edit", "patch it")
			runBound(t, model, cmd, func() uint64 { return limit }).expect(t, exitAnswered, "Done.\n")
			why := map[string]string{"disk": "the disk is full", "limit": "file too large"}[how]
			if got := w.told(); !strings.Contains(got, "c cannot be written: "+why) {
				t.Errorf("the model was told %q", got)
			}
			if got := w.tree(); !sameTree(got, old, true) {
				t.Errorf("the folder holds %d files", len(got))
			}
			w.checkJournal("call_finished", "turn_ended")

			// What fits, fits.
			w.run("", "run", "-c", "--mode", "edit", "then without c").expect(t, exitAnswered, "Done.\n")
			if got, want := w.tree(), withFolders(map[string]string{"a": "two\n", "d/new": "x\n"}); !sameTree(got, want, true) {
				t.Errorf("the folder holds %d files, and a is %q; the model was told %q", len(got), got["a"], w.told())
			}
		})
	}
}

// journal is the one session's, and its path.
func (w *world) journal() (path, text string) {
	w.t.Helper()
	found, err := filepath.Glob(filepath.Join(w.home, "sessions", "*.jsonl"))
	if err != nil || len(found) != 1 {
		w.t.Errorf("the sessions are %q, %v", found, err)
		return "", ""
	}
	data, err := os.ReadFile(found[0])
	if err != nil {
		w.t.Error(err)
	}
	return found[0], string(data)
}

// checkJournal holds that there are events of these types in the journal.
func (w *world) checkJournal(types ...string) {
	w.t.Helper()
	_, text := w.journal()
	for _, want := range types {
		if !strings.Contains(text, `{"type":"`+want+`"`) {
			w.t.Errorf("the journal has no %s:\n%s", want, text)
		}
	}
}

// The journal has room for so many more bytes when the patch arrives: nothing
// is written to the folder that the journal does not know of, and the session
// goes on with what is true.
func TestPatchWithTheJournalFull(t *testing.T) {
	t.Parallel()
	var old, changed, failed int
	for room := uint64(0); room <= 4800; room += 400 {
		model := newPatcher(t)
		w := newDoomed(t, model.script)
		cmd := w.command("run", "--mode", "edit", "patch it")
		r := runBound(t, model, cmd, func() uint64 {
			_, text := w.journal()
			return uint64(len(text)) + room
		})
		asked := len(w.model.Requests())
		tree := w.tree()
		_, text := w.journal()
		if r.code != exitAnswered {
			failed++
			r.expect(t, exitFailed, "", "cannot be saved")
		}
		switch {
		case isNew(t, tree, true):
			changed++
			if !strings.Contains(text, `{"type":"call_prepared"`) || !strings.Contains(text, `"tool":"patch"`) {
				t.Errorf("room for %d bytes: the files are changed, and the journal does not know of it:\n%s", room, text)
			}
		case isOld(t, tree, true):
			old++
		}
		w.run("", "run", "-c", "--mode", "edit", "go on").expect(t, exitAnswered, "Done.\n")
		w.checkTruth(asked, tree)
		if !isNew(t, w.tree(), true) {
			t.Errorf("room for %d bytes: in the end the tree is\n%q", room, w.tree())
		}
	}
	t.Logf("%d runs failed; %d trees stayed old, %d became new", failed, old, changed)
	if failed == 0 || old == 0 || changed == 0 {
		t.Error("this tests nothing")
	}
}

// The journal is full while the person looks at a patch: their yes cannot be
// kept, so nothing is done. When there is room again, the session goes on.
func TestApprovalWithTheJournalFull(t *testing.T) {
	t.Parallel()
	model := newPatcher(t)
	w := newDoomed(t, model.script)
	s := w.screen("patch it")
	allSeen(s)
	_, text := w.journal()
	bound(t, s.Pid(), uint64(len(text)))
	s.Type("y")
	s.Wait(`cannot be saved`)
	if got := w.tree(); !isOld(t, got, true) {
		t.Errorf("the tree is\n%q", got)
	}
	bound(t, s.Pid(), unix.RLIM_INFINITY)
	asked := len(w.model.Requests())
	s.Type("go on\r")
	allSeen(s)
	s.Type("y")
	s.Wait(`Done\.`)
	if got := w.resultIn(asked, "patch"); !strings.HasPrefix(got, "Not run") {
		t.Errorf("the model was told %q", got)
	}
	if got := w.tree(); !isNew(t, got, true) {
		t.Errorf("the tree is\n%q", got)
	}
	s.Type("\x04")
	s.Exit()
	w.checkJournal("approval_settled", "change_committed", "turn_ended")
	if _, text := w.journal(); strings.Count(text, `{"type":"prompt_queued"`) != 2 {
		t.Errorf("the journal is not whole:\n%s", text)
	}
}
