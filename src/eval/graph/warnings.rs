//! Warnings about likely mistakes in an explicit graph.

use std::collections::{BTreeMap, VecDeque};

use super::{NetworkBuilder, RENAME, SharedVertex};
use crate::convert::fit;
use crate::diagnostic::{Code, Diagnostic, Fix, Help, did_you_mean, lookalike};
use crate::game::Head;
use crate::player::Player;
use crate::source::Span;

impl NetworkBuilder {
    /// Returns warnings about dead ends, vertices out of reach, labels one letter away from others,
    /// edges that are never played, income that is never received and names of the same vertex.
    /// Each kind of mistake is one warning, which names the vertices.
    pub(super) fn warnings(&self, start: u32) -> Vec<Diagnostic> {
        let reached = self.reached(start);
        let (mut found, mut dead_ends, mut unreachable) = (Vec::new(), Vec::new(), Vec::new());
        let (mut owned, mut unplayed, mut unreceived) = (Vec::new(), Vec::new(), Vec::new());
        for (index, vertex) in self.network.vertices().iter().enumerate() {
            let (id, span) = (fit::<u32>(index), self.mentioned[index]);
            let stuck = Player::BOTH
                .iter()
                .all(|player| vertex.playable(*player).is_empty());
            let dead = vertex.ending.is_none() && stuck;
            if reached[index] && vertex.has_unplayed_edges() {
                unplayed.push((vertex.name.as_str(), self.place(&self.owned, id)));
            }
            let has_bid = !stuck && vertex.ending.is_none() && vertex.marks().owner.is_none();
            if vertex.marks().has_income() && !has_bid {
                unreceived.push((vertex.name.as_str(), self.place(&self.paid, id)));
            }
            if !dead && reached[index] {
                continue;
            }
            match self.misspelling(id) {
                // A misspelling explains the dead end, so that no second warning is given.
                Some(other) => found.push(likely_misspelling(&vertex.name, other, span)),
                // A dead end that is out of reach is reported as a dead end only.
                None if dead => match vertex.marks().owner {
                    None => dead_ends.push((vertex.name.as_str(), span)),
                    Some(owner) => owned.push((vertex.name.as_str(), span, owner)),
                },
                None => unreachable.push((vertex.name.as_str(), span)),
            }
        }
        found.extend(self.dead_ends(&dead_ends, start));
        found.extend(self.idle_turns(&owned, start));
        found.extend(self.unreachable(&unreachable, start));
        found.extend(unplayed_edges(&unplayed));
        found.extend(unreceived_income(&unreceived));
        found.extend(self.shared.map(|shared| self.shared_vertex(shared)));
        found
    }

    /// Returns the place at which a vertex was marked, or was first mentioned if it has no mark.
    fn place(&self, marked: &BTreeMap<u32, Span>, vertex: u32) -> Span {
        let first = || self.mentioned[vertex as usize];
        marked.get(&vertex).copied().unwrap_or_else(first)
    }

    fn dead_ends(&self, vertices: &[(&str, Span)], start: u32) -> Option<Diagnostic> {
        let (_, span) = vertices.first()?;
        let draws = line_of("draw: ", vertices);
        let fixes = draws.clone().and_then(|draws| self.line(draws));
        let Some((name, _)) = only(vertices) else {
            let message = format!("{} have no edges and are not endings", counted(vertices));
            let help = Help::from("give them edges, or name them in a `draw:` line");
            return Some(
                Diagnostic::new(Code::DeadEnd, message + &names(vertices))
                    .label(*span, "the first of them: play stops here in a draw, unless a rule `stuck` decides")
                    .help(fixes.into_iter().fold(help, Help::with)),
            );
        };
        let begins = &self.network.vertex(start).name;
        let edge = self.line(format!("both {name} -> {begins}"));
        let help = Help::from(format!("give it edges, or say `draw: {name}`"));
        let message = format!("vertex {name} has no edges and is not an ending");
        Some(
            Diagnostic::new(Code::DeadEnd, message)
                .label(
                    *span,
                    "play stops here in a draw, unless a rule `stuck` decides",
                )
                .help(fixes.into_iter().chain(edge).fold(help, Help::with)),
        )
    }

    /// Returns the warning about vertices whose owners have no edges there.
    fn idle_turns(&self, vertices: &[(&str, Span, Player)], start: u32) -> Option<Diagnostic> {
        let (name, span, owner) = *vertices.first()?;
        let help = "give the owner an edge, or take the vertex out of its `turn` line";
        let (message, label, help) = match vertices {
            [_] => {
                let begins = &self.network.vertex(start).name;
                let edge = self.line(format!("{} {name} -> {begins}", owner.word()));
                (
                    format!(
                        "vertex {name} is {}'s turn, and {} has no edges there",
                        owner.name(),
                        owner.name()
                    ),
                    "play stops here in a draw, unless a rule `stuck` decides",
                    edge.into_iter().fold(Help::from(help), Help::with),
                )
            }
            _ => {
                let named: Vec<String> = vertices
                    .iter()
                    .take(NAMED)
                    .map(|(name, _, owner)| format!("{name} ({})", owner.name()))
                    .collect();
                let more = match vertices.len() - named.len() {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                (
                    format!(
                        "{} vertices are the turn of a player who has no edges there: {}{more}",
                        vertices.len(),
                        named.join(", ")
                    ),
                    "the first of them: play stops here in a draw, unless a rule `stuck` decides",
                    Help::from(
                        "give the owners edges, or take the vertices out of their `turn` lines",
                    ),
                )
            }
        };
        let warning = Diagnostic::new(Code::DeadEnd, message).label(span, label);
        Some(warning.help(help))
    }

    fn unreachable(&self, vertices: &[(&str, Span)], start: u32) -> Option<Diagnostic> {
        let (_, span) = vertices.first()?;
        let begins = &self.network.vertex(start).name;
        let fix = line_of(&format!("both {begins} -> "), vertices).and_then(|line| self.line(line));
        let (message, label, help) = match only(vertices) {
            Some((name, _)) => (
                format!("vertex {name} cannot be reached from the start"),
                "out of reach",
                "add an edge that leads to it, or remove it",
            ),
            None => (
                format!("{} cannot be reached from the start", counted(vertices))
                    + &names(vertices),
                "the first of them",
                "add edges that lead to them, or remove them",
            ),
        };
        Some(
            Diagnostic::new(Code::UnreachableNode, message)
                .label(*span, label)
                .help(fix.into_iter().fold(Help::from(help), Help::with)),
        )
    }

    fn shared_vertex(&self, shared: SharedVertex) -> Diagnostic {
        let name = &self.network.vertex(shared.vertex).name;
        let message = format!("two names in this graph are the same vertex, {name}");
        Diagnostic::new(Code::SharedVertex, message)
            .label(shared.first, format!("this name has the value {name}"))
            .label(shared.second, "and so has this one")
            .help(RENAME)
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
            for edge in Player::BOTH
                .iter()
                .flat_map(|player| vertex.playable(*player))
            {
                if let Head::Vertex(head) = edge.head
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
        // Labels of one or two letters are all near each other, so only their case is compared.
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

/// The most vertices that a warning names.
const NAMED: usize = 8;

/// Returns the vertex if there is only one.
fn only<'a>(vertices: &[(&'a str, Span)]) -> Option<(&'a str, Span)> {
    match vertices {
        [vertex] => Some(*vertex),
        _ => None,
    }
}

fn counted(vertices: &[(&str, Span)]) -> String {
    format!("{} vertices", vertices.len())
}

/// Formats the end of a message: the names of the vertices, or of the first of them.
fn names(vertices: &[(&str, Span)]) -> String {
    let named: Vec<&str> = vertices.iter().map(|(name, _)| *name).take(NAMED).collect();
    match vertices.len() - named.len() {
        0 => format!(": {}", named.join(", ")),
        more => format!(": {} and {more} more", named.join(", ")),
    }
}

/// Returns a line of the graph that names the vertices, unless there are too many to read.
fn line_of(beginning: &str, vertices: &[(&str, Span)]) -> Option<String> {
    let named: Vec<&str> = vertices.iter().map(|(name, _)| *name).collect();
    (named.len() <= NAMED).then(|| format!("{beginning}{}", named.join(", ")))
}

fn unplayed_edges(vertices: &[(&str, Span)]) -> Option<Diagnostic> {
    let (_, span) = vertices.first()?;
    let (message, label, help) = match only(vertices) {
        Some((name, _)) => (
            format!(
                "vertex {name} is one player's turn, and the other's edges there are never played"
            ),
            "no bid here",
            "take these edges away, or the vertex out of its `turn` line",
        ),
        None => (
            format!(
                "{} are one player's turn, and the other's edges there are never played{}",
                counted(vertices),
                names(vertices)
            ),
            "the first of them: no bid here",
            "take these edges away, or the vertices out of their `turn` lines",
        ),
    };
    Some(
        Diagnostic::new(Code::NeverPlayed, message)
            .label(*span, label)
            .help(help),
    )
}

fn unreceived_income(vertices: &[(&str, Span)]) -> Option<Diagnostic> {
    let (_, span) = vertices.first()?;
    let (message, label, help) = match only(vertices) {
        Some((name, _)) => (
            format!("the income at vertex {name} is never received, because nobody bids there"),
            "no bid here",
            "take the vertex out of its `income` line; income is received before a bid, not at an ending and not at a vertex of a `turn` line",
        ),
        None => (
            format!(
                "the income at {} is never received, because nobody bids there{}",
                counted(vertices),
                names(vertices)
            ),
            "the first of them: no bid here",
            "take the vertices out of their `income` lines; income is received before a bid, not at an ending and not at a vertex of a `turn` line",
        ),
    };
    Some(
        Diagnostic::new(Code::IdleIncome, message)
            .label(*span, label)
            .help(help),
    )
}
