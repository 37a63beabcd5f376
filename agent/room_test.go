package agent

import (
	"math"
	"testing"
)

func TestPercentOfAnyLimit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ all, percent, want int }{
		{0, 75, 0}, {1, 50, 0}, {199, 75, 149}, {600_000, 90, 540_000}, {math.MaxInt, 100, math.MaxInt}, {math.MaxInt, 50, math.MaxInt / 2},
	} {
		if got := (limit{tt.all, tt.all}).percent(tt.percent); got != (limit{tt.want, tt.want}) {
			t.Errorf("%d %% of %d is %v", tt.percent, tt.all, got)
		}
	}
}
