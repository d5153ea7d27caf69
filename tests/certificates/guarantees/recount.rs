//! Decides whether guarantees prove the claim, by an independent implementation of the page on
//! certificates.

use std::collections::{BTreeMap, BTreeSet};

use num_rational::BigRational;
use num_traits::{One, Zero};
use serde_json::Value;

use super::fraction;

/// A position with both players' chips and the holder of the tie status (2: nobody).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    position: usize,
    chips: [i64; 2],
    holder: usize,
}

/// A bound with a rank.
type Prospect = (BigRational, i64);

struct Guarantee {
    bound: BigRational,
    bids: Vec<BigRational>,
    rank: i64,
}

struct Game<'c> {
    certificate: &'c Value,
    moves: [Vec<Vec<usize>>; 2],
    worth: BTreeMap<usize, BigRational>,
    turns: BTreeMap<Place, [Guarantee; 2]>,
}

fn player(name: &Value) -> Option<usize> {
    match name.as_str() {
        Some("alice") => Some(0),
        Some("bob") => Some(1),
        _ => None,
    }
}

fn place(position: usize, purses: &Value) -> Option<Place> {
    let chips = [purses["alice"].as_i64()?, purses["bob"].as_i64()?];
    let holder = if purses["holder"].is_null() {
        2
    } else {
        player(&purses["holder"])?
    };
    (chips.iter().all(|chips| *chips >= 0)).then_some(Place {
        position,
        chips,
        holder,
    })
}

fn guarantee(value: &Value) -> Option<Guarantee> {
    let bids = value["bids"]
        .as_array()?
        .iter()
        .map(fraction)
        .collect::<Option<Vec<_>>>()?;
    Some(Guarantee {
        bound: fraction(&value["bound"])?,
        bids,
        rank: value["rank"].as_i64()?,
    })
}

impl<'c> Game<'c> {
    fn of(certificate: &'c Value) -> Option<Self> {
        let rows = |name: &str| -> Option<Vec<Vec<usize>>> {
            let row = |row: &Value| {
                row.as_array()?
                    .iter()
                    .map(|to| to.as_u64()?.try_into().ok())
                    .collect()
            };
            certificate["game"][name]
                .as_array()?
                .iter()
                .map(row)
                .collect()
        };
        let mut game = Self {
            certificate,
            moves: [rows("alice")?, rows("bob")?],
            worth: BTreeMap::new(),
            turns: BTreeMap::new(),
        };
        let draw = match game.rule("draws") {
            "alice" => BigRational::one(),
            "half" => BigRational::new(1.into(), 2.into()),
            _ => BigRational::zero(),
        };
        for (name, worth) in [
            ("alice", BigRational::one()),
            ("bob", BigRational::zero()),
            ("draw", draw),
        ] {
            for position in certificate["game"]["over"][name].as_array()? {
                game.worth
                    .insert(position.as_u64()?.try_into().ok()?, worth.clone());
            }
        }
        let mut before = None;
        for turn in certificate["proof"]["guarantees"].as_array()? {
            let at = place(turn["position"].as_u64()?.try_into().ok()?, &turn["purses"])?;
            if Some(at) <= before
                || at.position >= game.moves[0].len()
                || game.worth.contains_key(&at.position)
            {
                return None;
            }
            before = Some(at);
            game.turns
                .insert(at, [guarantee(&turn["alice"])?, guarantee(&turn["bob"])?]);
        }
        Some(game)
    }

    fn rule(&self, name: &str) -> &'c str {
        self.certificate["rules"][name].as_str().unwrap_or_default()
    }

    /// Returns the players who can win, and the one who chooses among them; `None` is a coin.
    fn winners(&self, at: Place, [x, y]: [i64; 2]) -> (Vec<usize>, Option<usize>) {
        match self.rule("ties") {
            _ if x != y => (vec![usize::from(y > x)], Some(0)),
            "advantage" => (vec![0, 1], Some(at.holder)),
            "ladies_first" => (vec![0], Some(0)),
            "gentlemen_first" => (vec![1], Some(0)),
            "richer" => (vec![usize::from(at.chips[1] > at.chips[0])], Some(0)),
            "coin" => (vec![0, 1], None),
            _ => (vec![at.holder], Some(0)),
        }
    }

    /// Returns the place after a bid, before a move.
    fn next(&self, at: Place, [x, y]: [i64; 2], winner: usize) -> Place {
        let Place { chips, holder, .. } = at;
        let paid = if self.rule("pay") == "all_pay" {
            [y, x]
        } else {
            [0, 0]
        };
        let chips = [chips[0] - x + paid[0], chips[1] - y + paid[1]];
        let holder = match self.rule("ties") {
            _ if holder == 2 => 2,
            "make_it_take_it" => winner,
            "losers_ball" => 1 - winner,
            "advantage" | "marker" if x == y && winner == holder => 1 - holder,
            _ => holder,
        };
        Place {
            chips,
            holder,
            ..at
        }
    }

    /// Returns the moves after a bid, by the player who makes them.
    fn moves(&self, position: usize, winner: usize) -> Vec<(usize, &[usize])> {
        let able = [0, 1]
            .into_iter()
            .filter(|mover| !self.moves[*mover][position].is_empty());
        let must = self.rule("winner") == "moves" && !self.moves[winner][position].is_empty();
        able.filter(|mover| !must || *mover == winner)
            .map(|mover| (mover, &self.moves[mover][position][..]))
            .collect()
    }

    fn prospect(&self, at: Place, player: usize) -> Option<Prospect> {
        match self.worth.get(&at.position) {
            Some(worth) => Some((worth.clone(), 0)),
            None => self
                .turns
                .get(&at)
                .map(|both| (both[player].bound.clone(), both[player].rank)),
        }
    }

    /// Returns the prospect that a chooser picks among some prospects of a player.
    fn picked(all: Vec<Prospect>, chooser: usize, player: usize) -> Option<Prospect> {
        // A smaller key is better.
        let key = |(bound, rank): &Prospect| {
            (
                if player == 0 {
                    -bound.clone()
                } else {
                    bound.clone()
                },
                *rank,
            )
        };
        if chooser == player {
            all.into_iter().min_by_key(key)
        } else {
            all.into_iter().max_by_key(key)
        }
    }

    /// Returns the prospects of a player after a pair of bids.
    fn outcomes(&self, at: Place, bids: [i64; 2], player: usize) -> Option<Vec<Prospect>> {
        let (winners, chooser) = self.winners(at, bids);
        let wins = |winner: &usize| {
            let next = self.next(at, bids, *winner);
            let sides = self
                .moves(at.position, *winner)
                .into_iter()
                .map(|(mover, heads)| {
                    let all = heads
                        .iter()
                        .map(|&position| self.prospect(Place { position, ..next }, player));
                    Self::picked(all.collect::<Option<Vec<_>>>()?, mover, player)
                });
            Self::picked(sides.collect::<Option<Vec<_>>>()?, *winner, player)
        };
        let all = winners.iter().map(wins).collect::<Option<Vec<_>>>()?;
        match chooser {
            Some(chooser) => Self::picked(all, chooser, player).map(|one| vec![one]),
            None => Some(all),
        }
    }

    /// Returns `true` if the guarantee of a turn follows from those of its successors.
    fn follows(&self, at: Place, player: usize) -> Option<bool> {
        let own = &self.turns[&at][player];
        let sum: BigRational = own.bids.iter().sum();
        let mixed = sum.is_one()
            && own.bids.iter().all(|bid| *bid >= BigRational::zero())
            && own.bids.last().is_some_and(|last| !last.is_zero())
            && i64::try_from(own.bids.len()).ok()? <= at.chips[player] + 1;
        if !mixed || own.bound < BigRational::zero() || own.bound > BigRational::one() {
            return Some(false);
        }
        let endless = match self.rule("draws") {
            "alice" => BigRational::one(),
            "bob" => BigRational::zero(),
            "half" => BigRational::new(1.into(), 2.into()),
            _ => BigRational::from_integer(player.into()),
        };
        let mut greatest = 0;
        for other in 0..=at.chips[1 - player] {
            let (mut mean, mut step) = (BigRational::zero(), i64::MAX);
            for (bid, share) in (0..).zip(&own.bids).filter(|(_, share)| !share.is_zero()) {
                let bids = if player == 0 {
                    [bid, other]
                } else {
                    [other, bid]
                };
                let outcomes = self.outcomes(at, bids, player)?;
                let share = share / BigRational::from_integer(outcomes.len().into());
                for (bound, rank) in outcomes {
                    step = step.min(if bound == own.bound { rank } else { 0 });
                    mean += &share * bound;
                }
            }
            if if player == 0 {
                mean < own.bound
            } else {
                mean > own.bound
            } {
                return Some(false);
            }
            greatest = greatest.max(step);
        }
        let better = if player == 0 {
            own.bound > endless
        } else {
            own.bound < endless
        };
        Some(own.rank == if better { greatest + 1 } else { -1 })
    }

    /// Returns the turns that play can reach.
    fn reached(&self, start: Place) -> BTreeSet<Place> {
        let (mut reached, mut open) = (BTreeSet::from([start]), vec![start]);
        while let Some(at) = open
            .pop()
            .filter(|at| self.turns.contains_key(at) || self.worth.contains_key(&at.position))
        {
            if self.worth.contains_key(&at.position) {
                continue;
            }
            for (x, y) in (0..=at.chips[0]).flat_map(|x| (0..=at.chips[1]).map(move |y| (x, y))) {
                for winner in self.winners(at, [x, y]).0 {
                    let next = self.next(at, [x, y], winner);
                    let heads = self
                        .moves(at.position, winner)
                        .into_iter()
                        .flat_map(|(_, heads)| heads.iter());
                    let places: Vec<Place> =
                        heads.map(|&position| Place { position, ..next }).collect();
                    open.extend(places.into_iter().filter(|at| reached.insert(*at)));
                }
            }
        }
        reached
            .into_iter()
            .filter(|at| !self.worth.contains_key(&at.position))
            .collect()
    }
}

/// Returns `true` if the guarantees of a certificate prove its claim.
pub fn holds(certificate: &Value) -> bool {
    let Some(game) = Game::of(certificate) else {
        return false;
    };
    let claim = certificate["claim"]
        .as_object()
        .and_then(|claim| claim.iter().next());
    let Some((kind, claim)) = claim else {
        return false;
    };
    let Some(start) = place(0, &claim["purses"]) else {
        return false;
    };
    let Some([alice, bob]) = game.turns.get(&start) else {
        return false;
    };
    let bids = |name: &str| {
        claim[name]
            .as_array()
            .and_then(|bids| bids.iter().map(fraction).collect::<Option<Vec<_>>>())
    };
    let bounds = fraction(&claim["low"]).as_ref() == Some(&alice.bound)
        && fraction(&claim["high"]).as_ref() == Some(&bob.bound);
    let mixed = kind == "bounds"
        || bids("alice").as_ref() == Some(&alice.bids) && bids("bob").as_ref() == Some(&bob.bids);
    bounds
        && mixed
        && game.reached(start).iter().eq(game.turns.keys())
        && game.turns.keys().all(|at| {
            [0, 1]
                .iter()
                .all(|player| game.follows(*at, *player) == Some(true))
        })
}
