package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"aye/tools/skill"
	"aye/tools/workspace"
)

// All that a request says about the file tools is small: it is sent every time.
func TestSchemasAreSmall(t *testing.T) {
	t.Parallel()
	ws, err := workspace.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	total := 0
	catalog := Catalog(Deps{Workspace: ws, Skills: skill.Load(ws)})
	for _, tool := range catalog {
		size := len(tool.Name) + len(tool.Doc) + len(tool.Schema)
		total += size
		t.Logf("%d bytes: %s: %s %s", size, tool.Name, tool.Doc, tool.Schema)
		limit := 330
		switch tool.Name {
		case "patch": // it has to show its format
			limit = 400
		case "todo": // it takes a list of objects
			limit = 420
		}
		if size > limit {
			t.Errorf("%s takes %d bytes of every request", tool.Name, size)
		}
		var schema struct {
			Type       string
			Properties map[string]map[string]any
			Required   []string
			Additional *bool `json:"additionalProperties"`
		}
		if err := json.Unmarshal(tool.Schema, &schema); err != nil {
			t.Fatalf("%s: %v", tool.Name, err)
		}
		if schema.Type != "object" || schema.Additional == nil || *schema.Additional || len(schema.Required) == 0 && tool.Name != "ls" {
			t.Errorf("%s: %s", tool.Name, tool.Schema)
		}
		for _, key := range schema.Required {
			if schema.Properties[key] == nil {
				t.Errorf("%s requires %s, which it has not", tool.Name, key)
			}
		}
	}
	if total > 240*len(catalog)+270 { // the format of patch, the list of todo
		t.Errorf("the tools take %d bytes of every request", total)
	}
}

// sample has every form that arguments can have.
type sample struct {
	Path  string  `json:"path"`
	Limit *int    `json:"limit" doc:"most \"lines\""`
	All   *bool   `json:"all"`
	Items *[]item `json:"items"`
}

type item struct {
	ID   string  `json:"id"`
	Note *string `json:"note"`
}

func TestSchema(t *testing.T) {
	t.Parallel()
	const want = `{"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer","description":"most \"lines\""},` +
		`"all":{"type":"boolean"},"items":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"note":{"type":"string"}},` +
		`"required":["id"],"additionalProperties":false}}},"required":["path"],"additionalProperties":false}`
	if got := formOf(reflect.TypeFor[sample]()).schema(); got != want {
		t.Errorf("schema is\n%s\nwant\n%s", got, want)
	}
}

// decodeSample decodes as a call of a tool would.
func decodeSample(t *testing.T, args string) (sample, error) {
	t.Helper()
	var got sample
	tool := Define("try", "", func(_ context.Context, a sample) (Action, error) {
		got = a
		return Action{}, nil
	})
	_, err := tool.Prepare(t.Context(), args)
	return got, err
}

func TestDecode(t *testing.T) {
	t.Parallel()
	five, yes := 5, true
	note := "n"
	for _, tt := range []struct {
		args string
		want sample
	}{
		{`{"path":"a"}`, sample{Path: "a"}},
		{` {"path":"a","limit":5,"all":true} `, sample{Path: "a", Limit: &five, All: &yes}},
		{`{"path":"\u0061\ud83d\ude00\\ud800"}`, sample{Path: "a😀\\ud800"}},
		{`{"path":"a","limit":null,"all":null,"items":null}`, sample{Path: "a"}},
		{`"{\"path\":\"a\",\"limit\":5}"`, sample{Path: "a", Limit: &five}},
		{`{"path":"","items":[{"id":"1"},{"id":"2","note":"n"}]}`, sample{Items: &[]item{{ID: "1"}, {ID: "2", Note: &note}}}},
		{"{\"path\":\"\ufffd\"}", sample{Path: "\ufffd"}},
		{`{"path":"{\"path\":1}"}`, sample{Path: `{"path":1}`}},
	} {
		if got, err := decodeSample(t, tt.args); err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, %v, want %+v", tt.args, got, err, tt.want)
		}
	}
	none := Define("none", "", func(context.Context, struct{}) (Action, error) { return Action{Title: "ran"}, nil })
	for _, args := range []string{"", " \n", "{}", `"{}"`} {
		if action, err := none.Prepare(t.Context(), args); err != nil || action.Title != "ran" {
			t.Errorf("no arguments as %q: %v", args, err)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	const shape = `try takes {"path": string, "limit"?: integer, "all"?: boolean, "items"?: [{"id": string, "note"?: string}, …]}`
	for _, tt := range []struct{ args, want string }{
		{``, `"path" is missing`},
		{`{}`, `"path" is missing`},
		{`{`, `stop in the middle`},
		{`{"path":"a`, `stop in the middle`},
		{`{'path':'a'}`, `not valid JSON at "'path':'a'}"`},
		{`hello`, `not valid JSON at "hello"`},
		{`[]`, `the arguments must be an object, not an array`},
		{`null`, `the arguments must be an object, not null`},
		{`"a"`, `the arguments must be an object, not the string "a"`},
		{`"{\"path\":"`, `stop in the middle`},
		{`"{\"path\":}"`, `not valid JSON at "}"`},
		{`"{\"path\":\"a\""`, `stop in the middle`},
		{`{"path":"a"} x`, `more after the arguments ("x")`},
		{`{"path":"a"}{"path":"b"}`, `more after the arguments`},
		{`{"path":"a","paht":"b"}`, `"paht" is unknown; you may mean "path"`},
		{`{"path":"a","Path":"b"}`, `"Path" is unknown; you may mean "path"`},
		{`{"file_path":"a"}`, `"file_path" is unknown; you may mean "path"`},
		{`{"path":"a","zzzzzz":1}`, `"zzzzzz" is unknown; try takes`},
		{`{"path":"a","path":"b"}`, `"path" is given twice`},
		{`{"path":"a","p\u0061th":"b"}`, `"path" is given twice`},
		{"{\"path\":\"a\",\"\u212aath\":\"b\"}", `is unknown`},
		{`{"path":null}`, `"path" must be a string, not null`},
		{`{"path":1}`, `"path" must be a string, not 1`},
		{`{"path":{}}`, `"path" must be a string, not an object`},
		{`{"path":"a","limit":true}`, `"limit" must be an integer, not true`},
		{`{"path":"a","limit":"1"}`, `"limit" must be an integer, not the string "1"`},
		{`{"path":"a","limit":1.0}`, `"limit" must be an integer written without a fraction`},
		{`{"path":"a","limit":1e3}`, `"limit" must be an integer written without a fraction`},
		{`{"path":"a","limit":99999999999999999999}`, `"limit" is too large a number: 99999999999999999999`},
		{`{"path":"a","all":"yes"}`, `"all" must be a boolean, not the string "yes"`},
		{`{"path":"a","items":{}}`, `"items" must be an array, not an object`},
		{`{"path":"a","items":[{"id":"1"},{"no":1}]}`, `"items[1].no" is unknown`},
		{`{"path":"a","items":[1]}`, `"items[0]" must be an object, not 1`},
		{`{"path":"\ud800"}`, `contain \ud800, which is half a character`},
		{`{"path":"\udc00x"}`, `contain \udc00`},
		{`{"path":"\ud800\ud800\udc00"}`, `contain \ud800`},
		{`{"path":"\\\ud800"}`, `contain \ud800`},
		{`"{\"path\":\"\\ud800\"}"`, `contain \ud800`},
		{"{\"path\":\"\xff\"}", `not UTF-8`},
		{strings.Repeat("[", 20_000), `not valid JSON`},
	} {
		_, err := decodeSample(t, tt.args)
		switch {
		case err == nil:
			t.Errorf("%.60s: no error", tt.args)
		case !strings.Contains(err.Error(), tt.want):
			t.Errorf("%.60s: %q lacks %q", tt.args, err, tt.want)
		case !strings.Contains(err.Error(), shape):
			t.Errorf("%.60s: %q does not say what is expected", tt.args, err)
		}
	}
}

func TestDefinePanicsOnWhatIsNoArgument(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	Define("x", "", func(context.Context, struct{ F float64 }) (Action, error) { return Action{}, nil })
}

// FuzzDecode holds that what is accepted is what encoding/json reads, once,
// with every key known and nothing replaced.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{"", "{}", `{"path":"a","limit":5}`, `"{\"path\":\"a\"}"`, `{"path":"\ud83d\ude00"}`, `{"path":"a","path":"b"}`, `[`, `{"path":"a","items":[{"id":"x","note":null}]}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, args string) {
		got, err := decodeSample(t, args)
		if err != nil {
			if !utf8.ValidString(err.Error()) || len(err.Error()) > 1000+2*len(args) {
				t.Fatalf("a bad error: %q", err)
			}
			return
		}
		var plain string
		if json.Unmarshal([]byte(args), &plain) != nil {
			plain = args
		}
		var want sample
		in := json.NewDecoder(strings.NewReader(plain))
		in.DisallowUnknownFields()
		if err := in.Decode(&want); err != nil {
			t.Fatalf("accepted %q, which is %v", args, err)
		}
		if a, b := fmt.Sprintf("%q", encode(t, got)), fmt.Sprintf("%q", encode(t, want)); a != b {
			t.Fatalf("%q is %s, want %s", args, a, b)
		}
		if strings.Contains(got.Path, "\ufffd") && !strings.Contains(args, "\ufffd") && !strings.Contains(strings.ToLower(args), "ufffd") {
			t.Fatalf("%q got a U+FFFD: %q", args, got.Path)
		}
	})
}

func encode(t *testing.T, v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
