package term

import (
	"strings"
	"unicode"
)

// hiddenRunes take no ink: a reader cannot see that they are there, or they
// change how their neighbours are drawn. What is fine in some places (joiners
// in emoji, one variation selector, blanks of CJK text) is decided in
// isHidden and by Clean, not here.
var hiddenRunes = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x00a0, 0x00a0, 1}, // no-break space
		{0x00ad, 0x00ad, 1}, // soft hyphen
		{0x034f, 0x034f, 1}, // combining grapheme joiner
		{0x061c, 0x061c, 1}, // Arabic letter mark
		{0x115f, 0x1160, 1}, // Hangul fillers
		{0x1680, 0x1680, 1}, // Ogham space
		{0x17b4, 0x17b5, 1}, // Khmer inherent vowels
		{0x180b, 0x180f, 1}, // Mongolian selectors and vowel separator
		{0x2000, 0x200f, 1}, // blanks of many widths, zero-width ones, marks
		{0x2028, 0x202f, 1}, // line and paragraph separator, bidi, narrow space
		{0x205f, 0x206f, 1}, // mathematical space, joiners, isolates, deprecated
		{0x2800, 0x2800, 1}, // Braille blank
		{0x3000, 0x3000, 1}, // ideographic space
		{0x3164, 0x3164, 1}, // Hangul filler
		{0xfdd0, 0xfdef, 1}, // no characters at all
		{0xfe00, 0xfe0f, 1}, // variation selectors
		{0xfeff, 0xfeff, 1}, // byte order mark
		{0xffa0, 0xffa0, 1}, // half-width Hangul filler
		{0xfff0, 0xfffb, 1}, // specials, interlinear annotation
		{0xfffe, 0xffff, 1}, // no characters at all
	},
	R32: []unicode.Range32{
		{0x13430, 0x1343f, 1}, // hieroglyph format controls
		{0x1bca0, 0x1bca3, 1}, // shorthand format controls
		{0x1d173, 0x1d17a, 1}, // musical format controls
		{0xe0000, 0xe0fff, 1}, // tags, more variation selectors
	},
	LatinOffset: 2,
}

// lookAlikes are letters of other scripts that pass for Latin ones; shown
// only inside a word that has Latin letters too.
const lookAlikes = "асеорухіјѕһԁԛԝӏАВЕКМНОРСТХІЈЅ" + "ονΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"

// falseSigns pass for characters a shell or a path gives a meaning to; shown
// only where no CJK text is around them.
const falseSigns = "\u037e\u01c0\u01c3\u2044\u2215\u2223\u2236\u29f8"

func isBidi(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

func isTag(r rune) bool { return r >= 0xe0000 && r <= 0xe007f }

func isSelector(r rune) bool {
	return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef
}

// isControl reports C0, DEL and C1.
func isControl(r rune) bool { return r < 0x20 || r >= 0x7f && r <= 0x9f }

func isMark(r rune) bool {
	return r >= 0x300 && (unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r)) && !unicode.Is(hiddenRunes, r)
}

// isEmoji is wide on purpose: it decides only whether a joiner may stay.
func isEmoji(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2190 && r <= 0x2bff || strings.ContainsRune("©®‼⁉™ℹ〰〽\ufe0f", r)
}

// isCJK reports scripts written without blanks, their punctuation included.
func isCJK(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xa960 && r <= 0xa97f, r >= 0xac00 && r <= 0xd7ff,
		r >= 0xf900 && r <= 0xfaff, r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xffef,
		r >= 0x1b000 && r <= 0x1b2ff, r >= 0x20000 && r <= 0x3fffd:
		return true
	}
	return false
}

// isPlainWide reports the bulk of CJK text: two cells each, nothing special.
func isPlainWide(r rune) bool {
	return r >= 0x3400 && r <= 0x4dbf || r >= 0x4e00 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7a3
}

// isFullwidth reports the wide forms of ASCII.
func isFullwidth(r rune) bool { return r >= 0xff01 && r <= 0xff5e }
