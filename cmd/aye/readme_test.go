package main

import (
	"os"
	"strings"
	"testing"

	"aye/tools"
	"aye/tui/slash"
)

// The README names every tool and every slash command.
func TestReadmeNamesAll(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, does, _ := strings.Cut(string(data), "\n## What the model can do\n")
	for _, tool := range tools.Catalog(tools.Deps{}) {
		if !strings.Contains(does, "`"+tool.Name+"`") {
			t.Errorf("no word about the tool %s", tool.Name)
		}
	}
	for _, c := range slash.Commands() {
		if !strings.Contains(does, "`"+c.Name) {
			t.Errorf("no word about %s", c.Name)
		}
	}
}
