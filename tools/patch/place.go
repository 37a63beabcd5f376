package patch

import (
	"bytes"
	"strings"

	"aye/tools/text"
)

// A pass is one way of comparing lines. Passes are tried in their order.
type pass int

const (
	exact    pass = iota
	trailing      // without blanks at the ends
	blanks        // all blanks counted as one, none at the beginning
	twins         // and typographic characters as plain ones
	passes        // how many there are
)

// fold is a line as the pass sees it.
func (p pass) fold(line string) string {
	switch p {
	case exact, passes:
		return line
	case trailing:
		return strings.TrimRight(line, " \t")
	case blanks:
		return text.FoldBlanks(line)
	case twins:
		return text.FoldBlanks(text.FoldTwins(line))
	}
	return line
}

// same says whether the pass takes a line of a patch for one of a file, as it
// is or as it is shown.
func (p pass) same(given string, line []byte) bool {
	if p.fold(given) == p.fold(string(line)) {
		return true
	}
	shown, clean := text.Show(line)
	return !clean && p.fold(given) == p.fold(shown)
}

// overlooked says what the pass does not see.
func (p pass) overlooked() string {
	switch p {
	case exact, passes:
		return ""
	case trailing:
		return "blanks at the ends of lines"
	case blanks:
		return "indentation and blanks"
	case twins:
		return "typographic characters and blanks"
	}
	return ""
}

// A file is a text in lines that hunks are looked for in.
type file struct {
	body     []byte
	lines    []text.Line
	indexes  [passes]*index // by pass
	shown    []string       // the lines for errors
	searched int            // headers looked for within lines
	ends     map[int]int    // of blocks, by the line that opens them
}

// index is the index of one pass, made when it is first asked for.
func (f *file) index(p pass) *index {
	if f.indexes[p] == nil {
		f.indexes[p] = newIndex(f.lines, p)
	}
	return f.indexes[p]
}

// An index knows where each line occurs, so that finding a hunk does not cost
// a walk through the file.
type index struct {
	pass  pass
	ids   []int32          // of each line; equal lines have equal ones
	known map[string]int32 // line, folded → id
	first []int32          // by id: where its places begin in at; one more at the end
	at    []int32          // places, in order
}

func newIndex(lines []text.Line, p pass) *index {
	x := &index{pass: p, ids: make([]int32, len(lines)), known: make(map[string]int32, len(lines)), at: make([]int32, len(lines))}
	for n, line := range lines {
		key := p.fold(string(line.Text))
		id, ok := x.known[key]
		if !ok {
			id = int32(len(x.known))
			x.known[key] = id
		}
		x.ids[n] = id
	}
	x.first = make([]int32, len(x.known)+1)
	for _, id := range x.ids {
		x.first[id+1]++
	}
	for id := range len(x.known) {
		x.first[id+1] += x.first[id]
	}
	next := append([]int32(nil), x.first...)
	for n, id := range x.ids {
		x.at[next[id]] = int32(n)
		next[id]++
	}
	return x
}

// places are the lines with an id.
func (x *index) places(id int32) []int32 { return x.at[x.first[id]:x.first[id+1]] }

// number gives lines their ids; ok is false when the file has not all of them.
func (x *index) number(lines []string) (ids []int32, ok bool) {
	ids, ok = make([]int32, len(lines)), true
	for n, line := range lines {
		id, found := x.known[x.pass.fold(line)]
		if !found {
			id, ok = -1, false
		}
		ids[n] = id
	}
	return ids, ok
}

// fewPlaces is how many places of a hunk's rarest line are looked at one by
// one. Where there are more, the file is walked through, so that the cost stays
// linear when all lines are alike.
const fewPlaces = 64

// find lists where the lines stand, overlapping places too.
func (x *index) find(lines []string) []int {
	ids, ok := x.number(lines)
	if !ok || len(ids) == 0 || len(ids) > len(x.ids) {
		return nil
	}
	rarest := 0
	for n, id := range ids {
		if len(x.places(id)) < len(x.places(ids[rarest])) {
			rarest = n
		}
	}
	if len(x.places(ids[rarest])) > fewPlaces {
		return walk(x.ids, ids)
	}
	var found []int
	for _, place := range x.places(ids[rarest]) {
		from := int(place) - rarest
		if from >= 0 && from+len(ids) <= len(x.ids) && equal(x.ids[from:from+len(ids)], ids) {
			found = append(found, from)
		}
	}
	return found
}

func equal(a, b []int32) bool {
	for n := range a {
		if a[n] != b[n] {
			return false
		}
	}
	return true
}

// walk finds want in have in time linear in both, as Knuth, Morris and Pratt
// do it.
func walk(have, want []int32) []int {
	back := make([]int, len(want)+1) // by matched length: the next shorter one that may still match
	for n, k := 1, 0; n < len(want); n++ {
		for k > 0 && want[n] != want[k] {
			k = back[k]
		}
		if want[n] == want[k] {
			k++
		}
		back[n+1] = k
	}
	var found []int
	k := 0
	for n, id := range have {
		for k > 0 && (k == len(want) || id != want[k]) {
			k = back[k]
		}
		if id == want[k] {
			k++
		}
		if k == len(want) {
			found = append(found, n+1-len(want))
		}
	}
	return found
}

// place is where a hunk belongs: the first line of it, and the pass that found
// it.
func (f *file) place(h Hunk) (at int, p pass, miss *Miss) {
	anchors, miss := f.anchors(h)
	if miss != nil {
		return 0, 0, miss
	}
	old := h.old()
	if len(old) == 0 {
		at, miss = f.bare(h, anchors)
		return at, exact, miss
	}
	var elsewhere []int // places that are not where the hunk says
	for p := range passes {
		all := f.index(p).find(old)
		found := f.narrow(all, anchors)
		if h.ends() {
			found = f.atEnd(found, len(old))
		}
		switch {
		case len(found) == 1:
			return found[0], p, nil
		case len(found) > 1:
			return 0, 0, f.ambiguous(h, found)
		case elsewhere == nil:
			elsewhere = all
		}
	}
	if elsewhere != nil {
		return 0, 0, f.elsewhere(h, elsewhere)
	}
	return 0, 0, f.absent(h, old)
}

// ends says whether a hunk is at the end of the file.
func (h Hunk) ends() bool {
	for _, line := range h.Lines {
		if line.NoEnd && line.Op != '+' {
			return true
		}
	}
	return h.Last
}

// atEnd are the places of so many lines that only empty lines follow.
func (f *file) atEnd(found []int, lines int) []int {
	last := len(f.lines)
	for last > 0 && f.blank(last-1) {
		last--
	}
	var ending []int
	for _, at := range found {
		if at+lines >= last {
			ending = append(ending, at)
		}
	}
	return ending
}

// blank says whether a line has nothing but blanks.
func (f *file) blank(n int) bool { return len(bytes.TrimSpace(f.lines[n].Text)) == 0 }

// bare is the place of a hunk that only adds.
func (f *file) bare(h Hunk, anchors []int) (int, *Miss) {
	switch {
	case h.Last || len(f.lines) == 0:
		return len(f.lines), nil
	case h.Loose || len(h.Headers) == 0:
		return 0, &Miss{Why: "it only adds lines and does not say where: put a line or two of the file before or after them, each after a space, or end the hunk with *** End of File"}
	case len(anchors) > 1:
		return 0, f.ambiguous(h, anchors)
	}
	return anchors[0] + 1, nil
}
