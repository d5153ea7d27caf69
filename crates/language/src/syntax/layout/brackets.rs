//! Matches brackets, and reports those that do not match.

use super::height::Height;
use super::{Holds, MAX_BRACKETS, OpenBracket, Resolver, ends_operand};
use crate::diagnostic::{Code, Diagnostic, Fix, Help};
use crate::syntax::token::Token;

impl Resolver<'_> {
    pub(super) fn open(&mut self, token: Token) {
        let holds = self.holds(token);
        if holds != Holds::Parts {
            self.blocks.push((token.start, holds));
        }
        self.weigh(token);
        self.tokens.push(token);
        self.stack.push(OpenBracket {
            opening: token,
            holds,
            item: self.tokens.len(),
            height: Height::default(),
        });
        // The lowest frame is that of the file, and belongs to no bracket.
        if self.stack.len() > MAX_BRACKETS + 1 {
            let message = format!("brackets are nested more than {MAX_BRACKETS} deep");
            self.too_deep(token, message, "this bracket is one too many");
        }
    }

    fn holds(&self, token: Token) -> Holds {
        let top = self.top();
        if token.text(self.text) != "{" || self.item_is_empty() {
            return Holds::Parts;
        }
        match self.last_text() {
            // A graph is an expression, which may stand anywhere, even within parts.
            Some("graph") => return Holds::Graph,
            _ if top.holds == Holds::Parts => return Holds::Parts,
            Some("else")
                if top.holds == Holds::Updates
                    && self
                        .tokens
                        .iter()
                        .nth_back(1)
                        // The `else` of an update follows the brace that closes a block.
                        .is_some_and(|before| before.text(self.text) == "}") =>
            {
                return Holds::Updates;
            }
            _ => {}
        }
        let item = &self.tokens[top.item..];
        let after_operand = item.len() > 1
            && item
                .last()
                .is_some_and(|last| ends_operand(*last, self.text));
        match item[0].text(self.text) {
            "test" if after_operand && top.holds == Holds::Statements => Holds::Statements,
            "game" if after_operand => Holds::Ruleset,
            "move" | "if" if after_operand => Holds::Updates,
            _ => Holds::Parts,
        }
    }

    pub(super) fn close(&mut self, token: Token) {
        self.docs_are_comments();
        let wanted = opening_of(token.text(self.text));
        // The bound keeps the search short in a text of nothing but opening brackets.
        let nearest = self.stack[1..].iter().rev().take(MAX_BRACKETS);
        let depth = nearest
            .map(|frame| frame.opening.text(self.text))
            .position(|opening| opening == wanted);
        if depth != Some(0) {
            self.mismatched(token, depth);
        }
        // A closing bracket without a partner was most likely meant to close the innermost bracket,
        // unless that opened a block, which a bracket of another kind is not meant to close.
        let is_in_block = depth.is_none() && self.top().holds != Holds::Parts;
        let popped = if is_in_block {
            0
        } else {
            depth.unwrap_or(0) + 1
        };
        (0..popped).for_each(|_| self.pop());
        self.tokens.push(token);
    }

    /// Closes the brackets that were opened on the line of an unclosed string. The string contains
    /// the rest of the line, and with it the brackets that were to close them.
    pub(super) fn forget_brackets_before(&mut self, string: Token) {
        while self.stack.len() > 1 {
            let opening = self.top().opening.end as usize;
            if self.text[opening..string.start as usize].contains('\n') {
                return;
            }
            self.sound = false;
            self.pop();
        }
    }

    fn pop(&mut self) {
        // The frame of the file stays.
        if self.stack.len() == 1 {
            return;
        }
        let inner = self.stack.pop().map_or(0, |frame| frame.height.now());
        let height = &mut self.top_mut().height;
        height.inner = height.inner.max(inner);
        if let Some(&last) = self.tokens.last() {
            self.check_height(last);
        }
    }

    /// Reports the brackets that are open beyond the first `keep` frames, and closes them.
    pub(super) fn close_unclosed(&mut self, keep: usize, next_statement: Option<Token>) {
        self.is_unclosed = true;
        if self.sound {
            let unclosed: Vec<Token> = self.stack[keep..]
                .iter()
                .rev()
                .map(|frame| frame.opening)
                .collect();
            let diagnostic = self.unclosed(&unclosed, next_statement);
            self.diagnostics.push(diagnostic);
        }
        self.sound = false;
        while self.stack.len() > keep {
            self.pop();
        }
    }

    fn unclosed(&self, openings: &[Token], next_statement: Option<Token>) -> Diagnostic {
        let bracket = |token: &Token| token.text(self.text);
        let closing: String = openings
            .iter()
            .map(|token| closing_of(bracket(token)))
            .collect();
        let message = match openings {
            [only] => format!("`{}` is never closed", bracket(only)),
            _ => format!("{} brackets are never closed", openings.len()),
        };
        let mut diagnostic = Diagnostic::new(Code::UnclosedBracket, message);
        // More labels than three would hide the message.
        for opening in openings.iter().take(3) {
            diagnostic = diagnostic.label(
                self.span(*opening),
                format!("this `{}` is still open", bracket(opening)),
            );
        }
        let (diagnostic, help) = match next_statement {
            Some(token) => (
                diagnostic.label(self.span(token), "here a new statement starts"),
                format!("add `{closing}` before this line"),
            ),
            None => (
                diagnostic,
                format!("add `{closing}` where the bracket ends"),
            ),
        };
        diagnostic.help(match self.tokens.last() {
            Some(last) => Help::from(help).with(Fix::after(
                self.span(*last),
                self.closing_of_all(openings, *last),
            )),
            None => Help::from(help),
        })
    }

    /// Returns the brackets that close these, the innermost first, for insertion after a token. A
    /// closing brace stands on a line of its own if its opening brace is on an earlier line.
    fn closing_of_all(&self, openings: &[Token], last: Token) -> String {
        let close = |opening: &Token| {
            let closing = closing_of(opening.text(self.text));
            let is_on_this_line =
                !self.text[opening.start as usize..last.end as usize].contains('\n');
            if closing != "}" || is_on_this_line {
                closing.to_owned()
            } else {
                format!("\n{closing}")
            }
        };
        openings.iter().map(close).collect()
    }

    fn mismatched(&mut self, token: Token, depth: Option<usize>) {
        if !std::mem::replace(&mut self.sound, false) {
            return;
        }
        let innermost = self.top().opening;
        let diagnostic = match depth {
            // The innermost frame is then that of the file, and its token is no bracket.
            _ if self.stack.len() == 1 => self.stray(token),
            // A bracket on another line than the innermost one was meant for its own partner, and
            // the brackets opened since then lack their closing ones.
            Some(depth)
                if self.text[innermost.end as usize..token.start as usize].contains('\n') =>
            {
                let forgotten: Vec<Token> = self
                    .stack
                    .iter()
                    .rev()
                    .take(depth)
                    .map(|frame| frame.opening)
                    .collect();
                self.unclosed(&forgotten, None)
                    .label(self.span(token), "this closes a bracket further out")
            }
            _ => self.of_another_kind(token, innermost, depth.is_some()),
        };
        self.diagnostics.push(diagnostic);
    }

    fn stray(&self, token: Token) -> Diagnostic {
        let closing = token.text(self.text);
        Diagnostic::new(
            Code::MismatchedBracket,
            format!("`{closing}` closes nothing"),
        )
        .label(self.span(token), "no bracket is open here")
        .help(
            Help::from(format!(
                "remove it, or add the `{}` that it should close",
                opening_of(closing)
            ))
            .with(Fix::remove(self.span(token)).titled(format!("remove `{closing}`"))),
        )
    }

    fn of_another_kind(&self, token: Token, innermost: Token, has_partner: bool) -> Diagnostic {
        let (closing, opening) = (token.text(self.text), innermost.text(self.text));
        let wanted = closing_of(opening);
        let help = if has_partner {
            Help::from(format!("add `{wanted}` before it"))
                .with(Fix::before(self.span(token), wanted))
        } else {
            Help::from(format!("write `{wanted}`")).with(Fix::replace(self.span(token), wanted))
        };
        Diagnostic::new(
            Code::MismatchedBracket,
            format!("`{closing}` does not close `{opening}`"),
        )
        .label(
            self.span(token),
            format!("found `{closing}`, expected `{wanted}`"),
        )
        .label(self.span(innermost), "this bracket is still open")
        .help(help)
    }
}

fn closing_of(opening: &str) -> &'static str {
    match opening {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}

fn opening_of(closing: &str) -> &'static str {
    match closing {
        ")" => "(",
        "]" => "[",
        _ => "{",
    }
}
