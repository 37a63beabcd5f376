package tty

import (
	"bytes"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// csi decodes ESC [ ...; mods are those that came as a prefix.
func (d *decoder) csi(b []byte, mods int) {
	if len(b) == 2 {
		d.emit(runeKey('[', true))
		return
	}
	body, final := string(b[2:len(b)-1]), b[len(b)-1]
	switch {
	case b[2] == 'M' && len(b) == 6:
		d.mouse(int(b[3])-32, int(b[4])-33, int(b[5])-33, false)
	case b[2] == '[':
		if i := final - 'A'; i < 5 {
			d.emit(function(int(i) + 1).key(mods))
		}
	case strings.HasPrefix(body, "<") && (final == 'M' || final == 'm'):
		if p, ok := numbers(body[1:]); ok && len(p) == 3 {
			d.mouse(p[0], p[1]-1, p[2]-1, final == 'm')
		}
	case strings.HasPrefix(body, "?"):
		d.report(body[1:], final)
	default:
		d.csiKey(body, final, mods)
	}
}

// report takes the terminal's answers to our questions.
func (d *decoder) report(body string, final byte) {
	switch {
	case final == 'c':
		d.emit(answered{})
	case final == 'y' && strings.HasPrefix(body, "2004;"):
		if state := strings.TrimPrefix(body, "2004;"); state != "0$" && state != "4$" {
			d.brackets = true
		}
	}
}

// csiKey decodes keys, focus and the start of a paste.
func (d *decoder) csiKey(body string, final byte, mods int) {
	switch {
	case body == "200" && final == '~':
		d.brackets = true
		d.paste.mode = bracketed
		return
	case body == "" && final == 'I':
		d.emit(tea.FocusMsg{})
		return
	case body == "" && final == 'O':
		d.emit(tea.BlurMsg{})
		return
	}
	p, ok := numbers(body)
	if !ok {
		return
	}
	at := func(i, missing int) int {
		if i < len(p) && p[i] > 0 {
			return p[i]
		}
		return missing
	}
	mods |= at(1, 1) - 1
	switch {
	case final == 'u':
		d.unicodeKey(body, at(0, 0), mods)
	case final == '~' && at(0, 0) == 27 && len(p) == 3:
		d.codedKey(at(2, 0), 0, mods)
	case final == '~', final == '^', final == '$', final == '@':
		if f, ok := tildeKeys[at(0, 0)]; ok {
			d.emit(f.key(mods | urxvtMods[final]))
		}
	case final >= 'a' && final <= 'd' && body == "": // urxvt
		d.emit(letterKeys[final-'a'+'A'].key(mods | shift))
	case len(p) <= 2 && at(0, 1) == 1 && (final != 'R' || len(p) == 2):
		if f, ok := letterKeys[final]; ok {
			d.emit(f.key(mods))
		}
	}
}

var urxvtMods = map[byte]int{'^': ctrl, '$': shift, '@': ctrl | shift}

// unicodeKey decodes CSI code:shifted:base ; mods:event u.
func (d *decoder) unicodeKey(body string, code, mods int) {
	first, rest, _ := strings.Cut(body, ";")
	if _, event, ok := strings.Cut(rest, ":"); ok && strings.HasPrefix(event, "3") {
		return // the key was let go
	}
	shifted := 0
	if sub := strings.Split(first, ":"); len(sub) > 1 {
		shifted, _ = strconv.Atoi(sub[1])
	}
	d.codedKey(code, shifted, mods)
}

func (d *decoder) codedKey(code, shifted, mods int) {
	if k, ok := coded(code, shifted, mods); ok {
		d.emit(k)
	}
}

// numbers reads "1;5" as 1, 5; of "97:65;2:1" it takes 97 and 2. An empty
// number is 0. ok is false for anything else.
func numbers(body string) (p []int, ok bool) {
	if body == "" {
		return nil, true
	}
	for _, f := range strings.Split(strings.TrimSuffix(body, "$"), ";") {
		f, _, _ = strings.Cut(f, ":")
		n, err := strconv.ParseUint(f, 10, 31)
		if err != nil && f != "" {
			return nil, false
		}
		p = append(p, int(n))
	}
	return p, true
}

// ss3 decodes ESC O x, and ESC O m x as old xterms send it.
func (d *decoder) ss3(b []byte, mods int) {
	if len(b) == 2 {
		d.emit(runeKey('O', true))
		return
	}
	final := b[len(b)-1]
	if m, err := strconv.Atoi(string(b[2 : len(b)-1])); err == nil && m > 0 {
		mods |= m - 1
	}
	switch {
	case final == 'M':
		d.codedKey(codeEnter, 0, mods)
	case final >= 'j' && final <= 'y': // keypad in application mode
		d.codedKey(int("*+,-./0123456789"[final-'j']), 0, mods)
	case final >= 'a' && final <= 'd': // urxvt
		d.emit(letterKeys[final-'a'+'A'].key(mods | ctrl))
	default:
		if f, ok := letterKeys[final]; ok {
			d.emit(f.key(mods))
		}
	}
}

// osc takes the one answer we ask for: the background colour.
func (d *decoder) osc(b []byte) {
	body, ok := bytes.CutPrefix(b, []byte("\x1b]11;"))
	if !ok {
		return
	}
	body = bytes.TrimSuffix(bytes.TrimSuffix(body, []byte("\a")), []byte("\x1b\\"))
	if light, ok := luminance(string(body)); ok {
		d.emit(Background{Dark: light < 0.5})
	}
}

// luminance reads "rgb:rrrr/gggg/bbbb", "rgba:..." or "#rrggbb" as 0 to 1.
func luminance(colour string) (float64, bool) {
	var parts []string
	if hex, ok := strings.CutPrefix(colour, "#"); ok && len(hex)%3 == 0 && hex != "" {
		n := len(hex) / 3
		parts = []string{hex[:n], hex[n : 2*n], hex[2*n:]}
	} else if _, list, ok := strings.Cut(colour, ":"); ok {
		parts = strings.Split(list, "/")
	}
	if len(parts) < 3 {
		return 0, false
	}
	var light float64
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v, err := strconv.ParseUint(parts[i], 16, 16)
		if err != nil {
			return 0, false
		}
		light += weight * float64(v) / float64(uint64(1)<<(4*len(parts[i]))-1)
	}
	return light, true
}

// mouse decodes buttons and the wheel. Motion is not asked for, and dropped.
func (d *decoder) mouse(code, x, y int, release bool) {
	const motion, wheel, extra = 32, 64, 128
	if code < 0 || code&motion != 0 || x < 0 || y < 0 {
		return
	}
	if code&wheel != 0 {
		switch code & 3 {
		case 0:
			d.emit(Wheel{Delta: -1, X: x, Y: y})
		case 1:
			d.emit(Wheel{Delta: 1, X: x, Y: y})
		}
		return
	}
	m := tea.MouseEvent{X: x, Y: y, Shift: code&4 != 0, Alt: code&8 != 0, Ctrl: code&16 != 0}
	switch {
	case code&extra != 0:
		m.Button = tea.MouseButtonBackward + tea.MouseButton(code&3)
	case code&3 == 3: // X10 does not say which button was let go
		release = true
	default:
		m.Button = tea.MouseButtonLeft + tea.MouseButton(code&3)
	}
	m.Action = tea.MouseActionPress
	if release {
		m.Action = tea.MouseActionRelease
	}
	d.emit(tea.MouseMsg(m))
}
