package proc

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
)

func decoded(e encoding.Encoding, pieces ...string) string {
	var b strings.Builder
	d := decoder{charset: e, out: func(text []byte) { b.Write(text) }}
	for _, p := range pieces {
		d.write([]byte(p))
	}
	d.finish()
	return b.String()
}

// T108: what is no UTF-8 is in the system's character set, line by line.
func TestDecode(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("\x82\xa0", maxHeld) // あ
	for _, tc := range []struct {
		name     string
		page     uint32
		in, want string
	}{
		{"ASCII", 850, "a\r\nb", "a\r\nb"},
		{"UTF-8", 850, "für 界 😀\n", "für 界 😀\n"},
		{"OEM", 850, "f\x81r\r\n", "für\r\n"},
		{"both", 850, "f\x81r\nfür\nf\x81r", "für\nfür\nfür"},
		{"Cyrillic", 866, "\x8f\xe0\xa8\xa2\xa5\xe2\n", "Привет\n"},
		{"Japanese", 932, "\x93\xfa\x96\x7b\x8c\xea\n", "日本語\n"},
		{"Chinese", 936, "\xd6\xd0\xce\xc4", "中文"},
		{"a redrawn line", 850, "\x81 1%\r\x81 2%\r\n", "ü 1%\rü 2%\r\n"},
		{"no character of it", 932, "\xfd\xfe\xff\n", "\uFFFD\uFFFD\uFFFD\n"},
		{"half a character at the end", 932, "\x93\xfa\x96", "日\uFFFD"},
		{"a very long line", 932, long + "\n", strings.Repeat("あ", maxHeld) + "\n"},
		{"a very long line of UTF-8", 932, strings.Repeat("日", maxHeld) + "\n", strings.Repeat("日", maxHeld) + "\n"},
		{"unknown", 1, "f\x81r\n", "f\x81r\n"},
	} {
		if got := decoded(codePages[tc.page], tc.in); got != tc.want {
			t.Errorf("%s: %.60q, want %.60q", tc.name, got, tc.want)
		}
		if got := decoded(codePages[tc.page], strings.SplitAfter(tc.in, "")...); got != tc.want && strings.ToValidUTF8(tc.in, "") == tc.in {
			t.Errorf("%s in pieces: %.60q, want %.60q", tc.name, got, tc.want)
		}
	}
}

func TestLocaleCharset(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		environ string
		want    encoding.Encoding
	}{
		{"LANG=de_DE.UTF-8", nil},
		{"LANG=de_DE.utf8", nil},
		{"LANG=C", nil},
		{"", nil},
		{"LANG=xx.no-such", nil},
		{"LANG=de_DE.ISO-8859-1", charmap.Windows1252}, // as the web has it
		{"LANG=de_DE.ISO-8859-15@euro", charmap.ISO8859_15},
		{"LANG=ja_JP.eucJP", japanese.EUCJP},
		{"LANG=ja_JP.SJIS", japanese.ShiftJIS},
		{"LANG=ko_KR.euckr", korean.EUCKR},
		{"LANG=ru_RU.KOI8-R", charmap.KOI8R},
		{"LANG=ru_RU.CP1251", charmap.Windows1251},
		{"LANG=ja_JP.SJIS LC_CTYPE=ru_RU.KOI8-R", charmap.KOI8R},
		{"LANG=ja_JP.SJIS LC_CTYPE=ru_RU.KOI8-R LC_ALL=en_US.UTF-8", nil},
	} {
		if got := localeCharset(lookup(strings.Fields(tc.environ))); got != tc.want {
			t.Errorf("%q: %v, want %v", tc.environ, got, tc.want)
		}
	}
}

// However the output is split, the text is the same; nothing that is UTF-8 is
// changed; memory is bounded.
func FuzzDecode(f *testing.F) {
	f.Add([]byte("für\nf\x81r\r\n"), uint32(850), 3)
	f.Add([]byte("\x93\xfa\x96\x7b\x8c\xea\n\x93"), uint32(932), 1)
	f.Fuzz(func(t *testing.T, in []byte, page uint32, step int) {
		step = 1 + abs(step)%50
		charset := codePages[page]
		whole := decoded(charset, string(in))
		var b bytes.Buffer
		d := decoder{charset: charset, out: func(text []byte) { b.Write(text) }}
		for rest := in; len(rest) > 0; {
			n := min(step, len(rest))
			d.write(rest[:n])
			if rest = rest[n:]; len(d.held) > maxHeld {
				t.Fatalf("%d bytes held", len(d.held))
			}
		}
		d.finish()
		if b.String() != whole {
			t.Fatalf("in pieces %q, whole %q", b.String(), whole)
		}
		if strings.ToValidUTF8(string(in), "") == string(in) && whole != string(in) && len(in) < maxHeld {
			t.Fatalf("UTF-8 was changed: %q became %q", in, whole)
		}
	})
}
