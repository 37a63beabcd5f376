package openai_test

import (
	"testing"

	"aye/llm"
	"aye/llm/llmtest"
	"aye/llm/openai"
)

func TestConform(t *testing.T) {
	llmtest.Conform(t, func(baseURL string) llm.Client {
		return openai.New(openai.Options{BaseURL: baseURL, Key: "sk-test-key"})
	})
}

// A client that retries keeps the contract; its attempts are cut down to one,
// since Conform counts requests and sends Retry-After.
func TestConformWithRetry(t *testing.T) {
	llmtest.Conform(t, func(baseURL string) llm.Client {
		return llm.Retry(openai.New(openai.Options{BaseURL: baseURL}), llm.RetryOptions{Attempts: 1})
	})
}
