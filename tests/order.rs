//! The partial order, held to thresholds total by total.

mod oracle;

use bid::game::{GameGraph, NodeId};
use bid::order::{Comparison, prove};
use bid::rules::{Rules, TieBreak};
use bid::solve::sequences::Sequences;
use bid::watch::Unwatched;
use oracle::random::{Shape, dice, game};

/// Past the pre-periods and one common period of the small games below.
const PAST: u64 = 600;

fn random_game(seed: u64) -> GameGraph {
    let positions = 1 + seed as usize % 5;
    game(&mut dice(seed), Shape { positions, moves: 3, cycles: false, draws: seed.is_multiple_of(3) })
}

#[test]
fn comparisons_and_proofs_agree_with_single_totals() {
    let (mut proofs, mut relations) = (0, 0);
    for seed in 0..400_u64 {
        let (first, second) = (random_game(2 * seed), random_game(2 * seed + 1));
        for ties in [TieBreak::Advantage, TieBreak::MakeItTakeIt, TieBreak::Marker] {
            let rules = Rules { ties, ..Rules::default() };
            let solve = |graph| Sequences::solve(graph, &rules, &Unwatched).expect("these rules have closed forms");
            let (g, h) = (solve(&first), solve(&second));
            let start = NodeId::new(0);
            let found = Comparison::of((&g, start), (&h, start), &Unwatched).expect("nothing stops it");
            let parts = |solved: &Sequences, total| -> Vec<u64> {
                solved.sequences(solved.class(start)).iter().map(|sequence| sequence.at(total)).collect()
            };
            for total in 0..PAST {
                let exceeds = |a: &[u64], b: &[u64]| a.iter().zip(b).any(|(a, b)| a > b);
                let (a, b) = (parts(&g, total), parts(&h, total));
                assert_eq!(found.above.contains(total), exceeds(&a, &b), "seed {seed}, {ties:?}, {total} chips");
                assert_eq!(found.below.contains(total), exceeds(&b, &a), "seed {seed}, {ties:?}, {total} chips");
            }
            let holds = found.above.least().is_none();
            relations += usize::from(holds);
            let proof = prove((&first, start), (&second, start), ties != TieBreak::Marker, 10_000);
            assert!(proof.is_none() || holds, "seed {seed}, {ties:?}: a proof of what is false\n{first:?}\n{second:?}");
            proofs += usize::from(proof.is_some());
        }
    }
    assert!(proofs * 2 > relations, "{proofs} proofs of {relations} relations");
}
