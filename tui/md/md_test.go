package md

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"aye/tui/theme"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

func themed(p termenv.Profile) theme.Theme {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(p)
	return theme.For(r, true)
}

func TestX(t *testing.T) {
	b, _ := os.ReadFile("testdata/mixed.md")
	for _, w := range []int{100, 30} {
		fmt.Println(strings.Join(New(themed(termenv.Ascii), w).Render(string(b)), "\n"))
		fmt.Println("=========")
	}
}
