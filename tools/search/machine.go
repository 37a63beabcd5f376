package search

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// A machine finds lines that match, one table look-up a character. Its states
// are sets of a program's steps; each is made when a text first leads to it.
// It is for one goroutine.
type machine struct {
	p       *program
	width   int32   // of a row: one column a class, and one that says "decode"
	next    []int32 // rows; where each class leads, or one of the signs below
	columns [256]uint8
	states  []state
	index   map[string]int32
	stay    [256]bool // bytes that leave the first state as it is
	stop    func() bool
	held    int // steps of all states
	made    int // states, in all
	now     *closure
	then    *closure
	key     []byte
}

// A state is what was met and not yet taken.
type state struct {
	steps []uint32
	edge  edge
}

// An edge is what stands before a state's place, as far as it counts.
type edge uint8

const (
	inside edge = iota
	atBegin
	behindWord
)

// Signs in place of the next state.
const (
	unknown = -1 // not yet made
	matches = -2
	decode  = -3 // no ASCII character
	stopped = -4
)

// Limits of a machine; at either it begins anew. A state of a long expression
// has thousands of steps.
const (
	maxTable = 1 << 19 // entries of its table
	maxHeld  = 1 << 20 // steps of its states
)

// newMachine returns a machine that gives up when stop says so. It is asked
// from time to time.
func newMachine(p *program, stop func() bool) *machine {
	m := &machine{p: p, width: int32(len(p.example)) + 1, stop: stop, now: newClosure(p), then: newClosure(p)}
	narrow := len(p.example) < 256 // else ASCII goes the long way, too
	for c := range m.columns {
		if c < utf8.RuneSelf && narrow && p.ascii[c] < 255 {
			m.columns[c] = uint8(p.ascii[c]) + 1
		}
	}
	m.reset()
	return m
}

// reset forgets all states but the first.
func (m *machine) reset() {
	clear(m.states)
	m.next, m.states, m.index, m.held = m.next[:0], m.states[:0], make(map[string]int32), 0
	first := state{steps: []uint32{m.p.start}}
	if m.p.begins || m.p.words {
		first.edge = atBegin
	}
	m.add(first)
	for c := range m.stay {
		column := m.columns[c]
		m.stay[c] = column > 0 && m.step(0, column) == 0
	}
}

// add makes a state, unless there is one like it.
func (m *machine) add(s state) int32 {
	m.key = append(m.key[:0], byte(s.edge))
	for _, step := range s.steps {
		m.key = binary.LittleEndian.AppendUint32(m.key, step)
	}
	if at, ok := m.index[string(m.key)]; ok {
		return at
	}
	at := int32(len(m.next))
	m.index[string(m.key)] = at
	m.states = append(m.states, state{slices.Clone(s.steps), s.edge})
	m.next = append(m.next, decode)
	for range m.width - 1 {
		m.next = append(m.next, unknown)
	}
	m.held += len(s.steps)
	m.made++
	return at
}

// step makes the next state, and returns it or a sign.
func (m *machine) step(at int32, column uint8) int32 {
	if to := m.next[at+int32(column)]; to != unknown {
		return to
	}
	return m.lead(at, uint16(column)-1)
}

// lead finds where a class leads to from a state.
func (m *machine) lead(at int32, class uint16) int32 {
	slot := at + int32(class) + 1
	if to := m.next[slot]; to != unknown {
		return to
	}
	if m.made%64 == 63 && m.stop() {
		return stopped
	}
	to, ok := m.take(m.states[at/m.width], class)
	if !ok {
		m.next[slot] = matches
		return matches
	}
	if len(m.next) > maxTable || m.held > maxHeld {
		to.steps = slices.Clone(to.steps)
		m.made++
		m.reset()
		return m.add(to)
	}
	next := m.add(to)
	m.next[slot] = next
	return next
}

// take takes one character from a state. ok is false when the expression has
// matched.
func (m *machine) take(s state, class uint16) (to state, ok bool) {
	r := m.p.example[class]
	if m.now.from(s.steps, edges(s.edge, r)) {
		return state{}, false
	}
	if class == m.p.ends {
		return m.states[0], true
	}
	m.then.begin()
	for _, step := range m.now.met {
		inst := &m.p.inst[step]
		if inst.Op != syntax.InstEmptyWidth && inst.MatchRune(r) && m.then.follow(inst.Out, 0) {
			return state{}, false
		}
	}
	to.steps = append(m.then.met, m.p.start)
	slices.Sort(to.steps)
	to.steps = slices.Compact(to.steps)
	m.then.met = to.steps
	if m.p.words && syntax.IsWordChar(r) {
		to.edge = behindWord
	}
	return to, true
}

// edges says what holds between what an edge stands for and r.
func edges(before edge, r rune) (flags syntax.EmptyOp) {
	if before == atBegin {
		flags |= syntax.EmptyBeginLine | syntax.EmptyBeginText
	}
	if isEnd(r) {
		flags |= syntax.EmptyEndLine | syntax.EmptyEndText
	}
	if (before == behindWord) != syntax.IsWordChar(r) {
		return flags | syntax.EmptyWordBoundary
	}
	return flags | syntax.EmptyNoWordBoundary
}

// find returns a place in the first line that matches, from a line's beginning
// on: the place may be the line's end. It is -1 when there is none, or when
// the machine was stopped.
func (m *machine) find(b []byte, from int) int {
	next, columns, stay := m.next, &m.columns, &m.stay
	at := int32(0)
	for n := from; n < len(b); {
		if at == 0 {
			for n < len(b) && stay[b[n]] {
				n++
			}
			if n == len(b) {
				break
			}
		}
		to := next[at+int32(columns[b[n]])]
		if to >= 0 {
			at = to
			n++
			continue
		}
		size := 1
		switch to {
		case decode:
			var r rune
			r, size = utf8.DecodeRune(b[n:])
			to = m.lead(at, m.p.classOf(r))
		case unknown:
			to = m.lead(at, uint16(columns[b[n]])-1)
		}
		if to == matches {
			return n
		} else if to == stopped {
			return -1
		}
		at, next = to, m.next
		n += size
	}
	if from < len(b) && !isEnd(rune(b[len(b)-1])) && m.lead(at, m.p.ends) == matches {
		return len(b)
	}
	return -1
}
