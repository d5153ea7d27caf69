//! Tests of games in which equal bids move nobody, against the rules played literally.

use std::ops::RangeInclusive;

use crate::all_pay::solved;
use crate::literal::{Literal, matrix_value};
use crate::oracle::{LiteralTurn, chosen, worth};
use crate::random::games;
use bid_game::{GameGraph, NodeId};
use bid_language::player::{Ending, PerPlayer, Player};
use bid_language::rules::{
    Draws, MinimumBid, Payment, Purses, Rules, Solver, Tie, TieBreak, Winner, settle_undecided,
};
use bid_solve::all_pay::{AllPayValues, Budgets, ExactOrCertified, FloatEnclosure, Standing};
use bid_testing::{GraphShape, for_all, share};
use num_rational::BigRational;
use num_traits::ToPrimitive;
use proptest::collection::vec;
use proptest::strategy::Strategy;

const ENDINGS: [Ending; 3] = [
    Ending::Win(Player::Alice),
    Ending::Win(Player::Bob),
    Ending::Draw,
];

/// A game with the results of staying at each position for ever, and rules for it.
#[derive(Debug)]
struct Setting {
    graph: GameGraph,
    standing: Vec<Ending>,
    rules: Rules,
    chips: PerPlayer<u64>,
}

/// Generates random settings with minimum bids in a range, and up to `most` chips.
fn settings(least: RangeInclusive<u64>, most: u64) -> impl Strategy<Value = Setting> {
    let graphs = games(GraphShape {
        positions: 1..=4,
        cycles: 0.6,
        ..GraphShape::SMALL
    });
    let standing = vec(0..3_usize, 7);
    let chips = [0..=most, 0..=most];
    let parts = (0..6_usize, least, graphs, standing, chips);
    parts.prop_map(|(which, least, graph, standing, [alice, bob])| Setting {
        standing: (0..graph.len())
            .map(|node| ENDINGS[standing[node]])
            .collect(),
        rules: Rules {
            pay: Payment::AllPayBank,
            ties: TieBreak::Nobody,
            minimum_bid: MinimumBid(least),
            winner: [Winner::Chooses, Winner::Moves][which % 2],
            draws: [Draws::Half, Draws::Alice, Draws::Bob][which / 2],
            ..Rules::default()
        },
        chips: PerPlayer::new(alice, bob),
        graph,
    })
}

impl Setting {
    fn solved(&self, solver: Solver) -> (AllPayValues, Rules) {
        let rules = Rules {
            solver,
            ..self.rules.clone()
        };
        let game = Standing {
            graph: &self.graph,
            standing: &self.standing,
        };
        (solved(game, &rules, self.chips), rules)
    }
}

fn assert_holds(found: &FloatEnclosure, value: f64, slack: f64, context: &str) {
    assert!(
        found.low <= value + slack && value - slack <= found.high,
        "{found:?} does not hold {value}: {context}"
    );
}

/// Checks that with minimum bids every value is exact, with cycles and without.
#[test]
fn least_bids_have_the_values_of_the_literal_game() {
    for_all(1_200, settings(1..=2, 3), |setting| {
        let mut literal = Literal::new(&setting.graph, &setting.rules).standing(&setting.standing);
        for solver in [Solver::Exact, Solver::Auto, Solver::LinearProgram] {
            let (solved, rules) = setting.solved(solver);
            for node in setting.graph.nodes() {
                for purses in Budgets::from(&rules, setting.chips).iter() {
                    let value = literal.value(node, purses);
                    let context =
                        format!("{rules:?}, {node:?} with {purses:?}\n{:?}", setting.graph);
                    match solved.value(node, &purses) {
                        ExactOrCertified::Exact(found) => assert_eq!(*found, value, "{context}"),
                        ExactOrCertified::Certified(found) => {
                            assert!(
                                solver == Solver::LinearProgram && found.width() < 1e-9,
                                "{context}"
                            );
                            assert_holds(
                                found,
                                value.to_f64().expect("it lies between 0 and 1"),
                                1e-15,
                                &context,
                            );
                        }
                    }
                }
            }
        }
    });
}

/// Checks that if bids of nothing are allowed, the values are the limits of those of games in which
/// a number of them in a row ends the game.
#[test]
fn bids_of_nothing_for_ever_are_limits() {
    for_all(share(400), settings(0..=0, 2), |setting| {
        let (solved, rules) = setting.solved(Solver::Auto);
        for node in setting
            .graph
            .nodes()
            .filter(|node| setting.graph.ending(*node).is_none())
        {
            for purses in Budgets::from(&rules, setting.chips).iter() {
                let ExactOrCertified::Certified(found) = solved.value(node, &purses) else {
                    unreachable!("bounds were asked for")
                };
                let context = format!("{rules:?}, {node:?} with {purses:?}\n{:?}", setting.graph);
                let limit = limit(&setting, &solved, node, &purses);
                assert!(found.width() < 1e-5, "{found:?} is too wide: {context}");
                // A limit that is approached as slowly as 1/n differs by that much after a hundred
                // turns.
                assert_holds(found, limit, 0.0101, &context);
            }
        }
    });
}

/// Computes the value of a turn after which both may bid nothing up to a hundred times more, from
/// the values after other bids.
fn limit(setting: &Setting, solved: &AllPayValues, node: NodeId, purses: &Purses) -> f64 {
    let mut value = 1.0 - worth::<f64>(setting.standing[node.index()], setting.rules.draws);
    if purses.chips == PerPlayer::new(0, 0) {
        return value;
    }
    let rounded =
        |value: f64| BigRational::new(((value * 1e9).round() as i64).into(), 1_000_000_000.into());
    let at = |node: NodeId, purses: Purses| match solved.value(node, &purses) {
        ExactOrCertified::Certified(found) => rounded(found.middle()),
        ExactOrCertified::Exact(_) => unreachable!("bounds were asked for"),
    };
    let turn = LiteralTurn {
        graph: &setting.graph,
        rules: &setting.rules,
        node,
        purses: *purses,
    };
    let cell = |bids: PerPlayer<u64>, again: f64| match turn.decided(bids) {
        Tie::Nobody if bids == PerPlayer::new(0, 0) => rounded(again),
        Tie::Nobody => at(node, settle_undecided(turn.rules, purses, bids)),
        _ => turn.after_bids(bids, chosen, |played| at(played.to, played.after)),
    };
    for _ in 0..100 {
        let row = |alice| {
            (0..=purses.chips.bob)
                .map(|bob| cell(PerPlayer::new(alice, bob), value))
                .collect()
        };
        let matrix: Vec<Vec<BigRational>> = (0..=purses.chips.alice).map(row).collect();
        let next = matrix_value(&matrix)
            .to_f64()
            .expect("it lies between 0 and 1");
        if (next - value).abs() < 1e-8 {
            break;
        }
        value = next;
    }
    value
}
