//! Priorities and weights of explored games, which the objectives of infinite play need.
//!
//! A priority or an accepting mark belongs to a vertex, a weight to a vertex or a move. In a
//! conjugate every priority is one higher, so that even and odd exchange, every weight has the
//! other sign, and accepting vertices are Bob's aim. A vertex on no cycle needs no mark, since a
//! play visits it at most once.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::expr::GameCore;
use super::scores::better;
use super::{
    Edge, Explored, GameExpr, GameGraph, Games, Network, NodeId, Score, Scores, ScoresBuilder,
    Vertex,
};
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::player::{Ending, GameId, PerPlayer, Player};
use crate::rules::{FieldValue, Objective};
use crate::watch::{Context, watched};

/// The marks of an explored game, for one objective.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goals {
    /// A priority for each vertex: Alice wants the greatest priority visited infinitely often to be
    /// even, Bob odd.
    Priorities(Vec<u32>),
    /// A weight for each move, positive for Alice.
    Weights(Scores),
}

/// A graph with the goals of its infinite play, if it is played for any.
#[derive(Debug, Clone, Copy)]
pub struct MarkedGraph<'a> {
    /// The graph.
    pub graph: &'a GameGraph,
    /// The goals; without any, play that goes on for ever is a draw.
    pub goals: Option<&'a Goals>,
}

impl<'a> From<&'a GameGraph> for MarkedGraph<'a> {
    fn from(graph: &'a GameGraph) -> Self {
        Self { graph, goals: None }
    }
}

impl<'a> From<(&'a GameGraph, &'a Goals)> for MarkedGraph<'a> {
    fn from((graph, goals): (&'a GameGraph, &'a Goals)) -> Self {
        Self {
            graph,
            goals: Some(goals),
        }
    }
}

/// The marks of a position for plays that visit it infinitely often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct EndlessMarks {
    /// For each player, whether the position is accepting, if this player wants to visit accepting
    /// positions infinitely often; `None` if no accepting positions are named for the player.
    pub accepting: PerPlayer<Option<bool>>,
    /// The position's priority: Alice wants the greatest priority visited infinitely often to be
    /// even.
    pub priority: Option<u32>,
    /// The amount that each move from here adds, positive for Alice; `None` if the game has no
    /// weights.
    pub weight: Option<Score>,
}

impl EndlessMarks {
    /// Returns the marks with the players exchanged.
    fn exchanged(self) -> Self {
        Self {
            accepting: self.accepting.swapped(),
            // One more exchanges even and odd, and keeps the order of the priorities.
            priority: self.priority.map(|priority| priority + 1),
            weight: self.weight.map(|weight| -weight),
        }
    }

    /// Returns the priority that expresses the aim of visiting accepting positions infinitely
    /// often.
    fn accepting_priority(&self) -> Option<u32> {
        let of = |player: Player, [accepting, other]: [u32; 2]| {
            self.accepting[player].map(|here| if here { accepting } else { other })
        };
        // The accepting priority is the greater one, and its parity is that of the player who wants
        // it.
        of(Player::Alice, [2, 1]).or_else(|| of(Player::Bob, [3, 2]))
    }

    /// Returns the result of a play that stays at this position for ever; `None` if the marks do
    /// not determine it.
    fn stood_still(&self, objective: Objective) -> Option<Ending> {
        let by_priority = |priority: u32| {
            Ending::Win(if priority.is_multiple_of(2) {
                Player::Alice
            } else {
                Player::Bob
            })
        };
        match objective {
            Objective::Reachability => Some(Ending::Draw),
            Objective::Buchi => self.accepting_priority().map(by_priority),
            Objective::Parity => self.priority.map(by_priority),
            // The result depends on the sum so far, which the marks of one position do not tell.
            Objective::Energy => None,
            Objective::MeanPayoff => {
                self.weight
                    .map(|weight| match weight.cmp(&Score::default()) {
                        std::cmp::Ordering::Less => Ending::Win(Player::Bob),
                        std::cmp::Ordering::Equal => Ending::Draw,
                        std::cmp::Ordering::Greater => Ending::Win(Player::Alice),
                    })
            }
        }
    }
}

/// The marks and move weights of all vertices of an explored game that lie on cycles.
#[derive(Debug, Clone, Default)]
pub struct EndlessPlay {
    marks: FxHashMap<NodeId, EndlessMarks>,
    loads: FxHashMap<(NodeId, Player), Vec<(NodeId, Score)>>,
}

impl EndlessPlay {
    /// Returns `true` if no vertex has marks.
    pub fn is_silent(&self) -> bool {
        self.marks.is_empty()
    }

    /// Returns the marks of a position.
    pub fn marks(&self, node: NodeId) -> EndlessMarks {
        self.marks.get(&node).copied().unwrap_or_default()
    }

    /// Returns the amount that a player's move adds to the mean payoff, besides the weight of the
    /// position that it leaves.
    pub fn load(&self, tail: NodeId, player: Player, head: NodeId) -> Score {
        let loads = self
            .loads
            .get(&(tail, player))
            .map_or(&[][..], Vec::as_slice);
        let load = loads.iter().find(|(to, _)| *to == head);
        load.map_or(Score::default(), |(_, load)| *load)
    }
}

impl Games {
    /// Returns the vertex of an explicit graph that a position corresponds to, perhaps with the
    /// players exchanged.
    fn place(&self, game: GameId) -> Option<(&Network, &Vertex, GameCore<'_>)> {
        let core = self.core(game);
        let GameExpr::Vertex(network, vertex) = core.expr else {
            return None;
        };
        let network = self.network(*network);
        Some((network, network.vertex(*vertex), core))
    }

    /// Builds the diagnostic of a position that lacks a mark, with the help for a vertex.
    fn unmarked(&self, game: GameId, why: impl Fn(&str) -> String, help: &str) -> Diagnostic {
        let help = match self.place(game) {
            Some(_) => help,
            None => {
                "only the vertices of a `graph { … }` are marked: write the game as one, without sums and rulesets"
            }
        };
        Diagnostic::new(Code::Unmarked, why(&crate::print_game(self, game))).help(help)
    }

    /// Returns the marks of a position; they are empty unless the position is a vertex of an
    /// explicit graph.
    pub fn endless_marks(&self, game: GameId) -> EndlessMarks {
        let Some((network, vertex, core)) = self.place(game) else {
            return EndlessMarks::default();
        };
        let said = vertex.marks();
        let accepting = network.accepts.then_some(said.accepting);
        let marks = EndlessMarks {
            accepting: PerPlayer::new(accepting, None),
            priority: said.priority,
            weight: network.weighted.then(|| said.weight.unwrap_or_default()),
        };
        if core.is_exchanged {
            marks.exchanged()
        } else {
            marks
        }
    }
}

impl Explored {
    /// Returns the priorities by which Alice wins if she visits accepting vertices infinitely
    /// often.
    ///
    /// # Errors
    /// If there is a cycle in a game that names no accepting vertices, or the work is stopped.
    pub fn accepting(&self, games: &mut Games, context: &Context<'_>) -> Result<Goals> {
        let why = |what: &str| {
            format!(
                "no accepting positions are named, but play can return again and again to {what}"
            )
        };
        let help = "add a line `accepting: x, y` to the graph";
        self.priorities(games, EndlessMarks::accepting_priority, why, help, context)
    }

    /// Returns the priorities of the vertices.
    ///
    /// # Errors
    /// If a vertex on a cycle has no priority, or the work is stopped.
    pub fn parities(&self, games: &mut Games, context: &Context<'_>) -> Result<Goals> {
        let why =
            |what: &str| format!("{what} has no priority, but play can come there again and again");
        let help = "add lines `priority 0: x, y` to the graph; Alice wants the greatest to be even, Bob odd";
        self.priorities(games, |marks| marks.priority, why, help, context)
    }

    /// Returns the priorities of the vertices on cycles. `why` and `help` tell of a vertex without
    /// one.
    fn priorities(
        &self,
        games: &mut Games,
        of: impl Fn(&EndlessMarks) -> Option<u32>,
        why: impl Fn(&str) -> String,
        help: &str,
        context: &Context<'_>,
    ) -> Result<Goals> {
        let mut priorities = vec![0; self.graph.len()];
        for node in watched(self.on_cycles(), context) {
            let node = node?;
            let game = self.game(games, node);
            let Some(priority) = of(&games.endless_marks(game)) else {
                return Err(games.unmarked(game, why, help).into());
            };
            priorities[node.index()] = priority;
        }
        // Users may write any numbers, and conjugates add to them.
        lower(&mut priorities);
        Ok(Goals::Priorities(priorities))
    }

    /// Returns, for each vertex, the result of a play that stays there for ever. Its weight, its
    /// priority or its accepting mark determines it; without an objective of infinite play it is a
    /// draw.
    ///
    /// # Errors
    /// If a vertex that is no ending lacks the mark that the objective needs, or the work is
    /// stopped.
    pub fn standing(
        &self,
        games: &mut Games,
        objective: Objective,
        context: &Context<'_>,
    ) -> Result<Vec<Ending>> {
        if objective == Objective::Energy {
            let (name, value) = FieldValue::Objective(objective).words();
            return Err(Diagnostic::unsupported(format!("mixed bids under `{name}: {value}`"))
            .note("the winner depends on the sum of the weights before play stands still")
            .help("write `objective: mean_payoff`, by which the weight of that position decides")
            .into());
        }
        let mut standing = vec![Ending::Draw; self.graph.len()];
        let open = self
            .graph
            .nodes()
            .filter(|node| self.graph.ending(*node).is_none());
        for node in watched(open, context) {
            let node = node?;
            let game = self.game(games, node);
            let Some(ending) = games.endless_marks(game).stood_still(objective) else {
                let (name, value) = FieldValue::Objective(objective).words();
                let why = |what: &str| {
                    format!(
                        "{what} does not say what `{name}: {value}` needs, but play can stand still there"
                    )
                };
                let help = "add `weight 1: x`, `priority 2: x` or `accepting: x` to the graph";
                return Err(games.unmarked(game, why, help).into());
            };
            standing[node.index()] = ending;
        }
        Ok(standing)
    }

    /// Returns the weights of the moves that can be made again and again: the sum of the vertex's
    /// weight and the edge's.
    ///
    /// # Errors
    /// If there is a cycle in a game without weights, the weights are too large, or the work is
    /// stopped.
    pub fn weights(&self, games: &mut Games, context: &Context<'_>) -> Result<Goals> {
        self.weights_from(self.on_cycles(), games, context)
    }

    /// Returns the weights of all moves.
    ///
    /// # Errors
    /// The errors of [`Explored::weights`].
    pub fn all_weights(&self, games: &mut Games, context: &Context<'_>) -> Result<Goals> {
        // Positions without weights to which play can come back are kept, to be complained of.
        let mut tails = self.on_cycles();
        for node in watched(self.graph.nodes(), context) {
            let node = node?;
            let game = self.game(games, node);
            let is_open = self.graph.ending(node).is_none();
            if is_open && games.endless_marks(game).weight.is_some() {
                tails.push(node);
            }
        }
        tails.sort_unstable();
        tails.dedup();
        self.weights_from(tails, games, context)
    }

    fn weights_from(
        &self,
        tails: Vec<NodeId>,
        games: &mut Games,
        context: &Context<'_>,
    ) -> Result<Goals> {
        let mut weights = ScoresBuilder::new(&self.graph);
        for tail in watched(tails, context) {
            let tail = tail?;
            let game = self.game(games, tail);
            let Some(own) = games.endless_marks(game).weight else {
                let why = |what: &str| {
                    format!("no weights are given, but play can return again and again to {what}")
                };
                let help =
                    "add lines `weight 1: x, y` to the graph, or `weight 1` behind its edges";
                return Err(games.unmarked(game, why, help).into());
            };
            for player in Player::BOTH {
                for (head, load) in self.loads(games, tail, player)? {
                    weights.weigh(player, tail, head, own + load);
                }
            }
        }
        let weights = weights.finish().ok_or_else(|| {
            Diagnostic::new(Code::BadValue, "the weights of this game are too large")
                .help("weights are kept in 64 bits, in units of their common denominator; use smaller numbers or simpler fractions")
        })?;
        Ok(Goals::Weights(weights))
    }

    /// Returns the amounts that a player's moves from a vertex add to the mean payoff besides the
    /// vertex's own weight, positive for Alice, in the order of
    /// [`GameGraph::successors`](super::GameGraph::successors). Of several edges with the same head
    /// it keeps the best for the player. The result is empty if no weights are given.
    ///
    /// If play stops at the vertex because the player has no edge there, the vertex's own weight is
    /// taken back, because no move has left it.
    ///
    /// # Errors
    /// If a ruleset's state leaves its range.
    pub fn loads(
        &self,
        games: &mut Games,
        tail: NodeId,
        player: Player,
    ) -> Result<Vec<(NodeId, Score)>> {
        let game = self.game(games, tail);
        let Some((network, vertex, core)) = games.place(game) else {
            return Ok(Vec::new());
        };
        if !network.weighted || self.graph.ending(tail).is_some() {
            return Ok(Vec::new());
        }
        let mover = core.part(player);
        let sign = Score::from_integer(if mover == player { 1 } else { -1 });
        // The moves of the game are the edges of its vertex, in their order, or the one move that
        // the rules add for a player without edges.
        let loads: Vec<Score> = vertex.playable(mover).iter().map(Edge::load).collect();
        let own = games.endless_marks(game).weight.unwrap_or_default();
        let mut options = Vec::new();
        games.moves(game, player, &mut options)?;
        let loads = loads.into_iter().map(Some).chain(std::iter::repeat(None));
        let mut best = BTreeMap::<NodeId, Score>::new();
        for (option, load) in options.into_iter().zip(loads) {
            let head = self.node_of_option(games, option);
            let load = match load {
                Some(load) => sign * load,
                None if self.graph.ending(head).is_some() => -own,
                // A player without edges who passes makes a move.
                None => Score::default(),
            };
            let kept = best.entry(head).or_insert(load);
            // Parallel edges are one edge of the graph, and the player would choose the better one.
            *kept = better(player, *kept, load);
        }
        Ok(best.into_iter().collect())
    }

    /// Collects the marks and move weights of all vertices on cycles.
    ///
    /// # Errors
    /// If a ruleset's state leaves its range, or the work is stopped.
    pub fn endless_play(&self, games: &mut Games, context: &Context<'_>) -> Result<EndlessPlay> {
        let mut said = EndlessPlay::default();
        for node in watched(self.on_cycles(), context) {
            let node = node?;
            let game = self.game(games, node);
            let marks = games.endless_marks(game);
            if marks == EndlessMarks::default() {
                continue;
            }
            said.marks.insert(node, marks);
            for player in Player::BOTH {
                let loads = self.loads(games, node, player)?;
                said.loads.insert((node, player), loads);
            }
        }
        Ok(said)
    }

    /// Returns the vertices that lie on cycles.
    fn on_cycles(&self) -> Vec<NodeId> {
        let components = self.graph.components();
        components
            .iter()
            .filter(|(_, cyclic)| *cyclic)
            .flat_map(|(vertices, _)| vertices.to_vec())
            .collect()
    }
}

/// Makes priorities as small as possible without changing their order or their parities, so that
/// greater numbers always remain available.
fn lower(priorities: &mut [u32]) {
    let mut distinct = priorities.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let mut lowered = Vec::<u32>::with_capacity(distinct.len());
    for priority in &distinct {
        let least = lowered.last().map_or(0, |below| below + 1);
        // The sum is odd exactly if the least free number has the other parity.
        lowered.push(least + (least + priority % 2) % 2);
    }
    for priority in priorities {
        let place = distinct
            .binary_search(priority)
            .expect("all priorities are among them");
        *priority = lowered[place];
    }
}
