//! The vertices from which a player can leave a component, and those at which a player can be kept
//! in it for ever.
//!
//! One player, the escaper, wants to get out of a set of vertices, the other, the keeper, wants to
//! keep the play in; a coin decides who moves. The escaper gets out with certainty, however long it
//! takes, exactly from the vertices that have a *rank*: rank r if the escaper has an edge out or to
//! a rank below r, or the keeper has edges and all of them lead out or to ranks below r. (Then each
//! toss brings the play closer with probability 1/2 at least. From a vertex without a rank the
//! keeper has an edge to another one, and all of the escaper's edges lead to such vertices: the
//! play stays whatever the coins say.)

use std::cmp::Ordering;
use std::collections::VecDeque;

use super::arena::{Arena, ArenaStrategies};
use crate::convert::fit;
use crate::player::Player;

/// The role of an edge in an escape.
#[derive(PartialEq)]
enum EdgeRole {
    /// The edge leads out.
    Out,
    /// The edge leads to a vertex that may or may not have a rank.
    Inside,
    /// The edge may not be used.
    Unused,
}

/// Computes the rank of each vertex of the arena, 0 for none. Only vertices with `takes_part` get
/// one.
fn ranks(
    arena: &Arena,
    escaper: Player,
    takes_part: impl Fn(usize) -> bool,
    edge: impl Fn(usize, Player, usize) -> EdgeRole,
) -> Vec<u32> {
    let mut ranks = vec![0; arena.len];
    // The number of the keeper's edges that do not lead out yet.
    let mut kept = vec![0u32; arena.len];
    let mut queue = VecDeque::new();
    for vertex in (0..arena.len).filter(|&vertex| takes_part(vertex)) {
        let out = arena
            .heads(vertex, escaper)
            .iter()
            .any(|&head| edge(vertex, escaper, head as usize) == EdgeRole::Out);
        let keepers = arena.heads(vertex, escaper.other());
        let stays =
            |head: &&u32| edge(vertex, escaper.other(), **head as usize) == EdgeRole::Inside;
        kept[vertex] = fit::<u32>(keepers.iter().filter(stays).count());
        // A keeper without edges does not move there, so it is the escaper's edges alone that
        // decide.
        if out || (!keepers.is_empty() && kept[vertex] == 0) {
            ranks[vertex] = 1;
            queue.push_back(fit::<u32>(vertex));
        }
    }
    while let Some(head) = queue.pop_front() {
        for player in Player::BOTH {
            for &next in arena.tails(head, player) {
                let tail = next as usize;
                if !takes_part(tail) || edge(tail, player, head as usize) != EdgeRole::Inside {
                    continue;
                }
                // Each inside edge is met once, when its head leaves the queue, so this cannot go
                // below 0.
                kept[tail] -= u32::from(player != escaper);
                if ranks[tail] == 0 && (player == escaper || kept[tail] == 0) {
                    ranks[tail] = ranks[head as usize] + 1;
                    queue.push_back(next);
                }
            }
        }
    }
    ranks
}

/// Computes the ranks of the vertices from which a player can reach an exit of the given kind with
/// positive probability, whatever the opponent does.
pub(super) fn attraction(arena: &Arena, player: Player, good: impl Fn(usize) -> bool) -> Vec<u32> {
    let edge = |_, _, head| {
        if head >= arena.len && good(head) {
            EdgeRole::Out
        } else {
            EdgeRole::Inside
        }
    };
    ranks(arena, player, |_| true, edge)
}

/// Returns the vertices from which a player surely reaches a good exit under random turns. If
/// `endless` is set, play without end is good as well.
pub(super) fn sure(
    arena: &Arena,
    player: Player,
    good: impl Fn(usize) -> bool,
    endless: bool,
) -> Vec<bool> {
    let mut sure = vec![true; arena.len];
    loop {
        // A rank means that the opponent leaves for a bad result with positive probability.
        let away = ranks(
            arena,
            player.other(),
            |vertex| sure[vertex],
            |_, _, head| {
                let stays = sure.get(head).copied().unwrap_or_else(|| good(head));
                if stays {
                    EdgeRole::Inside
                } else {
                    EdgeRole::Out
                }
            },
        );
        sure.iter_mut()
            .zip(away)
            .for_each(|(sure, rank)| *sure &= rank == 0);
        if endless {
            return sure;
        }
        // No rank means that the player never reaches a good exit.
        let near = ranks(
            arena,
            player,
            |vertex| sure[vertex],
            |_, _, head| match sure.get(head) {
                Some(true) => EdgeRole::Inside,
                None if good(head) => EdgeRole::Out,
                Some(false) | None => EdgeRole::Unused,
            },
        );
        // Removing these vertices can let the opponent escape from others, so both tests are
        // repeated.
        let lost = (0..arena.len)
            .filter(|&vertex| sure[vertex] && near[vertex] == 0)
            .collect::<Vec<_>>();
        if lost.is_empty() {
            return sure;
        }
        lost.into_iter().for_each(|vertex| sure[vertex] = false);
    }
}

/// Returns moves of a player that decrease the rank wherever the player can.
pub(super) fn descent(
    arena: &Arena,
    player: Player,
    ranks: &[u32],
    good: impl Fn(usize) -> bool,
) -> Vec<Option<u32>> {
    let rank = |head: u32| match ranks.get(head as usize) {
        // Rank 0 stands for no rank at all, so it comes after every real one.
        Some(0) => u32::MAX,
        Some(&rank) => rank,
        None if good(head as usize) => 0,
        None => u32::MAX,
    };
    (0..arena.len)
        .map(|vertex| {
            arena
                .heads(vertex, player)
                .iter()
                .copied()
                .min_by_key(|&head| rank(head))
        })
        .collect()
}

/// Computes the ranks at which the escaper leaves the level sets of the values by edges that keep
/// the value, from all vertices that are better for the escaper than play without end.
///
/// `compare` compares the values of two vertices, and `fixed` binds the escaper to a strategy.
pub(super) fn level_ranks(
    arena: &Arena,
    escaper: Player,
    fixed: Option<&ArenaStrategies>,
    compare: impl Fn(usize, usize) -> Ordering,
) -> Vec<u32> {
    let side = |a, b| {
        if escaper == Player::Alice {
            compare(a, b)
        } else {
            compare(b, a)
        }
    };
    let better_out = |vertex| side(vertex, arena.forever()).is_lt();
    let best: Vec<_> = (0..arena.len)
        .map(|vertex| {
            let heads = arena
                .heads(vertex, escaper)
                .iter()
                .map(|&head| head as usize);
            // Any number will do for a vertex that never asks for its best head.
            let asks = fixed.is_none() && better_out(vertex);
            let best = asks.then(|| heads.min_by(|&a, &b| side(a, b)));
            best.flatten().unwrap_or(vertex)
        })
        .collect();
    let used = |vertex: usize, player, head: usize| match fixed {
        _ if player != escaper => true,
        Some(strategies) => strategies[escaper][vertex] == Some(fit::<u32>(head)),
        None => compare(head, best[vertex]).is_eq(),
    };
    ranks(arena, escaper, better_out, |vertex, player, head| {
        if !used(vertex, player, head) {
            EdgeRole::Unused
        } else if head < arena.len && compare(vertex, head).is_eq() {
            EdgeRole::Inside
        } else {
            EdgeRole::Out
        }
    })
}
