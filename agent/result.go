package agent

import (
	"fmt"
	"runtime"
	"strings"

	"aye/llm"
	"aye/tools"
)

// What the model is told about calls that did not simply run. Each says what
// is known about the world and what to do about it.
const (
	textNotRun  = "Not run: the turn was interrupted."
	textCutOff  = "Interrupted; it may have partly happened. Inspect before retrying."
	textUnknown = "The turn ended before this call did; its status is unknown. Inspect before retrying."
	textDenied  = "The user denied this call."
	textCutArgs = "Not run: the reply hit the output limit, so these arguments are incomplete. Write less at a time: the first 150 lines or so of a long file in one call, the rest appended in further calls."
	textLimit   = "Not run: no more calls are possible in this turn."
	textFilter  = "Not run: the provider's content filter stopped this reply."
)

// toolResult is what the model gets for a call.
func toolResult(c llm.ToolCall, r tools.Result) llm.ToolResult {
	return llm.ToolResult{CallID: c.ID, Name: c.Name, Text: resultText(r), Failed: r.Status != tools.OK}
}

// resultText says a failure in words, since most wires cannot mark one, and
// never says nothing: some models take an empty result for a fault.
func resultText(r tools.Result) string {
	if r.Status == tools.Failed && !strings.HasPrefix(strings.ToLower(r.Text), "error") {
		return "error: " + r.Text
	}
	if strings.TrimSpace(r.Text) == "" {
		return "(no output)"
	}
	return r.Text
}

// unfinished is the result of a call that nothing more will be heard of.
func (c openCall) unfinished() tools.Result {
	if c.prepared {
		return tools.Result{Status: tools.Interrupted, Text: textUnknown}
	}
	return tools.Result{Status: tools.Interrupted, Text: textNotRun}
}

// interrupted is the result of a call that was stopped while it ran and left
// res behind: what it says is kept, and what cannot be known is said.
func interrupted(res tools.Result) tools.Result {
	if strings.TrimSpace(res.Text) == "" {
		res.Text = textCutOff
	} else {
		res.Text = strings.TrimRight(res.Text, "\n") + "\n" + textCutOff
	}
	return res
}

func failure(format string, args ...any) tools.Result {
	return tools.Result{Status: tools.Failed, Text: fmt.Sprintf(format, args...)}
}

// crash puts a recovered panic into one line, with the place it came from.
// It is called in the deferred function that recovered.
func crash(r any) string {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	for panicked := false; ; {
		f, more := frames.Next()
		inRuntime := strings.HasPrefix(f.Function, "runtime.")
		if panicked && !inRuntime {
			return fmt.Sprintf("a bug in aye: %v (in %s, line %d)", r, f.Function, f.Line)
		}
		panicked = panicked || f.Function == "runtime.gopanic"
		if !more {
			return fmt.Sprintf("a bug in aye: %v", r)
		}
	}
}
