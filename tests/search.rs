//! Search from one position, compared with the oracle's literal play, with tables, and with itself
//! under other orders of moves.

use std::rc::Rc;
use std::sync::Arc;

use bid::eval::{Evaluator, SessionState};
use bid::session::Session;
use bid_game::ruleset::{self, Ruleset, State};
use bid_game::{Blocks, GameGraph, NodeId, explore_ruleset};
use bid_language::diagnostic::{Code, Result};
use bid_language::ir::Value;
use bid_language::player::{Outcome, Player};
use bid_language::rules::{Draws, Overrides, Purses, Rules, TieBreak, Winner};
use bid_language::watch::{Context, Guard, Limits};
use bid_solve::chips::{Outcomes, Threshold, Thresholds};
use bid_solve::space::search::{self, SearchOptions, SearchOrigin};
use bid_testing::{GraphShape, for_all, share, some};
use proptest::sample::select;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::oracle::{Oracle, Order, all_purses, all_rules};
use crate::plain::template;
use crate::random::games;
use crate::support::{Disk, session, threads, transcript};

mod boards;

/// Returns every rule for ties under which thresholds are searched for, combined with the rights of
/// the winner of a bid.
fn rules_of_search() -> Vec<Rules> {
    let attached = [Winner::Chooses, Winner::Moves];
    let attached = attached.map(|winner| Rules {
        ties: TieBreak::Attached,
        winner,
        ..Rules::default()
    });
    all_rules().into_iter().chain(attached).collect()
}

fn searched_outcome(
    origin: SearchOrigin<'_>,
    rules: &Rules,
    purses: &Purses,
    seed: u64,
) -> Outcome {
    search::outcome(
        origin,
        rules,
        purses,
        SearchOptions { seed },
        Context::plain(),
    )
    .expect("it is searched")
    .answer
}

fn searched_threshold(origin: SearchOrigin<'_>, rules: &Rules, total: u64, seed: u64) -> Threshold {
    search::threshold(
        origin,
        rules,
        total,
        SearchOptions { seed },
        Context::plain(),
    )
    .expect("it is searched")
    .answer
}

/// Returns the outcome by the oracle's sets of won states.
fn played(oracle: Oracle<'_>, node: NodeId, purses: &Purses) -> Outcome {
    let holds = |player, order| oracle.won(player, order).contains(node, purses);
    if let Some(winner) = Player::BOTH
        .into_iter()
        .find(|player| holds(*player, Order::Forcing))
    {
        return Outcome::Wins(winner);
    }
    let any = Player::BOTH
        .into_iter()
        .any(|player| holds(player, Order::NotPreventable));
    if any {
        Outcome::Undetermined
    } else {
        Outcome::Draw
    }
}

/// Checks graphs without cycles, with draws, zugzwang, traps and owners; every purse of totals up
/// to 4 under all rules.
#[test]
fn outcomes_are_those_of_literal_play() {
    let (mut compared, mut undetermined) = (0, 0);
    let shape = GraphShape {
        positions: 1..=7,
        cycles: 0.0,
        draws: 0.5,
        ..GraphShape::OWNED
    };
    for_all(
        share(1_500),
        (0..3_u64, games(shape), select(rules_of_search()), 0..=4_u64),
        |(seed, graph, rules, total)| {
            let rules = &rules;
            for purses in all_purses(rules, total) {
                let oracle = Oracle {
                    graph: &graph,
                    rules,
                    total,
                };
                let expected = played(oracle, graph.start(), &purses);
                let found = searched_outcome(
                    SearchOrigin::Vertex(&graph, graph.start()),
                    rules,
                    &purses,
                    seed,
                );
                assert_eq!(found, expected, "{rules:?}, {purses:?}\n{graph:?}");
                compared += 1;
                undetermined += usize::from(found == Outcome::Undetermined);
            }
        },
    );
    assert!(
        compared > share(6_000) && undetermined >= share(1),
        "{compared} {undetermined}"
    );
}

/// Compares thresholds on larger graphs and totals with those of the pass over the whole graph, for
/// every value of a draw.
#[test]
fn thresholds_are_those_of_the_whole_graph() {
    let shape = GraphShape {
        positions: 1..=30,
        moves: 4..=4,
        cycles: 0.0,
        draws: 0.33,
        ..GraphShape::OWNED
    };
    for_all(
        600,
        (
            0..6_u64,
            games(shape),
            select(vec![4, 12, 70, 900]),
            0..=900_u64,
        ),
        |(seed, graph, most, total)| {
            let total = total % (most + 1);
            for rules in rules_of_search() {
                let rules = Rules {
                    draws: [Draws::Neither, Draws::Alice, Draws::Bob][seed as usize % 3],
                    ..rules
                };
                let solved =
                    Thresholds::solve(&graph, &rules, Player::Alice, &[total], Context::plain())
                        .expect("solved");
                let found = searched_threshold(
                    SearchOrigin::Vertex(&graph, graph.start()),
                    &rules,
                    total,
                    seed % 2,
                );
                assert_eq!(
                    found,
                    solved.threshold(graph.start(), 0),
                    "{rules:?}, {total}\n{graph:?}"
                );
            }
        },
    );
}

fn compiled(source: &str, arguments: &[i64]) -> Result<Ruleset> {
    let mut world = SessionState::new(bid::library::all());
    let template = template(source, &mut world);
    let mut evaluator = Evaluator::new(&mut world, Rc::new(Overrides::default()), Context::plain());
    let arguments: Vec<Value> = arguments.iter().map(|n| Value::integer(*n)).collect();
    ruleset::compile(&template, &arguments, &mut evaluator, Context::plain())
}

/// The declarations of a symmetry; hexagons have no mirror.
const KINDS: &[&str] = &["mirror(board)", "rotate(board)", "board"];

/// Draws a game of setting cells: on squares or hexagons, anywhere or by dropping, for both players
/// or not, with lines and connections that win or lose, and all rules for stuck players.
fn board_game(dice: &mut StdRng) -> String {
    let widest = if dice.random_bool(0.3) { 4 } else { 3 };
    let (rows, cols) = (dice.random_range(1..=3), dice.random_range(1..=widest));
    let is_hex = dice.random_bool(0.3);
    let mut lines = vec!["game random(p) {".to_owned()];
    lines.push(format!(
        "    state board = {}({rows}, {cols})",
        if is_hex { "hexgrid" } else { "grid" }
    ));
    lines.push("    state spare = 1".to_owned());
    let guards = [
        "",
        "",
        " and count(board, me) < p + 3",
        " and (r + c) % 2 == 0",
        " and spare == 1",
    ];
    for who in [["", ""].as_slice(), &["alice ", "bob "]]
        .choose(dice)
        .expect("there are two")
        .iter()
        .take(if dice.random_bool(0.1) { 1 } else { 2 })
    {
        let guard = guards.choose(dice).expect("there are some");
        let lets_go = if dice.random_bool(0.1) {
            "; spare = 0"
        } else {
            ""
        };
        lines.push(if dice.random_bool(0.4) && !is_hex {
            let guard = guard.replace("(r + c) % 2", "c % 2");
            format!("    move {who}drop(c) for c in 0 .. {cols} - 1 if height(board, c) < {rows}{guard} {{ drop(board, c, me){lets_go} }}")
        } else {
            format!("    move {who}set(r, c) for (r, c) in cells(board) if board[r, c] == empty{guard} {{ board[r, c] = me{lets_go} }}")
        });
        if who.is_empty() {
            break;
        }
    }
    let endings = [
        "win me if line(board, me, 2)",
        "win me if line(board, me, 3)",
        "win other if line(board, me, 2)",
        "win alice if line(board, alice, 2)",
        "win bob if connected(board, bob, top, bottom)",
        "win alice if connected(board, alice, left, right)",
        "draw if count(board, alice) + count(board, bob) == 3",
        "win me if count(board, me) == 3",
        "win bob if full(board)",
    ];
    let chosen: Vec<&&str> = endings.sample(dice, 2).collect();
    lines.extend(chosen.into_iter().map(|line| format!("    {line}")));
    if dice.random_bool(0.5) {
        lines.push("    draw if full(board)".to_owned());
    }
    match dice.random_range(0..8) {
        0 => lines.push("    stuck loses".to_owned()),
        1 => lines.push("    stuck wins".to_owned()),
        2 => lines.push("    stuck draws".to_owned()),
        3 => lines.extend(
            [
                "turn alice if count(board, alice) == count(board, bob)",
                "turn bob if count(board, alice) > count(board, bob)",
            ]
            .map(|line| format!("    {line}")),
        ),
        4 => lines.push("    turn bob if spare == 0 or count(board, alice) == 2".to_owned()),
        _ => {}
    }
    if dice.random_bool(0.4) {
        lines.push(format!(
            "    symmetry {}",
            (if is_hex { KINDS.split_at(1).1 } else { KINDS })
                .choose(dice)
                .expect("some")
        ));
    }
    lines.push("}".to_owned());
    lines.join("\n") + "\n"
}

/// Explores a ruleset; returns the graph with the states of its vertices.
fn explored(ruleset: &Ruleset) -> (GameGraph, Vec<State>) {
    let (graph, positions) = explore_ruleset(
        ruleset,
        ruleset.start(),
        Blocks::default(),
        Context::plain(),
    )
    .expect("the game stays in its range");
    (graph, positions.states().collect())
}

/// Checks random rulesets, with and without numbers, symmetries, turns: outcomes and thresholds
/// from the start and from other positions equal those of the graph, with the players in their own
/// and in exchanged roles.
#[test]
fn random_boards_are_searched_as_their_graphs_are_solved() {
    let (mut compared, mut refused, mut wrong_symmetry) = (0, 0, 0);
    for seed in 0..share(700_u64) {
        let mut dice = StdRng::seed_from_u64(seed);
        let source = board_game(&mut dice);
        let ruleset = match compiled(&source, &[dice.random_range(0..3)]) {
            Err(error) if error.code == Code::NotSymmetric => {
                wrong_symmetry += 1;
                continue;
            }
            compiled => compiled.unwrap_or_else(|error| panic!("{source}\n{error:#?}")),
        };
        let (graph, states) = explored(&ruleset);
        let all = rules_of_search();
        for _ in 0..3 {
            let rules = all.choose(&mut dice).expect("there are rules");
            let node = if dice.random_bool(0.5) {
                0
            } else {
                dice.random_range(0..states.len())
            };
            let conjugated = dice.random_bool(0.3);
            let graph = if conjugated {
                graph.conjugate()
            } else {
                graph.clone()
            };
            let total = dice.random_range(0..=9);
            let purses = *all_purses(rules, total)
                .choose(&mut dice)
                .expect("there are purses");
            let origin = SearchOrigin::Position {
                ruleset: &ruleset,
                state: &states[node],
                conjugated,
            };
            let found = search::outcome(
                origin,
                rules,
                &purses,
                SearchOptions { seed: seed % 2 },
                Context::plain(),
            );
            let found = match found {
                Err(error) if error.code == Code::RulesClash => {
                    refused += 1;
                    continue;
                }
                found => {
                    found
                        .unwrap_or_else(|error| panic!("{source}\n{error:#?}"))
                        .answer
                }
            };
            let context = || {
                format!(
                    "seed {seed}, {rules:?}, {purses:?} at {:?}\n{source}",
                    ruleset.print(&states[node])
                )
            };
            let solved = Outcomes::solve(&graph, rules, &[total], Context::plain())
                .expect("it has outcomes");
            assert_eq!(
                found,
                solved.outcome(NodeId::new(node), &purses, 0),
                "{}",
                context()
            );
            let threshold = searched_threshold(origin, rules, total, 0);
            assert_eq!(
                threshold,
                solved.thresholds.alice.threshold(NodeId::new(node), 0),
                "{}",
                context()
            );
            compared += 1;
        }
    }
    assert!(
        compared > share(1000) && refused < compared / 10,
        "{compared} {refused} {wrong_symmetry}"
    );
}

/// Checks that two ways to end the game at once do not count as two if the opponent moves twice
/// without a bid in between.
#[test]
fn threats_are_counted_with_turns_in_mind() {
    let source = "game turned(p) {
    state board = grid(2, 3)
    move place(c) for c in cells(board) if board[c] == empty { board[c] = me }
    win me if line(board, me, 2)
    draw if full(board)
    turn bob if count(board, alice) == 1 and count(board, bob) == 1
}
";
    let ruleset = compiled(source, &[0]).expect("it compiles");
    let (graph, states) = explored(&ruleset);
    for rules in rules_of_search() {
        for total in [0, 1, 2, 5] {
            let solved = Outcomes::solve(&graph, &rules, &[total], Context::plain())
                .expect("it has outcomes");
            for (node, state) in states.iter().enumerate().step_by(7) {
                let origin = SearchOrigin::Position {
                    ruleset: &ruleset,
                    state,
                    conjugated: false,
                };
                let found = searched_threshold(origin, &rules, total, 0);
                assert_eq!(
                    found,
                    solved.thresholds.alice.threshold(NodeId::new(node), 0),
                    "{rules:?} {total} {state:?}"
                );
            }
        }
    }
}

/// Compares a list of answers with and without search.
fn agree(questions: &[&str], rules: &[&str]) {
    let mut session = Session::new(Box::new(Disk), Arc::default());
    transcript(&mut session, "games", "use \"games/classics.bid\"");
    for question in questions {
        for fields in rules {
            let comma = if fields.is_empty() { "" } else { ", " };
            let table = transcript(
                &mut session,
                "table",
                &format!("{question} using {{ {fields} }}"),
            );
            let searched = transcript(
                &mut session,
                "search",
                &format!("{question} using {{ solver: search{comma}{fields} }}"),
            );
            assert!(!table.contains('E'), "{question} {fields}: {table}");
            assert_eq!(searched, table, "{question} {fields}");
        }
    }
}

const STATUS: &[&str] = &[
    "",
    "winner: moves",
    "ties: marker",
    "ties: marker, winner: moves",
    "ties: make_it_take_it",
    "ties: losers_ball",
    "ties: attached, winner: moves",
];
const PLAIN: &[&str] = &[
    "ties: ladies_first",
    "ties: gentlemen_first",
    "ties: richer",
    "ties: richer, winner: moves",
];

/// Compares every outcome of some totals, and thresholds, of the classic games.
#[test]
fn classic_games_are_searched_as_their_tables_say() {
    for game in some([
        "tictactoe",
        "connect(3, 3, 3)",
        "hex(3, 3)",
        "connect(3, 3, 4)",
    ]) {
        // This covers every split of some totals, with the star at Alice, at Bob, and at neither.
        let all = |alice: &str, bob: &str| {
            let splits = [0, 1, 2, 5]
                .into_iter()
                .flat_map(|k| (0..=k).map(move |a| (a, k - a)));
            let asked = splits.map(|(a, b)| format!("{game}({a}{alice}, {b}{bob})"));
            format!("[{}]", asked.collect::<Vec<_>>().join(", "))
        };
        let (held, not_held, plain) = (all("*", ""), all("", "*"), all("", ""));
        let thresholds = format!("[f({game}, k) for k in [0, 1, 2, 3, 7, 12, 40]]");
        agree(
            &[&held, &not_held],
            &STATUS[..if game == "tictactoe" { 7 } else { 3 }],
        );
        agree(&[&plain], PLAIN);
        agree(
            &[&thresholds],
            &[STATUS, PLAIN, &["draws: alice", "draws: bob, ties: marker"]].concat(),
        );
    }
    agree(
        &[
            "[f(connect(4, 4, 4), k) for k in [0, 1, 5, 11]]",
            "[connect(4, 4, 4)(a, 3 - a) for a in 0..3]",
        ],
        &["ties: richer"],
    );
    agree(
        &["[connect(4, 4, 4)(1*, 4), connect(4, 4, 4)(2*, 3), connect(4, 4, 4)(3*, 2)]"],
        &["", "winner: moves"],
    );
    agree(
        &["[(~connect(3, 3, 3))(1*, 3), (~connect(3, 3, 3))(2*, 2), (~connect(3, 3, 3))(3*, 1)]"],
        &[""],
    );
    agree(&["f(A^3 ∧ B^2, 0..6)", "f({ A, Draw | B^2 }, 9)"], STATUS);
}

/// Checks that games that can go on for ever, and more chips than are counted, are refused, and
/// that no search is endless.
#[test]
fn what_cannot_be_searched_is_refused() {
    let asked = |text: &str| {
        transcript(
            &mut session(),
            "asked",
            &format!("use \"games/classics.bid\"\n{text}"),
        )
    };
    let cyclic = asked("f(tug(3), 4) using { solver: search }");
    assert!(
        cyclic.contains("E0602") && cyclic.contains("come back") && cyclic.contains("solver: auto"),
        "{cyclic}"
    );
    let walking = "game walk(n) {\n    state place = 0\n    move step(d) for d in [-1, 1] if place < n and place > -n { place += d }\n    \
                   win alice if place == n\n    win bob if place == -n\n}\nwalk(3)(1*, 1) using { solver: search }";
    let walking = asked(walking);
    assert!(
        walking.contains("E0602") && walking.contains("falls with every move"),
        "{walking}"
    );
    let many = asked("f(tictactoe, 100000) using { solver: search }");
    assert!(many.contains("E0701") && many.contains("8190"), "{many}");
    let richman = asked("R(tictactoe) using { solver: search }");
    assert!(richman.contains("E0603"), "{richman}");
    assert_eq!(
        asked("tictactoe(4*, 4) using { solver: search }"),
        "alice\n"
    );
}

/// Returns a context that stops at a step, with this much memory.
fn hasty(guard: &Guard, memory: u64) -> Context<'_> {
    Context {
        limits: Limits::memory(memory),
        ..guard.context()
    }
}

fn connect(rows: i64, cols: i64) -> Ruleset {
    let text = std::fs::read_to_string("games/classics.bid").expect("it is there");
    let start = text.find("game connect").expect("it is defined");
    let end = start + text[start..].find("\n}\n").expect("it ends") + 3;
    compiled(&text[start..end], &[4, rows, cols]).expect("it compiles")
}

/// Checks that a stopped search reports its bounds, and that one with hardly any memory has the
/// same answer.
#[test]
fn limits_are_kept_and_bounds_are_told() {
    let ruleset = connect(4, 5);
    let origin = SearchOrigin::Position {
        ruleset: &ruleset,
        state: ruleset.start(),
        conjugated: false,
    };
    let guard = Guard::of_steps(500);
    let context = hasty(&guard, 1 << 30);
    let stopped = search::threshold(
        origin,
        &Rules::default(),
        40,
        SearchOptions::default(),
        &context,
    )
    .expect_err("it stops");
    assert_eq!(stopped.code, Code::Time);
    let (mut said, mut enough) = (stopped.notes, 1 << 12);
    let one = threads(1);
    // Before the last question is answered, something is known about the others. A search on one
    // thread takes the same steps in every run.
    for step in (0..12).rev() {
        let guard = Guard::of_steps(enough - (1 << step));
        let context = hasty(&guard, 1 << 30);
        let found = one.install(|| {
            search::threshold(
                origin,
                &Rules::default(),
                3,
                SearchOptions::default(),
                &context,
            )
        });
        match found {
            Ok(_) => enough -= 1 << step,
            Err(stopped) => {
                assert_eq!(stopped.code, Code::Time);
                said.extend(stopped.notes);
            }
        }
    }
    for known in [
        "positions nothing is known",
        "positions it is known that Alice wins from",
    ] {
        assert!(said.iter().any(|note| note.contains(known)), "{said:?}");
    }
    let ruleset = connect(4, 4);
    let origin = SearchOrigin::Position {
        ruleset: &ruleset,
        state: ruleset.start(),
        conjugated: false,
    };
    let answers = [Limits::for_room(1 << 20), 1 << 30].map(|memory| {
        let context = Context::within(Limits::memory(memory));
        search::threshold(
            origin,
            &Rules::default(),
            1,
            SearchOptions::default(),
            &context,
        )
        .expect("it ends")
        .answer
    });
    assert_eq!(answers[0], answers[1]);
}
