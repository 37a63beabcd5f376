package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"aye/tools/workspace"
)

// maxEntries is how many entries of a folder ls shows.
const maxEntries = 500

type lsArgs struct {
	Path *string `json:"path"`
}

func lsTool(ws *workspace.Dir) Tool {
	tool := Define("ls", "List one folder, with hidden and ignored entries.", func(_ context.Context, a lsArgs) (Action, error) {
		given := "."
		if a.Path != nil && *a.Path != "" {
			given = *a.Path
		}
		rel, err := ws.Resolve(given)
		if err != nil {
			return Action{}, err
		}
		info, err := ws.Stat(rel)
		if err != nil {
			return Action{}, missingPath(ws, given, err)
		}
		if !info.IsDir() {
			return Action{}, fmt.Errorf("%s is a file, not a folder; read shows it, ls %s lists what is beside it", rel, path.Dir(rel))
		}
		return Action{
			Title:   titleOf(given, rel),
			Effects: []Effect{{Kind: Read, Target: rel}},
			Run:     func(ctx context.Context, _ func(string)) Result { return list(ctx, ws, rel) },
		}, nil
	})
	tool.ReadOnly = true
	return tool
}

// list lists one folder: folders first, then by name.
func list(ctx context.Context, ws *workspace.Dir, rel string) Result {
	entries, err := ws.ReadDir(rel)
	if err != nil {
		return failed(err)
	}
	if len(entries) == 0 {
		return Result{Status: OK, Text: showName(rel) + " is empty", View: View{Summary: "empty"}}
	}
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(rank(a), rank(b)) })
	ignores := ws.IgnoresIn(rel)
	var b strings.Builder
	shown, gone := 0, 0
	for _, entry := range entries[:min(len(entries), maxEntries)] {
		if ctx.Err() != nil {
			return Result{Status: Interrupted, Text: "interrupted; the list would not be complete"}
		}
		line, ok := entryLine(ws, path.Join(rel, entry.Name()), entry)
		if !ok {
			gone++ // removed just now
			continue
		}
		if ignores(entry.Name(), entry.IsDir()) {
			line += "  ignored"
		}
		if b.Len()+len(line) >= maxText {
			break
		}
		b.WriteString(line + "\n")
		shown++
	}
	words, total := strings.TrimSuffix(b.String(), "\n"), len(entries)-gone
	if shown < total {
		words += fmt.Sprintf("\n[the first %d of %d entries; glob with a pattern finds the others]", shown, total)
	}
	summary := "1 entry"
	if total != 1 {
		summary = fmt.Sprintf("%d entries", total)
	}
	return Result{Status: OK, Text: words, View: View{Kind: Plain, Summary: summary, Text: words}}
}

// rank is lower for what is listed first.
func rank(entry fs.DirEntry) int {
	if entry.IsDir() {
		return 0
	}
	return 1
}

// entryLine shows one entry: "name/", "name -> target", "name  120 bytes". ok
// is false when it is there no more.
func entryLine(ws *workspace.Dir, rel string, entry fs.DirEntry) (line string, ok bool) {
	name := showName(entry.Name())
	switch mode := entry.Type(); {
	case mode.IsDir():
		return name + "/", true
	case mode&fs.ModeSymlink != 0:
		target, err := ws.Readlink(rel)
		if err != nil {
			return name + " -> ?", !errors.Is(err, fs.ErrNotExist)
		}
		return name + " -> " + showName(target), true
	case !mode.IsRegular():
		return name + "  no regular file", true
	}
	info, err := ws.Stat(rel)
	if err != nil {
		return name, !errors.Is(err, fs.ErrNotExist)
	}
	return name + "  " + plural(int(info.Size()), "byte"), true
}
