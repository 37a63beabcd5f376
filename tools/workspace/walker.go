package workspace

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// A walker is one walk: some goroutines that take folders off one stack and
// put those they find there on it. The stack makes them go down before they go
// on, so that few folders are open at a time.

const (
	maxWorkers = 12  // more only wait for the disk
	piece      = 128 // files of a folder that are visited at a time
)

type walker struct {
	dir     *Dir
	visit   func(*Folder) error
	depth   int
	bounded bool // depth is our limit, not the caller's
	all     bool // nothing is passed by
	ignored bool // nothing but .git is passed by

	seen    atomic.Int64
	stopped atomic.Bool

	mu      sync.Mutex
	more    sync.Cond
	stack   []task
	busy    int // tasks on the stack or being worked on
	err     error
	crashed any // what a goroutine panicked with
	walked  Walked
}

// A task is a folder to be walked, or files to be visited.
type task struct {
	parent *opened
	name   string // a folder in parent; "": parent itself
	files  []string
}

// An opened is an open folder, and how many tasks need it.
type opened struct {
	handle
	rel   string
	rules *ignoreRules
	depth int
	users atomic.Int32
}

func (o *opened) done() {
	if o.users.Add(-1) == 0 {
		o.close()
	}
}

func (w *walker) run(ctx context.Context, first *opened) error {
	w.more.L = &w.mu
	w.push(task{parent: first})
	unhook := context.AfterFunc(ctx, func() { w.stop(ctx.Err()) })
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), maxWorkers) {
		wg.Go(func() { w.work(ctx) })
	}
	wg.Wait()
	unhook()
	for _, left := range w.stack {
		left.parent.done()
	}
	if w.crashed != nil {
		panic(w.crashed) // where the caller can deal with it
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return w.err
}

// work takes tasks until there are none left.
func (w *walker) work(ctx context.Context) {
	for {
		w.mu.Lock()
		for len(w.stack) == 0 && w.busy > 0 && !w.stopped.Load() {
			w.more.Wait()
		}
		if len(w.stack) == 0 || w.stopped.Load() {
			w.mu.Unlock()
			return
		}
		t := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		w.mu.Unlock()
		err := ctx.Err()
		if err == nil {
			err = w.caught(t)
		}
		if err != nil {
			w.stop(err)
		}
		t.parent.done()
		w.mu.Lock()
		if w.busy--; w.busy == 0 {
			w.more.Broadcast()
		}
		w.mu.Unlock()
	}
}

// push puts tasks on the stack; the last is done first.
func (w *walker) push(tasks ...task) {
	if len(tasks) == 0 {
		return
	}
	for _, t := range tasks {
		t.parent.users.Add(1)
	}
	w.mu.Lock()
	w.stack = append(w.stack, tasks...)
	w.busy += len(tasks)
	w.mu.Unlock()
	w.more.Broadcast()
}

// stop ends the walk; the first reason counts.
func (w *walker) stop(err error) {
	w.mu.Lock()
	if !w.stopped.Swap(true) {
		w.err = err
	}
	w.mu.Unlock()
	w.more.Broadcast()
}

// note changes what is told about the walk.
func (w *walker) note(change func(*Walked)) {
	w.mu.Lock()
	change(&w.walked)
	w.mu.Unlock()
}

// errCrashed ends a walk of which a goroutine panicked.
var errCrashed = errors.New("a goroutine of the walk panicked")

// caught is do, with a panic kept for the goroutine that began the walk: here
// it would end the program, whatever its owner has to put away.
func (w *walker) caught(t task) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errCrashed
			w.mu.Lock()
			w.crashed = r
			w.mu.Unlock()
		}
	}()
	return w.do(t)
}

func (w *walker) do(t task) error {
	switch {
	case t.files != nil:
		return w.visit(&Folder{Path: t.parent.rel, Files: t.files, open: t.parent.handle})
	case t.name == "":
		return w.folder(t.parent)
	}
	rel := t.name
	if t.parent.rel != "." {
		rel = t.parent.rel + "/" + t.name
	}
	open, err := t.parent.handle.folder(t.name, w.dir.Abs(rel))
	if err != nil {
		if !isMissing(err) {
			w.note(func(d *Walked) { d.Unreadable++ })
		}
		return nil
	}
	child := &opened{handle: open, rel: rel, rules: t.parent.rules, depth: t.parent.depth + 1}
	child.users.Add(1)
	defer child.done()
	return w.folder(child)
}

// isMissing says whether a folder is not there any more: nothing is left out.
func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// folder visits the files of one folder, and leaves the folders in it, and
// the files of a large one, to whoever is free.
func (w *walker) folder(o *opened) error {
	entries, err := w.list(o.handle)
	if err != nil && err != io.EOF && !isMissing(err) {
		w.note(func(d *Walked) { d.Unreadable++ }) // what could be listed is walked
	}
	if w.seen.Add(int64(len(entries))) > maxEntries {
		w.note(func(d *Walked) { d.Cut = true })
		return nil
	}
	if !w.all {
		w.rules(o, entries)
	}
	files, tasks := w.sift(o, entries)
	slices.Reverse(tasks)
	w.push(tasks...)
	for n := piece; n < len(files); n += piece {
		w.push(task{parent: o, files: files[n:min(n+piece, len(files))]})
	}
	if len(files) == 0 || w.stopped.Load() {
		return nil
	}
	return w.visit(&Folder{Path: o.rel, Files: files[:min(piece, len(files))], open: o.handle})
}

// rules takes up the rules that begin in a folder.
func (w *walker) rules(o *opened, entries []fs.DirEntry) {
	if o.rel != "." && o.depth > 0 && has(entries, ".git") {
		o.rules = w.dir.repository(o.rel)
	}
	if has(entries, ".gitignore") {
		o.rules = w.dir.inner(o.rules, o.rel)
	}
}

// sift tells what is to be visited from what is passed by.
func (w *walker) sift(o *opened, entries []fs.DirEntry) (files []string, folders []task) {
	var found Walked
	for _, entry := range entries {
		if w.stopped.Load() {
			break
		}
		name, folder := entry.Name(), entry.IsDir()
		switch {
		case !folder && !entry.Type().IsRegular():
		case w.skips(o, name, folder, &found):
		case !folder:
			files = append(files, name)
		case o.depth < w.depth:
			folders = append(folders, task{parent: o, name: name})
		default:
			found.Cut = w.bounded
		}
	}
	if found.Cut || found.Ignored > 0 || len(found.Heavy) > 0 {
		w.note(func(d *Walked) { d.add(found) })
	}
	return files, folders
}

func (w *walker) skips(o *opened, name string, folder bool, found *Walked) bool {
	switch {
	case w.all:
		return w.ignored && name == ".git"
	case name == ".git":
		return true
	case o.rules.find((&Folder{Path: o.rel}).Name(name), folder, w.stopped.Load):
		found.Ignored++
		return true
	case passedBy(name, folder):
		if o.depth < w.depth {
			found.Heavy = append(found.Heavy, name)
		}
		return true
	}
	return false
}

func (d *Walked) add(o Walked) {
	d.Cut = d.Cut || o.Cut
	d.Ignored += o.Ignored
	for _, name := range o.Heavy {
		if !slices.Contains(d.Heavy, name) {
			d.Heavy = append(d.Heavy, name)
		}
	}
}
