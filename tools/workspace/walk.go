package workspace

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Limits of a walk, so that a strange tree costs time but not all of it.
const (
	maxEntries = 1_000_000
	maxDepth   = 200
)

// heavy are folders that hold what programs fetched, not what people wrote.
// They are walked only where a caller names them.
var heavy = []string{"node_modules"}

// Walked says what a walk left out.
type Walked struct {
	Heavy      bool // a node_modules folder was passed by
	Unreadable int  // folders that could not be listed
	Cut        bool // the tree is too large or too deep: not all of it was seen
}

// Walk calls visit with the path of every regular file below the folder base,
// in no promised order, at most depth folders down (0: base itself only; < 0:
// all the way). It follows no links. It passes by .git, what .gitignore files
// name, and node_modules, unless base itself is such a folder or in one. It
// ends early when ctx does or when visit returns an error, and returns that.
func (d *Dir) Walk(ctx context.Context, base string, depth int, visit func(rel string) error) (Walked, error) {
	w := walker{dir: d, ctx: ctx, visit: visit, depth: depth}
	if depth < 0 || depth > maxDepth {
		w.depth, w.bounded = maxDepth, true
	}
	rules, all := d.rulesFor(base)
	w.all = all
	return w.walked, w.folder(base, rules, 0)
}

// rulesFor collects the ignore rules of the folders above base. all says that
// they, or the other reasons to pass folders by, name base itself.
func (d *Dir) rulesFor(base string) (rules *ignoreRules, all bool) {
	if text, _, err := d.ReadFile(".git/info/exclude", maxIgnoreFile); err == nil {
		rules = rules.with(".", string(text))
	}
	if base == "." {
		return rules, false
	}
	folder := "."
	for part := range strings.SplitSeq(base, "/") {
		if text, _, err := d.ReadFile(path.Join(folder, ".gitignore"), maxIgnoreFile); err == nil {
			rules = rules.with(folder, string(text))
		}
		folder = path.Join(folder, part)
		if part == ".git" || slices.Contains(heavy, part) || rules.ignores(folder, true) {
			return nil, true
		}
	}
	return rules, false
}

// A walker is one walk.
type walker struct {
	dir     *Dir
	ctx     context.Context
	visit   func(string) error
	depth   int
	bounded bool // depth is our limit, not the caller's
	all     bool // nothing is passed by
	seen    int
	walked  Walked
}

// folder walks one folder and what is below it.
func (w *walker) folder(rel string, rules *ignoreRules, depth int) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	entries, err := w.dir.entries(rel)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.walked.Unreadable++ // what could be listed is walked
	}
	if !w.all {
		rules = w.add(rules, rel, entries)
	}
	for _, entry := range entries {
		if w.seen++; w.seen > maxEntries {
			w.walked.Cut = true
			return nil
		}
		if w.seen%1000 == 0 && w.ctx.Err() != nil {
			return w.ctx.Err()
		}
		if err := w.entry(rel, entry, rules, depth); err != nil {
			return err
		}
	}
	return nil
}

// add adds a folder's own .gitignore to the rules.
func (w *walker) add(rules *ignoreRules, rel string, entries []fs.DirEntry) *ignoreRules {
	_, found := slices.BinarySearchFunc(entries, ".gitignore", func(e fs.DirEntry, name string) int {
		return strings.Compare(e.Name(), name)
	})
	if !found {
		return rules
	}
	text, _, err := w.dir.ReadFile(path.Join(rel, ".gitignore"), maxIgnoreFile)
	if err != nil {
		return rules
	}
	return rules.with(rel, string(text))
}

// entry visits one file, or walks one folder.
func (w *walker) entry(folder string, entry fs.DirEntry, rules *ignoreRules, depth int) error {
	rel := entry.Name()
	if folder != "." {
		rel = folder + "/" + rel
	}
	if !w.all && (entry.Name() == ".git" || rules.ignores(rel, entry.IsDir())) {
		return nil
	}
	switch {
	case entry.Type().IsRegular():
		return w.visit(rel)
	case !entry.IsDir():
		return nil
	case depth >= w.depth:
		w.walked.Cut = w.walked.Cut || w.bounded
		return nil
	case !w.all && slices.Contains(heavy, entry.Name()):
		w.walked.Heavy = true
		return nil
	}
	return w.folder(rel, rules, depth+1)
}
