//! Builds expressions. The operands are built here and grouped by
//! [`operators`](crate::syntax::operators).

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::Pow;

use super::{RulePair, StatementBuilder, next, parts};
use crate::diagnostic::Result;
use crate::player::Player;
use crate::syntax::ast::{Argument, BinaryOp, Clause, Expr, ExprKind, Ply, RuleSetting, UnaryOp};
use crate::syntax::grammar::Rule;
use crate::syntax::operators::{Grouper, Infix};

impl StatementBuilder<'_> {
    /// Builds an expression from any rule that stands for one.
    pub(super) fn any_expression(&self, pair: RulePair) -> Result<Expr> {
        match pair.as_rule() {
            Rule::expression | Rule::expression_without_in => self.grouped(pair),
            _ => self.operand(pair),
        }
    }

    fn expressions(&self, pair: RulePair) -> Result<Vec<Expr>> {
        parts(pair).map(|part| self.any_expression(part)).collect()
    }

    /// Builds a flat expression. Calls and indices apply to the operand before them in their order.
    fn grouped(&self, pair: RulePair) -> Result<Expr> {
        let mut grouper = Grouper::default();
        let mut operand: Option<Expr> = None;
        for part in parts(pair) {
            match part.as_rule() {
                Rule::arguments | Rule::indices => {
                    let base = operand
                        .take()
                        .expect("the grammar puts an operand before a call");
                    operand = Some(self.applied(base, part)?);
                    continue;
                }
                _ => {}
            }
            // Calls may follow an operand, so that it is only complete when something else does.
            if let Some(complete) = operand.take() {
                grouper.operand(complete);
            }
            let span = self.span(&part);
            if let Some(op) = prefix(&part) {
                grouper.prefix(op, span)?;
            } else if let Some(op) = infix(&part) {
                grouper.infix(op, span)?;
            } else if part.as_rule() == Rule::after {
                grouper.after(self.plies(part)?, span);
            } else {
                operand = Some(self.operand(part)?);
            }
        }
        if let Some(complete) = operand {
            grouper.operand(complete);
        }
        Ok(grouper.finish())
    }

    fn applied(&self, base: Expr, part: RulePair) -> Result<Expr> {
        let span = base.span.to(self.span(&part));
        let kind = match part.as_rule() {
            Rule::arguments => ExprKind::Call {
                callee: base,
                arguments: self.arguments(part)?,
            },
            _ => ExprKind::Index {
                base,
                indices: self.expressions(part)?,
            },
        };
        Ok(Expr {
            kind: Box::new(kind),
            span,
        })
    }

    fn arguments(&self, pair: RulePair) -> Result<Vec<Argument>> {
        parts(pair)
            .map(|part| {
                let mut inner = parts(part).peekable();
                let name = inner
                    .next_if(|part| part.as_rule() == Rule::word)
                    .map(|part| self.name(&part));
                Ok(Argument {
                    name,
                    value: self.any_expression(next(&mut inner))?,
                })
            })
            .collect()
    }

    fn plies(&self, pair: RulePair) -> Result<Vec<Ply>> {
        parts(pair)
            .map(|part| {
                let span = self.span(&part);
                let mut inner = parts(part);
                let (player, _) = player(next(&mut inner).as_str());
                Ok(Ply {
                    player,
                    action: self.any_expression(next(&mut inner))?,
                    span,
                })
            })
            .collect()
    }

    fn operand(&self, pair: RulePair) -> Result<Expr> {
        let span = self.span(&pair);
        let text = pair.as_str();
        let kind = match pair.as_rule() {
            Rule::name => ExprKind::Name(text.to_owned()),
            Rule::number => number(text),
            Rule::string => ExprKind::String(unescape(text)),
            Rule::boolean => ExprKind::Bool(text == "true"),
            Rule::player => {
                let (player, spelling) = player(text);
                ExprKind::Player(player, spelling)
            }
            Rule::parentheses => self.parentheses(pair)?,
            Rule::list => self.list(pair)?,
            Rule::rules_literal => ExprKind::Rules(self.fields(pair)?),
            Rule::braces => {
                let mut inner = parts(pair);
                let alice = self.expressions(next(&mut inner))?;
                ExprKind::Braces {
                    alice,
                    bob: self.expressions(next(&mut inner))?,
                }
            }
            Rule::graph => ExprKind::Graph(match self.cut_lines(&pair) {
                Some(lines) => lines,
                None => self.lines(parts(pair))?,
            }),
            Rule::conditional | Rule::conditional_without_in => {
                let mut inner = parts(pair);
                let condition = self.any_expression(next(&mut inner))?;
                let then = self.any_expression(next(&mut inner))?;
                ExprKind::If {
                    condition,
                    then,
                    otherwise: self.any_expression(next(&mut inner))?,
                }
            }
            _ => {
                let mut inner = parts(pair).filter(|part| part.as_rule() != Rule::kw_in);
                let definition = self.definition(next(&mut inner))?;
                ExprKind::Let(definition, self.any_expression(next(&mut inner))?)
            }
        };
        Ok(Expr {
            kind: Box::new(kind),
            span,
        })
    }

    fn parentheses(&self, pair: RulePair) -> Result<ExprKind> {
        let mut elements = self.expressions(pair)?;
        if elements.len() > 1 {
            return Ok(ExprKind::Tuple(elements));
        }
        Ok(ExprKind::Paren(
            elements.pop().expect("parentheses hold an expression"),
        ))
    }

    fn list(&self, pair: RulePair) -> Result<ExprKind> {
        let is_clause =
            |part: &RulePair| matches!(part.as_rule(), Rule::for_clause | Rule::if_clause);
        let (clauses, mut elements): (Vec<RulePair>, Vec<RulePair>) =
            parts(pair).partition(is_clause);
        if clauses.is_empty() {
            return Ok(ExprKind::List(
                elements
                    .into_iter()
                    .map(|part| self.any_expression(part))
                    .collect::<Result<_>>()?,
            ));
        }
        let element = elements.pop().expect("a comprehension has an element");
        Ok(ExprKind::Comprehension {
            element: self.any_expression(element)?,
            clauses: clauses
                .into_iter()
                .map(|part| self.clause(part))
                .collect::<Result<_>>()?,
        })
    }

    fn fields(&self, pair: RulePair) -> Result<Vec<RuleSetting>> {
        parts(pair)
            .map(|part| {
                let mut inner = parts(part);
                Ok(RuleSetting {
                    name: self.name(&next(&mut inner)),
                    value: self.any_expression(next(&mut inner))?,
                })
            })
            .collect()
    }

    pub(super) fn clause(&self, pair: RulePair) -> Result<Clause> {
        let is_for = pair.as_rule() == Rule::for_clause;
        let mut inner = parts(pair).filter(|part| part.as_rule() != Rule::kw_in);
        if !is_for {
            return Ok(Clause::If(self.any_expression(next(&mut inner))?));
        }
        let pattern = self.names(next(&mut inner));
        Ok(Clause::For {
            pattern,
            iterable: self.any_expression(next(&mut inner))?,
        })
    }
}

fn prefix(part: &RulePair) -> Option<UnaryOp> {
    if part.as_rule() != Rule::prefix {
        return None;
    }
    Some(match part.as_str() {
        "not" => UnaryOp::Not,
        "~" => UnaryOp::Conjugate,
        _ => UnaryOp::Negate,
    })
}

fn infix(part: &RulePair) -> Option<Infix> {
    match part.as_rule() {
        Rule::kw_using => Some(Infix::Using),
        Rule::kw_in => Some(Infix::Binary(BinaryOp::In)),
        Rule::operator if part.as_str() == "at" => Some(Infix::At),
        Rule::operator => Some(Infix::Binary(binary(part.as_str()))),
        _ => None,
    }
}

fn binary(operator: &str) -> BinaryOp {
    match operator {
        "^" => BinaryOp::Power,
        "*" | "×" | "·" => BinaryOp::Multiply,
        "/" => BinaryOp::Divide,
        "%" => BinaryOp::Remainder,
        "++" => BinaryOp::Concatenate,
        "±" | "+/-" => BinaryOp::PlusMinus,
        "+" => BinaryOp::Add,
        "-" | "−" => BinaryOp::Subtract,
        "∧" | "/\\" => BinaryOp::Wedge,
        ".." => BinaryOp::Range,
        "==" => BinaryOp::Equal,
        "!=" | "≠" => BinaryOp::NotEqual,
        "<" => BinaryOp::Less,
        "≤" | "<=" => BinaryOp::LessEqual,
        ">" => BinaryOp::Greater,
        "≥" | ">=" => BinaryOp::GreaterEqual,
        "≡" => BinaryOp::Equivalent,
        "≢" => BinaryOp::NotEquivalent,
        "∥" | "||" => BinaryOp::Incomparable,
        "and" => BinaryOp::And,
        "or" => BinaryOp::Or,
        _ => unreachable!("the grammar has no operator `{operator}`"),
    }
}

/// Returns the player that a word names, with the word.
pub(super) fn player(word: &str) -> (Player, &'static str) {
    match word {
        "alice" => (Player::Alice, "alice"),
        "left" => (Player::Alice, "left"),
        "red" => (Player::Alice, "red"),
        "bob" => (Player::Bob, "bob"),
        "right" => (Player::Bob, "right"),
        _ => (Player::Bob, "blue"),
    }
}

/// Reads an integer, a decimal number or a chip count, which differ by their suffix.
fn number(text: &str) -> ExprKind {
    let whole = digits(text);
    match &text[whole.len()..] {
        "" => ExprKind::Integer(integer(whole)),
        "*" => ExprKind::Star(integer(whole)),
        // The scanner has checked the sign, so that the end of the suffix suffices.
        suffix if suffix.ends_with('ε') || suffix.ends_with("eps") => {
            ExprKind::MinusEpsilon(integer(whole))
        }
        // The text is kept, because the value does not tell how many digits were written.
        _ => ExprKind::Decimal(decimal(text), text.to_owned()),
    }
}

fn digits(text: &str) -> &str {
    &text[..text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len())]
}

fn integer(text: &str) -> BigUint {
    BigUint::parse_bytes(text.as_bytes(), 10).expect("the rule admits digits only")
}

/// Computes the exact value of `0.125` or `1e-30`. The scanner limits digits and exponents.
fn decimal(text: &str) -> BigRational {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent: i64 = exponent.parse().expect("the scan bounds the exponent");
    let scale = exponent - i64::try_from(fraction.len()).expect("a source is shorter than 4 GiB");
    let value = BigRational::from(BigInt::from(integer(&format!("{whole}{fraction}"))));
    let factor = BigRational::from(BigInt::from(10).pow(scale.unsigned_abs()));
    if scale < 0 {
        value / factor
    } else {
        value * factor
    }
}

/// Returns the text of a string literal, without quotes and with escapes resolved.
pub(super) fn unescape(literal: &str) -> String {
    // Both quotation marks take one byte.
    let inside = &literal[1..literal.len() - 1];
    let mut text = String::with_capacity(inside.len());
    let mut characters = inside.chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' => text.extend(characters.next().map(escaped)),
            c => text.push(c),
        }
    }
    text
}

/// Returns the character that an escape stands for, given the character after the backslash.
fn escaped(c: char) -> char {
    match c {
        'n' => '\n',
        't' => '\t',
        c => c,
    }
}
