package search

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"aye/tools/workspace"
)

// A Query says what is looked for, and where.
type Query struct {
	Pattern *Pattern
	Path    string                // a resolved file or folder
	Only    func(rel string) bool // which files; nil: all
	Around  int                   // lines before and after a match
	Lines   int                   // matching lines that are kept
	PerFile int                   // of them, in one file, when Path is a folder
}

// A Report is what a run found.
type Report struct {
	Files    []File // those with matching lines that are kept, by path
	Matches  int    // matching lines in all text files
	Matching int    // text files that have any
	Searched int    // files
	Binary   Names  // files that match, and are no text
	Secret   Names  // files that may hold keys: not searched
	Unread   Names  // files that could not be read
	Walked   workspace.Walked
	Ended    bool // the run was ended before it was done
}

// Names are the first of many, by name.
type Names struct {
	First []string
	Total int
}

// maxNames is how many are kept.
const maxNames = 5

func (n *Names) add(name string) {
	n.Total++
	at, _ := slices.BinarySearch(n.First, name)
	if at < maxNames {
		n.First = slices.Insert(n.First, at, name)
		n.First = n.First[:min(len(n.First), maxNames)]
	}
}

// Run looks through the files. When ctx ends, it returns what was found so far
// at once.
func Run(ctx context.Context, ws *workspace.Dir, q Query) (*Report, error) {
	r := &run{ctx: ctx, query: q}
	info, err := ws.Stat(q.Path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		r.Walked, err = ws.Folders(ctx, q.Path, workspace.Scope{Depth: -1}, r.folder)
	} else {
		err = r.single(ws)
	}
	r.Ended = ctx.Err() != nil
	r.Searched = int(r.searched.Load())
	if err != nil && !r.Ended {
		return nil, err
	}
	return &r.Report, nil
}

// A run is one search.
type run struct {
	ctx      context.Context
	query    Query
	searched atomic.Int64
	last     atomic.Pointer[string] // lines of files behind it are not kept: there are enough

	mu sync.Mutex
	Report
	kept  int // matching lines in Files
	spare []*scanner
}

// single looks through the one file that is asked for.
func (r *run) single(ws *workspace.Dir) error {
	if workspace.Secret(r.query.Path) != "" {
		r.Secret.add(r.query.Path)
		return nil
	}
	f, info, err := ws.OpenFile(r.query.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	r.query.PerFile = r.query.Lines
	return r.file(newScanner(r.ctx, r.query.Pattern, r.query.Around), r.query.Path, f, info.Size())
}

// folder looks through files of one folder.
func (r *run) folder(f *workspace.Folder) error {
	s := r.scanner()
	defer r.release(s)
	secret := workspace.SecretIn(f.Path)
	for _, name := range f.Files {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		rel := f.Name(name)
		if r.query.Only != nil && !r.query.Only(rel) {
			continue
		}
		if secret(name) != "" {
			r.note(&r.Secret, rel)
			continue
		}
		file, err := f.Open(name)
		if err == nil {
			err = r.file(s, rel, file, file.Size())
			file.Close()
		}
		if err != nil && r.ctx.Err() == nil {
			r.note(&r.Unread, rel)
		}
	}
	return nil
}

// file looks through one file and takes up what was found.
func (r *run) file(s *scanner, rel string, f io.Reader, size int64) error {
	limit := r.query.PerFile
	if last := r.last.Load(); last != nil && rel > *last {
		limit = 0
	}
	found := File{Path: rel}
	err := s.scan(&found, f, size, limit)
	if err == nil {
		r.searched.Add(1)
	}
	switch {
	case found.Matches == 0:
	case found.Binary:
		r.note(&r.Binary, rel)
	default:
		r.take(found)
	}
	return err
}

func (r *run) note(names *Names, rel string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	names.add(rel)
}

// take adds a file to the report, and drops the last files when those before
// them have lines enough.
func (r *run) take(found File) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Matches += found.Matches
	r.Matching++
	if found.Shown == 0 {
		return
	}
	at, _ := slices.BinarySearchFunc(r.Files, found.Path, func(f File, path string) int { return strings.Compare(f.Path, path) })
	r.Files = slices.Insert(r.Files, at, found)
	r.kept += found.Shown
	for len(r.Files) > 0 && r.kept-r.Files[len(r.Files)-1].Shown >= r.query.Lines {
		r.kept -= r.Files[len(r.Files)-1].Shown
		r.Files = slices.Delete(r.Files, len(r.Files)-1, len(r.Files))
	}
	if r.kept >= r.query.Lines {
		last := r.Files[len(r.Files)-1].Path
		r.last.Store(&last)
	}
}

func (r *run) scanner() *scanner {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.spare) == 0 {
		return newScanner(r.ctx, r.query.Pattern, r.query.Around)
	}
	s := r.spare[len(r.spare)-1]
	r.spare = r.spare[:len(r.spare)-1]
	return s
}

func (r *run) release(s *scanner) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.spare = append(r.spare, s)
}
