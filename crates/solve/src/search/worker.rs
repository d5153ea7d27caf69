//! One thread's search: depth first, each question about a position led back to questions about its
//! moves.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::bounds::{
    SearchSide, SideIntervals, SideQuestion, ThresholdInterval, ThresholdLaw, ThresholdQuestion,
    TurnKind,
};
use super::order::{Habits, MoveFeatures};
use super::space::{MoveHead, SearchMove, Searching, Space};
use super::table::TranspositionTable;
use crate::watch::{Context, Stop};

/// How many positions are gone through between two checks and at the other threads.
const CHECK_EVERY: u64 = 1 << 10;

/// What the threads of a search share.
pub struct SearchShared<'a, const W: usize> {
    pub law: ThresholdLaw,
    pub table: TranspositionTable<W>,
    pub context: &'a Context<'a>,
    /// What is told of how far the search has come.
    pub stage: String,
    /// Set once the others need not go on.
    pub is_over: AtomicBool,
    /// How many positions have been gone through.
    pub nodes: AtomicU64,
    /// How many entries have been made in the table, those of a position that was there counted
    /// too.
    pub entries: AtomicU64,
    /// After so many entries the table is to grow.
    pub full: u64,
    /// How many bytes the positions on the way may take.
    pub room: u64,
}

/// How a thread's search ends.
pub enum SearchEnd {
    /// With bounds that answer the question.
    Answer(ThresholdInterval),
    /// Because another thread's has ended, or the table is full.
    Nothing,
}

/// A move of a position that is being searched.
struct Child<S, const W: usize> {
    choice: SearchMove<S, W>,
    side: SearchSide,
    known: ThresholdInterval,
}

/// A position on the way from the one asked about.
struct SearchFrame<S, const W: usize> {
    key: [u64; W],
    question: ThresholdQuestion,
    known: ThresholdInterval,
    turn: TurnKind,
    children: Vec<Child<S, W>>,
    /// Whether the table has been asked about the moves.
    is_looked_up: bool,
    /// What is being asked about the moves, and what the last answer was.
    aim: Option<SideQuestion>,
    last: Option<(SideQuestion, bool)>,
    /// The move that is being searched.
    child: usize,
    /// How many positions had been gone through when the search came here.
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

    /// What is known of the best that each side can move to.
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

/// What is to be done at the position that the search has come to.
enum Next {
    /// To go back with what is known.
    Back(ThresholdInterval),
    /// To search one of its moves.
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
    /// The bytes of all frames.
    held: u64,
}

impl<P: Space<W>, const W: usize> SearchWorker<P, W> {
    /// At the position asked about; threads with other seeds try moves in another order.
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

    /// How many positions it has gone through.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Answers a question about the position.
    ///
    /// # Errors
    /// If a position cannot be evaluated, or the work is stopped.
    pub fn search(
        &mut self,
        question: ThresholdQuestion,
        shared: &SearchShared<'_, W>,
    ) -> Searching<SearchEnd> {
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
                        if self.nodes - self.reported.0 >= CHECK_EVERY && self.is_to_stop(shared)? {
                            return Ok(SearchEnd::Nothing);
                        }
                        self.descend(child, question, shared)?;
                    }
                }
            }
        }
    }

    /// Back to the position asked about, from wherever the search was left.
    fn begin_again(&mut self) {
        for _ in 1..self.depth {
            self.space.unmake();
        }
        self.depth = 0;
    }

    /// Tells the others how far it has come, and asks whether to go on.
    fn is_to_stop(&mut self, shared: &SearchShared<'_, W>) -> Searching<bool> {
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

    /// Makes the moves of the position that the search has come to.
    fn enter(
        &mut self,
        question: ThresholdQuestion,
        known: ThresholdInterval,
        shared: &SearchShared<'_, W>,
    ) -> Searching<()> {
        self.nodes += 1;
        if self.depth == self.frames.len() {
            self.frames.push(SearchFrame::empty(question, known));
            self.held += size_of::<SearchFrame<P::Step, W>>() as u64;
        }
        let frame = &mut self.frames[self.depth];
        let law = &shared.law;
        let room = frame.children.capacity();
        frame.children.clear();
        let children = &mut frame.children;
        let turn = self.space.expand(&mut |choice| {
            let known = match choice.head {
                MoveHead::Ended(ending) => ThresholdInterval::exactly(law.ended(ending)),
                MoveHead::Open(..) => law.expects(&choice.outlook, choice.owner),
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

    /// What to do next.
    fn next(&mut self, shared: &SearchShared<'_, W>) -> Next {
        let frame = &mut self.frames[self.depth - 1];
        let law = &shared.law;
        let mut sides = frame.sides();
        let mut known = frame.known.and(law.bounds(frame.turn, &sides));
        if known.answers(frame.question).is_some() {
            return Next::Back(known);
        }
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

    /// Looks whether the table answers a question about a move by now.
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
    ) -> Searching<()> {
        let child = &self.frames[self.depth - 1].children[child];
        let (known, head) = (child.known, child.choice.head);
        if let MoveHead::Open(_, step) = head {
            self.space.make(step);
            self.enter(question, known, shared)?;
        }
        Ok(())
    }

    /// Keeps what is known of the position that the search goes back from.
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

    /// Takes what was found out about the move that was searched.
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
                answer == (child.side == SearchSide::Seeker),
            );
        }
    }
}

impl<S, const W: usize> Child<S, W> {
    /// What choosing among moves looks at.
    fn seen(&self) -> MoveFeatures {
        MoveFeatures {
            side: self.side,
            kind: self.choice.kind,
            threats: self.choice.outlook.threats,
            known: self.known,
        }
    }
}
