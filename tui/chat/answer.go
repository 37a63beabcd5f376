package chat

import (
	"strings"

	"aye/tui/md"
)

// An answer is Markdown: the model's, which may still be growing, or aye's own.
type answer struct {
	text strings.Builder // as it came
	live bool            // more may come

	stream *md.Stream // of a live answer, for the renderer it was made by
	by     *md.Renderer
	given  int // bytes of text that stream has had
}

// rows leaves it to package md to clean the text: it alone knows where a
// sequence that is cut by two deltas goes on.
func (a *answer) rows(lk *look) []string {
	if a.live {
		a.feed(lk)
		return a.stream.Lines()
	}
	stream, by := a.stream, a.by
	a.stream, a.by = nil, nil
	if stream == nil || by != lk.md || a.given < 0 {
		return lk.md.Render(a.text.String())
	}
	stream.Write(a.text.String()[a.given:])
	return stream.Finish()
}

// feed gives the stream what it has not had.
func (a *answer) feed(lk *look) {
	if a.stream == nil || a.by != lk.md {
		a.stream, a.by, a.given = lk.md.Stream(), lk.md, 0
	}
	a.stream.Write(a.text.String()[a.given:])
	a.given = a.text.Len()
}

func (a *answer) guess(width int) int { return 1 + a.text.Len()/width }

// settle makes text the answer's last word.
func (a *answer) settle(text string) {
	a.live = false
	if a.text.String() != text {
		a.text.Reset()
		a.text.WriteString(text)
		a.given = -1 // the stream has had something else
	}
}
