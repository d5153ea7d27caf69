//! Long graphs, whose lines are read a part at a time.
//!
//! Pest keeps where everything begins and ends that it has read, a kilobyte for a line like `both 0
//! -> 1, 2`, until the whole text is read. So the lines of a long graph are read apart from the
//! statement around them, and that as if the graph had none: the memory for one part serves all of
//! them, and whoever watches is asked between two. Where that fails, the statement is read as a
//! whole, which tells what is wrong with it.

use std::ops::Range;

use super::layout::Holds;
use super::token::{Token, TokenKind};

/// How many lines are read at a time.
const LINES: usize = 64;

/// Where the lines of a long graph stand, in bytes of the source.
#[derive(Debug, PartialEq, Eq)]
pub struct Long {
    /// Between its braces.
    pub inside: Range<usize>,
    /// Some lines each.
    pub parts: Vec<Range<usize>>,
}

/// The first long graph of a statement whose brackets are in order.
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

/// The graph whose opening brace is this token, if it is long.
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
                return (parts.len() > 1 && token.text(text) == "}").then_some(Long {
                    inside: start..end,
                    parts,
                });
            }
            TokenKind::Close => depth -= 1,
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
