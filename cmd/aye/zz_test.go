package main

import "testing"

func TestZZ(t *testing.T) {
	for _, tt := range [][2]string{{"read", `{"path":".git/config"}`}, {"read", `{"path":".env"}`}, {"grep", `{"pattern":"KEY"}`}, {"grep", `{"pattern":"KEY","path":".env"}`}, {"ls", `{"path":".git"}`}, {"read", `{"path":"id_rsa"}`},{"write", `{"path":".git/hooks/x","content":"x"}`},{"write", `{"path":".git/config","content":"x"}`}} {
		told, done, w := outcomeOf(t, "deny", []string{".git/config", "[x]\nKEY=1\n", ".env", "KEY=sk-1\n", "id_rsa", "KEY\n", "a.txt", "KEY\n", "sub/.env.local", "KEY=2"}, tt[0], tt[1])
		_ = w
		t.Logf("%v: %s %q", tt, done.Result.Status, told)
	}
}
