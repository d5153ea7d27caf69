//! Disjunctive sums, and rules for stuck players where the game itself has none.
//!
//! Whoever moves in `G + H` moves in one of the parts and leaves the others as they are (Conway,
//! *On Numbers and Games*, chapter 7). A sum is the multiset of its parts: they are sorted, parts
//! in which nobody can move any more are left out, and the moves of each part are computed once,
//! however many sums contain it. So twelve equal games of three positions make 91 positions, not
//! 3^12. Parts are equal if both players have the same moves in them, move after move: a heap of
//! Nim with one counter is `{ { | } | { | } }`, and one form represents both.
//!
//! Parts have no endings: a sum ends when a player who must move cannot move in any of them. The
//! parts determine the result then, if their rulesets have a line `stuck …`, else the rules do.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{GameExpr, Games, RulesetId, print_position};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::player::{GameId, PerPlayer, Player};
use crate::rules::Stuck;

/// The greatest total weight of a part's moves for which equal parts are looked for. Each move
/// weighs as many words as the position that it leaves. Parts beyond this bound represent
/// themselves, since the comparison cannot be interrupted.
const COMPARED: usize = 1 << 18;

/// The greatest weight of one position's moves. If a position of a ruleset weighs more, no position
/// of that ruleset is compared.
const LARGE: usize = 1 << 14;

/// The representatives of parts: equal parts have the same one.
#[derive(Debug, Default)]
pub(super) struct Forms {
    of: FxHashMap<GameId, GameId>,
    /// The representatives, indexed by the moves of both players.
    known: FxHashMap<PerPlayer<Vec<GameId>>, GameId>,
    /// The rulesets with large positions, of which none is compared.
    large: FxHashSet<RulesetId>,
}

/// The games that each player's moves lead to in a part of a sum; empty for a player who is stuck.
pub(super) type PartOptions = Rc<PerPlayer<Vec<GameId>>>;

impl Games {
    /// Builds `G + H + …`; the sum of no games is `{ | }`.
    ///
    /// # Errors
    /// If a part has an ending, scores or an owner, or the parts have different rules for stuck
    /// players.
    pub fn sum(&mut self, parts: impl IntoIterator<Item = GameId>) -> Result<GameId> {
        let mut found = Vec::new();
        let mut stuck = Stuck::OpponentMoves;
        for part in parts {
            // A rule around a part would apply to that part alone, but in a sum a player is stuck
            // only if no part has a move.
            let part = self.unruled(part);
            let said = self.stuck_of(part);
            // A part without a rule of its own agrees with every other part.
            if stuck == Stuck::OpponentMoves {
                stuck = said;
            } else if said != stuck && said != Stuck::OpponentMoves {
                return Err(refused(
                    "the parts of the sum say different things about a player who cannot move",
                    "leave out the lines `stuck …` of the games, and say `stuck: loses` among the rules",
                )
                .into());
            }
            self.add_part(part, &mut found)?;
        }
        Ok(self.sum_of(found, stuck))
    }

    /// Puts a game under a rule for stuck players, which applies where the game has no such rule of
    /// its own.
    pub fn ruled(&mut self, game: GameId, stuck: Stuck) -> GameId {
        let game = self.unruled(game);
        // The rule goes inside, so that equal games have one form, however they were built.
        // Exchanging the players does not change it, since it is said of whoever is stuck.
        self.within(game, &|games, game| match *games.expr(game) {
            // Nobody is stuck in a game that has ended.
            GameExpr::Ended(_) => game,
            _ if stuck == Stuck::OpponentMoves || games.stuck_of(game) != Stuck::OpponentMoves => {
                game
            }
            _ => games.intern(GameExpr::Ruled(game, stuck)),
        })
    }

    /// Removes the rule for stuck players from a game.
    pub fn unruled(&mut self, game: GameId) -> GameId {
        self.within(game, &|games, game| games.beneath_rules(game))
    }

    /// Changes the game that is left without its conjugates, truncations and cuts.
    fn within(&mut self, game: GameId, change: &dyn Fn(&mut Self, GameId) -> GameId) -> GameId {
        match *self.expr(game) {
            GameExpr::Conjugate(inner) => {
                let inner = self.within(inner, change);
                self.conjugate(inner)
            }
            GameExpr::Truncation(inner, n) => {
                let inner = self.within(inner, change);
                self.truncation(inner, n)
            }
            GameExpr::Cut(inner, n, winner) => {
                let inner = self.within(inner, change);
                self.cut(inner, n, winner)
            }
            _ => change(self, game),
        }
    }

    /// Returns the game directly under a rule for stuck players, or the game itself if it has no
    /// such rule; both print alike.
    pub fn beneath_rules(&self, game: GameId) -> GameId {
        match self.expr(game) {
            GameExpr::Ruled(inner, _) => *inner,
            _ => game,
        }
    }

    /// Returns the game's own rule for stuck players; without one it is that the opponent moves.
    pub(super) fn stuck_of(&self, game: GameId) -> Stuck {
        match self.core(game).expr {
            GameExpr::State(id, _) => self.ruleset(*id).stuck(),
            GameExpr::Sum(_, stuck) => *stuck,
            _ => Stuck::OpponentMoves,
        }
    }

    /// Returns the ruleset of a game with its line `stuck`, if it has one.
    pub fn line_stuck(&self, game: GameId) -> Option<(RulesetId, Stuck)> {
        let GameExpr::State(id, _) = self.core(game).expr else {
            return None;
        };
        let stuck = self.ruleset(*id).stuck();
        (stuck != Stuck::OpponentMoves).then_some((*id, stuck))
    }

    /// Adds a part to those of a sum. A part that is itself a sum is added part by part, and a part
    /// in which nobody can move is left out.
    pub(super) fn add_part(&mut self, part: GameId, parts: &mut Vec<GameId>) -> Result<()> {
        // Symmetric positions are merged first, which is cheaper than a comparison of their moves.
        let part = self.representative(part).unwrap_or(part);
        let part = self.form(part)?;
        if self.is_large(part) {
            // For a large part the test whether anybody can move would take too long.
            parts.push(part);
            return Ok(());
        }
        if let GameExpr::Sum(inner, _) = self.expr(part) {
            // The parts of a sum have passed these tests when that sum was built.
            parts.extend(inner);
            return Ok(());
        }
        let options = self.options(part)?;
        // A part without moves changes nothing in a sum without endings.
        if !options.alice.is_empty() || !options.bob.is_empty() {
            parts.push(part);
        }
        Ok(())
    }

    /// Returns the representative of a part's equivalence class, as far as equal parts are looked
    /// for.
    fn form(&mut self, part: GameId) -> Result<GameId> {
        if self.is_large(part) {
            return Ok(part);
        }
        let mut waiting = vec![(part, false)];
        let mut met = FxHashSet::default();
        let mut weight = 0_usize;
        while let Some((one, followed)) = waiting.pop() {
            if self.forms.of.contains_key(&one) {
                continue;
            }
            let options = self.options(one)?;
            if followed {
                // On a cycle some options have no representative yet and represent themselves.
                let form = |option: &GameId| self.forms.of.get(option).copied().unwrap_or(*option);
                let mut moves =
                    options.map_ref(|options| options.iter().map(form).collect::<Vec<_>>());
                for player in Player::BOTH {
                    moves[player].sort_unstable();
                    // Equal moves count once, so the order and the number of ways to make a move do
                    // not matter.
                    moves[player].dedup();
                }
                let form = *self.forms.known.entry(moves).or_insert(one);
                self.forms.of.insert(one, form);
            } else if met.insert(one) {
                let moves = 1 + options.alice.len() + options.bob.len();
                let here = moves.saturating_mul(self.words(one));
                weight = weight.saturating_add(here);
                // The ruleset is given up as a whole, since examining each of its positions would
                // take as long.
                if here > LARGE {
                    self.forms.large.extend(self.ruleset_of(one));
                }
                if weight > COMPARED || self.is_large(part) {
                    // All visited parts represent themselves, and are not compared again.
                    self.forms.of.extend(met.iter().map(|one| (*one, *one)));
                    break;
                }
                // The part is met again after its options, whose representatives are then known.
                waiting.push((one, true));
                waiting.extend(
                    options
                        .alice
                        .iter()
                        .chain(&options.bob)
                        .map(|option| (*option, false)),
                );
            }
        }
        Ok(self.forms.of[&part])
    }

    /// Returns `true` if a part is a position of a ruleset known to have large positions.
    fn is_large(&self, part: GameId) -> bool {
        self.ruleset_of(part)
            .is_some_and(|ruleset| self.forms.large.contains(&ruleset))
    }

    /// Returns the ruleset that a game is a position of, if it is one.
    fn ruleset_of(&self, game: GameId) -> Option<RulesetId> {
        match self.core(game).expr {
            GameExpr::State(id, _) => Some(*id),
            _ => None,
        }
    }

    /// Returns the approximate size of a position, in words.
    fn words(&self, game: GameId) -> usize {
        match self.core(game).expr {
            GameExpr::State(_, state) => state.words().len(),
            GameExpr::Sum(parts, _) => parts.len(),
            _ => 1,
        }
    }

    /// Builds the sum of parts in which somebody can move.
    pub(super) fn sum_of(&mut self, mut parts: Vec<GameId>, stuck: Stuck) -> GameId {
        // A sum is a multiset, so sorted parts make equal sums one expression.
        parts.sort_unstable();
        match parts[..] {
            // A sum of one part is that part, unless the rule for stuck players came from a part
            // left out.
            [part] if self.stuck_of(part) == stuck => part,
            // The braces have no rule of their own, so a sum with such a rule has to remain a sum.
            [] if stuck == Stuck::OpponentMoves => self.braces(Vec::new(), Vec::new()),
            _ => self.intern(GameExpr::Sum(parts.into(), stuck)),
        }
    }

    /// Returns the games that both players' moves lead to in a part of a sum.
    pub(super) fn options(&mut self, part: GameId) -> Result<PartOptions> {
        if let Some(known) = self.options.get(&part) {
            return Ok(Rc::clone(known));
        }
        if self.ending(part)?.is_some() {
            let position = print_position(self, part);
            return Err(refused(
                format!(
                    "a part of the sum is over at {position}, and parts of sums have no endings"
                ),
                "leave out the lines `win` and `draw`, and say `stuck: loses` among the rules; a choice of two games is `G ∧ H`",
            )
            .note("a sum ends when a player who must move cannot move in any part")
            .into());
        }
        if self.is_scored(part) {
            return Err(refused(
                "a part of the sum has scores, and sums of scoring games are not supported",
                "leave out the lines `score`; in a sum, a player who cannot move wins or loses",
            )
            .into());
        }
        if self.owner(part)?.is_some() {
            let position = print_position(self, part);
            return Err(refused(
                format!("a part of the sum has an owner at {position}, and in a sum bids decide who moves"),
                "leave out the lines `turn …`, or ask about the game alone",
            )
            .note("a player who moves without a bid in one part could as well have to move in another")
            .into());
        }
        if self.has_income(part) {
            return Err(refused(
                "a part of the sum has positions where players receive income, and in a sum there is one bid for all parts",
                "leave out the lines `income …`, ask about the game alone, or write `income: [1/8, 0]` among the rules",
            )
            .into());
        }
        let mut options = PerPlayer::<Vec<GameId>>::default();
        for player in Player::BOTH {
            options[player] = self.moves_unless_stuck(part, player)?;
            options[player].sort_unstable();
            options[player].dedup();
        }
        let options = Rc::new(options);
        self.options.insert(part, Rc::clone(&options));
        Ok(options)
    }
}

/// Builds the diagnostic of games that a sum cannot consist of.
fn refused(message: impl Into<String>, help: &str) -> Diagnostic {
    Diagnostic::new(Code::WrongTheory, message).help(help)
}
