package change

import (
	"hash/maphash"
	"slices"

	"aye/tools/text"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// A span says that lines [a0, a1) of one file became lines [b0, b1) of the
// other.
type span struct{ a0, a1, b0, b1 int }

// script lists what changed from a to b, in order, spans neither empty nor
// touching.
//
// The common beginning and end are set aside first. Then lines that occur
// exactly once on both sides, in the same order, are taken as fixed points:
// that is what people see as unchanged, and it leaves short gaps, in which
// the longest common subsequence is searched. The cost is near linear, also
// for files that have little in common.
func script(a, b []text.Line) []span {
	head := 0
	for head < len(a) && head < len(b) && sameLine(a[head], b[head]) {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && sameLine(a[len(a)-1-tail], b[len(b)-1-tail]) {
		tail++
	}
	x, y := number(a[head:len(a)-tail], b[head:len(b)-tail])
	var s spans
	ax, bx := 0, 0
	for _, anchor := range append(anchors(x, y), [2]int{len(x), len(y)}) {
		s.gap(x, y, span{ax, anchor[0], bx, anchor[1]}, head)
		ax, bx = anchor[0]+1, anchor[1]+1
	}
	return s
}

// spans are collected changes.
type spans []span

// gap adds what changed between two fixed points.
func (s *spans) gap(x, y []rune, g span, offset int) {
	if g.a0 == g.a1 && g.b0 == g.b1 {
		return
	}
	for _, d := range lcs.DiffRunes(x[g.a0:g.a1], y[g.b0:g.b1]) {
		s.add(span{offset + g.a0 + d.Start, offset + g.a0 + d.End, offset + g.b0 + d.ReplStart, offset + g.b0 + d.ReplEnd})
	}
}

// add adds one change, to the last one where they touch.
func (s *spans) add(c span) {
	if n := len(*s) - 1; n >= 0 && (*s)[n].a1 == c.a0 && (*s)[n].b1 == c.b0 {
		(*s)[n].a1, (*s)[n].b1 = c.a1, c.b1
		return
	}
	*s = append(*s, c)
}

// number gives equal lines equal numbers, so that comparing them is cheap.
// They are runes because that is what package lcs takes.
func number(a, b []text.Line) (x, y []rune) {
	seed := maphash.MakeSeed()
	latest := make(map[uint64]rune, len(a)) // the last number given to a hash, plus one
	all := make([]text.Line, 0, len(a))     // by number
	earlier := make([]rune, 0, len(a))      // by number: the one before with the same hash
	of := func(line text.Line) rune {
		h := maphash.Bytes(seed, line.Text)
		for n := latest[h]; n > 0; n = earlier[n-1] {
			if sameLine(all[n-1], line) {
				return n - 1
			}
		}
		all = append(all, line)
		earlier = append(earlier, latest[h])
		latest[h] = rune(len(all))
		return rune(len(all) - 1)
	}
	x, y = make([]rune, len(a)), make([]rune, len(b))
	for n, line := range a {
		x[n] = of(line)
	}
	for n, line := range b {
		y[n] = of(line)
	}
	return x, y
}

// anchors are the places (in x, in y) of numbers that occur once in each, as
// many as can be had in the same order.
func anchors(x, y []rune) [][2]int {
	const none, many = -1, -2
	size := 0
	for _, line := range [][]rune{x, y} {
		for _, n := range line {
			size = max(size, int(n)+1)
		}
	}
	place := func(line []rune) []int {
		at := slices.Repeat([]int{none}, size)
		for n, id := range line {
			if at[id] == none {
				at[id] = n
			} else {
				at[id] = many
			}
		}
		return at
	}
	inX, inY := place(x), place(y)
	var pairs [][2]int // in the order of x
	for n, id := range x {
		if inX[id] == n && inY[id] >= 0 {
			pairs = append(pairs, [2]int{n, inY[id]})
		}
	}
	return increasing(pairs)
}

// increasing is the longest run of pairs, not necessarily neighbours, whose
// second numbers grow as the first ones do.
func increasing(pairs [][2]int) [][2]int {
	var piles []int // the pair on top of each pile
	back := make([]int, len(pairs))
	for n, pair := range pairs {
		pile, _ := slices.BinarySearchFunc(piles, pair[1], func(top, second int) int { return pairs[top][1] - second })
		back[n] = -1
		if pile > 0 {
			back[n] = piles[pile-1]
		}
		if pile == len(piles) {
			piles = append(piles, n)
		} else {
			piles[pile] = n
		}
	}
	if len(piles) == 0 {
		return nil
	}
	run := make([][2]int, len(piles))
	for n, at := len(piles)-1, piles[len(piles)-1]; n >= 0; n, at = n-1, back[at] {
		run[n] = pairs[at]
	}
	return run
}
