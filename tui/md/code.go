package md

import (
	"strings"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/muesli/termenv"

	"aye/tui/term"
	"aye/tui/theme"
)

// Program text longer than this is shown without colours.
const (
	maxCode     = 64 << 10
	maxCodeLine = 500
)

// paintTime bounds the colouring of one block: lexers go back and forth over
// unclosed comments and the like for minutes. What is left then stays plain.
const paintTime = 300 * time.Millisecond

// A painter colours program text.
type painter struct {
	now    func() time.Time
	plain  bool // there are no colours
	pens   map[chroma.TokenType]theme.Pen
	lexers map[string]chroma.Lexer // by name; nil: none known
}

func newPainter(th theme.Theme, now func() time.Time) *painter {
	keyword, name, number := theme.PenOf(th.Code.Keyword), theme.PenOf(th.Code.Name), theme.PenOf(th.Code.Number)
	return &painter{
		now:    now,
		plain:  th.Profile == termenv.Ascii,
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
	if p.plain || len(code) > maxCode || hasLongLine(code) {
		return strings.Split(code, "\n")
	}
	lexer := p.lexer(language)
	if lexer == nil {
		return strings.Split(code, "\n")
	}
	tokens, err := lexer.Tokenise(nil, code)
	if err != nil {
		return strings.Split(code, "\n")
	}
	var out strings.Builder
	taken, until := 0, p.now().Add(paintTime)
	for t := tokens(); t != chroma.EOF && taken < len(code); t = tokens() {
		value := t.Value[:min(len(t.Value), len(code)-taken)] // lexers may add a line end
		if value != code[taken:taken+len(value)] || p.now().After(until) {
			break
		}
		taken += len(value)
		pen := p.pen(t.Type)
		for part := range strings.Lines(value) {
			text, ended := strings.CutSuffix(part, "\n")
			out.WriteString(pen.Draw(text))
			if ended {
				out.WriteByte('\n')
			}
		}
	}
	out.WriteString(code[taken:])
	return strings.Split(out.String(), "\n")
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
			_, _ = lexer.Tokenise(nil, "") // reads its rules: not on the first code's time
		}
		p.lexers[language] = lexer
	}
	return lexer
}

// codeRows lays painted lines out at width cells, with an indent where there
// is room for one.
func codeRows(lines []string, width int) []string {
	indent := "  "
	if width < minWidth {
		indent = ""
	}
	rows := make([]string, 0, len(lines))
	for _, line := range lines {
		for _, row := range term.Fold(line, width-len(indent)) {
			if row != "" {
				row = indent + row
			}
			rows = append(rows, row)
		}
	}
	return rows
}
