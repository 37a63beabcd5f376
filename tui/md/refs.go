package md

import (
	"strings"

	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// references are the link definitions of a document ("[1]: https://…"): one
// at its end is used at its beginning.
type references []parser.Reference

// collect adds the definitions in a block; added: there were new ones.
func (refs *references) collect(r *Renderer, b block) (added bool) {
	if !strings.Contains(b.text, "]:") {
		return false
	}
	r.prepare()
	ctx := parser.NewContext()
	refs.addTo(ctx)
	r.parser.Parser().Parse(text.NewReader([]byte(b.text)), parser.WithContext(ctx))
	all := ctx.References()
	added = len(all) > len(*refs)
	if added {
		*refs = all
	}
	return added
}

func (refs references) addTo(ctx parser.Context) {
	for _, ref := range refs {
		ctx.AddReference(ref)
	}
}
