//! Writes the graph of a game as node-link JSON (`node_link`), which [`crate::interchange`] reads.

use std::collections::{HashMap, HashSet};
use std::fmt;

use num_traits::Zero;
use serde::Serialize;

use crate::diagnostic::Result;
use crate::eval::{Call, Evaluator};
use crate::game::{
    Explored, GameExpr, GameGraph, Games, NodeId, Scores, for_alice, print_game, print_position,
};
use crate::interchange::Key;
use crate::ir::Value;
use crate::library::totals::classes::for_bob;
use crate::player::{Ending, Player};
use crate::report::Page;
use crate::watch::{Context, watched};

#[derive(Serialize)]
struct NodeLinkDocument {
    directed: bool,
    multigraph: bool,
    graph: GraphRecord,
    nodes: Vec<NodeRecord>,
    edges: Vec<LinkRecord>,
}

#[derive(Serialize)]
struct GraphRecord {
    name: String,
    start: Key,
}

#[derive(Serialize)]
struct NodeRecord {
    id: Key,
    #[serde(skip_serializing_if = "Option::is_none")]
    win: Option<&'static str>,
    #[serde(skip_serializing_if = "is_false")]
    draw: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepting: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weight: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    income_alice: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    income_bob: Option<String>,
}

#[derive(Clone, Serialize)]
struct LinkRecord {
    source: Key,
    target: Key,
    player: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weight: Option<String>,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// The head of a move, its score for the player who makes it, and its weight in the mean payoff.
type LinkedMove = (NodeId, Option<String>, Option<String>);

/// The state of writing a graph.
struct NodeLinkWriter<'a> {
    explored: &'a Explored,
    scores: Option<&'a Scores>,
    games: &'a mut Games,
    /// The names of the vertices, which are unique.
    keys: Vec<Key>,
}

pub(crate) fn node_link(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    let explored = evaluator.ask().explore(game)?;
    let context = evaluator.context;
    let games = &mut evaluator.world.games;
    let scores = explored.weigh(games, context)?;
    let mut writer = NodeLinkWriter {
        explored: &explored,
        scores: scores.as_ref(),
        games,
        keys: Vec::new(),
    };
    writer.name(context)?;
    let nodes = || watched(explored.graph.nodes(), context);
    let document = NodeLinkDocument {
        directed: true,
        multigraph: true,
        graph: GraphRecord {
            name: print_game(writer.games, game),
            start: writer.keys[explored.graph.start().index()].clone(),
        },
        nodes: nodes()
            .map(|node| writer.node(node?))
            .collect::<Result<_>>()?,
        edges: nodes()
            .map(|node| writer.links(node?))
            .collect::<Result<Vec<_>>>()?
            .concat(),
    };
    // Every document can be serialised; only the page can fail, when the work is stopped.
    let text = Page::written(context, |page| {
        serde_json::to_writer(page, &document).map_err(|_| fmt::Error)
    })?;
    Ok(Value::text(text))
}

/// Returns the part of all money that a player receives before the bid at a vertex, if any.
pub(crate) fn received(graph: &GameGraph, node: NodeId, player: Player) -> Option<String> {
    let part = graph.income(node)?.of(player);
    (!part.is_zero()).then(|| part.to_string())
}

impl NodeLinkWriter<'_> {
    /// Finds a name for each vertex: the printed position, with a number if another vertex prints
    /// alike.
    fn name(&mut self, context: &Context<'_>) -> Result<()> {
        let (mut taken, mut met) = (HashSet::new(), HashMap::<Key, usize>::new());
        for node in watched(self.explored.graph.nodes(), context) {
            let key = self.key(node?);
            let times = met.entry(key.clone()).or_default();
            let mut own = key.clone();
            // A position may itself print as a name with such a number, so each candidate is
            // tested.
            while !taken.insert(own.clone()) {
                *times += 1;
                let name = match &key {
                    Key::Text(text) => text.clone(),
                    Key::Integer(_) | Key::Tuple(_) => key.name(),
                };
                own = Key::Text(format!("{name} #{}", *times + 1));
            }
            self.keys.push(own);
        }
        Ok(())
    }

    fn key(&mut self, node: NodeId) -> Key {
        if node.index() >= self.explored.position_count() {
            return Key::Text("no move".to_owned());
        }
        let game = self.explored.game(self.games, node);
        let text = print_position(self.games, game);
        match self.games.expr(self.games.beneath_rules(game)) {
            GameExpr::Vertex(..) => Key::of_name(&text),
            GameExpr::Ended(_)
            | GameExpr::Power(..)
            | GameExpr::Wedge(..)
            | GameExpr::Braces(_)
            | GameExpr::Conjugate(_)
            | GameExpr::Truncation(..)
            | GameExpr::Cut(..)
            | GameExpr::State(..)
            | GameExpr::Sum(..)
            | GameExpr::Ruled(..) => Key::Text(text),
        }
    }

    fn node(&mut self, node: NodeId) -> Result<NodeRecord> {
        let ending = self.explored.graph.ending(node);
        let score = self
            .scores
            .filter(|_| ending.is_some())
            .map(|scores| scores.score(scores.ending(node)).to_string());
        let game = self.explored.game(self.games, node);
        let marks = self.games.endless_marks(game);
        if marks.accepting.bob.is_some() {
            return Err(for_bob("node-link JSON").into());
        }
        let income = |player| received(&self.explored.graph, node, player);
        Ok(NodeRecord {
            id: self.keys[node.index()].clone(),
            win: match ending {
                Some(Ending::Win(player)) => Some(player.word()),
                Some(Ending::Draw) | None => None,
            },
            // In a scoring game an ending is told by its score, and a draw is only how it is
            // stored.
            draw: ending == Some(Ending::Draw) && score.is_none(),
            score,
            turn: self.explored.graph.owner(node).map(Player::word),
            accepting: marks.accepting.alice,
            priority: marks.priority,
            weight: marks.weight.map(|weight| weight.to_string()),
            income_alice: income(Player::Alice),
            income_bob: income(Player::Bob),
        })
    }

    /// Returns the edges from a vertex: a single edge if both players have it with the same score
    /// and weight.
    fn links(&mut self, tail: NodeId) -> Result<Vec<LinkRecord>> {
        let alice = self.moves(tail, Player::Alice)?;
        let bob = self.moves(tail, Player::Bob)?;
        let shared: Vec<LinkedMove> = alice
            .iter()
            .filter(|played| bob.contains(played))
            .cloned()
            .collect();
        let link = |player, (head, score, weight): LinkedMove| LinkRecord {
            source: self.keys[tail.index()].clone(),
            target: self.keys[head.index()].clone(),
            player,
            score,
            weight,
        };
        let own = |player: Player, moves: Vec<LinkedMove>| {
            let own = moves.into_iter().filter(|played| !shared.contains(played));
            own.map(move |played| (player.word(), played))
                .collect::<Vec<_>>()
        };
        let (alice, bob) = (own(Player::Alice, alice), own(Player::Bob, bob));
        let both = shared.into_iter().map(|played| ("both", played));
        Ok(both
            .chain(alice)
            .chain(bob)
            .map(|(player, played)| link(player, played))
            .collect())
    }

    /// Returns a player's moves from a vertex, with the score of each for the player and its weight
    /// in the mean payoff.
    fn moves(&mut self, tail: NodeId, player: Player) -> Result<Vec<LinkedMove>> {
        let graph = &self.explored.graph;
        let scores = self
            .scores
            .map(|scores| scores.weights(graph, tail, player));
        let loads = self.explored.loads(self.games, tail, player)?;
        let heads = graph.successors(tail, player).iter().enumerate();
        let played = heads.map(|(place, head)| {
            let score = self
                .scores
                .zip(scores)
                .map(|(all, units)| for_alice(player, all.score(units[place])).to_string());
            let load = loads
                .iter()
                .find(|(to, load)| to == head && !load.is_zero())
                .map(|(_, load)| load.to_string());
            (*head, score, load)
        });
        Ok(played.collect())
    }
}
