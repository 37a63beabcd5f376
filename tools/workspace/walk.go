package workspace

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
)

// Limits of a walk, so that a strange tree costs time but not all of it.
const (
	maxEntries = 1_000_000
	maxDepth   = 200
)

// heavy are folders that hold what programs fetched or made, not what people
// wrote. They are walked only where a caller names them.
var heavy = []string{".venv", "__pycache__", "node_modules"}

// Walked says what a walk left out.
type Walked struct {
	Heavy      []string // names of folders that were passed by for being heavy, each once
	Ignored    int      // files and folders that ignore rules name
	Unreadable int      // folders that could not be listed
	Cut        bool     // the tree is too large or too deep: not all of it was seen
}

// A Scope says how far a walk goes.
type Scope struct {
	Depth   int  // folders below the first (0: it alone; < 0: all the way)
	Ignored bool // what would be passed by is walked too, except .git
}

// A Folder is what a walk found in one folder: some of its files, or all.
type Folder struct {
	Path  string   // resolved, "." for the workspace
	Files []string // names of regular files, sorted
	open  handle
}

// Name is the path of a file in the folder.
func (f *Folder) Name(file string) string {
	if f.Path == "." {
		return file
	}
	return f.Path + "/" + file
}

// Open opens one of the folder's files. The caller closes it before the visit
// ends.
func (f *Folder) Open(file string) (File, error) { return f.open.file(file) }

// Walk calls visit with the path of every regular file below the folder base,
// in no promised order, one at a time. It is [Dir.Folders], file by file.
func (d *Dir) Walk(ctx context.Context, base string, scope Scope, visit func(rel string) error) (Walked, error) {
	var mu sync.Mutex
	return d.Folders(ctx, base, scope, func(f *Folder) error {
		mu.Lock()
		defer mu.Unlock()
		for _, file := range f.Files {
			if err := visit(f.Name(file)); err != nil {
				return err
			}
		}
		return nil
	})
}

// Folders calls visit with every folder from base down that has files in it, a
// large one in pieces, several at the same time and in no promised order. It
// follows no links. It passes by .git, what ignore rules name, and a few heavy
// folders, unless base itself is such a folder or in one. It ends early when
// ctx does or when visit returns an error, and returns that. A panic of visit's
// becomes one of Folders.
func (d *Dir) Folders(ctx context.Context, base string, scope Scope, visit func(*Folder) error) (Walked, error) {
	w := walker{dir: d, visit: visit, depth: scope.Depth}
	if scope.Depth < 0 || scope.Depth > maxDepth {
		w.depth, w.bounded = maxDepth, true
	}
	rules, all := d.rulesFor(base)
	w.all, w.ignored = all || scope.Ignored, scope.Ignored
	open, err := d.openHandle(base)
	if err != nil {
		if !isMissing(err) {
			w.walked.Unreadable++
		}
		return w.walked, ctx.Err()
	}
	err = w.run(ctx, &opened{handle: open, rel: base, rules: rules})
	slices.Sort(w.walked.Heavy)
	return w.walked, err
}

// IgnoresIn says which entries of a folder a walk of the whole workspace
// passes by.
func (d *Dir) IgnoresIn(folder string) func(name string, isFolder bool) bool {
	rules, all := d.rulesFor(folder)
	if !all {
		rules = d.inner(rules, folder)
	}
	return func(name string, isFolder bool) bool {
		return all || passedBy(name, isFolder) || rules.ignores((&Folder{Path: folder}).Name(name), isFolder)
	}
}

// passedBy says whether a walk passes by whatever has that name.
func passedBy(name string, folder bool) bool {
	return name == ".git" || folder && slices.Contains(heavy, name)
}

// rulesFor collects the ignore rules of the folders above base. all says that
// they, or the other reasons to pass folders by, name base itself.
func (d *Dir) rulesFor(base string) (rules *ignoreRules, all bool) {
	rules = d.repository(".")
	if base == "." {
		return rules, false
	}
	folder := "."
	for part := range strings.SplitSeq(base, "/") {
		rules = d.inner(rules, folder)
		folder = path.Join(folder, part)
		if passedBy(part, true) || rules.ignores(folder, true) {
			return nil, true
		}
		if _, err := d.Stat(path.Join(folder, ".git")); err == nil {
			rules = d.repository(folder)
		}
	}
	return rules, false
}

// repository is the rules with which the repository at folder begins.
func (d *Dir) repository(folder string) (rules *ignoreRules) {
	text, _, _ := d.ReadFile(path.Join(folder, ".git/info/exclude"), maxIgnoreFile) // none is empty
	config, _, err := d.ReadFile(path.Join(folder, ".git/config"), maxIgnoreFile)
	fold := err == nil && ignoreCase(string(config))
	return (&ignoreRules{base: folder, fold: fold}).with(folder, string(text), fold)
}

// inner adds the rules of a folder's own .gitignore.
func (d *Dir) inner(rules *ignoreRules, folder string) *ignoreRules {
	text, _, err := d.ReadFile(path.Join(folder, ".gitignore"), maxIgnoreFile)
	if err != nil {
		return rules
	}
	return rules.with(folder, string(text), rules.fold)
}

// listing is how many entries are read of a folder at a time.
const listing = 4096

// list lists a folder, sorted. What could be read is returned with the error.
func (w *walker) list(open handle) (entries []fs.DirEntry, err error) {
	for {
		some, err := open.list(listing)
		entries = append(entries, some...)
		if err != nil || len(some) == 0 || w.stopped.Load() || w.seen.Load()+int64(len(entries)) > maxEntries {
			slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
			return entries, err
		}
	}
}

// has says whether there is an entry of that name.
func has(entries []fs.DirEntry, name string) bool {
	_, found := slices.BinarySearchFunc(entries, name, func(e fs.DirEntry, name string) int {
		return strings.Compare(e.Name(), name)
	})
	return found
}
