//! Runs checked statements.

use std::rc::Rc;
use std::sync::Arc;

use super::document::defines;
use super::load::{Load, Purpose};
use super::{Phase, SessionEvent};
use crate::check::{CheckedStatement, CheckedStatementKind, TopExpr};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval;
use crate::eval::{Dialogue, Evaluator, Frame, Placed};
use crate::interchange::EdgeList;
use crate::ir::{CheckedExpr, CheckedExprKind, Function, GlobalId, RulesetTemplate, Value};
use crate::report::Report;
use crate::rules::Overrides;
use crate::scalar::{NamedGame, Scalar};
use crate::source::Span;

impl Load<'_, '_> {
    /// Runs statements in order; returns the names whose definitions failed.
    pub fn run_statements(
        &mut self,
        statements: Vec<CheckedStatement>,
        defaults: &mut Rc<Overrides>,
        purpose: Purpose,
    ) -> Vec<String> {
        let mut lost = Vec::new();
        for statement in statements {
            if self.stopped() {
                self.skip(statement, purpose);
                continue;
            }
            let defined = defines(&statement);
            let leaves_nothing = leaves_nothing(&statement.kind);
            // The mark is taken before, because a failed statement may have added games.
            let before = self.session.world.games.mark();
            if let Some(id) = defined {
                let name = &self.session.definitions.get(id).name;
                self.session.warned.redefined(name);
            }
            if let Err(error) = self.run_statement(statement, defaults, purpose) {
                // The next statements may well fit once this one's memory is released.
                if error.code == Code::Memory {
                    self.session.world.give_back_memory(before);
                }
                self.report(*error);
                if let Some(id) = defined {
                    self.session.world.lose(id);
                    lost.push(self.session.definitions.get(id).name.clone());
                }
            } else if leaves_nothing && self.session.guard.memory_is_tight() {
                self.session.world.give_back_memory(before);
            }
        }
        lost
    }

    fn skip(&mut self, statement: CheckedStatement, purpose: Purpose) {
        if let CheckedStatementKind::Test(name, _) = statement.kind
            && purpose == Purpose::Run
            && self.session.selects(&name)
        {
            let phase = Phase::Skipped;
            self.emit(SessionEvent::Test { name, phase });
        }
    }

    fn run_statement(
        &mut self,
        statement: CheckedStatement,
        defaults: &mut Rc<Overrides>,
        purpose: Purpose,
    ) -> Result<()> {
        let span = statement.span;
        match statement.kind {
            CheckedStatementKind::Value {
                id,
                name,
                body,
                frame,
            } => self.define_value(id, &name, &body, frame, defaults),
            CheckedStatementKind::Function { id, code } => {
                let closure = Function::Closure {
                    code,
                    captured: Vec::new(),
                    defaults: Rc::clone(defaults),
                };
                self.session
                    .world
                    .define(id, Value::Function(Rc::new(closure)));
                Ok(())
            }
            CheckedStatementKind::Ruleset { id, ruleset } => {
                self.define_ruleset(id, ruleset, defaults, span)
            }
            CheckedStatementKind::Using(rules) => {
                let rules = self.evaluate(defaults, |evaluator| {
                    evaluator.eval_rules(&rules.expr, &mut Frame::new(rules.frame))
                })?;
                *defaults = Rc::new(defaults.then(&rules));
                Ok(())
            }
            CheckedStatementKind::Show(_)
            | CheckedStatementKind::Check(_)
            | CheckedStatementKind::Test(..)
            | CheckedStatementKind::Expr(_)
                if purpose == Purpose::Import =>
            {
                Ok(())
            }
            CheckedStatementKind::Show(top) => {
                let value = self.reported(&top, defaults)?;
                let span = top.expr.span;
                self.tell(
                    SessionEvent::Shown {
                        label: top.label,
                        value,
                        span,
                    },
                    span,
                )
            }
            CheckedStatementKind::Expr(top) => {
                let value = self.reported(&top, defaults)?;
                self.tell(SessionEvent::Value(value), top.expr.span)
            }
            CheckedStatementKind::Check(top) => self.check(&top, defaults),
            CheckedStatementKind::Test(name, body) => {
                if !self.session.selects(&name) {
                    return Ok(());
                }
                self.emit(SessionEvent::Test {
                    name: name.clone(),
                    phase: Phase::Started,
                });
                // Rules that a test sets end with the test.
                self.run_statements(body, &mut Rc::clone(defaults), purpose);
                let phase = Phase::Ended;
                self.emit(SessionEvent::Test { name, phase });
                Ok(())
            }
        }
    }

    /// Emits an event with a value. Returns an error if the receiver of the event was stopped while
    /// writing it. A stop before that is not an error here, because the value has been found.
    fn tell(&mut self, event: SessionEvent, span: Span) -> Result<()> {
        let was_stopped = self.session.guard.check().is_err();
        self.emit(event);
        if was_stopped {
            return Ok(());
        }
        self.session.guard.check().placed(span)
    }

    fn define_value(
        &mut self,
        id: GlobalId,
        name: &str,
        body: &CheckedExpr,
        frame: usize,
        defaults: &Rc<Overrides>,
    ) -> Result<()> {
        let value = self.evaluate(defaults, |evaluator| {
            evaluator.eval(body, &mut Frame::new(frame).titled(name))
        })?;
        self.session.world.define(id, value);
        Ok(())
    }

    fn define_ruleset(
        &mut self,
        id: GlobalId,
        ruleset: Rc<RulesetTemplate>,
        defaults: &Rc<Overrides>,
        span: Span,
    ) -> Result<()> {
        let value = match ruleset.parameters {
            Some(_) => Value::Function(Rc::new(Function::Family { ruleset })),
            None => Value::Game(self.evaluate(defaults, |evaluator| {
                evaluator.instance(&ruleset, &[], span)
            })?),
        };
        self.session.world.define(id, value);
        Ok(())
    }

    /// Evaluates an expression to a report.
    fn reported(&mut self, top: &TopExpr, defaults: &Rc<Overrides>) -> Result<Report> {
        self.reported_with(top, Vec::new(), defaults)
    }

    /// Evaluates an expression whose first variables have these values to a report.
    fn reported_with(
        &mut self,
        top: &TopExpr,
        values: Vec<Value>,
        defaults: &Rc<Overrides>,
    ) -> Result<Report> {
        let lends = self.session.lends;
        let is_position = matches!(
            *top.expr.kind,
            CheckedExprKind::At(..) | CheckedExprKind::After(..)
        );
        self.evaluate(defaults, |evaluator| {
            evaluator.reads_printed = is_position && !values.is_empty();
            let mut frame = Frame::new(top.frame);
            values
                .into_iter()
                .enumerate()
                .for_each(|(slot, value)| frame.set(slot, value));
            let value = evaluator.eval(&top.expr, &mut frame)?;
            let report = if lends {
                eval::into_report_to_keep
            } else {
                eval::into_report
            };
            let reported = report(&evaluator.world.games, value, evaluator.context);
            let reported = reported.placed(top.expr.span)?;
            // Only a game that leaves the session has to be kept for its holder.
            if lends && reported.mentions_games() {
                evaluator.world.lend_games();
            }
            Ok(reported)
        })
    }

    /// Answers an expression whose first variables have these values.
    pub fn answer(
        &mut self,
        top: &TopExpr,
        values: Vec<Value>,
        defaults: &Rc<Overrides>,
    ) -> Result<()> {
        let before = self.session.world.games.mark();
        let answered = self.reported_with(top, values, defaults);
        let has_failed = answered
            .as_ref()
            .is_err_and(|error| error.code == Code::Memory);
        if has_failed || self.session.guard.memory_is_tight() {
            self.session.world.give_back_memory(before);
        }
        self.emit(SessionEvent::Value(answered?));
        Ok(())
    }

    /// Makes a game of a graph.
    pub fn graph(&mut self, edges: &EdgeList, span: Span) -> Result<()> {
        let defaults = Rc::clone(&self.session.defaults);
        let game = self.evaluate(&defaults, |evaluator| evaluator.listed(edges, span))?;
        let value = Report::from(Scalar::Game(NamedGame {
            text: edges.title.clone(),
            id: game,
        }));
        // The caller keeps the game, so it must not be rolled back.
        self.session.world.lend_games();
        self.emit(SessionEvent::Value(value));
        Ok(())
    }

    fn check(&mut self, top: &TopExpr, defaults: &Rc<Overrides>) -> Result<()> {
        let failed = self.evaluate(defaults, |evaluator| {
            evaluator.check(&top.expr, &mut Frame::new(top.frame))
        })?;
        self.summary.failed_checks += usize::from(failed.is_some());
        self.emit(SessionEvent::Check { failed });
        Ok(())
    }

    fn evaluate<T>(
        &mut self,
        defaults: &Rc<Overrides>,
        evaluate: impl FnOnce(&mut Evaluator<'_>) -> Result<T>,
    ) -> Result<T> {
        let guard = Arc::clone(&self.session.guard);
        let context = guard.context();
        let mut evaluator = Evaluator::new(&mut self.session.world, Rc::clone(defaults), &context);
        evaluator.dialogue = self
            .session
            .dialogue
            .as_deref_mut()
            .map(|dialogue| dialogue as &mut dyn Dialogue);
        let value = evaluate(&mut evaluator);
        if value.is_ok() {
            evaluator.warn_of_unwinnable_games();
        }
        let warnings: Vec<Diagnostic> = std::mem::take(&mut evaluator.warnings);
        for warning in warnings {
            // An answer may be the best one found before the work was stopped: the warning says so,
            // and the run ends there.
            let ends = warning.code == Code::NotNarrow && self.session.guard.check().is_err();
            self.summary.stopped |= ends;
            if ends {
                self.report(warning.note("the run ends here: later statements are not evaluated"));
            } else if self.session.warned.is_new(&warning) {
                self.report(warning);
            }
        }
        value
    }
}

/// Returns `true` if no later statement needs the results of a statement. Solved games are kept
/// only in case they are asked about again.
fn leaves_nothing(kind: &CheckedStatementKind) -> bool {
    matches!(
        kind,
        CheckedStatementKind::Show(_)
            | CheckedStatementKind::Check(_)
            | CheckedStatementKind::Expr(_)
    )
}
