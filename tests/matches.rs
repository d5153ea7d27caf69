//! Matches against the engine at positions that are solved without a graph: the engine gets the
//! result that its chips guarantee, against all bids.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use crate::support::{session, transcript};
use bid::ask::MethodName;
use bid::eval::{Dialogue, Sight};
use bid_language::player::Player;
use bid_testing::{share, some};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A user who answers at random, and counts the questions.
struct AtRandom {
    chance: SplitMix64,
    asked: Arc<Mutex<usize>>,
}

impl Dialogue for AtRandom {
    fn say(&mut self, _: &str) {}

    fn ask(&mut self, question: &str) -> Option<String> {
        *self.asked.lock().expect("nobody panics with it") += 1;
        let below = |chance: &mut SplitMix64, count: u64| chance.next_u64() % count;
        // The questions have the forms `…, 0 to 5: ` and `… (yes or no)? `.
        if let Some((from, to)) = question.trim_end_matches(": ").rsplit_once(" to ") {
            let from = from.rsplit(' ').next()?.parse::<u64>().ok()?;
            return Some(
                (from + below(&mut self.chance, to.parse::<u64>().ok()? - from + 1)).to_string(),
            );
        }
        let (first, second) = question
            .split_once('(')?
            .1
            .trim_end_matches(")? ")
            .split_once(" or ")?;
        Some([first, second][below(&mut self.chance, 2) as usize].to_owned())
    }

    fn chance(&mut self) -> u64 {
        0
    }
}

/// Rulesets with a numbering, one in which a player who cannot move loses, and a conjugate.
const GAMES: &str = "
use \"games/classics.bid\"
game full(rows, cols) {
    state board = grid(rows, cols)
    move alice across(r, c) for r in 0 .. rows - 1 for c in 0 .. cols - 2 if board[r, c] == empty and board[r, c + 1] == empty {
        board[r, c] = me
        board[r, c + 1] = me
    }
    move bob down(r, c) for r in 0 .. rows - 2 for c in 0 .. cols - 1 if board[r, c] == empty and board[r + 1, c] == empty {
        board[r, c] = me
        board[r + 1, c] = me
    }
    stuck loses
}
";

#[test]
fn the_engine_keeps_its_promises_without_a_graph() {
    let asked = Arc::new(Mutex::new(0));
    let mut session = session();
    session.set_dialogue(Box::new(AtRandom {
        chance: SplitMix64::seed_from_u64(3),
        asked: Arc::clone(&asked),
    }));
    transcript(&mut session, "games.bid", GAMES);
    for game in [
        "connect(3, 3, 3)",
        "(~connect(3, 3, 3))",
        "full(3, 3)",
        "(~full(3, 3))",
        "tictactoe",
    ] {
        for (rules, alice, bob) in [
            ("{ ties: advantage }", "2", "6*"),
            ("{ ties: make_it_take_it }", "1", "8*"),
            ("{ ties: ladies_first, winner: moves }", "1", "6"),
        ] {
            let promised = transcript(
                &mut session,
                "asked.bid",
                &format!("{game}({alice}, {bob}) using {rules}\n"),
            );
            assert_eq!(promised.trim(), "bob", "{game} {rules}");
            let matches = format!("play({game}, {alice}, {bob}) using {rules}\n").repeat(40);
            let ended = transcript(&mut session, "matches.bid", &matches);
            assert_eq!(
                ended.lines().filter(|line| line.trim() == "bob").count(),
                40,
                "{game} {rules}: {ended}"
            );
        }
    }
    assert!(*asked.lock().expect("nobody panics with it") > 2_000);
}

/// Play that goes round with no question is a draw: one player alone moves for ever, both do in
/// turn, or a person without chips can only bid 0.
#[test]
fn play_that_goes_round_is_a_draw() {
    let mut session = session();
    session.set_dialogue(Box::new(AtRandom {
        chance: SplitMix64::seed_from_u64(5),
        asked: Arc::default(),
    }));
    let mut drawn = 0;
    for game in [
        "graph { start s; bob s -> 1; alice s -> 0; turn alice: 0; alice 0 -> 0; win bob: 1 }",
        "graph { start 0; turn bob: 0; turn alice: 1; bob 0 -> 1; alice 1 -> 0 }",
        "graph { start s; alice s -> 0; bob s -> 0; turn bob: 0; bob 0 -> 0, 2; win alice: 2 }",
    ] {
        for purses in ["2*, 1", "0, 3*"] {
            let played = transcript(
                &mut session,
                "round.bid",
                &format!("play({game}, {purses})\n"),
            );
            assert!(
                played.ends_with("draw\n") || played.ends_with("bob\n"),
                "{game} {purses}: {played}"
            );
            drawn += usize::from(played.ends_with("draw\n"));
        }
    }
    assert!(drawn >= 4, "{drawn}");
    for rules in ["", "pay: all_pay,"] {
        let played = transcript(
            &mut session,
            "penniless.bid",
            &format!(
                "play(graph {{ start 0; alice 0 -> W; bob 0 -> 0; win alice: W }}, 0, 1) using {{ {rules} ties: gentlemen_first }}\n"
            ),
        );
        assert!(played.ends_with("draw\n"), "{rules} {played}");
    }
    // A coin decides the ties, but no ending can be reached whatever it says.
    for (game, rules) in [
        (
            "graph { start x; both x -> y; both y -> x }",
            "pay: all_pay_bank,",
        ),
        (
            "graph { start x; both x -> y, z; both y -> x; both z -> x }",
            "pay: all_pay,",
        ),
    ] {
        let text = format!(
            "play({game}, 0, 0) using {{ {rules} ties: coin, draws: half, winner: moves }}\n"
        );
        let played = transcript(&mut session, "coin.bid", &text);
        assert!(played.ends_with("draw\n"), "{game} {played}");
    }
    // Bob could end the match at w, but never does, and a coin decides who moves from x.
    let text = "play(graph { start x; alice x -> y; bob x -> z, w; both y -> x; both z -> x; win alice: w }, 0, 0) \
                using { pay: all_pay, ties: coin, draws: half, winner: moves }\n";
    let played = transcript(&mut session, "long.bid", text);
    assert!(played.ends_with("the match was stopped\n"), "{played}");
}

/// Matches of two strategies that never end are draws, and are not played to the last move.
#[test]
fn strategies_that_stay_for_ever_are_soon_a_draw() {
    let mut session = session();
    let games = "game walk(n) {
    state p = 0
    move up if p < n { p += 1 }
    move down if p > -n { p -= 1 }
    move stay { p = p }
    win alice if p == n
    win bob if p == -n
}
let stays(P) = P after [alice stay]
let rests(P) = P after [bob stay]
let climbs(P) = P after [alice up]
";
    transcript(&mut session, "walk.bid", games);
    for (strategies, draws) in [
        ("alice: stays, bob: rests", 40),
        ("alice: climbs, bob: rests", 0),
        ("alice: climbs, bob: rests, coin: 0", 40),
        ("bob: rests, coin: 0", 40),
        ("alice: stays", 0),
    ] {
        let text = format!("simulate(walk(3), {strategies}, games: 40, moves: 10^12)\n");
        let played = transcript(&mut session, "stay.bid", &text);
        let drawn = played.lines().find_map(|line| line.strip_prefix("draws"));
        let drawn = drawn.map_or(0, |count| count.trim().parse().expect("a number"));
        assert_eq!(drawn, draws, "{strategies}: {played}");
    }
}

/// Rulesets in which play always ends, also in draws; two have rules for stuck players that are
/// separate endings in the graph.
const NUMBERED: [&str; 5] = [
    "tictactoe",
    "connect(3, 3, 3)",
    "(~connect(3, 3, 3))",
    "full(3, 3)",
    "(~full(3, 3))",
];

/// Returns the answer of `simulate` as numbers, one per line.
fn simulated(method: MethodName, call: &str, parts: usize) -> Vec<String> {
    let mut session = session();
    session.prefer(Some(method));
    transcript(&mut session, "games.bid", GAMES);
    let parts: String = (0..parts).map(|part| format!("answer[{part}]\n")).collect();
    let text = transcript(
        &mut session,
        "call.bid",
        &format!("let answer = {call}\n{parts}"),
    );
    text.lines().map(|line| line.trim().to_owned()).collect()
}

/// Checks that a player with a sure win wins every match, and one with a sure draw never loses, for
/// every method that finds positions.
#[test]
fn matches_with_chips_keep_what_is_promised_on_numbered_positions_and_on_graphs() {
    let mut seen = [0; 3];
    // In this order one of the few draws is among the eighth that a plain run tries.
    let rules = [
        "{ ties: advantage }",
        "{ ties: marker }",
        "{ ties: losers_ball }",
        "{ ties: ladies_first, winner: moves }",
        "{ ties: gentlemen_first }",
        "{ ties: make_it_take_it }",
        "{ ties: richer }",
    ];
    let cases = [(1, 6), (3, 4), (4, 3), (6, 1)]
        .into_iter()
        .flat_map(|chips| NUMBERED.map(|game| (chips, game)))
        .flat_map(|(chips, game)| rules.map(|rules| (chips, game, rules)));
    for ((alice, bob), game, rules) in some(cases) {
        let starred = ["advantage", "marker", "losers_ball", "make_it"]
            .iter()
            .any(|ties| rules.contains(ties));
        let star = if starred { "*" } else { "" };
        let call =
            format!("simulate({game}, {alice}{star}, {bob}, games: 12, seed: 7) using {rules}");
        let [numbered, graph] =
            [MethodName::Sweep, MethodName::Explore].map(|method| simulated(method, &call, 3));
        let promised = {
            let mut session = session();
            transcript(&mut session, "games.bid", GAMES);
            transcript(
                &mut session,
                "outcome.bid",
                &format!("{game}({alice}{star}, {bob}) using {rules}\n"),
            )
        };
        match promised.trim() {
            "alice" => {
                assert_eq!([&numbered, &graph], [&["12", "0", "0"]; 2], "{call}");
                seen[0] += 1;
            }
            "bob" => {
                assert_eq!([&numbered, &graph], [&["0", "12", "0"]; 2], "{call}");
                seen[1] += 1;
            }
            "draw" => {
                assert_eq!(
                    (numbered[1].as_str(), graph[1].as_str()),
                    ("0", "0"),
                    "{call}"
                );
                let matches = |found: &[String]| {
                    found
                        .iter()
                        .map(|n| n.parse::<u64>().expect("a count"))
                        .sum::<u64>()
                };
                assert_eq!((matches(&numbered), matches(&graph)), (12, 12), "{call}");
                seen[2] += 1;
            }
            other => panic!("{call}: {other}"),
        }
    }
    assert!(seen.iter().all(|count| *count > share(2)), "{seen:?}");
}

/// Checks that random turns have the same theory with both methods, and that Alice's frequency of
/// wins agrees with it, up to five standard errors. Draws are worth a win to Bob, so the theory is
/// her probability of winning.
#[test]
fn random_turns_come_to_the_same_on_numbered_positions_and_on_graphs() {
    let games = 150_u32;
    for game in NUMBERED {
        for coin in ["", ", coin: 1/3", ", coin: 1"] {
            for rules in ["{ draws: bob }", "{ draws: bob, winner: moves }"] {
                let call =
                    format!("simulate({game}, games: {games}, seed: 11{coin}) using {rules}");
                let [numbered, graph] = [MethodName::Sweep, MethodName::Explore]
                    .map(|method| simulated(method, &call, 3));
                assert_eq!(numbered[2], graph[2], "{call}");
                let (over, under) = numbered[2].split_once('/').unwrap_or((&numbered[2], "1"));
                let number = |digits: &str| digits.parse::<f64>().expect("digits");
                let error = 5.0 * (0.25 / f64::from(games)).sqrt();
                for found in [&numbered, &graph] {
                    let share = number(&found[0]) / f64::from(games);
                    assert!(
                        (share - number(over) / number(under)).abs() <= error,
                        "{call}: {found:?}"
                    );
                }
            }
        }
    }
}

/// Checks that a person who plays at random on numbered positions loses to Bob, who has a sure win,
/// and is asked the same questions as on a graph.
#[test]
fn a_person_loses_what_is_lost_on_numbered_positions_and_on_graphs() {
    for method in [MethodName::Sweep, MethodName::Explore] {
        let asked = Arc::new(Mutex::new(0));
        let mut session = session();
        session.prefer(Some(method));
        session.set_dialogue(Box::new(AtRandom {
            chance: SplitMix64::seed_from_u64(5),
            asked: Arc::clone(&asked),
        }));
        transcript(&mut session, "games.bid", GAMES);
        for (person, game, alice, bob, winner) in [
            ("alice", "tictactoe", "2", "6*", "bob"),
            ("alice", "(~full(3, 3))", "2", "6*", "bob"),
            ("bob", "connect(3, 3, 3)", "6*", "2", "alice"),
            ("bob", "tictactoe", "6*", "2", "alice"),
        ] {
            let promised = transcript(
                &mut session,
                "asked.bid",
                &format!("{game}({alice}, {bob})\n"),
            );
            assert_eq!(promised.trim(), winner, "{game}");
            let text = format!("play({game}, {alice}, {bob}, as: {person})\n").repeat(12);
            let ended = transcript(&mut session, "match.bid", &text);
            assert_eq!(
                ended.lines().filter(|line| line.trim() == winner).count(),
                12,
                "{method:?} {game}: {ended}"
            );
        }
        assert!(
            *asked.lock().expect("nobody panics with it") > 200,
            "{method:?}"
        );
    }
}

/// A user who gives these answers one after the other, and records all texts and questions.
struct Scripted {
    answers: VecDeque<&'static str>,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Scripted {
    /// Returns the texts and questions of one match.
    fn hear(program: &str, answers: &[&'static str]) -> Vec<String> {
        Self::play(program, answers).0
    }

    /// Returns the texts and questions of one match, and the output of the program.
    fn play(program: &str, answers: &[&'static str]) -> (Vec<String>, String) {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let mut session = session();
        let partner = Self {
            answers: answers.iter().copied().collect(),
            heard: Arc::clone(&heard),
        };
        session.set_dialogue(Box::new(partner));
        let printed = transcript(&mut session, "match.bid", program);
        let heard = heard.lock().expect("nobody panics with it");
        (heard.clone(), printed)
    }
}

impl Dialogue for Scripted {
    fn say(&mut self, text: &str) {
        self.heard
            .lock()
            .expect("nobody panics with it")
            .extend(text.lines().map(str::to_owned));
    }

    fn ask(&mut self, question: &str) -> Option<String> {
        self.heard
            .lock()
            .expect("nobody panics with it")
            .push(question.trim_end().to_owned());
        self.answers.pop_front().map(str::to_owned)
    }

    fn chance(&mut self) -> u64 {
        0
    }
}

const TICTACTOE: &str = "use \"games/classics.bid\"\nplay(tictactoe, 4*, 4)\n";

#[test]
fn a_match_tells_why_and_shows_a_board_with_coordinates() {
    let heard = Scripted::hear(
        TICTACTOE,
        &["5", "1*", "4", "let bob", "undo", "4", "move", "1 1", "0"],
    );
    let has = |line: &str| heard.iter().any(|heard| heard == line);
    assert!(has("   0 1 2") && has("1  . . ."), "{heard:#?}");
    assert!(has("you have 4: bid a number from 0 to 4"), "{heard:#?}");
    assert!(
        heard
            .iter()
            .any(|line| line.starts_with("a bid has no star")),
        "{heard:#?}"
    );
    assert!(
        has("1  . A ."),
        "the cell is named by its coordinates: {heard:#?}"
    );
}

#[test]
fn who_uses_the_advantage_is_told() {
    let used = Scripted::hear("play(E, 3*, 3)\n", &["3", "yes", "1"]);
    assert!(
        used.contains(&"you win the tie, using the advantage".to_owned()),
        "{used:#?}"
    );
    let kept = Scripted::hear("play(E, 3*, 3)\n", &["3", "no"]);
    assert!(
        kept.contains(&"Bob wins the tie, as you keep the advantage".to_owned()),
        "{kept:#?}"
    );
    let theirs = Scripted::hear("play(E, 3, 3*)\n", &["3"]);
    assert!(
        theirs.contains(&"Bob wins the tie, using the advantage".to_owned()),
        "{theirs:#?}"
    );
}

#[test]
fn nobody_is_asked_for_a_bid_without_chips() {
    let heard = Scripted::hear("play(A^2, 0, 3*)\n", &[]);
    assert!(
        heard.contains(&"you have no chips, so you bid 0".to_owned()),
        "{heard:#?}"
    );
    assert!(
        !heard.iter().any(|line| line.contains("0 to 0")),
        "{heard:#?}"
    );
}

/// Checks that hints lead to optimal play, and that answers taken back have no effect.
#[test]
fn hints_win_what_can_be_won_and_answers_are_taken_back() {
    let last =
        |heard: &[String], start: &str| heard.iter().rfind(|line| line.starts_with(start)).cloned();
    let heard = Scripted::hear(
        TICTACTOE,
        &["undo", "hint", "2", "undo", "1", "undo", "undo"],
    );
    assert_eq!(
        heard
            .iter()
            .filter(|line| *line == "there is no answer to take back")
            .count(),
        2,
        "{heard:#?}"
    );
    assert!(
        heard
            .iter()
            .any(|line| line.starts_with("optimal play: bid ")),
        "{heard:#?}"
    );
    assert_eq!(
        last(&heard, "you have"),
        Some("you have 4*, Bob has 4".to_owned()),
        "{heard:#?}"
    );
    // Back in the middle of a turn, the bid is asked for again.
    let twice = Scripted::hear("play(E, 3*, 3)\n", &["3", "undo", "2"]);
    assert_eq!(
        twice
            .iter()
            .filter(|line| *line == "your bid, 0 to 3:")
            .count(),
        2,
        "{twice:#?}"
    );
    // The vertices of this path are numbers: moves are chosen by name, not by their index in a
    // list.
    let path = Scripted::hear(
        "use \"games/classics.bid\"\nplay(tug(2), 3*, 0)\n",
        &["1", "move", "1"],
    );
    assert!(
        path.contains(&"your move, by its name:".to_owned()),
        "{path:#?}"
    );
    let mut answers: Vec<&'static str> = Vec::new();
    // Each time the match is played from its beginning, with the last hint as one more answer.
    for _ in 0..40 {
        let (heard, printed) = Scripted::play(TICTACTOE, &[&answers[..], &["hint"]].concat());
        let Some(hint) = last(&heard[heard.len() - 2..], "optimal play: ") else {
            return assert_eq!(printed.trim(), "alice", "{answers:?}");
        };
        let advised = hint
            .trim_start_matches("optimal play: ")
            .trim_start_matches("bid ")
            .to_owned();
        answers.push(String::leak(advised));
    }
    panic!("the match has no end: {answers:?}");
}

/// A user who is shown matches as data, answers at random, and moves at once by the offers that come
/// with the question who moves.
struct Watching {
    chance: SplitMix64,
    seen: Arc<Mutex<Vec<Sight>>>,
    next: VecDeque<String>,
}

impl Watching {
    fn below(&mut self, count: usize) -> usize {
        (self.chance.next_u64() % count as u64) as usize
    }
}

impl Dialogue for Watching {
    fn say(&mut self, _: &str) {}

    fn ask(&mut self, _: &str) -> Option<String> {
        if let Some(answer) = self.next.pop_front() {
            return Some(answer);
        }
        let last = self
            .seen
            .lock()
            .expect("nobody panics with it")
            .last()
            .cloned();
        Some(match last? {
            Sight::AskBid { most, .. } => self.below(most as usize + 1).to_string(),
            Sight::AskTie { .. } => ["yes", "no"][self.below(2)].to_owned(),
            Sight::AskMover { moves, .. } if self.below(4) > 0 => {
                assert!(!moves.is_empty(), "who is asked can move");
                if moves.len() > 1 {
                    let chosen = self.below(moves.len());
                    self.next.push_back(moves[chosen].answer.clone());
                }
                "move".to_owned()
            }
            Sight::AskMover { .. } => "let".to_owned(),
            Sight::AskMove { moves } => moves[self.below(moves.len())].answer.clone(),
            other => panic!("this asks nothing: {other:?}"),
        })
    }

    fn chance(&mut self) -> u64 {
        self.chance.next_u64()
    }

    fn draws(&self) -> bool {
        true
    }

    fn see(&mut self, sight: Sight) {
        self.seen.lock().expect("nobody panics with it").push(sight);
    }
}

/// Plays matches of a game, and returns for each the last position, the end as it was seen, and the
/// value.
fn watched(game: &str, chips: &str, matches: usize) -> Vec<(String, Sight, String)> {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let mut session = session();
    session.set_dialogue(Box::new(Watching {
        chance: SplitMix64::seed_from_u64(5),
        seen: Arc::clone(&seen),
        next: VecDeque::new(),
    }));
    transcript(&mut session, "games.bid", GAMES);
    let play = |_| {
        seen.lock().expect("nobody panics with it").clear();
        let value = transcript(
            &mut session,
            "play.bid",
            &format!("play({game}, {chips})\n"),
        );
        let seen = seen.lock().expect("nobody panics with it");
        let Some([.., Sight::Position { position, over, .. }, end]) =
            seen.last_chunk::<2>().map(|last| &last[..])
        else {
            panic!("{game}: {seen:?}")
        };
        assert!(*over, "{game}: {seen:?}");
        (position.clone(), end.clone(), value.trim().to_owned())
    };
    (0..matches).map(play).collect()
}

#[test]
fn the_end_of_a_match_names_the_winner_and_the_cells_that_decided_it() {
    let mut seen = [0; 4];
    for (game, chips) in [
        ("tictactoe", "3*, 3"),
        ("toetactic", "3*, 3"),
        ("connect(3, 3, 4)", "4*, 2"),
        ("hex(3, 3)", "3, 3*"),
        ("full(3, 3)", "3*, 3"),
        ("tug(2)", "5*, 4"),
    ] {
        for (position, end, value) in watched(game, chips, 40) {
            let Sight::Over {
                winner,
                cells,
                words,
            } = end
            else {
                panic!("{game}: {end:?}")
            };
            let told = match winner {
                Some(Player::Alice) => ("alice", "You have won"),
                Some(Player::Bob) => ("bob", "Bob has won"),
                None => ("draw", "The match is a draw"),
            };
            assert_eq!((value.as_str(), words.as_str()), told, "{game} {position}");
            let rows: Vec<&str> = position.split('/').collect();
            let cols = rows[0].len();
            let place = |cell: usize| ((cell / cols) as i32, (cell % cols) as i32);
            let owners: Vec<char> = cells
                .iter()
                .map(|cell| char::from(rows[cell / cols].as_bytes()[cell % cols]))
                .collect();
            let letter = winner.map(|player| if player == Player::Alice { 'A' } else { 'B' });
            match game {
                "tictactoe" | "connect(3, 3, 4)" if winner.is_some() => {
                    assert!(cells.len() >= 3, "{position} {cells:?}");
                    assert!(
                        owners.iter().all(|owner| Some(*owner) == letter),
                        "{position}"
                    );
                    seen[0] += 1;
                }
                // The line is the loser's.
                "toetactic" if winner.is_some() => {
                    assert!(cells.len() >= 3, "{position} {cells:?}");
                    assert!(
                        owners.iter().all(|owner| Some(*owner) != letter),
                        "{position}"
                    );
                    seen[1] += 1;
                }
                "hex(3, 3)" => {
                    assert!(
                        owners.iter().all(|owner| Some(*owner) == letter),
                        "{position}"
                    );
                    let across =
                        |(row, col): (i32, i32)| if letter == Some('A') { col } else { row };
                    for side in [0, 2] {
                        assert!(
                            cells.iter().any(|cell| across(place(*cell)) == side),
                            "{position}"
                        );
                    }
                    let touches = |a: usize, b: usize| {
                        let ((r, c), (s, d)) = (place(a), place(b));
                        [(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)]
                            .contains(&(r - s, c - d))
                    };
                    let mut reached = vec![cells[0]];
                    for _ in 0..cells.len() {
                        let more = cells.iter().filter(|cell| {
                            !reached.contains(cell)
                                && reached.iter().any(|other| touches(**cell, *other))
                        });
                        let more: Vec<usize> = more.copied().collect();
                        reached.extend(more);
                    }
                    assert_eq!(
                        reached.len(),
                        cells.len(),
                        "{position} {cells:?}: one chain"
                    );
                    seen[2] += 1;
                }
                _ => {
                    assert!(cells.is_empty(), "{game} {position} {cells:?}");
                    seen[3] += 1;
                }
            }
        }
    }
    assert!(seen.iter().all(|count| *count >= 10), "{seen:?}");
}
