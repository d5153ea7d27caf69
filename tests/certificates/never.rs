//! Certificates that no number of chips is enough: every one is written and proved, and rejected if
//! any part is changed.

use bid_testing::{for_all, share};
use rand::RngExt;
use rand::rngs::StdRng;
use serde_json::Value;

use super::changes::{changes, leaves};
use super::{Tally, dice, proved, sources};

fn question(dice: &mut StdRng) -> String {
    let mut one_of = |words: &[&str]| words[dice.random_range(0..words.len())].to_owned();
    let ties = one_of(&[
        "advantage",
        "marker",
        "make_it_take_it",
        "losers_ball",
        "ladies_first",
        "gentlemen_first",
        "richer",
    ]);
    let (winner, draws) = (
        one_of(&["chooses", "chooses", "moves"]),
        one_of(&["neither", "alice", "alice", "bob"]),
    );
    let [a, b] = [0, 1].map(|_| one_of(&["0", "1", "2", "3", "5"]));
    format!("f(g, bob: [{a}, {b}]) using {{ ties: {ties}, winner: {winner}, draws: {draws} }}")
}

fn has_none(certificate: &Value) -> bool {
    certificate["proof"].get("never").is_some()
}

/// Returns `true` if a part of a certificate belongs to the set by Bob's chips.
pub fn is_of_the_set(path: &str) -> bool {
    ["/proof/never/chips", "/proof/never/states"]
        .iter()
        .any(|part| path.starts_with(part))
}

/// Returns all orders of these numbers.
fn orders(numbers: &[usize]) -> Vec<Vec<usize>> {
    if numbers.is_empty() {
        return vec![Vec::new()];
    }
    let begin = |place: usize| {
        let mut rest = numbers.to_vec();
        let first = rest.remove(place);
        orders(&rest)
            .into_iter()
            .map(move |order| [vec![first], order].concat())
    };
    (0..numbers.len()).flat_map(begin).collect()
}

/// Returns the moves and the endings that a certificate lists, with its positions so numbered;
/// `None` if a number is no position's.
fn renumbered(certificate: &Value, numbers: &[usize]) -> Option<Vec<Vec<usize>>> {
    let game = &certificate["game"];
    let read = |list: &Value| {
        let number = |position: &Value| numbers.get(position.as_u64()? as usize).copied();
        let mut list = list
            .as_array()?
            .iter()
            .map(number)
            .collect::<Option<Vec<_>>>()?;
        list.sort_unstable();
        Some(list)
    };
    let mut lists = vec![Vec::new(); 2 * numbers.len()];
    for (side, player) in ["alice", "bob"].iter().enumerate() {
        for (position, heads) in game[player].as_array()?.iter().enumerate() {
            lists[2 * numbers.get(position)? + side] = read(heads)?;
        }
    }
    for ending in ["alice", "bob", "draw"] {
        lists.push(read(&game["over"][ending])?);
    }
    Some(lists)
}

/// Returns `true` if two certificates list one game, with its positions in another order.
fn is_renumbered(certificate: &Value, other: &Value) -> bool {
    let positions = certificate["game"]["alice"].as_array().map_or(0, Vec::len);
    let numbers: Vec<usize> = (0..positions).collect();
    let own = renumbered(certificate, &numbers);
    // The start stays the first.
    let others = orders(numbers.get(1..).unwrap_or_default());
    let other = |rest: Vec<usize>| renumbered(other, &[vec![0], rest].concat());
    own.is_some() && others.into_iter().any(|rest| other(rest) == own)
}

#[test]
fn that_no_number_is_enough_is_written_and_proved() {
    let (mut tally, mut none, mut changed, mut still) = (Tally::default(), 0, 0, 0);
    for_all(share(440), sources(), |(source, seed)| {
        let question = question(&mut dice(seed));
        let Some(certificate) = tally.ask(&source, &question) else {
            return;
        };
        if !has_none(&certificate) {
            return;
        }
        none += 1;
        assert!(holds(&certificate), "{question}\n{source}");
        if seed % 8 > 0 {
            return;
        }
        let mut places = Vec::new();
        leaves(&certificate, &mut Vec::new(), &mut |path, leaf| {
            places.push((path.to_owned(), leaf.clone()))
        });
        for (path, leaf) in &places {
            for other in changes(path, leaf)
                .into_iter()
                .filter(|other| other != leaf)
            {
                let mut mutant = certificate.clone();
                *mutant.pointer_mut(path).expect("the path leads there") = other.clone();
                changed += 1;
                let right = (is_of_the_set(path)
                    || path.starts_with("/game") && is_renumbered(&certificate, &mutant))
                    && holds(&mutant);
                assert_eq!(
                    proved(&mutant),
                    right,
                    "{question}\n{source}\n{path}: {leaf} -> {other}\n{certificate}"
                );
                still += usize::from(right);
            }
        }
    });
    println!("{none} with `never`, {changed} changes, {still} still true: {tally:#?}");
    assert!(
        none > share(50) && changed > share(600) && still * 50 < changed,
        "{none} {changed} {still}"
    );
}

/// A set of states by Bob's chips, as this test reads it.
struct States<'c> {
    certificate: &'c Value,
    chips: i64,
    /// The ranks by holder, position and chips; `None` outside of the set.
    ranks: Vec<Vec<Vec<Option<i64>>>>,
}

/// Returns `true` if the last set of a certificate shows the claim, by an independent
/// implementation of the page on certificates. The sets before it are assumed to be unchanged.
pub fn holds(certificate: &Value) -> bool {
    let proof = &certificate["proof"]["never"];
    let chips = proof["chips"]
        .as_i64()
        .filter(|chips| (0..1 << 20).contains(chips));
    let Some(states) = chips.and_then(|chips| States::of(certificate, chips)) else {
        return false;
    };
    let claim = &certificate["claim"]["against"];
    let positions = certificate["game"]["alice"].as_array().map_or(0, Vec::len);
    let claimed = claim["budgets"]
        .as_array()
        .into_iter()
        .flatten()
        .zip(claim["answers"].as_array().into_iter().flatten());
    let shown = claimed.into_iter().all(|(budget, row)| {
        let row = row.as_array().expect("a row").iter().enumerate();
        let never = row.filter(|(_, least)| least.as_i64() == Some(-1));
        let inside = |status: usize| {
            let budget = budget
                .as_u64()
                .and_then(|budget| usize::try_from(budget).ok())?;
            *states.ranks[status][0].get(budget)?
        };
        never
            .map(|(status, _)| status)
            .all(|status| inside(status).is_some())
    });
    let follows = |status: usize, position: usize| {
        (0..=chips.unwrap_or(0)).all(|bob| {
            let known = states.ranks[status][position][usize::try_from(bob).expect("small")];
            known == states.rank(status, position, bob)
        })
    };
    // The sets for sufficient numbers of chips are checked by other tests.
    shown
        && (0..states.ranks.len())
            .all(|status| (0..positions).all(|position| follows(status, position)))
}

impl<'c> States<'c> {
    fn of(certificate: &'c Value, chips: i64) -> Option<Self> {
        let read = |row: &Value| -> Option<Vec<Option<i64>>> {
            let row: Vec<i64> = row
                .as_array()?
                .iter()
                .map(Value::as_i64)
                .collect::<Option<_>>()?;
            let (mut ranks, mut before) = (vec![None; usize::try_from(chips).ok()? + 1], (-1, -1));
            for run in row.chunks(2) {
                let &[from, rank] = run else { return None };
                if from <= before.0 || from > chips || rank < -1 || rank == before.1 {
                    return None;
                }
                ranks[usize::try_from(from).ok()?..].fill((rank >= 0).then_some(rank));
                before = (from, rank);
            }
            Some(ranks)
        };
        let of_status = |rows: &Value| {
            rows.as_array()?
                .iter()
                .map(read)
                .collect::<Option<Vec<_>>>()
        };
        let states = certificate["proof"]["never"]["states"].as_array()?;
        let ranks = states.iter().map(of_status).collect::<Option<Vec<_>>>()?;
        Some(Self {
            certificate,
            chips,
            ranks,
        })
    }

    fn rule(&self, name: &str) -> &'c str {
        self.certificate["rules"][name].as_str().unwrap_or_default()
    }

    fn ending(&self, position: usize) -> Option<&'static str> {
        let over = &self.certificate["game"]["over"];
        let names = |name: &&&str| {
            over[**name]
                .as_array()
                .is_some_and(|all| all.contains(&Value::from(position)))
        };
        ["alice", "bob", "draw"].iter().find(names).copied()
    }

    fn heads(&self, position: usize, mover: usize) -> Vec<usize> {
        let row = self.certificate["game"][["alice", "bob"][mover]][position]
            .as_array()
            .expect("a row")
            .iter();
        row.map(|to| usize::try_from(to.as_u64().expect("a position")).expect("small"))
            .collect()
    }

    /// Returns the least or the greatest rank; `None` is infinite.
    fn pick(by: usize, all: Vec<Option<i64>>) -> Option<i64> {
        let infinite = |rank: Option<i64>| rank.unwrap_or(i64::MAX);
        let all = all.into_iter().map(infinite);
        if by == 1 { all.min() } else { all.max() }.filter(|rank| *rank < i64::MAX)
    }

    /// Returns the rank that a state must have.
    fn rank(&self, status: usize, position: usize, bob: i64) -> Option<i64> {
        let must_win = self.rule("draws") == "alice";
        match self.ending(position) {
            Some("alice") => return None,
            Some("draw") if must_win => return None,
            Some(_) => return Some(0),
            None => {}
        }
        let answered = |x: i64| {
            Self::pick(
                1,
                (0..=bob)
                    .map(|z| self.bids(status, position, bob, [x, z]))
                    .collect(),
            )
        };
        let rank = Self::pick(0, (0..=bob + 1).map(answered).collect())?;
        Some(if must_win { rank + 1 } else { 0 })
    }

    fn bids(&self, status: usize, position: usize, bob: i64, [x, z]: [i64; 2]) -> Option<i64> {
        let wins = |winner: usize| {
            let able: Vec<usize> = [0, 1]
                .into_iter()
                .filter(|mover| !self.heads(position, *mover).is_empty())
                .collect();
            let must = self.rule("winner") == "moves" && able.len() == 2;
            let next = match self.rule("ties") {
                "make_it_take_it" => winner,
                "losers_ball" => 1 - winner,
                "advantage" | "marker" if x == z && winner == status => 1 - status,
                _ => status,
            };
            let left = if winner == 1 { bob - z } else { bob + x };
            let reached = |to: usize| {
                let rank =
                    self.ranks[next][to][usize::try_from(left.min(self.chips)).expect("small")];
                rank.map(|rank| {
                    if left > self.chips && self.rule("draws") == "alice" {
                        -1
                    } else {
                        rank
                    }
                })
            };
            let side = |mover: usize| {
                Self::pick(
                    mover,
                    self.heads(position, mover)
                        .into_iter()
                        .map(reached)
                        .collect(),
                )
            };
            Self::pick(
                winner,
                able.into_iter()
                    .filter(|mover| !must || *mover == winner)
                    .map(side)
                    .collect(),
            )
        };
        match self.rule("ties") {
            _ if x != z => wins(usize::from(z > x)),
            "advantage" => Self::pick(status, vec![wins(0), wins(1)]),
            "ladies_first" | "richer" => wins(0),
            "gentlemen_first" => wins(1),
            _ => wins(status),
        }
    }
}
