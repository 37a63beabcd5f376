// Package skill finds skills: folders with instructions that a model loads
// when a task calls for them.
//
// # The way through
//
// [Load] looks once at the person's folders of skills and at the workspace's,
// .agents/skills/*/SKILL.md, and makes a [Catalog] of names and descriptions.
// [Catalog.Find] gives one by name, and [Catalog.Body] reads its instructions
// when they are wanted. [Catalog.Folder] is the way to what one of the
// person's refers to.
//
// # Promises
//
// Load never fails: what is wrong with a skill is listed as a [Problem], and
// the others are there. A front matter that is no proper YAML is read in a
// lenient way. Files are bounded. The workspace's never lead out of it; the
// person's may be links, and go before the workspace's of the same name.
//
// # Who may call what
//
// A Catalog does not change after Load; any goroutine may use it.
package skill
