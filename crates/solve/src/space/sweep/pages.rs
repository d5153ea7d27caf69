//! Rows of values in pages of one size: the memory of a block can be used for any other, however
//! many of its rows are stored, and there are no gaps between them.

use super::endings::{Rank, is_stored};

/// The greatest number of bytes of a page, unless a row is longer. From 128 KiB on allocators
/// return whole pages of the system, and a little more than a power of two takes one more of these.
const LONGEST: usize = 1 << 16;

/// The approximate number of pages of a block of which all rows are stored, except for short ones:
/// half a page of each block is unused on average.
const PAGES: usize = 1 << 8;
const SHORTEST: usize = 1 << 8;

/// The unit of which rows consist. Its alignment suffices for every type of number, so a row can be
/// read as numbers of any type.
pub type Grain = u128;

/// Some rows, one after another.
pub type ValuePage = Box<[Grain]>;

/// The arrangement of the rows of a sweep in pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paging {
    /// The number of grains of a row.
    row: usize,
    /// The binary logarithm of the number of rows of a page.
    shift: u32,
}

impl Paging {
    /// Creates the paging for blocks of `rows` rows of `bytes` bytes each.
    pub fn new(rows: usize, bytes: usize) -> Self {
        let row = bytes.div_ceil(size_of::<Grain>()).max(1);
        let bytes = row * size_of::<Grain>();
        let page = (rows.saturating_mul(bytes) / PAGES).clamp(SHORTEST, LONGEST);
        let rows = (page / bytes).min(rows).max(1);
        Self {
            row,
            // With a power of two the page of a row is found by a shift instead of a division.
            shift: rows.ilog2(),
        }
    }

    /// Returns the number of grains of a row.
    pub fn row(self) -> usize {
        self.row
    }

    /// Returns the number of bytes of a row.
    pub fn row_bytes(self) -> usize {
        self.row * size_of::<Grain>()
    }

    /// Creates a page, whose contents do not matter.
    pub fn page(self) -> ValuePage {
        vec![0; self.row << self.shift].into()
    }

    /// Returns the number of bytes of a page.
    pub fn page_bytes(self) -> usize {
        self.row_bytes() << self.shift
    }

    /// Returns the number of pages for `rows` rows.
    pub fn pages(self, rows: usize) -> usize {
        rows.div_ceil(1 << self.shift)
    }

    /// Returns the number of grains that `rows` rows take in each of their pages.
    fn taken(self, rows: usize) -> impl Iterator<Item = usize> {
        let page = self.row << self.shift;
        // Only the last page can be used in part, and its rest is not written to the disk.
        (0..self.pages(rows)).map(move |number| page.min(rows * self.row - number * page))
    }

    /// Returns the page of a row, and the start of the row in it.
    #[inline(always)]
    fn place(self, row: usize) -> (usize, usize) {
        (
            row >> self.shift,
            (row & ((1 << self.shift) - 1)) * self.row,
        )
    }
}

/// Rows in pages of one size.
#[derive(Debug, Clone, Default)]
pub struct Pages {
    /// The pages, as many as the rows take.
    pub pages: Vec<ValuePage>,
    /// The number of rows.
    pub rows: usize,
}

impl Pages {
    /// Returns the size of the pages in bytes, used or not.
    pub fn bytes(&self) -> u64 {
        self.pages
            .iter()
            .map(|page| size_of_val(&**page) as u64)
            .sum()
    }

    /// Returns the bytes of the rows of each page.
    pub fn parts(&self, paging: Paging) -> Vec<&[u8]> {
        let parts = self.pages.iter().zip(paging.taken(self.rows));
        parts
            .map(|(page, taken)| bytemuck::cast_slice(&page[..taken]))
            .collect()
    }

    /// Returns the bytes of the rows of each page, for writing.
    pub fn parts_mut(&mut self, paging: Paging) -> Vec<&mut [u8]> {
        let parts = self.pages.iter_mut().zip(paging.taken(self.rows));
        parts
            .map(|(page, taken)| bytemuck::cast_slice_mut(&mut page[..taken]))
            .collect()
    }

    /// Returns the rows before a row, and the row itself, for writing.
    #[inline(always)]
    pub fn split_at_row(&mut self, row: usize, paging: Paging) -> (PageView<'_>, &mut [Grain]) {
        let (page, place) = paging.place(row);
        let (whole, rest) = self.pages.split_at_mut(page);
        let (part, rest) = rest[0].split_at_mut(place);
        (PageView { whole, part }, &mut rest[..paging.row])
    }

    /// Returns a view of all rows.
    #[inline(always)]
    pub fn all(&self) -> PageView<'_> {
        PageView {
            whole: &self.pages,
            part: &[],
        }
    }
}

/// A view of the first rows of a block, for reading.
#[derive(Debug, Clone, Copy)]
pub struct PageView<'b> {
    whole: &'b [ValuePage],
    /// The rows of the page after the whole ones.
    part: &'b [Grain],
}

impl<'b> PageView<'b> {
    /// Returns a row that is stored.
    #[inline(always)]
    pub fn row(self, rank: Rank, paging: Paging) -> &'b [Grain] {
        debug_assert!(is_stored(rank), "only rows that are stored have values");
        let (page, place) = paging.place(rank as usize);
        let page = self.whole.get(page).map_or(self.part, |page| page);
        &page[place..][..paging.row]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of three grains, four to a page.
    const PAGING: Paging = Paging { row: 3, shift: 2 };

    fn room(rows: usize) -> Pages {
        let pages = vec![PAGING.page(); PAGING.pages(rows)];
        Pages { pages, rows }
    }

    #[test]
    fn pages_are_neither_short_nor_long() {
        for (rows, bytes) in [
            (1, 1),
            (3, 56),
            (1 << 10, 32),
            (1 << 20, 1 << 10),
            (1 << 26, 16),
            (5, 1 << 24),
        ] {
            let paging = Paging::new(rows, bytes);
            let (row, page) = (paging.row_bytes(), paging.page_bytes());
            assert!(row >= bytes && row < bytes + size_of::<Grain>());
            assert_eq!(size_of_val(&*paging.page()), page);
            assert!(page <= LONGEST.max(row), "{rows} {bytes}");
            assert!(
                page > SHORTEST / 2 || page > rows * row / 2,
                "{rows} {bytes}"
            );
            assert!(
                paging.pages(rows) <= (2 * PAGES).max(rows * row / (LONGEST / 2)),
                "{rows} {bytes}"
            );
        }
    }

    /// Checks rows on both sides of the ends of pages.
    #[test]
    fn rows_stand_in_their_parts() {
        for rows in 0..=9 {
            let mut pages = room(rows);
            let mut grains = (0..3 * rows as Grain).flat_map(Grain::to_ne_bytes);
            for part in pages.parts_mut(PAGING) {
                part.fill_with(|| grains.next().expect("parts are no longer than rows"));
            }
            assert_eq!((grains.next(), pages.rows), (None, rows));
            for row in 0..rows {
                let first = 3 * row as Grain;
                let found = pages.all().row(row as Rank, PAGING);
                assert_eq!(found, [first, first + 1, first + 2]);
            }
            let parts = pages.parts(PAGING).concat();
            let again: Vec<u8> = (0..3 * rows as Grain)
                .flat_map(Grain::to_ne_bytes)
                .collect();
            assert_eq!(parts, again);
        }
    }

    #[test]
    fn a_row_is_written_with_those_before_it_at_hand() {
        let mut pages = room(9);
        for row in 0..9 {
            let (before, out) = pages.split_at_row(row, PAGING);
            let sum: Grain = (0..row).map(|row| before.row(row as Rank, PAGING)[2]).sum();
            out.copy_from_slice(&[row as Grain, 0, sum + 1]);
        }
        assert_eq!(pages.all().row(8, PAGING), [8, 0, 256]);
    }
}
