package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFold(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"plain":                   "plain",
		"say(“hi”) – it’s now…":   `say("hi") - it's now...`,
		"a b":                     "a b",
		"«q» − caf\u00e9 \u2003x": "\"q\" - caf\u00e9  x",
		"caf\xe9 “x”":             "caf\xe9 “x”", // no characters, no twins
	} {
		if got := FoldTwins(s); got != want {
			t.Errorf("FoldTwins(%q) is %q, want %q", s, got, want)
		}
	}
	if got := FoldBlanks("\t a \t b  "); got != "a b" {
		t.Errorf("FoldBlanks: %q", got)
	}
}

func TestNumbered(t *testing.T) {
	t.Parallel()
	lines := []string{"a", "b", strings.Repeat("é", 400), "d"}
	if got := Numbered(lines, 0, 4, 2); got != "1: a\n2: b\n[2 more lines]" {
		t.Errorf("%q", got)
	}
	if got := Numbered(lines, 2, 4, 9); !utf8.ValidString(got) || !strings.HasSuffix(got, "é […]\n4: d") {
		t.Errorf("%q", got)
	}
	if got := Numbered(lines, 1, 1, 9); got != "" {
		t.Errorf("nothing is %q", got)
	}
}
