package tools

import (
	"context"
	"fmt"
	"strings"

	"aye/tools/change"
	"aye/tools/match"
	"aye/tools/text"
	"aye/tools/workspace"
)

// Limits of the excerpt that follows an edit, in lines and characters.
const (
	excerptAround = 3
	excerptLines  = 40
	excerptChars  = 4000
)

type editArgs struct {
	Path string `json:"path"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

func editTool(ws *workspace.Dir) Tool {
	return Define("edit", "Replace old, which must occur exactly once in the file, by new.", func(_ context.Context, a editArgs) (Action, error) {
		rel, err := ws.Resolve(a.Path)
		if err != nil {
			return Action{}, err
		}
		old, info, err := ws.ReadFile(rel, maxEdited)
		if err != nil {
			return Action{}, missingPath(ws, a.Path, err)
		}
		if kind := text.Sniff(old, true); kind != text.UTF8 {
			return Action{}, fmt.Errorf("%s is %v; edit changes text in UTF-8 only. Convert it first, or change it with a shell command", rel, kind)
		}
		edit, err := match.Replace(old, a.Old, a.New)
		if err != nil {
			return Action{}, a.noMatch(rel, err)
		}
		after := edit.Apply(old)
		w := writing{ws: ws, title: titleOf(a.Path, rel), given: a.Path, notes: []string{lossNote(info)}}
		w.again = func() string { return a.now(ws, rel) }
		w.set, err = change.New(change.File{Path: rel, Before: old, After: after, Existed: true, Mode: info.Mode() & workspace.Permissions})
		if err != nil {
			return Action{}, err
		}
		return w.action(func(d change.FileDiff) string {
			return fmt.Sprintf("Edited %s: +%d −%d. It now reads:\n%s", rel, d.Added, d.Removed, excerpt(after, edit.Start, edit.Start+len(edit.New)))
		})
	})
}

// noMatch is the error about an edit that has no place. It shows lines of the
// file, but not of one whose reading a person would have to allow first.
func (a editArgs) noMatch(rel string, err error) error {
	if why := riskOf(a.Path, rel, workspace.Secret); why != "" {
		return fmt.Errorf("%s: old does not occur exactly once, or changes nothing; the file %s, so no lines are shown. Read it first", rel, why)
	}
	return fmt.Errorf("%s: %w", rel, err)
}

// now says what an edit meets in the file as it is now, so that a model need
// not read it again. The edit was allowed, so its surroundings may be shown.
func (a editArgs) now(ws *workspace.Dir, rel string) string {
	file, _, err := ws.ReadFile(rel, maxEdited)
	if err != nil {
		return err.Error()
	}
	edit, err := match.Replace(file, a.Old, a.New)
	if err != nil {
		return a.noMatch(rel, err).Error()
	}
	return "old still occurs once in it:\n" + excerpt(file, edit.Start, edit.End)
}

// excerpt shows the lines that bytes [start, end) of a file are in, numbered,
// with a few around them.
func excerpt(file []byte, start, end int) string {
	body, mark := text.TrimBOM(file)
	if mark {
		start, end = max(0, start-len(text.BOM)), max(0, end-len(text.BOM))
	}
	lines := text.Split(body)
	first, last := len(lines), 0
	for n, at := 0, 0; n < len(lines) && at < max(end, start+1); n++ {
		next := at + len(lines[n].Text) + len(lines[n].End)
		if next > start || n == len(lines)-1 {
			first, last = min(first, n), n
		}
		at = next
	}
	from, to := max(0, first-excerptAround), min(len(lines), last+1+excerptAround)
	var b strings.Builder
	for n := from; n < to; n++ {
		if n == from+excerptLines {
			fmt.Fprintf(&b, "[lines %d–%d not shown]\n", n+1, to)
			break
		}
		shown, _ := text.Show(lines[n].Text)
		fmt.Fprintf(&b, "%d: %s\n", n+1, shown)
	}
	if len(lines) == 0 {
		return "[the file is empty now]"
	}
	return clip(strings.TrimSuffix(b.String(), "\n"), excerptChars)
}
