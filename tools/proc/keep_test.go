package proc

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func kept(max int, pieces ...string) string {
	k := keeper{max: max}
	for _, p := range pieces {
		k.keep([]byte(p))
	}
	return k.text()
}

func TestKeepWhole(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "x", "one\ntwo\n", strings.Repeat("12345678\n", 11) + "9"} {
		if got := kept(50, s); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
}

func TestKeepHeadAndTail(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&all, "line %d\n", i)
	}
	got := kept(100, all.String())
	head, rest, ok := strings.Cut(got, "[… ")
	note, tail, ok2 := strings.Cut(rest, "\n")
	if !ok || !ok2 {
		t.Fatalf("no note in %q", got)
	}
	if !strings.HasPrefix(all.String(), head) || !strings.HasSuffix(head, "\n") || len(head) < 80 {
		t.Errorf("head %q", head)
	}
	if !strings.HasSuffix(all.String(), tail) || !strings.HasPrefix(tail, "line ") || len(tail) < 80 {
		t.Errorf("tail %q", tail)
	}
	lines := 10_000 - strings.Count(head, "\n") - strings.Count(tail, "\n")
	if want := fmt.Sprintf("%s lines, %s bytes left out …]", thousands(lines), thousands(all.Len()-len(head)-len(tail))); note != want {
		t.Errorf("note %q, want %q", note, want)
	}
}

// W27: memory does not grow with the output.
func TestKeepIsBounded(t *testing.T) {
	t.Parallel()
	k := keeper{max: 1000}
	for range 10_000 {
		k.keep([]byte("a line of some output\n"))
	}
	if held := cap(k.head) + cap(k.tail); held > 8*k.max {
		t.Errorf("%d bytes are held", held)
	}
}

func TestKeepLongLine(t *testing.T) {
	t.Parallel()
	got := kept(100, strings.Repeat("界", 5000))
	if !utf8.ValidString(got) {
		t.Errorf("cut within a rune: %q", got)
	}
	if want := strings.Repeat("界", 33) + "\n[… 14,802 bytes left out …]\n" + strings.Repeat("界", 33); got != want {
		t.Errorf("got %q", got)
	}
}

// However it comes in pieces, the text is the same, and memory is bounded.
func FuzzKeep(f *testing.F) {
	f.Add("a\nb\nc\n", 2, 3)
	f.Add(strings.Repeat("界\n", 40), 10, 7)
	f.Fuzz(func(t *testing.T, s string, max, step int) {
		s = strings.ToValidUTF8(s, "?")
		max, step = 1+abs(max)%300, 1+abs(step)%50
		k := keeper{max: max}
		k.keep([]byte(s))
		whole := k.text()
		k = keeper{max: max}
		for rest := s; rest != ""; {
			n := min(step, len(rest))
			for n < len(rest) && !utf8.RuneStart(rest[n]) {
				n++
			}
			k.keep([]byte(rest[:n]))
			rest = rest[n:]
		}
		if got := k.text(); got != whole {
			t.Fatalf("in pieces %q, whole %q", got, whole)
		}
		if len(k.head)+len(k.tail) > 3*max || len(whole) > 2*max+60 {
			t.Fatalf("%d bytes held, %d given, of %d", len(k.head)+len(k.tail), len(whole), max)
		}
		if !utf8.ValidString(whole) {
			t.Fatalf("cut within a rune: %q", whole)
		}
	})
}

func abs(n int) int { return max(n, -(n + 1)) }
