//! One bid, literally by the rules: who can win it, who has the tie status afterwards, and who can
//! be made to move.
//!
//! The rest of the program has its own code for this, [`settle`](crate::rules::settle); nothing
//! here uses it.

use std::collections::BTreeSet;

use super::Graph;
use crate::player::Player;
use crate::rules::{Payment, Rules, TieBreak, Winner};
use crate::watch::{Context, Stop};

/// How many pairs of bids are tried between two checks.
const CHECK_EVERY: i32 = 1024;
/// What a position with purses takes in a set, in bytes, roughly.
const PLACE: u64 = 48;

/// Who wins a bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Won {
    /// This player.
    By(Player),
    /// Whom this player names.
    ChosenBy(Player),
    /// Either, by a fair coin.
    Coin,
}

/// Both players' chips with who has the tie status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Holdings {
    /// Alice's chips.
    pub alice: i32,
    /// Bob's chips.
    pub bob: i32,
    /// Who has the status, under rules with one.
    pub holder: Option<Player>,
}

/// Who wins when Alice bids `x` and Bob `y`.
pub fn won(rules: &Rules, holdings: &Holdings, x: i32, y: i32) -> Won {
    if x != y {
        return Won::By(if x > y { Player::Alice } else { Player::Bob });
    }
    match (rules.ties, holdings.holder) {
        (TieBreak::Advantage, Some(holder)) => Won::ChosenBy(holder),
        (
            TieBreak::Marker | TieBreak::MakeItTakeIt | TieBreak::LosersBall | TieBreak::Attached,
            Some(holder),
        ) => Won::By(holder),
        (TieBreak::LadiesFirst, _) => Won::By(Player::Alice),
        (TieBreak::GentlemenFirst, _) => Won::By(Player::Bob),
        (TieBreak::Richer, _) if holdings.bob > holdings.alice => Won::By(Player::Bob),
        (TieBreak::Richer, _) => Won::By(Player::Alice),
        (TieBreak::Coin, _) => Won::Coin,
        (TieBreak::Nobody, _) => unreachable!("rules by which nobody wins a tie were refused"),
        (
            TieBreak::Advantage
            | TieBreak::Marker
            | TieBreak::MakeItTakeIt
            | TieBreak::LosersBall
            | TieBreak::Attached,
            None,
        ) => {
            unreachable!("purses were checked to have a holder")
        }
    }
}

/// Who has the tie status after `winner` has won, in a tie or not.
pub fn next_holder(
    rules: &Rules,
    holder: Option<Player>,
    winner: Player,
    tied: bool,
) -> Option<Player> {
    let holder = holder?;
    Some(match rules.ties {
        TieBreak::MakeItTakeIt => winner,
        TieBreak::LosersBall => winner.other(),
        // Used, so it goes to the other player.
        TieBreak::Advantage | TieBreak::Marker | TieBreak::Attached if tied && winner == holder => {
            holder.other()
        }
        TieBreak::Advantage
        | TieBreak::Marker
        | TieBreak::LadiesFirst
        | TieBreak::GentlemenFirst
        | TieBreak::Richer
        | TieBreak::Coin
        | TieBreak::Nobody
        | TieBreak::Attached => holder,
    })
}

/// Who can be made to move by the winner of a bid.
pub fn movers(graph: &Graph<'_>, rule: Winner, position: usize, winner: Player) -> Vec<Player> {
    let able: Vec<Player> = Player::BOTH
        .into_iter()
        .filter(|player| !graph.moves(position, *player).is_empty())
        .collect();
    match rule {
        Winner::Moves if able.len() == 2 => vec![winner],
        Winner::Moves | Winner::Chooses => able,
    }
}

/// What both hold after `winner` has won, where both pay what they bid: Alice `x`, Bob `y`.
pub fn after(rules: &Rules, held: &Holdings, [x, y]: [i32; 2], winner: Player) -> Holdings {
    let (alice, bob) = match rules.pay {
        Payment::AllPay => (held.alice - x + y, held.bob - y + x),
        _ => (held.alice - x, held.bob - y),
    };
    Holdings {
        alice,
        bob,
        holder: next_holder(rules, held.holder, winner, x == y),
    }
}

/// The positions that a turn can lead to, with what both hold there, where both pay.
///
/// # Errors
/// If it is stopped, or they would not fit in memory.
pub fn onward(
    graph: &Graph<'_>,
    rules: &Rules,
    position: usize,
    held: &Holdings,
    context: &Context<'_>,
) -> Result<BTreeSet<(usize, Holdings)>, Stop> {
    let heads = Player::BOTH.map(|winner| {
        let movers = movers(graph, rules.winner, position, winner);
        movers
            .into_iter()
            .flat_map(|mover| graph.moves(position, mover))
            .copied()
            .collect::<BTreeSet<i32>>()
    });
    let most = context.limits.max_memory;
    let mut found = BTreeSet::new();
    for (x, y) in (0..=held.alice).flat_map(|x| (0..=held.bob).map(move |y| (x, y))) {
        if (x + y) % CHECK_EVERY == 0 {
            context.check()?;
            if found.len() as u64 * PLACE > most {
                return Err(Stop::Memory(most));
            }
        }
        let winners = match won(rules, held, x, y) {
            Won::By(winner) => vec![winner],
            Won::ChosenBy(_) | Won::Coin => Player::BOTH.to_vec(),
        };
        for winner in winners {
            let left = after(rules, held, [x, y], winner);
            found.extend(heads[winner as usize].iter().map(|to| (*to as usize, left)));
        }
    }
    Ok(found)
}
