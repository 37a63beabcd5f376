package search

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A literal is a text that every match of a pattern has in it.
type literal struct {
	text   string // in lower case, when fold is set
	fold   bool   // upper and lower case are the same; only ASCII then
	rare   int    // where in text its rarest byte is
	second int    // and the rarest of the others
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

// single is how rare a byte must be to be looked for by itself.
var single = rarity('g')

func newLiteral(text string, fold bool) *literal {
	l := &literal{text: text, fold: fold}
	for n := range len(text) {
		if l.rarityAt(n) > l.rarityAt(l.rare) {
			l.rare = n
		}
	}
	if l.rare == 0 && len(text) > 1 {
		l.second = 1
	}
	for n := range len(text) {
		if n != l.rare && l.rarityAt(n) > l.rarityAt(l.second) {
			l.second = n
		}
	}
	return l
}

// rarityAt is the rarity of one byte of the text, in any of its forms.
func (l *literal) rarityAt(n int) int {
	if l.fold {
		return min(rarity(l.text[n]), rarity(upperOf(l.text[n])))
	}
	return rarity(l.text[n])
}

func (l *literal) rarity() int { return l.rarityAt(l.rare) }

func upperOf(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - ('a' - 'A')
	}
	return c
}

// A seeker finds the places of a literal in one text, from left to right. It
// passes over the text once, however often it is asked.
type seeker struct {
	l  *literal
	at int // the first place at or behind those asked for so far
}

// seek returns the first place at or behind from where the literal is, len(b)
// when there is none.
func (s *seeker) seek(b []byte, from int) int {
	rare := s.l.text[s.l.rare]
	oneForm := !s.l.fold || upperOf(rare) == rare
	switch {
	case s.at >= from:
	case oneForm && (s.l.rarity() >= single || len(s.l.text) == 1):
		s.at = s.l.byRarest(b, from)
	default:
		s.at = s.l.inPairs(b, from)
	}
	return s.at
}

// byRarest goes from one rare byte to the next.
func (l *literal) byRarest(b []byte, from int) int {
	for at := from + l.rare; at < len(b); at++ {
		n := bytes.IndexByte(b[at:], l.text[l.rare])
		if n < 0 {
			break
		}
		if at += n; l.is(b[at-l.rare:]) {
			return at - l.rare
		}
	}
	return len(b)
}

const (
	lows  = 0x0101010101010101
	highs = 0x8080808080808080
)

// inPairs looks at sixteen places at a time for two bytes of the literal, each
// where it has to be. Its time hardly depends on how frequent they are.
func (l *literal) inPairs(b []byte, from int) int {
	one, oneCase := l.eightfold(l.rare)
	two, twoCase := l.eightfold(l.second)
	at := from
	if last := len(b) - max(l.rare, l.second) - 16; at <= last {
		ones, twos := b[l.rare:], b[l.second:]
		for ; at <= last; at += 16 {
			// A byte of x and y is zero where both are as they should be.
			p, q := ones[at:at+16:at+16], twos[at:at+16:at+16]
			x := (binary.LittleEndian.Uint64(p) | oneCase) ^ one | (binary.LittleEndian.Uint64(q) | twoCase) ^ two
			y := (binary.LittleEndian.Uint64(p[8:]) | oneCase) ^ one | (binary.LittleEndian.Uint64(q[8:]) | twoCase) ^ two
			x, y = (x-lows)&^x&highs, (y-lows)&^y&highs
			if x|y == 0 {
				continue
			}
			if n := l.firstOf(b, at, x); n >= 0 {
				return n
			}
			if n := l.firstOf(b, at+8, y); n >= 0 {
				return n
			}
		}
	}
	for ; at+len(l.text) <= len(b); at++ {
		if l.is(b[at:]) {
			return at
		}
	}
	return len(b)
}

// firstOf looks at the places behind at that hits has a bit for.
func (l *literal) firstOf(b []byte, at int, hits uint64) int {
	for ; hits != 0; hits &= hits - 1 {
		if n := at + bits.TrailingZeros64(hits)/8; l.is(b[n:]) {
			return n
		}
	}
	return -1
}

// eightfold is a byte of the text eight times, and the bits that make either
// case of it that byte.
func (l *literal) eightfold(n int) (same, either uint64) {
	c := l.text[n]
	if l.fold && upperOf(c) != c {
		either = lows * 0x20
	}
	return lows * uint64(c), either
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

// A need is some literals of which every match has one.
type need []*literal

// maxNeed is how many literals are worth looking for at the same time.
const maxNeed = 6

// cost is how much is looked at in vain, more or less.
func (n need) cost() (cost int) {
	for _, l := range n {
		one := 1 + 2000/(10+l.rarity())
		if len(l.text) == 1 { // nothing else is there to compare
			one *= 5
		}
		cost += one
	}
	return cost
}

// dear is the cost from which on looking for literals does not pay.
var dear = need{newLiteral("_", false)}.cost() + 1

// required picks what is found fastest of what every match needs. exact says
// that the expression is that literal.
func required(re *syntax.Regexp) (best need, exact bool) {
	for re.Op == syntax.OpCapture {
		re = re.Sub[0]
	}
	best = cheapest(re)
	exact = len(best) == 1 && re.Op == syntax.OpLiteral && len(best[0].text) == len(string(re.Rune))
	if !exact && best.cost() > dear {
		return nil, false
	}
	return best, exact
}

func cheapest(re *syntax.Regexp) (best need) {
	for _, n := range needs(re) {
		if best == nil || n.cost() < best.cost() {
			best = n
		}
	}
	return best
}

// needs lists what every match has in it.
func needs(re *syntax.Regexp) (all []need) {
	switch re.Op {
	case syntax.OpLiteral:
		for _, l := range pieces(re.Rune, re.Flags&syntax.FoldCase != 0) {
			all = append(all, need{l})
		}
	case syntax.OpCapture, syntax.OpPlus:
		return needs(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needs(re.Sub[0])
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			all = append(all, needs(sub)...)
		}
	case syntax.OpAlternate:
		var any need
		for _, sub := range re.Sub {
			one := cheapest(sub)
			if any = append(any, one...); one == nil || len(any) > maxNeed {
				return nil
			}
		}
		return []need{any}
	}
	return all
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
