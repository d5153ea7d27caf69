//! One thread's search: depth first, with each question about a position reduced to questions about
//! its moves.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::bounds::{
    SearchSide, SideIntervals, SideQuestion, ThresholdInterval, ThresholdLaw, ThresholdQuestion,
    TurnKind,
};
use super::order::{Habits, MoveFeatures};
use super::space::{MoveHead, SearchMove, Space};
use super::table::TranspositionTable;
use crate::space::layers::measure::Attempt;
use crate::watch::{Context, Stop};

/// The number of positions between two checks for a stop and exchanges with the other threads.
const CHECK_EVERY: u64 = 1 << 10;

/// The data that the threads of a search share.
pub struct SearchShared<'a, const W: usize> {
    pub law: ThresholdLaw,
    pub table: TranspositionTable<W>,
    pub context: &'a Context<'a>,
    /// The description of the search's progress that is reported.
    pub stage: String,
    /// Set once the other threads need not go on.
    pub is_over: AtomicBool,
    /// The number of positions searched.
    pub nodes: AtomicU64,
    /// The number of entries written to the table, those of a position that was there included.
    pub entries: AtomicU64,
    /// The number of entries after which the table has to grow.
    pub full: u64,
    /// The number of bytes that the positions on the current path may take.
    pub room: u64,
}

/// The result of a thread's search.
pub enum SearchEnd {
    /// Bounds that answer the question.
    Answer(ThresholdInterval),
    /// No answer, because another thread's search has ended or the table is full.
    Nothing,
}

/// A move of a position that is being searched.
struct Child<S, const W: usize> {
    choice: SearchMove<S, W>,
    side: SearchSide,
    known: ThresholdInterval,
}

/// A position on the path from the one asked about.
struct SearchFrame<S, const W: usize> {
    key: [u64; W],
    question: ThresholdQuestion,
    known: ThresholdInterval,
    turn: TurnKind,
    children: Vec<Child<S, W>>,
    /// If set, the moves have been looked up in the table.
    is_looked_up: bool,
    /// The question that is being asked about the moves, and the last one with its answer.
    aim: Option<SideQuestion>,
    last: Option<(SideQuestion, bool)>,
    /// The index of the move that is being searched.
    child: usize,
    /// The number of positions searched before the search came here.
    before: u64,
}

impl<S, const W: usize> SearchFrame<S, W> {
    fn empty(question: ThresholdQuestion, known: ThresholdInterval) -> Self {
        Self {
            key: [0; W],
            question,
            known,
            turn: TurnKind::Bid,
            children: Vec::new(),
            is_looked_up: false,
            aim: None,
            last: None,
            child: 0,
            before: 0,
        }
    }

    /// Returns the bounds of the best move of each side.
    fn sides(&self) -> SideIntervals {
        let mut sides = SideIntervals::default();
        for child in &self.children {
            match child.side {
                SearchSide::Seeker => {
                    let best = sides.seeker.get_or_insert(child.known);
                    for slot in 0..2 {
                        best.low[slot] = best.low[slot].min(child.known.low[slot]);
                        best.high[slot] = best.high[slot].min(child.known.high[slot]);
                    }
                }
                SearchSide::Opponent => {
                    let best = sides.opponent.get_or_insert(child.known);
                    for slot in 0..2 {
                        best.low[slot] = best.low[slot].max(child.known.low[slot]);
                        best.high[slot] = best.high[slot].max(child.known.high[slot]);
                    }
                }
            }
        }
        sides
    }
}

/// The next step at the position that the search has come to.
enum Next {
    /// Return with these bounds.
    Back(ThresholdInterval),
    /// Search the move with this index for this question.
    Search(usize, ThresholdQuestion),
}

/// A thread's search.
pub struct SearchWorker<P: Space<W>, const W: usize> {
    space: P,
    frames: Vec<SearchFrame<P::Step, W>>,
    depth: usize,
    habits: Habits,
    nodes: u64,
    entries: u64,
    reported: (u64, u64),
    /// The size of all frames in bytes.
    held: u64,
}

impl<P: Space<W>, const W: usize> SearchWorker<P, W> {
    /// Starts at the position asked about. Threads with other seeds try moves in another order.
    pub fn new(space: P, seed: u64) -> Self {
        let habits = Habits::new(seed);
        Self {
            space,
            frames: Vec::new(),
            depth: 0,
            habits,
            nodes: 0,
            entries: 0,
            reported: (0, 0),
            held: 0,
        }
    }

    /// Returns the number of positions that this thread has searched.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Answers a question about the position.
    ///
    /// # Errors
    /// Returns an error if a position cannot be evaluated or the work is stopped.
    pub fn search(
        &mut self,
        question: ThresholdQuestion,
        shared: &SearchShared<'_, W>,
    ) -> Attempt<SearchEnd> {
        // The previous search may have been left in the middle by another thread's answer.
        self.begin_again();
        if shared.is_over.load(Ordering::Relaxed) {
            return Ok(SearchEnd::Nothing);
        }
        let known = shared
            .table
            .get(&self.space.key())
            .unwrap_or(shared.law.anything());
        if known.answers(question).is_some() {
            return Ok(SearchEnd::Answer(known));
        }
        self.enter(question, known, shared)?;
        loop {
            match self.next(shared) {
                // The table gets the bounds before the position is left, while its frame is still
                // valid.
                Next::Back(known) => {
                    self.keep(known, shared);
                    self.depth -= 1;
                    if self.depth == 0 {
                        return Ok(SearchEnd::Answer(known));
                    }
                    self.space.unmake();
                    self.learn(known, &shared.law);
                }
                Next::Search(child, question) => {
                    if !self.look_up(child, question, shared) {
                        // Shared counters are updated seldom, because threads would wait for each
                        // other there.
                        if self.nodes - self.reported.0 >= CHECK_EVERY && self.is_to_stop(shared)? {
                            return Ok(SearchEnd::Nothing);
                        }
                        self.descend(child, question, shared)?;
                    }
                }
            }
        }
    }

    /// Goes back to the position asked about, from wherever the search was left.
    fn begin_again(&mut self) {
        for _ in 1..self.depth {
            self.space.unmake();
        }
        self.depth = 0;
    }

    /// Publishes this thread's progress and returns whether it has to stop.
    fn is_to_stop(&mut self, shared: &SearchShared<'_, W>) -> Attempt<bool> {
        let nodes = self.nodes - self.reported.0;
        let entries = self.entries - self.reported.1;
        self.reported = (self.nodes, self.entries);
        let nodes = shared.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes;
        let entries = shared.entries.fetch_add(entries, Ordering::Relaxed) + entries;
        shared.context.check()?;
        shared.context.report(&shared.stage, nodes, None);
        if self.held > shared.room {
            return Err(Stop::Memory(shared.context.limits.max_memory).into());
        }
        if entries > shared.full {
            shared.is_over.store(true, Ordering::Relaxed);
        }
        Ok(shared.is_over.load(Ordering::Relaxed))
    }

    /// Generates the moves of the position that the search has come to.
    fn enter(
        &mut self,
        question: ThresholdQuestion,
        known: ThresholdInterval,
        shared: &SearchShared<'_, W>,
    ) -> Attempt<()> {
        self.nodes += 1;
        if self.depth == self.frames.len() {
            self.frames.push(SearchFrame::empty(question, known));
            self.held += size_of::<SearchFrame<P::Step, W>>() as u64;
        }
        let frame = &mut self.frames[self.depth];
        let law = &shared.law;
        // Frames keep the memory of their moves, so only what they grow by is counted.
        let room = frame.children.capacity();
        frame.children.clear();
        let children = &mut frame.children;
        let turn = self.space.expand(&mut |choice| {
            let known = match choice.head {
                MoveHead::Ended(ending) => ThresholdInterval::exactly(law.ended(ending)),
                MoveHead::Open(..) => law.anything(),
            };
            children.push(Child {
                choice,
                side: law.side(choice.player),
                known,
            });
        })?;
        self.held += (size_of::<Child<P::Step, W>>() * (frame.children.capacity() - room)) as u64;
        *frame = SearchFrame {
            key: self.space.key(),
            question,
            known,
            turn,
            children: std::mem::take(&mut frame.children),
            is_looked_up: false,
            aim: None,
            last: None,
            child: 0,
            before: self.nodes,
        };
        self.depth += 1;
        Ok(())
    }

    /// Determines the next step.
    fn next(&mut self, shared: &SearchShared<'_, W>) -> Next {
        let frame = &mut self.frames[self.depth - 1];
        let law = &shared.law;
        let mut sides = frame.sides();
        let mut known = frame.known.and(law.bounds(frame.turn, &sides));
        if known.answers(frame.question).is_some() {
            return Next::Back(known);
        }
        // Endings alone often decide, and then no move has to be looked up in the table.
        if !frame.is_looked_up {
            frame.is_looked_up = true;
            let mut news = false;
            for child in &mut frame.children {
                if let MoveHead::Open(key, _) = &child.choice.head
                    && let Some(found) = shared.table.get(key)
                {
                    child.known = child.known.and(found);
                    news = true;
                }
            }
            if news {
                sides = frame.sides();
                known = known.and(law.bounds(frame.turn, &sides));
                if known.answers(frame.question).is_some() {
                    return Next::Back(known);
                }
            }
        }
        frame.known = known;
        let aim = match frame.aim {
            Some(aim) => match sides.answers(aim) {
                None => aim,
                Some(answer) => {
                    frame.last = Some((aim, answer));
                    // The lean is used by the first question only.
                    law.next(frame.turn, &sides, frame.question, frame.last, 0)
                }
            },
            None => law.next(
                frame.turn,
                &sides,
                frame.question,
                None,
                self.habits.lean(self.depth, law.beyond),
            ),
        };
        frame.aim = Some(aim);
        Next::Search(
            self.habits
                .choose(frame.children.iter().map(Child::seen), aim),
            aim.question,
        )
    }

    /// Looks a move up in the table again. Returns `true` if the question about it is now answered.
    fn look_up(
        &mut self,
        child: usize,
        question: ThresholdQuestion,
        shared: &SearchShared<'_, W>,
    ) -> bool {
        let frame = &mut self.frames[self.depth - 1];
        frame.child = child;
        let child = &mut frame.children[child];
        let MoveHead::Open(key, _) = &child.choice.head else {
            return true;
        };
        // Another thread may have searched the move since the moves were looked up.
        let Some(found) = shared.table.get(key) else {
            return false;
        };
        child.known = child.known.and(found);
        child.known.answers(question).is_some()
    }

    fn descend(
        &mut self,
        child: usize,
        question: ThresholdQuestion,
        shared: &SearchShared<'_, W>,
    ) -> Attempt<()> {
        let child = &self.frames[self.depth - 1].children[child];
        let (known, head) = (child.known, child.choice.head);
        if let MoveHead::Open(_, step) = head {
            self.space.make(step);
            self.enter(question, known, shared)?;
        }
        Ok(())
    }

    /// Stores the bounds of the position that the search returns from.
    fn keep(&mut self, known: ThresholdInterval, shared: &SearchShared<'_, W>) {
        let frame = &self.frames[self.depth - 1];
        shared
            .table
            .add(&frame.key, known, self.nodes - frame.before + 1);
        self.entries += 1;
        let sides = frame.sides();
        if let (Some(seeker), Some(opponent)) = (sides.seeker, sides.opponent) {
            let slot = frame.question.slot;
            let apart = match known.answers(frame.question) {
                Some(true) => opponent.high[slot].saturating_sub(seeker.high[slot]),
                Some(false) | None => opponent.low[slot].saturating_sub(seeker.low[slot]),
            };
            self.habits.lean_by(self.depth, apart / 2);
        }
    }

    /// Adds the bounds that were found for the move that was searched.
    fn learn(&mut self, known: ThresholdInterval, law: &ThresholdLaw) {
        let frame = &mut self.frames[self.depth - 1];
        let child = &mut frame.children[frame.child];
        child.known = child.known.and(known);
        if let Some(aim) = frame.aim
            && let Some(answer) = child.known.answers(aim.question)
        {
            debug_assert_eq!(child.side, law.side(child.choice.player));
            self.habits.learn(
                child.side,
                child.choice.kind,
                // A low threshold is good for the seeker, so a yes is a success of the seeker's
                // move.
                answer == (child.side == SearchSide::Seeker),
            );
        }
    }
}

impl<S, const W: usize> Child<S, W> {
    /// Returns the features that the choice among moves looks at.
    fn seen(&self) -> MoveFeatures {
        MoveFeatures {
            side: self.side,
            kind: self.choice.kind,
            known: self.known,
        }
    }
}
