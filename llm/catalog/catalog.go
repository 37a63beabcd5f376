package catalog

import (
	"slices"
	"strings"

	"aye/llm"
)

// An Entry is what is publicly known of a model.
type Entry struct {
	Name   string // as the table has it
	Window int    // tokens that a request and its reply may have together
	Output int    // tokens that a reply may have; 0: not known
	Open   bool   // its weights are open: whoever serves it sets the price

	price llm.Price
	at    string
}

// Lookup finds a model by what an endpoint calls it: "openai/gpt-5-mini",
// "claude-sonnet-4-5-20250929", "qwen3:8b-q4_K_M". Of a family of open models
// it finds the family; of a model with a price only the model itself.
func Lookup(model string) (Entry, bool) {
	parts := strings.Split(normal(model), "-")
	for {
		name := strings.Join(parts, "-")
		for _, r := range closed() {
			if slices.Contains(strings.Fields(r.names), name) {
				return r.entry(name), true
			}
		}
		if e, ok := family(name); ok {
			return e, true
		}
		n := decoration(parts)
		if n == 0 || n == len(parts) {
			return Entry{}, false
		}
		parts = parts[:len(parts)-n]
	}
}

// family finds the open models with the longest name that name begins with.
func family(name string) (Entry, bool) {
	var found Entry
	for _, r := range open() {
		for _, n := range strings.Fields(r.names) {
			if (name == n || strings.HasPrefix(name, n+"-")) && len(n) > len(found.Name) {
				found = r.entry(n)
			}
		}
	}
	return found, found.Name != ""
}

func (r row) entry(name string) Entry {
	return Entry{Name: name, Window: r.window, Output: r.output, Open: r.at != "", price: r.price, at: r.at}
}

// PriceAt returns what a model costs at a host, if that is known. local means
// that the host is this machine: what runs here costs nothing, except where
// it only passes on to a model that is sold.
func PriceAt(model, host string, local bool) (llm.Price, bool) {
	e, known := Lookup(model)
	variant := strings.ToLower(model)
	switch {
	case known && !e.Open:
		return e.price, true
	case local:
		return llm.Price{}, !strings.HasSuffix(variant, "cloud") // Ollama passes those on
	case strings.EqualFold(host, "openrouter.ai") && strings.HasSuffix(variant, ":free"):
		return llm.Price{}, true
	case known && e.at != "-" && strings.EqualFold(host, e.at):
		return e.price, true
	}
	return llm.Price{}, false
}

// normal gives a name the table's form: without the provider in front, small
// letters, one hyphen between parts.
func normal(model string) string {
	name := strings.ToLower(strings.TrimSpace(model))
	name = name[strings.LastIndexByte(name, '/')+1:]
	if i := strings.IndexAny(name, "@["); i > 0 { // "…@20250929", "…[1m]"
		name = name[:i]
	}
	for _, maker := range []string{"anthropic.", "openai.", "deepseek.", "meta.", "mistral.", "qwen.", "moonshot.", "xai."} { // Bedrock's: "us.anthropic.…"
		if i := strings.Index(name, maker); i >= 0 {
			name = name[i+len(maker):]
		}
	}
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("-_.: ", r) })
	return strings.Join(parts, "-")
}

// variants say how a model is served or packed, not which it is.
const variants = " latest preview exp experimental beta free nitro floor extended online exacto instruct it hf gguf ggml awq gptq mlx fp8 fp16 bf16 int4 int8 4bit 8bit "

// decoration counts the parts at the end of a name that do not tell the model:
// a date, a variant.
func decoration(parts []string) int {
	n := len(parts)
	last := parts[n-1]
	switch {
	case n >= 3 && digits(parts[n-3], 4) && digits(parts[n-2], 2) && digits(last, 2): // 2025-04-14
		return 3
	case n >= 2 && digits(parts[n-2], 2) && digits(last, 2), n >= 2 && bedrock(parts[n-2], last): // 06-05, v1-0
		return 2
	case digits(last, 8), digits(last, 4), strings.Contains(variants, " "+last+" "):
		return 1
	}
	return 0
}

// bedrock tells whether two parts are the version that Amazon adds: "v2:0".
func bedrock(v, n string) bool { return len(v) == 2 && v[0] == 'v' && digits(v[1:], 1) && digits(n, 1) }

func digits(s string, n int) bool {
	return len(s) == n && strings.Trim(s, "0123456789") == ""
}
