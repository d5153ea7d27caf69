//! Translates the effect of a move to the state after it.

use super::expressions::{Translator, untranslated};
use super::scope::TranslationScope;
use super::terms::{GallinaTerm, Type, level};
use crate::diagnostic::Result;
use crate::source::Span;
use crate::syntax::ast::{AssignOp, BinaryOp, Expr, Update, UpdateKind};

/// The translation of updates in order, with the types of the state variables.
pub(super) struct UpdateTranslation<'u, 't, 'i> {
    pub translator: &'u mut Translator<'t, 'i>,
    pub types: &'u [Type],
    pub wider: &'u mut Vec<Type>,
}

/// An update of state variables that take new values at once.
struct SimultaneousUpdate {
    targets: Vec<usize>,
    value: GallinaTerm,
}

impl UpdateTranslation<'_, '_, '_> {
    /// Returns the values of some state variables after updates: one value, or a tuple.
    pub fn result(
        &mut self,
        updates: &[Update],
        returned: &[usize],
        scope: &mut TranslationScope,
        span: Span,
    ) -> Result<GallinaTerm> {
        let apart = apart(updates, scope);
        let facts = scope.facts.clone();
        let mut bindings = Vec::new();
        for update in updates {
            let binding = self.binding(update, scope)?;
            if !apart {
                for target in &binding.targets {
                    let name = scope.variables[*target].term.name().to_owned();
                    // After the assignment the name denotes a new value, of which old facts need
                    // not hold.
                    scope.forget(&name);
                }
            }
            bindings.push(binding);
        }
        scope.facts = facts;
        let mut values: Vec<GallinaTerm> = returned
            .iter()
            .map(|target| scope.variables[*target].term.clone())
            .collect();
        if apart {
            for binding in bindings {
                let place = returned
                    .iter()
                    .position(|target| binding.targets == [*target]);
                if let Some(place) = place {
                    values[place] = binding.value;
                }
            }
            return self.tuple(values, returned, span);
        }
        // A last binding of just the returned variables is the result itself and needs no `let`.
        let last = bindings.pop_if(|last| last.targets == returned);
        let end = match last {
            Some(last) => last.value,
            None => self.tuple(values, returned, span)?,
        };
        let mut text = end.whole();
        for binding in bindings
            .iter()
            .rev()
            .filter(|binding| !binding.targets.is_empty())
        {
            let names: Vec<&str> = binding
                .targets
                .iter()
                .map(|target| scope.variables[*target].term.name())
                .collect();
            let pattern = match names[..] {
                [one] => one.to_owned(),
                _ => format!("'({})", names.join(", ")),
            };
            let value = binding.value.whole();
            // The type of `None` and of the empty list is ambiguous without an annotation.
            let ty = match (
                &binding.targets[..],
                value.contains("None") || value.contains("[]"),
            ) {
                ([target], true) => format!(" : {}", self.types[*target].text()),
                _ => String::new(),
            };
            text = format!("let {pattern}{ty} := {value} in {text}");
        }
        Ok(GallinaTerm::new(text, level::WHOLE, end.ty))
    }

    fn tuple(
        &mut self,
        values: Vec<GallinaTerm>,
        returned: &[usize],
        span: Span,
    ) -> Result<GallinaTerm> {
        let mut wide = Vec::new();
        for (value, target) in values.into_iter().zip(returned) {
            wide.push(self.of_variable(value, *target, span)?);
        }
        Ok(match wide.len() {
            1 => wide.remove(0),
            _ => GallinaTerm::tuple(wide),
        })
    }

    /// Converts a term to the type of a state variable. If the term has a wider type, the next
    /// round takes it into account.
    fn of_variable(
        &mut self,
        value: GallinaTerm,
        target: usize,
        span: Span,
    ) -> Result<GallinaTerm> {
        let ty = &self.types[target];
        match value.ty.join(ty) {
            Some(joined) if joined == *ty => self.translator.of_type(value, ty, span),
            Some(joined) => {
                self.wider[target] = self.wider[target].join(&joined).unwrap_or(joined);
                // The round is repeated with the wider type, so this value is never part of the
                // file.
                Ok(GallinaTerm::atom(ty.default(), ty.clone()))
            }
            None => Err(untranslated(
                format!("{} is given to what held {}", value.ty.words(), ty.words()),
                span,
            )),
        }
    }

    fn binding(
        &mut self,
        update: &Update,
        scope: &mut TranslationScope,
    ) -> Result<SimultaneousUpdate> {
        let span = update.span;
        let variable = |name: &str, scope: &TranslationScope| {
            scope.variables[..scope.state]
                .iter()
                .position(|variable| variable.name == name)
                .ok_or_else(|| untranslated(format!("`{name}` is not a state variable"), span))
        };
        match &update.kind {
            UpdateKind::Assign {
                target,
                indices,
                op,
                value,
            } => {
                let target = variable(&target.text, scope)?;
                let path = self.translator.terms(indices, scope)?;
                let value = self.translator.term(value, scope)?;
                let base = self.translator.term(&name_of(scope, target, span), scope)?;
                let value = self.assign(base, &path, *op, value, span, scope)?;
                let value = self.of_variable(value, target, span)?;
                Ok(SimultaneousUpdate {
                    targets: vec![target],
                    value,
                })
            }
            UpdateKind::Drop {
                board,
                column,
                value,
            } => {
                let target = variable(&board.text, scope)?;
                let column = self.translator.term(column, scope)?.natural();
                let value = self.translator.term(value, scope)?;
                let value = self.translator.of_type(value, &Type::Player, span)?;
                let board = scope.variables[target].term.clone();
                let value =
                    GallinaTerm::apply("fall", &[&board, &value, &column], board.ty.clone());
                Ok(SimultaneousUpdate {
                    targets: vec![target],
                    value,
                })
            }
            UpdateKind::Score(_) => Err(untranslated("scores are not in the theory", span)),
            UpdateKind::If {
                condition,
                then,
                otherwise,
            } => {
                let truth = self.translator.truth(condition, scope)?;
                let mut targets = Vec::new();
                assigned(then, scope, &mut targets);
                assigned(otherwise, scope, &mut targets);
                // Both branches have to return the same variables in the same order.
                targets.sort_unstable();
                targets.dedup();
                let facts = scope.facts.clone();
                self.translator.learn(condition, scope)?;
                let then = self.result(then, &targets, scope, span)?;
                scope.facts = facts;
                let otherwise = self.result(otherwise, &targets, scope, span)?;
                let value = GallinaTerm::choice(&truth, then, &otherwise);
                Ok(SimultaneousUpdate { targets, value })
            }
        }
    }

    /// Returns a value with one part replaced.
    fn assign(
        &mut self,
        base: GallinaTerm,
        path: &[GallinaTerm],
        op: AssignOp,
        value: GallinaTerm,
        span: Span,
        scope: &TranslationScope,
    ) -> Result<GallinaTerm> {
        let Some((first, rest)) = path.split_first() else {
            return match op {
                AssignOp::Set => Ok(value),
                AssignOp::Add => {
                    self.translator
                        .arithmetic(BinaryOp::Add, base, value, span, scope)
                }
                AssignOp::Subtract => {
                    self.translator
                        .arithmetic(BinaryOp::Subtract, base, value, span, scope)
                }
            };
        };
        match base.ty.clone() {
            Type::Grid { .. } if op == AssignOp::Set => {
                let cell = match path {
                    [cell] if cell.ty == Type::cell() => cell.clone(),
                    [row, col] if row.ty.is_number() && col.ty.is_number() => {
                        GallinaTerm::tuple(vec![row.clone().natural(), col.clone().natural()])
                    }
                    _ => return Err(untranslated("this is not a cell", span)),
                };
                if value.ty == Type::Player {
                    return Ok(GallinaTerm::apply(
                        "put",
                        &[&base, &value, &cell],
                        base.ty.clone(),
                    ));
                }
                let value = self.translator.of_type(value, &Type::Content, span)?;
                Ok(GallinaTerm::apply(
                    "set_cell",
                    &[&base, &cell, &value],
                    base.ty.clone(),
                ))
            }
            Type::List(item) if first.ty.is_number() => {
                let place = first.clone().natural();
                let old = self.translator.element(&base, vec![place.clone()], span)?;
                let new = self.assign(old, rest, op, value, span, scope)?;
                let joined = new
                    .ty
                    .join(&item)
                    .ok_or_else(|| untranslated("the elements of this list differ", span))?;
                let new = self.translator.of_type(new, &joined, span)?;
                let base = self.translator.of_type(base, &joined.list(), span)?;
                Ok(GallinaTerm::apply(
                    "replace",
                    &[&base, &place, &new],
                    base.ty.clone(),
                ))
            }
            _ => Err(untranslated(
                "the theory cannot express this part of a value",
                span,
            )),
        }
    }
}

/// Returns a state variable as an expression, so that its use is recorded.
fn name_of(scope: &TranslationScope, variable: usize, span: Span) -> Expr {
    let name = scope.variables[variable].name.clone();
    Expr {
        kind: Box::new(crate::syntax::ast::ExprKind::Name(name)),
        span,
    }
}

/// Collects the state variables that updates assign.
fn assigned(updates: &[Update], scope: &TranslationScope, targets: &mut Vec<usize>) {
    let place = |name: &str| {
        let state = &scope.variables[..scope.state];
        state.iter().position(|variable| variable.name == name)
    };
    for update in updates {
        match &update.kind {
            UpdateKind::Assign { target, .. } => targets.extend(place(&target.text)),
            UpdateKind::Drop { board, .. } => targets.extend(place(&board.text)),
            UpdateKind::Score(_) => {}
            UpdateKind::If {
                then, otherwise, ..
            } => {
                assigned(then, scope, targets);
                assigned(otherwise, scope, targets);
            }
        }
    }
}

/// Returns `true` if no update reads or changes a variable that one before it has changed, so that
/// all can be done at once.
fn apart(updates: &[Update], scope: &TranslationScope) -> bool {
    let mut changed: Vec<&str> = Vec::new();
    for update in updates {
        let (target, read): (&str, Vec<&Expr>) = match &update.kind {
            UpdateKind::Assign {
                target,
                indices,
                value,
                ..
            } => (&target.text, indices.iter().chain([value]).collect()),
            UpdateKind::Drop {
                board,
                column,
                value,
            } => (&board.text, vec![column, value]),
            // Updates in a condition may read what was changed before, so they are done in order.
            UpdateKind::Score(_) | UpdateKind::If { .. } => return false,
        };
        let depends = read
            .iter()
            .any(|expr| changed.iter().any(|name| scope.reads(expr, name)));
        if depends || changed.contains(&target) {
            return false;
        }
        changed.push(target);
    }
    true
}
