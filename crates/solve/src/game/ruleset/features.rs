//! What a position has so and so many of.

use super::Ruleset;
use super::layout::ScalarPlace;

/// A number of the position that its bits add up to: pieces of a player on cells that are alike, a
/// heap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feature {
    /// Bits, by word and shift in one number, with what each counts.
    pub bits: Vec<(u32, i64)>,
}

impl Ruleset {
    /// The features of positions: one for each part of the state, a cell having one for each
    /// player; parts that a symmetry exchanges are one. So symmetric positions have the same
    /// features.
    pub fn features(&self) -> Vec<Feature> {
        let scalars = self.variables.iter().flat_map(|(_, place)| place.scalars());
        let mut features: Vec<Feature> = scalars
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
                        let also = features.swap_remove(other);
                        features[next].bits.extend(also.bits);
                    }
                    None => next += 1,
                }
            }
        }
        features
    }

    /// How many words a state has.
    pub fn words(&self) -> usize {
        self.start.0.len()
    }

    /// How many bits tell positions apart.
    pub fn bits(&self) -> u32 {
        let scalars = self.variables.iter().flat_map(|(_, place)| place.scalars());
        scalars.map(|scalar| scalar.bits().len() as u32).sum()
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
    /// How many of it a position has.
    pub fn of(&self, position: &[u64]) -> i64 {
        let has = |bit: u32| (position[bit as usize / 64] >> (bit % 64) & 1) as i64;
        self.bits.iter().map(|(bit, count)| has(*bit) * count).sum()
    }
}
