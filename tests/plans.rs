//! Plans: the method, the cost, and the limit from which a question is refused.

use assert_cmd::Command;

const GAMES: &str = "games/classics.bid";

fn bid(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("bid").expect("it is built");
    let output = command.args(arguments).output().expect("it runs");
    let [out, err] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("it is text"));
    (output.status.code().expect("it ends by itself"), out, err)
}

/// Returns the facts of a plan by their names; a long fact continues below, indented.
fn plan(expression: &str, options: &[&str]) -> impl Fn(&str) -> Option<String> + use<> {
    let (status, out, err) = bid(&[&["plan", "-l", GAMES, expression], options].concat());
    assert_eq!(status, 0, "{expression}: {err}");
    let mut facts: Vec<(String, String)> = Vec::new();
    for line in out.lines() {
        match (line.split_once("  "), facts.last_mut()) {
            (Some(("", more)), Some((_, value))) => *value += &format!(" {}", more.trim()),
            (Some((name, value)), _) => facts.push((name.to_owned(), value.trim().to_owned())),
            (None, _) => {}
        }
    }
    move |name| {
        facts
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.clone())
    }
}

/// Checks that the plan of a question on a graph says what the graph takes, and what the matrices of
/// bids take.
#[test]
fn questions_on_graphs_have_memory_and_time() {
    let mixed = |chips: &str| {
        plan(
            &format!("nash(tictactoe, {chips}, {chips})"),
            &["--rules", "menz"],
        )
    };
    let [few, many] = ["2", "60"].map(|chips| mixed(chips)("memory").expect("it is known"));
    assert_ne!(few, many);
    assert_eq!(mixed("2")("time").as_deref(), Some("less than a second"));
    for question in ["v(tictactoe, 3, 3)", "v(tictactoe, 0..3, 0..3)"] {
        let plan = plan(question, &["--rules", "menz"]);
        assert!(plan("memory").is_some() && plan("time").is_some());
    }
    let table = plan("table(tictactoe)", &[]);
    assert!(table("memory").is_some_and(|memory| memory.starts_with("at least ")));
    assert!(
        table("time").is_some_and(|time| time.ends_with("the rest is known only during the run"))
    );
}

/// Checks that the time of matrices of bids is a range, because nothing shows in advance at how many
/// turns single bids are optimal.
#[test]
fn the_time_of_mixed_bids_is_a_range() {
    let time = |rules: &str, question: &str| {
        let plan = plan(question, &["--rules", rules, "--threads", "2"]);
        plan("time").expect("it is known")
    };
    // It takes 1 to 3 s on two threads.
    assert_eq!(
        time("menz", "v(tictactoe, 100, 100)"),
        "about 2 s to 17 s, the longer the more turns need mixed bids"
    );
    // Linear programs take far longer than systems of equations.
    let coin = "{ pay: all_pay, ties: coin, draws: half }";
    let long = time(coin, "v(tictactoe, 100, 100)");
    assert!(long.starts_with("about 2 s to 12 minutes"), "{long}");
    // Each total of a range has matrices of its own; those of the bank are one table.
    let paid = |pay: &str, question: &str| {
        let rules = format!("{{ pay: {pay}, ties: ladies_first, draws: half }}");
        plan(question, &["--rules", &rules, "--threads", "2"])("memory").expect("it is known")
    };
    let [one, range] = ["v(tictactoe, 300, 300)", "v(tictactoe, 0..300, 0..300)"];
    assert_ne!(paid("all_pay", one), paid("all_pay", range));
    assert_eq!(paid("all_pay_bank", one), paid("all_pay_bank", range));
    // Exact numbers grow, and cycles take rounds.
    let exact = "{ pay: all_pay, ties: richer, draws: half, solver: exact }";
    for unknown in [
        time(exact, "v(tictactoe, 9, 9)"),
        time("menz", "v(tug(3), 9, 9)"),
    ] {
        assert!(unknown.ends_with("only during the run"), "{unknown}");
    }
}

/// Checks that rules without mixed bids are refused by the plan as by the question.
#[test]
fn plans_refuse_what_rules_do_not_admit() {
    for question in [
        "v(tictactoe, 3, 3)",
        "nash(tictactoe, 3, 3)",
        "sure(tictactoe, 3)",
    ] {
        let errors = ["plan", "eval"].map(|command| {
            let (status, out, err) = bid(&[command, "-l", GAMES, question]);
            assert_eq!((status, out.as_str()), (2, ""), "{question}: {err}");
            err
        });
        assert!(errors[0].contains("E0602"), "{}", errors[0]);
        assert_eq!(errors[0], errors[1], "{question}");
    }
}

/// Checks that a question is refused by its plan exactly if it is refused when it is asked, with the
/// same words, under rules that differ from the plain ones in one clause or two.
#[test]
fn plans_refuse_what_solvers_refuse() {
    let pays = ["richman", "poorman", "all_pay"];
    let clauses = [
        "draws: half",
        "draws: alice",
        "ties: coin",
        "ties: nobody",
        "ties: losers_ball",
        "winner: moves",
        "bids: real",
        "income: [1/4, 1/4]",
        "solver: iteration",
        "solver: search",
        "solver: acyclic",
        "solver: linear_program",
    ];
    for pay in pays {
        for clause in clauses {
            for question in [
                "R(E)",
                "P(E)",
                "f(E, 3)",
                "E(2*, 1)",
                "f(E, bob: 3)",
                "moves(E)",
            ] {
                let asked = format!("{question} using {{ pay: {pay}, {clause} }}");
                let [planned, answered] = ["plan", "eval"].map(|command| bid(&[command, &asked]));
                assert_eq!(
                    planned.0, answered.0,
                    "{asked}: {}{}",
                    planned.1, answered.2
                );
                if answered.0 != 0 {
                    assert_eq!(planned.2, answered.2, "{asked}");
                }
            }
        }
    }
}

#[test]
fn every_way_is_planned() {
    let swept = plan("R(tictactoe)", &[]);
    assert_eq!(
        swept("method").as_deref(),
        Some("a sweep through numbered positions, 4 bytes each")
    );
    assert_eq!(swept("positions").as_deref(), Some("19683"));
    assert_eq!(swept("blocks").as_deref(), Some("9"));
    assert!(swept("memory").is_some() && swept("time").is_some() && swept("refused").is_none());

    // The plan takes 16 totals at once, in bytes.
    let chips = plan("f(connect(4,4,4), 0..15)", &[]);
    assert!(chips("method").is_some_and(|method| {
        method.ends_with("a sweep through numbered positions, 16 bytes each")
    }));

    let explored = plan("R(tug(5))", &[]);
    assert_eq!(
        explored("method").as_deref(),
        Some("on the graph of the positions that can be reached")
    );
    assert_eq!(
        explored("because").as_deref(),
        Some("it is not a position of a ruleset")
    );

    let graph = plan("v(tictactoe, 1, 1) using menz", &[]);
    assert!(graph("because").is_some_and(|because| because.starts_with("players mix their bids")));
    assert_eq!(graph("cycles").as_deref(), Some("none"));

    let rules = plan("R(tictactoe) using { pay: poorman }", &[]);
    assert_eq!(
        rules("method").as_deref(),
        Some("on the graph of the positions that can be reached")
    );
}

/// Checks that, if a graph is needed, the plan gives the reason and the size of the graph: for each
/// payment combined with each objective and with scores.
#[test]
fn graphs_are_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.bid");
    let text = "game ring = graph {
    start a
    both a -> b, c weight 1
    both b -> a, c weight -1
    both c -> a, b
    accepting: b
    priority 2: b
    priority 1: a, c
}
game race = graph {
    start s
    alice s -> won
    bob s -> lost
    win alice: won
    win bob: lost
}
";
    std::fs::write(&file, text).expect("it is written");
    let path = file.to_str().expect("text");
    let facts = |expression: &str| {
        let (status, out, err) = bid(&["plan", "-l", path, "-l", GAMES, expression]);
        assert_eq!(status, 0, "{expression}: {err}");
        out
    };
    let objective = "the objective is one of endless play";
    let bank = "the bank takes part of the bids";
    let mixed = "players mix their bids";
    for (expression, because, moves, cycles) in [
        (
            "payoff(ring) using { objective: mean_payoff }",
            objective,
            "12",
            "in one part of 3 positions",
        ),
        (
            "R(ring) using { objective: buchi }",
            "it is not a position of a ruleset",
            "12",
            "in one part of 3 positions",
        ),
        (
            "R(ring) using { objective: parity, pay: poorman }",
            "it is not a position of a ruleset",
            "12",
            "in one part of 3 positions",
        ),
        ("v(race, 2*, 2) using { pay: all_pay }", mixed, "2", "none"),
        (
            "sure(race, 2) using { pay: all_pay_bank }",
            mixed,
            "2",
            "none",
        ),
        ("f(race, bob: 2) using { pay: poorman }", bank, "2", "none"),
        (
            "f(race, bob: 2) using { pay: taxman(1/2) }",
            bank,
            "2",
            "none",
        ),
        (
            "o(subtraction(7, [1, 2]), 3)",
            "scores are added up",
            "26",
            "none",
        ),
    ] {
        let out = facts(expression);
        let line = |name: &str| {
            out.lines()
                .find_map(|line| line.strip_prefix(name))
                .unwrap_or_default()
                .trim()
                .to_owned()
        };
        assert!(line("because").starts_with(because), "{expression}: {out}");
        assert_eq!(line("moves"), moves, "{expression}: {out}");
        assert!(line("cycles").starts_with(cycles), "{expression}: {out}");
    }
}

/// Checks that the size of a graph too large to be explored in a moment is bounded.
#[test]
fn large_graphs_are_bounded() {
    let large = plan("R(tug(200000))", &[]);
    assert_eq!(large("positions").as_deref(), Some("at most 400001"));
    assert!(large("moves").is_none() && large("cycles").is_none());
    assert!(large("memory").is_some_and(|memory| memory.starts_with("up to ")));
    // The limits bound what the numbers of positions do not.
    let table = plan("table(connect(4, 6, 7))", &["--max-memory", "1G"]);
    assert_eq!(
        table("positions").as_deref(),
        Some("at most 532875860165503")
    );
    let memory = table("memory").expect("the limit is known");
    assert!(
        memory.starts_with("up to 1024M for the graph; it stops if more than about "),
        "{memory}"
    );
    let time = table("time").expect("it is bounded");
    assert!(
        time.ends_with("the rest is known only during the run"),
        "{time}"
    );
    let mixed = plan("nash(connect(4, 6, 7), 3, 3)", &["--rules", "menz"]);
    assert!(mixed("memory").is_some() && mixed("time").is_some());
}

/// Checks that a plan answers nothing, and that an expression without a question about a game has
/// none.
#[test]
fn nothing_is_answered() {
    assert_eq!(
        bid(&["plan", "1 + 1"]).1.trim(),
        "no question about a game is asked"
    );
    let (status, out, err) = bid(&["plan", "R(A) + unknown"]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.contains("E0201"), "{err}");
}

/// Checks that every question is planned, at every place and under every condition.
#[test]
fn every_question_is_planned() {
    for (expression, questions) in [
        (
            "[R(tictactoe), R(tug(2))][0] + 1",
            vec!["R(tictactoe)", "R(tug(2))"],
        ),
        (
            "if R(tictactoe) < 1/2 then f(tug(3), 0..3) else f(E, 2)",
            vec!["R(tictactoe)", "f(tug(3), 0..3)", "f(E, 2)"],
        ),
        (
            "let x = R(E) in [f(tug(n), x) for n in 1..2 if P(tug(n)) > x]",
            vec!["R(E)", "P(tug(n))", "P(tug(n))"],
        ),
        ("sum([R(tug(n)) for n in 1..3])", vec!["R(tug(n))"; 3]),
        ("max(len([1]), R(E)) + R(A)", vec!["R(E)", "R(A)"]),
        // Games and rules that depend on an answer.
        (
            "let g = if R(E) == 1/2 then A else B in R({ g | B }) + P(A)",
            vec!["R(E)", "P(A)"],
        ),
        (
            "R({ if R(E) == 1/2 then A else B | B }) + f(E, 2)",
            vec!["R(E)", "f(E, 2)"],
        ),
        (
            "let t = R(E) in R(graph { start s; both s -> a; alice s -> b if t < 1; \
             win alice: a; win bob: b }) + P(A)",
            vec!["R(E)", "P(A)"],
        ),
        (
            "let t = R(E) in P(E) + R(tug(2)) using { pay: taxman(t) }",
            vec!["R(E)"],
        ),
        // Whether a condition decides is known before the second one is.
        (
            "let n = 0 in (n != 0 and R(A^n) > 1/n) or R(E) == R(A)",
            vec!["R(E)", "R(A)"],
        ),
        (
            "[1 == 1 or R(A^2) > 0, R(E) > 0, R(A) > 0]",
            vec!["R(E)", "R(A)"],
        ),
    ] {
        let (status, out, err) = bid(&["plan", "-l", GAMES, expression]);
        assert_eq!(status, 0, "{expression}: {err}");
        let asked: Vec<&str> = out
            .lines()
            .filter_map(|line| line.strip_prefix("question"))
            .map(str::trim)
            .collect();
        assert_eq!(asked, questions, "{expression}: {out}");
        assert_eq!(out.matches("method ").count(), questions.len(), "{out}");
        assert!(
            out.contains("not a search") || out.contains("not a sweep"),
            "{out}"
        );
    }
    let (status, _, err) = bid(&["plan", "-l", GAMES, "[R(A) for k in 0..1 if k]"]);
    assert!(status == 2 && err.contains("E0301"), "{status} {err}");
    // A recursion that an answer would end is cut.
    let file = tempfile::Builder::new()
        .suffix(".bid")
        .tempfile()
        .expect("a file");
    std::fs::write(
        file.path(),
        "let down(n) = if R(A^n) < 1/1000 then n else down(n + 1)\n",
    )
    .expect("it is written");
    let path = file.path().to_str().expect("text");
    let (status, out, err) = bid(&["plan", "-l", path, "down(1)"]);
    assert_eq!(status, 0, "{err}");
    assert!(out.contains("more questions may be asked"), "{out}");
}

/// Checks the limits from both sides: as many positions as are allowed, and one fewer; as much
/// memory as the message names, and less.
#[test]
fn refusals_say_what_would_do() {
    let question = "R(hex(4,4))";
    let positions = plan(question, &[])("positions").expect("it is numbered");
    let enough = plan(question, &["--max-positions", &positions]);
    assert!(
        enough("refused").is_none()
            && enough("method").is_some_and(|method| method.contains("sweep"))
    );
    let fewer = (positions.parse::<u64>().expect("a number") - 1).to_string();
    let refused = plan(question, &["--max-positions", &fewer]);
    assert!(refused("refused").is_some_and(|why| why.contains(&positions) && why.contains(&fewer)));
    assert!(
        refused("remedy")
            .is_some_and(|remedy| remedy.contains(&format!("--max-positions {positions}")))
    );
    assert!(refused("method").is_some_and(|method| method.ends_with("else none")));

    let tight = plan(question, &["--max-memory", "30M"]);
    let needed = tight("memory").expect("it is said");
    assert!(
        tight("refused").is_some_and(|why| why.contains(&needed)),
        "{needed}"
    );
    assert!(
        plan(question, &["--max-memory", &needed])("refused").is_none(),
        "{needed}"
    );
}

/// Checks that a question whose plan is refused for its positions is also refused when it is asked,
/// with the remedy.
#[test]
fn what_is_planned_is_done() {
    let arguments = [
        "eval",
        "-l",
        GAMES,
        "R(hex(4,4))",
        "--max-positions",
        "1000000",
    ];
    let (status, out, err) = bid(&arguments);
    assert_eq!((status, out.as_str()), (3, ""));
    assert!(
        err.contains("43046721") && err.contains("--max-positions 43046721"),
        "{err}"
    );
}

/// Checks a ruleset whose positions can be numbered, but whose conditions depend on too much to be
/// tabulated. It is not swept under any limit: it is solved layer by layer, and no greater limit is
/// asked for.
#[test]
fn what_cannot_be_swept_is_not_refused_for_its_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.bid");
    // Each condition depends on all of the twelve counts, on none through a sum.
    let square = |one: &str| {
        (0..12)
            .map(|i| format!("{one}{i} * {one}{i} * {}", i + 2))
            .collect::<Vec<_>>()
            .join(" + ")
    };
    let mut text = "game counts {\n".to_owned();
    (0..12).for_each(|i| text.push_str(&format!("  state x{i} = 2\n")));
    (0..12).for_each(|i| text.push_str(&format!("  move m{i} if x{i} > 0 {{ x{i} -= 1 }}\n")));
    for (ending, odd) in [("win alice", 3), ("win bob", 5), ("draw", 7)] {
        text.push_str(&format!(
            "  {ending} if ({}) % {} == {odd}\n",
            square("x"),
            odd + 40
        ));
    }
    text.push_str("}\n");
    std::fs::write(&file, text).expect("it is written");
    let path = file.to_str().expect("text");
    for positions in ["100000", "1000000000"] {
        let (status, out, err) = bid(&[
            "plan",
            "-l",
            path,
            "R(counts)",
            "--max-positions",
            positions,
        ]);
        assert_eq!(status, 0, "{err}");
        let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            words.contains("else layer by layer") && !words.contains("refused"),
            "{positions}: {out}"
        );
    }
}
