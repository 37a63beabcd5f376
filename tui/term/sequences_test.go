package term

import (
	"io"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"
)

func TestClipboard(t *testing.T) {
	t.Parallel()
	for mux, want := range map[Mux]string{
		Direct: "\x1b]52;c;aGnlpb0=\x07",
		Tmux:   "\x1bPtmux;\x1b\x1b]52;c;aGnlpb0=\x07\x1b\\",
		Screen: "\x1bP\x1b]52;c;aGnlpb0=\x07\x1b\\",
	} {
		if got := Clipboard("hi好", mux); got != want {
			t.Errorf("Clipboard(%d) = %q, want %q", mux, got, want)
		}
	}
}

// A terminal with everything switched on is as before after Reset.
func TestReset(t *testing.T) {
	t.Parallel()
	emu := vt.NewEmulator(40, 5) // nothing here makes it answer, so nobody need read from it
	write := func(s string) {
		if _, err := io.WriteString(emu, s); err != nil {
			t.Fatal(err)
		}
	}
	write("$ aye\r\n")
	write("\x1b[?1049h\x1b[?25l\x1b[?1000h\x1b[?1002h\x1b[?1003h\x1b[?1006h\x1b[?1004h\x1b[?2004h\x1b[?2026h\x1b[1;31mscreen")
	if !emu.IsAltScreen() {
		t.Fatal("the alternate screen is not on: the test shows nothing")
	}
	write(Reset() + Reset() + "bye")
	if emu.IsAltScreen() {
		t.Error("the alternate screen is still on")
	}
	if got := emu.String(); !strings.HasPrefix(got, "$ aye\nbye") {
		t.Errorf("the screen shows %q", got)
	}
	if cell := emu.CellAt(0, 1); cell == nil || !cell.Style.IsZero() {
		t.Errorf("colours are still on: %+v", cell)
	}
}

// Each mode that a front end may switch on is switched off.
func TestResetModes(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"1000", "1002", "1003", "1006", "1004", "2004", "2026", "1049"} {
		if !strings.Contains(Reset(), "\x1b[?"+mode+"l") {
			t.Errorf("mode %s stays on", mode)
		}
	}
	if !strings.Contains(Reset(), "\x1b[?25h") {
		t.Error("the cursor stays hidden")
	}
}
