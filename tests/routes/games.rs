//! Random games, each as source text and as a graph made by an interpreter that reads only the
//! lines of the game.

use std::collections::HashMap;
use std::fmt::Write;
use std::rc::Rc;

use bid::eval::{Evaluator, SessionState};
use bid_language::ir::{StuckRule, Value};
use bid_language::player::{Ending, Player};
use bid_language::rules::{Overrides, Stuck, StuckResult};
use bid_language::watch::Context;
use num_traits::Zero;
use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::plain::{Plain, Position, falling, random, template, text};

/// The most positions of a graph that is written out.
const MOST: usize = 250;

/// A game with the data to write it in other ways.
#[derive(Debug)]
pub struct Game {
    pub kind: Kind,
    /// The game as a graph, if it is small.
    pub written_out: Option<Written>,
}

#[derive(Debug)]
pub enum Kind {
    /// A ruleset: its source, and a call of it.
    Ruleset { source: String, call: &'static str },
    /// A graph with cycles.
    Graph(Written),
    /// An expression.
    Expression(Tree),
}

/// A graph: vertex 0 is the start.
#[derive(Debug, Clone, Default)]
pub struct Written {
    pub vertices: Vec<Vertex>,
    /// The labels of each vertex for an objective: a priority, the acceptance, and a weight.
    pub marks: Option<Vec<(u32, bool, i32)>>,
    /// The score of a move to each vertex, in a game without winners.
    pub scores: Option<Vec<i32>>,
}

#[derive(Debug, Clone, Default)]
pub struct Vertex {
    pub ending: Option<Ending>,
    pub alice: Vec<usize>,
    pub bob: Vec<usize>,
}

impl Vertex {
    fn moves(&mut self, player: Player) -> &mut Vec<usize> {
        match player {
            Player::Alice => &mut self.alice,
            Player::Bob => &mut self.bob,
        }
    }
}

impl Game {
    pub fn random(dice: &mut StdRng) -> Self {
        match dice.random_range(0..10) {
            0..=3 => Self::ruleset(
                falling::Writer::write(dice.random_range(0..1 << 40)),
                "falling(2)",
            ),
            4 | 5 => Self::ruleset(
                random::Writer::write(dice.random_range(0..1 << 40)),
                "random(2)",
            ),
            6 | 7 => {
                let graph = Written::random(dice);
                Self {
                    written_out: None,
                    kind: Kind::Graph(graph),
                }
            }
            _ => {
                let depth = dice.random_range(1..=3);
                let tree = Tree::random(dice, depth);
                Self {
                    written_out: tree.written_out(),
                    kind: Kind::Expression(tree),
                }
            }
        }
    }

    fn ruleset(source: String, call: &'static str) -> Self {
        // The interpreter of this test knows no scores.
        let written_out = if source.contains("score") {
            None
        } else {
            interpret(&source)
        };
        Self {
            written_out,
            kind: Kind::Ruleset { source, call },
        }
    }

    /// Returns `true` if the game has scores instead of winners.
    pub fn is_scored(&self) -> bool {
        match &self.kind {
            Kind::Ruleset { source, .. } => source.contains("score"),
            Kind::Graph(graph) => graph.scores.is_some(),
            Kind::Expression(_) => false,
        }
    }

    /// Returns the source that defines the game as `G`.
    pub fn definition(&self) -> String {
        match &self.kind {
            Kind::Ruleset { source, call } => format!("{source}let G = {call}\n"),
            Kind::Graph(graph) => graph.source(&graph.straight()),
            Kind::Expression(tree) => format!("let G = {}\n", tree.source()),
        }
    }
}

impl Written {
    fn random(dice: &mut StdRng) -> Self {
        let (positions, moves) = (dice.random_range(1..=6), dice.random_range(1..=3));
        let scored = dice.random_bool(0.25);
        // A score is only asked for if play ends.
        let (cycles, draws) = (!scored && dice.random_bool(0.7), dice.random_bool(0.4));
        let endings = if draws { 3 } else { 2 };
        let heads = |dice: &mut StdRng, position: usize| -> Vec<usize> {
            let first = if cycles { 0 } else { position + 1 };
            let head = |dice: &mut StdRng| {
                if first >= positions || dice.random_bool(0.3) {
                    dice.random_range(positions..positions + endings)
                } else {
                    dice.random_range(first..positions)
                }
            };
            let mut heads: Vec<usize> = (0..dice.random_range(1..=moves))
                .map(|_| head(dice))
                .collect();
            heads.sort_unstable();
            heads.dedup();
            heads
        };
        let mut vertices = Vec::new();
        for position in 0..positions {
            let (mut alice, mut bob) = (heads(dice, position), heads(dice, position));
            if dice.random_bool(0.2) {
                if dice.random_bool(0.5) {
                    &mut alice
                } else {
                    &mut bob
                }
                .clear();
            }
            vertices.push(Vertex {
                ending: None,
                alice,
                bob,
            });
        }
        for ending in [
            Ending::Win(Player::Alice),
            Ending::Win(Player::Bob),
            Ending::Draw,
        ] {
            vertices.push(Vertex {
                ending: Some(ending),
                ..Vertex::default()
            });
        }
        let marked = !scored && dice.random_bool(0.3);
        let score = |dice: &mut StdRng| dice.random_range(-2..=3);
        let scores = scored.then(|| vertices.iter().map(|_| score(dice)).collect());
        let mark = |dice: &mut StdRng| {
            (
                dice.random_range(0..4),
                dice.random_bool(0.4),
                dice.random_range(-2..=2),
            )
        };
        let marks = marked.then(|| vertices.iter().map(|_| mark(dice)).collect());
        Self {
            vertices,
            marks,
            scores,
        }
    }

    /// Returns the vertices in their order.
    pub fn straight(&self) -> Vec<usize> {
        (0..self.vertices.len()).collect()
    }

    /// Returns the vertices in another order.
    pub fn shuffled(&self) -> Vec<usize> {
        let mut order = self.straight();
        order.shuffle(&mut <StdRng as rand::SeedableRng>::seed_from_u64(
            self.vertices.len() as u64,
        ));
        order
    }

    /// Returns a larger graph in which the start of this one can be reached from the last vertex:
    /// with cycles, zugzwang and vertices at which one player alone moves.
    pub fn surrounded(&self) -> Self {
        let old = self.vertices.len();
        let [won, lost, zugzwang, owned, start] = [0, 1, 2, 3, 4].map(|index| old + index);
        let ended = |winner| Vertex {
            ending: Some(Ending::Win(winner)),
            ..Vertex::default()
        };
        let vertex = |alice: &[usize], bob: &[usize]| Vertex {
            ending: None,
            alice: alice.to_vec(),
            bob: bob.to_vec(),
        };
        let mut graph = self.clone();
        graph.vertices.extend([
            ended(Player::Alice),
            ended(Player::Bob),
            vertex(&[lost], &[won]),
            vertex(&[0, start], &[]),
            vertex(&[zugzwang, owned], &[0, old - 1]),
        ]);
        let new = graph.vertices.len();
        if let Some(scores) = &mut graph.scores {
            scores.resize(new, 1);
        }
        if let Some(marks) = &mut graph.marks {
            // A graph that names no accepting vertices is refused, and must still be.
            let mut vertices = marks.iter().zip(&self.vertices);
            let accepts = vertices.any(|(mark, vertex)| mark.1 && vertex.ending.is_none());
            marks.resize(new, (1, accepts, 1));
        }
        graph
    }

    /// Returns the source that defines the graph as `G`, with its vertices in an order and named by
    /// their index in it.
    pub fn source(&self, order: &[usize]) -> String {
        let mut names = vec![String::new(); order.len()];
        order
            .iter()
            .enumerate()
            .for_each(|(place, vertex)| names[*vertex] = format!("v{place}"));
        let mut source = format!("game G = graph {{\n    start {}\n", names[0]);
        let mut line = |text: std::fmt::Arguments<'_>| {
            writeln!(source, "    {text}").expect("a string takes it")
        };
        for vertex in order {
            let Vertex { ending, alice, bob } = &self.vertices[*vertex];
            let name = &names[*vertex];
            for (player, heads) in [("alice", alice), ("bob", bob)] {
                match &self.scores {
                    None if heads.is_empty() => {}
                    None => {
                        let heads: Vec<&str> =
                            heads.iter().map(|head| names[*head].as_str()).collect();
                        line(format_args!("{player} {name} -> {}", heads.join(", ")));
                    }
                    Some(scores) => heads.iter().for_each(|head| {
                        line(format_args!(
                            "{player} {name} -> {} score {}",
                            names[*head], scores[*head]
                        ));
                    }),
                }
            }
            match ending {
                Some(_) if self.scores.is_some() => {}
                Some(Ending::Win(Player::Alice)) => line(format_args!("win alice: {name}")),
                Some(Ending::Win(Player::Bob)) => line(format_args!("win bob: {name}")),
                Some(Ending::Draw) => line(format_args!("draw: {name}")),
                None => {}
            }
            if let Some(marks) = &self.marks
                && ending.is_none()
            {
                let (priority, accepting, weight) = marks[*vertex];
                line(format_args!("priority {priority}: {name}"));
                line(format_args!("weight {weight}: {name}"));
                if accepting {
                    line(format_args!("accepting: {name}"));
                }
            }
        }
        source + "}\n"
    }
}

/// Returns the graph of a ruleset by the plain evaluation of its lines; `None` if it is large,
/// faulty or scored.
fn interpret(source: &str) -> Option<Written> {
    let mut world = SessionState::new(bid::library::all());
    let template = template(source, &mut world);
    let mut evaluator = Evaluator::new(&mut world, Rc::new(Overrides::default()), Context::plain());
    let arguments = [Value::integer(2)];
    let score = num_traits::Zero::zero();
    let mut plain = Plain {
        template: &template,
        arguments: &arguments,
        evaluator: &mut evaluator,
        score,
    };
    let mut found: Vec<Position> = vec![plain.start().ok()?];
    let mut numbers = HashMap::from([(text(&template, &found[0]), 0)]);
    let mut vertices = Vec::new();
    while vertices.len() < found.len() {
        let (here, position) = (vertices.len(), found[vertices.len()].clone());
        let mut vertex = Vertex::default();
        if let Some((ending, score)) = plain.ending(&position).ok()? {
            vertex.ending = Some(ending);
            if !score.is_zero() {
                return None;
            }
            vertices.push(vertex);
            continue;
        }
        for player in Player::BOTH {
            for (_, next, score) in plain.moves(&position, player).ok()? {
                if !score.is_zero() {
                    return None;
                }
                let number = *numbers.entry(text(&template, &next)).or_insert_with(|| {
                    found.push(next);
                    found.len() - 1
                });
                vertex.moves(player).push(number);
            }
            vertex.moves(player).sort_unstable();
            vertex.moves(player).dedup();
        }
        if found.len() > MOST {
            return None;
        }
        // If nobody can move, passing would go on for ever, and the game is a draw.
        if !(vertex.alice.is_empty() && vertex.bob.is_empty() && passes(&template.stuck)) {
            for player in Player::BOTH {
                if !vertex.moves(player).is_empty() {
                    continue;
                }
                match &template.stuck {
                    None | Some(StuckRule::Fixed(Stuck::OpponentMoves)) => {}
                    Some(StuckRule::Score(_)) => return None,
                    // A pass is a move to the same position.
                    Some(StuckRule::Fixed(Stuck::Passes)) => vertex.moves(player).push(here),
                    Some(StuckRule::Fixed(Stuck::Ends(result))) => {
                        vertex.moves(player).push(stuck_at(*result, player))
                    }
                }
            }
        }
        vertices.push(vertex);
    }
    Some(with_endings(vertices))
}

fn passes(stuck: &Option<StuckRule>) -> bool {
    matches!(stuck, Some(StuckRule::Fixed(Stuck::Passes)))
}

/// The vertices to which stuck players move, beyond all positions: Alice's win, Bob's, a draw.
const BEYOND: usize = 1 << 20;

fn stuck_at(result: StuckResult, player: Player) -> usize {
    match result.for_player(player) {
        Ending::Win(Player::Alice) => BEYOND,
        Ending::Win(Player::Bob) => BEYOND + 1,
        Ending::Draw => BEYOND + 2,
    }
}

/// Returns the graph with the endings to which stuck players move; a position without moves is a
/// draw.
fn with_endings(mut vertices: Vec<Vertex>) -> Written {
    let count = vertices.len();
    for vertex in &mut vertices {
        let heads = vertex.alice.iter_mut().chain(&mut vertex.bob);
        heads
            .filter(|head| **head >= BEYOND)
            // The number of positions is only known now.
            .for_each(|head| *head = *head - BEYOND + count);
        if vertex.ending.is_none() && vertex.alice.is_empty() && vertex.bob.is_empty() {
            vertex.ending = Some(Ending::Draw);
        }
    }
    let used = |ending: usize| {
        vertices
            .iter()
            .any(|vertex| vertex.alice.contains(&ending) || vertex.bob.contains(&ending))
    };
    let last = (0..3).filter(|ending| used(count + ending)).max();
    let endings = [
        Ending::Win(Player::Alice),
        Ending::Win(Player::Bob),
        Ending::Draw,
    ];
    for ending in endings.into_iter().take(last.map_or(0, |last| last + 1)) {
        vertices.push(Vertex {
            ending: Some(ending),
            ..Vertex::default()
        });
    }
    Written {
        vertices,
        ..Written::default()
    }
}

/// A game expression.
#[derive(Debug, Clone)]
pub enum Tree {
    Win(Player),
    Draw,
    Power(Player, u32),
    Wedge(Box<Tree>, Box<Tree>),
    Braces(Vec<Tree>, Vec<Tree>),
    Conjugate(Box<Tree>),
    Truncated(Box<Tree>, u32),
}

impl Tree {
    fn random(dice: &mut StdRng, depth: u32) -> Self {
        let player = *Player::BOTH.choose(dice).expect("there are two");
        if depth == 0 {
            return match dice.random_range(0..6) {
                0 => Self::Win(player),
                1 => Self::Draw,
                _ => Self::Power(player, dice.random_range(1..=4)),
            };
        }
        let mut below = || Box::new(Self::random(dice, depth - 1));
        let (one, two, three) = (below(), below(), below());
        match dice.random_range(0..8) {
            0..=3 => Self::Wedge(one, two),
            4 => Self::Braces(vec![*one, *three], vec![*two]),
            5 => Self::Braces(vec![*one], vec![*two]),
            6 => Self::Conjugate(one),
            _ => Self::Truncated(one, dice.random_range(1..=4)),
        }
    }

    pub fn source(&self) -> String {
        let letter = |player: Player| if player == Player::Alice { "A" } else { "B" };
        let list = |trees: &[Self]| {
            trees
                .iter()
                .map(Self::source)
                .collect::<Vec<_>>()
                .join(", ")
        };
        match self {
            Self::Win(player) => letter(*player).to_owned(),
            Self::Draw => "Draw".to_owned(),
            Self::Power(player, n) => format!("{}^{n}", letter(*player)),
            Self::Wedge(one, two) => format!("({} ∧ {})", one.source(), two.source()),
            Self::Braces(alice, bob) => format!("{{ {} | {} }}", list(alice), list(bob)),
            Self::Conjugate(of) => format!("~({})", of.source()),
            Self::Truncated(of, n) => format!("({})[{n}]", of.source()),
        }
    }

    fn written_out(&self) -> Option<Written> {
        let mut vertices = Vec::new();
        self.write(&mut vertices, None);
        (vertices.len() <= MOST).then(|| with_endings(vertices))
    }

    /// Adds the tree of the game with `left` moves left; returns its vertex.
    fn write(&self, vertices: &mut Vec<Vertex>, left: Option<u32>) -> usize {
        let here = vertices.len();
        vertices.push(Vertex::default());
        // The tree may be far larger than the limit, so that it is not written to its end.
        if here > MOST {
            return here;
        }
        match self {
            Self::Win(player) => vertices[here].ending = Some(Ending::Win(*player)),
            Self::Draw => vertices[here].ending = Some(Ending::Draw),
            Self::Conjugate(of) => {
                vertices.pop();
                return of.conjugate().write(vertices, left);
            }
            Self::Truncated(of, n) => {
                vertices.pop();
                return of.write(vertices, Some(left.map_or(*n, |left| left.min(*n))));
            }
            _ if left == Some(0) => vertices[here].ending = Some(Ending::Draw),
            Self::Power(player, n) => {
                let rest = if *n == 1 {
                    Self::Win(player.other())
                } else {
                    Self::Power(*player, n - 1)
                };
                self.branch(
                    here,
                    vertices,
                    left,
                    [(*player, &Self::Win(*player)), (player.other(), &rest)],
                );
            }
            Self::Wedge(one, two) => {
                let moves = Player::BOTH
                    .into_iter()
                    .flat_map(|player| [(player, &**one), (player, &**two)]);
                self.branch(here, vertices, left, moves);
            }
            Self::Braces(alice, bob) => {
                let alice = alice.iter().map(|tree| (Player::Alice, tree));
                self.branch(
                    here,
                    vertices,
                    left,
                    alice.chain(bob.iter().map(|tree| (Player::Bob, tree))),
                );
            }
        }
        here
    }

    fn branch<'t>(
        &self,
        here: usize,
        vertices: &mut Vec<Vertex>,
        left: Option<u32>,
        moves: impl IntoIterator<Item = (Player, &'t Self)>,
    ) {
        for (player, tree) in moves {
            let head = tree.write(vertices, left.map(|left| left - 1));
            vertices[here].moves(player).push(head);
        }
    }

    fn conjugate(&self) -> Self {
        let all = |trees: &[Self]| trees.iter().map(Self::conjugate).collect();
        match self {
            Self::Win(player) => Self::Win(player.other()),
            Self::Draw => Self::Draw,
            Self::Power(player, n) => Self::Power(player.other(), *n),
            Self::Wedge(one, two) => {
                Self::Wedge(Box::new(one.conjugate()), Box::new(two.conjugate()))
            }
            Self::Braces(alice, bob) => Self::Braces(all(bob), all(alice)),
            Self::Conjugate(of) => (**of).clone(),
            Self::Truncated(of, n) => Self::Truncated(Box::new(of.conjugate()), *n),
        }
    }
}
