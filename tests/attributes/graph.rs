//! Random graphs with an attribute, and the graphs that constructions make of them.

use std::fmt::Write;

use bid_language::player::Player;
use bid_testing::{GraphShape, Out, graphs};
use proptest::strategy::Strategy;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// The attributes of the vertices and edges of a graph, besides their ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attribute {
    Owner,
    Score,
    VertexWeight,
    EdgeWeight,
    Priority,
    Accepting,
    Income,
}

use Attribute::{Accepting, EdgeWeight, Income, Owner, Priority, Score, VertexWeight};

pub const ALL: [Attribute; 7] = [
    Owner,
    Score,
    VertexWeight,
    EdgeWeight,
    Priority,
    Accepting,
    Income,
];

impl Attribute {
    /// Returns the question about a game that depends on the attribute, and the rules for it.
    pub fn asked(self, game: &str) -> (String, &'static str) {
        match self {
            Owner => (format!("f({game}, 0..5)"), "{ ties: marker }"),
            Score => (format!("o({game}, 4)"), "{}"),
            VertexWeight | EdgeWeight => (format!("R({game})"), "{ objective: mean_payoff }"),
            Priority => (format!("R({game})"), "{ objective: parity }"),
            Accepting => (format!("R({game})"), "{ objective: buchi }"),
            Income => (format!("R({game})"), "{}"),
        }
    }

    /// Returns `true` if the attribute concerns infinite play.
    pub fn is_endless(self) -> bool {
        !matches!(self, Owner | Score | Income)
    }
}

/// An edge: its head, its score and its weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    pub head: usize,
    pub score: i32,
    pub weight: i32,
}

#[derive(Debug, Clone, Default)]
pub struct Vertex {
    /// The ending at the vertex, as a line of the language writes it.
    pub ending: Option<&'static str>,
    pub score: i32,
    pub edges: [Vec<Edge>; 2],
    pub owner: Option<usize>,
    pub weight: i32,
    pub priority: u32,
    pub accepting: bool,
    /// The numbers of sixteenths of all money that the players receive.
    pub income: [u32; 2],
}

/// A graph whose start is its first vertex.
#[derive(Debug, Clone)]
pub struct Graph {
    pub attribute: Attribute,
    pub vertices: Vec<Vertex>,
}

pub const PLAYERS: [&str; 2] = ["alice", "bob"];

/// Generates random graphs with an attribute, and a seed for the rest.
pub fn cases(attribute: Attribute) -> impl Strategy<Value = (Graph, u64)> {
    let shape = GraphShape {
        positions: 1..=4,
        moves: 3..=3,
        stuck: 0.25,
        traps: true,
        // Scores are only asked about if play ends, and with income answers are exact there.
        cycles: if matches!(attribute, Score | Income) {
            0.0
        } else {
            1.0
        },
        draws: 1.0,
        out: Out::Evenly,
        ..GraphShape::SMALL
    };
    (graphs(shape), 0..u64::MAX).prop_map(move |(plain, seed)| {
        let graph = Graph::labelled(&plain, attribute, &mut StdRng::seed_from_u64(seed));
        (graph, seed)
    })
}

impl Graph {
    /// Returns a graph with random labels.
    pub fn labelled(
        plain: &bid_testing::PlainGraph,
        attribute: Attribute,
        dice: &mut StdRng,
    ) -> Self {
        let is_scored = attribute == Score;
        let mut vertices: Vec<Vertex> = plain
            .open()
            .iter()
            .map(|vertex| {
                let edges = Player::both(|player| {
                    let edge = |&head: &usize| Edge {
                        head,
                        score: dice.random_range(-2..=3),
                        weight: dice.random_range(-2..=2),
                    };
                    vertex.moves[player].iter().map(edge).collect()
                });
                Vertex {
                    edges,
                    owner: Some(dice.random_range(0..4)).filter(|owner| *owner < 2),
                    weight: dice.random_range(-2..=2),
                    priority: dice.random_range(0..=3),
                    accepting: dice.random_bool(0.4),
                    income: [0, 1].map(|_| dice.random_range(0..=3)),
                    ..Vertex::default()
                }
            })
            .collect();
        for ending in ["win alice", "win bob", "draw"] {
            vertices.push(Vertex {
                ending: Some(if is_scored { "score" } else { ending }),
                score: dice.random_range(-3..=3),
                ..Vertex::default()
            });
        }
        Self {
            attribute,
            vertices,
        }
    }

    /// Returns the positions that the graph's text names: its start, and the ends of its edges.
    pub fn named(&self) -> Vec<usize> {
        let is_named = |vertex: usize| {
            let edges = self
                .vertices
                .iter()
                .flat_map(|tail| tail.edges.iter().flatten());
            let mut heads = edges.map(|edge| edge.head);
            let leads_on = self.vertices[vertex]
                .edges
                .iter()
                .any(|edges| !edges.is_empty());
            vertex == 0 || leads_on || heads.any(|head| head == vertex)
        };
        (0..self.inner())
            .filter(|vertex| is_named(*vertex))
            .collect()
    }

    /// Returns the graph as text, with a name for each vertex.
    pub fn text(&self, start: usize) -> String {
        let mut out = format!("graph {{ start v{start}");
        for (tail, vertex) in self.vertices.iter().enumerate() {
            for (player, edges) in PLAYERS.iter().zip(&vertex.edges) {
                for edge in edges {
                    write!(out, "; {player} v{tail} -> v{}", edge.head).expect("a string");
                    match self.attribute {
                        Score => write!(out, " score {}", edge.score),
                        EdgeWeight => write!(out, " weight {}", edge.weight),
                        _ => Ok(()),
                    }
                    .expect("a string");
                }
            }
            match vertex.ending {
                Some("score") => write!(out, "; score {}: v{tail}", vertex.score),
                Some(ending) => write!(out, "; {ending}: v{tail}"),
                None => self.say(tail, &mut out),
            }
            .expect("a string");
        }
        // These lines make sure that the graph has weights or accepting vertices at all.
        match self.attribute {
            EdgeWeight => out.push_str("; weight 0: v0"),
            Accepting if !out.contains("accepting") => out.push_str("; accepting: nowhere"),
            _ => {}
        }
        out + " }"
    }

    pub fn say(&self, vertex: usize, out: &mut String) -> std::fmt::Result {
        let said = &self.vertices[vertex];
        match (self.attribute, said.owner) {
            (Owner, Some(owner)) => write!(out, "; turn {}: v{vertex}", PLAYERS[owner]),
            (VertexWeight, _) => write!(out, "; weight {}: v{vertex}", said.weight),
            (Priority, _) => write!(out, "; priority {}: v{vertex}", said.priority),
            (Accepting, _) if said.accepting => write!(out, "; accepting: v{vertex}"),
            (Income, _) => PLAYERS
                .iter()
                .zip(said.income)
                .try_for_each(|(player, part)| {
                    write!(out, "; income {player} {part}/16: v{vertex}")
                }),
            _ => Ok(()),
        }
    }

    /// Returns the graph with the players exchanged. Accepting vertices are then Bob's aim, which
    /// no line can express, so priorities are used: 3 for accepting vertices and 2 for the others.
    pub fn conjugate(&self) -> Self {
        let mut graph = self.clone();
        for vertex in &mut graph.vertices {
            vertex.edges.swap(0, 1);
            for edge in vertex.edges.iter_mut().flatten() {
                edge.weight = -edge.weight;
            }
            vertex.ending = vertex.ending.map(|ending| match ending {
                "win alice" => "win bob",
                "win bob" => "win alice",
                other => other,
            });
            vertex.score = -vertex.score;
            vertex.weight = -vertex.weight;
            vertex.owner = vertex.owner.map(|owner| 1 - owner);
            vertex.income.swap(0, 1);
            vertex.priority = match self.attribute {
                Accepting => 2 + u32::from(vertex.accepting),
                _ => vertex.priority + 1,
            };
        }
        if self.attribute == Accepting {
            graph.attribute = Priority;
        }
        graph
    }

    /// Returns the graph truncated after `moves` moves: vertex v with m moves left is m · len + v.
    pub fn truncated(&self, moves: usize) -> Self {
        let len = self.vertices.len();
        let mut vertices = Vec::new();
        for left in 0..=moves {
            for vertex in &self.vertices {
                let mut vertex = vertex.clone();
                if left == 0 && vertex.ending.is_none() {
                    let ending = if self.attribute == Score {
                        "score"
                    } else {
                        "draw"
                    };
                    (vertex.ending, vertex.score) = (Some(ending), 0);
                    vertex.edges = Default::default();
                }
                for edge in vertex.edges.iter_mut().flatten() {
                    edge.head += (left - 1) * len;
                }
                vertices.push(vertex);
            }
        }
        Self {
            attribute: self.attribute,
            vertices,
        }
    }

    /// Returns the graph with a new first vertex, from which both players may go to its start and
    /// to another vertex.
    pub fn behind(&self, other: usize) -> Self {
        let mut graph = self.clone();
        let edges = [0, other].map(|head| Edge {
            head,
            score: 0,
            weight: 0,
        });
        graph.vertices.push(Vertex {
            edges: [edges.to_vec(), edges.to_vec()],
            ..Vertex::default()
        });
        graph
    }

    pub fn inner(&self) -> usize {
        self.vertices.len() - 3
    }
}
