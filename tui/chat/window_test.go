package chat

import (
	"fmt"
	"strings"
	"testing"

	"aye/agent"
)

// top returns the first visible row that is not blank.
func top(t *testing.T, m *Model) string {
	t.Helper()
	for _, row := range strings.Split(screen(t, m), "\n") {
		if strings.TrimSpace(row) != "" {
			return strings.TrimSpace(row)
		}
	}
	t.Fatal("nothing on the screen")
	return ""
}

// long returns n short messages and answers, each of its own text.
func long(s *script, n int) {
	for i := range n {
		id := i + 1
		s.do(agent.PromptAccepted{ID: id, Text: fmt.Sprintf("question %d", id)},
			said(fmt.Sprintf("answer%d begins here and goes on for a while, so that it needs more than one row on a screen that is not wide, and then it ends%d", id, id)))
	}
}

// BUGS 25: 500 messages, up three pages, 2,000 tokens stream, two resizes.
func TestReaderStaysWhereTheyAre(t *testing.T) {
	t.Parallel()
	s := newScript(80, 24)
	long(s, 250)
	screen(t, s.m)
	for range 3 {
		s.m.Page(-1)
		screen(t, s.m)
	}
	want := top(t, s.m)
	s.do(agent.TurnStarted{Turn: 1})
	below := s.m.below()
	for i := range 2000 {
		s.do(agent.TextStreamed{Text: fmt.Sprintf("token%d ", i)})
		if i%50 == 0 && top(t, s.m) != want {
			t.Fatalf("after %d tokens the first row is %q, was %q", i, top(t, s.m), want)
		}
	}
	if s.m.following {
		t.Error("the view follows although the reader scrolled up")
	}
	if now := s.m.below(); now < below+100 {
		t.Errorf("%d rows below after 2,000 tokens, %d before", now, below)
	}
	if view := screen(t, s.m); !strings.Contains(view, "new lines") {
		t.Errorf("nothing says that there are new lines:\n%s", view)
	}
	for _, size := range [][2]int{{50, 30}, {120, 20}, {33, 12}, {80, 24}} {
		s.m.Resize(size[0], size[1])
		got := top(t, s.m)
		if len(got) < 8 || len(want) < 8 || !strings.HasPrefix(got, want[:8]) && !strings.Contains(got, want[:8]) {
			t.Errorf("at %dx%d the first row is %q, was %q", size[0], size[1], got, want)
		}
	}
	if got := top(t, s.m); got != want {
		t.Errorf("back at the first size the first row is %q, was %q", got, want)
	}
	s.m.End()
	if view := screen(t, s.m); !strings.Contains(view, "token1999") || !s.m.following {
		t.Errorf("End does not follow again:\n%s", view)
	}
}

// A long answer wraps anew; the reader is in its middle.
func TestReaderStaysInsideAnItem(t *testing.T) {
	t.Parallel()
	s := newScript(60, 10)
	var words []string
	for i := range 3000 {
		words = append(words, fmt.Sprintf("w%d", i))
	}
	s.do(said(strings.Join(words, " ")))
	screen(t, s.m)
	s.m.Home()
	s.m.Scroll(137)
	want := top(t, s.m)
	first, _, _ := strings.Cut(want, " ")
	for _, w := range []int{23, 41, 200, 20, 97, 60} {
		s.m.Resize(w, 10)
		if got := top(t, s.m); !strings.Contains(" "+got+" ", " "+first+" ") {
			t.Errorf("at width %d the first row is %q, without %q", w, got, first)
		}
	}
	if got := top(t, s.m); got != want {
		t.Errorf("back at the first width: %q, was %q", got, want)
	}
}

func TestFollowing(t *testing.T) {
	t.Parallel()
	s := newScript(40, 8)
	long(s, 20)
	screen(t, s.m)
	steps := []struct {
		name      string
		do        func()
		following bool
	}{
		{"one up", func() { s.m.Scroll(-1) }, false},
		{"one down", func() { s.m.Scroll(1) }, true},
		{"page up", func() { s.m.Page(-1) }, false},
		{"taller", func() { s.m.Resize(40, 9) }, false},
		{"home", s.m.Home, false},
		{"far up", func() { s.m.Scroll(-1000) }, false},
		{"far down", func() { s.m.Scroll(100000) }, true},
		{"resize at the end", func() { s.m.Resize(30, 7) }, true},
		{"page up again", func() { s.m.Page(-2) }, false},
		{"end", s.m.End, true},
	}
	for _, step := range steps {
		step.do()
		view := screen(t, s.m)
		if s.m.following != step.following {
			t.Errorf("%s: following is %v", step.name, s.m.following)
		}
		if got := strings.Contains(view, "ends20"); got != step.following {
			t.Errorf("%s: the end is in sight: %v\n%s", step.name, got, view)
		}
		if (s.m.below() == 0) != step.following {
			t.Errorf("%s: %d rows below", step.name, s.m.below())
		}
	}
}

func TestShortConversationDoesNotScroll(t *testing.T) {
	t.Parallel()
	s := newScript(40, 8)
	long(s, 1)
	want := screen(t, s.m)
	for _, do := range []func(){s.m.Home, func() { s.m.Page(-1) }, func() { s.m.Scroll(3) }, s.m.End} {
		do()
		if got := screen(t, s.m); got != want || !s.m.following {
			t.Errorf("following %v:\n%s", s.m.following, got)
		}
	}
}

// A dialog opens above the composer and takes rows; when it closes the reader
// sees what they saw.
func TestWindowShrinksAndGrows(t *testing.T) {
	t.Parallel()
	s := newScript(60, 20)
	long(s, 50)
	screen(t, s.m)
	s.m.Scroll(-3)
	want := screen(t, s.m)
	s.m.Resize(60, 6)
	screen(t, s.m)
	s.m.Resize(60, 20)
	if got := screen(t, s.m); got != want {
		t.Errorf("now:\n%s\nwas:\n%s", got, want)
	}
}

// Scrolled up and opened, the row on top stays.
func TestToggleKeepsTheTopRow(t *testing.T) {
	t.Parallel()
	s := newScript(80, 12)
	work(s)
	long(s, 30)
	screen(t, s.m)
	s.m.Page(-3)
	want := top(t, s.m)
	s.m.ToggleOutput()
	if got := top(t, s.m); got != want {
		t.Errorf("open: the first row is %q, was %q", got, want)
	}
	s.m.ToggleOutput()
	if got := top(t, s.m); got != want {
		t.Errorf("folded: the first row is %q, was %q", got, want)
	}
}

func TestViewIsTheSameStringWhileNothingChanges(t *testing.T) {
	t.Parallel()
	s := newScript(80, 24)
	work(s)
	first, version := s.m.View(), s.m.version
	s.m.Tick(s.now)
	s.do(agent.Waiting{For: agent.ForModel}, agent.ModeSet{Mode: agent.Edit}, agent.CallStreamed{Bytes: 3})
	if s.m.version != version {
		t.Error("the version changed although nothing did")
	}
	if s.m.View() != first {
		t.Error("the view changed although nothing did")
	}
	s.do(agent.Noted{Level: agent.Info, Text: "new"})
	if s.m.version == version || s.m.View() == first {
		t.Error("a note did not change version and view")
	}
}

func TestTickRedrawsOncePerSecond(t *testing.T) {
	t.Parallel()
	s := newScript(80, 24)
	s.do(runs("c", "sleep 9"))
	s.m.View()
	changes, version := 0, s.m.version
	for ms := range 50 {
		s.m.Apply(agent.Waiting{For: agent.ForTool}, began.Add(durationOf(ms*100))) // hears of the time first
		s.m.Tick(began.Add(durationOf(ms * 100)))
		if s.m.version != version {
			changes, version = changes+1, s.m.version
		}
	}
	if changes != 4 {
		t.Errorf("%d redraws in 5 s of a running call", changes)
	}
	if view := screen(t, s.m); !strings.Contains(view, "4 s") {
		t.Errorf("no clock:\n%s", view)
	}
}

// The rows below are counted right when everything was laid out.
func TestBelowCounts(t *testing.T) {
	t.Parallel()
	s := newScript(50, 10)
	long(s, 40)
	screen(t, s.m)
	s.m.Home()
	screen(t, s.m)
	s.m.Scroll(100000) // lays everything out
	screen(t, s.m)
	s.m.Home()
	total := 0
	for i := range s.m.slots {
		total += s.m.slots[i].height()
	}
	if got := s.m.below(); got != total-9 {
		t.Errorf("%d rows below of %d", got, total)
	}
	for i := range s.m.slots {
		if s.m.tall.rows[i] != s.m.slots[i].height() {
			t.Fatalf("item %d: counted as %d rows, has %d", i, s.m.tall.rows[i], s.m.slots[i].height())
		}
	}
}

func TestRowsOutOfSightAreLetGo(t *testing.T) {
	t.Parallel()
	s := newScript(80, 24)
	s.m.ToggleOutput()
	text := strings.Repeat("line\n", 3000)
	for i := range 25 {
		id := fmt.Sprint(i)
		s.do(runs(id, "cat"), ended(id, "shell", "ok", printed("exit 0", text, false), ""))
	}
	for range 76 {
		s.m.Scroll(-1000)
		screen(t, s.m)
		if s.m.cached > maxCached+3100 {
			t.Fatalf("%d rows held", s.m.cached)
		}
	}
	want := top(t, s.m)
	s.m.End()
	screen(t, s.m)
	s.m.Home()
	if got := top(t, s.m); got != want {
		t.Errorf("first row %q, was %q", got, want)
	}
}

func TestHeights(t *testing.T) {
	t.Parallel()
	var h heights
	var rows []int
	for i := range 500 {
		h.push(i % 7)
		rows = append(rows, i%7)
		if i%3 == 0 {
			h.set(i/2, i%11)
			rows[i/2] = i % 11
		}
	}
	sum := 0
	for i, n := range rows {
		if got := h.before(i); got != sum {
			t.Fatalf("before(%d) is %d, want %d", i, got, sum)
		}
		sum += n
	}
}
