//! Selection games: pivotal probabilities compared with their definition and with the Richman
//! values of the game's own graph, and samples with exact counts.

use crate::plain;
use bid::eval::{Evaluator, SessionState};
use bid_game::ruleset::selection::{NoSelection, Selection};
use bid_game::ruleset::{self, Ruleset, State};
use bid_language::player::{Ending, Player};
use bid_language::rules::Overrides;
use bid_language::watch::Context;
use bid_solve::selection::{CountFailure, FillingMethod, KnownNumber, count};
use bid_testing::random_cases;
use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;

/// Boards on which more cells never undo a win, and boards that are judged when they are full, of
/// both shapes.
const GAMES: [&str; 5] = [
    "game hex { state board = hexgrid(3, 3)
        move place(c) for c in cells(board) if board[c] == empty { board[c] = me }
        win alice if connected(board, alice, left, right)
        win bob if connected(board, bob, top, bottom) }",
    "game lopsided { state board = hexgrid(2, 4)
        move place(c) for c in cells(board) if board[c] == empty { board[c] = me }
        win alice if connected(board, alice, left, right)
        win bob if connected(board, bob, top, bottom) }",
    "game corner { state board = grid(2, 3)
        move place(c) for c in cells(board) if board[c] == empty { board[c] = me }
        win me if board[0, 0] == me and (board[0, 1] == me or board[1, 0] == me)
        win me if board[0, 1] == me and board[1, 0] == me }",
    "game majority { state board = grid(1, 7)
        move place(c) for c in cells(board) if board[c] == empty { board[c] = me }
        win alice if full(board) and count(board, alice) > 3
        win bob if full(board) }",
    "game parity { state board = grid(2, 2)
        move place(c) for c in cells(board) if board[c] == empty { board[c] = me }
        win alice if full(board) and count(board, alice) % 2 == 1
        win bob if full(board) }",
];

fn compiled(source: &str) -> Ruleset {
    let mut world = SessionState::new(bid::library::all());
    let template = plain::template(source, &mut world);
    let mut evaluator = Evaluator::new(
        &mut world,
        std::rc::Rc::new(Overrides::default()),
        Context::plain(),
    );
    ruleset::compile(&template, &[], &mut evaluator, Context::plain())
        .expect("the ruleset compiles")
}

/// Returns a position that is not over, reached by some of the moves.
fn played(ruleset: &Ruleset, choices: &[u8]) -> State {
    let mut state = ruleset.start().clone();
    for (turn, choice) in choices.iter().enumerate() {
        let mut next = Vec::new();
        ruleset
            .scored_moves(&state, Player::BOTH[turn % 2], &mut |to, _| next.push(to))
            .expect("moves are in range");
        let to = next.swap_remove(usize::from(*choice) % next.len());
        if ruleset.ending(&to).expect("endings are in range").is_some() {
            break;
        }
        state = to;
    }
    state
}

/// Counts the fillings of a position in which the winner changes with the cell, by playing every
/// filling in the ruleset itself; also returns the number that Alice wins.
fn literally(
    ruleset: &Ruleset,
    state: &State,
    selection: &Selection<'_>,
    cell: Option<usize>,
) -> BigRational {
    let open: Vec<usize> = (0..selection.taken.len())
        .filter(|cell| selection.taken[*cell].is_none())
        .collect();
    let wins = |filling: u32, flipped: Option<usize>| {
        let owner = |index: usize, at: usize| {
            let alice = (filling >> index & 1 == 1) != (flipped == Some(at));
            if alice { 'A' } else { 'B' }
        };
        let mut cells: Vec<char> = ruleset.print(state).replace('/', "").chars().collect();
        for (index, at) in open.iter().enumerate() {
            cells[*at] = owner(index, *at);
        }
        let rows: Vec<String> = cells
            .chunks(selection.cols)
            .map(|row| row.iter().collect())
            .collect();
        let filled = ruleset
            .read(&rows.join("/"))
            .expect("a filled board reads back");
        ruleset.ending(&filled).expect("endings are in range") == Some(Ending::Win(Player::Alice))
    };
    let counted = (0..1_u32 << open.len()).filter(|filling| match cell {
        None => wins(*filling, None),
        Some(cell) => wins(*filling, None) != wins(*filling, Some(cell)),
    });
    BigRational::new(
        BigInt::from(counted.count()),
        BigInt::from(1_u32 << open.len()),
    )
}

fn exactly(known: KnownNumber) -> BigRational {
    match known {
        KnownNumber::Exactly(value) => value,
        KnownNumber::Between(..) => panic!("all fillings were counted"),
    }
}

fn value(game: &str, query: &str) -> String {
    let mut session = bid::session::Session::new(
        Box::new(bid_language::files::Nowhere),
        std::sync::Arc::default(),
    );
    let mut shown = String::new();
    session.run_text("test", &format!("{game}\n{query}"), &mut |_, event| {
        if let bid::session::SessionEvent::Value(report) = event {
            shown = report.to_string();
        }
    });
    shown
}

proptest! {
    #![proptest_config(random_cases(40, "tests/proptest-regressions/selection.txt"))]

    #[test]
    fn pivotal_cells_are_those_of_the_definition(game in 0..4_usize, choices in proptest::collection::vec(any::<u8>(), 0..4)) {
        let ruleset = compiled(GAMES[game]);
        let state = played(&ruleset, &choices);
        let selection = ruleset.selection(&state).expect("it is a selection game");
        let counts = count(&selection, FillingMethod::Exact, Context::plain()).expect("every filling has one winner");
        prop_assert_eq!(exactly(counts.win()), literally(&ruleset, &state, &selection, None));
        for cell in (0..selection.taken.len()).filter(|cell| selection.taken[*cell].is_none()) {
            let expected = literally(&ruleset, &state, &selection, Some(cell));
            prop_assert_eq!(exactly(counts.pivotal(cell)), expected);
        }
    }

    #[test]
    fn samples_enclose_the_exact_counts(game in 0..5_usize, seed: u64) {
        let ruleset = compiled(GAMES[game]);
        let selection = ruleset.selection(ruleset.start()).expect("it is a selection game");
        let exact = count(&selection, FillingMethod::Exact, Context::plain()).expect("every filling has one winner");
        let sampled = count(&selection, FillingMethod::Sample { fillings: 6400, seed }, Context::plain()).expect("likewise");
        prop_assert_eq!(sampled.fillings, 6400);
        let encloses = |sampled: KnownNumber, exact: KnownNumber| {
            let KnownNumber::Between(low, high) = sampled else { return false };
            let exact = num_traits::ToPrimitive::to_f64(&exactly(exact)).expect("a small fraction");
            low <= exact && exact <= high && high - low < 0.3
        };
        prop_assert!(encloses(sampled.win(), exact.win()));
        for cell in 0..selection.taken.len() {
            prop_assert!(encloses(sampled.pivotal(cell), exact.pivotal(cell)));
        }
    }
}

/// Boards on which every cell hurts the player who takes it.
const POISONED: [&str; 2] = [
    "game poison { state board = grid(1, 2)
        move place(c) for c in cells(board) if board[c] == empty { board[c] = me }
        win bob if full(board) and count(board, alice) == 2
        win alice if full(board) }",
    "game minority { state board = grid(1, 5)
        move place(c) for c in cells(board) if board[c] == empty { board[c] = me }
        win bob if full(board) and count(board, alice) > 2
        win alice if full(board) }",
];

/// Checks that Alice's probability of winning is 1 − R, and the best bid is half the step between
/// the players' best moves (Theorem 3.4), which is made to have the move or to be rid of it.
#[test]
fn pivotal_cells_tell_the_richman_value_and_the_critical_bid() {
    for game in GAMES[..4].iter().chain(&POISONED) {
        let name = game.split_whitespace().nth(1).expect("`game name`");
        let best = |player: &str, choose: &str| {
            format!(
                "{choose}([R({name} after [{player} place(row, col)]) for row in 0..r for col in 0..c])"
            )
        };
        let (rows, cols) = match name {
            "hex" => (2, 2),
            "lopsided" => (1, 3),
            "corner" => (1, 2),
            "poison" => (0, 1),
            "minority" => (0, 4),
            _ => (0, 6),
        };
        let step = format!("({} - {}) / 2", best("bob", "max"), best("alice", "min"));
        let within = |query: &str| {
            value(
                game,
                &format!("let r = {rows} in let c = {cols} in {query}"),
            )
        };
        let query = format!("({step}) == max(pivotal({name})) / 2 and P({name}) == 1 - R({name})");
        assert_eq!(within(&query), "true", "{name}");
        let told = value(game, &format!("pivotal({name})"));
        let bid = format!("bid    {} of all chips", within(&format!("abs({step})")));
        assert!(told.contains(&bid), "{name}: {bid}: {told}");
        let lets = told.contains("let the opponent take (0, 0)");
        assert_eq!(lets, POISONED.contains(game), "{name}: {told}");
    }
}

/// Checks the rules under which pivotal cells do not give a bid.
#[test]
fn bids_are_advised_only_where_pivotal_cells_give_them() {
    let [poison, _] = POISONED;
    let told = value(poison, "pivotal(poison) using { winner: moves }");
    assert!(
        told.contains("probability 3/4") && !told.contains("bid"),
        "{told}"
    );
    for rules in [
        "pay: poorman",
        "pay: taxman(1/2)",
        "pay: all_pay",
        "pay: all_pay_bank",
        "income: [1/8, 0]",
        "robin_hood: 1/10",
    ] {
        let told = value(poison, &format!("pivotal(poison) using {{ {rules} }}"));
        assert_eq!(told, "", "{rules}");
    }
}

#[test]
fn other_games_are_refused_with_the_reason() {
    let refused = |source: &str| {
        let ruleset = compiled(source);
        ruleset
            .selection(ruleset.start())
            .map(|_| ())
            .expect_err("it is no selection game")
    };
    let place = "move place(c) for c in cells(board) if board[c] == empty { board[c] = me }";
    let not_all = "move place(c) for c in cells(board) if board[c] == empty and row(c) == 0 { board[c] = me }";
    assert_eq!(
        refused("game g { state n = 3\nmove take { n -= 1 }\nwin me if n == 0 }"),
        NoSelection::State
    );
    let one_row =
        format!("game g {{ state board = grid(2, 2)\n{not_all}\nwin alice if full(board) }}");
    assert_eq!(refused(&one_row), NoSelection::Moves);
    let undone = format!(
        "game g {{ state board = grid(2, 2)\n{place}\nwin alice if count(board, bob) == 1 }}"
    );
    assert_eq!(refused(&undone), NoSelection::Endings);
    let drawn = compiled(&format!(
        "game g {{ state board = grid(3, 3)\n{place}\nwin me if line(board, me, 3)\ndraw if full(board) }}"
    ));
    let selection = drawn
        .selection(drawn.start())
        .expect("until a filled board shows that it is not");
    let failure = count(&selection, FillingMethod::Exact, Context::plain())
        .expect_err("some filled boards have no winner");
    assert!(matches!(failure, CountFailure::NotOneWinner(owners) if owners.len() == 9));
}
