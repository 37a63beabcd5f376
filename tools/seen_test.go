package tools

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aye/tools/workspace"
)

const poem = "one\ntwo\nthree\nfour\nfive\n"

// changers are the calls that change poem, by path, and what they make of it.
var changers = []struct {
	name string
	args []any
	made func(was string) string
}{
	{"write", []any{"content", "new\n"}, func(string) string { return "new\n" }},
	{"edit", []any{"old", "two\n", "new", "2\n"}, func(was string) string { return strings.Replace(was, "two\n", "2\n", 1) }},
	{"append", []any{"content", "six\n"}, func(was string) string { return was + "six\n" }},
}

// What the model knows of a file, times what it wants to do to it: it goes
// through at once, or it is refused with the text, and then the next try goes
// through. "" is no refusal.
func TestReadBeforeWrite(t *testing.T) {
	t.Parallel()
	keepTime := func(b *bench, content string) { // same size, same time
		b.t.Helper()
		info, err := os.Stat(b.ws.Abs("poem"))
		if err == nil {
			err = os.WriteFile(b.ws.Abs("poem"), []byte(content), 0o644)
		}
		if err == nil {
			err = os.Chtimes(b.ws.Abs("poem"), info.ModTime(), info.ModTime())
		}
		if err != nil {
			b.t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name        string
		before      func(b *bench)
		path        string
		write, edit string
	}{
		{"never read", func(*bench) {}, "poem", "you have not read it", "was not read before"},
		{"partly read", func(b *bench) { b.call("read", "path", "poem", "limit", 2) }, "poem", "read in part only", ""},
		{"read whole", func(b *bench) { b.see("poem") }, "poem", "", ""},
		{"read in two parts", func(b *bench) {
			b.call("read", "path", "poem", "offset", 3)
			b.call("read", "path", "poem", "limit", 3)
		}, "poem", "", ""},
		{"only its end read", func(b *bench) { b.call("read", "path", "poem", "offset", -2) }, "poem", "read in part only", ""},
		{"past its end read", func(b *bench) { b.call("read", "path", "poem", "offset", 9) }, "poem", "you have not read it", "was not read before"},
		{"changed, same size and time", func(b *bench) { b.see("poem"); keepTime(b, "ONE\ntwo\nthree\nfour\nfive\n") }, "poem", "was changed since", "was changed since"},
		{"touched, content the same", func(b *bench) { b.see("poem"); keepTime(b, poem) }, "poem", "", ""},
		{"parts of different content", func(b *bench) {
			b.call("read", "path", "poem", "offset", 2)
			keepTime(b, "one\ntwo\nthree\nfour\nFIVE\n")
			b.call("read", "path", "poem", "limit", 2)
		}, "poem", "read in part only", ""},
		{"forgotten", func(b *bench) { b.see("poem"); b.seen.Forget() }, "poem", "you have not read it", "was not read before"},
		{"resumed", func(b *bench) {
			res := b.call("read", "path", "poem")
			b.seen.Forget()
			b.seen.Add(res.Seen...)
		}, "poem", "", ""},
		{"resumed, and changed since", func(b *bench) {
			res := b.call("read", "path", "poem")
			b.seen.Forget()
			keepTime(b, "ONE\ntwo\nthree\nfour\nfive\n")
			b.seen.Add(res.Seen...)
		}, "poem", "was changed since", "was changed since"},
		{"another spelling", func(b *bench) { b.see("./x/../poem") }, "poem", "", ""},
		{"absolute", func(b *bench) { b.see("poem") }, "{abs}", "", ""},
		{"read by a link", func(b *bench) { b.see("link") }, "poem", "", ""},
		{"written by a link", func(b *bench) { b.see("poem") }, "link", "", ""},
		{"another file of that name, in capitals", func(b *bench) { b.see("POEM") }, "poem", "you have not read it", "was not read before"},
		{"its own write", func(b *bench) { b.see("poem"); b.call("write", "path", "poem", "content", poem+"zero\n") }, "poem", "", ""},
		{"its own edit", func(b *bench) { b.see("poem"); b.call("edit", "path", "poem", "old", "four", "new", "4\n4a") }, "poem", "", ""},
		{"its own edit of a part", func(b *bench) {
			b.call("read", "path", "poem", "limit", 1)
			b.call("edit", "path", "poem", "old", "one\n", "new", "1\n")
		}, "poem", "read in part only", ""},
		{"its own append", func(b *bench) { b.see("poem"); b.call("append", "path", "poem", "content", "6") }, "poem", "", ""},
		{"content it knew", func(b *bench) { b.call("write", "path", "poem", "content", poem) }, "poem", "", ""},
	} {
		for _, c := range changers {
			b := newBench(t, map[string]string{"poem": poem, "x/y": ""})
			if err := os.Symlink("poem", b.ws.Abs("link")); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(tt.name, "capitals") {
				if err := os.WriteFile(b.ws.Abs("POEM"), []byte("other\n"), 0o644); err != nil || b.content("poem") != poem {
					t.Logf("this disk has no capitals: %v", err)
					continue
				}
			}
			tt.before(b)
			want := map[string]string{"write": tt.write, "edit": tt.edit}[c.name]
			b.tries(tt.name, c.name, want, strings.Replace(tt.path, "{abs}", b.ws.Abs("poem"), 1), c.args, c.made)
		}
	}
}

// tries calls a tool that changes poem, once or, where it is to be refused,
// twice.
func (b *bench) tries(what, tool, refusal, path string, args []any, made func(string) string) {
	b.t.Helper()
	was := b.content("poem")
	call := append([]any{"path", path}, args...)
	if refusal != "" {
		action, err := b.prepare(tool, call...)
		if err != nil {
			b.t.Errorf("%s, %s: %v", what, tool, err)
			return
		}
		if action.Change != nil || action.Effects[0].Kind != Read {
			b.t.Errorf("%s, %s: the refused call would change something: %+v", what, tool, action.Effects)
		}
		res := action.Run(b.t.Context(), nil)
		if res.Status != Failed || !strings.Contains(res.Text, refusal) || !strings.Contains(res.Text, ": two\n") && tool == "edit" {
			b.t.Errorf("%s, %s: %s %q, want %q and the text", what, tool, res.Status, res.Text, refusal)
		}
		if b.content("poem") != was {
			b.t.Errorf("%s, %s: refused, and the file is changed", what, tool)
		}
	}
	action, err := b.prepare(tool, call...)
	if err != nil || action.Change == nil {
		b.t.Errorf("%s, %s: refused: %v %+v", what, tool, err, action)
		return
	}
	if res := action.Run(b.t.Context(), nil); res.Status != OK || b.content("poem") != made(was) {
		b.t.Errorf("%s, %s: %s %q; the file is %q", what, tool, res.Status, res.Text, b.content("poem"))
	}
}

// What happens to the file between the question and the answer is found at the
// commit; the result shows the text, so that the next try goes through.
func TestChangedWhileThePersonReads(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, now string // "": removed
		there     bool   // when the call was prepared
		want      string
	}{
		{"changed", "ONE\ntwo\nthree\nfour\nfive\n", true, "was changed in the meantime"},
		{"grown", poem + "more\n", true, "was changed in the meantime"},
		{"removed", "", true, "was removed in the meantime"},
		{"created", poem, false, "was created in the meantime"},
	} {
		for _, c := range changers {
			if c.name == "edit" && !tt.there {
				continue
			}
			b := newBench(t, nil)
			if tt.there {
				if err := os.WriteFile(b.ws.Abs("poem"), []byte(poem), 0o644); err != nil {
					t.Fatal(err)
				}
				b.see("poem")
			}
			call := append([]any{"path", "poem"}, c.args...)
			action, err := b.prepare(c.name, call...)
			if err != nil || action.Change == nil {
				t.Fatalf("%s, %s: %v", tt.name, c.name, err)
			}
			if err = os.WriteFile(b.ws.Abs("poem"), []byte(tt.now), 0o644); tt.now == "" {
				err = os.Remove(b.ws.Abs("poem"))
			}
			if err != nil {
				t.Fatal(err)
			}
			res := action.Run(t.Context(), nil)
			wants(t, tt.name+", "+c.name, res.Text, tt.want, "othing was written")
			if res.Status != Failed {
				t.Errorf("%s, %s: %s", tt.name, c.name, res.Status)
			}
			if tt.now == "" {
				_, err := b.prepare(c.name, call...)
				if (err != nil) != (c.name == "edit") {
					t.Errorf("%s, %s again: %v", tt.name, c.name, err)
				}
				continue
			}
			wants(t, tt.name+", "+c.name, res.Text, "5: five")
			if b.content("poem") != tt.now {
				t.Errorf("%s, %s: the file is %q", tt.name, c.name, b.content("poem"))
			}
			b.tries(tt.name, c.name, "", "poem", c.args, c.made)
		}
	}
}

// A file that is gone is made again by write, and the person is told.
func TestRemovedSinceItWasSeen(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"poem": poem})
	b.see("poem")
	if err := os.Remove(b.ws.Abs("poem")); err != nil {
		t.Fatal(err)
	}
	if _, err := b.prepare("edit", "path", "poem", "old", "two", "new", "2"); err == nil || !strings.Contains(err.Error(), "poem was removed since you saw it; use write") {
		t.Errorf("edit: %v", err)
	}
	res := b.call("write", "path", "poem", "content", "new\n")
	wants(t, "write", res.Text, "Created poem", "was removed since you saw it")
}

// A refusal shows what was not seen, as much as there is room for, and says
// how to see the rest.
func TestRefusalsOfLongFiles(t *testing.T) {
	t.Parallel()
	long := strings.Repeat(strings.Repeat("x", 99)+"\n", 1000)
	wide := "a\n" + strings.Repeat("y", 40_000) + "\nb\n"
	b := newBench(t, map[string]string{"long": long, "wide": wide, "bin": "a\x00b"})
	refused := func(name string) Result {
		t.Helper()
		action, err := b.prepare("write", "path", name, "content", "new\n")
		if err != nil || action.Change != nil {
			t.Fatalf("%s is not refused: %v", name, err)
		}
		return action.Run(t.Context(), nil)
	}
	res := refused("long")
	wants(t, "long", res.Text, "1: x", "[lines 154–1000 of 1000 are not shown: read with offset 153, then repeat the call; or change a part with edit]")
	b.call("read", "path", "long", "offset", 300, "limit", 100)
	res = refused("long")
	wants(t, "long, again", res.Text, "[lines 1–153: you have seen them]\n154: x", "300: x", "[lines 301–400: you have seen them]\n401: x")
	if strings.Contains(res.Text, "\n350: ") || len(res.Text) > maxText+1000 {
		t.Errorf("what was seen is shown again, or too much: %d bytes", len(res.Text))
	}
	for at := 0; ; { // reading on as it says ends in a write
		action, err := b.prepare("write", "path", "long", "content", "new\n")
		if err != nil {
			t.Fatal(err)
		}
		if action.Change != nil {
			break
		}
		res := action.Run(t.Context(), nil)
		if at++; at > 20 {
			t.Fatalf("no end: %q", res.Text[max(0, len(res.Text)-300):])
		}
	}
	// A line that cannot be shown is not seen: what is in it must not be lost.
	wants(t, "wide", refused("wide").Text, "[too long to be shown whole, line 2: change parts of the file with edit")
	wants(t, "wide, again", refused("wide").Text, "too long to be shown whole, line 2")
	if res := b.call("edit", "path", "wide", "old", "b\n", "new", "c\n"); res.Status != OK {
		t.Errorf("edit: %s", res.Text)
	}
	if _, err := b.prepare("write", "path", "bin", "content", "x"); err == nil || !strings.Contains(err.Error(), "bin is binary, 3 bytes") {
		t.Errorf("binary: %v", err)
	}
}

// Nobody was asked whether lines of a file with keys may be shown: no refusal
// shows any, and neither does the result of an append.
func TestRefusalsShowNoKeys(t *testing.T) {
	t.Parallel()
	const keys = "A=sk-1\nB=sk-2\n"
	b := newBench(t, map[string]string{".env": keys})
	for name, args := range map[string][]any{
		"write": {"path", ".env", "content", "A=\n"},
		"edit":  {"path", ".env", "old", "B=", "new", "C="},
	} {
		action, err := b.prepare(name, args...)
		if err == nil || strings.Contains(err.Error(), "sk-") || !strings.Contains(err.Error(), "read it first (the user is asked)") {
			t.Errorf("%s: %v, %+v", name, err, action.Effects)
		}
	}
	res := b.call("append", "path", ".env", "content", "C=3\n")
	wants(t, "append", res.Text, "Appended .env: +4 bytes, now 3 lines")
	if strings.Contains(res.Text, "sk-") {
		t.Errorf("append shows keys: %q", res.Text)
	}
	if _, err := b.prepare("write", "path", ".env", "content", "A=\n"); err == nil {
		t.Error("after an append all of it counts as seen")
	}
	b.see(".env")
	for name, args := range map[string][]any{
		"write":  {"path", ".env", "content", "A=\n"},
		"edit":   {"path", ".env", "old", "B=", "new", "C="},
		"append": {"path", ".env", "content", "D=4\n"},
	} {
		action, err := b.prepare(name, args...)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(b.ws.Abs(".env"), []byte(keys+"B=sk-3\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if res := action.Run(t.Context(), nil); res.Status != Failed || strings.Contains(res.Text, "sk-") || len(res.Seen) > 0 {
			t.Errorf("%s: %s %q", name, res.Status, res.Text)
		}
		if err := os.WriteFile(b.ws.Abs(".env"), []byte(keys+"C=3\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// What a result says was seen is what the tool told Seen: a session that goes
// on knows the same.
func TestResultsSayWhatWasSeen(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"poem": poem, "long": strings.Repeat("x\n", 500)})
	resumed := workspace.NewSeen()
	for _, call := range [][]any{
		{"write", "path", "poem", "content", "1\n"}, // refused
		{"edit", "path", "poem", "old", "two", "new", "2"},
		{"read", "path", "long", "offset", 100},
		{"edit", "path", "long", "old", "x", "new", "y"}, // refused: not once
		{"append", "path", "long", "content", "end"},
		{"write", "path", "deep/er/new", "content", "a\nb"},
		{"edit", "path", "deep/er/new", "old", "b", "new", "c\nd"},
	} {
		action, err := b.prepare(call[0].(string), call[1:]...)
		if err != nil {
			continue
		}
		resumed.Add(action.Run(t.Context(), nil).Seen...)
	}
	for _, name := range []string{"poem", "long", "deep/er/new"} {
		data, err := os.ReadFile(filepath.Join(b.ws.Name(), name))
		if err != nil {
			t.Fatal(err)
		}
		sum, lines := workspace.SumOf(data), strings.Count(string(data), "\n")+1
		a, aWhole, _ := b.seen.Of(name)
		r, rWhole, _ := resumed.Of(name)
		if a != sum || r != sum || aWhole != rWhole || len(b.seen.Gaps(name, sum, lines)) != len(resumed.Gaps(name, sum, lines)) {
			t.Errorf("%s: seen %s %v, after the resumption %s %v, is %s", name, a, aWhole, r, rWhole, sum)
		}
	}
}
