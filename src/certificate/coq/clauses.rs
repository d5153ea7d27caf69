//! Translates `for` and `if` clauses, of moves and of lists, to loops over lists.

use super::expressions::{Body, Translator, untranslated};
use super::scope::TranslationScope;
use super::terms::{GallinaTerm, Type, level};
use crate::diagnostic::Result;
use crate::source::Span;
use crate::syntax::ast::{Clause, Name};

impl Translator<'_, '_> {
    /// Returns the list of the values of a body, for every combination of values that the clauses
    /// allow.
    pub fn through(
        &mut self,
        clauses: &[Clause],
        scope: &mut TranslationScope,
        body: Body<'_>,
    ) -> Result<GallinaTerm> {
        // Facts learned from these conditions hold only inside of them and are dropped at the end.
        let facts = scope.facts.clone();
        let guards = clauses
            .iter()
            .take_while(|clause| matches!(clause, Clause::If(_)))
            .count();
        let (guards, rest) = clauses.split_at(guards);
        let truth = self.guards(guards, scope)?;
        let list = match rest.split_first() {
            Some((Clause::For { pattern, iterable }, rest)) => {
                let range = self.term(iterable, scope)?;
                let variables = scope.variables.len();
                let pattern = self.pattern(pattern, &range, iterable.span, scope)?;
                let list = self.through(rest, scope, body)?;
                scope.variables.truncate(variables);
                // Nested loops are written below each other, as in the source.
                let inner = match list.whole() {
                    text if text.starts_with("for_each ") => text,
                    text => format!("  {}", text.replace('\n', "\n  ")),
                };
                let text = format!("for_each {} (fun {pattern} =>\n{inner})", range.outside(0));
                GallinaTerm::new(text, level::APPLICATION, list.ty)
            }
            _ => {
                let item = body(self, scope)?;
                GallinaTerm::atom(format!("[{}]", item.whole()), item.ty.list())
            }
        };
        scope.facts = facts;
        Ok(match truth {
            None => list,
            Some(truth) => {
                let inner = list.whole().replace('\n', "\n  ");
                let text = format!("if {} then\n  {inner}\nelse []", truth.whole());
                GallinaTerm::new(text, level::WHOLE, list.ty)
            }
        })
    }

    /// Translates conditions in a row, each under the assumption of those before.
    pub fn guards(
        &mut self,
        guards: &[Clause],
        scope: &mut TranslationScope,
    ) -> Result<Option<GallinaTerm>> {
        let mut all: Option<GallinaTerm> = None;
        for guard in guards {
            let Clause::If(condition) = guard else {
                continue;
            };
            let truth = self.truth(condition, scope)?;
            // The condition is learned after its own translation, since it must not assume itself.
            self.learn(condition, scope)?;
            all = Some(match all {
                None => truth,
                Some(before) => {
                    GallinaTerm::infix(&before, "&&", &truth, level::PRODUCT, Type::Bool)
                }
            });
        }
        Ok(all)
    }

    /// Binds the variables of a loop over a list; returns the pattern as Coq writes it.
    pub fn pattern(
        &mut self,
        pattern: &[Name],
        list: &GallinaTerm,
        span: Span,
        scope: &mut TranslationScope,
    ) -> Result<String> {
        let Type::List(item) = &list.ty else {
            return Err(untranslated(
                format!("`for` runs through a list, not {}", list.ty.words()),
                span,
            ));
        };
        match (pattern, &**item) {
            ([name], item) => {
                let name = scope.bind(&name.text, item.clone(), &self.names);
                if let Some(variable) = scope.variables.last_mut().filter(|_| item.is_number()) {
                    // The bounds of a list of numbers are those of its elements.
                    variable.term = variable.term.clone().between(list.least, list.most);
                }
                Ok(name)
            }
            (names, Type::Tuple(parts)) if names.len() == parts.len() => {
                let bound: Vec<String> = names
                    .iter()
                    .zip(parts)
                    .map(|(name, part)| scope.bind(&name.text, part.clone(), &self.names))
                    .collect();
                Ok(format!("'({})", bound.join(", ")))
            }
            _ => Err(untranslated(
                "this `for` names parts of what has none",
                span,
            )),
        }
    }
}
