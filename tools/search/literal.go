package search

import (
	"bytes"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A literal is a text that every match of a pattern has in it.
type literal struct {
	text       string // in lower case, when fold is set
	fold       bool   // upper and lower case are the same; only ASCII then
	rare       int    // where in text its rarest byte is
	low, upper byte   // that byte; both the same unless it is a letter and fold is set
}

// common are the bytes of source code and prose, the most frequent first.
const common = " etrn\taios\nl0cdufpmhg,.()b\"/=1_:2-S;ET'Avy{}RwCOk3I4PDMxLNFBV56789U[]*GHWz!Y&+<>jKXq`|$\\%#?@QJZ^~\r"

// rarity is how rare a byte is: the larger, the rarer.
func rarity(c byte) int {
	if n := strings.IndexByte(common, c); n >= 0 {
		return n
	}
	return len(common)
}

// alone is how rare the only byte of a literal must be to be worth looking for.
var alone = rarity('_')

func newLiteral(text string, fold bool) *literal {
	l := &literal{text: text, fold: fold}
	best := -1
	for n := range len(text) {
		rare := rarity(text[n])
		if up := upperOf(text[n]); fold && up != text[n] {
			rare = min(rare, rarity(up))
		}
		if rare > best {
			best, l.rare = rare, n
		}
	}
	l.low = text[l.rare]
	l.upper = l.low
	if fold {
		l.upper = upperOf(l.low)
	}
	return l
}

func (l *literal) rarity() int { return rarity(l.low) }

func upperOf(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - ('a' - 'A')
	}
	return c
}

// index is where the literal begins in b, from a place on; -1: nowhere.
func (l *literal) index(b []byte, from int) int {
	for at := from + l.rare; at < len(b); at++ {
		next := bytes.IndexByte(b[at:], l.low)
		if l.upper != l.low {
			window := b[at:]
			if next >= 0 {
				window = window[:next]
			}
			if up := bytes.IndexByte(window, l.upper); up >= 0 {
				next = up
			}
		}
		if next < 0 {
			return -1
		}
		at += next
		if begin := at - l.rare; l.is(b[begin:]) {
			return begin
		}
	}
	return -1
}

// is says whether b begins with the literal.
func (l *literal) is(b []byte) bool {
	if len(b) < len(l.text) {
		return false
	}
	if !l.fold {
		return string(b[:len(l.text)]) == l.text
	}
	for n := range len(l.text) {
		if c := l.text[n]; b[n] != c && b[n] != upperOf(c) {
			return false
		}
	}
	return true
}

// required picks, of the literals that every match has in it, the one that is
// found fastest. exact says that the expression is that literal.
func required(re *syntax.Regexp) (best *literal, exact bool) {
	for re.Op == syntax.OpCapture {
		re = re.Sub[0]
	}
	for _, l := range literals(re) {
		if len(l.text) == 1 && l.rarity() < alone && re.Op != syntax.OpLiteral {
			continue
		}
		if best == nil || l.better(best) {
			best = l
		}
	}
	exact = best != nil && re.Op == syntax.OpLiteral && len(best.text) == len(string(re.Rune))
	return best, exact
}

// better says which of two literals is rarer: a single byte is worth less than
// its rarity says, since nothing else is there to compare.
func (l *literal) better(o *literal) bool {
	if (len(l.text) == 1) != (len(o.text) == 1) {
		return len(l.text) > 1
	}
	return l.rarity() > o.rarity()
}

// literals lists literals of which every match has each.
func literals(re *syntax.Regexp) []*literal {
	switch re.Op {
	case syntax.OpLiteral:
		return pieces(re.Rune, re.Flags&syntax.FoldCase != 0)
	case syntax.OpCapture, syntax.OpPlus:
		return literals(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return literals(re.Sub[0])
		}
	case syntax.OpConcat:
		var all []*literal
		for _, sub := range re.Sub {
			all = append(all, literals(sub)...)
		}
		return all
	}
	return nil
}

// pieces cuts a literal where bytes do not tell what matches: at the character
// that stands for bytes that are none, and, when case does not count, at those
// that have more than two forms or are not ASCII.
func pieces(runes []rune, fold bool) []*literal {
	var all []*literal
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			all = append(all, newLiteral(b.String(), fold))
		}
		b.Reset()
	}
	for _, r := range runes {
		if r == utf8.RuneError || fold && (r >= utf8.RuneSelf || strings.ContainsRune("ksKS", r)) {
			flush()
			continue
		}
		if fold {
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	flush()
	return all
}
