//! The effect of a game's symmetries on the numbers of its positions.
//!
//! A symmetry maps each part to a part and its contents to contents of that part. So it acts on a
//! position's number digit by digit: each digit of the image is determined by one digit, or by the
//! row's content.

use super::parts::{StatePart, weights};
use crate::convert::fit;

/// For each part, the part that it is mapped to, and the content that each of its contents is
/// mapped to.
pub type PartImages = Vec<(usize, Vec<u32>)>;

/// The effect of a symmetry on the digits of a position.
#[derive(Debug, Clone)]
pub struct Image {
    /// For each digit outside the row, its target, and the content there that each of its contents
    /// becomes.
    pub digits: Vec<(Target, Vec<u32>)>,
    /// The image of each content of the row.
    pub row: Vec<RowImage>,
}

/// The target of a digit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A digit outside the row.
    Digit(usize),
    /// The row; the digit adds an offset to the row's content.
    Row,
}

/// The image of a content of the row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowImage {
    /// The digits outside the row that the content determines, and their contents.
    pub digits: Vec<(usize, u32)>,
    /// The offset that it adds to the row's content.
    pub content: u32,
}

impl Image {
    /// Converts images of parts to images of digits, where the first parts are the digits and the
    /// others form the row.
    pub fn new(image: &PartImages, digits: &[StatePart], row: &[StatePart]) -> Self {
        let (of_digits, of_row) = image.split_at(digits.len());
        let sizes: Vec<usize> = row.iter().map(|part| part.contents.len()).collect();
        let weights = weights(&sizes);
        let place = |to: usize, content: u32| match to.checked_sub(digits.len()) {
            None => (Target::Digit(to), content),
            Some(part) => (Target::Row, content * fit::<u32>(weights[part])),
        };
        let digit = |(to, contents): &(usize, Vec<u32>)| {
            let contents = contents
                .iter()
                .map(|content| place(*to, *content).1)
                .collect();
            (place(*to, 0).0, contents)
        };
        let content = |number: usize| {
            let mut image = RowImage {
                digits: Vec::new(),
                content: 0,
            };
            for ((to, contents), content) in of_row.iter().zip(super::parts::tuple(number, &sizes))
            {
                match place(*to, contents[content as usize]) {
                    (Target::Digit(digit), content) => image.digits.push((digit, content)),
                    (Target::Row, added) => image.content += added,
                }
            }
            image
        };
        Self {
            digits: of_digits.iter().map(digit).collect(),
            row: (0..sizes.iter().product()).map(content).collect(),
        }
    }
}

/// Returns an order of the parts, as their indices, in which parts that symmetries exchange with
/// each other are adjacent: then the first digits of a position determine those of its images. The
/// last part stays last, together with those that it is exchanged with, and becomes the row; but if
/// only one set of parts is exchanged, it comes first.
pub fn by_orbits(images: &[PartImages], count: usize) -> Vec<usize> {
    let mut orbits: Vec<Vec<usize>> = Vec::new();
    for part in 0..count {
        if !orbits.iter().any(|orbit| orbit.contains(&part)) {
            let mut orbit: Vec<usize> = images
                .iter()
                .map(|image| image[part].0)
                .chain([part])
                .collect();
            orbit.sort_unstable();
            orbit.dedup();
            orbits.push(orbit);
        }
    }
    let only_one = orbits.iter().filter(|orbit| orbit.len() > 1).count() == 1;
    let is_last = |orbit: &[usize]| orbit.contains(&(count - 1)) && !only_one;
    // Larger orbits come first, so that the digits that number blocks are closed under the
    // symmetries.
    orbits.sort_by_key(|orbit| (is_last(orbit), orbit.len() == 1, orbit[0]));
    orbits.concat()
}
