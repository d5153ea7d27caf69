//! Game expressions, hash-consed: a game, and each of its positions, is a [`GameId`].
//!
//! Equal expressions have equal ids, so `A^200` and deep nests of wedge sums cost linear space, and
//! every position that a game can reach is again an expression: a conjugate moves to conjugates, a
//! truncation to shorter truncations, a vertex of a network to vertices.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::hash::BuildHasher;
use std::rc::Rc;

use borsh::{BorshDeserialize, BorshSerialize};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use xxhash_rust::xxh3::xxh3_128;

use super::Network;
use super::ruleset::{Ruleset, State};
use super::sum::{Forms, PartOptions};
use crate::convert::fit;
use crate::diagnostic::Result;
use crate::ir::Value;
use crate::player::{Ending, GameId, PerPlayer, Player};
use crate::rules::Stuck;

/// The id of an explicit graph in a [`Games`].
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, BorshSerialize, BorshDeserialize,
)]
pub struct NetworkId(pub(super) u32);

/// The id of a ruleset with its parameters fixed, in a [`Games`].
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, BorshSerialize, BorshDeserialize,
)]
pub struct RulesetId(pub(super) u32);

/// A game by its outermost form.
#[derive(Debug, Clone, PartialEq, Eq, Hash, BorshSerialize, BorshDeserialize)]
pub enum GameExpr {
    /// `A`, `B`, `Draw`.
    Ended(Ending),
    /// `A^n`, `B^n`, n ≥ 1: the player wins by making any of the next n moves, else the opponent
    /// wins.
    Power(Player, u32),
    /// `G ∧ H`: whoever moves chooses one of the two.
    Wedge(GameId, GameId),
    /// `{ G1, G2 | H1 }`.
    Braces(PerPlayer<Box<[GameId]>>),
    /// `~G`.
    Conjugate(GameId),
    /// `G[n]`: a draw if there is no winner after n moves.
    Truncation(GameId, u32),
    /// The game G in which a play of more than n moves is won by this player, whatever its result
    /// in G.
    Cut(GameId, u32, Player),
    /// A vertex of an explicit graph.
    Vertex(NetworkId, u32),
    /// A position of a ruleset.
    State(RulesetId, State),
    /// `G + H + …`, the parts sorted, with their rule for stuck players.
    Sum(Box<[GameId]>, Stuck),
    /// A game under a rule for stuck players, which applies where the game has no such rule of its
    /// own. Conjugates, truncations and cuts are always outside of it, since a pass is a move that
    /// they count.
    Ruled(GameId, Stuck),
}

/// A ruleset with its parameters fixed, and the way it was written.
#[derive(Debug)]
struct RulesetInstance {
    called: Called,
    ruleset: Rc<Ruleset>,
    /// A checksum of [`Ruleset::identity`], computed on first use.
    identity: OnceCell<u128>,
}

/// The text of a call that fixes a ruleset's parameters.
#[derive(Debug, Clone)]
pub struct Called {
    /// The text that the ruleset prints as: `tictactoe`, `connect(3, 3, 3)`.
    pub title: String,
    /// The name of the definition.
    pub name: String,
    /// The arguments.
    pub arguments: Vec<Value>,
}

/// A game without the conjugates, truncations, cuts and rules for stuck players around it.
pub(super) struct GameCore<'g> {
    /// The game.
    pub(super) expr: &'g GameExpr,
    /// `true` if the conjugates exchange the players.
    pub(super) is_exchanged: bool,
}

impl GameCore<'_> {
    /// Returns the player of this game whose part a player of the whole game has.
    pub(super) fn part(&self, player: Player) -> Player {
        if self.is_exchanged {
            player.other()
        } else {
            player
        }
    }
}

impl GamesMark {
    /// Returns the later one of two marks.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            exprs: self.exprs.max(other.exprs),
            networks: self.networks.max(other.networks),
            rulesets: self.rulesets.max(other.rulesets),
        }
    }
}

/// All games of a session.
#[derive(Debug, Default)]
pub struct Games {
    exprs: Vec<GameExpr>,
    /// All expressions but vertices, by their content.
    by_content: HashTable<GameId>,
    /// The explicit graphs. Equal graphs have equal ids, so that `tug(3)` written twice is one
    /// game.
    networks: IndexSet<Network, FxBuildHasher>,
    /// The game of each graph's first vertex, which those of the other vertices follow: the moves of
    /// a large graph are found faster than among all expressions.
    first_vertices: Vec<GameId>,
    rulesets: Vec<RulesetInstance>,
    /// The instances of rulesets by source definition and arguments, so that `connect(3, 3, 3)` is
    /// compiled once.
    instances: HashMap<String, RulesetId>,
    /// The moves in parts of sums that have been computed.
    pub(super) options: FxHashMap<GameId, PartOptions>,
    /// The representatives of equal parts of sums.
    pub(super) forms: Forms,
    /// `true` if some graph or ruleset has lines of income.
    defines_income: bool,
}

/// The number of expressions, networks and rulesets in a [`Games`] at some time.
#[derive(Debug, Clone, Copy)]
pub struct GamesMark {
    exprs: usize,
    networks: usize,
    rulesets: usize,
}

fn hash(expr: &GameExpr) -> u64 {
    FxBuildHasher.hash_one(expr)
}

/// Returns the function that gives the hash of the expression of a game.
fn hash_of(exprs: &[GameExpr]) -> impl Fn(&GameId) -> u64 {
    |game| hash(&exprs[game.0 as usize])
}

impl Games {
    /// Returns the outermost form of a game.
    pub fn expr(&self, game: GameId) -> &GameExpr {
        &self.exprs[game.0 as usize]
    }

    /// Returns an explicit graph.
    pub fn network(&self, id: NetworkId) -> &Network {
        &self.networks[id.0 as usize]
    }

    /// Returns a ruleset.
    pub fn ruleset(&self, id: RulesetId) -> &Rc<Ruleset> {
        &self.rulesets[id.0 as usize].ruleset
    }

    /// Returns the text that a ruleset prints as: `tictactoe`, `connect(3, 3, 3)`.
    pub fn ruleset_title(&self, id: RulesetId) -> &str {
        &self.called(id).title
    }

    /// Returns the way a ruleset is written.
    pub fn called(&self, id: RulesetId) -> &Called {
        &self.rulesets[id.0 as usize].called
    }

    /// Returns a checksum that is equal, in every session, for rulesets with the same rules.
    pub(super) fn identity(&self, id: RulesetId) -> u128 {
        let instance = &self.rulesets[id.0 as usize];
        *instance
            .identity
            .get_or_init(|| xxh3_128(instance.ruleset.identity().as_bytes()))
    }

    /// Iterates over all rulesets.
    pub(super) fn ruleset_ids(&self) -> impl Iterator<Item = RulesetId> + use<> {
        (0..fit::<u32>(self.rulesets.len())).map(RulesetId)
    }

    pub(super) fn intern(&mut self, expr: GameExpr) -> GameId {
        if let GameExpr::Vertex(network, vertex) = expr {
            return self.vertex(network, vertex);
        }
        let exprs = &self.exprs;
        let is_it = |known: &GameId| exprs[known.0 as usize] == expr;
        match self.by_content.entry(hash(&expr), is_it, hash_of(exprs)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                let game = next_id(&self.exprs);
                free.insert(game);
                self.exprs.push(expr);
                game
            }
        }
    }

    /// Returns a mark of the current contents, for [`roll_back`](Self::roll_back).
    pub fn mark(&self) -> GamesMark {
        GamesMark {
            exprs: self.exprs.len(),
            networks: self.networks.len(),
            rulesets: self.rulesets.len(),
        }
    }

    /// Returns `true` if there is a game with this number.
    pub fn knows(&self, game: GameId) -> bool {
        (game.0 as usize) < self.exprs.len()
    }

    /// Returns the memory taken by the expressions and their index, in bytes, without what the
    /// expressions own elsewhere.
    pub fn bytes(&self) -> usize {
        // The index keeps a byte beside each game.
        let index = self.by_content.capacity() * (size_of::<GameId>() + 1);
        self.exprs.capacity() * size_of::<GameExpr>() + index
    }

    /// Forgets all games made since the mark. No id of such a game may remain in use.
    pub fn roll_back(&mut self, mark: GamesMark) {
        // Games refer to earlier ones only, so cutting off the end leaves no dangling number.
        self.exprs.truncate(mark.exprs);
        self.exprs.shrink_to_fit();
        self.by_content
            .retain(|known| (known.0 as usize) < mark.exprs);
        self.by_content.shrink_to_fit(hash_of(&self.exprs));
        self.networks.truncate(mark.networks);
        self.first_vertices.truncate(mark.networks);
        self.rulesets.truncate(mark.rulesets);
        // The tables derived from games are cheap to compute again, and may name forgotten ones.
        self.options = FxHashMap::default();
        self.forms = Forms::default();
        self.instances
            .retain(|_, id| (id.0 as usize) < mark.rulesets);
    }

    /// Returns `A`, `B` or `Draw`.
    pub fn ended(&mut self, ending: Ending) -> GameId {
        self.intern(GameExpr::Ended(ending))
    }

    /// Returns `E`: the next mover wins.
    pub fn even(&mut self) -> GameId {
        let [a, b] = Player::both(|player| self.ended(Ending::Win(player)));
        self.wedge(a, b)
    }

    /// Returns `A^n` or `B^n` for n ≥ 1. `A^1` and `B^1` are `E`.
    ///
    /// # Panics
    /// If n is 0.
    pub fn power(&mut self, player: Player, n: u32) -> GameId {
        assert!(n > 0, "A^0 is refused by the evaluator");
        if n == 1 {
            self.even()
        } else {
            self.intern(GameExpr::Power(player, n))
        }
    }

    /// Returns `G ∧ H`.
    pub fn wedge(&mut self, g: GameId, h: GameId) -> GameId {
        self.intern(GameExpr::Wedge(g, h))
    }

    /// Returns `{ alice | bob }`.
    pub fn braces(&mut self, alice: Vec<GameId>, bob: Vec<GameId>) -> GameId {
        self.intern(GameExpr::Braces(PerPlayer::new(alice.into(), bob.into())))
    }

    /// Returns `~G`; primitives and conjugates are conjugated on the spot, sums part by part.
    /// Together with [`truncation`](Self::truncation) this keeps at most one conjugate, outside of
    /// at most one truncation, around any game: neither is ever nested in itself.
    pub fn conjugate(&mut self, game: GameId) -> GameId {
        match *self.expr(game) {
            GameExpr::Ended(ending) => self.ended(ending.conjugate()),
            GameExpr::Power(player, n) => self.power(player.other(), n),
            GameExpr::Conjugate(inner) => inner,
            GameExpr::Sum(ref parts, stuck) => {
                // The list is copied, because conjugating the parts may add expressions.
                let parts: Vec<GameId> = parts.to_vec();
                let parts = parts.into_iter().map(|part| self.conjugate(part)).collect();
                self.sum_of(parts, stuck)
            }
            // A power has a conjugate of its own kind, so the truncation of that is the normal
            // form.
            GameExpr::Truncation(inner, n) if matches!(self.expr(inner), GameExpr::Power(..)) => {
                let inner = self.conjugate(inner);
                self.truncation(inner, n)
            }
            _ => self.intern(GameExpr::Conjugate(game)),
        }
    }

    /// Returns `G[n]`; the truncation of a conjugate is made as the conjugate of a truncation.
    pub fn truncation(&mut self, game: GameId, n: u32) -> GameId {
        match *self.expr(game) {
            GameExpr::Ended(_) => game,
            // The shorter truncation decides, whichever is outside.
            GameExpr::Truncation(inner, m) => self.intern(GameExpr::Truncation(inner, m.min(n))),
            GameExpr::Conjugate(inner) => {
                let inner = self.truncation(inner, n);
                self.conjugate(inner)
            }
            _ => self.intern(GameExpr::Truncation(game, n)),
        }
    }

    /// Returns the game in which a play of more than n moves is won by this player: the move after
    /// the nth ends it with that win. Unlike in `G[n]`, a player without a move after n moves is
    /// stuck as in G.
    pub fn cut(&mut self, game: GameId, n: u32, winner: Player) -> GameId {
        match self.expr(game) {
            GameExpr::Ended(_) => game,
            _ => self.intern(GameExpr::Cut(game, n, winner)),
        }
    }

    /// Returns the option of a cut game that corresponds to an option of the game itself.
    pub fn cut_option(&mut self, option: GameId, n: u32, winner: Player) -> GameId {
        match n.checked_sub(1) {
            Some(shorter) => self.cut(option, shorter, winner),
            None => self.ended(Ending::Win(winner)),
        }
    }

    /// Adds an explicit graph; equal graphs get the same id.
    pub fn add_network(&mut self, network: Network) -> NetworkId {
        // The flag is never cleared: it only saves a search where there is no income at all.
        self.defines_income |= network.has_income();
        let count = fit::<u32>(network.vertices().len());
        let (index, is_new) = self.networks.insert_full(network);
        let id = NetworkId(u32::try_from(index).expect("fewer than 2^32 networks"));
        if is_new {
            self.first_vertices.push(next_id(&self.exprs));
            let vertices = (0..count).map(|vertex| GameExpr::Vertex(id, vertex));
            self.exprs.extend(vertices);
        }
        id
    }

    /// Returns `true` if some graph or ruleset has lines of income.
    pub fn defines_income(&self) -> bool {
        self.defines_income
    }

    /// Returns a vertex of an explicit graph as a game.
    pub fn vertex(&self, network: NetworkId, vertex: u32) -> GameId {
        GameId(self.first_vertices[network.0 as usize].0 + vertex)
    }

    /// Returns the ruleset compiled before under this key, if any.
    pub fn find_ruleset(&self, key: &str) -> Option<RulesetId> {
        self.instances.get(key).copied()
    }

    /// Adds a compiled ruleset with the way it is written; the key, if there is one, identifies its
    /// definition and arguments.
    pub fn add_ruleset(
        &mut self,
        key: Option<String>,
        called: Called,
        ruleset: Ruleset,
    ) -> RulesetId {
        let id = RulesetId(u32::try_from(self.rulesets.len()).expect("fewer than 2^32 rulesets"));
        self.defines_income |= ruleset.has_income();
        self.rulesets.push(RulesetInstance {
            called,
            ruleset: Rc::new(ruleset),
            identity: OnceCell::new(),
        });
        self.instances.extend(key.map(|key| (key, id)));
        id
    }

    /// Returns a position of a ruleset as a game.
    pub fn state(&mut self, ruleset: RulesetId, state: State) -> GameId {
        self.intern(GameExpr::State(ruleset, state))
    }

    /// Returns the ruleset and the state of a game that is a position of a ruleset or the conjugate
    /// of one, and whether it is the conjugate.
    pub fn ruleset_state(&self, game: GameId) -> Option<(RulesetId, &State, bool)> {
        let (inner, conjugated) = match self.expr(game) {
            GameExpr::Conjugate(inner) => (*inner, true),
            _ => (game, false),
        };
        match self.expr(inner) {
            GameExpr::State(id, state) => Some((*id, state, conjugated)),
            _ => None,
        }
    }

    /// Returns the game with its position of a ruleset replaced by the representative up to
    /// symmetry, as exploration finds it; `None` if that game has not been made.
    pub fn representative(&self, game: GameId) -> Option<GameId> {
        let expr = match self.expr(game) {
            GameExpr::State(id, state) => {
                GameExpr::State(*id, self.ruleset(*id).canonical(state.clone()))
            }
            GameExpr::Conjugate(inner) => GameExpr::Conjugate(self.representative(*inner)?),
            GameExpr::Truncation(inner, n) => {
                GameExpr::Truncation(self.representative(*inner)?, *n)
            }
            GameExpr::Cut(inner, n, winner) => {
                GameExpr::Cut(self.representative(*inner)?, *n, *winner)
            }
            GameExpr::Ruled(inner, stuck) => GameExpr::Ruled(self.representative(*inner)?, *stuck),
            GameExpr::Ended(_)
            | GameExpr::Power(..)
            | GameExpr::Wedge(..)
            | GameExpr::Braces(_)
            | GameExpr::Vertex(..)
            | GameExpr::Sum(..) => return Some(game),
        };
        // Nothing is added here: a representative that has not been made was not explored either.
        let is_it = |known: &GameId| *self.expr(*known) == expr;
        self.by_content.find(hash(&expr), is_it).copied()
    }

    /// Returns the ending of a game, if it has ended.
    ///
    /// # Errors
    /// If a ruleset's state leaves its range.
    pub fn ending(&self, game: GameId) -> Result<Option<Ending>> {
        Ok(match self.expr(game) {
            GameExpr::Ended(ending) => Some(*ending),
            GameExpr::Power(..) | GameExpr::Wedge(..) | GameExpr::Braces(_) | GameExpr::Sum(..) => {
                None
            }
            GameExpr::Cut(inner, ..) | GameExpr::Ruled(inner, _) => self.ending(*inner)?,
            GameExpr::Conjugate(inner) => self.ending(*inner)?.map(Ending::conjugate),
            GameExpr::Truncation(inner, n) => {
                self.ending(*inner)?.or((*n == 0).then_some(Ending::Draw))
            }
            GameExpr::Vertex(network, vertex) => self.network(*network).vertex(*vertex).ending,
            GameExpr::State(ruleset, state) => self.ruleset(*ruleset).ending(state)?,
        })
    }

    /// Returns the player who moves from a game without a bid, if it has an owner.
    ///
    /// # Errors
    /// If a ruleset's state leaves its range.
    pub fn owner(&self, game: GameId) -> Result<Option<Player>> {
        let core = self.core(game);
        let owner = match core.expr {
            GameExpr::Vertex(network, vertex) => {
                self.network(*network).vertex(*vertex).marks().owner
            }
            GameExpr::State(ruleset, state) => self.ruleset(*ruleset).owner(state)?,
            _ => None,
        };
        Ok(owner.map(|owner| core.part(owner)))
    }

    /// Returns the game that is left without its conjugates, truncations, cuts and rules for stuck
    /// players.
    pub(super) fn core(&self, game: GameId) -> GameCore<'_> {
        let (mut expr, mut is_exchanged) = (self.expr(game), false);
        loop {
            match expr {
                GameExpr::Conjugate(inner) => {
                    is_exchanged = !is_exchanged;
                    expr = self.expr(*inner);
                }
                GameExpr::Truncation(inner, _)
                | GameExpr::Cut(inner, ..)
                | GameExpr::Ruled(inner, _) => expr = self.expr(*inner),
                GameExpr::Ended(_)
                | GameExpr::Power(..)
                | GameExpr::Wedge(..)
                | GameExpr::Braces(_)
                | GameExpr::Vertex(..)
                | GameExpr::State(..)
                | GameExpr::Sum(..) => return GameCore { expr, is_exchanged },
            }
        }
    }
}

/// Returns the id of the next expression.
fn next_id(exprs: &[GameExpr]) -> GameId {
    GameId(u32::try_from(exprs.len()).expect("exploration stops before 2^32 positions"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games that have been forgotten are made anew, and not found under their old numbers.
    #[test]
    fn forgotten_games_are_made_anew() {
        let mut games = Games::default();
        let network = |name| {
            let mut network = Network::titled("");
            network.vertex_named(name);
            network
        };
        let kept = games.add_network(network("a"));
        let mark = games.mark();
        let forgotten = games.add_network(network("b"));
        let vertex = games.vertex(forgotten, 0);
        games.power(Player::Alice, 2);
        games.roll_back(mark);
        let even = games.even();
        let again = games.add_network(network("b"));
        assert_eq!(again, forgotten);
        assert_ne!(games.vertex(again, 0), vertex);
        assert_eq!(
            games.expr(games.vertex(again, 0)),
            &GameExpr::Vertex(again, 0)
        );
        assert_eq!(
            games.expr(games.vertex(kept, 0)),
            &GameExpr::Vertex(kept, 0)
        );
        assert_eq!(games.even(), even);
    }

    /// Conjugates and truncations nested in each other, 10^5 deep, are simplified to one of each,
    /// so that finding endings and moves needs no deep recursion.
    #[test]
    fn deep_nests_of_conjugates_and_truncations_are_flat() {
        let mut games = Games::default();
        let mut game = games.even();
        for depth in 0..100_000_u32 {
            game = games.conjugate(game);
            game = games.truncation(game, 200_000 - depth);
        }
        let even = games.even();
        let once = games.truncation(even, 100_001);
        assert_eq!(game, once);
        assert_eq!(games.ending(game).expect("it has none"), None);
        let conjugate = games.conjugate(once);
        let (inner, other_way) = (games.conjugate(even), conjugate);
        assert_eq!(games.truncation(inner, 100_001), other_way);
        let power = games.power(Player::Alice, 3);
        let (cut, other) = (games.truncation(power, 2), games.power(Player::Bob, 3));
        let conjugate = games.conjugate(cut);
        assert_eq!(conjugate, games.truncation(other, 2));
        let mut found = Vec::new();
        games
            .moves(conjugate, Player::Alice, &mut found)
            .expect("it has moves");
        assert_eq!(found.len(), 1);
    }
}
