//! Parity games as PGSolver, Oink and mCRL2 write them: `parity 3; 0 6 1 4,2 "name"; …`.
//!
//! A line names a vertex, its priority, its owner (0 is Even, which is Alice; 1 is Odd, which is
//! Bob) and its successors. The greatest priority that comes again and again decides.

use num_traits::Zero;

use super::{EdgeList, Flaw, Growing, Key, ListedEdge, flaw};
use crate::player::Player;

/// What is left of a text, with the place where it begins.
struct Rest<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Rest<'a> {
    fn skip(&mut self) {
        let left = &self.text[self.at..];
        self.at += left.len() - left.trim_start().len();
    }

    fn left(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Goes past a sign, if it is next.
    fn takes(&mut self, sign: &str) -> bool {
        self.skip();
        let found = self.left().starts_with(sign);
        self.at += if found { sign.len() } else { 0 };
        found
    }

    fn needs(&mut self, sign: &str, after: &str) -> Result<(), Flaw> {
        if self.takes(sign) {
            Ok(())
        } else {
            Err(self.flaw(format!("`{sign}` is expected after {after}")))
        }
    }

    fn flaw(&self, message: impl Into<String>) -> Flaw {
        flaw(self.text, self.at, message)
    }

    fn number(&mut self, what: &str) -> Result<u32, Flaw> {
        self.skip();
        let digits = self.left().len()
            - self
                .left()
                .trim_start_matches(|c: char| c.is_ascii_digit())
                .len();
        let number = self.left()[..digits]
            .parse()
            .map_err(|_| self.flaw(format!("{what} is expected here")))?;
        self.at += digits;
        Ok(number)
    }
}

/// Reads a parity game.
pub(super) fn read(text: &str) -> Result<EdgeList, Flaw> {
    let mut rest = Rest { text, at: 0 };
    let mut growing = Growing::default();
    let mut defined = Vec::new();
    if rest.takes("parity") {
        rest.number("the greatest number of a vertex")?;
        rest.needs(";", "the head")?;
    }
    if rest.takes("start") {
        let start = rest.number("the number of a vertex")?;
        growing.list.start = Some(growing.vertex(Key::Integer(start.into())));
        rest.needs(";", "the start")?;
    }
    loop {
        rest.skip();
        if rest.left().is_empty() {
            break;
        }
        line(&mut rest, &mut growing, &mut defined)?;
    }
    match (0..growing.list.vertices.len())
        .find(|vertex| !defined.get(*vertex).copied().unwrap_or(false))
    {
        Some(vertex) => {
            let name = &growing.list.vertices[vertex].name;
            Err(rest.flaw(format!(
                "vertex {name} is named, but has no line of its own"
            )))
        }
        None => Ok(growing.list),
    }
}

/// Reads the line of a vertex.
fn line(rest: &mut Rest<'_>, growing: &mut Growing, defined: &mut Vec<bool>) -> Result<(), Flaw> {
    let start = rest.at;
    let name = rest.number("the number of a vertex")?;
    let vertex = growing.vertex(Key::Integer(name.into()));
    let place = vertex as usize;
    defined.resize(defined.len().max(place + 1), false);
    if std::mem::replace(&mut defined[place], true) {
        return Err(flaw(
            rest.text,
            start,
            format!("vertex {name} has a line already"),
        ));
    }
    let priority = rest.number("a priority")?;
    if priority == u32::MAX {
        return Err(rest.flaw("this priority is too large"));
    }
    growing.list.vertices[place].priority = Some(priority);
    rest.skip();
    let before = rest.at;
    let owner = match rest.number("an owner, 0 or 1,")? {
        0 => Player::Alice,
        1 => Player::Bob,
        _ => return Err(flaw(rest.text, before, "an owner is 0 or 1")),
    };
    loop {
        let to = growing.vertex(Key::Integer(rest.number("a successor")?.into()));
        let edge = ListedEdge {
            owner: Some(owner),
            from: vertex,
            to,
            score: Zero::zero(),
            weight: Zero::zero(),
        };
        growing.list.edges.push(edge);
        if !rest.takes(",") {
            break;
        }
    }
    if rest.takes("\"") {
        let Some(end) = rest.left().find('"') else {
            return Err(rest.flaw("this name is never closed"));
        };
        rest.at += end + 1;
    }
    rest.needs(";", "a vertex")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_priorities_and_successors() {
        let list = read("parity 4;\nstart 4;\n0 6 1 4,2 \"Africa; x\";\n4 5 1 0;2 8 0 2, 4;\n")
            .expect("it is right");
        assert_eq!(
            list.vertices
                .iter()
                .map(|vertex| vertex.name.as_str())
                .collect::<Vec<_>>(),
            ["4", "0", "2"]
        );
        assert_eq!(
            list.vertices
                .iter()
                .map(|vertex| vertex.priority)
                .collect::<Vec<_>>(),
            [5, 6, 8].map(Some)
        );
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
        let told = |text: &str| {
            let Flaw {
                line,
                column,
                message,
            } = read(text).expect_err("it is wrong");
            format!("{line}:{column} {message}")
        };
        assert_eq!(
            told("parity x;"),
            "1:8 the greatest number of a vertex is expected here"
        );
        assert_eq!(told("parity 1;\n0 1 2 0;"), "2:5 an owner is 0 or 1");
        assert_eq!(told("0 1 0 ;"), "1:7 a successor is expected here");
        assert_eq!(
            told("0 1 0 0\n1 1 0 0;"),
            "2:1 `;` is expected after a vertex"
        );
        assert_eq!(
            told("0 1 0 0;\n0 1 0 0;"),
            "2:1 vertex 0 has a line already"
        );
        assert_eq!(
            told("0 1 0 7;\n"),
            "2:1 vertex 7 is named, but has no line of its own"
        );
        assert_eq!(told("0 1 0 0 \"a;"), "1:10 this name is never closed");
        assert_eq!(
            told("0 99999999999 0 0;"),
            "1:3 a priority is expected here"
        );
    }
}
