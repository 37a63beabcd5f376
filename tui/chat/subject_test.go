package chat

import (
	"strings"
	"testing"
	"unicode/utf8"

	"aye/tui/term"
)

// What a call was about that could not be prepared is said in words where its
// arguments have some.
func TestSubject(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		`{"path":"none.txt"}`:                          "none.txt",
		`{"content":"a\nb","path":"b.go"}`:             "b.go",
		`{"pattern":"**/*.go","path":7}`:               "**/*.go",
		`{"patch":"*** Begin Patch\n*** End Patch\n"}`: "",
		`{"limit":3}`:                                  "",
		`{}`:                                           "",
		`{"path":"a`:                                   `{"path":"a`,
		`["a"]`:                                        `["a"]`,
		`ls -l`:                                        `ls -l`,
		``:                                             "",
		`{"cmd":"` + strings.Repeat("x", 200) + `"}`:         strings.Repeat("x", term.TextWidth-1) + "…",
		`{"cmd":"echo 1` + "\\u001b[31m" + ` red","n":[{}]}`: "echo 1<U+001B>[31m red",
	} {
		if got := subject(args); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

func FuzzSubject(f *testing.F) {
	f.Add(`{"path":"none.txt"}`)
	f.Add(`{"a":{"b":[1,"c"]},"d":"e"`)
	f.Fuzz(func(t *testing.T, args string) {
		if got := subject(args); term.Width(got) > term.TextWidth || strings.ContainsAny(got, "\n\x1b") || !utf8.ValidString(got) {
			t.Errorf("%q", got)
		}
	})
}

func TestSentence(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"the turn failed":              "The turn failed.",
		"api.x.ai did not answer":      "api.x.ai did not answer.",
		"nothing came. Try again.":     "Nothing came. Try again.",
		"HTTP 500: what?":              "HTTP 500: what?",
		"main.go is no folder (again)": "main.go is no folder (again).",
		"über":                         "Über.",
		"":                             "",
	} {
		if got := sentence(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
