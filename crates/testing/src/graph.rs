//! Graphs as plain data.

use std::fmt::Write;

use bid_language::player::{Ending, PerPlayer, Player};

/// A vertex: an ending, or a position with the moves of both players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainVertex {
    /// The ending, if the vertex is one.
    pub ending: Option<Ending>,
    /// The vertices to which each player can move, in increasing order.
    pub moves: PerPlayer<Vec<usize>>,
    /// The player who moves without a bid, if any.
    pub owner: Option<Player>,
}

impl PlainVertex {
    pub(crate) fn end(ending: Ending) -> Self {
        Self {
            ending: Some(ending),
            moves: PerPlayer::new(Vec::new(), Vec::new()),
            owner: None,
        }
    }

    /// Returns the vertices to which the players can move, Alice's first.
    pub fn heads(&self) -> impl Iterator<Item = usize> {
        self.moves.alice.iter().chain(&self.moves.bob).copied()
    }
}

/// A graph whose positions come first and whose endings come last. Play starts at vertex 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainGraph {
    /// The vertices by number.
    pub vertices: Vec<PlainVertex>,
}

impl PlainGraph {
    /// Returns the number of vertices that are not endings.
    pub fn positions(&self) -> usize {
        let is_open = |vertex: &&PlainVertex| vertex.ending.is_none();
        self.vertices.iter().filter(is_open).count()
    }

    /// Returns the positions.
    pub fn open(&self) -> &[PlainVertex] {
        &self.vertices[..self.positions()]
    }

    /// Writes the graph as items of the language, a line each. Vertex 3 is named 3.
    pub fn text(&self) -> String {
        let mut text = "start 0\n".to_owned();
        for (tail, vertex) in self.vertices.iter().enumerate() {
            for player in Player::BOTH {
                for head in &vertex.moves[player] {
                    line(
                        &mut text,
                        format_args!("{} {tail} -> {head}", player.word()),
                    );
                }
            }
            if let Some(owner) = vertex.owner {
                line(&mut text, format_args!("turn {}: {tail}", owner.word()));
            }
            match vertex.ending {
                Some(Ending::Win(winner)) => {
                    line(&mut text, format_args!("win {}: {tail}", winner.word()));
                }
                Some(Ending::Draw) => line(&mut text, format_args!("draw: {tail}")),
                None => {}
            }
        }
        text
    }
}

fn line(text: &mut String, words: std::fmt::Arguments) {
    writeln!(text, "{words}").expect("writing to a string succeeds");
}
