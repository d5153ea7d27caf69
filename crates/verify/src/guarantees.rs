//! All-pay bidding: strategies that guarantee bounds of Alice's winning probability, or the value,
//! where both bounds are the same.
//!
//! # What is checked
//! Each turn, a position with purses, has for each player a bound of Alice's winning probability, a
//! mixed bid and a rank. What a pair of bids leads to is worked out literally; after the bids each
//! choice of the player's is the one with the best bound, and of those with the least rank, each
//! choice of the other's the worst. Whatever the other bids,
//!
//! - the mean of the bounds that follow the player's mixed bid is no worse than the bound of the
//!   turn;
//! - if the bound is better for the player than endless play: one of the player's bids, of positive
//!   probability, leads to another bound or to a lesser rank. The rank is the least for which that
//!   is so; where the bound is no better, it is −1, and 0 at endings.
//!
//! Every turn that bids can lead to is there, and no other.
//!
//! # Why that is enough
//! Let the player play so for ever, and let the other do anything. The bounds along the play never
//! get worse in the mean: they are a submartingale for Alice, a supermartingale for Bob. There are
//! finitely many, so almost surely they are the same from some turn on, c. Suppose that c is better
//! for the player than endless play, and that play does not end. Call p the least positive
//! probability of a bid, halved for the coin, and n the greatest rank. At a turn with the bound c
//! the other's bid leaves two cases. Either some bid of the player's leads to a choice of the
//! other's among bounds one of which is not c; as the mean of the worst is no worse than c, some
//! bid leads only to bounds that are better than c. Or all of them lead to c at worst, and for one
//! of them the rank falls, unless the other takes a better bound. So with probability p the bound
//! changes or the rank falls, and within n turns the bound changes with probability pⁿ, however
//! play went before. It would change again and again, almost surely (Lévy's extension of the
//! Borel–Cantelli lemmas). So almost surely play ends, at a bound that is what the ending is worth,
//! or goes on for ever where endless play is worth as much as the bound; and by bounded convergence
//! the player gets the bound of the first turn in the mean.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::bidding::{Holdings, Won, after, movers, onward, won};
use super::listing::look;
use super::{Checked, Graph, malformed, unproved};
use crate::format::{Fraction, Guarantee, Guaranteed, Purses};
use crate::player::{Ending, PerPlayer, Player};
use crate::rules::{BidKind, Draws, Rules};
use crate::watch::Context;

/// The rank of a turn from which nothing says yet that play gets on; only while ranks are being
/// found.
pub const OPEN: i32 = i32::MAX;

/// A position with purses.
pub type Place = (usize, Holdings);

/// Checks guarantees; gives the first turn of play, at position 0 with the purses asked about.
pub(super) fn check<'c>(
    graph: &Graph<'_>,
    rules: &Rules,
    purses: &Purses,
    listed: &'c [Guaranteed],
    context: &Context<'_>,
) -> Checked<&'c Guaranteed> {
    if !rules.pay.is_all_pay() || rules.bids != BidKind::Discrete {
        return unproved("mixed bids are about whole chips that both players pay");
    }
    let start = (0, holdings(purses));
    let check = Check::new(graph, rules, listed)?;
    check.reached_from(start, context)?;
    for (number, turn) in listed.iter().enumerate() {
        look(context, "checking guarantees", number, listed.len())?;
        for player in Player::BOTH {
            let rank = side(turn, player).rank;
            let (name, position) = (player.name(), turn.position);
            match check.rank_at(number, player, context)? {
                OPEN => {
                    return unproved(format!(
                        "nothing says that play from position {position} ends for {name}"
                    ));
                }
                found if found != rank => {
                    return unproved(format!(
                        "{name}'s rank at position {position} is not {rank}, but {found}"
                    ));
                }
                _ => {}
            }
        }
    }
    match check.numbers.get(&start) {
        Some(first) => Ok(&listed[*first]),
        None => malformed("the game is over, and has no turns"),
    }
}

/// One player's side of a turn.
fn side(turn: &Guaranteed, player: Player) -> &Guarantee {
    match player {
        Player::Alice => &turn.alice,
        Player::Bob => &turn.bob,
    }
}

/// What a player is sure of, with how far it is to another bound.
#[derive(Debug, Clone, Copy)]
struct Prospect<'p> {
    bound: &'p BigRational,
    rank: i32,
}

impl Prospect<'_> {
    /// The better one for a player is greater.
    fn compare(&self, other: &Self, player: Player) -> Ordering {
        as_seen_by(player, self.bound.cmp(other.bound)).then(other.rank.cmp(&self.rank))
    }
}

/// How two of Alice's probabilities compare for a player.
fn as_seen_by(player: Player, order: Ordering) -> Ordering {
    match player {
        Player::Alice => order,
        Player::Bob => order.reverse(),
    }
}

/// One step from the bounds and the ranks of the turns that follow.
#[derive(Debug)]
pub struct Check<'c> {
    graph: &'c Graph<'c>,
    rules: &'c Rules,
    listed: &'c [Guaranteed],
    numbers: BTreeMap<Place, usize>,
    /// What each position is worth at which the game is over.
    endings: BTreeMap<usize, BigRational>,
    /// The ranks of the turns.
    pub ranks: PerPlayer<Vec<i32>>,
}

impl<'c> Check<'c> {
    /// Passes turns that are in order and can be.
    ///
    /// # Errors
    /// The first turn that is not.
    pub fn new(graph: &'c Graph<'c>, rules: &'c Rules, listed: &'c [Guaranteed]) -> Checked<Self> {
        let mut endings = BTreeMap::new();
        for position in 0..graph.len() {
            if let Some(ending) = graph.ending(position) {
                endings.insert(position, worth(rules, ending)?);
            }
        }
        let ranks = PerPlayer::new(Player::Alice, Player::Bob)
            .map(|player| listed.iter().map(|turn| side(turn, player).rank).collect());
        let mut check = Self {
            graph,
            rules,
            listed,
            numbers: BTreeMap::new(),
            endings,
            ranks,
        };
        for turn in listed {
            check.add(turn)?;
        }
        Ok(check)
    }

    fn add(&mut self, turn: &Guaranteed) -> Checked<()> {
        let (place, purses) = (turn.position, &turn.purses);
        let position = usize::try_from(place)
            .ok()
            .filter(|position| *position < self.graph.len());
        let position = position.filter(|position| self.graph.ending(*position).is_none());
        let Some(position) = position.filter(|_| is_sound(purses, self.rules)) else {
            return malformed(format!(
                "there is no turn at position {place} with these purses"
            ));
        };
        if !is_mixed(&turn.alice.bids, purses.alice) || !is_mixed(&turn.bob.bids, purses.bob) {
            return unproved(format!(
                "the bids of a turn at position {place} are not mixed from those that can be paid"
            ));
        }
        let possible = |bound: &Fraction| !bound.0.is_negative() && bound.0 <= BigRational::one();
        if !possible(&turn.alice.bound) || !possible(&turn.bob.bound) {
            return malformed(format!("a bound at position {place} is no probability"));
        }
        let place = (position, holdings(purses));
        if self
            .numbers
            .last_key_value()
            .is_some_and(|(last, _)| *last >= place)
        {
            return malformed(
                "the turns are not in order of positions, Alice's chips, Bob's chips and holders",
            );
        }
        self.numbers.insert(place, self.numbers.len());
        Ok(())
    }

    /// Passes turns that are exactly those to which play can come.
    fn reached_from(&self, start: Place, context: &Context<'_>) -> Checked<()> {
        let (mut reached, mut open) = (BTreeSet::from([start]), vec![start]);
        let mut turns = 0;
        while let Some(place) = open.pop() {
            context.check()?;
            if self.graph.ending(place.0).is_some() {
                continue;
            }
            if !self.numbers.contains_key(&place) {
                return unproved(format!(
                    "play comes to position {}, but no turn is listed there with these purses",
                    place.0
                ));
            }
            turns += 1;
            let next = onward(self.graph, self.rules, place.0, &place.1, context)?;
            open.extend(next.into_iter().filter(|to| reached.insert(*to)));
        }
        if turns == self.listed.len() {
            Ok(())
        } else {
            unproved("a turn is listed, but no play comes there")
        }
    }

    /// What endless play is worth to Alice, as a player's bound has to count it.
    fn endless(&self, player: Player) -> BigRational {
        match (self.rules.draws, player) {
            (Draws::Alice, _) | (Draws::Neither, Player::Bob) => BigRational::one(),
            (Draws::Bob, _) | (Draws::Neither, Player::Alice) => BigRational::zero(),
            (Draws::Half, _) => BigRational::new(1.into(), 2.into()),
        }
    }

    /// The rank that a turn must have, [`OPEN`] if nothing says that play gets on; where endless
    /// play is as good, −1.
    ///
    /// # Errors
    /// If the bound is not guaranteed.
    pub fn rank_at(&self, number: usize, player: Player, context: &Context<'_>) -> Checked<i32> {
        let turn = &self.listed[number];
        let own = side(turn, player);
        let bound = &own.bound.0;
        let others = match player {
            Player::Alice => turn.purses.bob,
            Player::Bob => turn.purses.alice,
        };
        let (mut rank, place) = (0, (turn.position as usize, holdings(&turn.purses)));
        for other in 0..=others {
            context.check()?;
            let (mut mean, mut steps) = (BigRational::zero(), OPEN);
            for (bid, Fraction(probability)) in
                (0..).zip(&own.bids).filter(|(_, bid)| !bid.0.is_zero())
            {
                let bids = match player {
                    Player::Alice => [bid, other],
                    Player::Bob => [other, bid],
                };
                let outcomes = self.outcomes(&place, bids, player)?;
                let share = probability / BigRational::from_integer(outcomes.len().into());
                for prospect in outcomes {
                    mean += &share * prospect.bound;
                    steps = steps.min(if prospect.bound == bound {
                        prospect.rank
                    } else {
                        0
                    });
                }
            }
            if as_seen_by(player, mean.cmp(bound)).is_lt() {
                let (name, position) = (player.name(), turn.position);
                return unproved(format!(
                    "at position {position} {name}'s bids do not guarantee the bound against {other}"
                ));
            }
            rank = rank.max(steps);
        }
        if as_seen_by(player, bound.cmp(&self.endless(player))).is_gt() {
            Ok(rank.checked_add(1).unwrap_or(OPEN))
        } else {
            Ok(-1)
        }
    }

    /// What a pair of bids, Alice's and Bob's, leads to for a player; two prospects if a coin
    /// decides.
    fn outcomes(
        &self,
        place: &Place,
        [x, y]: [i32; 2],
        player: Player,
    ) -> Checked<Vec<Prospect<'_>>> {
        let (position, held) = place;
        let wins = |winner: Player| -> Checked<Prospect<'_>> {
            let left = after(self.rules, held, [x, y], winner);
            let mut sides = Vec::new();
            for mover in movers(self.graph, self.rules.winner, *position, winner) {
                let heads = self.graph.moves(*position, mover).iter();
                let prospects = heads.map(|to| self.prospect((*to as usize, left), player));
                sides.push(picked(
                    prospects.collect::<Checked<Vec<_>>>()?,
                    mover,
                    player,
                ));
            }
            Ok(picked(sides, winner, player))
        };
        Ok(match won(self.rules, held, x, y) {
            Won::By(winner) => vec![wins(winner)?],
            Won::ChosenBy(chooser) => {
                vec![picked(
                    vec![wins(Player::Alice)?, wins(Player::Bob)?],
                    chooser,
                    player,
                )]
            }
            Won::Coin => vec![wins(Player::Alice)?, wins(Player::Bob)?],
        })
    }

    fn prospect(&self, place: Place, player: Player) -> Checked<Prospect<'_>> {
        if let Some(bound) = self.endings.get(&place.0) {
            return Ok(Prospect { bound, rank: 0 });
        }
        match self.numbers.get(&place) {
            Some(&number) => Ok(Prospect {
                bound: &side(&self.listed[number], player).bound.0,
                rank: self.ranks[player][number],
            }),
            None => unproved(format!(
                "play comes to position {}, but no turn is listed there with these purses",
                place.0
            )),
        }
    }
}

/// What a chooser picks: the player the best prospect, the other the worst.
fn picked(prospects: Vec<Prospect<'_>>, chooser: Player, player: Player) -> Prospect<'_> {
    let order = |a: &Prospect<'_>, b: &Prospect<'_>| a.compare(b, player);
    let picked = if chooser == player {
        prospects.into_iter().max_by(order)
    } else {
        prospects.into_iter().min_by(order)
    };
    picked.expect("a position that is not over has a move")
}

/// What both hold.
fn holdings(purses: &Purses) -> Holdings {
    Holdings {
        alice: purses.alice,
        bob: purses.bob,
        holder: purses.holder.map(Player::from),
    }
}

/// Alice's winning probability at an ending.
fn worth(rules: &Rules, ending: Ending) -> Checked<BigRational> {
    Ok(match (ending, rules.draws) {
        (Ending::Win(Player::Alice), _) | (Ending::Draw, Draws::Alice) => BigRational::one(),
        (Ending::Win(Player::Bob), _) | (Ending::Draw, Draws::Bob) => BigRational::zero(),
        (Ending::Draw, Draws::Half) => BigRational::new(1.into(), 2.into()),
        (Ending::Draw, Draws::Neither) => {
            return unproved("the rules do not say what a draw is worth");
        }
    })
}

/// Whether there can be such purses under the rules; all chips together are one number.
fn is_sound(purses: &Purses, rules: &Rules) -> bool {
    let counts =
        purses.alice >= 0 && purses.bob >= 0 && purses.alice.checked_add(purses.bob).is_some();
    counts && purses.holder.is_some() == rules.ties.has_status()
}

/// Whether these are the probabilities of bids from 0 to some that can be paid.
fn is_mixed(bids: &[Fraction], chips: i32) -> bool {
    let sum: BigRational = bids.iter().map(|bid| &bid.0).sum();
    let fit = bids.len() as i64 <= i64::from(chips) + 1
        && bids.last().is_some_and(|last| !last.0.is_zero());
    fit && sum.is_one() && !bids.iter().any(|bid| bid.0.is_negative())
}
