package slash

import (
	"fmt"
	"strings"

	"aye/agent"
	"aye/llm"
	"aye/tui/term"
)

const costTurns = 12 // that /cost lists; those before are one row

// Cost returns the text of /cost, in Markdown: tokens and money by turn and
// altogether. price is what the model in use costs, known or not.
func Cost(m *agent.Meter, model string, price llm.Price, known bool) string {
	if m.Total.Replies == 0 {
		return "Nothing was spent yet. " + rates(model, price, known) + "\n"
	}
	var b strings.Builder
	b.WriteString("| turn | in | cached | out | cost |\n| --- | ---: | ---: | ---: | ---: |\n")
	turns := m.Turns
	if over := len(turns) - costTurns; over > 1 {
		var before agent.Spent
		for _, s := range turns[:over] {
			before.Usage = before.Usage.Add(s.Usage)
			before.Cost += s.Cost
			before.Unpriced += s.Unpriced
		}
		row(&b, fmt.Sprintf("1–%d", over), before)
		turns = turns[over:]
	}
	for n, s := range turns {
		// Turns without a reply are not counted: nobody sees their numbers.
		turn := fmt.Sprint(len(m.Turns) - len(turns) + n + 1)
		if s.Summaries == s.Replies {
			turn += " (/compact)"
		}
		row(&b, turn, s)
	}
	row(&b, "**all**", m.Total)
	b.WriteString("\n")
	if m.Total.Usage.Estimated {
		b.WriteString("~ (estimated): the server did not count the tokens. ")
	}
	if m.Total.Unpriced > 0 && m.Total.Unpriced < m.Total.Replies {
		b.WriteString(plural(m.Total.Unpriced, "request") + " had no known price; the cost is at least what is shown. ")
	}
	b.WriteString(rates(model, price, known) + "\n")
	return b.String()
}

func row(b *strings.Builder, turn string, s agent.Spent) {
	about := ""
	if s.Usage.Estimated {
		about = "~"
	}
	fmt.Fprintf(b, "| %s | %s%s | %s | %s%s | %s |\n", turn, about, term.Tokens(s.Usage.Input), term.Tokens(s.Usage.Cached), about, term.Tokens(s.Usage.Output), cost(s))
}

// cost is the money of some replies: a hyphen where nobody knows.
func cost(s agent.Spent) string {
	switch {
	case s.Known():
		return term.Dollars(s.Cost)
	case s.Cost > 0:
		return "≥" + term.Dollars(s.Cost)
	}
	return "–"
}

// rates says what the model costs.
func rates(model string, p llm.Price, known bool) string {
	name := escape(term.Cut(model, 60))
	switch {
	case !known:
		return "The price of " + name + " here is not known."
	case p.Free():
		return name + " costs nothing here."
	}
	words := name + " costs " + million(p.Rates)
	if p.Above > 0 {
		words += "; beyond " + term.Tokens(p.Above) + " tokens in " + million(p.Long)
	}
	return words + " (list price)."
}

func million(r llm.Rates) string {
	return fmt.Sprintf("$%g in, $%g cached, $%g out a million tokens", r.Input, r.Cached, r.Output)
}
