//! Enumeration of all games up to equivalence, day by day.
//!
//! Born by day 0 are A and B; born by day n + 1 are these and all games in which each player has
//! one move or more, each to a game born by day n. Of a player's moves only the best matters, at
//! each total, so a set of moves is characterised by its pointwise minimum (Alice's) or maximum
//! (Bob's), which is the game in which that player alone may move: it is enough to enumerate these.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::Algebra;
use crate::diagnostic::Result;
use crate::game::Games;
use crate::player::{Ending, GameId, Player};
use crate::sequences::ClassId;
use crate::watch::Context;

/// A game with the first day by which an equivalent one is born.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Born {
    /// The class of the game.
    pub class: ClassId,
    /// An expression of the game.
    pub game: GameId,
    /// The first day by which it is born.
    pub day: u32,
    /// The number of A and B in the expression when it is written out by wedges and braces.
    size: usize,
}

/// Enumerates the games born by a day, one of each class, in order of birth.
///
/// # Errors
/// If the work is stopped.
pub fn born_by(
    algebra: &mut Algebra<'_>,
    games: &mut Games,
    last: u32,
    context: &Context<'_>,
) -> Result<Vec<Born>> {
    let mut born = IndexMap::<ClassId, Born>::new();
    for player in Player::BOTH {
        let class = algebra.ended(player)?;
        born.insert(
            class,
            Born {
                class,
                game: games.ended(Ending::Win(player)),
                day: 0,
                size: 1,
            },
        );
    }
    for day in 1..=last {
        // Moves lead to games of earlier days only, so the list is fixed before the day begins.
        let old: Vec<Born> = born.values().copied().collect();
        let alice = sets(algebra, &old, Player::Alice)?;
        let bob = sets(algebra, &old, Player::Bob)?;
        let count = (alice.len() as u64).saturating_mul(bob.len() as u64);
        for (done, (alice, bob)) in pairs(&alice, &by_size(&bob)).enumerate() {
            context.check()?;
            context.report("games", done as u64, Some(count));
            let class = algebra.braces(&[alice.class], &[bob.class])?;
            // Pairs come by size, so that a class gets a short expression.
            if !born.contains_key(&class) {
                let game = expression(algebra, games, alice, bob)?;
                born.insert(
                    class,
                    Born {
                        class,
                        game,
                        day,
                        size: alice.size + bob.size,
                    },
                );
            }
        }
    }
    Ok(born.into_values().collect())
}

/// A set of moves of one player.
#[derive(Clone)]
struct MoveSet {
    /// The class of the game in which that player alone may move, to these games.
    class: ClassId,
    to: Vec<Born>,
    size: usize,
}

/// Sets of moves by their size.
type BySize<'a> = BTreeMap<usize, Vec<&'a MoveSet>>;

fn by_size(sets: &[MoveSet]) -> BySize<'_> {
    let mut found = BySize::new();
    for moves in sets {
        found.entry(moves.size).or_default().push(moves);
    }
    found
}

/// Returns all pairs of a set of Alice's and one of Bob's, the smallest first, one at a time: there
/// may be too many for a list.
fn pairs<'a>(
    alice: &'a [MoveSet],
    bob: &'a BySize<'a>,
) -> impl Iterator<Item = (&'a MoveSet, &'a MoveSet)> {
    let sizes: BTreeSet<usize> = alice
        .iter()
        .flat_map(|moves| bob.keys().map(|size| moves.size + size))
        .collect();
    sizes.into_iter().flat_map(move |size| {
        alice.iter().flat_map(move |moves| {
            let rest = size.checked_sub(moves.size);
            let others = rest.and_then(|rest| bob.get(&rest));
            others
                .into_iter()
                .flatten()
                .map(move |other| (moves, *other))
        })
    })
}

/// Enumerates the sets of moves of a player that differ in their best.
fn sets(algebra: &mut Algebra<'_>, born: &[Born], player: Player) -> Result<Vec<MoveSet>> {
    let mut found = IndexMap::<ClassId, MoveSet>::new();
    for &each in born {
        found.entry(each.class).or_insert(MoveSet {
            class: each.class,
            to: vec![each],
            size: each.size,
        });
    }
    let mut next = 0;
    while let Some((_, moves)) = found.get_index(next) {
        let moves = moves.clone();
        next += 1;
        for &each in born {
            // The best of a set and one more game is the best of two, so sets grow game by game.
            let both = [moves.class, each.class];
            let class = match player {
                Player::Alice => algebra.braces(&both, &[])?,
                Player::Bob => algebra.braces(&[], &both)?,
            };
            // Sets that differ in moves but not in their best are one.
            found.entry(class).or_insert_with(|| {
                let to = moves.to.iter().copied().chain([each]).collect();
                MoveSet {
                    class,
                    to,
                    size: moves.size + each.size,
                }
            });
        }
    }
    Ok(found.into_values().collect())
}

/// Returns a wedge sum if each player has one move, with the game that Alice prefers on the left;
/// else braces.
fn expression(
    algebra: &Algebra<'_>,
    games: &mut Games,
    alice: &MoveSet,
    bob: &MoveSet,
) -> Result<GameId> {
    if let ([g], [h]) = (&alice.to[..], &bob.to[..]) {
        let (g, h) = if algebra.at_most(h.class, g.class)? {
            (h, g)
        } else {
            (g, h)
        };
        // A power has a shorter notation than the wedge sums that it stands for.
        if let Some(power) = power(games, g.game, h.game) {
            return Ok(power);
        }
        return Ok(games.wedge(g.game, h.game));
    }
    let games_of = |moves: &MoveSet| moves.to.iter().map(|each| each.game).collect();
    Ok(games.braces(games_of(alice), games_of(bob)))
}

/// Returns E for A ∧ B, A^(n+1) for A ∧ A^n, B^(n+1) for B^n ∧ B; `None` for other wedge sums.
fn power(games: &mut Games, g: GameId, h: GameId) -> Option<GameId> {
    use crate::game::GameExpr::{Ended, Power};
    let (alice, bob) = (Ending::Win(Player::Alice), Ending::Win(Player::Bob));
    let even = games.even();
    match (games.expr(g).clone(), games.expr(h).clone()) {
        (Ended(first), Ended(second)) if (first, second) == (alice, bob) => Some(even),
        (Ended(first), _) if first == alice && h == even => Some(games.power(Player::Alice, 2)),
        (_, Ended(second)) if second == bob && g == even => Some(games.power(Player::Bob, 2)),
        (Ended(first), Power(Player::Alice, n)) if first == alice => {
            Some(games.power(Player::Alice, n + 1))
        }
        (Power(Player::Bob, n), Ended(second)) if second == bob => {
            Some(games.power(Player::Bob, n + 1))
        }
        _ => None,
    }
}
