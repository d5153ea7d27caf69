//! Colours while a line is typed.

use bid::syntax::{KEYWORDS, Token, TokenKind, tokens};

const RESET: &str = "\x1b[0m";
const KEYWORD: &str = "\x1b[1;34m";
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
    let mut coloured = String::with_capacity(2 * text.len());
    let mut at = 0;
    for (index, token) in tokens.iter().enumerate() {
        let (start, end) = (token.start as usize, token.end as usize);
        coloured.push_str(&text[at..start]);
        let word = token.text(text);
        match if partners.contains(&index) { Some(MATCHED) } else { colour(token.kind, word) } {
            Some(colour) => coloured.extend([colour, word, RESET]),
            None => coloured.push_str(word),
        }
        at = end;
    }
    coloured + &text[at..]
}

fn colour(kind: TokenKind, word: &str) -> Option<&'static str> {
    match kind {
        TokenKind::Word => KEYWORDS.contains(&word).then_some(KEYWORD),
        TokenKind::Number => Some(NUMBER),
        TokenKind::String => Some(STRING),
        TokenKind::Comment | TokenKind::Doc => Some(COMMENT),
        TokenKind::Bad => Some(MALFORMED),
        TokenKind::Symbol | TokenKind::Open | TokenKind::Close | TokenKind::Newline | TokenKind::Semicolon => None,
    }
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
    use super::*;

    #[test]
    fn words_numbers_strings_and_partners_are_coloured() {
        let plain = line("show f(A, 4*) // x", 0);
        assert_eq!(plain, format!("{KEYWORD}show{RESET} f(A, {NUMBER}4*{RESET}) {COMMENT}// x{RESET}"));
        assert_eq!(line("(a)", 3), format!("{MATCHED}({RESET}a{MATCHED}){RESET}"));
        assert_eq!(line(":load x", 0), format!("{COMMAND}:load{RESET} x"));
    }

    #[test]
    fn nothing_is_lost() {
        for text in ["", "A ∧ \"unclosed", "…\t(]}", "4*x ε 3-ε", ":"] {
            let mut bare = line(text, text.len());
            for code in [RESET, KEYWORD, NUMBER, STRING, COMMENT, COMMAND, MATCHED, MALFORMED] {
                bare = bare.replace(code, "");
            }
            assert_eq!(bare, text);
        }
    }
}
