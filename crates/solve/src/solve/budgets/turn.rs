//! One turn: the best of Alice's bids.

use num_traits::{One, Zero};

use super::{Holder, NEVER};
use crate::game::{GameGraph, NodeId};
use crate::player::{Ending, PerPlayer, Player};
use crate::rules::{Draws, Purses, Rules, Tie, TieBreak, Winner, next_holder, tie};

/// One turn at a vertex.
#[derive(Clone, Copy)]
pub(super) struct Turn<'a> {
    pub(super) graph: &'a GameGraph,
    pub(super) rules: &'a Rules,
}

impl<'a> Turn<'a> {
    pub(super) fn new(graph: &'a GameGraph, rules: &'a Rules) -> Self {
        Self { graph, rules }
    }

    pub(super) fn bank_keeps_all(&self) -> bool {
        self.rules.pay.tax().is_none_or(|part| part.is_one())
    }

    pub(super) fn bank_keeps_nothing(&self) -> bool {
        self.rules.pay.tax().is_some_and(|part| part.is_zero())
    }

    /// What the loser gets of a bid.
    pub(super) fn returned(&self, bid: u64) -> u64 {
        self.rules.pay.returned(bid)
    }

    /// The threshold at a vertex with an owner, from those against the same budget and with the same holder of the tie status: nothing is paid there.
    pub(super) fn without_bid(&self, node: NodeId, of: impl Fn(NodeId) -> u64) -> u64 {
        let owner = self.graph.owner(node).expect("asked of vertices with an owner only");
        let heads = self.graph.successors(node, owner).iter().map(|head| of(*head));
        heads.reduce(|a, b| better(owner, a, b)).expect("an owner has an edge")
    }

    /// The threshold at an ending.
    pub(super) fn ended(&self, ending: Ending) -> u64 {
        let won = match ending {
            Ending::Win(player) => player == Player::Alice,
            Ending::Draw => self.rules.draws == Draws::Alice,
        };
        if won { 0 } else { NEVER }
    }

    /// The threshold at a vertex that is no ending, from what is needed after each player has won the bid, against what is then left to Bob and with this
    /// holder of the tie status; the search for the best bid begins at `hint`.
    ///
    /// The more Alice bids the more she needs if she wins, and the less if Bob outbids her, who then has less left or has paid her more.
    /// Of his higher bids the least is therefore the one that she has to fear, and the best bid of hers lies where the two needs cross.
    pub(super) fn threshold<E>(
        &self,
        (budget, holder): (u64, Holder),
        hint: u64,
        mut after: impl FnMut(Player, u64, Holder) -> std::result::Result<u64, E>,
    ) -> std::result::Result<Best, E> {
        let next = |winner, tied| holder.map(|holder| next_holder(self.rules.ties, holder, winner, tied));
        let mut needs = |bid: u64, decides: Decides| {
            let mut won = |tied: bool| {
                let (left, status) = (budget + self.returned(bid), next(Player::Alice, tied));
                Ok(bid.saturating_add(after(Player::Alice, left, status)?))
            };
            let mut rises = if bid == 0 { 0 } else { won(false)? };
            if bid <= budget && decides.is_won {
                rises = rises.max(won(true)?);
            }
            let mut lost = |bid: u64, tied: bool| {
                let (left, status) = (budget - bid, next(Player::Bob, tied));
                let needed = after(Player::Bob, left, status)?;
                Ok(if needed == NEVER { NEVER } else { needed.saturating_sub(self.returned(bid)) })
            };
            let mut falls = if bid < budget { lost(bid + 1, false)? } else { 0 };
            if bid <= budget && decides.is_lost {
                falls = falls.max(lost(bid, true)?);
            }
            Ok(Needs { rises: rises.max(bid), falls })
        };
        let mut best = |decides: Decides| best(budget, hint, |bid| needs(bid, decides));
        if self.rules.ties == TieBreak::Richer {
            let poorer = best(Decides::LOST)?;
            if poorer.chips < budget {
                return Ok(poorer);
            }
            let richer = best(Decides::WON)?;
            return Ok(Best { chips: richer.chips.max(budget), ..richer });
        }
        let purses = Purses { chips: PerPlayer::new(0, budget), status: holder };
        match tie(self.rules, &purses) {
            Tie::Goes(Player::Alice) => best(Decides::WON),
            Tie::Goes(Player::Bob) => best(Decides::LOST),
            Tie::ChosenBy(Player::Alice) => Ok(best(Decides::WON)?.or(best(Decides::LOST)?)),
            Tie::ChosenBy(Player::Bob) => best(Decides { is_won: true, is_lost: true }),
            Tie::Coin => unreachable!("rules with a coin are not admitted"),
        }
    }
}

/// What Alice needs where a bid's winner takes the play, by what she needs at each vertex.
pub(in crate::solve) fn after_bid<E>(
    (graph, rules): (&GameGraph, &Rules),
    node: NodeId,
    winner: Player,
    mut of: impl FnMut(NodeId) -> std::result::Result<u64, E>,
) -> std::result::Result<u64, E> {
    let able = |player: Player| !graph.successors(node, player).is_empty();
    let must_move = rules.winner == Winner::Moves && Player::BOTH.into_iter().all(able);
    let mut best: Option<u64> = None;
    for mover in Player::BOTH.into_iter().filter(|mover| able(*mover) && (!must_move || *mover == winner)) {
        let mut moved: Option<u64> = None;
        for &head in graph.successors(node, mover) {
            let value = of(head)?;
            moved = Some(moved.map_or(value, |moved| better(mover, moved, value)));
        }
        let moved = moved.expect("who is able to move has a move");
        best = Some(best.map_or(moved, |best| better(winner, best, moved)));
    }
    Ok(best.expect("a vertex without an ending has an edge"))
}

/// What Alice must be able to bear if the bids are equal.
#[derive(Debug, Clone, Copy)]
struct Decides {
    is_won: bool,
    is_lost: bool,
}

impl Decides {
    const WON: Self = Self { is_won: true, is_lost: false };
    const LOST: Self = Self { is_won: false, is_lost: true };
}

/// What a bid of Alice's needs: a part that rises with the bid, and one that falls. It needs the greater of them.
#[derive(Debug, Clone, Copy)]
struct Needs {
    rises: u64,
    falls: u64,
}

impl Needs {
    fn chips(self) -> u64 {
        self.rises.max(self.falls)
    }
}

/// The least that any bid needs, and a bid that needs no more.
#[derive(Debug, Clone, Copy)]
pub(super) struct Best {
    pub(super) chips: u64,
    pub(super) bid: u64,
}

impl Best {
    fn or(self, other: Self) -> Self {
        if other.chips < self.chips { other } else { self }
    }
}

/// The best bid against a budget: 0, one more than the budget, or one in between, which is searched for from `hint` on. (Bids of 0 are apart, since
/// a tie at 0 leaves the chips as they are, and what is needed there may not be final yet.)
fn best<E>(
    budget: u64,
    hint: u64,
    mut needs: impl FnMut(u64) -> std::result::Result<Needs, E>,
) -> std::result::Result<Best, E> {
    let mut at = |bid: u64| needs(bid).map(|needs| (needs.rises >= needs.falls, Best { chips: needs.chips(), bid }));
    let (_, mut found) = at(0)?;
    // The first bid from which on the part that rises is the greater one lies above `low` and is `high` at most.
    let (mut low, mut high) = (0, budget + 1);
    let (mut probe, mut step) = (hint.clamp(1, budget.max(1)), 1);
    while high - low > 1 {
        let (is_above, here) = at(probe)?;
        found = found.or(here);
        if is_above {
            high = probe;
            probe = probe.saturating_sub(step);
        } else {
            low = probe;
            probe += step;
        }
        step *= 2;
        if probe <= low || probe >= high {
            probe = u64::midpoint(low, high);
        }
    }
    // One more than the budget takes that many chips at least, and Bob's budget may then grow far: so it is looked at last.
    if found.chips > budget + 1 { Ok(found.or(at(budget + 1)?.1)) } else { Ok(found) }
}

fn better(player: Player, a: u64, b: u64) -> u64 {
    match player {
        Player::Alice => a.min(b),
        Player::Bob => a.max(b),
    }
}
