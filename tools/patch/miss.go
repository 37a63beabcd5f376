package patch

import (
	"fmt"
	"strings"

	"aye/tools/near"
	"aye/tools/text"
)

// A Miss says why a hunk has no place.
type Miss struct {
	Hunk  int    // its number in the section, from 1
	Where string // its line in the patch
	Why   string // no word of the file is in it
	Lines string // of the file, numbered, "" when there are none to show
	Near  Range  // what Lines shows
}

func (m *Miss) Error() string {
	s := fmt.Sprintf("hunk %d (%s): %s", m.Hunk, m.Where, m.Why)
	if m.Lines != "" {
		s += "\n" + m.Lines
	}
	return s
}

// Limits of what is said about a hunk that has no place. It only makes an
// error better, so it must never take long.
const (
	maxPlaces   = 5       // that an error names
	maxShown    = 12      // lines
	maxCompared = 200_000 // lines of the file
	maxVotes    = 64      // places of a line that are looked at
)

// plain are the file's lines as they are shown.
func (f *file) plain() []string {
	if f.shown == nil {
		f.shown = make([]string, 0, min(len(f.lines), maxCompared))
		for _, line := range f.lines[:min(len(f.lines), maxCompared)] {
			s, _ := text.Show(line.Text)
			f.shown = append(f.shown, s)
		}
	}
	return f.shown
}

// show has the miss show the lines [from, to), with one more at each end.
func (m *Miss) show(f *file, from, to int) *Miss {
	lines := f.plain()
	m.Near = Range{max(0, from-1), min(len(lines), to+1)}
	m.Lines = text.Numbered(lines, m.Near.From, m.Near.To, maxShown)
	return m
}

// list names places by their line numbers.
func list(places []int) string {
	var numbers []string
	for _, at := range places[:min(len(places), maxPlaces)] {
		numbers = append(numbers, fmt.Sprint(at+1))
	}
	if len(places) > maxPlaces {
		numbers = append(numbers, "…")
	}
	return strings.Join(numbers, ", ")
}

// ambiguous is the miss of a hunk that has several places.
func (f *file) ambiguous(h Hunk, found []int) *Miss {
	if len(h.old()) == 0 {
		return &Miss{Why: fmt.Sprintf("the line after @@ occurs %d times, at lines %s; put lines of the file around what is added", len(found), list(found))}
	}
	return &Miss{Why: fmt.Sprintf("its context and removed lines occur %d times, at lines %s; add more lines of the file around them, or a line %q from above them, until there is one place", len(found), list(found), "@@ "+"…")}
}

// elsewhere is the miss of a hunk whose lines are in the file, but not where
// it says.
func (f *file) elsewhere(h Hunk, all []int) *Miss {
	switch {
	case len(h.Headers) > 0 && !h.Loose:
		return &Miss{Why: fmt.Sprintf("its lines are in the file at lines %s, but not below the line after @@; correct that line or leave it out", list(all))}
	default:
		return &Miss{Why: fmt.Sprintf("its lines are in the file at lines %s, but not at its end; leave out what says that they are", list(all))}
	}
}

// noHeader is the miss of a hunk whose header is not in the file.
func (f *file) noHeader(header string) *Miss {
	m := &Miss{Why: fmt.Sprintf("no line of the file has %q, the text after @@; copy a line above the place, or leave the text out", header)}
	if at := near.Lines(f.plain(), []string{header}); at >= 0 {
		m.Why += ". The nearest line is among these:"
		return m.show(f, at, at+1)
	}
	return m
}

// absent is the miss of a hunk whose lines are not in the file.
func (f *file) absent(h Hunk, old []string) *Miss {
	if m := f.done(h); m != nil {
		return m
	}
	if len(f.lines) == 0 {
		return &Miss{Why: "the file is empty, so it has none of the context and removed lines"}
	}
	if at := f.alignment(old); at >= 0 {
		ids, _ := f.index(twins).number(old)
		for n := range old {
			if at+n < len(f.lines) && ids[n] == f.index(twins).ids[at+n] {
				continue
			}
			m := &Miss{Why: fmt.Sprintf("line %d of its context and removed lines, %s, is not in the file there; context must be the file's own lines, whole and in order. The file has:", n+1, clipped(old[n]))}
			return m.show(f, at, at+len(old))
		}
	}
	m := &Miss{Why: fmt.Sprintf("its context and removed lines are not in the file, the first of them is %s; read the file again", clipped(old[0]))}
	if at := near.Lines(f.plain(), old); at >= 0 {
		m.Why = fmt.Sprintf("its context and removed lines, the first of them is %s, are not in the file. The nearest lines are:", clipped(old[0]))
		return m.show(f, at, at+len(old))
	}
	return m
}

// done is the miss of a hunk that was made already, as it seems.
func (f *file) done(h Hunk) *Miss {
	after := h.side('-')
	if len(after) == 0 {
		return nil
	}
	if found := f.index(trailing).find(after); len(found) == 1 && strings.TrimSpace(strings.Join(after, "")) != "" {
		m := &Miss{Why: "its removed lines are not in the file, but what it would make of them is there already; leave this hunk out. The file has:"}
		return m.show(f, found[0], found[0]+len(after))
	}
	return nil
}

// alignment is where most of the lines are in their places; -1 when not even
// two are, or one that the file has only once.
func (f *file) alignment(old []string) int {
	x := f.index(twins)
	ids, _ := x.number(old)
	votes := make(map[int]int)
	best, most := -1, 1
	for n, id := range ids {
		if id < 0 || strings.TrimSpace(old[n]) == "" || len(x.places(id)) > maxVotes {
			continue
		}
		for _, place := range x.places(id) {
			at := int(place) - n
			if at < 0 {
				continue
			}
			votes[at]++
			if len(x.places(id)) == 1 {
				votes[at]++
			}
			if votes[at] > most || votes[at] == most && at < best {
				best, most = at, votes[at]
			}
		}
	}
	return best
}

// clipped quotes the beginning of a line.
func clipped(s string) string {
	if len(s) > 80 {
		s = strings.ToValidUTF8(s[:80], "") + "…"
	}
	return fmt.Sprintf("%q", s)
}
