package tui

import (
	"aye/agent"
	"aye/tui/chat"
)

// Remark says in one line what aye did to the conversation by itself, in the
// screen's words; "" for events that are something else.
func Remark(ev agent.Event) string { return chat.Remark(ev) }
