//! The kinds of moves: steps of one digit, steps within the row, and guarded moves.

use rustc_hash::FxHashMap;

use super::parts::{MovePiece, StatePart, Transition, Tuple, number, tuple};
use super::{Digit, GuardedMove, Landing};
use crate::convert::fit;
use crate::player::PerPlayer;

/// Splits the pieces into steps of one digit, steps within the row, and guarded moves.
pub(super) fn split(
    pieces: &[MovePiece],
    digit_parts: &[StatePart],
    row_parts: &[StatePart],
) -> (Vec<Digit>, Digit, PerPlayer<Vec<GuardedMove>>) {
    let none =
        |contents: usize| PerPlayer::new(vec![Vec::new(); contents], vec![Vec::new(); contents]);
    let mut digits: Vec<Digit> = digit_parts
        .iter()
        .map(|part| Digit {
            steps: none(part.contents.len()),
        })
        .collect();
    let row_sizes: Vec<usize> = row_parts.iter().map(|part| part.contents.len()).collect();
    let mut row = Digit {
        steps: none(row_sizes.iter().product()),
    };
    let mut guarded_moves = PerPlayer::<Vec<GuardedMove>>::default();
    for piece in pieces.iter().filter(|piece| !piece.transitions.is_empty()) {
        let (outside, inside): (Vec<usize>, Vec<usize>) =
            (0..piece.parts.len()).partition(|place| piece.parts[*place] < digits.len());
        // Plain steps of one digit are the usual case, and whole rows follow them at once.
        if piece.guards.is_empty() && inside.is_empty() && outside.len() == 1 {
            let steps = &mut digits[piece.parts[0]].steps[piece.player];
            piece
                .transitions
                .iter()
                .for_each(|(from, to)| steps[from[0] as usize].push(to[0]));
            continue;
        }
        let within = |transitions: &[Transition]| {
            let places = inside
                .iter()
                .map(|place| piece.parts[*place] - digit_parts.len())
                .collect();
            row_changes(transitions, &inside, places, &row_sizes)
        };
        if piece.guards.is_empty() && outside.is_empty() {
            let steps = &mut row.steps[piece.player];
            within(&piece.transitions)
                .into_iter()
                .for_each(|(from, to)| steps[from as usize].push(to));
            continue;
        }
        let sizes: Vec<usize> = outside
            .iter()
            .map(|place| digit_parts[piece.parts[*place]].contents.len())
            .collect();
        let mut landings: Vec<Vec<Landing>> =
            (0..sizes.iter().product()).map(|_| Vec::new()).collect();
        for ((from, to), transitions) in grouped(&piece.transitions, &outside) {
            let row = (!inside.is_empty()).then(|| within(&transitions));
            landings[number(&from, &sizes)].push(Landing { to, row });
        }
        let digits = outside
            .iter()
            .zip(sizes)
            .map(|(place, size)| (piece.parts[*place], size))
            .collect();
        guarded_moves[piece.player].push(GuardedMove {
            digits,
            landings,
            guards: piece.guards.clone(),
        });
    }
    (digits, row, guarded_moves)
}

/// Groups transitions by their effects at some of their places, in the order of their first
/// occurrences.
fn grouped(transitions: &[Transition], places: &[usize]) -> Vec<(Transition, Vec<Transition>)> {
    let pick = |tuple: &Tuple| places.iter().map(|place| tuple[*place]).collect::<Tuple>();
    let mut groups = indexmap::IndexMap::<Transition, Vec<Transition>>::new();
    for transition in transitions {
        groups
            .entry((pick(&transition.0), pick(&transition.1)))
            .or_default()
            .push(transition.clone());
    }
    groups.into_iter().collect()
}

/// Returns the changes of the row's content by transitions: `inside` are the transitions' places
/// that belong to the row, `places` the corresponding parts of the row.
fn row_changes(
    transitions: &[Transition],
    inside: &[usize],
    places: Vec<usize>,
    sizes: &[usize],
) -> Vec<(u32, u32)> {
    let mut by_source = FxHashMap::<Tuple, Vec<Tuple>>::default();
    let pick = |tuple: &Tuple| inside.iter().map(|place| tuple[*place]).collect::<Tuple>();
    for (from, to) in transitions {
        by_source.entry(pick(from)).or_default().push(pick(to));
    }
    let mut changes = Vec::new();
    // The contents of the other parts of the row stay as they are, so each of them has its own
    // change.
    for content in 0..sizes.iter().product() {
        let here = tuple(content, sizes);
        let source: Tuple = places.iter().map(|place| here[*place]).collect();
        for target in by_source.get(&source).into_iter().flatten() {
            let mut there = here.clone();
            places
                .iter()
                .zip(target)
                .for_each(|(place, content)| there[*place] = *content);
            changes.push((fit::<u32>(content), fit::<u32>(number(&there, sizes))));
        }
    }
    changes
}
