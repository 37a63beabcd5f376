package sse

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// collect writes the frames of r as "event|data" and the error, if any, last.
func collect(r io.Reader, limit int) []string {
	var got []string
	for f, err := range frames(r, limit) {
		if err != nil {
			return append(got, "error: "+err.Error())
		}
		got = append(got, f.Event+"|"+string(f.Data))
	}
	return got
}

func TestFrames(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"one", "data: a\n\n", "|a"},
		{"no space", "data:a\n\n", "|a"},
		{"only one space goes", "data:  a \n\n", "| a "},
		{"CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", "|a;|b"},
		{"CR", "data: a\r\rdata: b\r\r", "|a;|b"},
		{"mixed ends", "data: a\r\n\ndata: b\n\r\n", "|a;|b"},
		{"BOM", "\ufeffdata: a\n\n", "|a"},
		{"BOM only at the start", "data: a\n\n\ufeffdata: b\n\n", "|a"},
		{"comments", ": ping\n\n:\n\n: x\ndata: a\n: y\n\n", "|a"},
		{"comment inside an event", "data: a\n: ping\ndata: b\n\n", "|a\nb"},
		{"lines joined", "data: a\ndata:\ndata: b\n\n", "|a\n\nb"},
		{"data without a colon", "data\n\n", "|"},
		{"name", "event: error\ndata: x\n\ndata: y\n\n", "error|x;|y"},
		{"name alone is no event", "event: ping\n\ndata: y\n\n", "|y"},
		{"other fields", "id: 7\nretry: 10\nfoo: bar\ndata: a\n\n", "|a"},
		{"no blank line at the end", "data: a\n\ndata: b\n", "|a;|b"},
		{"no line end at the end", "data: a\n\ndata: b", "|a;|b"},
		{"colons in the data", "data: {\"a\":1}\n\n", `|{"a":1}`},
		{"longer than one read", "data: " + strings.Repeat("x", 3*readSize) + "\n\ndata: y\n\n", "|" + strings.Repeat("x", 3*readSize) + ";|y"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for how, r := range map[string]io.Reader{
				"whole":          strings.NewReader(tt.in),
				"byte by byte":   iotest.OneByteReader(strings.NewReader(tt.in)),
				"end with data":  iotest.DataErrReader(strings.NewReader(tt.in)),
				"half the asked": iotest.HalfReader(strings.NewReader(tt.in)),
			} {
				if got := strings.Join(collect(r, MaxEvent), ";"); got != tt.want {
					t.Errorf("%s: got %.100q, want %.100q", how, got, tt.want)
				}
			}
		})
	}
}

func TestBrokenStreamDropsTheOpenEvent(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	r := io.MultiReader(strings.NewReader("data: a\n\ndata: b\n"), iotest.ErrReader(broken))
	got := strings.Join(collect(r, MaxEvent), ";")
	if got != "|a;error: broken" {
		t.Errorf("got %q", got)
	}
}

func TestEventsHaveALimit(t *testing.T) {
	t.Parallel()
	tooLong := "error: " + ErrTooLong.Error()
	tests := []struct{ name, in, want string }{
		{"at it", "data: " + strings.Repeat("x", 94) + "\n\n", "|" + strings.Repeat("x", 94)},
		{"one line", "data: " + strings.Repeat("x", 200), tooLong},
		{"many lines", strings.Repeat("data: xxxxxxxxx\n", 20), tooLong},
		{"an endless comment", ":" + strings.Repeat("x", 200), tooLong},
	}
	for _, tt := range tests {
		if got := strings.Join(collect(strings.NewReader(tt.in), 100), ";"); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A line is handed out when its end arrives, also a CR, after which an LF may
// or may not follow.
func TestNothingIsAskedForBeyondAnEvent(t *testing.T) {
	t.Parallel()
	for _, in := range []string{"data: a\n\n", "data: a\r\r", "data: a\r\n\r"} {
		r := io.MultiReader(strings.NewReader(in), iotest.ErrReader(errors.New("read too far")))
		for f, err := range Frames(r) {
			if err != nil || string(f.Data) != "a" {
				t.Errorf("%q: %v", in, err)
			}
			break
		}
	}
}

func TestReaderWithoutProgress(t *testing.T) {
	t.Parallel()
	if got := collect(idle{}, MaxEvent); len(got) != 1 || got[0] != "error: "+io.ErrNoProgress.Error() {
		t.Errorf("got %q", got)
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

// A stream means the same wherever it is split.
func FuzzFrames(f *testing.F) {
	for _, s := range []string{"data: a\r\n\r\n", "\ufeffdata: a\n\n", "event: x\rdata: y\r\r:c\r\n", "data", ":\n\n\ndata:\n"} {
		f.Add([]byte(s), 1)
	}
	f.Fuzz(func(t *testing.T, in []byte, at int) {
		const limit = 1 << 10
		at = max(0, min(at, len(in)))
		whole := fmt.Sprintf("%q", collect(bytes.NewReader(in), limit))
		split := io.MultiReader(bytes.NewReader(in[:at]), bytes.NewReader(in[at:]))
		if got := fmt.Sprintf("%q", collect(split, limit)); got != whole {
			t.Errorf("split at %d: %s, whole: %s", at, got, whole)
		}
		if got := fmt.Sprintf("%q", collect(iotest.OneByteReader(bytes.NewReader(in)), limit)); got != whole {
			t.Errorf("byte by byte: %s, whole: %s", got, whole)
		}
	})
}

// One event of 1 MB must cost what a thousand of 1 KB cost: ns/byte tells.
func BenchmarkFrames(b *testing.B) {
	for _, size := range []int{100, 1 << 10, 1 << 20, 16 << 20} {
		b.Run(fmt.Sprintf("event=%d", size), func(b *testing.B) {
			one := "data: " + strings.Repeat("x", size) + "\n\n"
			in := strings.Repeat(one, max(1, 1<<20/size))
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				for _, err := range Frames(strings.NewReader(in)) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
