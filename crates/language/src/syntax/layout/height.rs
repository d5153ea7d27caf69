//! Bounds the nesting: the height that the syntax tree can have, computed before there is a tree.

use super::{MAX_HEIGHT, Resolver, is_operator_word};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::token::{Token, TokenKind};

/// An upper bound on the height of the syntax tree of the contents of a bracket.
#[derive(Default)]
pub struct Height {
    operators: u32,
    pub inner: u32,
    highest: u32,
}

impl Height {
    pub fn now(&self) -> u32 {
        self.highest.max(self.operators + self.inner)
    }

    pub fn next_element(&mut self) {
        *self = Self {
            highest: self.now(),
            ..Self::default()
        };
    }
}

impl Resolver<'_> {
    /// Counts a token that may add a level to the syntax tree.
    pub(super) fn weigh(&mut self, token: Token) {
        let nests = match token.kind {
            TokenKind::Symbol if matches!(token.text(self.text), "," | "|") => {
                // Elements stand beside each other, so that their heights are not added.
                return self.top_mut().height.next_element();
            }
            TokenKind::Word => {
                is_operator_word(token.text(self.text))
                    || matches!(token.text(self.text), "if" | "let")
            }
            _ => true,
        };
        if nests {
            self.top_mut().height.operators += 1;
            self.check_height(token);
        }
    }

    pub(super) fn check_height(&mut self, token: Token) {
        if self.top().height.now() > MAX_HEIGHT {
            let message =
                format!("more than {MAX_HEIGHT} operators and brackets are nested in each other");
            self.too_deep(token, message, "here the limit is reached");
        }
    }

    pub(super) fn too_deep(&mut self, token: Token, message: String, label: &str) {
        // One report is enough for a piece, since all tokens beyond the limit exceed it.
        if !std::mem::replace(&mut self.sound, false) {
            return;
        }
        let diagnostic = Diagnostic::new(Code::TooDeep, message)
            .label(self.span(token), label)
            .help("name parts of the expression with `let`");
        self.diagnostics.push(diagnostic);
    }
}
