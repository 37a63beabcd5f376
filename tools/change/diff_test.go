package change

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"aye/tools/text"
)

// sketch writes a diff so that a test can show it.
func sketch(d FileDiff) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s +%d -%d", d.Kind, d.Added, d.Removed)
	if d.Note != "" {
		fmt.Fprintf(&b, " (%s)", d.Note)
	}
	for _, h := range d.Hunks {
		fmt.Fprintf(&b, "\n@ %d %d", h.Old, h.New)
		for _, line := range h.Lines {
			fmt.Fprintf(&b, "\n%s%s", line.Op, line.Text)
			if line.End != "" {
				fmt.Fprintf(&b, " <%s>", line.End)
			}
		}
	}
	return b.String()
}

func TestDiff(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		file File
		want string
	}{
		{"changed line", changed("a\nb\nc\nd\ne\nf\ng\nh\ni\n", "a\nb\nc\nd\nE\nf\ng\nh\ni\n"),
			"changed +1 -1\n@ 2 2\n b\n c\n d\n-e\n+E\n f\n g\n h"},
		{"two hunks", changed("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n", "1x\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12x\n"),
			"changed +2 -2\n@ 1 1\n-1\n+1x\n 2\n 3\n 4\n@ 9 9\n 9\n 10\n 11\n-12\n+12x"},
		{"near changes share a hunk", changed("1\n2\n3\n4\n5\n6\n7\n8\n", "1x\n2\n3\n4\n5\n6\n7\n8x\n"),
			"changed +2 -2\n@ 1 1\n-1\n+1x\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+8x"},
		{"numbers move on", changed("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "0\n1\n2\n3\n4\n5\n6\n7\n8\n"),
			"changed +1 -1\n@ 1 1\n+0\n 1\n 2\n 3\n@ 6 7\n 6\n 7\n 8\n-9"},
		{"created", File{After: []byte("a\nb")}, "added +2 -0 (no newline at the end)\n@ 1 1\n+a\n+b <none>"},
		{"created empty", File{}, "added +0 -0 (empty file)"},
		{"removed", File{Before: []byte("a\r\n"), Existed: true, Deleted: true}, "removed +0 -1 (CRLF line ends)\n@ 1 1\n-a <crlf>"},
		{"emptied", changed("a\n", ""), "changed +0 -1\n@ 1 1\n-a"},
		{"filled", changed("", "a\n"), "changed +1 -0\n@ 1 1\n+a"},
		{"CRLF kept", changed("a\r\nb\r\n", "a\r\nc\r\n"), "changed +1 -1 (CRLF line ends)\n@ 1 1\n a <crlf>\n-b <crlf>\n+c <crlf>"},
		{"line ends change", changed("a\r\n", "a\n"), "changed +1 -1 (CRLF line ends become LF line ends)\n@ 1 1\n-a <crlf>\n+a"},
		{"newline added", changed("a", "a\n"), "changed +1 -1 (a newline is added at the end)\n@ 1 1\n-a <none>\n+a"},
		{"newline removed", changed("a\n", "a"), "changed +1 -1 (the newline at the end is removed)\n@ 1 1\n-a\n+a <none>"},
		{"BOM kept", changed(text.BOM+"a\n", text.BOM+"b\n"), "changed +1 -1 (byte order mark)\n@ 1 1\n-a\n+b"},
		{"BOM removed", changed(text.BOM+"a\n", "a\n"), "changed +0 -0 (the byte order mark at the beginning is removed)"},
		{"BOM added", changed("a\n", text.BOM+"a\n"), "changed +0 -0 (a byte order mark is added at the beginning)"},
		{"binary", changed("a\x00\xff", "text\n"), "changed +1 -0 (binary, 3 bytes, becomes text, 5 bytes)\n@ 1 1\n+text"},
		{"binary created", File{After: []byte("\x00\xff")}, "added +0 -0 (binary, 2 bytes)"},
		{"nothing hides behind a NUL", File{After: []byte("# \x00\nrm x\n")}, "added +2 -0 (bytes that are no text are shown as \\xNN)\n@ 1 1\n+# \\x00\n+rm x"},
		{"UTF-16", changed("\xff\xfea\x00\n\x00", "\xff\xfeb\x00\n\x00"), "changed +1 -1 (UTF-16LE with BOM)\n@ 1 1\n-a\n+b"},
		{"UTF-16, big endian, created", File{After: []byte("\xfe\xff\x4e\x2d\x00\n")}, "added +1 -0 (UTF-16BE with BOM)\n@ 1 1\n+中"},
		{"UTF-16 emptied", changed("\xff\xfea\x00", ""), "changed +0 -1 (UTF-16LE with BOM)\n@ 1 1\n-a <none>"},
		{"UTF-16 broken", changed("\xff\xfea", "a\n"), "changed +1 -0 (broken UTF-16LE with BOM, 3 bytes, becomes text, 2 bytes)\n@ 1 1\n+a"},
		{"GB18030", changed("\xb1\xe0\xc2\xeb\n\xce\xc4\xbc\xfe\n", "\xb1\xe0\xc2\xeb\n\xce\xc4\n"), "changed +1 -1 (taken for GB18030)\n@ 1 1\n 编码\n-文件\n+文"},
		{"GB18030 to UTF-8", changed("\xb1\xe0\xc2\xeb\n", "编码\n"), "changed +0 -0 (GB18030 becomes UTF-8)"},
		{"GB18030 to ASCII", changed("\xb1\xe0\xc2\xeb\n", "code\n"), "changed +1 -1 (taken for GB18030)\n@ 1 1\n-编码\n+code"},
		{"what would be taken for something else", changed("\xb1\xe0\xc2\xeb\xc9\xf1\n", "\xc9\xf1\n"), "changed +1 -1 (taken for GB18030)\n@ 1 1\n-编码神\n+神"},
		{"UTF-16 to UTF-8", changed("\xff\xfea\x00", "b"), "changed +1 -1 (UTF-16LE with BOM becomes UTF-8; no newline at the end)\n@ 1 1\n-a <none>\n+b <none>"},
		{"Latin-1", changed("caf\xe9\n", "caf\xe8\n"), "changed +1 -1 (taken for Windows-1252)\n@ 1 1\n-café\n+cafè"},
		{"UTF-8 with a wrong byte", changed("é\n\xe9\n", "é\n\xe9\nx\n"), "changed +1 -0 (bytes that are no text are shown as \\xNN)\n@ 1 1\n é\n \\xE9\n+x"},
	} {
		if got := sketch(Set{[]File{tt.file}}.Diff()[0]); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

// Bytes that are no characters can look like one, far into a file; a change
// of them is told all the same.
func TestDiffTellsOfBytesThatLookTheSame(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("\xa4\xb3\xa4\xec\xa4\xcf\xc6\xfc\xcb\xdc\xb8\xec\n", 3000) // EUC-JP
	d := changed(body+"\xc3\x86\n", body+"\x8f\xa9\xa1\n").diff()
	if len(d.Hunks) != 0 || d.Note != "taken for EUC-JP; bytes change that look the same as text" {
		t.Errorf("got %s", sketch(d))
	}
}

func changed(before, after string) File {
	return File{Before: []byte(before), After: []byte(after), Existed: true}
}

// A diff that is cut says so, and its counts stay true.
func TestDiffIsBounded(t *testing.T) {
	t.Parallel()
	var before bytes.Buffer
	for n := range maxLines + 500 {
		fmt.Fprintf(&before, "line %d\n", n)
	}
	for name, file := range map[string]File{
		"many lines": {Before: before.Bytes(), Existed: true, Deleted: true},
		"long lines": {After: bytes.Repeat([]byte(strings.Repeat("x", maxText/4)+"\n"), 6)},
	} {
		d := file.diff()
		shown := 0
		for _, h := range d.Hunks {
			shown += len(h.Lines)
		}
		if total := d.Added + d.Removed; shown == 0 || shown >= total || !strings.Contains(d.Note, fmt.Sprintf("last %d lines", total-shown)) {
			t.Errorf("%s: %d of %d lines shown, note %q", name, shown, total, d.Note)
		}
	}
}

// Many small changes far apart must not melt into one.
func TestDiffKeepsManyChangesApart(t *testing.T) {
	t.Parallel()
	var before, after bytes.Buffer
	for n := range 5000 {
		fmt.Fprintf(&before, "line %d\n}\n", n)
		if n%20 == 0 {
			fmt.Fprintf(&after, "line %d changed\n}\n", n)
		} else {
			fmt.Fprintf(&after, "line %d\n}\n", n)
		}
	}
	d := changed(before.String(), after.String()).diff()
	if d.Added != 250 || d.Removed != 250 || len(d.Hunks) != 250 {
		t.Errorf("+%d −%d in %d hunks, want 250 each", d.Added, d.Removed, len(d.Hunks))
	}
}

// apply makes the lines after from the lines before and a diff, and fails
// where the diff does not fit.
func apply(before []text.Line, d FileDiff) ([]Line, error) {
	var out []Line
	at := 0
	plain := func(line text.Line) Line {
		s, _ := text.Show(line.Text)
		return Line{Text: s, End: endName(line.End)}
	}
	for _, h := range d.Hunks {
		for ; at < h.Old-1; at++ {
			out = append(out, plain(before[at]))
		}
		if len(out) != h.New-1 {
			return nil, fmt.Errorf("hunk says line %d after, it is line %d", h.New, len(out)+1)
		}
		for _, line := range h.Lines {
			bare := Line{Text: line.Text, End: line.End}
			if line.Op != "+" {
				if at >= len(before) || plain(before[at]) != bare {
					return nil, fmt.Errorf("line %d is not %+v", at+1, line)
				}
				at++
			}
			if line.Op != "-" {
				out = append(out, bare)
			}
		}
	}
	for ; at < len(before); at++ {
		out = append(out, plain(before[at]))
	}
	return out, nil
}

// FuzzDiff holds that a diff, applied to what was before, gives what is after.
func FuzzDiff(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nB\nc")
	f.Add("a\r\nb\rc", "a\nb\rc\r\n")
	f.Add("x\nx\nx\ny\nx\n", "y\nx\nx\nx\nx\nx\n")
	f.Add("\xff\xfea\x00\n\x00", "\xb1\xe0\xc2\xeb\n\xce\xc4\xbc\xfe\n")
	f.Add(text.BOM+"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n4\n3\n5\n6\n7\n8\n9\n10\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		d := changed(before, after).diff()
		if before != after && len(d.Hunks) == 0 && d.Note == "" {
			t.Fatalf("%q to %q: nothing is shown", before, after)
		}
		was := readable([]byte(before), text.Doc{})
		is := readable([]byte(after), was.doc)
		if strings.Contains(d.Note, "too long") {
			return
		}
		got, err := apply(text.Split(was.doc.Bytes()), d)
		if err != nil {
			t.Fatalf("%q to %q: %v\n%s", before, after, err, sketch(d))
		}
		var want []Line
		for _, line := range text.Split(is.doc.Bytes()) {
			s, _ := text.Show(line.Text)
			want = append(want, Line{Text: s, End: endName(line.End)})
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Fatalf("%q to %q: the diff gives %q\n%s", before, after, got, sketch(d))
		}
	})
}

// BenchmarkDiffWorst has files with little in common: ten times the lines must
// cost about ten times as much, not a hundred times.
func BenchmarkDiffWorst(b *testing.B) {
	for name, pair := range map[string]func(n int) (string, string){
		"all changed": func(n int) (string, string) { return fmt.Sprintf("old %d", n), fmt.Sprintf("new %d", n) },
		"all alike":   func(n int) (string, string) { return "x", []string{"x", "y"}[n%2] },
		"shuffled":    func(n int) (string, string) { return fmt.Sprint(n), fmt.Sprint(n * 7919 % 100_003) },
	} {
		for _, lines := range []int{2_000, 20_000} {
			b.Run(fmt.Sprintf("%s, %d lines", name, lines), func(b *testing.B) {
				var before, after strings.Builder
				for n := range lines {
					x, y := pair(n)
					before.WriteString(x + "\n")
					after.WriteString(y + "\n")
				}
				file := changed(before.String(), after.String())
				for b.Loop() {
					file.diff()
				}
			})
		}
	}
}

func BenchmarkDiff(b *testing.B) {
	for _, every := range []int{500, 20, 1} {
		b.Run(fmt.Sprintf("10k lines, each %dth changed", every), func(b *testing.B) {
			var before, after bytes.Buffer
			for n := range 10_000 {
				fmt.Fprintf(&before, "\tline %d of a file\n", n)
				if n%every == 0 {
					fmt.Fprintf(&after, "\tline %d of another file\n", n)
				} else {
					fmt.Fprintf(&after, "\tline %d of a file\n", n)
				}
			}
			file := changed(before.String(), after.String())
			for b.Loop() {
				file.diff()
			}
		})
	}
}
