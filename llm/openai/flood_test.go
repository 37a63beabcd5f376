package openai

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"

	"aye/llm"
)

// Bytes without a delta end, also when they never make the client wait.
func TestFloodsEnd(t *testing.T) {
	t.Parallel()
	n := 0
	in := bufio.NewReaderSize(counted{strings.NewReader(strings.Repeat("\n", 1000)), &n, 100}, 16)
	if _, err := firstByte(in); !errors.Is(err, errFlood) || n > 132 {
		t.Errorf("after %d bytes: %v", n, err)
	}
	n = 0
	all, err := io.ReadAll(counted{strings.NewReader(strings.Repeat("x", 100)), &n, 100})
	if err != nil || len(all) != 100 {
		t.Errorf("%d bytes and %v", len(all), err)
	}
}

func TestLongRepliesEnd(t *testing.T) {
	t.Parallel()
	a := newAssembly(llm.Request{})
	c := chunk{Choices: []choice{{Delta: &delta{Content: content{text: strings.Repeat("x", 1<<20)}}}}}
	for i := range 65 {
		_, err := a.add(c)
		if (err != nil) != (i == 64) || err != nil && !errors.Is(err, errLongReply) {
			t.Fatalf("after %d MB: %v", i+1, err)
		}
	}
}
