package markup

import (
	"strings"
)

// An element reads a call whose arguments are tags:
//
//	<function=NAME><parameter=KEY>VALUE</parameter>…</function>
//
// from behind its header, and passes the arguments on as JSON while they come.
// Nothing in this form is escaped, so a value may hold the very tags that
// could end it. A closing tag counts when what must follow one follows it, and
// tags that open inside a value have to close inside it, unless the call would
// never end.
type element struct {
	tool tool
	out  func(args string)

	given  map[string]bool
	param  string          // whose value is being read
	inside bool            // of a value
	depth  int             // of tags that opened inside the value
	first  bool            // nothing of the value has come
	crlf   bool            // the opening tag's line ended so
	held   string          // a line end that may be the last one of the value
	line   bool            // the next byte begins a line
	raw    strings.Builder // a value that may be a number, a boolean, a list
	text   bool            // it is passed on as it comes
}

// lookahead bounds what is held back to tell what a tag in a value is.
const lookahead = 256

func newElement(t tool, out func(string)) *element {
	out("{") // no JSON until the end: a call that is cut cannot be taken for one without arguments
	return &element{tool: t, out: out, given: map[string]bool{}}
}

// read takes what it can of rest and returns how much that was; goOn means
// that it needs more.
func (e *element) read(rest string, eof bool) (n int, v verdict) {
	for n < len(rest) {
		var k int
		if e.inside {
			k, v = e.value(rest[n:], eof)
		} else {
			k, v = e.between(rest[n:], eof)
		}
		if n += k; v != goOn || k == 0 {
			return n, v
		}
	}
	return n, goOn
}

// between reads one step of what stands between arguments.
func (e *element) between(rest string, eof bool) (int, verdict) {
	trimmed, blank := skipBlank(rest)
	if trimmed == "" {
		return blank, goOn
	}
	if key, k, m := parameter(trimmed, eof); m == yes {
		e.open(key)
		return blank + k, goOn
	} else if m == maybe {
		return blank, goOn
	}
	end, m := begins(trimmed, functionEnds, eof)
	switch m {
	case yes:
		e.out("}")
		if end == "</tool_call>" { // GLM; the block's to read
			return blank, over
		}
		return blank + len(end), over
	case maybe:
		return blank, goOn
	case no:
	}
	if len(e.given) > 0 { // the closing tag was left out
		e.out("}")
		return blank, over
	}
	return blank, never
}

// parameter reads the tag that opens an argument.
func parameter(rest string, eof bool) (key string, n int, m match) {
	tag, m := begins(rest, parameters, eof)
	if m != yes {
		return "", 0, m
	}
	end := ">"
	switch {
	case tag == "<arg_key>":
		end = "</arg_key>"
	case strings.HasSuffix(tag, `"`):
		end = `"`
	}
	key, after, found := strings.Cut(rest[len(tag):], end)
	if len(key) > maxKey || strings.ContainsAny(key, "\n<>") && found {
		return "", 0, no
	}
	n = len(rest) - len(after)
	if !found {
		return "", 0, unless(eof)
	}
	key = strings.Trim(key, "\"' ")
	if key == "" {
		return "", 0, no
	}
	switch end {
	case `"`: // further attributes
		attributes, _, closed := strings.Cut(after, ">")
		if len(attributes) > maxKey {
			return "", 0, no
		}
		if !closed {
			return "", 0, unless(eof)
		}
		n += len(attributes) + 1
	case "</arg_key>":
		value, blank := skipBlank(after)
		if _, m := begins(value, []string{"<arg_value>"}, eof); m != yes {
			return "", 0, m
		}
		n += blank + len("<arg_value>")
	}
	return key, n, yes
}

// unless is maybe, unless nothing follows.
func unless(eof bool) match {
	if eof {
		return no
	}
	return maybe
}

// open begins the value of key.
func (e *element) open(key string) {
	comma := ""
	if len(e.given) > 0 {
		comma = ","
	}
	e.given[key] = true
	e.param, e.inside, e.depth, e.first, e.crlf, e.held, e.line = key, true, 0, true, false, "", false
	e.raw.Reset()
	e.text = e.tool.wantsText(key)
	e.out(comma + `"` + quoteJSON(key) + `":`)
	if e.text {
		e.out(`"`)
	}
}

// value reads one step of a value: up to the next tag, or the tag.
func (e *element) value(rest string, eof bool) (int, verdict) {
	if e.first { // one line end after the opening tag is not the value's
		if rest == "\r" && !eof {
			return 0, goOn
		}
		e.first, e.line, e.crlf = false, true, strings.HasPrefix(rest, "\r\n")
		switch {
		case e.crlf:
			return 2, goOn
		case rest[0] == '\n':
			return 1, goOn
		}
	}
	if i := strings.IndexByte(rest, '<'); i != 0 {
		if i < 0 {
			i = len(rest)
		}
		e.write(rest[:i])
		return i, goOn
	}
	n, m := e.closes(rest, eof)
	switch m {
	case yes:
		e.close()
		return n, goOn
	case maybe:
		return 0, goOn
	case no:
	}
	e.write("<")
	return 1, goOn
}

// write adds to the value, but for a line end at its end, which waits.
func (e *element) write(s string) {
	e.line = strings.HasSuffix(s, "\n")
	if !e.text {
		e.raw.WriteString(s)
		return
	}
	s = e.held + s
	e.held = ""
	switch {
	case e.crlf && strings.HasSuffix(s, "\r\n"):
		e.held = "\r\n"
	case e.crlf && strings.HasSuffix(s, "\r"):
		e.held = "\r"
	case strings.HasSuffix(s, "\n"):
		e.held = "\n"
	}
	if s = s[:len(s)-len(e.held)]; s != "" {
		e.out(quoteJSON(s))
	}
}

// close ends the value.
func (e *element) close() {
	e.inside = false
	if e.text {
		if e.held == "\r" {
			e.out(`\r`)
		}
		e.held = ""
		e.out(`"`)
		return
	}
	value := strings.TrimSuffix(e.raw.String(), "\n")
	if v, ok := e.tool.convert(e.param, value); ok {
		e.out(v)
		return
	}
	e.out(`"` + quoteJSON(value) + `"`)
}

// closes reports whether the tag that rest begins with ends the value, and how
// much of it belongs to that.
func (e *element) closes(rest string, eof bool) (int, match) {
	window, whole := rest, eof
	if len(window) > lookahead {
		window, whole = window[:lookahead], true
	}
	ends := []string{"</parameter>", "</arg_value>"}
	end, m := begins(window, ends, whole)
	switch m {
	case maybe:
		return 0, maybe
	case yes:
		m := e.follows(window[len(end):], whole, eof && len(rest) == len(window))
		if m == no && e.depth > 0 {
			e.depth--
		}
		return len(end), m
	case no:
	}
	if _, m := begins(window, functionEnds, whole); m != no {
		return 0, e.ends(window, whole, eof && len(rest) == len(window))
	}
	key, _, m := parameter(window, whole)
	if m != yes {
		return 0, m
	}
	if e.line && e.due(key) {
		return 0, yes
	}
	e.depth++
	return 0, no
}

// due reports whether key is an argument of the tool that has not come.
func (e *element) due(key string) bool {
	_, ok := e.tool.types[key]
	return ok && !e.given[key]
}

// follows reports whether what stands behind a closing tag can stand there.
// last means that the reply ends with rest.
func (e *element) follows(rest string, whole, last bool) match {
	rest, _ = skipBlank(rest)
	if rest == "" {
		if last {
			return yes
		}
		return unless(whole)
	}
	key, _, m := parameter(rest, whole)
	switch {
	case m == maybe:
		return maybe
	case m == yes && (e.depth == 0 || e.due(key)):
		return yes
	case m == yes:
		return no
	}
	_, m = begins(rest, functionEnds, whole)
	if m == yes && e.depth > 0 {
		return e.ends(rest, whole, last)
	}
	return m
}

// ends reports whether nothing but the end of the call stands in rest, and
// after it the end of the reply or another call: then the value ends, however
// many tags it left open.
func (e *element) ends(rest string, whole, last bool) match {
	seen := ""
	for {
		rest, _ = skipBlank(rest)
		end, m := begins(rest, functionEnds, whole)
		if m == no && rest != "" {
			break
		}
		if m == maybe {
			return maybe
		}
		if rest == "" {
			if last && seen != "" {
				return yes
			}
			return unless(whole)
		}
		seen = end
		rest = rest[len(end):]
	}
	_, m := begins(rest, append([]string{"<tool_call>"}, functions...), whole)
	if seen != "</tool_call>" {
		return no
	}
	return m
}
