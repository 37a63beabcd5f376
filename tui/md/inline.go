package md

import (
	"bytes"
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"aye/tui/term"
)

// Glamour resolves entities in code, and escapes once more each time it goes
// through a text; so it never gets to see a backslash or an ampersand. Two
// code points that are no characters, and that term.Clean lets nobody send,
// stand for them until it is done.
const (
	backslash = '\ufdd0'
	ampersand = '\ufdd1'
)

var unguard = strings.NewReplacer(string(backslash), `\`, string(ampersand), "&")

// inlines is the text of one paragraph, heading or cell on its way through
// glamour. source grows by the texts that are to be shown instead of others.
type inlines struct {
	source []byte
}

// detach prepares the inline content of n and takes it away, for rendering.
func (in *inlines) detach(n ast.Node) ast.Node {
	in.prepare(n)
	// Not in a document: glamour would pad it. Alone it is written as it is.
	root := ast.NewTextBlock()
	for c := n.FirstChild(); c != nil; {
		next := c.NextSibling()
		root.AppendChild(root, c)
		c = next
	}
	return root
}

// prepare makes of the children of n what glamour renders truly.
func (in *inlines) prepare(n ast.Node) {
	for c := n.FirstChild(); c != nil; {
		next := c.NextSibling()
		switch c := c.(type) {
		case *ast.Text:
			for t, ok := next.(*ast.Text); ok && c.Merge(t, in.source); t, ok = next.(*ast.Text) {
				next = t.NextSibling()
				n.RemoveChild(n, t)
			}
			in.text(c)
			if c.Segment.Len() == 0 && !c.SoftLineBreak() && !c.HardLineBreak() {
				n.RemoveChild(n, c)
			}
		case *ast.CodeSpan:
			for t := c.FirstChild(); t != nil; t = t.NextSibling() {
				if t, ok := t.(*ast.Text); ok {
					in.replace(t, guard(strings.ReplaceAll(string(t.Value(in.source)), "\n", " ")))
				}
			}
		case *ast.AutoLink:
			n.ReplaceChild(n, c, in.link(c.Label(in.source)))
		case *ast.Image:
			label := "image"
			if alt := in.plain(c); alt != "" {
				label += ": " + alt
			}
			n.ReplaceChild(n, c, in.literal(guard(label)+in.target("", c.Destination)))
		case *ast.Link:
			shown := in.plain(c)
			in.prepare(c)
			if target := in.target(shown, c.Destination); target != "" {
				n.InsertAfter(n, c, in.literal(target))
			}
			c.Destination = nowhere
		case *extast.TaskCheckBox:
			n.RemoveChild(n, c)
		default:
			in.prepare(c)
		}
		c = next
	}
}

// nowhere is the only address after which glamour shows none.
var nowhere = []byte("#")

// link returns a link whose text is its address.
func (in *inlines) link(address []byte) ast.Node {
	l := ast.NewLink()
	l.Destination = nowhere
	l.AppendChild(l, in.literal(guard(string(address))))
	return l
}

// target is what is shown after a link's text, so that nobody is led
// elsewhere: the address, unless it is the text.
func (in *inlines) target(shown string, destination []byte) string {
	address := term.Line(strings.Map(unfold, resolve(string(destination))))
	bare := strings.TrimPrefix(address, "mailto:")
	if address == "" || address == shown || bare == shown || strings.HasPrefix(address, "#") {
		return ""
	}
	return guard(" (" + address + ")")
}

// unfold undoes guard for one rune.
func unfold(r rune) rune {
	switch r {
	case backslash:
		return '\\'
	case ampersand:
		return '&'
	}
	return r
}

// plain is the text in n without any marks.
func (in *inlines) plain(n ast.Node) string {
	var b strings.Builder
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := c.(*ast.Text); ok && entering {
			b.WriteString(strings.Map(unfold, resolve(string(t.Value(in.source)))))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// text resolves the escapes and entities of t, if there are any.
func (in *inlines) text(t *ast.Text) {
	if v := t.Value(in.source); bytes.IndexByte(v, '\\') >= 0 || bytes.IndexByte(v, '&') >= 0 {
		in.replace(t, resolve(string(v)))
	}
}

// replace makes t show s.
func (in *inlines) replace(t *ast.Text, s string) {
	from := len(in.source)
	in.source = append(in.source, s...)
	t.Segment = text.NewSegment(from, len(in.source))
}

func (in *inlines) literal(s string) *ast.Text {
	t := ast.NewText()
	in.replace(t, s)
	return t
}

// guard hides from glamour what it would resolve.
func guard(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\\':
			return backslash
		case '&':
			return ampersand
		}
		return r
	}, s)
}

// resolve returns the text that s, with its escapes and entities, stands for,
// guarded. What entities stand for is foreign text as well, and cleaned.
func resolve(s string) string {
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && isPunctuation(s[i+1]):
			i++
			b.WriteString(guard(s[i : i+1]))
		case c == '&':
			end := strings.IndexByte(s[i:min(len(s), i+40)], ';')
			if end < 0 {
				b.WriteRune(ampersand)
				continue
			}
			entity := s[i : i+end+1]
			if decoded := html.UnescapeString(entity); decoded != entity {
				b.WriteString(guard(term.Clean(decoded)))
				i += end
				continue
			}
			b.WriteRune(ampersand)
		case c == '\\':
			b.WriteRune(backslash)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func isPunctuation(c byte) bool {
	return c > ' ' && c < 0x7f && !(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z')
}
