package openai_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"aye/llm"
	"aye/llm/llmtest"
	"aye/llm/openai"
)

func TestModels(t *testing.T) {
	t.Parallel()
	s := llmtest.NewServer(nil)
	s.Key, s.Models = testKey, []string{"b", "a", "b", ""}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	got, err := openai.New(openai.Options{BaseURL: s.URL(), Key: testKey}).Models(t.Context())
	if err != nil || fmt.Sprint(got) != "[{b 0} {a 0}]" {
		t.Errorf("got %v %v", got, err)
	}
	var e *llm.Error
	if _, err = openai.New(openai.Options{BaseURL: s.URL()}).Models(t.Context()); !errors.As(err, &e) || e.Kind != llm.Auth {
		t.Errorf("without a key: %v", err)
	}
}

func TestModelLists(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"data":[{"id":"a","max_model_len":8192},{"id":"b","context_length":"4096"},{"id":"c","meta":{"n_ctx_train":32768}},{"id":"d","context_window":-1}]}`: "[{a 8192} {b 4096} {c 32768} {d 0}]",
		`[{"id":"a"}]`: "[{a 0}]", `{"models":[{"name":"a"}]}`: "[{a 0}]", `{"data":[]}`: "[]", `{"object":"list","data":null}`: "[]",
		`{"status":"ok"}`: "no list of models", `{"data":"a"}`: "no list of models",
		`<html>`: "web page", `nothing`: "no list of models", ``: "no list of models",
	} {
		got, err := over(raw(body)).Models(t.Context())
		if err == nil && fmt.Sprint(got) != want || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v %v", body, got, err)
		}
	}
	if _, err := over(failing(404, "no")).Models(t.Context()); err == nil || !strings.Contains(err.Error(), "There is no /v1/models at api.test (404)") {
		t.Errorf("got %v", err)
	}
}

func TestModelsOfASilentServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		_, err := over(steps(step{time.Hour, ""})).Models(t.Context())
		var e *llm.Error
		if !errors.As(err, &e) || e.Kind != llm.Idle || time.Since(start) != 10*time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
	})
}
