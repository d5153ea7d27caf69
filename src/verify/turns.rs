//! All-pay bidding: the turns that play can come to, with both players' mixed bids.
//!
//! # What is checked
//! The listing is in order, so play ends. Each turn, a position with purses, has a value and a probability for each bid of each
//! player. What a pair of bids leads to is worked out literally: who wins, what both hold afterwards, whom the winner makes
//! move, and the move, each choice the best for who makes it; its worth is that of the ending or the value of the turn that follows. Against
//! every bid of Bob's, Alice's mixed bid must be worth at least the value in the mean; against every bid of Alice's, Bob's must be worth at most
//! that. Every turn that bids can lead to is there, and no other.
//!
//! # Why that is enough
//! By induction from the last position: if what follows is worth to Alice what is written there, her mixed bid makes this turn worth at
//! least the value, and Bob's at most (von Neumann's theorem, its easy half).

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::bidding::{Holdings, Won, after, movers, won};
use super::listing::look;
use super::{Checked, Graph, malformed, unproved};
use crate::player::{Ending, Player};
use crate::rules::{BidKind, Draws, Rules};
use crate::verify::format::{Fraction, Purses, Turn};
use crate::watch::{Stop, Watch};

/// How many bids are tried between two looks at the watch.
const CHECK_EVERY: i32 = 1024;

/// A position with purses.
type Place = (usize, Holdings);

/// Checks turns; gives the value of the first one, which must be at position 0 with the purses asked about.
pub(super) fn check(
    graph: &Graph<'_>,
    rules: &Rules,
    purses: &Purses,
    turns: &[Turn],
    watch: &dyn Watch,
) -> Checked<BigRational> {
    if !rules.pay.is_all_pay() || rules.bids != BidKind::Discrete {
        return unproved("mixed bids are about whole chips that both players pay");
    }
    if !graph.ordered {
        return unproved("under all-pay bidding a game whose positions come back has no certificate");
    }
    let start = (0, holdings(purses));
    if let Some(ending) = graph.ending(0) {
        return if turns.is_empty() { worth(rules, ending) } else { malformed("the game is over, and has no turns") };
    }
    let mut check = Check { graph, rules, turns: BTreeMap::new() };
    for turn in turns {
        check.add(turn)?;
    }
    let mut reached: BTreeMap<Place, ()> = BTreeMap::from([(start, ())]);
    let known: Vec<Place> = check.turns.keys().copied().collect();
    for (done, place) in known.iter().enumerate() {
        look(watch, "checking turns", done, known.len())?;
        if !reached.contains_key(place) {
            return unproved(format!("a turn at position {} is listed, but no play comes there", place.0));
        }
        check.turn(*place, &mut reached, watch)?;
    }
    match reached.keys().find(|place| !check.turns.contains_key(place)) {
        Some(place) => {
            unproved(format!("play comes to position {}, but no turn is listed there with these purses", place.0))
        }
        None => Ok(check.turns[&start].value.0.clone()),
    }
}

/// What both hold.
pub(super) fn holdings(purses: &Purses) -> Holdings {
    Holdings { alice: purses.alice, bob: purses.bob, holder: purses.holder.map(Player::from) }
}

/// Alice's winning probability at an ending.
pub(super) fn worth(rules: &Rules, ending: Ending) -> Checked<BigRational> {
    Ok(match (ending, rules.draws) {
        (Ending::Win(Player::Alice), _) | (Ending::Draw, Draws::Alice) => BigRational::one(),
        (Ending::Win(Player::Bob), _) | (Ending::Draw, Draws::Bob) => BigRational::zero(),
        (Ending::Draw, Draws::Half) => BigRational::new(1.into(), 2.into()),
        (Ending::Draw, Draws::Neither) => return unproved("the rules do not say what a draw is worth"),
    })
}

/// Whether there can be such purses under the rules; all chips together are one number.
pub(super) fn is_sound(purses: &Purses, rules: &Rules) -> bool {
    let counts = purses.alice >= 0 && purses.bob >= 0 && purses.alice.checked_add(purses.bob).is_some();
    counts && purses.holder.is_some() == rules.ties.has_status()
}

/// Whether these are the probabilities of bids from 0 to some that can be paid.
pub(super) fn is_mixed(bids: &[Fraction], chips: i32) -> bool {
    let sum: BigRational = bids.iter().map(|bid| &bid.0).sum();
    let fit = bids.len() as i64 <= i64::from(chips) + 1 && bids.last().is_some_and(|last| !last.0.is_zero());
    fit && sum.is_one() && !bids.iter().any(|bid| bid.0.is_negative())
}

struct Check<'c> {
    graph: &'c Graph<'c>,
    rules: &'c Rules,
    turns: BTreeMap<Place, &'c Turn>,
}

impl<'c> Check<'c> {
    fn add(&mut self, turn: &'c Turn) -> Checked<()> {
        let (place, purses) = (turn.position, &turn.purses);
        let position = usize::try_from(place).ok().filter(|position| *position < self.graph.len());
        let position = position.filter(|position| self.graph.ending(*position).is_none());
        let Some(position) = position.filter(|_| is_sound(purses, self.rules)) else {
            return malformed(format!("there is no turn at position {place} with these purses"));
        };
        if !is_mixed(&turn.alice, purses.alice) || !is_mixed(&turn.bob, purses.bob) {
            return unproved(format!(
                "the bids of a turn at position {place} are not mixed from those that can be paid"
            ));
        }
        let place = (position, holdings(purses));
        if self.turns.last_key_value().is_some_and(|(last, _)| *last >= place) {
            return malformed("the turns are not in order of positions, Alice's chips, Bob's chips and holders");
        }
        self.turns.insert(place, turn);
        Ok(())
    }

    /// Checks a turn, and notes what it can lead to.
    fn turn(&self, place: Place, reached: &mut BTreeMap<Place, ()>, watch: &dyn Watch) -> Checked<()> {
        let (position, holdings) = place;
        let turn = self.turns[&place];
        let limit = watch.limits().max_memory;
        if (holdings.bob as u64 + 1) * size_of::<BigRational>() as u64 > limit {
            return Err(Stop::Memory(limit).into());
        }
        let mut against_bob = vec![BigRational::zero(); holdings.bob as usize + 1];
        for x in 0..=holdings.alice {
            let mut against_alice = BigRational::zero();
            for y in 0..=holdings.bob {
                if (x + y) % CHECK_EVERY == 0 {
                    watch.check()?;
                }
                let worth = self.bid(position, &holdings, [x, y], reached)?;
                if let Some(Fraction(probability)) = turn.alice.get(x as usize) {
                    against_bob[y as usize] += probability * &worth;
                }
                if let Some(Fraction(probability)) = turn.bob.get(y as usize) {
                    against_alice += probability * &worth;
                }
            }
            if against_alice > turn.value.0 {
                return unproved(format!("at position {position} Alice's bid of {x} is worth more than the value"));
            }
        }
        match against_bob.iter().position(|worth| *worth < turn.value.0) {
            Some(y) => unproved(format!("at position {position} Bob's bid of {y} is worth more to him than the value")),
            None => Ok(()),
        }
    }

    /// What a pair of bids, Alice's and Bob's, leads to.
    fn bid(
        &self,
        position: usize,
        holdings: &Holdings,
        [x, y]: [i32; 2],
        reached: &mut BTreeMap<Place, ()>,
    ) -> Checked<BigRational> {
        let mut wins = |winner: Player| -> Checked<BigRational> {
            let after = after(self.rules, holdings, [x, y], winner);
            let mut sides = Vec::new();
            for mover in movers(self.graph, self.rules, position, winner) {
                let mut moves = Vec::new();
                for to in self.graph.moves(position, mover) {
                    moves.push(self.value((*to as usize, after), reached)?);
                }
                sides.extend(best(mover, moves));
            }
            Ok(best(winner, sides).expect("a position that is not over has a move"))
        };
        Ok(match won(self.rules, holdings, x, y) {
            Won::By(winner) => wins(winner)?,
            Won::ChosenBy(player) => {
                let both = vec![wins(Player::Alice)?, wins(Player::Bob)?];
                best(player, both).expect("there are two")
            }
            Won::Coin => (wins(Player::Alice)? + wins(Player::Bob)?) / BigRational::from_integer(2.into()),
        })
    }

    fn value(&self, place: Place, reached: &mut BTreeMap<Place, ()>) -> Checked<BigRational> {
        if let Some(ending) = self.graph.ending(place.0) {
            return worth(self.rules, ending);
        }
        reached.insert(place, ());
        match self.turns.get(&place) {
            Some(turn) => Ok(turn.value.0.clone()),
            None => {
                unproved(format!("play comes to position {}, but no turn is listed there with these purses", place.0))
            }
        }
    }
}

/// The best of some values for a player.
fn best(player: Player, values: Vec<BigRational>) -> Option<BigRational> {
    match player {
        Player::Alice => values.into_iter().max(),
        Player::Bob => values.into_iter().min(),
    }
}
