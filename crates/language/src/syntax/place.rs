//! Locates an error within a statement: the token, the line of a block around it, and the contents
//! of the block.

use super::layout::Holds;
use super::token::{Token, TokenKind};
use crate::source::{SourceId, Span};

/// A token within the tokens of one statement. The position after the last token is a place too.
#[derive(Clone, Copy)]
pub struct Place<'l> {
    pub source: SourceId,
    pub text: &'l str,
    pub tokens: &'l [Token],
    /// The opening braces of blocks of statements, lines or updates. See
    /// [`Layout`](super::layout::Layout).
    pub blocks: &'l [(u32, Holds)],
    pub at: usize,
}

impl<'l> Place<'l> {
    /// Returns the token at the place.
    pub fn token(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    /// Returns the text of the token `offset` tokens further on. It is empty where there is no
    /// token.
    pub fn word(&self, offset: isize) -> &'l str {
        let index = self.at.checked_add_signed(offset);
        index
            .and_then(|index| self.tokens.get(index))
            .map_or("", |token| token.text(self.text))
    }

    /// Returns the place of the token `offset` tokens further on.
    pub fn span(&self, offset: isize) -> Option<Span> {
        let token = self.tokens.get(self.at.checked_add_signed(offset)?)?;
        Some(Span {
            source: self.source,
            start: token.start,
            end: token.end,
        })
    }

    /// Returns the blank space between the token before the place and the token there. It is empty
    /// if there is a comment between them.
    pub fn gap(&self) -> Option<Span> {
        let (before, here) = (self.span(-1)?, self.span(0)?);
        let gap = Span {
            start: before.end,
            end: here.start,
            ..here
        };
        Some(if self.text[gap.range()].trim().is_empty() {
            gap
        } else {
            Span {
                start: here.start,
                ..gap
            }
        })
    }

    /// Returns the line of a block that contains the place with the contents of the block, or the
    /// whole statement.
    pub fn line(&self) -> (std::ops::Range<usize>, Option<Holds>) {
        let (start, block) = self.line_start();
        let mut depth = 0_usize;
        let mut end = start;
        for token in &self.tokens[start..] {
            match token.kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close if depth == 0 => break,
                TokenKind::Close => depth -= 1,
                TokenKind::Newline | TokenKind::Semicolon if depth == 0 => break,
                _ => {}
            }
            end += 1;
        }
        // The end of the line may be the place itself, which then belongs to it.
        (start..end.max(self.at.min(self.tokens.len())), block)
    }

    /// Returns the innermost bracket that is open here.
    pub fn bracket(&self) -> Option<Token> {
        let mut depth = 0_usize;
        for token in self.tokens[..self.at.min(self.tokens.len())].iter().rev() {
            match token.kind {
                TokenKind::Close => depth += 1,
                TokenKind::Open if depth > 0 => depth -= 1,
                TokenKind::Open => return Some(*token),
                _ => {}
            }
        }
        None
    }

    /// Returns `true` if the innermost bracket that is open here is a brace.
    pub fn inside_braces(&self) -> bool {
        self.bracket()
            .is_some_and(|open| open.text(self.text) == "{")
    }

    fn line_start(&self) -> (usize, Option<Holds>) {
        let mut depth = 0_usize;
        let mut start = None;
        for (i, token) in self.tokens[..self.at.min(self.tokens.len())]
            .iter()
            .enumerate()
            .rev()
        {
            match token.kind {
                TokenKind::Close => depth += 1,
                TokenKind::Open if depth > 0 => depth -= 1,
                TokenKind::Open => {
                    if let Some(holds) = self.holds(*token) {
                        return (start.unwrap_or(i + 1), Some(holds));
                    }
                    // A line end inside a bracket with parts separates nothing.
                    start = None;
                }
                // Only the nearest line end counts, and only if a block is around it.
                TokenKind::Newline | TokenKind::Semicolon if depth == 0 => {
                    start = start.or(Some(i + 1))
                }
                _ => {}
            }
        }
        (0, None)
    }

    /// Returns the contents of the block that opens with this token.
    fn holds(&self, opening: Token) -> Option<Holds> {
        let found = self
            .blocks
            .binary_search_by_key(&opening.start, |(start, _)| *start);
        found.ok().map(|i| self.blocks[i].1)
    }
}
