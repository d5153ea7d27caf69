//! Divides a file into pieces of a page: comments that stand alone, statements, and the places of
//! answers.

use std::ops::Range;

use bid::engine::DocumentCell;

/// A piece of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// The lines of comments outside of statements, without their slashes.
    Prose(String),
    /// A byte range of the text that is shown as it is written: whole lines.
    Code(Range<usize>),
    /// The answer of the statement with this number.
    Answer(usize),
}

/// Divides a text with these statements. An answer follows the line where its statement ends.
pub fn pieces(text: &str, cells: &[DocumentCell]) -> Vec<Piece> {
    let mut found = Found::default();
    let (mut start, mut next) = (0, 0);
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        let range = start..start + bare.len();
        start += line.len();
        let is_inside = cells[next..]
            .first()
            .is_some_and(|cell| cell.range.start <= range.end);
        match (is_inside, comment(bare)) {
            (false, Some(words)) => found.prose(words),
            (false, None) if bare.trim().is_empty() => found.blank(),
            _ => found.code(range.clone()),
        }
        // Several statements may end on one line, and their answers follow it together.
        while let Some(cell) = cells.get(next).filter(|cell| cell.range.end <= range.end) {
            debug_assert!(cell.range.start <= range.end);
            found.pieces.push(Piece::Answer(next));
            next += 1;
        }
    }
    found.pieces
}

/// Returns the words of a line that is a comment, unless it documents what follows.
fn comment(line: &str) -> Option<&str> {
    let words = line.trim_start().strip_prefix("//")?;
    // A third slash makes it documentation, which is shown with its statement.
    (!words.starts_with('/')).then(|| words.strip_prefix(' ').unwrap_or(words))
}

/// The pieces so far.
#[derive(Default)]
struct Found {
    pieces: Vec<Piece>,
    /// `true` if an empty line separates the last piece from the next.
    is_parted: bool,
}

impl Found {
    fn prose(&mut self, words: &str) {
        match self.pieces.last_mut() {
            Some(Piece::Prose(text)) if !self.is_parted => {
                text.push('\n');
                text.push_str(words);
            }
            _ => self.pieces.push(Piece::Prose(words.to_owned())),
        }
        self.is_parted = false;
    }

    fn code(&mut self, line: Range<usize>) {
        match self.pieces.last_mut() {
            Some(Piece::Code(range)) => range.end = line.end,
            _ => self.pieces.push(Piece::Code(line)),
        }
        self.is_parted = false;
    }

    fn blank(&mut self) {
        self.is_parted = true;
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::rc::Rc;

    use bid::engine::{Desk, FileChange};
    use bid_language::files::Library;
    use bid_language::watch::Context;

    use super::*;

    fn divided(text: &str) -> Vec<String> {
        let mut desk = Desk::new(Rc::new(Library));
        let path = PathBuf::from("a.bid");
        desk.change(&FileChange::Open(path.clone(), text.to_owned()));
        let analysis = desk.analysis(&path, Context::plain()).expect("a document");
        let shown = |piece| match piece {
            Piece::Prose(words) => format!("prose {words}"),
            Piece::Code(range) => format!("code {}", &text[range]),
            Piece::Answer(cell) => format!("answer {cell}"),
        };
        let found = pieces(text, &desk.cells(&analysis));
        found.into_iter().map(shown).collect()
    }

    #[test]
    fn comments_statements_and_answers_are_pieces_in_order() {
        let text = "// # Title\n// Words.\n\n// More.\n\n/// A number.\nlet x = 1\n\nshow x // why\nshow [\n    // within\n    x,\n]\n// The end.";
        assert_eq!(
            divided(text),
            [
                "prose # Title\nWords.",
                "prose More.",
                "code /// A number.\nlet x = 1",
                "answer 0",
                "code show x // why",
                "answer 1",
                "code show [\n    // within\n    x,\n]",
                "answer 2",
                "prose The end."
            ]
        );
    }

    #[test]
    fn what_cannot_be_read_is_shown_with_its_answer() {
        assert_eq!(
            divided("show 1 +\r\nshow 2"),
            ["code show 1 +", "answer 0", "code show 2", "answer 1"]
        );
        assert_eq!(divided(""), [] as [&str; 0]);
        assert_eq!(divided("// only"), ["prose only"]);
    }
}
