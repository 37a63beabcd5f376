package change

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// A File is one changed file. Path is slash-separated and relative to the
// workspace root, links resolved.
type File struct {
	Path    string
	Before  []byte
	After   []byte
	Existed bool        // Before is the file's content; false: the file is created
	Deleted bool        // After is nothing; the file is removed
	Mode    fs.FileMode // permission bits to leave behind; of the old file where it existed
}

// A Set is a group of file changes that happens whole or not at all. Paths
// are distinct and sorted. Sets are immutable once made.
type Set struct{ Files []File }

// New makes a set of files, which are sorted. It is an error to name a path
// twice, and to change nothing.
func New(files ...File) (Set, error) {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	for n, file := range files {
		switch {
		case n > 0 && files[n-1].Path == file.Path:
			return Set{}, fmt.Errorf("%s is named twice; put all its changes into one", file.Path)
		case file.Deleted && !file.Existed:
			return Set{}, fmt.Errorf("%s does not exist, so it cannot be removed", file.Path)
		case file.Existed && !file.Deleted && bytes.Equal(file.Before, file.After):
			return Set{}, fmt.Errorf("%s already has exactly this content; there is nothing to change", file.Path)
		}
	}
	return Set{files}, nil
}

// Inverse is the set that takes s back.
func (s Set) Inverse() Set {
	files := make([]File, len(s.Files))
	for n, f := range s.Files {
		files[n] = File{Path: f.Path, Before: f.After, After: f.Before, Existed: !f.Deleted, Deleted: !f.Existed, Mode: f.Mode}
	}
	return Set{files}
}

// Kind says what happens to a file.
type Kind string

const (
	Added   Kind = "added"
	Changed Kind = "changed"
	Removed Kind = "removed"
)

// A FileDiff is what a person sees of one file's change. Text in it is the
// file's own, decoded, untrusted, without line ends.
type FileDiff struct {
	Path    string `json:"path"`
	Kind    Kind   `json:"kind"`
	Added   int    `json:"added"`   // lines
	Removed int    `json:"removed"` // lines
	Hunks   []Hunk `json:"hunks,omitzero"`
	Left    int    `json:"left,omitzero"` // lines of the hunks that are left out at the end, for there are too many
	Note    string `json:"note,omitzero"` // what lines cannot show: "CRLF line ends", "taken for GB18030", "binary, 300 bytes"
}

// A Hunk is a run of changed lines with up to three lines around it.
type Hunk struct {
	Old   int    `json:"old"` // number of the first line before, from 1
	New   int    `json:"new"` // number of the first line after, from 1
	Lines []Line `json:"lines"`
}

// A Line is one line of a hunk. Op is ' ', '+' or '-'.
type Line struct {
	Op   string `json:"op"`
	Text string `json:"text"`
	End  string `json:"end,omitzero"` // how it ends when that is not LF: "crlf", "cr" or "none"
}
