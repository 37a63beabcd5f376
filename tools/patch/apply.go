package patch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"aye/tools/text"
)

// Applied is what hunks come to in a text.
type Applied struct {
	Edits   []text.Edit
	Was     []Range  // lines of the old text that each edit takes out, or stands before
	Touched []Range  // lines of the new text that it made, or stands before
	Notes   []string // what was overlooked to find a place
}

// A Range is the lines [From, To), counted from 0.
type Range struct{ From, To int }

// maxMisses is how many hunks without a place are looked at: nobody is told of
// more, and to say why one has none takes long in a strange file.
const maxMisses = 20

// Apply finds the places of hunks in body, a file's text without a byte order
// mark. The first that have none are reported, then nothing is applied.
func Apply(ctx context.Context, body []byte, hunks []Hunk) (Applied, []*Miss) {
	f := newFile(body)
	var changes []change
	var misses []*Miss
	var applied Applied
	for n, h := range hunks {
		if ctx.Err() != nil {
			return Applied{}, []*Miss{{Hunk: n + 1, Where: h.String(), Why: "interrupted"}}
		}
		found, p, miss := f.changes(h)
		if miss != nil {
			miss.Hunk, miss.Where = n+1, h.String()
			if misses = append(misses, miss); len(misses) == maxMisses {
				break
			}
			continue
		}
		for _, c := range found {
			c.hunk = n
			changes = append(changes, c)
		}
		if p > trailing {
			applied.Notes = append(applied.Notes, fmt.Sprintf("hunk %d matched only without regard to %s; its + lines were added as they are", n+1, p.overlooked()))
		}
	}
	if len(misses) == 0 {
		slices.SortStableFunc(changes, func(a, b change) int { return a.from - b.from })
		misses = overlaps(hunks, changes)
	}
	if len(misses) > 0 {
		return Applied{}, misses
	}
	f.edits(changes, &applied)
	if miss := f.melts(body, hunks, changes, applied.Edits); miss != nil {
		return Applied{}, []*Miss{miss}
	}
	return applied, nil
}

func newFile(body []byte) *file {
	return &file{body: body, lines: text.Split(body), ends: make(map[int]int)}
}

// A change replaces the lines [from, to) of a file.
type change struct {
	hunk     int
	from, to int
	added    []Line
	newEnd   bool // the removed last line had no end, and the patch says so
}

// changes are what one hunk does, in order.
func (f *file) changes(h Hunk) ([]change, pass, *Miss) {
	if !h.changes() {
		return nil, exact, &Miss{Why: "it has no line that begins with + or -, so it changes nothing"}
	}
	h, at, p, miss := f.seek(h)
	if miss != nil {
		return nil, p, miss
	}
	var all []change
	open := false // the last change goes on
	for _, line := range h.Lines {
		if line.Op == ' ' {
			at++
			open = false
			continue
		}
		if !open {
			all = append(all, change{from: at, to: at})
			open = true
		}
		c := &all[len(all)-1]
		if line.Op == '-' {
			at++
			c.to = at
			c.newEnd = line.NoEnd
		} else {
			c.added = append(c.added, line)
		}
	}
	for _, c := range all {
		for n, line := range c.added {
			if line.NoEnd && (n < len(c.added)-1 || c.to < len(f.lines)) {
				return nil, p, &Miss{Why: `it says "No newline at end of file" of a line that is not the last one of the file`}
			}
		}
	}
	return all, p, nil
}

// overlaps are the misses of hunks that change what another one changes too.
// changes are in order.
func overlaps(hunks []Hunk, changes []change) []*Miss {
	var misses []*Miss
	end, before := 0, change{from: -1}
	for _, c := range changes {
		if before.from >= 0 && (c.from < end || c.from == before.from && before.from == before.to && c.from == c.to) {
			misses = append(misses, &Miss{Hunk: c.hunk + 1, Where: hunks[c.hunk].String(),
				Why: fmt.Sprintf("it changes the lines at %d that hunk %d changes too; write both as one hunk", c.from+1, before.hunk+1)})
			continue
		}
		end, before = max(end, c.to), c
	}
	return misses
}

// edits writes the changes as edits of bytes.
func (f *file) edits(changes []change, a *Applied) {
	line, at, shift := 0, 0, 0 // the place walked to, and how far lines have moved
	walkTo := func(n int) int {
		for ; line < n; line++ {
			at += len(f.lines[line].Text) + len(f.lines[line].End)
		}
		return at
	}
	for _, c := range changes {
		a.Edits = append(a.Edits, text.Edit{Start: walkTo(c.from), End: walkTo(c.to), New: f.added(c)})
		a.Was = append(a.Was, Range{c.from, c.to})
		a.Touched = append(a.Touched, Range{c.from + shift, c.from + shift + len(c.added)})
		shift += len(c.added) - (c.to - c.from)
	}
}

// added is the text of a change's new lines, with the line ends of their
// place.
func (f *file) added(c change) []byte {
	if len(c.added) == 0 {
		return nil
	}
	var out bytes.Buffer
	end := f.endAt(c.from)
	last := len(f.lines)
	if c.from == last && last > 0 && f.lines[last-1].End == "" {
		out.WriteString(end) // the line before has none
	}
	for n, line := range c.added {
		out.WriteString(line.Text)
		if at := c.from + n; at < c.to && f.lines[at].End != "" {
			end = f.lines[at].End
		}
		switch {
		case line.CR:
			out.WriteByte('\r')
		case line.NoEnd, n == len(c.added)-1 && c.to == last && !c.newEnd && last > 0 && f.lines[last-1].End == "":
		default:
			out.WriteString(end)
		}
	}
	return out.Bytes()
}

// endAt is the line end to use at a line: that of the line before, else of the
// first line.
func (f *file) endAt(n int) string {
	for n--; n >= 0; n-- {
		if f.lines[n].End != "" {
			return f.lines[n].End
		}
	}
	if len(f.lines) > 0 && f.lines[0].End != "" {
		return f.lines[0].End
	}
	return "\n"
}

// melts is the miss of changes that come out as more or fewer lines than they
// say: a lone "\r" and a "\n" that stand together become one line end, and
// hunks that both change the end of the file may not fit together.
func (f *file) melts(body []byte, hunks []Hunk, changes []change, edits []text.Edit) *Miss {
	want := len(f.lines)
	for _, c := range changes {
		want += len(c.added) - (c.to - c.from)
	}
	after := text.Splice(body, edits)
	if len(text.Split(after)) == want {
		return nil
	}
	last := changes[len(changes)-1].hunk
	m := &Miss{Hunk: last + 1, Where: hunks[last].String(), Why: "lines at the end of the file would run together; write all changes of the end as one hunk"}
	if bytes.IndexByte(after, '\r') >= 0 {
		m.Why = "the file has lines that end in a lone carriage return, and one would run together with the next; use edit"
	}
	return m
}

// Find finds where hunks belong in body, changing nothing: the lines of each
// that has a place, in their order in the file, and the misses of the others.
func Find(ctx context.Context, body []byte, hunks []Hunk) ([]Range, []*Miss) {
	f := newFile(body)
	var places []Range
	var misses []*Miss
	for n, h := range hunks {
		if ctx.Err() != nil {
			break
		}
		h, at, _, miss := f.seek(h)
		if miss != nil {
			miss.Hunk, miss.Where = n+1, h.String()
			if misses = append(misses, miss); len(misses) == maxMisses {
				break
			}
			continue
		}
		places = append(places, Range{at, at + len(h.old())})
	}
	slices.SortFunc(places, func(a, b Range) int { return a.From - b.From })
	return places, misses
}

// Whole says what keeps hunks from being all of body: of a file that is
// removed, the patch must know every line. Without hunks it says nothing.
func Whole(body []byte, hunks []Hunk) error {
	lines := text.Split(body)
	var given []string
	for _, h := range hunks {
		for _, line := range h.Lines {
			if line.Op == '+' {
				return errors.New("the file is to be removed, and a + line adds to it")
			}
			given = append(given, line.Text)
		}
	}
	if len(hunks) == 0 {
		return nil
	}
	for p := range passes {
		n := 0
		for n < len(given) && n < len(lines) && p.same(given[n], lines[n].Text) {
			n++
		}
		switch {
		case n == len(given) && n == len(lines):
			return nil
		case p < twins:
		case n == len(lines), n == len(given):
			return fmt.Errorf("the patch gives %d lines of the file that is to be removed, and it has %d", len(given), len(lines))
		default:
			return fmt.Errorf("line %d of the file that is to be removed is not %s, as the patch has it", n+1, clipped(given[n]))
		}
	}
	return nil
}
