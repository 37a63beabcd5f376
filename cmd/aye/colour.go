package main

import (
	"os"
	"strings"

	"github.com/muesli/termenv"
)

// colours says how many colours the terminal on standard output has. Only the
// environment decides: termenv alone would see none wherever CI is set, for it
// thinks of logs, and here a terminal is known to be there. It also knows no
// colours in TERM=screen and its kind, which have eight at least.
func colours(env environment) termenv.Profile {
	out := termenv.NewOutput(os.Stdout, termenv.WithTTY(true), termenv.WithEnvironment(termEnv{env}))
	p := out.EnvColorProfile()
	if p != termenv.Ascii || out.EnvNoColor() {
		return p
	}
	name, _ := env("TERM")
	for _, family := range []string{"screen", "tmux", "xterm", "rxvt", "konsole", "foot", "st-", "putty", "cygwin"} {
		if strings.HasPrefix(name, family) {
			return termenv.ANSI
		}
	}
	return p
}

// termEnv is an environment as termenv asks for it.
type termEnv struct{ lookup environment }

func (e termEnv) Environ() []string { return nil }

func (e termEnv) Getenv(name string) string {
	value, _ := e.lookup(name)
	return value
}
