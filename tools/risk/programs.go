package risk

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	files "aye/tools/workspace"
)

const writesDisk = "writes to a disk directly"

var (
	shells       = []string{"sh", "bash", "dash", "zsh", "ksh", "ash", "fish"}
	interpreters = []string{"python", "python2", "python3", "node", "perl", "ruby", "php", "deno", "bun"}
	fetchers     = []string{"curl", "wget", "aria2c", "nc", "ncat", "http", "https"}
	decoders     = []string{"base64", "base32", "xxd", "openssl", "rev", "tr", "gunzip", "zcat", "uudecode"}
	printers     = []string{"cat", "bat", "tac", "nl", "head", "tail", "less", "more", "cut", "sort", "uniq", "paste", "strings", "xxd", "od", "hexdump", "base64", "base32", "diff"}
	filters      = []string{"grep", "egrep", "fgrep", "rg", "ag", "sed", "awk", "gawk", "jq", "yq"} // what to look for comes first
	raisers      = []string{"sudo", "doas", "pkexec", "su", "runas", "run0"}
	wrappers     = append([]string{"env", "nohup", "nice", "ionice", "time", "timeout", "stdbuf", "setsid", "command", "builtin", "exec", "xargs", "parallel", "watch"}, raisers...)
)

func isShell(program string) bool { return slices.Contains(shells, program) }

// call judges one command. written is how its words are written.
func (r *reader) call(words []word, written []*syntax.Word, depth int) {
	program := name(words)
	switch {
	case slices.Contains(raisers, program):
		r.warn("runs as another user")
		r.inner(words, written, depth)
	case slices.Contains(wrappers, program):
		r.inner(words, written, depth)
	case program == "cd", program == "pushd":
		r.cd(words)
	case program == "popd":
		r.dir = ""
	case isShell(program), program == "eval", program == ".", program == "source", slices.Contains(interpreters, program):
		r.code(program, words, written, depth)
	case program == "find", program == "fd":
		r.find(words, written, depth)
	default:
		r.known(program, words)
	}
}

// maxBefore bounds the options and assignments before what a command starts.
const maxBefore = 30

// inner judges what a command starts, wherever among its arguments that begins.
func (r *reader) inner(words []word, written []*syntax.Word, depth int) {
	if rest := words[1:]; has(words, "-r", "-R") && len(operands(words)) == 1 && operands(words)[0].text == "rm" {
		r.warn("deletes what only the shell will know: " + name(words) + " rm " + rest[len(rest)-1].text)
	}
	for i := 1; i < min(len(words), maxBefore); i++ {
		if !slices.Contains(wrappers, name(words[i:])) {
			r.call(words[i:], written[i:], depth)
		} else if slices.Contains(raisers, name(words[i:])) {
			r.warn("runs as another user")
		}
	}
}

func (r *reader) cd(words []word) {
	to := operands(words)
	switch {
	case len(to) == 0:
		r.dir = r.at.Home
	case !to[0].known || to[0].glob || to[0].text == "-":
		r.dir = ""
	case strings.HasPrefix(to[0].text, "/"):
		r.dir = to[0].text
	case r.dir != "":
		r.dir += "/" + to[0].text
	}
}

// code judges what is given to a shell or interpreter as text.
func (r *reader) code(program string, words []word, written []*syntax.Word, depth int) {
	runs := !slices.Contains(interpreters, program) || has(words, "-c", "-e")
	for _, w := range written {
		for _, part := range w.Parts {
			if _, literal := part.(*syntax.Lit); runs && !literal && r.calls(part, fetchers) {
				r.warn(unseenCode)
			}
		}
	}
	switch {
	case isShell(program) && has(words, "-c"):
		for _, w := range operands(words)[:min(1, len(operands(words)))] {
			r.text(w, depth)
		}
	case program == "eval":
		var all []string
		for _, w := range words[1:] {
			if !w.known {
				return // of text that is made while it runs nothing is known
			}
			all = append(all, w.text)
		}
		r.script(strings.Join(all, " "), depth+1)
	case program == "perl" && has(words, "-i"):
		ops := operands(words)
		r.writesAll(ops[min(1, len(ops)):])
	}
}

func (r *reader) text(w word, depth int) {
	if w.known {
		r.script(w.text, depth+1)
	}
}

// find judges what is done with what is found.
func (r *reader) find(words []word, written []*syntax.Word, depth int) {
	for i, w := range words {
		switch w.text {
		case "-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch":
			r.call(words[i+1:], written[i+1:], depth)
			if p := name(words[i+1:]); p == "rm" || p == "shred" {
				r.foundFiles(words)
			}
			return
		case "-delete":
			r.foundFiles(words)
		}
	}
}

// foundFiles judges the deletion of what find finds.
func (r *reader) foundFiles(words []word) {
	for _, w := range words[1:] {
		if strings.HasPrefix(w.text, "-") || w.text == "(" || w.text == "!" {
			return
		}
		if at := r.place(w); at != workspace { // some of it, not all
			r.deletes(w, at)
		}
	}
}

func (r *reader) deletes(w word, at place) {
	switch {
	case at == outside:
		r.warn("deletes outside the workspace: " + w.source())
	case at == workspace:
		r.warn("deletes the whole workspace")
	case at == unknown:
		r.warn("deletes what only the shell will know: " + w.source())
	case base(strings.TrimRight(w.text, "/")) == ".git":
		r.warn("deletes the history of a repository: " + w.source())
	}
}

func (r *reader) writes(w word) {
	rel := r.relative(w)
	switch {
	case strings.HasPrefix(w.text, "/dev/") && r.place(w) == outside:
		r.warn(writesDisk + ": " + w.source())
	case r.place(w) == outside:
		r.warn("writes outside the workspace: " + w.source())
	case rel != "":
		if why := files.Risk(rel); why != "" {
			r.warn("writes " + w.source() + ", which " + why)
		}
	}
}

// reads warns of files with keys that are named: what a command prints goes to
// the model.
func (r *reader) reads(ws ...word) {
	for _, w := range ws {
		at := strings.TrimPrefix(path.Clean("/"+unix(w.text)), "/")
		if why := files.Secret(at); why != "" && w.known && !w.glob {
			r.warn("reads " + w.source() + ", which " + why)
		}
	}
}

func (r *reader) writesAll(ws []word) {
	for _, w := range ws {
		r.writes(w)
	}
}

// last is the last of some operands, which is where things are copied to.
func last(ws []word) []word { return ws[max(len(ws)-1, 0):] }

// known judges the programs of the tables.
func (r *reader) known(program string, words []word) {
	ops := operands(words)
	switch {
	case program == "cp":
		r.reads(ops[:max(len(ops)-1, 0)]...)
	case slices.Contains(printers, program):
		r.reads(ops...)
	case slices.Contains(filters, program):
		r.reads(ops[min(len(ops), 1):]...)
	}
	switch program {
	case "rm", "rmdir", "unlink", "shred", "srm":
		recursive := has(words, "-r", "-R", "--recursive")
		for _, w := range ops {
			if at := r.place(w); recursive || at == outside {
				r.deletes(w, at)
			}
		}
	case "mv":
		for _, w := range ops {
			if at := r.place(w); at == outside || at == workspace && !sameWord(last(ops), w) {
				r.warn("moves across the workspace's border: " + w.source())
			}
		}
		r.writesAll(last(ops))
	case "cp", "install", "ln", "rsync", "scp":
		if len(ops) > 0 && strings.Contains(ops[len(ops)-1].text, ":") && (program == "rsync" || program == "scp") {
			r.warn("sends files to another machine: " + ops[len(ops)-1].source())
			return
		}
		if program != "ln" || len(ops) > 1 {
			r.writesAll(last(ops))
		}
	case "tee", "touch", "mkdir", "truncate":
		r.writesAll(ops)
	case "sed":
		if has(words, "-i", "--in-place") {
			r.writesAll(ops[min(1, len(ops)):])
		}
	case "dd":
		for _, w := range ops {
			if to, ok := strings.CutPrefix(w.text, "of="); ok {
				w.text = to
				r.writes(w)
			}
		}
	case "chmod", "chown", "chgrp":
		for _, w := range ops[min(1, len(ops)):] {
			if r.place(w) == outside {
				r.warn("changes permissions outside the workspace: " + w.source())
			}
		}
	case "git":
		r.git(words)
	default:
		r.service(program, words, ops)
	}
}

func sameWord(list []word, w word) bool { return len(list) > 0 && list[0] == w }

// service judges programs that reach other machines, or this whole one.
func (r *reader) service(program string, words, ops []word) {
	for _, row := range rows {
		if slices.Contains(strings.Fields(row.programs), program) && row.fits(words, ops) {
			r.warn(row.why)
		}
	}
	if strings.HasPrefix(program, "mkfs") {
		r.warn(writesDisk)
	}
}

var dropping = regexp.MustCompile(`(?i)\b(drop\s+(table|database|schema)|truncate\s+table|delete\s+from\s+\w+\s*(;|$))`)
