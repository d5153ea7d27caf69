//! Sweeps over numbered rulesets: held, position by position, to the values on the explored graph.

use bid::game::ruleset::{Indexed, Ruleset, State};
use bid::game::{Labelled, NodeId, Player, explore};
use bid::rules::{Draws, Rules, TieBreak, Winner};
use bid::solve::chips::{Numbered, Thresholds};
use bid::solve::richman;
use bid::watch::{Limits, Stop, Unwatched, Watch};

use crate::{plain, try_compiled};

/// Lets so many positions pass.
struct Most(u64);

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
        let swept = richman::Swept::solve(&indexed, &rules, &Unwatched).expect("nobody stops it").expect("short plays");
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
            let position = Numbered { indexed, state };
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

#[test]
fn random_rulesets_have_the_values_of_their_graphs() {
    let mut tally = Tally::default();
    for seed in 0..600 {
        let source = plain::falling::Writer::write(seed);
        if let Ok(ruleset) = try_compiled(&source, &[2]) {
            compare(&format!("seed {seed}\n{source}"), &ruleset, &mut tally);
        }
    }
    let Tally { rulesets, positions, leaps } = tally;
    let counts = format!("{rulesets} rulesets with {positions} positions, {leaps} of them with leaps");
    assert!(rulesets > 250 && positions > 40_000 && leaps > 120, "{counts}");
}
