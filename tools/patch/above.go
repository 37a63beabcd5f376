package patch

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"aye/tools/text"
)

// Limits of the search for what stands above a hunk.
const (
	maxAnchors = 200 // whose blocks are looked at
	maxWithin  = 50  // lines after "@@" that are looked for within lines of the file
)

// anchors are the lines that the last of a hunk's headers may be; nil when
// there are no headers to heed.
func (f *file) anchors(h Hunk) ([]int, *Miss) {
	var anchors []int
	for _, header := range h.Headers {
		found := f.header(header, h.Loose)
		if len(found) == 0 && h.Loose {
			return nil, nil
		}
		if len(found) == 0 {
			return nil, f.noHeader(header)
		}
		if anchors != nil {
			if found = f.narrow(after(found, anchors[0]), anchors); len(found) == 0 {
				return nil, &Miss{Why: fmt.Sprintf("no line %q stands below the line of the @@ before it", header)}
			}
		}
		anchors = found
	}
	return anchors, nil
}

// after are the lines behind a line.
func after(lines []int, line int) []int {
	n, _ := slices.BinarySearch(lines, line+1)
	return lines[n:]
}

// header lists the lines that a header means: whole lines, else lines that it
// is a part of, which models and diffs shorten.
func (f *file) header(header string, loose bool) []int {
	for p := range passes {
		if found := f.index(p).find([]string{header}); len(found) > 0 {
			return found
		}
	}
	if f.searched++; f.searched > maxWithin {
		return nil
	}
	want := blanks.fold(header)
	var found []int
	for n, line := range f.lines {
		have := blanks.fold(string(line.Text))
		if strings.HasPrefix(have, want) || !loose && strings.Contains(have, want) {
			found = append(found, n)
		}
	}
	return found
}

// narrow keeps of the places those that stand below an anchor: in its block,
// when there are any in it.
func (f *file) narrow(places, anchors []int) []int {
	if anchors == nil {
		return places
	}
	if len(anchors) <= maxAnchors {
		var within []int
		for _, anchor := range anchors {
			end := f.blockEnd(anchor)
			from, _ := slices.BinarySearch(places, anchor)
			to, _ := slices.BinarySearch(places, end)
			within = append(within, places[from:max(from, to)]...)
		}
		if len(within) > 0 {
			slices.Sort(within)
			return slices.Compact(within)
		}
	}
	from, _ := slices.BinarySearch(places, anchors[0])
	return places[from:]
}

// blockEnd is the first line behind the block that a line opens: what is
// indented deeper, and brackets.
func (f *file) blockEnd(anchor int) int {
	end, ok := f.ends[anchor]
	if !ok {
		end = f.findBlockEnd(anchor)
		f.ends[anchor] = end
	}
	return end
}

func (f *file) findBlockEnd(anchor int) int {
	indent := indentOf(f.lines[anchor])
	for n := anchor + 1; n < len(f.lines); n++ {
		line := bytes.TrimSpace(f.lines[n].Text)
		if len(line) > 0 && indentOf(f.lines[n]) <= indent && !bytes.ContainsRune([]byte("{}()[]"), rune(line[0])) {
			return n
		}
	}
	return len(f.lines)
}

// indentOf is how many blanks a line begins with.
func indentOf(line text.Line) int {
	return len(line.Text) - len(bytes.TrimLeft(line.Text, " \t"))
}
