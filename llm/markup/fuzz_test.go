package markup_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"aye/llm"
	"aye/llm/markup"
)

// pieces is a client whose reply comes in given pieces, cut anywhere.
type pieces struct {
	list []string
	stop llm.Stop
}

func (p pieces) Stream(context.Context, llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		for _, s := range p.list {
			if !yield(llm.TextDelta{Text: s}, nil) {
				return
			}
		}
		m := llm.Message{Role: llm.Assistant}
		if all := strings.Join(p.list, ""); all != "" {
			m.Blocks = append(m.Blocks, llm.Text{Text: all})
		}
		yield(llm.Done{Message: m, Stop: p.stop}, nil)
	}
}

// split cuts s at random.
func split(s string, seed uint64) []string {
	rnd := rand.New(rand.NewPCG(seed, 1))
	most := 1 + rnd.IntN(40)
	var list []string
	for s != "" {
		n := min(1+rnd.IntN(most), len(s))
		list = append(list, s[:n])
		s = s[n:]
	}
	return list
}

// FuzzSplits: however a reply is cut into pieces, it comes to the same, its
// deltas are repeated in Done, and of prose not a byte changes.
func FuzzSplits(f *testing.F) {
	for i, s := range callSamples {
		f.Add(s.raw, uint64(i), i%2 == 0)
	}
	for i, s := range []string{
		element("write", "path", "a", "content", element("edit", "path", "b", "old", "<parameter=x>", "new", "</function>")),
		"<think>\n`x` </think>\n\nIt is <|im_end|>\n<|im_start|>user\nso", "Hm.\n</think>\n\nYes", "a `b` ```c``` \n```json\n{\"name\":\"read\",\"args\":{}}\n```\nx",
		"<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a</arg_value></tool_call>", "[TOOL_CALLS]read[ARGS]{\"path\":\"\\u00e9\"}</s>",
		"{\"function\":{\"name\":\"read\",\"arguments\":\"{}\"}}", "<invoke name=\"read\"><parameter name=\"path\" string=\"true\">a</parameter></invoke>",
	} {
		f.Add(s, uint64(i), true)
	}
	f.Fuzz(func(t *testing.T, raw string, seed uint64, limit bool) {
		stop := llm.EndTurn
		if limit {
			stop = llm.MaxTokens
		}
		whole := listen(t, markup.New(pieces{[]string{raw}, stop}), ask())
		cut := listen(t, markup.New(pieces{split(raw, seed), stop}), ask())
		if a, b := outcome(whole.done), outcome(cut.done); a != b {
			t.Fatalf("%q\nwhole  %s\npieces %s", raw, a, b)
		}
		for _, h := range []heard{whole, cut} {
			m := h.done.Message
			if !strings.HasSuffix(h.text, m.Text()) || h.text+h.thought != m.Text()+thinking(m) && !strings.Contains(raw, "</think") && !strings.Contains(raw, "/THINK") {
				t.Fatalf("%q: deltas %q and %q, Done %q and %q", raw, h.thought, h.text, thinking(m), m.Text())
			}
			if utf8.ValidString(raw) && !utf8.ValidString(m.Text()+thinking(m)+calls(m)) {
				t.Fatalf("%q: a character was torn: %q", raw, m)
			}
		}
		if !strings.ContainsAny(raw, "<{[`~") && whole.text != raw {
			t.Fatalf("%q became %q", raw, whole.text)
		}
	})
}

func outcome(d llm.Done) string {
	return fmt.Sprintf("%q %q %q %s", thinking(d.Message), d.Message.Text(), calls(d.Message), d.Stop)
}
