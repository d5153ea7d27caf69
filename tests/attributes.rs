//! Tests every attribute of a vertex or an edge against every construction of a game from a game:
//! the attribute is kept, converted for the new game, or refused, but never dropped.
//!
//! The games are random graphs. The expected result of a construction is written as another graph,
//! line by line, without the program; both are then asked the question that depends on the
//! attribute.

mod graph;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use bid::session::Session;
use bid_testing::{for_all, share};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use self::graph::Attribute::{self, Accepting, EdgeWeight, Income, Owner, Score, VertexWeight};
use self::graph::{ALL, PLAYERS, Vertex, cases};
use crate::support::{Memory, session, small, transcript};

/// A program that compares the answers of pairs of games.
#[derive(Default)]
struct Program {
    text: String,
    checks: usize,
}

impl Program {
    fn same(&mut self, attribute: Attribute, [game, other]: [&str; 2]) {
        let (found, rules) = attribute.asked(game);
        let (expected, _) = attribute.asked(other);
        writeln!(
            self.text,
            "check ({found} using {rules}) == ({expected} using {rules})"
        )
        .expect("a string");
        self.checks += 1;
    }

    /// Runs the program, and checks that every check passes.
    fn holds(self, session: &mut Session) {
        let said = transcript(session, "program.bid", &self.text);
        let is_error = |line: &&str| line.starts_with('E');
        assert_eq!(said.lines().find(is_error), None, "{}\n{said}", self.text);
    }
}

/// Checks conjugates, other positions, positions after a move, truncations of them, games in
/// graphs, sums and braces.
#[test]
fn games_of_games_say_what_the_games_say() {
    for attribute in ALL {
        let mut checks = 0;
        for_all(share(48), cases(attribute), |(graph, seed)| {
            let mut dice = StdRng::seed_from_u64(!seed);
            let mut program = Program::default();
            writeln!(program.text, "let g = {}", graph.text(0)).expect("a string");
            let named = graph.named();
            let other = named[dice.random_range(0..named.len())];
            program.same(attribute, [&format!("(g at v{other})"), &graph.text(other)]);
            program.same(attribute, ["~~g", &graph.text(0)]);
            let movers = (0..2).filter(|player| {
                graph.attribute != Owner || graph.vertices[0].owner != Some(1 - player)
            });
            for (player, edge) in movers
                .flat_map(|player| {
                    graph.vertices[0].edges[player]
                        .first()
                        .map(|edge| (player, edge))
                })
                .filter(|(_, edge)| edge.head != 0)
            {
                let after = format!("(g after [{} v{}])", PLAYERS[player], edge.head);
                program.same(attribute, [&after, &graph.text(edge.head)]);
            }
            let moves = dice.random_range(0..=3);
            let top = moves * graph.vertices.len();
            let cut = graph.truncated(moves);
            program.same(attribute, [&format!("g[{moves}]"), &cut.text(top)]);
            program.same(
                attribute,
                [&format!("(~g)[{moves}]"), &format!("(~{})", cut.text(top))],
            );
            program.same(
                attribute,
                [&format!("(g at v{other})[{moves}]"), &cut.text(top + other)],
            );
            let behind = graph.behind(other);
            let (first, here) = (behind.vertices.len() - 1, format!("g at v{other}"));
            let behind = behind.text(first);
            for game in [
                format!("(graph {{ start s; both s -> g, g at v{other} }})"),
                format!("(g ∧ ({here}))"),
                format!("{{ g, {here} | {here}, g }}"),
            ] {
                program.same(attribute, [&game, &behind]);
            }
            checks += program.checks;
            program.holds(&mut session());
        });
        assert!(checks > share(350), "{attribute:?}: {checks}");
    }
}

/// Checks that the conjugate is the graph with every line reversed.
#[test]
fn conjugates_say_the_opposite() {
    for attribute in ALL {
        for_all(60, cases(attribute), |(graph, _)| {
            let other = graph.conjugate();
            let (found, rules) = attribute.asked(&format!("~{}", graph.text(0)));
            let (expected, others_rules) = other.attribute.asked(&other.text(0));
            let mut program = Program::default();
            writeln!(
                program.text,
                "check ({found} using {rules}) == ({expected} using {others_rules})"
            )
            .expect("a string");
            program.holds(&mut session());
        });
    }
}

/// Checks that a game written by `node_link` and read by `edges` is the same game; accepting
/// vertices of a conjugate are refused.
#[test]
fn graphs_that_are_written_are_read_as_they_were() {
    for attribute in ALL {
        for_all(
            share(30),
            (cases(attribute), 0..=3),
            |((graph, _), moves)| {
                for game in [
                    "g".to_owned(),
                    "~g".to_owned(),
                    format!("g[{moves}]"),
                    "(g ∧ ~g)".to_owned(),
                ] {
                    let source = format!("let g = {}\n", graph.text(0));
                    // In a scoring game no player wins, so being stuck must not be a win either.
                    let stuck = if attribute == Score {
                        "{ stuck: draws }"
                    } else {
                        "{ stuck: loses }"
                    };
                    for rules in ["{}", stuck] {
                        let said = transcript(
                            &mut session(),
                            "write.bid",
                            &format!("{source}show node_link({game}) using {rules}\n"),
                        );
                        if attribute == Accepting && game.contains('~') {
                            assert!(said.contains("E0603"), "{said}");
                            continue;
                        }
                        // The rules for stuck players have become edges by then.
                        let (_, json) = said.split_once(&format!("using {rules} = ")).expect(&said);
                        let files = BTreeMap::from([(
                            PathBuf::from("g.json"),
                            json.trim().as_bytes().to_vec(),
                        )]);
                        let mut session = Session::new(Box::new(Memory(files)), small());
                        let mut program = Program {
                            text: source.clone(),
                            checks: 0,
                        };
                        let (found, asked_under) = attribute.asked(&game);
                        let (expected, _) = attribute.asked("graph { edges \"g.json\" }");
                        let asked_under = asked_under.trim_matches(['{', '}']);
                        let stuck = rules.trim_matches(['{', '}']);
                        let both = [asked_under.trim(), stuck.trim()]
                            .into_iter()
                            .filter(|rules| !rules.is_empty())
                            .collect::<Vec<_>>()
                            .join(", ");
                        writeln!(
                        program.text,
                        "check ({found} using {{ {both} }}) == ({expected} using {{ {asked_under} }})"
                    )
                    .expect("a string");
                        if matches!(attribute, VertexWeight | EdgeWeight) {
                            // Weights count move by move, and so where play stops as well.
                            let credits = |game: &str, rules: &str| {
                                format!(
                                    "[credit({game}, a + 0*, 1) for a in 0..2] using {{ draws: alice{rules} }}"
                                )
                            };
                            let rules = [",", stuck.trim()].concat();
                            writeln!(
                                program.text,
                                "check ({}) == ({})",
                                credits(&game, if stuck.is_empty() { "" } else { &rules }),
                                credits("graph { edges \"g.json\" }", "")
                            )
                            .expect("a string");
                        }
                        program.holds(&mut session);
                    }
                }
            },
        );
    }
}

/// Checks that merged and simplified games have the same answers, to the question of the attribute
/// and in chips; games with scores or income are refused.
#[test]
fn smaller_games_say_what_the_games_say() {
    for attribute in ALL {
        let mut smaller = 0;
        for_all(share(60), cases(attribute), |(graph, seed)| {
            let source = format!("let g = {}\n", graph.text(0));
            // The search for a smallest game takes longer than all the rest.
            let ways = if seed % 10 == 0 { 2 } else { 1 };
            for small in &["minimise(g)[0]", "simplify(g)"][..ways] {
                for chips in [
                    "{}",
                    "{ ties: marker }",
                    "{ ties: losers_ball, winner: moves }",
                ] {
                    let mut program = Program {
                        text: source.clone(),
                        checks: 0,
                    };
                    writeln!(program.text, "let h = {small} using {chips}").expect("a string");
                    if matches!(attribute, Score | Income) {
                        let said = transcript(&mut session(), "small.bid", &program.text);
                        let has_income =
                            |vertex: &Vertex| vertex.ending.is_none() && vertex.income != [0, 0];
                        let (code, is_refused) = match attribute {
                            Score => ("E0408", true),
                            _ => ("E0603", graph.vertices.iter().any(has_income)),
                        };
                        assert!(!is_refused || said.contains(code), "{said}");
                        continue;
                    }
                    writeln!(
                        program.text,
                        "check (f(g, 0..8) using {chips}) == (f(h, 0..8) using {chips})"
                    )
                    .expect("a string");
                    if attribute.is_endless() {
                        program.same(attribute, ["h", "g"]);
                    }
                    program.holds(&mut session());
                    smaller += 1;
                }
            }
        });
        assert!(
            smaller > share(150) || matches!(attribute, Score | Income),
            "{attribute:?}: {smaller}"
        );
    }
}

/// Checks that sums, which have no owners, scores or labels of infinite play, are refused unless no
/// answer depends on these.
#[test]
fn sums_refuse_what_they_cannot_say() {
    let loop_of =
        |line: &str| format!("let g = graph {{ start 0; both 0 -> 1, 0; both 1 -> 0; {line} }}\n");
    for (line, question, code) in [
        (
            "turn alice: 1",
            "f(g + g, 3) using { ties: marker }",
            "E0408",
        ),
        ("score 1: 2; alice 1 -> 2", "o(g + g, 2)", "E0408"),
        (
            "income alice 1/8: 1",
            "R(g + g) using { stuck: loses }",
            "E0408",
        ),
        (
            "weight 1: 0",
            "R(g + g) using { objective: mean_payoff }",
            "E0409",
        ),
        (
            "priority 2: 0, 1",
            "R(g + g) using { objective: parity }",
            "E0409",
        ),
        (
            "accepting: 0",
            "R(g + g) using { objective: buchi }",
            "E0409",
        ),
    ] {
        for question in [
            question.to_owned(),
            question.replace("g + g", "sum([g, g])"),
        ] {
            let program = format!("{}{question}\n", loop_of(line));
            let said = transcript(&mut session(), "sum.bid", &program);
            assert!(said.contains(code), "{program}{said}");
        }
    }
}

/// Checks that a picture for Graphviz shows all attributes.
#[test]
fn pictures_show_what_is_said() {
    for (line, shown) in [
        ("turn alice: 0", "shape=diamond, color=\"#D55E00\""),
        ("priority 2: 0", "label=\"0\\npriority 2\""),
        ("weight 1/2: 0", "label=\"0\\nweight 1/2\""),
        ("income alice 1/8: 0", "label=\"0\\nincome alice 1/8\""),
        ("accepting: 0", "peripheries=2"),
        (
            "alice 0 -> 0 weight -3; alice 0 -> 0 weight 3",
            "label=\"weight 3\"",
        ),
        ("score 5: 1; alice 0 -> 1 score 2", "label=\"1\\nscore 5\""),
        ("score 5: 1; alice 0 -> 1 score 2", "label=\"score 2\""),
    ] {
        let text = format!("dot(graph {{ start 0; both 0 -> 0; {line} }})\n");
        let said = transcript(&mut session(), "dot.bid", &text);
        assert!(said.contains(shown), "{text}{said}");
    }
    let conjugates = [
        ("turn alice: 0", "shape=diamond, color=\"#0072B2\""),
        ("priority 2: 0", "priority 3"),
        ("weight 1/2: 0", "weight -1/2"),
        ("income alice 1/8: 0", "income bob 1/8"),
        ("accepting: 0", "accepting for Bob"),
    ];
    for (line, shown) in conjugates {
        let text = format!("dot(~graph {{ start 0; both 0 -> 0; {line} }})\n");
        let said = transcript(&mut session(), "dot.bid", &text);
        assert!(said.contains(shown), "{text}{said}");
    }
}

/// Checks that the order of games, which concerns chips, is refused under other objectives.
#[test]
fn the_order_of_games_is_refused_under_objectives_of_endless_play() {
    let program = "let a = graph { start 0; both 0 -> 0; accepting: 0 }\n";
    for comparison in ["a ≡ B", "a <= B", "a || B", "a < B"] {
        let text = format!("{program}({comparison}) using {{ objective: buchi }}\n");
        let said = transcript(&mut session(), "order.bid", &text);
        assert!(said.contains("E0603"), "{text}{said}");
    }
}

/// Checks that models for PRISM-games, whose wins are reached endings, refuse scores and other
/// objectives.
#[test]
fn models_refuse_what_they_cannot_say() {
    let program = "let a = graph { start 0; both 0 -> 0; accepting: 0 }
let s = graph { start 0; both 0 -> 1; score 1: 1 }
";
    for (asked, code) in [
        ("prism(a) using { objective: buchi }", "E0603"),
        ("prism(s)", "E0408"),
    ] {
        let said = transcript(&mut session(), "prism.bid", &format!("{program}{asked}\n"));
        assert!(said.contains(code), "{said}");
    }
}

/// Checks that the greatest priority leaves room for the next one, which it becomes in the
/// conjugate, in every kind of file.
#[test]
fn priorities_have_room_for_the_conjugate() {
    let file = |priority: u64| {
        format!(
            "{{\"nodes\": [{{\"id\": 0, \"priority\": {priority}}}], \"edges\": [{{\"source\": 0, \"target\": 0, \"player\": \"both\"}}]}}"
        )
    };
    for (priority, expected) in [
        (u64::from(u32::MAX) - 1, "[0, 1]"),
        (u64::from(u32::MAX), "E0403"),
    ] {
        let files = BTreeMap::from([(PathBuf::from("g.json"), file(priority).into_bytes())]);
        let mut session = Session::new(Box::new(Memory(files)), small());
        let program = "let g = graph { start 0; edges \"g.json\" }\n[R(g), R(~g)] using { objective: parity }\n";
        let said = transcript(&mut session, "priorities.bid", program);
        assert!(said.contains(expected), "{said}");
    }
}
