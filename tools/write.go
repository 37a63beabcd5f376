package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"aye/tools/change"
	"aye/tools/text"
	"aye/tools/workspace"
)

// maxEdited is the largest file that is changed, in bytes: its old and new
// content are held in memory and shown.
const maxEdited = 64 << 20

type writeArgs struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

func writeTool(ws *workspace.Dir) Tool {
	return Define("write", "Create or overwrite a UTF-8 file; folders are made.", func(_ context.Context, a writeArgs) (Action, error) {
		rel, err := ws.Resolve(a.Path)
		if err != nil {
			return Action{}, err
		}
		old, info, err := ws.ReadFile(rel, maxEdited)
		file := change.File{Path: rel, After: []byte(a.Content), Mode: ws.NewFileMode()}
		w := writing{ws: ws, title: titleOf(a.Path, rel), given: a.Path}
		switch {
		case err == nil:
			var kept string
			file.After, kept = likeBefore(old, file.After)
			file.Before, file.Existed, file.Mode = old, true, info.Mode()&workspace.Permissions
			w.notes = append(w.notes, kept, lossNote(info))
		case !errors.Is(err, fs.ErrNotExist):
			return Action{}, err
		}
		if file.Existed && bytes.Equal(file.Before, file.After) {
			return unchanged(rel), nil
		}
		if w.set, err = change.New(file); err != nil {
			return Action{}, err
		}
		return w.action(func(d change.FileDiff) string {
			done := "Wrote"
			if d.Kind == change.Added {
				done = "Created"
			}
			lines := len(text.Split(file.After))
			return fmt.Sprintf("%s %s: %s, %d bytes", done, rel, plural(lines, "line"), len(file.After))
		})
	})
}

// unchanged is the action for a write that would change nothing.
func unchanged(rel string) Action {
	return Action{
		Title:   rel,
		Effects: []Effect{{Kind: Read, Target: rel}},
		Run: func(context.Context, func(string)) Result {
			return Result{Status: OK, Text: rel + " has exactly this content already; nothing was written.", View: View{Summary: "unchanged"}}
		},
	}
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
	var losses []string
	if n := workspace.Links(info); n > 1 {
		losses = append(losses, fmt.Sprintf("the file has %d names (hard links); only this one gets the new content", n))
	}
	if info.Mode()&(fs.ModeSetuid|fs.ModeSetgid) != 0 {
		losses = append(losses, "the file loses its setuid and setgid bits")
	}
	return strings.Join(losses, "; ")
}

// A writing is a change of one file that is asked for.
type writing struct {
	ws    *workspace.Dir
	title string
	set   change.Set
	given string   // the path as the model wrote it
	notes []string // for person and model; "" says nothing
	// again says, after the file turned out to have changed, what the call
	// would meet now; nil says nothing.
	again func() string
}

// action makes the Action of a change. report says what was done. A change
// that cannot be shown whole is none that a person can allow.
func (w writing) action(report func(change.FileDiff) string) (Action, error) {
	file := w.set.Files[0]
	diffs := w.set.Diff()
	if diffs[0].Left > 0 {
		return Action{}, fmt.Errorf("%s: the change is too large to be shown whole to the user, by %s; make it in several smaller ones", file.Path, plural(diffs[0].Left, "line"))
	}
	var notes []string
	for _, note := range append([]string{diffs[0].Note}, w.notes...) {
		if note != "" {
			notes = append(notes, note)
		}
	}
	diffs[0].Note = strings.Join(notes, "; ")
	view := View{Kind: Diff, Summary: fmt.Sprintf("+%d −%d", diffs[0].Added, diffs[0].Removed), Diffs: diffs}
	return Action{
		Title:   w.title,
		Effects: []Effect{{Kind: Write, Target: file.Path, Risk: riskOf(w.given, file.Path, workspace.Risk)}},
		Change:  &w.set,
		Preview: view,
		Run: func(ctx context.Context, _ func(string)) Result {
			if err := w.set.Commit(ctx, w.ws); err != nil {
				return w.failed(ctx, err)
			}
			words := report(diffs[0])
			if diffs[0].Note != "" {
				words += "\n[" + diffs[0].Note + "]"
			}
			return Result{Status: OK, Text: words, View: view}
		},
	}, nil
}

// failed is the result of a commit that did not happen.
func (w writing) failed(ctx context.Context, err error) Result {
	var stale *change.Stale
	switch {
	case errors.As(err, &stale):
		words := err.Error() + ". It is not what this call was prepared for: look at it again, then repeat the call."
		if w.again != nil {
			words += "\n" + w.again()
		}
		return Result{Status: Failed, Text: words}
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return Result{Status: Interrupted, Text: "interrupted; nothing was written"}
	}
	return failed(err)
}
