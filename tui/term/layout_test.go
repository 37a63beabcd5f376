package term

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// The widths the emulator, and with it x/ansi, gives: when an update of the
// library changes one of them, layout changes with it.
func TestWidth(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]int{
		"":                  0,
		"abc":               3,
		"\x1b[1mabc\x1b[0m": 3,
		"日本":                4,
		"한글":                4,
		"ｱ":                 1,
		"Ａ":                 2,
		"é":                 1,
		"e\u0301":           1,
		"…":                 1,
		"—":                 1,
		"→":                 1,
		"│":                 1,
		"█":                 1,
		"●":                 1,
		"✓":                 1,
		"✅":                 2,
		"👍":                 2,
		"👍🏽":                2,
		"👨‍👩‍👧":             2,
		"🇩🇪":                2,
		"❤":                 1,
		"❤️":                2,
		"1️⃣":               2,
		"\u00a0":            1,
		"\u2800":            1,
		"\ufffd":            1,
		"\ue0b0":            1,
		"नि":                1,
		"ก็":                1,
		"\u202eabc":         3,
		"①":                 1,
	} {
		if got := Width(s); got != want {
			t.Errorf("Width(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		s         string
		w         int
		cut, left string
	}{
		{"hello", 10, "hello", "hello"},
		{"hello", 5, "hello", "hello"},
		{"hello", 4, "hel…", "…llo"},
		{"hello", 1, "…", "…"},
		{"hello", 0, "", ""},
		{"日本語", 5, "日本…", "…本語"},
		{"日本語", 4, "日…", "…語"},
		{"a日本語", 6, "a日本…", "…本語"},
	} {
		if got := Cut(tt.s, tt.w); got != tt.cut {
			t.Errorf("Cut(%q, %d) = %q, want %q", tt.s, tt.w, got, tt.cut)
		}
		if got := CutLeft(tt.s, tt.w); got != tt.left {
			t.Errorf("CutLeft(%q, %d) = %q, want %q", tt.s, tt.w, got, tt.left)
		}
	}
	if got := Pad("日", 4); got != "日  " {
		t.Errorf("Pad: %q", got)
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		in   string
		w    int
		want []string
	}{
		{"empty", "", 5, []string{""}},
		{"fits", "abc", 5, []string{"abc"}},
		{"words", "the quick brown fox", 10, []string{"the quick", "brown fox"}},
		{"exact", "abcde fghij", 5, []string{"abcde", "fghij"}},
		{"blank at the edge, then LF", "abcde \nf", 5, []string{"abcde", "f"}},
		{"many blanks", "ab      cd", 4, []string{"ab", "cd"}},
		{"indent kept", "  ab cd", 4, []string{"  ab", "cd"}},
		{"long word", "ab abcdefghij", 4, []string{"ab", "abcd", "efgh", "ij"}},
		{"lines", "a\n\nb\n", 5, []string{"a", "", "b", ""}},
		{"Chinese", "你好世界你好", 5, []string{"你好", "世界", "你好"}},
		{"Chinese after Latin", "Hello 你好世界", 9, []string{"Hello 你", "好世界"}},
		{"no comma first", "你好，世界", 4, []string{"你", "好，", "世界"}},
		{"no bracket last", "你（好）", 4, []string{"你", "（好", "）"}},
		{"emoji", "👍👍👍", 4, []string{"👍👍", "👍"}},
		{"one cell", "日a", 1, []string{"…", "a"}},
		{"zero", "ab", 0, []string{"a", "b"}},
		{"colour", "\x1b[1mab cd\x1b[0m e", 3, []string{"\x1b[1mab\x1b[0m", "\x1b[1mcd\x1b[0m", "e"}},
		{"colour between", "ab \x1b[1mcd\x1b[0m", 3, []string{"ab", "\x1b[1mcd\x1b[0m"}},
		{"colour in a word", "a\x1b[1mbc\x1b[0md", 2, []string{"a\x1b[1mb\x1b[0m", "\x1b[1mc\x1b[0md"}},
		{"colour over LF", "\x1b[1ma\nb\x1b[0m", 5, []string{"\x1b[1ma\x1b[0m", "\x1b[1mb\x1b[0m"}},
		{"only blanks", "      ", 4, []string{"    ", "  "}},
	} {
		if got := Wrap(tt.in, tt.w); !slices.Equal(got, tt.want) {
			t.Errorf("%s: Wrap(%q, %d)\n got %q\nwant %q", tt.name, tt.in, tt.w, got, tt.want)
		}
	}
}

func TestFold(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in   string
		w    int
		want []string
	}{
		{"a  b  c", 3, []string{"a  ", "b  ", "c"}},
		{"日本", 3, []string{"日", "本"}},
		{"\x1b[1mabcd\x1b[0m", 3, []string{"\x1b[1mabc\x1b[0m", "\x1b[1md\x1b[0m"}},
	} {
		if got := Fold(tt.in, tt.w); !slices.Equal(got, tt.want) {
			t.Errorf("Fold(%q, %d)\n got %q\nwant %q", tt.in, tt.w, got, tt.want)
		}
	}
}

func FuzzWrap(f *testing.F) {
	for _, s := range []string{"the quick brown fox", "日本語 text，好", "\x1b[1;31mred\x1b[0m blue", "a\u0301👨‍👩‍👧\ufe0f 🇩🇪🇩", "   \n\n x"} {
		f.Add(s, 7)
	}
	f.Fuzz(func(t *testing.T, s string, w int) {
		w %= 200
		text := Clean(s)
		for _, in := range []string{text, "\x1b[1m" + strings.ReplaceAll(text, " ", " \x1b[0m\x1b[31m") + "\x1b[0m"} {
			for _, lines := range [][]string{Wrap(in, w), Fold(in, w)} {
				for _, line := range lines {
					if got := ansi.StringWidth(line); got > max(w, 1) {
						t.Fatalf("%q is %d wide, asked for %d; text %q", line, got, w, in)
					}
					if openColour(line) {
						t.Fatalf("%q leaves a colour on", line)
					}
				}
			}
		}
		if w >= 2 {
			if got, want := strings.Join(Fold(text, w), ""), strings.ReplaceAll(text, "\n", ""); got != want {
				t.Fatalf("Fold lost something:\n got %q\nwant %q", got, want)
			}
			if got, want := unspaced(strings.Join(Wrap(text, w), "")), unspaced(text); got != want {
				t.Fatalf("Wrap lost something:\n got %q\nwant %q", got, want)
			}
		}
	})
}

func unspaced(s string) string { return strings.NewReplacer(" ", "", "\n", "").Replace(s) }

func BenchmarkWrap(b *testing.B) {
	for _, bb := range []struct{ name, unit string }{
		{"ascii", "the quick brown fox jumps over the lazy dog "},
		{"chinese", "敏捷的棕色狐狸跳过懒狗，然后回家。"},
	} {
		text := strings.Repeat(bb.unit, 40_000/len(bb.unit))
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Wrap(text, 100)
			}
		})
	}
}
