package md

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// references are the link definitions of a document ("[1]: https://…"): one
// at its end is used at its beginning.
type references []parser.Reference

// collect adds the definitions in a block and returns those that are new.
func (refs *references) collect(r *Renderer, b block) (added references) {
	if !strings.Contains(b.text, "]:") || len(*refs) == maxRefs {
		return nil
	}
	r.prepare()
	ctx := parser.NewContext()
	r.parser.Parser().Parse(text.NewReader([]byte(b.text)), parser.WithContext(ctx))
	for _, ref := range ctx.References() {
		if len(*refs)+len(added) == maxRefs {
			break
		}
		if !slices.ContainsFunc(*refs, func(old parser.Reference) bool { return sameLabel(old, ref) }) {
			added = append(added, ref)
		}
	}
	*refs = append(*refs, added...)
	return added
}

func sameLabel(a, b parser.Reference) bool {
	return util.ToLinkReference(a.Label()) == util.ToLinkReference(b.Label())
}

// in reports whether one of them may be used in the block.
func (refs references) in(b block) bool {
	text := util.ToLinkReference([]byte(b.text))
	return slices.ContainsFunc(refs, func(ref parser.Reference) bool {
		return strings.Contains(text, "["+util.ToLinkReference(ref.Label())+"]")
	})
}

func (refs references) addTo(ctx parser.Context) {
	for _, ref := range refs {
		ctx.AddReference(ref)
	}
}
