//! Whole chips: who reaches a win from which states.
//!
//! # What is checked
//! A state is a position with the chips of both players, k in all, and who has the tie status. A
//! set says for each state whether a player reaches a win from it, and a rank if so. Endings that
//! the player has won have rank 0, others are not in the set. Elsewhere all bids x of the player
//! and y of the other are tried, with all choices after them: whom the holder of the advantage lets
//! win a tie, whom the winner makes move, and the move. The player's choices take the least rank of
//! what they can lead to, the other's the greatest, a state outside of the set counting as
//! infinite. Under the order `forces` the rank of the bids is the least over x of the greatest over
//! y; under `unprevented` the greatest over y of the least over x. The state is in the set exactly
//! if that is finite, and its rank is 1 more; where every move leads to a greater number, all ranks
//! are 0.
//!
//! # Why that is enough
//! With `forces`: from a state of the set the player has a bid such that, whatever the other bids
//! and does, play comes to a state of lesser rank (or, in a listing in order, of a greater number),
//! so after finitely many turns to a win. From a state outside, against every bid there is an
//! answer that stays outside, where no win of the player's is: no bid forces anything. So the set
//! is that of all states from which the player forces a win. With `unprevented` the same with the
//! bids in the other order: the complement is where the other has a bid, not knowing the player's,
//! that keeps the play outside for ever.
//!
//! So `f(G, k)` is read off Alice's set under `forces`; where the rules call a draw her win, off
//! the complement of Bob's under `unprevented`. An outcome is a player's win if the state is in the
//! player's set under `forces`; a draw if it is in neither's under `unprevented`; undetermined if
//! it is in neither's under `forces`, but in one under `unprevented`.

use std::collections::BTreeSet;

use super::bidding::{Holdings, Won, movers, next_holder, won};
use super::notation::notation;
use super::{Checked, Graph, malformed, never, unproved};
use crate::format::{Order, Purses, Rows, Side, WinSet};
use crate::player::{Ending, Player};
use crate::rules::{Draws, Rules};
use crate::watch::{Context, Stop};

/// The rank of what is not in a set, when ranks are compared.
pub(super) const NEVER: i32 = i32::MAX;
/// How many pairs of bids are tried between two checks, roughly.
const MOST_PAIRS: usize = 1 << 16;
/// How many bids of one state are answered between two checks.
const CHECK_EVERY: i64 = 64;
/// The most chips of a set.
const MOST_CHIPS: i32 = 1 << 20;

/// Checks `f(G, k)` for some totals.
pub(super) fn thresholds(
    graph: &Graph<'_>,
    rules: &Rules,
    totals: &[i32],
    answers: &[String],
    sets: &[WinSet],
    context: &Context<'_>,
) -> Checked<()> {
    if totals.len() != answers.len() || totals.len() != sets.len() {
        return malformed("`claim` and `proof` do not have an answer and a set for every total");
    }
    let Some(telling) = Telling::of(rules) else {
        return unproved("half a win is neither forced nor missed");
    };
    for ((total, answer), set) in totals.iter().zip(answers).zip(sets) {
        let states = telling.states(graph, rules, set, *total, context)?;
        let found = notation(rules.ties, *total, |chips, status| {
            telling.wins(&states, status, chips)
        });
        if found != *answer {
            return unproved(format!(
                "of {total} chips the threshold is not {answer}, but {found}"
            ));
        }
    }
    Ok(())
}

/// Which set tells where Alice wins.
#[derive(Debug, Clone, Copy)]
pub struct Telling {
    /// Whose set it is.
    pub player: Player,
    /// Its order of bids.
    pub order: Order,
}

impl Telling {
    /// Alice's own, or where a draw is her win the one that Bob does not keep her out of; none
    /// where a draw is half a win.
    pub fn of(rules: &Rules) -> Option<Self> {
        match rules.draws {
            Draws::Neither | Draws::Bob => Some(Self {
                player: Player::Alice,
                order: Order::Forces,
            }),
            Draws::Alice => Some(Self {
                player: Player::Bob,
                order: Order::Unprevented,
            }),
            Draws::Half => None,
        }
    }

    /// Whether Alice wins with so many chips at position 0.
    pub fn wins(self, states: &States, status: usize, chips: i32) -> bool {
        (states.rank(0, status, chips) >= 0) == (self.player == Player::Alice)
    }

    /// Checks of the states of a total that they agree with the least numbers of chips against
    /// budgets.
    pub fn least(self, states: &States, budgets: &[i32], answers: &Rows) -> Checked<()> {
        for (index, budget) in budgets
            .iter()
            .enumerate()
            .filter(|(_, budget)| **budget <= states.total)
        {
            for (status, least) in answers.row(index).iter().enumerate() {
                let chips = states.total - budget;
                if (0..=*least).contains(&chips)
                    && self.wins(states, status, chips) != (chips == *least)
                {
                    return unproved(format!(
                        "against {budget} chips {least} is not the least number"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Checks that a set is the one that tells for a total.
    fn states(
        self,
        graph: &Graph<'_>,
        rules: &Rules,
        set: &WinSet,
        total: i32,
        context: &Context<'_>,
    ) -> Checked<States> {
        if (set.player, set.order, set.total) != (self.player.into(), self.order, total) {
            return malformed(format!(
                "the set for {total} chips is of another player, order or total"
            ));
        }
        States::check(graph, rules, set, context)
    }
}

/// Checks `f(G, bob: b)` for some budgets.
pub(super) fn against(
    graph: &Graph<'_>,
    rules: &Rules,
    budgets: &[i32],
    answers: &Rows,
    sets: &[WinSet],
    context: &Context<'_>,
) -> Checked<()> {
    let Some(telling) = Telling::of(rules) else {
        return unproved("half a win is neither forced nor missed");
    };
    let statuses = if rules.ties.has_status() { 2 } else { 1 };
    let fits = |row: &[i32]| row.len() == statuses && row.iter().all(|least| *least >= never::NONE);
    if answers.len() != budgets.len() || !(0..answers.len()).all(|index| fits(answers.row(index))) {
        return malformed(
            "`answers` does not have a row for every budget, with a number of chips, or -1, for every holder",
        );
    }
    let mut totals = BTreeSet::new();
    for (index, budget) in budgets.iter().enumerate() {
        let most = answers
            .row(index)
            .iter()
            .copied()
            .max()
            .and_then(|most| budget.checked_add(most));
        match most {
            // Where no number is enough the range is empty.
            Some(most) if (0..=MOST_CHIPS).contains(budget) && most <= MOST_CHIPS => {
                totals.extend(*budget..=most)
            }
            _ => {
                return malformed(format!(
                    "the sets of a certificate have at most {MOST_CHIPS} chips"
                ));
            }
        }
    }
    if totals.len() != sets.len() {
        return malformed("`proof` does not have a set for every total up to those of the answers");
    }
    for (total, set) in totals.into_iter().zip(sets) {
        let states = telling.states(graph, rules, set, total, context)?;
        telling.least(&states, budgets, answers)?;
    }
    Ok(())
}

/// Checks an outcome.
pub(super) fn outcome(
    graph: &Graph<'_>,
    rules: &Rules,
    purses: &Purses,
    answer: &str,
    sets: &[WinSet],
    context: &Context<'_>,
) -> Checked<()> {
    use {
        Order::{Forces, Unprevented},
        Side::{Alice, Bob},
    };
    let kinds: Vec<(Side, Order)> = sets.iter().map(|set| (set.player, set.order)).collect();
    // Which sets an answer needs, and whether each must hold the state.
    let needed: &[(Side, Order, bool)] = match (answer, &kinds[..]) {
        ("alice", _) => &[(Alice, Forces, true)],
        ("bob", _) => &[(Bob, Forces, true)],
        ("draw", _) => &[(Alice, Unprevented, false), (Bob, Unprevented, false)],
        ("undetermined", [.., (Alice, Unprevented)]) => &[
            (Alice, Forces, false),
            (Bob, Forces, false),
            (Alice, Unprevented, true),
        ],
        ("undetermined", _) => &[
            (Alice, Forces, false),
            (Bob, Forces, false),
            (Bob, Unprevented, true),
        ],
        _ => return malformed(format!("{:?} is no outcome", super::shortened(answer))),
    };
    if !needed
        .iter()
        .map(|(player, order, _)| (*player, *order))
        .eq(kinds)
    {
        return malformed(format!(
            "the sets of `proof` are not those that the outcome {answer} needs"
        ));
    }
    let total = purses.alice.checked_add(purses.bob);
    for (set, (player, _, expected)) in sets.iter().zip(needed) {
        if Some(set.total) != total {
            return malformed("the set is about another total of chips");
        }
        let states = States::check(graph, rules, set, context)?;
        let status = usize::from(purses.holder == Some(Bob));
        if (states.rank(0, status, purses.alice) >= 0) != *expected {
            return unproved(format!(
                "the outcome is not {answer}: see the set of {}",
                Player::from(*player).name()
            ));
        }
    }
    Ok(())
}

/// The ranks of all states.
#[derive(Debug)]
pub struct States {
    /// By position, status and chips (Alice's, but in [`never`]); -1 outside of the set.
    ranks: Vec<i32>,
    pub(super) statuses: usize,
    pub(super) total: i32,
}

impl States {
    /// Reads a set and checks it.
    fn check(
        graph: &Graph<'_>,
        rules: &Rules,
        set: &WinSet,
        context: &Context<'_>,
    ) -> Checked<Self> {
        let states = Self::read(graph, rules, set.total, &set.states, context)?;
        Check::new(graph, rules, set.player.into(), set.order, &states).all(context)?;
        Ok(states)
    }

    /// Reads the rows of a set.
    pub(super) fn read(
        graph: &Graph<'_>,
        rules: &Rules,
        total: i32,
        all: &[Rows],
        context: &Context<'_>,
    ) -> Checked<Self> {
        let mut states = Self::none(graph, rules, total, context)?;
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

    /// The empty set of states with a total of chips.
    pub fn none(
        graph: &Graph<'_>,
        rules: &Rules,
        total: i32,
        context: &Context<'_>,
    ) -> Checked<Self> {
        if !(0..=MOST_CHIPS).contains(&total) {
            return malformed(format!(
                "the sets of a certificate have from 0 to {MOST_CHIPS} chips, not {total}"
            ));
        }
        let statuses = if rules.ties.has_status() { 2 } else { 1 };
        let limit = context.limits.max_memory;
        let count = graph.len() as u64 * statuses as u64 * (total as u64 + 1);
        if count.saturating_mul(size_of::<i32>() as u64) > limit {
            return Err(Stop::Memory(limit).into());
        }
        Ok(Self {
            ranks: vec![-1; count as usize],
            statuses,
            total,
        })
    }

    /// The ranks of the states of a position, by status and chips.
    pub fn ranks(&self, position: usize) -> &[i32] {
        &self.ranks[self.index(position, 0, 0)..self.index(position + 1, 0, 0)]
    }

    /// The same, to be changed.
    pub fn ranks_mut(&mut self, position: usize) -> &mut [i32] {
        let (first, end) = (self.index(position, 0, 0), self.index(position + 1, 0, 0));
        &mut self.ranks[first..end]
    }

    /// The rows of a certificate: for each status, each position's `[a, r, b, s, …]`.
    pub fn rows(&self, positions: usize) -> Vec<Rows> {
        let row = |position, status| {
            let mut before = -1;
            (0..=self.total).flat_map(move |chips| {
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

    fn index(&self, position: usize, status: usize, chips: i32) -> usize {
        (position * self.statuses + status) * (self.total as usize + 1) + chips as usize
    }

    /// The rank of a state; -1 outside of the set.
    pub fn rank(&self, position: usize, status: usize, chips: i32) -> i32 {
        self.ranks[self.index(position, status, chips)]
    }

    /// Writes the ranks of a row, `[a, r, b, s, …]`.
    fn fill(&mut self, position: usize, status: usize, row: &[i32]) -> Checked<()> {
        let wrong = || {
            malformed(format!(
                "the row of position {position} is not in the form of `states`"
            ))
        };
        let mut before = (-1, -1);
        for run in row.chunks(2) {
            let &[chips, rank] = run else { return wrong() };
            if chips <= before.0 || chips > self.total || rank < -1 || rank == before.1 {
                return wrong();
            }
            let (first, last) = (
                self.index(position, status, chips),
                self.index(position, status, self.total),
            );
            self.ranks[first..=last].fill(rank);
            before = (chips, rank);
        }
        Ok(())
    }
}

/// One step back from a set of states.
#[derive(Debug)]
pub struct Check<'c> {
    graph: &'c Graph<'c>,
    rules: &'c Rules,
    seeker: Player,
    order: Order,
    states: &'c States,
    /// By how much a rank is greater than that of its bids.
    step: i32,
}

/// The ranks that the winner of a bid at a position gets to: by winner, status and Alice's chips.
struct After {
    ranks: [Vec<i32>; 2],
    width: usize,
}

impl<'c> Check<'c> {
    /// The step of a player's set in an order of the bids.
    pub fn new(
        graph: &'c Graph<'c>,
        rules: &'c Rules,
        seeker: Player,
        order: Order,
        states: &'c States,
    ) -> Self {
        Self {
            graph,
            rules,
            seeker,
            order,
            states,
            step: i32::from(!graph.ordered),
        }
    }

    /// Whether all states have the ranks that they must have.
    fn all(&self, context: &Context<'_>) -> Checked<()> {
        let mut tried = 0;
        for position in 0..self.graph.len() {
            super::listing::look(context, "checking states", position, self.graph.len())?;
            let needed = self.ranks_at(position, context)?;
            let claimed = self.states.ranks(position);
            if let Some(place) = (0..needed.len()).find(|place| needed[*place] != claimed[*place]) {
                let (who, chips) = (self.seeker.name(), place % (self.states.total as usize + 1));
                let (claimed, rank) = (claimed[place], needed[place]);
                return unproved(format!(
                    "at position {position} with {chips} chips of Alice's the rank in {who}'s set is not {claimed}, but {rank}"
                ));
            }
            tried += needed.len() * needed.len();
            if tried > MOST_PAIRS {
                context.check()?;
                tried = 0;
            }
        }
        Ok(())
    }

    /// The ranks that the states of a position must have: by status and Alice's chips.
    pub fn ranks_at(&self, position: usize, context: &Context<'_>) -> Checked<Vec<i32>> {
        let count = self.states.statuses * (self.states.total as usize + 1);
        if let Some(ending) = self.graph.ending(position) {
            return Ok(vec![
                if ending == Ending::Win(self.seeker) {
                    0
                } else {
                    -1
                };
                count
            ]);
        }
        let after = self.after(position);
        let mut ranks = Vec::with_capacity(count);
        for status in 0..self.states.statuses {
            for chips in 0..=self.states.total {
                ranks.push(self.rank(&after, status, chips, context)?);
            }
        }
        Ok(ranks)
    }

    /// The player's choice is the least rank, the other's the greatest.
    fn choice(&self, by: Player, ranks: impl Iterator<Item = i32>) -> i32 {
        let choice = if by == self.seeker {
            ranks.min()
        } else {
            ranks.max()
        };
        choice.unwrap_or(NEVER)
    }

    fn after(&self, position: usize) -> After {
        let width = self.states.total as usize + 1;
        let states = (0..self.states.statuses)
            .flat_map(|status| (0..=self.states.total).map(move |chips| (status, chips)));
        let to = |to: &i32, status, chips| match self.states.rank(*to as usize, status, chips) {
            -1 => NEVER,
            rank => rank,
        };
        let of_winner = |winner: Player| {
            let movers = movers(self.graph, self.rules.winner, position, winner);
            let of_state = |(status, chips)| {
                let of_mover = |mover: &Player| {
                    self.choice(
                        *mover,
                        self.graph
                            .moves(position, *mover)
                            .iter()
                            .map(|head| to(head, status, chips)),
                    )
                };
                self.choice(winner, movers.iter().map(of_mover))
            };
            states.clone().map(of_state).collect()
        };
        After {
            ranks: Player::BOTH.map(of_winner),
            width,
        }
    }

    /// The rank of a state, from all bids.
    fn rank(
        &self,
        after: &After,
        status: usize,
        alice: i32,
        context: &Context<'_>,
    ) -> Checked<i32> {
        let holder = (self.states.statuses == 2).then_some(Player::BOTH[status]);
        let holdings = Holdings {
            alice,
            bob: self.states.total - alice,
            holder,
        };
        let seeker = self.seeker;
        let (of_alice, of_bob) = (0..=alice, 0..=holdings.bob);
        let (first, last) = match (self.order, seeker) {
            (Order::Forces, _) => (seeker, seeker.other()),
            (Order::Unprevented, _) => (seeker.other(), seeker),
        };
        let bids = |player: Player| {
            if player == Player::Alice {
                of_alice.clone()
            } else {
                of_bob.clone()
            }
        };
        let answered = |bid: i32| {
            let ranks = bids(last).map(|reply| match first {
                Player::Alice => self.bid(after, &holdings, bid, reply),
                Player::Bob => self.bid(after, &holdings, reply, bid),
            });
            self.choice(last, ranks)
        };
        let mut ranks = Vec::new();
        for bid in bids(first) {
            if i64::from(bid) % CHECK_EVERY == CHECK_EVERY - 1 {
                context.check()?;
            }
            ranks.push(answered(bid));
        }
        Ok(match self.choice(first, ranks.into_iter()) {
            NEVER => -1,
            rank => rank.saturating_add(self.step),
        })
    }

    /// The rank that follows when Alice bids `x` and Bob `y`.
    fn bid(&self, after: &After, holdings: &Holdings, x: i32, y: i32) -> i32 {
        let wins = |winner: Player| {
            // The winner pays the loser.
            let alice = if winner == Player::Alice {
                holdings.alice - x
            } else {
                holdings.alice + y
            };
            let holder = next_holder(self.rules, holdings.holder, winner, x == y);
            after.ranks[winner as usize]
                [usize::from(holder == Some(Player::Bob)) * after.width + alice as usize]
        };
        match won(self.rules, holdings, x, y) {
            Won::By(winner) => wins(winner),
            Won::ChosenBy(player) => self.choice(player, Player::BOTH.map(wins).into_iter()),
            Won::Coin => NEVER,
        }
    }
}
