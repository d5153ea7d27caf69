//! Thresholds against every budget of Bob's at once, where no play has a cycle and the winner of a
//! bid chooses who moves.
//!
//! The threshold T(b) of a vertex is *eventually quasi-linear*: T(b + M) = T(b) + N from some b on,
//! as long as the successors have such thresholds, W after a win of Alice's and L after one of
//! Bob's. Let these grow by w and l a chip, w ≤ l, and let the loser of a bid get the part ρ of it.
//! Bids of both that are in balance grow by
//!
//! β = (l − w) / (1 + wρ + l + ρ)
//!
//! a chip of Bob's. Let M be such that M, X = βM, ρX, M + ρX and M − X are whole, and multiples of
//! the periods. A bid of x against b and one of x + X against b + M then need the same except for
//! N = X + w(M + ρX), once W and L are past their pre-periods.
//!
//! *Proof that T(b + M) = T(b) + N for every b from b₁ on*, if the following holds of the M budgets
//! from b₁ on: the two needs cross at a bid x ≥ 2 and the one before it, one of these is a best
//! bid, and the falling need is at 0 no less than T(b). The need of a bid if it wins increases with
//! the bid, the need if it loses decreases; so the needs cross once, and against b + M they cross
//! at x + X. A bid of 0 needs at least the falling need there, which grows by lM ≥ N; a bid of b +
//! 1 grows by M + w(M + ρM) ≥ N. So x + X is the best bid, or the one before it, and the same holds
//! of b + M. ∎
//!
//! Where l = w, X is 0, and a bid of 0 grows by N as well. Where L is "never" Alice has to win: she
//! bids b or b + 1, and M = X.

use std::convert::Infallible;
use std::rc::Rc;

use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use super::turn::{BudgetTurn, Decides, LeastBid, Needs, best, best_after_bid};
use super::{Holder, NEVER, first, place};
use crate::convert::fit;
use crate::game::NodeId;
use crate::player::{PerPlayer, Player};
use crate::sequences::Sequence;
use crate::watch::{Asking, Context, Stop};

/// The longest period that is used.
const PERIOD: u64 = 1 << 14;

/// The number of thresholds that are computed for one sequence.
const TERMS: u64 = 1 << 17;

/// The number of thresholds that are computed in all.
const ALL_TERMS: u64 = 1 << 25;

/// The number of thresholds that are computed between two checks.
const STEPS: usize = 1 << 10;

/// The thresholds of a vertex with one holder, against every budget; `None` is "never".
pub(super) type BudgetRow = Option<Rc<Sequence>>;

/// The reason for which there are no sequences.
pub(super) enum Unsettled {
    /// Periods or pre-periods are too long.
    TooLong,
    Stopped(Stop),
}

impl From<Stop> for Unsettled {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

type Result<T> = std::result::Result<T, Unsettled>;

/// The chips needed after a bid, by its winner and the holder after it.
type SequencesAfterBid = PerPlayer<Vec<BudgetRow>>;

/// The thresholds of all vertices.
pub(super) struct VertexSequences<'a> {
    turn: &'a BudgetTurn<'a>,
    rows: Vec<BudgetRow>,
    steps: StepCount<'a>,
}

impl<'a> VertexSequences<'a> {
    /// Finds the sequences of all vertices. None of them may lie on a cycle, and the rules must not
    /// be `ties: richer`.
    pub(super) fn solve(
        turn: &'a BudgetTurn<'a>,
        holders: &[Holder],
        context: &'a Context<'a>,
    ) -> Result<Self> {
        let rows = vec![None; 2 * turn.graph.len()];
        let mut found = Self {
            turn,
            rows,
            steps: StepCount {
                terms: 0,
                asking: Asking::every(STEPS, context),
            },
        };
        for &node in turn.graph.components().order() {
            match turn.graph.ending(node) {
                Some(ending) => {
                    let row =
                        // A won ending needs 0 chips against every budget.
                        (turn.ended(ending) == 0).then(|| Rc::new(Sequence::new(vec![0], 1, 0)));
                    holders
                        .iter()
                        .for_each(|holder| found.rows[place(node, *holder)] = row.clone());
                }
                None => {
                    let after = found.after(node, holders)?;
                    for (index, &holder) in holders.iter().enumerate() {
                        found.rows[place(node, holder)] = match turn.graph.owner(node) {
                            Some(owner) => after[owner][index].clone(),
                            None => found.row(holder, &after)?,
                        };
                    }
                }
            }
        }
        Ok(found)
    }

    /// Returns the sequence of a vertex.
    pub(super) fn get(&self, node: NodeId, holder: Holder) -> &BudgetRow {
        &self.rows[place(node, holder)]
    }

    /// Computes the chips needed after a bid has been won at a vertex.
    fn after(&mut self, node: NodeId, holders: &[Holder]) -> Result<SequencesAfterBid> {
        let game = (self.turn.graph, self.turn.rules);
        let Self { rows, steps, .. } = self;
        let mut row = |winner: Player, holder: Holder| {
            let of = |head: NodeId| Ok(rows[place(head, holder)].clone());
            best_after_bid(game.0, game.1, node, winner, of, |player, a, b| {
                steps.better(player, a, b)
            })
        };
        let mut rows = |winner| {
            holders
                .iter()
                .map(|holder| row(winner, *holder))
                .collect::<Result<Vec<BudgetRow>>>()
        };
        Ok(PerPlayer::new(rows(Player::Alice)?, rows(Player::Bob)?))
    }

    /// Computes the row of a vertex that is not an ending.
    fn row(&mut self, holder: Holder, after: &SequencesAfterBid) -> Result<BudgetRow> {
        let (first, second) = self.turn.decides(holder);
        let first = self.decided(holder, first, after)?;
        match second {
            Some(second) => {
                let second = self.decided(holder, second, after)?;
                self.steps.better(Player::Alice, first, second)
            }
            None => Ok(first),
        }
    }

    /// Computes the row where a tie is decided in this way.
    fn decided(
        &mut self,
        holder: Holder,
        decides: Decides,
        after: &SequencesAfterBid,
    ) -> Result<BudgetRow> {
        let of = |winner: Player, tied: bool| {
            let status = self.turn.next(holder, winner, tied);
            after[winner][usize::from(status == Some(Player::Bob))].as_deref()
        };
        // The rows after a bid of Alice's and one of Bob's, strict and tied; whether a tie matters
        // depends on the rule.
        let strict = Player::both(|winner| of(winner, false));
        let tied = [decides.is_won, decides.is_lost];
        let tied = [0, 1].map(|side| {
            if tied[side] {
                of(Player::BOTH[side], true)
            } else {
                strict[side]
            }
        });
        // A row of "never" after a won bid means that no bid helps.
        let [Some(won), Some(won_tie)] = [strict[0], tied[0]] else {
            return Ok(None);
        };
        let lost = strict[1].zip(tied[1]);
        let lost = lost.map(|(strict, tied)| [strict, tied]);
        let bids = Bids {
            turn: self.turn,
            holder,
            decides,
            after,
            won: [won, won_tie],
            lost,
        };
        let balance = bids.balance()?;
        let mut near = LeastBid { chips: 0, bid: 0 };
        let (mut terms, mut steady) = (Vec::new(), 0);
        for budget in 0.. {
            self.steps.take(1)?;
            near = bids.best(budget, near);
            // Sequences are kept in 32 bits, and one with longer terms is given up.
            terms.push(u32::try_from(near.chips).map_err(|_| Unsettled::TooLong)?);
            steady = if bids.is_steady(budget, near.chips, &balance) {
                steady + 1
            } else {
                0
            };
            // The conditions have held for a whole period, so the proof applies from its start on.
            if steady == balance.period {
                return Ok(Some(Rc::new(Sequence::new(
                    terms,
                    fit::<usize>(balance.period),
                    balance.increment,
                ))));
            }
            // The pre-period may be longer than is worth computing.
            if budget > TERMS {
                break;
            }
        }
        Err(Unsettled::TooLong)
    }
}

/// The amount of work done.
struct StepCount<'a> {
    terms: u64,
    asking: Asking<'a>,
}

impl StepCount<'_> {
    fn take(&mut self, terms: u64) -> Result<()> {
        self.asking.step(fit::<usize>(terms))?;
        self.terms += terms;
        if self.terms > ALL_TERMS {
            Err(Unsettled::TooLong)
        } else {
            Ok(())
        }
    }

    /// Returns the lesser of two sequences at each budget for Alice, the greater one for Bob.
    fn better(&mut self, player: Player, a: BudgetRow, b: BudgetRow) -> Result<BudgetRow> {
        let (a, b) = match (a, b) {
            (Some(a), Some(b)) => (a, b),
            (a, b) => {
                return Ok(if player == Player::Alice {
                    a.or(b)
                } else {
                    None
                });
            }
        };
        // Equal rows are common, and need no common period.
        if a == b {
            return Ok(Some(a));
        }
        let period = a.period().lcm(&b.period());
        if period > PERIOD {
            return Err(Unsettled::TooLong);
        }
        let [slow, fast] = if grows(&a, period) <= grows(&b, period) {
            [&a, &b]
        } else {
            [&b, &a]
        };
        let from = a.pre_period().max(b.pre_period());
        let gains = grows(fast, period) - grows(slow, period);
        // After this number of periods the sequence that grows faster is the greater one for good,
        // if they grow differently.
        let behind = (from..from + period)
            .map(|k| slow.at(k).saturating_sub(fast.at(k)))
            .max()
            .unwrap_or(0);
        let turns = if gains == 0 {
            0
        } else {
            behind.div_ceil(gains)
        };
        let end = from + (turns + 1) * period;
        if end > TERMS {
            return Err(Unsettled::TooLong);
        }
        self.take(end)?;
        let one = |k: u64| {
            if player == Player::Alice {
                a.at(k).min(b.at(k))
            } else {
                a.at(k).max(b.at(k))
            }
        };
        let terms: Option<Vec<u32>> = (0..end).map(|k| one(k).to_u32()).collect();
        let increment = if player == Player::Alice {
            grows(slow, period)
        } else {
            grows(fast, period)
        };
        Ok(Some(Rc::new(Sequence::new(
            terms.ok_or(Unsettled::TooLong)?,
            fit::<usize>(period),
            increment,
        ))))
    }
}

/// Returns the growth of a sequence in a multiple of its period.
fn grows(sequence: &Sequence, period: u64) -> u64 {
    sequence.increment() * (period / sequence.period())
}

/// The bids at a vertex.
struct Bids<'a> {
    turn: &'a BudgetTurn<'a>,
    holder: Holder,
    decides: Decides,
    after: &'a SequencesAfterBid,
    /// The chips needed after Alice has won a bid, strictly and by a tie.
    won: [&'a Sequence; 2],
    /// The chips needed after Bob has won a bid, strictly and by a tie; `None` if she has to win.
    lost: Option<[&'a Sequence; 2]>,
}

/// The growth of thresholds and of the bids on which they depend.
struct Balance {
    /// The period M of budgets.
    period: u64,
    /// The growth X of the bid in a period.
    bid: u64,
    /// The growth N of the threshold in a period.
    increment: u64,
}

impl Bids<'_> {
    /// Computes the least M that is a multiple of all required numbers, with its X and N.
    fn balance(&self) -> Result<Balance> {
        let (zero, one) = (BigRational::zero(), BigRational::one());
        let returned = self.turn.part_returned();
        let won = common_slope(self.won)?;
        let lost = self.lost.map(common_slope).transpose()?;
        let bid = self.turn.balanced_bid(&won, lost.as_ref());
        // The formula assumes that a won bid needs no more than a lost one.
        if bid < zero {
            return Err(Unsettled::TooLong);
        }
        // If M is a multiple of this number, M, X and the loser's part of X are whole.
        let base = BigRational::from(bid.denom() * returned.denom());
        let mut times = 1;
        let mut fit = |amount: BigRational, sequence: &Sequence| {
            let amount = (&base * amount)
                .to_integer()
                .to_u64()
                .ok_or(Unsettled::TooLong)?;
            times = times.lcm(&(sequence.period() / sequence.period().gcd(&amount)));
            if times > PERIOD {
                Err(Unsettled::TooLong)
            } else {
                Ok(())
            }
        };
        for won in self.won {
            fit(&one + &returned * &bid, won)?;
            fit(&one + &returned, won)?;
        }
        for lost in self.lost.iter().flatten() {
            fit(&one - &bid, lost)?;
            fit(one.clone(), lost)?;
        }
        let period = base * BigRational::from_integer(times.into());
        let bid = &period * bid;
        let increment = &bid + won * (&period + returned * &bid);
        let whole = |number: &BigRational| number.to_integer().to_u64().ok_or(Unsettled::TooLong);
        let balance = Balance {
            period: whole(&period)?,
            bid: whole(&bid)?,
            increment: whole(&increment)?,
        };
        if balance.period > PERIOD {
            Err(Unsettled::TooLong)
        } else {
            Ok(balance)
        }
    }

    fn needs(&self, budget: u64, bid: u64) -> Needs {
        let after = |winner: Player, left: u64, status: Holder| {
            let row = &self.after[winner][usize::from(status == Some(Player::Bob))];
            Ok::<_, Infallible>(row.as_ref().map_or(NEVER, |row| row.at(left)))
        };
        let Ok(needs) = self
            .turn
            .needs(budget, self.holder, bid, self.decides, after);
        needs
    }

    fn best(&self, budget: u64, near: LeastBid) -> LeastBid {
        let Ok(best) = best(budget, near, |bid| {
            Ok::<_, Infallible>(self.needs(budget, bid))
        });
        best
    }

    /// Returns whether the conditions of the proof hold of a budget, against which `chips` chips
    /// are needed.
    fn is_steady(&self, budget: u64, chips: u64, balance: &Balance) -> bool {
        let past = |sequences: &[&Sequence; 2]| {
            sequences.iter().map(|sequence| sequence.pre_period()).max()
        };
        if Some(budget) < past(&self.won) {
            return false;
        }
        let Some(lost) = &self.lost else {
            // She bids all that Bob has or one more, and both grow evenly from a budget of 1 on.
            return budget > 0;
        };
        let least = if balance.bid == 0 { 1 } else { 2 };
        let crossing = first(1..budget + 1, |bid| {
            let Needs { rises, falls } = self.needs(budget, bid);
            rises >= falls
        });
        if crossing < least || Some(budget) < past(lost).map(|past| past + crossing + 1) {
            return false;
        }
        let is_best = |bid: u64| self.needs(budget, bid).chips() == chips;
        let there = is_best(crossing) || is_best(crossing - 1);
        if balance.bid == 0 {
            there || is_best(0)
        } else {
            there && self.needs(budget, 0).falls >= chips
        }
    }
}

/// Returns the common growth per step of both sequences in the long run.
fn common_slope([a, b]: [&Sequence; 2]) -> Result<BigRational> {
    let slope = |sequence: &Sequence| {
        BigRational::new(sequence.increment().into(), sequence.period().into())
    };
    if slope(a) == slope(b) {
        Ok(slope(a))
    } else {
        Err(Unsettled::TooLong)
    }
}
