package slash

import (
	"fmt"
	"strings"

	"aye/llm"
)

// History is what a session has come to so far.
type History struct {
	Turns    int
	Messages int // in the conversation that the model sees
	Usage    llm.Usage
}

// Report returns the text of /history, one line.
func (h History) Report() string {
	about := ""
	if h.Usage.Estimated {
		about = "about "
	}
	parts := []string{
		plural(h.Turns, "turn"),
		plural(h.Messages, "message"),
		fmt.Sprintf("%s%d tokens in", about, h.Usage.Input),
	}
	if h.Usage.Cached > 0 {
		parts[2] += fmt.Sprintf(" (%d from the cache)", h.Usage.Cached)
	}
	return strings.Join(append(parts, fmt.Sprintf("%s%d tokens out", about, h.Usage.Output)), " · ")
}

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
