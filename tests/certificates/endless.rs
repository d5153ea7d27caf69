//! Certificates with a winner of infinite play, of random graphs with accepting positions,
//! priorities or weights: every written one is proved, and a changed one is rejected exactly if it
//! is not a proof any more.

use std::fmt::Write;

use bid_testing::{GraphShape, PlainGraph, for_all, graphs, samples, share};
use num_rational::BigRational;
use num_traits::{One, Zero};
use rand::RngExt;
use rand::rngs::StdRng;
use serde_json::Value;

use super::bounds::{fraction, nudged};
use super::{Tally, certified, dice, json, proved, source};

/// Returns the source of a graph with random labels for an objective.
pub fn marked(graph: &PlainGraph, dice: &mut StdRng, objective: &str) -> String {
    let mut text = source(graph).trim_end_matches("}\n").to_owned();
    let open: Vec<usize> = (0..graph.positions()).collect();
    match objective {
        "buchi" => {
            let named: Vec<String> = open
                .iter()
                .filter(|_| dice.random_range(0..3) == 0)
                .map(ToString::to_string)
                .collect();
            writeln!(
                text,
                "    accepting: {}",
                if named.is_empty() {
                    "x".to_owned()
                } else {
                    named.join(", ")
                }
            )
            .expect("a string");
        }
        "parity" => {
            for position in open {
                writeln!(text, "    priority {}: {position}", dice.random_range(0..4))
                    .expect("a string");
            }
        }
        _ => {
            for position in open {
                writeln!(text, "    weight {}: {position}", dice.random_range(-2..3))
                    .expect("a string");
            }
        }
    }
    text + "}\n"
}

/// Draws a question about infinite play under random rules.
fn question(dice: &mut StdRng, objective: &str) -> String {
    let mut one_of = |words: &[&str]| words[dice.random_range(0..words.len())].to_owned();
    let (winner, draws) = (
        one_of(&["chooses", "chooses", "moves"]),
        one_of(&["neither", "alice", "bob"]),
    );
    let pay = match objective {
        "mean_payoff" => "richman".to_owned(),
        _ => one_of(&["richman", "richman", "poorman", "taxman(1/3)"]),
    };
    let query = one_of(&["R(g)", "R(g)", "R(~g)", "P(g)", "P(g, 1/3)"]);
    format!(
        "{query} using {{ objective: {objective}, pay: {pay}, winner: {winner}, draws: {draws} }}"
    )
}

#[test]
fn random_graphs_with_objectives_of_infinite_play() {
    for (objective, least) in [("buchi", 250), ("parity", 250), ("mean_payoff", 250)] {
        let mut tally = Tally::default();
        for_all(
            share(300),
            (graphs(GraphShape::SMALL), 0..u64::MAX),
            |(graph, seed)| {
                let mut dice = dice(seed);
                let source = marked(&graph, &mut dice, objective);
                let question = question(&mut dice, objective);
                if let Some(certificate) = tally.ask(&source, &question) {
                    assert!(holds(&certificate), "{question}\n{source}");
                }
            },
        );
        println!("{objective}: {tally:#?}");
        let count: usize = tally.proved.values().sum();
        assert!(count >= share(least), "{objective}: {tally:#?}");
        for kind in ["R endless 0", "R endless 1", "R endless", "P endless"] {
            assert!(
                tally
                    .proved
                    .get(kind)
                    .is_some_and(|count| *count >= share(10)),
                "{objective} {kind}: {tally:#?}"
            );
        }
    }
}

/// Draws a question about infinite play with chips under random rules.
pub fn question_in_chips(dice: &mut StdRng, objective: &str) -> String {
    let mut one_of = |words: &[&str]| words[dice.random_range(0..words.len())].to_owned();
    let (ties, star) = match one_of(&["status", "none"]).as_str() {
        "none" => (
            one_of(&["ladies_first", "gentlemen_first", "richer"]),
            ["", ""],
        ),
        _ => (
            one_of(&[
                "advantage",
                "marker",
                "marker",
                "make_it_take_it",
                "losers_ball",
            ]),
            [["*", ""], ["", "*"]][usize::from(one_of(&["alice", "bob"]) == "bob")],
        ),
    };
    let (winner, draws) = (
        one_of(&["chooses", "moves"]),
        one_of(&["neither", "alice", "bob"]),
    );
    let (game, a, b) = (
        one_of(&["g", "~g"]),
        one_of(&["0", "1", "2"]),
        one_of(&["0", "1", "2"]),
    );
    let asked: &[&str] = match objective {
        "energy" => &["f", "outcome", "credit"],
        _ => &["f", "f", "outcome"],
    };
    let query = match one_of(asked).as_str() {
        "f" => format!("f({game}, 0..{a})"),
        "credit" => format!("credit({game}, {a}{}, {b}{})", star[0], star[1]),
        _ => format!("({game})({a}{}, {b}{})", star[0], star[1]),
    };
    let energy = match objective {
        "energy" => one_of(&[", energy: 1", "", ", energy: 5/2"]),
        _ => String::new(),
    };
    format!(
        "{query} using {{ objective: {objective}{energy}, ties: {ties}, winner: {winner}, draws: {draws} }}"
    )
}

#[test]
fn random_graphs_with_objectives_and_chips() {
    for objective in ["buchi", "parity", "mean_payoff", "energy"] {
        let mut tally = Tally::default();
        let cases = (graphs(GraphShape::SMALL), 0..u64::MAX);
        for_all(share(300), cases, |(graph, seed)| {
            let mut dice = dice(seed);
            let source = marked(&graph, &mut dice, objective);
            let question = question_in_chips(&mut dice, objective);
            let Some(certificate) = tally.ask(&source, &question) else {
                return;
            };
            // The set of another player, or fewer members, proves nothing.
            for (from, to) in [
                ("\"forces\"", "\"unprevented\""),
                ("\"unprevented\"", "\"forces\""),
            ] {
                let text = certificate.to_string();
                if text.contains(from) {
                    let mutant =
                        serde_json::from_str(&text.replacen(from, to, 1)).expect("it is JSON");
                    assert!(!proved(&mutant), "{question}\n{source}");
                }
            }
        });
        println!("{objective}: {tally:#?}");
        let count: usize = tally.proved.values().sum();
        assert!(count >= share(250), "{objective}: {tally:#?}");
        for kind in ["f ", "outcome alice", "outcome bob", "credit "] {
            let is_asked = kind != "credit " || objective == "energy";
            let enough = !is_asked
                || tally
                    .proved
                    .get(kind)
                    .is_some_and(|count| *count >= share(20));
            assert!(enough, "{objective} {kind}: {tally:#?}");
        }
    }
}

/// Changes every number of some certificates.
#[test]
fn changed_promises_are_rejected_unless_they_are_kept() {
    let (mut rejected, mut still) = (0, 0);
    let (mut dice, mut graphs) = (dice(1_618), samples(graphs(GraphShape::SMALL)));
    for objective in ["buchi", "parity", "mean_payoff"] {
        let mut certificates = 0;
        while certificates < share(12) {
            let graph = graphs.next().expect("there is no end of them");
            let source = marked(&graph, &mut dice, objective);
            let question = question(&mut dice, objective);
            let Some(Ok(certificate)) = certified(&source, &question) else {
                continue;
            };
            let certificate = json(&certificate);
            let exact = certificate["claim"]["R"]["answer"]
                .as_str()
                .unwrap_or("1/2");
            if ["0", "1"].contains(&exact) && certificates % 2 == 0 {
                continue;
            }
            certificates += 1;
            assert!(
                proved(&certificate) && holds(&certificate),
                "{question}\n{source}"
            );
            let mut places = Vec::new();
            for part in ["/claim", "/proof", "/game"] {
                let whole = certificate.pointer(part).expect("a part");
                super::changes::leaves(whole, &mut Vec::new(), &mut |path, leaf| {
                    places.push((format!("{part}{path}"), leaf.clone()));
                });
            }
            for (path, leaf) in places {
                for other in nudged(&leaf) {
                    let mut mutant = certificate.clone();
                    *mutant.pointer_mut(&path).expect("the path leads there") = other.clone();
                    let coin = path == "/claim/P/coin";
                    let right = !path.starts_with("/game") && !coin && holds(&mutant);
                    assert_eq!(
                        proved(&mutant),
                        right,
                        "{question}\n{source}\n{path}: {leaf} -> {other}"
                    );
                    if right { still += 1 } else { rejected += 1 }
                }
            }
        }
    }
    println!("{rejected} rejected, {still} still true");
    assert!(
        rejected > share(2_000) && still > share(10),
        "{rejected} rejected, {still} still true"
    );
}

/// Checks that potentials prove nothing about priorities: constant ones would give Alice every game
/// in which a mean of 0 is her win.
#[test]
fn priorities_are_not_proved_by_potentials() {
    for (objective, mark) in [("parity", "priority 1: 0"), ("buchi", "accepting: 1")] {
        let source = format!("game g = graph {{\n start 0\n both 0 -> 0\n {mark}\n}}\n");
        let question = format!("R(g) using {{ objective: {objective}, draws: alice }}");
        let certificate = certified(&source, &question).expect("an answer");
        let mut forged = json(&certificate.expect("a certificate"));
        assert!(proved(&forged), "{question}");
        assert_eq!(forged["claim"]["R"]["answer"], "1", "{question}");
        let level = serde_json::json!(["0"]);
        forged["claim"]["R"]["answer"] = "0".into();
        forged["proof"] = serde_json::json!({ "means": {
            "low": level, "high": level, "low_potentials": level, "high_potentials": level,
        } });
        assert!(!proved(&forged), "{question}");
    }
}

/// A certificate as this test reads it.
struct Read {
    moves: [Vec<Vec<usize>>; 2],
    /// Bob's share of the value at endings.
    worth: Vec<Option<BigRational>>,
    priorities: Option<Vec<i64>>,
    weights: Option<[Vec<Vec<BigRational>>; 2]>,
    chooses: bool,
    /// `true` if a mean of 0 is a win of Alice.
    level: bool,
    tax: BigRational,
    coin: Option<BigRational>,
}

fn fractions(value: &Value) -> Vec<BigRational> {
    value
        .as_array()
        .expect("a list")
        .iter()
        .map(fraction)
        .collect()
}

fn numbers(value: &Value) -> Vec<i64> {
    value
        .as_array()
        .expect("a list")
        .iter()
        .map(|number| number.as_i64().expect("a number"))
        .collect()
}

impl Read {
    fn of(certificate: &Value) -> Self {
        let (game, rules) = (&certificate["game"], &certificate["rules"]);
        let moves = ["alice", "bob"].map(|player| -> Vec<Vec<usize>> {
            let rows = game[player].as_array().expect("rows").iter();
            rows.map(|row| {
                numbers(row)
                    .into_iter()
                    .map(|to| usize::try_from(to).expect("listed"))
                    .collect()
            })
            .collect()
        });
        let level = rules["draws"] == "alice";
        let mut worth = vec![None; moves[0].len()];
        let draw = if level {
            BigRational::zero()
        } else {
            BigRational::one()
        };
        for (name, value) in [
            ("alice", BigRational::zero()),
            ("bob", BigRational::one()),
            ("draw", draw),
        ] {
            for position in numbers(&game["over"][name]) {
                worth[usize::try_from(position).expect("listed")] = Some(value.clone());
            }
        }
        let weights = game.get("weights").map(|weights| {
            ["alice", "bob"].map(|player| {
                weights[player]
                    .as_array()
                    .expect("rows")
                    .iter()
                    .map(fractions)
                    .collect()
            })
        });
        let tax = match rules["pay"].as_str().expect("a word") {
            "richman" => BigRational::zero(),
            "poorman" => BigRational::one(),
            taxman => taxman
                .trim_start_matches("taxman(")
                .trim_end_matches(')')
                .parse()
                .expect("a fraction"),
        };
        let coin = certificate["claim"]
            .get("P")
            .map(|claim| fraction(&claim["coin"]));
        let priorities = game.get("priorities").map(numbers);
        Self {
            moves,
            worth,
            priorities,
            weights,
            chooses: rules["winner"] == "chooses",
            level,
            tax,
            coin,
        }
    }

    /// Returns the moves among which the winner of a turn chooses, by the player who makes them;
    /// each with its value.
    fn options<T: Clone>(
        &self,
        v: usize,
        winner: usize,
        of: impl Fn(usize, usize) -> T,
    ) -> Vec<(usize, Vec<T>)> {
        let may =
            |mover: &usize| self.chooses || *mover == winner || self.moves[winner][v].is_empty();
        let movers = [0, 1]
            .into_iter()
            .filter(|mover| !self.moves[*mover][v].is_empty())
            .filter(may);
        movers
            .map(|mover| {
                (
                    mover,
                    (0..self.moves[mover][v].len())
                        .map(|index| of(mover, index))
                        .collect(),
                )
            })
            .collect()
    }

    /// Returns the value of a turn that one player wins; Alice prefers less.
    fn turn(&self, values: &[BigRational], v: usize, winner: usize) -> BigRational {
        let pick = |by: usize, all: Vec<BigRational>| {
            if by == 0 {
                all.into_iter().min()
            } else {
                all.into_iter().max()
            }
            .expect("an option")
        };
        let options = self.options(v, winner, |mover, index| {
            values[self.moves[mover][v][index]].clone()
        });
        pick(
            winner,
            options
                .into_iter()
                .map(|(mover, all)| pick(mover, all))
                .collect(),
        )
    }

    fn law(&self, values: &[BigRational], v: usize) -> BigRational {
        if let Some(worth) = &self.worth[v] {
            return worth.clone();
        }
        let (low, high) = (self.turn(values, v, 0), self.turn(values, v, 1));
        let (one, t) = (BigRational::one(), &self.tax);
        match &self.coin {
            Some(coin) => coin * low + (one - coin) * high,
            None => (&high + (&one - t) * &low) / (&one + &one - t + t * (&high - &low)),
        }
    }

    /// Returns the best outcome of a turn for a player, among the moves that keep the value; the
    /// smallest is the player's best.
    fn kept<T: Ord + Clone>(
        &self,
        values: &[BigRational],
        v: usize,
        winner: usize,
        player: usize,
        of: impl Fn(usize, usize) -> T,
    ) -> T {
        let best = self.turn(values, v, winner);
        let pick = |by: usize, all: Vec<T>| {
            if by == player {
                all.into_iter().min()
            } else {
                all.into_iter().max()
            }
        };
        let options = self.options(v, winner, |mover, index| {
            (values[self.moves[mover][v][index]] == best).then(|| of(mover, index))
        });
        // A mover whose best move does not have the value of the turn is not chosen.
        let of_mover = |(mover, all): (usize, Vec<Option<T>>)| {
            let own = self.moves[mover][v].iter().map(|to| &values[*to]);
            let own = if mover == 0 { own.min() } else { own.max() };
            if own == Some(&best) {
                pick(mover, all.into_iter().flatten().collect())
            } else {
                None
            }
        };
        pick(winner, options.into_iter().filter_map(of_mover).collect()).expect("a best move")
    }

    /// Returns `true` if a position needs a rank or a potential of a player.
    fn is_level(&self, values: &[BigRational], v: usize, player: usize) -> bool {
        let silent = if player == 0 {
            values[v].is_one()
        } else {
            values[v].is_zero()
        };
        self.worth[v].is_none()
            && !silent
            && [0, 1]
                .iter()
                .all(|winner| self.turn(values, v, *winner) == values[v])
    }

    /// Returns the priority of a position, which is odd if it is bad for a player.
    fn priority(&self, v: usize, player: usize) -> i64 {
        match self.priorities.as_ref().map(|priorities| priorities[v]) {
            None | Some(-1) => 4_294_967_295,
            Some(priority) => priority + i64::try_from(player).expect("small"),
        }
    }

    fn bad(&self, player: usize) -> Vec<i64> {
        let open = (0..self.worth.len()).filter(|v| self.worth[*v].is_none());
        let mut bad: Vec<i64> = open
            .map(|v| self.priority(v, player))
            .filter(|priority| priority % 2 == 1)
            .collect();
        bad.sort_unstable_by(|a, b| b.cmp(a));
        bad.dedup();
        bad
    }

    /// Returns `true` if the ranks of a player are the least that follow.
    fn ranks_hold(&self, values: &[BigRational], rows: &[Vec<i64>], player: usize) -> bool {
        let bad = self.bad(player);
        let rank = |v: usize| {
            if rows[v].is_empty() {
                vec![0; bad.len()]
            } else {
                rows[v].clone()
            }
        };
        (0..rows.len()).all(|v| {
            if !self.is_level(values, v, player) {
                return rows[v].is_empty();
            }
            if rows[v].len() != bad.len() {
                return false;
            }
            let lead = |winner: usize| {
                self.kept(values, v, winner, player, |mover, i| {
                    rank(self.moves[mover][v][i])
                })
            };
            let (own, other) = (lead(player), lead(1 - player));
            let allowed =
                |mine: &[i64]| self.allows(mine, &own, &other, self.priority(v, player), &bad);
            let most = i64::try_from(rows.len()).expect("small");
            // No smaller rank is allowed. It is enough to try those that differ first at each
            // place.
            let lesser = (0..bad.len()).any(|place| {
                let mut tried = rows[v].clone();
                tried[place] -= 1;
                tried[place + 1..].fill(most);
                tried[place] >= 0 && allowed(&tried)
            });
            allowed(&rows[v]) && !lesser && rows[v].iter().all(|number| (0..=most).contains(number))
        })
    }

    /// Returns `true` if a rank is large enough before two others.
    fn allows(&self, mine: &[i64], own: &[i64], other: &[i64], priority: i64, bad: &[i64]) -> bool {
        let above = bad.iter().filter(|bad| **bad > priority).count();
        let at_least =
            |count: usize| mine[..count] >= own[..count] && mine[..count] >= other[..count];
        let lucky = if self.coin.is_some() {
            own.min(other)
        } else {
            own
        };
        priority % 2 == 0 && at_least(above)
            || (0..bad.len()).any(|d| bad[d] >= priority && at_least(d) && mine[..=d] > lucky[..=d])
    }

    fn potentials_hold(
        &self,
        values: &[BigRational],
        potentials: &[BigRational],
        player: usize,
    ) -> bool {
        let weights = self.weights.as_ref().expect("weights");
        let sign = |height: BigRational| if player == 0 { -height } else { height };
        (0..values.len())
            .filter(|v| self.is_level(values, *v, player))
            .all(|v| {
                let lead = |winner: usize| {
                    self.kept(values, v, winner, player, |mover, i| {
                        sign(&potentials[self.moves[mover][v][i]] + &weights[mover][v][i])
                    })
                };
                let (own, other) = (lead(player), lead(1 - player));
                let half = BigRational::new(1.into(), 2.into());
                let share = self.coin.clone().unwrap_or(half);
                let share = if player == 0 {
                    share
                } else {
                    BigRational::one() - share
                };
                let mean = if self.coin.is_none() && own > other {
                    own
                } else {
                    &share * own + (BigRational::one() - &share) * other
                };
                let before = sign(potentials[v].clone());
                mean < before || mean == before && self.level == (player == 0)
            })
    }

    fn likes_to_win(&self, low: &[BigRational], high: &[BigRational], v: usize) -> bool {
        let ordered = (0..low.len()).all(|v| {
            self.moves
                .iter()
                .flat_map(|moves| &moves[v])
                .all(|to| *to > v)
        });
        let alice = self.moves[0][v].iter().map(|to| &high[*to]).min();
        let bob = self.moves[1][v].iter().map(|to| &low[*to]).max();
        let common = self.moves[0][v]
            .iter()
            .any(|to| self.moves[1][v].contains(to));
        alice
            .zip(bob)
            .is_none_or(|(alice, bob)| common || alice < bob || ordered && alice == bob)
    }
}

/// Returns `true` if the proof of an objective proves the claim, by an independent implementation
/// of the page on certificates.
pub fn holds(certificate: &Value) -> bool {
    let game = Read::of(certificate);
    let proof = &certificate["proof"];
    let proof = proof.get("endless").unwrap_or(&proof["means"]);
    let [low, high] = ["low", "high"].map(|name| fractions(&proof[name]));
    let inside = (0..low.len()).all(|v| {
        low[v] >= BigRational::zero() && low[v] <= high[v] && high[v] <= BigRational::one()
    });
    let follow = (0..low.len()).all(|v| match &game.worth[v] {
        Some(worth) => low[v] == *worth && high[v] == *worth,
        None => low[v] <= game.law(&low, v) && high[v] >= game.law(&high, v),
    });
    let likes = game.chooses
        || game.coin.is_some()
        || (0..low.len()).all(|v| game.likes_to_win(&low, &high, v));
    let claim = &certificate["claim"];
    let claimed = if let Some(exact) = claim.get("R") {
        fraction(&exact["answer"]) == low[0] && low[0] == high[0]
    } else if let Some(chance) = claim.get("P") {
        BigRational::one() - fraction(&chance["answer"]) == low[0] && low[0] == high[0]
    } else {
        let [least, most] = ["low", "high"].map(|name| fraction(&claim["between"][name]));
        least < most && least <= low[0] && high[0] <= most
    };
    let promises = || {
        [("high", &high, 0), ("low", &low, 1)]
            .into_iter()
            .all(|(name, values, player)| {
                if game.priorities.is_some() {
                    let rows: Vec<Vec<i64>> = proof[format!("{name}_ranks")]
                        .as_array()
                        .expect("rows")
                        .iter()
                        .map(numbers)
                        .collect();
                    game.ranks_hold(values, &rows, player)
                } else {
                    game.potentials_hold(
                        values,
                        &fractions(&proof[format!("{name}_potentials")]),
                        player,
                    )
                }
            })
    };
    inside && follow && likes && claimed && promises()
}
