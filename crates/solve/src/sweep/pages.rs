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

/// The arrangement of the rows of a sweep in pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paging {
    /// The number of elements between the starts of two rows.
    stride: usize,
    /// The binary logarithm of the number of rows of a page.
    shift: u32,
}

impl Paging {
    /// Creates the paging for blocks of `rows` rows with `stride` elements of `bytes` bytes each.
    pub fn new(rows: usize, stride: usize, bytes: usize) -> Self {
        let row = (stride * bytes).max(1);
        let page = (rows.saturating_mul(row) / PAGES).clamp(SHORTEST, LONGEST);
        let rows = (page / row).min(rows).max(1);
        Self {
            stride,
            shift: rows.ilog2(),
        }
    }

    /// Returns the number of elements between the starts of two rows.
    pub fn stride(self) -> usize {
        self.stride
    }

    /// Returns the number of elements of a page.
    pub fn page_len(self) -> usize {
        self.stride << self.shift
    }

    /// Iterates over the numbers of elements of the runs for `rows` rows. A run has at most `most`
    /// elements, but at least one page.
    pub fn runs(self, rows: usize, most: usize) -> impl ExactSizeIterator<Item = usize> {
        let (all, run) = (
            rows * self.stride,
            pages_of_run(self.page_len(), most) * self.page_len(),
        );
        (0..all.div_ceil(run)).map(move |number| run.min(all - number * run))
    }

    /// Returns the number of pages for `rows` rows.
    pub fn pages(self, rows: usize) -> usize {
        rows.div_ceil(1 << self.shift)
    }

    /// Returns the page of a row, and the start of the row in it.
    #[inline(always)]
    fn place(self, row: usize) -> (usize, usize) {
        (
            row >> self.shift,
            (row & ((1 << self.shift) - 1)) * self.stride,
        )
    }
}

/// Returns the number of pages of a run of at most `most` elements, at least one.
fn pages_of_run(page_len: usize, most: usize) -> usize {
    (most / page_len).max(1)
}

/// Elements in pages of one size.
#[derive(Debug, Clone)]
pub struct Pages<C> {
    pages: Vec<Box<[C]>>,
    /// The number of elements; there may be space for more.
    len: usize,
}

impl<C> Default for Pages<C> {
    fn default() -> Self {
        Self {
            pages: Vec::new(),
            len: 0,
        }
    }
}

impl<C> Pages<C> {
    /// Creates an empty list with space for elements in pages of one size.
    pub fn in_room(pages: Vec<Box<[C]>>) -> Self {
        Self { pages, len: 0 }
    }

    /// Sets the number of elements, with arbitrary contents.
    pub fn with_len(mut self, len: usize) -> Self {
        self.len = len;
        debug_assert!(len <= self.room(), "there are pages enough");
        self
    }

    pub fn into_room(self) -> Vec<Box<[C]>> {
        self.pages
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    fn page_len(&self) -> usize {
        self.pages.first().map_or(1, |page| page.len())
    }

    /// Returns the number of elements for which there is space.
    fn room(&self) -> usize {
        self.pages.iter().map(|page| page.len()).sum()
    }

    /// Returns the size of the pages in bytes, used or not.
    pub fn bytes(&self) -> u64 {
        (self.room() * size_of::<C>()) as u64
    }

    /// Iterates over the elements in runs of at most `most` elements, but of at least one page.
    pub fn runs(&self, most: usize) -> impl Iterator<Item = Vec<&[C]>> {
        let whole = self
            .pages
            .chunks(pages_of_run(self.page_len(), most))
            .map(|run| run.iter().map(|page| &**page).collect::<Vec<_>>());
        whole.scan(self.len, |left, mut run| {
            for page in &mut run {
                *page = &page[..page.len().min(*left)];
                *left -= page.len();
            }
            run.retain(|page| !page.is_empty());
            (!run.is_empty()).then_some(run)
        })
    }

    /// Returns a row.
    #[inline(always)]
    pub fn row(&self, row: usize, paging: Paging) -> &[C] {
        let (page, place) = paging.place(row);
        &self.pages[page][place..][..paging.stride]
    }

    /// Returns a row, to be written, and the rows before it.
    #[inline(always)]
    pub fn split_at_row(&mut self, row: usize, paging: Paging) -> (PageView<'_, C>, &mut [C]) {
        let (page, place) = paging.place(row);
        let (whole, rest) = self.pages.split_at_mut(page);
        let (part, rest) = rest[0].split_at_mut(place);
        (PageView { whole, part }, &mut rest[..paging.stride])
    }

    /// Returns all rows.
    pub fn all(&self) -> PageView<'_, C> {
        PageView {
            whole: &self.pages,
            part: &[],
        }
    }
}

/// Elements are added where there is space for them.
impl<C> Extend<C> for Pages<C> {
    fn extend<I: IntoIterator<Item = C>>(&mut self, elements: I) {
        let mut elements = elements.into_iter();
        let page_len = self.page_len();
        for page in &mut self.pages[self.len / page_len..] {
            let free = &mut page[self.len % page_len..];
            let wanted = free.len();
            let mut added = 0;
            for (place, element) in free.iter_mut().zip(&mut elements) {
                *place = element;
                added += 1;
            }
            self.len += added;
            if added < wanted {
                return;
            }
        }
        assert!(elements.next().is_none(), "there is room for what is added");
    }
}

/// A view of the first rows of a block, for reading.
#[derive(Debug)]
pub struct PageView<'b, C> {
    whole: &'b [Box<[C]>],
    /// The rows of the page after the whole ones.
    part: &'b [C],
}

impl<C> Clone for PageView<'_, C> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for PageView<'_, C> {}

impl<'b, C> PageView<'b, C> {
    /// Returns a row that is stored.
    #[inline(always)]
    pub fn row(self, rank: Rank, paging: Paging) -> &'b [C] {
        debug_assert!(is_stored(rank), "only rows that are stored have values");
        let (page, place) = paging.place(rank as usize);
        let page = self.whole.get(page).map_or(self.part, |page| page);
        &page[place..][..paging.stride]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of three elements, four to a page.
    const PAGING: Paging = Paging {
        stride: 3,
        shift: 2,
    };

    fn room(rows: usize) -> Pages<u32> {
        Pages::in_room(vec![vec![0; PAGING.page_len()].into(); PAGING.pages(rows)])
    }

    #[test]
    fn pages_are_neither_short_nor_long() {
        for (rows, stride, bytes) in [
            (1, 1, 1),
            (3, 7, 8),
            (1 << 10, 8, 4),
            (1 << 20, 128, 8),
            (1 << 26, 2, 8),
            (5, 1 << 20, 16),
        ] {
            let paging = Paging::new(rows, stride, bytes);
            let page = paging.page_len() * bytes;
            assert!(
                page <= LONGEST.max(stride * bytes),
                "{rows} {stride} {bytes}"
            );
            assert!(
                page > SHORTEST / 2 || page > rows * stride * bytes / 2,
                "{rows} {stride} {bytes}"
            );
            assert!(
                paging.pages(rows) <= (2 * PAGES).max(rows * stride * bytes / (LONGEST / 2)),
                "{rows} {stride} {bytes}"
            );
        }
    }

    /// Checks elements on both sides of the ends of pages.
    #[test]
    fn elements_stand_in_their_rows_and_runs() {
        for rows in 0..=9 {
            let mut pages = room(rows);
            let elements: Vec<u32> = (0..3 * rows as u32).collect();
            elements
                .chunks(5)
                .for_each(|some| pages.extend(some.iter().copied()));
            assert_eq!(pages.len(), elements.len());
            for (row, values) in elements.chunks(3).enumerate() {
                assert_eq!(pages.row(row, PAGING), values);
                assert_eq!(pages.all().row(row as Rank, PAGING), values);
            }
            for most in [1, 11, 12, 13, 24, 100] {
                let runs: Vec<Vec<u32>> = pages.runs(most).map(|run| run.concat()).collect();
                assert_eq!(runs.concat(), elements, "{rows} {most}");
                assert!(
                    runs.iter()
                        .all(|run| !run.is_empty() && run.len() <= most.max(PAGING.page_len()))
                );
                assert_eq!(runs.len(), rows.div_ceil(4 * (most / 12).max(1)));
            }
        }
    }

    #[test]
    fn a_row_is_written_with_those_before_it_at_hand() {
        let mut pages = room(9).with_len(27);
        for row in 0..9 {
            let (before, out) = pages.split_at_row(row, PAGING);
            let sum: u32 = (0..row).map(|row| before.row(row as Rank, PAGING)[2]).sum();
            out.copy_from_slice(&[row as u32, 0, sum + 1]);
        }
        assert_eq!(pages.row(8, PAGING), [8, 0, 256]);
    }

    #[test]
    #[should_panic(expected = "there is room for what is added")]
    fn no_more_is_added_than_there_is_room_for() {
        room(1).extend(0..13);
    }
}
