package tools

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"aye/tools/search"
	"aye/tools/workspace"

	"github.com/bmatcuk/doublestar/v4"
)

// Limits of a pattern: one with many braces stands for very many patterns.
const (
	maxPattern      = 1000 // bytes
	maxAlternatives = 1000
	maxIgnored      = 10 // names of ignored files, when no others match
	maxGlob         = 20 * time.Second
)

type globArgs struct {
	Pattern string `json:"pattern" doc:"like **/*.go or {cmd,lib}/**"`
}

func globTool(ws *workspace.Dir) Tool {
	tool := Define("glob", "List up to 200 files whose path matches; ignored files are left out.", func(_ context.Context, a globArgs) (Action, error) {
		g, err := newGlobbing(ws, a.Pattern)
		if err != nil {
			return Action{}, err
		}
		return Action{
			Title:   a.Pattern,
			Effects: []Effect{{Kind: Read, Target: g.base}},
			Run:     func(ctx context.Context, _ func(string)) Result { return g.run(ctx) },
		}, nil
	})
	tool.ReadOnly = true
	return tool
}

// A globbing is one call of glob.
type globbing struct {
	ws      *workspace.Dir
	pattern string // relative to the workspace, its fixed part resolved, for matching
	words   string // the same, as it was written
	base    string // the folder in which to look
	depth   int    // folders below base that the pattern can reach, or -1
}

// newGlobbing checks a pattern and finds where to begin.
func newGlobbing(ws *workspace.Dir, given string) (globbing, error) {
	pattern := given
	if pattern != "" {
		pattern = path.Clean(pattern) // "s/*/../x" too: as text
	}
	if err := checkPattern(pattern, given); err != nil {
		return globbing{}, err
	}
	base, rest := doublestar.SplitPattern(pattern)
	rel, err := ws.Resolve(base)
	if err != nil {
		return globbing{}, err
	}
	g := globbing{ws: ws, base: rel, words: rest, depth: -1}
	if rel != "." {
		g.words = escape(rel) + "/" + rest
	}
	g.pattern = withinParts(g.words)
	if !strings.Contains(rest, "**") && !strings.Contains(rest, "{") {
		g.depth = strings.Count(rest, "/")
	}
	return g, nil
}

// checkPattern says what is wrong with a pattern for paths.
func checkPattern(pattern, given string) error {
	switch {
	case strings.IndexByte(pattern, 0) >= 0:
		return errors.New("pattern has a NUL byte in it; no path can")
	case len(pattern) > maxPattern || alternatives(pattern) > maxAlternatives:
		return errors.New("pattern is too complex; use fewer braces, or several calls")
	case !doublestar.ValidatePattern(pattern):
		return fmt.Errorf(`pattern %q is not valid: a [ or { is not closed, or a \ is last; write \[ for the character itself`, given)
	}
	return nil
}

func (g globbing) run(ctx context.Context) Result {
	limited, cancel := context.WithTimeout(ctx, maxGlob)
	defer cancel()
	found, walked, err := g.find(limited, workspace.Scope{Depth: g.depth})
	var ignored search.Names
	if err == nil && found.Total == 0 && (walked.Ignored > 0 || len(walked.Heavy) > 0) {
		ignored, _, err = g.find(limited, workspace.Scope{Depth: g.depth, Ignored: true})
	}
	if ctx.Err() != nil {
		return Result{Status: Interrupted, Text: "interrupted; the list would not be complete"}
	}
	var shown []string
	for _, rel := range found.First {
		shown = append(shown, showName(rel))
	}
	list, missing := clipEnd(strings.Join(shown, "\n"), maxText)
	if missing > 0 {
		shown = shown[:strings.Count(list, "\n")]
	}
	words := strings.TrimSuffix(list, "\n")
	if found.Total == 0 {
		words = "(no matches)"
	}
	for _, note := range g.notes(len(shown), found.Total, ignored, walked) {
		words += "\n[" + note + "]"
	}
	if err != nil {
		words += fmt.Sprintf("\n[stopped after %v: there may be more; begin the pattern with a folder]", maxGlob)
	}
	return Result{Status: OK, Text: words, View: View{Kind: Plain, Summary: plural(found.Total, "file"), Text: words}}
}

// find lists the first files that match, by name, and counts the others: in a
// large tree they would take memory for nothing.
func (g globbing) find(ctx context.Context, scope workspace.Scope) (found search.Names, walked workspace.Walked, err error) {
	var mu sync.Mutex
	cut := func() {
		slices.Sort(found.First)
		found.First = found.First[:min(len(found.First), maxLines)]
	}
	walked, err = g.ws.Folders(ctx, g.base, scope, func(f *workspace.Folder) error {
		var some []string
		for _, file := range f.Files {
			if rel := f.Name(file); doublestar.MatchUnvalidated(g.pattern, rel) {
				some = append(some, rel)
			}
		}
		mu.Lock()
		defer mu.Unlock()
		found.Total += len(some)
		if found.First = append(found.First, some...); len(found.First) > 10*maxLines {
			cut()
		}
		return nil
	})
	cut()
	return found, walked, err
}

// showName is a path on one line: a name with a line end or other control
// characters in it must not look like several names.
func showName(rel string) string {
	if strings.ContainsFunc(rel, unicode.IsControl) || !utf8.ValidString(rel) {
		return strconv.Quote(rel)
	}
	return rel
}

// notes is what the list alone does not say.
func (g globbing) notes(shown, found int, ignored search.Names, walked workspace.Walked) []string {
	var notes []string
	if shown < found {
		notes = append(notes, fmt.Sprintf("the first %d of %d files; use a narrower pattern for the others", shown, found))
	}
	switch {
	case ignored.Total > 0:
		ignored.First = ignored.First[:min(len(ignored.First), maxIgnored)]
		notes = append(notes, "only ignored files match: "+listed(ignored))
	case found == 0:
		notes = append(notes, g.hint())
	}
	if walked.Unreadable > 0 {
		notes = append(notes, plural(walked.Unreadable, "folder")+" could not be listed")
	}
	if walked.Cut {
		notes = append(notes, "the tree is too large to be searched whole; begin the pattern with a folder")
	}
	return notes
}

// hint says why a pattern may match nothing.
func (g globbing) hint() string {
	if info, err := g.ws.Stat(unescape(g.words)); err == nil && info.IsDir() {
		return fmt.Sprintf("%s is a folder; %s/** lists the files in it", g.words, g.words)
	}
	if _, err := g.ws.Stat(g.base); err != nil {
		return fmt.Sprintf("there is no folder %s", g.base)
	}
	if !strings.Contains(g.words, "/") {
		return fmt.Sprintf("%s looks in one folder only; **/%s looks in all", g.words, g.words)
	}
	return "upper and lower case count"
}

// alternatives is how many patterns the braces of a pattern stand for, or more
// than are allowed.
func alternatives(pattern string) int {
	total := 1
	for n := 0; n < len(pattern); n++ {
		switch pattern[n] {
		case '\\':
			n++
		case ',':
			total++
		case '{':
			total *= 2
		}
		if total > maxAlternatives {
			break
		}
	}
	return total
}

// withinParts makes [!x] not match a slash: a part of a path is matched by a
// part of the pattern.
func withinParts(pattern string) string {
	var b strings.Builder
	class := false
	for n := 0; n < len(pattern); n++ {
		c := pattern[n]
		b.WriteByte(c)
		switch {
		case c == '\\' && n+1 < len(pattern):
			n++
			b.WriteByte(pattern[n])
		case c == '[' && !class:
			class = true
			if n+1 < len(pattern) && (pattern[n+1] == '!' || pattern[n+1] == '^') {
				n++
				b.WriteByte(pattern[n])
				b.WriteByte('/')
			}
		case c == ']':
			class = false
		}
	}
	return b.String()
}

// unescape takes the backslashes off a pattern without wildcards.
func unescape(pattern string) string {
	var b strings.Builder
	for n := 0; n < len(pattern); n++ {
		if pattern[n] == '\\' && n+1 < len(pattern) {
			n++
		}
		b.WriteByte(pattern[n])
	}
	return b.String()
}

// escape makes a path a pattern that matches it alone.
func escape(rel string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `{`, `\{`, `}`, `\}`).Replace(rel)
}
