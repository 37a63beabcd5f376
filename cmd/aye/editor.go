package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"aye/cause"
	"aye/tui"
)

// editor opens a text in the person's own editor: VISUAL, EDITOR, or one that
// is there.
func editor(env environment) func(text string) (tui.Edit, error) {
	return func(text string) (tui.Edit, error) {
		command := first(variable(env, "VISUAL"), variable(env, "EDITOR")).value
		if command == "" {
			command = anyEditor()
		}
		if command == "" {
			return tui.Edit{}, errors.New("no editor is known: set EDITOR to yours, such as vim or \"code --wait\"")
		}
		f, err := os.CreateTemp("", "aye-*.md")
		if err != nil {
			return tui.Edit{}, fmt.Errorf("the text cannot be handed to an editor: %w", cause.Of(err))
		}
		_, err = f.WriteString(text)
		if err = errors.Join(err, f.Close()); err != nil {
			return tui.Edit{}, errors.Join(fmt.Errorf("the text cannot be handed to an editor: %w", cause.Of(err)), os.Remove(f.Name()))
		}
		return tui.Edit{Command: editorCommand(command, f.Name()), Text: func() (string, error) {
			data, err := os.ReadFile(f.Name())
			if err != nil {
				return "", fmt.Errorf("the editor's text cannot be read: %w", cause.Of(err))
			}
			return strings.TrimSuffix(string(data), "\n"), os.Remove(f.Name())
		}}, nil
	}
}

// anyEditor is the first editor found, friendliest first.
func anyEditor() string {
	for _, name := range []string{"nano", "vim", "vi", "notepad"} {
		if _, err := exec.LookPath(name); err == nil {
			return name
		}
	}
	return ""
}

// editorCommand runs an editor on a file. On Unix the shell reads the
// setting, as git does: "code --wait" and "emacsclient -a ”" are both usual.
func editorCommand(command, file string) *exec.Cmd {
	if runtime.GOOS == "windows" {
		words := append(strings.Fields(command), file)
		return exec.Command(words[0], words[1:]...)
	}
	return exec.Command("sh", "-c", command+` "$@"`, "sh", file)
}
