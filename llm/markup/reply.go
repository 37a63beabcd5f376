package markup

import (
	"fmt"
	"strings"

	"aye/llm"
)

// A reply takes the text of one reply as it comes and says what it is.
type reply struct {
	req   llm.Request
	tools map[string]tool
	out   []llm.Event // since it was last taken

	mode    mode
	buf     string // not decided yet
	code    code
	block   *block
	held    bool   // block counts only if the reply ends soon after it
	after   string // what stands behind a held block
	end     string // the tag that ends the thought
	quiet   bool   // blanks that come now stand beside markup
	blank   []byte // such ones: nothing, or the beginning of prose
	native  bool   // the reply has calls of the protocol's own
	thinks  bool   // it has reasoning, in whatever way
	assumed bool   // that it begins with reasoning, without a tag that says so

	lacksTag tag
	changed  bool // it is not what it was
	tagged   bool // only calls with a tag count
	cut      bool // a call has no end
	text     strings.Builder
	thought  strings.Builder
	calls    []*call
	made     int             // ids, in the conversation too
	opens    int             // blocks that were begun
	spoken   map[string]bool // marks that were looked for in the conversation
}

type call struct {
	id, name string
	args     strings.Builder
}

// mode is what the text is at.
type mode int

const (
	inProse mode = iota
	inThought
	inBlock
	trailing // behind a held block
	ended    // of the model's turn: what follows is invented
)

// tag says what became of the tag that opens a thought.
type tag int

const (
	unknown tag = iota
	given
	lacking
)

func newReply(req llm.Request) *reply {
	return &reply{req: req, tools: offered(req), quiet: true}
}

// add takes the next piece of text.
func (r *reply) add(s string) {
	r.buf += s
	r.run(false, false)
}

// finish takes the end of the reply; limit says that it was cut there.
func (r *reply) finish(limit bool) {
	r.run(true, limit)
	if r.mode == inThought && r.assumed && !limit { // it did not think this time
		r.buf = r.thought.String()
		r.thought.Reset()
		r.mode, r.quiet, r.changed, r.thinks, r.lacksTag = inProse, true, false, false, given
		r.run(true, limit)
	}
	if !r.changed {
		r.say(string(r.blank))
	}
	r.blank = nil
}

// unearth finds the calls of a reply that is nothing but a thought: some models
// call before they have ended it, and mean it. The thought has to end there.
func (r *reply) unearth(native string) {
	if r.native || len(r.calls) > 0 || strings.TrimSpace(r.text.String()) != "" {
		return
	}
	within := newReply(r.req)
	within.tagged, within.thinks = true, true
	within.add(native + r.thought.String())
	within.finish(false)
	if len(within.calls) == 0 || within.cut || !within.quiet {
		return
	}
	r.changed, r.calls = true, within.calls
	for _, c := range r.calls {
		r.out = append(r.out, llm.CallDelta{ID: c.id, Name: c.name, Args: c.args.String()})
	}
}

// assume has the reply begin with a thought.
func (r *reply) assume() {
	r.mode, r.end, r.assumed, r.thinks, r.changed = inThought, dropped.end, true, true, true
}

// thinksNatively notes that reasoning comes in a field of its own.
func (r *reply) thinksNatively() {
	if r.assumed && r.mode == inThought && r.thought.Len() == 0 {
		r.mode, r.assumed, r.changed = inProse, false, false
	}
	r.thinks = true
}

// callsNow notes that calls come as the protocol has it: what may be one in the
// text is prose.
func (r *reply) callsNow() {
	r.native = true
	if (r.mode == inBlock || r.mode == trailing) && !r.block.sure {
		s := r.block.raw.String() + r.after
		r.block, r.after, r.mode = nil, "", inProse
		r.literal(s)
	}
}

// abandon passes on what is held back of a reply that breaks.
func (r *reply) abandon() {
	rest := r.buf
	r.buf = ""
	switch r.mode {
	case inThought:
		r.ponder(rest)
	case inBlock, trailing:
		if !r.block.sure {
			r.literal(r.block.raw.String() + r.after + rest)
		}
	case inProse:
		r.pass(rest)
	case ended:
	}
}

// run decides about the buffer as far as it can be decided.
func (r *reply) run(eof, limit bool) {
	for on := true; on; {
		switch r.mode {
		case inProse:
			on = r.prose(eof)
		case inThought:
			on = r.think(eof)
		case inBlock:
			on = r.calling(eof, limit)
		case trailing:
			on = r.trail(eof)
		case ended:
			r.buf, on = "", false
		}
	}
}

// take is the first n bytes of the buffer, which leave it.
func (r *reply) take(n int) string {
	s := r.buf[:n]
	r.buf = r.buf[n:]
	return s
}

// prose passes on what is prose, up to something that is not.
func (r *reply) prose(eof bool) bool {
	for i := range len(r.buf) {
		if r.notable(r.buf[i]) {
			sense, m := r.look(i, eof)
			if m == maybe {
				r.pass(r.take(i))
				return false
			}
			if m == yes {
				r.pass(r.take(i))
				sense()
				return true
			}
		}
		r.code.step(r.buf[i])
	}
	r.pass(r.take(len(r.buf)))
	return false
}

func (r *reply) notable(c byte) bool {
	switch c {
	case '<', '[', '{', '`', '~':
		return true
	}
	return false
}

// pass says s, but for blanks beside markup, which wait for what follows them.
func (r *reply) pass(s string) {
	if !r.quiet {
		r.say(s)
		return
	}
	rest, n := skipBlank(s)
	r.blank = append(r.blank, s[:n]...)
	if rest == "" {
		return
	}
	blank := string(r.blank)
	r.quiet, r.blank = false, nil
	if r.changed {
		blank = seam(r.text.String(), blank)
	}
	r.say(blank)
	r.say(rest)
}

// seam is what goes between two pieces of prose where markup stood.
func seam(before, blank string) string {
	switch {
	case before == "":
		return ""
	case strings.HasSuffix(before, "\n\n"):
		return strings.TrimLeft(blank, "\r\n")
	case blank == "" && !strings.HasSuffix(before, "\n"):
		return "\n"
	}
	return blank
}

// say adds to the prose.
func (r *reply) say(s string) {
	if s == "" {
		return
	}
	r.text.WriteString(s)
	r.out = append(r.out, llm.TextDelta{Text: s})
}

// literal passes on what was held back and is prose after all.
func (r *reply) literal(s string) {
	r.code.read(s)
	r.pass(s)
}

// beside notes that markup was taken out here.
func (r *reply) beside() {
	r.changed, r.quiet, r.blank = true, true, nil
}

// calling reads calls.
func (r *reply) calling(eof, limit bool) bool {
	b := r.block
	n, v := b.read(r.buf, eof, limit)
	r.take(n)
	if b.certain() && !r.held {
		r.release()
	}
	switch v {
	case never:
		r.block, r.mode = nil, inProse
		r.cut = r.cut || eof && b.object != nil && b.form.open != ""
		if b.raw.Len() == 0 { // what opened it counts for nothing more
			b.raw.WriteString(r.take(1))
		}
		r.literal(b.raw.String())
	case over:
		if r.held && !eof {
			r.mode = trailing
			return true
		}
		r.release()
		if b.object = nil; b.cut {
			r.cut = true
		}
		r.block, r.mode = nil, inProse
	case goOn:
		return false
	case before:
	}
	return r.buf != ""
}

// release passes on what is known of the block's calls.
func (r *reply) release() {
	b := r.block
	if !b.sure {
		b.sure = true
		b.raw.Reset()
		r.beside()
	}
	for _, p := range b.pieces {
		if p.name != "" {
			r.calls = append(r.calls, &call{id: r.newID(), name: p.name})
		}
		c := r.calls[len(r.calls)-1]
		c.args.WriteString(p.args)
		r.delta(c, p)
	}
	b.pieces = b.pieces[:0]
}

// maxDelta bounds what is put into one event: more would be copied too often.
const maxDelta = 4 << 10

// delta tells of a piece, in one event with the one before where it can.
func (r *reply) delta(c *call, p piece) {
	if n := len(r.out); n > 0 && p.name == "" {
		if last, ok := r.out[n-1].(llm.CallDelta); ok && last.ID == c.id && len(last.Args) < maxDelta {
			last.Args += p.args
			r.out[n-1] = last
			return
		}
	}
	r.out = append(r.out, llm.CallDelta{ID: c.id, Name: c.name, Args: p.args})
}

// idPrefix marks the ids made here. With five digits they have nine letters and
// digits: Mistral takes no other.
const idPrefix = "text"

func (r *reply) newID() string {
	if r.made == 0 {
		for _, m := range r.req.Messages {
			for _, c := range m.Calls() {
				if strings.HasPrefix(c.ID, idPrefix) {
					r.made++
				}
			}
		}
	}
	r.made++
	return fmt.Sprintf("%s%05d", idPrefix, r.made)
}

// maxAfter is how much prose may stand behind a call that has no tag.
const maxAfter = 200

// trail reads what stands behind a held block, until it is too much.
func (r *reply) trail(eof bool) bool {
	r.after += r.take(len(r.buf))
	b := r.block
	if len(r.after) <= maxAfter && !eof {
		return false
	}
	after := r.after
	r.after, r.block, r.mode = "", b, inProse
	if len(after) <= maxAfter {
		r.held = false
		r.release()
	} else {
		r.literal(b.raw.String())
	}
	r.block = nil
	r.buf = after + r.buf
	return r.buf != ""
}
