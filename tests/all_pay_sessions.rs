//! All-pay bidding from the user's view: a match against mixed bids, and work that continues after
//! Ctrl-C.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::{Disk, session, transcript};
use bid::eval::Dialogue;
use bid::session::Session;
use bid_language::watch::{Guard, Settings};

/// A user who bids nothing once, and then stops.
struct Once {
    heard: Arc<Mutex<Vec<String>>>,
    asked: bool,
}

impl Dialogue for Once {
    fn say(&mut self, text: &str) {
        self.heard
            .lock()
            .expect("nobody panics with it")
            .push(text.to_owned());
    }

    fn ask(&mut self, _: &str) -> Option<String> {
        self.asked = !self.asked;
        self.asked.then(|| "0".to_owned())
    }

    fn chance(&mut self) -> u64 {
        7
    }
}

/// Checks the distribution of bids. With 4 chips each in the game of section 2 of Menz, Wang & Xie,
/// Alice's optimal bid is each of 0 to 4 with the probability 1/5.
#[test]
fn a_match_draws_its_bids_from_the_optimal_distribution() {
    const MATCHES: usize = 500;
    let heard = Arc::new(Mutex::new(Vec::new()));
    let mut session = session();
    session.set_dialogue(Box::new(Once {
        heard: Arc::clone(&heard),
        asked: false,
    }));
    let text: String = (0..MATCHES)
        .map(|seed| format!("play(B^2, 4, 4, as: bob, seed: {seed})\n"))
        .collect();
    transcript(&mut session, "matches.bid", &format!("using menz\n{text}"));
    let heard = heard.lock().expect("nobody panics with it");
    let bids = [0, 1, 2, 3, 4].map(|bid| {
        heard
            .iter()
            .filter(|said| **said == format!("you bid 0, Alice bids {bid}"))
            .count()
    });
    assert_eq!(bids.iter().sum::<usize>(), MATCHES, "{bids:?}");
    // These bounds are four standard deviations from 100.
    assert!(
        bids.iter().all(|count| (64..=136).contains(count)),
        "{bids:?}"
    );
}

/// Checks that values found before a stop are not computed again.
#[test]
fn a_session_keeps_what_was_solved_before_a_stop() {
    const QUESTION: &str =
        "v(B^4 ∧ A^4, 30, 30) using { pay: all_pay, ties: richer, solver: toeplitz }";
    let asks = |allowed: &[u64]| -> (u64, String) {
        let guard = Arc::new(Guard::of_steps(u64::MAX));
        let mut session = Session::new(Box::new(Disk), Arc::clone(&guard));
        let mut last = String::new();
        for &allowed in allowed {
            guard.set(Settings {
                timeout: Some(Duration::from_millis(allowed)),
                ..Settings::default()
            });
            guard.begin();
            last = transcript(&mut session, "asked.bid", QUESTION);
        }
        (guard.now(), last)
    };
    let (at_once, value) = asks(&[u64::MAX]);
    let (interrupted, stopped) = asks(&[at_once / 2]);
    assert!(stopped.contains("E0903"), "{stopped}");
    let (in_two, same) = asks(&[at_once / 2, u64::MAX]);
    assert_eq!(value, same);
    let again = in_two - interrupted;
    assert!(
        again < at_once * 3 / 4,
        "{again} of {at_once} looks after the stop"
    );
}
