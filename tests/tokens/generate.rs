//! Texts for the counter, the same on every run.

/// A seeded source of strings in which the splitting pattern's corners are frequent.
pub(crate) struct Generator(u64);

/// Characters by what they do to the pattern.
const ALPHABETS: &[&str] = &[
    "abcdefghijklmnopqrstuvwxyz",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "0123456789",
    " ",
    " \t\u{a0}\u{3000}\u{2028}\u{b}\u{85}",
    "\r\n",
    "\n \t",
    "/.,:;!?()[]{}<>\"'`~@#$%^&*-_=+|\\",
    "'sStTrReEvVmMlLdDſK",
    "äöüßéèñçøåÄÖÜÉŠžřğıİœ",
    "абвгдежзийклмнопАБВГДЕ",
    "αβγδεζηθικλμνξοΑΒΓΔ",
    "中文字符编码测试数据库服务器日志错误信息的一是在不了有和人这",
    "日本語のテキストをトークンに分割するカタカナー",
    "한국어텍스트를토큰으로나누기",
    "ابتثجحخدذرزسشصضطظ",
    "हिन्दीपाठकोटोकन",
    "ไทยภาษาข้อความ",
    "😀🚀👩‍💻🇩🇪❤️🏽✅",
    "\u{301}\u{308}\u{20dd}\u{1ab0}\u{e0100}",
    "ǅǈᾈʰˢːªº",
    "٣४५Ⅷ½²①",
    "\0\u{1}\u{7f}\u{ad}\u{200b}\u{fffd}\u{10ffff}\u{e000}\u{378}",
];

/// Words that tokens are made of.
const WORDS: &[&str] = &[
    "error",
    " INFO",
    "request_id",
    "getElementById",
    " the",
    "HTTPServer",
    "XMLHttpRequest",
    "don't",
    " it's",
    "WE'LL",
    "https://",
    "/api/v1/",
    "application/json",
    "  \n\n",
    "\r\n\r\n",
    "        ",
    "\t\t\t",
    "-----",
    "=====",
    "----------------------------------------",
    "...",
    "/* */",
    "//",
    "{\n",
    "});\n",
    "&&",
    "||",
    "0x7f",
    "1234567",
    "2024-05-01T10:00:00Z",
    "f47ac10b-58cc",
    "uuid",
    "null,",
    "true",
    "京",
    "京赛车",
    "彩票",
    "电影",
    "フー",
    "아",
    "人民共和国",
    "データベース",
    "안녕하세요",
    "Привет",
    "مرحبا",
    "שלום",
    "ภาษาไทย",
    "नमस्ते",
];

impl Generator {
    pub(crate) fn new(seed: u64) -> Generator {
        Generator(seed | 1)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 33) % end as u64).expect("below a usize")
    }

    fn of<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    /// A run of characters of one alphabet, of one character, of any character, or a word.
    fn fragment(&mut self, out: &mut String) {
        let alphabet: Vec<char> = self.of(ALPHABETS).chars().collect();
        let n = 1 + self.below(8);
        match self.below(10) {
            0..5 => out.extend((0..n).map(|_| alphabet[self.below(alphabet.len())])),
            5 => {
                let most = if self.below(20) == 0 { 300 } else { 12 };
                let n = 1 + self.below(most);
                let one = alphabet[self.below(alphabet.len())];
                out.extend((0..n).map(|_| one));
            }
            6 => out.extend(
                (0..n).filter_map(|_| char::from_u32(u32::try_from(self.below(0x3000)).ok()?)),
            ),
            7 => out.extend(
                (0..n).filter_map(|_| char::from_u32(u32::try_from(self.below(0x11_0000)).ok()?)),
            ),
            _ => out.push_str(self.of(WORDS)),
        }
    }

    /// A string of one to twelve fragments.
    pub(crate) fn string(&mut self) -> String {
        let mut out = String::new();
        for _ in 0..=self.below(12) {
            self.fragment(&mut out);
        }
        out
    }

    fn repeat(
        &mut self,
        n_bytes: usize,
        mut one: impl FnMut(&mut Generator, &mut String),
    ) -> String {
        let mut out = String::new();
        while out.len() < n_bytes {
            one(self, &mut out);
        }
        out
    }

    fn word(&mut self, alphabet: &str, n: usize) -> String {
        let alphabet: Vec<char> = alphabet.chars().collect();
        (0..n).map(|_| alphabet[self.below(alphabet.len())]).collect()
    }
}

/// Texts of about `n_bytes` each, with names.
pub(crate) fn long_texts(n_bytes: usize) -> Vec<(&'static str, String)> {
    let mut generator = Generator::new(8_128);
    let log = generator.repeat(n_bytes, |generator, out| {
        let (minute, second, ms) = (generator.below(60), generator.below(60), generator.below(1000));
        let level = generator.of(&["INFO", "INFO", "DEBUG", "WARN", "ERROR"]);
        let module = generator.of(&["http.server", "db.pool", "scheduler", "auth.session", "kafka.consumer"]);
        let id = generator.word("0123456789abcdef", 16);
        let text = generator.of(&["request completed", "connection reset by peer", "retrying after backoff", "cache miss for key"]);
        let took = generator.below(5000);
        out.push_str(&format!(
            "2026-03-14T09:{minute:02}:{second:02}.{ms:03}Z {level:5} [{module}] trace={id} {text} in {took}ms path=/api/v2/orders/{ms}\n"
        ));
    });
    let json = generator.repeat(n_bytes, |generator, out| {
        let (id, price) = (generator.below(1_000_000), generator.below(100_000));
        let name = generator.of(&["alpine lamp", "Ceramic Mug", "folding chair", "wool blanket", "Küchenmesser"]);
        let key = generator.word("0123456789abcdefABCDEFGHIJKLMNOPQRSTUVWXYZ", 24);
        out.push_str(&format!(
            "{{\"id\":{id},\"sku\":\"{key}\",\"name\":\"{name}\",\"price\":{}.{:02},\"inStock\":true,\"tags\":[\"home\",\"sale\"],\"meta\":null}},\n",
            price / 100,
            price % 100
        ));
    });
    let code = generator.repeat(n_bytes, |generator, out| {
        let name = generator.of(&["parseHeader", "read_config", "TokenStream", "MAX_RETRIES", "handleRequest"]);
        let other = generator.of(&["buffer", "idx", "self.state", "ctx", "HashMap<String, Vec<u8>>"]);
        let number = generator.below(300);
        let indent = " ".repeat(4 * generator.below(6));
        out.push_str(&format!(
            "{indent}if {other}.len() > {number} && !{name}(&{other}[..{number}]) {{\n{indent}    return Err(Error::{name}({other})); // didn't fit\n{indent}}}\n"
        ));
    });
    let space = generator.repeat(n_bytes, |generator, out| {
        let n = 1 + generator.below(40);
        match generator.below(4) {
            0 => out.push_str(&"\t".repeat(n / 4)),
            1 => out.push_str(&"\n".repeat(1 + n / 10)),
            _ => out.push_str(&" ".repeat(n)),
        }
        if generator.below(3) == 0 {
            out.push_str(generator.of(&["x", "}", "end", "1"]));
        }
    });
    let cjk = generator.repeat(n_bytes, |generator, out| {
        let n = 4 + generator.below(20);
        let alphabet = ALPHABETS[12 + generator.below(3)];
        let text = generator.word(alphabet, n);
        out.push_str(&text);
        out.push_str(generator.of(&["，", "。", "、", "\n", " ", "！", "「", "2026年", "API"]));
    });
    let emoji = generator.repeat(n_bytes, |generator, out| {
        let n = 1 + generator.below(3);
        out.push_str(&generator.word("😀🚀👩‍💻🇩🇪❤️🏽✅🔥⭐", n));
        out.push_str(generator.of(&[" done ", "\n", " passed: ", ""]));
    });
    vec![
        ("logs", log),
        ("json", json),
        ("code", code),
        ("whitespace", space),
        ("cjk", cjk),
        ("emoji", emoji),
    ]
}

/// One megabyte of what makes counters slow.
pub(crate) fn hostile(n_bytes: usize) -> Vec<(&'static str, String)> {
    let mut generator = Generator::new(496);
    let one = |character: char| character.to_string().repeat(n_bytes / character.len_utf8());
    let unicode = generator.repeat(n_bytes, |generator, out| {
        out.extend(u32::try_from(generator.below(0x11_0000)).ok().and_then(char::from_u32));
    });
    let letters = generator.repeat(n_bytes, |generator, out| {
        let word = generator.word("abcdefghijklmnopqrstuvwxyz", 64);
        out.push_str(&word);
    });
    let han = generator.repeat(n_bytes, |generator, out| {
        out.extend(u32::try_from(0x4E00 + generator.below(0x5000)).ok().and_then(char::from_u32));
    });
    vec![
        ("one letter", one('a')),
        ("one capital", one('A')),
        ("spaces", one(' ')),
        ("line breaks", one('\n')),
        ("one CJK character", one('中')),
        ("one punctuation", one('=')),
        ("one combining mark", one('\u{301}')),
        ("one emoji", one('😀')),
        ("one word of random letters", letters),
        ("one word of random Han", han),
        ("random Unicode", unicode),
    ]
}
