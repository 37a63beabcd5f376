package proc

import (
	"strings"
	"testing"
)

// What a job last said is the last line that is not blank, however its output
// comes, and it costs no more room than that.
func TestLastLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		takes []string
		want  string
	}{
		{nil, ""},
		{[]string{"\n \n"}, ""},
		{[]string{"one\ntw", "o\n"}, "two"},
		{[]string{"one\ntwo\n\n  \n"}, "two"},
		{[]string{"one\n", "  half"}, "half"},
		{[]string{strings.Repeat("宽", 5000)}, strings.Repeat("宽", latestRoom/3)},
		{[]string{strings.Repeat("x\n", 5000), "end"}, "end"},
	} {
		j := &Job{unread: keeper{max: 100}}
		for _, text := range c.takes {
			j.take(text)
		}
		if got := j.Last(); got != c.want || len(j.latest) > latestRoom {
			t.Errorf("%.40q: %.40q, want %.40q; %d bytes are kept", c.takes, got, c.want, len(j.latest))
		}
	}
}
