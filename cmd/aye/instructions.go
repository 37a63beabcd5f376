package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"runtime"
	"strings"
	"sync"

	"aye/agent/prompt"
	"aye/tools/cause"
	"aye/tools/proc"
	"aye/tools/skill"
	"aye/tools/text"
	"aye/tools/workspace"
)

// agentsFile is where people tell models about a project.
const agentsFile = "AGENTS.md"

// Bounds of what a repository can have told.
const (
	maxAgents = 1 << 20  // bytes that are read of one file; the prompt takes less
	maxLevels = 16       // folders above a path that are looked into, the innermost
	maxFiles  = 200      // files that are looked for at a time
	maxNested = 48 << 10 // bytes that are told at a time; the rest comes later
)

// Instructions are what people have written down for models: the person's own
// for all projects, the project's, and those of its folders. They are read
// again each time, so that a change holds from the next turn on.
type instructions struct {
	files *workspace.Dir
	own   string       // path of the person's own
	facts prompt.Facts // but for the instructions

	mu   sync.Mutex
	told map[string]string // what the model was told of folders, by path of the file
}

func facts(files *workspace.Dir, shell proc.Shell, skills *skill.Catalog) prompt.Facts {
	f := prompt.Facts{Workspace: files.Name(), OS: runtime.GOOS, Shell: shell.Name}
	for _, k := range skills.Skills {
		f.Skills = append(f.Skills, prompt.Skill{Name: k.Name, Description: k.Description, Path: k.Path})
	}
	return f
}

// check says what keeps instructions from being read. It is no reason not to
// start.
func (i *instructions) check() (notes []string) {
	if _, err := i.readOwn(); err != nil {
		notes = append(notes, fmt.Sprintf("%s is not used: %v", i.own, err))
	}
	if _, err := i.read(agentsFile); err != nil {
		notes = append(notes, agentsFile+" is not used: "+err.Error())
	}
	return notes
}

// system is the system prompt as of now.
func (i *instructions) system() string {
	f := i.facts
	f.Own, _ = i.readOwn()
	f.Agents, _ = i.read(agentsFile)
	return prompt.System(f)
}

// nested is what the AGENTS.md files of the folders that paths lie in say, the
// outermost first, as far as the model was not told already. The workspace's
// own is in the system prompt.
func (i *instructions) nested(paths []string) (text, why string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	var all, names []string
	room := maxNested
	for _, at := range agentsOf(paths) {
		said, err := i.read(at)
		if err != nil || i.told[at] == said {
			continue
		}
		words := prompt.Nested(at, said)
		if room -= len(words); room < 0 && len(all) > 0 {
			break
		}
		if words != "" {
			all, names = append(all, words), append(names, at)
		}
		if i.told == nil {
			i.told = map[string]string{}
		}
		i.told[at] = said
	}
	if len(all) == 0 {
		return "", ""
	}
	why = "what " + strings.Join(names, ", ") + " says"
	if len(names) > 1 {
		why = strings.TrimSuffix(why, "s")
	}
	return strings.Join(all, "\n"), why
}

// agentsOf names where an AGENTS.md would be that holds for some of paths: in
// each, if it is a folder, and in the folders above it, below the workspace. Of
// very many the first.
func agentsOf(paths []string) (files []string) {
	known := map[string]bool{".": true}
	for _, p := range paths {
		if !fs.ValidPath(p) {
			continue
		}
		var up []string
		for dir := p; !known[dir] && len(up) < maxLevels && len(files)+len(up) < maxFiles; dir = path.Dir(dir) {
			known[dir] = true
			up = append(up, path.Join(dir, agentsFile))
		}
		for n := len(up) - 1; n >= 0; n-- {
			files = append(files, up[n])
		}
	}
	return files
}

// forget has folders' instructions told again.
func (i *instructions) forget() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.told = nil
}

// read returns what a file of the workspace says; nothing where there is none.
// A link to a file that may hold keys is not followed: nobody is asked before
// instructions are sent.
func (i *instructions) read(name string) (string, error) {
	rel, err := i.files.Resolve(name)
	var data []byte
	if err == nil {
		if why := workspace.Secret(rel); why != "" {
			return "", fmt.Errorf("it is a link to %s, which %s; write the instructions into a file of their own", rel, why)
		}
		data, _, err = i.files.ReadFile(rel, maxAgents)
	}
	if err != nil {
		return "", absentIsFine(err)
	}
	return words(data)
}

// readOwn returns what the person's own file says.
func (i *instructions) readOwn() (string, error) {
	if i.own == "" {
		return "", nil
	}
	info, err := os.Stat(i.own)
	switch {
	case err != nil:
		return "", absentIsFine(cause.Of(err))
	case !info.Mode().IsRegular():
		return "", errors.New("it is no file")
	case info.Size() > maxAgents:
		return "", fmt.Errorf("it is larger than %d KB", maxAgents>>10)
	}
	data, err := os.ReadFile(i.own)
	if err != nil {
		return "", absentIsFine(cause.Of(err))
	}
	return words(data)
}

func absentIsFine(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// words makes a file's bytes text, which instructions have to be.
func words(data []byte) (string, error) {
	if kind := text.Sniff(data, true); kind > text.Legacy {
		return "", fmt.Errorf("it is %v; write it in UTF-8", kind)
	}
	return string(data), nil
}
