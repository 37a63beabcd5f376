package match

import (
	"bytes"
	"strings"
	"testing"

	"aye/tools/text"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// A variant is a kind of file: five lines in an encoding, with line ends.
type variant struct {
	name  string
	enc   encoding.Encoding // nil: the bytes are the lines' own
	mark  string            // the byte order mark
	lines [5]string
	ends  [5]string
	word  [2]string // of line 2, and what takes its place
	want  string    // the name of the encoding
}

func all(end string) [5]string { return [5]string{end, end, end, end, end} }

var (
	english  = [5]string{"alpha = 1", "beta = 2 // second", "gamma = 3", "", "omega"}
	european = [5]string{"# Größe: 5 µm", "café = 'crème brûlée'", "naïve = «ça»", "", "fin de l'été"}
	chinese  = [5]string{"# 这是一个测试文件", "名称 = \"中文编码\"", "return 错误信息", "", "// 结束。"}
	nihongo  = [5]string{"# これはテストです", "名前 = \"日本語の文字\"", "return エラー", "", "// おわり。"}
	hangul   = [5]string{"# 이것은 시험 파일입니다", "이름 = \"한국어 문자\"", "return 오류", "", "// 끝입니다."}
	emoji    = [5]string{"# 😀 smile", "face = \"👍🏽\"", "𝒳 = 1", "", "é中"}

	lf, crlf, cr = all("\n"), all("\r\n"), all("\r")
	utf16le      = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	utf16be      = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
)

const markLE, markBE = "\xff\xfe", "\xfe\xff"

var variantsOfFiles = []variant{
	{"ASCII", nil, "", english, lf, [2]string{"second", "2nd"}, "UTF-8"},
	{"UTF-8", nil, "", chinese, lf, [2]string{"编码", "字🙂"}, "UTF-8"},
	{"UTF-8 with BOM", nil, text.BOM, european, lf, [2]string{"crème", "œuf"}, "UTF-8 with BOM"},
	{"UTF-8 with BOM, CRLF", nil, text.BOM, european, crlf, [2]string{"crème", "œuf"}, "UTF-8 with BOM"},
	{"UTF-8, CRLF", nil, "", european, crlf, [2]string{"crème", "œuf"}, "UTF-8"},
	{"UTF-8, CR", nil, "", emoji, cr, [2]string{"👍🏽", "👎"}, "UTF-8"},
	{"UTF-8, mixed ends", nil, "", chinese, [5]string{"\n", "\r\n", "\r\n", "\r", "\n"}, [2]string{"编码", "x"}, "UTF-8"},
	{"UTF-8, no final newline", nil, "", hangul, [5]string{"\n", "\n", "\n", "\n", ""}, [2]string{"한국어", "영어"}, "UTF-8"},
	{"UTF-8 with wrong bytes", nil, "", [5]string{"# é \xe9", "naïve = ok", "caf\xe9 crème", "\x80", "été"}, lf, [2]string{"ok", "où"}, "UTF-8"},
	{"UTF-16LE", utf16le, markLE, european, lf, [2]string{"crème", "中"}, "UTF-16LE with BOM"},
	{"UTF-16LE, CRLF", utf16le, markLE, chinese, crlf, [2]string{"编码", "code"}, "UTF-16LE with BOM"},
	{"UTF-16LE, surrogate pairs", utf16le, markLE, emoji, lf, [2]string{"👍🏽", "👎"}, "UTF-16LE with BOM"},
	{"UTF-16BE", utf16be, markBE, nihongo, lf, [2]string{"文字", "x"}, "UTF-16BE with BOM"},
	{"UTF-16BE, surrogate pairs, CRLF", utf16be, markBE, emoji, crlf, [2]string{"👍🏽", "𝒴"}, "UTF-16BE with BOM"},
	{"GB18030, two bytes", simplifiedchinese.GB18030, "", chinese, lf, [2]string{"编码", "文字"}, "GB18030"},
	{"GB18030, four bytes", simplifiedchinese.GB18030, "", [5]string{"# 测试 ༀ", "名称 = \"ᠮᠣᠩ😀\"", "return 错误 ཀ", "", "// 结束。"}, lf, [2]string{"ᠮᠣᠩ", "ç👍"}, "GB18030"},
	{"GB18030, CRLF", simplifiedchinese.GB18030, "", chinese, crlf, [2]string{"编码", "文字"}, "GB18030"},
	{"Shift-JIS", japanese.ShiftJIS, "", nihongo, lf, [2]string{"文字", "名前"}, "Shift-JIS"},
	{"Shift-JIS, backslash as second byte", japanese.ShiftJIS, "", [5]string{"# 表示する", "表 = \"ソース能力\"", "return \\表\\", "", "十申"}, crlf, [2]string{"ソース", "表示"}, "Shift-JIS"},
	{"Shift-JIS, halfwidth kana", japanese.ShiftJIS, "", [5]string{"# これはﾃｽﾄです", "ﾅﾏｴ = \"ﾆﾎﾝｺﾞの文字\"", "return ｴﾗｰです", "", "ｵﾜﾘ"}, lf, [2]string{"ﾆﾎﾝｺﾞ", "ｶﾅ"}, "Shift-JIS"},
	{"EUC-JP", japanese.EUCJP, "", nihongo, lf, [2]string{"文字", "ﾓｼﾞ"}, "EUC-JP"},
	{"EUC-KR", korean.EUCKR, "", hangul, crlf, [2]string{"한국어", "영어"}, "EUC-KR"},
	{"Big5", traditionalchinese.Big5, "", [5]string{"# 這是一個測試檔案", "名稱 = \"中文編碼\"", "return 功能錯誤", "", "// 結束。"}, lf, [2]string{"編碼", "許功蓋"}, "Big5"},
	{"Latin-1", charmap.ISO8859_1, "", european, lf, [2]string{"crème", "pâté"}, "Windows-1252"},
	{"Windows-1252, quotes", charmap.Windows1252, "", [5]string{"# “quoted” — it’s", "price = ‘5 €’", "œuvre…", "", "end™"}, crlf, [2]string{"5 €", "“6” €"}, "Windows-1252"},
}

// bytes are the bytes of s in a file of the variant, by the encoder that is
// not under test.
func (v variant) bytes(t *testing.T, s string) string {
	t.Helper()
	if v.enc == nil {
		return s
	}
	b, err := v.enc.NewEncoder().String(s)
	if err != nil {
		t.Fatalf("%s: %q: %v", v.name, s, err)
	}
	return b
}

// join is lines [from, to) with their ends.
func (v variant) join(from, to int) string {
	var b strings.Builder
	for n := from; n < to; n++ {
		b.WriteString(v.lines[n] + v.ends[n])
	}
	return b.String()
}

// An edit of a variant: what stands before and after the place, and what comes
// into it, as it must be in the file. old and new are what the model says.
type edit struct {
	name               string
	before, old, after string
	new, put           string
}

func (v variant) edits() []edit {
	head, tail, _ := strings.Cut(v.lines[1], v.word[0])
	rest := v.join(2, 5)
	two := v.ends[1]
	insert := strings.ReplaceAll(v.word[1], `"`, "")
	first, _, _ := strings.Cut(v.lines[0], " ")
	return []edit{
		{"a word", v.lines[0] + v.ends[0] + head, v.word[0], tail + v.ends[1] + rest, v.word[1], v.word[1]},
		{"lines become more", v.join(0, 1), v.lines[1] + "\n", rest, v.lines[1] + "\n" + insert + "\nx\n", v.lines[1] + two + insert + two + "x" + two},
		{"a line goes", v.join(0, 1), v.lines[1] + "\n", rest, "", ""},
		{"at the beginning", "", first, v.lines[0][len(first):] + v.ends[0] + v.join(1, 5), insert + " " + first, insert + " " + first},
		{"at the end", v.join(0, 4), v.lines[4], v.ends[4], v.lines[4] + "!" + insert, v.lines[4] + "!" + insert},
	}
}

// Every byte outside an edit is the file's own, in every encoding, and what
// is inside is what that encoding has for it.
func TestEncodingsByEdits(t *testing.T) {
	t.Parallel()
	count := 0
	for _, v := range variantsOfFiles {
		for _, e := range v.edits() {
			count++
			name := v.name + ", " + e.name
			file := []byte(v.mark + v.bytes(t, v.join(0, 5)))
			kept := bytes.Clone(file)
			doc, err := text.Decode(file)
			if err != nil || doc.Encoding().Name() != v.want || doc.Text() != v.join(0, 5) {
				t.Errorf("%s: decoded as %v %q, %v", name, doc.Encoding(), doc.Text(), err)
				continue
			}
			found, err := Replace(doc.Bytes(), e.old, e.new)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			got, err := doc.Splice(found.Start, found.End, string(found.New))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			want := v.mark + v.bytes(t, e.before) + v.bytes(t, e.put) + v.bytes(t, e.after)
			if string(got) != want {
				t.Errorf("%s: got\n%q, want\n%q", name, got, want)
			}
			if after, err := text.Decode(got); err != nil || after.Encoding().Name() != v.want {
				t.Errorf("%s: after it the file is taken for %v, %v", name, after.Encoding(), err)
			}
			if !bytes.Equal(file, kept) {
				t.Errorf("%s: the file's bytes in memory changed", name)
			}
		}
	}
	if count < 100 {
		t.Errorf("%d edits, want at least 20 encodings by 5", count)
	}
	t.Logf("%d variants, %d edits compared byte for byte", len(variantsOfFiles), count)
}
