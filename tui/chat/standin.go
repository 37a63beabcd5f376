package chat

import (
	"strings"

	"aye/tui/term"
	"aye/tui/theme"
)

// The lines of package md until their branch has landed.

type renderer struct{ width int }

func newRenderer(_ theme.Theme, width int) *renderer { return &renderer{width} }

func (r *renderer) Render(src string) []string {
	return term.Wrap(strings.TrimSpace(src), r.width)
}

func (r *renderer) Stream() *stream { return &stream{r: r} }

type stream struct {
	r   *renderer
	src strings.Builder
}

func (s *stream) Write(delta string) { s.src.WriteString(delta) }
func (s *stream) Lines() []string    { return s.r.Render(s.src.String()) }
func (s *stream) Finish() []string   { return s.Lines() }
