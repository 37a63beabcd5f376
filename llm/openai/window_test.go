package openai_test

import (
	"errors"
	"testing"

	"aye/llm"
)

// TestTooLong: the ways in which servers say that a request does not fit
// (opencode#17762), and what they tell of their limit. What is about tokens a
// minute is none of them (pi-mono#1038).
func TestTooLong(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		status int
		body   string
		kind   llm.Kind
		window int
	}{
		"OpenAI":              {400, `{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.","code":"context_length_exceeded"}}`, llm.TooLong, 8192},
		"vLLM":                {400, `{"object":"error","message":"This model's maximum context length is 8192 tokens, however you requested 9000 tokens (8000 in the messages, 1000 in the completion).","code":400}`, llm.TooLong, 8192},
		"vLLM, newer":         {400, `{"error":{"message":"The decoder prompt (length 9000) is longer than the maximum model length of 4096.","code":400}}`, llm.TooLong, 4096},
		"OpenRouter":          {400, `{"error":{"message":"This endpoint's maximum context length is 131,072 tokens. However, you requested about 200000 tokens","code":400}}`, llm.TooLong, 131072},
		"llama.cpp":           {400, `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":4096}}`, llm.TooLong, 4096},
		"llama.cpp, in words": {400, `{"error":{"code":400,"message":"request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it"}}`, llm.TooLong, 4096},
		"llama.cpp, shift":    {500, `{"error":{"code":500,"message":"context shift is disabled"}}`, llm.TooLong, 0},
		"LM Studio":           {400, `{"error":"Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens"}`, llm.TooLong, 4096},
		"Ollama":              {400, `{"error":"the input length exceeds the context length"}`, llm.TooLong, 0},
		"Anthropic":           {400, `{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, llm.TooLong, 200000},
		"Gemini":              {400, `[{"error":{"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."}}]`, llm.TooLong, 1048576},
		"xAI":                 {400, `{"error":"This model's maximum prompt length is 131072 but the request contains 537812 tokens."}`, llm.TooLong, 131072},
		"Copilot":             {400, `{"error":{"message":"prompt token count of 150000 exceeds the limit of 128000"}}`, llm.TooLong, 128000},
		"Mistral":             {400, `{"message":"Prompt contains 35000 tokens, too large for model with 32768 maximum context length"}`, llm.TooLong, 32768},
		"Moonshot":            {400, `{"error":{"message":"Invalid request: Your request exceeded model token limit: 131072"}}`, llm.TooLong, 131072},
		"Cerebras":            {400, `{"message":"Please reduce the length of the messages or completion. Current length is 9193 while limit is 8192"}`, llm.TooLong, 8192},
		"DashScope":           {400, `{"error":{"message":"Range of input length should be [1, 30720]"}}`, llm.TooLong, 30720},
		"a proxy":             {413, page, llm.TooLong, 0},
		"by code alone":       {400, `{"error":{"message":"no","code":"context_length_exceeded"}}`, llm.TooLong, 0},
		"an absurd limit":     {400, `{"error":{"message":"maximum context length is 7 tokens"}}`, llm.TooLong, 0},
		"an endless limit":    {400, `{"error":{"message":"maximum context length is 99999999999999999999 tokens"}}`, llm.TooLong, 0},
		"tokens per minute":   {429, `{"error":{"message":"rate limit: 30000 tokens per minute"}}`, llm.Limit, 0},
		"TPM, context":        {429, `{"error":{"message":"Request too large: maximum context length is 8192 tokens per minute"}}`, llm.Limit, 0},
		"TPM as 400":          {400, `{"error":{"message":"rate limit: 30000 tokens per minute, context length 40000"}}`, llm.Limit, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := hear(t, t.Context(), over(failing(tt.status, tt.body)), question())
			var e *llm.Error
			if !errors.As(h.err, &e) || e.Kind != tt.kind || e.Window != tt.window {
				t.Errorf("got %+v, want %s with a window of %d", e, tt.kind, tt.window)
			}
		})
	}
	h := answered(t, sse(`{"error":{"message":"rate limit: 30000 tokens per minute, context length 40000"}}`))
	if h.kind() != llm.Limit {
		t.Errorf("within a stream: %v", h.err)
	}
	h = answered(t, sse(`{"error":{"message":"maximum context length is 8192 tokens"}}`))
	if e := (*llm.Error)(nil); !errors.As(h.err, &e) || e.Kind != llm.TooLong || e.Window != 8192 {
		t.Errorf("within a stream: %v", h.err)
	}
}
