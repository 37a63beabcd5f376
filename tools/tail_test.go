package tools

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
)

func TestReadFromTheEnd(t *testing.T) {
	t.Parallel()
	var long, wide strings.Builder
	for n := range 1000 {
		fmt.Fprintf(&long, "line %d\n", n+1)
		fmt.Fprintf(&wide, "line %d %s\r\n", n+1, strings.Repeat("é", 100))
	}
	utf16 := "\xff\xfe"
	for _, unit := range utf16Of(long.String()) {
		utf16 += string([]byte{byte(unit), byte(unit >> 8)})
	}
	b := newBench(t, map[string]string{"long": long.String(), "wide": wide.String(), "utf16": utf16, "open": "a\nb", "empty": ""})
	for _, tt := range []struct {
		args    []any
		begins  string
		says    []string
		summary string
	}{
		{[]any{"path", "long", "offset", -2}, "999: line 999\n1000: line 1000\n", nil, "lines 999–1000 of 1000"},
		{[]any{"path", "long", "offset", -300}, "701: line 701\n", []string{"[lines 901–1000 of 1000 are not shown; continue with offset 900]"}, "lines 701–900 of 1000"},
		{[]any{"path", "long", "offset", -5, "limit", 1}, "996: line 996\n[lines 997–1000 of 1000 are not shown; continue with offset 996]", nil, "lines 996–996 of 1000"},
		{[]any{"path", "long", "offset", -5000, "limit", 1}, "1: line 1\n", nil, "lines 1–1 of 1000"},
		{[]any{"path", "wide", "offset", -200}, "801: line 801", []string{"continue with offset 939]", "CRLF line ends"}, "lines 801–939 of 1000"},
		{[]any{"path", "utf16", "offset", -1}, "[not UTF-8: UTF-16LE with BOM]\n1000: line 1000\n", nil, "lines 1000–1000 of 1000"},
		{[]any{"path", "open", "offset", -1}, "2: b", nil, "lines 2–2 of 2"},
		{[]any{"path", "empty", "offset", -1}, "[empty is empty: 0 lines]", nil, "empty"},
	} {
		res := b.call("read", tt.args...)
		wants(t, fmt.Sprint(tt.args), res.Text, tt.says...)
		if !strings.HasPrefix(res.Text, tt.begins) || res.View.Summary != tt.summary {
			t.Errorf("%v: %.200q, %q; want %q, %q", tt.args, res.Text, res.View.Summary, tt.begins, tt.summary)
		}
	}
}

func utf16Of(s string) []uint16 { return utf16.Encode([]rune(s)) }

// bigFile makes a file of lines of 64 bytes, "line %d" padded, written in
// pieces.
func bigFile(t testing.TB, b *bench, lines int) {
	t.Helper()
	f, err := os.Create(b.ws.Abs("big"))
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	pad := strings.Repeat(".", 49)
	for n := range lines {
		fmt.Fprintf(w, "line %08d %s\n", n+1, pad)
	}
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// A file that is too large to be changed is not read for its line numbers.
func TestReadTheEndOfABigFile(t *testing.T) {
	b := newBench(t, nil)
	lines := maxEdited/64 + 1000
	bigFile(t, b, lines)
	res := b.call("read", "path", "big", "offset", -2)
	want := fmt.Sprintf("-2: line %08d %s\n-1: line %08d", lines-1, strings.Repeat(".", 49), lines)
	if !strings.HasPrefix(res.Text, want) || res.View.Summary != "last 2 lines" || res.Seen != nil {
		t.Errorf("%q, %q, %v", res.Text, res.View.Summary, res.Seen)
	}
	wants(t, "numbers", res.Text, "[numbered from the end, -1 is the last line; the file is too large to count its lines]")
	res = b.call("read", "path", "big", "offset", -1000)
	wants(t, "goes on", res.Text, "-1000: line", "lines -800 to -1 are not shown; continue with offset -800]")
	res = b.call("read", "path", "big", "offset", -2*lines, "limit", 1)
	wants(t, "more than there are", res.Text, "1: line 00000001", fmt.Sprintf("lines 2–%d of %d are not shown", lines, lines))
	res = b.call("read", "path", "big", "offset", math.MinInt, "limit", 1)
	wants(t, "the least offset there is", res.Text, "1: line 00000001")
	if _, err := b.prepare("write", "path", "big", "content", "x"); err == nil || !strings.Contains(err.Error(), "change it with shell") {
		t.Errorf("write: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	action, err := b.prepare("read", "path", "big", "offset", -2*lines)
	if err != nil {
		t.Fatal(err)
	}
	if res := action.Run(ended, nil); res.Status != Interrupted {
		t.Errorf("interrupted: %s %q", res.Status, res.Text)
	}
}

// BenchmarkReadLast200 reads the last 200 lines of a file of 1 GB, and says how
// many times longer it takes to read it from its beginning.
func BenchmarkReadLast200(b *testing.B) {
	bn := newBench(b, nil)
	const lines = 1 << 24
	bigFile(b, bn, lines)
	start := time.Now()
	if res := bn.call("read", "path", "big", "offset", lines-200); !strings.HasPrefix(res.Text, fmt.Sprintf("%d: ", lines-199)) {
		b.Fatal(res.Text)
	}
	whole := time.Since(start)
	b.ReportAllocs()
	for b.Loop() {
		if res := bn.call("read", "path", "big", "offset", -200); !strings.HasPrefix(res.Text, "-200: line 16777017") {
			b.Fatal(res.Text)
		}
	}
	b.ReportMetric(float64(whole)/float64(b.Elapsed()/time.Duration(b.N)), "whole/last")
}
