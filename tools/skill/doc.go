// Package skill finds the skills of a workspace: folders with instructions
// that a model loads when a task calls for them.
//
// # The way through
//
// [Load] looks at .agents/skills/*/SKILL.md once and makes a [Catalog] of
// names and descriptions. [Catalog.Find] gives one by name, and [Skill.Body]
// reads its instructions when they are wanted.
//
// # Promises
//
// Load never fails: what is wrong with a skill is listed as a [Problem], and
// the others are there. A front matter that is no proper YAML is read in a
// lenient way. Files are read through the workspace, bounded, and never leave
// it.
//
// # Who may call what
//
// A Catalog does not change after Load; any goroutine may use it.
package skill
