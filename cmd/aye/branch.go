package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
)

// branch is the git branch that dir is on, the beginning of a commit where
// there is no branch, "" outside of git. It asks no program: this runs before
// the first frame.
func branch(dir string) string {
	for {
		if git := gitFolder(filepath.Join(dir, ".git")); git != "" {
			head := firstLine(filepath.Join(git, "HEAD"))
			if name, ok := strings.CutPrefix(head, "ref: refs/heads/"); ok {
				return name
			}
			return head[:min(len(head), 8)]
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// gitFolder follows the .git file of a worktree or submodule.
func gitFolder(path string) string {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return ""
	case info.IsDir():
		return path
	case !info.Mode().IsRegular():
		return ""
	}
	target, ok := strings.CutPrefix(firstLine(path), "gitdir: ")
	if !ok {
		return ""
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(path), target)
	}
	return target
}

// firstLine reads the beginning of a small regular file.
func firstLine(path string) string {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return "" // a FIFO would never answer
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, 4096))
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimSpace(line)
}
