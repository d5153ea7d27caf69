//! Search from one position: thresholds and outcomes without a table of all positions, for games in
//! which play always ends.
//!
//! A question asks whether a threshold is at most a number ([`bounds`], with the lemma and its
//! proof). An outcome takes a few questions, a threshold is found by bisection. Each question is
//! reduced to questions about the moves, depth first ([`worker`]). The results about a position are
//! kept as bounds of its thresholds ([`table`]), so that one entry answers for all greater budgets
//! and all smaller ones. Moves that end the game are recognised when they are generated; the order
//! of the others follows from the bounds in the table and from which moves were good nearby
//! ([`order`]). All threads search the same question and share the table; they take different paths
//! because of their move order, or on boards because each defers the positions that another one is
//! searching.
//!
//! Boards of squares on which only lines decide are searched as bitboards ([`board`]). Elsewhere
//! positions are made by changing digits if a ruleset's positions have numbers; otherwise they are
//! evaluated by the ruleset's lines, with a count that every move lowers and that is tested at
//! every move ([`space`]). So either play always ends or there is no answer: a search never returns
//! to an earlier position. Answers do not depend on the table's size, on the threads, or on the
//! order of moves, because all bounds that are kept or returned are true. The one exception is a
//! position that cannot be evaluated: some orders reach it and others do not.

mod board;
mod bounds;
mod order;
mod space;
mod table;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use self::bounds::{ThresholdInterval, ThresholdLaw, ThresholdQuestion};
use self::space::{Space, Vertices, Walked};
use self::table::{GREATEST, TranspositionTable};
use self::worker::{SearchEnd, SearchShared, SearchWorker};
use crate::chips::{Kernel, Threshold};
use crate::diagnostic::{Code, Diagnostic, Result, counted};
use crate::game::ruleset::{Ruleset, State};
use crate::game::{GameGraph, NodeId};
use crate::parallel;
use crate::player::{Outcome, Player};
use crate::positions::part;
use crate::rules::admit::{self, ChipsQuestion};
use crate::rules::{Purses, Rules, Stuck};
use crate::space::layers::measure::{self, Attempt, Halt};
use crate::watch::Context;

/// The initial size of the table in bytes, and the factor by which it grows when it is full, as
/// long as there is room.
const FIRST: u64 = 1 << 18;
const GROWTH: u64 = 4;

/// The divisor of the memory that gives the share of the positions on the current path; the rest is
/// for the table.
const WAY_SHARE: u64 = 8;

/// A position to be searched from.
#[derive(Debug, Clone, Copy)]
pub enum SearchOrigin<'a> {
    /// A position of a ruleset.
    Position {
        /// The ruleset.
        ruleset: &'a Ruleset,
        /// The position.
        state: &'a State,
        /// If set, the players have exchanged their parts.
        conjugated: bool,
    },
    /// A vertex of a graph.
    Vertex(&'a GameGraph, NodeId),
}

/// A search's answer, with the number of positions that it went through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Searched<T> {
    /// The answer.
    pub answer: T,
    /// The number of positions whose moves were generated.
    pub nodes: u64,
}

/// The options of a search, which never change its answers.
#[derive(Debug, Clone, Copy, Default)]
pub struct SearchOptions {
    /// The seed for the order in which moves are tried of which nothing is known.
    pub seed: u64,
}

/// Finds Alice's threshold for a total.
///
/// # Errors
/// Returns the errors of [`outcome`].
pub fn threshold(
    origin: SearchOrigin<'_>,
    rules: &Rules,
    total: u64,
    manner: SearchOptions,
    context: &Context<'_>,
) -> Result<Searched<Threshold>> {
    let drawn = rules.draws.favours(Player::Alice);
    let law = law(
        origin,
        rules,
        total,
        WinGoal {
            drawn,
            preventing: false,
        },
    )?;
    let task = SearchTask {
        origin,
        law,
        rules,
        total,
        manner,
        context,
    };
    let Searched { answer, nodes } = task.search(SearchTarget::Everything)?;
    Ok(Searched {
        answer: task.threshold(answer.low),
        nodes,
    })
}

/// Returns who wins with these purses, which must fit the rules. A draw is reported as a draw,
/// whichever player the rules award it to.
///
/// # Errors
/// Returns E0602 or E0603 under rules without thresholds and for games in which play can go on for
/// ever, E0701 for more chips than are counted, and a stop with the results found so far if the
/// work is stopped.
pub fn outcome(
    origin: SearchOrigin<'_>,
    rules: &Rules,
    purses: &Purses,
    manner: SearchOptions,
    context: &Context<'_>,
) -> Result<Searched<Outcome>> {
    let total = purses.chips.alice + purses.chips.bob;
    let mut nodes = 0;
    let mut known: Vec<&str> = Vec::new();
    let has_gap = Kernel::of(rules, Player::Alice).has_gap();
    let mut holds = |goal: WinGoal, [yes, no]: [&'static str; 2]| -> Result<bool> {
        let law = law(origin, rules, total, goal)?;
        let (slot, count) = law.scale().component(
            purses.chips.alice,
            purses.status == Some(Player::Alice),
            total,
        );
        let question = ThresholdQuestion {
            slot,
            most: u16::try_from(count).expect("the total was looked at"),
        };
        let task = SearchTask {
            origin,
            law,
            rules,
            total,
            manner,
            context,
        };
        let found = task
            .search(SearchTarget::Answer(question))
            .map_err(|error| said(error, &known))?;
        nodes += found.nodes;
        let holds = found
            .answer
            .answers(question)
            .expect("that was the question");
        known.push(if holds { yes } else { no });
        Ok(holds)
    };
    let wins = WinGoal {
        drawn: false,
        preventing: false,
    };
    let mut player_wins = |player: Player| match player {
        Player::Alice => holds(wins, ["Alice wins", "Alice cannot force a win"]),
        Player::Bob => Ok(!holds(
            WinGoal {
                drawn: true,
                preventing: has_gap,
            },
            ["Bob cannot force a win", "Bob wins"],
        )?),
    };
    // The player with more chips is asked about first: often that player wins, and it takes longer
    // to show that the other one does not.
    let richer = if purses.chips.alice > purses.chips.bob
        || purses.chips.alice == purses.chips.bob && purses.status != Some(Player::Bob)
    {
        Player::Alice
    } else {
        Player::Bob
    };
    let answer = if player_wins(richer)? {
        Outcome::Wins(richer)
    } else if player_wins(richer.other())? {
        Outcome::Wins(richer.other())
    } else if has_gap
        && (holds(
            WinGoal {
                preventing: true,
                ..wins
            },
            [
                "Bob cannot prevent Alice's win",
                "Bob can prevent Alice's win",
            ],
        )? || !holds(
            WinGoal {
                drawn: true,
                preventing: false,
            },
            [
                "Alice can prevent Bob's win",
                "Alice cannot prevent Bob's win",
            ],
        )?)
    {
        Outcome::Undetermined
    } else {
        Outcome::Draw
    };
    Ok(Searched { answer, nodes })
}

/// Adds the results found before to the error if it is a stop.
fn said(error: Box<Diagnostic>, known: &[&str]) -> Box<Diagnostic> {
    // Other errors concern the game, and partial results would not help there.
    if error.code.is_stop() && !known.is_empty() {
        return error
            .note(format!("found so far: {}", known.join(", ")))
            .into();
    }
    error
}

/// The kind of win that is asked for, always from Alice's point of view: with draws counted as wins
/// or not, and forced or merely not preventable by Bob.
#[derive(Debug, Clone, Copy)]
struct WinGoal {
    drawn: bool,
    preventing: bool,
}

fn law(origin: SearchOrigin<'_>, rules: &Rules, total: u64, goal: WinGoal) -> Result<ThresholdLaw> {
    admit::chips(rules, ChipsQuestion::Threshold)?;
    let kernel = Kernel::of(rules, Player::Alice);
    // The threshold of a position that is never won is one more than the total, in units.
    let most = GREATEST / kernel.scale().units() - 1;
    let beyond = u16::try_from(total + 1).ok().filter(|_| total <= most);
    let Some(beyond) = beyond else {
        return Err(Diagnostic::new(
            Code::BadChips,
            format!("`solver: search` counts up to {most} chips in all under these rules"),
        )
        .note(format!("here there are {total}"))
        .help("write `solver: auto`")
        .into());
    };
    let seeker = match origin {
        SearchOrigin::Position { conjugated, .. } => part(conjugated, Player::Alice),
        SearchOrigin::Vertex(..) => Player::Alice,
    };
    Ok(ThresholdLaw {
        kernel,
        winner: rules.winner,
        preventing: goal.preventing,
        drawn: goal.drawn,
        seeker,
        beyond,
    })
}

/// The result that a search has to find.
#[derive(Debug, Clone, Copy)]
enum SearchTarget {
    /// The answer to a question.
    Answer(ThresholdQuestion),
    /// The thresholds themselves.
    Everything,
}

/// A search.
struct SearchTask<'a> {
    origin: SearchOrigin<'a>,
    law: ThresholdLaw,
    rules: &'a Rules,
    total: u64,
    manner: SearchOptions,
    context: &'a Context<'a>,
}

impl<'a> SearchTask<'a> {
    fn search(&self, wanted: SearchTarget) -> Result<Searched<ThresholdInterval>> {
        match self.origin {
            SearchOrigin::Vertex(graph, _) if !graph.is_acyclic() => Err(can_return(
                "a position of it can come back",
                "write `solver: iteration`, or leave the choice to `solver: auto`",
            )),
            SearchOrigin::Vertex(graph, node) => self
                .run(|| Vertices::at(graph, node), wanted)
                .map_err(stopped),
            SearchOrigin::Position { ruleset, state, .. } => {
                self.search_ruleset(ruleset, state, wanted)
            }
        }
    }

    fn search_ruleset(
        &self,
        ruleset: &'a Ruleset,
        state: &State,
        wanted: SearchTarget,
    ) -> Result<Searched<ThresholdInterval>> {
        let auto = "write `solver: auto`, which explores the game";
        if ruleset.is_scored() || ruleset.stuck() == Stuck::Passes {
            return Err(can_return(
                "a player who passes leaves the position as it is, or the game is scored",
                auto,
            ));
        }
        if let Some(steps) = ruleset.steps(self.context)?
            && let Some(stepper) = steps.stepper(state)
        {
            if stepper.clone().ending()?.is_none()
                // The build for web pages has only the general search, because it has to be small.
                && cfg!(not(target_family = "wasm"))
                && let Some(board) = steps.line_grid()?
                && let Some(found) = self.search_board(&board, state, wanted)?
            {
                return Ok(found);
            }
            return self.run(|| stepper.clone(), wanted).map_err(stopped);
        }
        let start = ruleset.canonical(state.clone());
        let found = match ruleset.words() {
            // Keys of a fixed number of words are compared and stored without allocation.
            1 => self.walk::<1>(ruleset, &start, wanted)?,
            2 => self.walk::<2>(ruleset, &start, wanted)?,
            3 | 4 => self.walk::<4>(ruleset, &start, wanted)?,
            words => {
                return Err(can_return(
                    &format!(
                        "its positions take {} bits, more than can be told apart",
                        64 * words
                    ),
                    auto,
                ));
            }
        };
        found.ok_or_else(|| {
            can_return(
                "no count was found that falls with every move, so play may go round",
                auto,
            )
        })
    }

    /// Searches by the ruleset's lines. Returns `None` if no count falls with every move.
    fn walk<const W: usize>(
        &self,
        ruleset: &'a Ruleset,
        start: &State,
        wanted: SearchTarget,
    ) -> Result<Option<Searched<ThresholdInterval>>> {
        measure::attempt(ruleset, start, self.context, |measure| {
            self.run(|| Walked::<W>::at(ruleset, start, measure), wanted)
        })
    }

    fn run<P: Space<W>, const W: usize>(
        &self,
        space: impl Fn() -> P,
        wanted: SearchTarget,
    ) -> Attempt<Searched<ThresholdInterval>> {
        let law = self.law;
        if let Some(ending) = space().ending()? {
            return Ok(Searched {
                answer: ThresholdInterval::exactly(law.ended(ending)),
                nodes: 0,
            });
        }
        let mut threads = SearchThreads::new(self, space);
        match wanted {
            SearchTarget::Answer(question) => threads.decide(question, self)?,
            SearchTarget::Everything => {
                for slot in 0..law.scale().slots() {
                    while threads.known.low[slot] < threads.known.high[slot] {
                        let most = threads.known.low[slot].midpoint(threads.known.high[slot] - 1);
                        threads.decide(ThresholdQuestion { slot, most }, self)?;
                    }
                }
            }
        }
        Ok(Searched {
            answer: threads.known,
            nodes: threads.workers.iter().map(SearchWorker::nodes).sum(),
        })
    }

    fn threshold(&self, raw: bounds::ThresholdPair) -> Threshold {
        Threshold::new(
            self.law.scale(),
            self.rules.ties,
            raw.map(u64::from),
            self.total,
        )
    }

    /// Describes the known bounds in words; `None` if nothing is known.
    fn words(&self, known: ThresholdInterval) -> Option<String> {
        let thresholds =
            |ThresholdInterval { low, high }| [low, high].map(|raw| self.threshold(raw));
        let [least, most] =
            Some(thresholds(known)).filter(|known| *known != thresholds(self.law.anything()))?;
        let what = match (self.law.preventing, self.law.drawn) {
            (false, false) => "Alice wins from",
            (false, true) => "Alice does not lose from",
            (true, false) => "Bob cannot prevent Alice's win from",
            (true, true) => "Bob cannot force a win from",
        };
        Some(if least == most {
            format!("{what} {least} on")
        } else {
            format!("{what} {least} to {most} on")
        })
    }

    /// Returns the name of the work, with the bounds known so far.
    fn stage(&self, known: ThresholdInterval) -> String {
        self.words(known).map_or_else(
            || "searching".to_owned(),
            |known| format!("searching ({known})"),
        )
    }

    /// Returns the note for an error when the work is stopped.
    fn so_far(&self, nodes: u64, known: ThresholdInterval) -> String {
        let known = self.words(known).map_or_else(
            || "nothing is known".to_owned(),
            |known| format!("it is known that {known}"),
        );
        format!("after {} {known}", counted(nodes, "position"))
    }
}

/// All threads of a search and the data that they share.
struct SearchThreads<'a, P: Space<W>, const W: usize> {
    workers: Vec<SearchWorker<P, W>>,
    shared: SearchShared<'a, W>,
    known: ThresholdInterval,
}

impl<'a, P: Space<W>, const W: usize> SearchThreads<'a, P, W> {
    fn new(task: &SearchTask<'a>, space: impl Fn() -> P) -> Self {
        let room = task.context.limits.room();
        let table = TranspositionTable::new(FIRST.min(room - room / WAY_SHARE));
        let shared = SearchShared {
            law: task.law,
            full: 2 * table.room(),
            table,
            context: task.context,
            stage: String::new(),
            is_over: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            entries: AtomicU64::new(0),
            room: room / WAY_SHARE,
        };
        let threads = parallel::threads() as u64;
        let seed = |thread: u64| task.manner.seed.wrapping_mul(threads).wrapping_add(thread);
        let workers = (0..threads)
            .map(|thread| SearchWorker::new(space(), seed(thread)))
            .collect();
        Self {
            workers,
            shared,
            known: task.law.anything(),
        }
    }

    /// Finds the answer to a question.
    fn decide(&mut self, question: ThresholdQuestion, task: &SearchTask<'_>) -> Attempt<()> {
        while self.known.answers(question).is_none() {
            self.shared.is_over.store(false, Ordering::Relaxed);
            self.shared.stage = task.stage(self.known);
            let shared = &self.shared;
            let searched = parallel::map(std::mem::take(&mut self.workers), |mut worker| {
                let found = worker.search(question, shared);
                // The first thread that ends makes the others stop, unless it was itself made to
                // stop.
                if !matches!(found, Ok(SearchEnd::Nothing)) {
                    shared.is_over.store(true, Ordering::Relaxed);
                }
                (worker, found)
            });
            let (mut answered, mut failed) = (false, None);
            for (worker, found) in searched {
                self.workers.push(worker);
                match found {
                    Ok(SearchEnd::Answer(known)) => {
                        self.known = self.known.and(known);
                        answered = true;
                    }
                    Ok(SearchEnd::Nothing) => {}
                    Err(halt) => failed = failed.or(Some(halt)),
                }
            }
            match failed {
                Some(Halt::Stopped(error)) if !answered && error.code.is_stop() => {
                    let nodes = self.shared.nodes.load(Ordering::Relaxed);
                    return Err(Halt::Stopped(
                        error.note(task.so_far(nodes, self.known)).into(),
                    ));
                }
                Some(halt) if !answered => return Err(halt),
                Some(_) => {}
                None if !answered => self.grow(),
                None => {}
            }
        }
        Ok(())
    }

    /// Replaces the table by a larger one if there is room for it beside the old one.
    fn grow(&mut self) {
        let room = self.shared.context.limits.room();
        let bytes = self.shared.table.bytes();
        let larger = (GROWTH * bytes).min((room - room / WAY_SHARE).saturating_sub(bytes));
        // A table that cannot be doubled stays as it is, and evicts entries from now on.
        if larger < bytes * 2 {
            self.shared.full = u64::MAX;
            return;
        }
        let table = std::mem::replace(&mut self.shared.table, TranspositionTable::new(0));
        self.shared.table = table.grown(larger);
        self.shared.full =
            self.shared.entries.load(Ordering::Relaxed) + 2 * self.shared.table.room();
    }
}

/// Returns the error of a search that looks at no count.
fn stopped(halt: Halt) -> Box<Diagnostic> {
    match halt {
        Halt::Stopped(diagnostic) => diagnostic,
        Halt::NotLowered(..) | Halt::TooLong => unreachable!("only walks look at a count"),
    }
}

/// Returns the error that says why a game is not searched.
fn can_return(why: &str, help: &str) -> Box<Diagnostic> {
    Diagnostic::new(Code::RulesClash, "`solver: search` cannot treat this game")
        .note(format!(
            "a search needs positions that no play leads back to, and {why}"
        ))
        .help(help.to_owned())
        .into()
}
