package tools

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestClip(t *testing.T) {
	t.Parallel()
	lines := strings.Repeat("123456789\n", 100)
	for _, tt := range []struct {
		name, in string
		limit    int
		want     string
	}{
		{"short", "abc", 3, "abc"},
		{"characters, not bytes", strings.Repeat("é", 10), 10, strings.Repeat("é", 10)},
		{"at line ends", lines, 55, "123456789\n123456789\n[… 96 lines, 960 characters left out …]\n123456789\n123456789\n"},
		{"one long line", strings.Repeat("é", 100), 10, "ééééé\n[… 0 lines, 90 characters left out …]\nééééé"},
	} {
		got := clip(tt.in, tt.limit)
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if !utf8.ValidString(got) {
			t.Errorf("%s: a character was cut", tt.name)
		}
	}
	if kept, missing := clipEnd(lines, 55); kept != strings.Repeat("123456789\n", 5) || missing != 950 {
		t.Errorf("clipEnd: %q, %d", kept, missing)
	}
}
