package chat

import (
	"strings"
	"testing"

	"aye/agent"
	"aye/llm"
	"aye/tools"
	"aye/tools/change"
)

// What a model, a tool or a file may send to harm the screen (ATTACKS D01–D13).
var hostile = []string{
	"\x1b]52;c;cm0gLXJmIC8=\a", "\x1b]52;c;?\x1b\\", "\x1b]8;;https://evil\x1b\\https://good\x1b]8;;\x1b\\",
	"\x1b]2;title\a", "\x1b]11;?\a", "\x1b[2J\x1b[H", "\x1b[?1049h\x1b[?25l\x1b[?1000h", "\x1b[8mhidden\x1b[0m",
	"\x1bPtmux;\x1b\x1b]52;c;eA==\a\x1b\\", "\x1b_Ga=T;AAAA\x1b\\", "\u009b2J\u0090q\u009c", "cut \x1b[3", "cut \x1b",
	"\x1b[6n\x1b[c\x05", "rm -rf ~\r\x1b[2Kls -la", "a\bb\vc\fd\x7f\x00\x07", "\u202egpj.exe\u202c", "a\u200bb\u2066c\U000e0041",
	"e" + strings.Repeat("\u0301", 1000), "👨‍👩‍👧‍👦👩🏽‍💻🇩🇪", strings.Repeat("x", 20000), strings.Repeat("宽", 999), "\t\t\ttabs\t",
	"\xff\xfe broken \xc3", strings.Repeat("\n", 500), strings.Repeat("> ", 300) + "x", "<b>html</b><!-- c -->", "|a|b|\n|-|-|\n|" + strings.Repeat("c", 300) + "|d|",
}

func TestHostileBytes(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 40}, {20, 6}, {1, 3}} {
		for _, text := range hostile {
			if size[0] < 10 {
				text = text[:min(len(text), 300)]
			}
			s := newScript(size[0], size[1])
			everywhere(s, text)
			screen(t, s.m)
			s.m.Home()
			screen(t, s.m)
			s.m.ToggleOutput()
			for range 8 {
				s.m.Page(1)
				screen(t, s.m)
			}
		}
	}
}

// everywhere puts text into all that an event can carry.
func everywhere(s *script, text string) {
	d := change.FileDiff{Path: text, Kind: change.Changed, Note: text, Hunks: []change.Hunk{{Old: 1, New: 1, Lines: []change.Line{{Op: "+", Text: text}}}}}
	s.do(agent.PromptQueued{ID: 1, Text: text}, agent.PromptQueued{ID: 2, Text: text}, agent.TurnStarted{Turn: 1}, agent.PromptAccepted{ID: 1, Text: text},
		agent.ThoughtStreamed{Text: text})
	for i := range len(text) { // cut at every byte
		if i > 300 {
			break
		}
		s.do(agent.TextStreamed{Text: text[i : i+1]})
	}
	s.m.View()
	s.do(agent.Replied{Message: llm.Message{Blocks: []llm.Block{llm.Thinking{Text: text}, llm.Text{Text: text}, llm.ToolCall{ID: "x", Name: text, Args: text}}}},
		agent.CallPrepared{CallID: "a", Tool: text, Title: text, Effects: effects(tools.Exec, text), Preview: tools.View{Kind: tools.Command, Text: text}},
		agent.ApprovalAsked{CallID: "a", Rule: text}, agent.ApprovalSettled{CallID: "a", Choice: agent.Always, Note: text, Rule: text},
		agent.CallProgress{CallID: "a", Text: text})
	s.m.View()
	s.do(ended("a", text, tools.OK, tools.View{Kind: tools.Output, Summary: text, Text: text}, text),
		agent.CallPrepared{CallID: "r", Tool: text, Title: text, Effects: effects(tools.Read, text)},
		agent.CallPrepared{CallID: "s", Tool: text, Title: text, Effects: effects(tools.Read, text+"2")},
		ended("r", text, tools.OK, tools.View{Summary: text}, text), ended("s", text, tools.OK, tools.View{Summary: text}, text),
		agent.CallPrepared{CallID: "b", Tool: text, Title: text, Effects: effects(tools.Write, text), Preview: tools.View{Kind: tools.Diff, Diffs: []change.FileDiff{d, d}}},
		ended("b", text, tools.OK, tools.View{}, text), ended("x", text, tools.Failed, tools.View{}, text),
		agent.CallPrepared{CallID: "c", Tool: text, Title: text}, agent.ApprovalSettled{CallID: "c", Choice: agent.Deny, Note: text}, ended("c", text, tools.Denied, tools.View{}, text),
		ended("k", text, tools.OK, tools.View{Kind: tools.ViewKind(text), Text: text}, text),
		agent.CommandStarted{ID: "!", Command: text}, agent.CommandFinished{ID: "!", Result: tools.Result{Status: tools.OK, View: tools.View{Kind: tools.Plain, Text: text}}},
		agent.Noted{Level: agent.Level(text), Text: text}, agent.TurnEnded{Turn: 1, Reason: agent.Broken, Err: text})
	s.m.Block(text)
}

// FuzzEvents applies any events with any text and any scrolling: nothing
// panics, and every frame keeps the promises.
func FuzzEvents(f *testing.F) {
	f.Add([]byte("aAbBcCdDeEfFgGhHiIjJkKlLmMnNoOpPqQrRsStTuUvVwWxXyYzZ0123456789"), "text **md**\n```\ncode")
	for i, text := range hostile {
		f.Add([]byte(strings.Repeat(string(rune('a'+i%26)), i)+"ptcxyzrHsUq"), text[:min(len(text), 200)])
	}
	f.Fuzz(func(t *testing.T, ops []byte, text string) {
		if len(ops) > 200 || len(text) > 2000 {
			return
		}
		s := newScript(40, 10)
		for i, op := range ops {
			perform(s, op, text[i%(len(text)+1):])
			if i%3 == 0 {
				screen(t, s.m)
			}
		}
		screen(t, s.m)
	})
}

// perform does one thing that op chooses.
func perform(s *script, op byte, text string) {
	id := string('a' + rune(op>>6))
	tool := []string{"read", "shell", text}[op%3]
	events := []agent.Event{
		agent.PromptQueued{ID: int(op), Text: text}, agent.PromptAccepted{ID: int(op), Text: text}, agent.PromptWithdrawn{ID: int(op)},
		agent.TurnStarted{Turn: 1}, agent.TextStreamed{Text: text}, agent.ThoughtStreamed{Text: text}, said(text),
		agent.Replied{Message: llm.Message{Blocks: []llm.Block{llm.Thinking{Text: text}, llm.Text{Text: text}}}, Cut: true},
		agent.CallPrepared{CallID: id, Tool: tool, Title: text, Effects: effects(tools.Read, text)},
		agent.CallPrepared{CallID: id, Tool: tool, Title: text, Preview: tools.View{Kind: tools.Command, Text: text}}, edits(id, parserDiff),
		agent.ApprovalAsked{CallID: id, Rule: text}, agent.ApprovalSettled{CallID: id, Choice: agent.Deny, Note: text},
		agent.CallProgress{CallID: id, Text: text}, ended(id, tool, tools.OK, tools.View{Kind: tools.Output, Text: text}, text),
		ended(id, tool, tools.Failed, tools.View{}, text), ended(id, tool, tools.OK, tools.View{Summary: text}, ""),
		agent.TurnEnded{Reason: agent.Broken, Err: text}, agent.Cleared{}, agent.Noted{Level: agent.Warn, Text: text},
		agent.CommandStarted{ID: id, Command: text}, agent.CommandFinished{ID: id}, agent.SessionOpened{Resumed: true},
	}
	n := int(op) % (len(events) + 9)
	if n < len(events) {
		s.do(events[n])
		return
	}
	[]func(){
		func() { s.m.Scroll(-int(op)) }, func() { s.m.Scroll(int(op)) }, func() { s.m.Page(-1) }, func() { s.m.Page(1) }, s.m.Home, s.m.End,
		s.m.ToggleOutput, func() { s.m.Resize(1+int(op)/2, int(op)%23) }, func() { s.m.Tick(s.now.Add(durationOf(int(op) * 100))) },
	}[n-len(events)]()
}
