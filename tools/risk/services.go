package risk

import (
	"slices"
	"strings"
)

// A row says why a call of a program deserves a second look.
type row struct {
	programs string            // space-separated
	verbs    string            // the first operand is one of these, or "group verb"; "" is any
	when     func([]word) bool // and this holds of the whole command; nil is always
	why      string
}

func (x row) fits(words, ops []word) bool {
	if has(words, "--dry-run", "--help", "--version") {
		return false
	}
	if x.verbs != "" {
		one, two := "", ""
		if len(ops) > 0 {
			one = ops[0].text
		}
		if len(ops) > 1 {
			two = one + " " + ops[1].text
		}
		verbs := strings.Split(x.verbs, ", ")
		if !slices.Contains(verbs, one) && !slices.Contains(verbs, two) {
			return false
		}
	}
	return x.when == nil || x.when(words)
}

const (
	publishes = "publishes to others"
	running   = "changes running systems"
	byName    = "ends programs by name, not only its own"
	inYour    = "acts in your name on another machine"
	sends     = "sends files to another machine"
	losesData = "deletes stored data"
	stops     = "stops this machine"
)

// rows are the programs by what they reach.
var rows = []row{
	{"npm pnpm yarn bun", "publish, unpublish, deprecate, npm publish, dist-tag add, owner add", nil, publishes},
	{"cargo", "publish, yank", nil, publishes},
	{"twine", "upload", nil, publishes},
	{"gem", "push, yank", nil, publishes},
	{"poetry uv flit hatch vsce ovsx lerna", "publish", nil, publishes},
	{"docker podman helm", "push, image push", nil, publishes},
	{"mvn mvnw", "deploy, release:perform", nil, publishes},
	{"gradle gradlew", "publish", nil, publishes},
	{"dotnet", "nuget push", nil, publishes},
	{"goreleaser", "release", nil, publishes},
	{"firebase vercel netlify fly flyctl serverless wrangler", "deploy, publish, --prod", nil, publishes},

	{"terraform tofu", "apply, destroy, import, state rm, taint", nil, running},
	{"pulumi", "up, destroy", nil, running},
	{"kubectl oc", "apply, create, delete, replace, patch, scale, rollout, drain, exec, edit, set, run", nil, running},
	{"helm", "install, upgrade, uninstall, rollback", nil, running},
	{"systemctl service launchctl", "", changesService, running},

	{"gh", "pr create, pr merge, pr close, pr comment, pr edit, pr review, pr ready, issue create, issue close, issue comment, issue edit, issue delete, release create, release delete, release edit, release upload, repo create, repo delete, repo edit, repo archive, repo rename, workflow run, run cancel, run rerun, secret set, gist create, label create", nil, inYour},
	{"gh", "api", changesByAPI, inYour},
	{"glab", "mr create, mr merge, mr close, issue create, issue close, release create", nil, inYour},
	{"ssh mosh", "", reachesHost, "runs on another machine"},
	{"sftp ftp", "", reachesHost, sends},
	{"curl wget", "", uploads, sends},
	{"aws", "s3 cp, s3 sync, s3 rm, s3 mv, s3 rb", nil, inYour},

	{"docker podman", "system prune, volume rm, volume prune, image prune, container prune", nil, losesData},
	{"docker podman docker-compose", "compose down, down", func(w []word) bool { return has(w, "-v", "--volumes") }, losesData},
	{"docker podman", "run", func(w []word) bool { return has(w, "--privileged") || mounts(w) }, "gives a container this whole machine"},
	{"dropdb dropuser", "", nil, losesData},
	{"psql mysql mariadb sqlite3 mongosh mongo", "", func(w []word) bool {
		return slices.ContainsFunc(w, func(w word) bool { return dropping.MatchString(w.text) })
	}, losesData},
	{"redis-cli", "FLUSHALL, FLUSHDB, flushall, flushdb", nil, losesData},

	{"fdisk sfdisk sgdisk parted wipefs blkdiscard mkswap cryptsetup", "", func(w []word) bool { return !has(w, "-l", "--list") }, writesDisk},
	{"shutdown reboot halt poweroff", "", nil, stops},
	{"kill", "", func(w []word) bool { return len(w) > 2 && w[len(w)-1].text == "-1" }, "ends every program of yours"},
	{"killall pkill", "", func(w []word) bool { return !has(w, "-0") }, byName},
	{"crontab", "", func(w []word) bool { return !has(w, "-l") }, "changes what this machine runs by itself"},
	{"at batch", "", func(w []word) bool { return !has(w, "-l") }, "changes what this machine runs by itself"},
}

func changesService(words []word) bool {
	return slices.ContainsFunc(words, func(w word) bool {
		return slices.Contains([]string{"start", "stop", "restart", "reload", "enable", "disable", "mask", "kill", "poweroff", "reboot", "load", "unload", "bootout"}, w.text)
	})
}

// changesByAPI tells whether gh api does more than read.
func changesByAPI(words []word) bool {
	for i, w := range words {
		if w.text == "-X" || w.text == "--method" {
			return i+1 < len(words) && !strings.EqualFold(words[i+1].text, "GET")
		}
	}
	return has(words, "-f", "-F", "--field", "--raw-field", "--input")
}

func reachesHost(words []word) bool {
	hosts := operands(words)
	return len(hosts) > 0 && !slices.ContainsFunc(hosts, func(w word) bool { return local(w.text) })
}

// uploads tells whether curl or wget sends a file, and not to this machine.
func uploads(words []word) bool {
	file := false
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1].text
		}
		option, value, inline := strings.Cut(w.text, "=")
		if !inline {
			value = next
		}
		switch option {
		case "-T", "--upload-file", "--post-file", "--body-file":
			file = true
		case "-F", "--form":
			file = file || strings.Contains(value, "=@") || strings.Contains(value, "=<")
		case "-d", "--data", "--data-binary", "--data-raw", "--data-ascii", "--data-urlencode", "--json":
			file = file || strings.HasPrefix(value, "@") || option == "--data-urlencode" && strings.Contains(value, "@")
		}
		if strings.HasPrefix(w.text, "-d@") || strings.HasPrefix(w.text, "-T") && len(w.text) > 2 {
			file = true
		}
	}
	return file && !slices.ContainsFunc(words, func(w word) bool { return local(w.text) })
}

var loopback = []string{"localhost", "127.0.0.1", "[::1]", "0.0.0.0"}

// local tells whether a host or URL is this machine.
func local(url string) bool {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		rest = url
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	return slices.ContainsFunc(loopback, func(host string) bool {
		tail, ok := strings.CutPrefix(rest, host)
		return ok && (tail == "" || tail[0] == ':' || tail[0] == '/')
	})
}

// mounts tells whether a container gets the machine's root, or its docker.
func mounts(words []word) bool {
	return slices.ContainsFunc(words, func(w word) bool {
		return strings.HasPrefix(w.text, "/:") || strings.Contains(w.text, "=/:") || strings.Contains(w.text, "docker.sock")
	})
}
