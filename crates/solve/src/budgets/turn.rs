//! One turn: the search for the best of Alice's bids.

use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use super::{Holder, NEVER};
use crate::game::{GameGraph, NodeId};
use crate::law::decision::movers;
use crate::player::{Ending, Player};
use crate::rules::{Draws, Purses, Rules, Tie, TieBreak, Winner, next_holder, tie};

/// One turn at a vertex.
#[derive(Clone, Copy)]
pub(super) struct BudgetTurn<'a> {
    pub(super) graph: &'a GameGraph,
    pub(super) rules: &'a Rules,
    /// The bank's part of a bid, if its numerator and denominator fit in 32 bits.
    part: Option<[u32; 2]>,
}

impl<'a> BudgetTurn<'a> {
    pub(super) fn new(graph: &'a GameGraph, rules: &'a Rules) -> Self {
        let part = rules
            .pay
            .tax()
            .and_then(|part| Some([part.numer().to_u32()?, part.denom().to_u32()?]));
        Self { graph, rules, part }
    }

    pub(super) fn bank_keeps_all(&self) -> bool {
        self.rules.pay.tax().is_none_or(|part| part.is_one())
    }

    pub(super) fn bank_keeps_nothing(&self) -> bool {
        self.rules.pay.tax().is_some_and(|part| part.is_zero())
    }

    /// Returns the part of a bid that the loser gets:
    /// [`returned`](crate::rules::Payment::returned), in the narrowest arithmetic that is
    /// sufficient, because it is needed for every bid that is tried.
    pub(super) fn returned(&self, bid: u64) -> u64 {
        match (self.part, u32::try_from(bid)) {
            (Some([part, of]), Ok(bid)) => {
                // Both factors have 32 bits, so the product fits in 64.
                u64::from(bid) - (u64::from(bid) * u64::from(part)).div_ceil(u64::from(of))
            }
            _ => self.rules.pay.returned(bid),
        }
    }

    /// Returns the threshold at an ending.
    pub(super) fn ended(&self, ending: Ending) -> u64 {
        let won = ending.is_won_by(Player::Alice, self.rules.draws == Draws::Alice);
        if won { 0 } else { NEVER }
    }

    /// Computes the threshold at a vertex that is not an ending, from the chips needed after each
    /// player has won the bid, against Bob's remaining chips and with this holder of the tie
    /// status. `near` is the result against a budget of one less: the search for the best bid
    /// begins there, and fewer chips are not enough.
    ///
    /// The more Alice bids the more she needs if she wins, and the less if Bob outbids her, because
    /// he then has less left or has paid her more. Of his higher bids she therefore only has to
    /// fear the least, and her best bid lies where the two needs cross.
    pub(super) fn threshold<E>(
        &self,
        budget: u64,
        holder: Holder,
        near: LeastBid,
        mut after: impl FnMut(Player, u64, Holder) -> std::result::Result<u64, E>,
    ) -> std::result::Result<LeastBid, E> {
        let mut best = |decides| {
            best(budget, near, |bid| {
                self.needs(budget, holder, bid, decides, &mut after)
            })
        };
        if self.rules.ties == TieBreak::Richer {
            let poorer = best(Decides::LOST)?;
            // With fewer chips than Bob she is the poorer one and loses ties.
            if poorer.chips < budget {
                return Ok(poorer);
            }
            let richer = best(Decides::WON)?;
            return Ok(LeastBid {
                chips: richer.chips.max(budget),
                ..richer
            });
        }
        let (first, second) = self.decides(holder);
        let first = best(first)?;
        Ok(match second {
            Some(second) => first.or(best(second)?),
            None => first,
        })
    }

    /// Returns the results of a tie that Alice must be able to afford if the bids are equal; where
    /// she chooses, either of two. The rule must not be `ties: richer`.
    pub(super) fn decides(&self, holder: Holder) -> (Decides, Option<Decides>) {
        // It does not matter which player has more chips.
        let purses = Purses::new(0, 0, holder);
        match tie(self.rules, &purses) {
            Tie::Goes(Player::Alice) => (Decides::WON, None),
            Tie::Goes(Player::Bob) => (Decides::LOST, None),
            Tie::ChosenBy(Player::Alice) => (Decides::WON, Some(Decides::LOST)),
            Tie::ChosenBy(Player::Bob) => (
                Decides {
                    is_won: true,
                    is_lost: true,
                },
                None,
            ),
            Tie::Coin | Tie::Nobody => {
                unreachable!("rules by which a tie is not won are not admitted")
            }
        }
    }

    /// Returns the chips that a bid needs.
    pub(super) fn needs<E>(
        &self,
        budget: u64,
        holder: Holder,
        bid: u64,
        decides: Decides,
        mut after: impl FnMut(Player, u64, Holder) -> std::result::Result<u64, E>,
    ) -> std::result::Result<Needs, E> {
        let mut won = |tied: bool| {
            let (left, status) = (
                budget + self.returned(bid),
                self.next(holder, Player::Alice, tied),
            );
            Ok(bid.saturating_add(after(Player::Alice, left, status)?))
        };
        let mut rises = if bid == 0 { 0 } else { won(false)? };
        if bid <= budget && decides.is_won {
            rises = rises.max(won(true)?);
        }
        let mut lost = |bid: u64, tied: bool| {
            let (left, status) = (budget - bid, self.next(holder, Player::Bob, tied));
            let needed = after(Player::Bob, left, status)?;
            Ok(if needed == NEVER {
                NEVER
            } else {
                needed.saturating_sub(self.returned(bid))
            })
        };
        let mut falls = if bid < budget {
            lost(bid + 1, false)?
        } else {
            0
        };
        if bid <= budget && decides.is_lost {
            falls = falls.max(lost(bid, true)?);
        }
        Ok(Needs {
            // She needs the bid itself in any case.
            rises: rises.max(bid),
            falls,
        })
    }

    /// Returns the part of a bid that its loser gets, before it is rounded.
    pub(super) fn part_returned(&self) -> BigRational {
        BigRational::one() - self.rules.pay.tax().unwrap_or_else(BigRational::one)
    }

    /// Returns the bid of both players against 1 of real money where their bids are in balance and
    /// Alice needs `won` and `lost` against 1 after a win of hers and of Bob's: β of
    /// [`limit`](super::limit). If he wins for good by winning the bid, it is 1.
    pub(super) fn balanced_bid(
        &self,
        won: &BigRational,
        lost: Option<&BigRational>,
    ) -> BigRational {
        let (one, returned) = (BigRational::one(), self.part_returned());
        match lost {
            Some(lost) => (lost - won) / (&one + won * &returned + lost + returned),
            None => one,
        }
    }

    /// Returns the holder of the tie status after a bid.
    pub(super) fn next(&self, holder: Holder, winner: Player, tied: bool) -> Holder {
        holder.map(|holder| next_holder(self.rules.ties, holder, winner, tied))
    }
}

/// Returns the vertices from which Alice wins if she wins every bid.
pub(super) fn bought(turn: &BudgetTurn<'_>) -> Vec<bool> {
    let (graph, rules) = (turn.graph, turn.rules);
    let mut won: Vec<bool> = graph
        .nodes()
        .map(|node| {
            graph
                .ending(node)
                .is_some_and(|ending| turn.ended(ending) == 0)
        })
        .collect();
    let leads = |node: NodeId, won: &[bool]| {
        let [alice, bob] = Player::both(|player| graph.successors(node, player));
        // Under `winner: moves` a winner who can move may not leave the move to Bob.
        let lets = alice.is_empty() || rules.winner == Winner::Chooses;
        alice.iter().any(|head| won[head.index()])
            || lets && !bob.is_empty() && bob.iter().all(|head| won[head.index()])
    };
    loop {
        let mut changed = false;
        // Successors come first, so that one pass finds all of them if there is no cycle.
        for &node in graph.components().order() {
            if !won[node.index()] && leads(node, &won) {
                won[node.index()] = true;
                changed = true;
            }
        }
        if !changed {
            return won;
        }
    }
}

/// Returns the chips that Alice needs after a bid, from those that she needs at each vertex.
pub(crate) fn after_bid<E>(
    graph: &GameGraph,
    rules: &Rules,
    node: NodeId,
    winner: Player,
    of: impl FnMut(NodeId) -> std::result::Result<u64, E>,
) -> std::result::Result<u64, E> {
    best_after_bid(graph, rules, node, winner, of, |player, a, b| {
        Ok(better(player, a, b))
    })
}

/// Returns the best value after a bid, for any kind of values of which the better one for a player
/// can be determined. A turn without a bid is one whose owner has won the bid, since nobody else can
/// move there.
pub(super) fn best_after_bid<T, E>(
    graph: &GameGraph,
    rules: &Rules,
    node: NodeId,
    winner: Player,
    mut of: impl FnMut(NodeId) -> std::result::Result<T, E>,
    mut better: impl FnMut(Player, T, T) -> std::result::Result<T, E>,
) -> std::result::Result<T, E> {
    let mut best: Option<T> = None;
    for &mover in movers(graph, node, winner, rules.winner) {
        let mut moved: Option<T> = None;
        for &head in graph.successors(node, mover) {
            let value = of(head)?;
            moved = Some(match moved {
                Some(moved) => better(mover, moved, value)?,
                None => value,
            });
        }
        let moved = moved.expect("who is able to move has a move");
        best = Some(match best {
            Some(best) => better(winner, best, moved)?,
            None => moved,
        });
    }
    Ok(best.expect("a vertex without an ending has an edge"))
}

/// The results of a tie that Alice must be able to afford if the bids are equal.
#[derive(Debug, Clone, Copy)]
pub(super) struct Decides {
    /// If set, she must be able to win the tie.
    pub(super) is_won: bool,
    /// If set, she must be able to lose the tie to Bob.
    pub(super) is_lost: bool,
}

impl Decides {
    const WON: Self = Self {
        is_won: true,
        is_lost: false,
    };
    const LOST: Self = Self {
        is_won: false,
        is_lost: true,
    };
}

/// The needs of a bid of Alice's: a part that increases with the bid, and one that decreases. She
/// needs the greater of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Needs {
    pub(super) rises: u64,
    pub(super) falls: u64,
}

impl Needs {
    pub(super) fn chips(self) -> u64 {
        self.rises.max(self.falls)
    }
}

/// The least need of any bid, and a bid that needs no more.
#[derive(Debug, Clone, Copy)]
pub(super) struct LeastBid {
    pub(super) chips: u64,
    pub(super) bid: u64,
}

impl LeastBid {
    fn or(self, other: Self) -> Self {
        if other.chips < self.chips {
            other
        } else {
            self
        }
    }
}

/// Finds the best bid against a budget: 0, one more than the budget, or one in between, which is
/// searched for from that of `near` on. (Bids of 0 are separate, because a tie at 0 leaves the
/// chips as they are, and the need there may not be final yet.)
pub(super) fn best<E>(
    budget: u64,
    near: LeastBid,
    mut needs: impl FnMut(u64) -> std::result::Result<Needs, E>,
) -> std::result::Result<LeastBid, E> {
    let mut at = |bid: u64| {
        needs(bid).map(|needs| {
            (
                needs.rises >= needs.falls,
                LeastBid {
                    chips: needs.chips(),
                    bid,
                },
            )
        })
    };
    let (_, mut found) = at(0)?;
    // The first bid from which on the increasing part is the greater one is above `low` and at most
    // `high`.
    let (mut low, mut high) = (0, budget + 1);
    let (mut probe, mut step) = (near.bid.clamp(1, budget.max(1)), 1);
    while high - low > 1 && found.chips > near.chips {
        let (is_above, here) = at(probe)?;
        found = found.or(here);
        if is_above {
            high = probe;
            // Steps double away from the last bid, because the crossing is usually near it.
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
    // A bid of one more than the budget takes at least that many chips, and Bob's budget may then
    // grow far, so it is tried last.
    if found.chips > budget + 1 {
        Ok(found.or(at(budget + 1)?.1))
    } else {
        Ok(found)
    }
}

fn better(player: Player, a: u64, b: u64) -> u64 {
    match player {
        Player::Alice => a.min(b),
        Player::Bob => a.max(b),
    }
}
