//! The lexical scan (section 2 of the language): text to tokens, comments and line ends included.
//!
//! The grammar reads the text by itself; the tokens decide layout, and they say what was found where it cannot go on.
//! Malformed numbers, unclosed strings and characters without a meaning are reported here.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Span};

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or keyword.
    Word,
    /// An integer, decimal or chip count.
    Number,
    /// A string with its quotes.
    String,
    /// An operator or a punctuation mark, `;` and brackets not among them.
    Symbol,
    /// `(`, `[` or `{`.
    Open,
    /// `)`, `]` or `}`.
    Close,
    /// A line end that has not been joined with the next line.
    Newline,
    /// `;`
    Semicolon,
    /// `// …`
    Comment,
    /// `/// …`
    Doc,
    /// Something that has no meaning; it has been reported.
    Bad,
}

/// A piece of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Its first byte.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
}

impl Token {
    /// The part of `source` that the token covers.
    pub fn text<'s>(&self, source: &'s str) -> &'s str {
        &source[self.start as usize..self.end as usize]
    }
}

/// The words that cannot be names.
pub const KEYWORDS: [&str; 27] = [
    "after", "alice", "and", "at", "blue", "bob", "check", "else", "false", "for", "game", "graph", "if", "in", "left",
    "let", "not", "or", "red", "right", "rules", "show", "test", "then", "true", "use", "using",
];

/// The symbols of more than one character, longest first, and those that other languages use and this one reports.
const LONG_SYMBOLS: [&str; 18] =
    ["<->", "->", "==", "!=", "<=", ">=", "/\\", "||", "++", "+=", "-=", "..", ":=", "&&", "=>", "=<", "<>", "**"];

/// The symbols of one character.
const SYMBOLS: &str = "+-*/%^~=<>,:|∧≤≥≡≢≠∥−×·";

/// How many digits a number may have when it is written out.
const MAX_DIGITS: usize = 10_000;

/// The text as tokens, with a diagnostic for each that is malformed.
pub fn scan(text: &str, source: SourceId) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut scanner = Scanner { text, source, at: 0, tokens: Vec::with_capacity(text.len() / 3), diagnostics: vec![] };
    while scanner.at < text.len() {
        scanner.token();
    }
    (scanner.tokens, scanner.diagnostics)
}

struct Scanner<'s> {
    text: &'s str,
    source: SourceId,
    at: usize,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

/// Whether the character may stand inside a word.
pub fn is_word_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '\'' || c.is_alphabetic()
}

impl<'s> Scanner<'s> {
    fn rest(&self) -> &'s str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, accept: impl Fn(char) -> bool) -> usize {
        let length = self.rest().find(|c| !accept(c)).unwrap_or(self.rest().len());
        self.at += length;
        length
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        let narrow = |byte: usize| u32::try_from(byte).expect("sources are shorter than 4 GiB");
        self.tokens.push(Token { kind, start: narrow(start), end: narrow(self.at) });
    }

    fn report(&mut self, code: Code, start: usize, message: &str, label: String, help: Option<String>) {
        let span = Span::new(self.source, start..self.at);
        self.diagnostics.push(Diagnostic::new(code, message).label(span, label).maybe_help(help));
    }

    fn token(&mut self) {
        let start = self.at;
        let Some(first) = self.peek() else { return };
        match first {
            '\n' => self.single(TokenKind::Newline, first),
            ';' => self.single(TokenKind::Semicolon, first),
            '(' | '[' | '{' => self.single(TokenKind::Open, first),
            ')' | ']' | '}' => self.single(TokenKind::Close, first),
            '"' => self.string(),
            '“' | '”' | '„' => self.curly_string(),
            '0'..='9' => self.number(),
            _ if self.rest().starts_with("//") => self.comment(),
            _ if is_blank(first) => self.at += first.len_utf8(),
            _ if first.is_alphabetic() => {
                self.eat(|c| is_word_part(c) && c != '\'');
                self.eat(|c| c == '\'');
                self.push(TokenKind::Word, start);
            }
            _ => self.symbol(first),
        }
    }

    fn single(&mut self, kind: TokenKind, c: char) {
        let start = self.at;
        self.at += c.len_utf8();
        self.push(kind, start);
    }

    fn comment(&mut self) {
        let start = self.at;
        let is_doc = self.rest().starts_with("///") && !self.rest().starts_with("////");
        let on_its_own = self.line_so_far(start).is_empty();
        self.eat(|c| c != '\n');
        self.push(if is_doc && on_its_own { TokenKind::Doc } else { TokenKind::Comment }, start);
    }

    fn line_so_far(&self, end: usize) -> &'s str {
        self.text[..end].rsplit('\n').next().unwrap_or("").trim_start_matches(is_blank)
    }

    fn symbol(&mut self, first: char) {
        let start = self.at;
        if let Some(long) = LONG_SYMBOLS.iter().find(|long| self.rest().starts_with(**long)) {
            self.at += long.len();
            return self.push(TokenKind::Symbol, start);
        }
        self.at += first.len_utf8();
        if SYMBOLS.contains(first) {
            return self.push(TokenKind::Symbol, start);
        }
        self.stray(first, start);
    }

    /// A character that the language does not use. After `#` the line is taken for a comment.
    fn stray(&mut self, first: char, start: usize) {
        let help = match first {
            '#' => Some("a comment starts with `//`"),
            '!' => Some("`not c` negates a condition, `a != b` compares"),
            '&' => Some("write `and`"),
            '\\' => Some("the wedge of two games is written `G ∧ H` or `G /\\ H`"),
            '…' => Some("write a range with two dots: `1..n`"),
            '_' => Some("names start with a letter"),
            '.' if self.peek().is_some_and(|c| c.is_ascii_digit()) => Some("write a zero before the point: `0.5`"),
            '.' if self.line_so_far(start).starts_with("use ") => Some("a path stands in quotation marks"),
            '.' => Some("write a range with two dots: `1..n`"),
            '\'' | '‘' | '’' | '`' => Some("a string stands between `\"` and `\"`"),
            '→' => Some("write `->`"),
            '↔' => Some("write `<->`"),
            '∈' => Some("write `in`"),
            '¬' => Some("write `not`"),
            '∨' => Some("write `or`"),
            '÷' => Some("write `/`"),
            _ => None,
        };
        match first {
            '#' => self.eat(|c| c != '\n'),
            '.' => self.eat(|c| c.is_ascii_digit() || c == '.'),
            '_' => self.eat(is_word_part),
            _ => 0,
        };
        self.push(TokenKind::Bad, start);
        let shown = if first.is_control() { first.escape_unicode().to_string() } else { first.to_string() };
        let message = format!("`{shown}` has no meaning here");
        self.at = start + first.len_utf8();
        self.report(
            Code::Syntax,
            start,
            &message,
            "this character is not part of the language".into(),
            help.map(Into::into),
        );
        self.at = self.tokens.last().map_or(self.at, |token| token.end as usize);
    }

    fn string(&mut self) {
        let start = self.at;
        self.at += 1;
        loop {
            self.eat(|c| !matches!(c, '"' | '\\' | '\n'));
            match self.peek() {
                Some('"') => {
                    self.at += 1;
                    return self.push(TokenKind::String, start);
                }
                Some('\\') => self.escape(),
                _ => break,
            }
        }
        self.push(TokenKind::Bad, start);
        let help = "add `\"` where it ends; a line break inside a string is written `\\n`";
        self.at = start + 1;
        self.report(
            Code::UnclosedString,
            start,
            "this string is never closed",
            "it starts here".into(),
            Some(help.into()),
        );
        self.at = self.tokens.last().map_or(self.at, |token| token.end as usize);
    }

    fn escape(&mut self) {
        let start = self.at;
        self.at += 1;
        let Some(c) = self.peek().filter(|&c| c != '\n') else { return };
        self.at += c.len_utf8();
        if !matches!(c, '"' | '\\' | 'n') {
            let message = format!("`\\{c}` is not an escape");
            let help = "the escapes are `\\\"`, `\\\\` and `\\n`; a backslash itself is written `\\\\`";
            self.report(Code::Syntax, start, &message, "in this string".into(), Some(help.into()));
        }
    }

    /// A string between typographic quotation marks, as word processors make them.
    fn curly_string(&mut self) {
        let start = self.at;
        self.at += self.peek().map_or(0, char::len_utf8);
        self.eat(|c| !matches!(c, '"' | '“' | '”' | '\n'));
        let inside = self.text[start..self.at].chars().skip(1).collect::<String>();
        if let Some(close) = self.peek().filter(|&c| c != '\n') {
            self.at += close.len_utf8();
        }
        self.push(TokenKind::Bad, start);
        let help = format!("write \"{}\"", inside.trim_end());
        self.report(
            Code::Syntax,
            start,
            "a string needs straight quotation marks",
            "these are typographic ones".into(),
            Some(help),
        );
    }

    fn number(&mut self) {
        let start = self.at;
        self.eat(|c| c.is_ascii_digit());
        let integer_end = self.at;
        if let Some(mistake) = self.fraction_and_exponent() {
            return self.malformed(start, mistake.0, mistake.1);
        }
        if self.at == integer_end && self.chip_suffix() {
            return self.finish_number(start);
        }
        if self.peek().is_some_and(is_word_part) {
            let number = &self.text[start..self.at];
            let length = self.eat(is_word_part);
            let word = &self.text[self.at - length..self.at];
            let help = if word.starts_with('_') {
                format!("digits are not grouped: write `{number}{}`", word.replace('_', ""))
            } else {
                format!("a product is written `{number}*{word}`; a name starts with a letter")
            };
            return self.malformed(start, "a number cannot be followed by letters", help);
        }
        self.finish_number(start);
    }

    /// Accepts a fraction and an exponent, or says what is wrong with them.
    fn fraction_and_exponent(&mut self) -> Option<(&'static str, String)> {
        let whole = self.at;
        let digits = self.digits_before(whole);
        let rest = self.rest();
        if rest.starts_with('.') && !rest.starts_with("..") {
            self.at += 1;
            if self.eat(|c| c.is_ascii_digit()) == 0 {
                return Some(("a decimal point needs digits after it", format!("write `{digits}` or `{digits}.0`")));
            }
            if self.rest().starts_with('.') && !self.rest().starts_with("..") {
                self.eat(|c| c.is_ascii_digit() || c == '.');
                return Some(("a number has one decimal point at most", "write a range with two dots: `1..4`".into()));
            }
        }
        if !self.rest().starts_with(['e', 'E']) {
            return None;
        }
        let after = &self.rest()[1..];
        let signed = after.strip_prefix(['+', '-']).unwrap_or(after);
        if signed.starts_with(|c: char| c.is_ascii_digit()) {
            self.at += self.rest().len() - signed.len();
            self.eat(|c| c.is_ascii_digit());
            return None;
        }
        if after.starts_with(is_word_part) {
            return None;
        }
        self.at += self.rest().len() - signed.len();
        Some(("an exponent needs digits after the `e`", format!("write `{digits}` or `{digits}e-3`")))
    }

    fn digits_before(&self, end: usize) -> &'s str {
        let head = &self.text[..end];
        let start = head
            .rfind(|c: char| !c.is_ascii_digit())
            .map_or(0, |i| i + head[i..].chars().next().map_or(1, char::len_utf8));
        &head[start..]
    }

    /// The `*` of `4*` or the `-ε` of `3-ε`, if it is one.
    fn chip_suffix(&mut self) -> bool {
        let rest = self.rest();
        if let Some(after) = rest.strip_prefix('*')
            && !after.starts_with(|c| is_word_part(c) || c == '(')
        {
            self.at += 1;
            return true;
        }
        for suffix in ["-ε", "-eps", "−ε", "−eps"] {
            if rest.strip_prefix(suffix).is_some_and(|after| !after.starts_with(is_word_part)) {
                self.at += suffix.len();
                return true;
            }
        }
        false
    }

    fn finish_number(&mut self, start: usize) {
        let text = &self.text[start..self.at];
        let exponent = text.split_once(['e', 'E']).map_or(Ok(0), |(_, exponent)| exponent.parse::<i32>());
        let too_long = text.len() > MAX_DIGITS || exponent.map_or(true, |e| e.unsigned_abs() as usize > MAX_DIGITS);
        if too_long && !text.ends_with("eps") {
            let help = "write large numbers as powers, such as `10^20000`".into();
            return self.malformed(start, "a number may have 10,000 digits at most", help);
        }
        if text.ends_with('*') && self.rest().starts_with('*') {
            self.at += 1;
            let base = text.trim_end_matches('*');
            return self.malformed(start, "`**` is not an operator", format!("a power is written `{base}^n`"));
        }
        self.push(TokenKind::Number, start);
    }

    fn malformed(&mut self, start: usize, what: &str, help: String) {
        self.push(TokenKind::Bad, start);
        let text = &self.text[start..self.at];
        let shown = if text.len() > 40 { "this" } else { &format!("`{text}`") };
        let message = format!("{shown} is not a number");
        self.report(Code::BadLiteral, start, &message, what.into(), Some(help));
    }
}

/// White space other than the line end; a byte-order mark too.
fn is_blank(c: char) -> bool {
    c != '\n' && (c.is_whitespace() || c == '\u{feff}')
}
