package tour

import (
	"slices"
	"strings"
)

const greeting = `**Welcome to aye.** I am not a model: my words come from a script, and it knows only this one path. All else is real: the files, the tools, the commands, and the questions you will be asked. We are in a scratch folder that is removed when you leave.

The project here is a shell script that greets people, and one of its tests fails. First I read. Reading is not asked: it changes nothing.`

const beforeRun = `Now I want to run the test. **A command is asked first.** You see it whole, and nothing but that runs. Press ` + "`y`" + ` to allow it this once.`

const foundBug = `There it is: without a name the greeting is ` + "`Hello, !`" + `, and it should be ` + "`Hello, world!`" + `. The script takes its name from ` + "`$1`" + `, which is empty then.`

const beforeEdit = `

Here is the change I propose, **exactly as it will be written**: red goes, green comes. ` + "`y`" + ` writes it, ` + "`?`" + ` shows everything.`

const beforeRemove = `

Next I ask for something that nobody needs, as models do at times: to remove the folder ` + "`build`" + `. **Say no, and say why:** press ` + "`r`" + `, type a reason, press Enter.`

const beforeRerun = `

Now the test once more.`

const theVariables = `To work with a real model, leave (` + "`/quit`" + ` or Ctrl+D), and set three variables:

` + "```sh" + `
# any OpenAI-compatible endpoint, and a model it has
export API_BASE_URL=http://127.0.0.1:11434/v1
export API_MODEL=qwen3-coder
# an endpoint on this machine needs no key
export API_KEY=...
` + "```" + `

Then go to a folder of yours and type ` + "`aye`" + `. If you came here by ` + "`go run`" + `, there is none yet: ` + "`go install ./cmd/aye`" + `, in the clone, puts it into Go's bin folder (` + "`~/go/bin`" + `, unless you chose another), which has to be on your PATH. Without the variables aye looks for models on this machine and shows a form.`

func (p progress) afterRun() string {
	switch {
	case p.run == refused:
		return answerTo(p.last, "So the test was not run. From reading alone: without a name, `$1` is empty, and the greeting is `Hello, !`.")
	case p.passed:
		return "The test passes already, so someone was quicker than I am. My script goes on all the same."
	}
	return foundBug
}

func (p progress) afterEdit() string {
	if p.edit == refused {
		return answerTo(p.last, "So nothing was written.")
	}
	return "Written: that line, and not a byte besides."
}

func (p progress) afterRemove() string {
	if p.remove == refused {
		return answerTo(p.last, "So the folder stays, and we go on. A real model works on with what you tell it.")
	}
	return "You allowed it, so it was done: `build` is gone. Only a scratch folder lost something, but that is why aye shows every command whole **before you say aye**."
}

// afterLast speaks of what the person was asked just before the last test: the
// folder, or the edit for the second time.
func (p progress) afterLast() string {
	if p.edited {
		return p.afterEdit()
	}
	return p.afterRemove()
}

func (p progress) ending() string {
	switch {
	case p.rerun == refused:
		return answerTo(p.last, "So the test was not run again, and the tour ends here.") + "\n\n" + theVariables
	case p.passed:
		return "**The test passes.** You have seen all there is to it: reading is free, every change and every command is shown before it happens, and no is an answer.\n\n" + theVariables
	case p.edit != done:
		return "The test still fails, since the change was not written. Type `go on`, and I propose it again.\n\n" + theVariables
	}
	return "The test still fails, though the change was written. Perhaps there is no `sh` on this machine (on Windows, Git brings one).\n\n" + theVariables
}

// onlyAScript answers words that the script has no answer for, with what there
// is to do instead.
func (p progress) onlyAScript() string {
	none := "I am only a script: to \u201c" + shorten(p.words) + "\u201d I have no answer. A real model would.\n\n"
	switch {
	case !p.over():
		return none + "Type `go on`, and I take the next step of the tour; `/quit` leaves."
	case p.edit != done:
		return none + "The tour is over, but the change was not written: type `go on`, and I propose it again; `/quit` leaves."
	}
	return none + "The tour is over. " + theVariables
}

func failedText(result string) string {
	return "That did not work here: " + shorten(result) + "\n\nI am only a script and cannot find out why. Type `go on` to try it again; `/quit` leaves."
}

// shorten keeps quoted words to a line.
func shorten(words string) string {
	const most = 60
	line := strings.Join(strings.Fields(words), " ")
	if r := []rune(line); len(r) > most {
		return string(r[:most-1]) + "\u2026"
	}
	return line
}

// goesOn tells whether the person wants the next step.
func goesOn(words string) bool {
	line := strings.ToLower(strings.Trim(strings.TrimSpace(words), ".!"))
	return slices.Contains([]string{"go on", "go", "on", "yes", "y", "ok", "okay", "aye", "continue", "next", "again", "try again", "please", "sure"}, line)
}

// What the agent says of calls that did not simply run begins like this.
const (
	deniedText = "The user denied this call."
	reasonText = " Reason: "
)

// outcomeOf reads the result of a call as the model gets it: nothing but text.
func outcomeOf(tool, result string) outcome {
	switch {
	case strings.HasPrefix(result, "error:"),
		strings.HasPrefix(result, "Not run: the turn"),
		strings.Contains(result, "nspect before retrying"):
		return open
	case strings.HasPrefix(result, deniedText),
		tool == "shell" && !strings.HasPrefix(result, "exit_code="),
		tool == "edit" && !strings.HasPrefix(result, "Edited"):
		return refused
	}
	return done
}

// answerTo repeats the reason of a no, and goes on.
func answerTo(result, rest string) string {
	reason, denied := strings.CutPrefix(result, deniedText)
	reason = shorten(strings.TrimPrefix(reason, reasonText))
	switch {
	case !denied:
		return "That is not allowed here: \u201c" + reason + "\u201d. " + rest
	case reason != "":
		return "You said no: \u201c" + reason + "\u201d. " + rest
	}
	return "You said no. " + rest
}
