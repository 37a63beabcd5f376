package main

import (
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"aye/llm/openai"
)

// A setting is a value and where it came from, for people.
type setting struct {
	value  string
	origin string // "--model", "API_MODEL", "default"; empty: not set
}

// A config is what flags and environment settle. Flags win over environment,
// environment over defaults.
type config struct {
	baseURL, model, key setting
	contextChars        int       // characters a request may have
	contextSet          bool      // by the person
	state               string    // folder for what aye keeps
	ownAgents           string    // path of the person's own AGENTS.md; "" is nowhere
	ownSkills           [2]string // folders of the person's own skills
}

// An environment looks up one variable.
type environment func(name string) (string, bool)

const defaultContextChars = 600_000

// providerKeys are the keys that belong to one provider. Such a key goes to
// that provider's hosts over TLS, and nowhere else.
var providerKeys = []struct{ host, variable string }{
	{"api.openai.com", "OPENAI_API_KEY"},
	{"api.anthropic.com", "ANTHROPIC_API_KEY"},
	{"openrouter.ai", "OPENROUTER_API_KEY"},
	{"generativelanguage.googleapis.com", "GEMINI_API_KEY"},
	{"api.groq.com", "GROQ_API_KEY"},
	{"api.mistral.ai", "MISTRAL_API_KEY"},
	{"api.deepseek.com", "DEEPSEEK_API_KEY"},
	{"api.together.xyz", "TOGETHER_API_KEY"},
	{"api.fireworks.ai", "FIREWORKS_API_KEY"},
	{"api.x.ai", "XAI_API_KEY"},
}

// loadConfig settles the configuration. It fails only on values that are
// wrong; what is missing is told by missing.
func loadConfig(in invocation, env environment) (config, error) {
	var c config
	c.baseURL = first(setting{strings.TrimSpace(in.baseURL), "--base-url"}, variable(env, "API_BASE_URL"))
	c.model = first(setting{strings.TrimSpace(in.model), "--model"}, variable(env, "API_MODEL"))
	var err error
	if c.baseURL.value != "" {
		if c.baseURL.value, err = openai.BaseURL(c.baseURL.value); err != nil {
			return c, usagef("%s: %v", c.baseURL.origin, err)
		}
	}
	c.key = keyFor(c.baseURL.value, env)
	if c.contextChars, err = contextChars(env); err != nil {
		return c, err
	}
	_, c.contextSet = env("CONTEXT_MAX_CHARS")
	c.own(env, runtime.GOOS)
	c.state, err = stateFolder(env, runtime.GOOS)
	return c, err
}

// own says where the person's own instructions and skills are. AYE_HOME moves
// all there is; else other agents' skills are aye's too.
func (c *config) own(env environment, goos string) {
	home, err := os.UserHomeDir()
	folder := ""
	switch aye, xdg, roaming := variable(env, "AYE_HOME").value, variable(env, "XDG_CONFIG_HOME").value, variable(env, "APPDATA").value; {
	case aye != "":
		folder = aye
	case goos == "windows" && roaming != "":
		folder = filepath.Join(roaming, "aye")
	case filepath.IsAbs(xdg):
		folder = filepath.Join(xdg, "aye")
	case err == nil:
		folder = filepath.Join(home, ".config", "aye")
	}
	if folder != "" {
		c.ownAgents, c.ownSkills = filepath.Join(folder, agentsFile), [2]string{filepath.Join(folder, "skills")}
	}
	if err == nil && variable(env, "AYE_HOME").value == "" {
		c.ownSkills[1] = filepath.Join(home, ".agents", "skills")
	}
}

// first is the first setting with a value.
func first(settings ...setting) setting {
	for _, s := range settings {
		if s.value != "" {
			return s
		}
	}
	return setting{}
}

// variable is the value of an environment variable, without the blanks and
// the line end that a copied one carries.
func variable(env environment, name string) setting {
	value, _ := env(name)
	return setting{strings.TrimSpace(value), name}
}

// keyFor finds the key for an endpoint.
func keyFor(baseURL string, env environment) setting {
	if s := first(variable(env, "API_KEY")); s.value != "" {
		return s
	}
	u, err := url.Parse(baseURL)
	if err != nil || u.Scheme != "https" {
		return setting{}
	}
	for _, p := range providerKeys {
		if strings.EqualFold(u.Hostname(), p.host) {
			return first(variable(env, p.variable))
		}
	}
	return setting{}
}

func contextChars(env environment) (int, error) {
	text, ok := env("CONTEXT_MAX_CHARS")
	if !ok {
		return defaultContextChars, nil
	}
	n, err := strconv.Atoi(strings.ReplaceAll(strings.TrimSpace(text), "_", ""))
	if err != nil {
		return 0, usagef("CONTEXT_MAX_CHARS is %q, which is not a whole number. Unset it, or set it to how many characters the model's context holds, such as 600000.", text)
	}
	if n <= 0 {
		return 0, usagef("CONTEXT_MAX_CHARS is %d; it must be positive. Unset it, or set it to how many characters the model's context holds, such as 600000.", n)
	}
	return n, nil
}

// stateFolder is where sessions and history live: AYE_HOME, or the folder the
// platform has for such things.
func stateFolder(env environment, goos string) (string, error) {
	if home := variable(env, "AYE_HOME").value; home != "" {
		if !filepath.IsAbs(home) {
			// Taken as it is, it would be another folder in every project.
			return "", usagef("AYE_HOME is %q, which is not a whole path. Set it to one, such as \"$HOME/aye\".", home)
		}
		return filepath.Clean(home), nil
	}
	if goos == "windows" {
		if dir := variable(env, "LOCALAPPDATA").value; dir != "" {
			return filepath.Join(dir, "aye"), nil
		}
	}
	// A relative XDG path is to be ignored, says its specification.
	if dir := variable(env, "XDG_STATE_HOME").value; filepath.IsAbs(dir) {
		return filepath.Join(dir, "aye"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", usagef("There is no home folder to keep sessions in: HOME is not set. Set AYE_HOME to a folder of yours.")
	}
	return filepath.Join(home, ".local", "state", "aye"), nil
}

// endpoint is the base URL as it may be shown and kept: without credentials,
// and without the query, where some endpoints want the key.
func (c config) endpoint() string {
	u, err := url.Parse(c.baseURL.value)
	if err != nil {
		return ""
	}
	u.User, u.RawQuery = nil, ""
	return u.String()
}

// secrets are the key, and what of the base URL may be one.
func (c config) secrets() []string {
	secrets := []string{c.key.value}
	u, err := url.Parse(c.baseURL.value)
	if err != nil {
		return secrets
	}
	if password, ok := u.User.Password(); ok {
		secrets = append(secrets, password, url.QueryEscape(password), u.User.String())
	}
	if u.RawQuery != "" {
		secrets = append(secrets, u.RawQuery)
	}
	for _, values := range u.Query() {
		for _, value := range values {
			if len(value) >= 8 { // shorter ones are settings
				secrets = append(secrets, value)
			}
		}
	}
	return secrets
}

func (c config) sessions() sessions { return sessions{filepath.Join(c.state, "sessions")} }

// records is the folder for what a killed aye was in the middle of; a record
// lasts as long as one change of files takes, also with --no-session. "" keeps
// none.
func (c config) records() string {
	if c.state == "" {
		return ""
	}
	return filepath.Join(c.state, "commits")
}

// missing names the variables that a model needs and that are not set.
func (c config) missing() []string {
	var names []string
	if c.key.value == "" && !openai.IsLoopback(c.baseURL.value) {
		names = append(names, "API_KEY")
	}
	if c.baseURL.value == "" {
		names = append(names, "API_BASE_URL")
	}
	if c.model.value == "" {
		names = append(names, "API_MODEL")
	}
	return names
}

// at is c for an endpoint that the person chose. All that is configured for it
// holds; API_KEY is for the endpoint in API_BASE_URL, and where that is not
// set for any that is not on this machine: a server there asks for none.
func (c config) at(baseURL string, env environment) config {
	if c.baseURL.value != "" && baseURL == c.endpoint() {
		return c
	}
	key := keyFor(baseURL, env)
	if key.origin == "API_KEY" && (c.baseURL.value != "" || openai.IsLoopback(baseURL)) {
		key = setting{}
	}
	c.baseURL, c.key = setting{baseURL, "set-up"}, key
	return c
}

// partly says which variables are not set, where others are.
func (c config) partly() string {
	if c.baseURL.value == "" && c.model.value == "" && c.key.value == "" {
		return ""
	}
	return "The model is configured in part: " + c.notSet() + "."
}

// notSet names what is missing.
func (c config) notSet() string {
	are := " is"
	if len(c.missing()) > 1 {
		are = " are"
	}
	return list(c.missing(), "and") + are + " not set"
}

// missingText says what to set, when nobody is there to fill in the form.
func (c config) missingText() string {
	return "no model is configured: " + c.notSet() + ". Set\n" +
		"  API_BASE_URL  the OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1\n" +
		"  API_MODEL     the model's name there\n" +
		"  API_KEY       the key; an endpoint on this machine needs none"
}
