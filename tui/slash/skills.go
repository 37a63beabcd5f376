package slash

import (
	"strings"

	"aye/tui/term"
)

// A Skill is one that the model can load, or a file that would be one but for
// its Problem.
type Skill struct {
	Name, Description string
	Path              string // of its SKILL.md
	Problem           string // for people; "": none
}

// Skills returns the text of /skills, in Markdown.
func Skills(list []Skill) string {
	var good, bad strings.Builder
	for _, s := range list {
		where := escape(s.Path)
		if s.Problem != "" {
			bad.WriteString("- " + where + ": " + escape(term.Cut(s.Problem, 300)) + "\n")
			continue
		}
		good.WriteString("- **" + escape(s.Name) + "**: " + escape(term.Cut(s.Description, 300)) + " *(" + where + ")*\n")
	}
	switch {
	case good.Len()+bad.Len() == 0:
		return "There are no skills here. One is a file `.agents/skills/NAME/SKILL.md` in this folder; the README says where your own are.\n"
	case bad.Len() == 0:
		return good.String()
	}
	return good.String() + "\n**Not used**\n\n" + bad.String()
}
