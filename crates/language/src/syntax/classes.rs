//! Classes of tokens for readers: keyword, constant, number and so on, as data. A terminal, a page
//! and an editor give them colours.

use super::token::{Token, TokenKind};
use super::vocabulary::{WordClass, is_keyword, uses};

/// The class of a token for a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenClass {
    /// A reserved word, or a word that begins a line between braces.
    Keyword,
    /// A name of the language: `A`, `empty`.
    Constant,
    /// Any other name.
    Name,
    /// A number or a chip count.
    Number,
    /// A string.
    String,
    /// A comment or documentation.
    Comment,
    /// An operator or a punctuation mark.
    Symbol,
    /// A bracket.
    Bracket,
    /// A token without a meaning.
    Malformed,
}

impl TokenClass {
    /// Returns the class as a word, for programs that colour.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Keyword => "keyword",
            Self::Constant => "constant",
            Self::Name => "name",
            Self::Number => "number",
            Self::String => "string",
            Self::Comment => "comment",
            Self::Symbol => "symbol",
            Self::Bracket => "bracket",
            Self::Malformed => "malformed",
        }
    }
}

/// A token with its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Classified {
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
    /// The class.
    pub class: TokenClass,
}

/// Classifies the tokens of a text. Line ends are left out.
pub fn classify(text: &str) -> Vec<Classified> {
    let tokens = super::tokens(text);
    let starts = line_starts(&tokens, text);
    let classified = tokens.iter().zip(starts).filter_map(|(token, line)| {
        let class = class(token.kind, token.text(text), line)?;
        Some(Classified {
            start: token.start,
            end: token.end,
            class,
        })
    });
    classified.collect()
}

/// Finds the bracket at a place or just before it, and its partner. Returns the bytes at which they
/// begin.
pub fn brackets_at(text: &str, cursor: usize) -> Option<[u32; 2]> {
    let mut open: Vec<Token> = Vec::new();
    let touches = |token: &Token| token.start as usize == cursor || token.end as usize == cursor;
    for token in super::tokens(text) {
        if token.kind == TokenKind::Open {
            open.push(token);
        } else if token.kind == TokenKind::Close
            && let Some(partner) = open.pop()
            && (touches(&token) || touches(&partner))
        {
            return Some([partner.start, token.start]);
        }
    }
    None
}

fn class(kind: TokenKind, word: &str, line: LineStart) -> Option<TokenClass> {
    Some(match kind {
        TokenKind::Word => class_of_word(word, line),
        TokenKind::Number => TokenClass::Number,
        TokenKind::String => TokenClass::String,
        TokenKind::Comment | TokenKind::Doc => TokenClass::Comment,
        TokenKind::Bad => TokenClass::Malformed,
        TokenKind::Symbol | TokenKind::Semicolon => TokenClass::Symbol,
        TokenKind::Open | TokenKind::Close => TokenClass::Bracket,
        TokenKind::Newline => return None,
    })
}

fn class_of_word(word: &str, line: LineStart) -> TokenClass {
    let begins = uses(word).any(|entry| match line {
        LineStart::Yes => entry.class.begins_line(),
        // Lines of graphs may have a word before a colon, as `draw: x`. Fields of rules also do, as
        // `stuck: loses`, but they are not lines.
        LineStart::BeforeColon => entry.class == WordClass::GraphLine,
        LineStart::No => false,
    });
    if is_keyword(word) || begins {
        return TokenClass::Keyword;
    }
    let is_constant = uses(word).any(|entry| entry.class == WordClass::Constant);
    if is_constant {
        TokenClass::Constant
    } else {
        TokenClass::Name
    }
}

/// The position of a token with respect to the beginnings of lines between braces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineStart {
    Yes,
    /// It begins a line, and a colon follows.
    BeforeColon,
    No,
}

/// Finds, for each token, whether it begins a line between braces.
fn line_starts(tokens: &[Token], text: &str) -> Vec<LineStart> {
    let mut depth = 0_usize;
    let mut after_break = false;
    let mut starts = Vec::with_capacity(tokens.len());
    for (place, token) in tokens.iter().enumerate() {
        let is_before_colon = || {
            tokens
                .get(place + 1)
                .is_some_and(|next| next.text(text) == ":")
        };
        starts.push(match after_break && depth > 0 {
            true if is_before_colon() => LineStart::BeforeColon,
            true => LineStart::Yes,
            false => LineStart::No,
        });
        match token.text(text) {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        after_break = matches!(token.kind, TokenKind::Newline | TokenKind::Semicolon)
            || token.text(text) == "{";
    }
    starts
}
