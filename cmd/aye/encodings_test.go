package main

import (
	"fmt"
	"strings"
	"testing"

	"aye/llm"
	"aye/llm/llmtest"
	"aye/tools/text/texttest"
)

// A rewrite is one call on one file, and the bytes that must be on the disk
// then.
type rewrite struct {
	name, tool, args string
	was, want        string
}

// Every byte outside a change is the file's own, and what is inside is what the
// file's encoding has for it: in more than twenty encodings, by each tool, five
// changes each, from the model's words to the disk and back.
func TestEncodingsEndToEnd(t *testing.T) {
	t.Parallel()
	for tool, changes := range map[string]func(*testing.T, texttest.Variant, string) []rewrite{
		"edit": editsOf, "patch": patchesOf, "append": appendsOf, "write": writesOf,
	} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			var all []rewrite
			for n, v := range texttest.Variants {
				all = append(all, changes(t, v, fmt.Sprintf("%02d", n))...)
			}
			if len(all) < 20*5 {
				t.Errorf("%d changes, want at least 20 encodings by 5", len(all))
			}
			carryOut(t, all)
		})
	}
}

// carryOut has one run of aye make all the changes.
func carryOut(t *testing.T, all []rewrite) {
	reads, changes := say("I read them."), say("I change them.")
	for _, r := range all {
		reads.Calls = append(reads.Calls, llm.ToolCall{Name: "read", Args: args("path", r.file())})
		changes.Calls = append(changes.Calls, llm.ToolCall{Name: r.tool, Args: r.args})
	}
	w := newWorld(t, llmtest.Steps(reads, changes, say("Done.")))
	for _, r := range all {
		w.write(r.file(), r.was)
	}
	w.run("", "run", "--mode", "edit", "go").expect(t, exitAnswered, "Done.\n")
	messages := w.model.Requests()[2].Request.Messages
	results := messages[len(messages)-1].Blocks
	for n, r := range all {
		if got := w.file(r.file()); got != r.want {
			t.Errorf("%s: the file is\n%q, want\n%q; it was\n%q; the call %s\nthe model was told %.600q", r.name, got, r.want, r.was, r.args, results[n].(llm.ToolResult).Text)
		}
	}
}

func (r rewrite) file() string { return r.name[:strings.Index(r.name, " ")] }

// newRewrite names a change, and its file by the numbers of the variant and of
// the change.
func newRewrite(t *testing.T, v texttest.Variant, file, what, tool string, want func() (string, error), pairs ...string) rewrite {
	t.Helper()
	was, err := v.File()
	if err != nil {
		t.Fatal(v.Name, err)
	}
	after, err := want()
	if err != nil {
		t.Fatal(v.Name, err)
	}
	return rewrite{file + " " + v.Name + ", " + what, tool, args(append(pairs, "path", file)...), was, after}
}

func editsOf(t *testing.T, v texttest.Variant, file string) []rewrite {
	var all []rewrite
	for n, e := range v.Edits() {
		all = append(all, newRewrite(t, v, fmt.Sprint(file, "-", n), e.Name, "edit", func() (string, error) { return v.Edited(e) }, "old", e.Old, "new", e.New))
	}
	return all
}

// patchesOf are the same changes by whole lines.
func patchesOf(t *testing.T, v texttest.Variant, file string) []rewrite {
	var all []rewrite
	for n, e := range v.Edits() {
		name := fmt.Sprint(file, "-", n)
		patch := "*** Begin Patch\n*** Update File: " + name + "\n" + hunk(v.Text(0, 5), e.Before+e.Put+e.After) + "*** End Patch\n"
		r := newRewrite(t, v, name, e.Name, "patch", func() (string, error) { return v.Edited(e) })
		r.args = args("patch", patch)
		all = append(all, r)
	}
	return all
}

// hunk turns one text into another, with one line of context on either side.
func hunk(was, is string) string {
	a, b := shownLines(was), shownLines(is)
	from, tail := 0, 0
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	for tail < min(len(a), len(b))-from && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out strings.Builder
	add := func(op string, lines []string) {
		for _, line := range lines {
			out.WriteString(op + line + "\n")
		}
	}
	add(" ", a[max(0, from-1):from])
	add("-", a[from:len(a)-tail])
	add("+", b[from:len(b)-tail])
	add(" ", a[len(a)-tail:min(len(a), len(a)-tail+1)])
	return out.String()
}

// shownLines are the lines of a text as a model is shown them.
func shownLines(text string) []string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	var out strings.Builder
	for i, r := range text {
		if r == '\ufffd' {
			fmt.Fprintf(&out, `\x%02X`, text[i])
		} else {
			out.WriteRune(r)
		}
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// contents are what is appended or written: with every kind of end.
func contents(v texttest.Variant) []string {
	word := v.Insert()
	return []string{word + "\n", word, v.Lines[1] + "\n" + word + "\n", "\n" + word + "\n\n", word + "\n" + v.Lines[4] + "\n" + word}
}

// ended gives content the line ends of the variant, where those are of one kind.
func ended(v texttest.Variant, content string) string {
	for _, end := range v.Ends {
		if end != v.Ends[0] {
			return content
		}
	}
	return strings.ReplaceAll(content, "\n", v.Ends[0])
}

func appendsOf(t *testing.T, v texttest.Variant, file string) []rewrite {
	var all []rewrite
	for n, content := range contents(v) {
		all = append(all, newRewrite(t, v, fmt.Sprint(file, "-", n), fmt.Sprintf("%q", content), "append", func() (string, error) {
			after, err := v.Bytes(v.Text(0, 5) + ended(v, content))
			return v.Mark + after, err
		}, "content", content))
	}
	return all
}

func writesOf(t *testing.T, v texttest.Variant, file string) []rewrite {
	var all []rewrite
	for n, content := range contents(v) {
		all = append(all, newRewrite(t, v, fmt.Sprint(file, "-", n), fmt.Sprintf("%q", content), "write", func() (string, error) {
			after, err := v.Bytes(ended(v, content))
			return v.Mark + after, err
		}, "content", content))
	}
	return all
}
