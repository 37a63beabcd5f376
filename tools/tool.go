package tools

import (
	"context"
	"encoding/json"

	"aye/tools/change"
	"aye/tools/workspace"
)

// A Tool is one capability a model may call. Tools keep no state of their
// own; what they need they were given when they were made.
type Tool struct {
	Name     string
	Doc      string          // one line for the model
	Schema   json.RawMessage // JSON Schema of the arguments
	ReadOnly bool            // no Action of it changes anything: neighbours may run at the same time

	// Prepare checks a call and says what it would do. It reads, and changes
	// nothing. args is what the model sent, which may be no JSON at all. Its
	// error is a sentence for the model that says how to succeed next time.
	Prepare func(ctx context.Context, args string) (Action, error)
}

// An Action is one checked call: it says what it will do before it does it.
type Action struct {
	Title   string      // for people, one line: "cmd/main.go", "go test ./..."; the tool's name is not in it
	Effects []Effect    // all that Run touches: what policy judges
	Change  *change.Set // for file changes: exactly what Run will commit
	Preview View        // what a person must see before saying yes

	// Run does it, once. progress takes output as it comes, whole or partial
	// lines, and may be called from another goroutine, never after Run
	// returned. When ctx ends, Run stops at once and returns what it has
	// with status Interrupted.
	Run func(ctx context.Context, progress func(string)) Result
}

// An Effect is one thing an action touches.
type Effect struct {
	Kind   EffectKind `json:"kind"`
	Target string     `json:"target"`        // a workspace-relative path, or the whole command line
	Risk   string     `json:"risk,omitzero"` // for people: why this one deserves a second look, "can run code"; never covered by a general rule
}

// EffectKind is the closed set of effects.
type EffectKind string

const (
	Read  EffectKind = "read"
	Write EffectKind = "write"
	Exec  EffectKind = "exec"
)

// A Result is what a call came to. Text is for the model, View for people;
// the zero View means that Text is shown.
type Result struct {
	Status Status `json:"status"`
	Text   string `json:"text"`
	View   View   `json:"view,omitzero"`
	// Seen is what the model has before its eyes through this result. The
	// tool has told Deps.Seen already; a session that goes on is told again.
	Seen []workspace.Sight `json:"seen,omitzero"`
	// Ended is the number of the background job whose end this tells; 0: none.
	Ended int `json:"ended,omitzero"`
}

// Status says how a call ended.
type Status string

const (
	OK          Status = "ok"
	Failed      Status = "failed"      // the tool could not do it; nothing or only what Text says was changed
	Denied      Status = "denied"      // a person or a rule said no
	Interrupted Status = "interrupted" // cancelled on the way
)

// A View is what people see of a call. The set of kinds is closed: a new tool
// picks one and needs no line of screen code. Text in it is untrusted.
type View struct {
	Kind    ViewKind          `json:"kind,omitzero"`
	Summary string            `json:"summary,omitzero"` // a few words for the call's line: "120 lines", "exit 1 · 2.3 s", "+3 −1"
	Text    string            `json:"text,omitzero"`    // Plain, Output: the text; Command: the command; Code: the content
	Path    string            `json:"path,omitzero"`    // Code: whose content
	Diffs   []change.FileDiff `json:"diffs,omitzero"`   // Diff
	Failed  bool              `json:"failed,omitzero"`  // Output: the command did not exit with 0
	Todos   []Todo            `json:"todos,omitzero"`   // Plan: all of it
}

// ViewKind is the closed set of looks.
type ViewKind string

const (
	None    ViewKind = ""        // the line alone says it
	Plain   ViewKind = "plain"   // a few lines of text
	Code    ViewKind = "code"    // a file's text
	Diff    ViewKind = "diff"    // file changes
	Output  ViewKind = "output"  // what a command printed
	Command ViewKind = "command" // a command to be run, shown whole
	Plan    ViewKind = "plan"    // the model's list of what is to do
)
