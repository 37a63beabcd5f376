package tools

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"strings"

	"aye/tools/change"
	"aye/tools/text"
	"aye/tools/workspace"
)

type writeArgs struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

func writeTool(ws *workspace.Dir, seen *workspace.Seen) Tool {
	return Define("write", "Create a file, folders too, or replace one you have read whole.", func(_ context.Context, a writeArgs) (Action, error) {
		t, err := look(ws, seen, a.Path)
		if err != nil {
			return Action{}, err
		}
		after, kept := []byte(a.Content), ""
		if t.exists {
			after, kept = likeBefore(t.data, after)
			if bytes.Equal(t.data, after) {
				return t.unchanged(), nil
			}
			if known := t.known(); known != complete && len(t.data) > 0 {
				return t.overwriting(known)
			}
		}
		w := writing{target: t, notes: []string{t.gone(), kept, lossNote(t.info)}}
		if w.set, err = t.change(after); err != nil {
			return Action{}, err
		}
		w.stale = func(t target) refusal { return t.overwritten() }
		return w.action(func(d change.FileDiff) (string, []workspace.Sight) {
			done := "Wrote"
			if d.Kind == change.Added {
				done = "Created"
			}
			sights := t.wroteAll(after)
			return fmt.Sprintf("%s %s: %s, %d bytes", done, t.rel, plural(sights[0].Lines, "line"), len(after)), sights
		})
	})
}

// wroteAll is the sight of a file that the model wrote whole.
func (t target) wroteAll(after []byte) []workspace.Sight {
	body, _ := text.TrimBOM(after)
	lines := text.Count(text.Split(body)).Lines()
	return []workspace.Sight{{Path: t.rel, Sum: workspace.SumOf(after), To: lines, Lines: lines}}
}

// unchanged is the action for a write that would change nothing.
func (t target) unchanged() Action {
	return Action{
		Title:   titleOf(t.given, t.rel),
		Effects: []Effect{{Kind: Read, Target: t.rel, Risk: t.secret()}},
		Run: func(context.Context, func(string)) Result {
			sights := t.wroteAll(t.data)
			t.seen.Add(sights...)
			return Result{Status: OK, Text: t.rel + " has exactly this content already; nothing was written.", View: View{Summary: "unchanged"}, Seen: sights}
		},
	}
}

// overwriting refuses to replace text that the model has not seen.
func (t target) overwriting(known knowledge) (Action, error) {
	if kind := text.Sniff(t.data, true); kind > text.Legacy {
		return Action{}, fmt.Errorf("%s exists and is %v, %d bytes, which you cannot read; write does not replace what you have not seen. If nothing of it is needed, remove it with shell first", t.rel, kind, len(t.data))
	}
	if t.secret() != "" {
		return Action{}, t.hidden()
	}
	var r refusal
	switch known {
	case unread:
		r.short = "not read before"
		r.why = t.rel + " exists and you have not read it; write would replace what you have not seen. Nothing was written. It reads:"
	case outdated:
		r.short = "changed since it was seen"
		r.why = t.rel + " was changed since you last saw it; write would undo that. Nothing was written. It reads now:"
	case partial:
		r.short = "read in part only"
		r.why = t.rel + " was read in part only; write would replace lines that you have not seen. Nothing was written. These are:"
	case complete:
	}
	r.shown, r.seen = t.unseen()
	return t.refuse(r), nil
}

// overwritten says what a write, which was allowed, found instead of what it
// was to replace.
func (t target) overwritten() refusal {
	r := refusal{short: "changed meanwhile"}
	switch {
	case !t.exists:
		r.why = "Repeat the call to create it."
	case text.Sniff(t.data, true) > text.Legacy:
		r.why = "It is no text now; look at it with shell."
	case t.secret() != "":
		r.why = "Read it again, then repeat the call."
	default:
		r.why = "It reads now:"
		r.shown, r.seen = t.unseen()
	}
	return r
}

// likeBefore gives content the byte order mark and the line ends that the file
// has, unless content has its own. kept says so.
func likeBefore(old, content []byte) (like []byte, kept string) {
	if text.Sniff(old, true) > text.Legacy {
		return content, ""
	}
	var what []string
	ends := text.Count(text.Split(old))
	if ends.CRLF > 0 && ends.LF == 0 && ends.CR == 0 && bytes.IndexByte(content, '\n') >= 0 && bytes.IndexByte(content, '\r') < 0 {
		content = bytes.ReplaceAll(content, []byte("\n"), []byte("\r\n"))
		what = append(what, "CRLF line ends")
	}
	_, had := text.TrimBOM(old)
	if _, has := text.TrimBOM(content); had && !has {
		content = append([]byte(text.BOM), content...)
		what = append(what, "byte order mark")
	}
	if len(what) == 0 {
		return content, ""
	}
	return content, "the file's " + strings.Join(what, " and ") + " kept"
}

// lossNote says what a file that is replaced does not pass on: its other names
// keep the old content, and what was allowed to the old content is not allowed
// to the new.
func lossNote(info fs.FileInfo) string {
	if info == nil {
		return ""
	}
	var losses []string
	if n := workspace.Links(info); n > 1 {
		losses = append(losses, fmt.Sprintf("the file has %d names (hard links); only this one gets the new content", n))
	}
	if info.Mode()&(fs.ModeSetuid|fs.ModeSetgid) != 0 {
		losses = append(losses, "the file loses its setuid and setgid bits")
	}
	return strings.Join(losses, "; ")
}
