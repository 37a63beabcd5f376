package risk

import (
	"slices"
	"strings"
)

const (
	loses    = "throws away changes that were not committed"
	histless = "deletes history"
)

// git judges a call of git.
func (r *reader) git(words []word) {
	words = subcommand(words)
	if len(words) == 0 || has(words, "--dry-run", "--help") {
		return
	}
	ops := operands(words)
	first := ""
	if len(ops) > 0 {
		first = ops[0].text
	}
	switch words[0].text {
	case "push":
		r.warn(push(words, ops))
	case "reset":
		r.when(has(words, "--hard", "--merge"), loses)
	case "clean":
		r.when(has(words, "-f", "--force") && !has(words, "-n"), "deletes files that git does not know")
	case "checkout":
		paths := slices.ContainsFunc(words, func(w word) bool { return w.text == "--" || w.text == "." })
		r.when(paths || has(words, "-f", "--force"), loses)
	case "restore":
		r.when(!has(words, "-S", "--staged") || has(words, "-W", "--worktree"), loses)
	case "switch":
		r.when(has(words, "-f", "--force", "--discard-changes"), loses)
	case "stash":
		r.when(first == "drop" || first == "clear", "deletes stashed changes")
	case "branch":
		r.when(has(words, "-D") || has(words, "-d", "--delete") && has(words, "-f", "--force"), "deletes a branch, merged or not")
	case "reflog":
		r.when(first == "expire" || first == "delete", histless)
	case "gc", "prune":
		r.when(words[0].text == "prune" || has(words, "--prune"), histless)
	case "filter-branch", "filter-repo":
		r.warn("rewrites history")
	case "update-ref":
		r.when(has(words, "-d", "--delete"), histless)
	case "worktree":
		r.when(first == "remove" && has(words, "-f", "--force"), loses)
	case "config":
		r.when(has(words, "--global", "--system") && !has(words, "-l", "--list", "--get", "--get-all"), "changes git's settings for every repository")
	case "send-email", "svn":
		r.when(words[0].text == "send-email" || first == "dcommit", "sends commits to others")
	}
}

func (r *reader) when(ok bool, why string) {
	if ok {
		r.warn(why)
	}
}

func push(words, ops []word) string {
	over := has(words, "-f", "--force", "--force-with-lease", "--force-if-includes", "--mirror", "--delete", "-d", "--prune")
	for _, w := range ops {
		over = over || strings.HasPrefix(w.text, "+") || strings.HasPrefix(w.text, ":")
	}
	switch {
	case over:
		return "overwrites or deletes in another repository"
	case has(words, "-n"):
		return ""
	}
	return "sends commits to another repository"
}

// subcommand drops git and the options before its sub-command.
func subcommand(words []word) []word {
	for words = words[1:]; len(words) > 0 && strings.HasPrefix(words[0].text, "-"); words = words[1:] {
		if slices.Contains([]string{"-C", "-c", "--git-dir", "--work-tree", "--namespace"}, words[0].text) && len(words) > 1 {
			words = words[1:]
		}
	}
	return words
}
