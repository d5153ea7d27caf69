//! `node_link`: the graph of a game as node-link JSON, as [`crate::interchange`] reads it back.

use std::collections::{HashMap, HashSet};
use std::fmt;

use num_traits::Zero;
use serde::Serialize;

use crate::diagnostic::Result;
use crate::eval::{Call, Evaluator};
use crate::game::{Explored, GameExpr, Games, Head, NodeId, Scores, print_game, print_position};
use crate::interchange::Key;
use crate::ir::Value;
use crate::player::{Ending, GameId, Player};
use crate::report::Page;

#[derive(Serialize)]
struct Document {
    directed: bool,
    multigraph: bool,
    graph: Named,
    nodes: Vec<Node>,
    edges: Vec<Link>,
}

#[derive(Serialize)]
struct Named {
    name: String,
    start: Key,
}

#[derive(Serialize)]
struct Node {
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
}

#[derive(Serialize)]
struct Link {
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

/// Where a move leads, what it is worth to whoever makes it, and what it adds to the mean payoff.
type Played = (NodeId, Option<String>, Option<String>);

/// A graph that is being written.
struct Writer<'a> {
    explored: &'a Explored,
    scores: Option<&'a Scores>,
    games: &'a mut Games,
    /// What the vertices are called, each in its own way.
    keys: Vec<Key>,
}

pub(super) fn node_link(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game()?;
    let explored = evaluator.explore(game)?;
    let watch = evaluator.watch;
    let games = &mut evaluator.world.games;
    let scores = explored.weigh(games, watch)?;
    let mut writer = Writer {
        explored: &explored,
        scores: scores.as_ref(),
        games,
        keys: Vec::new(),
    };
    writer.name();
    let nodes = explored.graph.nodes();
    let document = Document {
        directed: true,
        multigraph: true,
        graph: Named {
            name: print_game(writer.games, game),
            start: writer.keys[explored.graph.start().index()].clone(),
        },
        nodes: nodes.clone().map(|node| writer.node(node)).collect(),
        edges: nodes.flat_map(|node| writer.links(node)).collect(),
    };
    // Every document can be serialised: only the page fails, when it is stopped.
    let text = Page::written(watch, |page| {
        serde_json::to_writer(page, &document).map_err(|_| fmt::Error)
    })?;
    Ok(Value::text(text))
}

impl Writer<'_> {
    /// Finds a name for each vertex: what its position prints as, with a number where another one
    /// prints so too.
    fn name(&mut self) {
        let (mut taken, mut met) = (HashSet::new(), HashMap::<Key, usize>::new());
        for node in self.explored.graph.nodes() {
            let key = self.key(node);
            let times = met.entry(key.clone()).or_default();
            let mut own = key.clone();
            while !taken.insert(own.clone()) {
                *times += 1;
                own = Key::Text(format!("{} #{}", key.name(), *times + 1));
            }
            self.keys.push(own);
        }
    }

    fn key(&mut self, node: NodeId) -> Key {
        if node.index() >= self.explored.position_count() {
            return Key::Text("no move".to_owned());
        }
        let game = self.explored.game(self.games, node);
        let text = print_position(self.games, game);
        match self.games.expr(self.games.unruled(game)) {
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

    /// The game at a vertex, if it is a position.
    fn game(&mut self, node: NodeId) -> Option<GameId> {
        (node.index() < self.explored.position_count())
            .then(|| self.explored.game(self.games, node))
    }

    fn node(&mut self, node: NodeId) -> Node {
        let ending = self.explored.graph.ending(node);
        let score = self
            .scores
            .filter(|_| ending.is_some())
            .map(|scores| scores.score(scores.ending(node)).to_string());
        let (mut accepting, mut priority, mut weight) = (None, None, None);
        if let Some(game) = self.game(node)
            && let GameExpr::Vertex(network, vertex) = *self.games.expr(game)
        {
            let network = self.games.network(network);
            let marks = &network.vertex(vertex).marks;
            accepting = network.accepts().then_some(marks.accepting);
            priority = marks.priority;
            weight = marks.weight.map(|weight| weight.to_string());
        }
        Node {
            id: self.keys[node.index()].clone(),
            win: match ending {
                Some(Ending::Win(player)) => Some(player.word()),
                Some(Ending::Draw) | None => None,
            },
            draw: ending == Some(Ending::Draw) && score.is_none(),
            score,
            turn: self.explored.graph.owner(node).map(Player::word),
            accepting,
            priority,
            weight,
        }
    }

    /// The edges from a vertex: one where both players have it and it says the same of both.
    fn links(&mut self, tail: NodeId) -> Vec<Link> {
        let [alice, bob] = Player::BOTH.map(|player| self.moves(tail, player));
        let shared: Vec<Played> = alice
            .iter()
            .filter(|played| bob.contains(played))
            .cloned()
            .collect();
        let link = |player, (head, score, weight): Played| Link {
            source: self.keys[tail.index()].clone(),
            target: self.keys[head.index()].clone(),
            player,
            score,
            weight,
        };
        let own = |player: Player, moves: Vec<Played>| {
            let own = moves.into_iter().filter(|played| !shared.contains(played));
            own.map(move |played| (player.word(), played))
                .collect::<Vec<_>>()
        };
        let (alice, bob) = (own(Player::Alice, alice), own(Player::Bob, bob));
        let both = shared.into_iter().map(|played| ("both", played));
        both.chain(alice)
            .chain(bob)
            .map(|(player, played)| link(player, played))
            .collect()
    }

    /// A player's moves from a vertex, with what each is worth to the player and what it adds to
    /// the mean payoff.
    fn moves(&mut self, tail: NodeId, player: Player) -> Vec<Played> {
        let explored = self.explored;
        let graph = &explored.graph;
        let heads = graph.successors(tail, player);
        let scores = self
            .scores
            .map(|scores| scores.weights(graph, tail, player));
        let loads = self
            .game(tail)
            .map_or(Vec::new(), |game| self.loads(game, player));
        let mut found = Vec::new();
        for (place, head) in heads.iter().enumerate() {
            let score = self.scores.zip(scores).map(|(all, units)| {
                let score = all.score(units[place]);
                if player == Player::Alice {
                    score
                } else {
                    -score
                }
                .to_string()
            });
            let to = self.game(*head);
            let load = loads
                .iter()
                .find(|(game, _)| Some(*game) == to)
                .map(|(_, load)| load.clone());
            found.push((*head, score, load));
        }
        found
    }

    /// What the edges of an explicit graph add to the mean payoff, by where they lead.
    fn loads(&mut self, game: GameId, player: Player) -> Vec<(GameId, String)> {
        let GameExpr::Vertex(id, vertex) = *self.games.expr(game) else {
            return Vec::new();
        };
        let network = self.games.network(id);
        if !network.is_weighted() {
            return Vec::new();
        }
        let vertex = network.vertex(vertex);
        let edges = vertex
            .playable(player)
            .to_vec()
            .into_iter()
            .zip(vertex.loads[player].clone());
        let edges: Vec<_> = edges.filter(|(_, load)| !load.is_zero()).collect();
        let to = |games: &mut Games, head| match head {
            Head::Vertex(to) => games.vertex(id, to),
            Head::Game(game) => game,
        };
        edges
            .into_iter()
            .map(|(head, load)| (to(self.games, head), load.to_string()))
            .collect()
    }
}
