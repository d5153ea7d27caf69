//! What is worth less than everything where the truncation ends: lines that a player may complete,
//! two of them that have no open component in common.
//!
//! A *route* is a line whose completion wins for a player, in a product ([`Product`]); its *need*
//! at a position is the least number of moves that the player must make in a row, the opponent
//! making none, to complete it. As each move changes one component, that is the sum of the needs in
//! the components in which the line lies, each the length of a shortest path in the component
//! alone. A component in which it is not yet complete is *open*. Its *lack* counts the player's
//! moves on a shortest path of moves of both players: the opponent's moves do not lessen it, the
//! player's lessen it by one at most. (Where pieces fall, a cell may have empty ones below: the
//! need counts these, the lack does not.) Only such lines are routes as stay complete in a
//! component in which they are, whoever moves there.
//!
//! Let R be what Alice needs, so that 1 − R is the chance that she wins if a fair coin says who
//! makes each move.
//!
//! **Theorem.** Let Alice have a route of need a at a position that has not ended, and let only
//! endings that she wins come as long as Bob completes no line and there are moves ([`is_clear`]).
//! Then 1 − R ≥ 2⁻ᵃ. Let her have another one too, of need b, the two with no open component in
//! common, and let each of Bob's lines lack two of his moves or more. Then 1 − R ≥ 1 − (1 − 2⁻ᵃ)(1
//! − 2⁻ᵇ). With the players exchanged R takes the place of 1 − R.
//!
//! That is as if each of the two were completed by chance, without regard to the other, while Bob
//! does nothing: for lines with no cell in common it is the sum of Erdős and Selfridge less their
//! product. The sum over *all* open lines bounds the chance from above, not from below: it is the
//! mean of what it becomes when either player takes the same cell, whichever that is. On the
//! standard board it is below 1 at not one of a hundred thousand positions of eight moves, and so
//! tells nothing there.
//!
//! *Proof.* By induction on the needs. If one is 0 the line is complete, or she has won before, and
//! R is 0. Else R is the mean of what the best moves of hers and of Bob's lead to, whoever would rather
//! let the other move. Both can move, as an open component is not at its last level, and there both
//! can. One route: a step of hers on it leads to an ending that she wins, or to a need of a − 1;
//! Bob's move leads to a chance of 0 at least. The mean is 2⁻⁽ᵃ⁻¹⁾/2. Two, with a ≤ b: her step on
//! the first one leaves the second one as it is, as the component of the step is not open to that:
//! it does not lie there, or is and stays complete. No line of Bob's lacks less than before. So she
//! has won, or the needs are a − 1 and b. Bob's move is in a component that is open to one of the
//! two at most, and ends nothing, as no line of his lacked only this move: one route is left, of
//! need b at most. The mean is (1 − (1 − 2⁻⁽ᵃ⁻¹⁾)(1 − 2⁻ᵇ) + 2⁻ᵇ)/2 = 1 − (1 − 2⁻ᵃ)(1 − 2⁻ᵇ). ∎
//!
//! In chips the same induction gives the threshold of which the two halves are those for what her
//! step and his move leave: the formulas of both tie rules rise with their arguments. What both
//! players' routes say together is consistent: the bounds hold of one number.
//!
//! **Corollary.** With every move more the bounds come no further apart. The least need a that
//! there is, and with it the least b, give the most: 2⁻ᵃ exceeds 1 − (1 − 2⁻⁽ᵃ⁺¹⁾)². By the proof
//! that is at most the mean of what the same choice gives after her step and after Bob's best move.
//! (It holds too where the chance is rounded down to a multiple of a power of two to which 2⁻ᵇ is
//! one: the mean of a rounded number and an exact one is not less than their rounded mean.)
//!
//! Here needs and lacks are those of the levels: only such lines are routes as have the same need
//! and lack, in each component, at all contents of a level at which they can be completed. Columns
//! into which pieces fall are so, and single cells.

use super::layer::Levels;
use crate::game::ruleset::{EndingCells, Formula, Product, Test};
use crate::player::{Ending, PerPlayer, Player};

/// No route needs more moves.
pub const MOST_NEED: u8 = 4;

/// The need of lines that cannot be completed.
pub const NEVER: u8 = u8::MAX;

/// The most levels of which it is looked up whether counts end the game there.
const MOST_LEVELS: u64 = 1 << 20;

/// The routes of both players.
#[derive(Debug)]
pub struct Routes {
    /// All of them.
    pub all: Vec<Route>,
    /// Whether two routes of a player count together: all lines that end the game otherwise are
    /// routes of the opponent's.
    pub pairs: PerPlayer<bool>,
}

/// A line that wins for a player.
#[derive(Debug)]
pub struct Route {
    /// Who wins.
    pub player: Player,
    /// The components in which it lies, in order, and by level and content whether it can be
    /// completed there.
    pub open: Vec<(usize, Vec<Vec<bool>>)>,
    /// By component likewise: by level how much it takes where it can be completed.
    costs: Vec<Vec<RouteCost>>,
}

/// What it takes to complete a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RouteCost {
    /// So many moves of the player's in a row.
    pub need: u8,
    /// At least so many, whatever the opponent does.
    pub lack: u8,
}

impl Route {
    /// What it takes at some levels where it can be completed, and which components are open, as
    /// bits.
    pub fn at(&self, levels: &[u8]) -> (RouteCost, u64) {
        let mut sum = RouteCost { need: 0, lack: 0 };
        let mut open = 0;
        for ((component, _), costs) in self.open.iter().zip(&self.costs) {
            let RouteCost { need, lack } = costs[usize::from(levels[*component])];
            sum = RouteCost {
                need: sum.need.saturating_add(need),
                lack: sum.lack.saturating_add(lack),
            };
            open |= u64::from(need > 0) << component;
        }
        (sum, open)
    }
}

/// The routes of both players, in a product that goes on for so many moves and then for as many as
/// two routes need; `None` if there are none.
pub fn routes(product: &Product, moves: u32) -> Option<Routes> {
    if product.components.len() > 64 {
        return None;
    }
    let sets = |player: Player| {
        clear_sets(product, player, moves + 2 * u32::from(MOST_NEED)).unwrap_or_default()
    };
    let sets = PerPlayer::new(sets(Player::Alice), sets(Player::Bob));
    let mut all = Vec::new();
    let mut pairs = PerPlayer::new(true, true);
    for player in Player::BOTH {
        // What may end the game otherwise than by a win of the opponent.
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
                None => pairs[player.other()] = false,
            }
        }
    }
    (!all.is_empty()).then_some(Routes { all, pairs })
}

/// A line as a route, if its needs are those of the levels, and it stays complete where it is.
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

/// By level and content of a component: the least that moves cost which make it complete, where one
/// of the player's costs so much (the first), and one of the opponent's.
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

/// The sets of lines that win for a player; `None` if [something](is_clear) else may end the game
/// while one is being completed. Where a count ends it, only the sets that are looked at before.
fn clear_sets(product: &Product, player: Player, moves: u32) -> Option<Vec<usize>> {
    let wins = Ending::Win(player);
    let mut sets = Vec::new();
    let mut before = true;
    for (test, ending) in &product.endings {
        match (test, *ending == wins) {
            (Formula::Atom(Test::Line(set)), true) if before => sets.push(*set),
            (_, true) => {}
            (test, false) => {
                before &= matches!(test, Formula::Atom(Test::Line(_)));
                is_clear(product, test, player, moves).then_some(())?;
            }
        }
    }
    Some(sets)
}

/// Whether a test that does not win for the player holds at none of the positions that the player's
/// moves in a row lead to, as long as there are moves: its lines are none that such a move
/// completes, or the levels decide it and it needs all of them at their last.
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
    combinations <= MOST_LEVELS && is_late(product, test, moves)
}

fn complete_after(complete: &[Vec<bool>], level: usize, to: u32) -> bool {
    complete[level + 1][to as usize]
}

/// Whether a test that the levels decide does not hold as long as something can be moved.
fn is_late(product: &Product, test: &Formula<Test>, moves: u32) -> bool {
    let lasts: Vec<u8> = product
        .components
        .iter()
        .map(|component| (component.levels.len() - 1) as u8)
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
        // The next levels, counted as a number of which the first digit counts least.
        let Some(place) = (0..lasts.len()).find(|place| levels[*place] < lasts[*place]) else {
            return true;
        };
        levels[..place].fill(0);
        levels[place] += 1;
    }
}
