//! Long graphs, whose lines are read a part at a time.
//!
//! Until a whole text is read, pest keeps the beginning and end of everything that it has read in
//! it: a kilobyte for a line like `both 0 -> 1, 2`. For this reason the lines of a long graph are
//! read separately from the statement around them, and the statement is read as if the graph had no
//! lines. The memory for one part then serves all parts, and the reader checks between two parts
//! whether to stop. If this fails, the statement is read as a whole, which yields the messages
//! about it.

use std::ops::Range;

use super::layout::Holds;
use super::token::{Token, TokenKind};

/// The number of lines read at a time.
const LINES: usize = 64;

/// The places of the lines of a long graph, in bytes of the source.
#[derive(Debug, PartialEq, Eq)]
pub struct Long {
    /// The bytes between its braces.
    pub inside: Range<usize>,
    /// The bytes of each part, which consists of some lines.
    pub parts: Vec<Range<usize>>,
}

/// Finds the first long graph of a statement whose brackets are in order.
pub fn long(tokens: &[Token], blocks: &[(u32, Holds)], text: &str) -> Option<Long> {
    let (first, last) = (tokens.first()?, tokens.last()?);
    let within = blocks.partition_point(|(start, _)| *start < first.start)..;
    let within = blocks[within]
        .iter()
        .take_while(|(start, _)| *start < last.end);
    let mut graphs = within.filter(|(_, holds)| *holds == Holds::Graph);
    graphs.find_map(|(brace, _)| {
        long_at(
            tokens,
            tokens.partition_point(|token| token.start < *brace),
            text,
        )
    })
}

/// Returns the graph whose opening brace is this token, if it is long.
fn long_at(tokens: &[Token], brace: usize, text: &str) -> Option<Long> {
    let start = tokens.get(brace)?.end as usize;
    let (mut depth, mut lines, mut parts) = (0_usize, 0_usize, Vec::new());
    let mut from = start;
    for token in &tokens[brace + 1..] {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close if depth == 0 => {
                let end = token.start as usize;
                parts.push(from..end);
                // A graph of one part gains nothing from being read separately.
                return (parts.len() > 1 && token.text(text) == "}").then_some(Long {
                    inside: start..end,
                    parts,
                });
            }
            TokenKind::Close => depth -= 1,
            // A line may contain a graph of its own, which must not be cut.
            TokenKind::Newline | TokenKind::Semicolon if depth == 0 => {
                lines += 1;
                if lines.is_multiple_of(LINES) {
                    parts.push(from..token.start as usize);
                    from = token.end as usize;
                }
            }
            _ => {}
        }
    }
    None
}
