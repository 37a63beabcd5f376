package term

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "hello\nworld", "hello\nworld"},
		{"D01 OSC 52 ended by BEL", "a\x1b]52;c;ZXZpbA==\x07b", "ab"},
		{"D01 OSC 52 ended by ST", "a\x1b]52;c;?\x1b\\b", "ab"},
		{"D02 link keeps its text", "\x1b]8;;https://evil\x1b\\https://good\x1b]8;;\x1b\\!", "https://good!"},
		{"D03 title", "\x1b]0;pwned\x07x\x1b]2;t\x1b\\y", "xy"},
		{"D03 notify, colours, marks, file", "\x1b]9;n\x07\x1b]4;1;#fff\x07\x1b]133;A\x07\x1b]1337;File=:AA==\x07.", "."},
		{"D04 moves and erases", "rm -rf /\x1b[24D\x1b[Kls", "rm -rf /ls"},
		{"D04 modes", "\x1b[?1049h\x1b[?25l\x1b[?1000h\x1b[?2004hx", "x"},
		{"D04 colours and hidden text", "\x1b[8mhidden\x1b[0m \x1b[30;40mblack\x1b[m", "hidden black"},
		{"D05 DCS", "a\x1bPtmux;\x1b\x1b]52;c;AA\x07\x1b\\b", "ab"},
		{"D05 APC, PM, SOS", "a\x1b_Gi=1;AAAA\x1b\\b\x1b^pm\x1b\\c\x1bXsos\x1b\\d", "abcd"},
		{"D05 8-bit", "a\u009b31mb\u009dtitle\u009cc\u0090dcs\u009cd", "abcd"},
		{"D05 unfinished at the end", "a\x1b", "a"},
		{"D05 unfinished CSI", "a\x1b[31", "a"},
		{"D05 unclosed OSC costs its line only", "a\x1b]0;title\nkept", "a\nkept"},
		{"D05 CSI aborted by text", "\x1b[日本", "日本"},
		{"D06 queries", "\x1b[6n\x1b[c\x1b]11;?\x07\x1b[>q\x05x", "x"},
		{"D07 controls", "a\x00b\x07c\x7fd\be", "abcde"},
		{"D07 many bells", strings.Repeat("\x07", 10000) + "x", "x"},
		{"line ends", "a\r\nb\rc\vd\fe\u2028f\u0085g", "a\nb\nc\nd\ne\nf\ng"},
		{"CR at the end", "a\r", "a\n"},
		{"CR CR LF", "a\r\r\nb", "a\n\nb"},
		{"tabs", "\tx\ta\n1234\ty\n日\tz", "    x   a\n1234    y\n日  z"},
		{"D09 bidi", "a\u202eb\u2066c", "a<U+202E>b<U+2066>c"},
		{"D10 zero width", "a\u200bb\u2060c\ufeffd\u00ade", "abcde"},
		{"D10 tags", "a\U000e0041", "a<U+E0041>"},
		{"D10 variation selectors", "x\ufe00\ufe01\ufe02y", "x\ufe00y"},
		{"emoji joined", "👨‍👩‍👧 ❤️‍🔥", "👨‍👩‍👧 ❤️‍🔥"},
		{"joiner in a word", "pass\u200dword", "password"},
		{"D12 marks", "a" + strings.Repeat("\u0301", 1000) + "b", "a" + strings.Repeat("\u0301", maxMarks) + "b"},
		{"accents stay", "e\u0301a\u0308", "e\u0301a\u0308"},
		{"no UTF-8", "a\xffb\x9b31m\xe6\x97", "a\ufffdb\ufffd31m\ufffd\ufffd"},
		{"no characters", "\ufdd0\uffff\U0001ffff", "\ufffd\ufffd\ufffd"},
		{"Chinese", "你好，世界。", "你好，世界。"},
		{"no-break space", "a\u00a0b", "a\u00a0b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Clean(tt.in); got != tt.want {
				t.Errorf("Clean(%q)\n got %q\nwant %q", tt.in, got, tt.want)
			}
			checkClean(t, tt.in)
		})
	}
}

// checkClean holds what is promised for any input.
func checkClean(t *testing.T, in string) {
	t.Helper()
	whole := Clean(in)
	checkHarmless(t, whole)
	if again := Clean(whole); again != whole {
		t.Errorf("cleaning twice: %q, then %q", whole, again)
	}
	for cut := range min(len(in), 200) {
		var c Cleaner
		if got := c.Clean(in[:cut]) + c.Clean(in[cut:]) + c.Flush(); got != whole {
			t.Fatalf("cut at %d: %q, whole: %q", cut, got, whole)
		}
	}
	var c Cleaner
	var got strings.Builder
	for i := range len(in) {
		got.WriteString(c.Clean(in[i : i+1]))
	}
	if got.WriteString(c.Flush()); got.String() != whole {
		t.Fatalf("byte by byte: %q, whole: %q", got.String(), whole)
	}
}

func checkHarmless(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Errorf("no valid UTF-8: %q", s)
	}
	for _, r := range s {
		if r != '\n' && isControl(r) || isBidi(r) || isTag(r) {
			t.Fatalf("%U in %q", r, s)
		}
	}
}

func TestCollapse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, want string }{
		{"plain\n", "plain\n"},
		{"10%\r20%\r100%\ndone", "100%\ndone"},
		{"10%\r100%\r\n", "100%\n"},
		{"a\r\nb\r\n", "a\nb\n"},
		{"N\bNA\bAM\bM", "NAM"},
		{"日\b本\b\b\bx", "x"},
	} {
		if got := Collapse(tt.in); got != tt.want {
			t.Errorf("Collapse(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestVisible(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, in, want string
		hidden         int
	}{
		{"plain", "ls -la\n", "ls -la\n", 0},
		{"D04 erased command", "rm -rf ~\r\x1b[2Kls", "rm -rf ~<U+000D><U+001B>[2Kls", 2},
		{"D01 OSC stays readable", "\x1b]52;c;AA\x07", "<U+001B>]52;c;AA<U+0007>", 2},
		{"D05 8-bit", "\u009b31m\x9b31m", "<U+009B>31m<0x9B>31m", 2},
		{"D07", "a\x00\b\x7f", "a<U+0000><U+0008><U+007F>", 3},
		{"CRLF", "a\r\nb", "a<U+000D>\nb", 1},
		{"tab", "a\tb\t\tc", "a   b       c", 0},
		{"D09 trojan source", "if x\u202e\u2066// admin\u2069", "if x<U+202E><U+2066>// admin<U+2069>", 3},
		{"D10 zero width", "cu\u200brl", "cu<U+200B>rl", 1},
		{"D10 soft hyphen, no-break space", "a\u00adb\u00a0c", "a<U+00AD>b<U+00A0>c", 2},
		{"D10 fillers", "a\u3164\u2800\uffa0\u115f", "a<U+3164><U+2800><U+FFA0><U+115F>", 4},
		{"D10 tags", "x\U000e0020", "x<U+E0020>", 1},
		{"D10 selectors", "a\ufe0f ❤\ufe0f\ufe0f", "a<U+FE0F> ❤\ufe0f<U+FE0F>", 2},
		{"emoji", "👨‍👩‍👧 1️⃣ ✅ ©️", "👨‍👩‍👧 1️⃣ ✅ ©️", 0},
		{"joiner between letters", "a\u200db", "a<U+200D>b", 1},
		{"D11 Cyrillic in a Latin word", "сurl apple аpple", "<U+0441>url apple <U+0430>pple", 2},
		{"D11 a Russian word", "сор и мир", "сор и мир", 0},
		{"D11 mu and lambda", "5 μs λx", "5 μs λx", 0},
		{"D11 full-width sign in a command", "ls；rm", "ls<U+FF1B>rm", 1},
		{"full-width signs in Chinese", "你好，世界！！（好）", "你好，世界！！（好）", 0},
		{"D11 division slash", "a∕b", "a<U+2215>b", 1},
		{"D11 line separator", "a\u2028b", "a<U+2028>b", 1},
		{"D12 marks", "a" + strings.Repeat("\u0301", 8), "a" + strings.Repeat("\u0301", 6) + "<U+0301><U+0301>", 2},
		{"ideographic space", "ls\u3000rm 你\u3000好", "ls<U+3000>rm 你\u3000好", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Visible(tt.in); got != tt.want {
				t.Errorf("Visible(%q)\n got %q\nwant %q", tt.in, got, tt.want)
			}
			if got := Hidden(tt.in); got != tt.hidden {
				t.Errorf("Hidden(%q) = %d, want %d", tt.in, got, tt.hidden)
			}
		})
	}
	if got := Line("a\nb\r\n"); got != "a⏎b<U+000D>⏎" {
		t.Errorf("Line: %q", got)
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"a\x1b[31mb", "\x1b]0;x\x07", "\u009b1m\u202e\t日\r\n", "👨‍👩‍👧", "\xe6\x97", "\x1bP\x1b\\", "a\u0301\ufe0f\u200d\r"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		checkClean(t, s)
		v := Visible(s)
		checkHarmless(t, v)
		if again := Visible(v); again != v {
			t.Errorf("shown twice: %q, then %q", v, again)
		}
		checkHarmless(t, Clean(Collapse(s)))
	})
}

func BenchmarkClean(b *testing.B) {
	for _, bb := range []struct{ name, unit string }{
		{"ascii", "the quick brown fox jumps over the lazy dog and goes home\n"},
		{"tabs", "\tif err != nil {\n\t\treturn err\n\t}\n"},
		{"colours", "\x1b[31mFAIL\x1b[0m\tpkg/a\t0.01s\n"},
		{"chinese", "敏捷的棕色狐狸跳过懒狗，然后回家。\n"},
	} {
		text := strings.Repeat(bb.unit, 1<<20/len(bb.unit))
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Clean(text)
			}
		})
	}
}
