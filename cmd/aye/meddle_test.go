package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"aye/agent"
	"aye/llm"
	"aye/llm/llmtest"
	"aye/tools"
	"aye/tools/change"
)

// A monkey is a model that calls the tools for files at random, with another
// process that changes the same files between its calls and while they are
// asked for. What it knows of the folder is exact: whatever else is found there
// was lost, or nobody allowed it.
type monkey struct {
	mu sync.Mutex // guards all, for the model's server is not the test's goroutine
	*rand.Rand
	w     *world
	files map[string]string // that must be there
	asked map[string]string // what the prepared call would leave; nil: it changes nothing
	stale bool              // a file of that call was changed since
	calls int               // that are left
	ready chan struct{}     // one for each reply: nothing of the last call is under way

	changed, refused, denied int // calls
}

// Paths of the monkey. The last ones are not there at first.
var jungle = []string{"a", "b", "d/a", "d/b", "e/new", "new"}

// syllables are the lines of its files: few, so that an edit may have several places or none.
var syllables = []string{"one", "two", "three", "", "é", "four"}

const monkeys = 200

func TestMonkeyWithAnotherProcess(t *testing.T) {
	t.Parallel()
	const groups = 4
	seeds := monkeys
	if testing.Short() || len(buildFlags) > 0 { // the race detector is slow
		seeds = 20
	}
	counts := make([][3]int, groups)
	t.Run("seeds", func(t *testing.T) {
		for g := range groups {
			t.Run(fmt.Sprint(g), func(t *testing.T) {
				t.Parallel()
				for seed := g; seed < seeds && !t.Failed(); seed += groups {
					m := newMonkey(t, uint64(seed))
					m.live()
					if t.Failed() {
						t.Logf("the seed is %d", seed)
					}
					for n, count := range []int{m.changed, m.refused, m.denied} {
						counts[g][n] += count
					}
				}
			})
		}
	})
	var changed, refused, denied int
	for _, count := range counts {
		changed, refused, denied = changed+count[0], refused+count[1], denied+count[2]
	}
	t.Logf("%d sessions: %d calls changed files, %d were allowed and found a file changed, %d were denied", seeds, changed, refused, denied)
	if changed < seeds || refused < seeds/10 || denied < seeds/10 {
		t.Error("this tests nothing")
	}
}

func newMonkey(t *testing.T, seed uint64) *monkey {
	t.Helper()
	m := &monkey{Rand: rand.New(rand.NewPCG(seed, 3)), files: map[string]string{}, calls: 12, ready: make(chan struct{}, 1)}
	m.w = newWorld(t, m.script)
	for _, name := range jungle[:4] {
		m.files[name] = m.content()
	}
	m.w.fill(m.files)
	return m
}

// live has one session go from its task to its end.
func (m *monkey) live() {
	t := m.w.t
	conf, err := loadConfig(invocation{}, func(name string) (string, bool) {
		value, ok := map[string]string{"AYE_HOME": m.w.home, "API_KEY": secret, "API_BASE_URL": m.w.model.URL(), "API_MODEL": "scripted"}[name]
		return value, ok
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := openSession(t.Context(), conf, sessionWant{in: invocation{dir: m.w.dir, maxRounds: 100}})
	if err != nil {
		t.Fatal(err)
	}
	m.ready <- struct{}{}
	if err := s.Send(t.Context(), agent.Prompt{Text: "go"}); err != nil {
		t.Fatal(err)
	}
	for ev := range s.Events() {
		m.take(s, ev)
		if _, ended := ev.(agent.TurnEnded); ended || t.Failed() {
			break
		}
	}
	select { // a reply that will not be heard need not wait
	case m.ready <- struct{}{}:
	default:
	}
	if err := s.close(); err != nil {
		t.Error(err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if got := m.w.found(); !maps.Equal(got, m.files) {
		t.Errorf("in the end there are\n%q, want\n%q", got, m.files)
	}
}

func (m *monkey) take(s *session, ev agent.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch ev := ev.(type) {
	case agent.CallPrepared:
		m.prepared(ev.Preview)
	case agent.ApprovalAsked:
		m.answer(s, ev)
	case agent.CallFinished:
		m.finished(ev.Result)
	}
}

// found are the files of the folder, by what is in them.
func (w *world) found() map[string]string {
	files := w.tree()
	maps.DeleteFunc(files, func(name, _ string) bool { return strings.HasSuffix(name, "/") })
	return files
}

// prepared works out, by what a person is shown, what the call will leave.
func (m *monkey) prepared(v tools.View) {
	m.asked, m.stale = nil, false
	for _, d := range v.Diffs {
		if m.asked == nil {
			m.asked = map[string]string{}
		}
		before, there := m.files[d.Path]
		if there == (d.Kind == change.Added) {
			m.w.t.Errorf("%s is shown as %s; it is there: %v", d.Path, d.Kind, there)
		}
		if _, from, moved := strings.Cut(d.Note, "moved from "); moved { // it is shown against its old place
			from, _, _ = strings.Cut(from, ";")
			before = m.files[from]
		}
		after, err := patched(before, d)
		if err != nil {
			m.w.t.Errorf("%s: %v: the diff is\n%+v, the file\n%q", d.Path, err, d, before)
		}
		if d.Kind == change.Removed {
			after = gone
		}
		m.asked[d.Path] = after
	}
}

// gone stands for a file that is not there.
const gone = "\x00gone"

// patched is what a diff makes of a file.
func patched(before string, d change.FileDiff) (string, error) {
	lines := strings.SplitAfter(before, "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	}
	var after strings.Builder
	at := 0
	for _, h := range d.Hunks {
		from := max(h.Old-1, 0)
		if from < at || from > len(lines) {
			return "", fmt.Errorf("a hunk at line %d", h.Old)
		}
		after.WriteString(strings.Join(lines[at:from], ""))
		at = from
		for _, line := range h.Lines {
			whole := line.Text + map[string]string{"": "\n", "crlf": "\r\n", "none": ""}[line.End]
			if line.Op != "+" {
				if at == len(lines) || lines[at] != whole {
					return "", fmt.Errorf("line %d is not %q", at+1, whole)
				}
				at++
			}
			if line.Op != "-" {
				after.WriteString(whole)
			}
		}
	}
	return after.String() + strings.Join(lines[at:], ""), nil
}

// answer lets another process at the files, now and then, and then says yes or
// no.
func (m *monkey) answer(s *session, asked agent.ApprovalAsked) {
	if m.IntN(3) == 0 {
		m.meddle(slices.Sorted(maps.Keys(m.asked)))
	}
	choice := agent.Allow
	if m.IntN(5) == 0 {
		choice = agent.Deny
		m.denied++
	}
	if err := s.Send(m.w.t.Context(), agent.Answer{CallID: asked.CallID, Choice: choice}); err != nil {
		m.w.t.Error(err)
	}
}

// finished holds the folder against what it must be now.
func (m *monkey) finished(r tools.Result) {
	switch {
	case m.asked == nil:
	case r.Status == tools.OK && m.stale:
		m.w.t.Errorf("what was shown was not there any more, and the call was carried out: %s", r.Text)
	case r.Status == tools.OK:
		m.changed++
		for name, after := range m.asked {
			m.set(name, after)
		}
	case m.stale && r.Status == tools.Failed:
		m.refused++
	case r.Status == tools.Failed:
		m.w.t.Errorf("it was allowed, nobody changed a file, and it failed: %s", r.Text)
	}
	if got := m.w.found(); !maps.Equal(got, m.files) {
		m.w.t.Errorf("after %q (%s) there are\n%q, want\n%q", r.Text, r.Status, got, m.files)
	}
	m.asked = nil
	m.ready <- struct{}{}
}

func (m *monkey) set(name, content string) {
	if content == gone {
		delete(m.files, name)
	} else {
		m.files[name] = content
	}
}

// meddle is the other process, at one of the named files.
func (m *monkey) meddle(names []string) {
	if len(names) == 0 {
		return
	}
	name := names[m.IntN(len(names))]
	full := filepath.Join(m.w.dir, name)
	content := m.content()
	was, there := m.files[name]
	var err error
	switch m.IntN(5) {
	case 0:
		content = gone
		if there {
			err = os.Remove(full)
		}
	case 1, 2: // by another file that takes its place
		m.w.write(name+".theirs", content)
		err = os.Rename(full+".theirs", full)
	case 3: // in place
		m.w.write(name, content)
	case 4: // what was there already
		if !there {
			return
		}
		content = was
		m.w.write(name, content)
	}
	if err != nil {
		m.w.t.Error(err)
	}
	_, ours := m.asked[name]
	m.stale = m.stale || ours && !(there && was == content || !there && content == gone)
	m.set(name, content)
}

// content is what a file may hold.
func (m *monkey) content() string {
	end := []string{"\n", "\n", "\r\n"}[m.IntN(3)]
	var b strings.Builder
	for range 1 + m.IntN(6) {
		b.WriteString(syllables[m.IntN(len(syllables))] + fmt.Sprint(m.IntN(3)) + end)
	}
	return strings.TrimSuffix(b.String(), []string{"", "", end}[m.IntN(3)])
}

// script is the model: it reads, and changes what it may know or not.
func (m *monkey) script(llm.Request) llmtest.Reply {
	<-m.ready
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.IntN(4) == 0 {
		m.meddle(jungle)
	}
	if m.calls--; m.calls < 0 {
		return say("Done.")
	}
	name := jungle[m.IntN(len(jungle))]
	switch m.IntN(9) {
	case 0, 1, 2:
		return call("", "read", args("path", name))
	case 3:
		return call("", "write", args("path", name, "content", m.content()))
	case 4:
		return call("", "append", args("path", name, "content", m.content()))
	case 5, 6:
		return call("", "edit", args("path", name, "old", m.line(name), "new", m.content()))
	}
	return call("", "patch", args("patch", m.patch()))
}

// line is one of a file's, as a model would write it, or none of it.
func (m *monkey) line(name string) string {
	content, ok := m.files[name]
	if !ok || m.IntN(6) == 0 {
		return syllables[m.IntN(len(syllables))] + "0"
	}
	lines := strings.Split(strings.TrimSuffix(content, "\n"), "\n")
	return strings.TrimSuffix(lines[m.IntN(len(lines))], "\r")
}

// patch is one of up to four files.
func (m *monkey) patch() string {
	var b strings.Builder
	b.WriteString("*** Begin Patch\n")
	for _, n := range m.Perm(len(jungle))[:1+m.IntN(4)] {
		name := jungle[n]
		_, there := m.files[name]
		switch {
		case !there || m.IntN(12) == 0:
			fmt.Fprintf(&b, "*** Add File: %s\n+%s\n", name, m.line(name))
		case m.IntN(6) == 0:
			fmt.Fprintf(&b, "*** Delete File: %s\n", name)
		default:
			fmt.Fprintf(&b, "*** Update File: %s\n", name)
			if m.IntN(5) == 0 {
				fmt.Fprintf(&b, "*** Move to: moved%d\n", m.IntN(100))
			}
			fmt.Fprintf(&b, "-%s\n+%s!\n", m.line(name), m.line(name))
		}
	}
	return b.String() + "*** End Patch\n"
}
