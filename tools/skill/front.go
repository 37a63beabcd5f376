package skill

import (
	"errors"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A front is what a skill's front matter says.
type front struct {
	name, description string
	note              string // what was wrong with it, a sentence
}

// cutFront cuts a file into its front matter and the rest. There is front
// matter if the first line is exactly "---"; it goes to the next such line.
func cutFront(s string) (head, body string, err error) {
	first, rest, _ := strings.Cut(s, "\n")
	if strings.TrimSuffix(first, "\r") != "---" {
		return "", s, nil
	}
	for at := 0; at < len(rest); {
		line, _, more := strings.Cut(rest[at:], "\n")
		next := at + len(line)
		if more {
			next++
		}
		if strings.TrimSuffix(line, "\r") == "---" {
			return rest[:at], rest[next:], nil
		}
		at = next
	}
	return "", "", errors.New("the front matter is not closed: a line --- is missing")
}

// parseFront reads a front matter as YAML, and where it is none, line by line.
func parseFront(head string) front {
	plain := lenient(head)
	fields, err := strict(head)
	if err != nil {
		fields = plain
	}
	var f front
	f.name, f.description = value(fields, plain, "name"), value(fields, plain, "description")
	switch {
	case err != nil && f.name == "" && f.description == "":
		f.note = "the front matter is no valid YAML and names nothing"
	case len(f.name) > maxName:
		f.note = "the name is too long; the folder's is used"
		f.name = ""
	case strings.ContainsFunc(f.name, func(r rune) bool { return r < ' ' || r == 0x7f }):
		f.note = "the name has control characters in it; the folder's is used"
		f.name = ""
	case len(f.description) > maxDescription:
		f.note = "the description is too long and was cut"
		f.description = strings.ToValidUTF8(f.description[:maxDescription], "")
	}
	return f
}

// value is a field's text on one line. Where YAML has something else than a
// text there, it is the text as it stands in the file.
func value(fields, plain map[string]string, key string) string {
	s, ok := fields[key]
	if !ok {
		s = plain[key]
	}
	return strings.Join(strings.Fields(s), " ")
}

// strict reads the plain values of a YAML mapping. Nothing is expanded: an
// alias is no plain value.
func strict(head string) (map[string]string, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(head), &doc); err != nil {
		return nil, err
	}
	fields := make(map[string]string)
	if len(doc.Content) == 0 {
		return fields, nil
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, errors.New("not a mapping")
	}
	for n := 0; n+1 < len(root.Content); n += 2 {
		key, value := root.Content[n], root.Content[n+1]
		switch {
		case value.Kind != yaml.ScalarNode:
		case value.Tag == "!!null":
			fields[key.Value] = ""
		default:
			fields[key.Value] = value.Value
		}
	}
	return fields, nil
}

// lenient reads lines "key: value"; lines that begin with a blank go on with
// the value before them.
func lenient(head string) map[string]string {
	fields := make(map[string]string)
	key := ""
	for line := range strings.Lines(head) {
		line = strings.TrimRight(line, "\r\n")
		if key != "" && (strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")) {
			fields[key] = strings.TrimSpace(fields[key] + " " + strings.TrimSpace(line))
			continue
		}
		k, v, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "#") {
			key = ""
			continue
		}
		key = strings.TrimSpace(k)
		v = strings.Trim(strings.TrimSpace(v), `"'`)
		if v == "|" || v == ">" || v == "|-" || v == ">-" {
			v = ""
		}
		fields[key] = v
	}
	return fields
}
