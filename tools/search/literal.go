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

// A seeker finds the places of a literal in one text, from left to right. It
// passes over the text once, however often it is asked.
type seeker struct {
	l     *literal
	at    int // the first place at or behind those asked for so far
	upper int // of the rare byte's other form, the same
}

// seek returns the first place at or behind from where the literal is, len(b)
// when there is none.
func (s *seeker) seek(b []byte, from int) int {
	if s.at >= from {
		return s.at
	}
	l := s.l
	for at := from + l.rare; at < len(b); at++ {
		next := len(b)
		if n := bytes.IndexByte(b[at:], l.low); n >= 0 {
			next = at + n
		}
		if l.upper != l.low {
			if s.upper < at {
				s.upper = len(b)
				if n := bytes.IndexByte(b[at:], l.upper); n >= 0 {
					s.upper = at + n
				}
			}
			next = min(next, s.upper)
		}
		if next == len(b) {
			break
		}
		if l.is(b[next-l.rare:]) {
			s.at = next - l.rare
			return s.at
		}
		at = next
	}
	s.at = len(b)
	return s.at
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
