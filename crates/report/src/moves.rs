//! Every move of a position with its value.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

use super::ReportedPly;
use super::block::{Block, Cell, Column, Grid, Medium};
use bid_language::scalar::Scalar;

/// Every move with its value, best first.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(tag = "type", rename = "moves")]
pub struct Moves {
    /// The quantity of the values: `R`, `f`, `outcome`.
    pub measure: String,
    /// The moves: Alice's, then Bob's, each best first.
    pub moves: Vec<ValuedMove>,
}

/// A move with its value.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct ValuedMove {
    /// The move.
    pub ply: ReportedPly,
    /// The value of the position it leads to.
    pub value: Scalar,
    /// `true` if no other move of that player is better.
    pub best: bool,
}

/// A column: its head, and a function that returns its cell for a move.
type PropertyColumn<'a> = (Cell<'a>, fn(&'a ValuedMove) -> Cell<'a>);

impl Moves {
    /// Returns the moves as a grid. Unless it is for programs, the column of names is left out if
    /// no move has a name.
    pub(super) fn block(&self, medium: Medium) -> Block<'_> {
        let player: PropertyColumn<'_> = (Cell::text("player"), |each| {
            Cell::text(each.ply.player.word())
        });
        let action: PropertyColumn<'_> = (Cell::text("move"), |each| Cell::text(&each.ply.action));
        let position: PropertyColumn<'_> =
            (Cell::text("to"), |each| Cell::text(&each.ply.position));
        let value: PropertyColumn<'_> = (Cell::expression(&self.measure), |each| {
            Cell::entry(&each.value)
        });
        let best: PropertyColumn<'_> = (Cell::text(""), |each| {
            Cell::text(if each.best { "best" } else { "" })
        });
        let is_named = || self.moves.iter().any(|each| !each.ply.action.is_empty());
        let columns = match medium {
            Medium::Terminal | Medium::Page if is_named() => {
                vec![player, action, position, value, best]
            }
            Medium::Terminal | Medium::Page => vec![player, position, value, best],
            // The order of the moves shows the best ones, so that papers need no column for them.
            Medium::Paper if is_named() => vec![player, action, position, value],
            Medium::Paper => vec![player, position, value],
            Medium::Sheet => {
                let position = (Cell::text("position"), position.1);
                let best: PropertyColumn<'_> = (Cell::text("best"), |each| Cell::words(each.best));
                vec![player, action, position, value, best]
            }
        };
        let (heads, properties): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
        let heads = heads.into_iter().map(Column::left).collect();
        Block::Grid(Grid::new(heads, self.moves.len(), move |row, column| {
            properties[column](&self.moves[row])
        }))
    }
}
