package skill

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

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

// folder is where skills are, in the workspace.
const folder = ".agents/skills"

// A Skill is one that can be loaded.
type Skill struct {
	Name        string
	Description string // one line, may be empty
	Path        string // absolute, of its SKILL.md, links resolved
	rel         string
}

// A Problem is a skill that is not in the catalog, or not as it was meant.
type Problem struct {
	Path   string // relative to the workspace
	Reason string // a sentence
}

// A Catalog is the skills of a workspace, sorted by path.
type Catalog struct {
	Skills   []Skill
	Problems []Problem
}

// Load looks for skills. It takes what it can get.
func Load(ws *workspace.Dir) *Catalog {
	c := &Catalog{}
	at, err := ws.Resolve(folder)
	if err != nil {
		c.problem(folder, err)
		return c
	}
	entries, err := ws.ReadDir(at)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			c.problem(folder, err)
		}
		return c
	}
	for n, entry := range entries {
		if n == maxSkills {
			c.problem(folder, fmt.Errorf("there are %d folders; only the first %d are looked at", len(entries), maxSkills))
			break
		}
		if entry.Type().IsRegular() {
			continue // a note beside the skills
		}
		c.add(ws, path.Join(folder, entry.Name(), "SKILL.md"))
	}
	return c
}

// add reads one skill's front matter, if there is a skill.
func (c *Catalog) add(ws *workspace.Dir, name string) {
	rel, err := ws.Resolve(name)
	if err == nil {
		_, err = ws.Stat(rel)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return // a folder for something else, or a file
	}
	var front front
	if err == nil {
		front, err = readFront(ws, rel)
	}
	if err != nil {
		c.problem(name, err)
		return
	}
	if front.note != "" {
		c.Problems = append(c.Problems, Problem{name, front.note})
	}
	s := Skill{Name: front.name, Description: front.description, Path: ws.Abs(rel), rel: rel}
	if s.Name == "" {
		s.Name = path.Base(path.Dir(rel))
	}
	if first, known := c.Find(s.Name); known {
		c.problem(name, fmt.Errorf("the name %s is taken by %s; this one is left out", s.Name, first.rel))
		return
	}
	c.Skills = append(c.Skills, s)
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
func (s Skill) Body(ws *workspace.Dir) (string, error) {
	rel, err := ws.Resolve(s.rel)
	if err != nil {
		return "", err
	}
	data, err := begin(ws, rel, maxBody)
	if err != nil {
		return "", err
	}
	_, body, err := cutFront(string(data))
	return text.Normalize(strings.TrimSpace(body)), err
}

// readFront reads a file's front matter.
func readFront(ws *workspace.Dir, rel string) (front, error) {
	data, err := begin(ws, rel, maxFront)
	if err != nil {
		return front{}, err
	}
	head, _, err := cutFront(string(data))
	if err != nil {
		return front{}, err
	}
	return parseFront(head), nil
}

// begin reads a file's beginning, which must be text in UTF-8.
func begin(ws *workspace.Dir, rel string, limit int64) ([]byte, error) {
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
