//! Resolves one bid literally by the rules: its possible winners, the payments, and the tie status
//! afterwards. The solvers have their own code for this, and nothing here uses it.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::CertifiedGraph;
use super::listing::choice;
use crate::convert::fit;
use crate::format::ListedPurses;
use crate::player::Player;
use crate::rules::{Payment, Rules, TieBreak};
use crate::watch::Stop;

/// The number of pairs of bids tried between two checks.
const CHECK_EVERY: i32 = 1024;
/// The approximate size of a position with purses in a set, in bytes.
const PLACE: u64 = 48;

/// The winner of a bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Won {
    /// This player wins.
    By(Player),
    /// This player chooses the winner.
    ChosenBy(Player),
    /// Either player wins, by a fair coin.
    Coin,
}

/// Returns `true` if one player holds a tie status under this rule.
pub fn has_status(ties: TieBreak) -> bool {
    match ties {
        TieBreak::Advantage
        | TieBreak::Marker
        | TieBreak::MakeItTakeIt
        | TieBreak::LosersBall
        | TieBreak::Attached => true,
        TieBreak::LadiesFirst
        | TieBreak::GentlemenFirst
        | TieBreak::Richer
        | TieBreak::Coin
        | TieBreak::Nobody => false,
    }
}

/// Returns the winner when Alice bids `x` and Bob `y`.
fn won(rules: &Rules, held: &ListedPurses, [x, y]: [i32; 2]) -> Won {
    if x != y {
        return Won::By(if x > y { Player::Alice } else { Player::Bob });
    }
    // Only some rules for ties need a holder, so that it is asked for only there.
    let holder = || held.holder.expect("purses were checked to have a holder");
    match rules.ties {
        TieBreak::Advantage => Won::ChosenBy(holder()),
        TieBreak::Marker | TieBreak::MakeItTakeIt | TieBreak::LosersBall | TieBreak::Attached => {
            Won::By(holder())
        }
        TieBreak::LadiesFirst => Won::By(Player::Alice),
        TieBreak::GentlemenFirst => Won::By(Player::Bob),
        TieBreak::Richer if held.bob > held.alice => Won::By(Player::Bob),
        TieBreak::Richer => Won::By(Player::Alice),
        TieBreak::Coin => Won::Coin,
        TieBreak::Nobody => unreachable!("rules by which nobody wins a tie were refused"),
    }
}

/// Returns the player with the tie status after `winner` has won, in a tie or not.
fn next_holder(ties: TieBreak, holder: Player, winner: Player, tied: bool) -> Player {
    match ties {
        TieBreak::MakeItTakeIt => winner,
        TieBreak::LosersBall => winner.other(),
        // The holder has used the status, so it goes to the other player.
        TieBreak::Advantage | TieBreak::Marker | TieBreak::Attached if tied && winner == holder => {
            holder.other()
        }
        // A status that was not used stays with its holder.
        _ => holder,
    }
}

/// Computes the purses after `winner` has won with these bids, Alice's and Bob's.
fn after(rules: &Rules, held: &ListedPurses, [x, y]: [i32; 2], winner: Player) -> ListedPurses {
    let (alice, bob) = match (&rules.pay, winner) {
        (Payment::AllPay, _) => (held.alice - x + y, held.bob - y + x),
        (Payment::AllPayBank, _) => (held.alice - x, held.bob - y),
        // The winner pays the loser.
        (_, Player::Alice) => (held.alice - x, held.bob + x),
        (_, Player::Bob) => (held.alice + y, held.bob - y),
    };
    let holder = held.holder;
    ListedPurses {
        alice,
        bob,
        holder: holder.map(|holder| next_holder(rules.ties, holder, winner, x == y)),
    }
}

/// Computes the outcome of a pair of bids, Alice's and Bob's, or both outcomes if a coin decides.
/// `of` gives the outcome after a player has won, for the purses that follow. `order` is that of
/// [`choice`].
pub(super) fn outcomes<T>(
    rules: &Rules,
    held: &ListedPurses,
    bids: [i32; 2],
    of: impl Fn(Player, ListedPurses) -> T,
    order: impl Fn(&T, &T) -> Ordering,
) -> [Option<T>; 2] {
    let wins = |winner: Player| of(winner, after(rules, held, bids, winner));
    match won(rules, held, bids) {
        Won::By(winner) => [Some(wins(winner)), None],
        Won::ChosenBy(player) => [choice(player, Player::both(wins).into_iter(), order), None],
        Won::Coin => Player::both(wins).map(Some),
    }
}

/// Finds the positions to which a turn can lead, each with the purses there.
///
/// # Errors
/// If it is stopped, or they do not fit in memory.
pub fn onward(
    graph: &CertifiedGraph<'_>,
    position: usize,
    held: &ListedPurses,
) -> Result<BTreeSet<(usize, ListedPurses)>, Stop> {
    // The positions do not depend on the bids, so that they are found once for all pairs.
    let heads = Player::both(|winner| {
        let movers = graph.movers(position, winner);
        let heads = movers
            .flat_map(|mover| graph.moves(position, mover))
            .copied();
        heads.collect::<BTreeSet<i32>>()
    });
    let most = graph.context.limits.max_memory;
    let mut found = BTreeSet::new();
    for (x, y) in (0..=held.alice).flat_map(|x| (0..=held.bob).map(move |y| (x, y))) {
        if (x + y) % CHECK_EVERY == 0 {
            graph.context.check()?;
            if found.len() as u64 * PLACE > most {
                return Err(Stop::Memory(most));
            }
        }
        let possible = |winner: &Player| match won(graph.rules, held, [x, y]) {
            Won::By(player) => player == *winner,
            // Either player may win such a bid.
            Won::ChosenBy(_) | Won::Coin => true,
        };
        for winner in Player::BOTH.into_iter().filter(possible) {
            let left = after(graph.rules, held, [x, y], winner);
            found.extend(
                heads[winner as usize]
                    .iter()
                    .map(|to| (fit::<usize>(*to), left)),
            );
        }
    }
    Ok(found)
}
