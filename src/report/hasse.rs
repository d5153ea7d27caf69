//! A partial order of games, told by what covers what.

use super::text::align;

/// Games and which of them cover which: Hasse's diagram of their order.
#[derive(Debug, Clone, PartialEq)]
pub struct Hasse {
    /// The games as expressions, none equivalent to another.
    pub games: Vec<String>,
    /// The game below and the one above, by their indices in `games`, with nothing of the list in between.
    pub covers: Vec<(usize, usize)>,
}

impl Hasse {
    /// For reading: the games level by level from the top, then the covers.
    pub(super) fn text(&self) -> String {
        let levels =
            self.levels().into_iter().map(|level| level.into_iter().map(|game| self.games[game].clone()).collect());
        let levels: Vec<Vec<String>> = levels.collect();
        let drawn: Vec<String> = levels.iter().map(|level| level.join("   ")).collect();
        let widest = drawn.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let centred = drawn.iter().map(|line| format!("{}{line}", " ".repeat((widest - line.chars().count()) / 2)));
        let picture = centred.collect::<Vec<_>>().join("\n");
        format!("{picture}\n\n{}\n\n{}", align(&self.cells()), self.note())
    }

    /// How much there is.
    pub(super) fn note(&self) -> String {
        format!("{} games, {} covers", self.games.len(), self.covers.len())
    }

    /// The covers under their heading.
    pub(super) fn cells(&self) -> Vec<Vec<String>> {
        let pair = |&(below, above): &(usize, usize)| vec![self.games[below].clone(), self.games[above].clone()];
        [vec!["below".to_owned(), "above".to_owned()]].into_iter().chain(self.covers.iter().map(pair)).collect()
    }

    /// The games by the longest chain above them, the greatest first.
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
        (0..deepest).map(|level| (0..self.games.len()).filter(|game| depth[*game] == level).collect()).collect()
    }
}
