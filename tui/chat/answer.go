package chat

import (
	"strings"

	"aye/tui/term"
)

// An answer is Markdown: the model's, which may still be growing, or aye's own.
type answer struct {
	text strings.Builder // as it came
	live bool            // more may come

	stream *stream // of a live answer, for the renderer it was made by
	by     *renderer
	clean  term.Cleaner
	given  int // bytes of text that stream has had
}

func (a *answer) rows(lk *look) []string {
	if !a.live {
		if a.stream != nil && a.by == lk.md && a.given == a.text.Len() {
			a.stream.Write(a.clean.Flush())
			rows := a.stream.Finish()
			a.stream, a.by = nil, nil
			return rows
		}
		a.stream, a.by = nil, nil
		return lk.md.Render(term.Clean(a.text.String()))
	}
	if a.stream == nil || a.by != lk.md {
		a.stream, a.by, a.given, a.clean = lk.md.Stream(), lk.md, 0, term.Cleaner{}
	}
	if fresh := a.text.String()[a.given:]; fresh != "" {
		a.stream.Write(a.clean.Clean(fresh))
		a.given = a.text.Len()
	}
	return a.stream.Lines()
}

func (a *answer) guess(width int) int { return 1 + a.text.Len()/width }

// settle makes text the answer's last word.
func (a *answer) settle(text string) {
	a.live = false
	if a.text.String() != text {
		a.text.Reset()
		a.text.WriteString(text)
		a.given = -1
	}
}
