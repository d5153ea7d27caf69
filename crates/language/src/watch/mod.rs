//! Stopping, limits, disk and progress of work.
//!
//! Work receives a [`Context`], a struct with all of these. A caller that grants less changes a
//! field. A [`Guard`] stops work by the clock, by memory or on request. Every frontend that runs
//! work has one: the terminal, the page, Python and the editors.

mod context;
mod disk;
mod guard;
mod machine;
mod sharing;

pub use context::{Context, Observer};
pub use disk::{Content, Disk};
pub use guard::{Guard, Settings};
pub use machine::{Machine, Ticks, Timer};
pub use sharing::{Batch, Cut, Sharing, WorkShare, longest_chain};

use crate::diagnostic::{Code, Diagnostic, counted};

/// A shortage of memory: the limit, and the limit that the work needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shortage {
    /// The limit, in bytes.
    pub limit: u64,
    /// The limit under which the work is possible.
    pub needed: u64,
    /// The limit under which it is possible with a disk, if that helps and there is none yet.
    pub with_disk: Option<u64>,
}

impl Shortage {
    /// Combines the shortages of two ways to do the same work into that of the cheaper one.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let needed = self.needed.min(other.needed);
        let with_disk = [self.with_disk, other.with_disk]
            .into_iter()
            .flatten()
            .min()
            .filter(|bytes| *bytes < needed);
        Self {
            limit: self.limit,
            needed,
            with_disk,
        }
    }
}

/// The reason why work was stopped. It is data: the caller says which state was reached and which
/// limit to raise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The work needs more positions than `--max-positions` allows (the limit).
    Positions(u64),
    /// The work needs more memory than `--max-memory` allows (the limit, in bytes).
    Memory(u64),
    /// The work needs more memory than allowed, and the needed amount is known.
    Shortage(Shortage),
    /// The time of `--timeout` has passed.
    Time,
    /// The user pressed Ctrl-C.
    Interrupted,
}

impl From<Stop> for Diagnostic {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Positions(limit) => Diagnostic::new(
                Code::Positions,
                format!("stopped after {}", counted(limit, "position")),
            )
            .help("raise the limit with `--max-positions N`, or make the game smaller"),
            Stop::Memory(limit) => Diagnostic::new(
                Code::Memory,
                format!(
                    "stopped: more than {} of memory would be needed",
                    amount(limit)
                ),
            )
            .help("raise the limit with `--max-memory SIZE`, or make the game smaller"),
            Stop::Shortage(shortage) => shortage.into(),
            Stop::Time => Diagnostic::new(Code::Time, "stopped: the time is up")
                .help("raise the limit with `--timeout T`"),
            Stop::Interrupted => Diagnostic::new(Code::Interrupted, "interrupted"),
        }
    }
}

impl From<Shortage> for Diagnostic {
    fn from(
        Shortage {
            limit,
            needed,
            with_disk,
        }: Shortage,
    ) -> Self {
        let message = format!(
            "this needs {} of memory, but the limit is {}",
            amount(needed),
            amount(limit)
        );
        let raise = format!("raise the limit with `--max-memory {}`", size(needed));
        let help = match with_disk.filter(|less| size(*less) != size(needed)) {
            Some(less) if less <= limit => {
                format!("{raise}, or keep the rest on a disk with `--checkpoint DIR`")
            }
            Some(less) => {
                format!(
                    "{raise}, or to {} and keep the rest on a disk with `--checkpoint DIR`",
                    size(less)
                )
            }
            None => raise,
        };
        Diagnostic::new(Code::Memory, message).help(help)
    }
}

/// Writes a number of bytes in the form that `--max-memory` reads, rounded up.
pub fn size(bytes: u64) -> String {
    /// A larger number is written in the next unit.
    const MOST: u64 = 10_000;
    let mut left = bytes;
    for unit in ["", "K", "M", "G"] {
        // A unit is used as long as its number is short, so that little is lost by rounding.
        if left <= MOST {
            return format!("{left}{unit}");
        }
        // The limit must suffice, so that it is rounded up.
        left = left.div_ceil(1 << 10);
    }
    format!("{left}T")
}

/// Writes a number of bytes for a sentence.
fn amount(bytes: u64) -> String {
    match (bytes, size(bytes)) {
        (1, _) => "1 byte".to_owned(),
        (_, size) if size.ends_with(|last: char| last.is_ascii_digit()) => format!("{size} bytes"),
        (_, size) => size,
    }
}

impl From<Stop> for Box<Diagnostic> {
    fn from(stop: Stop) -> Self {
        Box::new(stop.into())
    }
}

/// Checks in a loop whether to go on: at its first step, so that short loops within a long one
/// check too, and then once every few steps, so that most steps cost nearly nothing.
#[derive(Clone, Copy)]
pub struct Asking<'w> {
    context: &'w Context<'w>,
    every: usize,
    taken: usize,
}

impl<'w> Asking<'w> {
    /// Creates a counter for a loop in which `steps` steps take no more than some milliseconds.
    pub fn every(steps: usize, context: &'w Context<'w>) -> Self {
        Self {
            context,
            every: steps,
            // The first step checks, since a short loop may never reach the number of steps.
            taken: steps,
        }
    }

    /// Returns the context that is checked.
    pub fn context(&self) -> &'w Context<'w> {
        self.context
    }

    /// Counts some steps, and checks when enough have been counted.
    pub fn step(&mut self, steps: usize) -> Result<(), Stop> {
        self.taken = self.taken.saturating_add(steps);
        if self.taken < self.every {
            return Ok(());
        }
        self.taken = 0;
        self.context.check()
    }
}

impl std::fmt::Debug for Asking<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Asking")
            .field("every", &self.every)
            .field("taken", &self.taken)
            .finish_non_exhaustive()
    }
}

/// The number of items between two checks: so few that numbers of thousands of digits do not keep a
/// program from stopping.
const ITEMS: usize = 1 << 7;

/// Iterates over items that take little work each, with checks in between. If the work is to stop,
/// the last item is the reason.
pub fn watched<I: IntoIterator>(
    items: I,
    context: &Context<'_>,
) -> impl Iterator<Item = Result<I::Item, Stop>> {
    let mut asking = Asking::every(ITEMS, context);
    items
        .into_iter()
        .map(move |item| asking.step(1).map(|()| item))
}

/// The limits of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The greatest number of positions of one game.
    pub max_positions: u64,
    /// The most bytes that one game and its values may take.
    pub max_memory: u64,
}

impl Limits {
    /// The default limits.
    pub(super) const DEFAULT: Self = Self {
        max_positions: 100_000_000_000,
        max_memory: 16 << 30,
    };

    /// The bytes that the program itself needs besides its tables: `OWN`, and one sixteenth of the
    /// limit up to `MOST_OWN`.
    const OWN: u64 = 12 << 20;
    const OWN_SHARE: u64 = 16;
    const MOST_OWN: u64 = 64 << 20;
    /// The most bytes that the analysis of a ruleset needs. It needs one eighth of the limit up to
    /// this.
    const ANALYSIS: u64 = 12 << 20;
    const ANALYSIS_SHARE: u64 = 8;

    /// Returns the number of bytes that tables may take. The rest is for the program itself.
    pub fn room(&self) -> u64 {
        let analysis = (self.max_memory / Self::ANALYSIS_SHARE).min(Self::ANALYSIS);
        let own = (self.max_memory / Self::OWN_SHARE).min(Self::MOST_OWN);
        (self.max_memory - own).saturating_sub(Self::OWN + analysis)
    }

    /// Returns the least limit under which tables of this many bytes fit.
    pub fn for_room(bytes: u64) -> u64 {
        // `many` covers the cases in which the analysis takes its maximum, and the program its
        // maximum or not. `few` covers the case in which neither does.
        let many = bytes.saturating_add(Self::OWN + Self::ANALYSIS);
        let many = many.saturating_add((many / (Self::OWN_SHARE - 1) + 1).min(Self::MOST_OWN));
        let few = bytes.saturating_add(Self::OWN);
        let few = few.saturating_add(few.saturating_mul(3) / 13 + 2);
        many.min(few)
    }
}

impl Limits {
    /// Returns the default limits with another number of positions.
    pub fn positions(max_positions: u64) -> Self {
        Self {
            max_positions,
            ..Self::default()
        }
    }

    /// Returns the default limits with another amount of memory, in bytes.
    pub fn memory(max_memory: u64) -> Self {
        Self {
            max_memory,
            ..Self::default()
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_to_be_needed_is_enough() {
        for bytes in [0, 1, 17, 1 << 20, 12_345_678_901] {
            let limits = Limits {
                max_memory: Limits::for_room(bytes),
                ..Limits::default()
            };
            assert!(
                limits.room() >= bytes && limits.room() < bytes + bytes / 8 + (1 << 20),
                "{bytes}"
            );
        }
    }

    #[test]
    fn loops_ask_at_their_first_step_and_now_and_then() {
        let late = Guard::default();
        late.interrupt();
        let (late, patient) = (late.context(), Context::default());
        assert_eq!(
            watched(0..1, &late).collect::<Result<Vec<_>, _>>(),
            Err(Stop::Interrupted)
        );
        assert_eq!(
            watched(0..0, &late).collect::<Result<Vec<_>, _>>(),
            Ok(vec![])
        );
        assert_eq!(
            watched(0..3 * ITEMS, &patient)
                .filter(Result::is_ok)
                .count(),
            3 * ITEMS
        );
        let mut asking = Asking::every(10, &late);
        assert_eq!(
            [
                asking.step(1),
                asking.step(9),
                asking.step(1),
                asking.step(9)
            ],
            [
                Err(Stop::Interrupted),
                Ok(()),
                Err(Stop::Interrupted),
                Ok(())
            ]
        );
    }

    #[test]
    fn limits_are_told_in_words() {
        let told = |limit| Diagnostic::from(Stop::Memory(limit)).message;
        assert_eq!(
            told(1),
            "stopped: more than 1 byte of memory would be needed"
        );
        assert_eq!(
            told(300),
            "stopped: more than 300 bytes of memory would be needed"
        );
        assert_eq!(
            told(300 << 20),
            "stopped: more than 300M of memory would be needed"
        );
    }

    #[test]
    fn sizes_are_rounded_up() {
        assert_eq!(size(7), "7");
        assert_eq!(size(10_241), "11K");
        assert_eq!(size(500 << 20), "500M");
        assert_eq!(size((20 << 30) + 1), "21G");
    }
}
