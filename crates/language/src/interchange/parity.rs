//! Reads parity games as PGSolver, Oink and mCRL2 write them: `parity 3; 0 6 1 4,2 "name"; …`.
//!
//! A line names a vertex, its priority, its owner (0 is Even, which is Alice; 1 is Odd, which is
//! Bob) and its successors. The greatest priority that occurs infinitely often decides.

use super::{EdgeList, EdgeListError, Growing, Key, LineColumn, ListedEdge, StreamedText};
use crate::player::Player;

/// A text read as a sequence of signs and numbers.
struct Signs<'w> {
    text: StreamedText<'w>,
    /// The end of the last sign or number.
    end: LineColumn,
}

impl Signs<'_> {
    fn pass(&mut self, bytes: usize) {
        self.text.pass(bytes);
        self.end = self.text.place();
    }

    /// Passes a sign if it is next, and returns whether it was.
    fn takes(&mut self, sign: &str) -> Result<bool, EdgeListError> {
        let found = self.text.skip_blanks()? && self.text.rest().starts_with(sign);
        if found {
            self.pass(sign.len());
        }
        Ok(found)
    }

    /// Passes a sign. If another one is next, the flaw stands after the last sign or number.
    fn needs(&mut self, sign: &str, after: &str) -> Result<(), EdgeListError> {
        if self.takes(sign)? {
            Ok(())
        } else {
            let message = format!("`{sign}` is expected after {after}");
            Err(self.end.flaw(message).into())
        }
    }

    fn number(&mut self, what: &str) -> Result<u32, EdgeListError> {
        self.text.skip_blanks()?;
        let rest = self.text.rest();
        let length = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        if length == 0 {
            return Err(self.text.flaw(format!("{what} is expected here")));
        }
        // Exchanging the players adds 1 to priorities, which must not overflow.
        match rest[..length].parse() {
            Ok(number) if number < u32::MAX => {
                self.pass(length);
                Ok(number)
            }
            Ok(_) | Err(_) => Err(self.text.flaw(format!("this is too large for {what}"))),
        }
    }

    /// Passes a name, after its opening quotation mark.
    fn name(&mut self, start: LineColumn) -> Result<(), EdgeListError> {
        loop {
            let rest = self.text.rest();
            let (length, is_end) = match rest.find('"') {
                Some(quote) => (quote + 1, true),
                None => (rest.len(), false),
            };
            self.pass(length);
            if is_end {
                return Ok(());
            }
            if !self.text.has_more()? {
                return Err(start.flaw("this name is never closed").into());
            }
        }
    }
}

/// Reads a parity game.
pub(super) fn read(text: StreamedText<'_>) -> Result<EdgeList, EdgeListError> {
    let mut signs = Signs {
        end: text.place(),
        text,
    };
    let mut growing = Growing::default();
    head(&mut signs, &mut growing)?;
    if !signs.text.skip_blanks()? {
        return Err(signs.text.flaw(
            "this is not a parity game: a line like `0 2 0 1,2;` is expected for each vertex",
        ));
    }
    while signs.text.skip_blanks()? {
        line(&mut signs, &mut growing)?;
    }
    match growing.unlisted() {
        Some((name, place)) => {
            let message = format!("vertex {name} is named, but has no line of its own");
            Err(place.flaw(message).into())
        }
        None => Ok(growing.finish()),
    }
}

/// Reads the part before the vertices: the greatest vertex, and the start of the game.
fn head(signs: &mut Signs<'_>, growing: &mut Growing) -> Result<(), EdgeListError> {
    let is_digit = |signs: &Signs<'_>| signs.text.rest().starts_with(|c: char| c.is_ascii_digit());
    // The longer word comes first, because it begins with the other one.
    if signs.takes("paritysol")? {
        let message = "this is the solution of a parity game, not a game";
        return Err(LineColumn::START.flaw(message).into());
    }
    if signs.takes("parity")? {
        signs.number("the greatest number of a vertex")?;
        signs.needs(";", "the head")?;
    }
    if signs.takes("start")? {
        signs.text.skip_blanks()?;
        let place = signs.text.place();
        let start = signs.number("the number of a vertex")?;
        growing.list.start = Some(growing.vertex(&Key::Integer(start.into()), place));
        return signs.needs(";", "the start");
    }
    if signs.text.skip_blanks()? && !is_digit(signs) {
        let message =
            "this is not a parity game: a line like `0 2 0 1,2;` is expected for each vertex";
        return Err(signs.text.flaw(message));
    }
    Ok(())
}

/// Reads the line of a vertex.
fn line(signs: &mut Signs<'_>, growing: &mut Growing) -> Result<(), EdgeListError> {
    let start = signs.text.place();
    let number = signs.number("the number of a vertex")?;
    let Some(vertex) = growing.listed(&Key::Integer(number.into()), start) else {
        let message = format!("vertex {number} has a line already");
        return Err(start.flaw(message).into());
    };
    let priority = signs.number("a priority")?;
    growing.list.vertices[vertex as usize].priority = Some(priority);
    signs.text.skip_blanks()?;
    let before = signs.text.place();
    let owner = match signs.number("an owner, 0 or 1,")? {
        0 => Player::Alice,
        1 => Player::Bob,
        _ => return Err(before.flaw("an owner is 0 or 1").into()),
    };
    loop {
        signs.text.skip_blanks()?;
        let place = signs.text.place();
        let successor = signs.number("a successor")?;
        let to = growing.vertex(&Key::Integer(successor.into()), place);
        growing.list.edges.push(ListedEdge {
            // The owner of a vertex moves there, so its edges are the owner's alone.
            owner: Some(owner),
            from: vertex,
            to,
            ..ListedEdge::default()
        });
        if !signs.takes(",")? {
            break;
        }
    }
    signs.text.skip_blanks()?;
    let name = signs.text.place();
    if signs.takes("\"")? {
        signs.name(name)?;
    }
    signs.needs(";", "a vertex")
}

#[cfg(test)]
mod tests {
    use super::super::{EdgeListFormat, names, read_text};
    use super::*;

    fn read(text: &str) -> Result<EdgeList, String> {
        read_text(EdgeListFormat::Parity, text.as_bytes())
    }

    #[test]
    fn owners_priorities_and_successors() {
        let list = read("parity 4;\nstart 4;\n0 6 1 4,2 \"Africa; x\";\n4 5 1 0;2 8 0 2, 4;\n")
            .expect("it is right");
        assert_eq!(names(&list), ["4", "0", "2"]);
        let priorities = list.vertices.iter().map(|vertex| vertex.priority);
        assert_eq!(priorities.collect::<Vec<_>>(), [5, 6, 8].map(Some));
        assert_eq!(list.start, Some(0));
        let edges: Vec<_> = list
            .edges
            .iter()
            .map(|edge| (edge.owner, edge.from, edge.to))
            .collect();
        let (alice, bob) = (Some(Player::Alice), Some(Player::Bob));
        assert_eq!(
            edges,
            [
                (bob, 1, 0),
                (bob, 1, 2),
                (bob, 0, 1),
                (alice, 2, 2),
                (alice, 2, 0)
            ]
        );
    }

    #[test]
    fn flaws_are_told_where_they_are() {
        let told = |text: &str| read(text).expect_err("it is wrong");
        assert_eq!(
            told("parity x;"),
            "1:8 the greatest number of a vertex is expected here"
        );
        assert_eq!(told("parity 1;\n0 1 2 0;"), "2:5 an owner is 0 or 1");
        assert_eq!(told("0 1 0 ;"), "1:7 a successor is expected here");
        assert_eq!(
            told("0 1 0 0\n1 1 0 0;"),
            "1:8 `;` is expected after a vertex"
        );
        assert_eq!(
            told("0 1 0 0 \"ä\"   \n\n"),
            "1:12 `;` is expected after a vertex"
        );
        assert_eq!(
            told("parity 1\n0 1 0 0;"),
            "1:9 `;` is expected after the head"
        );
        assert_eq!(
            told("0 1 0 0;\n0 1 0 0;"),
            "2:1 vertex 0 has a line already"
        );
        assert_eq!(
            told("0 1 0 7;\n"),
            "1:7 vertex 7 is named, but has no line of its own"
        );
        assert_eq!(
            told("start 3;\n0 1 0 0;\n"),
            "1:7 vertex 3 is named, but has no line of its own"
        );
        assert_eq!(told("0 1 0 0 \"a;"), "1:9 this name is never closed");
        assert_eq!(
            told("0 99999999999 0 0;"),
            "1:3 this is too large for a priority"
        );
    }

    #[test]
    fn files_of_another_format_are_refused_by_name() {
        let told = |text: &str| read(text).expect_err("it is wrong");
        let other =
            "this is not a parity game: a line like `0 2 0 1,2;` is expected for each vertex";
        for (text, place) in [
            ("", "1:1"),
            ("\u{feff}parity 3;\n", "2:1"),
            ("player,from,to\n", "1:1"),
            ("{\"nodes\": []}", "1:1"),
        ] {
            assert_eq!(told(text), format!("{place} {other}"), "{text}");
        }
        assert_eq!(
            told("paritysol 3;\n0 1;"),
            "1:1 this is the solution of a parity game, not a game"
        );
    }

    #[test]
    fn byte_order_marks_and_line_ends_are_no_difference() {
        let plain = read("parity 1;\n0 1 0 1;\n1 0 1 0,1;\n").expect("it is right");
        let marked = "\u{feff}parity 1;\r\n0 1 0\r\n1;\r\n1 0 1 0,\r\n1;\r\n";
        assert_eq!(read(marked), Ok(plain));
    }
}
