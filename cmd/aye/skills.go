package main

import (
	"aye/tools/skill"
	"aye/tui"
)

// shownSkills are the skills as the screen lists them.
func shownSkills(c *skill.Catalog) []tui.Skill {
	var list []tui.Skill
	for _, s := range c.Skills {
		list = append(list, tui.Skill{Name: s.Name, Description: s.Description, Path: s.Path})
	}
	for _, p := range c.Problems {
		list = append(list, tui.Skill{Path: p.Path, Problem: p.Reason})
	}
	return list
}
