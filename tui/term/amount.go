package term

import (
	"fmt"
	"strings"
)

// Tokens returns n in at most five characters: "812", "12.4k", "128k", "1.2M".
func Tokens(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 99_950:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/1e3), ".0") + "k"
	case n < 999_500:
		return fmt.Sprintf("%.0fk", float64(n)/1e3)
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/1e6), ".0") + "M"
}

// Usage returns what went to a model and came back, in words: "1.2k in (900
// cached), 340 out · $0.0031". estimated: nobody counted. usd is left out where
// it is 0: nothing, or not known.
func Usage(in, cached, out int, estimated bool, usd float64) string {
	words := Tokens(in) + " in"
	if cached > 0 {
		words += " (" + Tokens(cached) + " cached)"
	}
	words += ", " + Tokens(out) + " out"
	if estimated {
		words += " (estimated)"
	}
	if usd > 0 {
		words += " · " + Dollars(usd)
	}
	return words
}

// Dollars returns an amount of money with as many digits as tell something:
// "$0.0031", "$0.042", "$1.25".
func Dollars(usd float64) string {
	switch {
	case usd <= 0:
		return "$0"
	case usd < 0.0001:
		return "<$0.0001"
	case usd < 0.00995:
		return fmt.Sprintf("$%.4f", usd)
	case usd < 0.995:
		return fmt.Sprintf("$%.3f", usd)
	}
	return fmt.Sprintf("$%.2f", usd)
}
