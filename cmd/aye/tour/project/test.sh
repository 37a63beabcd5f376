#!/bin/sh
# test.sh: tests greet.sh; exits with 1 when a test fails.
failed=0

check() { # check WANT [NAME]
	want=$1
	shift
	got=$(sh greet.sh "$@")
	if [ "$got" = "$want" ]; then
		echo "ok    greet.sh${1:+ $1}"
	else
		echo "FAIL  greet.sh${1:+ $1}: got \"$got\", want \"$want\""
		failed=1
	fi
}

check "Hello, Ada!" Ada
check "Hello, world!"
exit $failed
