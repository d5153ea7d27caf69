//! Compares rulesets written in the language with the same computations written by hand, in plain
//! Rust for one game each.
//!
//! `cargo bench --bench native` prints the table; `-- --large` adds the boards that take gigabytes.
//! The time by hand is that of the kernel alone, on one thread. The time in the language is that of
//! the whole process, `bid eval`, from start to finish. The two are run alternately, and the least
//! time of each counts. Answers are compared: both agree on every line that is printed.
//!
//! `-- --chips` computes the thresholds of totals up to 7 on boards of which a block in bytes takes
//! up to a gigabyte (7 GB in all, and half an hour).
//!
//! `-- --variants` instead measures variants of these games as a user might write them
//! (`variants.bid`). Each variant is compared with its plain relative, both in the language, by the
//! time per position.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "boards and powers are small"
)]
#![allow(clippy::print_stdout, reason = "a benchmark tells what it measured")]

mod connect;
mod heaps;
mod hex;
mod rows;
mod tictactoe;

use std::error::Error;
use std::process::Command;
use std::time::{Duration, Instant};

/// A question that is answered in both ways.
struct Task {
    /// The question in the language.
    query: &'static str,
    /// The file that defines its game.
    file: &'static str,
    /// The number of positions that the kernel visits.
    positions: u64,
    /// The kernel. It returns the answers as `bid` writes them.
    by_hand: fn() -> Vec<String>,
    /// The number of runs of both.
    runs: u32,
}

const CLASSICS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/games/classics.bid");

const SMALL: [Task; 7] = [
    Task {
        query: "R(tictactoe)",
        file: CLASSICS,
        positions: 19_683,
        by_hand: tictactoe::value,
        runs: 20,
    },
    Task {
        query: "R(connect(4, 4, 4))",
        file: CLASSICS,
        positions: 923_521,
        by_hand: rows::value::<4, 4>,
        runs: 20,
    },
    Task {
        query: "R(connect(4, 4, 5))",
        file: CLASSICS,
        positions: 28_629_151,
        by_hand: rows::value::<4, 5>,
        runs: 5,
    },
    Task {
        query: "R(connect(4, 5, 4))",
        file: CLASSICS,
        positions: 15_752_961,
        by_hand: rows::value::<5, 4>,
        runs: 5,
    },
    Task {
        query: "R(hex(4, 4))",
        file: CLASSICS,
        positions: 43_046_721,
        by_hand: hex::value,
        runs: 5,
    },
    Task {
        query: "f(connect(4, 4, 4), 0..255)",
        file: CLASSICS,
        positions: 923_521,
        by_hand: connect::thresholds,
        runs: 5,
    },
    Task {
        query: "R(heaps(60))",
        file: heaps::FILE,
        positions: 226_981,
        by_hand: heaps::value,
        runs: 20,
    },
];

const LARGE: [Task; 2] = [
    Task {
        query: "R(connect(4, 5, 5))",
        file: CLASSICS,
        positions: 992_436_543,
        by_hand: rows::value::<5, 5>,
        runs: 2,
    },
    Task {
        query: "R(connect(4, 4, 6))",
        file: CLASSICS,
        positions: 887_503_681,
        by_hand: rows::value::<4, 6>,
        runs: 2,
    },
];

const CHIPS: [Task; 4] = [
    Task {
        query: "f(connect(4, 4, 5), 0..15)",
        file: CLASSICS,
        positions: 28_629_151,
        by_hand: || rows::thresholds::<4, 5>(15),
        runs: 1,
    },
    Task {
        query: "f(connect(4, 5, 5), 0..7)",
        file: CLASSICS,
        positions: 992_436_543,
        by_hand: || rows::thresholds::<5, 5>(7),
        runs: 1,
    },
    Task {
        query: "f(connect(4, 6, 5), 0..7)",
        file: CLASSICS,
        positions: 33_038_369_407,
        by_hand: || rows::thresholds::<6, 5>(7),
        runs: 1,
    },
    Task {
        query: "f(connect(4, 5, 6), 0..7)",
        file: CLASSICS,
        positions: 62_523_502_209,
        by_hand: || rows::thresholds::<5, 6>(7),
        runs: 1,
    },
];

const VARIANTS_FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/native/variants.bid");

/// A question about a variant and the number of its positions, and those of its plain relative.
type Pair = [(&'static str, u64); 2];

const VARIANTS: [Pair; 6] = [
    [
        ("R(cylinder(4, 4, 5))", 28_629_151),
        ("R(plain(4, 4, 5))", 28_629_151),
    ],
    [
        ("R(plain(3, 4, 5))", 28_629_151),
        ("R(plain(4, 4, 5))", 28_629_151),
    ],
    [
        ("R(skyline(4, 4, 5))", 6_702_975),
        ("R(plain(4, 4, 5))", 28_629_151),
    ],
    [
        ("R(pie(4, 4, 5))", 57_258_302),
        ("R(plain(4, 4, 5))", 28_629_151),
    ],
    [("R(holed(4, 4))", 14_348_907), ("R(hex(4, 4))", 43_046_721)],
    [
        ("f(holed(4, 4), 0..31)", 14_348_907),
        ("f(hex(4, 4), 0..31)", 43_046_721),
    ],
];

/// The number of times that each question of a pair is asked.
const VARIANT_RUNS: u32 = 3;

fn compare([variant, plain]: &Pair) -> Result<(), Box<dyn Error>> {
    let mut times = [Duration::MAX; 2];
    for _ in 0..VARIANT_RUNS {
        for ((query, _), time) in [variant, plain].into_iter().zip(&mut times) {
            let (answer, took) = timed(|| ask(VARIANTS_FILE, query));
            answer?;
            *time = took.min(*time);
        }
    }
    let each = |time: Duration, positions: u64| time.as_secs_f64() * 1e9 / positions as f64;
    let (ours, theirs) = (each(times[0], variant.1), each(times[1], plain.1));
    println!(
        "| `{}` | {} | {:.2} s | `{}` | {:.2} s | {:.1} |",
        variant.0,
        variant.1,
        times[0].as_secs_f64(),
        plain.0,
        times[1].as_secs_f64(),
        ours / theirs
    );
    Ok(())
}

/// Returns the answers of `bid eval`.
fn in_the_language(task: &Task) -> Result<Vec<String>, Box<dyn Error>> {
    ask(task.file, task.query)
}

fn ask(file: &str, query: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let arguments = ["eval", "--format", "csv", "-l", file, query];
    let output = Command::new(env!("CARGO_BIN_EXE_bid"))
        .args(arguments)
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let text = String::from_utf8(output.stdout)?;
    let rows = text.lines().skip(usize::from(text.lines().count() > 1));
    Ok(rows
        .filter_map(|row| row.rsplit(',').next())
        .map(str::to_owned)
        .collect())
}

/// Returns the result of work, and the time that it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begun = Instant::now();
    let result = work();
    (result, begun.elapsed())
}

fn measure(task: &Task) -> Result<(), Box<dyn Error>> {
    let (mut by_hand, mut process) = (Duration::MAX, Duration::MAX);
    for _ in 0..task.runs {
        let (ours, took) = timed(task.by_hand);
        by_hand = by_hand.min(took);
        let (theirs, took) = timed(|| in_the_language(task));
        process = process.min(took);
        if theirs? != ours {
            return Err(format!("{}: the kernel says {}", task.query, ours.join(" ")).into());
        }
    }
    let ratio = process.as_secs_f64() / by_hand.as_secs_f64();
    println!(
        "| `{}` | {} | {:.4} s | {:.4} s | {ratio:.1} |",
        task.query,
        task.positions,
        by_hand.as_secs_f64(),
        process.as_secs_f64()
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let given = |option: &str| std::env::args().any(|argument| argument == option);
    if given("--variants") {
        println!(
            "| variant | positions | time | plain relative | time | ratio of the times per position |"
        );
        println!("| --- | --- | --- | --- | --- | --- |");
        return VARIANTS.iter().try_for_each(compare);
    }
    println!(
        "| question | positions | kernel by hand | `bid`, whole process | ratio |\n| --- | --- | --- | --- | --- |"
    );
    if given("--chips") {
        return CHIPS.iter().try_for_each(measure);
    }
    let large = given("--large");
    SMALL
        .iter()
        .chain(LARGE.iter().filter(|_| large))
        .try_for_each(measure)
}
