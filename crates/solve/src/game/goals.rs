//! What objectives of infinite play need to know about an explored game: a priority for each
//! vertex, or a weight for each move.
//!
//! Only explicit graphs say such things. In a conjugate every priority is one higher, so that even
//! and odd exchange, and every weight has the other sign. Vertices that are on no cycle need no
//! mark: a play comes there once.

use super::{
    Explored, GameExpr, Games, Head, Network, NodeId, Score, Scores, ScoresBuilder, Vertex,
};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::player::{Ending, GameId, Player};
use crate::rules::{FieldValue, Objective};

/// The marks of an explored game, for one objective.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goals {
    /// A priority for each vertex: Alice wants the greatest that comes again and again to be even,
    /// Bob odd.
    Priorities(Vec<u32>),
    /// A weight for each move, positive for Alice.
    Weights(Scores),
}

/// A vertex of an explicit graph, perhaps with the players exchanged.
struct Place<'a> {
    network: &'a Network,
    vertex: &'a Vertex,
    exchanged: bool,
}

impl Games {
    fn place(&self, game: GameId) -> Option<Place<'_>> {
        match self.expr(game) {
            GameExpr::Vertex(id, vertex) => {
                let network = self.network(*id);
                Some(Place {
                    network,
                    vertex: network.vertex(*vertex),
                    exchanged: false,
                })
            }
            GameExpr::Conjugate(inner) => self.place(*inner).map(|place| Place {
                exchanged: !place.exchanged,
                ..place
            }),
            GameExpr::Ruled(inner, _) => self.place(*inner),
            GameExpr::Ended(_)
            | GameExpr::Sum(..)
            | GameExpr::Power(..)
            | GameExpr::Wedge(..)
            | GameExpr::Braces(_)
            | GameExpr::Truncation(..)
            | GameExpr::Cut(..)
            | GameExpr::State(..) => None,
        }
    }
}

impl Explored {
    /// The priorities by which Alice wins if she comes to accepting vertices again and again.
    ///
    /// # Errors
    /// If there is a cycle in a game that says nothing of accepting vertices.
    pub fn accepting(&self, games: &mut Games) -> Result<Goals> {
        let missing = |what: &str| {
            unmarked(format!(
                "no accepting positions are named, but play can return again and again to {what}"
            ))
            .help("add a line `accepting: x, y` to the graph")
        };
        self.priorities(games, missing, |place| {
            let priority = if place.vertex.marks.accepting { 2 } else { 1 };
            place.network.accepts().then_some(priority)
        })
    }

    /// The priorities of the vertices.
    ///
    /// # Errors
    /// If a vertex on a cycle has none.
    pub fn parities(&self, games: &mut Games) -> Result<Goals> {
        let missing = |what: &str| {
            unmarked(format!("{what} has no priority, but play can come there again and again"))
                .help("add lines `priority 0: x, y` to the graph; Alice wants the greatest to be even, Bob odd")
        };
        self.priorities(games, missing, |place| place.vertex.marks.priority)
    }

    fn priorities(
        &self,
        games: &mut Games,
        missing: impl Fn(&str) -> Diagnostic,
        of: impl Fn(&Place<'_>) -> Option<u32>,
    ) -> Result<Goals> {
        let mut priorities = vec![0; self.graph.len()];
        for node in self.on_cycles() {
            let game = self.game(games, node);
            let place = games.place(game);
            let priority = place.and_then(|place| Some(of(&place)? + u32::from(place.exchanged)));
            let Some(priority) = priority else {
                return Err(missing(&crate::game::print_game(games, game)).into());
            };
            priorities[node.index()] = priority;
        }
        Ok(Goals::Priorities(priorities))
    }

    /// How play counts that stands still at a vertex for ever: by its weight, its priority, or
    /// whether it is accepting; without an objective of infinite play it is a draw.
    ///
    /// # Errors
    /// If a vertex that is no ending does not say what the objective needs.
    pub fn standing(&self, games: &mut Games, objective: Objective) -> Result<Vec<Ending>> {
        let mut standing = vec![Ending::Draw; self.graph.len()];
        for node in self
            .graph
            .nodes()
            .filter(|node| self.graph.ending(*node).is_none())
        {
            let game = self.game(games, node);
            let place = games.place(game);
            let exchanged = place.as_ref().is_some_and(|place| place.exchanged);
            let said = place.and_then(|place| stood_still(&place, objective));
            let Some(ending) =
                said.or((objective == Objective::Reachability).then_some(Ending::Draw))
            else {
                let (name, value) = FieldValue::Objective(objective).words();
                let what = crate::game::print_game(games, game);
                return Err(unmarked(format!(
                    "{what} does not say what `{name}: {value}` needs, but play can stand still there"
                ))
                .help("add `weight 1: x`, `priority 2: x` or `accepting: x` to the graph")
                .into());
            };
            standing[node.index()] = if exchanged {
                ending.conjugate()
            } else {
                ending
            };
        }
        Ok(standing)
    }

    /// The weights of the moves: that of the vertex and that of the edge.
    ///
    /// # Errors
    /// If there is a cycle in a game without weights, or the weights are too large.
    pub fn weights(&self, games: &mut Games) -> Result<Goals> {
        let mut weights = ScoresBuilder::new(&self.graph);
        for tail in self.on_cycles() {
            let game = self.game(games, tail);
            let Some(place) = games
                .place(game)
                .filter(|place| place.network.is_weighted())
            else {
                let what = crate::game::print_game(games, game);
                return Err(unmarked(format!(
                    "no weights are given, but play can return again and again to {what}"
                ))
                .help("add lines `weight 1: x, y` to the graph, or `weight 1` behind its edges")
                .into());
            };
            let (own, exchanged) = (
                place.vertex.marks.weight.unwrap_or_default(),
                place.exchanged,
            );
            let moves = Player::BOTH.map(|player| {
                let edges = place.vertex.loaded(player);
                edges
                    .map(|(head, load)| (head, load + own))
                    .collect::<Vec<_>>()
            });
            for (player, moves) in Player::BOTH.into_iter().zip(moves) {
                for (head, weight) in moves {
                    let head = self.head(games, game, head);
                    let (player, weight) = if exchanged {
                        (player.other(), -weight)
                    } else {
                        (player, weight)
                    };
                    weights.weigh(player, tail, head, weight);
                }
            }
        }
        let weights = weights.finish().ok_or_else(|| {
            Diagnostic::new(Code::BadValue, "the weights of this game are too large")
                .help("weights are kept in 64 bits, in units of their common denominator; use smaller numbers or rounder fractions")
        })?;
        Ok(Goals::Weights(weights))
    }

    /// Where an edge of an explicit graph leads from a position of it.
    fn head(&self, games: &mut Games, from: GameId, head: Head) -> NodeId {
        let (inner, exchanged) = match games.expr(from) {
            GameExpr::Conjugate(inner) => (*inner, true),
            _ => (from, false),
        };
        let option = match (head, games.expr(inner)) {
            (Head::Game(game), _) => game,
            (Head::Vertex(to), GameExpr::Vertex(network, _)) => {
                let network = *network;
                games.vertex(network, to)
            }
            (Head::Vertex(_), _) => unreachable!("vertices belong to networks"),
        };
        let option = if exchanged {
            games.conjugate(option)
        } else {
            option
        };
        self.node_of_option(games, option)
    }

    /// The vertices to which a play can come again.
    fn on_cycles(&self) -> Vec<NodeId> {
        let components = self.graph.components();
        components
            .iter()
            .filter(|(_, cyclic)| *cyclic)
            .flat_map(|(vertices, _)| vertices.to_vec())
            .collect()
    }
}

/// How play counts that stands still at a vertex for ever, its players not exchanged; `None` if the
/// graph does not say.
fn stood_still(place: &Place<'_>, objective: Objective) -> Option<Ending> {
    let marks = &place.vertex.marks;
    let won = |wins: bool| Ending::Win(if wins { Player::Alice } else { Player::Bob });
    match objective {
        Objective::Reachability => None,
        Objective::Buchi => place.network.accepts().then_some(won(marks.accepting)),
        Objective::Parity => marks.priority.map(|priority| won(priority % 2 == 0)),
        Objective::MeanPayoff if !place.network.is_weighted() => None,
        Objective::MeanPayoff => Some(
            match marks.weight.unwrap_or_default().cmp(&Score::default()) {
                std::cmp::Ordering::Less => won(false),
                std::cmp::Ordering::Equal => Ending::Draw,
                std::cmp::Ordering::Greater => won(true),
            },
        ),
    }
}

fn unmarked(message: String) -> Diagnostic {
    Diagnostic::new(Code::Unmarked, message)
}
