package tools

import (
	"context"
	"fmt"
	"strings"

	"aye/tools/skill"
	"aye/tools/workspace"
)

type loadSkillArgs struct {
	Name string `json:"name"`
}

func loadSkillTool(ws *workspace.Dir, skills *skill.Catalog) Tool {
	tool := Define("load_skill", "Load the instructions of a listed skill.", func(_ context.Context, a loadSkillArgs) (Action, error) {
		s, ok := skills.Find(a.Name)
		if !ok {
			return Action{}, unknownSkill(skills, a.Name)
		}
		at := s.Path
		if !s.Own {
			rel, err := ws.Resolve(s.Path)
			if err != nil {
				return Action{}, err
			}
			at = rel
		}
		return Action{
			Title:   s.Name,
			Effects: []Effect{{Kind: Read, Target: at}},
			Run: func(context.Context, func(string)) Result {
				body, err := skills.Body(s)
				if err != nil {
					return failed(err)
				}
				kept, missing := clipEnd(body, maxText)
				if missing > 0 {
					kept += fmt.Sprintf("\n[%d more characters; read %s for the rest]", missing, at)
				}
				return Result{
					Status: OK,
					Text:   fmt.Sprintf("Skill: %s\nBase directory: %s\n%s", s.Name, s.Folder(), kept),
					View:   View{Summary: plural(strings.Count(body, "\n")+1, "line")},
				}
			},
		}, nil
	})
	tool.ReadOnly = true
	return tool
}

// unknownSkill names the skills there are.
func unknownSkill(skills *skill.Catalog, name string) error {
	if len(skills.Skills) == 0 {
		return fmt.Errorf("there is no skill %q; this workspace has none", name)
	}
	names := make([]string, len(skills.Skills))
	for n, s := range skills.Skills {
		names[n] = s.Name
	}
	list, _ := clipEnd(strings.Join(names, ", "), 2000)
	return fmt.Errorf("there is no skill %q; the skills are: %s", name, list)
}
