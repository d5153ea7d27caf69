//! A progress line on the terminal, for long work.

use std::io::{IsTerminal, stderr};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bid_language::parallel::lock;
use bid_language::watch::Observer;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The time before progress is shown, in milliseconds.
const PATIENCE: u64 = 500;

/// The pause between two updates of the line, in milliseconds.
const EVERY: u64 = 100;

/// The time left is shown once a stage has been watched for this many milliseconds and one part in
/// this many of its rest has been done.
const WATCHED: u64 = 2000;
const PART: u64 = 100;

/// A display of at most one line on standard error, if that is a terminal.
#[derive(Debug)]
pub struct ProgressDisplay {
    /// The origin of times, which are in milliseconds.
    epoch: Instant,
    /// The time from which the line may change; `u64::MAX` if it never may.
    next: AtomicU64,
    enabled: bool,
    line: Mutex<Option<ProgressLine>>,
}

/// The line on the screen.
#[derive(Debug)]
struct ProgressLine {
    bar: ProgressBar,
    stage: String,
    began: StageStart,
}

/// The time when a stage was first seen, and its progress then: resumed work does not begin at 0.
#[derive(Debug, Clone, Copy)]
struct StageStart {
    time: u64,
    done: u64,
}

impl ProgressLine {
    fn new(now: u64, stage: &str, done: u64) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        Self {
            bar,
            stage: stage.to_owned(),
            began: StageStart { time: now, done },
        }
    }
}

impl ProgressDisplay {
    /// Creates the display without a line.
    pub fn new(quiet: bool) -> Self {
        Self {
            epoch: Instant::now(),
            next: AtomicU64::new(u64::MAX),
            enabled: !quiet && stderr().is_terminal(),
            line: Mutex::new(None),
        }
    }

    /// Records that work begins.
    pub fn begin(&self) {
        if self.enabled {
            self.next.store(self.now() + PATIENCE, Ordering::Relaxed);
        }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.epoch.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Removes the line from the screen.
    pub fn clear(&self) {
        let line = lock(&self.line).take();
        if let Some(line) = line {
            line.bar.finish_and_clear();
        }
    }
}

impl Observer for ProgressDisplay {
    /// Shows the progress of a stage, unless it is too early for that; the call is cheap then.
    fn report(&self, stage: &str, done: u64, total: Option<u64>) {
        let now = self.now();
        // This path is taken millions of times, so it only reads a clock and a number.
        if now < self.next.load(Ordering::Relaxed) {
            return;
        }
        // Two threads may both pass here, which only draws the line once more.
        self.next.store(now + EVERY, Ordering::Relaxed);
        let mut line = lock(&self.line);
        let line = line.get_or_insert_with(|| ProgressLine::new(now, stage, done));
        // Progress that falls back belongs to a new pass, whose speed is measured anew.
        if line.stage != stage || done < line.began.done {
            (line.stage, line.began) = (stage.to_owned(), StageStart { time: now, done });
        }
        let left = total.and_then(|total| left(line.began, now, done, total));
        line.bar.set_style(style(total.is_some()));
        if let Some(total) = total {
            line.bar.set_length(total);
        }
        line.bar.set_message(stage.to_owned());
        line.bar.set_prefix(left.map_or_else(String::new, |left| {
            format!(", {} left", HumanDuration(left))
        }));
        line.bar.set_position(done);
        line.bar.tick();
    }
}

/// Returns the time left, if the rest is as fast as the watched part; `None` before enough has been
/// watched.
fn left(began: StageStart, now: u64, done: u64, total: u64) -> Option<Duration> {
    let (time, watched) = (now - began.time, done - began.done);
    // With `watched` above 0 the division below is defined.
    let enough =
        time >= WATCHED && watched > 0 && watched >= (total - began.done.min(total)) / PART;
    enough.then(|| {
        Duration::from_millis(time).mul_f64(total.saturating_sub(done) as f64 / watched as f64)
    })
}

fn style(has_total: bool) -> ProgressStyle {
    let template = if has_total {
        "{spinner} {msg} {wide_bar} {human_pos}/{human_len}{prefix}"
    } else {
        "{spinner} {msg} {human_pos}"
    };
    ProgressStyle::with_template(template).expect("the templates above are well formed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_told_from_what_was_watched() {
        let first = StageStart { time: 0, done: 0 };
        assert_eq!(left(first, 1000, 500, 1000), None, "too early");
        assert_eq!(left(first, 60_000, 5, 1000), None, "too little");
        assert_eq!(left(first, 3000, 250, 1000), Some(Duration::from_secs(9)));
        let resumed = StageStart {
            time: 1000,
            done: 800,
        };
        assert_eq!(
            left(resumed, 11_000, 900, 1000),
            Some(Duration::from_secs(10)),
            "gone on with"
        );
        assert_eq!(left(first, 3000, 1000, 1000), Some(Duration::ZERO));
    }
}
