package patch

import (
	"strings"

	"aye/tools/text"
)

// seek is [file.place] of a hunk, and the hunk as the file has it: a line whose
// bytes are no text is shown to a model as \xNN, and so it comes back.
func (f *file) seek(h Hunk) (is Hunk, at int, p pass, miss *Miss) {
	at, p, miss = f.place(h)
	if miss == nil || !strings.Contains(strings.Join(h.old(), "\n"), `\x`) {
		return h, at, p, miss
	}
	if _, ok := f.index(twins).number(h.old()); ok {
		return h, at, p, miss // its lines are there as they stand
	}
	raw, differs := h.unshown(f.body)
	if !differs {
		return h, at, p, miss
	}
	if at, p, miss := f.place(raw); miss == nil {
		return raw, at, p, nil
	}
	return h, at, p, miss
}

// unshown is the hunk with the bytes for which \xNN stands in body. In what it
// adds only those are meant that are in its old lines too.
func (h Hunk) unshown(body []byte) (raw Hunk, differs bool) {
	raw = h
	raw.Lines = append([]Line(nil), h.Lines...)
	raw.Headers = append([]string(nil), h.Headers...)
	for n := range raw.Headers {
		raw.Headers[n] = text.Unshow(raw.Headers[n], body)
	}
	for n, line := range raw.Lines {
		if line.Op != '+' {
			raw.Lines[n].Text = text.Unshow(line.Text, body)
			differs = differs || raw.Lines[n].Text != line.Text
		}
	}
	old := []byte(strings.Join(raw.old(), "\n"))
	for n, line := range raw.Lines {
		if line.Op == '+' {
			raw.Lines[n].Text = text.Unshow(line.Text, old)
		}
	}
	return raw, differs
}
