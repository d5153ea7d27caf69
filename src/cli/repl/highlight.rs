//! Colours while a line is typed.

use bid::syntax::vocabulary::{WordClass, uses};
use bid::syntax::{Token, TokenKind, is_keyword, tokens};

const RESET: &str = "\x1b[0m";
const KEYWORD: &str = "\x1b[1;34m";
const CONSTANT: &str = "\x1b[36m";
const NUMBER: &str = "\x1b[36m";
const STRING: &str = "\x1b[32m";
const COMMENT: &str = "\x1b[2m";
const COMMAND: &str = "\x1b[35m";
const MATCHED: &str = "\x1b[1;33m";
const MALFORMED: &str = "\x1b[31m";

/// The line in colours, the bracket at the cursor and its partner marked.
pub fn line(text: &str, cursor: usize) -> String {
    if text.trim_start().starts_with(':') {
        let end = text
            .trim_start()
            .find(char::is_whitespace)
            .map_or(text.len(), |end| end + text.len() - text.trim_start().len());
        return format!("{COMMAND}{}{RESET}{}", &text[..end], &text[end..]);
    }
    let tokens = tokens(text);
    let partners = partners_at(&tokens, cursor);
    let starts = line_starts(&tokens, text);
    let mut coloured = String::with_capacity(2 * text.len());
    let mut at = 0;
    for (index, token) in tokens.iter().enumerate() {
        let (start, end) = (token.start as usize, token.end as usize);
        coloured.push_str(&text[at..start]);
        let word = token.text(text);
        match if partners.contains(&index) { Some(MATCHED) } else { colour(token.kind, word, starts[index]) } {
            Some(colour) => coloured.extend([colour, word, RESET]),
            None => coloured.push_str(word),
        }
        at = end;
    }
    coloured + &text[at..]
}

fn colour(kind: TokenKind, word: &str, line: LineStart) -> Option<&'static str> {
    match kind {
        TokenKind::Word => colour_of_word(word, line),
        TokenKind::Number => Some(NUMBER),
        TokenKind::String => Some(STRING),
        TokenKind::Comment | TokenKind::Doc => Some(COMMENT),
        TokenKind::Bad => Some(MALFORMED),
        TokenKind::Symbol | TokenKind::Open | TokenKind::Close | TokenKind::Newline | TokenKind::Semicolon => None,
    }
}

fn colour_of_word(word: &str, line: LineStart) -> Option<&'static str> {
    let begins = line == LineStart::Yes && uses(word).any(|entry| entry.class.begins_line());
    if is_keyword(word) || begins {
        return Some(KEYWORD);
    }
    uses(word).any(|entry| entry.class == WordClass::Constant).then_some(CONSTANT)
}

/// Whether a token begins a line between braces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineStart {
    Yes,
    No,
}

/// For each token, whether it begins a line between braces.
fn line_starts(tokens: &[Token], text: &str) -> Vec<LineStart> {
    let mut depth = 0_usize;
    let mut after_break = false;
    let mut starts = Vec::with_capacity(tokens.len());
    for token in tokens {
        starts.push(if after_break && depth > 0 { LineStart::Yes } else { LineStart::No });
        match token.text(text) {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        after_break = matches!(token.kind, TokenKind::Newline | TokenKind::Semicolon) || token.text(text) == "{";
    }
    starts
}

/// The bracket under or just before the cursor, with its partner.
fn partners_at(tokens: &[Token], cursor: usize) -> Vec<usize> {
    let mut open = Vec::new();
    let touches = |token: &Token| token.start as usize == cursor || token.end as usize == cursor;
    for (index, token) in tokens.iter().enumerate() {
        if token.kind == TokenKind::Open {
            open.push(index);
        } else if token.kind == TokenKind::Close
            && let Some(partner) = open.pop()
            && (touches(token) || touches(&tokens[partner]))
        {
            return vec![partner, index];
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use bid::syntax::vocabulary::words;

    use super::*;

    #[test]
    fn words_numbers_strings_and_partners_are_coloured() {
        let plain = line("show f(A, 4*) // x", 0);
        assert_eq!(
            plain,
            format!("{KEYWORD}show{RESET} f({CONSTANT}A{RESET}, {NUMBER}4*{RESET}) {COMMENT}// x{RESET}")
        );
        assert_eq!(line("(a)", 3), format!("{MATCHED}({RESET}a{MATCHED}){RESET}"));
        assert_eq!(line(":load x", 0), format!("{COMMAND}:load{RESET} x"));
    }

    /// The words of the table in the colours of their classes; those of lines only where a line begins between braces.
    #[test]
    fn every_word_of_the_table_is_coloured_by_its_class() {
        for entry in words().filter(|entry| entry.is_alphabetic()) {
            for word in entry.spellings {
                let alone = line(word, usize::MAX);
                if entry.class.is_reserved() {
                    assert_eq!(alone, format!("{KEYWORD}{word}{RESET}"));
                }
                if entry.class == WordClass::Constant && !is_keyword(word) {
                    assert_eq!(alone, format!("{CONSTANT}{word}{RESET}"));
                }
                if entry.class.begins_line() {
                    for before in ["graph { ", "graph { x; ", "graph { x\n"] {
                        assert!(
                            line(&format!("{before}{word} "), 0).contains(&format!("{KEYWORD}{word}{RESET}")),
                            "{word}"
                        );
                    }
                }
            }
        }
        assert_eq!(line("start", 9), "start");
        assert_eq!(line("{ x start", 99), format!("{} x start", "{"));
        assert_eq!(line("{ x };start", 99), "{ x };start");
    }

    #[test]
    fn nothing_is_lost() {
        for text in ["", "A ∧ \"unclosed", "…\t(]}", "4*x ε 3-ε", ":"] {
            let mut bare = line(text, text.len());
            for code in [RESET, KEYWORD, CONSTANT, NUMBER, STRING, COMMENT, COMMAND, MATCHED, MALFORMED] {
                bare = bare.replace(code, "");
            }
            assert_eq!(bare, text);
        }
    }
}
