//! Evaluation of 64 filled boards at a time.

use std::cell::RefCell;

use super::CountFailure;
use crate::game::ruleset::selection::{
    ConnectedSets, Filled, Judge, MonotoneAtom, MonotoneCondition, Selection,
};
use crate::player::Player;

/// An evaluator of blocks of fillings, with its buffers.
#[derive(Debug)]
pub struct Bench<'s> {
    selection: &'s Selection<'s>,
    /// Bob's cells, when his condition is evaluated.
    bobs: Vec<u64>,
    /// The cells that a path has reached.
    reached: RefCell<Vec<u64>>,
}

impl<'s> Bench<'s> {
    pub fn new(selection: &'s Selection<'s>) -> Self {
        let cells = selection.taken.len();
        Self {
            selection,
            bobs: vec![0; cells],
            reached: RefCell::new(vec![0; cells]),
        }
    }

    /// Returns the lanes in which Alice wins, given her cells.
    ///
    /// # Errors
    /// If one of the lanes has no winner, or two.
    pub fn alice_wins(&mut self, alices: &[u64], lanes: u64) -> Result<u64, CountFailure> {
        match &self.selection.judge {
            Judge::Monotone(wins) => {
                for (bobs, alices) in self.bobs.iter_mut().zip(alices) {
                    *bobs = !alices;
                }
                // Both conditions are evaluated, because the lines of a ruleset may contradict each
                // other.
                let alice = self.holds(&wins.alice, alices) & lanes;
                let bob = self.holds(&wins.bob, &self.bobs) & lanes;
                // A lane is right if exactly one player wins, so that an even number of the three
                // bits is set.
                match (alice ^ bob ^ lanes).trailing_zeros() {
                    64 => Ok(alice),
                    lane => Err(unjudged(alices, lane)),
                }
            }
            Judge::AtTheEnd(filled) => one_by_one(filled, alices, lanes),
        }
    }

    /// Returns the lanes in which a condition holds of a player's cells.
    fn holds(&self, condition: &MonotoneCondition, own: &[u64]) -> u64 {
        condition.word(&|atom| match atom {
            MonotoneAtom::Cell(cell) => own[*cell],
            MonotoneAtom::Path(path) => joined(path, own, &mut self.reached.borrow_mut()),
        })
    }
}

fn one_by_one(filled: &Filled<'_>, alices: &[u64], lanes: u64) -> Result<u64, CountFailure> {
    let mut wins = 0;
    for lane in (0..64).filter(|lane| lanes >> lane & 1 != 0) {
        match filled.winner(|cell| alices[cell] >> lane & 1 != 0) {
            Some(Player::Alice) => wins |= 1 << lane,
            Some(Player::Bob) => {}
            None => return Err(unjudged(alices, lane)),
        }
    }
    Ok(wins)
}

fn unjudged(alices: &[u64], lane: u32) -> CountFailure {
    let owner = |alices: &u64| {
        if alices >> lane & 1 != 0 {
            Player::Alice
        } else {
            Player::Bob
        }
    };
    CountFailure::NotOneWinner(alices.iter().map(owner).collect())
}

/// Returns the lanes in which a chain of the player's cells joins the two sets: the reached cells
/// spread over the board forwards and backwards in turn until nothing is added.
fn joined(path: &ConnectedSets, own: &[u64], reached: &mut [u64]) -> u64 {
    for ((reached, own), begins) in reached.iter_mut().zip(own).zip(&path.begins) {
        *reached = if *begins { *own } else { 0 };
    }
    loop {
        // Alternating orders follow a chain over the whole board in one pass if it runs along the
        // order of the cells either way.
        let forwards = spread(path, own, reached, 0..own.len());
        let backwards = forwards && spread(path, own, reached, (0..own.len()).rev());
        if !backwards {
            return path.ends.iter().fold(0, |any, cell| any | reached[*cell]);
        }
    }
}

/// Makes one pass over the cells in this order; returns `true` if a cell was added.
fn spread(
    path: &ConnectedSets,
    own: &[u64],
    reached: &mut [u64],
    order: impl Iterator<Item = usize>,
) -> bool {
    let mut added = 0;
    for cell in order {
        let before = reached[cell];
        let near = path.near[cell]
            .iter()
            .fold(before, |any, near| any | reached[*near]);
        // The cell is updated in place, so later cells of the pass see it already.
        reached[cell] = near & own[cell];
        added |= reached[cell] ^ before;
    }
    added != 0
}
