package proc

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func cleaned(pieces ...string) string {
	var b strings.Builder
	c := cleaner{out: func(text []byte) { b.Write(text) }}
	for _, p := range pieces {
		c.write([]byte(p))
	}
	c.finish()
	return b.String()
}

func TestClean(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, in, want string }{
		{"plain", "a\tb\nc", "a\tb\nc"},
		{"CRLF", "a\r\nb\r\n", "a\nb\n"},
		{"two CRs at the end", "a\r\r\n", "a\n"},
		{"progress", strings.Repeat("\r 37%", 200) + "\r100%\nreal\n", "100%\nreal\n"},
		{"progress with erase (BUGS 18)", "\r\x1b[2K 1%\r\x1b[2K\x1b[32m 2%\x1b[0m\r\x1b[K" + "done\n", "done\n"},
		{"erased and left so", "50%\r\x1b[K\nok\n", "\nok\n"},
		{"erase to the end keeps", "50%\x1b[K\n", "50%\n"},
		{"column one", "spin\x1b[1Gdone\n", "done\n"},
		{"far left", "spin\x1b[1000Ddone\n", "done\n"},
		{"a little left", "spinning\x1b[1Dx\n", "spinningx\n"},
		{"backspace", "|\b/\b-\bok\n", "ok\n"},
		{"overstrike", "N\bNA\bAM\bME\bE _\ba\n", "NAME a\n"},
		{"backspace of a wide rune", "界\bx\n", "x\n"},
		{"backspace at the start", "\b\bx\n", "x\n"},
		{"backspace after CR", "ab\r\bx\n", "x\n"},
		{"SGR", "\x1b[1;31mred\x1b[m \x1b[38;2;1;2;3mrgb\x1b[0m\n", "red rgb\n"},
		{"title", "\x1b]0;evil\x07ok \x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\n", "ok link\n"},
		{"open title ends with its line", "\x1b]0;evil\nok\n", "\nok\n"},
		{"device control", "\x1bPq#0;2;0;0;0\x1b\\ok\n", "ok\n"},
		{"broken CSI", "\x1b[12\nok\n", "\nok\n"},
		{"CSI ended by a rune", "\x1b[1界\n", "界\n"},
		{"charset", "\x1b(Bok\x1b=\x1b>\n", "ok\n"},
		{"lone ESC at the end", "ok\x1b", "ok"},
		{"bells and other controls", "a\x07\x0e\x0f\x7fb\n", "ab\n"},
		{"NUL", "a\x00b\x00", "a␀b␀"},
		{"upper controls", "a\u0085\u009bb\n", "ab\n"},
		{"bad bytes", "a\xff\xfeb\xe7\x95\n", "a\uFFFD\uFFFDb\uFFFD\uFFFD\n"},
		{"bad byte, then a rune", "\xe7界", "\uFFFD界"},
		{"half a rune at the end", "x\xf0\x9f", "x\uFFFD\uFFFD"},
		{"runes", "界😀é\n", "界😀é\n"},
		{"a redrawn rune", "界界\r😀\n", "😀\n"},
		{"empty", "", ""},
	} {
		if got := cleaned(tc.in); got != tc.want {
			t.Errorf("%s: %q gives %q, want %q", tc.name, tc.in, got, tc.want)
		}
	}
}

func TestCleanLongLine(t *testing.T) {
	t.Parallel()
	in := strings.Repeat("界", 100_000) + "\n"
	if got := cleaned(in); got != in {
		t.Errorf("a long line lost something: %d bytes of %d", len(got), len(in))
	}
	var b strings.Builder
	c := cleaner{out: func(text []byte) {
		if !utf8.Valid(text) {
			t.Fatal("a piece is cut within a rune")
		}
		b.Write(text)
	}}
	c.write([]byte(in))
	if cap(c.line) > 4*maxLine {
		t.Errorf("the open line holds %d bytes", cap(c.line))
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"a\r\nb", "\x1b[2K\rx", "\x1b]0;t\x07", "界\xff\b", "\x1b[1;2", "\x1b(B", "a\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		whole := cleaned(s)
		if !utf8.ValidString(whole) {
			t.Fatalf("%q gives invalid UTF-8 %q", s, whole)
		}
		for _, r := range whole {
			if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f {
				t.Fatalf("%q leaves %q", s, r)
			}
		}
		if again := cleaned(whole); again != whole {
			t.Fatalf("cleaning twice: %q, then %q", whole, again)
		}
		if got := cleaned(strings.Split(s, "")...); len(s) < 4096 && utf8.ValidString(s) && got != whole {
			t.Fatalf("split at every rune: %q, whole: %q", got, whole)
		}
		for i := range min(len(s), 512) {
			if got := cleaned(s[:i], s[i:]); got != whole {
				t.Fatalf("split at %d: %q, whole: %q", i, got, whole)
			}
		}
	})
}

func BenchmarkClean(b *testing.B) {
	for name, text := range map[string]string{
		"plain":    strings.Repeat("ok   aye/tools/proc 1.234s (cached)\n", 1000),
		"coloured": strings.Repeat("\x1b[32mok\x1b[0m   aye/tools/proc \x1b[1m1.234s\x1b[m\n", 1000),
		"chinese":  strings.Repeat("测试通过，没有发现问题\n", 1000),
		"y":        strings.Repeat("y\n", 16_000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			k := keeper{max: MaxOutput / 2}
			c := cleaner{out: k.keep}
			in := []byte(text)
			for b.Loop() {
				c.write(in)
			}
		})
	}
}
