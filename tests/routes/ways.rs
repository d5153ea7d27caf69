//! The ways to ask a question, and the answers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bid::ask::MethodName;
use bid::session::{Session, SessionEvent};
use bid_language::diagnostic::{Code, Severity};
use bid_language::watch::{Guard, Limits, Machine, Settings};

use super::games::{Game, Kind};
use crate::disk::Memory;
use crate::support::threads;
use bid_language::files::Nowhere;

/// A way to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// The way of a user.
    Usual,
    /// This method, wherever it can answer.
    By(MethodName),
    /// One thread.
    OneThread,
    /// A sweep or layers with so little memory that most of it goes to a disk.
    Disk,
    /// The ruleset without its declared symmetries.
    WithoutSymmetry,
    /// The conjugate of the conjugate.
    Twice,
    /// The graph that an interpreter wrote out.
    WrittenOut,
    /// The written-out graph with its vertices in another order.
    Shuffled,
    /// In a session that has been asked other questions before, and stopped in this one.
    Later,
    /// As a position of a larger graph, about which the questions have been asked before.
    Surrounded,
}

impl Way {
    /// Returns the ways to ask about a game, the usual one first.
    pub fn all(game: &Game) -> Vec<Self> {
        let mut ways = vec![Self::Usual, Self::OneThread, Self::Twice, Self::Later];
        match &game.kind {
            Kind::Ruleset { source, .. } => {
                ways.extend(
                    [MethodName::Sweep, MethodName::Layers, MethodName::Explore].map(Self::By),
                );
                ways.push(Self::Disk);
                if source.contains("    symmetry") {
                    ways.push(Self::WithoutSymmetry);
                }
            }
            Kind::Graph(_) => ways.extend([Self::Shuffled, Self::Surrounded]),
            Kind::Expression(_) => {}
        }
        if game.written_out.is_some() {
            ways.extend([Self::WrittenOut, Self::Shuffled, Self::Surrounded]);
        }
        ways
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Usual => "usual",
            Self::By(method) => method.words(),
            Self::OneThread => "one thread",
            Self::Disk => "disk",
            Self::WithoutSymmetry => "without symmetry",
            Self::Twice => "conjugated twice",
            Self::WrittenOut => "written out",
            Self::Shuffled => "shuffled",
            Self::Later => "later",
            Self::Surrounded => "surrounded",
        }
    }

    /// Returns `true` if positions and moves have the same names and order as in the usual way.
    pub fn keeps_names(self, game: &Game) -> bool {
        match self {
            Self::Surrounded => matches!(game.kind, Kind::Graph(_)),
            Self::Usual | Self::By(_) | Self::OneThread | Self::Disk | Self::Later => true,
            Self::WithoutSymmetry | Self::Twice | Self::WrittenOut | Self::Shuffled => false,
        }
    }

    /// Returns the source that defines `G` in this way.
    pub fn definition(self, game: &Game) -> String {
        let usual = game.definition();
        let graph = match &game.kind {
            Kind::Graph(graph) => Some(graph),
            Kind::Ruleset { .. } | Kind::Expression(_) => game.written_out.as_ref(),
        };
        match self {
            Self::Usual | Self::By(_) | Self::OneThread | Self::Disk | Self::Later => usual,
            Self::WithoutSymmetry => {
                let lines = usual
                    .lines()
                    .filter(|line| !line.starts_with("    symmetry"));
                lines.map(|line| format!("{line}\n")).collect()
            }
            Self::Twice => {
                let usual = usual
                    .replacen("game G = graph", "game once = graph", 1)
                    .replacen("let G =", "let once =", 1);
                format!("{usual}let G = ~~once\n")
            }
            Self::WrittenOut => graph.map_or(usual, |graph| graph.source(&graph.straight())),
            Self::Shuffled => graph.map_or(usual, |graph| graph.source(&graph.shuffled())),
            Self::Surrounded => graph.map_or(usual, |graph| {
                let around = graph.surrounded();
                let order = around.straight();
                let start = format!("start v{}\n", order.len() - 1);
                let source = around
                    .source(&order)
                    .replacen("game G =", "game around =", 1)
                    .replacen("start v0\n", &start, 1);
                format!("{source}let G = around at v0\n")
            }),
        }
    }

    /// Asks a question about `G`, in some ways after other questions.
    pub fn ask(self, game: &Game, question: &str, earlier: &[String]) -> Answer {
        let definition = self.definition(game);
        let work = move || {
            let guard = Arc::new(patient(self));
            let mut session = Session::new(Box::new(Nowhere), Arc::clone(&guard));
            session.prefer(match self {
                Self::By(method) => Some(method),
                Self::Disk => Some(MethodName::Sweep),
                _ => None,
            });
            let asked = catch_unwind(AssertUnwindSafe(|| match run(&mut session, &definition) {
                Answer::Value(_) => {
                    if let Some((_, position)) = definition.rsplit_once("let G = around at") {
                        run(&mut session, "let G = around");
                        ask_in_turn(&mut session, &guard, earlier);
                        run(&mut session, question);
                        stop_after(&guard, PATIENCE);
                        run(&mut session, &format!("let G = around at {position}"));
                    }
                    if self == Self::Later {
                        ask_in_turn(&mut session, &guard, earlier);
                        for checks in [3, 30, 300] {
                            stop_after(&guard, Duration::from_micros(10 * checks));
                            run(&mut session, question);
                        }
                    }
                    stop_after(&guard, PATIENCE);
                    run(&mut session, question)
                }
                other => other,
            }));
            asked.unwrap_or(Answer::Broken)
        };
        match self {
            Self::OneThread => threads(1).install(work),
            _ => work(),
        }
    }
}

fn ask_in_turn(session: &mut Session, guard: &Guard, questions: &[String]) {
    for question in questions {
        stop_after(guard, PATIENCE / 10);
        run(session, question);
    }
    stop_after(guard, PATIENCE);
}

fn run(session: &mut Session, text: &str) -> Answer {
    let mut answer = Answer::Value(String::new());
    session.run_text("question", text, &mut |_, event| match event {
        SessionEvent::Value(value) => {
            // The start of the usual graph is printed as the name of the game.
            let text = value
                .to_string()
                .replace("around at v0", "G")
                .replace("around", "G");
            answer = Answer::Value(without_counts(&text));
        }
        SessionEvent::Diagnostic(diagnostic) if diagnostic.severity() == Severity::Error => {
            answer = if diagnostic.code == Code::Internal {
                Answer::Broken
            } else if diagnostic.code.is_stop() {
                Answer::Stopped
            } else {
                Answer::Refused {
                    code: diagnostic.code,
                    message: diagnostic.message,
                }
            };
        }
        _ => {}
    });
    answer
}

/// Removes the number of positions of a proof from a text: a graph that is written out has some
/// positions twice.
fn without_counts(text: &str) -> String {
    let without = |line: &str| match line.split_once(" positions with ") {
        Some((before, after)) if before.starts_with("proved") => format!("proved with {after}"),
        _ => line.to_owned(),
    };
    text.lines()
        .map(without)
        .collect::<Vec<String>>()
        .join("\n")
}

/// The result of a question.
#[derive(Debug, Clone)]
pub enum Answer {
    Value(String),
    Refused {
        code: Code,
        /// The message, for the report. It is not compared, because the names of positions in it
        /// differ.
        #[expect(dead_code, reason = "read by `Debug`")]
        message: String,
    },
    /// The work was stopped: it is too long or too large.
    Stopped,
    /// A panic or an internal contradiction of the program.
    Broken,
}

impl Answer {
    /// Returns `true` if the program reported that it has no method for the question.
    pub fn is_unsupported(&self) -> bool {
        matches!(
            self,
            Self::Refused {
                code: Code::NotSupported,
                ..
            }
        )
    }

    /// Returns `true` if the drawn ruleset declares a symmetry that it does not have.
    pub fn is_no_game(&self) -> bool {
        matches!(
            self,
            Self::Refused {
                code: Code::NotSymmetric,
                ..
            }
        )
    }

    /// Returns `true` if two answers do not contradict each other.
    pub fn agrees(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Broken, _) | (_, Self::Broken) => false,
            (Self::Stopped, _) | (_, Self::Stopped) => true,
            (Self::Value(a), Self::Value(b)) => a == b || enclosures_meet(a, b),
            (Self::Refused { code, .. }, Self::Refused { code: other, .. }) => code == other,
            (Self::Value(_), Self::Refused { .. }) | (Self::Refused { .. }, Self::Value(_)) => {
                false
            }
        }
    }
}

/// Returns `true` if two texts are equal except for numbers that at least one of them encloses,
/// `0.5 ± 1e-7`, and that can be equal.
fn enclosures_meet(a: &str, b: &str) -> bool {
    let (a, b) = (words(a), words(b));
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| {
        a == b
            || matches!((interval(a), interval(b)), (Some(a), Some(b)) if a.0 <= b.1 && b.0 <= a.1)
    })
}

/// Returns the words of a text, with `x ± y` as one word.
fn words(text: &str) -> Vec<String> {
    let joined = text.replace(" ± ", "±");
    joined
        .split_whitespace()
        .filter(|word| !word.starts_with('─'))
        .map(str::to_owned)
        .collect()
}

/// Returns the range of a number or an enclosure, with a margin for rounding in print.
fn interval(word: &str) -> Option<(f64, f64)> {
    let (middle, width) = word.split_once('±').unwrap_or((word, "0"));
    let middle: f64 = match middle.split_once('/') {
        Some((numerator, denominator)) => {
            numerator.parse::<f64>().ok()? / denominator.parse::<f64>().ok()?
        }
        None => middle.parse().ok()?,
    };
    let width = width.parse::<f64>().ok()? * 1.01 + 1e-14;
    Some((middle - width, middle + width))
}

/// A machine whose clock also advances at every check, so that no question takes long.
struct Hasty {
    looks: AtomicU64,
    begun: Instant,
}

impl Machine for Hasty {
    fn now(&self) -> Duration {
        let looks = self.looks.fetch_add(1, Ordering::Relaxed);
        self.begun.elapsed() + Duration::from_micros(10 * looks)
    }

    fn memory_in_use(&self) -> u64 {
        0
    }
}

/// The time after which a question is stopped: as long as 200,000 checks take.
const PATIENCE: Duration = Duration::from_secs(2);

/// Begins a question that is stopped after some time.
fn stop_after(guard: &Guard, timeout: Duration) {
    guard.set(Settings {
        limits: guard.limits(),
        timeout: Some(timeout),
    });
    guard.begin();
}

fn patient(way: Way) -> Guard {
    let machine = Hasty {
        looks: AtomicU64::new(0),
        begun: Instant::now(),
    };
    let mut limits = Limits::positions(20_000);
    let mut guard = Guard::new(Arc::new(machine));
    if way == Way::Disk {
        limits.max_memory = Limits::for_room(1 << 12);
        guard = guard.with_disk(Some(Arc::new(Memory::default())));
    }
    guard.set(Settings {
        limits,
        timeout: Some(PATIENCE),
    });
    guard.begin();
    guard
}
