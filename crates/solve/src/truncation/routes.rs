//! Routes: lines that a player may complete after the truncation, which bound the values of the
//! positions where it ends; a pair of routes counts if they have no open component in common.
//!
//! A *route* is a line whose completion wins for a player, in a product ([`Product`]); its *need*
//! at a position is the least number of moves in a row by which the player can complete it, the
//! opponent making none. As each move changes one component, the need is the sum of the needs in
//! the components that the line crosses, each the length of a shortest path in the component alone.
//! A component in which the line is not yet complete is *open*. Its *lack* counts the player's
//! moves on a shortest path of moves of both players: the opponent's moves do not reduce it, the
//! player's reduce it by one at most. (Where pieces fall, a cell may have empty ones below: the
//! need counts these, the lack does not.) A line is a route only if it stays complete in every
//! component in which it is complete, whoever moves there.
//!
//! Let R be what Alice needs, so that 1 − R is the chance that she wins if a fair coin says who
//! makes each move.
//!
//! **Theorem.** Let Alice have a route of need a at a position that has not ended, and suppose that
//! only endings that she wins can occur as long as Bob completes no line and moves are left
//! ([`is_clear`]). Then 1 − R ≥ 2⁻ᵃ. Let her have another route too, of need b, the two with no
//! open component in common, and let each of Bob's lines lack two of his moves or more. Then 1 − R
//! ≥ 1 − (1 − 2⁻ᵃ)(1 − 2⁻ᵇ). With the players exchanged R takes the place of 1 − R.
//!
//! This is the chance that at least one of the two is completed if they were completed
//! independently, while Bob does nothing: for lines with no cell in common it is the sum of Erdős
//! and Selfridge less their product. The sum over *all* open lines bounds the chance from above,
//! not from below: it is the mean of its values after either player takes the same cell, whichever
//! that is. On the standard board it is below 1 at none of a hundred thousand positions of eight
//! moves, and so gives no bound there.
//!
//! *Proof.* By induction on the needs. If one is 0 the line is complete, or she has won before, and
//! R is 0. Else R is the mean of the values after the best moves of hers and of Bob's, even if each
//! would rather let the other move. Both can move, as an open component is not at its last level,
//! and there both can. One route: a step of hers on it leads to an ending that she wins, or to a
//! need of a − 1; Bob's move leads to a chance of 0 at least. The mean is 2⁻⁽ᵃ⁻¹⁾/2. Two routes,
//! with a ≤ b: her step on the first one leaves the second one unchanged, as the component of the
//! step is not open to the second, which either does not lie there, or is complete there and stays
//! so. No line of Bob's lacks less than before. So she has won, or the needs are a − 1 and b. Bob's
//! move is in a component that is open to one of the two at most, and ends nothing, as no line of
//! his lacked only this move: one route is left, of need b at most. The mean is (1 − (1 −
//! 2⁻⁽ᵃ⁻¹⁾)(1 − 2⁻ᵇ) + 2⁻ᵇ)/2 = 1 − (1 − 2⁻ᵃ)(1 − 2⁻ᵇ). ∎
//!
//! In chips the same induction gives the threshold whose two halves are the thresholds after her
//! step and after his move: the formulas of both tie rules are monotone in their arguments. The
//! bounds from both players' routes are consistent, since both bound the same number.
//!
//! **Corollary.** With one more move the bounds come no further apart. The least need a, and with
//! it the least b, give the best bound: 2⁻ᵃ exceeds 1 − (1 − 2⁻⁽ᵃ⁺¹⁾)². By the proof it is at most
//! the mean of the bounds that the same choice gives after her step and after Bob's best move.
//! (This also holds if the chance is rounded down to a multiple of a power of two of which 2⁻ᵇ is a
//! multiple: the mean of a rounded number and an exact one is not less than their rounded mean.)
//!
//! Here needs and lacks are determined by the levels: a line is a route only if, in each component,
//! it has the same need and lack at all contents of a level at which it can be completed. Columns
//! into which pieces fall have this property, and so have single cells.

use super::layer::Levels;
use crate::convert::fit;
use crate::game::ruleset::{EndingCells, Formula, Product, Test};
use crate::player::{Ending, PerPlayer, Player};

/// The greatest need of a route that counts.
pub const MOST_NEED: u8 = 4;

/// The need of lines that cannot be completed.
pub const NEVER: u8 = u8::MAX;

/// The greatest number of levels for which the tests of counts are evaluated.
const MOST_LEVELS: u64 = 1 << 20;

/// The routes of both players.
#[derive(Debug)]
pub struct Routes {
    /// All routes of both players.
    pub all: Vec<Route>,
    /// For each player, whether two routes of the player count together: all lines that end the
    /// game otherwise must be routes of the opponent's.
    pub pairs: PerPlayer<bool>,
}

/// A line that wins for a player.
#[derive(Debug)]
pub struct Route {
    /// The player who wins by the line.
    pub player: Player,
    /// The components that the line crosses, in order, and by level and content whether it can be
    /// completed there.
    pub open: Vec<(usize, Vec<Vec<bool>>)>,
    /// For each of these components, the cost at each level, at contents at which the line can be
    /// completed.
    costs: Vec<Vec<RouteCost>>,
}

/// The cost of completing a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RouteCost {
    /// The number of the player's moves in a row that complete it.
    pub need: u8,
    /// The least number of the player's moves, whatever the opponent does.
    pub lack: u8,
}

impl Route {
    /// Returns the cost at some levels where the route can be completed, and the open components as
    /// bits.
    pub fn at(&self, levels: &[u8]) -> (RouteCost, u64) {
        let mut sum = RouteCost { need: 0, lack: 0 };
        let mut open = 0;
        for ((component, _), costs) in self.open.iter().zip(&self.costs) {
            let RouteCost { need, lack } = costs[usize::from(levels[*component])];
            sum = RouteCost {
                // The cost of a line that cannot be completed is the greatest number, and stays so.
                need: sum.need.saturating_add(need),
                lack: sum.lack.saturating_add(lack),
            };
            open |= u64::from(need > 0) << component;
        }
        (sum, open)
    }
}

/// Finds the routes of both players, in a product that continues for so many moves and then for as
/// many as two routes need; returns `None` if there are none.
pub fn routes(product: &Product, moves: u32) -> Option<Routes> {
    // The open components of a route are the bits of a word.
    if product.components.len() > 64 {
        return None;
    }
    let sets = |player: Player| {
        // Both routes of a pair may still be completed after play is stopped.
        clear_sets(product, player, moves + 2 * u32::from(MOST_NEED)).unwrap_or_default()
    };
    let sets = PerPlayer::new(sets(Player::Alice), sets(Player::Bob));
    let mut all = Vec::new();
    let mut pairs = PerPlayer::new(true, true);
    for player in Player::BOTH {
        // Collects the tests that may end the game otherwise than by a win of the opponent.
        let is_route = |(test, ending): &(Formula<Test>, Ending)| match test {
            Formula::Atom(Test::Line(set)) => {
                *ending == Ending::Win(player) && sets[player].contains(set)
            }
            _ => true,
        };
        let others = product
            .endings
            .iter()
            .filter(|(_, ending)| *ending != Ending::Win(player.other()));
        pairs[player.other()] &= others.filter(|ending| !is_route(ending)).count() == 0;
        for line in sets[player].iter().flat_map(|set| &product.lines[*set]) {
            match route(product, line, player) {
                Some(route) => all.push(route),
                // Such a line may end the game without being counted as a threat.
                None => pairs[player.other()] = false,
            }
        }
    }
    (!all.is_empty()).then_some(Routes { all, pairs })
}

/// Converts a line to a route, if its needs are determined by the levels, and it stays complete
/// wherever it is complete.
fn route(product: &Product, line: &EndingCells, player: Player) -> Option<Route> {
    let mut route = Route {
        player,
        open: Vec::new(),
        costs: Vec::new(),
    };
    for (component, complete) in &line.needs {
        let levels = &product.components[*component].levels;
        let stays = levels.iter().enumerate().all(|(level, here)| {
            let steps = Player::BOTH
                .into_iter()
                .flat_map(|mover| here.steps[mover].iter().zip(&complete[level]));
            steps
                .filter(|(_, is_complete)| **is_complete)
                .flat_map(|(to, _)| to)
                .all(|to| complete[level + 1][*to as usize])
        });
        // The proof needs a component that is complete to stay so, whoever moves there.
        if !stays {
            return None;
        }
        let needs = distances(
            product,
            *component,
            complete,
            PerPlayer::new(1, NEVER),
            player,
        );
        // The opponent's moves cost nothing here, because the lack counts the player's moves only.
        let lacks = distances(product, *component, complete, PerPlayer::new(1, 0), player);
        let mut open = Vec::new();
        let mut costs = Vec::new();
        for (needs, lacks) in needs.into_iter().zip(lacks) {
            let each = || {
                needs.iter().zip(&lacks).map(|(need, lack)| RouteCost {
                    need: *need,
                    lack: *lack,
                })
            };
            let can = |cost: &RouteCost| cost.need != NEVER;
            let cost = each().find(can).unwrap_or(RouteCost {
                need: NEVER,
                lack: NEVER,
            });
            // Costs are looked up by level alone, so all contents of a level have to agree.
            if !each().all(|other| {
                other == cost
                    || other
                        == RouteCost {
                            need: NEVER,
                            lack: NEVER,
                        }
            }) {
                return None;
            }
            open.push(needs.iter().map(|need| *need != NEVER).collect());
            costs.push(cost);
        }
        route.open.push((*component, open));
        route.costs.push(costs);
    }
    (!route.open.is_empty()).then_some(route)
}

/// Computes, by level and content of a component, the least cost of moves that make it complete;
/// `costs` contains the costs of a move of the player and of the opponent, in this order.
fn distances(
    product: &Product,
    component: usize,
    complete: &[Vec<bool>],
    costs: PerPlayer<u8>,
    player: Player,
) -> Vec<Vec<u8>> {
    let costs = if player == Player::Alice {
        costs
    } else {
        costs.swapped()
    };
    let levels = &product.components[component].levels;
    let mut needs: Vec<Vec<u8>> = levels.iter().map(|level| vec![NEVER; level.len]).collect();
    // Every move raises the level, so that the levels above are known.
    for level in (0..levels.len()).rev() {
        for content in 0..levels[level].len {
            if complete[level][content] {
                needs[level][content] = 0;
                continue;
            }
            for mover in Player::BOTH {
                let steps = levels[level].steps[mover]
                    .get(content)
                    .into_iter()
                    .flatten();
                let after = steps
                    .map(|to| needs[level + 1][*to as usize])
                    .min()
                    .unwrap_or(NEVER);
                let cost = after.saturating_add(costs[mover]);
                needs[level][content] = needs[level][content].min(cost);
            }
        }
    }
    needs
}

/// Returns the sets of lines that win for a player; `None` if [something else](is_clear) may end
/// the game while one is being completed. Sets that are tested after a count that ends the game are
/// excluded.
fn clear_sets(product: &Product, player: Player, moves: u32) -> Option<Vec<usize>> {
    let wins = Ending::Win(player);
    let mut sets = Vec::new();
    let mut before = true;
    for (test, ending) in &product.endings {
        match (test, *ending == wins) {
            (Formula::Atom(Test::Line(set)), true) if before => sets.push(*set),
            (_, true) => {}
            (test, false) => {
                // After a test of another kind a line may be complete without ending the game as a
                // win.
                before &= matches!(test, Formula::Atom(Test::Line(_)));
                is_clear(product, test, player, moves).then_some(())?;
            }
        }
    }
    Some(sets)
}

/// Returns `true` if a test that does not win for the player holds at none of the positions that
/// the player's moves in a row lead to, as long as moves are left: either no such move completes
/// one of its lines, or the levels determine it and it holds only when all of them are at their
/// last.
fn is_clear(product: &Product, test: &Formula<Test>, player: Player, moves: u32) -> bool {
    if let Formula::Atom(Test::Line(set)) = test {
        return product.lines[*set].iter().all(|line| {
            line.needs.iter().all(|(component, complete)| {
                let levels = &product.components[*component].levels;
                levels.iter().enumerate().all(|(level, here)| {
                    let from = here.steps[player].iter().zip(&complete[level]);
                    from.filter(|(_, complete)| !**complete).all(|(steps, _)| {
                        steps.iter().all(|to| !complete_after(complete, level, *to))
                    })
                })
            })
        });
    }
    let combinations = product.components.iter().fold(1_u64, |all, one| {
        all.saturating_mul(one.levels.len() as u64)
    });
    // The test is evaluated at all levels, of which there must not be too many.
    combinations <= MOST_LEVELS && is_late(product, test, moves)
}

fn complete_after(complete: &[Vec<bool>], level: usize, to: u32) -> bool {
    complete[level + 1][to as usize]
}

/// Returns `true` if a test that the levels determine does not hold as long as moves are left.
fn is_late(product: &Product, test: &Formula<Test>, moves: u32) -> bool {
    let lasts: Vec<u8> = product
        .components
        .iter()
        .map(|component| fit::<u8>(component.levels.len() - 1))
        .collect();
    let mut levels = Levels::from_elem(0, lasts.len());
    loop {
        let made: u32 = levels.iter().map(|level| u32::from(*level)).sum();
        if made < moves && levels[..] != lasts[..] {
            let known = |test: &Test| match test {
                Test::Line(_) => None,
                Test::Count(count) => Some(count.holds(&levels)),
            };
            if test.decided(&known) != Some(false) {
                return false;
            }
        }
        // Advances to the next levels, counted as a number whose first digit is the least
        // significant.
        let Some(place) = (0..lasts.len()).find(|place| levels[*place] < lasts[*place]) else {
            return true;
        };
        levels[..place].fill(0);
        levels[place] += 1;
    }
}
