package texttest

import (
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// A Variant is a kind of file: five lines in an encoding, with line ends.
type Variant struct {
	Name     string
	enc      encoding.Encoding // nil: the bytes are the lines' own
	Mark     string            // the byte order mark
	Lines    [5]string
	Ends     [5]string
	word     [2]string // of line 2, and what takes its place
	Encoding string    // what it is called
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

const bom, markLE, markBE = "\ufeff", "\xff\xfe", "\xfe\xff"

// Variants are more than twenty.
var Variants = []Variant{
	{"ASCII", nil, "", english, lf, [2]string{"second", "2nd"}, "UTF-8"},
	{"UTF-8", nil, "", chinese, lf, [2]string{"编码", "字🙂"}, "UTF-8"},
	{"UTF-8 with BOM", nil, bom, european, lf, [2]string{"crème", "œuf"}, "UTF-8 with BOM"},
	{"UTF-8 with BOM, CRLF", nil, bom, european, crlf, [2]string{"crème", "œuf"}, "UTF-8 with BOM"},
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

// Bytes are the bytes of s in a file of the variant, by the encoder that is not
// under test.
func (v Variant) Bytes(s string) (string, error) {
	if v.enc == nil {
		return s, nil
	}
	return v.enc.NewEncoder().String(s)
}

// Text is lines [from, to) with their ends.
func (v Variant) Text(from, to int) string {
	var b strings.Builder
	for n := from; n < to; n++ {
		b.WriteString(v.Lines[n] + v.Ends[n])
	}
	return b.String()
}

// File is the whole file as it lies on the disk.
func (v Variant) File() (string, error) {
	content, err := v.Bytes(v.Text(0, len(v.Lines)))
	return v.Mark + content, err
}

// An Edit of a variant: Old and New are what a model says, Put is what comes
// between what stands before and after the place, with line ends as the file
// has them.
type Edit struct {
	Name               string
	Before, Old, After string
	New, Put           string
}

// Edited is the whole file after e.
func (v Variant) Edited(e Edit) (string, error) {
	content, err := v.Bytes(e.Before + e.Put + e.After)
	return v.Mark + content, err
}

// Insert is a word that the encoding has, and the file has not.
func (v Variant) Insert() string { return strings.ReplaceAll(v.word[1], `"`, "") }

// Edits are five of them.
func (v Variant) Edits() []Edit {
	head, tail, _ := strings.Cut(v.Lines[1], v.word[0])
	rest := v.Text(2, 5)
	two := v.Ends[1]
	insert := v.Insert()
	first, _, _ := strings.Cut(v.Lines[0], " ")
	return []Edit{
		{"a word", v.Lines[0] + v.Ends[0] + head, v.word[0], tail + v.Ends[1] + rest, v.word[1], v.word[1]},
		{"lines become more", v.Text(0, 1), v.Lines[1] + "\n", rest, v.Lines[1] + "\n" + insert + "\nx\n", v.Lines[1] + two + insert + two + "x" + two},
		{"a line goes", v.Text(0, 1), v.Lines[1] + "\n", rest, "", ""},
		{"at the beginning", "", first, v.Lines[0][len(first):] + v.Ends[0] + v.Text(1, 5), insert + " " + first, insert + " " + first},
		{"at the end", v.Text(0, 4), v.Lines[4], v.Ends[4], v.Lines[4] + "!" + insert, v.Lines[4] + "!" + insert},
	}
}
