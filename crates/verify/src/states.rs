//! Sets of states with whole chips, and one step back from them: the states from which a player
//! reaches a win, or prevents the other from winning.

use std::cmp::Ordering;

use super::bidding::{has_status, outcomes};
use super::lasting::Measure;
use super::listing::{NEVER, choice, least_for};
use super::sets::NeededSet;
use super::{CertifiedGraph, Checked, malformed, unproved};
use crate::convert::fit;
use crate::format::{BidOrder, ListedPurses, Rows};
use crate::player::{Ending, PerPlayer, Player};
use crate::watch::Stop;

/// The number of bids of one state that are answered between two checks.
const CHECK_EVERY: i32 = 64;
/// The most chips of a set.
pub(super) const MOST_CHIPS: i32 = 1 << 20;
/// More chips than are ever bid, for Alice's chips if she has as many as she likes.
const PLENTY: i32 = 1 << 30;

/// The ranks of all states.
#[derive(Debug, Clone)]
pub struct States {
    /// The ranks by position, status and chips. A rank of -1 is outside of the set.
    ranks: Vec<i32>,
    statuses: usize,
    /// The player by whose chips the states are numbered.
    counted: Player,
    /// The greatest number of chips. If Alice's chips are counted, this is the total. If Bob's are,
    /// greater numbers count as this one.
    pub most: i32,
}

impl States {
    /// Creates the empty set, by Alice's chips of a total, or by some of Bob's.
    ///
    /// # Errors
    /// If a certificate cannot be about these chips, or the set does not fit in memory.
    pub fn none(graph: &CertifiedGraph<'_>, counted: Player, most: i32) -> Checked<Self> {
        if !(0..=MOST_CHIPS).contains(&most) {
            return malformed(format!(
                "the sets of a certificate have from 0 to {MOST_CHIPS} chips, not {most}"
            ));
        }
        let statuses = if has_status(graph.rules.ties) { 2 } else { 1 };
        let limit = graph.context.limits.max_memory;
        let count = graph.len() as u64 * statuses as u64 * (fit::<u64>(most) + 1);
        if count.saturating_mul(size_of::<i32>() as u64) > limit {
            return Err(Stop::Memory(limit).into());
        }
        Ok(Self {
            ranks: vec![-1; fit::<usize>(count)],
            statuses,
            counted,
            most,
        })
    }

    /// Reads the rows of a set.
    pub(super) fn read(
        graph: &CertifiedGraph<'_>,
        counted: Player,
        most: i32,
        all: &[Rows],
    ) -> Checked<Self> {
        let mut states = Self::none(graph, counted, most)?;
        if all.len() != states.statuses || all.iter().any(|rows| rows.len() != graph.len()) {
            return malformed("a set of `proof` does not have a row for every status and position");
        }
        for (status, rows) in all.iter().enumerate() {
            for position in 0..graph.len() {
                states.fill(position, status, rows.row(position))?;
            }
        }
        Ok(states)
    }

    /// Reads the ranks of a row, `[a, r, b, s, …]`, into the states of a position.
    fn fill(&mut self, position: usize, status: usize, row: &[i32]) -> Checked<()> {
        let wrong = || {
            malformed(format!(
                "the row of position {position} is not in the form of `states`"
            ))
        };
        let mut before = (-1, -1);
        let last = self.place(status, self.most);
        for run in row.chunks(2) {
            let &[chips, rank] = run else { return wrong() };
            if chips <= before.0 || chips > self.most || rank < -1 || rank == before.1 {
                return wrong();
            }
            // A run reaches up to the last number, and later runs overwrite the rest of it.
            let first = self.place(status, chips);
            self.ranks_mut(position)[first..=last].fill(rank);
            before = (chips, rank);
        }
        Ok(())
    }

    /// Returns the rows of a certificate: for each status, each position's `[a, r, b, s, …]`.
    pub fn rows(&self, positions: usize) -> Vec<Rows> {
        let row = |position, status| {
            let mut before = -1;
            (0..=self.most).flat_map(move |chips| {
                let rank = self.rank(position, status, chips);
                let changed = std::mem::replace(&mut before, rank) != rank;
                changed.then_some([chips, rank]).into_iter().flatten()
            })
        };
        let rows = |status| {
            let mut rows = Rows::default();
            (0..positions).for_each(|position| rows.push(row(position, status)));
            rows
        };
        (0..self.statuses).map(rows).collect()
    }

    /// Returns the number of states of a position.
    fn width(&self) -> usize {
        self.statuses * (fit::<usize>(self.most) + 1)
    }

    fn place(&self, status: usize, chips: i32) -> usize {
        status * (fit::<usize>(self.most) + 1) + fit::<usize>(chips)
    }

    /// Returns the ranks of the states of a position, by status and chips.
    pub fn ranks(&self, position: usize) -> &[i32] {
        &self.ranks[position * self.width()..][..self.width()]
    }

    /// Borrows the ranks of the states of a position to change them.
    pub fn ranks_mut(&mut self, position: usize) -> &mut [i32] {
        let width = self.width();
        &mut self.ranks[position * width..][..width]
    }

    /// Returns the rank of a state, or -1 if it is outside of the set.
    pub fn rank(&self, position: usize, status: usize, chips: i32) -> i32 {
        self.ranks(position)[self.place(status, chips)]
    }

    /// Removes the states of position 0 whose rank is not good enough.
    pub fn keep(&mut self, is_enough: impl Fn(i32) -> bool) {
        let short = |rank: &&mut i32| !is_enough(**rank);
        self.ranks_mut(0)
            .iter_mut()
            .filter(short)
            .for_each(|rank| *rank = -1);
    }

    fn held(&self, status: usize, chips: i32) -> ListedPurses {
        let (alice, bob) = match self.counted {
            Player::Alice => (chips, self.most - chips),
            // Alice bids at most one chip more than Bob has, so that this number neither runs out
            // nor overflows.
            Player::Bob => (PLENTY, chips),
        };
        ListedPurses {
            alice,
            bob,
            holder: (self.statuses == 2).then_some(Player::BOTH[status]),
        }
    }
}

/// Computes one step back from a set of states.
pub struct Check<'c> {
    graph: &'c CertifiedGraph<'c>,
    states: &'c States,
    set: NeededSet,
    /// The player whose bid is chosen first.
    first: Player,
    measure: &'c Measure,
}

impl<'c> Check<'c> {
    /// Creates the step for a set whose ranks follow from each other by a measure.
    pub fn new(
        graph: &'c CertifiedGraph<'c>,
        states: &'c States,
        set: NeededSet,
        measure: &'c Measure,
    ) -> Self {
        let first = match set.order {
            BidOrder::Forces => set.player,
            BidOrder::Unprevented => set.player.other(),
        };
        Self {
            graph,
            states,
            set,
            first,
            measure,
        }
    }

    /// Checks that all states have the ranks that they must have.
    pub(super) fn all(&self) -> Checked<()> {
        self.graph.each("checking states", |position| {
            let (needed, claimed) = (self.ranks_at(position)?, self.states.ranks(position));
            match (0..needed.len()).find(|place| needed[*place] != claimed[*place]) {
                None => Ok(()),
                Some(place) => unproved(format!(
                    "at position {position} with {} chips of {}'s the rank in {}'s set is not {}, but {}",
                    place % (fit::<usize>(self.states.most) + 1),
                    self.states.counted.name(),
                    self.set.player.name(),
                    claimed[place],
                    needed[place],
                )),
            }
        })
    }

    /// Computes the ranks that the states of a position must have, by status and chips.
    ///
    /// # Errors
    /// If it is stopped.
    pub fn ranks_at(&self, position: usize) -> Checked<Vec<i32>> {
        self.graph.context.check()?;
        if let Some(ending) = self.graph.ending(position) {
            let reached = match ending {
                Ending::Win(player) => player == self.set.player,
                Ending::Draw => self.set.prevents,
            };
            return Ok(vec![if reached { 0 } else { -1 }; self.states.width()]);
        }
        // The move does not depend on the bids, so that the best one is found once for each purse
        // that they leave.
        let after = self.after(position);
        let mut ranks = Vec::with_capacity(self.states.width());
        for status in 0..self.states.statuses {
            for chips in 0..=self.states.most {
                let rank = self.rank(&after, &self.states.held(status, chips))?;
                ranks.push(match rank {
                    NEVER => -1,
                    rank => self.measure.before(position, rank),
                });
            }
        }
        Ok(ranks)
    }

    /// Returns the order under which the seeker chooses the least rank, and the other the greatest.
    fn order(&self) -> impl Fn(&i32, &i32) -> Ordering + use<> {
        let seeker = self.set.player;
        move |a, b| least_for(seeker, a.cmp(b))
    }

    /// Computes the ranks of the states that the winner of a bid at a position reaches, by status
    /// and chips. The rank is [`NEVER`] outside of the set.
    fn after(&self, position: usize) -> PerPlayer<Vec<i32>> {
        let of_winner = |winner: Player| {
            let of_place = |place: usize| {
                let rank_of = |to: super::CertifiedMove| {
                    let rank = self.states.ranks(to.to)[place];
                    self.measure.after(position, to, rank)
                };
                self.graph.turn(position, winner, rank_of, self.order())
            };
            (0..self.states.width()).map(of_place).collect()
        };
        PerPlayer::new(Player::Alice, Player::Bob).map(of_winner)
    }

    /// Computes the rank that all bids lead to from a state; [`NEVER`] if it is none.
    fn rank(&self, after: &PerPlayer<Vec<i32>>, held: &ListedPurses) -> Checked<i32> {
        let bids = |player: Player| match (player, self.states.counted) {
            (Player::Alice, Player::Alice) => 0..=held.alice,
            // A bid above `held.bob + 1` wins no more than that one, and leaves Bob more chips.
            (Player::Alice, Player::Bob) => 0..=held.bob + 1,
            (Player::Bob, _) => 0..=held.bob,
        };
        let last = self.first.other();
        let mut ranks = Vec::new();
        for bid in bids(self.first) {
            if bid % CHECK_EVERY == CHECK_EVERY - 1 {
                self.graph.context.check()?;
            }
            let answered = bids(last).map(|reply| match self.first {
                Player::Alice => self.bid(after, held, [bid, reply]),
                Player::Bob => self.bid(after, held, [reply, bid]),
            });
            ranks.extend(choice(last, answered, self.order()));
        }
        let chosen = choice(self.first, ranks.into_iter(), self.order());
        Ok(chosen.unwrap_or(NEVER))
    }

    /// Computes the rank that follows from a pair of bids.
    fn bid(&self, after: &PerPlayer<Vec<i32>>, held: &ListedPurses, bids: [i32; 2]) -> i32 {
        let most = self.states.most;
        let of = |winner: Player, left: ListedPurses| {
            let chips = match self.states.counted {
                Player::Alice => left.alice,
                Player::Bob => left.bob,
            };
            let status = usize::from(left.holder == Some(Player::Bob));
            match after[winner][self.states.place(status, chips.min(most))] {
                NEVER => NEVER,
                // Bob counts his chips beyond `most` as lost. Their number has grown, which happens
                // finitely often, so the rank need not fall.
                _ if chips > most && self.measure.is_distance() => -1,
                rank => rank,
            }
        };
        let [rank, _] = outcomes(self.graph.rules, held, bids, of, self.order());
        rank.unwrap_or(NEVER)
    }
}
