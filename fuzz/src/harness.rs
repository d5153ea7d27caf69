//! Properties that must hold for any bytes of a source, a snapshot, a checkpoint or a certificate.
//! The fuzz targets call these functions, and so does the test suite on the stored corpus.

#[path = "checkpoint.rs"]
mod checkpoint;
#[path = "../../src/cli/test/snapshot.rs"]
#[allow(dead_code, reason = "of the snapshots only the reader is needed")]
mod snapshot_file;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bid::session::{Session, SessionEvent};
use bid_language::diagnostic::Code;
use bid_language::watch::{Context, Guard, Limits, Machine, Settings};

pub use checkpoint::checkpoint;

use super::laws;

/// Reads a source. Checks that nothing panics, every span lies in the text, and a readable text is
/// formatted without loss.
pub fn parse(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data) {
        laws::check_any(text);
    }
}

/// Formats a source that can be read. Checks that the tree and the comments stay the same, and that
/// formatting again changes nothing.
pub fn format(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let (_, parsed) = laws::parse(text);
    if parsed.diagnostics.is_empty() {
        laws::check_format(text, &parsed);
    }
}

/// Checks and runs a source under small limits. Nothing may panic or be contradictory, and every
/// limit must hold.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let guard = Guard::new(Arc::new(Hasty {
        looks: AtomicU64::new(0),
        begun: Instant::now(),
    }));
    guard.set(Settings {
        limits: Limits {
            max_positions: 2_000,
            max_memory: 64 << 20,
        },
        timeout: Some(Duration::from_secs(1)),
    });
    guard.begin();
    let mut session = Session::new(Box::new(bid_language::files::Nowhere), Arc::new(guard));
    session.run_text("fuzz", text, &mut |_, event| match event {
        SessionEvent::Shown { value, .. } | SessionEvent::Value(value) => {
            let _ = value.to_string();
        }
        SessionEvent::Diagnostic(diagnostic) => {
            assert_ne!(diagnostic.code, Code::Internal, "{diagnostic:?}")
        }
        _ => {}
    });
}

/// Reads a snapshot.
pub fn snapshot(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data) {
        let body = snapshot_file::body(text);
        assert_eq!(
            body,
            body.trim_end(),
            "a body has no blank space at its end"
        );
    }
}

/// Reads a certificate. Nothing may panic, and no false statement may be proved.
pub fn certificate(mut data: &[u8]) {
    let _ = bid_verify::verify(&mut data, &bid::session::builtins(), Context::plain());
}

/// A machine whose clock also advances at every reading, by a second in 20,000 readings.
struct Hasty {
    looks: AtomicU64,
    begun: Instant,
}

impl Machine for Hasty {
    fn now(&self) -> Duration {
        let looks = self.looks.fetch_add(1, Ordering::Relaxed);
        self.begun.elapsed() + Duration::from_micros(50 * looks)
    }

    fn memory_in_use(&self) -> u64 {
        0
    }
}
