package tools

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"aye/tools/search"
	"aye/tools/workspace"

	"github.com/bmatcuk/doublestar/v4"
)

// Limits of one grep.
const (
	maxMatches = 200 // lines that are shown
	maxPerFile = 30  // of them, in one file of many
	maxContext = 10  // lines around each
	maxGrep    = 20 * time.Second
)

type grepArgs struct {
	Pattern string  `json:"pattern" doc:"RE2; (?i) ignores case"`
	Path    *string `json:"path"`
	Glob    *string `json:"glob"`
	Literal *bool   `json:"literal"`
	Context *int    `json:"context"`
}

func grepTool(ws *workspace.Dir) Tool {
	tool := Define("grep", "Find lines in files; ignored files are left out.", func(_ context.Context, a grepArgs) (Action, error) {
		g, err := newGrepping(ws, a)
		if err != nil {
			return Action{}, err
		}
		return Action{
			Title:   g.title(a),
			Effects: []Effect{{Kind: Read, Target: g.query.Path}},
			Run:     func(ctx context.Context, _ func(string)) Result { return g.run(ctx) },
		}, nil
	})
	tool.ReadOnly = true
	return tool
}

// A grepping is one call of grep.
type grepping struct {
	ws      *workspace.Dir
	pattern string
	literal bool
	glob    string
	file    bool // one file is searched
	query   search.Query
}

// newGrepping checks a call.
func newGrepping(ws *workspace.Dir, a grepArgs) (*grepping, error) {
	g := &grepping{ws: ws, pattern: a.Pattern, literal: a.Literal != nil && *a.Literal}
	if a.Pattern == "" {
		return nil, errors.New("pattern is empty: every line would match; read shows a file")
	}
	pattern, err := search.Compile(a.Pattern, g.literal)
	if err != nil {
		if !g.literal {
			err = fmt.Errorf("%w; to search for exactly this text, call grep again with literal: true", err)
		}
		return nil, err
	}
	g.query = search.Query{Pattern: pattern, Path: ".", Lines: maxMatches, PerFile: maxPerFile}
	if a.Context != nil {
		if *a.Context < 0 {
			return nil, fmt.Errorf("context is %d; it counts lines and must be 0 or more", *a.Context)
		}
		g.query.Around = min(*a.Context, maxContext)
	}
	if a.Path != nil && *a.Path != "" {
		if g.query.Path, err = ws.Resolve(*a.Path); err != nil {
			return nil, err
		}
		info, err := ws.Stat(g.query.Path)
		if err != nil {
			return nil, missingPath(ws, *a.Path, err)
		}
		g.file = !info.IsDir()
	}
	if a.Glob != nil && *a.Glob != "" {
		g.glob = *a.Glob
		g.query.Only, err = only(ws, g.query.Path, g.glob)
	}
	return g, err
}

// only makes a filter of a pattern for paths: one without a slash is about
// names, others are about the path in the workspace or in the folder that is
// searched. A "!" before it turns it around.
func only(ws *workspace.Dir, base, given string) (func(rel string) bool, error) {
	pattern, not := strings.CutPrefix(given, "!")
	pattern = strings.TrimPrefix(strings.TrimPrefix(pattern, ws.Name()+"/"), "./")
	if err := checkPattern(pattern, given); err != nil {
		return nil, err
	}
	if strings.HasSuffix(pattern, "/") {
		pattern += "**"
	}
	pattern = withinParts(pattern)
	names := !strings.Contains(pattern, "/")
	return func(rel string) bool {
		inner := strings.TrimPrefix(rel, base+"/")
		if names {
			rel, inner = path.Base(rel), path.Base(rel)
		}
		match := doublestar.MatchUnvalidated(pattern, rel) || inner != rel && doublestar.MatchUnvalidated(pattern, inner)
		return match != not
	}, nil
}

// title is the pattern, and where it is looked for.
func (g *grepping) title(a grepArgs) string {
	title := g.pattern
	if g.query.Path != "." {
		title += " in " + titleOf(*a.Path, g.query.Path)
	}
	if g.glob != "" {
		title += " in " + g.glob
	}
	return title
}

func (g *grepping) run(ctx context.Context) Result {
	limited, cancel := context.WithTimeout(ctx, maxGrep)
	defer cancel()
	found, err := search.Run(limited, g.ws, g.query)
	if ctx.Err() != nil {
		return Result{Status: Interrupted, Text: "interrupted; the search would not be complete"}
	}
	if err != nil {
		return failed(err)
	}
	list, shown := g.list(found)
	summary := "1 match"
	if found.Matches != 1 {
		summary = fmt.Sprintf("%d matches", found.Matches)
	}
	if found.Matches > 0 && !g.file {
		summary += " in " + plural(found.Matching, "file")
	}
	words := summary + "\n" + strings.TrimSuffix(list, "\n")
	if found.Matches == 0 {
		words = "no matches in " + plural(found.Searched, "file")
	}
	for _, note := range g.notes(found, shown) {
		words += "\n[" + note + "]"
	}
	return Result{Status: OK, Text: words, View: View{Kind: Plain, Summary: summary, Text: words}}
}

// list is the lines that were found, as many as fit, and how many of them
// match.
func (g *grepping) list(found *search.Report) (list string, shown int) {
	var b strings.Builder
	for n, file := range found.Files {
		text := g.lines(file)
		if b.Len()+len(text) > maxText && n > 0 {
			break
		}
		kept, missing := clipEnd(text, maxText)
		b.WriteString(kept)
		if missing > 0 {
			return b.String(), g.matchesIn(kept)
		}
		shown += file.Shown
	}
	return b.String(), shown
}

// lines is what was found in one file.
func (g *grepping) lines(file search.File) string {
	var b strings.Builder
	if !g.file {
		fmt.Fprintln(&b, showName(file.Path))
	}
	last := 0
	for _, line := range file.Lines {
		if g.query.Around > 0 && last > 0 && line.Number > last+1 {
			b.WriteString("--\n")
		}
		mark := "-"
		if line.Match {
			mark = ":"
		}
		fmt.Fprintf(&b, "%d%s %s\n", line.Number, mark, line.Text)
		last = line.Number
	}
	if more := file.Matches - file.Shown; more > 0 && !g.file {
		fmt.Fprintf(&b, "… %d more in this file\n", more)
	}
	return b.String()
}

// matchesIn counts the matching lines in what was kept of the first file.
func (g *grepping) matchesIn(kept string) (matching int) {
	for line := range strings.Lines(kept) {
		rest := strings.TrimLeft(line, "0123456789")
		if rest != line && strings.HasPrefix(rest, ": ") {
			matching++
		}
	}
	return matching
}

// notes is what the lines alone do not say.
func (g *grepping) notes(found *search.Report, shown int) (notes []string) {
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if shown < found.Matches {
		note("%d of %d matches shown; narrow the search with path, glob or a longer pattern", shown, found.Matches)
	}
	if found.Binary.Total > 0 {
		note("binary, not shown, but matching: %s", listed(found.Binary))
	}
	if found.Secret.Total > 0 {
		note("not searched, may hold keys or passwords: %s; read can show one", listed(found.Secret))
	}
	if found.Unread.Total > 0 {
		note("could not be searched: %s", listed(found.Unread))
	}
	if len(found.Walked.Heavy) > 0 {
		note("not searched: %s; path can name such a folder", strings.Join(found.Walked.Heavy, ", "))
	}
	if found.Walked.Unreadable > 0 {
		note("%s could not be listed", plural(found.Walked.Unreadable, "folder"))
	}
	if found.Walked.Cut {
		note("the tree is too large to be searched whole; name a folder as path")
	}
	if found.Ended {
		note("stopped after %v, %s searched; name a folder as path", maxGrep, plural(found.Searched, "file"))
	}
	if found.Matches > 0 {
		return notes
	}
	if found.Walked.Ignored > 0 {
		note("what .gitignore names was left out; path can name it")
	}
	if habit := search.Habit(g.pattern); habit != "" && !g.literal {
		note("%s", habit)
	}
	return notes
}

// listed are the first names, and how many more there are.
func listed(n search.Names) string {
	shown := make([]string, len(n.First))
	for at, name := range n.First {
		shown[at] = showName(name)
	}
	list := strings.Join(shown, ", ")
	if more := n.Total - len(n.First); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}
