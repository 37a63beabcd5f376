package near

import (
	"strings"
	"testing"
)

func TestWord(t *testing.T) {
	t.Parallel()
	tools := []string{"read", "write", "edit", "glob", "shell", "load_skill"}
	keys := []string{"path", "offset", "limit"}
	commands := []string{"/help", "/mode", "/history", "/todos", "/clear", "/quit", "/exit"}
	flags := []string{"base-url", "continue", "max-rounds", "mode", "model", "no-session"}
	for _, tt := range []struct {
		known      []string
		word, want string
	}{
		{tools, "Read", "read"}, {tools, "read_file", "read"}, {tools, "write_file", "write"}, {tools, "edti", "edit"},
		{tools, "run_shell", "shell"}, {tools, "skill", "load_skill"}, {tools, "shel", "shell"},
		{tools, "zzzzzz", ""}, {tools, "", ""}, {tools, "a", ""},
		{keys, "paht", "path"}, {keys, "Path", "path"}, {keys, "file_path", "path"}, {keys, "offse", "offset"}, {keys, "lim", "limit"},
		{keys, "zzz", ""}, {keys, "x", ""}, {keys, strings.Repeat("path", 1000), "path"}, {keys, strings.Repeat("z", 1000), ""},
		{commands, "/hlep", "/help"}, {commands, "/h", "/help"}, {commands, "/his", "/history"}, {commands, "/quitt", "/quit"},
		{commands, "/claer", "/clear"}, {commands, "/xyzzy", ""},
		{flags, "modle", "model"}, {flags, "modell", "model"}, {flags, "continu", "continue"}, {flags, "x", ""}, {flags, "xyzzy", ""},
		{nil, "read", ""},
	} {
		if got := Word(tt.word, tt.known); got != tt.want {
			t.Errorf("Word(%q, %q) = %q, want %q", tt.word, tt.known, got, tt.want)
		}
	}
}

func TestSlips(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"same", "SAME", 0}, {"edti", "edit", 1}, {"verson", "version", 1},
		{"kitten", "sitting", 3}, {"ab", "ba", 1}, {"ca", "abc", 3},
	} {
		if got, back := Slips(tt.a, tt.b), Slips(tt.b, tt.a); got != tt.want || back != tt.want {
			t.Errorf("Slips(%q, %q) = %d, the other way %d, want %d", tt.a, tt.b, got, back, tt.want)
		}
	}
}
