//! Heat maps: the numbers or outcomes of a table as shades.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

use super::block::{Block, Medium};
use super::picture::Picture;
use super::table::Table;

/// A table whose cells are drawn as shades.
#[derive(Debug, Clone, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(tag = "type", rename = "heat")]
pub struct Heat {
    /// The table.
    pub table: Table,
}

impl Heat {
    pub(super) fn block(&self, medium: Medium) -> Block<'_> {
        match medium {
            Medium::Terminal | Medium::Page | Medium::Paper => Block::Picture(Picture::Heat(self)),
            Medium::Sheet => self.table.block(medium),
        }
    }
}
