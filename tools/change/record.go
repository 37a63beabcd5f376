package change

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"aye/tools/workspace"
)

// A plan is the first line of a commit's record: what it is about to do. The
// line "placing" follows before the first file takes its place. There is no
// content in it.
type plan struct {
	Version   int       `json:"version"`
	Workspace exact     `json:"workspace"`
	Made      []exact   `json:"made,omitzero"` // folders that were missing, outermost first
	Files     []planned `json:"files"`
}

type planned struct {
	Path   exact         `json:"path"`
	Before workspace.Sum `json:"before,omitzero"`
	After  workspace.Sum `json:"after,omitzero"`
	Fresh  string        `json:"fresh,omitzero"` // names beside the path
	Kept   string        `json:"kept,omitzero"`
}

const planVersion = 1

// placing is the second line.
const placing = `"placing"`

// exact is a path, byte for byte: JSON alone would lose what is no UTF-8.
type exact string

// MarshalText leaves printable ASCII as it is.
func (e exact) MarshalText() ([]byte, error) {
	var out []byte
	for _, b := range []byte(e) {
		if b < ' ' || b > '~' || b == '%' {
			out = fmt.Appendf(out, "%%%02X", b)
		} else {
			out = append(out, b)
		}
	}
	return out, nil
}

// UnmarshalText is its inverse.
func (e *exact) UnmarshalText(text []byte) error {
	name, err := url.PathUnescape(string(text))
	*e = exact(name)
	return err
}

// begin keeps a record of what is about to happen. It need not be durable yet:
// nothing that others see changes before [commit.ready].
func (c *commit) begin() error {
	line, err := json.Marshal(c.plan())
	if err != nil {
		return err
	}
	c.record, err = c.ws.NewRecord(line)
	if err != nil && len(c.steps) > 1 {
		return fmt.Errorf("nothing was written: %w, and without it a crash could leave some of the %d files changed and others not. Change one file at a time, or see to it that aye can write there", err, len(c.steps))
	}
	return nil // one file is never half changed; at worst something is left beside it
}

func (c *commit) plan() plan {
	p := plan{Version: planVersion, Workspace: exact(c.ws.Name())}
	missing := map[string]bool{}
	for _, s := range c.steps {
		f := planned{Path: exact(s.path), Before: s.before, After: s.after}
		if s.fresh != nil {
			f.Fresh = s.fresh.Base()
		}
		if s.kept != nil {
			f.Kept = s.kept.Base()
		} else {
			for _, folder := range c.missing(s.path) {
				if !missing[folder] {
					missing[folder] = true
					p.Made = append(p.Made, exact(folder))
				}
			}
		}
		p.Files = append(p.Files, f)
	}
	return p
}

// missing are the folders above name that are not there, outermost first.
func (c *commit) missing(name string) []string {
	folder := path.Dir(name)
	if folder == "." {
		return nil
	}
	if _, err := c.ws.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return append(c.missing(folder), folder)
}

// ready says in the record that files take their places from now on. For a
// single file that need not last through a power failure: its rename does, or
// it does not.
func (c *commit) ready() error {
	err := c.record.Add([]byte(placing))
	if err == nil && len(c.steps) > 1 {
		err = c.record.Sync()
	}
	if err != nil {
		return fmt.Errorf("nothing was written: %w", err)
	}
	c.placing = true
	return nil
}

// readRecord is what a record tells. A record comes from a file, so it is
// believed only as far as a commit of this workspace could have written it.
func readRecord(ws *workspace.Dir, lines [][]byte) (*commit, error) {
	var p plan
	if err := json.Unmarshal(lines[0], &p); err != nil {
		return nil, err
	}
	if p.Version != planVersion {
		return nil, fmt.Errorf("it has the version %d, and this aye knows %d", p.Version, planVersion)
	}
	if string(p.Workspace) != ws.Name() {
		return nil, fmt.Errorf("it is about %s", p.Workspace)
	}
	c := &commit{ws: ws, placing: len(lines) > 1 && string(lines[1]) == placing}
	if len(p.Files) == 0 {
		return nil, errors.New("it names no file")
	}
	names := map[exact]bool{}
	for _, f := range p.Files {
		if names[f.Path] {
			return nil, fmt.Errorf("it names %s twice", f.Path)
		}
		names[f.Path] = true
		s, err := f.step(ws)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Path, err)
		}
		c.steps = append(c.steps, s)
	}
	for _, folder := range p.Made {
		if !isPath(string(folder)) || !c.above(string(folder)) {
			return nil, fmt.Errorf("%s is no folder of its files", folder)
		}
		c.made = append(c.made, string(folder))
	}
	return c, nil
}

func (f planned) step(ws *workspace.Dir) (*step, error) {
	s := &step{path: string(f.Path), before: f.Before, after: f.After}
	switch {
	case !isPath(s.path):
		return nil, errors.New("it is no path in the workspace")
	case f.Before == f.After, !isSum(f.Before), !isSum(f.After):
		return nil, errors.New("it is not said what was, or will be, in it")
	case (f.Before == "") != (f.Kept == ""), (f.After == "") != (f.Fresh == ""), f.Kept == f.Fresh:
		return nil, errors.New("what lies beside it does not fit what happens to it")
	}
	var err error
	if f.Kept != "" {
		if s.kept, err = ws.BesideNamed(s.path, f.Kept); err != nil {
			return nil, err
		}
	}
	if f.Fresh != "" {
		if s.fresh, err = ws.BesideNamed(s.path, f.Fresh); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func isPath(name string) bool {
	return name != "." && path.Clean(name) == name && filepath.IsLocal(filepath.FromSlash(name)) && strings.IndexByte(name, 0) < 0
}

func isSum(sum workspace.Sum) bool {
	return sum == "" || len(sum) == len(workspace.SumOf(nil)) && strings.Trim(string(sum), "0123456789abcdef") == ""
}

// above says whether one of the files lies in folder.
func (c *commit) above(folder string) bool {
	for _, s := range c.steps {
		if strings.HasPrefix(s.path, folder+"/") {
			return true
		}
	}
	return false
}
