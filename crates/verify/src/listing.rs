//! The listed positions: whether they make a game, and whether it is the game of the source.
//!
//! The walk begins with the game asked about and position 0. Where a position of the source and a
//! listed one meet, the game has ended in both alike, or each player has as many moves in both,
//! which meet pairwise in the order of the source. No position meets two, and every listed one is
//! met. So the listing is the game itself.

use std::collections::HashMap;

use num_rational::BigRational;

use super::language::{GameId, Interpreter, Question, Trouble};
use super::{Checked, Failure, malformed, unproved};
use crate::format::{Fraction, Listing, Rows};
use crate::player::{Ending, Player};
use crate::rules::Objective;
use crate::watch::{Context, Stop};

/// How many positions are looked at between two checks.
pub(super) const CHECK_EVERY: usize = 256;

/// A listing that makes sense.
#[derive(Debug)]
pub struct Graph<'a> {
    listing: &'a Listing,
    over: Vec<Option<Ending>>,
    /// Whether every move leads to a greater number, so that play ends.
    pub ordered: bool,
}

impl<'a> Graph<'a> {
    /// Passes a listing in which every move leads to a listed position, and every position is over
    /// or has a move.
    ///
    /// # Errors
    /// [`Failure::Malformed`] with the position otherwise.
    pub fn of(listing: &'a Listing, context: &Context<'_>) -> Checked<Self> {
        let len = listing.alice.len();
        if len == 0 || listing.bob.len() != len {
            return malformed(format!(
                "`game` lists Alice's moves from {len} positions, Bob's from {}",
                listing.bob.len()
            ));
        }
        let limits = context.limits;
        if len as u64 > limits.max_positions {
            return Err(Stop::Positions(limits.max_positions).into());
        }
        let mut graph = Self {
            listing,
            over: vec![None; len],
            ordered: true,
        };
        let over = &listing.over;
        for (ending, positions) in [
            (Ending::Win(Player::Alice), &over.alice),
            (Ending::Win(Player::Bob), &over.bob),
            (Ending::Draw, &over.draw),
        ] {
            for &position in positions {
                match usize::try_from(position)
                    .ok()
                    .filter(|position| *position < len)
                {
                    Some(position) if graph.over[position].is_none() => {
                        graph.over[position] = Some(ending)
                    }
                    _ => {
                        return malformed(format!(
                            "`game.over` names position {position}, which is not there, or twice"
                        ));
                    }
                }
            }
            if !positions.is_sorted() {
                return malformed("`game.over` does not name the positions in order");
            }
        }
        if listing
            .priorities
            .as_ref()
            .is_some_and(|priorities| priorities.len() != len)
        {
            return malformed("`game.priorities` does not have one for every position");
        }
        let as_long = |weights: &[Vec<Fraction>], moves: &Rows| {
            weights.len() == len
                && (0..len).all(|position| weights[position].len() == moves.row(position).len())
        };
        if listing.weights.as_ref().is_some_and(|weights| {
            !as_long(&weights.alice, &listing.alice) || !as_long(&weights.bob, &listing.bob)
        }) {
            return malformed("`game.weights` does not have one for every move");
        }
        for position in 0..len {
            graph.passes(position)?;
        }
        Ok(graph)
    }

    fn passes(&mut self, position: usize) -> Checked<()> {
        let moves = Player::BOTH.map(|player| self.moves(position, player));
        if self.over[position].is_some() != moves.iter().all(|moves| moves.is_empty()) {
            return malformed(format!(
                "position {position} is over and has moves, or neither"
            ));
        }
        let (mut ordered, len) = (self.ordered, self.over.len());
        for &head in moves.into_iter().flatten() {
            let head = usize::try_from(head).ok().filter(|head| *head < len);
            let Some(head) = head else {
                return malformed(format!("position {position} has a move out of the listing"));
            };
            ordered &= head > position;
        }
        self.ordered = ordered;
        Ok(())
    }

    /// The number of positions.
    #[allow(clippy::len_without_is_empty, reason = "a listing is never empty")]
    pub fn len(&self) -> usize {
        self.over.len()
    }

    /// How the game has ended at a position.
    pub fn ending(&self, position: usize) -> Option<Ending> {
        self.over[position]
    }

    /// The priority of a position, if it has one.
    pub fn priority(&self, position: usize) -> Option<u32> {
        self.listing
            .priorities
            .as_ref()
            .and_then(|priorities| u32::try_from(priorities[position]).ok())
    }

    /// What a player's move adds to the mean payoff, by its number.
    pub fn weight(&self, position: usize, player: Player, index: usize) -> BigRational {
        let weights = self.listing.weights.as_ref().map(|weights| match player {
            Player::Alice => &weights.alice,
            Player::Bob => &weights.bob,
        });
        weights.map_or_else(BigRational::default, |weights| {
            weights[position][index].0.clone()
        })
    }

    /// Where a player can move.
    pub fn moves(&self, position: usize, player: Player) -> &'a [i32] {
        match player {
            Player::Alice => self.listing.alice.row(position),
            Player::Bob => self.listing.bob.row(position),
        }
    }
}

/// Checks now and then.
pub(super) fn look(context: &Context<'_>, stage: &str, done: usize, of: usize) -> Checked<()> {
    if done.is_multiple_of(CHECK_EVERY) {
        context.check()?;
        context.report(stage, done as u64, Some(of as u64));
    }
    Ok(())
}

/// Walks through the source and the listing together.
pub(super) fn compare(
    graph: &Graph<'_>,
    interpreter: &mut Interpreter<'_>,
    question: &Question,
    context: &Context<'_>,
) -> Checked<()> {
    let objective = question.rules.objective;
    let marks = [
        graph.listing.priorities.is_some(),
        graph.listing.weights.is_some(),
    ];
    if marks
        != [
            matches!(objective, Objective::Buchi | Objective::Parity),
            objective == Objective::MeanPayoff,
        ]
    {
        return unproved(
            "`game.priorities` or `game.weights` stands where it means nothing, or is missing",
        );
    }
    let mut walk = Walk {
        met: vec![None; graph.len()],
        numbers: HashMap::new(),
        open: Vec::new(),
    };
    walk.meet(question.game, 0)?;
    let mut done = 0;
    while let Some((game, position)) = walk.open.pop() {
        look(
            context,
            "comparing positions with the source",
            done,
            graph.len(),
        )?;
        done += 1;
        let failed = |trouble| failed(interpreter_place(position), trouble);
        let mut ending = interpreter.ending(game).map_err(failed)?;
        let mut moves = [Vec::new(), Vec::new()];
        if ending.is_none() {
            for player in Player::BOTH {
                moves[player as usize] = interpreter.moves(game, player).map_err(failed)?;
            }
            // Where nobody can move the game is a draw.
            ending = moves.iter().all(Vec::is_empty).then_some(Ending::Draw);
        }
        if let Some(listed) = &graph.listing.priorities {
            let priority = match ending {
                None => interpreter.priority(game, objective).map_err(failed)?,
                Some(_) => None,
            };
            if listed[position] != priority.unwrap_or(-1) {
                return unproved(format!(
                    "position {position} has another priority in the source"
                ));
            }
        }
        if ending != graph.ending(position) {
            return unproved(format!(
                "position {position} does not end as the source says"
            ));
        }
        for player in Player::BOTH {
            let (own, listed) = (&moves[player as usize], graph.moves(position, player));
            if own.len() != listed.len() {
                let (name, own, listed) = (player.name(), own.len(), listed.len());
                return unproved(format!(
                    "position {position} lists {listed} moves of {name}, the source has {own}"
                ));
            }
            for (game, to) in own.iter().zip(listed) {
                walk.meet(*game, *to as usize)?;
            }
            if graph.listing.weights.is_some() && !own.is_empty() {
                let weights = interpreter.weights(game, player).map_err(failed)?;
                let listed = (0..listed.len()).map(|index| graph.weight(position, player, index));
                if !weights.into_iter().eq(listed) {
                    return unproved(format!(
                        "a move from position {position} has another weight in the source"
                    ));
                }
            }
        }
    }
    match walk.met.iter().position(Option::is_none) {
        Some(position) => unproved(format!(
            "position {position} is listed, but no play comes there"
        )),
        None => Ok(()),
    }
}

fn interpreter_place(position: usize) -> String {
    format!("position {position} cannot be evaluated")
}

fn failed(what: String, trouble: Trouble) -> Failure {
    match trouble {
        Trouble::Stopped(stop) => stop.into(),
        Trouble::Wrong(why, _) => Failure::Unproved(format!("{what}: {why}")),
    }
}

/// The walk through both.
struct Walk {
    /// The position of the source that each listed one has met.
    met: Vec<Option<GameId>>,
    numbers: HashMap<GameId, usize>,
    open: Vec<(GameId, usize)>,
}

impl Walk {
    fn meet(&mut self, game: GameId, position: usize) -> Checked<()> {
        let known = *self.numbers.entry(game).or_insert(position);
        match self.met[position] {
            None if known == position => {
                self.met[position] = Some(game);
                self.open.push((game, position));
                Ok(())
            }
            Some(other) if other == game => Ok(()),
            _ => unproved(format!(
                "a move of the source does not lead to position {position}"
            )),
        }
    }
}
