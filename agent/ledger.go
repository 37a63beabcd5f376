package agent

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"aye/tools"
	"aye/tools/change"
	"aye/tools/workspace"
)

// A ledger is what a summary must not lose and a model might: facts that
// events tell, so no model is asked for them. It begins anew when the
// conversation is cleared.
type ledger struct {
	first, latest string               // the person's requests
	files         map[string]knownFile // by path
	touched       int                  // counts what happened to files
	refused       []string             // calls that were not allowed, the latest last
	skills        []string             // loaded
}

type knownFile struct {
	sum     workspace.Sum // as last seen or written, "" when that is not known
	kind    change.Kind   // "" when it was only read
	touched int           // the higher, the later
}

// skillTool is the tool that loads skills; its title is the skill's name.
const skillTool = "load_skill"

const mostRefused = 20

func (l *ledger) prompt(text string) {
	if l.first == "" {
		l.first = text
	}
	l.latest = text
}

func (l *ledger) touch(path string, change func(*knownFile)) {
	if l.files == nil {
		l.files = map[string]knownFile{}
	}
	f := l.files[path]
	change(&f)
	l.touched++
	f.touched = l.touched
	l.files[path] = f
}

func (l *ledger) changed(f ChangedFile) {
	l.touch(f.Path, func(k *knownFile) {
		if k.kind != change.Added || f.Kind == change.Removed {
			k.kind = f.Kind
		}
		k.sum = "" // the result that follows says it, where it is known
	})
}

func (l *ledger) finished(tool, title string, r tools.Result) {
	for _, s := range r.Seen {
		l.touch(s.Path, func(k *knownFile) { k.sum = s.Sum })
	}
	switch {
	case r.Status == tools.Denied:
		l.refused = append(l.refused, strings.TrimSpace(tool+" "+title)+": "+r.Text)
		l.refused = l.refused[max(0, len(l.refused)-mostRefused):]
	case r.Status == tools.OK && tool == skillTool && title != "" && !slices.Contains(l.skills, title):
		l.skills = append(l.skills, title)
	}
}

// ledgerText says what the session knows, in at most about limit characters:
// where that is not enough for all, the latest of each kind.
func (s *State) ledgerText(limit int) string {
	var text string
	for _, items := range []int{50, 20, 8, 3, 1} {
		if text = s.ledgerOf(items, limit/6); len(text) <= limit {
			return text
		}
	}
	return clipMiddle(text, limit)
}

func (s *State) ledgerOf(items, words int) string {
	l := &s.known
	var b strings.Builder
	b.WriteString("[Ledger kept by aye: facts, not instructions]\n")
	request := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%s:\n%s\n", name, indent(clipMiddle(text, max(words, 40))))
		}
	}
	request("First request", l.first)
	if l.latest != l.first {
		request("Latest request", l.latest)
	}
	list := func(name string, all []string) {
		if len(all) == 0 {
			return
		}
		fmt.Fprintf(&b, "%s:\n", name)
		if left := len(all) - items; left > 0 {
			fmt.Fprintf(&b, "- (%d earlier ones left out)\n", left)
			all = all[left:]
		}
		for _, one := range all {
			fmt.Fprintf(&b, "- %s\n", oneLine(one, 200))
		}
	}
	list("Files changed", l.filesWhere(func(f knownFile) bool { return f.kind != "" }))
	list("Files read", l.filesWhere(func(f knownFile) bool { return f.kind == "" }))
	var open []string
	for _, t := range s.Todos {
		if t.Status != tools.Completed {
			open = append(open, fmt.Sprintf("%s (%s)", t.Text, t.Status))
		}
	}
	list("Open todos", open)
	var jobs []string
	for _, j := range s.Jobs {
		if j.ID > s.strange {
			jobs = append(jobs, fmt.Sprintf("%d: %s", j.ID, j.Command))
		}
	}
	list("Background jobs that run", jobs)
	list("Refused", l.refused)
	list("Allowed without asking", s.Grants)
	list("Skills loaded; load again if needed", l.skills)
	return strings.TrimRight(b.String(), "\n")
}

// filesWhere lists files, the latest touched last.
func (l *ledger) filesWhere(want func(knownFile) bool) []string {
	paths := slices.DeleteFunc(slices.Collect(maps.Keys(l.files)), func(p string) bool { return !want(l.files[p]) })
	slices.SortFunc(paths, func(a, b string) int { return cmp.Compare(l.files[a].touched, l.files[b].touched) })
	for i, p := range paths {
		f := l.files[p]
		if f.kind != "" {
			paths[i] += " " + string(f.kind)
		}
		if f.sum != "" && f.kind != change.Removed {
			paths[i] += " (content " + string(f.sum[:min(len(f.sum), 12)]) + ")"
		}
	}
	return paths
}

func indent(text string) string {
	return "> " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n> ")
}

// oneLine makes text one line of at most about limit bytes.
func oneLine(text string, limit int) string {
	if len(text) > 4*limit {
		text = text[:4*limit]
	}
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + "…"
	}
	return text
}

// clipMiddle leaves out the middle of a text that is longer than limit bytes,
// and says so.
func clipMiddle(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	note := fmt.Sprintf("\n[… %d bytes left out …]\n", len(text)-limit)
	half := max(0, limit-len(note)) / 2
	return strings.ToValidUTF8(text[:half], "") + note + strings.ToValidUTF8(text[len(text)-half:], "")
}
