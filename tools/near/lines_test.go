package near

import (
	"fmt"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	t.Parallel()
	have := []string{"alpha", "func parse(input string) error {", "\treturn nil", "}"}
	for _, tt := range []struct {
		want string
		at   int
	}{
		{"func parse(in string) error {", 1},
		{"beta\nfunc Parse(input)\n", 0},
		{"return  nil", 2},
		{"zebra crossing", -1},
		{"", -1},
	} {
		if at := Lines(have, strings.Split(tt.want, "\n")); at != tt.at {
			t.Errorf("%q: %d, want %d", tt.want, at, tt.at)
		}
	}
	if at := Lines(have, nil); at != -1 {
		t.Errorf("no lines: %d", at)
	}
}

func BenchmarkLines(b *testing.B) {
	var have []string
	for n := range 50_000 {
		have = append(have, fmt.Sprintf("\tline %d of a long file, like the others", n))
	}
	for b.Loop() {
		Lines(have, []string{"line 49000 of a file that is longer"})
	}
}
