package markup

import (
	"encoding/json"
	"slices"
	"strings"
)

// An object reads one JSON object that is a call, byte by byte: {"name": …,
// "arguments": …} with the words models use for these, or, after a name, the
// arguments themselves. Where the name comes first, as it nearly always does,
// arguments are passed on while they come.
//
// Two faults of small models are mended on the way, since they can mean one
// thing only: a line end inside a string, and an escape that JSON does not
// have.
type object struct {
	known func(name string) bool
	out   func(name, args string) // a piece of the call

	at     place
	key    strings.Builder
	name   string
	args   string // complete, not passed on yet
	nested string // {"function": {…}}
	has    bool   // arguments are complete
	live   bool   // arguments are passed on as they come
	value  value
}

// place is where in the object the next byte stands.
type place int

const (
	atStart place = iota
	atKey
	inKey
	atColon
	atValue
	inValue
	atComma
)

// A verdict is what a byte, or a piece, did to something that is being read.
type verdict int

const (
	goOn   verdict = iota
	over           // it is complete
	before         // it was complete before this byte
	never          // it is not a call
)

const maxKey, maxShort = 40, 256

// step reads c.
func (o *object) step(c byte) verdict {
	switch o.at {
	case atStart:
		o.at = atKey
	case atKey:
		switch {
		case isBlank(c) || c == ',':
		case c == '"':
			o.key.Reset()
			o.at = inKey
		case c == '}':
			return o.end(over)
		default:
			return o.end(never)
		}
	case inKey:
		if c != '"' {
			o.key.WriteByte(c)
			return o.endIf(o.key.Len() > maxKey)
		}
		o.at = atColon
		return o.endIf(!o.expected(o.key.String()))
	case atColon:
		if c == ':' {
			o.at = atValue
		} else if !isBlank(c) {
			return o.end(never)
		}
	case atValue:
		if !isBlank(c) {
			o.begin(c)
			return o.inValue(c)
		}
	case inValue:
		return o.inValue(c)
	case atComma:
		switch {
		case isBlank(c):
		case c == ',':
			o.at = atKey
		case c == '}':
			return o.end(over)
		default:
			return o.end(before)
		}
	}
	return goOn
}

func (o *object) expected(key string) bool {
	return slices.Contains(nameKeys, key) || slices.Contains(argKeys, key) || slices.Contains(moreKeys, key)
}

// begin starts a value with its first byte.
func (o *object) begin(c byte) {
	o.at = inValue
	o.value = value{}
	if c == '{' && o.name != "" && !o.has && slices.Contains(argKeys, o.key.String()) {
		o.goLive()
	}
}

// goLive passes on what comes from here.
func (o *object) goLive() {
	o.live = true
	o.out(o.name, "")
}

func (o *object) inValue(c byte) verdict {
	switch o.value.step(c) {
	case goOn:
		isArgs := slices.Contains(argKeys, o.key.String())
		return o.endIf(!isArgs && !o.nests() && o.value.text.Len() > maxShort)
	case over:
		o.at = atComma
		return o.take()
	case before: // of a number or a word: c is what follows it
		o.at = atComma
		if v := o.take(); v != goOn {
			return v
		}
		return o.step(c)
	case never:
	}
	return o.end(never)
}

// nests reports whether the value is an object with the call inside.
func (o *object) nests() bool {
	return o.key.String() == "function" && strings.HasPrefix(o.value.text.String(), "{")
}

// take takes up a value that is complete.
func (o *object) take() verdict {
	key, raw := o.key.String(), o.value.text.String()
	switch {
	case o.live && slices.Contains(argKeys, key) && !o.has:
		o.out("", raw)
		o.value.text.Reset()
		o.has = true
	case slices.Contains(argKeys, key) && !o.has:
		o.args, o.has = raw, true
	case key == "function" && raw[0] == '{':
		o.nested = raw
	case slices.Contains(nameKeys, key) && o.name == "":
		var name string
		if json.Unmarshal([]byte(raw), &name) != nil || !o.known(toolName(name)) {
			return o.end(never)
		}
		o.name = toolName(name)
	}
	return goOn
}

// flush passes on what has come of live arguments.
func (o *object) flush() {
	if o.live && !o.has && o.at == inValue && o.value.text.Len() > 0 {
		o.out("", o.value.text.String())
		o.value.text.Reset()
	}
}

func (o *object) endIf(bad bool) verdict {
	if bad {
		return o.end(never)
	}
	return goOn
}

// end closes the object. What is a call already stays one, whatever follows.
func (o *object) end(v verdict) verdict {
	if o.live {
		if v == never {
			return before
		}
		return v
	}
	if o.nested != "" && o.name == "" && !o.unnest() || o.name == "" {
		return never
	}
	if v == never {
		if !o.has {
			return never
		}
		v = before
	}
	o.out(o.name, plainArgs(o.args))
	return v
}

// unnest takes name and arguments from an object within.
func (o *object) unnest() bool {
	inner := &object{known: o.known, out: func(name, args string) {
		if name != "" {
			o.name = name
		}
		o.args += args
	}}
	for i := range len(o.nested) {
		switch inner.step(o.nested[i]) {
		case goOn:
		case over:
			o.has = true
			return true
		case before, never:
			return false
		}
	}
	return false
}

// plainArgs are arguments as an object, also where they were written as a
// string once more. A call without any has none.
func plainArgs(raw string) string {
	var inner string
	if strings.HasPrefix(raw, `"`) && json.Unmarshal([]byte(raw), &inner) == nil {
		raw = strings.TrimSpace(inner)
	}
	if raw == "" || raw == "null" {
		return "{}"
	}
	return raw
}

// cut ends an object after which nothing came. It reports whether that is a
// call, and whether the call is whole.
func (o *object) cut() (call, whole bool) {
	switch {
	case o.name == "" && o.nested == "":
		return false, false
	case o.has:
		return o.end(before) != never, true
	case o.live:
		o.flush()
		return true, false
	}
	if o.name == "" {
		return false, false
	}
	o.out(o.name, "{") // no JSON: it cannot be taken for a call without arguments
	return true, false
}
