package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Todo is one entry of the model's plan.
type Todo struct {
	ID     string     `json:"id"`
	Text   string     `json:"text"`
	Status TodoStatus `json:"status"`
}

// TodoStatus says how far a Todo is.
type TodoStatus string

const (
	Pending    TodoStatus = "pending"
	InProgress TodoStatus = "in_progress" // one at a time
	Completed  TodoStatus = "completed"
)

// Limits of a plan: it is shown and sent whole each time.
const (
	maxTodos    = 50
	maxTodoText = 300 // characters of one item
)

type todoArgs struct {
	Items []todoItem `json:"items"`
}

type todoItem struct {
	ID     *label  `json:"id"`
	Text   string  `json:"text"`
	Status *string `json:"status" doc:"pending, in_progress or completed"`
}

// A label is a string that models also write as a number.
type label string

// UnmarshalJSON takes a number as it is written.
func (l *label) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && (data[0] == '-' || data[0] >= '0' && data[0] <= '9') {
		*l = label(data)
		return nil
	}
	return json.Unmarshal(data, (*string)(l))
}

// todoTool notes the model's plan. The plan is kept where the conversation is,
// so a call changes nothing and asks nobody; yet it does not count as reading,
// for the order of two calls matters.
func todoTool() Tool {
	return Define("todo", "Your plan: all items each time, at most one in_progress.", func(_ context.Context, a todoArgs) (Action, error) {
		list, err := plan(a.Items)
		if err != nil {
			return Action{}, err
		}
		return Action{
			Title: planTitle(list),
			Run: func(context.Context, func(string)) Result {
				return Result{Status: OK, Text: planText(list), View: View{Kind: Plan, Summary: planSummary(list), Todos: list}}
			},
		}, nil
	})
}

// plan checks a list and completes it.
func plan(items []todoItem) ([]Todo, error) {
	if len(items) > maxTodos {
		return nil, fmt.Errorf("there are %d items, and at most %d are allowed: put small steps together; the old list stays", len(items), maxTodos)
	}
	list := make([]Todo, len(items))
	at := map[string]int{}
	var working []string
	for n, item := range items {
		t, err := item.todo(n)
		if err != nil {
			return nil, err
		}
		if other, taken := at[t.ID]; taken && t.ID != "" {
			return nil, fmt.Errorf("items[%d] and items[%d] have the same id %s: give each its own, or leave the ids out; the old list stays", other, n, clipQuoted(t.ID))
		}
		at[t.ID], list[n] = n, t
		if t.Status == InProgress {
			working = append(working, quote(t.Text))
		}
	}
	if len(working) > 1 {
		return nil, fmt.Errorf("only one task can be in_progress, and %d are (%s): set the others to pending or completed; the old list stays", len(working), strings.Join(working, ", "))
	}
	number(list, at)
	return list, nil
}

// todo checks one item, the one at n.
func (i todoItem) todo(n int) (Todo, error) {
	t := Todo{Text: strings.Join(strings.Fields(i.Text), " "), Status: Pending}
	if t.Text == "" {
		return t, fmt.Errorf("items[%d].text is empty: say what is to be done; the old list stays", n)
	}
	if utf8.RuneCountInString(t.Text) > maxTodoText {
		t.Text = t.Text[:byteAt(t.Text, maxTodoText-1)] + "…"
	}
	if i.ID != nil {
		t.ID = strings.TrimSpace(string(*i.ID))
		if len(t.ID) > maxTodoText {
			return t, fmt.Errorf("items[%d].id is too long: a number will do; the old list stays", n)
		}
	}
	if i.Status == nil || *i.Status == "" {
		return t, nil
	}
	t.Status = TodoStatus(strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(strings.TrimSpace(*i.Status))))
	switch t.Status {
	case Pending, InProgress, Completed:
		return t, nil
	}
	return t, fmt.Errorf("items[%d].status %s is unknown: it must be pending, in_progress or completed; the old list stays", n, clipQuoted(*i.Status))
}

// number gives ids to those that have none.
func number(list []Todo, taken map[string]int) {
	next := 1
	for n := range list {
		for list[n].ID == "" {
			id := strconv.Itoa(next)
			next++
			if _, ok := taken[id]; !ok {
				list[n].ID = id
			}
		}
	}
}

// planText is the list as the model sees it.
func planText(list []Todo) string {
	if len(list) == 0 {
		return "(no todos)"
	}
	lines := make([]string, len(list))
	for n, t := range list {
		mark := "[ ] "
		switch t.Status {
		case Pending:
		case InProgress:
			mark = "[>] "
		case Completed:
			mark = "[x] "
		}
		lines[n] = mark + t.Text
	}
	return strings.Join(lines, "\n")
}

func planSummary(list []Todo) string {
	if len(list) == 0 {
		return "no todos"
	}
	return fmt.Sprintf("%d of %d done", done(list), len(list))
}

func done(list []Todo) int {
	n := 0
	for _, t := range list {
		if t.Status == Completed {
			n++
		}
	}
	return n
}

// planTitle says where the work is.
func planTitle(list []Todo) string {
	if len(list) == 0 {
		return "(empty)"
	}
	next := ""
	for _, t := range list {
		switch {
		case t.Status == InProgress:
			return t.Text
		case t.Status == Pending && next == "":
			next = "next: " + t.Text
		}
	}
	if next == "" {
		return "all done"
	}
	return next
}
