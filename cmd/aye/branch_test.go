package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestBranch(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"none", nil, ""},
		{"a branch", map[string]string{".git/HEAD": "ref: refs/heads/topic/x\n"}, "topic/x"},
		{"above", map[string]string{"../.git/HEAD": "ref: refs/heads/main\n"}, "main"},
		{"no branch", map[string]string{".git/HEAD": "0123456789abcdef0123456789abcdef01234567\n"}, "01234567"},
		{"a worktree", map[string]string{".git": "gitdir: ../real/worktrees/w\n", "../real/worktrees/w/HEAD": "ref: refs/heads/w\n"}, "w"},
		{"no such git folder", map[string]string{".git": "gitdir: ../gone\n"}, ""},
		{"rubbish", map[string]string{".git": "hello\n", "../.git/HEAD": ""}, ""},
	}
	for _, tt := range tests {
		dir := filepath.Join(t.TempDir(), "work")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for name, content := range tt.files {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := branch(dir); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
