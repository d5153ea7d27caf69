//! Tables of conditions on lines, computed from the lines that each part's contents allow.
//!
//! A line is complete if the contents of each part that it crosses allow it, so the condition need
//! not be run for each combination of contents: the set of lines that the digits allow is narrowed
//! digit by digit, and finally each of the remaining lines is completed by some contents of the
//! row.

use std::collections::BTreeSet;

use super::Declined;
use super::conditions::{
    Condition, ContentClasses, Tabulator, cells, empty_bits, first_changed, next_tuple, words,
};
use super::parts::StatePart;
use super::reads::{has_cell, is_cell_by_cell};
use crate::ruleset::cells::{Lines, words_of};
use crate::ruleset::program::{Bool, Plane};

/// The lines that the contents of each part allow.
pub struct LineCells {
    count: usize,
    /// For each part and class, the lines of which no cell in the part is missing, as bits.
    of_parts: Vec<Vec<Box<[u64]>>>,
}

impl Tabulator<'_> {
    /// Returns the plane and the lines of a condition on lines, and the cells of the plane that each
    /// part determines, the row last; `None` for other conditions.
    fn lines_of<'c>(&self, condition: &'c Bool) -> Option<(&'c Plane, &'c Lines, Vec<Vec<usize>>)> {
        let Bool::Line(parts) = condition else {
            return None;
        };
        let (plane, lines) = &**parts;
        let parts = self.digits.iter().chain([self.row]);
        let cells_of = || parts.map(|part| cells(plane, part)).collect();
        is_cell_by_cell(plane).then(|| (plane, lines, cells_of()))
    }

    /// Splits a condition on lines into several, each on the lines that lie within some parts: most
    /// lines cross few parts. Returns `None` if it is no condition on lines, or all lines cross the
    /// same parts.
    pub fn lines_by_parts(&self, condition: &Bool) -> Option<Vec<Bool>> {
        let (plane, lines, cells_of) = self.lines_of(condition)?;
        let crossed = |line: &[usize]| -> BTreeSet<usize> {
            (0..cells_of.len())
                .filter(|part| line.iter().any(|cell| cells_of[*part].contains(cell)))
                .collect()
        };
        let all: BTreeSet<BTreeSet<usize>> = lines.cells().map(|line| crossed(&line)).collect();
        let is_greatest = |set: &&BTreeSet<usize>| {
            // Lines that cross a subset of the parts share the table of the larger set.
            !all.iter()
                .any(|other| other.len() > set.len() && set.is_subset(other))
        };
        let sets: Vec<&BTreeSet<usize>> = all.iter().filter(is_greatest).collect();
        if sets.len() < 2 {
            return None;
        }
        // Each line is counted once, in the first set that contains its parts.
        let first_with = |line: &[usize]| {
            let crossed = crossed(line);
            sets.iter().position(|set| crossed.is_subset(set))
        };
        let within = |set: usize| {
            let elsewhere = (0..cells_of.len()).filter(|part| !sets[set].contains(part));
            // Cells of other parts are taken out of the plane, so the table does not depend on
            // those parts.
            let unseen = elsewhere.flat_map(|part| &cells_of[part]).copied();
            let lines = lines.restricted(|line| first_with(line) == Some(set));
            let seen = Plane::Without(Box::new((
                plane.clone(),
                Plane::Constant(lines.set_of(unseen)),
            )));
            Bool::Line(Box::new((seen, lines)))
        };
        Some((0..sets.len()).map(within).collect())
    }

    /// Returns the lines of a condition with the contents that allow them; `None` if it is no
    /// condition on lines.
    pub fn lines(
        &self,
        condition: &Bool,
        classes: &[ContentClasses],
        row: &ContentClasses,
    ) -> Option<LineCells> {
        let (plane, lines, cells_of) = self.lines_of(condition)?;
        let parts: Vec<&StatePart> = self.digits.iter().chain([self.row]).collect();
        let is_open = |cell: &usize| cells_of.iter().any(|cells| cells.contains(cell));
        // A cell that no part determines is in the plane in every position, or in none.
        let possible = |line: &Vec<usize>| {
            line.iter()
                .all(|cell| is_open(cell) || has_cell(plane, *cell, self.base))
        };
        let lines: Vec<Vec<usize>> = lines.cells().filter(possible).collect();
        let completed = |part: usize, example: usize| {
            let content = &parts[part].contents[example];
            let has =
                |cell: &usize| !cells_of[part].contains(cell) || has_cell(plane, *cell, content);
            words_of(
                lines.len(),
                (0..lines.len()).filter(|line| lines[*line].iter().all(has)),
            )
        };
        let by_class = |(part, classes): (usize, &ContentClasses)| {
            classes
                .examples
                .iter()
                .map(|example| completed(part, *example))
                .collect::<Vec<_>>()
        };
        let of_parts: Vec<Vec<Box<[u64]>>> = classes
            .iter()
            .chain([row])
            .enumerate()
            .map(by_class)
            .collect();
        Some(LineCells {
            count: lines.len(),
            of_parts,
        })
    }

    /// Builds the table of a condition on lines: the set of lines that the digits allow is narrowed
    /// digit by digit, and finally each of the remaining lines is completed by the contents of the
    /// row that have its cells.
    pub fn tabulate_lines(
        &mut self,
        lines: &LineCells,
        classes: &[ContentClasses],
        row: &ContentClasses,
        keys: usize,
    ) -> Result<Condition, Declined> {
        let is_whole = row.examples.len() == 1;
        let words = if is_whole { 1 } else { words(row) };
        let (of_row, of_digits) = lines
            .of_parts
            .split_last()
            .expect("the row is the last part");
        let completing = |line: usize| {
            let has = |content: &usize| of_row[row.of[*content]][line / 64] >> (line % 64) & 1 != 0;
            words_of(row.of.len(), (0..row.of.len()).filter(has))
        };
        // Each line's contents of the row are found once, and used for every combination of the
        // digits.
        let completing: Vec<Box<[u64]>> = (0..lines.count).map(completing).collect();
        let mut bits = empty_bits(keys, words, is_whole);
        let mut left = vec![words_of(lines.count, 0..lines.count); of_digits.len() + 1];
        let mut contents = vec![0; of_digits.len()];
        for key in 0..keys {
            self.asking.step(1)?;
            // The sets of lines are recomputed from the first digit on that may have changed.
            for digit in first_changed(&contents)..contents.len() {
                let (before, after) = left.split_at_mut(digit + 1);
                let possible = &of_digits[digit][contents[digit]];
                let parts = before[digit].iter().zip(possible);
                after[0]
                    .iter_mut()
                    .zip(parts)
                    .for_each(|(after, (before, possible))| *after = before & possible);
            }
            for (word, left) in left[contents.len()].iter().enumerate() {
                let mut left = *left;
                while left != 0 {
                    let line = 64 * word + left.trailing_zeros() as usize;
                    left &= left - 1;
                    if is_whole {
                        bits[key / 64] |= (completing[line][0] & 1) << (key % 64);
                    } else {
                        let row = &mut bits[key * words..][..words];
                        row.iter_mut()
                            .zip(&*completing[line])
                            .for_each(|(bits, more)| *bits |= more);
                    }
                }
            }
            next_tuple(&mut contents, classes);
        }
        Ok(self.add(classes, words, bits, is_whole))
    }
}
