//! Colours a line while it is typed.

use bid_language::syntax::{TokenClass, brackets_at, classify};

const RESET: &str = "\x1b[0m";
const KEYWORD: &str = "\x1b[1;34m";
const CONSTANT: &str = "\x1b[36m";
const NUMBER: &str = "\x1b[36m";
const STRING: &str = "\x1b[32m";
const COMMENT: &str = "\x1b[2m";
const COMMAND: &str = "\x1b[35m";
const MATCHED: &str = "\x1b[1;33m";
const MALFORMED: &str = "\x1b[31m";

/// Returns the line in colours, with the bracket at the cursor and its partner marked.
pub fn line(text: &str, cursor: usize) -> String {
    if text.trim_start().starts_with(':') {
        let end = text
            .trim_start()
            .find(char::is_whitespace)
            .map_or(text.len(), |end| end + text.len() - text.trim_start().len());
        return format!("{COMMAND}{}{RESET}{}", &text[..end], &text[end..]);
    }
    let partners = brackets_at(text, cursor);
    // Colours take about as many bytes as the words themselves.
    let mut coloured = String::with_capacity(2 * text.len());
    let mut at = 0;
    for token in classify(text) {
        let (start, end) = (token.start as usize, token.end as usize);
        // Blanks between tokens are copied, since the visible text must stay the same.
        coloured.push_str(&text[at..start]);
        let is_partner = partners.is_some_and(|partners| partners.contains(&token.start));
        match if is_partner {
            Some(MATCHED)
        } else {
            colour(token.class)
        } {
            Some(colour) => coloured.extend([colour, &text[start..end], RESET]),
            None => coloured.push_str(&text[start..end]),
        }
        at = end;
    }
    coloured + &text[at..]
}

fn colour(class: TokenClass) -> Option<&'static str> {
    match class {
        TokenClass::Keyword => Some(KEYWORD),
        TokenClass::Constant => Some(CONSTANT),
        TokenClass::Number => Some(NUMBER),
        TokenClass::String => Some(STRING),
        TokenClass::Comment => Some(COMMENT),
        TokenClass::Malformed => Some(MALFORMED),
        TokenClass::Name | TokenClass::Symbol | TokenClass::Bracket => None,
    }
}

#[cfg(test)]
mod tests {
    use bid_language::syntax::is_keyword;
    use bid_language::syntax::vocabulary::{WordClass, words};

    use super::*;

    #[test]
    fn words_numbers_strings_and_partners_are_coloured() {
        let plain = line("show f(A, 4*) // x", 0);
        assert_eq!(
            plain,
            format!(
                "{KEYWORD}show{RESET} f({CONSTANT}A{RESET}, {NUMBER}4*{RESET}) {COMMENT}// x{RESET}"
            )
        );
        assert_eq!(
            line("(a)", 3),
            format!("{MATCHED}({RESET}a{MATCHED}){RESET}")
        );
        assert_eq!(line(":load x", 0), format!("{COMMAND}:load{RESET} x"));
    }

    /// Colours the words of the table by their classes, and the words of lines only where a line
    /// begins between braces.
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
                            line(&format!("{before}{word} "), 0)
                                .contains(&format!("{KEYWORD}{word}{RESET}")),
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
            for code in [
                RESET, KEYWORD, CONSTANT, NUMBER, STRING, COMMENT, COMMAND, MATCHED, MALFORMED,
            ] {
                bare = bare.replace(code, "");
            }
            assert_eq!(bare, text);
        }
    }
}
