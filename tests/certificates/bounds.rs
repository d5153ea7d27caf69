//! Certificates of thresholds that lie between bounds: every written one is proved, and a changed
//! one is rejected exactly if it is not a proof any more.

use bid_language::player::{Ending, Player};
use bid_testing::for_all;
use num_rational::BigRational;
use num_traits::{One, Zero};
use rand::RngExt;
use serde_json::Value;

use super::{Tally, certified, dice, json, library, proved, sources};

const QUESTIONS: &[&str] = &[
    "R(tug(3) at 1) using { pay: poorman }",
    "R(tug(3) at 1) using { pay: taxman(1/3), draws: alice }",
    "R(tug(2) at 1) using { pay: poorman, solver: iteration }",
    "R(tug(3) at 1) using { solver: iteration, draws: alice }",
    "R(tug(3)) using { pay: poorman }",
    "R(tug(2)) using { pay: taxman(1/3), draws: alice }",
    "R(round) using { pay: taxman(2/5) }",
    "R(round) using { pay: poorman, draws: alice }",
    "R(ultimatum(2)) using { pay: taxman(1/2), winner: moves }",
];

#[test]
fn bounds_are_written_and_proved() {
    for question in QUESTIONS {
        let certificate = certified(&library(question), question)
            .unwrap_or_else(|| panic!("{question} has an answer"));
        let certificate = json(&certificate.unwrap_or_else(|why| panic!("{question}: {why:?}")));
        assert!(certificate["proof"].get("bounds").is_some(), "{question}");
        assert!(holds(&certificate), "{question}");
        assert!(proved(&certificate), "{question}");
    }
}

#[test]
fn random_graphs_between_bounds() {
    let mut tally = Tally::default();
    for_all(300, sources(), |(source, seed)| {
        let mut dice = dice(seed);
        let mut one_of = |words: &[&str]| words[dice.random_range(0..words.len())].to_owned();
        let pay = one_of(&[
            "poorman",
            "taxman(1/7)",
            "taxman(3/4)",
            "richman, solver: iteration",
        ]);
        let (winner, draws) = (
            one_of(&["chooses", "moves"]),
            one_of(&["neither", "alice", "bob"]),
        );
        let question = format!("R(g) using {{ pay: {pay}, winner: {winner}, draws: {draws} }}");
        if let Some(certificate) = tally.ask(&source, &question) {
            assert!(
                certificate["proof"].get("bounds").is_none() || holds(&certificate),
                "{question}\n{source}"
            );
        }
    });
    println!("{tally:#?}");
    for (kind, least) in [("between bounds", 20), ("R bounds", 20)] {
        assert!(
            tally.proved.get(kind).is_some_and(|count| *count >= least),
            "{kind}: {tally:#?}"
        );
    }
}

/// Changes every number of the bounds, by a little and by a lot.
#[test]
fn changed_bounds_are_rejected_unless_they_are_bounds() {
    let (mut rejected, mut still) = (0, 0);
    for question in QUESTIONS {
        let certificate = json(
            &certified(&library(question), question)
                .expect("answered")
                .expect("written"),
        );
        let mut places = Vec::new();
        for part in ["/claim", "/proof"] {
            let whole = certificate.pointer(part).expect("a part");
            super::changes::leaves(whole, &mut Vec::new(), &mut |path, leaf| {
                places.push((format!("{part}{path}"), leaf.clone()));
            });
        }
        for (path, leaf) in places {
            for other in nudged(&leaf) {
                let mut mutant = certificate.clone();
                *mutant.pointer_mut(&path).expect("the path leads there") = other.clone();
                let right = holds(&mutant);
                assert_eq!(
                    proved(&mutant),
                    right,
                    "{question}: {path}: {leaf} -> {other}"
                );
                if right { still += 1 } else { rejected += 1 }
            }
        }
    }
    println!("{rejected} rejected, {still} still true");
    assert!(
        rejected > 200 && still > 10,
        "{rejected} rejected, {still} still true"
    );
}

pub fn nudged(leaf: &Value) -> Vec<Value> {
    if let Some(number) = leaf.as_i64() {
        return [-1, 0, 1, 2, 3]
            .into_iter()
            .filter(|other| *other != number)
            .map(Value::from)
            .collect();
    }
    let number = fraction(leaf);
    let tiny = BigRational::new(1.into(), num_bigint::BigInt::from(1) << 50);
    let half = BigRational::new(1.into(), 2.into());
    let others = [
        &number + &tiny,
        &number - &tiny,
        &number * &half,
        (&number + BigRational::one()) * half,
    ];
    others
        .into_iter()
        .filter(|other| *other != number)
        .map(|other| Value::from(other.to_string()))
        .collect()
}

pub fn fraction(value: &Value) -> BigRational {
    value.as_str().expect("a text").parse().expect("a fraction")
}

/// A game and its bounds, read from a certificate.
struct Read {
    moves: [Vec<Vec<usize>>; 2],
    endings: Vec<Option<Ending>>,
    tax: BigRational,
    /// The value of a draw.
    draw: BigRational,
}

/// Returns `true` if bounds prove the claim, by an independent implementation of the page on
/// certificates.
fn holds(certificate: &Value) -> bool {
    let game = Read::of(certificate);
    let list = |name: &str| -> Vec<BigRational> {
        certificate["proof"]["bounds"][name]
            .as_array()
            .expect("a list")
            .iter()
            .map(fraction)
            .collect()
    };
    let (low, high) = (list("low"), list("high"));
    let ranks: Vec<i64> = certificate["proof"]["bounds"]["ranks"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|rank| rank.as_i64().expect("a rank"))
        .collect();
    let ordered = (0..low.len()).all(|v| {
        low[v] <= high[v] && low[v] >= BigRational::zero() && high[v] <= BigRational::one()
    });
    if !ordered {
        return false;
    }
    let steps = (0..low.len()).all(|v| match game.endings[v] {
        Some(_) => low[v] == game.made(&low, v) && high[v] == game.made(&high, v),
        None => low[v] <= game.made(&low, v) && high[v] >= game.made(&high, v),
    });
    let against = if game.draw.is_one() { &high } else { &low };
    let claim = &certificate["claim"];
    let claimed = match claim.get("R") {
        Some(exact) => match certificate["proof"]["bounds"]["mirror"].as_array() {
            None => fraction(&exact["answer"]) == low[0] && low[0] == high[0],
            Some(pairs) => {
                fraction(&exact["answer"]) == BigRational::new(1.into(), 2.into())
                    && game.mirrors(&low, &high, pairs)
            }
        },
        None => {
            let [least, most] = ["low", "high"].map(|name| fraction(&claim["between"][name]));
            certificate["proof"]["bounds"].get("mirror").is_none()
                && least < most
                && least <= low[0]
                && high[0] <= most
        }
    };
    let moves = certificate["rules"]["winner"] == "moves";
    steps
        && claimed
        && game.ranks(against) == ranks
        && (!moves || (0..low.len()).all(|v| game.likes_to_win(&low, &high, v)))
}

impl Read {
    fn of(certificate: &Value) -> Self {
        let rows = |player: Player| -> Vec<Vec<usize>> {
            let rows = certificate["game"][player.word()]
                .as_array()
                .expect("rows")
                .iter();
            rows.map(|row| {
                row.as_array()
                    .expect("a row")
                    .iter()
                    .map(|to| to.as_u64().expect("a number") as usize)
                    .collect()
            })
            .collect()
        };
        let moves = Player::BOTH.map(rows);
        let mut endings = vec![None; moves[0].len()];
        for (name, ending) in [
            ("alice", Ending::Win(Player::Alice)),
            ("bob", Ending::Win(Player::Bob)),
            ("draw", Ending::Draw),
        ] {
            for position in certificate["game"]["over"][name]
                .as_array()
                .expect("a list")
            {
                endings[position.as_u64().expect("a number") as usize] = Some(ending);
            }
        }
        let tax = match certificate["rules"]["pay"].as_str().expect("a word") {
            "richman" => BigRational::zero(),
            "poorman" => BigRational::one(),
            taxman => taxman
                .trim_start_matches("taxman(")
                .trim_end_matches(')')
                .parse()
                .expect("a fraction"),
        };
        let draw = if certificate["rules"]["draws"] == "alice" {
            BigRational::zero()
        } else {
            BigRational::one()
        };
        Self {
            moves,
            endings,
            tax,
            draw,
        }
    }

    fn best(&self, values: &[BigRational], v: usize) -> [Option<BigRational>; 2] {
        let of = |player: usize| self.moves[player][v].iter().map(|to| values[*to].clone());
        [of(0).min(), of(1).max()]
    }

    fn made(&self, values: &[BigRational], v: usize) -> BigRational {
        let one = BigRational::one();
        match (self.endings[v], self.best(values, v)) {
            (Some(Ending::Win(Player::Alice)), _) => BigRational::zero(),
            (Some(Ending::Win(Player::Bob)), _) => one,
            (Some(Ending::Draw), _) => self.draw.clone(),
            (None, [Some(alice), Some(bob)]) => {
                let (low, high) = if alice < bob {
                    (alice, bob)
                } else {
                    (bob, alice)
                };
                let t = &self.tax;
                (&high + (&one - t) * &low) / (&one + &one - t + t * (&high - &low))
            }
            (None, [alice, bob]) => alice.or(bob).expect("a move"),
        }
    }

    /// Finds the ranks level by level.
    fn ranks(&self, values: &[BigRational]) -> Vec<i64> {
        let mut ranks = vec![-1; values.len()];
        let seeker = usize::from(self.draw.is_zero());
        for v in 0..values.len() {
            let best = self.best(values, v);
            let contracts =
                !self.tax.is_zero() && best.iter().all(Option::is_some) && best[0] != best[1];
            if self.endings[v].is_some()
                || values[v] == self.draw
                || self.made(values, v) != values[v]
                || contracts
            {
                ranks[v] = 0;
            }
        }
        for level in 1..=values.len() as i64 {
            let before = ranks.clone();
            let low = |to: &usize| before[*to] >= 0;
            for v in (0..values.len()).filter(|v| before[*v] < 0) {
                let best = self.best(values, v);
                let heads = |player: usize| {
                    let best = best[player].clone();
                    self.moves[player][v]
                        .iter()
                        .filter(move |to| Some(&values[**to]) == best.as_ref())
                };
                let other = 1 - seeker;
                if heads(seeker).any(low)
                    || (!self.moves[other][v].is_empty() && heads(other).all(low))
                {
                    ranks[v] = level;
                }
            }
        }
        ranks
    }

    /// Returns `true` if pairs are closed under best moves, and the best moves of the two players
    /// have bounds that do not touch.
    fn mirrors(&self, low: &[BigRational], high: &[BigRational], pairs: &[Value]) -> bool {
        let read = |pair: &Value| Some((pair[0].as_u64()? as usize, pair[1].as_u64()? as usize));
        let Some(pairs) = pairs.iter().map(read).collect::<Option<Vec<_>>>() else {
            return false;
        };
        let found = |pair: (usize, usize)| pairs.iter().position(|other| *other == pair);
        let best = |player: usize, v: usize| {
            let moves = &self.moves[player][v];
            let is_best = |to: &&usize| {
                let at_least = |other: &usize| {
                    other == *to
                        || if player == 0 {
                            high[**to] <= low[*other]
                        } else {
                            low[**to] >= high[*other]
                        }
                };
                moves.iter().all(at_least)
            };
            moves.iter().find(is_best).copied()
        };
        let shown = |index: usize| {
            let (a, b) = pairs[index];
            if a >= low.len() || b >= low.len() || found((a, b)) != Some(index) {
                return false;
            }
            if low[a] == high[a] && low[b] == high[b] {
                return (&low[a] + &low[b]).is_one();
            }
            match [best(0, a), best(1, a), best(0, b), best(1, b)] {
                [Some(x), Some(y), Some(z), Some(w)] => {
                    let apart = high[x] < low[y] || high[y] < low[x];
                    apart
                        && !self.tax.is_zero()
                        && found((x, w)).is_some()
                        && found((y, z)).is_some()
                }
                [Some(x), None, None, Some(w)] => {
                    self.moves[1][a].is_empty()
                        && self.moves[0][b].is_empty()
                        && found((x, w)) > Some(index)
                }
                [None, Some(y), Some(z), None] => {
                    self.moves[0][a].is_empty()
                        && self.moves[1][b].is_empty()
                        && found((y, z)) > Some(index)
                }
                _ => false,
            }
        };
        pairs.first() == Some(&(0, 0)) && (0..pairs.len()).all(shown)
    }

    fn likes_to_win(&self, low: &[BigRational], high: &[BigRational], v: usize) -> bool {
        let common = self.moves[0][v]
            .iter()
            .any(|to| self.moves[1][v].contains(to));
        let ordered = (0..low.len()).all(|v| {
            self.moves
                .iter()
                .flat_map(|moves| &moves[v])
                .all(|to| *to > v)
        });
        match (&self.best(high, v)[0], &self.best(low, v)[1]) {
            (Some(alice), Some(bob)) => common || alice < bob || ordered && alice == bob,
            _ => true,
        }
    }
}
