//! The numbers of the games that exploration has found.

use crate::convert::fit;
use crate::player::GameId;

/// The number of ids on a page.
const PAGE: usize = 1024;

/// Stands for a game without a number.
const ABSENT: u32 = u32::MAX;

/// Games in the order of their numbers, and the number of each. Ids are small numbers in a row, so a
/// table with a place for each, in pages, is smaller and quicker than one of hashes.
#[derive(Debug, Clone, Default)]
pub struct GameNumbers {
    games: Vec<GameId>,
    /// For each page of ids on which a game has a number, the numbers.
    pages: Vec<Option<Box<[u32; PAGE]>>>,
}

impl GameNumbers {
    /// Returns the number of a game, which gets the next one if it has none.
    pub fn insert(&mut self, game: GameId) -> usize {
        let (page, place) = (game.0 as usize / PAGE, game.0 as usize % PAGE);
        if page >= self.pages.len() {
            self.pages.resize(page + 1, None);
        }
        let page = self.pages[page].get_or_insert_with(|| Box::new([ABSENT; PAGE]));
        if page[place] == ABSENT {
            page[place] = fit::<u32>(self.games.len());
            self.games.push(game);
        }
        page[place] as usize
    }

    /// Returns the number of a game, if it has one.
    pub fn number(&self, game: GameId) -> Option<usize> {
        let page = self.pages.get(game.0 as usize / PAGE)?.as_ref()?;
        let number = page[game.0 as usize % PAGE];
        (number != ABSENT).then_some(number as usize)
    }

    /// Returns the memory taken, in bytes.
    pub fn bytes(&self) -> usize {
        let pages = self.pages.iter().flatten().count() * size_of::<[u32; PAGE]>();
        pages
            + self.pages.capacity() * size_of::<usize>()
            + self.games.capacity() * size_of::<GameId>()
    }

    /// Returns the games in the order of their numbers.
    pub fn games(&self) -> &[GameId] {
        &self.games
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games far apart and side by side get the numbers in the order in which they are met.
    #[test]
    fn games_are_numbered_as_they_are_met() {
        let ids = [5_000_000, 7, 1023, 1024, 0, 5_000_001].map(GameId);
        let mut numbers = GameNumbers::default();
        for (number, game) in ids.into_iter().enumerate() {
            assert_eq!(numbers.number(game), None);
            assert_eq!(numbers.insert(game), number);
        }
        for (number, game) in ids.into_iter().enumerate() {
            assert_eq!(numbers.insert(game), number);
            assert_eq!(numbers.number(game), Some(number));
        }
        assert_eq!(numbers.games(), ids);
        assert_eq!(numbers.number(GameId(6)), None);
        assert_eq!(numbers.number(GameId(u32::MAX)), None);
    }
}
