//! A progress line on the terminal, for work that takes its time.

use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shorter work shows nothing (milliseconds).
const PATIENCE: u64 = 500;

/// The pause between two updates of the line (milliseconds).
const EVERY: u64 = 100;

/// At most one line on standard error, if that is a terminal.
#[derive(Debug)]
pub struct Progress {
    /// When the line may next change; `u64::MAX` if it never may.
    next: AtomicU64,
    enabled: bool,
    bar: Mutex<Option<ProgressBar>>,
}

impl Progress {
    /// No line yet.
    pub fn new(quiet: bool) -> Self {
        Self { next: AtomicU64::new(u64::MAX), enabled: !quiet && stderr().is_terminal(), bar: Mutex::new(None) }
    }

    /// Work begins at `now`.
    pub fn begin(&self, now: u64) {
        if self.enabled {
            self.next.store(now + PATIENCE, Ordering::Relaxed);
        }
    }

    /// Shows how far a stage has come, unless it is too early for that. Cheap when it is.
    pub fn report(&self, now: u64, stage: &str, done: u64, total: Option<u64>) {
        if now < self.next.load(Ordering::Relaxed) {
            return;
        }
        self.next.store(now + EVERY, Ordering::Relaxed);
        let mut bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        let bar = bar.get_or_insert_with(|| ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()));
        bar.set_style(style(total.is_some()));
        if let Some(total) = total {
            bar.set_length(total);
        }
        bar.set_message(stage.to_owned());
        bar.set_position(done);
        bar.tick();
    }

    /// Takes the line off the screen.
    pub fn clear(&self) {
        let bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
    }
}

fn style(has_total: bool) -> ProgressStyle {
    let template =
        if has_total { "{spinner} {msg} {wide_bar} {human_pos}/{human_len}" } else { "{spinner} {msg} {human_pos}" };
    ProgressStyle::with_template(template).expect("the templates above are well formed")
}
