//! Serialisation of games for another session.
//!
//! Expressions, positions and explicit graphs are data and are written as they are. A ruleset is a
//! program: only its name, its arguments and a checksum of everything that its positions' values
//! depend on are written, and the receiver supplies its own ruleset that matches them.

use std::rc::Rc;

use borsh::{BorshDeserialize, BorshSerialize};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::{GameExpr, Games, Head, Network, NetworkId, RulesetId, print_game};
use crate::convert::fit;
use crate::player::{GameId, Player};

/// Some games and everything that they are made of. Equal games have equal parts in every session.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Parts {
    rulesets: Vec<RulesetPart>,
    /// The games and graphs, each made of earlier ones. Games, graphs and rulesets are numbered
    /// separately.
    parts: Vec<GamePart>,
    games: Vec<GameId>,
}

/// The identification of a ruleset.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct RulesetPart {
    /// The text that the ruleset prints as.
    pub title: String,
    /// A checksum of everything that the values of its positions depend on.
    pub identity: u128,
}

#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
enum GamePart {
    Game(GameExpr),
    Network(Network),
}

/// A game or a graph that is to be numbered.
#[derive(Clone, Copy)]
enum GameOrGraph {
    Game(GameId),
    Network(NetworkId),
}

/// The parts collected so far, with their numbers.
struct PartCollector<'a> {
    of: &'a Games,
    parts: Vec<GamePart>,
    games: FxHashMap<GameId, u32>,
    networks: FxHashMap<NetworkId, u32>,
    rulesets: IndexSet<RulesetId, FxBuildHasher>,
}

/// The games and graphs rebuilt so far.
struct PartBuilder<'a> {
    games: Vec<GameId>,
    networks: Vec<NetworkId>,
    rulesets: &'a [RulesetId],
}

impl Games {
    /// Returns the parts that games are made of, and the rulesets among them.
    pub fn parts(&self, games: &[GameId]) -> (Parts, Vec<RulesetId>) {
        let mut taking = PartCollector {
            of: self,
            parts: Vec::new(),
            games: FxHashMap::default(),
            networks: FxHashMap::default(),
            rulesets: IndexSet::default(),
        };
        for game in games {
            taking.take(*game);
        }
        let rulesets: Vec<RulesetId> = taking.rulesets.iter().copied().collect();
        let part = |id: &RulesetId| RulesetPart {
            title: self.ruleset_title(*id).to_owned(),
            identity: self.identity(*id),
        };
        let parts = Parts {
            rulesets: rulesets.iter().map(part).collect(),
            games: games
                .iter()
                .map(|game| GameId(taking.games[game]))
                .collect(),
            parts: taking.parts,
        };
        (parts, rulesets)
    }

    /// Returns the ruleset of this session that a received part identifies, if there is one.
    pub fn like(&self, part: &RulesetPart) -> Option<RulesetId> {
        self.ruleset_ids().find(|id| self.is_like(*id, part))
    }

    /// Returns `true` if a ruleset of this session is the one that a received part identifies.
    pub fn is_like(&self, id: RulesetId, part: &RulesetPart) -> bool {
        self.ruleset_title(id) == part.title && self.identity(id) == part.identity
    }

    /// Rebuilds the games from their parts and the rulesets that stand for the parts' rulesets;
    /// returns `None` if the parts are inconsistent.
    pub fn put_together(&mut self, parts: Parts, rulesets: &[RulesetId]) -> Option<Vec<GameId>> {
        let mut making = PartBuilder {
            games: Vec::new(),
            networks: Vec::new(),
            rulesets,
        };
        for part in parts.parts {
            match part {
                GamePart::Game(expr) => {
                    let expr = making.expr(self, expr)?;
                    making.games.push(self.intern(expr));
                }
                GamePart::Network(network) => {
                    let network = making.network(network)?;
                    making.networks.push(self.add_network(network));
                }
            }
        }
        parts
            .games
            .into_iter()
            .map(|game| making.game(game))
            .collect()
    }
}

impl Parts {
    /// Returns the rulesets that the games use.
    pub fn rulesets(&self) -> &[RulesetPart] {
        &self.rulesets
    }
}

impl PartCollector<'_> {
    /// Decomposes a game into its parts. Users can nest games to any depth, so this keeps an
    /// explicit stack instead of recursing.
    fn take(&mut self, game: GameId) {
        // A piece is ready after all games and graphs that it is made of have been numbered.
        let mut waiting = vec![(GameOrGraph::Game(game), false)];
        while let Some((piece, is_ready)) = waiting.pop() {
            match piece {
                // A piece can be on the stack twice before it is numbered.
                GameOrGraph::Game(game) if self.games.contains_key(&game) => {}
                GameOrGraph::Network(network) if self.networks.contains_key(&network) => {}
                GameOrGraph::Game(game) if is_ready => self.made(game),
                GameOrGraph::Network(network) if is_ready => self.wired(network),
                // The piece comes after those it is made of, because the stack returns them first.
                GameOrGraph::Game(game) => {
                    waiting.push((piece, true));
                    match self.of.expr(game) {
                        GameExpr::Vertex(network, _) => {
                            waiting.push((GameOrGraph::Network(*network), false));
                        }
                        expr => {
                            let inner = inner(&self.in_order(expr)).into_iter();
                            waiting.extend(inner.map(|game| (GameOrGraph::Game(game), false)));
                        }
                    }
                }
                GameOrGraph::Network(network) => {
                    waiting.push((piece, true));
                    let games = led_to(self.of.network(network));
                    waiting.extend(games.map(|game| (GameOrGraph::Game(game), false)));
                }
            }
        }
    }

    /// Returns an expression with the parts of a sum sorted by their text, an order that is the
    /// same in every session. Within one session they are sorted by their ids.
    fn in_order(&self, expr: &GameExpr) -> GameExpr {
        let mut expr = expr.clone();
        if let GameExpr::Sum(parts, _) = &mut expr {
            parts.sort_by_cached_key(|part| print_game(self.of, *part));
        }
        expr
    }

    fn made(&mut self, game: GameId) {
        let mut expr = self.in_order(self.of.expr(game));
        match &mut expr {
            GameExpr::Vertex(network, _) => network.0 = self.networks[network],
            GameExpr::State(ruleset, _) => {
                ruleset.0 = fit::<u32>(self.rulesets.insert_full(*ruleset).0);
            }
            other => each_inner(other, &mut |game| game.0 = self.games[game]),
        }
        self.games.insert(game, fit::<u32>(self.games.len()));
        self.parts.push(GamePart::Game(expr));
    }

    fn wired(&mut self, id: NetworkId) {
        let mut network = self.of.network(id).clone();
        each_led_to(&mut network, &mut |game| game.0 = self.games[game]);
        self.networks.insert(id, fit::<u32>(self.networks.len()));
        self.parts.push(GamePart::Network(network));
    }
}

impl PartBuilder<'_> {
    fn game(&self, part: GameId) -> Option<GameId> {
        self.games.get(part.0 as usize).copied()
    }

    /// Translates an expression to the ids of the games rebuilt here; returns `None` if it refers
    /// to something that is not there.
    fn expr(&self, games: &Games, mut expr: GameExpr) -> Option<GameExpr> {
        let mut fits = true;
        match &mut expr {
            GameExpr::Vertex(network, vertex) => {
                *network = *self.networks.get(network.0 as usize)?;
                fits = (*vertex as usize) < games.network(*network).vertices().len();
            }
            GameExpr::State(ruleset, state) => {
                *ruleset = *self.rulesets.get(ruleset.0 as usize)?;
                let start: &Rc<_> = games.ruleset(*ruleset);
                // A state of another length would be read beyond its end.
                fits = state.words().len() == start.start().words().len();
            }
            other => {
                each_inner(other, &mut |game| match self.game(*game) {
                    Some(here) => *game = here,
                    None => fits = false,
                });
                if let GameExpr::Sum(parts, _) = other {
                    // The ids here are in another order than those of the sender.
                    parts.sort_unstable();
                }
            }
        }
        fits.then_some(expr)
    }

    fn network(&self, network: Network) -> Option<Network> {
        let mut network = network.read()?;
        let mut fits = true;
        each_led_to(&mut network, &mut |game| match self.game(*game) {
            Some(here) => *game = here,
            None => fits = false,
        });
        fits.then_some(network)
    }
}

/// Returns the games that an expression is made of.
pub(super) fn inner(expr: &GameExpr) -> Vec<GameId> {
    let mut found = Vec::new();
    each_inner(&mut expr.clone(), &mut |game| found.push(*game));
    found
}

/// Visits the games that an expression is made of.
fn each_inner(expr: &mut GameExpr, visit: &mut dyn FnMut(&mut GameId)) {
    match expr {
        GameExpr::Ended(_) | GameExpr::Power(..) | GameExpr::Vertex(..) | GameExpr::State(..) => {}
        GameExpr::Wedge(g, h) => {
            visit(g);
            visit(h);
        }
        GameExpr::Braces(sides) => {
            sides.alice.iter_mut().for_each(&mut *visit);
            sides.bob.iter_mut().for_each(visit);
        }
        GameExpr::Conjugate(inner)
        | GameExpr::Truncation(inner, _)
        | GameExpr::Cut(inner, ..)
        | GameExpr::Ruled(inner, _) => visit(inner),
        GameExpr::Sum(parts, _) => parts.iter_mut().for_each(visit),
    }
}

/// Returns the games that a graph's edges lead to.
pub(super) fn led_to(network: &Network) -> impl Iterator<Item = GameId> + '_ {
    let edges = network.vertices().iter().flat_map(|vertex| {
        Player::BOTH
            .into_iter()
            .flat_map(|player| &vertex.edges[player])
    });
    edges.filter_map(|edge| match edge.head {
        Head::Game(game) => Some(game),
        Head::Vertex(_) => None,
    })
}

/// Visits the games that a graph's edges lead to.
fn each_led_to(network: &mut Network, visit: &mut dyn FnMut(&mut GameId)) {
    for vertex in 0..fit::<u32>(network.vertices().len()) {
        for player in Player::BOTH {
            for edge in &mut network.vertex_mut(vertex).edges[player] {
                if let Head::Game(game) = &mut edge.head {
                    visit(game);
                }
            }
        }
    }
}
