//! A partial order of games, given by its covering relation.

use bid_language::diagnostic::counted;
use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

use super::block::{Block, Cell, Medium};
use super::picture::Picture;
use super::text::widest;

/// Games with their covering relation, as drawn in the Hasse diagram of their order.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(tag = "type", rename = "hasse")]
pub struct Hasse {
    /// The games as expressions, none equivalent to another.
    pub games: Vec<String>,
    /// The covers: the indices in `games` of the lower and the upper game, with no game of the list
    /// between them.
    pub covers: Vec<(usize, usize)>,
    /// The index of each game's conjugate, if the list has them all and conjugation reverses the
    /// order.
    #[serde(skip)]
    pub conjugates: Option<Vec<usize>>,
}

impl Hasse {
    pub(super) fn blocks(&self, medium: Medium) -> Vec<Block<'_>> {
        let picture = Block::Picture(Picture::Hasse(self));
        let pair = |&(below, above): &(usize, usize)| {
            [below, above].map(|game| Cell::text(&self.games[game]))
        };
        let covers = || Block::sheet(["below", "above"], self.covers.iter().map(pair));
        match medium {
            Medium::Page => vec![picture, covers()],
            Medium::Terminal => vec![picture, covers(), Block::line([Cell::text(self.note())])],
            Medium::Paper => vec![picture],
            Medium::Sheet => vec![covers()],
        }
    }

    /// Writes the games level by level from the top.
    pub(super) fn levels_text(&self) -> String {
        let name = |game: usize| self.games[game].as_str();
        let line = |level: Vec<usize>| level.into_iter().map(name).collect::<Vec<_>>().join("   ");
        let lines: Vec<String> = self.levels().into_iter().map(line).collect();
        let widest = widest(&lines);
        let centred = lines
            .iter()
            .map(|line| format!("{}{line}", " ".repeat((widest - line.chars().count()) / 2)));
        centred.collect::<Vec<_>>().join("\n")
    }

    /// Writes the numbers of games and covers.
    pub(super) fn note(&self) -> String {
        format!(
            "{}, {}",
            counted(self.games.len(), "game"),
            counted(self.covers.len(), "cover")
        )
    }

    /// Groups the games into levels, the greatest games first. A game stands half-way between the
    /// highest level that the covers allow and the lowest, so that an order that is reversed when
    /// the players are exchanged has symmetric levels.
    fn levels(&self) -> Vec<Vec<usize>> {
        let down = self.depths(|(below, above)| (below, above));
        let up = self.depths(|(below, above)| (above, below));
        let deepest = down.iter().copied().max().unwrap_or(0);
        // A chain to a game and one from it join, so that `up` never exceeds `deepest`.
        let rank = |game: usize| down[game] + deepest - up[game];
        let mut ranks: Vec<usize> = (0..self.games.len()).map(rank).collect();
        ranks.sort_unstable();
        ranks.dedup();
        let level = |wanted| {
            let games = 0..self.games.len();
            games.filter(|game| rank(*game) == wanted).collect()
        };
        ranks.into_iter().map(level).collect()
    }

    /// Returns the length of the longest chain to each game in one direction. `ends` returns the
    /// later and the earlier game of a cover.
    fn depths(&self, ends: impl Fn((usize, usize)) -> (usize, usize)) -> Vec<usize> {
        let mut depth = vec![0; self.games.len()];
        let mut changed = true;
        // A partial order has no cycles, so that the longest chains are found after finitely many
        // rounds.
        while changed {
            changed = false;
            for cover in &self.covers {
                let (later, earlier) = ends(*cover);
                if depth[later] <= depth[earlier] {
                    depth[later] = depth[earlier] + 1;
                    changed = true;
                }
            }
        }
        depth
    }
}
