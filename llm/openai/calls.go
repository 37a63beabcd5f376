package openai

import (
	"errors"
	"fmt"
	"strings"

	"aye/llm"
)

// Bounds of one reply's calls, and of a name that comes in pieces.
const (
	maxCalls = 1000
	maxName  = 256
)

var errManyCalls = errors.New("it holds too many tool calls")

// calls puts tool calls together from their pieces. The protocol numbers calls
// by index and names them by id in their first piece, and many servers do it
// otherwise; what they do is told apart by three questions: which call could
// this piece belong to, does it open another one all the same, and what does
// it add.
type calls struct {
	req   llm.Request
	tools map[string]bool // names of the request's tools
	taken map[string]bool // ids in use, in the conversation and in this reply
	made  int             // ids made here
	list  []*call
}

// A call is a tool call in the making.
type call struct {
	id       string // as told to the caller
	serverID text   // as the server has it, "" until it says
	index    text
	name     string
	args     strings.Builder
	cut      joiner
	form     nesting
}

// add takes one piece; ok is false when it says nothing new.
func (cs *calls) add(p piece) (ev llm.CallDelta, ok bool, err error) {
	name, args := p.Function.Name.clean(), string(p.Function.Arguments)
	if p.ID == "" && name == "" && args == "" {
		return llm.CallDelta{}, false, nil
	}
	c := cs.find(p)
	opened := c == nil || cs.opens(c, p)
	if opened {
		if len(cs.list) == maxCalls {
			return llm.CallDelta{}, false, errManyCalls
		}
		c = cs.open(p)
	}
	if c.serverID == "" {
		c.serverID = p.ID
	}
	if c.form.complete() && args == c.args.String() {
		args = "" // the whole once more
	}
	before := c.name
	c.name = cs.joinName(c.name, name)
	args = c.write(args)
	ev = llm.CallDelta{ID: c.id, Name: c.name, Args: args}
	return ev, opened || args != "" || c.name != before, nil
}

// find returns the call that p goes on with, if it opens none: the one with
// its id, else the last one with its index, else the last one.
func (cs *calls) find(p piece) *call {
	last := len(cs.list) - 1
	for i := last; i >= 0 && p.ID != ""; i-- {
		if c := cs.list[i]; c.serverID == p.ID && (p.Index == "" || p.Index == c.index) {
			return c
		}
	}
	for i := last; i >= 0 && p.Index != ""; i-- {
		if c := cs.list[i]; c.index == p.Index {
			return c
		}
	}
	if last < 0 || p.Index != "" && (p.ID != "" || p.Function.Name != "") {
		return nil
	}
	return cs.list[last]
}

// opens reports whether p opens a call although it could go on with c. A piece
// without a name never does. One with a name does when c is complete, or, c
// being without arguments so far, when p has another id or another tool. Else
// the server repeats the name, or makes up an id for each piece.
func (cs *calls) opens(c *call, p piece) bool {
	name, args := p.Function.Name.clean(), string(p.Function.Arguments)
	if name == "" {
		return false
	}
	otherID := p.ID != "" && c.serverID != "" && p.ID != c.serverID
	switch {
	case c.form.complete():
		return otherID || args != "" && args != c.args.String()
	case otherID:
		return c.args.Len() == 0 || name != c.name
	case c.args.Len() == 0 && p.ID == "":
		return name != c.name && cs.isTool(name) && cs.isTool(c.name)
	}
	return false
}

// open adds a call. Its id is the server's unless that is absent or in use.
func (cs *calls) open(p piece) *call {
	if cs.taken == nil {
		cs.taken = map[string]bool{}
		for _, m := range cs.req.Messages {
			for _, c := range m.Calls() {
				cs.taken[c.ID] = true
			}
		}
	}
	id := p.ID.clean()
	for id == "" || cs.taken[id] {
		cs.made++
		id = fmt.Sprintf("call%05d", cs.made) // nine letters and digits: Mistral takes no other
	}
	cs.taken[id] = true
	c := &call{id: id, serverID: p.ID, index: p.Index}
	cs.list = append(cs.list, c)
	return c
}

// joinName is the name so far with what a piece brings: the rest of it, the
// same again, or all of it up to here.
func (cs *calls) joinName(name, more string) string {
	switch {
	case strings.HasPrefix(more, name):
		return more
	case more == "" || len(name)+len(more) > maxName || cs.isTool(name) && !cs.isTool(name+more):
		return name
	}
	return name + more
}

func (cs *calls) isTool(name string) bool {
	if cs.tools == nil {
		cs.tools = map[string]bool{}
		for _, t := range cs.req.Tools {
			cs.tools[t.Name] = true
		}
	}
	return cs.tools[name]
}

// write adds to the arguments and returns what it added.
func (c *call) write(args string) string {
	args = c.cut.add(args)
	c.args.WriteString(args)
	c.form.read(args)
	return args
}

// nesting follows JSON as it comes, as far as telling when an object is
// complete takes.
type nesting struct {
	depth   int
	begun   bool
	quoted  bool
	escaped bool
}

func (n *nesting) read(s string) {
	for i := range len(s) {
		switch c := s[i]; {
		case n.escaped:
			n.escaped = false
		case n.quoted:
			n.escaped, n.quoted = c == '\\', c != '"'
		case c == '"':
			n.quoted = true
		case c == '{' || c == '[':
			n.depth++
			n.begun = true
		case c == '}' || c == ']':
			n.depth--
		}
	}
}

func (n *nesting) complete() bool { return n.begun && n.depth <= 0 && !n.quoted }
