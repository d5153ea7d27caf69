//! Optimal mixed bids: both players' distributions, and the players' decisions after the bid.

use std::collections::BTreeSet;

use borsh::{BorshDeserialize, BorshSerialize, io};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use serde::{Serialize, Serializer};

use super::block::{Block, Cell, Column, Grid, Line, Medium};
use super::picture::Picture;
use super::{ReportedDecision, json};
use bid_language::codec;
use bid_language::player::Player;
use bid_language::scalar::Scalar;

/// The quantity that a value of mixed bids measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "snake_case")]
pub enum MixedMeasure {
    /// The probability with which Alice wins.
    Probability,
    /// The expected score, positive for Alice.
    Score,
}

impl MixedMeasure {
    /// Returns the words before the value.
    fn sentence(self) -> &'static str {
        match self {
            Self::Probability => "alice wins with probability ",
            Self::Score => "the expected score for Alice is ",
        }
    }

    /// Returns the words before the value at the beginning of a sentence in a paper.
    fn beginning(self) -> &'static str {
        match self {
            Self::Probability => "Alice wins with probability ",
            Self::Score => "The expected score for Alice is ",
        }
    }
}

/// Both players' optimal bids, with the value that they prove.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(tag = "type", rename = "nash")]
pub struct Nash {
    /// The quantity that the value measures.
    #[serde(rename = "measure")]
    pub worth: MixedMeasure,
    /// The value: a rational or an interval.
    pub value: Scalar,
    /// The method by which the bids were found.
    #[borsh(
        serialize_with = "bid_language::codec::write_word",
        deserialize_with = "bid_language::codec::read_word"
    )]
    pub method: &'static str,
    /// Alice's and Bob's bids. There are none if the game is over.
    #[serde(rename = "strategies")]
    pub players: Vec<MixedBid>,
}

/// A player's optimal mixed bid.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct MixedBid {
    /// The player.
    pub player: Player,
    /// The player's chips, with the star if there is one: `10`, `4*`.
    pub chips: String,
    /// The bids of positive probability with their probabilities, the least first.
    #[serde(serialize_with = "json::bids")]
    #[borsh(serialize_with = "write_bids", deserialize_with = "read_bids")]
    pub bids: Vec<(BigInt, Weight)>,
    /// The player's decisions after winning, and if made to move, by the chips left.
    pub decisions: Vec<DecisionRange>,
}

/// The probability of a bid.
#[derive(Debug, Clone, PartialEq, BorshSerialize, BorshDeserialize)]
pub enum Weight {
    /// Exact.
    Exact(
        #[borsh(
            serialize_with = "bid_language::codec::write_rational",
            deserialize_with = "bid_language::codec::read_rational"
        )]
        BigRational,
    ),
    /// A probability in a mixed bid whose value is certified. Other bids may prove the same value.
    Float(f64),
}

/// A player's decision after a bid, for a range of chips left.
#[derive(Debug, Clone, PartialEq, BorshSerialize, BorshDeserialize)]
pub struct DecisionRange {
    /// `true` after winning the bid; otherwise the opponent has won, and makes the player move.
    pub won: bool,
    /// The fewest and the most chips left, with the star if the player has it: `4*`.
    pub chips: (String, String),
    /// The fewest and the most chips of the opponent, where the decision depends on them.
    pub against: Option<(String, String)>,
    /// The decision.
    pub decision: ReportedDecision,
    /// The position that follows, also if the opponent has to move.
    pub position: String,
}

/// Writes bids with their probabilities.
fn write_bids<W: io::Write>(bids: &[(BigInt, Weight)], writer: &mut W) -> io::Result<()> {
    BorshSerialize::serialize(&bids.len(), writer)?;
    bids.iter().try_for_each(|(bid, weight)| {
        codec::write_integer(bid, writer)?;
        BorshSerialize::serialize(weight, writer)
    })
}

/// Reads bids with their probabilities.
fn read_bids<R: io::Read>(reader: &mut R) -> io::Result<Vec<(BigInt, Weight)>> {
    let count = usize::deserialize_reader(reader)?;
    (0..count)
        .map(|_| {
            Ok((
                codec::read_integer(reader)?,
                Weight::deserialize_reader(reader)?,
            ))
        })
        .collect()
}

impl Weight {
    /// Returns the nearest floating-point number.
    pub fn approximate(&self) -> f64 {
        match self {
            Self::Exact(exact) => exact.to_f64().unwrap_or(0.0),
            Self::Float(weight) => *weight,
        }
    }

    /// Returns the shortest text that identifies the weight.
    pub fn full(&self) -> String {
        match self {
            Self::Exact(exact) => exact.to_string(),
            Self::Float(weight) => weight.to_string(),
        }
    }

    /// Returns a text for a column: a rational if it is short, else decimals.
    pub(super) fn short(&self) -> String {
        match self {
            Self::Exact(exact) if exact.to_string().len() <= RATIONAL_LONGEST => exact.to_string(),
            // Columns are read, not computed with, so that eight digits are enough.
            Self::Exact(_) | Self::Float(_) => format!("{:.8}", self.approximate()),
        }
    }
}

/// The longest rational in a column, in characters. Longer ones are shown as decimals, but exports
/// have them in full.
const RATIONAL_LONGEST: usize = 15;

impl Nash {
    pub(super) fn blocks(&self, medium: Medium) -> Vec<Block<'_>> {
        match medium {
            Medium::Terminal => self.drawn(),
            Medium::Page => self.drawn().into_iter().chain(self.told()).collect(),
            Medium::Paper => {
                let sentence = vec![
                    Cell::text(self.worth.beginning()),
                    Cell::value(&self.value),
                    Cell::text("."),
                ];
                [Block::line(sentence)]
                    .into_iter()
                    .chain(self.told())
                    .collect()
            }
            Medium::Sheet => {
                let rows = self.players.iter().flat_map(|mixed| {
                    let row = |(bid, weight): &(BigInt, Weight)| {
                        [
                            Cell::text(mixed.player.word()),
                            Cell::words(bid),
                            Cell::text(weight.full()),
                        ]
                    };
                    mixed.bids.iter().map(row).collect::<Vec<_>>()
                });
                vec![Block::sheet(["player", "bid", "probability"], rows)]
            }
        }
    }

    /// Returns a sentence with the value.
    pub(super) fn sentence(&self) -> Line<'_> {
        vec![Cell::text(self.worth.sentence()), Cell::value(&self.value)]
    }

    fn proof(&self) -> String {
        match self.value {
            // Equal bounds are an exact value, of which there is nothing more to say.
            Scalar::Interval(bounds) if bounds.low < bounds.high => {
                format!(
                    "found by {}; proved from {} to {}",
                    self.method, bounds.low, bounds.high
                )
            }
            _ => format!("found by {}", self.method),
        }
    }

    /// Returns the value and the bids as bars. In the terminal, the bars also show each player's
    /// decisions.
    fn drawn(&self) -> Vec<Block<'_>> {
        let lines = Block::lines([self.sentence(), vec![Cell::text(self.proof())]]);
        let bars = (!self.players.is_empty()).then_some(Block::Picture(Picture::Bars(self)));
        [lines].into_iter().chain(bars).collect()
    }

    /// Returns a column of probabilities for each player, and each player's decisions.
    fn told(&self) -> Vec<Block<'_>> {
        let mut blocks = Vec::new();
        if !self.players.is_empty() {
            blocks.push(self.probabilities());
        }
        for mixed in &self.players {
            let sentence = |decided: &DecisionRange| {
                Cell::text(format!("{} {}.", mixed.player.name(), decided.sentence()))
            };
            blocks.extend(
                mixed
                    .decisions
                    .iter()
                    .map(|decided| Block::line([sentence(decided)])),
            );
        }
        blocks
    }

    /// Returns a row for each bid that a player makes.
    fn probabilities(&self) -> Block<'_> {
        let bids = self
            .players
            .iter()
            .flat_map(|mixed| mixed.bids.iter().map(|(bid, _)| bid));
        // The players may bid differently, so that the rows are all bids of either, in order.
        let bids: Vec<&BigInt> = bids.collect::<BTreeSet<_>>().into_iter().collect();
        let names = self
            .players
            .iter()
            .map(|mixed| Column::left(Cell::text(mixed.title())));
        let heads = [Column::right(Cell::text("bid"))]
            .into_iter()
            .chain(names)
            .collect();
        Block::Grid(Grid::new(
            heads,
            bids.len(),
            move |row, column| match column {
                0 => Cell::words(bids[row]),
                _ => self.players[column - 1].probability(bids[row]),
            },
        ))
    }
}

impl MixedBid {
    /// Returns `Alice with 10`.
    pub(super) fn title(&self) -> String {
        format!("{} with {}", self.player.name(), self.chips)
    }

    fn probability(&self, bid: &BigInt) -> Cell<'_> {
        match self.bids.iter().find(|(other, _)| other == bid) {
            Some((_, Weight::Exact(exact))) => Cell::rational(exact),
            Some((_, weight)) => Cell::text(weight.short()),
            None => Cell::text(""),
        }
    }

    /// Returns a weight as a part of the greatest one.
    pub(super) fn share(&self, weight: &Weight) -> f64 {
        let greatest = self.greatest();
        // A player without bids has no greatest weight to divide by.
        if greatest > 0.0 {
            weight.approximate() / greatest
        } else {
            0.0
        }
    }

    /// Returns the greatest weight.
    pub(super) fn greatest(&self) -> f64 {
        self.bids
            .iter()
            .map(|(_, weight)| weight.approximate())
            .fold(0.0, f64::max)
    }
}

impl DecisionRange {
    pub(super) fn sentence(&self) -> String {
        let range = |(least, most): &(String, String)| {
            if least == most {
                least.clone()
            } else {
                format!("{least} to {most}")
            }
        };
        let left = range(&self.chips);
        let against = self.against.as_ref().map_or_else(String::new, |against| {
            format!(" against {}", range(against))
        });
        let what = match &self.decision {
            ReportedDecision::Move(ply) if ply.action.is_empty() => {
                format!("move to {}", self.position)
            }
            ReportedDecision::Move(ply) => format!("{} to {}", ply.action, self.position),
            ReportedDecision::LetMove(player) => {
                format!("let {} move, to {}", player.word(), self.position)
            }
        };
        let when = if self.won {
            "on winning"
        } else {
            "if made to move"
        };
        format!("{when} with {left} left{against}: {what}")
    }
}

impl Serialize for DecisionRange {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct DecisionRangeJson<'a, D: Serialize> {
            least: &'a str,
            most: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            opponent_least: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            opponent_most: Option<&'a str>,
            #[serde(skip_serializing_if = "std::ops::Not::not")]
            made_to_move: bool,
            decision: D,
        }
        #[derive(Serialize)]
        struct Letting<'a> {
            let_move: &'static str,
            position: &'a str,
        }
        let (least, most) = (self.chips.0.as_str(), self.chips.1.as_str());
        let against = self.against.as_ref();
        let opponent_least = against.map(|against| against.0.as_str());
        let opponent_most = against.map(|against| against.1.as_str());
        match &self.decision {
            ReportedDecision::Move(ply) => DecisionRangeJson {
                least,
                most,
                opponent_least,
                opponent_most,
                made_to_move: !self.won,
                decision: ply,
            }
            .serialize(serializer),
            ReportedDecision::LetMove(player) => {
                let decision = Letting {
                    let_move: player.word(),
                    position: &self.position,
                };
                DecisionRangeJson {
                    least,
                    most,
                    opponent_least,
                    opponent_most,
                    made_to_move: false,
                    decision,
                }
                .serialize(serializer)
            }
        }
    }
}
