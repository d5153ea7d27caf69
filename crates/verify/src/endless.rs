//! Thresholds, and chances under random turns, where endless play has a winner: by priorities
//! (`objective: buchi`, `parity`) or by its mean payoff.
//!
//! # What is checked
//! Each position has a lower and an upper bound of Bob's part, as in [`bounds`](super::bounds): 0
//! or 1 at endings, `L ≤ Φ(L)` and `Φ(U) ≤ U` elsewhere, with the law Φ of
//! [`values`](super::values). U is Alice's *promise*, L Bob's. By a promise a position is *level*
//! if it is not over, the bound says something (U < 1, L > 0) and is kept exactly (Φ(U) = U), and a
//! turn leads to the same bound whoever wins it. There the player needs ranks, or potentials. A
//! turn *leads* where its winner takes it by moves of the best bound, as in
//! [`values`](super::values); the player takes the least rank, the other the greatest. Positions
//! that are not level have rank 0.
//!
//! *Priorities.* A rank has a number for each priority that is bad for the player (odd for Alice,
//! even for Bob), the greatest priority first; ranks are compared by the first difference.
//! Positions without a priority have the worst of all. At a level position of priority q, let `a`
//! be where the turn leads that the player wins, `b` the other's. One of these holds:
//!
//! - q is good, and the rank, down to the numbers of priorities above q, is at least those of a and
//!   of b;
//! - for some bad priority d ≥ q, the *lucky* one, the rank down to the numbers above d is at least
//!   those of a and b, and down to d it is greater than that of a. (Under random turns: than the
//!   lesser of a and b.)
//!
//! The rank is the least for which that is so, where no number is greater than that of the
//! positions.
//!
//! *Mean payoffs.* Each position has a potential h. Choices take the greatest h + w for Alice, the
//! least for Bob, w being the weight of the move. The mean of both turns is more than h for Alice's
//! promise at level positions, less for Bob's; or equal, if the rules let that player win by a mean
//! of 0.
//!
//! # Why that is enough
//! `docs/certificates.md` has the proof. In short: by best moves the bound is a supermartingale for
//! Alice, so play comes to be level for ever, or the bound comes to 1. At level positions let d be
//! the greatest lucky priority that comes again and again, not below the greatest priority that
//! does, which is bad: then the numbers above d rise no more, and that of d falls again and again
//! as often on end as it can, since every lucky turn has a chance (or can be bought with any
//! money), a contradiction. Under a potential the payments rise with it.

use std::collections::BTreeSet;

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::bounds::{self, Side};
use super::listing::look;
use super::values::{self, Law, Theory};
use super::{Checked, Graph, malformed, unproved};
use crate::format::{Endless, Fraction, Means};
use crate::player::Player;
use crate::rules::{Draws, Rules};
use crate::watch::Context;

/// The priority of a position without one: the worst for either player.
const WORST: u32 = u32::MAX;

/// Both bounds of each position.
pub(super) struct Both<'c> {
    pub low: &'c [Fraction],
    pub high: &'c [Fraction],
}

/// Checks bounds with ranks.
pub(super) fn ranked(
    graph: &Graph<'_>,
    rules: &Rules,
    law: &Law,
    proof: &Endless,
    context: &Context<'_>,
) -> Checked<()> {
    let bounds = Both {
        low: &proof.low,
        high: &proof.high,
    };
    let rows = [
        (Player::Alice, &proof.high_ranks),
        (Player::Bob, &proof.low_ranks),
    ];
    if rows.iter().any(|(_, ranks)| ranks.len() != graph.len()) {
        return malformed("`proof` does not have two ranks for every position");
    }
    check(graph, rules, law, &bounds, context)?;
    for (player, ranks) in rows {
        let promise = Promise::new(graph, rules, law, bounds.of(player), player);
        let none = vec![0; promise.bad.len()];
        let rank_of = |position: usize| {
            if promise.level[position] {
                ranks.row(position)
            } else {
                &none
            }
        };
        let fits = |position: usize| {
            let (row, needed) = (
                ranks.row(position),
                if promise.level[position] {
                    none.len()
                } else {
                    0
                },
            );
            row.len() == needed && row.iter().all(|number| *number >= 0)
        };
        if !(0..graph.len()).all(fits) {
            return malformed(format!(
                "{}'s ranks do not go with the bounds",
                player.name()
            ));
        }
        for position in (0..graph.len()).filter(|position| promise.level[*position]) {
            look(context, "checking ranks", position, graph.len())?;
            if promise.rank(position, |to| Some(rank_of(to))).as_deref()
                != Some(ranks.row(position))
            {
                return unproved(format!(
                    "{}'s rank at position {position} does not follow",
                    player.name()
                ));
            }
        }
    }
    Ok(())
}

/// Checks bounds with potentials.
pub(super) fn paid(
    graph: &Graph<'_>,
    rules: &Rules,
    law: &Law,
    proof: &Means,
    context: &Context<'_>,
) -> Checked<()> {
    if Theory::new(rules, law.clone()).is_taxed() {
        return unproved("under this payment mean payoffs have no certificate");
    }
    let bounds = Both {
        low: &proof.low,
        high: &proof.high,
    };
    let potentials = [
        (Player::Alice, &proof.high_potentials),
        (Player::Bob, &proof.low_potentials),
    ];
    if potentials
        .iter()
        .any(|(_, potentials)| potentials.len() != graph.len())
    {
        return malformed("`proof` does not have two potentials for every position");
    }
    check(graph, rules, law, &bounds, context)?;
    for (player, potentials) in potentials {
        let promise = Promise::new(graph, rules, law, bounds.of(player), player);
        for position in (0..graph.len()).filter(|position| promise.level[*position]) {
            look(context, "checking potentials", position, graph.len())?;
            if !promise.is_paid(position, potentials) {
                return unproved(format!(
                    "{}'s potential at position {position} is not kept",
                    player.name()
                ));
            }
        }
    }
    Ok(())
}

impl<'c> Both<'c> {
    /// The bound that a player sees to.
    fn of(&self, player: Player) -> &'c [Fraction] {
        match player {
            Player::Alice => self.high,
            Player::Bob => self.low,
        }
    }
}

/// Checks that bounds follow from each other.
fn check(
    graph: &Graph<'_>,
    rules: &Rules,
    law: &Law,
    bounds: &Both<'_>,
    context: &Context<'_>,
) -> Checked<()> {
    if rules.draws == Draws::Half {
        return unproved("half a win has no meaning for an objective of infinite play");
    }
    if matches!(law, Law::Tossed(coin) if coin.is_zero() || coin.is_one()) {
        return unproved("without chance an objective of infinite play takes another proof");
    }
    if [bounds.low.len(), bounds.high.len()] != [graph.len(); 2] {
        return malformed("`proof` does not have two bounds for every position");
    }
    let [low, high] = [Side::Low, Side::High].map(|side| {
        (
            side,
            bounds::Check::of(graph, Theory::new(rules, law.clone()), side),
        )
    });
    for position in 0..graph.len() {
        look(context, "checking bounds", position, graph.len())?;
        let (least, most) = (&bounds.low[position].0, &bounds.high[position].0);
        if *least < BigRational::zero() || least > most || *most > BigRational::one() {
            return unproved(format!(
                "the bounds of position {position} do not lie between 0 and 1 in this order"
            ));
        }
        if !low.1.holds(low.0, bounds.low, position) || !high.1.holds(high.0, bounds.high, position)
        {
            return unproved(format!(
                "a bound of position {position} does not follow from those it leads to"
            ));
        }
        low.1
            .nobody_wants_to_lose(bounds.low, bounds.high, position)?;
    }
    Ok(())
}

/// The bound that one player sees to.
#[derive(Debug)]
pub struct Promise<'c> {
    graph: &'c Graph<'c>,
    theory: Theory,
    /// The bounds.
    pub values: &'c [Fraction],
    /// Who sees to them.
    pub player: Player,
    /// Whether a mean payoff of 0 is enough for the player.
    zero_suffices: bool,
    /// The priorities that are bad for the player, the greatest first.
    pub bad: Vec<u32>,
    /// Which positions are level.
    pub level: Vec<bool>,
}

impl<'c> Promise<'c> {
    /// Alice's promise of upper bounds, or Bob's of lower ones.
    pub fn new(
        graph: &'c Graph<'c>,
        rules: &Rules,
        law: &Law,
        values: &'c [Fraction],
        player: Player,
    ) -> Self {
        let zero_suffices = (rules.draws == Draws::Alice) == (player == Player::Alice);
        let theory = Theory::new(rules, law.clone());
        let (bad, level) = (Vec::new(), Vec::new());
        let mut promise = Self {
            graph,
            theory,
            values,
            player,
            zero_suffices,
            bad,
            level,
        };
        let open = (0..graph.len()).filter(|position| graph.ending(*position).is_none());
        let bad: BTreeSet<u32> = open
            .map(|position| promise.priority(position))
            .filter(|priority| priority % 2 == 1)
            .collect();
        promise.bad = bad.into_iter().rev().collect();
        promise.level = (0..graph.len())
            .map(|position| promise.is_level(position))
            .collect();
        promise
    }

    fn step(&self) -> values::Check<'_> {
        values::Check {
            graph: self.graph,
            theory: &self.theory,
            values: self.values,
            ranks: None,
        }
    }

    /// The priority of a position; those that are bad for the player are odd.
    fn priority(&self, position: usize) -> u32 {
        let priority = self
            .graph
            .priority(position)
            .map(|priority| match self.player {
                Player::Alice => priority,
                Player::Bob => priority + 1,
            });
        priority.unwrap_or(WORST)
    }

    fn is_level(&self, position: usize) -> bool {
        let own = &self.values[position].0;
        let says_nothing = match self.player {
            Player::Alice => own.is_one(),
            Player::Bob => own.is_zero(),
        };
        if self.graph.ending(position).is_some() || says_nothing {
            return false;
        }
        let step = self.step();
        let turn = step.turn(position);
        Player::BOTH
            .into_iter()
            .all(|winner| step.wins_turn(&turn, winner) == own)
    }

    /// Where the turn leads that the player wins, and where the other's does.
    fn turns<T: Ord>(
        &self,
        position: usize,
        of: impl Fn(Player, usize) -> Option<T>,
    ) -> Option<[T; 2]> {
        let step = self.step();
        let lead = |winner| step.leads(position, winner, self.player, &of);
        Some([lead(self.player)?, lead(self.player.other())?])
    }

    /// The rank that a level position must have; `None` if there is none.
    pub fn rank<'r>(
        &self,
        position: usize,
        rank_of: impl Fn(usize) -> Option<&'r [i32]>,
    ) -> Option<Vec<i32>> {
        let [own, other] = self.turns(position, |mover, index| {
            rank_of(self.graph.moves(position, mover)[index] as usize)
        })?;
        let lucky = if self.theory.coin().is_some() {
            own.min(other)
        } else {
            own
        };
        let greatest = own.max(other);
        let priority = self.priority(position);
        let levels = self.bad.iter().filter(|bad| **bad >= priority).count();
        let kept = priority
            .is_multiple_of(2)
            .then(|| self.down_to(greatest, levels));
        let lower = (0..levels).filter_map(|level| {
            if greatest[..level] == lucky[..level] {
                self.raised(self.down_to(lucky, level + 1), level)
            } else {
                Some(self.down_to(greatest, level))
            }
        });
        kept.into_iter().chain(lower).min()
    }

    /// The first numbers of a rank, then zeros.
    fn down_to(&self, rank: &[i32], count: usize) -> Vec<i32> {
        let mut rank = rank[..count].to_vec();
        rank.resize(self.bad.len(), 0);
        rank
    }

    /// The least rank that is greater down to a place, if its numbers go up to that of the
    /// positions.
    fn raised(&self, mut rank: Vec<i32>, place: usize) -> Option<Vec<i32>> {
        for place in (0..=place).rev() {
            if (rank[place] as usize) < self.graph.len() {
                rank[place] += 1;
                return Some(rank);
            }
            rank[place] = 0;
        }
        None
    }

    /// Whether a level position keeps its potential.
    pub fn is_paid(&self, position: usize, potentials: &[Fraction]) -> bool {
        // The player's choice is the least.
        let seen = |height: BigRational| match self.player {
            Player::Alice => -height,
            Player::Bob => height,
        };
        let turns = self.turns(position, |mover, index| {
            let to = self.graph.moves(position, mover)[index] as usize;
            Some(seen(
                &potentials[to].0 + self.graph.weight(position, mover, index),
            ))
        });
        let Some([own, other]) = turns else {
            return false;
        };
        let mean = match self.theory.coin() {
            // A player who would rather lose the bid may win it, and may not.
            None if own > other => own,
            None => (own + other) / BigRational::from_integer(2.into()),
            Some(coin) => {
                let rest = BigRational::one() - coin;
                match self.player {
                    Player::Alice => own * coin + other * rest,
                    Player::Bob => own * rest + other * coin,
                }
            }
        };
        let before = seen(potentials[position].0.clone());
        mean < before || self.zero_suffices && mean == before
    }
}
