package proc

import (
	"encoding/base64"
	"slices"
	"strings"
)

// Env returns the environment for commands, made from environ: without the
// keys of model providers, without any variable that holds one of secrets, in
// base64 too, and set up so that nothing waits for a person, opens a pager or colours.
func Env(environ []string, secrets ...string) []string {
	out := make([]string, 0, len(environ)+len(quiet))
	for _, kv := range environ {
		name, value, ok := strings.Cut(kv, "=")
		// Windows keeps variables such as "=C:=C:\dir": they stay.
		if ok && name != "" && (isKey(name) || isReplaced(name) || holds(value, secrets)) {
			continue
		}
		out = append(out, kv)
	}
	return append(out, quiet...)
}

// quiet is what commands get in place of the person's own values.
var quiet = []string{
	"EDITOR=true",
	"GCM_INTERACTIVE=never",
	"GIT_EDITOR=true",
	"GIT_PAGER=cat",
	"GIT_SEQUENCE_EDITOR=true",
	"GIT_TERMINAL_PROMPT=0",
	"MANPAGER=cat",
	"NO_COLOR=1",
	"PAGER=cat",
	"SSH_ASKPASS_REQUIRE=never",
	"TERM=dumb",
	"VISUAL=true",
}

// dropped would undo quiet: askers with a window, and what forces colour.
var dropped = []string{"SSH_ASKPASS", "FORCE_COLOR", "CLICOLOR_FORCE", "COLORTERM", "OLDPWD"}

func isReplaced(name string) bool {
	return slices.ContainsFunc(quiet, func(kv string) bool {
		k, _, _ := strings.Cut(kv, "=")
		return strings.EqualFold(k, name)
	}) || slices.ContainsFunc(dropped, func(k string) bool { return strings.EqualFold(k, name) })
}

// providerKeys are those keys of model providers that are not named _API_KEY.
// Tokens of other things, GITHUB_TOKEN say, stay: commands need them.
var providerKeys = []string{
	"API_KEY", "OPENAI_KEY", "AZURE_OPENAI_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN",
	"AWS_BEARER_TOKEN_BEDROCK", "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HUGGINGFACEHUB_API_TOKEN",
	"REPLICATE_API_TOKEN",
}

func isKey(name string) bool {
	name = strings.ToUpper(name)
	return strings.HasSuffix(name, "_API_KEY") || strings.HasSuffix(name, "_API_KEYS") || slices.Contains(providerKeys, name)
}

// holds tells whether value is, or contains, a secret. Short secrets are
// placeholders for servers that want none ("ollama"), and parts of ordinary
// values: those only count as a whole.
func holds(value string, secrets []string) bool {
	return slices.ContainsFunc(secrets, func(s string) bool {
		if len(s) < 8 {
			return s != "" && value == s
		}
		return strings.Contains(value, s) || slices.ContainsFunc(encoded(s), func(e string) bool { return strings.Contains(value, e) })
	})
}

// encoded is what base64 makes of s wherever it stands in the text: at one of
// three places in a group of bytes, less what its neighbours decide too. The
// alphabet for URLs may differ.
func encoded(s string) []string {
	var forms []string
	for before := range 3 {
		padded := []byte(strings.Repeat("x", before) + s)
		first, last := (before*8+5)/6, len(padded)*8/6
		forms = append(forms, base64.RawStdEncoding.EncodeToString(padded)[first:last], base64.RawURLEncoding.EncodeToString(padded)[first:last])
	}
	return forms
}
