package match

import (
	"bytes"
	"testing"

	"aye/tools/text"
	"aye/tools/text/texttest"
)

// Every byte outside an edit is the file's own, in every encoding, and what
// is inside is what that encoding has for it.
func TestEncodingsByEdits(t *testing.T) {
	t.Parallel()
	count := 0
	for _, v := range texttest.Variants {
		for _, e := range v.Edits() {
			count++
			name := v.Name + ", " + e.Name
			was, err := v.File()
			if err != nil {
				t.Fatal(name, err)
			}
			want, err := v.Edited(e)
			if err != nil {
				t.Fatal(name, err)
			}
			file := []byte(was)
			kept := bytes.Clone(file)
			doc, err := text.Decode(file)
			if err != nil || doc.Encoding().Name() != v.Encoding || doc.Text() != v.Text(0, 5) {
				t.Errorf("%s: decoded as %v %q, %v", name, doc.Encoding(), doc.Text(), err)
				continue
			}
			found, err := Replace(doc.Bytes(), e.Old, e.New)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			got, err := doc.Splice(found.Start, found.End, string(found.New))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if string(got) != want {
				t.Errorf("%s: got\n%q, want\n%q", name, got, want)
			}
			if after, err := text.Decode(got); err != nil || after.Encoding().Name() != v.Encoding {
				t.Errorf("%s: after it the file is taken for %v, %v", name, after.Encoding(), err)
			}
			if !bytes.Equal(file, kept) {
				t.Errorf("%s: the file's bytes in memory changed", name)
			}
		}
	}
	if count < 100 {
		t.Errorf("%d edits, want at least 20 encodings by 5", count)
	}
	t.Logf("%d variants, %d edits compared byte for byte", len(texttest.Variants), count)
}
