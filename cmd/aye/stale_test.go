package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aye/llm"
	"aye/llm/llmtest"
	"aye/tui/tuitest"
)

// allSeen goes to the end of the patch that is asked for, of six files and a new
// name for one, and waits until keys count.
func allSeen(s *tuitest.Screen) {
	s.Wait(`patch 7 files  \+6 −5`)
	s.WaitStyled(armed)
	s.Type("\x1b[F")
	s.Wait(`\+ text`) // the last row
}

// While the person looks at a patch, another process changes one of its files:
// their yes writes nothing, the model is shown the new text, and its next try is
// asked anew, shows what is there now, and succeeds.
func TestPatchOfAFileThatChangesWhileItIsAskedFor(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		is     string // what another process makes of the file
		result string // what the model is shown of it
		after  string // what the second try makes of it
	}{
		{"a/plain.txt", "alpha\ntwo\nomega\ntheirs\n", "4: theirs", "alpha\n2\nomega\ntheirs\n"},
		{"a/windows.txt", "null\r\neins\r\nzwei\r\ndrei", "1: null", "null\r\neins\r\ndeux\r\ndrei"},
		{"b/wide.txt", wide(t, "Größe\r\nété\r\nçà\r\n"), "3: çà", wide(t, "Größe\r\n日本 👍\r\nçà\r\n")},
	} {
		t.Run(filepath.Base(tt.name), func(t *testing.T) {
			t.Parallel()
			model, refused := newPatcher(t), false
			w := newDoomed(t, func(req llm.Request) llmtest.Reply {
				reply := model.script(req)
				if reply.Text == "Done." && !refused {
					refused = true
					return call("Once more.", "patch", args("patch", sixFiles))
				}
				return reply
			})
			s := w.screen("patch it")
			allSeen(s)
			beside := filepath.Join(w.dir, "theirs.tmp")
			if err := os.WriteFile(beside, []byte(tt.is), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(beside, filepath.Join(w.dir, tt.name)); err != nil {
				t.Fatal(err)
			}
			want := sixOld(t)
			want[tt.name] = tt.is
			s.Type("y")
			s.Wait(`changed meanwhile(.|\n)*waiting for you`)
			if got := w.tree(); !sameTree(got, want, true) {
				t.Errorf("after the yes the tree is\n%q", got)
			}
			if got := w.told(); !strings.Contains(got, tt.name+" was changed in the meantime; nothing was written") || !strings.Contains(got, tt.result) {
				t.Errorf("the model was told %q", got)
			}
			allSeen(s)
			s.Type("y")
			s.Wait(`Done\.`)
			want = sixNew(t)
			want[tt.name] = tt.after
			if got := w.tree(); !sameTree(got, want, true) {
				t.Errorf("in the end the tree is\n%q", got)
			}
			s.Type("\x04")
			s.Exit()
		})
	}
}
