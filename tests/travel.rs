//! Games as bytes: another session restores the same games, and damaged bytes are refused.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use bid::session::{Program, ProgramStep, Session, SessionEvent, Summary};
use bid_language::files::Library;
use bid_language::scalar::{NamedGame, Scalar};
use bid_language::watch::{Guard, Limits, Settings};
use bid_report::Report;

/// Games of every kind.
const GAMES: &str = "[
    A, Draw, B^7, E, A ∧ (A^2 ∧ B^3), { A, E | B, Draw }, ~(A ∧ B^2), (A ∧ B^2)[2], { A | }[1],
    tug(3), tug(4) at 1, tictactoe, tictactoe after [alice place((1, 1))], ~tictactoe, tictactoe[3],
    hex(3, 3), { tug(2) | tictactoe },
    graph { start 0; both 0 -> 1, x; alice 1 -> 0; bob 1 -> y; win alice: x; win bob: y; turn alice: 1 },
    graph { start 0; both 0 <-> 1; accepting: 1; priority 2: 0; weight 3: 1 },
]";

/// Creates a session in which the classics are loaded.
fn session() -> Session {
    let mut session = Session::over(Rc::new(Library), Arc::default());
    let summary = session.load(Path::new("classics.bid"), &mut |_, _| {});
    assert_eq!(summary, Summary::default());
    session.lend_games();
    session
}

fn evaluate(session: &mut Session, text: &str, names: &[(String, Report)]) -> Report {
    let mut found = None;
    let summary = session.evaluate(text, names, &mut |_, event| {
        if let SessionEvent::Value(value) = event {
            found = Some(value);
        }
    });
    assert_eq!(summary, Summary::default(), "{text}");
    found.expect("an expression has a value")
}

fn games(session: &mut Session) -> Vec<NamedGame> {
    let Report::List(items) = evaluate(session, GAMES, &[]) else {
        panic!("it is a list");
    };
    let game = |item| match item {
        Report::Scalar(Scalar::Game(game)) => game,
        other => panic!("{other:?} is no game"),
    };
    items.into_items().into_iter().map(game).collect()
}

fn told(session: &mut Session, game: &NamedGame) -> String {
    let names = [("g".to_owned(), Scalar::Game(game.clone()).into())];
    let questions = "[(size(g)), f(g, 0..3), R(g), node_link(g)]";
    format!("{:?}", evaluate(session, questions, &names))
}

#[test]
fn bytes_bring_games_back() {
    let (mut here, mut there) = (session(), session());
    let games = games(&mut here);
    let packed = here.pack(&games).expect("they can be packed");
    let again = there.unpack(&packed.games, &packed.programs);
    let again = again.expect("they can be unpacked");
    assert_eq!(again.len(), games.len());
    for (game, again) in games.iter().zip(&again) {
        assert_eq!(again.text, game.text);
        assert_eq!(
            told(&mut there, again),
            told(&mut here, game),
            "{}",
            game.text
        );
    }
}

/// Checks that truncated bytes are refused, and that no change of a byte makes the program panic:
/// the bytes are refused, or they are other games.
#[test]
fn damaged_bytes_are_refused_or_other_games() {
    let (mut here, mut there) = (session(), session());
    let games = games(&mut here);
    let bytes = here.pack(&games).expect("they can be packed").games;
    for end in (0..bytes.len()).step_by(7) {
        assert!(there.unpack(&bytes[..end], &[]).is_err(), "{end} bytes");
    }
    let mut refused = 0;
    for place in 0..bytes.len().min(3000) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x5a;
        match there.unpack(&damaged, &[]) {
            Ok(games) => assert!(games.len() <= bytes.len()),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 100, "{refused} were refused");
}

/// Games with income, which has no answers in chips.
const WITH_INCOME: &str = "[
    graph { start 0; alice 0 -> 1; bob 0 -> B; both 1 -> A, B; income alice 1/8: 0, 1; income bob 1/5: 1 },
    ~(A ∧ graph { start 0; both 0 -> A, B; income bob 3: 0 }), paid(1/8), ~paid(1/3)[2],
]";

/// Defines a ruleset in which Alice receives the parameter, and Bob another part of all money.
fn pay_in(session: &mut Session, others: &str) {
    let text = format!(
        "game paid(r) {{ state n = 0; state lost = false; move alice up {{ n += 1 }}; move bob down {{ lost = true }}
        win alice if n == 2; win bob if lost; income alice r if n == 0; income bob {others} if true }}"
    );
    let summary = session.run_text("paid.bid", &text, &mut |_, _| {});
    assert_eq!(summary, Summary::default());
}

/// Checks that income travels: that of graphs as data, that of rulesets with their definitions. A
/// ruleset with another income is another one.
#[test]
fn bytes_bring_income_back() {
    let (mut here, mut there) = (session(), session());
    pay_in(&mut here, "1/7");
    pay_in(&mut there, "1/7");
    let Report::List(items) = evaluate(&mut here, WITH_INCOME, &[]) else {
        panic!("it is a list");
    };
    let games: Vec<NamedGame> = items
        .iter()
        .filter_map(|item| match item {
            Report::Scalar(Scalar::Game(game)) => Some(game.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(games.len(), 4);
    let packed = here.pack(&games).expect("they can be packed");
    let again = there.unpack(&packed.games, &packed.programs);
    let told = |session: &mut Session, game: &NamedGame| {
        let names = [("g".to_owned(), Scalar::Game(game.clone()).into())];
        let questions = "[thresholds(g), bounds(g, moves: 1), node_link(g)]";
        format!("{:?}", evaluate(session, questions, &names))
    };
    for (game, again) in games.iter().zip(&again.expect("they can be unpacked")) {
        let (own, others) = (told(&mut here, game), told(&mut there, again));
        assert!(own.contains("income_"), "{own}");
        assert_eq!(own, others, "{}", game.text);
    }
    let mut elsewhere = session();
    pay_in(&mut elsewhere, "1/8");
    assert!(elsewhere.unpack(&packed.games, &packed.programs).is_err());
}

/// Checks that a program that memory has stopped is run again once there is enough: its names would
/// be incomplete.
#[test]
fn programs_that_ran_out_of_memory_are_run_again() {
    let text = "let all = 0..999\ngame hill { state n = len(all) - 997; move step if n > 0 { n -= 1 }; stuck loses }";
    let mut here = session();
    let summary = here.run_text("hill.bid", text, &mut |_, _| {});
    assert_eq!(summary, Summary::default());
    let Report::Scalar(Scalar::Game(hill)) = evaluate(&mut here, "hill", &[]) else {
        panic!("it is a game");
    };
    let packed = here.pack(&[hill]).expect("it can be packed");
    let step = ProgramStep::Text {
        text: text.to_owned(),
        names: Vec::new(),
        rules: None,
    };
    let program = Program {
        files: Vec::new(),
        steps: vec![step],
    };
    let program: Arc<[u8]> = borsh::to_vec(&program).expect("it has bytes").into();
    let guard = Arc::new(Guard::default().within(Limits::memory(1 << 12)));
    let mut there = Session::over(Rc::new(Library), Arc::clone(&guard));
    let programs = [program];
    assert!(there.unpack(&packed.games, &programs).is_err());
    guard.set(Settings::default());
    assert!(there.unpack(&packed.games, &programs).is_ok());
}
