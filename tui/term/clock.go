package term

import (
	"fmt"
	"time"
)

// Seconds returns d in whole seconds, for what still runs: "4 s", "2 m 05 s".
func Seconds(d time.Duration) string {
	s := int(d.Seconds())
	if s < 60 {
		return fmt.Sprintf("%d s", s)
	}
	return fmt.Sprintf("%d m %02d s", s/60, s%60)
}
