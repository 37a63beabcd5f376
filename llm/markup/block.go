package markup

import "strings"

// A block reads what stands behind a tag that opens calls: one call or
// several, in any of the ways they are written. Until the first is known to be
// a call of a tool there is, and no quotation, all that was read can be given
// back as the prose it is then.
type block struct {
	form  form
	tools map[string]tool
	any   bool // the reply has made a call: names of tools that do not exist count too
	quote quotation
	same  bool // the first call stands in the conversation

	raw    strings.Builder // what was read, as long as it may be prose
	pieces []piece         // what is known of calls, as long as they may be prose
	calls  int             // that began
	ended  int             // calls that are over
	cut    bool            // the last call has no end
	object *object
	direct bool // object is the arguments alone
	elem   *element
	name   string          // a header's, until its arguments begin
	parted bool            // a separator came after name
	since  strings.Builder // of an object that may turn out to be none
	sure   bool            // the pieces went out: nothing is prose any more
}

// A piece is a piece of a call. One with a name opens the call.
type piece struct{ name, args string }

func (b *block) emit(name, args string) {
	if name != "" {
		b.calls++
	}
	if name != "" || args != "" {
		b.pieces = append(b.pieces, piece{name, args})
	}
}

func (b *block) known(name string) bool {
	_, ok := b.tools[name]
	return ok || name != "" && (b.any || b.calls > 0)
}

// certain reports whether what was read is a call, whatever follows.
func (b *block) certain() bool { return b.calls > 0 && !b.quoted() }

// read takes what it can of rest. goOn means that it needs more; over that the
// calls have ended, and n is where prose goes on; never that rest, and all
// before it, is prose.
func (b *block) read(rest string, eof, limit bool) (n int, v verdict) {
	defer func() {
		if !b.sure {
			b.raw.WriteString(rest[:n])
		}
	}()
	for n < len(rest) {
		object, elem := b.object, b.elem
		k, v := b.step(rest[n:], eof)
		b.compare(rest[n : n+k])
		if n += k; v != goOn {
			return n, v
		}
		if k == 0 && b.object == object && b.elem == elem {
			break
		}
	}
	if b.object != nil {
		b.object.flush()
	}
	if !eof {
		return n, goOn
	}
	return len(rest), b.finish(limit)
}

// compare holds what was read against the conversation, up to the end of the
// first call: what follows that may differ, and it is a quotation still.
func (b *block) compare(s string) {
	if !b.same {
		b.quote.read(s)
		b.same = b.ended > 0 && b.quote.holds()
	}
}

func (b *block) quoted() bool { return b.same || b.quote.holds() }

// finish is the end of the reply.
func (b *block) finish(limit bool) verdict {
	switch {
	case b.object != nil:
		call, whole := b.object.cut()
		if !call && b.calls == 0 {
			return never
		}
		b.cut = call && !whole
	case b.elem != nil && !b.elem.inside && !limit && len(b.elem.given) > 0:
		b.elem.out("}")
	case b.elem != nil:
		b.cut = true
	case b.name != "" && b.calls == 0 && b.known(toolName(b.name)) && limit:
		b.emit(toolName(b.name), "{")
		b.cut = true
	}
	if b.calls == 0 || b.quoted() {
		return never
	}
	return over
}

// step reads a part of rest, which is not empty.
func (b *block) step(rest string, eof bool) (int, verdict) {
	switch {
	case b.object != nil:
		return b.stepObject(rest, eof)
	case b.elem != nil:
		n, v := b.elem.read(rest, eof)
		if v == over {
			b.elem = nil
			b.ended++
			v = goOn
		}
		return n, v
	}
	return b.between(rest, eof)
}

func (b *block) stepObject(rest string, eof bool) (n int, v verdict) {
	o := b.object
	defer func() {
		if !o.live {
			b.since.WriteString(rest[:n])
		}
	}()
	for n = range len(rest) {
		if rest[n] == '<' && !o.value.quoted && o.at != inKey {
			// Brackets are missing, yet the call is closed.
			switch _, m := begins(rest[n:], b.form.closers, eof); m {
			case yes:
				return n, b.closeObject()
			case maybe:
				return n, goOn
			case no:
			}
		}
		switch v := o.step(rest[n]); {
		case v == over || v == goOn && b.direct && o.has:
			b.object = nil
			b.ended++
			return n + 1, goOn
		case v == before:
			b.object = nil
			b.ended++
			return n, goOn
		case v == never && b.certain():
			b.object = nil
			return n, over
		case v == never:
			return n, never
		}
	}
	return len(rest), goOn
}

// closeObject ends an object at the closing tag.
func (b *block) closeObject() verdict {
	o := b.object
	b.object = nil
	if o.at == inValue && !o.has {
		o.value.close()
		o.take()
	}
	if o.end(before) == never && b.calls == 0 {
		return never
	}
	b.ended++
	return goOn
}

// between reads what stands before, between and after calls.
func (b *block) between(rest string, eof bool) (int, verdict) {
	c := rest[0]
	switch {
	case isBlank(c):
		_, n := skipBlank(rest)
		return n, goOn
	case c == '{':
		return 0, b.begin()
	case c == '}' && b.ended > 0: // one too many
		return 1, goOn
	}
	if sep, m := begins(rest, separators, eof); m != no {
		if m == maybe {
			return 0, goOn
		}
		b.parted = true
		return len(sep), goOn
	}
	if end, m := begins(rest, b.form.closers, eof); m != no {
		return b.close(end, m)
	}
	if strings.IndexByte("[],;", c) >= 0 {
		switch _, m := begins(rest, mistral, eof); {
		case m == maybe:
			return 0, goOn
		case m == no:
			return 1, goOn
		case b.ended == 0:
			return len(mistral[0]), goOn
		}
		return 0, b.other()
	}
	if n, v, ok := b.header(rest, eof); ok {
		return n, v
	}
	if n, v, ok := b.inner(rest, eof); ok {
		return n, v
	}
	if b.form.named && (b.ended == 0 || b.parted) {
		return b.bareName(rest, eof)
	}
	return 0, b.other()
}

// other is what text behind the calls, or in their place, means.
func (b *block) other() verdict {
	if b.ended == 0 || b.quoted() {
		return never
	}
	return over
}

// close takes a closing tag; the form's own ends the block.
func (b *block) close(end string, m match) (int, verdict) {
	switch {
	case m == maybe:
		return 0, goOn
	case end != b.form.closers[0] || b.form.open == "":
		return len(end), goOn
	case b.ended == 0 || b.quoted():
		return 0, never
	}
	return len(end), over
}

// begin starts an object; behind a name it is the arguments.
func (b *block) begin() verdict {
	b.object = &object{known: b.known, out: b.emit}
	b.since.Reset()
	b.parted = false
	name := toolName(b.name)
	if b.direct = b.name != ""; !b.direct {
		return goOn
	}
	b.name = ""
	if !b.known(name) {
		return never
	}
	b.object.name, b.object.at = name, atValue
	b.object.key.WriteString(argKeys[0])
	return goOn
}

// header reads the tag that opens a call whose arguments are tags.
func (b *block) header(rest string, eof bool) (n int, v verdict, ok bool) {
	tag, m := begins(rest, functions, eof)
	if m != yes {
		return 0, goOn, m == maybe
	}
	name, after, found := strings.Cut(rest[len(tag):], ">")
	switch {
	case len(name) > maxShort || strings.ContainsAny(name, "\n<{") || !found && eof:
		return 0, b.other(), true
	case !found:
		return 0, goOn, true
	}
	name = toolName(strings.Trim(name, "\"'/ "))
	if !b.known(name) {
		return 0, b.other(), true
	}
	n = len(rest) - len(after)
	// Llama puts JSON behind the header.
	after, blank := skipBlank(after)
	if after == "" && !eof && blank < maxGap {
		return 0, goOn, true
	}
	if strings.HasPrefix(after, "{") {
		b.name = name
		return n + blank, goOn, true
	}
	b.element(name)
	return n, goOn, true
}

func (b *block) element(name string) {
	b.emit(name, "")
	b.elem = newElement(b.tools[name], func(args string) { b.emit("", args) })
}

// inner reads tags that have no meaning of their own inside a block: a second
// opening tag, the end of a call's header.
func (b *block) inner(rest string, eof bool) (n int, v verdict, ok bool) {
	var tags []string
	if b.calls == 0 {
		for _, f := range forms {
			if f.open != b.form.open && !f.lax && f.open[0] == '<' {
				tags = append(tags, f.open)
			}
		}
	}
	if b.ended > 0 {
		tags = append(tags, functionEnds...)
	}
	tag, m := begins(rest, tags, eof)
	switch m {
	case maybe:
		return 0, goOn, true
	case yes:
		return len(tag), goOn, true
	case no:
	}
	return 0, goOn, false
}

// bareName reads a name before arguments: read{…}, or read and then <arg_key>.
// DeepSeek has the word function and a mark before it.
func (b *block) bareName(rest string, eof bool) (int, verdict) {
	if b.name != "" {
		switch _, m := begins(rest, []string{"<arg_key>"}, eof); m {
		case maybe:
			return 0, goOn
		case yes:
			name := toolName(b.name)
			b.name = ""
			b.element(name)
			return 0, goOn
		case no:
		}
		if !b.parted || b.name != "function" {
			return 0, never
		}
	}
	n := 0
	for n < len(rest) && isNameByte(rest[n]) {
		n++
	}
	name := rest[:n]
	switch {
	case n == 0 || n > 2*maxKey:
		return 0, never
	case n == len(rest) && !eof:
		return 0, goOn
	case name != "function" && !b.known(toolName(name)):
		return 0, never
	}
	b.name, b.parted = name, false
	return n, goOn
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.' || c == ':'
}
