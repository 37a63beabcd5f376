package tools

import (
	"bytes"
	"context"
	"fmt"

	"aye/tools/change"
	"aye/tools/text"
	"aye/tools/workspace"
)

// appendShown is how many of a file's last lines are shown after an append.
const appendShown = 8

type appendArgs struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

// appendTool destroys nothing, so the model need not have seen the file.
func appendTool(ws *workspace.Dir, seen *workspace.Seen) Tool {
	return Define("append", "Add content at the end of a file, made if missing, folders too.", func(_ context.Context, a appendArgs) (Action, error) {
		t, err := look(ws, seen, a.Path)
		if err != nil {
			return Action{}, err
		}
		if kind := text.Sniff(t.data, true); kind > text.Legacy {
			return Action{}, fmt.Errorf("%s is %v, %d bytes; append adds text in UTF-8 only. Use a shell command", t.rel, kind, len(t.data))
		}
		if t.exists && a.Content == "" {
			return Action{}, fmt.Errorf("content is empty: there is nothing to add to %s", t.rel)
		}
		added, note := a.joined(t)
		w := writing{target: t, notes: []string{note, lossNote(t.info)}, stale: a.now}
		after := append(bytes.Clone(t.data), added...)
		if w.set, err = t.change(after); err != nil {
			return Action{}, err
		}
		return w.action(func(d change.FileDiff) (string, []workspace.Sight) { return t.appended(d, added, after) })
	})
}

// joined is the content with the line ends of the file, and what is to be said
// about where the two meet.
func (a appendArgs) joined(t target) (added []byte, note string) {
	added = []byte(a.Content)
	ends := text.Count(t.lines())
	if bytes.IndexByte(added, '\r') < 0 {
		switch {
		case ends.CRLF > 0 && ends.LF == 0 && ends.CR == 0:
			added = bytes.ReplaceAll(added, []byte("\n"), []byte("\r\n"))
		case ends.CR > 0 && ends.LF == 0 && ends.CRLF == 0:
			added = bytes.ReplaceAll(added, []byte("\n"), []byte("\r"))
		}
	}
	if ends.Missing {
		note = fmt.Sprintf("the file did not end with a newline: the content continues its line %d", ends.Lines())
	}
	return added, note
}

// appended says how the file ends now. Lines that were in a file with keys are
// shown only to a model that has read it.
func (t target) appended(d change.FileDiff, added, after []byte) (string, []workspace.Sight) {
	body, _ := text.TrimBOM(after)
	lines := text.Count(text.Split(body)).Lines()
	done := "Appended"
	if d.Kind == change.Added {
		done = "Created"
	}
	words := fmt.Sprintf("%s %s: +%d bytes, now %s, %d bytes", done, t.rel, len(added), plural(lines, "line"), len(after))
	sights := t.wrote(after)
	if !t.exists || lines == 0 || t.secret() != "" && t.known() < partial {
		return words, sights
	}
	shown, shownSights := showLines(t.rel, after, max(0, lines-appendShown), lines)
	return words + ". It now ends:\n" + shown, append(sights, shownSights...)
}

// now says how the file ends that turned out to have changed.
func (a appendArgs) now(t target) refusal {
	r := refusal{short: "changed meanwhile", why: "Repeat the call if it still is right."}
	if t.exists && t.secret() == "" && text.Sniff(t.data, true) <= text.Legacy {
		lines := text.Count(t.lines()).Lines()
		r.why += " The file ends now:"
		r.shown, r.seen = showLines(t.rel, t.data, max(0, lines-appendShown), lines)
	}
	return r
}
