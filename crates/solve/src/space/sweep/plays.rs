//! Spot checks of a sweep, along plays of the game: random ones, while the values are available,
//! and optimal ones in the end.
//!
//! A sweep releases values on which nothing depends any more, so the positions to be checked are
//! chosen beforehand, by random play; each is checked when its block has been computed. In half of
//! the plays the players take a win if there is one. Optimal plays need the values: they are
//! followed as far as these are kept.

use std::collections::BTreeMap;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use xxhash_rust::xxh3::xxh3_64;

use super::SweepValues;
use super::block::ValueBlock;
use super::kernel::RowKernel;
use super::shape::{SweepShape, ValuePlace};
use super::value::Value;
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::game::ruleset::{Indexed, MoveWalker, Numbering, Ruleset, State};
use crate::player::{Ending, Player};
use crate::positions::Numbered;
use crate::proof::spot::{PlayerMoves, Spot};
use crate::watch::Context;

/// The number of positions for each play, and the greatest number of plays: far less than a
/// twentieth of the sweep's time.
const POSITIONS_A_PLAY: u64 = 1 << 20;
const MOST_PLAYS: u64 = 64;

/// The number of positions of the game for each position of a play, and the least bound on the
/// length of a play. The bound is needed because the plays of a very long path would go through all
/// positions.
const POSITIONS_A_SPOT: u64 = 1 << 9;
const FEWEST_SPOTS: u64 = 1 << 12;

/// The number of positions that are checked between two checks for a stop.
const ASK_EVERY: u64 = 1 << 10;

/// The number of optimal plays that are followed.
const OPTIMAL_PLAYS: u64 = 2;

/// The number of sides: the seeker's and the opponent's.
const SIDES: usize = 2;

/// Positions to be checked, by block and place.
pub struct Spots<'a> {
    ruleset: &'a Ruleset,
    indexed: &'a Indexed,
    shape: &'a SweepShape,
    context: &'a Context<'a>,
    spots: BTreeMap<ValuePlace, Spot>,
}

impl<'a> Spots<'a> {
    /// Chooses the positions of random plays.
    ///
    /// # Errors
    /// If a position cannot be evaluated, or the work is stopped.
    pub fn along_random_plays(
        positions: Numbered<'a>,
        shape: &'a SweepShape,
        seeker: Player,
        context: &'a Context<'a>,
    ) -> Result<Self> {
        let Numbered {
            ruleset,
            indexed,
            states,
            ..
        } = positions;
        let numbering = &indexed.numbering;
        let mut spots = Self {
            ruleset,
            indexed,
            shape,
            context,
            spots: BTreeMap::new(),
        };
        // The seed depends on the game only, so a sweep that continues checks the same positions.
        let mut dice = Xoshiro256PlusPlus::seed_from_u64(xxh3_64(numbering.identity.as_bytes()));
        for play in 0..(numbering.positions() / POSITIONS_A_PLAY).clamp(1, MOST_PLAYS) {
            let start = &states[fit::<usize>(play) % states.len()];
            let mut player = RandomPlayer {
                // Plays without such wins last longer, and get to positions that the others do not
                // reach.
                takes_wins: play % 2 == 0,
                dice: &mut dice,
            };
            spots.play(start, seeker, &mut player)?;
        }
        Ok(spots)
    }

    fn play(&mut self, start: &State, seeker: Player, player: &mut RandomPlayer<'_>) -> Result<()> {
        let mut moves = self.moves_from(start);
        let mut at = self.ruleset.canonical(start.clone());
        for step in 1..=longest_play(&self.indexed.numbering) {
            if step % ASK_EVERY == 0 {
                self.context.check()?;
            }
            let spot = Spot::at(&mut moves, at.words(), seeker)?;
            let next = player.choose(&mut moves, &spot, seeker)?;
            // A position that is not numbered has ended, and has no value to be checked.
            if let Some(place) = self.place(&at) {
                self.spots.insert(place, spot);
            }
            match next {
                Some(next) => at = next,
                None => break,
            }
        }
        Ok(())
    }

    fn moves_from(&self, start: &State) -> MoveWalker<'a> {
        MoveWalker::new(self.ruleset, self.ruleset.is_symmetric_from(start))
    }

    fn place(&self, state: &State) -> Option<ValuePlace> {
        Some(self.shape.place(&self.indexed.numbering.digits_of(state)?))
    }

    /// Checks the positions of a block that has been computed; `found` returns the values of a
    /// block.
    ///
    /// # Errors
    /// If a value does not follow from the lines of the game, or the watch stops the work.
    pub fn check<'v>(
        &self,
        block: usize,
        kernel: &dyn RowKernel,
        found: &dyn Fn(usize) -> &'v ValueBlock,
    ) -> Result<()> {
        let value_of = |state: &State| {
            let digits = self.indexed.numbering.digits_of(state)?;
            Value::at(self.indexed, self.shape, &digits, found)
        };
        let first = |block: usize| ValuePlace {
            block,
            row: 0,
            content: 0,
        };
        for (step, (_, spot)) in (1..).zip(self.spots.range(first(block)..first(block + 1))) {
            if step % ASK_EVERY == 0 {
                self.context.check()?;
            }
            kernel.check(self.ruleset, spot, &value_of)?;
        }
        Ok(())
    }
}

/// Returns the greatest number of positions of a play that are checked.
fn longest_play(numbering: &Numbering) -> u64 {
    (numbering.positions() / POSITIONS_A_SPOT).max(FEWEST_SPOTS)
}

/// A player who chooses moves at random.
struct RandomPlayer<'d> {
    takes_wins: bool,
    dice: &'d mut Xoshiro256PlusPlus,
}

impl RandomPlayer<'_> {
    /// Chooses the player to move and the position to move to; `None` if the play ends.
    fn choose(
        &mut self,
        moves: &mut MoveWalker<'_>,
        spot: &Spot,
        seeker: Player,
    ) -> Result<Option<State>> {
        let Some((side, mover)) = self.turn(spot, seeker) else {
            return Ok(None);
        };
        if self.takes_wins {
            for head in &side.heads {
                if moves.go_to(head.words())? == Some(Ending::Win(mover)) {
                    return Ok(Some(head.clone()));
                }
            }
        }
        Ok(Some(
            side.heads[self.number_below(side.heads.len())].clone(),
        ))
    }

    /// Returns the player to move, chosen by a coin if both can move.
    fn turn<'s>(&mut self, spot: &'s Spot, seeker: Player) -> Option<(&'s PlayerMoves, Player)> {
        let first = self.number_below(SIDES);
        let players = [seeker, seeker.other()];
        [first, 1 - first]
            .into_iter()
            .map(|n| (&spot.sides[n], players[n]))
            .find(|(side, _)| !side.heads.is_empty())
    }

    fn number_below(&mut self, bound: usize) -> usize {
        // The remainder prefers small numbers by a negligible amount.
        fit::<usize>(self.dice.next_u64() % bound as u64)
    }
}

/// Follows optimal plays from the positions asked about as far as values are kept, and checks the
/// positions on them.
///
/// # Errors
/// If a position cannot be evaluated, a value does not follow from the lines of the game, or the
/// work is stopped.
pub fn check_optimal(
    positions: Numbered<'_>,
    values: &SweepValues,
    kernel: &dyn RowKernel,
    context: &Context<'_>,
) -> Result<()> {
    let Numbered {
        ruleset,
        indexed,
        states,
        ..
    } = positions;
    let (numbering, seeker) = (&indexed.numbering, kernel.seeker());
    let value_of = |state: &State| values.value(indexed, state);
    let mut dice =
        Xoshiro256PlusPlus::seed_from_u64(xxh3_64(numbering.identity.as_bytes()).wrapping_add(1));
    for play in 0..OPTIMAL_PLAYS {
        let start = &states[fit::<usize>(play) % states.len()];
        let mut moves = MoveWalker::new(ruleset, ruleset.is_symmetric_from(start));
        let mut at = ruleset.canonical(start.clone());
        for step in 1..=longest_play(numbering) {
            if step % ASK_EVERY == 0 {
                context.check()?;
            }
            // From here on values were released during the sweep.
            if value_of(&at).is_none() {
                break;
            }
            let spot = Spot::at(&mut moves, at.words(), seeker)?;
            kernel.check(ruleset, &spot, &value_of)?;
            let mut player = RandomPlayer {
                takes_wins: true,
                dice: &mut dice,
            };
            let Some((side, mover)) = player.turn(&spot, seeker) else {
                break;
            };
            let known = side
                .heads
                .iter()
                .filter_map(|head| Some((head, value_of(head)?)));
            let best = known.min_by(|(_, a), (_, b)| {
                let order = kernel.compare(*a, *b);
                if mover == seeker {
                    order
                } else {
                    order.reverse()
                }
            });
            let Some((head, _)) = best else { break };
            at = head.clone();
        }
    }
    Ok(())
}
