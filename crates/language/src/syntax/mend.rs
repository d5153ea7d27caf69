//! Repairs brackets, so that the rest of a statement can be read while one of its lines is half
//! typed.
//!
//! Lines are blanked if they leave a parenthesis or a square bracket open, close one that they have
//! not opened, have a string that is not closed, or leave a brace open that begins no block. Braces
//! that are still open at the end are closed there. The text before that end keeps its length, so
//! that places in it are places of the source.

use std::ops::Range;

/// Blanks everything before a statement and puts its brackets in order. The result ends with the
/// statement, followed by the braces that close it.
pub fn mended(text: &str, statement: Range<usize>) -> String {
    // Spaces keep the places of the statement those of the source.
    let mut kept = " ".repeat(statement.start);
    let mut depth = 0_usize;
    for line in text[statement].split_inclusive('\n') {
        match braces(line) {
            Some((closed, opened)) if closed <= depth => {
                depth = depth - closed + opened;
                kept.push_str(line);
            }
            Some(_) | None => kept.extend(
                line.bytes()
                    // One space for each byte, not for each character, keeps the length.
                    .map(|byte| if byte == b'\n' { '\n' } else { ' ' }),
            ),
        }
    }
    if depth > 0 {
        kept.push('\n');
    }
    kept + &"}".repeat(depth)
}

/// Counts the braces of earlier lines that a line closes, and those of its own that it leaves open.
/// Returns `None` if the line is to be blanked.
fn braces(line: &str) -> Option<(usize, usize)> {
    let tokens = super::tokens(line);
    let words = tokens.iter().map(|token| token.text(line));
    let (mut open, mut closed) = (Vec::new(), 0);
    for word in words {
        match word {
            "(" | "[" | "{" => open.push(word),
            "}" if open.is_empty() => closed += 1,
            ")" | "]" | "}" => {
                let opening = open.pop()?;
                if !matches!((opening, word), ("(", ")") | ("[", "]") | ("{", "}")) {
                    return None;
                }
            }
            _ if word.starts_with(['"', '“', '”', '„'])
                // Such a token is a string that the scanner has not closed with a straight mark.
                && (word.len() == 1 || !word.ends_with('"')) =>
            {
                return None;
            }
            _ => {}
        }
    }
    let begins_block = tokens.iter().any(|token| {
        matches!(
            token.text(line),
            "game" | "graph" | "move" | "if" | "else" | "test"
        )
    });
    let blocks_only =
        open.iter().all(|bracket| *bracket == "{") && (open.is_empty() || begins_block);
    blocks_only.then_some((closed, open.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_typed_lines_are_taken_out() {
        let text = "x\ngame g {\nstate n = max(3,\nmove m {\nn = 1\n}\n}";
        assert_eq!(
            mended(text, 2..text.len()),
            "  game g {\n                \nmove m {\nn = 1\n}\n}"
        );
    }

    #[test]
    fn what_is_open_at_the_end_is_closed_there() {
        let text = "game g {\nmove m {\nif (a) {\nn = ";
        assert_eq!(mended(text, 0..text.len()), format!("{text}\n}}}}}}"));
    }

    #[test]
    fn brackets_that_close_nothing_are_taken_out() {
        assert_eq!(mended("f(x))\n}", 0..7), "     \n ");
        assert_eq!(
            mended("graph {\nstart \"a\nwin bob: (1]\n}", 0..31),
            "graph {\n        \n            \n}"
        );
    }
}
