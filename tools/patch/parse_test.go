package patch

import (
	"fmt"
	"strings"
	"testing"
)

// outline writes what was parsed on few lines.
func outline(sections []Section) string {
	var b strings.Builder
	for _, s := range sections {
		fmt.Fprintf(&b, "%s %s", s.Op, s.Path)
		if s.To != "" {
			fmt.Fprintf(&b, " to %s", s.To)
		}
		if s.Prefixed != "" {
			fmt.Fprintf(&b, " (%s)", s.Prefixed)
		}
		if s.Op == Add {
			fmt.Fprintf(&b, " %q", s.Content)
		}
		for _, h := range s.Hunks {
			fmt.Fprintf(&b, " @@%s", strings.Join(h.Headers, "@@"))
			for _, line := range h.Lines {
				fmt.Fprintf(&b, "[%c%s]", line.Op, line.Text)
				if line.NoEnd {
					b.WriteByte('$')
				}
			}
			if h.Last {
				b.WriteString(" end")
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestParse(t *testing.T) {
	t.Parallel()
	const patch, want = "*** Update File: f\n@@\n-a\n+b", "update f @@[-a][+b]\n"
	for _, tt := range []struct{ name, patch, want string }{
		{"all kinds", "*** Begin Patch\n*** Add File: n\n+a\n+\n+b\n*** Update File: u\n*** Move to: v\n@@ x\n a\n-b\n+c\n*** End of File\n*** Delete File: d\n*** End Patch\n",
			"add n \"a\\n\\nb\\n\"\nupdate u to v @@x[ a][-b][+c] end\ndelete d\n"},
		{"neither begin nor end", patch, want},
		{"no begin", patch + "\n*** End Patch", want},
		{"a fence", "```patch\n*** Begin Patch\n" + patch + "\n*** End Patch\n```\n", want},
		{"a fence and prose", "Here it is:\n\n~~~\n" + patch + "\n~~~\nThat is - as I said - all.\n", want},
		{"two fences", "```\n" + patch + "\n```\nand\n```diff\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-x\n+y\n```\n", want + "update g (a/g) @@[-x][+y]\n"},
		{"a here document", "apply_patch <<'EOF'\n*** Begin Patch\n" + patch + "\n*** End Patch\nEOF\n", want},
		{"a here document, bare", "<<PATCH\n" + patch + "\nPATCH", want},
		{"a here document in a command", "bash -lc \"apply_patch <<'EOF'\n" + patch + "\nEOF\"\n", want},
		{"CRLF", strings.ReplaceAll("*** Begin Patch\n"+patch+"\n*** End Patch\n", "\n", "\r\n"), want},
		{"byte order mark", "\ufeff" + patch, want},
		{"blanks and case", "*** begin patch  \n***update file:f \t\n@@  \n-a\n+b\n***  End Patch\n", want},
		{"X13: empty lines", "*** Update File: f\n@@\n a\n\n-b\n\n\n@@\n-c\n\n", "update f @@[ a][ ][-b] @@[-c]\n"},
		{"empty lines between files", "*** Update File: f\n\n@@\n-a\n\n\n*** Add File: g\n\n+x\n\n+y\n\n*** Delete File: h\n\n", "update f @@[-a]\nadd g \"x\\n\\ny\\n\"\ndelete h\n"},
		{"an empty new file", "*** Add File: g\n*** End Patch", "add g \"\"\n"},
		{"a new file without a newline", "*** Add File: g\n+x\n\\ No newline at end of file\n", "add g \"x\"\n"},
		{"a new file with @@", "*** Add File: g\n@@\n+x\n", "add g \"x\\n\"\n"},
		{"only moved", "*** Update File: f\n*** Move to: g\n", "update f to g\n"},
		{"deleted with its content", "*** Delete File: f\n-a\n-b\n", "delete f @@[-a][-b]\n"},
		{"stacked headers", "*** Update File: f\n@@ class A\n@@ def f\n-a\n", "update f @@class A@@def f[-a]\n"},
		{"header between @@", "*** Update File: f\n@@ def f @@\n-a\n", "update f @@def f[-a]\n"},
		{"with names of a diff", "*** Update File: f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", want},
		{"names of a diff as content", "*** Update File: f\n@@\n--- a/f\n+++ b/f\n", "update f @@[--- a/f][+++ b/f]\n"},
	} {
		sections, err := Parse(tt.patch)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := outline(sections); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

func TestParseUnified(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, patch, want string }{
		{"M56: change, create, delete", "--- a/m\n+++ b/m\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+x\n+y\n--- a/d\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-z\n",
			"update m (a/m) @@[ a][-b][+c]\nadd n (b/n) \"x\\ny\\n\"\ndelete d (a/d) @@[-z]\n"},
		{"M56: without prefixes", "--- m\n+++ m\n@@ -1 +1 @@\n-b\n+c\n", "update m @@[-b][+c]\n"},
		{"M60: blank lines between files", "--- a/m\n+++ b/m\n@@ -1 +1 @@\n-b\n+c\n\n\n--- a/n\n+++ b/n\n@@\n-b\n+c\n\n", "update m (a/m) @@[-b][+c]\nupdate n (a/n) @@[-b][+c]\n"},
		{"times after names", "--- m\t2024-01-01 00:00:00\n+++ m\t2024-01-02 00:00:00\n@@ -1 +1 @@\n-b\n+c\n", "update m @@[-b][+c]\n"},
		{"X16: a removed line like a name", "--- a/m\n+++ b/m\n@@ -1,3 +1,2 @@\n a\n--- b\n c\n", "update m (a/m) @@[ a][--- b][ c]\n"},
		{"X16: a removed and an added line like names", "--- a/m\n+++ b/m\n@@ -1,2 +1,2 @@\n a\n--- b\n+++ c\n@@ -9 +9 @@\n-x\n+y\n", "update m (a/m) @@[ a][--- b][+++ c] @@[-x][+y]\n"},
		{"git", "diff --git a/m b/m\nindex 123..456 100644\n--- a/m\n+++ b/m\n@@ -1 +1 @@ func f()\n-b\n+c\ndiff --git a/n b/n\nnew file mode 100644\nindex 000..123\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n",
			"update m @@func f()[-b][+c]\nadd n \"x\"\n"},
		{"git: rename", "diff --git a/old name b/new name\nsimilarity index 100%\nrename from old name\nrename to new name\n", "update old name to new name\n"},
		{"git: rename and change", "diff --git a/o b/n\nsimilarity index 90%\nrename from o\nrename to n\n--- a/o\n+++ b/n\n@@ -1 +1 @@\n-a\n+b\n", "update o to n @@[-a][+b]\n"},
		{"git: empty files", "diff --git a/d b/d\ndeleted file mode 100644\nindex e69..000\ndiff --git a/e b/e\nnew file mode 100644\nindex 000..e69\n", "delete d\nadd e \"\"\n"},
		{"git: quoted names", "diff --git \"a/\\303\\244\" \"b/\\303\\244\"\n--- \"a/\\303\\244\"\n+++ \"b/\\303\\244\"\n@@ -1 +1 @@\n-a\n+b\n", "update ä @@[-a][+b]\n"},
		{"git: a mailed patch", "From 123 Mon Sep 17\nFrom: A <a@b>\nSubject: [PATCH] x\n\n---\n m | 2 +-\n 1 file changed\n\ndiff --git a/m b/m\n--- a/m\n+++ b/m\n@@ -1 +1 @@\n-b\n+c\n-- \n2.39.0\n\n", "update m @@[-b][+c]\n"},
		{"renamed without git", "--- a/m\n+++ b/n\n@@ -1 +1 @@\n-b\n+c\n", "update m to n @@[-b][+c]\n"},
		{"no newline on both sides", "--- a/m\n+++ b/m\n@@ -1 +1 @@\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n", "update m (a/m) @@[-b]$[+c]$\n"},
		{"wrong numbers", "--- a/m\n+++ b/m\n@@ -1,9 +1,1 @@\n a\n-b\n+c\n d\n--- a/n\n+++ b/n\n@@ -7,1 +7,4 @@\n-x\n+y\n", "update m (a/m) @@[ a][-b][+c][ d]\nupdate n (a/n) @@[-x][+y]\n"},
		{"in an envelope", "*** Begin Patch\n--- a/m\n+++ b/m\n@@\n-b\n+c\n*** Update File: n\n-x\n*** End Patch\n", "update m (a/m) @@[-b][+c]\nupdate n @@[-x]\n"},
	} {
		sections, err := Parse(tt.patch)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		} else if got := outline(sections); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, patch string
		want        []string
	}{
		{"nothing", "", []string{"names no file", "*** Update File: path"}},
		{"prose", "change a to b please", []string{"names no file"}},
		{"no header", "@@\n-a\n+b\n", []string{"line 1", `"@@"`, "no file is named before it"}},
		{"no header at all", "-a\n+b\n", []string{"line 1", "no file is named before it"}},
		{"after the end", "*** Update File: f\n-a\n*** End Patch\n+b\n", []string{"line 4", "no file is named"}},
		{"an unknown header", "*** Rename File: f\n", []string{"line 1", "unknown", "*** Update File: path"}},
		{"an unknown header later", "*** Update File: f\n@@\n-a\n*** Rename File: f\n", []string{"line 4", "cannot stand here"}},
		{"no path", "*** Add File:\n+a\n", []string{"line 1", "path is missing"}},
		{"move below the hunks", "*** Update File: f\n@@\n-a\n*** Move to: g\n", []string{"line 4", "directly below"}},
		{"nothing to update", "*** Begin Patch\n*** Update File: f\n*** End Patch\n", []string{"line 2", "nothing is changed in f"}},
		{"a new file without +", "*** Add File: f\nhello\n", []string{"line 2", "hello", "begins with +"}},
		{"a new file with context", "*** Add File: f\n+a\n b\n", []string{"line 3", "begins with +"}},
		{"end of no file", "*** Update File: f\n*** End of File\n", []string{"line 2", "no lines before it"}},
		{"binary", "diff --git a/x b/x\nindex 1..2\nBinary files a/x and b/x differ\n", []string{"binary files cannot be patched"}},
		{"a copy", "diff --git a/x b/y\ncopy from x\ncopy to y\n", []string{"copies are not supported"}},
		{"permissions", "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", []string{"permissions", "chmod"}},
		{"names that cannot be read", "diff --git x y\n--- /dev/null\n+++ /dev/null\n", []string{"cannot be read"}},
	} {
		sections, err := Parse(tt.patch)
		if err == nil {
			t.Errorf("%s: no error, but %q", tt.name, outline(sections))
			continue
		}
		for _, part := range tt.want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q lacks %q", tt.name, err, part)
			}
		}
	}
}

// FuzzParse holds that no line of changes is left out: whatever begins with +
// below a header comes out, or there is an error.
func FuzzParse(f *testing.F) {
	f.Add("*** Begin Patch\n*** Update File: f\n*** Move to: g\n@@ a\n b\n-c\n+d\n\n*** End of File\n*** Add File: n\n+x\n*** End Patch\n")
	f.Add("diff --git a/m b/m\nindex 1..2\n--- a/m\n+++ b/m\n@@ -1,2 +1,2 @@ f\n a\n-b\n+c\n\\ No newline at end of file\n-- \n2.39\n")
	f.Add("```\n--- x\n+++ x\n+y\n```")
	f.Fuzz(func(t *testing.T, patch string) {
		sections, err := Parse(patch)
		if err != nil {
			if len(sections) > 0 || err.Error() == "" {
				t.Fatalf("%v, %q", sections, err)
			}
			return
		}
		given, found := 0, 0
		for line := range strings.SplitSeq(patch, "\n") {
			if strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "+++ ") {
				given++
			}
		}
		for _, s := range sections {
			if s.Path == "" {
				t.Fatalf("a section without a path: %+v", s)
			}
			found += strings.Count(string(s.Content), "\n") + 1
			for _, h := range s.Hunks {
				for _, line := range h.Lines {
					if line.Op == '+' {
						found++
					}
				}
			}
		}
		if given > found {
			t.Fatalf("%d added lines are given, at most %d were found in %q", given, found, patch)
		}
	})
}
