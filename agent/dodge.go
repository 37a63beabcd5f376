package agent

import (
	"regexp"
	"strings"
)

// A small model that should call a tool sometimes writes down what it would
// have called it with, and stops. A good answer may end in a command too. The
// difference is in what it says: only who announces to act, and shows the
// action at the very end, has forgotten to. Too few reminders are better than
// one to a model that was right.

// callMarkup is the beginning of a call in the markup of a template, at the
// beginning of a line. What a client understands of it never gets here.
var callMarkup = regexp.MustCompile(`(?m)^[ \t]*(?:<tool_?calls?>|<function_?calls?>|<\|tool_call\|>|<\|python_tag\|>|\[TOOL_CALLS\])\s*([\[{].*|<function=.*|<invoke .*)|^[ \t]*(<function=\w.*|<invoke name=.*)`)

// leftMarkup returns the first line of a call that stands in a reply as text,
// outside code; "" when there is none.
func leftMarkup(text string) string {
	if !strings.ContainsAny(text, "<[") {
		return ""
	}
	prose, _ := fences(text)
	m := callMarkup.FindStringSubmatch(prose)
	if m == nil {
		return ""
	}
	line := m[1] + m[2]
	if len(line) > 80 {
		line = line[:80]
	}
	return line
}

// A fence is a block of code, with the prose around it.
type fence struct {
	word   string // its language, lower case
	before string // the last line of prose before it
	after  string // all that follows
}

// fences parts text into its prose and the last of its fences.
func fences(text string) (prose string, last *fence) {
	var out strings.Builder
	line := ""
	mark := "" // of the fence we are in
	for l := range strings.Lines(text) {
		trimmed := strings.TrimSpace(l)
		switch {
		case mark == "" && (strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~")):
			word := strings.TrimLeft(trimmed, trimmed[:1])
			mark = trimmed[:len(trimmed)-len(word)]
			word, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(word)), " ")
			last = &fence{word: word, before: line}
		case mark != "" && strings.HasPrefix(trimmed, mark) && strings.Trim(trimmed, mark[:1]) == "":
			mark = ""
		case mark == "":
			out.WriteString(l)
			if last != nil && len(last.after) <= 4*maxTail { // longer is long enough
				last.after += l
			}
			if trimmed != "" {
				line = trimmed
			}
		}
	}
	return out.String(), last
}

// actions are the languages in which a reply shows what a tool would do.
var actions = map[string]bool{
	"bash": true, "sh": true, "shell": true, "zsh": true, "console": true, "terminal": true, "powershell": true, "cmd": true,
	"diff": true, "patch": true, "json": true,
}

const verbs = `(?:run|execut|check|list|look|read|open|search|creat|writ|edit|appl|updat|add|fix|install|test|build|start|inspect|call|mak|chang|modif|replac|view|verif|find|delet|remov|renam|mov|us(?:e|ing) the)`

// announces is a first person who is about to act.
var announces = regexp.MustCompile(`(?i)(?:\b(?:I['’]ll|I will|I['’]m going to|I am going to|let me|let['’]s|I need to)\s+(?:(?:now|first|then|next|just|also|quickly|go ahead and|start by|begin by)\s+)*` + verbs +
	`|^(?:now |next,? |first,? )?(?:running|executing|checking|listing|reading|searching|applying|creating|installing|testing)\b` +
	`|(?:让我|我来|我将|我会|我先|接下来我?)(?:们)?(?:先|来|要|再)*(?:运行|执行|查看|检查|读取|搜索|修改|创建|应用|安装|测试)` +
	`|\bich (?:werde|führe|prüfe|lese|suche|ändere)\b|\blass(?:e|en)? (?:mich|uns) |\bje vais |\bvoy a |\bdéjame )`)

// offers is somebody who leaves the acting to the person.
var offers = regexp.MustCompile(`(?i)\b(?:if|once|after|when|unless|before) you\b|\byou (?:can|could|should|may|might|need|have to|would|will|want)\b|\byourself\b|\bplease\b|\?|？|\bSie können\b|\bdu kannst\b|你可以|您可以|请`)

// maxTail is how much may stand behind the code at the end of such a reply.
const maxTail = 120

// showsAction reports whether a reply shows what a tool should have been called
// for. With open todos it need not say that it is about to act: it has not
// finished.
func showsAction(text string, open bool) bool {
	_, last := fences(text)
	if last == nil || !actions[last.word] {
		return false
	}
	after := strings.TrimSpace(last.after)
	if len(after) > maxTail || offers.MatchString(after) || offers.MatchString(last.before) {
		return false
	}
	return open || announces.MatchString(last.before)
}
