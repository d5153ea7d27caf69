//! Thresholds of one total of a few chips, which are swept in bits or in a byte each: compared with
//! the graph, and with sweeps in bytes.

use bid_game::NodeId;
use bid_game::ruleset::{Ruleset, State};
use bid_language::player::Player;
use bid_language::rules::{Draws, Rules, TieBreak, Winner};
use bid_language::watch::{Context, Limits};
use bid_solve::chips::{Outcomes, Thresholds};
use bid_solve::positions::Graphless;
use bid_solve::positions::Numbered;
use bid_testing::{share, some};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::stored::indexed;
use super::sweeps::short;
use super::{compiled, explore, plain, try_compiled};

/// Returns the rules under which one number determines the thresholds for a total.
fn rules() -> Vec<Rules> {
    let mut rules = Vec::new();
    for draws in [Draws::Neither, Draws::Alice, Draws::Bob] {
        for (ties, winner) in [
            (TieBreak::Advantage, Winner::Chooses),
            (TieBreak::MakeItTakeIt, Winner::Chooses),
            (TieBreak::LadiesFirst, Winner::Chooses),
            (TieBreak::LadiesFirst, Winner::Moves),
            (TieBreak::GentlemenFirst, Winner::Moves),
            (TieBreak::Richer, Winner::Chooses),
        ] {
            rules.push(Rules {
                ties,
                winner,
                draws,
                ..Rules::default()
            });
        }
    }
    rules
}

/// Compares all positions that play can reach with their graph; returns `true` if there was
/// something to compare.
fn compare(ruleset: &Ruleset, name: &str, turns: &[usize], context: &Context<'_>) -> bool {
    let Some(indexed) = indexed(ruleset).filter(|indexed| indexed.numbering.positions() <= 40_000)
    else {
        return false;
    };
    let Ok(explored) = explore(ruleset, &Context::within(Limits::positions(3_000))) else {
        return false;
    };
    let states = explored.positions;
    let all = Numbered::new(ruleset, &indexed, &states);
    let rules = rules();
    for turn in turns {
        let rules = &rules[turn % rules.len()];
        for total in 0..=3 {
            let seeker = Player::BOTH[(turn + total as usize) % 2];
            let expected =
                Thresholds::solve(&explored.graph, rules, seeker, &[total], Context::plain())
                    .expect("admitted");
            let found = Thresholds::solve_graphless(all, rules, seeker, &[total], context)
                .expect("nobody stops it");
            let found = found.expect("it is numbered");
            for (vertex, state) in states
                .iter()
                .enumerate()
                .map(|(vertex, state)| (NodeId::new(vertex), state))
            {
                let place = || {
                    format!(
                        "{total} chips, {seeker:?}, {rules:?}, at {}\n{name}",
                        ruleset.print(state)
                    )
                };
                assert_eq!(
                    found.threshold(vertex, 0),
                    expected.threshold(vertex, 0),
                    "{}",
                    place()
                );
                assert_eq!(
                    found.raw_unprevented(vertex, 0),
                    expected.raw_unprevented(vertex, 0),
                    "{}",
                    place()
                );
            }
        }
    }
    true
}

#[test]
fn random_rulesets_in_bits() {
    let mut compared = 0;
    for seed in 0..share(500) {
        let source = plain::falling::Writer::write(seed);
        let Ok(ruleset) = try_compiled(&source, &[2]) else {
            continue;
        };
        let context: &Context<'_> = if seed % 2 == 0 {
            Context::plain()
        } else {
            &short()
        };
        compared += usize::from(compare(
            &ruleset,
            &source,
            &[seed as usize, 7 * seed as usize + 3],
            context,
        ));
    }
    assert!(compared > share(100), "{compared}");
}

pub fn board(board: &str, rows: usize, cols: usize, rest: &str) -> String {
    let drop = format!(
        "move drop(c) for c in 0 .. {} if height(board, c) < {rows} {{ drop(board, c, me) }}",
        cols - 1
    );
    format!("game g() {{\n state board = {board}({rows}, {cols})\n {drop}\n {rest}\n}}\n")
}

/// Checks small boards under all rules, with images of blocks and without.
#[test]
fn boards_in_bits() {
    for symmetry in ["", "symmetry mirror(board)"] {
        for win in [
            "win me if line(board, me, 3)",
            "win other if line(board, me, 3)",
            "win bob if line(board, me, 3)",
        ] {
            let source = board(
                "grid",
                2,
                4,
                &format!("{win}\n draw if full(board)\n {symmetry}"),
            );
            assert!(
                compare(
                    &compiled(&source, &[]),
                    &source,
                    &(0..18).collect::<Vec<_>>(),
                    &short()
                ),
                "{source}"
            );
        }
    }
}

/// Returns the positions along `plays` random plays.
pub fn along_random_plays(ruleset: &Ruleset, plays: usize) -> Vec<State> {
    let mut dice = StdRng::seed_from_u64(17);
    let mut states = Vec::new();
    for _ in 0..plays {
        let mut at = ruleset.start().clone();
        while ruleset.ending(&at).expect("it can be evaluated").is_none() {
            let mut heads = Vec::new();
            let player = Player::BOTH[dice.random_range(0..2)];
            ruleset
                .scored_moves(&at, player, &mut |head, _| heads.push(head))
                .expect("it can be evaluated");
            states.push(std::mem::replace(
                &mut at,
                heads.swap_remove(dice.random_range(0..heads.len())),
            ));
        }
    }
    states
}

/// Checks columns of six and seven, whose rows of contents take two words and four, against bytes,
/// three totals at a time, on all positions along random plays.
#[test]
fn long_rows_in_bits() {
    for (rows, cols, line) in some([(6, 2, 3), (7, 2, 4), (6, 3, 4), (5, 3, 3)]) {
        let rest = format!(
            "win me if line(board, me, {line})\n draw if full(board)\n symmetry mirror(board)"
        );
        let source = board("grid", rows, cols, &rest);
        let ruleset = compiled(&source, &[]);
        let indexed = indexed(&ruleset).expect("columns have an index");
        let states = along_random_plays(&ruleset, 60);
        let positions = Numbered::new(&ruleset, &indexed, &states);
        for rules in rules().iter().skip(rows % 3).step_by(3) {
            let bytes = |totals: &[u64]| {
                let found =
                    Thresholds::solve_graphless(positions, rules, Player::Alice, totals, &short());
                found.expect("nobody stops it").expect("it is numbered")
            };
            let together = bytes(&[0, 1, 2, 3]);
            for total in 0..=3 {
                let alone = bytes(&[total]);
                for vertex in (0..states.len()).map(NodeId::new) {
                    let expected = together.threshold(vertex, total as usize);
                    assert_eq!(
                        alone.threshold(vertex, 0),
                        expected,
                        "{total} chips, {rules:?}\n{source}"
                    );
                }
            }
        }
    }
}

/// Checks the winner for every split of a few chips: two numbers, one after another.
#[test]
fn outcomes_in_bits() {
    let source = board(
        "grid",
        3,
        3,
        "win me if line(board, me, 3)\n draw if full(board)",
    );
    let ruleset = compiled(&source, &[]);
    let indexed = indexed(&ruleset).expect("columns have an index");
    let explored =
        explore(&ruleset, &Context::within(Limits::positions(10_000))).expect("it is small");
    let states = explored.positions;
    for rules in rules() {
        for total in 0..=2 {
            let positions = Graphless::Numbered(Numbered::new(&ruleset, &indexed, &states));
            let found = Outcomes::solve_graphless(positions, &rules, &[total], Context::plain());
            let found = found.expect("nobody stops it").expect("it is numbered");
            let expected = Outcomes::solve(&explored.graph, &rules, &[total], Context::plain())
                .expect("admitted");
            for vertex in (0..states.len()).map(NodeId::new) {
                for purses in super::sweeps::splits(total, rules.ties) {
                    let [found, expected] =
                        [&found, &expected].map(|solved| solved.outcome(vertex, &purses, 0));
                    assert_eq!(found, expected, "{rules:?}, {purses:?}");
                }
            }
        }
    }
}
