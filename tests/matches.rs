//! Matches against the engine at positions that are solved without a graph: it keeps what its chips promise, whatever is bid.

use std::sync::{Arc, Mutex};

use crate::support::{session, transcript};
use bid::eval::Dialogue;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Answers at random what is asked, and counts the questions.
struct AtRandom {
    chance: SplitMix64,
    asked: Arc<Mutex<usize>>,
}

impl Dialogue for AtRandom {
    fn say(&mut self, _: &str) {}

    fn ask(&mut self, question: &str) -> Option<String> {
        *self.asked.lock().expect("nobody panics with it") += 1;
        let below = |chance: &mut SplitMix64, count: u64| chance.next_u64() % count;
        // `…, 0 to 5: `, or `… (yes or no)? `
        if let Some((from, to)) = question.trim_end_matches(": ").rsplit_once(" to ") {
            let from = from.rsplit(' ').next()?.parse::<u64>().ok()?;
            return Some((from + below(&mut self.chance, to.parse::<u64>().ok()? - from + 1)).to_string());
        }
        let (first, second) = question.split_once('(')?.1.trim_end_matches(")? ").split_once(" or ")?;
        Some([first, second][below(&mut self.chance, 2) as usize].to_owned())
    }

    fn chance(&mut self) -> u64 {
        0
    }
}

/// Rulesets with a numbering, one where a player who cannot move loses, and a conjugate.
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
    session.set_dialogue(Box::new(AtRandom { chance: SplitMix64::seed_from_u64(3), asked: Arc::clone(&asked) }));
    transcript(&mut session, "games.bid", GAMES);
    for game in ["connect(3, 3, 3)", "(~connect(3, 3, 3))", "full(3, 3)", "(~full(3, 3))", "tictactoe"] {
        for (rules, alice, bob) in [
            ("{ ties: advantage }", "2", "6*"),
            ("{ ties: make_it_take_it }", "1", "8*"),
            ("{ ties: ladies_first, winner: moves }", "1", "6"),
        ] {
            let promised = transcript(&mut session, "asked.bid", &format!("{game}({alice}, {bob}) using {rules}\n"));
            assert_eq!(promised.trim(), "bob", "{game} {rules}");
            let matches = format!("play({game}, {alice}, {bob}) using {rules}\n").repeat(40);
            let ended = transcript(&mut session, "matches.bid", &matches);
            assert_eq!(ended.lines().filter(|line| line.trim() == "bob").count(), 40, "{game} {rules}: {ended}");
        }
    }
    assert!(*asked.lock().expect("nobody panics with it") > 2_000);
}
