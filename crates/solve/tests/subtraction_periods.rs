//! Tests of eventual periods of bidding cumulative subtraction, against the game of all heaps played
//! literally.

use crate::oracle::all_purses;
use crate::scoring::Literal;
use bid_game::{GameGraphBuilder, NodeId, ScoresBuilder};
use bid_language::player::{Ending, Player};
use bid_language::rules::{Rules, TieBreak, Winner};
use bid_language::watch::Context;
use bid_solve::scoring::{Period, Scored, Takes, period};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// The maximin and the minimax score of each heap, by the splits of a [`Period`].
type Table = Vec<Vec<[i64; 2]>>;

/// One question.
#[derive(Debug)]
struct Asked<'a> {
    takes: [&'a [usize]; 2],
    rules: &'a Rules,
    total: u64,
}

impl Asked<'_> {
    /// Computes all scores up to a heap; vertex n is the heap of n items.
    fn table(&self, last: usize) -> Table {
        let mut builder = GameGraphBuilder::default();
        for heap in 0..=last {
            let [alice, bob] = self.takes.map(|takes| -> Vec<NodeId> {
                let within = takes.iter().filter_map(|take| heap.checked_sub(*take));
                within.map(NodeId::new).collect()
            });
            let is_over = alice.is_empty() && bob.is_empty();
            builder.push(is_over.then_some(Ending::Draw), &alice, &bob);
        }
        let graph = builder.finish(NodeId::new(last));
        let mut scores = ScoresBuilder::new(&graph);
        for (player, sign) in [(Player::Alice, 1), (Player::Bob, -1)] {
            for tail in graph.nodes() {
                for &head in graph.successors(tail, player) {
                    let items = (tail.index() - head.index()) as i64;
                    scores.weigh(player, tail, head, (sign * items).into());
                }
            }
        }
        let scores = scores.finish().expect("small scores");
        let game = Scored {
            graph: &graph,
            scores: &scores,
        };
        let mut literal = Literal::new(game, self.rules);
        let splits = all_purses(self.rules, self.total);
        let row = |heap| {
            let sure = |&purses| Player::both(|player| literal.sure(heap, purses, player));
            splits.iter().map(sure).collect()
        };
        graph.nodes().map(row).collect()
    }

    /// Checks a claim on more heaps than were needed to find it.
    fn check(&self, found: &Period) {
        let Period {
            period,
            from,
            increments,
        } = found;
        let table = self.table(from + 6 * period + 40);
        assert_eq!(increments.len(), table[0].len());
        assert!(
            holds(&table, *from, *period, increments),
            "{self:?} {found:?}"
        );
        assert!(
            *from == 0 || !holds(&table, from - 1, *period, increments),
            "not the first: {self:?} {found:?}"
        );
        for shorter in 1..*period {
            let rows = table[from + shorter].iter().zip(&table[*from]);
            let by: Vec<i64> = rows.map(|(later, now)| later[0] - now[0]).collect();
            assert!(
                !holds(&table, *from, shorter, &by),
                "not the least: {self:?} {found:?}"
            );
        }
    }
}

/// Returns whether the claim holds from this heap on, as far as the table goes.
fn holds(table: &Table, from: usize, period: usize, increments: &[i64]) -> bool {
    (from..table.len() - period).all(|heap| {
        let rows = table[heap + period].iter().zip(&table[heap]);
        rows.zip(increments)
            .all(|((later, now), by)| *later == now.map(|score| score + by))
    })
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
        let rules = Rules {
            ties,
            winner,
            ..Rules::default()
        };
        let asked = Asked {
            takes: [&alice, &bob],
            rules: &rules,
            total: random.random_range(0..7),
        };
        let takes = Takes::new(alice.clone(), bob.clone()).expect("numbers from 1");
        let found = period(&takes, &rules, asked.total, 20_000, Context::plain())
            .expect("nothing stops it");
        counts[0] += 1;
        match found {
            Some(found) => {
                counts[2] += usize::from(found.increment().is_none());
                asked.check(&found);
            }
            None => {
                counts[1] += 1;
                println!("refused: {asked:?}");
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
