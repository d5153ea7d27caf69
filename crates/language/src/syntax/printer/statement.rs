//! Prints files and statements.

use super::expression::quoted;
use super::{Doc, Printer};
use crate::syntax::ast::{ExprKind, File, Statement, StatementKind};

impl<'a> Printer<'a> {
    pub(super) fn file(&mut self, file: &'a File) -> Doc<'a> {
        if file.statements.is_empty() && file.comments.is_empty() {
            return self.nil();
        }
        self.lines(&file.statements, u32::MAX)
            .append(self.hardline())
    }

    pub(super) fn statement(&mut self, statement: &'a Statement) -> Doc<'a> {
        let mut doc = self.nil();
        for line in statement.doc.iter().flat_map(|doc| doc.split('\n')) {
            // An empty line of documentation must not end with a space.
            let space = if line.is_empty() { "" } else { " " };
            doc = doc
                .append("///")
                .append(space)
                .append(line)
                .append(self.hardline());
        }
        doc.append(self.kind(statement))
    }

    fn kind(&mut self, statement: &'a Statement) -> Doc<'a> {
        match &statement.kind {
            StatementKind::Use { path, .. } => self.text("use ").append(quoted(path)),
            StatementKind::Let(definition) => self.definition("let", definition),
            StatementKind::Game(definition) => self.definition("game", definition),
            StatementKind::Ruleset(ruleset) => self.ruleset(ruleset, statement.span),
            StatementKind::Rules { name, body } => {
                let head = self.text("rules ").append(name.text.as_str());
                match &*body.kind {
                    ExprKind::Rules(_) => head.append(" ").append(self.expr(body)),
                    _ => self.right_hand_side(head, body),
                }
            }
            StatementKind::Using(rules) => self.text("using ").append(self.expr(rules)),
            StatementKind::Show(value) => self.text("show ").append(self.expr(value)),
            StatementKind::Check(value) => self.text("check ").append(self.expr(value)),
            StatementKind::Test { name, body, .. } => {
                let head = self.text("test ").append(quoted(name)).append(" ");
                head.append(self.block(body, statement.span.end.saturating_sub(1), false))
            }
            StatementKind::Expr(value) => self.expr(value),
        }
    }
}
