//! Tests of eventual periods of bidding cumulative subtraction, against the rules played literally
//! on heap after heap.

use bid_language::rules::{Rules, TieBreak, Winner};
use bid_language::watch::Context;
use bid_solve::scoring::{Period, Takes, period};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// The maximin and the minimax score of each heap, by Alice's chips, then by the holder of the tie
/// status (0: Alice, or there is none).
type Table = Vec<Vec<[[i64; 2]; 2]>>;

/// One question.
struct Asked<'a> {
    takes: [&'a [usize]; 2],
    ties: TieBreak,
    winner: Winner,
    total: usize,
}

impl Asked<'_> {
    /// Returns the winner of a tie, or the player who chooses the winner.
    fn tied(&self, alice: usize, held_by_bob: usize) -> Tied {
        let holder = if held_by_bob == 0 {
            Tied::Alice
        } else {
            Tied::Bob
        };
        match self.ties {
            TieBreak::Richer if 2 * alice >= self.total => Tied::Alice,
            TieBreak::Richer => Tied::Bob,
            TieBreak::LadiesFirst => Tied::Alice,
            TieBreak::GentlemenFirst => Tied::Bob,
            TieBreak::Advantage if held_by_bob == 0 => Tied::ChosenByAlice,
            TieBreak::Advantage => Tied::ChosenByBob,
            TieBreak::Marker | TieBreak::MakeItTakeIt | TieBreak::LosersBall => holder,
            TieBreak::Coin | TieBreak::Nobody | TieBreak::Attached => unreachable!("not asked"),
        }
    }

    /// Returns the holder of the status after a bid.
    fn status(&self, held_by_bob: usize, winner: usize, tied: bool) -> usize {
        match self.ties {
            // A player who wins a tie by the status passes it.
            TieBreak::Advantage | TieBreak::Marker if tied && winner == held_by_bob => {
                1 - held_by_bob
            }
            TieBreak::Advantage | TieBreak::Marker => held_by_bob,
            TieBreak::MakeItTakeIt => winner,
            TieBreak::LosersBall => 1 - winner,
            TieBreak::Richer
            | TieBreak::LadiesFirst
            | TieBreak::GentlemenFirst
            | TieBreak::Coin
            | TieBreak::Nobody
            | TieBreak::Attached => 0,
        }
    }

    /// Returns the score that one side can guarantee after this player has won a bid.
    fn after(
        &self,
        table: &Table,
        heap: usize,
        side: usize,
        to: (usize, usize),
        winner: usize,
    ) -> i64 {
        let moved = |mover: usize| {
            let sign = if mover == 0 { 1 } else { -1 };
            let within = self.takes[mover].iter().filter(|take| **take <= heap);
            let values =
                within.map(|take| table[heap - take][to.0][to.1][side] + sign * *take as i64);
            if mover == 0 {
                values.max()
            } else {
                values.min()
            }
        };
        match (moved(0), moved(1)) {
            (Some(alice), Some(bob)) => match (self.winner, winner) {
                (Winner::Moves, 0) => alice,
                (Winner::Moves, _) => bob,
                (Winner::Chooses, 0) => alice.max(bob),
                (Winner::Chooses, _) => alice.min(bob),
            },
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => unreachable!("somebody can move"),
        }
    }

    /// Returns the result of two bids.
    fn result(
        &self,
        table: &Table,
        heap: usize,
        side: usize,
        alice: usize,
        held: usize,
        bids: [usize; 2],
    ) -> i64 {
        let won = |winner: usize, tied: bool| {
            let left = if winner == 0 {
                alice - bids[0]
            } else {
                alice + bids[1]
            };
            self.after(
                table,
                heap,
                side,
                (left, self.status(held, winner, tied)),
                winner,
            )
        };
        match bids[0].cmp(&bids[1]) {
            std::cmp::Ordering::Greater => won(0, false),
            std::cmp::Ordering::Less => won(1, false),
            std::cmp::Ordering::Equal => match self.tied(alice, held) {
                Tied::Alice => won(0, true),
                Tied::Bob => won(1, true),
                Tied::ChosenByAlice => won(0, true).max(won(1, true)),
                Tied::ChosenByBob => won(0, true).min(won(1, true)),
            },
        }
    }

    /// Computes all scores up to a heap.
    fn table(&self, last: usize) -> Table {
        let mut table: Table = Vec::new();
        for heap in 0..=last {
            let able = self
                .takes
                .iter()
                .any(|takes| takes.iter().any(|take| *take <= heap));
            let mut row = vec![[[0; 2]; 2]; self.total + 1];
            for (alice, held_by) in row.iter_mut().enumerate().filter(|_| able) {
                for (held, sure) in held_by.iter_mut().enumerate() {
                    let result = |side, x, y| self.result(&table, heap, side, alice, held, [x, y]);
                    let bob = self.total - alice;
                    let least = (0..=alice)
                        .map(|x| (0..=bob).map(|y| result(0, x, y)).min().expect("a bid"))
                        .max();
                    let most = (0..=bob)
                        .map(|y| (0..=alice).map(|x| result(1, x, y)).max().expect("a bid"))
                        .min();
                    *sure = [least.expect("a bid"), most.expect("a bid")];
                }
            }
            table.push(row);
        }
        table
    }

    /// Returns whether the claim holds from this heap on, as far as the table goes.
    fn holds(&self, table: &Table, from: usize, period: usize, increments: &[i64]) -> bool {
        (from..table.len() - period).all(|heap| {
            increments.iter().enumerate().all(|(split, by)| {
                let (alice, held) = (split % (self.total + 1), split / (self.total + 1));
                (0..2).all(|side| {
                    table[heap + period][alice][held][side] == table[heap][alice][held][side] + by
                })
            })
        })
    }

    /// Checks a claim on more heaps than were needed to find it.
    fn check(&self, found: &Period) {
        let Period {
            period,
            from,
            increments,
        } = found;
        let table = self.table(from + 6 * period + 40);
        let context = format!(
            "{:?} {:?} {:?} {} {found:?}",
            self.takes, self.ties, self.winner, self.total
        );
        assert!(self.holds(&table, *from, *period, increments), "{context}");
        assert!(
            *from == 0 || !self.holds(&table, from - 1, *period, increments),
            "not the first: {context}"
        );
        for shorter in 1..*period {
            let by: Vec<i64> = (0..increments.len())
                .map(|split| {
                    let (alice, held) = (split % (self.total + 1), split / (self.total + 1));
                    table[from + shorter][alice][held][0] - table[*from][alice][held][0]
                })
                .collect();
            assert!(
                !self.holds(&table, *from, shorter, &by),
                "not the least: {context}"
            );
        }
    }
}

#[derive(Clone, Copy)]
enum Tied {
    Alice,
    Bob,
    ChosenByAlice,
    ChosenByBob,
}

/// Asks about random sets. Returns how many were asked, how many were refused, and how many have
/// increments that differ.
fn ask(seed: u64, rounds: usize, ties: &[TieBreak]) -> [usize; 3] {
    let random = &mut StdRng::seed_from_u64(seed);
    let mut counts = [0; 3];
    for _ in 0..rounds {
        let mut set = || -> Vec<usize> {
            (0..random.random_range(1..4))
                .map(|_| random.random_range(1..6))
                .collect()
        };
        let (alice, bob) = (set(), set());
        let bob = if random.random_bool(0.3) {
            alice.clone()
        } else {
            bob
        };
        let winner = if random.random_bool(0.5) {
            Winner::Moves
        } else {
            Winner::Chooses
        };
        let ties = ties[random.random_range(0..ties.len())];
        let asked = Asked {
            takes: [&alice, &bob],
            ties,
            winner,
            total: random.random_range(0..7),
        };
        let rules = Rules {
            ties,
            winner,
            ..Rules::default()
        };
        let takes = Takes::new(alice.clone(), bob.clone()).expect("numbers from 1");
        let found = period(&takes, &rules, asked.total as u64, 20_000, Context::plain())
            .expect("nothing stops it");
        counts[0] += 1;
        match found {
            Some(found) => {
                counts[2] += usize::from(found.increment().is_none());
                asked.check(&found);
            }
            None => {
                counts[1] += 1;
                println!(
                    "refused: {alice:?} {bob:?} {ties:?} {winner:?} {}",
                    asked.total
                );
            }
        }
    }
    counts
}

#[test]
fn every_period_is_found_where_the_richer_wins_ties() {
    let [asked, refused, differing] = ask(1, 150, &[TieBreak::Richer]);
    assert_eq!(refused, 0, "of {asked}");
    assert!(differing > 20, "{differing}");
}

#[test]
fn periods_under_every_rule_for_ties() {
    let ties = [
        TieBreak::Advantage,
        TieBreak::Marker,
        TieBreak::MakeItTakeIt,
        TieBreak::LosersBall,
        TieBreak::LadiesFirst,
        TieBreak::GentlemenFirst,
        TieBreak::Richer,
    ];
    let [asked, refused, _] = ask(2, 150, &ties);
    assert_eq!(refused, 0, "of {asked}");
}

#[test]
#[ignore = "takes minutes"]
fn periods_of_many_sets() {
    println!("{:?}", ask(3, 2_000, &[TieBreak::Richer]));
}
