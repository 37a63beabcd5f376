package term

import "testing"

func TestAmounts(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1k", 1234: "1.2k", 99_949: "99.9k", 99_950: "100k", 128_000: "128k", 999_499: "999k", 999_500: "1M", 1_250_000: "1.2M"} {
		if got := Tokens(n); got != want {
			t.Errorf("%d tokens are %q, want %q", n, got, want)
		}
	}
	for usd, want := range map[float64]string{0: "$0", -1: "$0", 0.00001: "<$0.0001", 0.0031: "$0.0031", 0.00994: "$0.0099", 0.00996: "$0.010", 0.0421: "$0.042", 0.9949: "$0.995", 0.996: "$1.00", 12.345: "$12.35"} {
		if got := Dollars(usd); got != want {
			t.Errorf("%v is %q, want %q", usd, got, want)
		}
	}
	if got := Usage(1234, 0, 340, false, 0); got != "1.2k in, 340 out" {
		t.Error(got)
	}
	if got := Usage(12_000, 9000, 340, true, 0.0031); got != "12k in (9k cached), 340 out (estimated) · $0.0031" {
		t.Error(got)
	}
}
