//! The smallest expression that is found for a game: a wedge sum of A, B, E, A^n and B^n, or braces where for different totals
//! different moves are best.

use std::collections::HashMap;

use super::Algebra;
use crate::diagnostic::Result;
use crate::game::{Ending, GameGraph, GameId, Games, NodeId, PerPlayer, Player};
use crate::solve::sequences::{ClassId, Sequences};

/// How many wedge sums are tried before those that the game itself suggests.
const MOST_WEDGES: usize = 6_000;

/// The greatest n of A^n and B^n that is tried.
const MOST_POWER: u32 = 8;

/// An expression with the number of its primitives.
#[derive(Debug, Clone, Copy)]
struct Found {
    game: GameId,
    size: usize,
}

/// Finds smallest expressions for the positions of solved games.
pub struct Simplifier<'a> {
    algebra: Algebra<'a>,
    known: HashMap<ClassId, Found>,
}

/// The smallest expressions found for some positions of a solved game.
///
/// # Errors
/// If the watch stops the work.
pub fn simplest(
    algebra: Algebra<'_>,
    games: &mut Games,
    (graph, sequences): (&GameGraph, &Sequences),
    nodes: &[NodeId],
) -> Result<Vec<GameId>> {
    let mut simplifier = Simplifier { algebra, known: HashMap::new() };
    simplifier.try_wedges(games)?;
    let mut found = Vec::with_capacity(nodes.len());
    for &node in nodes {
        found.push(simplifier.position(games, graph, sequences, node)?.game);
    }
    Ok(found)
}

impl Simplifier<'_> {
    /// All wedge sums of the primitives in order of size, as far as they go.
    fn try_wedges(&mut self, games: &mut Games) -> Result<()> {
        let mut by_size = vec![Vec::new(), self.primitives(games)?];
        let mut tried = 0;
        while tried < MOST_WEDGES {
            let size = by_size.len();
            let mut new = Vec::new();
            for left in 1..=size / 2 {
                for (i, &g) in by_size[left].iter().enumerate() {
                    let others: &[ClassId] = &by_size[size - left];
                    for &h in if 2 * left == size { &others[i + 1..] } else { others } {
                        tried += 1;
                        if tried > MOST_WEDGES {
                            return Ok(());
                        }
                        let class = self.algebra.wedge(g, h)?;
                        if !self.known.contains_key(&class) {
                            let game = self.wedge(games, g, h)?;
                            self.known.insert(class, Found { game, size });
                            new.push(class);
                        }
                    }
                }
            }
            by_size.push(new);
        }
        Ok(())
    }

    fn primitives(&mut self, games: &mut Games) -> Result<Vec<ClassId>> {
        let ends = Player::BOTH.map(|player| (player, games.ended(Ending::Win(player))));
        let mut classes = Vec::new();
        let mut keep = |class: ClassId, game: GameId, known: &mut HashMap<ClassId, Found>| {
            known.entry(class).or_insert_with(|| {
                classes.push(class);
                Found { game, size: 1 }
            });
        };
        let [a, b] = [self.algebra.ended(Player::Alice)?, self.algebra.ended(Player::Bob)?];
        keep(a, ends[0].1, &mut self.known);
        keep(b, ends[1].1, &mut self.known);
        let even = self.algebra.wedge(a, b)?;
        keep(even, games.even(), &mut self.known);
        let mut powers = [even, even];
        for n in 2..=MOST_POWER {
            powers = [self.algebra.braces(&[a], &[powers[0]])?, self.algebra.braces(&[powers[1]], &[b])?];
            keep(powers[0], games.power(Player::Alice, n), &mut self.known);
            keep(powers[1], games.power(Player::Bob, n), &mut self.known);
        }
        Ok(classes)
    }

    /// The wedge sum of two known classes, with the game that Alice prefers on the left.
    fn wedge(&mut self, games: &mut Games, g: ClassId, h: ClassId) -> Result<GameId> {
        let (g, h) = if self.algebra.at_most(h, g)? && g != h { (h, g) } else { (g, h) };
        Ok(games.wedge(self.known[&g].game, self.known[&h].game))
    }

    fn position(&mut self, games: &mut Games, graph: &GameGraph, sequences: &Sequences, node: NodeId) -> Result<Found> {
        let class = self.algebra.adopt(sequences, sequences.class(node))?;
        if let Some(found) = self.known.get(&class) {
            return Ok(*found);
        }
        let mut options = PerPlayer::<Vec<ClassId>>::default();
        for player in Player::BOTH {
            for &head in graph.successors(node, player) {
                let found =
                    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.position(games, graph, sequences, head))?;
                let head = self.algebra.adopt(sequences, sequences.class(head))?;
                self.known.entry(head).or_insert(found);
                if !options[player].contains(&head) {
                    options[player].push(head);
                }
            }
        }
        let found = self.of_options(games, class, &options)?;
        self.known.insert(class, found);
        Ok(found)
    }

    /// The smallest wedge sum of a move of each player that is equivalent, or braces.
    fn of_options(&mut self, games: &mut Games, class: ClassId, options: &PerPlayer<Vec<ClassId>>) -> Result<Found> {
        let mut best: Option<(usize, ClassId, ClassId)> = None;
        for &g in &options.alice {
            for &h in &options.bob {
                let size = self.known[&g].size + self.known[&h].size;
                if best.is_none_or(|(least, ..)| size < least) && self.algebra.wedge(g, h)? == class {
                    best = Some((size, g, h));
                }
            }
        }
        if let Some((size, g, h)) = best {
            return Ok(Found { game: self.wedge(games, g, h)?, size });
        }
        let needed = self.needed(class, options)?;
        let games_of = |classes: &[ClassId]| classes.iter().map(|class| self.known[class].game).collect();
        let game = games.braces(games_of(&needed.alice), games_of(&needed.bob));
        let size =
            Player::BOTH.into_iter().flat_map(|player| &needed[player]).map(|class| self.known[class].size).sum();
        Ok(Found { game, size })
    }

    /// The options without those that can be left out, the larger ones first.
    fn needed(&mut self, class: ClassId, options: &PerPlayer<Vec<ClassId>>) -> Result<PerPlayer<Vec<ClassId>>> {
        let mut needed = options.clone();
        for player in Player::BOTH {
            let mut order = options[player].clone();
            order.sort_by_key(|class| std::cmp::Reverse(self.known[class].size));
            for option in order {
                let mut fewer = needed.clone();
                fewer[player].retain(|class| *class != option);
                if fewer.alice.len() + fewer.bob.len() > 0 && self.algebra.braces(&fewer.alice, &fewer.bob)? == class {
                    needed = fewer;
                }
            }
        }
        Ok(needed)
    }
}
