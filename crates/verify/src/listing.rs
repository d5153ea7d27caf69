//! Checks that the listed positions form a game, and that it is the game of the source.
//!
//! The walk begins with the pair of the game in question and position 0. In each pair of a position
//! of the source and a listed one, the game has ended in the same way, or each player has as many
//! moves in both, and these lead pairwise, in the order of the source, to further pairs. No
//! position occurs in two pairs, and every listed one occurs in a pair. So the listing is the game
//! itself.

use std::cmp::Ordering;
use std::collections::HashMap;

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::language::{GameIndex, Interpreter, Trouble};
use super::{Checked, Failure, malformed, unproved};
use crate::convert::fit;
use crate::diagnostic::counted;
use crate::format::PositionListing;
use crate::player::{Ending, Player};
use crate::rules::{Draws, Objective, Rules, Winner};
use crate::watch::{Context, Stop};

/// The number of positions visited between two checks.
const CHECK_EVERY: usize = 256;

/// The rank of a position without one, when ranks are compared.
pub(super) const NEVER: i32 = i32::MAX;

/// A consistent listing, with the rules of play on it and the context in which it is checked.
pub struct CertifiedGraph<'a> {
    listing: &'a PositionListing,
    over: Vec<Option<Ending>>,
    /// `true` if every move leads to a greater number, so that play ends.
    pub ordered: bool,
    /// The rules in force.
    pub rules: &'a Rules,
    /// The limits of the work on it, and what may stop it.
    pub context: &'a Context<'a>,
}

/// A move of a listed position.
#[derive(Debug, Clone, Copy)]
pub struct CertifiedMove {
    /// The player who moves.
    pub mover: Player,
    /// The index among the player's moves there.
    pub index: usize,
    /// The position to which the move leads.
    pub to: usize,
}

impl<'a> CertifiedGraph<'a> {
    /// Accepts a listing in which every move leads to a listed position, and every position is over
    /// or has a move.
    ///
    /// # Errors
    /// Returns [`Failure::Malformed`] with the position otherwise.
    pub fn of(
        listing: &'a PositionListing,
        rules: &'a Rules,
        context: &'a Context<'a>,
    ) -> Checked<Self> {
        let len = listing.alice.len();
        // Position 0 is the start, so that there must be one.
        if len == 0 || listing.bob.len() != len {
            return malformed(format!(
                "`game` lists Alice's moves from {}, Bob's from {}",
                counted(len, "position"),
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
            rules,
            context,
        };
        let over = &listing.over;
        graph.end(Ending::Win(Player::Alice), &over.alice)?;
        graph.end(Ending::Win(Player::Bob), &over.bob)?;
        graph.end(Ending::Draw, &over.draw)?;
        if listing
            .priorities
            .as_ref()
            .is_some_and(|all| all.len() != len)
        {
            return malformed("`game.priorities` does not have one for every position");
        }
        if let Some(weights) = &listing.weights {
            for player in Player::BOTH {
                let lengths = (0..len).map(|position| graph.moves(position, player).len());
                if !weights[player].iter().map(Vec::len).eq(lengths) {
                    return malformed("`game.weights` does not have one for every move");
                }
            }
        }
        for position in 0..len {
            graph.pass(position)?;
        }
        Ok(graph)
    }

    /// Returns this listing under other rules.
    pub fn under<'b>(&'b self, rules: &'b Rules) -> CertifiedGraph<'b> {
        CertifiedGraph {
            rules,
            over: self.over.clone(),
            ..*self
        }
    }

    /// Records the ending at some positions.
    fn end(&mut self, ending: Ending, positions: &[i32]) -> Checked<()> {
        for &position in positions {
            match self.inside(position).filter(|at| self.over[*at].is_none()) {
                Some(position) => self.over[position] = Some(ending),
                None => {
                    return malformed(format!(
                        "`game.over` names position {position}, which is not there, or twice"
                    ));
                }
            }
        }
        match positions.is_sorted() {
            true => Ok(()),
            false => malformed("`game.over` does not name the positions in order"),
        }
    }

    fn pass(&mut self, position: usize) -> Checked<()> {
        let moves = Player::both(|player| self.moves(position, player));
        if self.over[position].is_some() != moves.iter().all(|moves| moves.is_empty()) {
            return malformed(format!(
                "position {position} is over and has moves, or neither"
            ));
        }
        for &head in moves.into_iter().flatten() {
            let Some(head) = self.inside(head) else {
                return malformed(format!("position {position} has a move out of the listing"));
            };
            // If numbers only grow, play must end, and needs no proof of progress.
            self.ordered &= head > position;
        }
        Ok(())
    }

    /// Returns the position with this number, if it is listed.
    pub(super) fn inside(&self, position: i32) -> Option<usize> {
        let position = usize::try_from(position).ok();
        position.filter(|position| *position < self.len())
    }

    /// Returns the number of positions.
    #[allow(clippy::len_without_is_empty, reason = "a listing is never empty")]
    pub fn len(&self) -> usize {
        self.over.len()
    }

    /// Returns the ending at a position, if the game is over there.
    pub fn ending(&self, position: usize) -> Option<Ending> {
        self.over[position]
    }

    /// Returns the worth of a draw to Alice: the part of a win that it is. `None` if it is a win for
    /// neither player.
    pub(super) fn draw_worth(&self) -> Option<BigRational> {
        match self.rules.draws {
            Draws::Alice => Some(BigRational::one()),
            Draws::Bob => Some(BigRational::zero()),
            Draws::Half => Some(BigRational::new(1.into(), 2.into())),
            Draws::Neither => None,
        }
    }

    /// Returns the priority of a position, if it has one.
    pub fn priority(&self, position: usize) -> Option<u32> {
        let priorities = self.listing.priorities.as_ref()?;
        u32::try_from(priorities[position]).ok()
    }

    /// Returns the weight of a player's move, given by its index.
    pub fn weight(&self, position: usize, player: Player, index: usize) -> BigRational {
        let weights = self.listing.weights.as_ref();
        let weight = weights.map(|weights| weights[player][position][index].0.clone());
        weight.unwrap_or_default()
    }

    /// Returns the positions to which a player can move.
    pub fn moves(&self, position: usize, player: Player) -> &'a [i32] {
        self.listing.moves(player).row(position)
    }

    /// Returns the players whom the winner of a turn can make move.
    pub(super) fn movers(
        &self,
        position: usize,
        winner: Player,
    ) -> impl Iterator<Item = Player> + use<> {
        let able = Player::both(|player| !self.moves(position, player).is_empty());
        // If only one player can move, this one moves, whoever wins.
        let free = self.rules.winner == Winner::Chooses || able != [true; 2];
        let movers = Player::BOTH.into_iter().zip(able);
        let movers = movers.filter(move |(player, able)| *able && (free || *player == winner));
        movers.map(|(player, _)| player)
    }

    /// Computes the outcome of a player's best move, if there is a move. `of` gives the outcome of
    /// a move, and `order` compares outcomes. Alice takes the least, Bob the greatest.
    pub(super) fn best<T>(
        &self,
        position: usize,
        mover: Player,
        of: impl Fn(CertifiedMove) -> T,
        order: impl Fn(&T, &T) -> Ordering,
    ) -> Option<T> {
        let moves = self.moves(position, mover).iter().enumerate();
        let outcomes = moves.map(|(index, to)| {
            let to = fit::<usize>(*to);
            of(CertifiedMove { mover, index, to })
        });
        choice(mover, outcomes, order)
    }

    /// Computes the outcome of a turn that a player wins, at a position that is not over.
    pub fn turn<T>(
        &self,
        position: usize,
        winner: Player,
        of: impl Fn(CertifiedMove) -> T,
        order: impl Fn(&T, &T) -> Ordering,
    ) -> T {
        let movers = self.movers(position, winner);
        let outcomes = movers.filter_map(|mover| self.best(position, mover, &of, &order));
        choice(winner, outcomes, &order).expect("a position that is not over has a move")
    }

    /// Checks every position, unless it is stopped.
    pub(super) fn each(
        &self,
        stage: &str,
        mut check: impl FnMut(usize) -> Checked<()>,
    ) -> Checked<()> {
        for position in 0..self.len() {
            self.look(stage, position, self.len())?;
            check(position)?;
        }
        Ok(())
    }

    /// Checks now and then whether the work is stopped, and reports its progress.
    ///
    /// # Errors
    /// If it is stopped.
    pub fn look(&self, stage: &str, done: usize, of: usize) -> Checked<()> {
        if done.is_multiple_of(CHECK_EVERY) {
            self.context.check()?;
            self.context.report(stage, done as u64, Some(of as u64));
        }
        Ok(())
    }
}

/// Returns the outcome that a player chooses: Alice the least, Bob the greatest.
pub(super) fn choice<T>(
    by: Player,
    outcomes: impl Iterator<Item = T>,
    order: impl Fn(&T, &T) -> Ordering,
) -> Option<T> {
    match by {
        Player::Alice => outcomes.min_by(order),
        Player::Bob => outcomes.max_by(order),
    }
}

/// Returns the order under which [`choice`] yields the least outcome for either player. For Bob,
/// who takes the greatest, it is reversed.
pub fn least_for(player: Player, order: Ordering) -> Ordering {
    match player {
        Player::Alice => order,
        Player::Bob => order.reverse(),
    }
}

/// Walks through the source and the listing together.
pub(super) fn compare(
    graph: &CertifiedGraph<'_>,
    interpreter: &mut Interpreter<'_>,
    game: GameIndex,
) -> Checked<()> {
    let (listing, objective) = (graph.listing, graph.rules.objective);
    if listing.priorities.is_some() != matches!(objective, Objective::Buchi | Objective::Parity)
        || listing.weights.is_some()
            != matches!(objective, Objective::MeanPayoff | Objective::Energy)
    {
        return unproved(
            "`game.priorities` or `game.weights` stands where it means nothing, or is missing",
        );
    }
    let mut walk = ListingWalk {
        met: vec![None; graph.len()],
        numbers: HashMap::new(),
        open: Vec::new(),
    };
    walk.meet(game, 0)?;
    let mut done = 0;
    while let Some((game, position)) = walk.open.pop() {
        graph.look("comparing positions with the source", done, graph.len())?;
        done += 1;
        let place = interpreter.position(game, objective);
        let place = place.map_err(|trouble| failed(position, trouble))?;
        if listing
            .priorities
            .as_ref()
            .is_some_and(|all| all[position] != place.priority.unwrap_or(-1))
        {
            return unproved(format!(
                "position {position} has another priority in the source"
            ));
        }
        if place.ending != graph.ending(position) {
            return unproved(format!(
                "position {position} does not end as the source says"
            ));
        }
        for player in Player::BOTH {
            let (own, listed) = (&place.moves[player], graph.moves(position, player));
            if own.len() != listed.len() {
                let (name, own, listed) = (player.name(), own.len(), listed.len());
                return unproved(format!(
                    "position {position} lists {} of {name}, the source has {own}",
                    counted(listed, "move")
                ));
            }
            for (game, to) in own.iter().zip(listed) {
                walk.meet(*game, fit::<usize>(*to))?;
            }
            let weights = (0..listed.len()).map(|index| graph.weight(position, player, index));
            if listing.weights.is_some() && !weights.eq(place.weights[player].iter().cloned()) {
                return unproved(format!(
                    "a move from position {position} has another weight in the source"
                ));
            }
        }
    }
    // An unreached position would not be compared with anything.
    match walk.met.iter().position(Option::is_none) {
        Some(position) => unproved(format!(
            "position {position} is listed, but no play reaches it"
        )),
        None => Ok(()),
    }
}

fn failed(position: usize, trouble: Trouble) -> Failure {
    match trouble {
        Trouble::Stopped(stop) => stop.into(),
        Trouble::Wrong(why, _) => {
            Failure::Unproved(format!("position {position} cannot be evaluated: {why}"))
        }
    }
}

/// The state of the walk through the source and the listing.
struct ListingWalk {
    /// The position of the source that is paired with each listed one.
    met: Vec<Option<GameIndex>>,
    numbers: HashMap<GameIndex, usize>,
    open: Vec<(GameIndex, usize)>,
}

impl ListingWalk {
    fn meet(&mut self, game: GameIndex, position: usize) -> Checked<()> {
        // A position of the source must not be paired with two listed ones.
        let known = *self.numbers.entry(game).or_insert(position);
        match self.met[position] {
            // Both are new, or the pair would have been met.
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
