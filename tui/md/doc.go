// Package md turns Markdown into rows for the terminal: at once, or while it
// is still being written.
//
// # The way through
//
// [New] gives a [Renderer] for a theme and a width. [Renderer.Render] renders
// a finished text. [Renderer.Stream] begins an answer: [Stream.Write] takes
// deltas, [Stream.Lines] gives the rows to show now, [Stream.Finish] the rows
// to keep. Rows hold no LF and close their own colours.
//
// Inside: term.Cleaner makes the text harmless; the splitter (split.go) cuts
// it into blocks, line by line; goldmark reads a block; the layout (layout.go,
// table.go, code.go) walks what it found, lets glamour draw the text of each
// paragraph, heading and cell (inline.go, style.go), chroma the code, and
// makes rows of it. Glamour gets texts only, because its blocks pad every row
// with sequences, break no CJK text and lose what it takes for HTML. It
// resolves escapes and entities where it should not, so it never sees any.
//
// # Promises
//
// No row is wider than asked. Everything written can be read: raw HTML is
// text, long lines and code are wrapped, never cut; a link shows its address
// unless that is its text; nothing is fetched. What control characters,
// entities or addresses would smuggle in is cleaned like all foreign text.
// Without colours (NO_COLOR) the marks of Markdown stay.
//
// Finish gives what Render gives for the whole, however it was cut. Complete
// blocks are rendered once. The open block is parsed again only when something
// ended in it that may be a mark, and the larger it is the more has to have
// come; in between, what came stands at its end as it is. So 40 KB of mixed
// Markdown in 2,000 pieces, with Lines after each, cost less than three times
// rendering them once; where all is one kind of block it is about three times,
// and 40 KB without any end of a block cost some 0.1 ms a piece. Texts built
// to take long are shown as they are.
//
// # Who may call what when
//
// A Renderer and its Streams belong to one goroutine. New is cheap; the parser
// and the colours are made by the first text. The slice that Lines returns is
// good until the next call.
//
// # How to add one
//
// A kind of block is a case in layout.one, and a line in TestRender; a colour
// of code is a line in newPainter.
package md
