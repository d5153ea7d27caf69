//! Partizan subtraction with three heaps: an array over their sizes.

use num_rational::Ratio;

/// The file with the game in the language.
pub(crate) const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/native/heaps.bid");

/// The number of sizes of a heap, from 0 to 60 counters.
const SIZES: usize = 61;
/// The value 1. Each of the three heaps has at most 20 moves, and a position without moves is worth
/// one half, so there are at most 61 halvings and all values are integers.
const ONE: u64 = 1 << 61;

/// Computes R of three heaps of 60 counters.
pub(crate) fn value() -> Vec<String> {
    let mut values = vec![0; SIZES.pow(3)];
    for index in 0..values.len() {
        values[index] = settle(index, &values);
    }
    vec![Ratio::new(values[values.len() - 1], ONE).to_string()]
}

/// Computes a value: Alice takes 3 or 5 counters of a heap, Bob 4 or 7, and a player who must move
/// and cannot loses.
fn settle(index: usize, values: &[u64]) -> u64 {
    let heaps = [
        (1, index % SIZES),
        (SIZES, index / SIZES % SIZES),
        (SIZES * SIZES, index / (SIZES * SIZES)),
    ];
    let (mut low, mut high) = (ONE, 0);
    for (step, heap) in heaps {
        for take in [3, 5] {
            if take <= heap {
                low = low.min(values[index - take * step]);
            }
        }
        for take in [4, 7] {
            if take <= heap {
                high = high.max(values[index - take * step]);
            }
        }
    }
    (low + high) / 2
}
