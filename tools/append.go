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
		if err := t.notText(); err != nil {
			return Action{}, fmt.Errorf("%w; append adds to text only, use shell", err)
		}
		if t.exists && a.Content == "" {
			return Action{}, fmt.Errorf("content is empty: there is nothing to add to %s", t.rel)
		}
		added, note := a.joined(t)
		w := writing{target: t, notes: []string{note, lossNote(t.info)}, stale: a.now}
		was := t.doc.Bytes()
		after, err := t.doc.Splice(len(was), len(was), added)
		if err != nil {
			return Action{}, fmt.Errorf("%s: %w", t.rel, err)
		}
		is := version{t.rel, workspace.SumOf(after), append(bytes.Clone(was), added...)}
		if w.set, err = t.change(after); err != nil {
			return Action{}, err
		}
		return w.action(func(d change.FileDiff) (string, []workspace.Sight) { return t.appended(d, is, len(after)) })
	})
}

// joined is the content with the line ends of the file, and what is to be said
// about where the two meet.
func (a appendArgs) joined(t target) (added, note string) {
	ends := text.Count(text.Split(t.doc.Bytes()))
	added, _ = likeEnds(a.Content, ends)
	if ends.Missing {
		note = fmt.Sprintf("the file did not end with a newline: the content continues its line %d", ends.Lines())
	}
	return added, note
}

// appended says how the file ends now. Lines that were in a file with keys are
// shown only to a model that has read it.
func (t target) appended(d change.FileDiff, is version, size int) (string, []workspace.Sight) {
	lines := is.lines()
	done := "Appended"
	if d.Kind == change.Added {
		done = "Created"
	}
	words := fmt.Sprintf("%s %s: +%s, now %s, %s", done, t.rel, plural(size-len(t.data), "byte"), plural(lines, "line"), plural(size, "byte"))
	sights := t.wrote(is)
	if !t.exists || lines == 0 || t.secret() != "" && t.known() < partial {
		return words, sights
	}
	shown, shownSights := is.show(max(0, lines-appendShown), lines)
	return words + ". It now ends:\n" + shown, append(sights, shownSights...)
}

// now says how the file ends that turned out to have changed.
func (a appendArgs) now(t target) refusal {
	r := refusal{short: "changed meanwhile", why: "Repeat the call if it still is right."}
	if t.exists && t.secret() == "" && t.foreign == nil {
		v := t.version()
		lines := v.lines()
		r.why += " The file ends now:"
		r.shown, r.seen = v.show(max(0, lines-appendShown), lines)
	}
	return r
}
