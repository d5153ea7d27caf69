//! Collects the questions that an expression asks, instead of answering them.
//!
//! A part whose value depends on an answer has no value here. All other parts are still visited:
//! both branches if an answer decides between them, and every element that an answer could exclude.

use super::builtin::Call;
use super::evaluator::{Evaluator, elements, overrides, truth};
use super::frame::Frame;
use super::query::Placed;
use crate::ask::{About, Planned, Question};
use crate::diagnostic::Result;
use crate::game::print_game;
use crate::ir::{
    CheckedClause, CheckedExpr, CheckedExprKind, Function, Operand, RulesField, Value,
};
use crate::player::GameId;
use crate::report::Report;
use crate::scalar::Scalar;
use crate::source::Span;
use crate::syntax::ast::BinaryOp;

/// The most questions that are planned: an expression can ask one for each element of a list.
const MOST_QUESTIONS: usize = 32;

/// The greatest depth to which calls of functions are followed: a recursion that is ended by an
/// answer does not end here.
const MOST_DEEP: usize = 64;

/// The questions of an expression.
#[derive(Debug, Default)]
pub struct Questions {
    /// Their texts and plans, in the order in which they are asked.
    pub plans: Vec<(String, Planned)>,
    /// `true` if there may be others.
    pub is_cut: bool,
}

impl Questions {
    /// Returns the plans as named facts. If there are several, each begins with its question.
    pub fn reports(&self) -> Vec<Report> {
        let word = |text: &str| Report::Scalar(Scalar::String(text.to_owned()));
        if self.plans.is_empty() {
            return vec![word("no question about a game is asked")];
        }
        let is_single = self.plans.len() == 1 && !self.is_cut;
        let facts = |(asked, planned): &(String, Planned)| {
            let question = (!is_single).then(|| ("question".to_owned(), word(asked)));
            Report::Record(question.into_iter().chain(planned.facts()).collect())
        };
        let others = self
            .is_cut
            .then(|| word("the plan ends here; more questions may be asked"));
        self.plans.iter().map(facts).chain(others).collect()
    }
}

impl Evaluator<'_> {
    /// Returns the plans of the questions about games that an expression asks.
    ///
    /// # Errors
    /// Returns an error if the expression cannot be evaluated.
    pub fn questions(&mut self, expr: &CheckedExpr, frame: &mut Frame) -> Result<Questions> {
        let mut found = Questions::default();
        self.survey(expr, frame, &mut found)?;
        Ok(found)
    }

    /// Collects the questions of an expression, and returns its value unless that depends on an
    /// answer.
    fn survey(
        &mut self,
        expr: &CheckedExpr,
        frame: &mut Frame,
        found: &mut Questions,
    ) -> Result<Option<Value>> {
        self.context.check()?;
        if found.plans.len() >= MOST_QUESTIONS {
            found.is_cut = true;
            return Ok(None);
        }
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
            self.survey_unguarded(expr, frame, found)
        })
    }

    fn survey_unguarded(
        &mut self,
        expr: &CheckedExpr,
        frame: &mut Frame,
        found: &mut Questions,
    ) -> Result<Option<Value>> {
        match &*expr.kind {
            CheckedExprKind::Local(slot) if frame.lacks(*slot) => Ok(None),
            CheckedExprKind::Call { callee, arguments } => {
                let called = self.survey(callee, frame, found)?;
                let arguments = self.survey_all(arguments, frame, found)?;
                match called {
                    Some(Value::Function(function)) => {
                        self.survey_function(&function, arguments, expr.span, found)
                    }
                    Some(Value::Game(game)) => {
                        let Some(arguments) = known(arguments) else {
                            return Ok(None);
                        };
                        let purses = self.purses_of_call(&arguments, expr.span)?;
                        let game = self.world.games.ruled(game, self.rules().stuck);
                        let about = About::Outcomes([purses].into());
                        self.plan(game, about, found)?;
                        Ok(None)
                    }
                    _ => Ok(None),
                }
            }
            CheckedExprKind::Builtin {
                builtin,
                arguments,
                named,
                labels,
            } => {
                let arguments = self.survey_all(arguments, frame, found)?;
                let mut options = Vec::new();
                for (name, value) in named {
                    options.push((
                        *name,
                        Operand::new(self.survey(value, frame, found)?, value.span),
                    ));
                }
                let options = options
                    .into_iter()
                    .map(|(name, given)| Some((name, Operand::new(given.value?, given.span))))
                    .collect::<Option<Vec<_>>>();
                let (Some(arguments), Some(named)) = (known(arguments), options) else {
                    return Ok(None);
                };
                let call = Call {
                    name: builtin.name,
                    arguments,
                    named,
                    labels,
                    span: expr.span,
                };
                let questions = self.questions_of(builtin, &call).placed(expr.span)?;
                // A builtin that asks nothing is evaluated, since later questions may depend on its
                // value.
                if questions.is_empty() {
                    return self.builtin(builtin, &call).map(Some);
                }
                let asked = format!("{}({})", call.name, call.labels.join(", "));
                for question in questions {
                    let planned = self.ask().planned(&question).placed(expr.span)?;
                    found.plans.push((asked.clone(), planned));
                }
                Ok(None)
            }
            CheckedExprKind::Index(base, indices) => {
                let base = self.survey(base, frame, found)?;
                let indices = known(self.survey_all(indices, frame, found)?);
                match (base, indices) {
                    (Some(base), Some(indices)) => self.index(base, &indices, expr.span).map(Some),
                    _ => Ok(None),
                }
            }
            CheckedExprKind::List(items) => {
                let items = known(self.survey_all(items, frame, found)?);
                Ok(items.map(|items| Value::list(items.into_iter().map(|item| item.value))))
            }
            CheckedExprKind::Tuple(items) => {
                let items = known(self.survey_all(items, frame, found)?);
                Ok(items.map(|items| Value::tuple(items.into_iter().map(|item| item.value))))
            }
            CheckedExprKind::Comprehension(element, clauses, _) => {
                let mut items = Some(Vec::new());
                self.survey_clauses(clauses, element, frame, &mut items, found)?;
                Ok(items.map(Value::list))
            }
            CheckedExprKind::Unary(op, operand) => match self.survey(operand, frame, found)? {
                Some(value) => self.unary(*op, value, operand.span).map(Some),
                None => Ok(None),
            },
            CheckedExprKind::Binary(BinaryOp::And, left, right) => {
                self.survey_connective(false, left, right, frame, found)
            }
            CheckedExprKind::Binary(BinaryOp::Or, left, right) => {
                self.survey_connective(true, left, right, frame, found)
            }
            CheckedExprKind::Binary(op, left, right) => {
                let a = self.survey(left, frame, found)?;
                let b = self.survey(right, frame, found)?;
                let (Some(a), Some(b)) = (a, b) else {
                    return Ok(None);
                };
                match (op, a, b) {
                    // `apply_binary` does not take this operator, which evaluates its operands
                    // itself.
                    (BinaryOp::Wedge, ..) => self.eval(expr, frame).map(Some),
                    (op, Value::Game(g), Value::Game(h)) if op.compares() => {
                        self.plan(g, About::Graph, found)?;
                        self.plan(h, About::Graph, found)?;
                        Ok(None)
                    }
                    (op, a, b) => self
                        .apply_binary(
                            *op,
                            Operand::new(&a, left.span),
                            Operand::new(&b, right.span),
                            expr.span,
                        )
                        .map(Some),
                }
            }
            CheckedExprKind::Using(inner, rules) => {
                let Some(value) = self.survey(rules, frame, found)? else {
                    // Under other rules other questions may be asked.
                    found.is_cut = true;
                    return Ok(None);
                };
                let overrides = overrides(&value, rules.span)?;
                self.under(&overrides, |evaluator| {
                    evaluator.survey(inner, frame, found)
                })
            }
            CheckedExprKind::If(condition, then, otherwise) => {
                match self.survey(condition, frame, found)? {
                    Some(value) if truth(&value, condition.span)? => {
                        self.survey(then, frame, found)
                    }
                    Some(_) => self.survey(otherwise, frame, found),
                    None => {
                        self.survey(then, frame, found)?;
                        self.survey(otherwise, frame, found)?;
                        Ok(None)
                    }
                }
            }
            CheckedExprKind::Let(slot, value, body) => {
                let value = self.survey(value, frame, found)?;
                frame.set_if_known(*slot, value);
                self.survey(body, frame, found)
            }
            CheckedExprKind::Closure(_, captured) => {
                if known(self.survey_all(captured, frame, found)?).is_none() {
                    return Ok(None);
                }
                self.eval(expr, frame).map(Some)
            }
            _ => self.survey_parts(expr, frame, found),
        }
    }

    /// Collects the questions of the operands of `and` and `or`. The second one is not evaluated if
    /// the first has the value that decides.
    fn survey_connective(
        &mut self,
        decides: bool,
        left: &CheckedExpr,
        right: &CheckedExpr,
        frame: &mut Frame,
        found: &mut Questions,
    ) -> Result<Option<Value>> {
        let first = self.survey(left, frame, found)?;
        if let Some(value) = &first
            && truth(value, left.span)? == decides
        {
            return Ok(first);
        }
        let second = self.survey(right, frame, found)?;
        if let Some(value) = &second {
            truth(value, right.span)?;
        }
        Ok(first.and(second))
    }

    /// Collects the questions of the parts of an expression whose value is made of all of them.
    fn survey_parts(
        &mut self,
        expr: &CheckedExpr,
        frame: &mut Frame,
        found: &mut Questions,
    ) -> Result<Option<Value>> {
        let mut is_known = true;
        for (clauses, part) in parts(&expr.kind) {
            let mut values = Some(Vec::new());
            self.survey_clauses(clauses, part, frame, &mut values, found)?;
            is_known &= values.is_some();
        }
        if is_known {
            self.eval(expr, frame).map(Some)
        } else {
            Ok(None)
        }
    }

    fn survey_all(
        &mut self,
        exprs: &[CheckedExpr],
        frame: &mut Frame,
        found: &mut Questions,
    ) -> Result<Vec<Operand<Option<Value>>>> {
        exprs
            .iter()
            .map(|expr| Ok(Operand::new(self.survey(expr, frame, found)?, expr.span)))
            .collect()
    }

    fn survey_function(
        &mut self,
        function: &std::rc::Rc<Function>,
        arguments: Vec<Operand<Option<Value>>>,
        span: Span,
        found: &mut Questions,
    ) -> Result<Option<Value>> {
        // `apply` reports a wrong number of arguments, and a family has no body to survey.
        if arguments.len() != function.parameters().len()
            || matches!(**function, Function::Family { .. })
        {
            return match known(arguments) {
                Some(arguments) => self.apply(function, arguments, span).map(Some),
                None => Ok(None),
            };
        }
        // The answer that would end a recursion is not known here, so its depth is limited.
        if self.depth >= MOST_DEEP {
            found.is_cut = true;
            return Ok(None);
        }
        let arguments = arguments.into_iter().map(|given| given.value).collect();
        self.within(function, arguments, |evaluator, code, frame| {
            evaluator.survey(&code.body, frame, found)
        })
    }

    fn survey_clauses(
        &mut self,
        clauses: &[CheckedClause],
        element: &CheckedExpr,
        frame: &mut Frame,
        items: &mut Option<Vec<Value>>,
        found: &mut Questions,
    ) -> Result<()> {
        let Some((clause, rest)) = clauses.split_first() else {
            let item = self.survey(element, frame, found)?;
            *items = items.take().zip(item).map(|(mut items, item)| {
                items.push(item);
                items
            });
            return Ok(());
        };
        match clause {
            CheckedClause::If(condition) => match self.survey(condition, frame, found)? {
                Some(value) if truth(&value, condition.span)? => {
                    self.survey_clauses(rest, element, frame, items, found)
                }
                Some(_) => Ok(()),
                None => {
                    // The list is unknown without this answer, but the element may still ask
                    // questions.
                    *items = None;
                    self.survey_clauses(rest, element, frame, items, found)
                }
            },
            CheckedClause::For(slots, iterable) => {
                let Some(value) = self.survey(iterable, frame, found)? else {
                    // Without the list there are no elements to survey.
                    *items = None;
                    return Ok(());
                };
                for item in elements(&value, iterable.span)?.iter() {
                    if found.plans.len() >= MOST_QUESTIONS {
                        found.is_cut = true;
                        *items = None;
                        break;
                    }
                    super::evaluator::bind(slots, item, frame, iterable.span)?;
                    self.survey_clauses(rest, element, frame, items, found)?;
                }
                Ok(())
            }
        }
    }

    fn plan(&mut self, game: GameId, about: About, found: &mut Questions) -> Result<()> {
        let rules = match about {
            About::Outcomes(_) => self.play_rules(),
            _ => self.rules(),
        };
        let asked = print_game(&self.world.games, game);
        let planned = self.ask().planned(&Question { game, about, rules })?;
        found.plans.push((asked, planned));
        Ok(())
    }
}

/// Returns the parts of an expression whose value is made of all of them, each with the clauses by
/// which it is repeated. Other expressions have none here.
fn parts(kind: &CheckedExprKind) -> Vec<(&[CheckedClause], &CheckedExpr)> {
    let once = |part| (&[][..], part);
    match kind {
        CheckedExprKind::Braces(sides) => sides.alice.iter().chain(&sides.bob).map(once).collect(),
        CheckedExprKind::Rules(fields) => {
            let numbers = fields.iter().filter_map(RulesField::number);
            numbers.map(once).collect()
        }
        CheckedExprKind::At(game, position) => vec![once(game), once(position)],
        CheckedExprKind::After(game, plies) => {
            let parts = plies.iter().flat_map(|ply| ply.action.parts());
            std::iter::once(game).chain(parts).map(once).collect()
        }
        CheckedExprKind::Graph(items) => {
            let parts = items.iter().flat_map(|item| {
                let parts = item.kind.parts().into_iter();
                parts.map(|part| (&item.clauses[..], part))
            });
            parts.collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the values, if all are known.
fn known(values: Vec<Operand<Option<Value>>>) -> Option<Vec<Operand<Value>>> {
    values
        .into_iter()
        .map(|operand| Some(Operand::new(operand.value?, operand.span)))
        .collect()
}
