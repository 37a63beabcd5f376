package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"aye/tools/near"
)

// decode reads the arguments of a call into v, strictly: what a person is
// shown and what is done must come from one reading of them. Two things that
// models get wrong without harm are accepted: no arguments at all for "{}",
// and an object that was written as a JSON string once more.
func decode(tool string, f form, args string, v reflect.Value) error {
	if strings.TrimSpace(args) == "" {
		args = "{}"
	}
	d := decoder{tool, f}
	if err := d.valid(args); err != nil {
		return err
	}
	raw := json.RawMessage(strings.TrimSpace(args))
	if raw[0] == '"' {
		var inner string
		if json.Unmarshal(raw, &inner) == nil && strings.HasPrefix(strings.TrimSpace(inner), "{") {
			if err := d.valid(inner); err != nil {
				return err
			}
			raw = json.RawMessage(inner)
		}
	}
	return d.value("", f, raw, v)
}

// A decoder reads the arguments of one call.
type decoder struct {
	tool string
	form form
}

// fail is an error that ends with what is expected.
func (d decoder) fail(format string, args ...any) error {
	return fmt.Errorf("%s; %s takes %s", fmt.Sprintf(format, args...), d.tool, d.form.shape())
}

// valid says what is wrong with args as JSON.
func (d decoder) valid(args string) error {
	if !utf8.ValidString(args) {
		return d.fail("the arguments are not UTF-8")
	}
	var first json.RawMessage
	in := json.NewDecoder(strings.NewReader(args))
	err := in.Decode(&first)
	if err == nil {
		rest := strings.TrimSpace(args[in.InputOffset():])
		if rest != "" {
			return d.fail("there is more after the arguments (%s); send one JSON object and nothing else", clipQuoted(rest))
		}
		if escape := loneSurrogate(args); escape != "" {
			return d.fail("the arguments contain %s, which is half a character and cannot be written to a file; send the character itself", escape)
		}
		return nil
	}
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return d.fail("the arguments stop in the middle, perhaps at the limit of an answer's length; send the call again, in smaller parts if it is long")
	case errors.As(err, &syntax):
		at := max(0, min(int(syntax.Offset)-1, len(args)))
		return d.fail("the arguments are not valid JSON at %s", clipQuoted(args[at:]))
	}
	return d.fail("the arguments are not valid JSON")
}

// clipQuoted quotes the beginning of s.
func clipQuoted(s string) string {
	if len(s) > 20 {
		s = strings.ToValidUTF8(s[:20], "") + "…"
	}
	return strconv.Quote(s)
}

// loneSurrogate finds an escape \uD800 to \uDFFF that has no partner: no text
// can hold it, and encoding/json would put U+FFFD in its place. args is valid
// JSON, so backslashes are in strings only.
func loneSurrogate(args string) string {
	for n := 0; n < len(args); n++ {
		if args[n] != '\\' {
			continue
		}
		unit, ok := escapedUnit(args[n:])
		if !ok {
			n++ // the escaped character
			continue
		}
		switch {
		case unit < 0xd800 || unit > 0xdfff:
		case unit < 0xdc00:
			low, ok := escapedUnit(args[n+6:])
			if !ok || low < 0xdc00 || low > 0xdfff {
				return args[n : n+6]
			}
			n += 6
		default:
			return args[n : n+6]
		}
		n += 5
	}
	return ""
}

// escapedUnit reads \u and four digits at the beginning of s.
func escapedUnit(s string) (unit uint64, ok bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(s[2:6], 16, 16)
	return unit, err == nil
}

// value reads raw, which is valid JSON, into v. key is where it stands.
func (d decoder) value(key string, f form, raw json.RawMessage, v reflect.Value) error {
	wrong := func() error { return d.fail("%s must be %s, not %s", named(key), article(f.name()), seen(raw)) }
	switch f.kind {
	case reflect.Struct:
		if raw[0] != '{' {
			return wrong()
		}
		return d.object(key, f, raw, v)
	case reflect.Slice:
		if raw[0] != '[' {
			return wrong()
		}
		return d.list(key, f, raw, v)
	case reflect.Int:
		if raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
			return wrong()
		}
		n, err := strconv.ParseInt(string(raw), 10, 0)
		if errors.Is(err, strconv.ErrRange) {
			return d.fail("%s is too large a number: %s", named(key), seen(raw))
		} else if err != nil {
			return d.fail("%s must be an integer written without a fraction or an exponent, not %s", named(key), seen(raw))
		}
		v.SetInt(n)
		return nil
	}
	if raw[0] == 'n' || json.Unmarshal(raw, v.Addr().Interface()) != nil {
		return wrong()
	}
	return nil
}

// object reads an object: every key known, none twice, none missing. null
// stands for an optional key that is left out.
func (d decoder) object(at string, f form, raw json.RawMessage, v reflect.Value) error {
	in := json.NewDecoder(bytes.NewReader(raw))
	in.Token() // the brace
	found := make(map[string]bool)
	for in.More() {
		token, err := in.Token()
		if err != nil {
			return d.fail("the arguments are not valid JSON")
		}
		key, _ := token.(string)
		var inner json.RawMessage
		if err := in.Decode(&inner); err != nil {
			return d.fail("the arguments are not valid JSON")
		}
		field := f.field(key)
		switch {
		case field == nil:
			return d.fail("%s is unknown%s", named(join(at, key)), f.meant(key))
		case found[key]:
			return d.fail("%s is given twice", named(join(at, key)))
		}
		found[key] = true
		to := v.Field(field.index)
		if field.optional {
			if string(inner) == "null" {
				continue
			}
			to.Set(reflect.New(to.Type().Elem()))
			to = to.Elem()
		}
		if err := d.value(join(at, key), field.form, inner, to); err != nil {
			return err
		}
	}
	for _, field := range f.fields {
		if !field.optional && !found[field.name] {
			return d.fail("%s is missing", named(join(at, field.name)))
		}
	}
	return nil
}

// list reads an array.
func (d decoder) list(at string, f form, raw json.RawMessage, v reflect.Value) error {
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		return d.fail("the arguments are not valid JSON")
	}
	v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
	for n, item := range items {
		if err := d.value(fmt.Sprintf("%s[%d]", at, n), *f.item, item, v.Index(n)); err != nil {
			return err
		}
	}
	return nil
}

func (f form) field(name string) *field {
	for n := range f.fields {
		if f.fields[n].name == name {
			return &f.fields[n]
		}
	}
	return nil
}

// meant names the key that an unknown one is nearest to, if it is near.
func (f form) meant(key string) string {
	names := make([]string, len(f.fields))
	for n, field := range f.fields {
		names[n] = field.name
	}
	if name := near.Word(key, names); name != "" {
		return "; you may mean " + quote(name)
	}
	return ""
}

// join is the place of a key in an object that itself stands at a place.
func join(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}

// named is a place as the beginning of a sentence.
func named(key string) string {
	if key == "" {
		return "the arguments"
	}
	return quote(key)
}

// seen says what raw is, for a sentence.
func seen(raw json.RawMessage) string {
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "the string " + clipQuoted(strings.Trim(string(raw), `"`))
	}
	if len(raw) > 30 {
		return string(raw[:30]) + "…"
	}
	return string(raw)
}

// article puts "a" or "an" before a noun.
func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}
