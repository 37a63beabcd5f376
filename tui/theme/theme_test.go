package theme

import (
	"io"
	"math"
	"reflect"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

func forProfile(p termenv.Profile, dark bool) Theme {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(p)
	return For(r, dark)
}

// Every colour can be read on its background.
func TestContrast(t *testing.T) {
	t.Parallel()
	for _, dark := range []bool{true, false} {
		background := 1.0
		if dark {
			background = 0
		}
		th := forProfile(termenv.ANSI256, dark)
		for name, style := range styles(reflect.ValueOf(th)) {
			c, ok := style.GetForeground().(lipgloss.Color)
			if !ok {
				continue // the terminal's own
			}
			got := contrast(luminance(t, c), background)
			if got < 4.5 {
				t.Errorf("dark %v: %s (%s) has a contrast of %.1f, needs 4.5", dark, name, c, got)
			}
		}
	}
}

func styles(v reflect.Value) map[string]lipgloss.Style {
	found := map[string]lipgloss.Style{}
	for i := range v.NumField() {
		switch f := v.Field(i).Interface().(type) {
		case lipgloss.Style:
			found[v.Type().Field(i).Name] = f
		case Code:
			for name, s := range styles(reflect.ValueOf(f)) {
				found["Code."+name] = s
			}
		}
	}
	return found
}

func luminance(t *testing.T, c lipgloss.Color) float64 {
	t.Helper()
	rgb := termenv.ConvertToRGB(termenv.ANSI256.Color(string(c)))
	linear := func(v float64) float64 {
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(rgb.R) + 0.7152*linear(rgb.G) + 0.0722*linear(rgb.B)
}

func contrast(a, b float64) float64 {
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

func TestPen(t *testing.T) {
	t.Parallel()
	th := forProfile(termenv.ANSI256, true)
	if got, want := PenOf(th.Add).Draw("a b"), th.Add.Render("a b"); got != want {
		t.Errorf("pen %q, style %q", got, want)
	}
	if got := PenOf(th.Add).Draw(""); got != "" {
		t.Errorf("nothing drawn as %q", got)
	}
	plain := forProfile(termenv.Ascii, true)
	if got := PenOf(plain.Err).Draw("x"); got != "x" {
		t.Errorf("without colours: %q", got)
	}
}
