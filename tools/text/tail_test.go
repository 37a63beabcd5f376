package text

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestTail(t *testing.T) {
	t.Parallel()
	block := strings.Repeat("x", chunk-1)
	for _, tt := range []struct {
		in    string
		n     int
		start int
		lines int
	}{
		{"", 3, 0, 0},
		{"a", 1, 0, 1},
		{"a\nb\nc\n", 1, 4, 1},
		{"a\nb\nc", 2, 2, 2},
		{"a\nb\nc", 3, 0, 3},
		{"a\nb\nc", 9, 0, 3},
		{"a\r\nb\r\n", 1, 3, 1},
		{"a\rb\r\r", 2, 2, 2},
		{"\n\n\n", 2, 1, 2},
		{"\r\n", 1, 0, 1},
		{"a\n", 0, 2, 0},
		{"a\r\n" + block, 1, 3, 1},         // "\n" is the first byte of the last block but one's neighbour
		{"a\r\n" + block[1:], 1, 3, 1},     // a block begins with "\n"
		{"a\r\n" + block[1:], 2, 0, 2},     // and its "\r" is no end of its own
		{"0\na\r\n" + block[1:], 2, 2, 2},  // nor when lines before it are wanted
		{"0\ra\r" + block + "\n", 2, 2, 2}, // a lone "\r" at a block's end is one
		{block + "\n" + block + "\n", 1, chunk, 1},
	} {
		start, lines, err := Tail(strings.NewReader(tt.in), int64(len(tt.in)), tt.n)
		if start != int64(tt.start) || lines != tt.lines || err != nil {
			t.Errorf("Tail(%.20q…, %d) = %d, %d, %v; want %d, %d", tt.in, tt.n, start, lines, err, tt.start, tt.lines)
		}
	}
}

func TestTailOfWhatBecameShorter(t *testing.T) {
	t.Parallel()
	if _, _, err := Tail(strings.NewReader("a\nb\n"), 100, 1); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v", err)
	}
}

// FuzzTail holds Tail to what a reading from the beginning says. The input is
// stretched across the edges of blocks.
func FuzzTail(f *testing.F) {
	for _, s := range []string{"", "a", "a\nb\r\nc\rd", "\r\r\n\n\r", "x\r", "\r\n\r\n", "\n\r"} {
		f.Add([]byte(s), uint8(2), uint8(1))
	}
	f.Fuzz(func(t *testing.T, b []byte, n, shift uint8) {
		in := append(bytes.Clone(b), bytes.Repeat([]byte{'x'}, chunk-int(shift))...)
		in = append(in, b...)
		for _, in := range [][]byte{b, in} {
			all := Split(in)
			want := min(int(n), len(all))
			start, lines, err := Tail(bytes.NewReader(in), int64(len(in)), int(n))
			if err != nil || lines != want || !bytes.Equal(in[start:], Join(all[len(all)-want:])) {
				t.Fatalf("Tail of %d lines of %d, shift %d: start %d, %d lines, %v", n, len(all), shift, start, lines, err)
			}
		}
	})
}
