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
		if err := t.notText(); err != nil {
			return Action{}, fmt.Errorf("%w; write does not replace what you cannot read. If nothing of it is needed, remove it with shell first", err)
		}
		after, is, kept, err := t.like(a.Content)
		if err != nil {
			return Action{}, fmt.Errorf("%s: %w", t.rel, err)
		}
		if t.exists {
			if bytes.Equal(t.data, after) {
				return t.unchanged(is), nil
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
			sights := is.all()
			return fmt.Sprintf("%s %s: %s, %s", done, t.rel, plural(sights[0].Lines, "line"), plural(len(after), "byte")), sights
		})
	})
}

// all is the sight of all of it: the model wrote it.
func (v version) all() []workspace.Sight {
	lines := v.lines()
	return []workspace.Sight{{Path: v.rel, Sum: v.sum, To: lines, Lines: lines}}
}

// unchanged is the action for a write that would change nothing.
func (t target) unchanged(is version) Action {
	return Action{
		Title:   titleOf(t.given, t.rel),
		Effects: []Effect{{Kind: Read, Target: t.rel, Risk: t.secret()}},
		Run: func(context.Context, func(string)) Result {
			sights := is.all()
			t.seen.Add(sights...)
			return Result{Status: OK, Text: t.rel + " has exactly this content already; nothing was written.", View: View{Summary: "unchanged"}, Seen: sights}
		},
	}
}

// overwriting refuses to replace text that the model has not seen.
func (t target) overwriting(known knowledge) (Action, error) {
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
	case t.foreign != nil:
		r.why = "It is no text now; look at it with shell."
	case t.secret() != "":
		r.why = "Read it again, then repeat the call."
	default:
		r.why = "It reads now:"
		r.shown, r.seen = t.unseen()
	}
	return r
}

// like is content as the bytes that the file gets: with the line ends, the
// encoding and the byte order mark that it has. kept says so.
func (t target) like(content string) (after []byte, is version, kept string, err error) {
	if !t.exists {
		err = text.Check(content)
		is = version{t.rel, workspace.SumOf([]byte(content)), []byte(strings.TrimPrefix(content, text.BOM))}
		return []byte(content), is, "", err
	}
	var what []string
	content, changed := likeEnds(content, text.Count(text.Split(t.doc.Bytes())))
	if changed != "" {
		what = append(what, changed)
	}
	if mark, err := t.doc.Encode(""); err == nil && len(mark) > 0 {
		content = strings.TrimPrefix(content, text.BOM)
	}
	if note := t.doc.Encoding().Note(); note != "" {
		what = append(what, "encoding ("+note+")")
	}
	if len(what) > 0 {
		kept = "the file's " + strings.Join(what, " and ") + " kept"
	}
	if after, err = t.doc.Encode(content); err != nil {
		return nil, version{}, "", err
	}
	return after, version{t.rel, workspace.SumOf(after), []byte(strings.TrimPrefix(content, text.BOM))}, kept, nil
}

// likeEnds gives content the line ends of a file that has one form of them,
// unless content speaks of "\r" itself. changed names them.
func likeEnds(content string, ends text.Ends) (like, changed string) {
	if strings.IndexByte(content, '\r') >= 0 || strings.IndexByte(content, '\n') < 0 {
		return content, ""
	}
	switch {
	case ends.CRLF > 0 && ends.LF == 0 && ends.CR == 0:
		return strings.ReplaceAll(content, "\n", "\r\n"), ends.Note()
	case ends.CR > 0 && ends.LF == 0 && ends.CRLF == 0:
		return strings.ReplaceAll(content, "\n", "\r"), ends.Note()
	}
	return content, ""
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
