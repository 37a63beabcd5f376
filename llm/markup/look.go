package markup

import (
	"strings"

	"aye/llm"
)

// maxBefore is how much prose may stand before a call that has no tag.
const maxBefore = 400

// maxOpens is how many calls one reply may begin: each is looked for in the
// conversation, and what begins more is noise.
const maxOpens = 500

// looks are what look tries, in order.
var looks = [...]func(r *reply, rest string, i int, eof bool) (func(), match){
	(*reply).lookThought, (*reply).lookCall, (*reply).lookTurn,
}

// look says what stands at i in the buffer, where prose has got to: yes and
// what to do about it, or no, it is prose.
func (r *reply) look(i int, eof bool) (sense func(), m match) {
	rest := r.buf[i:]
	if c := rest[0]; c == '`' || c == '~' {
		return r.lookFence(rest, i, eof)
	}
	if r.code.inside() {
		return nil, no
	}
	if rest[0] == '{' {
		return r.lookBare(i, '{')
	}
	unsure := false
	for _, try := range looks {
		sense, m := try(r, rest, i, eof)
		switch m {
		case yes:
			if unsure {
				return nil, maybe
			}
			return sense, yes
		case maybe:
			unsure = true
		case no:
		}
	}
	if unsure {
		return nil, maybe
	}
	return r.lookBare(i, rest[0])
}

// lookBare finds JSON that may be a call without a tag.
func (r *reply) lookBare(i int, c byte) (func(), match) {
	if c != '{' && c != '[' || r.opens >= maxOpens || !r.bareAllowed(i, c) {
		return nil, no
	}
	return func() { r.open(lone, r.text.Len() > 0, 0) }, yes
}

// nothingBefore reports whether only blanks stand between markup, or the
// beginning of the reply, and i.
func (r *reply) nothingBefore(i int) bool {
	return r.quiet && strings.TrimLeft(r.buf[:i], blanks) == ""
}

// lookCall finds the tags of calls.
func (r *reply) lookCall(rest string, i int, eof bool) (func(), match) {
	if r.native || r.opens >= maxOpens {
		return nil, no
	}
	tag, m := begins(rest, formOpens, eof)
	if m == yes {
		for _, f := range forms {
			if f.open == tag {
				return func() { r.open(f, false, len(tag)) }, yes
			}
		}
	}
	_, m2 := begins(rest, functions, eof)
	if m2 == yes {
		return func() { r.open(bare, false, 0) }, yes
	}
	// The end of a call that had no beginning.
	end, m3 := begins(rest, orphans, eof)
	after := len(r.calls) > 0 && r.nothingBefore(i)
	if m3 == yes && after {
		return func() { r.take(len(end)); r.beside() }, yes
	}
	if m == maybe || m2 == maybe || m3 == maybe && after {
		return nil, maybe
	}
	return nil, no
}

// open begins a block whose tag has n bytes.
func (r *reply) open(f form, held bool, n int) {
	r.mode, r.held = inBlock, held
	r.opens++
	r.block = &block{form: f, tools: r.tools, any: len(r.calls) > 0}
	if f.open != "" {
		r.block.quote = quote(r.req, f.open, true)
	} else {
		r.block.quote = quote(r.req, r.buf[n:n+1], false)
	}
	r.block.raw.WriteString(r.take(n))
}

// bareAllowed reports whether a call without a tag can begin at i: where the
// reply does, or, from a model that has shown no better, at the beginning of a
// line after little prose.
func (r *reply) bareAllowed(i int, c byte) bool {
	if r.native || r.tagged || len(r.tools) == 0 {
		return false
	}
	said := r.text.Len() + len(r.blank) + i
	if r.text.Len() == 0 && r.nothingBefore(i) {
		return true
	}
	if c == '[' || said > maxBefore || r.code.inLine || r.callsNatively() {
		return false
	}
	return true
}

// callsNatively reports whether the conversation has a call that was not read
// from text.
func (r *reply) callsNatively() bool {
	for _, m := range r.req.Messages {
		for _, c := range m.Calls() {
			if !strings.HasPrefix(c.ID, idPrefix) {
				return true
			}
		}
	}
	return false
}

// lookFence finds a fence that may hold a call.
func (r *reply) lookFence(rest string, i int, eof bool) (func(), match) {
	if r.code.inside() || r.code.inLine || r.native || !r.fenceAllowed(i) {
		return nil, no
	}
	marks := len(rest) - len(strings.TrimLeft(rest, rest[:1]))
	if marks == len(rest) {
		return nil, maybeUnless(eof || marks > 3)
	}
	if marks != 3 {
		return nil, no
	}
	word, body, found := strings.Cut(rest[marks:], "\n")
	word = strings.TrimRight(word, " \r")
	if !found {
		for _, w := range fenceWords {
			if strings.HasPrefix(w, word) {
				return nil, maybeUnless(eof)
			}
		}
		return nil, no
	}
	ok := false
	for _, w := range fenceWords {
		ok = ok || w == word
	}
	body, blank := skipBlank(body)
	switch {
	case !ok || blank > maxKey:
		return nil, no
	case body == "":
		return nil, maybeUnless(eof)
	case body[0] != '{' && body[0] != '[' && body[0] != '<':
		return nil, no
	}
	return func() { r.open(fenced, true, len(rest)-len(body)) }, yes
}

func (r *reply) fenceAllowed(i int) bool {
	if r.tagged || len(r.tools) == 0 || r.opens >= maxOpens {
		return false
	}
	if r.text.Len() == 0 && r.nothingBefore(i) {
		return true
	}
	return r.text.Len()+len(r.blank)+i <= maxBefore && !r.callsNatively()
}

// dropped is the thought whose opening tag the template took away.
var dropped = thoughts[0]

// lookThought finds the tags of a thought: at the beginning of the reply, or
// alone on their line. A closing one without an opening one says that all
// before it was thought.
func (r *reply) lookThought(rest string, i int, eof bool) (func(), match) {
	tag, m := begins(rest, thoughtOpens, eof)
	switch m {
	case maybe:
		return nil, maybe
	case yes:
		after := rest[len(tag):]
		first := r.nothingBefore(i)
		switch {
		case first:
		case r.code.inLine:
			return nil, no
		case after == "":
			return nil, maybeUnless(eof)
		case after[0] != '\n' && after[0] != '\r', r.about(tag):
			return nil, no
		}
		return func() { r.beginThought(tag) }, yes
	case no:
	}
	if r.thinks {
		return nil, no
	}
	tag, m = begins(rest, thoughtEnds, eof)
	if m != yes {
		return nil, m
	}
	after := strings.TrimLeft(rest[len(tag):], " ")
	switch {
	case !r.code.inLine:
	case after == "":
		if !eof {
			return nil, maybe
		}
	case after[0] != '\n' && after[0] != '\r':
		return nil, no
	}
	if r.about(tag) {
		return nil, no
	}
	return func() { r.wasThought(len(tag)) }, yes
}

func (r *reply) beginThought(tag string) {
	r.take(len(tag))
	for _, t := range thoughts {
		if t.open == tag {
			r.end = t.end
		}
	}
	r.beside()
	r.mode, r.thinks = inThought, true
}

// wasThought makes a thought of all that was said.
func (r *reply) wasThought(n int) {
	r.thought.WriteString(strings.TrimRight(r.text.String(), blanks))
	r.text.Reset()
	r.take(n)
	r.beside()
	r.code = code{}
	r.thinks, r.lacksTag = true, lacking
}

// think passes on a thought, up to its end.
func (r *reply) think(eof bool) bool {
	if r.thought.Len() == 0 {
		_, n := skipBlank(r.buf)
		r.take(n)
	}
	if i := strings.Index(r.buf, r.end); i >= 0 {
		r.ponder(r.take(i - tailBlank(r.buf[:i])))
		r.take(strings.Index(r.buf, r.end) + len(r.end))
		r.beside()
		r.mode, r.code = inProse, code{}
		return true
	}
	keep := 0
	for n := min(len(r.end)-1, len(r.buf)); n > 0 && keep == 0 && !eof; n-- {
		if strings.HasSuffix(r.buf, r.end[:n]) {
			keep = n
		}
	}
	if !eof {
		keep += tailBlank(r.buf[:len(r.buf)-keep])
	}
	r.ponder(r.take(len(r.buf) - keep))
	return false
}

// tailBlank is the number of blanks at the end of s, as far as they are held
// back: they may be the last of a thought.
func tailBlank(s string) int {
	n := 0
	for n < len(s) && n < maxGap && isBlank(s[len(s)-1-n]) {
		n++
	}
	return n
}

func (r *reply) ponder(s string) {
	if s != "" {
		r.thought.WriteString(s)
		r.out = append(r.out, llm.ThinkingDelta{Text: s})
	}
}
