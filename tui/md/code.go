package md

import (
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"aye/tui/term"
	"aye/tui/theme"
)

// Program text longer than this is shown without colours.
const (
	maxCode     = 64 << 10
	maxCodeLine = 2000
)

// A painter colours program text.
type painter struct {
	pens   map[chroma.TokenType]theme.Pen
	lexers map[string]chroma.Lexer // by name; nil: none known
}

func newPainter(th theme.Theme) *painter {
	keyword, name, number := theme.PenOf(th.Code.Keyword), theme.PenOf(th.Code.Name), theme.PenOf(th.Code.Number)
	return &painter{
		lexers: map[string]chroma.Lexer{},
		pens: map[chroma.TokenType]theme.Pen{
			chroma.Keyword:           keyword,
			chroma.KeywordConstant:   number,
			chroma.OperatorWord:      keyword,
			chroma.CommentPreproc:    keyword,
			chroma.NameFunction:      name,
			chroma.NameClass:         name,
			chroma.NameTag:           name,
			chroma.NameDecorator:     name,
			chroma.NameAttribute:     name,
			chroma.NameConstant:      number,
			chroma.LiteralString:     theme.PenOf(th.Code.String),
			chroma.LiteralNumber:     number,
			chroma.Comment:           theme.PenOf(th.Code.Comment),
			chroma.GenericDeleted:    theme.PenOf(th.Del),
			chroma.GenericInserted:   theme.PenOf(th.Add),
			chroma.GenericHeading:    theme.PenOf(th.Heading),
			chroma.GenericSubheading: theme.PenOf(th.Accent),
		},
	}
}

// paint returns code, which ends in no LF, with colours, line by line.
func (p *painter) paint(language, code string) []string {
	lexer := p.lexer(language)
	if lexer == nil || len(code) > maxCode || hasLongLine(code) {
		return strings.Split(code, "\n")
	}
	tokens, err := lexer.Tokenise(nil, code)
	if err != nil {
		return strings.Split(code, "\n")
	}
	var lines []string
	var line strings.Builder
	for t := tokens(); t != chroma.EOF; t = tokens() {
		pen := p.pen(t.Type)
		for part := range strings.Lines(t.Value) {
			text, ended := strings.CutSuffix(part, "\n")
			line.WriteString(pen.Draw(text))
			if ended {
				lines = append(lines, line.String())
				line.Reset()
			}
		}
	}
	if line.Len() > 0 {
		lines = append(lines, line.String())
	}
	// Lexers may add a line end of their own, or drop blank lines at the end.
	if n := strings.Count(code, "\n") + 1; len(lines) > n {
		lines = lines[:n]
	}
	return lines
}

func hasLongLine(code string) bool {
	for line := range strings.Lines(code) {
		if len(line) > maxCodeLine {
			return true
		}
	}
	return false
}

// pen finds the colour of a token: its own, its kind's, or none.
func (p *painter) pen(t chroma.TokenType) theme.Pen {
	for _, of := range []chroma.TokenType{t, t.SubCategory(), t.Category()} {
		if pen, ok := p.pens[of]; ok {
			return pen
		}
	}
	return theme.Pen{}
}

func (p *painter) lexer(language string) chroma.Lexer {
	language = strings.ToLower(language)
	if language == "" || language == "text" || len(language) > 40 {
		return nil
	}
	lexer, ok := p.lexers[language]
	if !ok {
		if lexer = lexers.Get(language); lexer != nil {
			lexer = chroma.Coalesce(lexer)
		}
		p.lexers[language] = lexer
	}
	return lexer
}

// codeRows lays painted lines out at width cells, with an indent.
func codeRows(lines []string, width int) []string {
	rows := make([]string, 0, len(lines))
	for _, line := range lines {
		for _, row := range term.Fold(line, max(width-len(codeIndent), 1)) {
			if row != "" {
				row = codeIndent + row
			}
			rows = append(rows, row)
		}
	}
	return rows
}

const codeIndent = "  "
