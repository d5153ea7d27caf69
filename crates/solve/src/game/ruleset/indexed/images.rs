//! What the symmetries of a game do to the numbers of its positions.
//!
//! A symmetry takes the contents of a part to contents of a part. So what becomes of a position's
//! number can be said digit by digit: the image's digits are each decided by one digit, or by the
//! row's content.

use super::parts::{StatePart, weights};

/// By part: which part it becomes, and which content each of its contents.
pub type PartImages = Vec<(usize, Vec<u32>)>;

/// What a symmetry does to the digits of a position.
#[derive(Debug, Clone)]
pub struct Image {
    /// By digit outside the row: where it goes, and what each content becomes there.
    pub digits: Vec<(Target, Vec<u32>)>,
    /// By content of the row.
    pub row: Vec<RowImage>,
}

/// Where a digit goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// To a digit outside the row.
    Digit(usize),
    /// Into the row, to whose content it adds what it becomes.
    Row,
}

/// The image of a content of the row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowImage {
    /// The digits outside the row that it decides, and their contents.
    pub digits: Vec<(usize, u32)>,
    /// What it adds to the row's content.
    pub content: u32,
}

impl Image {
    /// The same said of digits, some of the parts being the digits and the others making up the
    /// row.
    pub fn new(image: &PartImages, digits: &[StatePart], row: &[StatePart]) -> Self {
        let (of_digits, of_row) = image.split_at(digits.len());
        let sizes: Vec<usize> = row.iter().map(|part| part.contents.len()).collect();
        let weights = weights(&sizes);
        let place = |to: usize, content: u32| match to.checked_sub(digits.len()) {
            None => (Target::Digit(to), content),
            Some(part) => (Target::Row, content * weights[part] as u32),
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

/// An order of the parts, given as their places, in which those that symmetries exchange with each
/// other stand side by side: then the first digits of a position decide those of its images. The
/// last part stays last, with those that it is exchanged with, and becomes the row; unless no
/// others are exchanged, who then stand first.
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
    orbits.sort_by_key(|orbit| (is_last(orbit), orbit.len() == 1, orbit[0]));
    orbits.concat()
}
