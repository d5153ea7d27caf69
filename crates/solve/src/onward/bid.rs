//! The amount to bid.
//!
//! *The conditions on a bid.* With thresholds as the player's own shares, let `low` and `high` be
//! those of the two sides that the bid's winner chooses from, and let the bank keep the part t of a
//! bid. After winning with the bid the player must have more than `low` of the money that is left,
//! and after losing to an equal or higher bid more than `high`: exactly on a threshold nothing is
//! promised. The latter includes equal bids, whoever wins them. If `high` is 1, the bid must
//! therefore exceed all of the opponent's money. A share of 0 is enough if the game is won without
//! any bid ([`Penniless`](super::Penniless)).
//!
//! *Cycles.* Bids that just keep the surplus over the threshold can be answered by equal bids for
//! ever. Let e be the player's surplus in money over the amount needed against the opponent's
//! money, x the bid that keeps it, `l = low/(1 − low)` and `h = high/(1 − high)`. A player who bids
//! `x + η` has the surplus `e − η a`, with `a = 1 + (1 − t) l`, after winning, and at least `e + η
//! c`, with `c = 1 − t + h`, after losing. Let a vertex be d wins in a row away from leaving the
//! cycle, and `θ = κ^−d`. With η between `θ e/2a` and `θ e/a`, a bid that is lost d wins away
//! compensates for more than all wins at greater distances: it multiplies the surplus by `1 + θ
//! c/2a` at least, they divide it by less than `1 + 2 θ/(κ − 1)`, and `κ = 4 + 4/ϱ` where no `c/a`
//! is less than ϱ. So the surplus, weighted by the distance, never falls, and rises by a fixed
//! factor with every bid that is lost; and since it is at most all the money, only finitely many
//! bids are lost before enough are won in a row. If c is 0 (the bank keeps everything, and the
//! threshold is 0) the same holds for the quotient of both players' money, which then takes the
//! place of ϱ.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;

use super::{CHECK_EVERY, Onward};
use crate::convert::fit;
use crate::game::NodeId;
use crate::law::decision::WinnerChoice;
use crate::player::Player;
use crate::richman::taxman::{Money, PlayerAim};
use crate::watch::{Asking, Context, Stop};

/// The number of decimals that are tried before a bid is given exactly.
const DECIMALS: usize = 40;

/// The problem of choosing a bid, from the player's point of view.
struct BidProblem {
    own: BigRational,
    other: BigRational,
    /// The threshold on the better side; `high` is that on the worse side.
    low: BigRational,
    high: BigRational,
    /// `true` if having no money at all is enough: after the bid is won, and after it is lost.
    without: [bool; 2],
    /// The part of a bid that the bank keeps.
    tax: BigRational,
}

impl BidProblem {
    /// Returns `true` if a bid satisfies the conditions.
    fn admits(&self, bid: &BigRational) -> bool {
        let tax = bid * &self.tax;
        let left = &self.own + &self.other - &tax;
        let is_enough = |held: BigRational, share: &BigRational, without: bool| {
            let needed = share * &left;
            // Exactly on the threshold nothing is promised, except with no money where none is
            // needed.
            held > needed || without && share.is_zero() && held >= needed
        };
        !bid.is_negative()
            && *bid <= self.own
            && is_enough(&self.own - bid, &self.low, self.without[0])
            // A bid beyond all of the opponent's money cannot be lost, so the second condition does
            // not apply.
            && (*bid > self.other || is_enough(&self.own + bid - &tax, &self.high, self.without[1]))
    }

    /// Returns the bid that keeps the surplus, and the surplus.
    fn kept(&self) -> Option<[BigRational; 2]> {
        let one = BigRational::one;
        let gap = &self.high - &self.low;
        let below = one() + one() - &self.tax + &self.tax * &gap;
        let share = (&self.high + (one() - &self.tax) * &self.low) / &below;
        // No amount of money is enough then, and the division below would be by 0.
        if share >= one() {
            return None;
        }
        let whole = &self.other / (one() - &share);
        let surplus = &self.own - &whole * share;
        Some([whole * gap / below, surplus])
    }

    /// Returns the middle between the least admissible bid and the greatest.
    fn middle(&self) -> BigRational {
        let one = BigRational::one;
        let all = &self.own + &self.other;
        let missing = (&self.high * &all - &self.own).max(BigRational::zero());
        let least = match one() - &self.tax + &self.tax * &self.high {
            // The bank keeps everything and the threshold is 0, so losing any bid is good enough.
            nothing if nothing.is_zero() => nothing,
            per_bid => missing / per_bid,
        };
        let most = (&self.own - &self.low * all) / (one() - &self.tax * &self.low);
        // The middle is farthest from both limits, which leaves the most room for rounding to few
        // digits.
        (least + most.min(self.own.clone())) / BigInt::from(2)
    }

    /// Returns the shortest decimal near a bid that passes a test, or the bid itself if it passes.
    fn near(
        &self,
        bid: &BigRational,
        passes: impl Fn(&BigRational) -> bool,
    ) -> Option<BigRational> {
        let passes = |bid: &BigRational| passes(bid) && self.admits(bid);
        // A decimal with a few more digits than the denominator of the bid is always near enough.
        let digits = fit::<usize>(bid.denom().bits()) / 3 + DECIMALS;
        let rounded = |decimals: usize| {
            let unit = num_traits::pow(BigInt::from(10), decimals);
            (bid * &unit).round() / unit
        };
        // Few decimals are tried one by one and more of them in steps, as only short ones are easy
        // to read.
        let few = (0..DECIMALS).chain((DECIMALS..digits).step_by(DECIMALS));
        few.map(rounded)
            // The bid itself comes last, since a fraction is harder to read than a decimal.
            .chain([bid.clone()])
            .find(|bid| passes(bid))
    }
}

/// Returns `true` if a number is short enough to be read easily.
fn is_short(number: &BigRational) -> bool {
    number.denom().bits() <= 40
}

/// Converts a share of all the money to the amount needed for each unit of the opponent's money.
fn against_one(share: &BigRational) -> Option<BigRational> {
    let rest = BigRational::one() - share;
    // A share of 1 corresponds to no finite amount.
    rest.is_positive().then(|| share / rest)
}

impl Onward<'_> {
    /// Returns a bid at a vertex that keeps what the player has been promised, whatever the
    /// opponent bids and whoever wins a tie; following this advice from bid to bid fulfils the
    /// promise. Returns `None` if no such bid is known.
    pub fn bid(&self, node: NodeId, money: &Money) -> Option<BigRational> {
        let Some(turn) = self.turn(node, money) else {
            return Some(BigRational::zero());
        };
        let [kept, surplus] = turn.kept()?;
        // Only a win on a cycle needs progress; elsewhere keeping the surplus is enough.
        let is_round = self.aim == PlayerAim::Win && self.cycles[node.index()].is_some();
        if is_round && surplus.is_positive() {
            let most = self.extra(node, &turn, &surplus)?;
            // The theorem allows the upper half of the range, so its middle is tried, with a
            // quarter on each side to round in.
            let bid = &kept + &most * BigRational::new(3.into(), 4.into());
            let least = &kept + &most / BigInt::from(2);
            let most = kept + most;
            // The bounds of the theorem are tested again, because rounding may leave the range.
            return turn.near(&bid, |bid| least <= *bid && *bid <= most);
        }
        [kept, turn.middle()].iter().find_map(|bid| {
            if is_short(bid) && turn.admits(bid) {
                return Some(bid.clone());
            }
            turn.near(bid, |_| true)
        })
    }

    /// Returns the greatest amount that may be bid beyond the bid that keeps the surplus.
    fn extra(&self, node: NodeId, turn: &BidProblem, surplus: &BigRational) -> Option<BigRational> {
        let distance = self.wins[node.index()]?;
        let one = BigRational::one;
        let is_lost = turn.tax.is_one() && turn.high.is_zero();
        let gain = match is_lost {
            // The quotient is not defined for an opponent without money, whom every bid beyond 0
            // beats.
            true if turn.other.is_zero() => one(),
            true => &turn.own / &turn.other,
            false => self.gains[&self.cycles[node.index()]?].clone(),
        };
        let four = || BigRational::from_integer(4.into());
        let base = four() + four() / gain;
        let cost = one() + (one() - &turn.tax) * against_one(&turn.low)?;
        Some(surplus / (num_traits::pow(base, distance as usize) * cost))
    }

    fn turn(&self, node: NodeId, money: &Money) -> Option<BidProblem> {
        let income = self.shares.income(&self.graph, node);
        // Income is received before the bid, so the thresholds are about the money after it.
        let received = income.map(|income| money.received(&income));
        let money = received.as_ref().unwrap_or(money);
        let [own, other] = [self.player, self.player.other()]
            .map(|player| self.shares.best(&self.graph, node, player));
        let (own, other) = (own?, other?);
        // If only bounds are known, the safe one is used.
        let share = |head| match self.player {
            Player::Alice => self.shares.share(head).high,
            Player::Bob => self.shares.share(head).complement().high,
        };
        let [low, high] = [share(own), share(other)];
        let without = |player: Player| self.is_enough_without(node, player);
        let lets = self.step(node) == Some(WinnerChoice::LetMove);
        let winner = if lets {
            self.player.other()
        } else {
            self.player
        };
        let (own, other) = match self.player {
            Player::Alice => (&money.alice, &money.bob),
            Player::Bob => (&money.bob, &money.alice),
        };
        Some(BidProblem {
            own: own.clone(),
            other: other.clone(),
            // After a lost bid the opponent decides who moves, so both movers have to be harmless.
            without: [without(winner), Player::BOTH.into_iter().all(without)],
            // The winner of a bid takes the better side, whichever player has to move for it.
            low: low.clone().min(high.clone()),
            high: low.max(high),
            tax: self.shares.tax(),
        })
    }

    /// Returns `true` if having no money at all is enough once `mover` has moved.
    fn is_enough_without(&self, node: NodeId, mover: Player) -> bool {
        let heads = match self.best(node) {
            Some(head) if mover == self.player => vec![head],
            _ => self.graph.successors(node, mover).to_vec(),
        };
        let nothing = match self.player {
            Player::Alice => BigRational::zero(),
            Player::Bob => BigRational::one(),
        };
        heads.into_iter().all(|head| {
            if !self.shares.has_income(&self.graph) {
                return self.penniless.is_enough(head);
            }
            let standing = self.shares.standing(&self.graph, head, &nothing);
            standing.is_some_and(|order| order.is_gt() == (self.player == Player::Alice))
        })
    }

    /// Returns, for each vertex, the number of bids in a row that the player has to win before play
    /// leaves the cycle.
    pub(super) fn wins_in_a_row(&self, context: &Context<'_>) -> Result<Vec<Option<u32>>, Stop> {
        /// The state of a vertex in the depth-first search.
        #[derive(Clone, Copy, PartialEq)]
        enum SearchState {
            Not,
            Open,
            Done,
        }
        let mut seen = vec![SearchState::Not; self.graph.len()];
        let mut wins: Vec<Option<u32>> = vec![Some(0); self.graph.len()];
        let mut asking = Asking::every(CHECK_EVERY, context);
        for root in self.graph.nodes() {
            let mut path = vec![(root, None::<Vec<NodeId>>)];
            while let Some((node, ahead)) = path.last_mut() {
                asking.step(1)?;
                let node = *node;
                if seen[node.index()] == SearchState::Done {
                    path.pop();
                    continue;
                }
                let ahead = ahead.get_or_insert_with(|| {
                    seen[node.index()] = SearchState::Open;
                    self.ahead(node)
                });
                if let Some(head) = ahead.pop() {
                    match seen[head.index()] {
                        SearchState::Not => path.push((head, None)),
                        // Play may return although all bids are won, because the bounds are too
                        // wide.
                        SearchState::Open => wins[head.index()] = None,
                        // A finished vertex has its number already.
                        SearchState::Done => {}
                    }
                    continue;
                }
                let further: Option<Vec<u32>> = self
                    .ahead(node)
                    .iter()
                    .map(|head| wins[head.index()])
                    .collect();
                let bids = u32::from(self.is_bid_for(node));
                let known = wins[node.index()].is_some();
                wins[node.index()] = further
                    .filter(|_| known)
                    // The opponent may choose the way, so the longest one counts.
                    .map(|further| further.into_iter().max().unwrap_or(0) + bids);
                seen[node.index()] = SearchState::Done;
                path.pop();
            }
        }
        Ok(wins)
    }

    pub(super) fn is_bid_for(&self, node: NodeId) -> bool {
        Player::BOTH
            .iter()
            .all(|player| !self.graph.successors(node, *player).is_empty())
    }

    /// Returns the vertices of the same cycle where play may continue while the player wins all
    /// bids.
    fn ahead(&self, node: NodeId) -> Vec<NodeId> {
        let cycle = self.cycles[node.index()];
        let heads = match self.step(node) {
            // Each of the best moves may be advised, since they are equally good.
            Some(WinnerChoice::Move(_)) => self.all_best(node).collect(),
            Some(WinnerChoice::LetMove) => {
                self.graph.successors(node, self.player.other()).to_vec()
            }
            None => Vec::new(),
        };
        let stays = |head: &NodeId| cycle.is_some() && self.cycles[head.index()] == cycle;
        heads.into_iter().filter(stays).collect()
    }

    /// Returns, for each component with a cycle, a lower bound on the gain of a bid that is lost,
    /// relative to the cost of one that is won.
    pub(super) fn least_gains(
        &self,
        context: &Context<'_>,
    ) -> Result<FxHashMap<u32, BigRational>, Stop> {
        let one = BigRational::one;
        let tax = self.shares.tax();
        let gain = |node: NodeId| {
            let nothing = Money {
                alice: BigRational::zero(),
                bob: BigRational::zero(),
            };
            let turn = self.turn(node, &nothing)?;
            let cost = one() + (one() - &tax) * against_one(&turn.low)?;
            let gain = one() - &tax + against_one(&turn.high)?;
            // A gain of 0 is treated apart, with the quotient of both players' money.
            (!gain.is_zero()).then(|| gain / cost)
        };
        let mut gains = FxHashMap::default();
        for node in self.graph.nodes() {
            // A gain takes several greatest common divisors of long numbers.
            context.check()?;
            let Some(cycle) = self.cycles[node.index()] else {
                continue;
            };
            // Any lower bound is allowed, and one of at most 1 makes the base of the powers at
            // least 8.
            let least = gains.entry(cycle).or_insert_with(one);
            if let Some(gain) = gain(node).filter(|gain| gain < least) {
                *least = gain;
            }
        }
        Ok(gains)
    }
}
