package search

import (
	"unicode/utf8"

	"aye/tools/text"
)

const (
	keptLine  = 300      // bytes of a line that are shown
	keptAhead = 100      // of them, those before the match
	spanned   = 64 << 10 // bytes of a line in which its match is looked for
)

// shorten is a line as it is shown: of a long one only what is around the
// match, cut between characters.
func (p *Pattern) shorten(line []byte, match bool) string {
	from, to := 0, min(len(line), keptLine)
	if len(line) > keptLine && match {
		from = max(p.place(line)-keptAhead, 0)
		to = min(len(line), from+keptLine)
		from = max(to-keptLine, 0)
	}
	for from > 0 && from < to && !utf8.RuneStart(line[from]) {
		from++
	}
	for n := 0; n < utf8.UTFMax && to > from && to < len(line) && !utf8.RuneStart(line[to]); n++ {
		to--
	}
	shown, _ := text.Show(line[from:to])
	if from > 0 {
		shown = "…" + shown
	}
	if to < len(line) {
		shown += "…"
	}
	return shown
}

// place is where in a matching line its match is.
func (p *Pattern) place(line []byte) int {
	if !p.exact {
		if span := p.spans().FindIndex(line[:min(len(line), spanned)]); span != nil {
			return span[0]
		}
	}
	at := len(line)
	for _, l := range p.need {
		at = min(at, (&seeker{l, -1}).seek(line, 0))
	}
	return at % max(len(line), 1)
}
