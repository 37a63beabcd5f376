package change

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aye/tools/workspace"
)

// mixture is a set that changes, adds and removes files in several folders,
// and the files it is made for.
func mixture(t *testing.T) (Set, map[string]string) {
	t.Helper()
	s := set(t,
		update("a", "old a\n", "new a\n"), create("b/new", "new b\n"), remove("c", "old c\n"),
		update("d/changed", "old d\r\n", "new d\r\n"), create("e/deep/er/new", "new e\n"), remove("f/gone", "old f"),
	)
	return s, map[string]string{"a": "old a\n", "c": "old c\n", "d/changed": "old d\r\n", "f/gone": "old f", "f/other": "other", "b/there": "there"}
}

// A stopped commit is one whose process died after some of its steps.
type stopped struct {
	t       *testing.T
	ws      *workspace.Dir
	records string
	s       Set
	files   map[string]string
	old     string // the trees before and after
	new     string
}

func newStopped(t *testing.T) *stopped {
	t.Helper()
	s, files := mixture(t)
	d := (&stopped{t: t, s: s, files: files}).again()
	done := open(t, files)
	if err := s.Commit(t.Context(), done); err != nil {
		t.Fatal(err)
	}
	d.new = tree(t, done)
	return d
}

// again is the same in a new workspace.
func (d *stopped) again() *stopped {
	d.t.Helper()
	e := *d
	e.records = d.t.TempDir()
	e.ws = reopen(d.t, open(d.t, d.files).Name(), e.records)
	e.old = tree(d.t, e.ws)
	return &e
}

// moves are all that a commit does, one by one.
func (d *stopped) moves(c *commit) (moves []func() error) {
	each := func(phase func(*step) error) {
		for _, s := range c.steps {
			moves = append(moves, func() error { return phase(s) })
		}
	}
	each(c.check)
	moves = append(moves, c.begin)
	each(c.stage)
	each(c.keep)
	moves = append(moves, c.ready)
	each(c.place)
	each(c.confirm)
	return append(moves, d.clearing(c)...)
}

// clearing are the moves of clearing away.
func (d *stopped) clearing(c *commit) (moves []func() error) {
	for _, s := range c.steps {
		for _, b := range []*workspace.Beside{s.kept, s.fresh} {
			if b != nil {
				moves = append(moves, b.Discard)
			}
		}
	}
	return moves
}

// until does n moves of a commit and then dies. It returns how far that is.
func (d *stopped) until(n int) (c *commit, all int) {
	d.t.Helper()
	c = newCommit(d.t.Context(), d.ws, d.s.Files)
	moves := d.moves(c)
	for _, move := range moves[:n] {
		if err := move(); err != nil {
			d.t.Fatal(err)
		}
	}
	return c, len(moves)
}

// recovered is the tree after the next start, and what a person is told.
func (d *stopped) recovered(c *commit) (string, []string) {
	d.t.Helper()
	if err := c.record.Close(); err != nil { // as death does
		d.t.Fatal(err)
	}
	ws := reopen(d.t, d.ws.Name(), d.records)
	notes := Recover(d.t.Context(), ws)
	if again := Recover(d.t.Context(), ws); len(again) > 0 {
		d.t.Errorf("the second time it says %q", again)
	}
	return tree(d.t, ws), notes
}

// Wherever a commit is stopped, the next start makes all old or all new of it,
// and leaves nothing behind.
func TestRecoverAfterEveryMove(t *testing.T) {
	t.Parallel()
	first := newStopped(t)
	c, all := first.until(0)
	first.recovered(c)
	was, turned := "", 0
	for n := range all + 1 {
		d := first.again()
		c, _ := d.until(n)
		mid := tree(t, d.ws)
		got, notes := d.recovered(c)
		is := "mixed"
		switch got {
		case d.old:
			is = "old"
		case d.new:
			is = "new"
		}
		if is == "mixed" {
			t.Errorf("after %d moves:\n%s\nwhich were\n%s", n, got, mid)
		}
		if len(notes) > 1 || len(notes) == 0 && strings.Contains(mid, ".aye-") {
			t.Errorf("after %d moves it says %q", n, notes)
		}
		if is != was {
			was, turned = is, turned+1
		}
	}
	if turned != 2 || was != "new" {
		t.Errorf("it turned from old to new %d times, and was %s at the end", turned-1, was)
	}
}

// Nor does it matter where the taking back is stopped, be it the commit's own
// or that of an earlier recovery.
func TestRecoverAfterEveryMoveBack(t *testing.T) {
	t.Parallel()
	const files, ready = 6, 3*6 + 2
	first := newStopped(t)
	for placed := range files {
		for n := 0; ; n++ {
			d := first.again()
			c, _ := d.until(ready + placed + 1)
			var back []func() error
			for _, s := range slices.Backward(c.steps) {
				back = append(back, func() error { return c.putBack(s) })
			}
			back = append(back, d.clearing(c)...)
			if n > len(back) {
				c.record.Close()
				Recover(t.Context(), d.ws)
				break
			}
			for _, move := range back[:n] {
				if err := move(); err != nil {
					t.Fatal(err)
				}
			}
			mid := tree(t, d.ws)
			want := d.old
			if placed == files-1 && n == 0 {
				want = d.new
			}
			if got, notes := d.recovered(c); got != want {
				t.Errorf("%d placed, %d moves back, %q:\n%s\nwhich were\n%s", placed+1, n, notes, got, mid)
			}
		}
	}
}

// What somebody else wrote after the kill is never overwritten: the commit goes
// the way that leaves nothing mixed, and where there is none it is said.
func TestRecoverAfterSomebodyElse(t *testing.T) {
	t.Parallel()
	const ready = 3*6 + 2
	write := func(ws *workspace.Dir, name string) error { return os.WriteFile(ws.Abs(name), []byte("theirs"), 0o644) }
	swap := func(ws *workspace.Dir, name string) error {
		return errors.Join(os.Remove(ws.Abs(name)), write(ws, name))
	}
	for _, tt := range []struct {
		name   string
		placed int // of the six files
		do     func(ws *workspace.Dir) error
		want   string // of what the person is told
		is     string // of the tree
		theirs string
	}{
		{"a file not yet replaced", 1, func(ws *workspace.Dir) error { return swap(ws, "d/changed") }, "taken back", "old", "d/changed"},
		{"a file that was replaced", 1, func(ws *workspace.Dir) error { return swap(ws, "a") }, "finished", "new", "a"},
		{"a file that was replaced, in place", 4, func(ws *workspace.Dir) error { return write(ws, "d/changed") }, "finished", "new", "d/changed"},
		{"a file that was added, in place", 2, func(ws *workspace.Dir) error { return write(ws, "b/new") }, "finished", "new", "b/new"},
		{"all in place, and then one was changed", 6, func(ws *workspace.Dir) error { return write(ws, "b/new") }, "finished", "new", "b/new"},
		{"before it began", 0, func(ws *workspace.Dir) error { return swap(ws, "a") }, "nothing was changed", "old", "a"},
		{"a file where one is to be added", 1, func(ws *workspace.Dir) error { return write(ws, "b/new") }, "taken back", "old", "b/new"},
		{"a file where one was removed", 3, func(ws *workspace.Dir) error { return write(ws, "c") }, "c is somebody else's file now and was left as it is; its old content is kept in .aye-", "", "c"},
		{"on both sides", 1, func(ws *workspace.Dir) error { return errors.Join(swap(ws, "a"), swap(ws, "d/changed")) }, "a was changed by somebody else in the meantime and was left as it is; its old content is kept in .aye-", "", "a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newStopped(t)
			c, _ := d.until(ready + tt.placed)
			if err := tt.do(d.ws); err != nil {
				t.Fatal(err)
			}
			got, notes := d.recovered(c)
			if text := strings.Join(notes, "\n"); !strings.Contains(text, tt.want) || len(notes) != 1 {
				t.Errorf("the person is told %q, want %q", text, tt.want)
			}
			if data, _, err := d.ws.ReadFile(tt.theirs, 10); string(data) != "theirs" || err != nil {
				t.Errorf("what they wrote is now %q, %v", data, err)
			}
			want := map[string]string{"old": d.old, "new": d.new}[tt.is]
			if want == "" {
				if !strings.Contains(got, `"old `+tt.theirs) {
					t.Errorf("the old content is nowhere:\n%s", got)
				}
				return
			}
			if got, want := without(got, tt.theirs), without(want, tt.theirs); got != want {
				t.Errorf("beside it the tree is\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// without is a tree without one file.
func without(tree, name string) string {
	var lines []string
	for line := range strings.SplitSeq(tree, "\n") {
		if !strings.HasPrefix(line, name+" ") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// What is written to the old file through an open handle, after it was put
// aside, is not lost either.
func TestRecoverAfterALateWriter(t *testing.T) {
	t.Parallel()
	d := newStopped(t)
	handle, err := os.OpenFile(d.ws.Abs("a"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer handle.Close()
	c, _ := d.until(3*6 + 2 + 6)
	if _, err := handle.WriteString("late\n"); err != nil {
		t.Fatal(err)
	}
	got, notes := d.recovered(c)
	if want := strings.Replace(d.old, `old a\n`, `old a\nlate\n`, 1); got != want {
		t.Errorf("the tree is\n%s\nwant\n%s\n%q", got, want, notes)
	}
}

// A commit of a living process is not touched.
func TestRecoverLeavesTheLivingAlone(t *testing.T) {
	t.Parallel()
	d := newStopped(t)
	c, _ := d.until(3*6 + 2 + 3)
	mid := tree(t, d.ws)
	if notes := Recover(t.Context(), d.ws); len(notes) > 0 || tree(t, d.ws) != mid {
		t.Errorf("Recover: %q, and the tree is\n%s\nwas\n%s", notes, tree(t, d.ws), mid)
	}
	if got, _ := d.recovered(c); got != d.old {
		t.Errorf("after its death:\n%s", got)
	}
}

// One that is told to stop leaves the record to the next.
func TestRecoverStops(t *testing.T) {
	t.Parallel()
	d := newStopped(t)
	c, _ := d.until(3*6 + 2 + 3)
	c.record.Close()
	mid := tree(t, d.ws)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if notes := Recover(ctx, d.ws); len(notes) > 0 || tree(t, d.ws) != mid {
		t.Errorf("Recover: %q", notes)
	}
	if notes := Recover(t.Context(), d.ws); len(notes) != 1 || tree(t, d.ws) != d.old {
		t.Errorf("Recover: %q, and the tree is\n%s", notes, tree(t, d.ws))
	}
}

// A record that says what no commit of ours would is not followed, and named.
func TestRecoverDoesNotFollowAStrangeRecord(t *testing.T) {
	t.Parallel()
	sum := string(workspace.SumOf(nil))
	for name, line := range map[string]string{
		"no path in the workspace": `{"version":1,"workspace":%q,"files":[{"path":"../x","before":"` + sum + `","kept":".aye-a.tmp"}]}`,
		"that aye gives":           `{"version":1,"workspace":%q,"files":[{"path":"x","before":"` + sum + `","kept":"y"}]}`,
		"gives to a file":          `{"version":1,"workspace":%q,"files":[{"path":"x","before":"` + sum + `","kept":".aye-../y.tmp"}]}`,
		"does not fit":             `{"version":1,"workspace":%q,"files":[{"path":"x","before":"` + sum + `"}]}`,
		"not said what was":        `{"version":1,"workspace":%q,"files":[{"path":"x","before":"0","kept":".aye-a.tmp"}]}`,
		"names no file":            `{"version":1,"workspace":%q,"files":[]}`,
		"no folder of its files":   `{"version":1,"workspace":%q,"made":["d"],"files":[{"path":"x","before":"` + sum + `","kept":".aye-a.tmp"}]}`,
		"twice":                    `{"version":1,"workspace":%q,"files":[{"path":"x","before":"` + sum + `","kept":".aye-a.tmp"},{"path":"x","after":"` + sum + `","fresh":".aye-a.tmp"}]}`,
		"the version 2":            `{"version":2,"workspace":%q}`,
		"it is about /elsewhere":   `{"version":1,"workspace":"/elsewhere"%.0s}`,
		"invalid character":        `nonsense%.0s`,
	} {
		root, records := open(t, map[string]string{"x": "", "y": "precious", "d/.aye-a.tmp": ""}).Name(), t.TempDir()
		ws, err := workspace.OpenWith(root, workspace.Options{Records: records})
		if err != nil {
			t.Fatal(err)
		}
		defer ws.Close()
		before := tree(t, ws)
		r, err := ws.NewRecord(fmt.Appendf(nil, line, root))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(r.Add([]byte(placing)), r.Close()); err != nil {
			t.Fatal(err)
		}
		notes := Recover(t.Context(), ws)
		if len(notes) != 1 || !strings.Contains(notes[0], name) || !strings.Contains(notes[0], records) {
			t.Errorf("%s: %q", name, notes)
		}
		if got := tree(t, ws); got != before {
			t.Errorf("%s: the tree is\n%s", name, got)
		}
		if kept, _ := filepath.Glob(filepath.Join(records, "*")); len(kept) != 1 {
			t.Errorf("%s: the records are %q", name, kept)
		}
	}
}

// Where no record can be kept several files are not changed, and one is.
func TestCommitWithoutARecord(t *testing.T) {
	t.Parallel()
	s, files := mixture(t)
	ws := open(t, files)
	noFolder := filepath.Join(ws.Abs("a"), "records")
	bare, err := workspace.OpenWith(ws.Name(), workspace.Options{Records: noFolder})
	if err != nil {
		t.Fatal(err)
	}
	defer bare.Close()
	before := tree(t, ws)
	err = s.Commit(t.Context(), bare)
	if err == nil || !strings.Contains(err.Error(), noFolder) || !strings.Contains(err.Error(), "one file at a time") {
		t.Errorf("Commit: %v", err)
	}
	if got := tree(t, ws); got != before {
		t.Errorf("the tree is\n%s\nwas\n%s", got, before)
	}
	if err := set(t, update("a", "old a\n", "new a\n")).Commit(t.Context(), bare); err != nil {
		t.Errorf("a single file: %v", err)
	}
}

// Paths are bytes.
func TestRecordKeepsEveryPath(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"plain/a.go", "\xff\xfe", "%41", "a b+c", "ünïcode", "line\nend", `"quoted\"`} {
		text, err := exact(name).MarshalText()
		var back exact
		if err := errors.Join(err, back.UnmarshalText(text)); err != nil || string(back) != name {
			t.Errorf("%q became %q by way of %s, %v", name, back, text, err)
		}
	}
}
