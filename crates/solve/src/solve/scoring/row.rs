//! The values of one vertex for every split of the budget.

use std::borrow::Cow;

use super::Scored;
use crate::game::NodeId;
use crate::player::{PerPlayer, Player};
use crate::rules::{Purses, Rules, TieBreak, Winner};
use crate::solve::scoring::stage::Stage;
use crate::watch::{Stop, Watch};

/// What both players can be sure of, in units of the scores' denominator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// The maximin value: Alice gets at least this.
    pub least: i64,
    /// The minimax value: Bob concedes at most this.
    pub most: i64,
}

impl Interval {
    /// The equilibrium score, if there is one in pure strategies.
    pub fn value(self) -> Option<i64> {
        (self.least == self.most).then_some(self.least)
    }

    /// What a player can be sure of.
    pub fn secured(self, player: Player) -> i64 {
        match player {
            Player::Alice => self.least,
            Player::Bob => self.most,
        }
    }
}

/// How the splits of a total stand in a row: by Alice's chips, all with the status hers before all
/// with Bob's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) total: u64,
    pub(super) has_status: bool,
}

impl Layout {
    /// The number of splits with a fixed holder of the status.
    pub(super) fn splits(self) -> usize {
        self.total as usize + 1
    }

    pub(super) fn len(self) -> usize {
        if self.has_status {
            2 * self.splits()
        } else {
            self.splits()
        }
    }

    pub(super) fn index(self, purses: &Purses) -> usize {
        let before = if purses.status == Some(Player::Bob) {
            self.splits()
        } else {
            0
        };
        before + purses.chips.alice as usize
    }

    /// All purses, in the order of the row.
    pub(super) fn purses(self) -> impl Iterator<Item = Purses> {
        let holders: &[_] = if self.has_status {
            &[Some(Player::Alice), Some(Player::Bob)]
        } else {
            &[None]
        };
        let chips =
            move || (0..=self.total).map(move |alice| PerPlayer::new(alice, self.total - alice));
        holders
            .iter()
            .flat_map(move |&status| chips().map(move |chips| Purses { chips, status }))
    }
}

/// The values of a vertex: maximin, and minimax where the two are not the same throughout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    least: Box<[i64]>,
    most: Option<Box<[i64]>>,
}

impl Row {
    pub(super) fn constant(value: i64, layout: Layout) -> Self {
        Self {
            least: vec![value; layout.len()].into(),
            most: None,
        }
    }

    pub(super) fn get(&self, index: usize) -> Interval {
        Interval {
            least: self.least[index],
            most: self
                .most
                .as_ref()
                .map_or(self.least[index], |most| most[index]),
        }
    }

    /// What a player can be sure of, for every split.
    pub(super) fn secured(&self, player: Player) -> &[i64] {
        match (player, &self.most) {
            (Player::Bob, Some(most)) => most,
            (Player::Alice | Player::Bob, _) => &self.least,
        }
    }

    /// By how much the values exceed those of another row, if maximin and minimax do by the same.
    pub(super) fn excess(&self, other: &Self) -> Option<Vec<i64>> {
        let by: Vec<i64> = self
            .least
            .iter()
            .zip(&other.least)
            .map(|(a, b)| a - b)
            .collect();
        self.exceeds(other, &by).then_some(by)
    }

    /// Whether every value is that of the other row and what is given for the split.
    pub(super) fn exceeds(&self, other: &Self, by: &[i64]) -> bool {
        Player::BOTH.into_iter().all(|player| {
            let (own, others) = (self.secured(player), other.secured(player));
            own.iter()
                .zip(others)
                .zip(by)
                .all(|((a, b), by)| *a == b + by)
        })
    }

    /// Whether maximin and minimax are the same throughout.
    pub(super) fn is_settled(&self) -> bool {
        self.most.is_none()
    }
}

/// What a vertex is worth once a bid is settled: for each winner of the bid a row over the purses
/// after it.
#[derive(Debug, Clone)]
pub(super) struct After<'r>(PerPlayer<Cow<'r, [i64]>>);

impl After<'_> {
    pub(super) fn of(&self, winner: Player) -> &[i64] {
        &self.0[winner]
    }
}

/// What `player` can be sure of after each result of the bid, from what follows the moves.
pub(super) fn after<'r>(
    game: Scored<'_>,
    rules: &Rules,
    node: NodeId,
    player: Player,
    row: &impl Fn(NodeId) -> &'r Row,
) -> After<'r> {
    let moved = PerPlayer::new(Player::Alice, Player::Bob).map(|mover| {
        let moves = game.scores.moves(game.graph, node, mover);
        moves
            .map(|(head, weight)| shifted(row(head).secured(player), weight))
            .reduce(|a, b| best(mover, a, b))
    });
    let (alice, bob) = match (moved.alice, moved.bob) {
        (Some(alice), Some(bob)) => match rules.winner {
            Winner::Moves => (alice, bob),
            Winner::Chooses => (
                best(Player::Alice, alice.clone(), bob.clone()),
                best(Player::Bob, alice, bob),
            ),
        },
        (Some(only), None) | (None, Some(only)) => (only.clone(), only),
        (None, None) => unreachable!("a vertex without an ending has edges"),
    };
    After(PerPlayer::new(alice, bob))
}

fn shifted(row: &[i64], weight: i64) -> Cow<'_, [i64]> {
    if weight == 0 {
        row.into()
    } else {
        row.iter().map(|value| value + weight).collect()
    }
}

fn best<'r>(player: Player, a: Cow<'r, [i64]>, b: Cow<'r, [i64]>) -> Cow<'r, [i64]> {
    let mut best = a.into_owned();
    for (value, other) in best.iter_mut().zip(b.iter()) {
        *value = match player {
            Player::Alice => (*value).max(*other),
            Player::Bob => (*value).min(*other),
        };
    }
    best.into()
}

/// What the rows of all vertices are worked out with.
pub(super) struct Terms<'a> {
    pub(super) rules: &'a Rules,
    pub(super) layout: Layout,
    pub(super) watch: &'a dyn Watch,
}

/// The row of a vertex that is no ending, from the rows of its successors.
///
/// # Errors
/// If the watch stops it: where no theorem helps, the work of a row grows with the square of the
/// total.
pub(super) fn solve<'r>(
    game: Scored<'_>,
    terms: &Terms<'_>,
    node: NodeId,
    row: &impl Fn(NodeId) -> &'r Row,
) -> Result<Row, Stop> {
    let Terms {
        rules,
        layout,
        watch,
    } = *terms;
    let settled = game
        .graph
        .all_successors(node)
        .all(|head| row(head).is_settled());
    let after_alice = after(game, rules, node, Player::Alice, row);
    if let Some(owner) = game.graph.owner(node) {
        // There is no bid, so that all stays as it is.
        let (least, after_bob) = (
            after_alice.of(owner).into(),
            after(game, rules, node, Player::Bob, row),
        );
        let most: Box<[i64]> = after_bob.of(owner).into();
        let most = (least != most).then_some(most);
        return Ok(Row { least, most });
    }
    if settled && rules.ties == TieBreak::Marker && is_monotone(&after_alice, layout) {
        return Ok(Row {
            least: from_ties(&after_alice, layout).into(),
            most: None,
        });
    }
    let after_bob = if settled {
        after_alice.clone()
    } else {
        after(game, rules, node, Player::Bob, row)
    };
    let secured = |player, after| -> Result<Box<[i64]>, Stop> {
        let one = |purses| {
            watch.check()?;
            Ok(Stage {
                rules,
                layout,
                purses,
                after,
            }
            .security(player)
            .0)
        };
        layout.purses().map(one).collect()
    };
    let (least, most) = (
        secured(Player::Alice, &after_alice)?,
        secured(Player::Bob, &after_bob)?,
    );
    let most = (least != most).then_some(most);
    Ok(Row { least, most })
}

/// Whether what follows has the properties (A), (B) and (C) of Definition 2, whoever wins the bid.
fn is_monotone(after: &After<'_>, layout: Layout) -> bool {
    Player::BOTH.into_iter().all(|winner| {
        let (with, without) = after.of(winner).split_at(layout.splits());
        with.is_sorted()
            && without.is_sorted()
            && with
                .iter()
                .zip(without)
                .all(|(with, without)| with >= without)
            && with
                .iter()
                .zip(&without[1..])
                .all(|(with, without)| with <= without)
    })
}

/// The values inside the monotone class, under the marker, in constant time for each split.
///
/// Let Alice hold the marker, with `a` chips to Bob's `b`. Let `T(x)` be the result of a tie at `x`
/// and `Q(y)` that of Bob's winning with `y`. By (A), `T` falls and `Q` rises. By (C), Alice rather
/// wins a tie at `x − 1` than strictly at `x`; by (B), Bob rather ties than lets her win strictly.
/// So the maximin value is the most over `x` of `min(T(x), Q(x + 1))`, the minimax value the least
/// over `y` of `max(Q(y), T(y))`, and with `c` the first `y ≥ 1` where `Q(y) ≥ T(y)`, or where
/// Alice cannot reply, both are `min(Q(c), T(c − 1))`; without such a `c` both are `T(b)`. One chip
/// more moves `c` by one at most.
pub(super) fn from_ties(after: &After<'_>, layout: Layout) -> Vec<i64> {
    let splits = layout.splits();
    let (alice, bob) = (after.of(Player::Alice), after.of(Player::Bob));
    let mut values = holder_values(&alice[splits..], &bob[..splits]);
    // The same from Bob's side, who counts his own chips and wants the opposite score.
    let from_bob = |row: &[i64]| row.iter().rev().map(|value| -value).collect::<Vec<_>>();
    let bobs = holder_values(&from_bob(&bob[..splits]), &from_bob(&alice[splits..]));
    values.extend(from_bob(&bobs));
    values
}

/// The holder's values by own chips: `tied` after winning a tie (the marker is passed), `lost`
/// after losing the bid (it is kept).
fn holder_values(tied: &[i64], lost: &[i64]) -> Vec<i64> {
    let total = tied.len() - 1;
    let mut crossing = 1;
    (0..=total)
        .map(|own| {
            let other = total - own;
            crossing = crossing.max(2) - 1;
            while crossing <= other
                && crossing <= own
                && lost[own + crossing] < tied[own - crossing]
            {
                crossing += 1;
            }
            if crossing > other {
                tied[own - other]
            } else {
                lost[own + crossing].min(tied[own + 1 - crossing])
            }
        })
        .collect()
}
