package workspace

import (
	"math/bits"
	"strings"
)

// A wild is a pattern of a .gitignore, as git's own matcher reads it. Matching
// takes time in proportion to the text, whatever the pattern is.
type wild []wildPart

// A wildPart is one step of a pattern.
type wildPart struct {
	kind wildKind
	char byte       // one
	set  *[256]bool // class
}

type wildKind uint8

const (
	one     wildKind = iota // this byte
	any                     // any byte but a slash
	class                   // a byte of the set
	star                    // any number of bytes but slashes
	deep                    // any number of bytes
	entry                   // "**/": nothing, or what the next part takes
	folders                 // any number of bytes and a slash
)

// newWild reads a pattern. whole says that a slash is like any other byte: the
// text is one name. ok is false for a pattern that matches nothing: a bracket
// is not closed, or a backslash is last.
func newWild(pattern string, whole, fold bool) (w wild, ok bool) {
	for n := 0; n < len(pattern); n++ {
		switch c := pattern[n]; c {
		case '\\':
			if n++; n == len(pattern) {
				return nil, false
			}
			w = append(w, wildPart{kind: one, char: folded(pattern[n], fold)})
		case '?':
			w = append(w, wildPart{kind: any})
		case '[':
			set, next, ok := bracket(pattern, n+1, fold)
			if !ok {
				return nil, false
			}
			if !whole {
				set['/'] = false
			}
			w = append(w, wildPart{kind: class, set: set})
			n = next
		case '*':
			n = w.stars(pattern, n, whole)
		default:
			w = append(w, wildPart{kind: one, char: folded(c, fold)})
		}
	}
	return w, true
}

// stars adds the stars that begin at n and returns where the pattern was read
// to. Two or more mean more than one only when they are a part of the path by
// themselves.
func (w *wild) stars(pattern string, n int, whole bool) int {
	end := n + len(pattern[n:]) - len(strings.TrimLeft(pattern[n:], "*"))
	rest := pattern[end:]
	alone := (n == 0 || pattern[n-1] == '/') && (rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`))
	switch {
	case whole:
		*w = append(*w, wildPart{kind: deep})
	case end-n == 1 || !alone:
		*w = append(*w, wildPart{kind: star})
	case rest != "" && rest[0] == '/':
		*w = append(*w, wildPart{kind: entry}, wildPart{kind: folders})
		return end
	default:
		*w = append(*w, wildPart{kind: deep})
	}
	return end - 1
}

// folded is a letter in lower case, when case does not count.
func folded(c byte, fold bool) byte {
	if fold && 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// bracket reads a set that begins behind its bracket and returns where the
// closing one is.
func bracket(p string, n int, fold bool) (set *[256]bool, end int, ok bool) {
	set = new([256]bool)
	negated := n < len(p) && (p[n] == '!' || p[n] == '^')
	if negated {
		n++
	}
	low := byte(0) // a range may begin here; 0: none
	for first := true; first || n < len(p) && p[n] != ']'; first = false {
		if n >= len(p) {
			return nil, 0, false
		}
		c, plain := p[n], true
		switch {
		case c == '[' && n+1 < len(p) && p[n+1] == ':':
			to, named := namedClass(p, n+2, set, fold)
			if to < 0 {
				return nil, 0, false
			}
			if named {
				n, plain = to, false
			}
		case c == '-' && low != 0 && n+1 < len(p) && p[n+1] != ']':
			if n++; p[n] == '\\' {
				n++
			}
			if n >= len(p) {
				return nil, 0, false
			}
			addRange(set, low, p[n], fold)
			plain = false
		case c == '\\':
			if n++; n >= len(p) {
				return nil, 0, false
			}
			c = p[n]
		}
		low = 0
		if plain {
			set[c], low = true, c
		}
		n++
	}
	if n >= len(p) {
		return nil, 0, false
	}
	// When case does not count, a name's letters are looked up in lower case.
	for c := range set {
		set[c] = set[c] != negated
	}
	return set, n, true
}

func addRange(set *[256]bool, low, high byte, fold bool) {
	for c := range set {
		in := byte(c) >= low && byte(c) <= high
		if upper := byte(c) - ('a' - 'A'); fold && 'a' <= c && c <= 'z' {
			in = in || upper >= low && upper <= high
		}
		set[c] = set[c] || in
	}
}

// namedClasses are the sets that have a name, like [:digit:].
var namedClasses = map[string]func(c byte) bool{
	"alnum":  func(c byte) bool { return isDigit(c) || isLetter(c) },
	"alpha":  isLetter,
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < ' ' || c == 0x7f },
	"digit":  isDigit,
	"graph":  func(c byte) bool { return c > ' ' && c < 0x7f },
	"lower":  func(c byte) bool { return 'a' <= c && c <= 'z' },
	"print":  func(c byte) bool { return c >= ' ' && c < 0x7f },
	"punct":  func(c byte) bool { return c > ' ' && c < 0x7f && !isDigit(c) && !isLetter(c) },
	"space":  func(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' },
	"upper":  func(c byte) bool { return 'A' <= c && c <= 'Z' },
	"xdigit": func(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' },
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// namedClass adds the class whose name begins at n, and returns where its last
// bracket is: -1 when the pattern is not valid. named is false when it is no
// class at all but a bracket among the others.
func namedClass(p string, n int, set *[256]bool, fold bool) (end int, named bool) {
	size := strings.IndexByte(p[n:], ']')
	if size < 0 {
		return -1, false
	}
	if size == 0 || p[n+size-1] != ':' {
		return 0, false
	}
	name := p[n : n+size-1]
	in, ok := namedClasses[name]
	if !ok {
		return -1, false
	}
	for c := range set {
		set[c] = set[c] || in(byte(c)) || fold && name == "upper" && namedClasses["lower"](byte(c))
	}
	return n + size, true
}

// maxSmall is how many steps a pattern may have to be matched without asking
// for memory.
const maxSmall = 255

// match says whether the pattern matches all of text: it keeps the set of
// steps that the text so far may lead to.
func (w wild) match(text string, fold bool) bool {
	if !w.mayEnd(text, fold) {
		return false
	}
	var small [2][(maxSmall + 1) / 64]uint64
	now, next := small[0][:], small[1][:]
	if len(w) > maxSmall {
		now, next = make([]uint64, len(w)/64+1), make([]uint64, len(w)/64+1)
	}
	words := len(w)/64 + 1
	now, next = now[:words], next[:words]
	w.reach(now, 0)
	for n := range len(text) {
		c := folded(text[n], fold)
		clear(next)
		alive := false
		for word, set := range now {
			for ; set != 0; set &= set - 1 {
				if step := word*64 + bits.TrailingZeros64(set); step < len(w) && w.take(next, step, c) {
					alive = true
				}
			}
		}
		if !alive {
			return false
		}
		now, next = next, now
	}
	return now[len(w)/64]>>(len(w)%64)&1 == 1
}

// mayEnd looks at the last byte, which tells most names.
func (w wild) mayEnd(text string, fold bool) bool {
	if len(w) == 0 || text == "" {
		return true
	}
	c := folded(text[len(text)-1], fold)
	switch last := w[len(w)-1]; last.kind {
	case one:
		return last.char == c
	case class:
		return last.set[c]
	case any, star, deep, entry, folders:
	}
	return true
}

// take adds to set where the byte c leads from step, and says whether it leads
// anywhere.
func (w wild) take(set []uint64, step int, c byte) bool {
	part := w[step]
	switch part.kind {
	case one:
		if c != part.char {
			return false
		}
	case any:
		if c == '/' {
			return false
		}
	case class:
		if !part.set[c] {
			return false
		}
	case star, deep:
		if part.kind == star && c == '/' {
			return false
		}
		w.reach(set, step)
		return true
	case folders:
		set[step/64] |= 1 << (step % 64)
		if c != '/' {
			return true
		}
	case entry:
		return false
	}
	w.reach(set, step+1)
	return true
}

// reach adds step, and all that can be reached from it without a byte.
func (w wild) reach(set []uint64, step int) {
	for {
		set[step/64] |= 1 << (step % 64)
		if step == len(w) {
			return
		}
		switch w[step].kind {
		case star, deep:
			step++
		case entry:
			set[(step+1)/64] |= 1 << ((step + 1) % 64)
			step += 2
		case one, any, class, folders:
			return
		}
	}
}
