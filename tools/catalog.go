package tools

import (
	"aye/tools/skill"
	"aye/tools/workspace"
)

// Deps is what tools need of the world.
type Deps struct {
	Workspace *workspace.Dir
	Seen      *workspace.Seen
	Skills    *skill.Catalog
	Commands  Commands
}

// Catalog is the table of all tools, in the order in which the model sees
// them.
func Catalog(d Deps) []Tool {
	return []Tool{
		readTool(d.Workspace),
		writeTool(d.Workspace),
		editTool(d.Workspace),
		globTool(d.Workspace),
		grepTool(d.Workspace),
		lsTool(d.Workspace),
		shellTool(d.Commands),
		loadSkillTool(d.Workspace, d.Skills),
	}
}
