//! What is worth less than everything where the truncation ends: lines that a player can complete in a few moves in a row.
//!
//! A *route* is a line whose completion wins for a player, in a product ([`Product`]); its *need* at a position is the least number of moves
//! that the player must make in a row, the opponent making none, to complete it. As each move changes one component, that is the sum of the
//! needs in the components in which the line lies, each the length of a shortest path in the component alone.
//!
//! **Theorem.** Let Alice have a route of need k at a position that has not ended, and let only endings that she wins come before the route's end
//! ([`is_clear`]). Then R ≤ 1 − 2⁻ᵏ there. Likewise R ≥ 2⁻ᵏ if Bob has one.
//!
//! *Proof.* By induction on k. If k = 0 the line is complete, or she has won before: R = 0. Else R is the mean of what a move of hers and a move of Bob's lead
//! to, whoever would rather let the other move. Her step on the route leads to an ending that she wins, or to a position with a route of need k − 1: to
//! 1 − 2⁻⁽ᵏ⁻¹⁾ at most. Bob's best move leads to 1 at most; their mean is 1 − 2⁻ᵏ. Both can move, as the component in which the next
//! step is taken is not at its last level, and there both can. Exchanging the players gives the rest. ∎
//!
//! In chips the same induction gives the threshold of which the two halves are those for k − 1 and never: the formulas of both tie rules rise with
//! their arguments. What both players' routes say together is consistent: the bounds hold of one number.
//!
//! **Corollary.** The bounds with routes of at most a moves lie between those without and those of a moves more: a position's need is found by playing that many moves.
//! So they too come no further apart with every move.

use rustc_hash::FxHashMap;

use super::layer::Levels;
use crate::game::ruleset::{Formula, Product, Test};
use crate::player::{Ending, Player};

/// The need of lines that cannot be completed.
pub const NEVER: u8 = u8::MAX;

/// The most levels of which it is looked up whether counts end the game there.
const MOST_LEVELS: u64 = 1 << 20;

/// A line that wins for a player.
#[derive(Debug)]
pub struct Route {
    /// Who wins.
    pub player: Player,
    /// The first and the last component in which it lies.
    pub ends: (usize, usize),
    /// By component: by level and content how many moves in a row complete it there; `None` if it does not lie there.
    needs: Vec<Option<Vec<Vec<u8>>>>,
}

impl Route {
    /// How many moves in a row each content of a component needs; `None` if none.
    pub fn needs(&self, component: usize, levels: &[u8]) -> Option<&[u8]> {
        self.needs[component].as_ref().map(|by_level| by_level[usize::from(levels[component])].as_slice())
    }
}

/// The routes of both players, in a product that goes on for so many moves.
pub fn routes(product: &Product, moves: u32) -> Vec<Route> {
    let mut all = Vec::new();
    for player in Player::BOTH {
        let Some(sets) = clear_sets(product, player, moves) else { continue };
        for line in sets.into_iter().flat_map(|set| &product.lines[set]) {
            let [Some((first, _)), Some((last, _))] = [line.needs.first(), line.needs.last()] else { continue };
            let mut needs = vec![None; product.components.len()];
            for (component, complete) in &line.needs {
                needs[*component] = Some(distances(product, *component, complete, player));
            }
            all.push(Route { player, ends: (*first, *last), needs });
        }
    }
    all
}

/// By level and content of a component: how many moves of the player's make it complete.
fn distances(product: &Product, component: usize, complete: &[Vec<bool>], player: Player) -> Vec<Vec<u8>> {
    let levels = &product.components[component].levels;
    let mut needs: Vec<Vec<u8>> = levels.iter().map(|level| vec![NEVER; level.len]).collect();
    for level in (0..levels.len()).rev() {
        for content in 0..levels[level].len {
            needs[level][content] = if complete[level][content] {
                0
            } else {
                let steps = levels[level].steps[player].get(content);
                let after = steps.into_iter().flatten().map(|to| needs[level + 1][*to as usize]).min();
                after.unwrap_or(NEVER).saturating_add(1)
            };
        }
    }
    needs
}

/// The sets of lines that win for a player; `None` if [something](is_clear) else may end the game while one is being completed. Where a count ends it, only the sets
/// that are looked at before.
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

/// Whether a test that does not win for the player holds at none of the positions that the player's moves in a row lead to, as long as there are moves: its
/// lines are none that such a move completes, or the levels decide it and it needs all of them at their last.
fn is_clear(product: &Product, test: &Formula<Test>, player: Player, moves: u32) -> bool {
    if let Formula::Atom(Test::Line(set)) = test {
        return product.lines[*set].iter().all(|line| {
            line.needs.iter().all(|(component, complete)| {
                let levels = &product.components[*component].levels;
                levels.iter().enumerate().all(|(level, here)| {
                    let from = here.steps[player].iter().zip(&complete[level]);
                    from.filter(|(_, complete)| !**complete)
                        .all(|(steps, _)| steps.iter().all(|to| !complete_after(complete, level, *to)))
                })
            })
        });
    }
    let combinations = product.components.iter().fold(1_u64, |all, one| all.saturating_mul(one.levels.len() as u64));
    combinations <= MOST_LEVELS && is_late(product, test, moves)
}

fn complete_after(complete: &[Vec<bool>], level: usize, to: u32) -> bool {
    complete[level + 1][to as usize]
}

/// Whether a test that the levels decide does not hold as long as something can be moved.
fn is_late(product: &Product, test: &Formula<Test>, moves: u32) -> bool {
    let lasts: Vec<u8> = product.components.iter().map(|component| (component.levels.len() - 1) as u8).collect();
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
        let Some(place) = (0..lasts.len()).find(|place| levels[*place] < lasts[*place]) else { return true };
        levels[..place].fill(0);
        levels[place] += 1;
    }
}

/// The needs of the contents of some components, as an array in mixed radix.
pub type Needs = Box<[u8]>;

/// What is known of routes for the contents of the components from one on.
#[derive(Debug, Default)]
pub struct Inside {
    /// By player: the least need of the routes that lie inside altogether.
    pub whole: FxHashMap<Player, Needs>,
    /// By route, if it lies inside in part: the least of its needs there, and all of them.
    pub parts: Vec<Option<(u8, Needs)>>,
}

impl Inside {
    /// For the components from one on, at these levels; needs beyond `most` do not count.
    pub fn new(routes: &[Route], sizes: &[usize], first: usize, levels: &[u8], most: u8) -> Self {
        let mut inside = Self::default();
        for route in routes {
            let found = (route.ends.1 >= first).then(|| needs_inside(route, sizes, first, levels));
            let found = found.map(|needs| (needs.iter().copied().min().unwrap_or(NEVER), needs));
            let found = found.filter(|(least, _)| *least <= most);
            if route.ends.0 < first {
                inside.parts.push(found);
                continue;
            }
            inside.parts.push(None);
            let Some((_, needs)) = found else { continue };
            match inside.whole.entry(route.player) {
                std::collections::hash_map::Entry::Vacant(vacant) => {
                    vacant.insert(needs);
                }
                std::collections::hash_map::Entry::Occupied(mut known) => lessen(known.get_mut(), &needs, 0),
            }
        }
        inside
    }
}

/// How many moves a route needs inside, for each content of the components from one on.
fn needs_inside(route: &Route, sizes: &[usize], first: usize, levels: &[u8]) -> Needs {
    let mut needs = vec![0];
    for component in (first..sizes.len()).rev() {
        let each = route.needs(component, levels);
        let with = |content: usize| {
            let here = each.map_or(0, |each| each[content]);
            needs.iter().map(move |need: &u8| need.saturating_add(here)).collect::<Vec<u8>>()
        };
        needs = (0..sizes[component]).flat_map(with).collect();
    }
    needs.into()
}

/// Takes the lesser of what is known and of needs, of which each has so many moves to be added.
#[inline]
pub fn lessen(known: &mut [u8], needs: &[u8], more: u8) {
    for (known, need) in known.iter_mut().zip(needs) {
        *known = (*known).min(need.saturating_add(more));
    }
}
