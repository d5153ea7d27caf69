//! Checks updates: assignments to state variables, pieces that fall, scores, and updates under a
//! condition.

use crate::check::Checker;
use crate::diagnostic::{Code, Diagnostic, Help, did_you_mean};
use crate::ir::{CheckedUpdate, Kinds};
use crate::syntax::ast::{self, UpdateKind};

impl Checker<'_> {
    pub(super) fn updates(&mut self, updates: &[ast::Update]) -> Vec<CheckedUpdate> {
        updates
            .iter()
            .filter_map(|update| self.update(update))
            .collect()
    }

    fn update(&mut self, update: &ast::Update) -> Option<CheckedUpdate> {
        let span = update.span;
        Some(match &update.kind {
            UpdateKind::Assign {
                target,
                indices,
                op,
                value,
            } => {
                let target = self.state_target(target)?;
                let indices: Vec<_> = indices.iter().map(|index| self.expr(index).expr).collect();
                // The kinds of a whole variable are known, but not those of its parts.
                let kinds = if indices.is_empty() {
                    self.lines().kinds(target)
                } else {
                    Kinds::ANY
                };
                let value = self.needs(value, kinds, &format!("this variable holds {kinds}"));
                CheckedUpdate::Assign {
                    target,
                    indices,
                    op: *op,
                    value,
                    span,
                }
            }
            UpdateKind::Drop {
                board,
                column,
                value,
            } => CheckedUpdate::Drop {
                target: self.state_target(board)?,
                column: self.needs(column, Kinds::INTEGER, "a column is an integer"),
                value: self.expr(value).expr,
                span,
            },
            UpdateKind::Score(score) => {
                CheckedUpdate::Score(self.needs(score, Kinds::NUMBER, "a score is a number"))
            }
            UpdateKind::If {
                condition,
                then,
                otherwise,
            } => CheckedUpdate::If(
                self.needs(condition, Kinds::BOOL, "a condition is true or false"),
                self.updates(then),
                self.updates(otherwise),
            ),
        })
    }

    /// Finds the state variable that a name means, and reports a name that means none.
    pub(super) fn state_target(&mut self, name: &ast::Name) -> Option<usize> {
        let names = self.lines();
        let found = names.variable(&name.text);
        if found.is_some() {
            self.refer(&name.text, name.span);
        } else {
            let nearest = did_you_mean(&name.text, names.variables());
            let only = names.variables().next();
            let only = only.filter(|_| names.variables().count() == 1);
            let declared = format!("`state {} = …`", name.text);
            let help = match (nearest, only) {
                (Some(nearest), _) => Help::did_you_mean(&name.text, nearest, name.span),
                (None, Some(only)) => {
                    format!("the only state variable is `{only}`; declare another with {declared}")
                        .into()
                }
                (None, None) => {
                    format!("only state variables change; declare it with {declared}").into()
                }
            };
            self.report(
                Diagnostic::new(
                    Code::UnknownName,
                    format!("`{}` is not a state variable", name.text),
                )
                .label(name.span, "not a state variable")
                .help(help),
            );
        }
        found
    }
}
