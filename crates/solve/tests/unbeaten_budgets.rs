//! Tests of the chips needed not to lose against a budget on cycles, where the loser of a bid gets
//! a part of it, against literal play of all states at once: every bid of both, every choice on a
//! tie, every mover and every move.

use crate::oracle::{LiteralStates, choosing_rules, purses_up_to};
use crate::random::built;
use bid_game::{GameGraph, GameGraphBuilder, NodeId};
use bid_language::diagnostic::Code;
use bid_language::player::{Ending, Player};
use bid_language::rules::{Draws, Payment, Purses, Rules, TieBreak, Winner};
use bid_language::watch::Context;
use bid_solve::budgets::{NEVER, against};
use bid_testing::{GraphShape, Out, for_all, graphs};
use num_rational::BigRational;
use proptest::strategy::Strategy;

/// The shape of graphs whose positions have few moves to an ending, fewer of Alice's.
const SHAPE: GraphShape = GraphShape {
    positions: 1..=4,
    moves: 2..=2,
    traps: true,
    cycles: 1.0,
    out: Out::Part([0.1, 0.3]),
    ..GraphShape::SMALL
};

/// Generates random games. In most of them only Bob can win, so that Alice has to keep the play
/// among the positions.
fn random_games() -> impl Strategy<Value = GameGraph> {
    (graphs(SHAPE), 0..3).prop_map(|(mut graph, one)| {
        let endings = graph
            .vertices
            .iter_mut()
            .filter_map(|vertex| vertex.ending.as_mut());
        if let (Some(ending), true) = (endings.into_iter().next(), one > 0) {
            *ending = Ending::Win(Player::Bob);
        }
        built(&graph)
    })
}

/// Compares all budgets up to `budgets`, with at most `most` chips in all. Returns how many are
/// never enough, and how many are.
fn compare(graph: &GameGraph, rules: &Rules, budgets: u64, most: u64) -> [usize; 2] {
    let asked: Vec<u64> = (0..=budgets).collect();
    let found = against(graph, rules, graph.start(), &asked, Context::plain());
    let found = found.unwrap_or_else(|error| panic!("{}: {rules:?} {graph:?}", error.message));
    let literal = LiteralStates {
        graph,
        rules,
        seeker: Player::Alice,
        good: &|ending| ending != Ending::Win(Player::Bob),
    };
    let kept = literal.forced(&purses_up_to(rules, most));
    let mut counts = [0; 2];
    for (status, row) in found {
        for (&bob, &least) in asked.iter().zip(&row) {
            counts[usize::from(least != NEVER)] += 1;
            for alice in 0..=most - bob {
                let purses = Purses::new(alice, bob, status);
                let right = kept[&(graph.start(), purses)];
                assert_eq!(
                    right,
                    alice >= least,
                    "{alice} against {bob}, {status:?}, {least}: {rules:?} {graph:?}"
                );
            }
        }
    }
    counts
}

/// Iterates over the rules under which the chips that save Alice are known.
fn rules() -> impl Iterator<Item = Rules> {
    let part = |n: i64, d: i64| Payment::Taxman(BigRational::new(n.into(), d.into()));
    let pays = [Payment::Richman, part(1, 3), part(1, 2)];
    choosing_rules().flat_map(move |rules| {
        pays.clone().map(|pay| Rules {
            pay,
            draws: Draws::Alice,
            ..rules.clone()
        })
    })
}

fn ask(graphs: u32, most: u64) -> [usize; 2] {
    let mut counts = [0; 2];
    for_all(graphs, random_games(), |graph| {
        for rules in rules() {
            let found = compare(&graph, &rules, 3, most);
            (0..2).for_each(|i| counts[i] += found[i]);
        }
    });
    counts
}

#[test]
fn what_it_takes_not_to_lose_is_what_literal_play_says() {
    let [never, finite] = ask(12, 9);
    println!("{never} {finite}");
    assert!(never > 200 && finite > 200, "{never} {finite}");
}

#[test]
#[ignore = "takes minutes"]
fn what_it_takes_not_to_lose_in_many_games() {
    println!("{:?}", ask(150, 11));
}

/// Builds a game in which Alice goes back to the start as often as she wins; Bob needs three turns
/// in a row, with 1, 2 and 4 chips.
fn ladder() -> GameGraph {
    let mut builder = GameGraphBuilder::default();
    for step in 0..3 {
        builder.push(None, &[NodeId::new(0)], &[NodeId::new(step + 1)]);
    }
    builder.push(Some(Ending::Win(Player::Bob)), &[], &[]);
    builder.finish(NodeId::new(0))
}

#[test]
fn the_budget_from_which_bob_always_wins_is_found_from_both_sides() {
    let graph = ladder();
    let mut between = 0;
    for rules in rules() {
        let most = if rules.pay == Payment::Richman {
            16
        } else {
            13
        };
        let [never, finite] = compare(&graph, &rules, 9, most);
        assert!(never > 0, "{rules:?}");
        between += usize::from(finite > 0);
    }
    assert!(between > 10, "{between}");
}

/// Checks nearly as many chips as Bob needs to win for sure: the chips that Alice needs then are
/// also found by literal play of all states of 20 chips.
#[test]
fn budgets_just_below_that_take_many_chips() {
    let part = BigRational::new(1.into(), 2.into());
    let rules = Rules {
        pay: Payment::Taxman(part),
        draws: Draws::Alice,
        ties: TieBreak::LadiesFirst,
        ..Rules::default()
    };
    let [never, finite] = compare(&ladder(), &rules, 9, 20);
    assert_eq!([never, finite], [1, 9]);
}

#[test]
fn who_must_move_is_told_what_is_missing() {
    let rules = Rules {
        draws: Draws::Alice,
        winner: Winner::Moves,
        ties: TieBreak::Marker,
        ..Rules::default()
    };
    let refused = against(&ladder(), &rules, NodeId::new(0), &[1], Context::plain())
        .expect_err("no bound is known");
    assert_eq!(refused.code, Code::NotSupported);
    assert!(
        refused.message.contains("winner: moves"),
        "{}",
        refused.message
    );
}
