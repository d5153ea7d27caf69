//! How processes get on with a sweep that they share: in which order each works, who waits for
//! whom, what travels, and how much each holds.
//!
//! All of that is played through before anything is worked out, as if a byte took everybody the
//! same time: whoever is free takes the first of its blocks that can be worked out, and some after
//! it. What a process finds to do while it would have to wait comes first in its order, then.
//!
//! **Nobody waits in a circle.** Of the batches that have not been worked out take the one that
//! began first in the play. What it needs had ended there before, so it began before, and has been
//! worked out; so have all earlier batches of its process, which has nothing else to do. A block is
//! offered as soon as it has been worked out, and offering waits for nobody: what others have not
//! taken yet lies on the disk, or in memory where there is none. Fetching ahead
//! ([`ahead`](super::ahead)) waits for room only while the process has what it needs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::order::Order;
use super::share::Owners;

/// How many blocks at most are passed over for one that can be worked out together with others, for
/// each that is wanted.
const LOOK_AHEAD: usize = 8;

/// What the processes of a sweep do, in bytes of blocks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Course {
    /// The bytes that one process works out in the time until all have done their work, waits
    /// included.
    pub longest: u64,
    /// What all work out together.
    pub all: u64,
    /// What the processes take from each other, all together.
    pub travels: u64,
    /// What others take from one process, the one from which they take most: it keeps that to the
    /// end.
    pub kept: u64,
    /// The most that ranks take together at one time, and values, in one process, the one that
    /// holds most.
    pub held: u64,
}

/// The batches of each process, in order.
pub type Batches = Vec<Vec<Vec<usize>>>;

impl Course {
    /// The course of a sweep whose blocks have these owners and sizes, so many bytes of each being
    /// ranks, in batches of so many blocks, and the batches.
    pub fn new(
        owners: &Owners,
        order: &Order,
        (sizes, ranks): (&[u64], u64),
        width: usize,
    ) -> (Self, Batches) {
        let mut play = Play::new(owners, order, sizes, width);
        let longest = play.through();
        let batches = play.batches;
        let mut course = Self {
            longest,
            ..Self::default()
        };
        let mut kept = vec![0_u64; owners.processes];
        for (process, batches) in batches.iter().enumerate() {
            let lives = lives(batches, order);
            for Life { block, .. } in &lives {
                if owners.of(*block) == process {
                    course.all = course.all.saturating_add(sizes[*block]);
                } else {
                    course.travels = course.travels.saturating_add(sizes[*block]);
                    // A block that several take is kept once, but here it counts for each: they are
                    // few.
                    kept[owners.of(*block)] += sizes[*block];
                }
            }
            let of_ranks = most_alive(&lives, |_| ranks);
            let of_values = most_alive(&lives, |block| sizes[block].saturating_sub(ranks));
            course.held = course.held.max(of_ranks.saturating_add(of_values));
        }
        course.kept = kept.into_iter().max().unwrap_or(0);
        (course, batches)
    }
}

/// The work as it would go.
struct Play<'a> {
    owners: &'a Owners,
    order: &'a Order,
    sizes: &'a [u64],
    width: usize,
    /// By block: its place among those of its owner, by number.
    places: Vec<u32>,
    /// By block: how many blocks that it needs have not been worked out.
    missing: Vec<u32>,
    /// The blocks that need each block: those of block b from `first_users[b]` to `first_users[b +
    /// 1]`.
    users: Vec<u32>,
    first_users: Vec<usize>,
    /// By process: what can be worked out, the least first.
    ready: Vec<BinaryHeap<Reverse<usize>>>,
    /// By process: whether it is at work on its last batch.
    is_busy: Vec<bool>,
    /// When processes end their batches.
    ends: BinaryHeap<Reverse<(u64, usize)>>,
    batches: Batches,
}

impl<'a> Play<'a> {
    fn new(owners: &'a Owners, order: &'a Order, sizes: &'a [u64], width: usize) -> Self {
        let (blocks, processes) = (sizes.len(), owners.processes);
        let mut sequence = order.sequence().to_vec();
        sequence.sort_unstable();
        let (mut places, mut counts) = (vec![0; blocks], vec![0; processes]);
        let (mut missing, mut first_users) = (vec![0; blocks], vec![0; blocks + 1]);
        for block in &sequence {
            let count = &mut counts[owners.of(*block)];
            places[*block] = *count;
            *count += 1;
            let needs = order.needs(*block);
            // There are a few million blocks at most.
            missing[*block] = needs.len() as u32;
            needs.iter().for_each(|need| first_users[*need + 1] += 1);
        }
        (0..blocks).for_each(|block| first_users[block + 1] += first_users[block]);
        let (mut users, mut next) = (vec![0; first_users[blocks]], first_users.clone());
        for block in &sequence {
            for need in order.needs(*block) {
                users[next[*need]] = *block as u32;
                next[*need] += 1;
            }
        }
        let mut ready = vec![BinaryHeap::new(); processes];
        let first = sequence.iter().filter(|block| missing[**block] == 0);
        first.for_each(|block| ready[owners.of(*block)].push(Reverse(*block)));
        Self {
            owners,
            order,
            sizes,
            width,
            places,
            missing,
            users,
            first_users,
            ready,
            is_busy: vec![false; processes],
            ends: BinaryHeap::new(),
            batches: vec![Vec::new(); processes],
        }
    }

    /// To the end; when that is.
    fn through(&mut self) -> u64 {
        (0..self.owners.processes).for_each(|process| self.begin(process, 0));
        let mut now = 0;
        while let Some(Reverse((time, process))) = self.ends.pop() {
            now = time;
            self.is_busy[process] = false;
            let blocks = self.batches[process].last().cloned().unwrap_or_default();
            let mut woken = vec![process];
            for block in blocks {
                for user in self.first_users[block]..self.first_users[block + 1] {
                    let user = self.users[user] as usize;
                    self.missing[user] -= 1;
                    if self.missing[user] == 0 {
                        let owner = self.owners.of(user);
                        self.ready[owner].push(Reverse(user));
                        woken.push(owner);
                    }
                }
            }
            woken
                .into_iter()
                .for_each(|process| self.begin(process, now));
        }
        debug_assert!(
            self.order
                .sequence()
                .iter()
                .all(|block| self.missing[*block] == 0),
            "every block has its turn"
        );
        now
    }

    /// Lets a process begin its next batch, if it is free and there is one.
    fn begin(&mut self, process: usize, now: u64) {
        let ready = &mut self.ready[process];
        let Some(Reverse(first)) = ready.peek().copied().filter(|_| !self.is_busy[process]) else {
            return;
        };
        let last = self.places[first] as usize + LOOK_AHEAD * self.width;
        let mut batch = Vec::new();
        while batch.len() < self.width
            && let Some(Reverse(block)) = ready.peek().copied()
            && self.places[block] as usize <= last
        {
            ready.pop();
            batch.push(block);
        }
        let work = batch
            .iter()
            .map(|block| self.sizes[*block].max(1))
            .sum::<u64>();
        self.ends.push(Reverse((now.saturating_add(work), process)));
        self.is_busy[process] = true;
        self.batches[process].push(batch);
    }
}

/// The first and the last batch in which a process holds a block.
struct Life {
    block: usize,
    first: u32,
    last: u32,
}

fn lives(batches: &[Vec<usize>], order: &Order) -> Vec<Life> {
    let of_batch = |(batch, blocks): (usize, &Vec<usize>)| {
        let used = blocks
            .iter()
            .flat_map(|block| order.needs(*block).iter().chain([block]));
        used.map(|block| (*block as u32, batch as u32))
            .collect::<Vec<_>>()
    };
    let mut uses: Vec<(u32, u32)> = batches.iter().enumerate().flat_map(of_batch).collect();
    uses.sort_unstable();
    let life = |uses: &[(u32, u32)]| Life {
        block: uses[0].0 as usize,
        first: uses[0].1,
        last: uses[uses.len() - 1].1,
    };
    uses.chunk_by(|a, b| a.0 == b.0).map(life).collect()
}

/// The most that blocks take together at one time.
fn most_alive(lives: &[Life], size: impl Fn(usize) -> u64) -> u64 {
    // Those that begin with a batch are there together with those that end with it.
    let begin = lives
        .iter()
        .map(|life| (life.first, false, size(life.block)));
    let end = lives.iter().map(|life| (life.last, true, size(life.block)));
    let mut events: Vec<(u32, bool, u64)> = begin.chain(end).collect();
    events.sort_unstable();
    let (mut alive, mut most) = (0_u64, 0);
    for (_, ends, size) in events {
        alive = if ends {
            alive.saturating_sub(size)
        } else {
            alive.saturating_add(size)
        };
        most = most.max(alive);
    }
    most
}
