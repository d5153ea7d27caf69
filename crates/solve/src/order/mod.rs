//! The partial order on games (Develin & Payne 2010, section 5): G ≤ H if f(G, k) ≤ f(H, k) for
//! every k. Alice then prefers G, whatever the total of chips.
//!
//! [`Comparison`] decides it by the sequences of both games, or names the least total that tells
//! them apart; [`proof`] finds arguments in the manner of the paper, move against move; [`Algebra`]
//! calculates with equivalence classes of games; [`Merging`] makes equivalent positions one.

mod algebra;
mod birthday;
mod minimise;
mod proof;
mod simplest;

pub use algebra::Algebra;
pub use birthday::{Born, born_by};
pub use minimise::{Merged, Merging};
pub use proof::{ComparedGames, OrderProof, PositionPair, Reason, prove};
pub use simplest::{SimplifiedGame, simplest};

use std::fmt;

use crate::diagnostic::Result;
use crate::game::NodeId;
use crate::player::{PerPlayer, Player};
use crate::rules::{Draws, Rules, Stuck, TieBreak, Winner};
use crate::sequences::{Sequences, Totals};
use crate::watch::Context;

/// The laws of the order that hold under the rules of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Laws {
    /// { G | G } ≡ G, and { G | H } ≡ G ∧ H. This holds if one threshold describes a position, and
    /// the winner of a bid decides who moves.
    pub idempotent: bool,
    /// A draw is not worth more to Alice than a loss, so that a truncation is not worth more to her
    /// than the game.
    pub draws_lose: bool,
    /// `{ G | }` is the game in which Alice moves whoever wins the bid: a player who cannot move
    /// lets the other one move.
    pub lone_moves: bool,
}

impl Laws {
    /// Returns the laws under these rules.
    pub fn of(rules: &Rules) -> Self {
        let one_threshold = match rules.ties {
            TieBreak::Advantage
            | TieBreak::MakeItTakeIt
            | TieBreak::LadiesFirst
            | TieBreak::GentlemenFirst => true,
            TieBreak::Marker
            | TieBreak::LosersBall
            | TieBreak::Richer
            | TieBreak::Coin
            | TieBreak::Nobody
            | TieBreak::Attached => false,
        };
        Self {
            idempotent: one_threshold && rules.winner == Winner::Chooses,
            draws_lose: rules.draws != Draws::Alice,
            lone_moves: rules.stuck == Stuck::OpponentMoves,
        }
    }

    /// Returns `true` if braces with these options are equivalent to the position in which the
    /// players have exactly these moves.
    fn allows<T>(self, options: &PerPlayer<Vec<T>>) -> bool {
        let able = Player::BOTH
            .into_iter()
            .filter(|player| !options[*player].is_empty());
        match able.count() {
            // Nothing is left to move to, so one option at least has to be kept.
            0 => false,
            1 => self.lone_moves,
            _ => true,
        }
    }
}

/// The relation of two games in the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// G ≡ H.
    Equivalent,
    /// G < H: never more chips, and for some k fewer.
    Less,
    /// G > H.
    Greater,
    /// G ∥ H: more chips for one total, fewer for another.
    Incomparable,
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Equivalent => "≡",
            Self::Less => "<",
            Self::Greater => ">",
            Self::Incomparable => "∥",
        })
    }
}

/// A comparison of two games for every total.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The totals for which the first game needs more chips.
    pub above: Totals,
    /// The totals for which the first game needs fewer chips.
    pub below: Totals,
}

impl Comparison {
    /// Compares two positions that are solved under the same rules.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn of(
        g: &Sequences,
        g_node: NodeId,
        h: &Sequences,
        h_node: NodeId,
        context: &Context<'_>,
    ) -> Result<Self> {
        let (g_class, h_class) = (g.class(g_node), h.class(h_node));
        Ok(Self {
            above: g.above(g_class, h, h_class, context)?,
            below: h.above(h_class, g, g_class, context)?,
        })
    }

    /// Returns the relation of the first game to the second.
    pub fn relation(&self) -> Relation {
        match (self.above.least(), self.below.least()) {
            (None, None) => Relation::Equivalent,
            (None, Some(_)) => Relation::Less,
            (Some(_), None) => Relation::Greater,
            (Some(_), Some(_)) => Relation::Incomparable,
        }
    }
}
