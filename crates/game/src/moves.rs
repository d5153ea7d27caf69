//! The moves of games, with the amounts that they add to the score.
//!
//! A move of a wedge sum or of braces adds nothing, and a conjugate has the opposite scores.

use num_traits::Zero;

use super::ruleset::State;
use super::{GameExpr, Games, Head, RulesetId, Score};
use crate::diagnostic::Result;
use crate::player::{Ending, GameId, Player};
use crate::rules::Stuck;

/// A game that a move leads to, with the amount that the move adds to the score, positive for
/// Alice.
pub(super) type ScoredMove = (GameId, Score);

/// The moves of a player who cannot move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StuckMoves {
    /// The move that the rule for stuck players gives, if it gives one.
    Given,
    /// None.
    Withheld,
}

fn unscored(game: GameId) -> ScoredMove {
    (game, Score::zero())
}

impl Games {
    /// Appends the games that a player can move to from a game that has not ended; rules for stuck
    /// players are resolved, and symmetric positions are merged.
    ///
    /// # Errors
    /// If a ruleset's state leaves its range.
    pub fn moves(&mut self, game: GameId, player: Player, found: &mut Vec<GameId>) -> Result<()> {
        let moves = self.scored_moves(game, player)?;
        found.extend(moves.into_iter().map(|(option, _)| option));
        Ok(())
    }

    /// Returns the moves that [`Games::moves`] returns, each with the amount it adds to the score.
    /// Moves of a cut game add 0, since cuts serve only questions about wins.
    ///
    /// # Errors
    /// If a ruleset's state leaves its range.
    pub fn scored_moves(&mut self, game: GameId, player: Player) -> Result<Vec<(GameId, Score)>> {
        let mut found = Vec::new();
        self.add_moves(game, player, StuckMoves::Given, &mut found)?;
        Ok(found)
    }

    /// Returns the games that a player can move to, without resolving the rules for stuck players;
    /// none if the player is stuck.
    pub(super) fn moves_unless_stuck(
        &mut self,
        game: GameId,
        player: Player,
    ) -> Result<Vec<GameId>> {
        let mut found = Vec::new();
        self.add_moves(game, player, StuckMoves::Withheld, &mut found)?;
        Ok(found.into_iter().map(|(option, _)| option).collect())
    }

    /// Returns `true` if a player cannot move in a game that has not ended, before any rule for
    /// stuck players applies.
    ///
    /// # Errors
    /// If a ruleset's state leaves its range.
    pub(super) fn is_stuck(&mut self, game: GameId, player: Player) -> Result<bool> {
        Ok(self.moves_unless_stuck(game, player)?.is_empty())
    }

    /// Appends a player's moves, with the amounts that they add to the score.
    pub(super) fn add_moves(
        &mut self,
        game: GameId,
        player: Player,
        stuck_moves: StuckMoves,
        found: &mut Vec<ScoredMove>,
    ) -> Result<()> {
        let first = found.len();
        // The rule for stuck players that the outermost form of the game has.
        let mut rule = Stuck::OpponentMoves;
        match self.expr(game).clone() {
            GameExpr::Ended(_) => {}
            GameExpr::Power(winner, n) => {
                let next = if winner == player {
                    self.ended(Ending::Win(winner))
                } else {
                    self.power(winner, n - 1)
                };
                found.push(unscored(next));
            }
            GameExpr::Wedge(g, h) => found.extend([g, h].map(unscored)),
            GameExpr::Braces(options) => {
                found.extend(options[player].iter().copied().map(unscored));
            }
            GameExpr::Conjugate(inner) => {
                self.add_moves(inner, player.other(), stuck_moves, found)?;
                for (option, score) in &mut found[first..] {
                    // Scores are positive for Alice, so exchanging the players changes the sign.
                    (*option, *score) = (self.conjugate(*option), -*score);
                }
            }
            GameExpr::Truncation(inner, n) => {
                self.add_moves(inner, player, stuck_moves, found)?;
                for (option, _) in &mut found[first..] {
                    // A game that is truncated after 0 moves has ended, so no option gets here with
                    // 0 moves left.
                    *option = self.truncation(*option, n.saturating_sub(1));
                }
            }
            GameExpr::Cut(inner, n, winner) => {
                let mut options = Vec::new();
                self.moves(inner, player, &mut options)?;
                // Before the last move `cut` leaves endings unchanged anyway.
                let is_last = n == 0 && !options.is_empty();
                let is_stuck = is_last && self.is_stuck(inner, player)?;
                for option in options {
                    // The ending that a stuck player is sent to does not count as a move. A stuck
                    // player who passes stays at a position, and that position may have ended by a
                    // truncation.
                    let is_ending = matches!(self.expr(option), GameExpr::Ended(_));
                    found.push(unscored(if is_stuck && is_ending {
                        option
                    } else {
                        self.cut_option(option, n, winner)
                    }));
                }
            }
            GameExpr::Vertex(network, vertex) => {
                let count = self.network(network).vertex(vertex).playable(player).len();
                for index in 0..count {
                    let edge = &self.network(network).vertex(vertex).playable(player)[index];
                    let score = edge.score();
                    let option = match edge.head {
                        Head::Vertex(to) => self.vertex(network, to),
                        Head::Game(option) => option,
                    };
                    found.push((option, score));
                }
            }
            GameExpr::State(id, state) => {
                self.add_state_moves(id, &state, player, found)?;
                rule = self.ruleset(id).stuck();
            }
            GameExpr::Sum(parts, stuck) => {
                self.add_sum_moves(&parts, stuck, player, found)?;
                rule = stuck;
            }
            GameExpr::Ruled(inner, stuck) => {
                self.add_moves(inner, player, stuck_moves, found)?;
                for (option, _) in &mut found[first..] {
                    *option = self.ruled(*option, stuck);
                }
                rule = stuck;
            }
        }
        if stuck_moves == StuckMoves::Given && found.len() == first {
            self.add_stuck_moves(game, rule, player, found)?;
        }
        Ok(())
    }

    fn add_state_moves(
        &mut self,
        id: RulesetId,
        state: &State,
        player: Player,
        found: &mut Vec<ScoredMove>,
    ) -> Result<()> {
        let ruleset = self.ruleset(id);
        let mut next = Vec::new();
        ruleset.scored_moves(state, player, &mut |state, score| {
            next.push((ruleset.canonical(state), score));
        })?;
        let moves = next
            .into_iter()
            .map(|(state, score)| (self.state(id, state), score));
        found.extend(moves);
        Ok(())
    }

    /// Appends a player's moves in the parts of a sum.
    fn add_sum_moves(
        &mut self,
        parts: &[GameId],
        stuck: Stuck,
        player: Player,
        found: &mut Vec<ScoredMove>,
    ) -> Result<()> {
        for (place, part) in parts.iter().enumerate() {
            // The parts are sorted, so equal ones are adjacent and have the same moves.
            if place > 0 && parts[place - 1] == *part {
                continue;
            }
            for &option in &self.options(*part)?[player] {
                let mut next = [&parts[..place], &parts[place + 1..]].concat();
                self.add_part(option, &mut next)?;
                found.push(unscored(self.sum_of(next, stuck)));
            }
        }
        Ok(())
    }

    /// Appends the move that a rule gives to a player who cannot move, if it gives one.
    fn add_stuck_moves(
        &mut self,
        game: GameId,
        stuck: Stuck,
        player: Player,
        found: &mut Vec<ScoredMove>,
    ) -> Result<()> {
        if self.owner(game)? == Some(player.other()) {
            // It is not this player's turn.
            return Ok(());
        }
        match stuck {
            Stuck::Ends(result) => {
                let penalty = match self.expr(game) {
                    GameExpr::State(id, state) => self.ruleset(*id).stuck_score(state, player)?,
                    _ => Score::zero(),
                };
                found.push((self.ended(result.for_player(player)), penalty));
            }
            Stuck::Passes => {
                // If nobody can move, the game is a draw instead of two passes without end.
                if !self.is_stuck(game, player.other())? {
                    found.push(unscored(game));
                }
            }
            Stuck::OpponentMoves => {}
        }
        Ok(())
    }
}
