package tools

import (
	"bytes"
	"strings"

	"aye/tools/text"
	"aye/tools/workspace"
)

// A version is the content of a file at one time.
type version struct {
	rel  string
	sum  workspace.Sum // of its bytes
	text []byte        // decoded
}

func (t target) version() version { return version{t.rel, t.sum, t.doc.Bytes()} }

// lines is how many lines it has.
func (v version) lines() int { return text.Count(text.Split(v.text)).Lines() }

// excerpt shows the lines that bytes [start, end) of the text are in, with a
// few around them.
func (v version) excerpt(start, end int) (string, []workspace.Sight) {
	lines := text.Split(v.text)
	if len(lines) == 0 {
		return "[the file is empty now]", []workspace.Sight{{Path: v.rel, Sum: v.sum}}
	}
	first, last := len(lines), 0
	for n, at := 0, 0; n < len(lines) && at < max(end, start+1); n++ {
		next := at + len(lines[n].Text) + len(lines[n].End)
		if next > start || n == len(lines)-1 {
			first, last = min(first, n), n
		}
		at = next
	}
	return v.show(max(0, first-excerptAround), min(len(lines), last+1+excerptAround))
}

// show shows lines [from, to), as many of the first as there is room for.
func (v version) show(from, to int) (string, []workspace.Sight) {
	s := text.NewScanner(bytes.NewReader(v.text), excerptKeep)
	p := page{room: excerptChars}
	_, _ = s.Skip(from) // reading from memory does not fail
	added, _, _ := p.fill(s, from+1, min(to-from, excerptLines))
	if at := from + added; at < to {
		p.note("lines %d–%d not shown", at+1, to)
	}
	return strings.TrimSuffix(p.out.String(), "\n"), p.sights(v.rel, v.sum, v.lines())
}
