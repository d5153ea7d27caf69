//! A partial order of games, given by its covering relation.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

use super::block::{Block, Cell, Grid, Medium};
use super::picture::Picture;

/// Games with their covering relation, as drawn in the Hasse diagram of their order.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(tag = "type", rename = "hasse")]
pub struct Hasse {
    /// The games as expressions, none equivalent to another.
    pub games: Vec<String>,
    /// The covers: the indices in `games` of the lower and the upper game, with no game of the list
    /// between them.
    pub covers: Vec<(usize, usize)>,
}

impl Hasse {
    pub(super) fn blocks(&self, medium: Medium) -> Vec<Block<'_>> {
        let picture = Block::Picture(Picture::Hasse(self));
        let pair = |&(below, above): &(usize, usize)| {
            [below, above].map(|game| Cell::text(self.games[game].as_str()))
        };
        let covers = || {
            Block::Grid(Grid::sheet(
                ["below", "above"],
                self.covers.iter().map(pair),
            ))
        };
        match medium {
            Medium::Page => vec![picture, covers()],
            Medium::Terminal => vec![
                picture,
                covers(),
                Block::lines([vec![Cell::text(self.note())]]),
            ],
            Medium::Paper => vec![picture],
            Medium::Sheet => vec![covers()],
        }
    }

    /// Writes the games level by level from the top.
    pub(super) fn levels_text(&self) -> String {
        let name = |game: usize| self.games[game].as_str();
        let line = |level: Vec<usize>| level.into_iter().map(name).collect::<Vec<_>>().join("   ");
        let lines: Vec<String> = self.levels().into_iter().map(line).collect();
        let widest = lines
            .iter()
            .map(|line| line.chars().count())
            .max()
            .unwrap_or(0);
        let centred = lines
            .iter()
            .map(|line| format!("{}{line}", " ".repeat((widest - line.chars().count()) / 2)));
        centred.collect::<Vec<_>>().join("\n")
    }

    /// Writes the numbers of games and covers.
    pub(super) fn note(&self) -> String {
        format!("{} games, {} covers", self.games.len(), self.covers.len())
    }

    /// Groups the games by the length of the longest chain above them, the greatest games first.
    fn levels(&self) -> Vec<Vec<usize>> {
        let mut depth = vec![0; self.games.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for &(below, above) in &self.covers {
                if depth[below] <= depth[above] {
                    depth[below] = depth[above] + 1;
                    changed = true;
                }
            }
        }
        let deepest = depth.iter().copied().max().map_or(0, |deepest| deepest + 1);
        (0..deepest)
            .map(|level| {
                (0..self.games.len())
                    .filter(|game| depth[*game] == level)
                    .collect()
            })
            .collect()
    }
}
