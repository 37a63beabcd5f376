package proc

import (
	"strings"
	"testing"
	"time"
)

func TestLive(t *testing.T) {
	t.Parallel()
	var got []string
	l := newLive(func(s string) { got = append(got, s) }, 0)
	c := cleaner{out: l.add}
	now := time.Unix(0, 0)
	step := func(after time.Duration, in string) {
		c.write([]byte(in))
		now = now.Add(after)
		l.tick(c.line, now)
	}
	step(0, "one\ntwo\n")
	step(liveTick, "")            // nothing new, nothing said
	step(liveTick, "compiling")   // an open line is shown
	step(liveTick, " foo")        // and goes on
	step(liveTick, "... done\nx") // and ends
	step(2*liveRedraw, "\r10%")   // redrawn: anew
	step(liveTick, "\r20%")       // too soon
	step(liveRedraw, "\r30%")
	step(liveTick, "\r100%\n")
	want := []string{"one\ntwo\n", "compiling", " foo", "... done\nx", "\n10%", "\n30%", "\n100%\n"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("sent %q, want %q", got, want)
	}
}

func TestLiveIsBounded(t *testing.T) {
	t.Parallel()
	var got []string
	l := newLive(func(s string) { got = append(got, s) }, 0)
	c := cleaner{out: l.add}
	for range 100 {
		c.write([]byte(strings.Repeat("yes\n", 10_000)))
	}
	l.tick(c.line, time.Unix(0, 0))
	if len(got) != 1 || len(got[0]) > liveText+60 {
		t.Errorf("%d pieces, the first of %d bytes", len(got), len(got[0]))
	}
	if !strings.Contains(got[0], "lines, ") {
		t.Errorf("what is missing is not said: %q", got[0])
	}
}
