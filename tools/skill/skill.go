package skill

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"aye/tools/cause"
	"aye/tools/text"
	"aye/tools/workspace"
)

// Limits, in skills and bytes.
const (
	maxSkills      = 1000
	maxFront       = 64 << 10 // of a file's beginning, which holds the front matter
	maxBody        = 4 << 20
	maxName        = 100
	maxDescription = 2000
)

// Where skills are: file in each folder below folder, in the workspace.
const (
	folder = ".agents/skills"
	file   = "SKILL.md"
)

// A Skill is one that can be loaded.
type Skill struct {
	Name        string
	Description string // one line, may be empty
	Path        string // absolute, of its SKILL.md, links resolved
	Own         bool   // the person's, not the workspace's
}

// Folder is the skill's base directory, absolute.
func (s Skill) Folder() string { return filepath.Dir(s.Path) }

// A Problem is a skill that is not in the catalog, or not as it was meant.
type Problem struct {
	Path   string // absolute, or relative to the workspace
	Reason string // a sentence
}

// A Catalog is the skills of a workspace and of the person: theirs first, then
// the workspace's, each folder's by name. Of two with one name the first
// counts, so that no repository puts its words in the place of the person's.
type Catalog struct {
	Skills   []Skill
	Problems []Problem
	ws       *workspace.Dir
}

// Load looks for skills in the folders own, absolute, which hold the person's,
// then in the workspace. It takes what it can get.
func Load(ws *workspace.Dir, own ...string) *Catalog {
	c := &Catalog{ws: ws}
	for _, dir := range own {
		c.loadOwn(dir)
	}
	c.loadWorkspace()
	return c
}

// loadOwn adds the skills of a folder of the person's. They may be links to
// anywhere: it is the person who made them.
func (c *Catalog) loadOwn(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			c.problem(dir, fmt.Errorf("the folder cannot be read: %w", cause.Of(err)))
		}
		return
	}
	c.each(entries, dir, func(name string) {
		at := filepath.Join(dir, name, file)
		real, err := filepath.EvalSymlinks(at)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
				c.problem(at, cause.Of(err))
			}
			return
		}
		c.add(at, Skill{Path: real, Own: true})
	})
}

// loadWorkspace adds the workspace's skills.
func (c *Catalog) loadWorkspace() {
	at, err := c.ws.Resolve(folder)
	if err != nil {
		c.problem(folder, err)
		return
	}
	entries, err := c.ws.ReadDir(at)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			c.problem(folder, err)
		}
		return
	}
	c.each(entries, folder, func(name string) {
		at := path.Join(folder, name, file)
		rel, err := c.ws.Resolve(at)
		if err == nil {
			_, err = c.ws.Stat(rel)
		}
		switch {
		case errors.Is(err, fs.ErrNotExist): // a folder for something else, or a file
		case err != nil:
			c.problem(at, err)
		default:
			c.add(at, Skill{Path: c.ws.Abs(rel)})
		}
	})
}

// each calls visit with the names of what may be skills, so many at most.
func (c *Catalog) each(entries []fs.DirEntry, dir string, visit func(name string)) {
	for n, entry := range entries {
		if n == maxSkills {
			c.problem(dir, fmt.Errorf("there are %d folders; only the first %d are looked at", len(entries), maxSkills))
			return
		}
		if !entry.Type().IsRegular() { // else a note beside the skills
			visit(entry.Name())
		}
	}
}

// add takes up the skill s, found under the name at, if it can be used.
func (c *Catalog) add(at string, s Skill) {
	front, err := c.front(s)
	if err != nil {
		c.problem(at, err)
		return
	}
	if front.note != "" {
		c.Problems = append(c.Problems, Problem{at, front.note})
	}
	s.Name, s.Description = front.name, front.description
	if s.Name == "" {
		s.Name = filepath.Base(s.Folder())
	}
	if first, known := c.Find(s.Name); known {
		c.problem(at, fmt.Errorf("the name %s is taken by %s; this one is left out", s.Name, c.shown(first)))
		return
	}
	c.Skills = append(c.Skills, s)
}

// shown is a skill's path as a person knows it.
func (c *Catalog) shown(s Skill) string {
	if rel, err := filepath.Rel(c.ws.Name(), s.Path); err == nil && !s.Own {
		return filepath.ToSlash(rel)
	}
	return s.Path
}

func (c *Catalog) problem(path string, err error) {
	c.Problems = append(c.Problems, Problem{path, err.Error()})
}

// Find gives a skill by its name.
func (c *Catalog) Find(name string) (Skill, bool) {
	for _, s := range c.Skills {
		if s.Name == name {
			return s, true
		}
	}
	return Skill{}, false
}

// Body reads the skill's instructions as they are now, without front matter
// and blank lines around them, with LF line ends.
func (c *Catalog) Body(s Skill) (string, error) {
	data, err := c.begin(s, maxBody)
	if err != nil {
		return "", err
	}
	_, body, err := cutFront(string(data))
	return text.Normalize(strings.TrimSpace(body)), err
}

// Folder gives the folder of the person's skill that an absolute path leads
// into, and the rest of the path: what a skill of theirs refers to lies outside
// the workspace and may be read all the same. Of a skill that is a link to some
// file, which may lie in their home, that is the file alone. ok is false for
// other paths.
func (c *Catalog) Folder(abs string) (folder, rel string, ok bool) {
	if c == nil || !filepath.IsAbs(abs) {
		return "", "", false
	}
	for _, s := range c.Skills {
		rel, err := filepath.Rel(s.Folder(), filepath.Clean(abs))
		of := filepath.Base(s.Path)
		if s.Own && err == nil && filepath.IsLocal(rel) && (of == file || rel == of) {
			return s.Folder(), filepath.ToSlash(rel), true
		}
	}
	return "", "", false
}

// front reads a skill's front matter.
func (c *Catalog) front(s Skill) (front, error) {
	data, err := c.begin(s, maxFront)
	if err != nil {
		return front{}, err
	}
	head, _, err := cutFront(string(data))
	if err != nil {
		return front{}, err
	}
	return parseFront(head), nil
}

// begin reads the beginning of a skill's file, which must be text in UTF-8.
func (c *Catalog) begin(s Skill, limit int64) ([]byte, error) {
	ws := c.ws
	if s.Own {
		dir, err := workspace.Open(s.Folder())
		if err != nil {
			return nil, err
		}
		defer dir.Close()
		ws = dir
	}
	rel, err := ws.Resolve(s.Path)
	if err != nil {
		return nil, err
	}
	if why := workspace.Secret(rel); why != "" { // nobody is asked before a skill is sent
		return nil, fmt.Errorf("%s %s; a skill must be a file of its own", rel, why)
	}
	f, info, err := ws.OpenFile(rel)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read", rel)
	}
	if kind := text.Sniff(data, info.Size() <= limit); kind != text.UTF8 {
		return nil, fmt.Errorf("%s is %s; a skill is a text in UTF-8", rel, kind)
	}
	data, _ = text.TrimBOM(data)
	return data, nil
}
