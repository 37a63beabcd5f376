package markup

import (
	"encoding/json"
	"strings"

	"aye/llm"
)

// A tool is what has to be known of one to read a call of it.
type tool struct{ types map[string]string } // of its arguments, by name, as JSON Schema has them

// offered are the tools that calls may name: the request's, or, where it offers
// none, those the conversation has called, so that what a model writes when it
// may not call is told from an answer.
func offered(req llm.Request) map[string]tool {
	tools := map[string]tool{}
	for _, t := range req.Tools {
		var schema struct {
			Properties map[string]struct {
				Type json.RawMessage `json:"type"`
			} `json:"properties"`
		}
		tl := tool{types: map[string]string{}}
		if json.Unmarshal(t.Schema, &schema) == nil {
			for name, p := range schema.Properties {
				tl.types[name] = typeOf(p.Type)
			}
		}
		tools[t.Name] = tl
	}
	if len(tools) > 0 {
		return tools
	}
	for _, m := range req.Messages {
		for _, c := range m.Calls() {
			tools[c.Name] = tool{}
		}
	}
	return tools
}

// typeOf is the type in raw, which may be a list: text where text is allowed.
func typeOf(raw json.RawMessage) string {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return one
	}
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		return ""
	}
	for _, t := range list {
		if t == "string" {
			return t
		}
		if t != "null" && one == "" {
			one = t
		}
	}
	return one
}

// convert returns value as the schema wants it, in JSON; false when it is text.
func (t tool) convert(param, value string) (string, bool) {
	typ := t.types[param]
	v := strings.TrimSpace(value)
	switch typ {
	case "boolean":
		v = strings.ToLower(v)
		return v, v == "true" || v == "false"
	case "integer", "number":
		var n json.Number
		return v, v != "" && v[0] != '"' && json.Unmarshal([]byte(v), &n) == nil
	case "array", "object":
		return v, v != "" && (v[0] == '[' || v[0] == '{') && json.Valid([]byte(v))
	}
	return "", false
}

// wantsText reports whether a value of param goes out as it comes in.
func (t tool) wantsText(param string) bool {
	switch t.types[param] {
	case "boolean", "integer", "number", "array", "object":
		return false
	}
	return true
}

// toolName is the name a model means: some put the namespace of their training
// before it.
func toolName(name string) string {
	name = strings.TrimSpace(name)
	for _, prefix := range []string{"functions.", "tools.", "default_api."} {
		name = strings.TrimPrefix(name, prefix)
	}
	if before, _, ok := strings.Cut(name, ":"); ok { // Kimi counts: read:0
		name = before
	}
	return name
}
