//! Merging of several sorted runs of keys.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::key::{Chunk, PositionKey};
use crate::diagnostic::Result;
use crate::space::store::Tables;

/// A cursor through the keys of a run.
struct Cursor<'a, const W: usize> {
    keys: Cow<'a, [PositionKey<W>]>,
    at: usize,
    rest: std::slice::Iter<'a, Chunk<W>>,
}

impl<const W: usize> Cursor<'_, W> {
    fn next(&mut self, tables: &Tables<'_>) -> Result<Option<PositionKey<W>>> {
        // One chunk of each run is in memory at a time.
        if self.at == self.keys.len() {
            let Some(chunk) = self.rest.next() else {
                return Ok(None);
            };
            (self.keys, self.at) = (Cow::Owned(chunk.read(tables)?), 0);
        }
        self.at += 1;
        Ok(Some(self.keys[self.at - 1]))
    }
}

/// Calls `take` with the keys of a sorted slice and of all runs in ascending order, each once.
///
/// # Errors
/// If the disk or `take` fails.
pub fn merge<const W: usize>(
    sorted: &[PositionKey<W>],
    runs: &[Vec<Chunk<W>>],
    tables: &Tables<'_>,
    take: &mut dyn FnMut(PositionKey<W>) -> Result<()>,
) -> Result<()> {
    let first = Cursor {
        keys: Cow::Borrowed(sorted),
        at: 0,
        rest: [].iter(),
    };
    let others = runs.iter().map(|run| Cursor {
        keys: Cow::Borrowed(&[][..]),
        at: 0,
        rest: run.iter(),
    });
    let mut cursors: Vec<Cursor<'_, W>> = std::iter::once(first).chain(others).collect();
    let mut next = BinaryHeap::new();
    for (number, cursor) in cursors.iter_mut().enumerate() {
        next.extend(cursor.next(tables)?.map(|key| Reverse((key, number))));
    }
    let mut last = None;
    while let Some(Reverse((key, number))) = next.pop() {
        // Equal keys of different runs follow each other, so one comparison drops the duplicates.
        if last != Some(key) {
            last = Some(key);
            take(key)?;
        }
        next.extend(
            cursors[number]
                .next(tables)?
                .map(|key| Reverse((key, number))),
        );
    }
    Ok(())
}
