//! The page on promises once more: which of them prove their claims.

use num_rational::BigRational;
use num_traits::{One, Zero};
use serde_json::Value;

use super::bounds::fraction;

/// A certificate as this test reads it.
struct Read {
    moves: [Vec<Vec<usize>>; 2],
    /// Bob's share of the value at endings.
    worth: Vec<Option<BigRational>>,
    priorities: Option<Vec<i64>>,
    weights: Option<[Vec<Vec<BigRational>>; 2]>,
    chooses: bool,
    /// The value of a draw.
    draw: BigRational,
    /// `true` if every move leads to a greater number.
    ordered: bool,
    /// `true` if the winner of infinite play depends on it.
    endless: bool,
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
        let mut worth = vec![None; moves[0].len()];
        let draw = match rules["draws"].as_str().expect("a word") {
            "alice" => BigRational::zero(),
            "half" => BigRational::new(1.into(), 2.into()),
            _ => BigRational::one(),
        };
        let ordered =
            (0..worth.len()).all(|v| moves.iter().flat_map(|moves| &moves[v]).all(|to| *to > v));
        for (name, value) in [
            ("alice", BigRational::zero()),
            ("bob", BigRational::one()),
            ("draw", draw.clone()),
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
            draw,
            ordered,
            endless: rules.get("objective").is_some(),
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
            // This is the law of taxman bidding, with Richman bidding for t = 0 and poorman for t =
            // 1.
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

    /// Returns `true` if a player can win a turn.
    fn falls(&self, player: usize) -> bool {
        self.coin.as_ref().is_none_or(|coin| {
            if player == 0 {
                !coin.is_zero()
            } else {
                !coin.is_one()
            }
        })
    }

    /// Returns `true` if a position needs a rank or a potential of a player.
    fn is_level(&self, values: &[BigRational], v: usize, player: usize) -> bool {
        let endless = match (self.endless, player) {
            (false, _) => self.draw.clone(),
            (true, 0) => BigRational::one(),
            (true, _) => BigRational::zero(),
        };
        let silent = if player == 0 {
            values[v] >= endless
        } else {
            values[v] <= endless
        };
        !self.ordered
            && self.worth[v].is_none()
            && !silent
            && [0, 1]
                .iter()
                .all(|winner| !self.falls(*winner) || self.turn(values, v, *winner) == values[v])
    }

    /// Returns the priority of a position, which is odd if it is bad for a player.
    fn priority(&self, v: usize, player: usize) -> i64 {
        match self.priorities.as_ref().map(|priorities| priorities[v]) {
            // A position without a priority counts as the worst for either player, which is odd.
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
            let (own, other) = match [player, 1 - player].map(|winner| self.falls(winner)) {
                [true, true] => (lead(player), lead(1 - player)),
                [true, false] => (lead(player), lead(player)),
                _ => (lead(1 - player), lead(1 - player)),
            };
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
        let lucky = if self.coin.is_some() || !self.endless {
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
                mean < before || mean == before && self.draw.is_zero() == (player == 0)
            })
    }

    /// Returns `true` if pairs are closed under best moves, and the best moves of the two players
    /// have bounds that do not touch.
    fn mirrors(&self, low: &[BigRational], high: &[BigRational], pairs: &[Value]) -> bool {
        let read = |pair: &Value| Some((pair[0].as_u64()? as usize, pair[1].as_u64()? as usize));
        // A forged certificate may hold anything here.
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
        let alice = self.moves[0][v].iter().map(|to| &high[*to]).min();
        let bob = self.moves[1][v].iter().map(|to| &low[*to]).max();
        let common = self.moves[0][v]
            .iter()
            .any(|to| self.moves[1][v].contains(to));
        alice
            .zip(bob)
            .is_none_or(|(alice, bob)| common || alice < bob || self.ordered && alice == bob)
    }
}

/// Returns `true` if the proof of an objective proves the claim, by an independent implementation
/// of the page on certificates.
pub fn holds(certificate: &Value) -> bool {
    let game = Read::of(certificate);
    let proof = &certificate["proof"];
    let proof = &proof["promises"];
    let high = fractions(&proof["high"]);
    let low = proof.get("low").map_or_else(|| high.clone(), fractions);
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
    let half = BigRational::new(1.into(), 2.into());
    let claimed = if let Some(pairs) = proof.get("mirror") {
        let pairs = pairs.as_array().expect("a list");
        !game.endless
            && claim
                .get("R")
                .is_some_and(|exact| fraction(&exact["answer"]) == half)
            && game.mirrors(&low, &high, pairs)
    } else if let Some(exact) = claim.get("R") {
        fraction(&exact["answer"]) == low[0] && low[0] == high[0]
    } else if let Some(chance) = claim.get("P") {
        BigRational::one() - fraction(&chance["answer"]) == low[0] && low[0] == high[0]
    } else {
        let [least, most] = ["low", "high"].map(|name| fraction(&claim["between"][name]));
        least < most && least <= low[0] && high[0] <= most
    };
    let promises = || {
        [("alice", &high, 0), ("bob", &low, 1)]
            .into_iter()
            .all(|(name, values, player)| {
                let level = (0..values.len()).any(|v| game.is_level(values, v, player));
                let Some(progress) = proof.get(name) else {
                    return !level;
                };
                match progress.get("ranks") {
                    Some(rows) if game.weights.is_none() => {
                        let rows: Vec<Vec<i64>> =
                            rows.as_array().expect("rows").iter().map(numbers).collect();
                        level && game.ranks_hold(values, &rows, player)
                    }
                    Some(_) => false,
                    None => {
                        let potentials = fractions(&progress["potentials"]);
                        level
                            && game.weights.is_some()
                            && game.potentials_hold(values, &potentials, player)
                    }
                }
            })
    };
    inside && follow && likes && claimed && promises()
}
