//! Warnings about likely mistakes in an explicit graph.

use std::collections::{BTreeMap, VecDeque};

use super::NetworkBuilder;
use crate::diagnostic::{Code, Diagnostic, Fix, Help, did_you_mean, lookalike};
use crate::game::Head;
use crate::player::Player;
use crate::source::Span;

impl NetworkBuilder {
    /// Returns warnings about dead ends, vertices out of reach, and labels one letter away from
    /// others. Of many similar warnings only the first are given.
    pub(super) fn warnings(&self, start: u32) -> Vec<Diagnostic> {
        let reached = self.reached(start);
        let (mut found, mut dead_ends, mut unreachable) = (Vec::new(), Vec::new(), Vec::new());
        let mut unplayed = Vec::new();
        for (index, vertex) in self.network.vertices().iter().enumerate() {
            let (id, span) = (index as u32, self.mentioned[index]);
            let stuck = Player::BOTH
                .iter()
                .all(|player| vertex.playable(*player).is_empty());
            let dead = vertex.ending.is_none() && stuck;
            if reached[index] && vertex.has_unplayed_edges() {
                unplayed.push((vertex.name.as_str(), span));
            }
            if !dead && reached[index] {
                continue;
            }
            match self.misspelling(id) {
                Some(other) => found.push(likely_misspelling(&vertex.name, other, span)),
                None if dead => dead_ends.push((vertex.name.as_str(), span)),
                None => unreachable.push((vertex.name.as_str(), span)),
            }
        }
        let begins = &self.network.vertex(start).name;
        let dead_end = |name: &str, span| {
            let edge = self.line(format!("both {name} -> {begins}"));
            dead_end(
                name,
                span,
                self.line(format!("draw: {name}")).into_iter().chain(edge),
            )
        };
        let unreachable_vertex = |name: &str, span| {
            unreachable_vertex(name, span, self.line(format!("both {begins} -> {name}")))
        };
        found.extend(of_many(&dead_ends, dead_end, more_dead_ends));
        found.extend(of_many(&unreachable, unreachable_vertex, more_unreachable));
        found.extend(of_many(&unplayed, unplayed_edges, more_unplayed));
        found
    }

    /// Returns the fix that adds a line after the one that names the start, if there is one.
    fn line(&self, line: String) -> Option<Fix> {
        let added = |start| Fix::after(start, format!("\n    {line}"));
        self.start_line.map(added)
    }

    fn reached(&self, start: u32) -> Vec<bool> {
        let mut reached = vec![false; self.network.vertices().len()];
        reached[start as usize] = true;
        let mut queue = VecDeque::from([start]);
        while let Some(vertex) = queue.pop_front() {
            let vertex = self.network.vertex(vertex);
            for head in Player::BOTH
                .iter()
                .flat_map(|player| vertex.playable(*player))
            {
                if let Head::Vertex(head) = *head
                    && !std::mem::replace(&mut reached[head as usize], true)
                {
                    queue.push_back(head);
                }
            }
        }
        reached
    }

    /// Returns another label that this one was probably meant to be.
    fn misspelling(&self, vertex: u32) -> Option<&str> {
        if !self.labels.contains(&vertex) {
            return None;
        }
        let name = &self.network.vertex(vertex).name;
        let alike = lookalike::word(name);
        let game = ["A", "B", "E", "Draw"]
            .into_iter()
            .find(|game| alike.as_deref() == Some(game));
        if game.is_some() {
            return game;
        }
        let others: BTreeMap<&str, ()> = self
            .labels
            .iter()
            .filter(|other| **other != vertex)
            .map(|other| (self.network.vertex(*other).name.as_str(), ()))
            .collect();
        let longer =
            name.chars().count() > 2 || others.keys().any(|other| other.eq_ignore_ascii_case(name));
        did_you_mean(name, others.keys().copied()).filter(|_| longer)
    }
}

fn likely_misspelling(name: &str, other: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::LikelyMisspelling,
        format!("the label `{name}` looks like a misspelling of `{other}`"),
    )
    .label(span, "mentioned only here")
    .help(Help::did_you_mean(name, other, span))
}

fn dead_end(name: &str, span: Span, fixes: impl Iterator<Item = Fix>) -> Diagnostic {
    let help = Help::from(format!("give it edges, or say `draw: {name}`"));
    Diagnostic::new(
        Code::DeadEnd,
        format!("vertex {name} has no edges and is not an ending"),
    )
    .label(span, "play stops here in a draw")
    .help(fixes.fold(help, Help::with))
}

/// Returns a warning for each vertex if there are few, and otherwise for the first of them and one
/// for all others.
fn of_many(
    vertices: &[(&str, Span)],
    one: impl Fn(&str, Span) -> Diagnostic,
    rest: fn(usize, Span) -> Diagnostic,
) -> Vec<Diagnostic> {
    /// The most warnings of a kind.
    const TOLD: usize = 8;
    if vertices.len() <= TOLD {
        return vertices
            .iter()
            .map(|(name, span)| one(name, *span))
            .collect();
    }
    let (told, others) = vertices.split_at(TOLD / 2);
    let told = told.iter().map(|(name, span)| one(name, *span));
    told.chain([rest(others.len(), others[0].1)]).collect()
}

fn unplayed_edges(name: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::NeverPlayed,
        format!("vertex {name} is one player's turn, and the other's edges there are never played"),
    )
    .label(span, "no bid here")
    .help("take these edges away, or the vertex out of its `turn` line")
}

fn more_unplayed(count: usize, span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::NeverPlayed,
        format!("{count} more vertices are one player's turn and have edges of the other"),
    )
    .label(span, "the next one")
    .help("take these edges away, or the vertices out of their `turn` lines")
}

fn more_dead_ends(count: usize, span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::DeadEnd,
        format!("{count} more vertices have no edges and are not endings"),
    )
    .label(span, "the next one")
    .help("give them edges, or name them in a `draw:` line")
}

fn more_unreachable(count: usize, span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::UnreachableNode,
        format!("{count} more vertices cannot be reached from the start"),
    )
    .label(span, "the next one")
    .help("add edges that lead to them, or remove them")
}

fn unreachable_vertex(name: &str, span: Span, fix: Option<Fix>) -> Diagnostic {
    let help = Help::from("add an edge that leads to it, or remove it");
    Diagnostic::new(
        Code::UnreachableNode,
        format!("vertex {name} cannot be reached from the start"),
    )
    .label(span, "out of reach")
    .help(fix.into_iter().fold(help, Help::with))
}
