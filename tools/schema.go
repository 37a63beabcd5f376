package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// Define makes a tool from one definition of its arguments: a struct A whose
// fields carry a `json` name and, where the name does not say it all, a `doc`
// tag. A field that is a pointer may be left out. From A come both the schema
// that the model sees and the strict decoder that its calls go through.
//
// It panics when A is not such a struct: that is a mistake in aye.
//
// The schema is written here and not by a schema library because the decoder
// walks the same fields and its messages need them, and because every byte of
// it is sent with every request.
func Define[A any](name, doc string, prepare func(context.Context, A) (Action, error)) Tool {
	form := formOf(reflect.TypeFor[A]())
	return Tool{
		Name:   name,
		Doc:    doc,
		Schema: json.RawMessage(form.schema()),
		Prepare: func(ctx context.Context, args string) (Action, error) {
			var a A
			if err := decode(name, form, args, reflect.ValueOf(&a).Elem()); err != nil {
				return Action{}, err
			}
			return prepare(ctx, a)
		},
	}
}

// A form is what a value of the arguments must look like: a string, an
// integer, a boolean, a list of one form, or an object.
type form struct {
	kind   reflect.Kind // String, Int, Bool, Slice or Struct
	item   *form        // of a list
	fields []field      // of an object
}

// A field is one key of an object.
type field struct {
	name     string
	doc      string
	optional bool
	index    int
	form     form
}

// formOf is the form of a type.
func formOf(t reflect.Type) form {
	switch t.Kind() {
	case reflect.String, reflect.Int, reflect.Bool:
		return form{kind: t.Kind()}
	case reflect.Slice:
		item := formOf(t.Elem())
		return form{kind: reflect.Slice, item: &item}
	case reflect.Struct:
		f := form{kind: reflect.Struct}
		for n := range t.NumField() {
			sf := t.Field(n)
			inner := sf.Type
			optional := inner.Kind() == reflect.Pointer
			if optional {
				inner = inner.Elem()
			}
			f.fields = append(f.fields, field{sf.Tag.Get("json"), sf.Tag.Get("doc"), optional, n, formOf(inner)})
		}
		return f
	}
	panic(fmt.Sprintf("tools: arguments cannot be of type %v", t))
}

// name is the form's name in JSON Schema.
func (f form) name() string {
	switch f.kind {
	case reflect.Int:
		return "integer"
	case reflect.Bool:
		return "boolean"
	case reflect.Slice:
		return "array"
	case reflect.Struct:
		return "object"
	}
	return "string"
}

// schema is the form in JSON Schema.
func (f form) schema() string { return "{" + f.members() + "}" }

// members is what stands between the braces of the schema.
func (f form) members() string {
	members := `"type":"` + f.name() + `"`
	if f.item != nil {
		members += `,"items":` + f.item.schema()
	}
	if f.kind != reflect.Struct {
		return members
	}
	var properties, required []string
	for _, field := range f.fields {
		inner := field.form.members()
		if field.doc != "" {
			inner += `,"description":` + quote(field.doc)
		}
		properties = append(properties, quote(field.name)+":{"+inner+"}")
		if !field.optional {
			required = append(required, quote(field.name))
		}
	}
	members += `,"properties":{` + strings.Join(properties, ",") + `}`
	if len(required) > 0 {
		members += `,"required":[` + strings.Join(required, ",") + `]`
	}
	return members + `,"additionalProperties":false`
}

// shape shows the form to a model: {"path": string, "limit"?: integer}.
func (f form) shape() string {
	switch f.kind {
	case reflect.Slice:
		return "[" + f.item.shape() + ", …]"
	case reflect.Struct:
		var parts []string
		for _, field := range f.fields {
			mark := ""
			if field.optional {
				mark = "?"
			}
			parts = append(parts, quote(field.name)+mark+": "+field.form.shape())
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return f.name()
}

// quote writes s as JSON does.
func quote(s string) string {
	b, _ := json.Marshal(s) // a string is always written
	return string(b)
}
