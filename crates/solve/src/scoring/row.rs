//! The values of one vertex for every split of the budget.

use std::borrow::Cow;

use super::Scored;
use crate::convert::fit;
use crate::game::{NodeId, better};
use crate::law::best::BestValues;
use crate::player::{PerPlayer, Player};
use crate::rules::{Purses, Rules, TieBreak, Winner};
use crate::scoring::stage::BidStage;
use crate::watch::{Context, Stop, watched};

/// The number of entries of a row that are processed between two checks.
const CHUNK: usize = 1 << 16;

/// The values that both players can guarantee, in units of the scores' denominator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreInterval {
    /// The maximin value: Alice gets at least this.
    pub least: i64,
    /// The minimax value: Bob concedes at most this.
    pub most: i64,
}

impl ScoreInterval {
    /// Returns the equilibrium score, if there is one in pure strategies.
    pub fn value(self) -> Option<i64> {
        (self.least == self.most).then_some(self.least)
    }

    /// Returns the value that a player can guarantee.
    pub fn secured(self, player: Player) -> i64 {
        match player {
            Player::Alice => self.least,
            Player::Bob => self.most,
        }
    }
}

/// The order of the splits of a total in a row: by Alice's chips, all with the status hers before
/// all with Bob's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PurseLayout {
    pub(super) total: u64,
    pub(super) ties: TieBreak,
}

impl PurseLayout {
    /// Returns the number of splits with a fixed holder of the status.
    pub(super) fn splits(self) -> usize {
        fit::<usize>(self.total) + 1
    }

    pub(super) fn len(self) -> usize {
        self.ties.holders().len() * self.splits()
    }

    /// Returns the size of a row of single values in bytes.
    pub(super) fn bytes(self) -> u64 {
        let rows = self.ties.holders().len() as u64;
        self.total
            .saturating_add(1)
            .saturating_mul(rows * size_of::<i64>() as u64)
    }

    pub(super) fn index(self, purses: &Purses) -> usize {
        let before = if purses.status == Some(Player::Bob) {
            self.splits()
        } else {
            0
        };
        before + fit::<usize>(purses.chips.alice)
    }

    /// Iterates over all purses, in the order of the row.
    pub(super) fn purses(self) -> impl Iterator<Item = Purses> {
        Purses::of_total(self.ties, self.total)
    }
}

/// The values of a vertex: maximin, and minimax where the two are not the same throughout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ScoreRow {
    least: Box<[i64]>,
    most: Option<Box<[i64]>>,
}

impl ScoreRow {
    pub(super) fn constant(value: i64, layout: PurseLayout) -> Self {
        Self {
            least: vec![value; layout.len()].into(),
            most: None,
        }
    }

    pub(super) fn get(&self, index: usize) -> ScoreInterval {
        ScoreInterval {
            least: self.least[index],
            most: self
                .most
                .as_ref()
                .map_or(self.least[index], |most| most[index]),
        }
    }

    /// Returns the values that a player can guarantee, for every split.
    pub(super) fn secured(&self, player: Player) -> &[i64] {
        match (player, &self.most) {
            (Player::Bob, Some(most)) => most,
            // If there is one row, maximin and minimax are the same.
            (Player::Alice | Player::Bob, _) => &self.least,
        }
    }

    /// Returns the excess of the values over those of another row, if maximin and minimax have the
    /// same excess.
    pub(super) fn excess(&self, other: &Self) -> Option<Vec<i64>> {
        let by: Vec<i64> = self
            .least
            .iter()
            .zip(&other.least)
            .map(|(a, b)| a - b)
            .collect();
        self.exceeds(other, &by).then_some(by)
    }

    /// Returns whether every value is that of the other row plus the number given for the split.
    pub(super) fn exceeds(&self, other: &Self, by: &[i64]) -> bool {
        Player::BOTH.into_iter().all(|player| {
            let (own, others) = (self.secured(player), other.secured(player));
            own.iter()
                .zip(others)
                .zip(by)
                .all(|((a, b), by)| *a == b + by)
        })
    }

    /// Returns whether maximin and minimax are the same throughout.
    pub(super) fn is_settled(&self) -> bool {
        self.most.is_none()
    }
}

/// The values of a vertex once a bid is settled: for each winner of the bid a row over the purses
/// after it.
#[derive(Debug, Clone)]
pub(super) struct ValuesAfterBid<'r>(PerPlayer<Cow<'r, [i64]>>);

impl ValuesAfterBid<'_> {
    pub(super) fn of(&self, winner: Player) -> &[i64] {
        &self.0[winner]
    }
}

/// Computes the values that `player` can guarantee after each result of the bid, from the values
/// after the moves.
pub(super) fn after<'r>(
    game: Scored<'_>,
    rules: &Rules,
    node: NodeId,
    player: Player,
    row: &impl Fn(NodeId) -> &'r ScoreRow,
    context: &Context<'_>,
) -> Result<ValuesAfterBid<'r>, Stop> {
    let moved = |mover: Player| -> Result<Option<Cow<'r, [i64]>>, Stop> {
        let mut found: Option<Cow<'r, [i64]>> = None;
        for (head, weight) in game.scores.moves(game.graph, node, mover) {
            // A row that is not shifted is borrowed, so that a single move without weight costs no
            // copy.
            let next = shifted(row(head).secured(player), weight, context)?;
            found = Some(match found {
                Some(found) => best(mover, found, &next, context)?,
                None => next,
            });
        }
        Ok(found)
    };
    let (alice, bob) = match BestValues::of(moved(Player::Alice)?, moved(Player::Bob)?) {
        BestValues::Both(alice, bob) => match rules.winner {
            Winner::Moves => (alice, bob),
            Winner::Chooses => (
                best(Player::Alice, alice.clone(), &bob, context)?,
                best(Player::Bob, alice, &bob, context)?,
            ),
        },
        // A player who cannot move lets the other one move, whoever wins the bid.
        BestValues::Only(only) => (only.clone(), only),
    };
    Ok(ValuesAfterBid(PerPlayer::new(alice, bob)))
}

/// Checks the context in a loop over the chunks of a row, unless there is only one.
fn ask(row: &[i64], context: &Context<'_>) -> Result<(), Stop> {
    if row.len() > CHUNK {
        context.check()?;
    }
    Ok(())
}

fn shifted<'r>(row: &'r [i64], weight: i64, context: &Context<'_>) -> Result<Cow<'r, [i64]>, Stop> {
    if weight == 0 {
        return Ok(row.into());
    }
    let mut shifted = Vec::with_capacity(row.len());
    for part in row.chunks(CHUNK) {
        ask(row, context)?;
        shifted.extend(part.iter().map(|value| value + weight));
    }
    Ok(shifted.into())
}

fn best<'r>(
    player: Player,
    a: Cow<'r, [i64]>,
    b: &[i64],
    context: &Context<'_>,
) -> Result<Cow<'r, [i64]>, Stop> {
    let mut best = a.into_owned();
    for (part, others) in best.chunks_mut(CHUNK).zip(b.chunks(CHUNK)) {
        ask(b, context)?;
        for (value, other) in part.iter_mut().zip(others) {
            *value = better(player, *value, *other);
        }
    }
    Ok(best.into())
}

/// The parameters with which the rows of all vertices are computed.
pub(super) struct Terms<'a> {
    pub(super) rules: &'a Rules,
    pub(super) layout: PurseLayout,
    pub(super) context: &'a Context<'a>,
}

/// Computes the row of a vertex that is not an ending, from the rows of its successors.
///
/// # Errors
/// If the work is stopped. Where no theorem helps, the work of a row grows with the square of the
/// total.
pub(super) fn solve<'r>(
    game: Scored<'_>,
    terms: &Terms<'_>,
    node: NodeId,
    row: &impl Fn(NodeId) -> &'r ScoreRow,
) -> Result<ScoreRow, Stop> {
    let Terms {
        rules,
        layout,
        context,
    } = *terms;
    // If maximin and minimax agree after all moves, one row of values after the bid serves both
    // players.
    let settled = game
        .graph
        .all_successors(node)
        .all(|head| row(head).is_settled());
    let after_alice = after(game, rules, node, Player::Alice, row, context)?;
    if let Some(owner) = game.graph.owner(node) {
        // There is no bid, so that all purses stay as they are.
        let (least, after_bob) = (
            after_alice.of(owner).into(),
            after(game, rules, node, Player::Bob, row, context)?,
        );
        let most: Box<[i64]> = after_bob.of(owner).into();
        let most = (least != most).then_some(most);
        return Ok(ScoreRow { least, most });
    }
    // The test of the properties takes linear time; without them each split needs a search of all
    // bids.
    if settled && rules.ties == TieBreak::Marker && is_monotone(&after_alice, layout) {
        return Ok(ScoreRow {
            least: from_ties(&after_alice, layout, context)?.into(),
            most: None,
        });
    }
    let after_bob = if settled {
        after_alice.clone()
    } else {
        after(game, rules, node, Player::Bob, row, context)?
    };
    let secured = |player, after| -> Result<Box<[i64]>, Stop> {
        let one = |purses| {
            context.check()?;
            let stage = BidStage {
                rules,
                layout,
                purses,
                after,
            };
            Ok(stage.security(player, context)?.0)
        };
        layout.purses().map(one).collect()
    };
    let (least, most) = (
        secured(Player::Alice, &after_alice)?,
        secured(Player::Bob, &after_bob)?,
    );
    // Equal rows are stored once, which also marks the vertex as settled.
    let most = (least != most).then_some(most);
    Ok(ScoreRow { least, most })
}

/// Returns whether the values after the bid have the properties (A), (B) and (C) of Definition 2,
/// for either winner of the bid.
fn is_monotone(after: &ValuesAfterBid<'_>, layout: PurseLayout) -> bool {
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

/// Computes the values inside the monotone class, under the marker, in constant time for each
/// split.
///
/// Let Alice hold the marker, with `a` chips to Bob's `b`. Let `T(x)` be the result of a tie at `x`
/// and `Q(y)` that of Bob's winning with `y`. By (A), `T` decreases and `Q` increases. By (C),
/// Alice prefers winning a tie at `x − 1` to winning strictly at `x`; by (B), Bob prefers a tie to
/// her winning strictly. So the maximin value is the maximum over `x` of `min(T(x), Q(x + 1))`, the
/// minimax value the minimum over `y` of `max(Q(y), T(y))`, and with `c` the first `y ≥ 1` where
/// `Q(y) ≥ T(y)`, or where Alice cannot reply, both are `min(Q(c), T(c − 1))`; without such a `c`
/// both are `T(b)`. One more chip changes `c` by one at most.
pub(super) fn from_ties(
    after: &ValuesAfterBid<'_>,
    layout: PurseLayout,
    context: &Context<'_>,
) -> Result<Vec<i64>, Stop> {
    let splits = layout.splits();
    let (alice, bob) = (after.of(Player::Alice), after.of(Player::Bob));
    let mut values = holder_values(&alice[splits..], &bob[..splits], context)?;
    // Bob's values are computed in the same way from his side: he counts his own chips and wants
    // the opposite score.
    let from_bob = |row: &[i64]| row.iter().rev().map(|value| -value).collect::<Vec<_>>();
    let bobs = holder_values(
        &from_bob(&bob[..splits]),
        &from_bob(&alice[splits..]),
        context,
    )?;
    values.extend(from_bob(&bobs));
    Ok(values)
}

/// Returns the holder's values by own chips: `tied` after winning a tie (the marker is passed),
/// `lost` after losing the bid (it is kept).
fn holder_values(tied: &[i64], lost: &[i64], context: &Context<'_>) -> Result<Vec<i64>, Stop> {
    let total = tied.len() - 1;
    let mut crossing = 1;
    watched(0..=total, context)
        .map(|own| {
            let own = own?;
            let other = total - own;
            // One more chip moves the crossing by one at most, so the whole row takes linear time.
            crossing = crossing.max(2) - 1;
            while crossing <= other
                && crossing <= own
                && lost[own + crossing] < tied[own - crossing]
            {
                crossing += 1;
            }
            Ok(if crossing > other {
                // There is no crossing, so both players bid all that the poorer one has, and the
                // holder wins the tie.
                tied[own - other]
            } else {
                lost[own + crossing].min(tied[own + 1 - crossing])
            })
        })
        .collect()
}
