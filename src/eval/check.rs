//! Evaluates `check E`: the result, and both sides if it fails.

use super::compare::Comparer;
use super::evaluator::Evaluator;
use super::frame::Frame;
use crate::diagnostic::{Code, Diagnostic, Result, counted};
use crate::eval::print::print_briefly;
use crate::ir::{CheckedExpr, CheckedExprKind, Operand, Value};

/// A side of a failed comparison.
#[derive(Debug, Clone, Copy)]
struct Side<'a> {
    expr: &'a CheckedExpr,
    value: &'a Value,
}

impl Evaluator<'_> {
    /// Evaluates a condition. If it fails, returns a diagnostic that shows the values of both sides
    /// of a comparison, or the first element of `all([…])` that is false.
    ///
    /// # Errors
    /// Returns an error if the condition cannot be evaluated, or is neither true nor false.
    pub fn check(&mut self, expr: &CheckedExpr, frame: &mut Frame) -> Result<Option<Diagnostic>> {
        match &*expr.kind {
            CheckedExprKind::Binary(op, left, right) if op.compares() => {
                // The sides are evaluated here, once, so that a failure can show them.
                let (a, b) = (self.eval(left, frame)?, self.eval(right, frame)?);
                let held = self.apply_binary(
                    *op,
                    Operand::new(&a, left.span),
                    Operand::new(&b, right.span),
                    expr.span,
                )?;
                if matches!(held, Value::Bool(true)) {
                    return Ok(None);
                }
                let mut failed = Diagnostic::new(Code::CheckFailed, "the check failed");
                for note in self.counterexamples(&a, &b) {
                    failed = failed.note(note);
                }
                let sides = [(left, &a), (right, &b)].map(|(expr, value)| Side { expr, value });
                self.show_sides(failed, &sides).map(Some)
            }
            CheckedExprKind::Builtin {
                builtin, arguments, ..
            } if builtin.name == "all" => {
                let list = self.eval(&arguments[0], frame)?;
                let items = super::elements(&list, arguments[0].span)?;
                match items
                    .iter()
                    .position(|item| !matches!(item, Value::Bool(true)))
                {
                    None => Ok(None),
                    Some(index) => Ok(Some(
                        Diagnostic::new(Code::CheckFailed, "the check failed")
                            .label(
                                arguments[0].span,
                                format!("{} is false", self.element(&[&list], index)),
                            )
                            .note(format!(
                                "{} of {} {} false",
                                falses(&items),
                                counted(items.len(), "element"),
                                if falses(&items) == 1 { "is" } else { "are" }
                            )),
                    )),
                }
            }
            _ if self.eval_bool(expr, frame)? => Ok(None),
            _ => Ok(Some(
                Diagnostic::new(Code::CheckFailed, "the check failed")
                    .label(expr.span, "this is false"),
            )),
        }
    }

    fn show_sides(&self, failed: Diagnostic, sides: &[Side<'_>; 2]) -> Result<Diagnostic> {
        let games = &self.world.games;
        let [mut a, mut b] = sides.map(|side| print_briefly(games, side.value));
        let parts = sides.map(|side| super::elements(side.value, side.expr.span));
        let mut failed = failed;
        let mut place = "this".to_owned();
        if let [Ok(xs), Ok(ys)] = parts {
            if xs.len() != ys.len() {
                failed = failed.note(format!("the lengths are {} and {}", xs.len(), ys.len()));
            }
            if let Some(index) = self.first_difference(&xs, &ys)? {
                let element = self.element(&sides.map(|side| side.value), index);
                failed = failed.note(format!("the first difference is at {element}"));
                place = format!("element {index}");
                (a, b) = (
                    print_briefly(games, &xs[index]),
                    print_briefly(games, &ys[index]),
                );
            }
        }
        Ok(failed
            .label(sides[0].expr.span, format!("{place} is {a}"))
            .label(sides[1].expr.span, format!("{place} is {b}")))
    }
}

impl Evaluator<'_> {
    /// Describes an element of lists by its index, and by the values of the variables that made it
    /// in the first list that is a comprehension: `element 3 (counted from 0; n = 4)`.
    fn element(&self, lists: &[&Value], index: usize) -> String {
        let along = lists.iter().find_map(|list| match list {
            Value::List(items) => items.along(),
            _ => None,
        });
        let variables = along.map_or(&[][..], |along| &along.variables);
        let values = variables.iter().filter_map(|variable| {
            let value = print_briefly(&self.world.games, &variable.place(index)?);
            Some(format!("{} = {value}", variable.name))
        });
        let values: Vec<String> = values.collect();
        let made = if values.is_empty() {
            String::new()
        } else {
            format!("; {}", values.join(", "))
        };
        format!("element {index} (counted from 0{made})")
    }

    /// Returns the first index at which two lists differ, up to the end of the shorter one.
    fn first_difference(&self, xs: &[Value], ys: &[Value]) -> Result<Option<usize>> {
        let mut comparer = Comparer::new(self.context);
        for (index, (x, y)) in xs.iter().zip(ys).enumerate() {
            if !comparer.same(x, y)? {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }
}

fn falses(items: &[Value]) -> usize {
    items
        .iter()
        .filter(|item| !matches!(item, Value::Bool(true)))
        .count()
}
