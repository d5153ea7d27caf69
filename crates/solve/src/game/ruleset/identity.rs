//! Which ruleset a table belongs to.

use super::Ruleset;
use super::symmetry::Permutation;

impl Ruleset {
    /// Everything that the values of positions depend on, as a text: the places of the state, the
    /// start, the programs of moves, endings and turns, the symmetries; not of where they are
    /// written.
    pub fn identity(&self) -> String {
        let Self {
            variables,
            start,
            endings,
            moves,
            stuck,
            penalties,
            scored,
            symmetry,
            registers,
            turns,
            sites: _,
        } = self;
        let images: Vec<&[u32]> = symmetry.generators().map(Permutation::bits).collect();
        // Tables are made of rulesets without turns; their names are what they were.
        let turns = if turns.is_empty() {
            String::new()
        } else {
            format!(" {turns:?}")
        };
        format!(
            "{variables:?} {start:?} {endings:?} {moves:?} {stuck:?} {penalties:?} {scored} {images:?} {registers}{turns}"
        )
    }
}
