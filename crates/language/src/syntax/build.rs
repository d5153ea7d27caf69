//! Builds the abstract syntax from pest's pairs.
//!
//! The grammar guarantees the order and number of the parts. Each `expect` here names the rule that
//! guarantees it.

mod expression;
mod game;

use std::cell::Cell;
use std::ops::Range;

use pest::iterators::Pair;

use super::ast::{Definition, Expr, ExprKind, GraphItem, Name, Statement, StatementKind};
use super::grammar::Rule;
use super::words;
use crate::diagnostic::Result;
use crate::source::{SourceId, Span};

/// Builds the statements of one text. `base` is the byte of the source at which the text starts.
pub struct StatementBuilder<'l> {
    pub source: SourceId,
    pub base: usize,
    /// The end of the source. Brackets that were added behind it, to close open ones, have no place
    /// of their own.
    pub end: usize,
    /// The starts of documented statements, each with its documentation.
    pub docs: &'l [(u32, String)],
    /// The lines that were read before and are missing from the text.
    pub cut: Option<Cut>,
}

/// Lines of a graph that were cut out of a text.
pub struct Cut {
    /// The byte of the text at which they would begin, behind the graph's opening brace.
    pub at: usize,
    /// The number of bytes cut out.
    pub length: usize,
    /// The lines that were read from them.
    pub items: Cell<Vec<GraphItem>>,
}

type RulePair<'i> = Pair<'i, Rule>;

/// Returns the parts of a pair that carry meaning, without keywords, brackets and punctuation.
pub fn parts(pair: RulePair) -> impl Iterator<Item = RulePair> {
    pair.into_inner()
        .filter(|part| !words::is_punctuation(part.as_rule()))
}

/// Returns the place of a pair in the text, without the white space after it.
fn bytes(pair: &RulePair) -> Range<usize> {
    let start = pair.as_span().start();
    start..start + pair.as_str().trim_end().len()
}

fn next<'i>(parts: &mut impl Iterator<Item = RulePair<'i>>) -> RulePair<'i> {
    parts.next().expect("the rule has this part")
}

impl StatementBuilder<'_> {
    /// Returns the place of a pair in the source. A pair also covers the white space after it, but
    /// a span does not.
    fn span(&self, pair: &RulePair) -> Span {
        let Range { mut start, mut end } = bytes(pair);
        // A start at the cut belongs to what follows it, and an end at the cut to what precedes it.
        if let Some(cut) = &self.cut {
            start += if start >= cut.at { cut.length } else { 0 };
            end += if end > cut.at { cut.length } else { 0 };
        }
        let place = |byte: usize| (self.base + byte).min(self.end);
        Span::new(self.source, place(start)..place(end))
    }

    /// Returns the lines that were cut out of a graph, if this is the graph.
    fn cut_lines(&self, graph: &RulePair) -> Option<Vec<GraphItem>> {
        // In the text the lines are missing, so the closing brace stands where they would begin.
        let cut = self
            .cut
            .as_ref()
            .filter(|cut| bytes(graph).end == cut.at + 1)?;
        Some(cut.items.take())
    }

    /// Builds the lines of a graph, in order.
    pub fn lines<'i>(&self, parts: impl Iterator<Item = RulePair<'i>>) -> Result<Vec<GraphItem>> {
        parts
            .filter(|part| part.as_rule() != Rule::EOI)
            .map(|part| self.graph_item(part))
            .collect()
    }

    /// Builds the statements of a `file` or `test_statement`, in order.
    pub fn statements<'i>(
        &self,
        parts: impl Iterator<Item = RulePair<'i>>,
    ) -> Result<Vec<Statement>> {
        parts
            .filter(|part| part.as_rule() != Rule::EOI)
            .map(|part| self.statement(part))
            .collect()
    }

    fn statement(&self, pair: RulePair) -> Result<Statement> {
        let span = self.span(&pair);
        let found = self
            .docs
            .binary_search_by_key(&span.start, |(start, _)| *start);
        let doc = found.ok().map(|i| self.docs[i].1.clone());
        let rule = pair.as_rule();
        let mut inner = parts(pair);
        let kind = match rule {
            Rule::use_statement => {
                let path = next(&mut inner);
                StatementKind::Use {
                    path: expression::unescape(path.as_str()),
                    span: self.span(&path),
                }
            }
            Rule::let_statement => self.let_statement(&mut inner, span)?,
            Rule::game_statement => self.game_statement(&mut inner)?,
            Rule::rules_statement => StatementKind::Rules {
                name: self.name(&next(&mut inner)),
                body: self.any_expression(next(&mut inner))?,
            },
            // `using` is an operator elsewhere, so `parts` does not remove it.
            Rule::using_statement => {
                StatementKind::Using(self.any_expression(next(&mut inner.skip(1)))?)
            }
            Rule::show_statement => StatementKind::Show(self.any_expression(next(&mut inner))?),
            Rule::check_statement => StatementKind::Check(self.any_expression(next(&mut inner))?),
            Rule::test_statement => {
                let name = next(&mut inner);
                StatementKind::Test {
                    name: expression::unescape(name.as_str()),
                    name_span: self.span(&name),
                    body: self.statements(inner)?,
                }
            }
            _ => StatementKind::Expr(self.any_expression(next(&mut inner))?),
        };
        Ok(Statement { kind, doc, span })
    }

    fn let_statement<'i>(
        &self,
        inner: &mut impl Iterator<Item = RulePair<'i>>,
        span: Span,
    ) -> Result<StatementKind> {
        let definition = self.definition(next(inner))?;
        if inner.next().is_none() {
            return Ok(StatementKind::Let(definition));
        }
        // A body after `in` shows that this is an expression.
        let body = self.any_expression(next(inner))?;
        Ok(StatementKind::Expr(Expr {
            kind: Box::new(ExprKind::Let(definition, body)),
            span,
        }))
    }

    fn game_statement<'i>(
        &self,
        inner: &mut impl Iterator<Item = RulePair<'i>>,
    ) -> Result<StatementKind> {
        let name = self.name(&next(inner));
        let mut inner = inner.peekable();
        let parameters = inner
            .next_if(|part| part.as_rule() == Rule::parameters)
            .map(|part| self.names(part));
        let body = next(&mut inner);
        if body.as_rule() == Rule::ruleset {
            return Ok(StatementKind::Ruleset(
                self.ruleset(name, parameters, body)?,
            ));
        }
        Ok(StatementKind::Game(Definition {
            name,
            parameters,
            body: self.any_expression(body)?,
        }))
    }

    fn definition(&self, pair: RulePair) -> Result<Definition> {
        let mut inner = parts(pair).peekable();
        let name = self.name(&next(&mut inner));
        let parameters = inner
            .next_if(|part| part.as_rule() == Rule::parameters)
            .map(|part| self.names(part));
        let body = self.any_expression(next(&mut inner))?;
        Ok(Definition {
            name,
            parameters,
            body,
        })
    }

    fn name(&self, pair: &RulePair) -> Name {
        Name {
            text: pair.as_str().to_owned(),
            span: self.span(pair),
        }
    }

    fn names(&self, pair: RulePair) -> Vec<Name> {
        parts(pair).map(|part| self.name(&part)).collect()
    }
}
