package catalog

import "aye/llm"

// As of November 2026, from the makers' public model and price pages
// (platform.claude.com, developers.openai.com, ai.google.dev, docs.x.ai,
// api-docs.deepseek.com, platform.moonshot.ai, docs.mistral.ai, docs.z.ai).
// US dollars a million tokens, standard tier, without batches, without the
// surcharge for writing a cache.

// A row is one model, or a family of them.
type row struct {
	names  string // space-separated, in the form that normal gives
	window int
	output int
	price  llm.Price
	at     string // of open weights: the host whose price it is; "-": no price
}

// flat is a price that does not depend on the request's length.
func flat(input, cached, output float64) llm.Price {
	return llm.Price{Rates: llm.Rates{Input: input, Cached: cached, Output: output}}
}

// long is a price with another beyond so many tokens.
func long(short llm.Rates, above int, beyond llm.Rates) llm.Price {
	return llm.Price{Rates: short, Above: above, Long: beyond}
}

const (
	k = 1_000
	m = 1_000_000
)

// closed are models that cost the same wherever they are served.
func closed() []row {
	return append(anthropic(), append(openai(), google()...)...)
}

func anthropic() []row {
	return []row{
		{"claude-fable-5-1", m, 128 * k, flat(10, 0.25, 50), ""},
		{"claude-fable-5", m, 128 * k, flat(10, 1, 50), ""},
		{"claude-opus-5-5", m, 128 * k, flat(4, 0.2, 20), ""},
		{"claude-opus-5 claude-opus-4-8 claude-opus-4-7 claude-opus-4-6", m, 128 * k, flat(5, 0.5, 25), ""},
		{"claude-opus-4-5", 200 * k, 64 * k, flat(5, 0.5, 25), ""},
		{"claude-opus-4-1 claude-opus-4 claude-opus-4-0", 200 * k, 32 * k, flat(15, 1.5, 75), ""},
		{"claude-sonnet-5-5", m, 128 * k, flat(2, 0.1, 10), ""},
		{"claude-sonnet-5", m, 128 * k, flat(2, 0.2, 10), ""},
		{"claude-sonnet-4-6", m, 128 * k, flat(3, 0.3, 15), ""},
		{"claude-sonnet-4-5 claude-sonnet-4 claude-sonnet-4-0 claude-3-7-sonnet", 200 * k, 64 * k, flat(3, 0.3, 15), ""},
		{"claude-3-5-sonnet", 200 * k, 8192, flat(3, 0.3, 15), ""},
		{"claude-haiku-5-5", m, 128 * k, long(llm.Rates{Input: 0.1, Cached: 0.01, Output: 0.5}, 100*k, llm.Rates{Input: 0.5, Cached: 0.05, Output: 2.5}), ""},
		{"claude-haiku-4-5", 200 * k, 64 * k, flat(1, 0.1, 5), ""},
		{"claude-3-5-haiku", 200 * k, 8192, flat(0.8, 0.08, 4), ""},
		{"claude-3-haiku", 200 * k, 4096, flat(0.25, 0.03, 1.25), ""},
		{"claude-3-opus", 200 * k, 4096, flat(15, 1.5, 75), ""},
	}
}

func openai() []row {
	return []row{
		{"gpt-5-5", 1050 * k, 128 * k, long(llm.Rates{Input: 5, Cached: 0.5, Output: 30}, 272*k, llm.Rates{Input: 10, Cached: 1, Output: 45}), ""},
		{"gpt-5-4", 1050 * k, 128 * k, long(llm.Rates{Input: 2.5, Cached: 0.25, Output: 15}, 272*k, llm.Rates{Input: 5, Cached: 0.5, Output: 22.5}), ""},
		{"gpt-5-4-mini", 400 * k, 128 * k, flat(0.75, 0.075, 4.5), ""},
		{"gpt-5-4-nano", 400 * k, 128 * k, flat(0.2, 0.02, 1.25), ""},
		{"gpt-5-2 gpt-5-2-codex gpt-5-3-codex", 400 * k, 128 * k, flat(1.75, 0.175, 14), ""},
		{"gpt-5-1 gpt-5-1-codex gpt-5-1-codex-max gpt-5 gpt-5-codex", 400 * k, 128 * k, flat(1.25, 0.125, 10), ""},
		{"gpt-5-mini gpt-5-1-codex-mini", 400 * k, 128 * k, flat(0.25, 0.025, 2), ""},
		{"gpt-5-nano", 400 * k, 128 * k, flat(0.05, 0.005, 0.4), ""},
		{"gpt-4-1", 1_047_576, 32_768, flat(2, 0.5, 8), ""},
		{"gpt-4-1-mini", 1_047_576, 32_768, flat(0.4, 0.1, 1.6), ""},
		{"gpt-4-1-nano", 1_047_576, 32_768, flat(0.1, 0.025, 0.4), ""},
		{"gpt-4o-2024-05-13", 128 * k, 4096, flat(5, 5, 15), ""},
		{"gpt-4o", 128 * k, 16_384, flat(2.5, 1.25, 10), ""},
		{"gpt-4o-mini", 128 * k, 16_384, flat(0.15, 0.075, 0.6), ""},
		{"gpt-4-turbo gpt-4-1106-preview gpt-4-0125-preview", 128 * k, 4096, flat(10, 10, 30), ""},
		{"gpt-4", 8192, 8192, flat(30, 30, 60), ""},
		{"gpt-3-5-turbo", 16_385, 4096, flat(0.5, 0.5, 1.5), ""},
		{"o3", 200 * k, 100 * k, flat(2, 0.5, 8), ""},
		{"o4-mini", 200 * k, 100 * k, flat(1.1, 0.275, 4.4), ""},
		{"o3-mini", 200 * k, 100 * k, flat(1.1, 0.55, 4.4), ""},
		{"o1", 200 * k, 100 * k, flat(15, 7.5, 60), ""},
	}
}

// google has Google's and xAI's.
func google() []row {
	return []row{
		{"gemini-3-1-pro gemini-3-pro", 1_048_576, 65_536, long(llm.Rates{Input: 2, Cached: 0.2, Output: 12}, 200*k, llm.Rates{Input: 4, Cached: 0.4, Output: 18}), ""},
		{"gemini-3-8-flash gemini-3-7-flash", 1_048_576, 65_536, flat(0.75, 0.075, 3.75), ""},
		{"gemini-3-6-flash", 1_048_576, 65_536, flat(1.5, 0.15, 7.5), ""},
		{"gemini-3-flash", 1_048_576, 65_536, flat(0.5, 0.05, 3), ""},
		{"gemini-2-5-pro", 1_048_576, 65_536, long(llm.Rates{Input: 1.25, Cached: 0.125, Output: 10}, 200*k, llm.Rates{Input: 2.5, Cached: 0.25, Output: 15}), ""},
		{"gemini-2-5-flash", 1_048_576, 65_536, flat(0.3, 0.03, 2.5), ""},
		{"gemini-2-5-flash-lite", 1_048_576, 65_536, flat(0.1, 0.01, 0.4), ""},
		{"gemini-2-0-flash", 1_048_576, 8192, flat(0.1, 0.025, 0.4), ""},
		{"grok-4", 256 * k, 0, long(llm.Rates{Input: 3, Cached: 0.75, Output: 15}, 128*k, llm.Rates{Input: 6, Cached: 1.5, Output: 30}), ""},
		{"grok-code-fast-1", 256 * k, 0, flat(0.2, 0.02, 1.5), ""},
	}
}

// open are models and families whose weights anyone may serve.
func open() []row {
	return []row{
		{"deepseek-v4-flash", m, 384 * k, flat(0.14, 0.0028, 0.28), "api.deepseek.com"},
		{"deepseek-v4-pro", m, 384 * k, flat(0.435, 0.003625, 0.87), "api.deepseek.com"},
		{"deepseek-v3 deepseek-r1 deepseek-chat deepseek-reasoner", 128 * k, 0, llm.Price{}, "-"},
		{"deepseek-coder-v2", 128 * k, 0, llm.Price{}, "-"},
		{"kimi-k3", 1_048_576, 131_072, flat(3, 0.3, 15), "api.moonshot.ai"},
		{"kimi-k2-7-code kimi-k2-6", 262_144, 32_768, flat(0.95, 0.16, 4), "api.moonshot.ai"},
		{"kimi-k2-5", 262_144, 32_768, flat(0.6, 0.1, 3), "api.moonshot.ai"},
		{"kimi-k2", 131_072, 0, llm.Price{}, "-"},
		{"glm-4-6 glm-4-7 glm-5", 200 * k, 128 * k, llm.Price{}, "-"},
		{"glm-4-5", 131_072, 96 * k, llm.Price{}, "-"},
		{"minimax-m2", 204_800, 0, llm.Price{}, "-"},
		{"gpt-oss", 131_072, 0, llm.Price{}, "-"},
		{"qwen3-coder qwen3-next", 262_144, 0, llm.Price{}, "-"},
		{"qwen3", 40_960, 0, llm.Price{}, "-"},
		{"qwen2-5-coder qwen2-5 qwq", 32_768, 0, llm.Price{}, "-"},
		{"llama-4-scout llama4-scout llama-4-maverick llama4-maverick llama4", m, 0, llm.Price{}, "-"},
		{"llama-3-1 llama-3-2 llama-3-3 llama3-1 llama3-2 llama3-3", 131_072, 0, llm.Price{}, "-"},
		{"llama-3 llama3 codellama", 8192, 0, llm.Price{}, "-"},
		{"devstral", 131_072, 0, llm.Price{}, "-"},
		{"codestral", 256 * k, 0, llm.Price{}, "-"},
		{"mistral-small mistral-medium mistral-large mistral-nemo", 131_072, 0, llm.Price{}, "-"},
		{"gemma-3 gemma3", 131_072, 0, llm.Price{}, "-"},
		{"phi-4 phi4", 16_384, 0, llm.Price{}, "-"},
		{"granite3-3 granite-3-3 granite4 granite-4", 131_072, 0, llm.Price{}, "-"},
	}
}
