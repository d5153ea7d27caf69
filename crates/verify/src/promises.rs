//! Checks promises: bounds of each position's value under real-valued bids and random turns, with
//! the progress that the players make where play could go on for ever at one bound. The section
//! "Promises" of `docs/certificates.md` describes the check and proves that it suffices.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::listing::{CertifiedMove, least_for};
use super::{CertifiedGraph, Checked, malformed, unproved};
use crate::convert::fit;
use crate::format::{Fraction, Progress, PromisesProof, Rows};
use crate::player::{Ending, Player};
use crate::rules::{Draws, Objective, Winner};

/// The priority of a position without one, which is the worst for either player.
const WORST: u32 = u32::MAX;

/// The law by which the value of a position follows from lo and hi.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueLaw {
    /// Bidding, with this part of the winning bid going to the bank.
    Taxed(BigRational),
    /// A coin that falls for Alice with this probability.
    Tossed(BigRational),
}

/// The game and the law to which the listed values belong.
#[derive(Clone)]
pub struct ValueTheory<'c> {
    /// The positions.
    pub graph: &'c CertifiedGraph<'c>,
    /// The law by which values follow from each other.
    pub law: ValueLaw,
    /// The value of a draw.
    draw: BigRational,
}

impl<'c> ValueTheory<'c> {
    /// Creates the theory for a game and a law.
    pub fn new(graph: &'c CertifiedGraph<'c>, law: ValueLaw) -> Self {
        // A value is Bob's part, and what is a win for neither is no loss to him.
        let draw = BigRational::one() - graph.draw_worth().unwrap_or_default();
        Self { graph, law, draw }
    }

    /// Returns `true` if part of a bid goes to the bank.
    fn is_taxed(&self) -> bool {
        matches!(&self.law, ValueLaw::Taxed(part) if !part.is_zero())
    }

    /// Returns `true` if a player can win a turn.
    fn falls(&self, player: Player) -> bool {
        match (&self.law, player) {
            (ValueLaw::Taxed(_), _) => true,
            (ValueLaw::Tossed(p), Player::Alice) => !p.is_zero(),
            (ValueLaw::Tossed(p), Player::Bob) => !p.is_one(),
        }
    }

    /// Computes the value of a position at which one player's win of the turn leads to `low` and
    /// the other's to `high`.
    fn value(&self, low: &BigRational, high: &BigRational) -> BigRational {
        let one = BigRational::one();
        match &self.law {
            ValueLaw::Tossed(p) => low * p + high * (one - p),
            ValueLaw::Taxed(t) if t.is_zero() => (low + high) / BigRational::from_integer(2.into()),
            ValueLaw::Taxed(t) => {
                // Where a player may want to lose, which is not accepted, there must be a result too.
                let (low, high) = (low.min(high), low.max(high));
                let below = &one + &one - t + t * (high - low);
                (high + (one - t) * low) / below
            }
        }
    }

    /// Computes the value that a position must have, from the values of those that follow.
    pub fn value_at(&self, values: &[Fraction], position: usize) -> BigRational {
        match self.graph.ending(position) {
            Some(Ending::Win(Player::Alice)) => BigRational::zero(),
            Some(Ending::Win(Player::Bob)) => BigRational::one(),
            Some(Ending::Draw) => self.draw.clone(),
            None => {
                let [low, high] = Player::both(|winner| self.won(values, position, winner));
                self.value(&low.0, &high.0)
            }
        }
    }

    /// Returns the value that the winner of a turn reaches.
    fn won<'v>(&self, values: &'v [Fraction], position: usize, winner: Player) -> &'v Fraction {
        self.graph
            .turn(position, winner, |to| &values[to.to], Ord::cmp)
    }

    /// Returns `true` if a bound follows from those of the next positions. Alice guarantees upper
    /// bounds, Bob lower ones.
    pub fn holds(&self, values: &[Fraction], player: Player, position: usize) -> bool {
        let (own, made) = (&values[position].0, self.value_at(values, position));
        match player {
            _ if self.graph.ending(position).is_some() => *own == made,
            Player::Alice => *own >= made,
            Player::Bob => *own <= made,
        }
    }

    /// Accepts a position at which nobody would rather lose the bid, if its winner must move. Lower
    /// and upper bounds of the values prove this if Alice's least upper bound is below Bob's
    /// greatest lower one (or equal, if play ends), or if both players share a move.
    pub fn nobody_wants_to_lose<'v>(
        &self,
        low: &'v [Fraction],
        high: &'v [Fraction],
        position: usize,
    ) -> Checked<()> {
        let best = |values: &'v [Fraction], player| {
            let of = |to: CertifiedMove| &values[to.to];
            self.graph.best(position, player, of, Ord::cmp)
        };
        let both = best(high, Player::Alice).zip(best(low, Player::Bob));
        // Only a winner who must move could prefer to lose, and with random turns nobody bids.
        let forced =
            self.graph.rules.winner == Winner::Moves && matches!(self.law, ValueLaw::Taxed(_));
        let Some((least, greatest)) = both.filter(|_| forced) else {
            return Ok(());
        };
        let common = || {
            let [of_alice, of_bob] = Player::both(|player| self.graph.moves(position, player));
            let of_alice: BTreeSet<&i32> = of_alice.iter().collect();
            of_bob.iter().any(|to| of_alice.contains(to))
        };
        if least < greatest || self.graph.ordered && least == greatest || common() {
            return Ok(());
        }
        unproved(format!(
            "at position {position} a player may want to lose the bid, and then must not be made to move"
        ))
    }
}

/// A lower and an upper bound for each position.
#[derive(Clone, Copy)]
pub struct CheckedBounds<'c> {
    /// The theory of the values that are bounded.
    pub theory: &'c ValueTheory<'c>,
    /// The lower bounds, which Bob guarantees.
    pub low: &'c [Fraction],
    /// The upper bounds, which Alice guarantees.
    pub high: &'c [Fraction],
}

/// Checks promises, and returns the bounds of position 0.
pub(super) fn check(theory: &ValueTheory<'_>, proof: &PromisesProof) -> Checked<[BigRational; 2]> {
    let (graph, high) = (theory.graph, &proof.high[..]);
    // Without lower bounds the upper ones are the values.
    let low = proof.low.as_deref().unwrap_or(high);
    if [low.len(), high.len()] != [graph.len(); 2] {
        return malformed("`proof` does not have a bound, or two, for every position");
    }
    let bounds = CheckedBounds { theory, low, high };
    graph.each("checking bounds", |position| bounds.follow(position))?;
    for (player, progress) in [(Player::Alice, &proof.alice), (Player::Bob, &proof.bob)] {
        PlayerBound::new(theory, bounds.of(player), player).check(progress.as_ref())?;
    }
    match &proof.mirror {
        None => Ok([low[0].0.clone(), high[0].0.clone()]),
        Some(pairs) => {
            bounds.mirror(pairs)?;
            Ok([(); 2].map(|()| BigRational::new(1.into(), 2.into())))
        }
    }
}

/// Two positions.
pub type Pair = (usize, usize);

/// The reason why two positions are mirror images.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reflection {
    /// The pairs of successors that must be mirror images. There are none if the bounds are exact.
    pub pairs: Vec<Pair>,
    /// `true` if these pairs must be listed later.
    pub later: bool,
}

impl<'c> CheckedBounds<'c> {
    /// Returns the bounds that a player guarantees.
    fn of(&self, player: Player) -> &'c [Fraction] {
        match player {
            Player::Alice => self.high,
            Player::Bob => self.low,
        }
    }

    /// Accepts a position whose bounds follow from those of its successors.
    pub(super) fn follow(&self, position: usize) -> Checked<()> {
        let (low, high) = (&self.low[position].0, &self.high[position].0);
        if *low < BigRational::zero() || low > high || *high > BigRational::one() {
            return unproved(format!(
                "the bounds of position {position} do not lie between 0 and 1 in this order"
            ));
        }
        self.theory
            .nobody_wants_to_lose(self.low, self.high, position)?;
        // Both bounds are the same slice exactly if no lower ones are given.
        let holds = match std::ptr::eq(self.low, self.high) {
            // Values follow exactly, which one step shows.
            true => *high == self.theory.value_at(self.high, position),
            false => {
                let holds = |player| self.theory.holds(self.of(player), player, position);
                Player::BOTH.into_iter().all(holds)
            }
        };
        if holds {
            return Ok(());
        }
        unproved(format!(
            "a bound of position {position} does not follow from those it leads to"
        ))
    }

    /// Checks that listed pairs are mirror images, and that position 0 is its own.
    fn mirror(&self, pairs: &Rows) -> Checked<()> {
        let graph = self.theory.graph;
        let mut places: HashMap<Pair, usize> = HashMap::new();
        for index in 0..pairs.len() {
            let &[a, b] = pairs.row(index) else {
                return malformed("a row of `mirror` is not a pair");
            };
            let Some(pair) = graph.inside(a).zip(graph.inside(b)) else {
                return malformed("`mirror` names no position");
            };
            if places.insert(pair, index).is_some() {
                return malformed("`mirror` names a pair twice");
            }
        }
        // The claim is that position 0 is its own mirror image.
        if places.get(&(0, 0)) != Some(&0) {
            return malformed("`mirror` does not begin with position 0");
        }
        for (done, (&(a, b), index)) in places.iter().enumerate() {
            graph.look("checking mirror images", done, places.len())?;
            let listed = |pair: &Pair, later: bool| {
                places
                    .get(pair)
                    // Pairs that refer only forwards cannot form a circle.
                    .is_some_and(|place| place > index || !later)
            };
            let shown = self
                .reflect(a, b)
                .is_some_and(|Reflection { pairs, later }| {
                    pairs.iter().all(|pair| listed(pair, later))
                });
            if !shown {
                return unproved(format!(
                    "positions {a} and {b} are not shown to be mirror images"
                ));
            }
        }
        Ok(())
    }

    /// Returns the reason why two positions are mirror images, if they are.
    pub fn reflect(&self, a: usize, b: usize) -> Option<Reflection> {
        let (low, high, graph) = (self.low, self.high, self.theory.graph);
        let shown = |pairs: &[Pair], later| {
            let pairs = pairs.to_vec();
            Some(Reflection { pairs, later })
        };
        if low[a] == high[a] && low[b] == high[b] {
            return shown(&[], false).filter(|_| (&low[a].0 + &low[b].0).is_one());
        }
        if graph.ending(a).or(graph.ending(b)).is_some() {
            return None;
        }
        let best = |position, player| self.surely_best(position, player);
        let can = |position| Player::both(|player| !graph.moves(position, player).is_empty());
        let [alice, bob] = can(a);
        // An image exchanges the players, so that it also exchanges who can move.
        if can(b) != [bob, alice] {
            return None;
        }
        if !(alice && bob) {
            let mover = if alice { Player::Alice } else { Player::Bob };
            return shown(&[(best(a, mover)?, best(b, mover.other())?)], true);
        }
        let (of_alice, of_bob) = (best(a, Player::Alice)?, best(a, Player::Bob)?);
        let apart = high[of_alice] < low[of_bob] || high[of_bob] < low[of_alice];
        let pairs = [
            (of_alice, best(b, Player::Bob)?),
            (of_bob, best(b, Player::Alice)?),
        ];
        shown(&pairs, false).filter(|_| self.theory.is_taxed() && apart)
    }

    /// Finds a move that the bounds prove to be a player's best.
    fn surely_best(&self, position: usize, player: Player) -> Option<usize> {
        let (low, high, graph) = (self.low, self.high, self.theory.graph);
        let of = |to: CertifiedMove| (&self.of(player)[to.to], to.to);
        let (_, best) = graph.best(position, player, of, |a, b| a.0.cmp(b.0))?;
        let no_better = |other: usize| match player {
            Player::Alice => high[best] <= low[other],
            Player::Bob => high[other] <= low[best],
        };
        let moves = graph.moves(position, player).iter();
        let mut moves = moves.map(|to| fit::<usize>(*to));
        moves
            .all(|other| other == best || no_better(other))
            .then_some(best)
    }
}

/// The promise of a player: the bounds that this player guarantees.
pub struct PlayerBound<'c> {
    /// The theory of the values that are bounded.
    pub theory: &'c ValueTheory<'c>,
    /// The bound of each position.
    pub values: &'c [Fraction],
    /// The player who guarantees them.
    pub player: Player,
    /// The priorities that are bad for the player, the greatest first. Bob's are 1 greater than in
    /// the listing, so that bad priorities are odd for either player.
    pub bad: Vec<u32>,
    /// For each position, `true` if it is level: a turn leads to the same bound whoever wins it,
    /// and play that goes on for ever there could break the promise.
    pub level: Vec<bool>,
}

impl<'c> PlayerBound<'c> {
    /// Creates Alice's promise of upper bounds, or Bob's of lower ones.
    pub fn new(theory: &'c ValueTheory<'c>, values: &'c [Fraction], player: Player) -> Self {
        let mut promise = Self {
            theory,
            values,
            player,
            bad: Vec::new(),
            level: Vec::new(),
        };
        let graph = theory.graph;
        let open = (0..graph.len()).filter(|position| graph.ending(*position).is_none());
        let priorities = open.map(|position| promise.priority(position));
        let bad: BTreeSet<u32> = priorities.filter(|priority| priority % 2 == 1).collect();
        promise.bad = bad.into_iter().rev().collect();
        promise.level = (0..graph.len())
            .map(|position| promise.is_level(position))
            .collect();
        promise
    }

    /// Returns the priority of a position, shifted by 1 for Bob, so that odd priorities are bad for
    /// the player.
    fn priority(&self, position: usize) -> u32 {
        let priority = self.theory.graph.priority(position);
        let more = if self.player == Player::Bob { 1 } else { 0 };
        priority.map_or(WORST, |priority| priority + more)
    }

    /// Returns `true` if endless play is, or may be, worth less to the player than a value.
    fn exceeds_endless(&self, value: &BigRational) -> bool {
        let theory = self.theory;
        match (theory.graph.rules.objective, self.player) {
            (Objective::Reachability, Player::Alice) => *value < theory.draw,
            (Objective::Reachability, Player::Bob) => *value > theory.draw,
            (_, Player::Alice) => !value.is_one(),
            (_, Player::Bob) => !value.is_zero(),
        }
    }

    fn is_level(&self, position: usize) -> bool {
        let (theory, value) = (self.theory, &self.values[position]);
        let mut turns = Player::BOTH
            .into_iter()
            .filter(|winner| theory.falls(*winner));
        // Play that must end needs no proof of progress.
        !theory.graph.ordered
            && theory.graph.ending(position).is_none()
            // If endless play is worth as much as the bound, it breaks no promise.
            && self.exceeds_endless(&value.0)
            && turns.all(|winner| theory.won(self.values, position, winner) == value)
    }

    /// Checks the progress at level positions.
    fn check(&self, progress: Option<&Progress>) -> Checked<()> {
        let (graph, name) = (self.theory.graph, self.player.name());
        if progress.is_some() != self.level.contains(&true) {
            return malformed(format!(
                "{name}'s ranks or potentials are missing, or stand where the bounds need none"
            ));
        }
        match (graph.rules.objective, progress) {
            (_, None) => Ok(()),
            (
                Objective::Reachability | Objective::Buchi | Objective::Parity,
                Some(Progress::Ranks(ranks)),
            ) => self.check_ranks(ranks),
            (Objective::MeanPayoff, Some(Progress::Potentials(potentials))) => {
                if potentials.len() != graph.len() {
                    return malformed("`proof` does not have a potential for every position");
                }
                graph.each("checking potentials", |position| {
                    match !self.level[position] || self.is_paid(position, potentials) {
                        true => Ok(()),
                        false => unproved(format!(
                            "{name}'s potential at position {position} is not kept"
                        )),
                    }
                })
            }
            _ => malformed("`proof` is not one for this objective"),
        }
    }

    fn check_ranks(&self, ranks: &Rows) -> Checked<()> {
        let (graph, name) = (self.theory.graph, self.player.name());
        let none = vec![0; self.bad.len()];
        let fits = |position: usize| {
            let row = ranks.row(position);
            let needed = if self.level[position] { none.len() } else { 0 };
            row.len() == needed && row.iter().all(|number| *number >= 0)
        };
        if ranks.len() != graph.len() || !(0..ranks.len()).all(fits) {
            return malformed(format!("{name}'s ranks do not go with the bounds"));
        }
        let rank_of = |position: usize| match self.level[position] {
            true => ranks.row(position),
            false => &none,
        };
        graph.each("checking ranks", |position| {
            let row = ranks.row(position);
            match self.level[position] && self.rank(position, rank_of).as_deref() != Some(row) {
                false => Ok(()),
                true => unproved(format!(
                    "{name}'s rank at position {position} does not follow"
                )),
            }
        })
    }

    /// Evaluates the turn won by the player, and the one won by the other: `of` gives the value of
    /// a move. Among moves with equally good bounds the player takes the least value, and the other
    /// the greatest.
    fn turns<T: Ord>(&self, position: usize, of: impl Fn(CertifiedMove) -> T) -> [T; 2] {
        let of = |to: CertifiedMove| (&self.values[to.to], of(to));
        let order = |(a, far): &(&Fraction, T), (b, farther): &(&Fraction, T)| -> Ordering {
            let nearer = || least_for(self.player, far.cmp(farther));
            a.cmp(b).then_with(nearer)
        };
        let graph = self.theory.graph;
        [self.player, self.player.other()].map(|winner| graph.turn(position, winner, of, order).1)
    }

    /// Computes the rank that a level position must have, or `None` if there is none.
    pub fn rank<'r>(
        &self,
        position: usize,
        rank_of: impl Fn(usize) -> &'r [i32],
    ) -> Option<Vec<i32>> {
        let theory = self.theory;
        let [own, other] = self.turns(position, |to| rank_of(to.to));
        let greatest = own.max(other);
        let lucky = match &theory.law {
            ValueLaw::Taxed(_) if theory.graph.rules.objective != Objective::Reachability => own,
            // A turn that a player can never win does not count.
            _ if !theory.falls(self.player.other()) => own,
            _ if !theory.falls(self.player) => other,
            _ => own.min(other),
        };
        let priority = self.priority(position);
        // A visit forgets all numbers for lesser priorities.
        let levels = self.bad.iter().filter(|bad| **bad >= priority).count();
        let kept = priority
            .is_multiple_of(2)
            .then(|| self.down_to(greatest, levels));
        let lower = (0..levels).filter_map(|level| {
            if greatest[..level] == lucky[..level] {
                self.raised(self.down_to(lucky, level + 1), level)
            } else {
                Some(self.down_to(greatest, level))
            }
        });
        kept.into_iter().chain(lower).min()
    }

    /// Returns the first `count` numbers of a rank, followed by zeros.
    fn down_to(&self, rank: &[i32], count: usize) -> Vec<i32> {
        let mut rank = rank[..count].to_vec();
        rank.resize(self.bad.len(), 0);
        rank
    }

    /// Returns the least rank that is greater in the numbers up to a place. The numbers are at most
    /// the number of positions; returns `None` if there is no such rank.
    fn raised(&self, mut rank: Vec<i32>, place: usize) -> Option<Vec<i32>> {
        for place in (0..=place).rev() {
            if usize::try_from(rank[place]).is_ok_and(|found| found < self.level.len()) {
                rank[place] += 1;
                return Some(rank);
            }
            // This number is as great as it can be, so that the one before it is raised.
            rank[place] = 0;
        }
        None
    }

    /// Returns `true` if the potential of a level position satisfies the condition of the promise.
    pub fn is_paid(&self, position: usize, potentials: &[Fraction]) -> bool {
        // The sign is chosen so that the player prefers lesser numbers.
        let seen = |height: BigRational| match self.player {
            Player::Alice => -height,
            Player::Bob => height,
        };
        let [own, other] = self.turns(position, |to| {
            let weight = self.theory.graph.weight(position, to.mover, to.index);
            seen(&potentials[to.to].0 + weight)
        });
        let mean = match &self.theory.law {
            // A player who would rather lose the bid cannot count on losing it, so only the turn
            // that the player wins counts.
            ValueLaw::Taxed(_) if own > other => own,
            ValueLaw::Taxed(_) => (own + other) / BigRational::from_integer(2.into()),
            ValueLaw::Tossed(coin) => {
                let rest = BigRational::one() - coin;
                match self.player {
                    Player::Alice => own * coin + other * rest,
                    Player::Bob => own * rest + other * coin,
                }
            }
        };
        let before = seen(potentials[position].0.clone());
        let is_for_alice = self.theory.graph.rules.draws == Draws::Alice;
        mean < before || is_for_alice == (self.player == Player::Alice) && mean == before
    }
}
