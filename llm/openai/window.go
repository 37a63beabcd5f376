package openai

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// Where servers tell how many tokens the context holds, in the words of a
// request that was too long. Numbers may be grouped by commas or underscores.
// The first that matches counts: other numbers in such words are what the
// request had.
var windowWords = compileAll(
	`maximum (?:context|model|prompt) length (?:is|of) (?:only )?#`,
	`context (?:length|size|window|limit) (?:is|of) (?:only )?#`,
	`(?:context (?:length|size|window|limit)|max_model_len|maximum number of tokens allowed)[^0-9a-z]{1,3}#`,
	`for model with # maximum context`,
	`> # maximum`,
	`exceeds the limit of #`,
	`token limit[:\s]+#`,
	`while (?:the )?limit is #`,
	`range of input length should be \[\d+, ?#\]`,
	`must be <= #`,
)

func compileAll(patterns ...string) []*regexp.Regexp {
	all := make([]*regexp.Regexp, len(patterns))
	for i, p := range patterns {
		all[i] = regexp.MustCompile(strings.Replace(p, "#", `([0-9][0-9,_]*)`, 1))
	}
	return all
}

// Less than a system prompt and more than any model has are no windows.
const (
	leastWindow = 256
	mostWindow  = 100_000_000
)

// windowIn is the number in a server's words, in lower case; 0 when they tell
// none.
func windowIn(said string) int {
	for _, re := range windowWords {
		if m := re.FindStringSubmatch(said); m != nil {
			if n := asWindow(strings.NewReplacer(",", "", "_", "").Replace(m[1])); n > 0 {
				return n
			}
		}
	}
	return 0
}

func asWindow(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil || n < leastWindow || n > mostWindow {
		return 0
	}
	return n
}

// windowField is what llama.cpp tells in a field of its own.
func windowField(fields map[string]json.RawMessage) int {
	return asWindow(string(fields["n_ctx"]))
}
