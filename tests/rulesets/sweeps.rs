//! Sweeps over numbered rulesets: held, position by position, to the values on the explored graph.

use bid::game::ruleset::{Indexed, Ruleset, State};
use bid::game::{Labelled, NodeId, PerPlayer, Player, explore, neighbourhood};
use bid::rules::{Draws, Purses, Rules, TieBreak, Winner};
use bid::solve::chips::{Numbered, Thresholds};
use bid::solve::richman;
use bid::solve::strategy::Strategies;
use bid::watch::{Limits, Stop, Unwatched, Watch};

use crate::{classic, compiled, plain, try_compiled};

/// Lets so many positions pass.
pub struct Most(pub u64);

impl Watch for Most {
    fn check(&self) -> Result<(), Stop> {
        Ok(())
    }

    fn limits(&self) -> Limits {
        Limits { max_positions: self.0, ..Limits::default() }
    }
}

fn indexed(ruleset: &Ruleset) -> Option<Indexed> {
    ruleset.indexed(&Unwatched).expect("nobody stops it")
}

/// What was compared.
#[derive(Default)]
struct Tally {
    rulesets: usize,
    positions: usize,
    leaps: usize,
    strategies: usize,
}

/// Compares the Richman values of all positions that can be reached, and the thresholds of some.
fn compare(name: &str, ruleset: &Ruleset, tally: &mut Tally) {
    let Some(indexed) = indexed(ruleset).filter(|indexed| indexed.positions() <= 30_000) else { return };
    let mut space = ruleset;
    let Ok(explored) = explore(&mut space, ruleset.start().clone(), &Most(1_500)) else { return };
    assert!(explored.graph.components().acyclic(), "{name} is numbered, so it has no cycles");
    tally.rulesets += 1;
    tally.positions += explored.positions.len();
    tally.leaps += usize::from(Player::BOTH.iter().any(|player| !indexed.leaps[*player].is_empty()));
    for draws in [Draws::Neither, Draws::Alice, Draws::Bob, Draws::Half] {
        let rules = Rules { draws, ..Rules::default() };
        let expected = richman::Values::solve(&explored.graph, &rules, &Unwatched).expect("a value for each vertex");
        let swept = richman::Swept::solve(&indexed, std::slice::from_ref(ruleset.start()), &rules, &Unwatched)
            .expect("nobody stops it")
            .expect("short plays");
        for (vertex, state) in explored.positions.iter().enumerate() {
            let found = swept.value(&indexed, state);
            assert_eq!(
                found,
                Some(expected.value(NodeId::new(vertex))),
                "{name}, {draws:?}, at {}",
                ruleset.print(state)
            );
        }
    }
    if indexed.positions() <= 3_000 {
        compare_thresholds(name, ruleset, &indexed, &explored, tally.rulesets);
        tally.strategies += compare_strategies(name, ruleset, &indexed, &explored, tally.rulesets);
    }
}

/// Under one of several rules, each in its turn.
fn compare_thresholds(name: &str, ruleset: &Ruleset, indexed: &Indexed, explored: &Labelled<State>, turn: usize) {
    let last = explored.positions.len() - 1;
    let ties = [
        (TieBreak::Advantage, Winner::Chooses, Draws::Neither),
        (TieBreak::Advantage, Winner::Moves, Draws::Alice),
        (TieBreak::MakeItTakeIt, Winner::Chooses, Draws::Bob),
        (TieBreak::Marker, Winner::Moves, Draws::Neither),
        (TieBreak::LosersBall, Winner::Chooses, Draws::Neither),
        (TieBreak::LadiesFirst, Winner::Chooses, Draws::Alice),
        (TieBreak::Richer, Winner::Moves, Draws::Neither),
    ];
    let (ties, winner, draws) = ties[turn % ties.len()];
    let rules = Rules { ties, winner, draws, ..Rules::default() };
    for (seeker, totals) in
        [(Player::Alice, vec![5]), (Player::Bob, (0..40).collect()), (Player::Alice, vec![3, 32_766, 40_000, 1 << 20])]
    {
        let expected = Thresholds::solve(&explored.graph, &rules, seeker, &totals, &Unwatched).expect("admitted");
        for vertex in [0, last / 2] {
            let state = explored.positions.get_index(vertex).expect("it was explored");
            let position = Numbered { indexed, states: std::slice::from_ref(state) };
            let found = Thresholds::solve_numbered(position, &rules, seeker, &totals, &Unwatched);
            let found = found.expect("admitted").expect("it is numbered");
            for (lane, total) in totals.iter().enumerate() {
                let (here, there) = (NodeId::new(0), NodeId::new(vertex));
                let place = || format!("{name}, {rules:?}, {} of {}", ruleset.print(state), total);
                assert_eq!(found.threshold(here, lane), expected.threshold(there, lane), "{}", place());
                assert_eq!(found.prevention(here, lane), expected.prevention(there, lane), "{}", place());
            }
        }
    }
}

/// Advice at the start by the values of its successors alone, for every split of a total: how many were compared.
fn compare_strategies(
    name: &str,
    ruleset: &Ruleset,
    indexed: &Indexed,
    explored: &Labelled<State>,
    turn: usize,
) -> usize {
    const TOTAL: u64 = 6;
    let start = NodeId::new(0);
    if explored.graph.ending(start).is_some() {
        return 0;
    }
    let near = neighbourhood(ruleset, ruleset.start()).expect("it was explored");
    let Some((graph, positions)) = near else { return 0 };
    let (winner, draws) =
        [(Winner::Chooses, Draws::Neither), (Winner::Moves, Draws::Neither), (Winner::Chooses, Draws::Bob)][turn % 3];
    let rules = Rules { winner, draws, ..Rules::default() };
    let states: Vec<State> = positions.states().collect();
    let numbered = Numbered { indexed, states: &states };
    let found = Strategies::solve_numbered(&graph, numbered, &rules, TOTAL, &Unwatched);
    let found = found.expect("nobody stops it").expect("it is numbered");
    let expected = Strategies::solve(&explored.graph, &rules, TOTAL, &Unwatched).expect("nobody stops it");
    let mut compared = 0;
    for own in 0..=TOTAL {
        for holder in Player::BOTH {
            let purses = Purses { chips: PerPlayer::new(own, TOTAL - own), status: Some(holder) };
            assert_eq!(found.outcome(start, &purses), expected.outcome(start, &purses), "{name} {rules:?} {purses:?}");
            for player in Player::BOTH {
                let advice = [&found, &expected].map(|solved| solved.advice(player, start, purses));
                assert_eq!(advice[0], advice[1], "{name} {rules:?} {purses:?}");
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn random_rulesets_have_the_values_of_their_graphs() {
    let mut tally = Tally::default();
    for seed in 0..800 {
        let source = plain::falling::Writer::write(seed);
        if let Ok(ruleset) = try_compiled(&source, &[2]) {
            compare(&format!("seed {seed}\n{source}"), &ruleset, &mut tally);
        }
    }
    let Tally { rulesets, positions, leaps, strategies } = tally;
    let counts =
        format!("{rulesets} rulesets with {positions} positions, {leaps} of them with leaps; advice: {strategies}");
    assert!(rulesets > 400 && positions > 40_000 && leaps > 100 && strategies > 3_000, "{counts}");
}

/// A guard that says what `drop` does is seen through: the columns are numbered by what they can contain.
#[test]
fn gravity_written_by_hand_is_numbered_like_the_builtin() {
    let built_in = classic("connect");
    let line = built_in.lines().find(|line| line.contains("move drop")).expect("it has one");
    let by_hand = "    move put(r, c) for (r, c) in cells(board) if board[r, c] == empty \
                   and (r == rows - 1 or board[r + 1, c] != empty) { board[r, c] = me }";
    let by_list = "    move put(r, c) for (r, c) in cells(board) if board[r, c] == empty \
                   and all([board[below, c] != empty for below in r + 1 .. rows - 1]) { board[r, c] = me }";
    for arguments in [[3, 3, 3], [3, 4, 3], [3, 3, 4]] {
        let numbered = |source: &str| {
            let ruleset = compiled(source, &arguments);
            let indexed = indexed(&ruleset).expect("it is numbered");
            let swept =
                richman::Swept::solve(&indexed, std::slice::from_ref(ruleset.start()), &Rules::default(), &Unwatched);
            let swept = swept.expect("nobody stops it").expect("plays are short");
            (indexed.positions(), swept.value(&indexed, ruleset.start()))
        };
        let expected = numbered(&built_in);
        for other in [by_hand, by_list] {
            assert_eq!(numbered(&built_in.replace(line, other)), expected, "{other} {arguments:?}");
        }
    }
}
