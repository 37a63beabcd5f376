package text

import "io"

// A Decoder is the text of a stream in UTF-8, without the byte order mark, in
// memory that does not depend on the stream. It is for one goroutine.
//
// It decides on an encoding as Detect does, from the same bytes. What later
// turns out to be no character in that encoding stays the bytes it is, as in
// a Doc; in UTF-16 it becomes U+FFFD, where Decode fails.
type Decoder struct {
	r    io.Reader
	full []byte // room for in
	in   []byte // what was read and not decoded
	out  []byte // what was decoded and not given away
	room []byte // for out
	err  error  // what r said last
	enc  Encoding
	set  bool // enc is decided; until then all was ASCII
	last byte // the last byte that left in
}

// NewDecoder reads the beginning of r. What is no text is an error that
// completes a sentence which begins with the file's name; an error of r comes
// from Read.
func NewDecoder(r io.Reader) (*Decoder, error) {
	d := &Decoder{r: r, full: make([]byte, chunk), last: '\n'}
	d.fill(SniffLen)
	var err error
	if d.enc, d.set, err = opening(d.in, d.err == io.EOF); err != nil {
		return nil, err
	}
	d.in = d.in[len(d.enc.mark()):]
	return d, nil
}

// Encoding is what has been found so far: as long as all is ASCII, UTF-8.
func (d *Decoder) Encoding() Encoding { return d.enc }

// fill reads until there are n bytes in in, or no more.
func (d *Decoder) fill(n int) {
	if len(d.in) < n && d.err == nil {
		d.in = d.full[:copy(d.full, d.in)]
	}
	for len(d.in) < n && d.err == nil {
		var m int
		m, d.err = d.r.Read(d.full[len(d.in):])
		d.in = d.full[:len(d.in)+m]
	}
}

// Read reads text. A character may be cut at the end of p.
func (d *Decoder) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for len(d.out) == 0 {
		if d.fill(1); len(d.in) == 0 {
			return 0, d.err
		}
		if d.enc.form == formUTF8 && (d.set || d.in[0] < 0x80) {
			return d.pass(p), nil
		}
		if d.set {
			d.decode()
			continue
		}
		d.fill(sampleLen)
		sample := d.in[:min(len(d.in), sampleLen)]
		d.enc, d.set = judge(sample, d.last, len(sample) < sampleLen), true
	}
	n := copy(p, d.out)
	d.out = d.out[n:]
	return n, nil
}

// pass gives bytes away as they are, only ASCII while nothing is decided.
func (d *Decoder) pass(p []byte) int {
	b := d.in[:min(len(d.in), len(p))]
	if !d.set {
		b = b[:firstHigh(b)]
	}
	n := copy(p, b)
	d.last, d.in = b[n-1], d.in[n:]
	return n
}

// decode decodes what is in in, but for a character that goes on behind it.
func (d *Decoder) decode() {
	d.fill(longest)
	var used int
	d.room, used, _ = d.enc.appendText(d.room[:0], d.in, d.err != nil)
	d.out, d.in = d.room, d.in[used:]
}

// longest is how long a character can be in any encoding, in bytes.
const longest = 4
