//! The lexical scanner (the heading "Chips and values" in the page of the language). It splits text
//! into tokens, comments and line ends included.
//!
//! The grammar reads the text by itself. The tokens determine the layout, and messages name the
//! token at which the grammar cannot continue. Malformed numbers, unclosed strings and characters
//! without a meaning are reported here.

mod number;

use crate::diagnostic::{Code, Diagnostic, Findings, Fix, Help, lookalike};
use crate::source::{SourceId, Span};

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or keyword.
    Word,
    /// An integer, decimal or chip count.
    Number,
    /// A string with its quotes.
    String,
    /// An operator or a punctuation mark, except `;` and brackets.
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
    /// A text without a meaning, which has been reported.
    Bad,
}

/// A piece of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// The kind.
    pub kind: TokenKind,
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Token {
    /// Returns the part of `source` that the token covers.
    pub fn text<'s>(&self, source: &'s str) -> &'s str {
        &source[self.start as usize..self.end as usize]
    }
}

/// The symbols of more than one character, longest first. Some belong to other languages and are
/// reported here.
const LONG_SYMBOLS: [&str; 19] = [
    "<->", "+/-", "->", "==", "!=", "<=", ">=", "/\\", "||", "++", "+=", "-=", "..", ":=", "&&",
    "=>", "=<", "<>", "**",
];

/// The symbols of one character.
const SYMBOLS: &str = "+-*/%^~=<>,:|∧≤≥≡≢≠∥−×·±";

/// Splits the text into tokens, with a diagnostic for each malformed one.
pub fn scan(text: &str, source: SourceId) -> (Vec<Token>, Findings) {
    let mut scanner = Scanner {
        text,
        source,
        at: 0,
        tokens: Vec::with_capacity(text.len() / 3),
        diagnostics: Findings::default(),
    };
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
    diagnostics: Findings,
}

/// Returns `true` if the character may stand inside a word.
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
        let length = self
            .rest()
            .find(|c| !accept(c))
            .unwrap_or(self.rest().len());
        self.at += length;
        length
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        let narrow = |byte: usize| u32::try_from(byte).expect("sources are shorter than 4 GiB");
        self.tokens.push(Token {
            kind,
            start: narrow(start),
            end: narrow(self.at),
        });
    }

    fn report(
        &mut self,
        code: Code,
        start: usize,
        message: &str,
        label: String,
        help: Option<Help>,
    ) {
        let span = self.since(start);
        self.diagnostics.push(
            Diagnostic::new(code, message)
                .label(span, label)
                .maybe_help(help),
        );
    }

    /// Returns the place of the text that has been read since `start`.
    fn since(&self, start: usize) -> Span {
        Span::new(self.source, start..self.at)
    }

    /// Suggests a replacement for the text that has been read since `start`.
    fn write(&self, start: usize, right: String) -> Help {
        Help::from(format!("write `{right}`")).with(Fix::replace(self.since(start), right))
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
            // This arm stands before the symbols, since `/` is one of them.
            _ if self.rest().starts_with("//") => self.comment(),
            _ if is_blank(first) => self.at += first.len_utf8(),
            _ if first.is_alphabetic() => {
                // Primes stand only at the end, so that `f'g` is two words.
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
        // A line of slashes is a rule between parts, and documents nothing.
        let is_doc = self.rest().starts_with("///") && !self.rest().starts_with("////");
        let on_its_own = self.line_so_far(start).is_empty();
        self.eat(|c| c != '\n');
        self.push(
            if is_doc && on_its_own {
                TokenKind::Doc
            } else {
                TokenKind::Comment
            },
            start,
        );
    }

    fn line_so_far(&self, end: usize) -> &'s str {
        self.text[..end]
            .rsplit('\n')
            .next()
            .unwrap_or("")
            .trim_start_matches(is_blank)
    }

    fn symbol(&mut self, first: char) {
        let start = self.at;
        if self.rest().starts_with("...") {
            return self.three_dots(start);
        }
        if let Some(long) = LONG_SYMBOLS
            .iter()
            .find(|long| self.rest().starts_with(**long))
        {
            self.at += long.len();
            return self.push(TokenKind::Symbol, start);
        }
        self.at += first.len_utf8();
        if SYMBOLS.contains(first) {
            return self.push(TokenKind::Symbol, start);
        }
        // The digits are taken too, so that they are not reported as a second number.
        if first == '.' && self.eat(|c| c.is_ascii_digit()) > 0 {
            let right = format!("0{}", &self.text[start..self.at]);
            return self.malformed(
                start,
                "a decimal point needs digits before it",
                self.write(start, right),
            );
        }
        self.stray(first, start);
    }

    /// Reports the dots of ranges in other languages.
    fn three_dots(&mut self, start: usize) {
        self.at += "...".len();
        self.push(TokenKind::Bad, start);
        let (span, help) = (
            self.since(start),
            Help::from("write a range as `0..5`, which includes both ends"),
        );
        self.diagnostics.push(
            Diagnostic::new(Code::Syntax, "`...` has no meaning here")
                .label(span, "a range has two dots")
                .help(help.with(Fix::replace(span, ".."))),
        );
    }

    /// Reports a character that the language does not use. After `#` the rest of the line is
    /// skipped as a comment.
    fn stray(&mut self, first: char, start: usize) {
        let is_behind_word = self.text[..start].ends_with(is_word_part);
        let is_behind_value = is_behind_word || self.text[..start].ends_with([')', ']', '}']);
        let (words, right) = match first {
            '#' => ("a comment starts with `//`", Some("//")),
            '!' => (
                "`not c` negates a condition, `a != b` compares",
                Some("not "),
            ),
            '&' => (
                "write `and` between conditions, `∧` or `/\\` between games",
                Some("and"),
            ),
            '\\' => (
                "the wedge of two games is written `G ∧ H` or `G /\\ H`",
                Some("∧"),
            ),
            '…' => ("write a range with two dots: `1..n`", Some("..")),
            '_' => ("names start with a letter", None),
            '∞' => (
                "numbers are finite; play without end takes a graph with a cycle",
                None,
            ),
            '⊕' => ("a sum of games is written `G + H`", Some("+")),
            '∀' => (
                "a statement about all values is written `all([… for n in 1..5])`",
                None,
            ),
            '∃' => (
                "a statement about some value is written `any([… for n in 1..5])`",
                None,
            ),
            '∑' => (
                "`sum([…])` adds numbers, and `G + H` is a sum of games",
                None,
            ),
            '.' if self.line_so_far(start).starts_with("use ") => {
                ("a path stands in quotation marks", None)
            }
            '.' if is_behind_value && self.peek().is_some_and(char::is_alphabetic) => {
                ("a function stands before its arguments: `R(G)`", None)
            }
            '.' => ("write a range with two dots: `1..n`", Some("..")),
            '‘' | '’' if is_behind_word => ("a prime is written `'`", Some("'")),
            '\'' | '‘' | '’' | '`' => ("a string stands between `\"` and `\"`", None),
            _ => return self.lookalike(first, start),
        };
        match first {
            // The rest of such a line is a comment in other languages.
            '#' => self.eat(|c| c != '\n'),
            '_' => self.eat(is_word_part),
            _ => 0,
        };
        let span = Span::new(self.source, start..start + first.len_utf8());
        let help = Help::from(words);
        let help = match right {
            Some(right) => help.with(Fix::replace(span, right)),
            None => help,
        };
        self.meaningless(span, format!("`{first}` has no meaning here"), Some(help));
    }

    /// Reports a character that looks like one of the language, that cannot be seen, or any other
    /// one.
    fn lookalike(&mut self, first: char, start: usize) {
        if let Some((meant, length)) = lookalike::digits(&self.text[start..]) {
            self.at = start + length;
            let message = format!("`{}` has no meaning here", &self.text[start..self.at]);
            let help = self.write(start, meant);
            return self.meaningless(self.since(start), message, Some(help));
        }
        let span = self.since(start);
        let code = format!("U+{:04X}", u32::from(first));
        match (lookalike::sign(first), lookalike::unseen(first)) {
            (Some(sign), _) => {
                let message = format!("`{first}` has no meaning here");
                let help = Help::from(format!("write `{}`", sign.trim()));
                self.meaningless(span, message, Some(help.with(Fix::replace(span, sign))));
            }
            (None, Some(name)) => {
                let message = format!("{code}, {name}, has no meaning here");
                let help = Help::from("remove it").with(Fix::remove(span));
                self.meaningless(span, message, Some(help));
            }
            (None, None) => self.meaningless(span, format!("`{first}` has no meaning here"), None),
        }
    }

    /// Reports a character, and keeps the text read since its beginning as a token without a
    /// meaning.
    fn meaningless(&mut self, character: Span, message: String, help: Option<Help>) {
        self.push(TokenKind::Bad, character.start as usize);
        let label = "this character is not part of the language";
        self.diagnostics.push(
            Diagnostic::new(Code::Syntax, message)
                .label(character, label)
                .maybe_help(help),
        );
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
        let help =
            Help::from("add `\"` where it ends; a line break inside a string is written `\\n`");
        let help = help.with(Fix::after(self.since(start), "\""));
        // The label points at the quotation mark only, since the end of the string is unknown.
        self.at = start + 1;
        self.report(
            Code::UnclosedString,
            start,
            "this string is never closed",
            "it starts here".into(),
            Some(help),
        );
        self.at = self
            .tokens
            .last()
            .map_or(self.at, |token| token.end as usize);
    }

    fn escape(&mut self) {
        let start = self.at;
        self.at += 1;
        let Some(c) = self.peek().filter(|&c| c != '\n') else {
            return;
        };
        self.at += c.len_utf8();
        if !matches!(c, '"' | '\\' | 'n' | 't') {
            let message = format!("`\\{c}` is not an escape");
            let help = "the escapes are `\\\"`, `\\\\`, `\\n` and `\\t`; a backslash itself is written `\\\\`";
            self.report(
                Code::Syntax,
                start,
                &message,
                "in this string".into(),
                Some(help.into()),
            );
        }
    }

    /// Reads a string between typographic quotation marks, as word processors make them.
    fn curly_string(&mut self) {
        let start = self.at;
        self.at += self.peek().map_or(0, char::len_utf8);
        self.eat(|c| !matches!(c, '"' | '“' | '”' | '\n'));
        let inside = self.text[start..self.at]
            .chars()
            .skip(1)
            .collect::<String>();
        if let Some(close) = self.peek().filter(|&c| c != '\n') {
            self.at += close.len_utf8();
        }
        self.push(TokenKind::Bad, start);
        let right = format!("\"{}\"", inside.trim_end());
        let help =
            Help::from(format!("write {right}")).with(Fix::replace(self.since(start), right));
        self.report(
            Code::Syntax,
            start,
            "a string needs straight quotation marks",
            "these are typographic ones".into(),
            Some(help),
        );
    }
}

/// Returns `true` for white space other than the line end, and for a byte order mark.
fn is_blank(c: char) -> bool {
    c != '\n' && (c.is_whitespace() || c == '\u{feff}')
}
