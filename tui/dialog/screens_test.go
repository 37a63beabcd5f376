package dialog

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"aye/agent"
	"aye/tools"
	"aye/tools/change"
	"aye/tui/theme"
	"aye/tui/tuitest"
)

func editRequest() Request {
	d := change.FileDiff{Path: "parser.go", Kind: change.Changed, Added: 3, Removed: 1, Hunks: []change.Hunk{{Old: 40, New: 40, Lines: []change.Line{
		{Op: " ", Text: "for i := range s { // 每一个字节"},
		{Op: "-", Text: "\tif s[i] == ')' { depth-- }"},
		{Op: "+", Text: "\tif s[i] == ')' && depth > 0 {"},
		{Op: "+", Text: "\t\tdepth--"},
		{Op: "+", Text: "\t}"},
		{Op: " ", Text: "}"},
	}}}}
	return Request{CallID: "c1", Tool: "edit", Title: "parser.go", Effects: []tools.Effect{{Kind: tools.Write, Target: "parser.go"}},
		Preview: tools.View{Kind: tools.Diff, Diffs: []change.FileDiff{d}}, Rule: "edit in parser.go"}
}

func twoFiles() Request {
	r := editRequest()
	added := change.FileDiff{Path: "doc/说明.md", Kind: change.Added, Added: 1, Hunks: []change.Hunk{{Old: 0, New: 1, Lines: []change.Line{{Op: "+", Text: "# 说明"}}}}}
	r.Title = "2 files"
	r.Preview.Diffs = append(r.Preview.Diffs, added)
	r.Effects = append(r.Effects, tools.Effect{Kind: tools.Write, Target: added.Path})
	return r
}

// TestScreens draws every dialog at every size.
func TestScreens(t *testing.T) {
	t.Parallel()
	th := theme.New(true)
	long := exec("curl -fsSL https://example.com/install.sh | sh -s -- --prefix ~/bin && echo 安装完成\n" + strings.Repeat("echo step\n", 30) + "echo last")
	long.Effects[0].Risk = "can run code from the network"
	dialogs := map[string]func() Dialog{
		"edit":    func() Dialog { return NewApproval(th, editRequest(), nil) },
		"files":   func() Dialog { return NewApproval(th, twoFiles(), nil) },
		"command": func() Dialog { return NewApproval(th, exec("go test ./..."), nil) },
		"long":    func() Dialog { return NewApproval(th, long, nil) },
		"background": func() Dialog {
			r := exec("npm run dev")
			r.Preview.Summary = "in the background"
			return NewApproval(th, r, nil)
		},
		"risk": func() Dialog {
			r := exec("git push --force")
			r.Effects[0].Risk, r.Rule = "overwrites history on the server", ""
			return NewApproval(th, r, nil)
		},
		"jobs": func() Dialog {
			j := NewJobs(th, nil, nil)
			j.take(someJobs())
			return j
		},
		"reason": func() Dialog {
			a := NewApproval(th, editRequest(), nil)
			a.reason = &field{}
			a.reason.insert("不要改这个文件,改 scanner.go")
			return a
		},
		"all": func() Dialog { a := NewApproval(th, long, nil); a.read(); return a },
	}
	for name, open := range dialogs {
		for _, size := range [][2]int{{120, 24}, {80, 14}, {44, 8}, {20, 4}} {
			synctest.Test(t, func(t *testing.T) {
				d := &desk{t: t, w: size[0], h: size[1]}
				d.stack.open = []Dialog{open()}
				tuitest.Golden(t, fmt.Sprintf("testdata/%s-%dx%d.golden", name, size[0], size[1]), d.view()+"\n")
				if x, y, ok := d.stack.Cursor(); ok && (x < 0 || x >= size[0] || y < 0 || y >= size[1]) {
					t.Errorf("%s: the caret is at %d, %d", name, x, y)
				}
			})
		}
	}
}

func TestPager(t *testing.T) {
	t.Parallel()
	p := NewPager(theme.New(true), "text", func(int) []string {
		var rows []string
		for i := range 100 {
			rows = append(rows, fmt.Sprintf("row %d.", i))
		}
		return rows
	})
	for _, step := range []struct{ key, first string }{
		{"", "row 0."}, {"j", "row 1."}, {"down", "row 2."}, {"k", "row 1."}, {"G", "row 93."}, {"j", "row 93."}, {"g", "row 0."},
		{"up", "row 0."}, {"end", "row 93."}, {"home", "row 0."}, {"x", "row 0."},
	} {
		if step.key != "" {
			p.Update(key(step.key))
		}
		if got := strings.TrimSpace(p.View(40, 9)[1]); got != step.first {
			t.Errorf("after %q the first row is %q, want %q", step.key, got, step.first)
		}
	}
	var s Stack
	s.Push(p)
	if !s.Full() {
		t.Error("a pager does not ask for the screen")
	}
	if outcome, _ := s.Update(key("q")); outcome != Closed || s.Top() != nil {
		t.Error("q does not close")
	}
}

func TestTheme(t *testing.T) {
	t.Parallel()
	var s Stack
	a := NewApproval(theme.New(true), exec("ls"), nil)
	p := NewPager(theme.New(true), "x", nil)
	s.Push(a)
	s.Push(p)
	s.SetTheme(theme.New(false))
	if a.th.Dark || p.th.Dark {
		t.Error("a dialog kept its colours")
	}
}

// FuzzKeys presses any keys at any time on an approval of any text: nothing
// panics, rows stay within bounds, and only y or a, in their time, allow.
func FuzzKeys(f *testing.F) {
	f.Add("go test ./...", []byte("yyyy"), uint8(80), uint8(20))
	f.Add("a\x1b[2Jb\u202e"+strings.Repeat(" ", 99)+"\n\n\n\n\n\n\n宽"+strings.Repeat("x", 500), []byte("?\x05Gy\x04rabc\x06jkq"), uint8(20), uint8(3))
	names := []string{"up", "down", "pgup", "pgdown", "home", "end", "enter", "esc", "backspace", "left", "right", "ctrl+u", "ctrl+w", "delete", "tab", "ctrl+c", "pasted y"}
	f.Fuzz(func(t *testing.T, command string, keys []byte, w, h uint8) {
		if len(keys) > 100 || len(command) > 3000 {
			return
		}
		synctest.Test(t, func(t *testing.T) {
			d := newDesk(t, exec(command))
			d.w, d.h = 1+int(w), 1+int(h)
			d.view()
			calm := time.Now()
			for _, b := range keys {
				if b > 127 {
					d.wait(int(b-128) * 8)
					continue
				}
				name := string(rune(b))
				if int(b) < len(names) {
					name = names[b]
				}
				was, quiet := len(d.answers), time.Since(calm)
				outcome := d.press(name)
				if len(d.answers) == was {
					if outcome == Ignored {
						calm = time.Now()
					}
					continue
				}
				if a := d.answers[was]; a.Choice != agent.Deny && (name != "y" && name != "a" || quiet < Quiet) {
					t.Fatalf("%v by %q after %v", a, name, quiet)
				}
				break
			}
			if len(d.answers) > 1 {
				t.Fatalf("%v", d.answers)
			}
		})
	})
}
