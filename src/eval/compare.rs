//! Equality and order of values.

use std::cmp::Ordering;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::bounds::{self, BoundedNumber, Undecided};
use super::evaluator::elements;
use super::query::Placed;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Kinds, Operand, Value};
use crate::report::Report;
use crate::source::Span;
use crate::syntax::ast::BinaryOp;
use crate::watch::{Asking, Context, Stop};

/// Returns `true` if two values are equal. Numbers of different forms are compared by value; a
/// table is compared with a list by its elements; values of different kinds differ.
///
/// # Errors
/// Returns an error if the work is stopped, or the bounds of numbers do not decide it.
pub(crate) fn same(a: &Value, b: &Value, context: &Context<'_>) -> Result<bool, Undecided> {
    Comparer::new(context).same(a, b)
}

/// The number of pairs that are compared between two checks for a stop; long values count as
/// several.
const ASK_EVERY: usize = 1024;

/// The number of bits of a number that are copied or compared in one step.
const STEP: u64 = 1 << 9;

/// Returns the number of steps that it takes to copy or compare a value. The elements of lists are
/// not counted.
pub(crate) fn weight(value: &Value) -> usize {
    let bits = match value {
        Value::Integer(number) => number.bits(),
        Value::Rational(number) => number.numer().bits() + number.denom().bits(),
        Value::Chips(chips) => chips.count.bits(),
        _ => 0,
    };
    1 + usize::try_from(bits / STEP).unwrap_or(usize::MAX)
}

/// Copies values into a list; the copying can be stopped.
///
/// # Errors
/// Returns an error if the work is stopped, or there is not enough memory.
pub(crate) fn copied<'v>(
    values: impl ExactSizeIterator<Item = &'v Value>,
    context: &Context<'_>,
) -> Result<Value, Stop> {
    listed(values.map(|value| (weight(value), value.clone())), context)
}

/// Makes a list of values, each with the number of steps that it takes to make; the work can be
/// stopped.
///
/// # Errors
/// Returns an error if the work is stopped, or there is not enough memory.
pub(crate) fn listed(
    values: impl ExactSizeIterator<Item = (usize, Value)>,
    context: &Context<'_>,
) -> Result<Value, Stop> {
    // The values are collected first and then moved into shared memory, so they take space twice.
    context.admit_values::<[Value; 2]>(values.len() as u64)?;
    let mut asking = Asking::every(ASK_EVERY, context);
    let mut list = Vec::with_capacity(values.len());
    for (weight, value) in values {
        asking.step(weight)?;
        list.push(value);
    }
    Ok(Value::list(list))
}

/// Compares values. Two lists that occur in many places of the values are compared once.
pub(crate) struct Comparer<'w> {
    asking: Asking<'w>,
    /// The pairs of shared lists that are known to be equal, by their addresses. The addresses stay
    /// valid because the values that contain the lists are borrowed.
    equal: FxHashSet<[*const Value; 2]>,
}

impl<'w> Comparer<'w> {
    pub fn new(context: &'w Context<'w>) -> Self {
        Self {
            asking: Asking::every(ASK_EVERY, context),
            equal: FxHashSet::default(),
        }
    }

    /// Returns `true` if two values are equal.
    ///
    /// # Errors
    /// Returns an error if the work is stopped, or the bounds of numbers do not decide it.
    pub fn same(&mut self, a: &Value, b: &Value) -> Result<bool, Undecided> {
        // Numbers of different length differ at once, so the shorter one bounds the work.
        self.asking.step(weight(a).min(weight(b)))?;
        Ok(match (a, b) {
            (Value::Integer(a), Value::Integer(b)) => a == b,
            (Value::Rational(a), Value::Rational(b)) => a == b,
            (Value::Enclosure(_), _) | (_, Value::Enclosure(_)) => match bounds::equal(a, b) {
                Some(known) => known.ok_or_else(|| Undecided::overlap(a, b))?,
                None => false,
            },
            (Value::Chips(a), Value::Chips(b)) => a == b,
            (Value::Never, Value::Never) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::Player(a), Value::Player(b)) => a == b,
            (Value::Empty, Value::Empty) => true,
            (Value::Side(a), Value::Side(b)) => a == b,
            (Value::Board(a), Value::Board(b)) => {
                (a.shape, a.rows, a.cols) == (b.shape, b.rows, b.cols)
                    && self.all_same(&a.cells, &b.cells)?
            }
            (Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
                self.same_items(a.values(), b.values())?
            }
            (Value::Game(a), Value::Game(b)) => a == b,
            (Value::Function(a), Value::Function(b)) => Rc::ptr_eq(a, b),
            (Value::Rules(a), Value::Rules(b)) => a == b,
            (Value::Outcome(a), Value::Outcome(b)) => a == b,
            (Value::Outcome(outcome), Value::Player(player))
            | (Value::Player(player), Value::Outcome(outcome)) => {
                *outcome == crate::player::Outcome::Wins(*player)
            }
            (Value::Answer(left), Value::Answer(right)) => match (a.items(), b.items()) {
                (Some(left), Some(right)) => same_columns(a, b) && self.same_items(left, right)?,
                (None, None) => left.as_report::<Report>().has_content_of(right.as_report()),
                _ => false,
            },
            (Value::Answer(_), Value::List(_)) | (Value::List(_), Value::Answer(_)) => {
                match (a.items(), b.items()) {
                    (Some(left), Some(right)) => self.same_items(left, right)?,
                    _ => false,
                }
            }
            _ => false,
        })
    }

    /// Returns `true` if two lists, which may be shared, are equal. A list always equals itself.
    fn same_items(&mut self, a: &Rc<[Value]>, b: &Rc<[Value]>) -> Result<bool, Undecided> {
        let pair = ListPair::of(a, b);
        if Rc::ptr_eq(a, b) || self.knows(&pair) {
            return Ok(true);
        }
        let same = self.all_same(a, b)?;
        if same {
            self.remember(&pair);
        }
        Ok(same)
    }

    fn all_same(&mut self, a: &[Value], b: &[Value]) -> Result<bool, Undecided> {
        if a.len() != b.len() {
            return Ok(false);
        }
        for (a, b) in a.iter().zip(b) {
            if !self.same(a, b)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn knows(&self, pair: &ListPair) -> bool {
        pair.is_shared && self.equal.contains(&pair.places)
    }

    fn remember(&mut self, pair: &ListPair) {
        if pair.is_shared {
            self.equal.insert(pair.places);
        }
    }

    /// Returns the order of two values of the same kind; lists and tuples are ordered by their
    /// first difference.
    pub fn order(&mut self, a: &Value, b: &Value, span: Span) -> OrderingResult {
        self.asking.step(weight(a).max(weight(b)))?;
        // Integers, the most common case, are compared without being copied into fractions.
        if let (Value::Integer(a), Value::Integer(b)) = (a, b) {
            return Ok(a.cmp(b));
        }
        if let (Some(a), Some(b)) = (a.as_rational(), b.as_rational()) {
            return Ok(a.cmp(&b));
        }
        if let (Some(a), Some(b)) = (a.as_chips(), b.as_chips()) {
            return Ok(a.cmp(&b));
        }
        if bounds::is_same(a, b) {
            return Ok(Ordering::Equal);
        }
        match (a, b) {
            (Value::Enclosure(x), _) if BoundedNumber::of(b).is_some() => {
                let other = BoundedNumber::of(b).expect("just seen");
                x.order(other.ends.each_ref())
                    .ok_or_else(|| Undecided::overlap(a, b))
                    .placed(span)
            }
            (_, Value::Enclosure(_)) if BoundedNumber::of(a).is_some() => {
                self.order(b, a, span).map(Ordering::reverse)
            }
            (Value::Never, Value::Never) => Ok(Ordering::Equal),
            (Value::Never, other) if is_amount(other) => Ok(Ordering::Greater),
            (other, Value::Never) if is_amount(other) => Ok(Ordering::Less),
            (Value::Text(a), Value::Text(b)) => Ok(a.cmp(b)),
            (Value::Game(a), Value::Game(b)) if a == b => Ok(Ordering::Equal),
            (
                Value::List(_) | Value::Tuple(_) | Value::Answer(_),
                Value::List(_) | Value::Tuple(_) | Value::Answer(_),
            ) => {
                let (Some(left), Some(right)) = (a.items(), b.items()) else {
                    return Err(not_ordered(a, b, span));
                };
                let pair = ListPair::of(left, right);
                if self.knows(&pair) {
                    return Ok(Ordering::Equal);
                }
                for (a, b) in left.iter().zip(right.iter()) {
                    let ordering = self.order(a, b, span)?;
                    if ordering.is_ne() {
                        return Ok(ordering);
                    }
                }
                // Only equal pairs are remembered, and a list that is only the beginning of the
                // other is not equal to it.
                if left.len() == right.len() {
                    self.remember(&pair);
                }
                Ok(left.len().cmp(&right.len()))
            }
            _ => Err(not_ordered(a, b, span)),
        }
    }
}

/// Returns `true` if a value is a number or a number of chips.
fn is_amount(value: &Value) -> bool {
    value.kinds().within(Kinds::AMOUNT)
}

/// The order of two values, or the reason that they have none.
type OrderingResult = Result<Ordering, Box<Diagnostic>>;

/// Two lists that are compared.
struct ListPair {
    places: [*const Value; 2],
    /// `true` if both lists have other references: only such a pair can occur again.
    is_shared: bool,
}

impl ListPair {
    fn of(a: &Rc<[Value]>, b: &Rc<[Value]>) -> Self {
        let is_shared = Rc::strong_count(a) > 1 && Rc::strong_count(b) > 1;
        Self {
            places: [a.as_ptr(), b.as_ptr()],
            is_shared,
        }
    }
}

/// Compares two tables column by column, as functions are ordered. One is less than another if it
/// is nowhere more and somewhere less.
pub(super) fn pointwise(
    op: BinaryOp,
    a: Operand<&Value>,
    b: Operand<&Value>,
    span: Span,
    context: &Context<'_>,
) -> Result<bool, Box<Diagnostic>> {
    let (left, right) = (elements(a.value, a.span)?, elements(b.value, b.span)?);
    if !same_columns(a.value, b.value) {
        return Err(other_columns(a.span, b.span));
    }
    if left.len() != right.len() {
        return Err(other_lengths([a.span, b.span], [left.len(), right.len()]));
    }
    let mut orders = Vec::new();
    let mut comparer = Comparer::new(context);
    for (a, b) in left.iter().zip(right.iter()) {
        orders.push(comparer.order(a, b, span)?);
    }
    let (at_most, at_least) = (
        orders.iter().all(|order| order.is_le()),
        orders.iter().all(|order| order.is_ge()),
    );
    Ok(match op {
        BinaryOp::Less => at_most && !at_least,
        BinaryOp::LessEqual => at_most,
        BinaryOp::Greater => at_least && !at_most,
        _ => at_least,
    })
}

/// Returns `true` if two answers cover the same range, if they are tables.
fn same_columns(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Answer(a), Value::Answer(b)) => match (a.as_report(), b.as_report()) {
            (Report::Table(a), Report::Table(b)) => a.columns == b.columns,
            _ => true,
        },
        _ => true,
    }
}

fn other_columns(a: Span, b: Span) -> Box<Diagnostic> {
    Diagnostic::new(Code::BadValue, "these tables are over different ranges")
        .label(a, "one range")
        .label(b, "another one")
        .help("compare them over the same totals")
        .into()
}

fn other_lengths([a, b]: [Span; 2], [left, right]: [usize; 2]) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::BadValue,
        "these answers are not ordered, as one has more elements than the other",
    )
    .label(a, format!("elements: {left}"))
    .label(b, format!("elements: {right}"))
    .help("an answer is at most another one if each of its elements is at most the other's")
    .into()
}

pub(super) fn not_ordered(a: &Value, b: &Value, span: Span) -> Box<Diagnostic> {
    let kinds = [a.kinds(), b.kinds()];
    let (message, help) = if kinds[0] == kinds[1] {
        (
            format!("values of this kind have no order: {}", kinds[0]),
            (kinds[0] == Kinds::GAME).then_some(
                "games are ordered in part only: compare their thresholds, as in `R(G) < R(H)`",
            ),
        )
    } else {
        let with_number =
            kinds.contains(&Kinds::GAME) && kinds.iter().any(|kind| kind.meets(Kinds::NUMBER));
        (
            format!("{} and {} have no order", kinds[0], kinds[1]),
            with_number.then_some("compare the threshold of the game, as in `R(G) < 1/2`"),
        )
    };
    Diagnostic::new(Code::WrongType, message)
        .label(span, "compared here")
        .maybe_help(help)
        .into()
}
