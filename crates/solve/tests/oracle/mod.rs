//! The slow oracle: bidding games with few chips, played literally by the rules.
//!
//! A state is a vertex with the purses before a bid. The oracle decides whether a player forces a
//! win from it by trying all bids of both, all tie choices, both movers where the winner of the bid
//! may choose, and all moves; chips change hands only by [`settle`], and ties are decided only by
//! [`tie`], each called in one place. No formula of the solvers is used. Choices after the bids are
//! made with the bids known, so only the two bids are simultaneous, and both orders of their
//! quantifiers are computed.

use bid_game::{GameGraph, NodeId};
use bid_language::player::{Ending, PerPlayer, Player};
use bid_language::rules::{Draws, Purses, Rules, Tie, TieBreak, Winner, settle, tie};
use num_traits::Num;
use std::cmp::Ordering;
use std::collections::HashMap;

/// Returns the probability of Bob's winning that an ending counts as.
pub fn worth<T: Num>(ending: Ending, draws: Draws) -> T {
    match (ending, draws) {
        (Ending::Win(Player::Alice), _) | (Ending::Draw, Draws::Alice) => T::zero(),
        (Ending::Draw, Draws::Half) => T::one() / (T::one() + T::one()),
        (Ending::Win(Player::Bob) | Ending::Draw, _) => T::one(),
    }
}

/// The order in which the two bids are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The seeker has a bid that is good against every bid of the opponent.
    Forcing,
    /// Against every bid of the opponent the seeker has a bid that is good.
    NotPreventable,
}

/// The choice whether the marker is attached to a winning bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Attached {
    Yes,
    No,
}

/// A game with its rules and a total of chips.
#[derive(Debug, Clone, Copy)]
pub struct Oracle<'a> {
    pub graph: &'a GameGraph,
    pub rules: &'a Rules,
    pub total: u64,
}

/// A set of states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct States {
    pub members: Vec<bool>,
    pub total: u64,
}

impl States {
    pub fn index(&self, node: NodeId, purses: &Purses) -> usize {
        let status = usize::from(purses.status == Some(Player::Bob));
        (node.index() * (self.total as usize + 1) + purses.chips.alice as usize) * 2 + status
    }

    pub fn contains(&self, node: NodeId, purses: &Purses) -> bool {
        self.members[self.index(node, purses)]
    }
}

/// Returns all purses with this total that fit the rules.
pub fn all_purses(rules: &Rules, total: u64) -> Vec<Purses> {
    Purses::of_total(rules.ties, total).collect()
}

/// Returns all purses with at most this total that fit the rules.
pub fn purses_up_to(rules: &Rules, most: u64) -> Vec<Purses> {
    (0..=most)
        .flat_map(|total| all_purses(rules, total))
        .collect()
}

/// A turn that is played literally.
#[derive(Debug, Clone, Copy)]
pub struct LiteralTurn<'a> {
    pub graph: &'a GameGraph,
    pub rules: &'a Rules,
    pub node: NodeId,
    /// The purses before the bid.
    pub purses: Purses,
}

/// A way that a turn can go.
#[derive(Debug, Clone, Copy)]
pub struct Played {
    /// The winner of the bid.
    pub winner: Player,
    pub mover: Player,
    /// The vertex that was moved to.
    pub to: NodeId,
    /// The purses after the bid.
    pub after: Purses,
}

/// A player, who chooses freely, or a fair coin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chooser {
    Player(Player),
    Coin,
}

impl LiteralTurn<'_> {
    /// Returns the winner of these bids, or the way in which their tie is decided.
    pub fn decided(&self, bids: PerPlayer<u64>) -> Tie {
        match bids.alice.cmp(&bids.bob) {
            Ordering::Greater => Tie::Goes(Player::Alice),
            Ordering::Less => Tie::Goes(Player::Bob),
            Ordering::Equal => tie(self.rules, &self.purses),
        }
    }

    /// Returns the purses after a player has won by these bids.
    pub fn settled(&self, bids: PerPlayer<u64>, winner: Player) -> Purses {
        settle(self.rules, &self.purses, bids, winner)
    }

    /// Returns the players that the winner of a bid may make move.
    pub fn movers(&self, winner: Player) -> Vec<Player> {
        let able: Vec<_> = Player::BOTH
            .into_iter()
            .filter(|&player| !self.graph.successors(self.node, player).is_empty())
            .collect();
        match self.rules.winner {
            Winner::Moves if able.len() == 2 => vec![winner],
            Winner::Moves | Winner::Chooses => able,
        }
    }

    /// Returns the value after these bids, from the values of the ways that the turn can go, if
    /// everyone who has a choice makes it by `pick`.
    pub fn after_bids<T>(
        &self,
        bids: PerPlayer<u64>,
        pick: impl Fn(Chooser, &mut dyn Iterator<Item = T>) -> T,
        mut value: impl FnMut(Played) -> T,
    ) -> T {
        let mut after_win = |winner| {
            let after = self.settled(bids, winner);
            let mut by_mover = self.movers(winner).into_iter().map(|mover| {
                let heads = self.graph.successors(self.node, mover).iter();
                let played = |&to| Played {
                    winner,
                    mover,
                    to,
                    after,
                };
                pick(
                    Chooser::Player(mover),
                    &mut heads.map(played).map(&mut value),
                )
            });
            pick(Chooser::Player(winner), &mut by_mover)
        };
        let chooser = match self.decided(bids) {
            Tie::Goes(winner) => return after_win(winner),
            Tie::ChosenBy(player) => Chooser::Player(player),
            Tie::Coin => Chooser::Coin,
            Tie::Nobody => unreachable!("both bid again"),
        };
        pick(chooser, &mut Player::BOTH.into_iter().map(after_win))
    }

    /// Returns whether a player has a bid after which, against every bid of the opponent, play goes
    /// a way that is good for the player.
    pub fn forced(&self, seeker: Player, mut good: impl FnMut(Played) -> bool) -> bool {
        let (own, others) = (self.purses.chips[seeker], self.purses.chips[seeker.other()]);
        (0..=own).any(|bid| {
            (0..=others).all(|reply| {
                self.after_bids(PerPlayer::of(seeker, bid, reply), sought(seeker), &mut good)
            })
        })
    }
}

/// A vertex with the purses before a bid.
pub type State = (NodeId, Purses);

/// The turns of a player who seeks certain endings by single bids, whatever the opponent does.
#[derive(Clone, Copy)]
pub struct LiteralStates<'a> {
    pub graph: &'a GameGraph,
    pub rules: &'a Rules,
    pub seeker: Player,
    /// Returns whether an ending is good for the player.
    pub good: &'a dyn Fn(Ending) -> bool,
}

impl LiteralStates<'_> {
    /// Decides from which states with these purses the player forces a good ending; play must not
    /// lead to other purses. Play without end counts as a draw, so that the set is the greatest
    /// fixed point if a draw is good, and the least otherwise.
    pub fn forced(&self, purses: &[Purses]) -> HashMap<State, bool> {
        // The marker is part of a bid there, which a turn of these states does not know.
        assert_ne!(self.rules.ties, TieBreak::Attached);
        let at = |node| purses.iter().map(move |&purses| (node, purses));
        let all = || self.graph.nodes().flat_map(at);
        let endless = (self.good)(Ending::Draw);
        let mut states: HashMap<State, bool> = all().map(|state| (state, endless)).collect();
        loop {
            let leads = |state| (state, self.leads(state, |next| states[&next]));
            let next = all().map(leads).collect();
            if next == states {
                return states;
            }
            states = next;
        }
    }

    /// Returns whether a state is a good ending, or the player has a turn there that leads to good
    /// states.
    pub fn leads(&self, (node, purses): State, mut good: impl FnMut(State) -> bool) -> bool {
        if let Some(ending) = self.graph.ending(node) {
            return (self.good)(ending);
        }
        if let Some(owner) = self.graph.owner(node) {
            let heads = self.graph.successors(node, owner).iter();
            let mut results = heads.map(|&head| good((head, purses)));
            return sought(self.seeker)(Chooser::Player(owner), &mut results);
        }
        let turn = LiteralTurn {
            graph: self.graph,
            rules: self.rules,
            node,
            purses,
        };
        turn.forced(self.seeker, |played| good((played.to, played.after)))
    }
}

/// Returns the best of some values for a player: the greatest for Alice, the least for Bob.
pub fn best<T: Ord>(player: Player, values: impl IntoIterator<Item = T>) -> T {
    let values = values.into_iter();
    let best = match player {
        Player::Alice => values.max(),
        Player::Bob => values.min(),
    };
    best.expect("there is a choice")
}

/// Returns the value that a player chooses; there is no coin.
pub fn chosen<T: Ord>(chooser: Chooser, values: &mut dyn Iterator<Item = T>) -> T {
    match chooser {
        Chooser::Player(player) => best(player, values),
        Chooser::Coin => unreachable!("not among the rules tested"),
    }
}

/// Returns the choices of a player who seeks what is good and of an opponent who seeks what is bad.
/// A coin may fall against the player.
pub fn sought(seeker: Player) -> impl Fn(Chooser, &mut dyn Iterator<Item = bool>) -> bool {
    move |chooser, mut results| {
        if chooser == Chooser::Player(seeker) {
            (&mut results).any(|good| good)
        } else {
            (&mut results).all(|good| good)
        }
    }
}

impl Oracle<'_> {
    /// Returns the set of all states, or of none.
    pub fn states(&self, members: bool) -> States {
        States {
            members: vec![members; self.graph.len() * (self.total as usize + 1) * 2],
            total: self.total,
        }
    }

    /// Computes the states from which a player wins, in one order of the quantifiers: the least
    /// fixed point, because a play that goes on for ever is not won; for a player whom draws
    /// favour, the greatest.
    pub fn won(&self, seeker: Player, order: Order) -> States {
        let draws_count = self.rules.draws.favours(seeker);
        let mut states = self.states(draws_count);
        let all = all_purses(self.rules, self.total);
        loop {
            let mut changed = false;
            for node in self.graph.nodes().rev() {
                for purses in &all {
                    let index = states.index(node, purses);
                    if states.members[index] == draws_count
                        && self.wins(&states, seeker, order, node, purses) != draws_count
                    {
                        states.members[index] = !draws_count;
                        changed = true;
                    }
                }
            }
            if !changed {
                return states;
            }
        }
    }

    /// Returns whether a player's turn, or an ending, leads to one of the states of `won`.
    pub fn wins(
        &self,
        won: &States,
        seeker: Player,
        order: Order,
        node: NodeId,
        purses: &Purses,
    ) -> bool {
        if let Some(ending) = self.graph.ending(node) {
            return ending == Ending::Win(seeker)
                || (ending == Ending::Draw && self.rules.draws.favours(seeker));
        }
        if let Some(owner) = self.graph.owner(node) {
            let mut won = self
                .graph
                .successors(node, owner)
                .iter()
                .map(|head| won.contains(*head, purses));
            return if owner == seeker {
                won.any(|won| won)
            } else {
                won.all(|won| won)
            };
        }
        let (own, others) = (purses.chips[seeker], purses.chips[seeker.other()]);
        match order {
            Order::Forcing => (0..=own).any(|bid| self.forces(won, seeker, node, purses, bid)),
            Order::NotPreventable => {
                !(0..=others).any(|bid| self.prevents(won, seeker, node, purses, bid))
            }
        }
    }

    /// Returns whether a bid of the seeker's leads to won states against every bid of the opponent,
    /// with the marker attached to it or not, if there is one to attach.
    pub fn forces(
        &self,
        won: &States,
        seeker: Player,
        node: NodeId,
        purses: &Purses,
        bid: u64,
    ) -> bool {
        let others = purses.chips[seeker.other()];
        let good = |with: Attached| {
            (0..=others).all(|reply| {
                self.good(
                    won,
                    seeker,
                    node,
                    with,
                    purses,
                    PerPlayer::of(seeker, bid, reply),
                )
            })
        };
        let mut choices = self.attached(purses).iter().map(|&with| good(with));
        if purses.status == Some(seeker) {
            choices.any(|good| good)
        } else {
            choices.all(|good| good)
        }
    }

    /// Returns the choices of the holder of the marker.
    fn attached(&self, purses: &Purses) -> &'static [Attached] {
        match (self.rules.ties, purses.status) {
            (TieBreak::Attached, Some(_)) => &[Attached::No, Attached::Yes],
            _ => &[Attached::No],
        }
    }

    /// Returns whether a bid of the opponent's leads out of the seeker's won states against every
    /// bid of the seeker.
    pub fn prevents(
        &self,
        won: &States,
        seeker: Player,
        node: NodeId,
        purses: &Purses,
        bid: u64,
    ) -> bool {
        let own = purses.chips[seeker];
        let good = |with: Attached| {
            (0..=own).any(|reply| {
                self.good(
                    won,
                    seeker,
                    node,
                    with,
                    purses,
                    PerPlayer::of(seeker, reply, bid),
                )
            })
        };
        let mut choices = self.attached(purses).iter().map(|&with| good(with));
        if purses.status == Some(seeker) {
            !choices.any(|good| good)
        } else {
            !choices.all(|good| good)
        }
    }

    /// Returns whether these bids lead to a won state, whatever the opponent chooses after them.
    fn good(
        &self,
        won: &States,
        seeker: Player,
        node: NodeId,
        with: Attached,
        purses: &Purses,
        bids: PerPlayer<u64>,
    ) -> bool {
        let turn = LiteralTurn {
            graph: self.graph,
            rules: self.rules,
            node,
            purses: *purses,
        };
        turn.after_bids(bids, sought(seeker), |played| {
            let mut after = played.after;
            if with == Attached::Yes && purses.status == Some(played.winner) {
                after.status = Some(played.winner.other());
            }
            won.contains(played.to, &after)
        })
    }
}

/// Returns the rules that have thresholds in chips: each rule for ties, with the winner of a bid
/// choosing who moves or having to move.
pub fn all_rules() -> Vec<Rules> {
    let with = |ties| {
        [Winner::Chooses, Winner::Moves].map(|winner| Rules {
            ties,
            winner,
            ..Rules::default()
        })
    };
    TieBreak::certain().flat_map(with).collect()
}

/// Iterates over those under which the winner of a bid chooses who moves.
pub fn choosing_rules() -> impl Iterator<Item = Rules> {
    let chooses = |rules: &Rules| rules.winner == Winner::Chooses;
    all_rules().into_iter().filter(chooses)
}
