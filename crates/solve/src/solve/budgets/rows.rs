//! Thresholds of a game without cycles, where the loser of a bid gets a part of it, so that Bob's budget may grow.
//!
//! Vertex by vertex, successors first, against all budgets up to one at a time. How far the rows of the successors must reach is not known before: it
//! hangs on the bids that turn out to be good. So a row is worked out as far as the rows after it allow, these are made longer where that does not
//! do, and it is worked out again.

use std::convert::Infallible;
use std::ops::Range;

use super::turn::{Best, Turn, after_bid};
use super::{Holder, place};
use crate::diagnostic::Result;
use crate::game::NodeId;
use crate::parallel;
use crate::player::{PerPlayer, Player};
use crate::watch::{Stop, Watch, watched};

/// How many budgets one thread works out in a row.
const PIECE: u64 = 256;

/// The rows that are known.
pub(super) struct Rows<'a> {
    turn: Turn<'a>,
    holders: &'a [Holder],
    /// By vertex and holder: the thresholds against 0, 1, 2, …
    known: Vec<Vec<u64>>,
    cells: u64,
    watch: &'a dyn Watch,
}

/// What is needed after a bid has been won: by its winner and the holder after it, against 0, 1, 2, …
type After = PerPlayer<Vec<Vec<u64>>>;

/// Why a row is not finished.
#[derive(Clone, Copy)]
enum Unfinished {
    /// The rows of the successors would have to reach up to this budget.
    Beyond(u64),
    Stopped(Stop),
}

impl Unfinished {
    /// What to say of two pieces of a row.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Beyond(a), Self::Beyond(b)) => Self::Beyond(a.max(b)),
            (stopped @ Self::Stopped(_), _) | (_, stopped) => stopped,
        }
    }
}

impl<'a> Rows<'a> {
    /// The thresholds of a vertex against these budgets, for each holder of the tie status.
    ///
    /// # Errors
    /// If there is too little memory, or the watch stops the work.
    pub(super) fn against(
        turn: Turn<'a>,
        node: NodeId,
        budgets: &[u64],
        holders: &'a [Holder],
        watch: &'a dyn Watch,
    ) -> Result<Vec<(Holder, Vec<u64>)>> {
        let known = vec![Vec::new(); 2 * turn.graph.len()];
        let mut rows = Self { turn, holders, known, cells: 0, watch };
        rows.reach(node, budgets.iter().copied().max().unwrap_or(0))?;
        let row = |holder: &Holder| budgets.iter().map(|budget| rows.get(node, *budget, *holder)).collect();
        Ok(holders.iter().map(|holder| (*holder, row(holder))).collect())
    }

    fn get(&self, node: NodeId, budget: u64, holder: Holder) -> u64 {
        match self.turn.graph.ending(node) {
            Some(ending) => self.turn.ended(ending),
            None => self.known[place(node, holder)][budget as usize],
        }
    }

    /// How many budgets the rows of a vertex are known against.
    fn len(&self, node: NodeId) -> u64 {
        match self.turn.graph.ending(node) {
            Some(_) => u64::MAX,
            None => self.known[place(node, self.holders[0])].len() as u64,
        }
    }

    /// Makes the rows of a vertex reach up to a budget.
    fn reach(&mut self, node: NodeId, most: u64) -> Result<()> {
        let len = self.len(node);
        if len > most {
            return Ok(());
        }
        // A little more than is asked for, as others may ask for a little more.
        let wanted = (most + 1).max(len + len / 4);
        self.make_room(wanted - len)?;
        let mut successors = wanted - 1;
        loop {
            self.watch.check()?;
            let heads: Vec<NodeId> = self.turn.graph.all_successors(node).collect();
            for &head in &heads {
                stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.reach(head, successors))?;
            }
            let known = heads.iter().map(|head| self.len(*head)).min().unwrap_or(0).min(2 * (successors + 1));
            let found = if self.turn.graph.owner(node).is_some() {
                self.without_bid(node, len..wanted, known)
            } else {
                self.work_out(len..wanted, &self.after(node, known)?)
            };
            match found {
                Ok(found) => {
                    for (holder, found) in self.holders.iter().zip(found) {
                        self.known[place(node, *holder)].extend(found);
                    }
                    self.watch.report("solving", self.cells, None);
                    return Ok(());
                }
                Err(Unfinished::Beyond(budget)) => successors = budget,
                Err(Unfinished::Stopped(stop)) => return Err(stop.into()),
            }
        }
    }

    fn make_room(&mut self, budgets: u64) -> Result<()> {
        self.cells = self.cells.saturating_add(budgets.saturating_mul(self.holders.len() as u64));
        let limit = self.watch.limits().max_memory;
        // Rows grow by doubling.
        if self.cells.saturating_mul(2 * size_of::<u64>() as u64) > limit {
            return Err(Stop::Memory(limit).into());
        }
        Ok(())
    }

    /// The thresholds of a vertex with an owner, where those of its successors are known against so many budgets.
    fn without_bid(
        &self,
        node: NodeId,
        budgets: Range<u64>,
        known: u64,
    ) -> std::result::Result<Vec<Vec<u64>>, Unfinished> {
        self.watch.check().map_err(Unfinished::Stopped)?;
        if known < budgets.end {
            return Err(Unfinished::Beyond(budgets.end - 1));
        }
        let row = |holder: &Holder| {
            let least = |budget| self.turn.without_bid(node, |head| self.get(head, budget, *holder));
            budgets.clone().map(least).collect()
        };
        Ok(self.holders.iter().map(row).collect())
    }

    /// What is needed after a bid has been won at a vertex, against so many budgets.
    fn after(&self, node: NodeId, budgets: u64) -> std::result::Result<After, Stop> {
        let Turn { graph, rules } = self.turn;
        let row = |winner: Player, holder: Holder| -> std::result::Result<Vec<u64>, Stop> {
            let needed = |budget| {
                let of = |head| Ok::<_, Infallible>(self.get(head, budget, holder));
                let Ok(needed) = after_bid((graph, rules), node, winner, of);
                needed
            };
            watched(0..budgets, self.watch).map(|budget| budget.map(needed)).collect()
        };
        let rows =
            |winner| self.holders.iter().map(|holder| row(winner, *holder)).collect::<std::result::Result<_, Stop>>();
        Ok(PerPlayer::new(rows(Player::Alice)?, rows(Player::Bob)?))
    }

    /// The thresholds of a vertex against some budgets, for each holder.
    fn work_out(&self, budgets: Range<u64>, after: &After) -> std::result::Result<Vec<Vec<u64>>, Unfinished> {
        let mut rows = Vec::new();
        for &holder in self.holders {
            let pieces = budgets.clone().step_by(PIECE as usize).map(|first| first..budgets.end.min(first + PIECE));
            let pieces: Vec<_> = parallel::map(pieces, |piece| self.piece(piece, holder, after));
            let (mut row, mut unfinished) = (Vec::new(), None);
            for piece in pieces {
                match piece {
                    Ok(piece) => row.extend(piece),
                    Err(why) => unfinished = Some(unfinished.map_or(why, |known| why.and(known))),
                }
            }
            match unfinished {
                Some(why) => return Err(why),
                None => rows.push(row),
            }
        }
        Ok(rows)
    }

    /// The thresholds against budgets that follow each other: the best bid against one is near to that against the one before.
    fn piece(&self, budgets: Range<u64>, holder: Holder, after: &After) -> std::result::Result<Vec<u64>, Unfinished> {
        self.watch.check().map_err(Unfinished::Stopped)?;
        let known = |winner: Player, left: u64, status: Holder| {
            let row = &after[winner][usize::from(status == Some(Player::Bob))];
            row.get(left as usize).copied().ok_or(Unfinished::Beyond(left))
        };
        let mut hint = 0;
        let mut found = Vec::new();
        for budget in budgets {
            let Best { chips, bid } = self.turn.threshold((budget, holder), hint, known)?;
            hint = bid;
            found.push(chips);
        }
        Ok(found)
    }
}
