//! Which ruleset a table belongs to.

use super::Ruleset;
use super::symmetry::Permutation;
use crate::store::digest;

impl Ruleset {
    /// A hash of everything that the values of positions depend on: the places of the state, the start, the programs of
    /// moves and endings, the symmetries; not of where they are written.
    pub fn identity(&self) -> u128 {
        let Self { variables, start, endings, moves, stuck, penalties, scored, symmetry, registers, sites: _ } = self;
        let images: Vec<&[u32]> = symmetry.generators().map(Permutation::bits).collect();
        digest(format_args!(
            "{variables:?} {start:?} {endings:?} {moves:?} {stuck:?} {penalties:?} {scored} {images:?} {registers}"
        ))
    }
}
