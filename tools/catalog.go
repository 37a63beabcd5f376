package tools

import (
	"aye/tools/skill"
	"aye/tools/workspace"
)

// Deps is what tools need of the world.
type Deps struct {
	Workspace *workspace.Dir
	Seen      *workspace.Seen // nil: the model has seen nothing yet
	Skills    *skill.Catalog
	Commands  Commands
	Jobs      *Jobs // nil: nothing runs in the background
}

// Catalog is the table of all tools, in the order in which the model sees
// them.
func Catalog(d Deps) []Tool {
	if d.Seen == nil {
		d.Seen = workspace.NewSeen()
	}
	return []Tool{
		readTool(d.Workspace, d.Seen, d.Skills),
		writeTool(d.Workspace, d.Seen),
		appendTool(d.Workspace, d.Seen),
		editTool(d.Workspace, d.Seen),
		patchTool(d.Workspace, d.Seen),
		globTool(d.Workspace),
		grepTool(d.Workspace),
		lsTool(d.Workspace),
		shellTool(d.Commands, d.Jobs),
		jobTool(d.Jobs),
		todoTool(),
		loadSkillTool(d.Workspace, d.Skills),
	}
}
