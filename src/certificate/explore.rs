//! Finds all positions of a game with the checker's interpreter. They are numbered so that, if play
//! always ends, every move leads to a greater number.

use std::collections::HashMap;

use crate::convert::fit;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::player::{Ending, PerPlayer, Player};
use crate::rules::Objective;
use crate::verify::format::{Fraction, PositionListing};
use crate::verify::{GameIndex, GamePosition, GameQuery, Interpreter, Trouble};
use crate::watch::{Context, Stop};

/// The rough number of bytes that a position takes while it is listed.
const BYTES: u64 = 400;
/// The number of positions that are visited between two checks for a stop.
const CHECK_EVERY: usize = 256;

/// A position before it is listed, with the numbers of its successors.
type ListedPosition = GamePosition<u32>;

/// Lists all positions that can be reached from a game, and returns the listing with the games of
/// its positions. If no position can recur, every move leads to a greater number.
pub(super) fn explore(
    interpreter: &mut Interpreter<'_>,
    asked: &GameQuery,
) -> Result<(PositionListing, Vec<GameIndex>)> {
    let start = asked.game;
    let objective = asked.rules.objective;
    let mut numbers = HashMap::from([(start, 0)]);
    let (mut open, mut found) = (vec![start], Vec::<ListedPosition>::new());
    while found.len() < open.len() {
        if found.len().is_multiple_of(CHECK_EVERY) {
            look(interpreter.context, found.len(), open.len())?;
        }
        let game = open[found.len()];
        let position = interpreter.position(game, objective).map_err(diagnostic)?;
        let mut number = |to: GameIndex| {
            let next = fit::<u32>(open.len());
            *numbers.entry(to).or_insert_with(|| {
                open.push(to);
                next
            })
        };
        let moves = position.moves;
        found.push(ListedPosition {
            moves: moves.map(|heads| heads.into_iter().map(&mut number).collect()),
            ending: position.ending,
            priority: position.priority,
            weights: position.weights,
        });
    }
    // The listing is built beside these tables, so each is released as soon as it has served.
    drop(numbers);
    let order = order(&found);
    let games = order.iter().map(|index| open[*index as usize]).collect();
    drop(open);
    Ok((listed(&found, &order, objective), games))
}

fn look(context: &Context<'_>, done: usize, met: usize) -> Result<()> {
    context.check()?;
    context.report("listing positions", done as u64, None);
    let limits = context.limits;
    // Positions that are met count as well, because they take memory before they are visited.
    if met as u64 > limits.max_positions {
        return Err(Stop::Positions(limits.max_positions).into());
    }
    if met as u64 * BYTES > limits.max_memory {
        return Err(Stop::Memory(limits.max_memory).into());
    }
    Ok(())
}

/// Converts an error of the interpreter to a diagnostic.
pub(super) fn diagnostic(trouble: Trouble) -> Box<Diagnostic> {
    match trouble {
        Trouble::Stopped(stop) => stop.into(),
        Trouble::Wrong(why, _) => {
            Box::new(Diagnostic::new(Code::NotSupported, format!("no certificate can be written: {why}")).help(
                "certificates exist for `R(G)`, `P(G)`, `f(G, k)`, `f(G, bob: b)`, `G(a*, b)`, `credit(G, a*, b)`, `v(G, a, b)` and `nash(G, a, b)`, asked directly; see docs/certificates.md",
            ))
        }
    }
}

/// Returns the listing in the order of a depth-first search, last finished first; it is a
/// topological order if there is one.
fn listed(found: &[ListedPosition], order: &[u32], objective: Objective) -> PositionListing {
    let mut numbers = vec![0; found.len()];
    order
        .iter()
        .enumerate()
        .for_each(|(number, index)| numbers[*index as usize] = fit::<i32>(number));
    let mut listing = PositionListing::default();
    match objective {
        Objective::Reachability => {}
        Objective::Buchi | Objective::Parity => listing.priorities = Some(Vec::new()),
        Objective::MeanPayoff | Objective::Energy => listing.weights = Some(PerPlayer::default()),
    }
    for (number, index) in order.iter().enumerate() {
        let position = &found[*index as usize];
        let [alice, bob] = Player::both(|player| {
            let moves = position.moves[player].iter();
            moves.map(|to| numbers[*to as usize])
        });
        listing.alice.push(alice);
        listing.bob.push(bob);
        if let Some(priorities) = &mut listing.priorities {
            priorities.push(position.priority.unwrap_or(-1));
        }
        if let Some(weights) = &mut listing.weights {
            for player in Player::BOTH {
                let row = position.weights[player].iter().cloned().map(Fraction);
                weights[player].push(row.collect());
            }
        }
        let over = &mut listing.over;
        match position.ending {
            Some(Ending::Win(Player::Alice)) => over.alice.push(fit::<i32>(number)),
            Some(Ending::Win(Player::Bob)) => over.bob.push(fit::<i32>(number)),
            Some(Ending::Draw) => over.draw.push(fit::<i32>(number)),
            None => {}
        }
    }
    listing
}

fn order(found: &[ListedPosition]) -> Vec<u32> {
    let next = |index: u32, done: usize| {
        let PerPlayer { alice, bob } = &found[index as usize].moves;
        alice
            .get(done)
            .or_else(|| bob.get(done - alice.len()))
            .copied()
    };
    let (mut seen, mut finished) = (vec![false; found.len()], Vec::with_capacity(found.len()));
    seen[0] = true;
    // The path is kept here and not in recursion, since play can be longer than the stack is deep.
    let mut path = vec![(0, 0)];
    while let Some((index, done)) = path.last_mut() {
        match next(*index, *done) {
            Some(to) => {
                *done += 1;
                if !std::mem::replace(&mut seen[to as usize], true) {
                    path.push((to, 0));
                }
            }
            None => {
                finished.push(*index);
                path.pop();
            }
        }
    }
    finished.reverse();
    finished
}
