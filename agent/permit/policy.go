package permit

import (
	"fmt"
	"slices"
	"strings"

	"aye/agent"
	"aye/tools"
)

// Options are what a policy is made of.
type Options struct {
	Allow, Deny []string // rules
	// Tools are the names of the tools there are; a rule about another is a
	// mistake. Without them any name will do.
	Tools []string
	// Foreign means that commands are not read by a POSIX shell (cmd.exe):
	// then only exact rules cover them.
	Foreign bool
}

// A Policy judges calls.
type Policy struct {
	allow, deny []Rule
	posix       bool
}

var _ agent.Policy = (*Policy)(nil)

// New makes a policy. Its error is a sentence that names the rule.
func New(o Options) (*Policy, error) {
	allow, err := o.parse(o.Allow)
	if err != nil {
		return nil, err
	}
	for _, r := range allow {
		if why := r.useless(); why != "" {
			return nil, fmt.Errorf("rule %q would never apply: %s", r, why)
		}
	}
	deny, err := o.parse(o.Deny)
	if err != nil {
		return nil, err
	}
	return &Policy{allow: allow, deny: deny, posix: !o.Foreign}, nil
}

func (o Options) parse(texts []string) ([]Rule, error) {
	var rules []Rule
	for _, text := range texts {
		r, err := Parse(text)
		if err != nil {
			return nil, err
		}
		known := append([]string{"edit", "read", "shell", "write"}, o.Tools...)
		if len(o.Tools) > 0 && !slices.Contains(known, r.name) {
			slices.Sort(known)
			return nil, fmt.Errorf("rule %q: there is no tool %s; rules are about %s", r, r.name, strings.Join(slices.Compact(known), ", "))
		}
		rules = append(rules, r)
	}
	return rules, nil
}

// Judge says what happens with a call; see the package comment for the order.
func (p *Policy) Judge(mode, tool string, effects []tools.Effect, grants []string) agent.Ruling {
	unsure := false
	for _, r := range p.deny {
		switch r.covers(tool, effects) {
		case yes:
			return agent.Ruling{Verdict: agent.Reject, Why: fmt.Sprintf("The user's rule \"deny %s\" forbids this. Do it another way, or say what you need and why.", r)}
		case maybe:
			unsure = true
		case no:
		}
	}
	allow := p.allow
	for _, g := range grants {
		if r, err := Parse(g); err == nil {
			allow = append(allow[:len(allow):len(allow)], r)
		}
	}
	var open []tools.Effect // what no rule covers
	reads := true
	for _, e := range effects {
		reads = reads && e.Kind == tools.Read
		if !p.passes(agent.Mode(mode), allow, tool, e) {
			open = append(open, e)
		}
	}
	switch {
	case reads && len(open) == 0:
		return agent.Ruling{Verdict: agent.Pass}
	case !reads && agent.Mode(mode) == agent.Plan:
		return agent.Ruling{Verdict: agent.Reject, Why: "Plan mode is read-only: nothing may be changed or run. Describe the change instead; the user can leave plan mode and let you make it."}
	case unsure:
		return agent.Ruling{Verdict: agent.Inquire}
	case len(open) == 0:
		return agent.Ruling{Verdict: agent.Pass}
	default:
		return agent.Ruling{Verdict: agent.Inquire, Rule: ruleFor(tool, open)}
	}
}

// passes tells whether the mode or a rule lets an effect pass.
func (p *Policy) passes(mode agent.Mode, allow []Rule, tool string, e tools.Effect) bool {
	if mode == agent.Full || e.Kind == tools.Read && e.Risk == "" {
		return true
	}
	if mode == agent.Edit && e.Kind == tools.Write && e.Risk == "" && inside(e.Target) {
		return true
	}
	for _, r := range allow {
		if r.allows(tool, e, p.posix) {
			return true
		}
	}
	return false
}

// covers tells whether a deny rule forbids any part of a call.
func (r Rule) covers(tool string, effects []tools.Effect) answer {
	found := is(r.pattern == "" && r.name == tool)
	for _, e := range effects {
		found = max(found, r.denies(tool, e))
	}
	return found
}
