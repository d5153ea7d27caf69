//! Brackets put in order, so that the rest of a statement can be read while one of its lines is
//! half typed.
//!
//! Lines that leave a parenthesis or a square bracket open, or close one that they have not opened,
//! are taken out, and so are lines with strings that are not closed and lines that leave a brace
//! open which begins no block. Braces that are still open at the end are closed there. The text
//! keeps its length up to that end, so that places in it are places of the source.

use std::ops::Range;

/// A text of which only one statement is left, with its brackets in order; what closes it stands
/// after the end of the statement.
pub fn mended(text: &str, statement: Range<usize>) -> String {
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
                    .map(|byte| if byte == b'\n' { '\n' } else { ' ' }),
            ),
        }
    }
    if depth > 0 {
        kept.push('\n');
    }
    kept + &"}".repeat(depth)
}

/// How many braces a line closes that lines before it have opened, and how many of its own it
/// leaves open; `None` if it is to be taken out.
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
