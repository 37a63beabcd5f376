package text

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// A Doc is a text file, decoded. It is immutable; the zero Doc is an empty
// file in UTF-8.
type Doc struct {
	enc   Encoding
	raw   []byte
	text  []byte  // shares raw's memory where that is UTF-8
	marks []place // every so often; none for UTF-8
	stray bool    // there are bytes in it that are no characters
}

// A place is one boundary between characters, in the text and in the file.
type place struct{ text, raw int }

// between is how many bytes of the file are between the marks of a Doc, about.
const between = 512

// Decode decodes the whole content b of a file, which must not be changed
// after. The error completes a sentence that begins with the file's name.
func Decode(b []byte) (Doc, error) {
	enc, err := Detect(b, true)
	if err != nil {
		return Doc{}, err
	}
	return decodeAs(b, enc)
}

// AsUTF8 is a Doc of b, whatever is in it, in UTF-8.
func AsUTF8(b []byte) Doc {
	_, bom := TrimBOM(b)
	d, _ := decodeAs(b, Encoding{bom: bom})
	return d
}

// DecodeLike is Decode for what is to replace d's file: where its encoding can
// only be inferred, it is taken to be d's if it can be.
func (d Doc) DecodeLike(b []byte) (Doc, error) {
	enc, err := Detect(b, true)
	if err != nil {
		return Doc{}, err
	}
	certain := enc.bom || enc.form == formUTF8 && firstHigh(b) < len(b) && utf8.Valid(b)
	if !certain && !d.enc.bom && enc != d.enc {
		if like, err := decodeAs(b, d.enc); err == nil && (d.stray || !like.stray) {
			return like, nil
		}
	}
	return decodeAs(b, enc)
}

// decodeAs decodes b in an encoding.
func decodeAs(b []byte, enc Encoding) (Doc, error) {
	d := Doc{enc: enc, raw: b}
	at := len(enc.mark())
	if enc.form == formUTF8 {
		d.text = b[at:]
		d.stray = !utf8.Valid(d.text)
		return d, nil
	}
	d.text = make([]byte, 0, len(b)+len(b)/2)
	for at < len(b) {
		d.marks = append(d.marks, place{len(d.text), at})
		part := b[at:min(len(b), at+between)]
		var used, wrong int
		d.text, used, wrong = enc.appendText(d.text, part, at+len(part) == len(b))
		if wrong > 0 && enc.legacy() == nil {
			return Doc{}, &NotText{"broken " + enc.Name(), fmt.Sprintf("half a character near byte %d", at)}
		}
		d.stray = d.stray || wrong > 0
		at += used
	}
	return d, nil
}

// Encoding is how the file is encoded.
func (d Doc) Encoding() Encoding { return d.enc }

// Text is the file's text in UTF-8, without the byte order mark. Bytes that
// are no characters are in it as they are: Show shows them.
func (d Doc) Text() string { return string(d.text) }

// Bytes is Text, not to be changed.
func (d Doc) Bytes() []byte { return d.text }

// Splice is the file with Text[start:end] replaced by new. Every byte outside
// is the file's own. It fails when new has what the encoding has not.
func (d Doc) Splice(start, end int, new string) ([]byte, error) {
	return d.SpliceAll([]Edit{{start, end, []byte(new)}})
}

// Encode is a whole new content for the file, in its encoding and with its
// byte order mark. What Text and s have in common at the beginning and at the
// end keeps its bytes.
func (d Doc) Encode(s string) ([]byte, error) {
	if d.enc.bom && !bytes.HasPrefix(d.text, []byte(BOM)) { // some files have two
		s = strings.TrimPrefix(s, BOM)
	}
	next := []byte(s)
	head, shorter := 0, min(len(next), len(d.text))
	for head < shorter && next[head] == d.text[head] {
		head++
	}
	for !boundary(next, head) || !boundary(d.text, head) {
		head--
	}
	tail := 0
	for tail < shorter-head && next[len(next)-1-tail] == d.text[len(d.text)-1-tail] {
		tail++
	}
	for !boundary(next, len(next)-tail) || !boundary(d.text, len(d.text)-tail) {
		tail--
	}
	return d.Splice(head, len(d.text)-tail, s[head:len(s)-tail])
}

// boundary says whether a place in b is not inside a character.
func boundary(b []byte, at int) bool {
	for n := 1; n < utf8.UTFMax && n <= at && at < len(b); n++ {
		if utf8.RuneStart(b[at-n]) {
			_, size := utf8.DecodeRune(b[at-n:])
			return size <= n
		}
	}
	return true
}

// origin is where a place in the text is in the file.
func (d Doc) origin(at int) (int, error) {
	if !boundary(d.text, at) {
		return 0, fmt.Errorf("place %d is inside a character", at)
	}
	if d.enc.form == formUTF8 {
		return len(d.enc.mark()) + at, nil
	}
	if at == len(d.text) {
		return len(d.raw), nil
	}
	n := sort.Search(len(d.marks), func(n int) bool { return d.marks[n].text > at })
	p := d.marks[n-1]
	for p.text < at {
		r, n := d.enc.next(d.raw[p.raw:])
		if r == bad {
			p.text++
		} else {
			p.text += utf8.RuneLen(r)
		}
		p.raw += max(1, n)
	}
	if p.text != at {
		return 0, fmt.Errorf("place %d is inside a character", at)
	}
	return p.raw, nil
}
