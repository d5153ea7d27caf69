//! Income before bids in programs.

use bid_language::ir::{BuiltinSignature, Kinds};

use crate::support;

/// Checks that advised bids keep the promise against random ones, in exact amounts, also with all
/// the money or none.
#[test]
fn advised_bids_win() {
    let mut session = support::session();
    let program = "game ladder = graph {\n start 0\n alice 0 -> 1\n bob 0 -> 2\n both 1 -> A, 3\n alice 2 -> 3, A\n bob 2 -> B\n \
                   turn alice: 3\n alice 3 -> 1, E\n income alice 1/8: 0, 1\n income bob 1/5: 2, 3\n}\n\
                   let r = { bids: real }\n\
                   show thresholds(ladder[12])\n\
                   show [simulate(ladder[12], a, 1000 - a, games: 50, seed: a + 2)[0] for a in [0, 100, 300, 350, 500, 700, 900, 1000]] using r\n\
                   show [simulate(ladder[12], a, 1000 - a, games: 50, seed: a + 2)[0] for a in [0, 100, 500, 900, 1000]] \
                   using { bids: real, income: [0, 1/5], pay: poorman }\n\
                   show [simulate(~ladder[12], 1000 - a, a, games: 50, seed: a + 2)[1] for a in [0, 100, 300, 350, 500, 700, 900, 1000]] using r\n";
    let told = support::transcript(&mut session, "program", program);
    assert!(told.contains("thresholds(ladder[12])"), "{told}");
    insta::assert_snapshot!(told);
}

/// The builtins that take account of income, or give no answer about play.
const TAKE_INCOME: [&str; 12] = [
    "R",
    "bounds",
    "dot",
    "moves",
    "node_link",
    "positions",
    "simulate",
    "size",
    "strategy",
    "svg",
    "thresholds",
    "tree",
];

/// Checks that every other builtin that takes a game refuses games whose positions have income.
#[test]
fn builtins_take_account_of_income_or_refuse_it() {
    let game = "graph { start 0; both 0 -> A, B; income alice 1/8: 0 }";
    let is_of_games = |builtin: &&BuiltinSignature| {
        let kinds = builtin.parameters.first().map(|parameter| parameter.kinds);
        // Those that take any value or any list do not ask about games.
        kinds.is_some_and(|kinds| Kinds::GAME.meets(kinds) && kinds != Kinds::ANY)
    };
    let mut refused = 0;
    for builtin in bid::library::signatures().filter(is_of_games) {
        if builtin.income {
            assert!(TAKE_INCOME.contains(&builtin.name), "{}", builtin.name);
            continue;
        }
        let arguments = builtin.parameters[..builtin.required].iter();
        let arguments: Vec<&str> = arguments
            .map(|parameter| match parameter.kinds {
                kinds if Kinds::GAME.meets(kinds) => game,
                kinds if Kinds::INTEGER.meets(kinds) => "3",
                _ => "[3]",
            })
            .collect();
        let program = format!("{}({})\n", builtin.name, arguments.join(", "));
        let told = support::transcript(&mut support::session(), "program", &program);
        assert!(
            told.contains("where players receive income"),
            "{program}{told}"
        );
        refused += 1;
    }
    assert!(refused > 15, "{refused}");
}

/// Checks that node-link JSON may say who receives income, and that negative income is a flaw.
#[test]
fn income_is_read_from_files() {
    let file = |member: &str| {
        format!(
            "{{\"graph\": {{\"start\": 0}}, \"nodes\": [{{\"id\": 0, {member}}}, {{\"id\": 1, \"win\": \"alice\"}}, {{\"id\": 2, \"win\": \"bob\"}}], \
             \"edges\": [{{\"source\": 0, \"target\": 1}}, {{\"source\": 0, \"target\": 2}}]}}"
        )
    };
    for (member, expected) in [
        ("\"income_alice\": \"1/8\"", "7/16"),
        ("\"income_bob\": 0.125", "9/16"),
        ("\"income_alice\": 1, \"income_bob\": \"1\"", "1/2"),
        ("\"income_alice\": null", "1/2"),
        (
            "\"income_alice\": -1",
            "`income_alice`: a number, 0 or more is expected, not -1",
        ),
        ("\"income_bob\": \"much\"", "`income_bob`"),
    ] {
        let files = std::collections::BTreeMap::from([(
            std::path::PathBuf::from("g.json"),
            file(member).into_bytes(),
        )]);
        let mut session =
            bid::session::Session::new(Box::new(support::Memory(files)), support::small());
        let told = support::transcript(&mut session, "program", "R(graph { edges \"g.json\" })\n");
        assert!(told.contains(expected), "{member}: {told}");
    }
}
