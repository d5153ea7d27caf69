//! Bounds on Richman values by sweeps in 16 bits: compared with the values of graphs, and with
//! exact sweeps if plays are longer than 16 moves.

use bid_game::NodeId;
use bid_game::ruleset::Ruleset;
use bid_language::rules::{Draws, Precision, Rules, TieBreak, Winner};
use bid_language::watch::{Context, Limits};
use bid_solve::positions::Numbered;
use bid_solve::richman;
use bid_testing::share;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::bits::{along_random_plays, board};
use super::stored::indexed;
use super::sweeps::short;
use super::{compiled, explore, plain, try_compiled};
use crate::support::{session, transcript};

const DRAWS: [Draws; 4] = [Draws::Neither, Draws::Alice, Draws::Bob, Draws::Half];

fn width(plies: u32) -> BigRational {
    BigRational::new((plies + 2).into(), (1 << 16).into())
}

/// Compares the bounds of some positions with their values; returns the number of values strictly
/// between.
fn compare(
    positions: Numbered<'_>,
    rules: &Rules,
    context: &Context<'_>,
    value: impl Fn(usize) -> BigRational,
) -> usize {
    let found = richman::bounds(positions, rules, context)
        .expect("nobody stops it")
        .expect("all are numbered");
    assert_eq!(found.len(), positions.states.len());
    let mut strictly = 0;
    for (place, ([low, high], state)) in found.iter().zip(positions.states).enumerate() {
        let value = value(place);
        let holds = low <= &value
            && &value <= high
            && high - low <= width(positions.indexed.numbering.plies);
        let said = || {
            format!(
                "{value} in [{low}, {high}], {rules:?}, at {}",
                positions.ruleset.print(state)
            )
        };
        assert!(
            holds && *low >= BigRational::zero() && *high <= BigRational::one(),
            "{}",
            said()
        );
        strictly += usize::from(low < &value && &value < high);
    }
    strictly
}

#[test]
fn random_rulesets_lie_within_bounds() {
    let mut compared = 0;
    for seed in 0..share(500) {
        let source = plain::falling::Writer::write(seed);
        let Ok(ruleset) = try_compiled(&source, &[2]) else {
            continue;
        };
        let Some(indexed) =
            indexed(&ruleset).filter(|indexed| indexed.numbering.positions() <= 40_000)
        else {
            continue;
        };
        let Ok(explored) = explore(&ruleset, &Context::within(Limits::positions(3_000))) else {
            continue;
        };
        let states = explored.positions;
        let conjugated = seed % 3 == 0;
        let graph = if conjugated {
            explored.graph.conjugate()
        } else {
            explored.graph.clone()
        };
        let context: &Context<'_> = if seed % 2 == 0 {
            Context::plain()
        } else {
            &short()
        };
        for draws in DRAWS {
            let rules = Rules {
                draws,
                ..Rules::default()
            };
            let values = richman::Values::solve(&graph, &rules, Context::plain())
                .expect("a value for each vertex");
            let positions = Numbered {
                conjugated,
                ..Numbered::new(&ruleset, &indexed, &states)
            };
            compare(positions, &rules, context, |place| {
                values.value(NodeId::new(place))
            });
        }
        compared += 1;
    }
    assert!(compared > share(100), "{compared}");
}

/// Checks boards of eighteen moves and more, whose values take more than 16 bits, with images of
/// blocks and without.
#[test]
fn boards_lie_within_bounds() {
    let mut strictly = 0;
    for (seed, (rows, cols, line)) in [(6, 3, 3), (6, 3, 4), (5, 4, 4), (7, 3, 4)]
        .into_iter()
        .enumerate()
    {
        let symmetry = ["symmetry mirror(board)", ""][seed % 2];
        let rest = format!("win me if line(board, me, {line})\n draw if full(board)\n {symmetry}");
        let ruleset: Ruleset = compiled(&board("grid", rows, cols, &rest), &[]);
        let indexed = indexed(&ruleset).expect("columns have an index");
        let states = along_random_plays(&ruleset, 60);
        for (turn, draws) in DRAWS.into_iter().enumerate() {
            let rules = Rules {
                draws,
                ..Rules::default()
            };
            let positions = Numbered {
                conjugated: turn % 2 == 1,
                ..Numbered::new(&ruleset, &indexed, &states)
            };
            let exact = richman::RichmanSweep::solve(positions, &rules, Context::plain())
                .expect("nobody stops it");
            let value = |place: usize| {
                exact
                    .value(&indexed, &states[place])
                    .expect("it is numbered")
            };
            strictly += compare(positions, &rules, &short(), value);
        }
    }
    assert!(strictly > 3_000, "{strictly}");
}

/// Checks that sweeps are used if the proved width is within the precision, and if values are
/// means.
#[test]
fn the_rules_decide() {
    let ruleset = compiled(
        &board(
            "grid",
            6,
            3,
            "win me if line(board, me, 3)\n draw if full(board)",
        ),
        &[],
    );
    let indexed = indexed(&ruleset).expect("columns have an index");
    let numbering = &indexed.numbering;
    assert_eq!(numbering.plies, 18);
    let with = |precision: BigRational| Rules {
        precision: Precision(precision),
        ..Rules::default()
    };
    let is_swept = |rules: &Rules| {
        richman::bounds_need(rules, numbering)
            .expect("they have values")
            .is_some()
    };
    let little = BigRational::new(1.into(), (1_i64 << 40).into());
    assert!(is_swept(&with(width(18))));
    assert!(!is_swept(&with(width(18) - little)));
    assert!(!is_swept(&Rules::default()));
    assert!(!is_swept(&Rules {
        winner: Winner::Moves,
        ..with(width(18))
    }));
    assert!(is_swept(&Rules {
        ties: TieBreak::Marker,
        ..with(width(18))
    }));
    let mut session = session();
    let source = board(
        "grid",
        7,
        2,
        "win me if line(board, me, 3)\n draw if full(board)",
    );
    let questions = "let r = R(G)\nlet near = bounds(G) using { precision: 1e-3 }\nlet exact = bounds(G)\n\
                     [exact == [r, r], near[0] < r, r < near[1], near[1] - near[0] < 1/1000]";
    let said = transcript(
        &mut session,
        "near",
        &format!("{source}\nlet G = g()\n{questions}"),
    );
    assert_eq!(
        said.trim_end().lines().last(),
        Some("[true, true, true, true]"),
        "{said}"
    );
}
