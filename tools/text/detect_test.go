package text

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// Texts as they stand in files of programs: code with a comment or a string.
var samples = map[string]struct {
	enc   encoding.Encoding
	texts []string
}{
	"GB18030": {simplifiedchinese.GB18030, []string{
		"编码", "// 返回用户名称", "# 读取配置文件，默认为空。", "msg = \"文件不存在\"", "姓名,年龄,城市", "// 初始化", "😀 x", "日期：2020年1月1日",
	}},
	"Shift-JIS": {japanese.ShiftJIS, []string{
		"日本語", "// ユーザー名を返す", "# 設定ファイルを読み込む。", "msg = \"ファイルが存在しません\"", "名前,年齢", "表示", "ソース", "テスト",
	}},
	"EUC-JP": {japanese.EUCJP, []string{
		"日本語", "// ユーザー名を返す", "# 設定ファイルを読み込む。", "msg = \"ファイルが存在しません\"", "これはテスト",
	}},
	"EUC-KR": {korean.EUCKR, []string{
		"// 사용자 이름을 반환한다", "# 설정 파일을 읽습니다.", "msg = \"파일이 없습니다\"", "한국어 문서입니다",
	}},
	"Big5": {traditionalchinese.Big5, []string{
		"編碼方式", "// 傳回使用者名稱", "# 讀取設定檔，預設為空。", "msg = \"檔案不存在\"", "許功蓋",
	}},
	"Windows-1252": {charmap.Windows1252, []string{
		"don’t", "it’s", "“Hello”", "say “yes” or “no”", "naïve", "für", "GRÖSSE", "½ cup", "5 µm", "25°C", "© 2020", "£5 and £6", "señor",
		"Ångström", "x²", "«oui»", "œuvre", "déjà vu", "façade", "créée", "Ünïcödé", "1–2 — 3", "wait…", "• item", "Straße", "ação", "mañana",
	}},
}

func TestDetectTellsLegacyEncodingsApart(t *testing.T) {
	t.Parallel()
	for want, s := range samples {
		for _, line := range s.texts {
			raw, err := s.enc.NewEncoder().String("x := 1 " + line + "\nreturn x\n")
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			got, err := Detect([]byte(raw), true)
			if err != nil || got.Name() != want {
				t.Errorf("%q in %s is taken for %v, %v", line, want, got, err)
			}
		}
	}
}

func TestDetect(t *testing.T) {
	t.Parallel()
	far := strings.Repeat("x", 100_000)
	gb := strings.Repeat("\xb1\xe0\xc2\xeb\xa3\xac\xce\xc4\xbc\xfe\xa1\xa3\n", 4000)
	for _, tt := range []struct{ name, in, want, err string }{
		{"empty", "", "UTF-8", ""},
		{"ASCII", "plain\n", "UTF-8", ""},
		{"UTF-8", "é", "UTF-8", ""},
		{"mark alone", BOM, "UTF-8 with BOM", ""},
		{"UTF-16 mark alone", "\xff\xfe", "UTF-16LE with BOM", ""},
		{"UTF-16 cut", "\xff\xfea", "", "broken UTF-16LE with BOM"},
		{"UTF-16, half a pair", "\xfe\xff\xd8\x00\x00a", "", "half a character at byte 2"},
		{"UTF-16 with NUL", "\xff\xfea\x00\x00\x00", "", "binary"},
		{"UTF-32", "\xff\xfe\x00\x00a\x00\x00\x00", "", "UTF-32"},
		{"UTF-32, big endian", "\x00\x00\xfe\xff\x00\x00\x00a", "", "UTF-32"},
		{"NUL", "a\x00b", "", "is binary: a NUL byte at 1"},
		{"one wrong byte in UTF-8", "é é é é \xe9\n", "UTF-8", ""},
		{"as many wrong as right", "é \xe9\n", "UTF-8", ""},
		{"UTF-8 cut at the end", "中文\xe4\xb8", "UTF-8", ""},
		{"undefined in Windows-1252", "a\x81b\n", "UTF-8", ""},
		{"control characters", "caf\xe9 \x01\n", "UTF-8", ""},
		{"Cyrillic, which is not told", "\xcf\xf0\xe8\xe2\xe5\xf2\n", "Windows-1252", ""},
		{"far from the beginning", far + "\xb1\xe0\xc2\xeb\n", "GB18030", ""},
		{"a wrong byte behind the sample", gb + "\xff\n", "GB18030", ""},
		{"a wrong byte in the sample", "\xb1\xe0\xc2\xeb\xff\n", "Windows-1252", ""},
	} {
		got, err := Detect([]byte(tt.in), true)
		switch {
		case tt.err == "" && (err != nil || got.Name() != tt.want):
			t.Errorf("%s: %v, %v, want %s", tt.name, got, err, tt.want)
		case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)):
			t.Errorf("%s: %v, %v, want an error with %q", tt.name, got, err, tt.err)
		}
	}
}

// A character that is cut where the bytes end is none that is wrong.
func TestDetectOfABeginning(t *testing.T) {
	t.Parallel()
	for _, whole := range []string{"é中😀\n", "\xb1\xe0\xc2\xeb\xa3\xac\xce\xc4\n", "\xff\xfe\x3d\xd8\x00\xde", "caf\xe9\n"} {
		want, err := Detect([]byte(whole), true)
		if err != nil {
			t.Fatal(err)
		}
		for n := 5; n < len(whole); n++ {
			if got, err := Detect([]byte(whole[:n]), false); err != nil || got != want {
				t.Errorf("%q: %v, %v, want %v", whole[:n], got, err, want)
			}
		}
	}
}

// Reading on behind a contradiction: it is shown, and the rest is text.
func TestADecoderGoesOnBehindAWrongByte(t *testing.T) {
	t.Parallel()
	gb := strings.Repeat("\xb1\xe0\xc2\xeb\xa3\xac\xce\xc4\xbc\xfe\xa1\xa3\n", 4000)
	d, err := NewDecoder(strings.NewReader(gb + "\xff\xb1\xe0\n"))
	if err != nil {
		t.Fatal(err)
	}
	s := NewScanner(d, 100)
	if n, err := s.Skip(4000); n != 4000 || err != nil {
		t.Fatalf("skipped %d, %v", n, err)
	}
	line, err := s.Next()
	if shown, _ := Show(line.Head); shown != `\xFF编` || err != nil || d.Encoding().Name() != "GB18030" {
		t.Errorf("%q, %v in %v", shown, err, d.Encoding())
	}
}

func TestDecoderReportsAFailingReader(t *testing.T) {
	t.Parallel()
	want := "é\n\xb1"
	d, err := NewDecoder(&failing{strings.NewReader(want)})
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if _, err := got.ReadFrom(d); err != errBroken || got.String() != want {
		t.Errorf("read %q, %v", got.String(), err)
	}
}

// BenchmarkDetect on text in UTF-8, against the least that has to be done.
func BenchmarkDetect(b *testing.B) {
	for name, line := range map[string]string{"ASCII": "x := 1 // plain\n", "UTF-8": "x := 1 // é中\n", "GB18030": "x := 1 // \xb1\xe0\xc2\xeb\n"} {
		b.Run(name, func(b *testing.B) {
			data := bytes.Repeat([]byte(line), 1<<20/len(line))
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := Detect(data, true); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
