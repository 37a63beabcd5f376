package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"aye/llm"
	"aye/tools"
	"aye/tools/near"
)

// callAll runs the calls of one reply in order, except that neighbours which
// only read run together. Calls that an interruption leaves over get their
// results where the turn ends.
func (t *turn) callAll(ctx, late context.Context, reply llm.Done) {
	calls := reply.Message.Calls()
	for len(calls) > 0 && ctx.Err() == nil {
		n := 1
		for n < len(calls) && t.readOnly(calls[n-1]) && t.readOnly(calls[n]) {
			n++
		}
		t.callTogether(ctx, late, calls[:n], reply.Stop)
		calls = calls[n:]
	}
}

func (t *turn) readOnly(c llm.ToolCall) bool {
	tool, ok := t.tool(c.Name)
	return ok && tool.ReadOnly
}

func (t *turn) tool(name string) (tools.Tool, bool) {
	for _, tool := range t.opts.Tools {
		if tool.Name == name {
			return tool, true
		}
	}
	return tools.Tool{}, false
}

// callTogether checks calls one after another, so that there is one question
// at a time, runs those that may, and reports their results in order. One that
// may not is first seen by its result: those before it end before it, and
// those after it begin then.
func (t *turn) callTogether(ctx, late context.Context, calls []llm.ToolCall, stop llm.Stop) {
	var finish []func()
	all := func() {
		for _, f := range finish {
			f()
		}
		finish = nil
	}
	for _, c := range calls {
		act, refused := t.check(ctx, late, c, stop)
		if refused != nil {
			all()
			t.finish(c, act, outcome{result: *refused})
			continue
		}
		t.wait(Waiting{For: ForTool, Detail: strings.TrimSpace(c.Name + " " + act.Title)})
		j := t.job(c.ID)
		r := j.run(ctx, act)
		finish = append(finish, func() { t.finish(c, act, j.await(late, r)) })
	}
	all()
}

func (t *turn) job(id string) job { return job{id, t.asks, t.work, t.opts.Now} }

// check brings a call to where it may run, or returns the result it has
// instead.
func (t *turn) check(ctx, late context.Context, c llm.ToolCall, stop llm.Stop) (tools.Action, *tools.Result) {
	refuse := func(r tools.Result) (tools.Action, *tools.Result) { return tools.Action{}, &r }
	notRun := tools.Result{Status: tools.Interrupted, Text: textNotRun}
	tool, ok := t.tool(c.Name)
	switch {
	case ctx.Err() != nil:
		return refuse(notRun)
	case !ok:
		return refuse(t.noTool(c.Name))
	case stop == llm.MaxTokens && !json.Valid([]byte(c.Args)):
		return refuse(failure(textCutArgs))
	}
	act, err := t.job(c.ID).prepare(late, func() (tools.Action, error) { return tool.Prepare(ctx, c.Args) })
	switch {
	case ctx.Err() != nil:
		return refuse(notRun)
	case err != nil:
		return refuse(failure("%s", err))
	}
	t.emit(CallPrepared{CallID: c.ID, Tool: c.Name, Title: act.Title, Effects: act.Effects, Preview: act.Preview})
	if no := t.permit(ctx, c, act.Effects); no != nil {
		return tools.Action{}, no
	}
	if ctx.Err() != nil {
		return refuse(notRun)
	}
	return act, nil
}

// noTool answers a call of a tool that does not exist.
func (t *turn) noTool(name string) tools.Result {
	var known []string
	for _, tool := range t.opts.Tools {
		known = append(known, tool.Name)
	}
	if len(name) > 60 {
		name = strings.ToValidUTF8(name[:60], "") + "…"
	}
	hint := ""
	if n := near.Word(name, known); n != "" {
		hint = fmt.Sprintf(" Did you mean %s?", n)
	}
	return failure("there is no tool named %q.%s The tools are: %s.", name, hint, strings.Join(known, ", "))
}

// finish records a call's result, what it changed first.
func (t *turn) finish(c llm.ToolCall, act tools.Action, out outcome) {
	res := out.result
	t.reminders.note(res)
	if t.told.again(c, res, act) == warnAt {
		res.Text = strings.TrimRight(res.Text, "\n") + "\n" + textRepeats
	}
	if act.Change != nil && res.Status == tools.OK {
		t.emit(ChangeCommitted{CallID: c.ID, Files: changedFiles(act)})
	}
	t.emit(CallFinished{CallID: c.ID, Tool: c.Name, Result: res, Took: out.took})
	if res.Status != tools.Denied {
		for _, e := range act.Effects {
			if e.Kind != tools.Exec {
				t.paths = append(t.paths, e.Target)
			}
		}
	}
}

// instruct tells the model what the project says about the files it came to:
// a folder's instructions cost nothing before they matter.
func (t *turn) instruct() {
	paths := t.paths
	t.paths = nil
	if t.opts.Instructions == nil || len(paths) == 0 {
		return
	}
	if text, why := t.opts.Instructions(paths); text != "" {
		t.emit(Reminded{Text: text, Why: why})
	}
}

// changedFiles says what act changed: its preview is the same change, and has
// the counts.
func changedFiles(act tools.Action) []ChangedFile {
	var files []ChangedFile
	for _, d := range act.Preview.Diffs {
		files = append(files, ChangedFile{d.Path, d.Kind, d.Added, d.Removed})
	}
	return files
}
