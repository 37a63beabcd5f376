package openai

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestJoiner(t *testing.T) {
	t.Parallel()
	high, low := unquote([]byte(`"\ud83d"`)), unquote([]byte(`"\ude00"`))
	tests := []struct {
		name   string
		pieces []string
		want   string
	}{
		{"whole", []string{"a界", "😀"}, "a界😀"},
		{"bytes", strings.Split("a界😀é", ""), "a界😀é"},
		{"cut in three bytes", []string{"\xe7", "\x95", "\x8c!"}, "界!"},
		{"cut in four bytes", []string{"x\xf0\x9f", "\x98\x80"}, "x😀"},
		{"halves", []string{"x" + high, low + "y"}, "x😀y"},
		{"halves in one piece", []string{high + low}, "😀"},
		{"halves with nothing between", []string{high, "", low}, "😀"},
		{"high alone", []string{high + "x"}, "\ufffdx"},
		{"high at the end", []string{"x" + high}, "x\ufffd"},
		{"low alone", []string{low + "x"}, "\ufffdx"},
		{"high twice", []string{high, high, low}, "\ufffd😀"},
		{"no text", []string{"a\xff", "b"}, "a\ufffdb"},
		{"never completed", []string{"a\xe7\x95", "b"}, "a\ufffd\ufffdb"},
		{"never completed at the end", []string{"a\xe7\x95"}, "a\ufffd"},
	}
	for _, tt := range tests {
		var j joiner
		var got strings.Builder
		for _, p := range tt.pieces {
			out := j.add(p)
			if !utf8.ValidString(out) {
				t.Errorf("%s: piece %q", tt.name, out)
			}
			got.WriteString(out)
		}
		got.WriteString(j.end())
		if got.String() != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got.String(), tt.want)
		}
	}
}

// What encoding/json makes of a string, unquote and joiner make as well, but
// for the halves it cannot keep.
func FuzzUnquote(f *testing.F) {
	for _, s := range []string{`"a"`, `"\u754c\ud83d\ude00"`, `"\\\"\/\b\f\n\r\t"`, `"\ud83d"`, `"\ud83dx\ude00\ud83d\ud83d\ude00"`, "\"\xe7\x95\x8c\"", `"\uD834\uDD1E"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var want string
		if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' || json.Unmarshal(raw, &want) != nil {
			return
		}
		if !utf8.Valid(raw) {
			return // encoding/json counts bad bytes otherwise
		}
		var j joiner
		if got := j.add(unquote(raw)) + j.end(); got != want {
			t.Errorf("%s: got %q, want %q", raw, got, want)
		}
	})
}

// Wherever text is cut, the pieces are whole characters and add up to it.
func FuzzJoiner(f *testing.F) {
	f.Add("a界😀é", 2, 3)
	f.Fuzz(func(t *testing.T, s string, a, b int) {
		a = max(0, min(a, len(s)))
		b = max(a, min(b, len(s)))
		var j joiner
		first, second, third := j.add(s[:a]), j.add(s[a:b]), j.add(s[b:])
		got := first + second + third + j.end()
		if len(j.held) > 0 || !utf8.ValidString(first) || !utf8.ValidString(second) || !utf8.ValidString(got) {
			t.Errorf("pieces %q %q %q", first, second, third)
		}
		if utf8.ValidString(s) && got != s {
			t.Errorf("got %q, want %q", got, s)
		}
	})
}
