package patch

import (
	"fmt"
	"strconv"
	"strings"
)

// nowhere is the name that diffs give to a file that is not there.
const nowhere = "/dev/null"

// opensDiff says whether the current line begins a file of a unified diff.
func (p *parser) opensDiff() bool {
	line := p.peek(0)
	return strings.HasPrefix(line, "diff --git ") || strings.HasPrefix(line, "--- ") && strings.HasPrefix(p.peek(1), "+++ ")
}

// names are what the header of a diff says about one file.
type names struct {
	git      [2]string // of "diff --git"
	was, now string    // of "---" and "+++"
	from, to string    // of a rename
	added    bool
	deleted  bool
	note     string
	at       int // line of the patch, from 1
}

// diff reads one file of a unified diff.
func (p *parser) diff() error {
	n := names{at: p.at + 1}
	if line, ok := strings.CutPrefix(p.peek(0), "diff --git "); ok {
		n.git = gitNames(line)
		p.at++
		for p.more() {
			known, err := p.extended(&n)
			if err != nil {
				return err
			}
			if !known {
				break
			}
			p.at++
		}
	}
	if strings.HasPrefix(p.peek(0), "--- ") && strings.HasPrefix(p.peek(1), "+++ ") {
		n.was, n.now = diffName(p.peek(0)[4:]), diffName(p.peek(1)[4:])
		p.at += 2
	}
	s, err := n.section()
	if err != nil {
		return err
	}
	b := body{parser: p, add: s.Op == Add, diff: true}
	if err := b.read(); err != nil {
		return err
	}
	if s.Op == Update && s.To == "" && len(b.hunks) == 0 && n.note != "" {
		return fmt.Errorf("line %d of the patch: only permissions change, and patch cannot change them; use shell: chmod", n.at)
	}
	return p.take(s, b)
}

// extended reads the current line if it is one of those that git puts between
// "diff --git" and the changes.
func (p *parser) extended(n *names) (known bool, err error) {
	line := p.peek(0)
	for _, prefix := range []string{"index ", "similarity index ", "dissimilarity index "} {
		if strings.HasPrefix(line, prefix) {
			return true, nil
		}
	}
	word := func(prefix string) bool { return strings.HasPrefix(line, prefix) }
	switch {
	case word("old mode "), word("new mode "):
		n.note = "permissions are not changed; use shell: chmod"
	case word("new file mode "):
		n.added = true
		if strings.HasSuffix(line, "755") {
			n.note = "the new file is not made executable; use shell: chmod +x"
		}
	case word("deleted file mode "):
		n.deleted = true
	case word("rename from "):
		n.from = unquote(line[len("rename from "):])
	case word("rename to "):
		n.to = unquote(line[len("rename to "):])
	case word("copy from "), word("copy to "):
		return false, p.fail("copies are not supported; add the new file with all its lines")
	case word("Binary files "), word("GIT binary patch"):
		return false, p.fail("binary files cannot be patched")
	default:
		return false, nil
	}
	return true, nil
}

// section is what the names come to.
func (n names) section() (Section, error) {
	s := Section{Op: Update, At: n.at, Note: n.note}
	was, now := n.was, n.now
	if was == "" && now == "" {
		was, now = n.git[0], n.git[1]
	}
	prefixed := n.git[0] != "" // git writes a/ and b/ unless told otherwise
	switch {
	case n.from != "" && n.to != "":
		s.Path, s.To = n.from, n.to
		return s, nil
	case was == nowhere && now == nowhere, was == "" || now == "":
		return s, fmt.Errorf("line %d of the patch: the names of the file cannot be read", n.at)
	case was == nowhere || n.added:
		s.Op = Add
		s.Path, s.Prefixed = trimPrefix(now, "b/")
	case now == nowhere || n.deleted:
		s.Op = Delete
		s.Path, s.Prefixed = trimPrefix(was, "a/")
	case strings.HasPrefix(was, "a/") && strings.HasPrefix(now, "b/"):
		s.Path, s.Prefixed = trimPrefix(was, "a/")
		if to := now[2:]; to != s.Path {
			s.To, s.Prefixed = to, ""
		}
	default:
		s.Path = was
		if now != was {
			s.To = now
		}
	}
	if prefixed {
		s.Prefixed = ""
	}
	return s, nil
}

// trimPrefix takes the prefix off a name, and keeps it as it was too.
func trimPrefix(name, prefix string) (short, whole string) {
	if short, ok := strings.CutPrefix(name, prefix); ok && short != "" {
		return short, name
	}
	return name, ""
}

// diffName is the name in a "---" or "+++" line: without the time after it.
func diffName(s string) string {
	s, _, _ = strings.Cut(s, "\t")
	return unquote(strings.TrimRight(s, " "))
}

// gitNames are the two names of a "diff --git" line. Where blanks make it
// unclear where the first ends, both must be the same but for the prefix.
func gitNames(s string) [2]string {
	if strings.HasPrefix(s, `"`) {
		if first, err := strconv.QuotedPrefix(s); err == nil {
			return [2]string{unquote(first), unquote(strings.TrimSpace(s[len(first):]))}
		}
	}
	for n := range len(s) {
		if s[n] != ' ' {
			continue
		}
		was, now := s[:n], unquote(s[n+1:])
		if strings.TrimPrefix(was, "a/") == strings.TrimPrefix(now, "b/") {
			return [2]string{was, now}
		}
	}
	return [2]string{}
}

// unquote reads a name as git writes one with odd characters in it: in quotes,
// as in C.
func unquote(s string) string {
	if !strings.HasPrefix(s, `"`) {
		return s
	}
	if name, err := strconv.Unquote(s); err == nil {
		return name
	}
	return s
}
