//! Features of positions: numbers that symmetric positions have in common.

use super::Ruleset;
use super::layout::ScalarPlace;
use crate::convert::fit;

/// A number that is a weighted sum of bits of the position: the number of a player's pieces on
/// equivalent cells, or the size of a heap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feature {
    /// The bits, with word and shift in one number, each with its weight.
    pub bits: Vec<(u32, i64)>,
}

impl Ruleset {
    /// Returns the features of positions: one for each part of the state, and for a cell one for
    /// each player. Parts that a symmetry exchanges share a feature, so that symmetric positions
    /// have the same features.
    pub fn features(&self) -> Vec<Feature> {
        let mut features: Vec<Feature> = self
            .scalars()
            .flat_map(of_scalar)
            .filter(|feature| !feature.bits.is_empty())
            .collect();
        for generator in self.symmetry.generators() {
            let mut next = 0;
            while next < features.len() {
                let image = |(bit, _): &(u32, i64)| generator.bits()[*bit as usize];
                let images: Vec<u32> = features[next].bits.iter().map(image).collect();
                let meets =
                    |feature: &Feature| feature.bits.iter().any(|(bit, _)| images.contains(bit));
                match (next + 1..features.len()).find(|other| meets(&features[*other])) {
                    Some(other) => {
                        // The merged feature is examined again, because its new bits may have
                        // images elsewhere.
                        let also = features.swap_remove(other);
                        features[next].bits.extend(also.bits);
                    }
                    None => next += 1,
                }
            }
        }
        features
    }

    /// Returns the number of words of a state.
    pub fn words(&self) -> usize {
        self.start.0.len()
    }

    /// Returns the number of bits that distinguish positions.
    pub fn bits(&self) -> u32 {
        self.scalars()
            .map(|scalar| fit::<u32>(scalar.bits().len()))
            .sum()
    }
}

fn of_scalar(scalar: ScalarPlace) -> Vec<Feature> {
    let number = |bit: &super::layout::Bit| 64 * bit.word + bit.shift;
    let bits = scalar.bits();
    match scalar {
        ScalarPlace::Integer(_) => {
            vec![Feature {
                bits: bits
                    .iter()
                    .enumerate()
                    // Weights by place make the sum the value of the integer.
                    .map(|(place, bit)| (number(bit), 1 << place))
                    .collect(),
            }]
        }
        ScalarPlace::Bool(_) | ScalarPlace::Player(_) | ScalarPlace::Cell(_) => bits
            .iter()
            .map(|bit| Feature {
                bits: vec![(number(bit), 1)],
            })
            .collect(),
    }
}

impl Feature {
    /// Computes the value of the feature at a position.
    pub fn of(&self, position: &[u64]) -> i64 {
        let has = |bit: u32| fit::<i64>(position[bit as usize / 64] >> (bit % 64) & 1);
        self.bits.iter().map(|(bit, count)| has(*bit) * count).sum()
    }
}
