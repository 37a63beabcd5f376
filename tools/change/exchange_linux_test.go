package change

import (
	"errors"
	"os"
	"testing"
)

// exchanges gets a step to where its new file has changed names with the old
// one; the test is skipped where the disk cannot.
func exchanges(t *testing.T, s *step) {
	t.Helper()
	switch done, err := s.fresh.Exchange(); {
	case err != nil:
		t.Fatal(err)
	case !done:
		t.Skip("this disk cannot have two files change names")
	}
}

// Somebody puts a file of theirs in the place of the old one after the last
// look at it: they keep it, and the commit is stale.
func TestReplacedInTheLastMoment(t *testing.T) {
	t.Parallel()
	d := &stopped{t: t, s: set(t, update("f", "old", "new"), update("g", "old", "new")), files: map[string]string{"f": "old", "g": "old"}}
	d = d.again()
	c, _ := d.until(3*2 + 2 + 1) // f has its new content
	s := c.steps[1]
	if !s.kept.Still() {
		t.Fatal("the old file is not there")
	}
	exchanges(t, s) // they can
	exchanges(t, s)
	write(t, d.ws.Abs("theirs"), "theirs")
	if err := os.Rename(d.ws.Abs("theirs"), d.ws.Abs("g")); err != nil {
		t.Fatal(err)
	}
	err := s.replace()
	if stale := (*Stale)(nil); !errors.As(err, &stale) || stale.Path != "g" {
		t.Errorf("replace: %v", err)
	}
	if err := c.undo(); err != nil {
		t.Error(err)
	}
	if got, want := tree(t, d.ws), tree(t, open(t, map[string]string{"f": "old", "g": "theirs"})); got != want {
		t.Errorf("the tree is\n%s\nwant\n%s", got, want)
	}
}

// A process dies between the moment in which two files change names and the one
// in which the old one loses its second name.
func TestKilledBetweenExchangeAndDiscard(t *testing.T) {
	t.Parallel()
	first := newStopped(t)
	tried := 0
	for n := range first.s.Files {
		if file := first.s.Files[n]; !file.Existed || file.Deleted {
			continue
		}
		d := first.again()
		c, _ := d.until(3*6 + 2 + n)
		exchanges(t, c.steps[n])
		tried++
		if got, notes := d.recovered(c); got != d.old && got != d.new {
			t.Errorf("%s: %q, and the tree is\n%s", first.s.Files[n].Path, notes, got)
		}
	}
	if tried == 0 {
		t.Error("no file is replaced: this tests nothing")
	}
}
