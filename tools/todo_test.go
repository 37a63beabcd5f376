package tools

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func callTodo(t *testing.T, args string) (Action, Result) {
	t.Helper()
	action, err := todoTool().Prepare(t.Context(), args)
	if err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	return action, action.Run(t.Context(), func(string) {})
}

func TestTodo(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ args, text, title, summary string }{
		{`{"items":[]}`, "(no todos)", "(empty)", "no todos"},
		{`{"items":[{"text":"a"}]}`, "[ ] a", "next: a", "0 of 1 done"},
		{`{"items":[{"id":"1","text":"a","status":"completed"},{"id":"2","text":"b","status":"in_progress"},{"id":"3","text":"c","status":"pending"}]}`,
			"[x] a\n[>] b\n[ ] c", "b", "1 of 3 done"},
		{`{"items":[{"text":"a","status":"completed"}]}`, "[x] a", "all done", "1 of 1 done"},
		{`{"items":[{"id":1,"text":" two\n lines ","status":"In Progress"}]}`, "[>] two lines", "two lines", "0 of 1 done"},
		{`{"items":[{"id":null,"text":"写测试","status":null}]}`, "[ ] 写测试", "next: 写测试", "0 of 1 done"},
		{`{"items":[{"text":"a","status":""}]}`, "[ ] a", "next: a", "0 of 1 done"},
	} {
		action, r := callTodo(t, tt.args)
		if r.Status != OK || r.Text != tt.text || action.Title != tt.title || r.View.Kind != Plan || r.View.Summary != tt.summary {
			t.Errorf("%s: title %q, %+v", tt.args, action.Title, r)
		}
		if len(action.Effects) > 0 || action.Change != nil {
			t.Errorf("%s: a plan touches nothing, and it says %+v", tt.args, action)
		}
	}
	if todoTool().ReadOnly {
		t.Error("two calls of todo would run at the same time, and either could be the last")
	}
}

// What the model cannot have meant is refused with what is allowed; nothing
// was done, so the old list stays.
func TestTodoRefuses(t *testing.T) {
	t.Parallel()
	many := strings.TrimSuffix(strings.Repeat(`{"text":"a"},`, 51), ",")
	for args, want := range map[string]string{
		`{"items":[{"text":"a","status":"in_progress"},{"text":"b","status":"in_progress"}]}`: `only one task can be in_progress, and 2 are ("a", "b")`,
		`{"items":[{"text":"a","status":"done"}]}`:                                            `items[0].status "done" is unknown: it must be pending, in_progress or completed`,
		`{"items":[{"text":"a","status":"\u001b[2J"}]}`:                                       `"\x1b[2J" is unknown`,
		`{"items":[{"text":" \n"}]}`:                                                          `items[0].text is empty`,
		`{"items":[{"text":""}]}`:                                                             `items[0].text is empty`,
		`{"items":[{"id":"7","text":"a"},{"id":"7","text":"b"}]}`:                             `items[0] and items[1] have the same id "7"`,
		`{"items":[{"id":7,"text":"a"},{"id":"7","text":"b"}]}`:                               `have the same id`,
		`{"items":[{"id":"` + strings.Repeat("x", 400) + `","text":"a"}]}`:                    `items[0].id is too long`,
		`{"items":[` + many + `]}`:                                                            `there are 51 items, and at most 50 are allowed`,
	} {
		_, err := todoTool().Prepare(t.Context(), args)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasSuffix(err.Error(), "the old list stays") {
			t.Errorf("%.80s: %v, want %q", args, err, want)
		}
	}
	for args, want := range map[string]string{
		`{"items":[{"content":"a"}]}`:         `"items[0].content" is unknown`,
		`{"items":[{"id":"1"}]}`:              `"items[0].text" is missing`,
		`{"items":[{"id":true,"text":"a"}]}`:  `"items[0].id" must be a string, not true`,
		`{"items":[{"text":"a","status":1}]}`: `"items[0].status" must be a string, not 1`,
		`{"items":"a"}`:                       `"items" must be an array`,
		`{"todos":[]}`:                        `"todos" is unknown`,
		`{}`:                                  `"items" is missing`,
	} {
		if _, err := todoTool().Prepare(t.Context(), args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}

// Items without an id get one that no other has.
func TestTodoIDs(t *testing.T) {
	t.Parallel()
	_, r := callTodo(t, `{"items":[{"text":"a"},{"id":"1","text":"b"},{"text":"c"},{"id":3,"text":"d"},{"id":" ","text":"e"}]}`)
	var ids []string
	for _, item := range r.View.Todos {
		ids = append(ids, item.ID)
	}
	if want := []string{"2", "1", "4", "3", "5"}; !slices.Equal(ids, want) {
		t.Errorf("ids %q, want %q", ids, want)
	}
}

func TestTodoTextIsBounded(t *testing.T) {
	t.Parallel()
	_, r := callTodo(t, fmt.Sprintf(`{"items":[{"text":%q}]}`, strings.Repeat("测", 5000)))
	text := r.View.Todos[0].Text
	if n := utf8.RuneCountInString(text); n != maxTodoText || !strings.HasSuffix(text, "测…") || !strings.HasSuffix(r.Text, text) {
		t.Errorf("%d characters are kept: %q", n, text)
	}
}

// FuzzTodo: a list that is taken keeps all it promises.
func FuzzTodo(f *testing.F) {
	for _, s := range []string{`{"items":[]}`, `{"items":[{"text":"a","status":"in_progress"},{"id":1,"text":"b"}]}`, `{"items":[{"id":-1e5,"text":"\u0000"}]}`, `{`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, args string) {
		action, err := todoTool().Prepare(t.Context(), args)
		if err != nil {
			return
		}
		r := action.Run(t.Context(), nil)
		ids, working := map[string]bool{}, 0
		for _, item := range r.View.Todos {
			switch item.Status {
			case InProgress:
				working++
			case Pending, Completed:
			default:
				t.Errorf("status %q", item.Status)
			}
			if ids[item.ID] || item.ID == "" || item.Text == "" || strings.ContainsAny(item.Text, "\n\r") || utf8.RuneCountInString(item.Text) > maxTodoText {
				t.Errorf("%+v", item)
			}
			ids[item.ID] = true
		}
		if working > 1 || len(r.View.Todos) > maxTodos || len(r.View.Todos) > 0 && strings.Count(r.Text, "\n") != len(r.View.Todos)-1 {
			t.Errorf("%d in progress, %d items in\n%s", working, len(r.View.Todos), r.Text)
		}
		if data, err := json.Marshal(r); err != nil || !utf8.Valid(data) {
			t.Errorf("cannot be journaled: %v", err)
		}
	})
}
