package search

import (
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// A program is a compiled expression with the characters sorted into classes:
// those of one class all lead to the same places.
type program struct {
	inst    []syntax.Inst
	start   uint32
	ascii   [utf8.RuneSelf]uint16 // the class of each ASCII character
	bounds  []rune                // where ranges of one class begin, ascending
	class   []uint16              // of each range
	example []rune                // one character of each class
	ends    uint16                // the class of line ends
	words   bool                  // the expression looks at the edges of words
	begins  bool                  // or at beginnings of lines
	wide    bool                  // characters that are not ASCII are told from each other
}

// maxWork bounds what sorting characters into classes may take.
const maxWork = 20_000_000

// newProgram is nil for an expression that is too large.
func newProgram(compiled *syntax.Prog) *program {
	p := &program{inst: compiled.Inst, start: uint32(compiled.Start)}
	var tests []*syntax.Inst // that a character can pass
	seen := make(map[string]bool)
	for n := range p.inst {
		inst := &p.inst[n]
		switch inst.Op {
		case syntax.InstEmptyWidth:
			p.see(syntax.EmptyOp(inst.Arg))
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			if key := string(rune(inst.Op)) + string(rune(inst.Arg)) + string(inst.Rune); !seen[key] {
				seen[key] = true
				tests = append(tests, inst)
			}
		}
	}
	p.bounds = boundsOf(tests)
	if len(p.bounds)*len(tests) > maxWork {
		return nil
	}
	known := make(map[string]uint16)
	key := make([]byte, 1+(len(tests)+7)/8)
	for _, low := range p.bounds {
		clear(key)
		switch {
		case isEnd(low):
			key[0] = 1
		case p.words && syntax.IsWordChar(low):
			key[0] = 2
		}
		for n, test := range tests {
			if test.MatchRune(low) {
				key[1+n/8] |= 1 << (n % 8)
			}
		}
		class, ok := known[string(key)]
		if !ok {
			class = uint16(len(known))
			known[string(key)] = class
			p.example = append(p.example, low)
		}
		p.class = append(p.class, class)
	}
	for _, low := range p.bounds {
		p.wide = p.wide || low >= utf8.RuneSelf && p.classOf(low) != p.classOf(unicode.MaxRune)
	}
	for c := range p.ascii {
		p.ascii[c] = p.classOf(rune(c))
	}
	p.ends = p.ascii['\n']
	return p
}

func (p *program) see(op syntax.EmptyOp) {
	p.words = p.words || op&(syntax.EmptyWordBoundary|syntax.EmptyNoWordBoundary) != 0
	p.begins = p.begins || op&(syntax.EmptyBeginLine|syntax.EmptyBeginText) != 0
}

// boundsOf is where the characters begin that tests may treat otherwise than
// those before them.
func boundsOf(tests []*syntax.Inst) []rune {
	bounds := []rune{0, '\n', '\n' + 1, '\r', '\r' + 1, '0', '9' + 1, 'A', 'Z' + 1, '_', '_' + 1, 'a', 'z' + 1}
	for _, test := range tests {
		if len(test.Rune) == 1 { // also its other cases, perhaps
			bounds = append(bounds, test.Rune[0], test.Rune[0]+1)
			for r := unicode.SimpleFold(test.Rune[0]); r != test.Rune[0]; r = unicode.SimpleFold(r) {
				bounds = append(bounds, r, r+1)
			}
			continue
		}
		for n := 0; n+1 < len(test.Rune); n += 2 {
			bounds = append(bounds, test.Rune[n], test.Rune[n+1]+1)
		}
	}
	slices.Sort(bounds)
	return slices.Compact(bounds)
}

// classOf is the class of any character.
func (p *program) classOf(r rune) uint16 {
	n, found := slices.BinarySearch(p.bounds, r)
	if !found {
		n--
	}
	return p.class[n]
}

// matchesNothing says whether an empty match is found everywhere.
func (p *program) matchesNothing() bool {
	c := newClosure(p)
	return c.from([]uint32{p.start}, 0)
}

// A closure follows a program's steps that take no character.
type closure struct {
	p     *program
	stamp []uint32 // the round in which a step was met
	round uint32
	stack []uint32
	met   []uint32 // steps that take a character, or wait at an edge
}

func newClosure(p *program) *closure {
	return &closure{p: p, stamp: make([]uint32, len(p.inst))}
}

// begin forgets what was met.
func (c *closure) begin() {
	c.round++
	c.met = c.met[:0]
}

// from follows steps whose edges hold as flags says, and returns whether the
// expression has matched. met has the steps at which more is asked for.
func (c *closure) from(steps []uint32, flags syntax.EmptyOp) (matched bool) {
	c.begin()
	for _, step := range steps {
		if c.follow(step, flags) {
			return true
		}
	}
	return false
}

func (c *closure) follow(step uint32, flags syntax.EmptyOp) (matched bool) {
	c.stack = append(c.stack[:0], step)
	for len(c.stack) > 0 {
		step := c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		if c.stamp[step] == c.round {
			continue
		}
		c.stamp[step] = c.round
		switch inst := &c.p.inst[step]; inst.Op {
		case syntax.InstMatch:
			return true
		case syntax.InstAlt, syntax.InstAltMatch:
			c.stack = append(c.stack, inst.Arg, inst.Out)
		case syntax.InstCapture, syntax.InstNop:
			c.stack = append(c.stack, inst.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^flags == 0 {
				c.stack = append(c.stack, inst.Out)
			} else {
				c.met = append(c.met, step)
			}
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			c.met = append(c.met, step)
		case syntax.InstFail:
		}
	}
	return false
}
