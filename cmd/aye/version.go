package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

// versionCommand prints one line that a bug report needs.
func versionCommand(context.Context, invocation) error {
	line := "aye " + version() + ", " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
	if commit := buildCommit(); commit != "" {
		line += ", commit " + commit
	}
	_, err := fmt.Println(line)
	return err
}

// version is the module's version, or "dev" for a build out of a work tree.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}

// buildCommit names the commit aye was built from, when the build recorded it.
func buildCommit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	var commit, changed string
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value[:min(12, len(s.Value))]
		case "vcs.modified":
			if s.Value == "true" {
				changed = " with changes"
			}
		}
	}
	if commit == "" {
		return ""
	}
	return commit + changed
}
