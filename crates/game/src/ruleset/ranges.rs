//! Inference of the ranges of a state's integers, by abstract interpretation with intervals (Cousot
//! & Cousot, 1977).
//!
//! A box, an interval for each integer, is *inductive* if it contains the initial values and every
//! move leads from a state in the box to one in the box. The integers then never leave the box, and
//! it determines how many bits they need. The box is first extended from the initial values by the
//! effects of the moves; where it keeps growing it is widened to the next number that the rules
//! mention, in the end to 32 bits; then it is narrowed as long as it stays inductive. Guards narrow
//! the intervals inside a move, and `s <= n` is remembered so that `n - s` is known not to be
//! negative.

use rustc_hash::FxHashMap;

use super::Ruleset;
use super::layout::{Integer, Range, ScalarPlace};
use super::moves::Move;
use super::program::{Binder, Bool, Change, ComparisonOp, FoldOp, Int, IntOp, Part, Register};
use super::visit::AnyProgram;
use crate::watch::{Context, Stop};

/// Every 64-bit integer.
const ANY: Range = Range {
    low: i64::MIN,
    high: i64::MAX,
};

/// The number of rounds in which the box grows only by the effects of the moves before it is
/// widened; also the greatest number of narrowing rounds.
const PATIENCE: usize = 8;

/// The greatest number of rounds; a box of 32 bits becomes inductive before.
const ROUNDS: usize = 1000;

/// Infers the ranges of the integers of a state that a ruleset can reach, in the order of their
/// ids, which is that of the state.
///
/// # Errors
/// If the work is stopped.
pub fn infer(ruleset: &Ruleset, context: &Context<'_>) -> Result<Vec<Range>, Stop> {
    let single = |scalar| match scalar {
        ScalarPlace::Integer(integer) => {
            let value = integer.get(&ruleset.start.0);
            Some(Range::new(value, value))
        }
        ScalarPlace::Bool(_) | ScalarPlace::Player(_) | ScalarPlace::Cell(_) => None,
    };
    let initial: Vec<Range> = ruleset.scalars().filter_map(single).collect();
    if initial.is_empty() {
        return Ok(initial);
    }
    let mentioned = mentioned(ruleset, &initial);
    let mut known = initial.clone();
    for round in 0..ROUNDS {
        let next = step(ruleset, &known, &initial, context)?;
        if next
            .iter()
            .zip(&known)
            .all(|(next, known)| next.is_within(*known))
        {
            return shrink(ruleset, known, &initial, context);
        }
        known = known
            .iter()
            .zip(next)
            .map(|(known, next)| grow(*known, next, round, &mentioned))
            .collect();
    }
    Ok(vec![Range::WIDE; initial.len()])
}

/// Narrows an inductive box. The image of the box under the moves, together with the initial
/// values, is inductive too.
fn shrink(
    ruleset: &Ruleset,
    mut known: Vec<Range>,
    initial: &[Range],
    context: &Context<'_>,
) -> Result<Vec<Range>, Stop> {
    for _ in 0..PATIENCE {
        let next = step(ruleset, &known, initial, context)?;
        if next == known {
            break;
        }
        known = next;
    }
    Ok(known)
}

/// Returns the hull of the initial values and all values that a move sets an integer to, from a
/// state in the box. (An integer that a move leaves unchanged is in the box already.)
fn step(
    ruleset: &Ruleset,
    known: &[Range],
    initial: &[Range],
    context: &Context<'_>,
) -> Result<Vec<Range>, Stop> {
    let mut next = initial.to_vec();
    for one in ruleset.all_moves() {
        context.check()?;
        let (integers, set) = (known.to_vec(), vec![None; known.len()]);
        let mut view = KnownRanges {
            integers,
            set,
            registers: FxHashMap::default(),
            facts: vec![],
        };
        view.run(one);
        for (next, set) in next.iter_mut().zip(view.set) {
            *next = set.map_or(*next, |set| next.join(set));
        }
    }
    Ok(next)
}

/// Restricts a range to 32 bits: a state's integers never hold more, since a move that would exceed
/// that faults.
fn clamp(range: Range) -> Range {
    let clamped = range.meet(Range::WIDE);
    if clamped.low <= clamped.high {
        clamped
    } else {
        Range::WIDE
    }
}

fn grow(known: Range, next: Range, round: usize, mentioned: &[i64]) -> Range {
    let joined = known.join(next);
    if round < PATIENCE {
        return joined;
    }
    let below = mentioned
        .iter()
        .rev()
        .find(|n| **n <= joined.low)
        .copied()
        .unwrap_or(Range::WIDE.low);
    let above = mentioned
        .iter()
        .find(|n| **n >= joined.high)
        .copied()
        .unwrap_or(Range::WIDE.high);
    Range {
        low: if joined.low < known.low {
            below
        } else {
            known.low
        },
        high: if joined.high > known.high {
            above
        } else {
            known.high
        },
    }
}

/// Returns the numbers at which the widened box may stop: 0, the initial values, the constants of
/// the rules, and their neighbours.
fn mentioned(ruleset: &Ruleset, initial: &[Range]) -> Vec<i64> {
    let mut found: Vec<i64> = initial.iter().map(|range| range.low).chain([0]).collect();
    for one in ruleset.all_moves() {
        let binders = one.binders.iter().map(AnyProgram::Binder);
        let programs = binders.chain(one.changes.iter().map(AnyProgram::Change));
        programs.for_each(|program| constants(program, &mut found));
    }
    found = found
        .iter()
        .flat_map(|n| [n - 1, *n, n + 1])
        .filter(|n| Range::WIDE.contains(*n))
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Collects the constants that are compared or computed with near the root of a program; deeper
/// ones, and those that an index is computed from, matter little.
fn constants(program: AnyProgram<'_>, found: &mut Vec<i64>) {
    match program {
        AnyProgram::Int(Int::Constant(n)) => {
            found.push(n.clamp(&Range::WIDE.low, &Range::WIDE.high).to_owned());
        }
        AnyProgram::Int(Int::Pick(_, items, _)) => items
            .iter()
            .for_each(|item| constants(AnyProgram::Int(item), found)),
        AnyProgram::Bool(Bool::Let(_, parts)) => constants(AnyProgram::Bool(&parts.1), found),
        AnyProgram::Change(Change::Pick(_, choices, _)) => choices
            .iter()
            .flatten()
            .for_each(|change| constants(AnyProgram::Change(change), found)),
        AnyProgram::Int(Int::Truth(_) | Int::Fold(..))
        | AnyProgram::Bool(Bool::If(_) | Bool::Pick(..) | Bool::Some(_))
        | AnyProgram::Plane(_)
        | AnyProgram::Change(Change::Fill(..) | Change::Score(..)) => {}
        other => other.parts(&mut |part| constants(part, found)),
    }
}

/// The ranges and facts known inside a move.
#[derive(Debug, Clone)]
struct KnownRanges {
    integers: Vec<Range>,
    /// The hull of all values that each integer has been set to, including intermediate ones.
    set: Vec<Option<Range>>,
    registers: FxHashMap<Register, Range>,
    /// Pairs of programs of which the first is known not to exceed the second.
    facts: Vec<(Int, Int)>,
}

impl KnownRanges {
    /// Interprets a move; returns `true` if it may be possible. The integers are then those after
    /// the move.
    fn run(&mut self, one: &Move) -> bool {
        one.binders.iter().all(|binder| self.bind(binder)) && self.change_all(&one.changes)
    }

    fn bind(&mut self, binder: &Binder) -> bool {
        match binder {
            Binder::Guard(guard) => self.assume(guard, true),
            Binder::Each(register, from, to) => {
                let range = Range::new(self.range(from).low, self.range(to).high);
                self.registers.insert(*register, range);
                self.facts.push((Int::Register(*register), to.clone()));
                self.facts.push((from.clone(), Int::Register(*register)));
                range.low <= range.high
            }
            Binder::Keep(register, value) => {
                let range = self.range(value);
                self.registers.insert(*register, range);
                true
            }
        }
    }

    fn change_all(&mut self, changes: &[Change]) -> bool {
        changes.iter().all(|change| self.change(change))
    }

    fn change(&mut self, change: &Change) -> bool {
        match change {
            Change::Set(ScalarPlace::Integer(integer), value, _) => {
                let range = clamp(self.range(value));
                let set = &mut self.set[integer.id as usize];
                *set = Some(set.map_or(range, |before| before.join(range)));
                self.integers[integer.id as usize] = range;
                self.facts.clear();
                true
            }
            Change::Set(..) | Change::Fill(..) => {
                self.facts.clear();
                true
            }
            Change::Keep(register, value) => {
                let range = self.range(value);
                self.registers.insert(*register, range);
                true
            }
            Change::Pick(_, choices, _) => {
                let branches = choices
                    .iter()
                    .map(|choice| (self.clone(), choice.as_slice()))
                    .collect();
                self.branch(branches)
            }
            Change::If(condition, then, otherwise) => {
                let mut branches = Vec::new();
                for (truth, changes) in [(true, then), (false, otherwise)] {
                    let mut view = self.clone();
                    if view.assume(condition, truth) {
                        branches.push((view, changes.as_slice()));
                    }
                }
                self.branch(branches)
            }
            Change::Score(..) => true,
            Change::Fault(_) => false,
        }
    }

    /// Interprets alternative branches and joins the results of those that may be taken.
    fn branch(&mut self, branches: Vec<(KnownRanges, &[Change])>) -> bool {
        let mut ends: Vec<KnownRanges> = Vec::new();
        for (mut view, changes) in branches {
            let reached = view.change_all(changes);
            for (set, also) in self.set.iter_mut().zip(&view.set) {
                *set = set.iter().chain(also).copied().reduce(Range::join);
            }
            if reached {
                ends.push(view);
            }
        }
        let Some(first) = ends.pop() else {
            return false;
        };
        let end = ends.into_iter().fold(first, |all, end| KnownRanges {
            integers: all
                .integers
                .iter()
                .zip(end.integers)
                .map(|(a, b)| a.join(b))
                .collect(),
            registers: all
                .registers
                .into_iter()
                .filter_map(|(register, a)| {
                    Some((register, a.join(*end.registers.get(&register)?)))
                })
                .collect(),
            set: Vec::new(),
            facts: Vec::new(),
        });
        (self.integers, self.registers) = (end.integers, end.registers);
        self.facts.clear();
        true
    }

    /// Narrows the ranges under the assumption that a condition has this truth value; returns
    /// `false` if it cannot have it.
    fn assume(&mut self, condition: &Bool, holds: bool) -> bool {
        match condition {
            Bool::Constant(truth) => *truth == holds,
            Bool::Not(inner) => self.assume(inner, !holds),
            Bool::All(parts) if holds => parts.iter().all(|part| self.assume(part, true)),
            Bool::Any(parts) if !holds => parts.iter().all(|part| self.assume(part, false)),
            Bool::Any(parts) if holds && parts.len() == 1 => self.assume(&parts[0], true),
            Bool::Compare(comparison, sides) => {
                self.compare(*comparison, &sides.0, &sides.1, holds)
            }
            Bool::Let(register, parts) => {
                let range = self.range(&parts.0);
                self.registers.insert(*register, range);
                self.assume(&parts.1, holds)
            }
            Bool::Fault(_) => false,
            Bool::All(_)
            | Bool::Any(_)
            | Bool::Register(_)
            | Bool::Bit(_)
            | Bool::Neither(..)
            | Bool::If(_)
            | Bool::Pick(..)
            | Bool::Some(_)
            | Bool::Occupied(_)
            | Bool::Line(_)
            | Bool::Connected(_) => true,
        }
    }

    fn compare(&mut self, comparison: ComparisonOp, a: &Int, b: &Int, holds: bool) -> bool {
        match (comparison, holds) {
            (ComparisonOp::LessEqual, true) => self.at_most(a, b, 0),
            (ComparisonOp::LessEqual, false) => self.at_most(b, a, -1),
            (ComparisonOp::Less, true) => self.at_most(a, b, -1),
            (ComparisonOp::Less, false) => self.at_most(b, a, 0),
            (ComparisonOp::Equal, true) => self.at_most(a, b, 0) && self.at_most(b, a, 0),
            (ComparisonOp::Equal, false) => true,
        }
    }

    /// Narrows the ranges under the assumption a ≤ b + slack; returns `false` if it cannot hold.
    fn at_most(&mut self, a: &Int, b: &Int, slack: i64) -> bool {
        let (left, right) = (self.range(a), self.range(b));
        self.facts.push((a.clone(), b.clone()));
        let low = Range::new(left.low.saturating_sub(slack), i64::MAX);
        let high = Range::new(i64::MIN, right.high.saturating_add(slack));
        self.narrow(a, high) && self.narrow(b, low)
    }

    /// Narrows the ranges under the assumption that a program's value lies in a range; returns
    /// `false` if it cannot.
    fn narrow(&mut self, program: &Int, to: Range) -> bool {
        let range = match program {
            Int::Register(register) => self.registers.entry(*register).or_insert(ANY),
            Int::Scalar(ScalarPlace::Integer(Integer { id, .. })) => {
                &mut self.integers[*id as usize]
            }
            Int::Constant(n) => return to.contains(*n),
            Int::Binary(op, sides, _) => return self.narrow_operand(*op, &sides.0, &sides.1, to),
            Int::Scalar(_)
            | Int::Truth(_)
            | Int::If(_)
            | Int::Let(..)
            | Int::Count(_)
            | Int::Pick(..)
            | Int::Fold(..)
            | Int::Fault(_) => return true,
        };
        *range = range.meet(to);
        range.low <= range.high
    }

    fn narrow_operand(&mut self, op: IntOp, a: &Int, b: &Int, to: Range) -> bool {
        let shifted = |by: i64| Range::new(to.low.saturating_add(by), to.high.saturating_add(by));
        match (op, a, b) {
            (IntOp::Add, program, Int::Constant(n)) | (IntOp::Add, Int::Constant(n), program) => {
                self.narrow(program, shifted(n.saturating_neg()))
            }
            (IntOp::Subtract, program, Int::Constant(n)) => self.narrow(program, shifted(*n)),
            (IntOp::Subtract, Int::Constant(n), program) => {
                let flipped = Range::new(n.saturating_sub(to.high), n.saturating_sub(to.low));
                self.narrow(program, flipped)
            }
            _ => true,
        }
    }

    /// Returns an interval that contains a program's value.
    fn range(&mut self, program: &Int) -> Range {
        match program {
            Int::Constant(n) => Range::new(*n, *n),
            Int::Register(register) => self.registers.get(register).copied().unwrap_or(ANY),
            Int::Scalar(ScalarPlace::Integer(integer)) => self.integers[integer.id as usize],
            Int::Scalar(ScalarPlace::Bool(_)) | Int::Truth(_) => Range::new(0, 1),
            Int::Scalar(ScalarPlace::Player(_) | ScalarPlace::Cell(_)) => Range::new(0, 2),
            Int::Binary(op, sides, _) => self.operation(*op, &sides.0, &sides.1),
            Int::If(parts) => {
                let then = self.clone().assumed(&parts.0, true, &parts.1);
                let otherwise = self.clone().assumed(&parts.0, false, &parts.2);
                then.into_iter()
                    .chain(otherwise)
                    .reduce(Range::join)
                    .unwrap_or(ANY)
            }
            Int::Let(register, parts) => {
                let range = self.range(&parts.0);
                self.registers.insert(*register, range);
                self.range(&parts.1)
            }
            Int::Count(_) => Range::new(0, i64::from(u16::MAX)),
            Int::Pick(_, items, _) => items
                .iter()
                .map(|item| self.range(item))
                .reduce(Range::join)
                .unwrap_or(ANY),
            Int::Fold(op, parts, _) => self.fold(*op, parts),
            Int::Fault(_) => Range::new(0, 0),
        }
    }

    fn assumed(mut self, condition: &Bool, holds: bool, program: &Int) -> Option<Range> {
        self.assume(condition, holds).then(|| self.range(program))
    }

    fn operation(&mut self, op: IntOp, a: &Int, b: &Int) -> Range {
        let (x, y) = (self.range(a), self.range(b));
        match op {
            IntOp::Add => Range::new(x.low.saturating_add(y.low), x.high.saturating_add(y.high)),
            IntOp::Subtract => {
                let low = x.low.saturating_sub(y.high);
                let known = self.facts.iter().any(|(less, more)| less == b && more == a);
                Range {
                    low: if known { low.max(0) } else { low },
                    high: x.high.saturating_sub(y.low),
                }
            }
            IntOp::Multiply => {
                let ends = [x.low, x.high].map(|x| [y.low, y.high].map(|y| x.saturating_mul(y)));
                hull(ends.as_flattened())
            }
            IntOp::FloorDivide | IntOp::ExactDivide if y.low > 0 => hull(
                &[x.low, x.high]
                    .map(|x| [y.low, y.high].map(|y| x.div_euclid(y)))
                    .concat(),
            ),
            IntOp::Remainder if y.low > 0 => {
                let below = y.high - 1;
                Range {
                    low: 0,
                    high: if x.low >= 0 { below.min(x.high) } else { below },
                }
            }
            IntOp::FloorDivide | IntOp::ExactDivide | IntOp::Remainder => ANY,
        }
    }

    fn fold(&mut self, op: FoldOp, parts: &[Part<Int>]) -> Range {
        let mut ranges = Vec::new();
        for part in parts {
            let mut view = self.clone();
            if part.binders.iter().all(|binder| view.bind(binder)) {
                let looped = part
                    .binders
                    .iter()
                    .any(|binder| matches!(binder, Binder::Each(..)));
                ranges.push((view.range(&part.value), part.binders.is_empty(), looped));
            }
        }
        match op {
            FoldOp::Least | FoldOp::Greatest => ranges
                .into_iter()
                .map(|(range, ..)| range)
                .reduce(Range::join)
                .unwrap_or(ANY),
            FoldOp::Sum => {
                ranges
                    .into_iter()
                    .fold(Range::new(0, 0), |sum, (range, always, looped)| {
                        // An element under a condition may be missing, and then adds 0.
                        let range = if always {
                            range
                        } else {
                            range.join(Range::new(0, 0))
                        };
                        let far = |end: i64| {
                            // The number of rounds of a loop is not known.
                            if looped && end != 0 {
                                end.saturating_mul(i64::MAX)
                            } else {
                                end
                            }
                        };
                        Range::new(
                            sum.low.saturating_add(far(range.low)),
                            sum.high.saturating_add(far(range.high)),
                        )
                    })
            }
        }
    }
}

fn hull(ends: &[i64]) -> Range {
    let (low, high) = (ends.iter().min(), ends.iter().max());
    Range::new(
        low.copied().unwrap_or(i64::MIN),
        high.copied().unwrap_or(i64::MAX),
    )
}
