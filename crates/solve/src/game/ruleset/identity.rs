//! Which ruleset a table belongs to.

use super::Ruleset;
use super::symmetry::Permutation;

impl Ruleset {
    /// Everything that the values of positions depend on, as a text: the places of the state, the start, the programs of
    /// moves and endings, the symmetries; not of where they are written.
    pub fn identity(&self) -> String {
        let Self { variables, start, endings, moves, stuck, penalties, scored, symmetry, registers, sites: _ } = self;
        let images: Vec<&[u32]> = symmetry.generators().map(Permutation::bits).collect();
        format!("{variables:?} {start:?} {endings:?} {moves:?} {stuck:?} {penalties:?} {scored} {images:?} {registers}")
    }
}
