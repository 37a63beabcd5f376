package permit

import (
	"path"
	"slices"
	"strings"
)

// limits say which arguments of a program a star never stands for, because
// they run or write something else than the program's name promises.
type limits struct {
	never   bool     // the program runs or does what its arguments say
	long    []string // options after --, and any beginning of them
	single  []string // options of one dash or two, whole: find's, go's
	short   string   // letters of options after one dash, also in a group
	words   []string // operands
	prefix  []string // of operands
	script  bool     // options before the script give code or change how it is read
	bundled bool     // the first argument is a group of options even without a dash
	maximum int      // operands, when more than these are written to
}

// harmless tells whether words that stars stand for are. words are the whole
// command.
func harmless(words, covered []string) bool {
	program := programName(words[0])
	checks := []limits{programs[program]}
	if len(words) > 1 {
		checks = append(checks, programs[program+" "+words[1]])
	}
	for _, l := range checks {
		if l.never || l.maximum > 0 && operands(words[1:]) > l.maximum {
			return false
		}
		if l.script && len(covered) > 0 && strings.HasPrefix(covered[0], "-") && operands(words[1:len(words)-len(covered)]) == 0 {
			return false
		}
		if l.bundled && len(words) > 1 && strings.ContainsAny(words[1], l.short) {
			return false
		}
		if slices.ContainsFunc(covered, l.forbid) {
			return false
		}
	}
	// Another process's memory and environment, aye's own too, are files there.
	return !slices.ContainsFunc(covered, func(w string) bool { return strings.Contains(w+"/", "/proc/") })
}

func (l limits) forbid(w string) bool {
	name, _, _ := strings.Cut(strings.TrimLeft(w, "-"), "=")
	switch {
	case strings.HasPrefix(w, "--"):
		return name != "" && slices.ContainsFunc(l.long, func(o string) bool { return strings.HasPrefix(o, name) }) || slices.Contains(l.single, name)
	case strings.HasPrefix(w, "-"):
		return strings.ContainsAny(w[1:], l.short) || slices.Contains(l.single, name)
	default:
		return slices.Contains(l.words, w) || slices.ContainsFunc(l.prefix, func(p string) bool { return strings.HasPrefix(w, p) })
	}
}

func operands(args []string) int {
	n := 0
	for _, a := range args {
		if !strings.HasPrefix(a, "-") {
			n++
		}
	}
	return n
}

func programName(word string) string {
	return strings.TrimSuffix(strings.ToLower(path.Base(strings.ReplaceAll(word, `\`, "/"))), ".exe")
}

// tooWide says why a pattern with stars never covers anything; "" when it may.
func (c command) tooWide() string {
	name := programName(c.words[0][0])
	if programs[name].never {
		return name + " runs or does whatever its arguments say; allow the exact command"
	}
	if name != "git" {
		return ""
	}
	if len(c.words) == 1 || c.words[1].wild() || strings.HasPrefix(c.words[1][0], "-") {
		return "git runs other programs through its options, settings and aliases; name the sub-command first, as in shell(git log*)"
	}
	if programs["git "+c.words[1][0]].never {
		return "git " + c.words[1][0] + " runs other programs; allow the exact command"
	}
	return ""
}

// useless says why an allow rule would never apply; "" when it may.
func (r Rule) useless() string {
	if r.name != shellName || r.pattern == "" {
		return ""
	}
	c, err := parseCommand(r.pattern)
	if err != nil || !c.wild() {
		return ""
	}
	return c.tooWide()
}

// runsArguments tells whether a program may run what its arguments say.
func runsArguments(program string) bool {
	return slices.Contains(wrappers, program) || program == "find" || program == "fd"
}

func isShell(program string) bool { return slices.Contains(shells, program) }

var shells = []string{"sh", "bash", "dash", "zsh", "ksh", "mksh", "fish", "csh", "tcsh", "ash"}

// wrappers run the command that their arguments give.
var wrappers = append([]string{
	"!", ".", "aa-exec", "alias", "apply", "at", "batch", "bind", "builtin", "busybox", "capsh", "chpst", "chroot", "chrt", "command",
	"compgen", "complete", "coproc", "cpulimit", "crontab", "daemonize", "doas", "enable", "entr", "env", "eval", "exec", "expect",
	"faketime", "fakeroot", "firejail", "flock", "gdb", "hash", "hyperfine", "ionice", "lldb", "ltrace", "mapfile", "nice", "nohup",
	"nsenter", "parallel", "perf", "pkexec", "pwsh", "powershell", "readarray", "rlwrap", "run-parts", "runuser", "screen", "script",
	"setarch", "setpriv", "setsid", "shopt", "source", "start-stop-daemon", "stdbuf", "strace", "su", "sudo", "systemd-run",
	"taskset", "time", "timeout", "tmux", "toybox", "trap", "unbuffer", "unshare", "valgrind", "watch", "xargs", "xvfb-run", "cmd",
}, shells...)

// others take a script, keys or assignments as arguments that do anything.
var others = []string{
	"awk", "bc", "dc", "declare", "ed", "emacs", "ex", "export", "gawk", "less", "let", "local", "man", "mawk", "more", "most",
	"nano", "nawk", "nvim", "osascript", "pg", "read", "readonly", "sed", "set", "typeset", "unset", "vi", "view", "vim", "vimdiff",
}

var interpreters = []string{
	"bun", "deno", "java", "julia", "lua", "luajit", "node", "nodejs", "perl", "php", "pypy", "pypy3", "python", "python2",
	"python3", "Rscript", "ruby", "tclsh", "ts-node", "tsx",
}

// goOptions run something, work elsewhere, or write a file of any name.
var goOptions = []string{
	"C", "blockprofile", "coverprofile", "cpuprofile", "exec", "gccgoflags", "ldflags", "memprofile", "modfile", "mutexprofile", "o",
	"outputdir", "overlay", "pkgdir", "test.blockprofile", "test.coverprofile", "test.cpuprofile", "test.memprofile",
	"test.mutexprofile", "test.outputdir", "test.trace", "toolexec", "trace", "vettool",
}

// programs are the limits by program, and by program and sub-command.
var programs = table(map[string]limits{
	"[":                 {short: "vR"},
	"cargo":             {long: []string{"config"}, words: []string{"run"}},
	"curl":              {long: []string{"config", "output", "remote-name", "upload-file", "data", "form", "dump-header", "cookie-jar", "trace", "json"}, short: "KoOTdFDc"},
	"date":              {long: []string{"file", "set"}, short: "fs"},
	"fd":                {long: []string{"exec", "exec-batch"}, short: "xX"},
	"fdfind":            {long: []string{"exec", "exec-batch"}, short: "xX"},
	"file":              {long: []string{"files-from", "magic-file", "compile"}, short: "fmC"},
	"find":              {single: []string{"exec", "execdir", "ok", "okdir", "delete", "fprint", "fprint0", "fprintf", "fls", "files0-from"}},
	"git":               {long: gitOptions, short: "O", prefix: []string{"ext::"}},
	"git archive":       {short: "o"},
	"git bisect":        {never: true},
	"git clone":         {short: "cu"},
	"git config":        {never: true},
	"git difftool":      {never: true},
	"git fetch":         {short: "u"},
	"git filter-branch": {never: true},
	"git format-patch":  {short: "o"},
	"git for-each-repo": {never: true},
	"git mergetool":     {never: true},
	"git rebase":        {short: "x"},
	"git submodule":     {words: []string{"foreach"}},

	"go":      {single: goOptions, words: []string{"generate", "run", "tool", "env"}},
	"make":    {long: []string{"eval", "file", "makefile", "directory", "include-dir"}, short: "fCI", prefix: []string{"SHELL=", "MAKEFLAGS=", ".SHELLFLAGS="}},
	"npm":     {long: []string{"script-shell", "call", "node-options", "prefix", "userconfig", "globalconfig"}, short: "cC", words: []string{"exec", "x", "explore", "config", "set"}},
	"printf":  {short: "v"},
	"rg":      {long: []string{"pre", "hostname-bin", "search-zip"}, short: "z"},
	"rsync":   {long: []string{"rsh", "rsync-path"}, short: "e"},
	"scp":     {short: "FJoS"},
	"sftp":    {short: "bFJoSD"},
	"sort":    {long: []string{"output", "compress-program", "files0-from", "temporary-directory"}, short: "oT"},
	"split":   {long: []string{"filter"}},
	"ssh":     {short: "FJowLRD"},
	"tar":     {long: []string{"to-command", "checkpoint-action", "use-compress-program", "rsh-command", "info-script", "new-volume-script", "rmt-command"}, short: "IF", bundled: true},
	"tcpdump": {short: "zw"},
	"test":    {short: "vR"},
	"tree":    {short: "o"},
	"uniq":    {maximum: 1},
	"wget":    {long: []string{"use-askpass", "output-document", "execute", "config", "post-file", "body-file"}, short: "Oe"},
	"xxd":     {maximum: 1, short: "r"},
	"zip":     {long: []string{"unzip-command", "test"}, short: "T"},
})

// gitOptions run a program, or write where they like, in one sub-command or
// another.
var gitOptions = []string{
	"config", "config-env", "exec", "exec-path", "ext-diff", "extcmd", "open-files-in-pager", "output", "output-directory",
	"receive-pack", "template", "textconv", "tool", "upload-pack", "upload-archive", "sign-key", "gpg-sign", "recurse-submodules",
}

func table(by map[string]limits) map[string]limits {
	for _, name := range slices.Concat(wrappers, others) {
		by[name] = limits{never: true}
	}
	for _, name := range interpreters {
		by[strings.ToLower(name)] = limits{script: true}
	}
	return by
}
