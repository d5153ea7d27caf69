//! A textual identity of rulesets, by which stored tables are matched to them.

use super::Ruleset;
use super::symmetry::Permutation;

impl Ruleset {
    /// Returns a text of everything that the values of positions depend on: the layout of the
    /// state, the start, the programs of moves, endings, turns and income, and the symmetries. It does not
    /// depend on their places in the source.
    pub fn identity(&self) -> String {
        // Every field is named, so the compiler asks about each new one.
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
            incomes,
            sites: _,
            warnings: _,
        } = self;
        let images: Vec<&[u32]> = symmetry.generators().map(Permutation::bits).collect();
        // Existing tables belong to rulesets without turns and income, so the text of such a ruleset
        // must not change.
        let turns = if turns.is_empty() {
            String::new()
        } else {
            format!(" {turns:?}")
        };
        let incomes = if self.has_income() {
            format!(" {incomes:?}")
        } else {
            String::new()
        };
        format!(
            "{variables:?} {start:?} {endings:?} {moves:?} {stuck:?} {penalties:?} {scored} {images:?} {registers}{turns}{incomes}"
        )
    }
}
