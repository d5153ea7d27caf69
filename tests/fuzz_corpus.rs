//! Runs the corpus of the fuzz targets as plain tests: every file with the function for which it
//! was found.

#[path = "../fuzz/src/harness.rs"]
mod fuzzed;

use std::path::Path;

#[path = "../crates/language/tests/syntax_laws/laws.rs"]
pub mod laws;
#[path = "../crates/language/tests/syntax_laws/same.rs"]
mod same;

/// Runs all files of a target's corpus.
fn all(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/corpus")
        .join(target);
    let files =
        std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut count = 0;
    for file in files {
        let path = file.expect("the folder can be read").path();
        let data = std::fs::read(&path).expect("the file can be read");
        if std::panic::catch_unwind(|| check(&data)).is_err() {
            panic!("{} fails", path.display());
        }
        count += 1;
    }
    assert!(count > 0, "{target} has a corpus");
}

macro_rules! targets {
    ($($target:ident)*) => {$(
        #[test]
        fn $target() {
            all(stringify!($target), fuzzed::$target);
        }
    )*};
}

targets! { parse format run snapshot checkpoint certificate }
