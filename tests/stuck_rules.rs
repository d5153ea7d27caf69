//! The rule for a player who cannot move, given by the rules (`stuck: passes`) or by the game
//! itself (`stuck passes`): both mean the same to every question, in truncations and conjugates
//! too.

use std::fmt::Write;

use bid_language::player::Player;
use bid_testing::{GraphShape, Out, PlainGraph, for_all, graphs, share};
use proptest::strategy::Strategy;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::support::{session, transcript};

/// Generates games with players who cannot move, and positions that belong to one of them.
fn random_games() -> impl Strategy<Value = PlainGraph> {
    graphs(GraphShape {
        positions: 1..=4,
        moves: 2..=2,
        stuck: 0.33,
        traps: true,
        cycles: 0.4,
        draws: 1.0,
        out: Out::Evenly,
        owners: 0.5,
        ..GraphShape::SMALL
    })
}

fn as_graph(game: &PlainGraph) -> String {
    format!("game g = graph {{\n{}}}\n", game.text())
}

fn as_ruleset(game: &PlainGraph, stuck: &str) -> String {
    let inner = game.positions();
    let mut text = format!("game g {{\n    state n = 0\n    stuck {stuck}\n");
    for (position, vertex) in game.open().iter().enumerate() {
        for player in Player::BOTH {
            for head in &vertex.moves[player] {
                writeln!(
                    text,
                    "    move {} go{head} if n == {position} {{ n = {head} }}",
                    player.word()
                )
                .expect("a string");
            }
        }
        if let Some(owner) = vertex.owner {
            writeln!(text, "    turn {} if n == {position}", owner.word()).expect("a string");
        }
    }
    // All positions are within the range of n.
    writeln!(
        text,
        "    move up if n > {} {{ n = {} }}\n    win alice if n == {inner}\n    win bob if n == {}\n    draw if n >= {}\n}}",
        inner + 2,
        inner + 2,
        inner + 1,
        inner + 2
    )
    .expect("a string");
    text
}

/// Checks every question, about the games, their truncations and their conjugates.
#[test]
fn the_rule_means_what_the_line_means() {
    let questions = [
        "R(G)",
        "P(G, 1/3)",
        "f(G, 0..6)",
        "f(G, bob: 0..4)",
        "bounds(G, moves: 0)",
        "bounds(G, moves: 2)",
        "bounds(G, moves: 2, chips: 3)",
        "[R(x) for x in positions(G)]",
        "outcomes(G, 0..3, 0..3)",
        "thresholds(G)",
        "table(G)",
        "stable(G)",
        "json(size(G))",
        "G ≡ ~G",
        "f(minimise(G)[0], 0..6)",
        "R(minimise(G)[0])",
    ];
    let all_pay = ["v(G, 2, 2)", "sure(G, 2)"];
    let forms = [
        "g",
        "g[2]",
        "~g[1]",
        "(~g)[3]",
        "(g[2] ∧ g)",
        "(g[3])[1]",
        "{ g[1] | g, A }",
    ];
    let ties = [
        "advantage",
        "marker",
        "make_it_take_it",
        "losers_ball",
        "ladies_first",
        "gentlemen_first",
        "richer",
    ];
    let mut answered = 0;
    for_all(
        share(120),
        (0..60_usize, random_games(), 0..u64::MAX),
        |(which, game, seed)| {
            let mut dice = StdRng::seed_from_u64(seed);
            let stuck = ["passes", "loses", "wins", "draws"][[0, 0, 1, 2, 3][which % 5]];
            let draws = ["neither", "alice", "bob", "half"][dice.random_range(0..4)];
            let ties = ties[dice.random_range(0..7)];
            let winner = ["chooses", "moves"][dice.random_range(0..2)];
            let mut said = [
            (as_graph(&game), format!(", stuck: {stuck}")),
            (as_ruleset(&game, stuck), String::new()),
        ]
        .map(|(source, rule)| {
            let mut program = source;
            for form in forms {
                for question in questions {
                    let asked = question.replace('G', form);
                    writeln!(
                        program,
                        "({asked}) using {{ draws: {draws}, ties: {ties}, winner: {winner}{rule} }}"
                    )
                    .expect("a string");
                }
                // The search for a smallest game takes longer than all the rest.
                if which.is_multiple_of(12) && form.len() < 5 {
                    writeln!(
                        program,
                        "f(simplify({form}), 0..6) using {{ draws: {draws}, ties: {ties}, winner: {winner}{rule} }}"
                    )
                    .expect("a string");
                }
                for question in all_pay {
                    let asked = question.replace('G', form);
                    writeln!(
                        program,
                        "({asked}) using {{ pay: all_pay, draws: {draws}, ties: richer, winner: {winner}{rule} }}"
                    )
                    .expect("a string");
                }
            }
            let said = transcript(&mut session(), "program.bid", &program);
            let is_answer = |line: &&str| !line.starts_with([' ', 'W']);
            // The subject of a message is printed as it is written in each form.
            let told = |line: &str| match line.starts_with('E') {
                true => line[..6].to_owned(),
                false => line.to_owned(),
            };
            (program, said.lines().filter(is_answer).map(told).collect::<Vec<_>>())
        });
            let [(program, rule), (other, line)] = &mut said;
            assert_eq!(rule, line, "seed {seed}\n{program}\n{other}");
            answered += rule.iter().filter(|line| !line.starts_with('E')).count();
        },
    );
    assert!(answered > share(10_000), "{answered}");
}

/// Checks the smallest case in which the two differed: a pass was not counted as a move of a
/// truncation.
#[test]
fn a_pass_is_a_move_of_a_truncation() {
    let program = "game g = graph { start 3; alice 3 -> A }
rules p { stuck: passes, draws: bob }
[R(g[2]), R(g[1]), R((~g)[2]), R(~g[2]), P(g[2], 1/3)] using p
f(g[2], 0..3) using p
size(g[2]) using p
bounds(g[3], moves: 2) using p
positions(g[2]) using p
simplify(g[2]) using p
";
    let said = transcript(&mut session(), "pass.bid", program);
    insta::assert_snapshot!(said);
}

/// Checks that rules about players who cannot move apply where they are in force, and not to a game
/// that an answer under them names.
#[test]
fn games_in_answers_leave_the_rules_behind() {
    let program = "let g = graph { start 0; alice 0 -> 1; bob 0 -> 1; alice 1 -> B; alice 1 -> A }
let plain = R(g at 1)
check plain != (R(g at 1) using { stuck: wins })
check all([R(row[2]) == plain for row in [r for r in (moves(g) using { stuck: wins })]])
check all([R(x) == (R(x) using { stuck: opponent_moves }) for x in (positions(g) using { stuck: wins })])
check all([R(x) == (R(x) using { stuck: opponent_moves }) for x in (classes(g) using { stuck: wins })])
check all([R(pair[0]) == R(g at 1) or true for pair in (hasse([g, A]) using { stuck: wins })])
";
    let said = transcript(&mut session(), "answers.bid", program);
    assert!(!said.contains("\nE") && !said.starts_with('E'), "{said}");
}

/// Checks that weights are kept under rules about players who cannot move; a move that a rule gives
/// such a player has the weight of the vertex.
#[test]
fn weights_hold_under_every_rule_for_who_cannot_move() {
    let program = "let m = graph { start 0; both 0 -> 1, 0; alice 1 -> 0 weight 2; bob 1 -> 0 weight -1; weight 1: 0 }
let lone = graph { start 0; alice 0 -> 1; both 1 -> 0; weight -1: 0; weight 1: 1 }
for_all
";
    let rules = ["opponent_moves", "loses", "wins", "draws", "passes"];
    let mut text = program.replace("for_all\n", "");
    for rule in rules {
        writeln!(
            text,
            "[R(m), R(~m), R(lone), R(~lone)] using {{ objective: mean_payoff, stuck: {rule} }}"
        )
        .expect("a string");
    }
    let said = transcript(&mut session(), "weights.bid", &text);
    insta::assert_snapshot!(said);
}
