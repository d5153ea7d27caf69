//! `bounds(G, moves: n)`: by the numbers of moves made in each part, on a graph, by the truncations
//! `G[n]`, and the relations between them.

mod routes;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bid::ask::MethodName;
use bid::session::Session;
use bid_language::watch::{Disk, Guard, Limits, Settings};
use bid_testing::{GraphShape, Out, for_all, graphs, share};
use proptest::strategy::Strategy;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::disk::Memory;
use crate::support::{self, session, transcript};

/// Returns the value of an expression, on one line, without the warning that nobody can win the
/// game.
fn asked(session: &mut Session, text: &str) -> String {
    let told = transcript(session, "asked", text);
    if !told.starts_with("W0503") {
        return told.trim_end().to_owned();
    }
    // The lines below a warning are indented.
    let lines = told
        .lines()
        .skip(1)
        .skip_while(|line| line.starts_with(' '));
    lines.collect::<Vec<_>>().join("\n")
}

/// Creates a session with a game, which prefers a method.
fn with_game(source: &str, method: Option<MethodName>) -> Session {
    let mut session = session();
    session.prefer(method);
    let said = transcript(&mut session, "game", source);
    assert!(!said.contains("E0"), "{source}\n{said}");
    session
}

/// Draws a random board on which pieces are placed or dropped, with heaps beside it, and endings of
/// all kinds.
fn random_board(dice: &mut StdRng) -> String {
    let shapes = [
        (1, 3),
        (2, 2),
        (2, 3),
        (3, 2),
        (3, 3),
        (1, 5),
        (4, 2),
        (2, 4),
        (5, 1),
    ];
    let (rows, cols) = *shapes.choose(dice).expect("there are shapes");
    let line = dice.random_range(2..=3);
    let mut lines = vec!["game product(rows, cols) {".to_owned()];
    lines.push("    state board = grid(rows, cols)".to_owned());
    lines.push(
        match dice.random_range(0..4) {
            0 | 1 => "    move drop(c) for c in 0 .. cols - 1 if height(board, c) < rows { drop(board, c, me) }",
            2 => "    move place(c) for c in cells(board) if board[c] == empty { board[c] = me }",
            _ => "    move give(c) for c in cells(board) if board[c] == empty { board[c] = other }",
        }
        .to_owned(),
    );
    if dice.random_bool(0.3) {
        lines.push(format!("    state heap = {}", dice.random_range(1..=3)));
        lines.push("    move take if heap > 0 { heap -= 1 }".to_owned());
    }
    for _ in 0..dice.random_range(1..=2) {
        let who = ["me", "other", "alice", "bob"]
            .choose(dice)
            .expect("there are players");
        let whose = ["me", "me", "alice", "bob"]
            .choose(dice)
            .expect("there are players");
        let whose = if ["me", "other"].contains(who) {
            "me"
        } else {
            whose
        };
        let more = ["", "", " and not full(board)", " or full(board)"]
            .choose(dice)
            .expect("there are endings");
        lines.push(format!(
            "    win {who} if line(board, {whose}, {line}){more}"
        ));
    }
    if dice.random_bool(0.5) {
        lines.push("    draw if full(board)".to_owned());
    }
    if dice.random_bool(0.4) {
        lines.push(format!(
            "    stuck {}",
            ["loses", "wins", "draws"]
                .choose(dice)
                .expect("there are ways")
        ));
    }
    lines.push("}".to_owned());
    format!("{}\nlet G = product({rows}, {cols})\n", lines.join("\n"))
}

fn field<'d>(dice: &mut StdRng, values: &[&'d str]) -> &'d str {
    values.choose(dice).expect("there are values")
}

/// Compares the bounds of boards without a graph, with one, and by plays that an interpreter of
/// graphs cuts off one by one.
#[test]
fn boards_have_the_same_bounds_by_layers_and_on_a_graph() {
    let mut layered = 0;
    for seed in 0..share(150) {
        let mut dice = StdRng::seed_from_u64(seed);
        let source = random_board(&mut dice);
        let [mut usual, mut explored] =
            [None, Some(MethodName::Explore)].map(|method| with_game(&source, method));
        let rules = format!(
            "draws: {}",
            field(&mut dice, &["neither", "alice", "bob", "half"])
        );
        let game = field(&mut dice, &["G", "G", "~G"]);
        layered += u32::from(is_layered(&source));
        let value = asked(&mut explored, &format!("R({game}) using {{ {rules} }}"));
        let mut last = String::new();
        for moves in 0..=12 {
            let question = format!("bounds({game}, moves: {moves}) using {{ {rules} }}");
            let found = asked(&mut usual, &question);
            assert_eq!(
                found,
                asked(&mut explored, &question),
                "seed {seed}: {question}\n{source}"
            );
            let ties = field(
                &mut dice,
                &[
                    "advantage",
                    "make_it_take_it",
                    "advantage",
                    "marker",
                    "richer",
                ],
            );
            let total = *[0, 1, 2, 3, 5, 8, 126, 127, 128, 1000]
                .choose(&mut dice)
                .expect("there are totals");
            let in_chips = format!(
                "bounds({game}, moves: {moves}, chips: {total}) using {{ {rules}, ties: {ties} }}"
            );
            let [here, there] =
                [&mut usual, &mut explored].map(|session| asked(session, &in_chips));
            assert_eq!(here, there, "seed {seed}: {in_chips}\n{source}");
            let holds = format!("let b = {found}\n[b[0] <= {value}, {value} <= b[1]]");
            assert_eq!(
                asked(&mut explored, &holds),
                "[true, true]",
                "seed {seed}: {question}\n{source}"
            );
            if !last.is_empty() {
                let narrower =
                    format!("let c = {last}\nlet d = {found}\n[c[0] <= d[0], d[1] <= c[1]]");
                assert_eq!(
                    asked(&mut session(), &narrower),
                    "[true, true]",
                    "seed {seed}: {question}"
                );
            }
            last = found;
        }
        assert_eq!(
            last,
            format!("[{value}, {value}]"),
            "seed {seed}: no play has more than twelve moves\n{source}"
        );
    }
    assert!(
        layered >= share(90),
        "only {layered} of the boards do without a graph"
    );
}

/// Counts the cells of a board that a condition chooses: their membership depends on more than the
/// cells themselves, whichever board is chosen.
#[test]
fn chosen_boards_are_counted() {
    let source = |counted: &str| {
        format!(
            "game columns(rows, cols) {{
                state board = grid(rows, cols)
                move drop(c) for c in 0 .. cols - 1 if height(board, c) < rows {{ drop(board, c, me) }}
                win alice if count({counted}, alice) >= 3
                draw if full(board)
            }}
"
        )
    };
    for counted in ["board", "if count(board, alice) > 0 then board else board"] {
        let mut session = with_game(&source(counted), None);
        let bounds = asked(&mut session, "bounds(columns(2, 3), moves: 6)");
        assert_eq!(bounds, "[11/32, 11/32]", "{counted}");
    }
}

/// Checks that bounds with lines that can still be completed are at least as narrow as on a graph,
/// and enclose the value.
#[test]
fn lines_narrow_the_bounds_of_boards() {
    let mut narrower = 0;
    for seed in (0..share(150)).step_by(2) {
        let mut dice = StdRng::seed_from_u64(seed);
        let source = random_board(&mut dice);
        let [mut usual, mut explored] =
            [None, Some(MethodName::Explore)].map(|method| with_game(&source, method));
        let draws = field(&mut dice, &["neither", "alice", "bob", "half"]);
        let game = field(&mut dice, &["G", "G", "~G"]);
        let value = asked(
            &mut explored,
            &format!("R({game}) using {{ draws: {draws} }}"),
        );
        let mut last = "[0, 1]".to_owned();
        for moves in 0..=12 {
            let mut both = |more: &str, rules: &str| {
                let question = |lines: &str| {
                    format!("bounds({game}, moves: {moves}{more}{lines}) using {{ {rules} }}")
                };
                [
                    asked(&mut usual, &question(", lines: true")),
                    asked(&mut explored, &question("")),
                ]
            };
            let [found, plain] = both("", &format!("draws: {draws}"));
            let ties = field(
                &mut dice,
                &[
                    "advantage",
                    "make_it_take_it",
                    "advantage",
                    "marker",
                    "richer",
                ],
            );
            let total = *[0, 1, 2, 3, 5, 8, 126, 127, 128, 1000]
                .choose(&mut dice)
                .expect("there are totals");
            let chips = format!("draws: {draws}, ties: {ties}");
            let [here, there] = both(&format!(", chips: {total}"), &chips);
            narrower += u32::from(found != plain);
            // Each pair of bounds lies within the one before it.
            let mut chain = vec![
                format!("let a = {plain}\nlet b = {found}"),
                format!("let a = {last}\nlet b = {found}"),
            ];
            chain.push(format!("let a = {found}\nlet b = [{value}, {value}]"));
            if here.starts_with('[') {
                chain.push(format!("let a = {there}\nlet b = {here}"));
                chain.push(format!(
                    "let t = f({game}, {total}) using {{ {chips} }}\nlet a = {here}\nlet b = [t, t]"
                ));
            } else {
                // Half a win is not a win in chips.
                assert_eq!(
                    [here.get(..5), there.get(..5)],
                    [Some("E0602"); 2],
                    "seed {seed}, {total} chips\n{source}"
                );
            }
            for pair in chain {
                let within = asked(
                    &mut explored,
                    &format!("{pair}\n[a[0] <= b[0], b[1] <= a[1]]"),
                );
                assert_eq!(
                    within, "[true, true]",
                    "seed {seed}, {moves} moves: {pair}\n{source}"
                );
            }
            last = found;
        }
        assert_eq!(
            last,
            format!("[{value}, {value}]"),
            "seed {seed}: no play has more than twelve moves\n{source}"
        );
    }
    assert!(narrower >= share(3), "only {narrower} are narrower");
}

/// Checks that stopped work resumes from the data on the disk. Damaged data is computed again, all
/// or in part, with a warning.
#[test]
fn stopped_work_goes_on() {
    let question = "bounds(connect(4, 5, 5), moves: 12, lines: true)";
    let disk = Arc::new(Memory::default());
    let run = |patience: Option<u64>| {
        let (mut session, guard) = tight(700_000, Some(&disk));
        // The game is numbered before any layer is computed, and this includes checks.
        assert!(
            session
                .plan("plan", question)
                .is_ok_and(|plans| plans.len() == 1)
        );
        let begun = guard.now();
        assert!(begun > 0);
        guard.set(Settings {
            limits: guard.limits(),
            timeout: patience.map(Duration::from_millis),
        });
        guard.begin();
        (asked(&mut session, question), guard.now() - begun)
    };
    let (whole, looks) = run(None);
    assert!(whole.starts_with('[') && disk.names().is_empty(), "{whole}");
    let mut least = looks;
    // A plain run tries one stop of each kind: with a changed file, a missing one, and all there.
    for part in (1..8).filter(|part| share(8) == 8 || [1, 4, 6].contains(part)) {
        let (stopped, _) = run(Some(looks * part / 8));
        assert!(stopped.starts_with("E0903"), "{stopped}");
        assert!(
            !disk.names().is_empty(),
            "nothing is kept after {part} eighths"
        );
        if part % 3 == 1 {
            // Some files are not those that were written, and some are missing.
            let blob = disk
                .names()
                .into_iter()
                .find(|(_, file)| file.ends_with(".blob"))
                .expect("there are tables");
            if part == 1 {
                disk.change(&blob, |bytes| bytes[0] ^= 1);
            } else {
                disk.remove(&blob.0, &blob.1).expect("it is in memory");
            }
        }
        let (found, more) = run(None);
        let (warned, found) = found.rsplit_once('\n').unwrap_or(("", &found));
        assert_eq!(found, whole, "after {part} eighths");
        assert_eq!(
            warned.starts_with("W0801"),
            part % 3 == 1,
            "after {part} eighths: {warned}"
        );
        assert!(disk.names().is_empty(), "what is done with is left");
        least = least.min(more);
    }
    assert!(
        least < looks / 2,
        "nothing was gone on with: {least} of {looks} looks"
    );
}

/// Returns `true` if bounds for a game are computed by the numbers of moves made.
fn is_layered(source: &str) -> bool {
    let mut session = with_game(source, None);
    let plan = session.plan("plan", "bounds(G, moves: 2)");
    format!("{plan:?}").contains("by the number of moves made")
}

/// Generates graphs with cycles, whose endings are wins, with moves of both players everywhere, as
/// source with a seed for the rest.
fn random_graphs() -> impl Strategy<Value = (String, u64)> {
    let shape = GraphShape {
        positions: 2..=5,
        moves: 2..=2,
        stuck: 0.0,
        cycles: 1.0,
        draws: 0.0,
        out: Out::Evenly,
        ..GraphShape::SMALL
    };
    let sources = graphs(shape).prop_map(|graph| {
        // Every vertex is mentioned at the start, so that none is out of reach.
        let all: Vec<String> = (1..graph.vertices.len())
            .map(|vertex| vertex.to_string())
            .collect();
        format!(
            "game G = graph {{\n{}both 0 -> {}\n}}\n",
            graph.text(),
            all.join(", ")
        )
    });
    (sources, 0..u64::MAX)
}

/// Checks, on graphs with cycles and under all rules, that the bounds equal those of `G[n]` with
/// its draws worth a win to one player or the other, and are refused if those are.
#[test]
fn on_cycles_bounds_are_truncations() {
    let (mut answered, mut refused) = (0, 0);
    for_all(500, random_graphs(), |(source, seed)| {
        let mut dice = StdRng::seed_from_u64(seed);
        let mut session = with_game(&source, None);
        let pay = field(
            &mut dice,
            &["richman", "richman", "poorman", "taxman(1/3)", "all_pay"],
        );
        let winner = field(&mut dice, &["chooses", "chooses", "moves"]);
        let ties = field(
            &mut dice,
            &[
                "advantage",
                "marker",
                "make_it_take_it",
                "losers_ball",
                "ladies_first",
                "gentlemen_first",
                "richer",
                "coin",
                "attached",
            ],
        );
        let more = field(
            &mut dice,
            &[
                "",
                "",
                "",
                ", robin_hood: 1/5, bids: real",
                ", minimum_bid: 1",
            ],
        );
        let rules = format!("pay: {pay}, winner: {winner}, ties: {ties}{more}");
        let (moves, chips) = (dice.random_range(0..=5), dice.random_range(0..=6));
        let (asked_for, query) = match dice.random_bool(0.5) {
            true => (
                format!("bounds(G, moves: {moves})"),
                format!("R(G[{moves}])"),
            ),
            false => (
                format!("bounds(G, moves: {moves}, chips: {chips})"),
                format!("f(G[{moves}], {chips})"),
            ),
        };
        let found = asked(&mut session, &format!("({asked_for}) using {{ {rules} }}"));
        let one = |draws: &str| format!("({query}) using {{ {rules}, draws: {draws} }}");
        let wanted = asked(&mut session, &format!("[{}, {}]", one("alice"), one("bob")));
        if wanted.starts_with('[') {
            answered += 1;
            assert_eq!(
                found, wanted,
                "seed {seed}: {asked_for} using {rules}\n{source}"
            );
        } else {
            refused += 1;
            assert_eq!(
                found.split(':').next(),
                wanted.split(':').next(),
                "seed {seed}: {rules}\n{found}\n{wanted}"
            );
        }
    });
    assert!(
        answered > 200 && refused > 50,
        "{answered} answered, {refused} refused"
    );
}

/// Checks that values on cycles lie between the bounds, which approach each other with every move.
#[test]
fn on_cycles_values_lie_between() {
    for_all(share(700), random_graphs(), |(source, seed)| {
        let mut dice = StdRng::seed_from_u64(seed);
        let mut session = with_game(&source, None);
        let draws = field(&mut dice, &["neither", "alice", "bob", "half"]);
        let value = asked(&mut session, &format!("R(G) using {{ draws: {draws} }}"));
        let mut last = "[0, 1]".to_owned();
        for moves in 0..6 {
            let found = asked(
                &mut session,
                &format!("bounds(G, moves: {moves}) using {{ draws: {draws} }}"),
            );
            let holds = format!(
                "let b = {last}\nlet c = {found}\n[b[0] <= c[0], c[0] <= {value}, {value} <= c[1], c[1] <= b[1]]"
            );
            assert_eq!(
                asked(&mut session, &holds),
                "[true, true, true, true]",
                "seed {seed}, {moves} moves\n{source}"
            );
            last = found;
        }
    });
}

/// Checks Connect Four on the standard board: the bounds for six, eight and nine moves are known
/// from `R(G[n])`; with lines, those for eight moves from an independent program for this board
/// alone.
#[test]
fn the_standard_board() {
    let (mut session, _) = tight(1 << 30, None);
    for (moves, bounds) in [
        (3, "[0, 1]"),
        (6, "[7/32, 25/32]"),
        (8, "[73/256, 183/256]"),
        (9, "[159/512, 353/512]"),
    ] {
        assert_eq!(
            asked(
                &mut session,
                &format!("bounds(connect(4, 6, 7), moves: {moves})")
            ),
            bounds
        );
    }
    for (moves, bounds) in [
        (0, "[7/64, 57/64]"),
        (3, "[9/32, 23/32]"),
        (6, "[733/2048, 1315/2048]"),
        (8, "[6493/16384, 9891/16384]"),
    ] {
        assert_eq!(
            asked(
                &mut session,
                &format!("bounds(connect(4, 6, 7), moves: {moves}, lines: true)")
            ),
            bounds
        );
    }
    let after = "bounds(connect(4, 6, 7) after [alice drop(3), bob drop(3), alice drop(2), bob drop(4)], moves: 3)";
    let at =
        "bounds(connect(4, 6, 7) at \"......./......./......./......./...B.../..AAB..\", moves: 3)";
    assert_eq!(asked(&mut session, after), asked(&mut session, at));
}

/// Checks that the bounds of a board equal its value by sweeps if every play ends before it is cut
/// off.
#[test]
fn long_truncations_are_values() {
    let (mut session, _) = tight(1 << 30, None);
    for game in [
        "tictactoe",
        "connect(3, 3, 3)",
        "connect(3, 3, 4)",
        "connect(4, 4, 4)",
        "~connect(3, 4, 3)",
    ] {
        for draws in ["neither", "alice", "half"] {
            let text = format!(
                "(bounds({game}, moves: 16) == [R({game}), R({game})]) using {{ draws: {draws} }}"
            );
            assert_eq!(asked(&mut session, &text), "true", "{text}");
        }
    }
}

/// Checks that without `moves` play goes on until the bounds are close enough, or a limit is
/// reached; then the last bounds are the answer.
#[test]
fn play_goes_on_until_the_bounds_are_near() {
    let mut session = session();
    transcript(&mut session, "use", "use \"games/classics.bid\"");
    assert_eq!(
        asked(&mut session, "bounds(tug(3)) using { precision: 1/8 }"),
        "[58975/131072, 72097/131072]"
    );
    assert_eq!(
        asked(&mut session, "bounds(tictactoe)"),
        "[133/256, 133/256]"
    );
    assert_eq!(asked(&mut session, "bounds(tictactoe, chips: 5)"), "[3, 3]");
    let stopped = asked(&mut session, "bounds(connect(4, 6, 7))");
    let (warning, bounds) = stopped
        .rsplit_once('\n')
        .expect("there is a warning and an answer");
    assert!(
        warning.starts_with("W0702: the bounds are those of plays of 6 moves"),
        "{stopped}"
    );
    assert_eq!(bounds, "[733/2048, 1315/2048]");
}

/// Creates a session with so little memory that tables are packed, and with a disk mostly go there;
/// also returns its guard, whose steps are the checks.
fn tight(room: u64, disk: Option<&Arc<Memory>>) -> (Session, Arc<Guard>) {
    let disk = disk.map(|disk| Arc::clone(disk) as Arc<dyn Disk + Send>);
    let guard = Guard::of_steps(u64::MAX).with_disk(disk);
    let guard = Arc::new(guard.within(Limits::memory(Limits::for_room(room))));
    let mut session = Session::new(Box::new(support::Disk), Arc::clone(&guard));
    transcript(&mut session, "use", "use \"games/classics.bid\"");
    (session, guard)
}

/// Checks that packed tables, and tables on a disk, give the same answers, and that no files are
/// left on the disk. If there is too little memory, the stop reports it.
#[test]
fn packed_tables_and_a_disk_give_the_same() {
    let question = "bounds(connect(4, 5, 5), moves: 13, lines: true)";
    let with = |room: u64, disk: Option<&Arc<Memory>>| asked(&mut tight(room, disk).0, question);
    let plain = with(1 << 30, None);
    assert!(plain.starts_with('['), "{plain}");
    // The last layer that is kept has millions of bytes, more than a quarter of the memory.
    assert_eq!(with(10_000_000, None), plain);
    let disk = Arc::new(Memory::default());
    assert_eq!(with(700_000, Some(&disk)), plain);
    assert!(
        disk.written.load(Ordering::Relaxed) > 0,
        "nothing went to the disk"
    );
    assert!(disk.files.lock().expect("nobody fails").is_empty());
    let stopped = with(20_000, None);
    assert!(stopped.starts_with("E0902"), "{stopped}");
}

/// Checks invalid numbers of moves, and questions without bounds.
#[test]
fn what_has_no_bounds_is_refused() {
    let mut session = session();
    for (text, code) in [
        ("bounds(E, moves: -1)", "E0702"),
        ("bounds(E, moves: 1/2)", "E0301"),
        ("bounds(E, moves: 2^40)", "E0702"),
        ("bounds(E, moves: 1, lines: 1)", "E0301"),
        ("bounds(E, chips: -1)", "E0701"),
        ("bounds(3)", "E0301"),
        ("bounds(E, moves: 1) using { pay: all_pay }", "E0603"),
        ("bounds(E, moves: 1) using { objective: buchi }", "E0603"),
        (
            "bounds(E, moves: 1, chips: 2) using { bids: real }",
            "E0602",
        ),
    ] {
        let said = asked(&mut session, text);
        assert!(said.starts_with(code), "{text}: {said}");
    }
}
