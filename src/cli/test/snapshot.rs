//! Snapshot files: insta's `.snap` format, in a folder `snapshots/` beside the source, so that
//! `cargo insta review` reviews them.
//!
//! The output of `games/classics.bid` outside tests is in `games/snapshots/classics.snap`; that of
//! its `test "Figure 1"` is in `games/snapshots/classics@figure-1.snap`. A file that differs or is
//! new is written beside it as `….snap.new`.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use bid_language::files;
use bid_language::source::BYTE_ORDER_MARK;
use bid_language::syntax::quoted;
use xxhash_rust::xxh3::xxh3_64;

/// The output of a test, and the path of its snapshot.
#[derive(Debug)]
pub struct Snapshot {
    /// The `.snap` file.
    pub path: PathBuf,
    /// The `.bid` file.
    pub source: PathBuf,
    /// The name of the test; `None` for the output outside tests.
    pub name: Option<String>,
    /// The output.
    pub body: String,
}

/// The result of comparing the output with the snapshot.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They are equal.
    Same,
    /// The output is the snapshot now.
    Accepted,
    /// There is no snapshot.
    New,
    /// The snapshot differs.
    Different {
        /// The text of the snapshot.
        old: String,
    },
}

impl Snapshot {
    /// Compares the output with the snapshot on the disk. Writes a `.snap.new` file if there is
    /// something to review (not on a build server, where the variable `CI` is set), and removes it
    /// otherwise.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written.
    pub fn judge(&self, accept: bool) -> io::Result<Verdict> {
        let new = self.path.with_extension("snap.new");
        let old = match fs::read_to_string(&self.path) {
            Ok(text) => Some(body(&normalised(&text)).to_owned()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if old.as_deref() == Some(normalised(&self.body).trim_end()) {
            remove(&new)?;
            return Ok(Verdict::Same);
        }
        if accept {
            self.write(&self.path)?;
            remove(&new)?;
            return Ok(Verdict::Accepted);
        }
        if env::var_os("CI").is_none_or(|value| value.is_empty()) {
            self.write(&new)?;
        }
        Ok(old.map_or(Verdict::New, |old| Verdict::Different { old }))
    }

    fn write(&self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
            // A link could lead outside of the tested folder, where a test must not write.
            if folder.is_symlink() {
                let why = format!(
                    "{} is a link, and nothing is written through links",
                    folder.display()
                );
                return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
            }
        }
        let expression = self.name.as_ref().map_or(String::new(), |name| {
            format!("expression: {}\n", quoted(name))
        });
        let source = quoted(&self.source.to_string_lossy());
        files::replace(
            path,
            format!(
                "---\nsource: {source}\n{expression}---\n{}\n",
                self.body.trim_end()
            ),
        )
    }
}

/// Returns a text with `\n` at the ends of lines and without a byte order mark. Git and editors
/// change these, and the output of a test does not depend on them.
fn normalised(text: &str) -> Cow<'_, str> {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    if text.contains("\r\n") {
        text.replace("\r\n", "\n").into()
    } else {
        text.into()
    }
}

/// Returns the text after the front matter, without blank space at the end.
pub fn body(text: &str) -> &str {
    let after = text
        .strip_prefix("---")
        .and_then(|rest| rest.split_once("\n---\n").map(|(_, body)| body));
    after.unwrap_or(text).trim_end()
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Returns the folder of a source's snapshots.
pub fn folder(source: &Path) -> PathBuf {
    source.with_file_name("snapshots")
}

/// Returns the path of a test's snapshot: one that names the test, or else the first that is
/// neither taken nor another test's.
pub fn snapshot_path(
    source: &Path,
    name: Option<&str>,
    taken: &HashSet<PathBuf>,
    is_anothers: impl Fn(&str) -> bool,
) -> PathBuf {
    let stem = source
        .file_stem()
        .map(OsStr::to_string_lossy)
        .unwrap_or_default();
    let base = name.map_or_else(
        || stem.to_string(),
        |name| format!("{stem}@{}", short(slug(name))),
    );
    let numbered = |n: usize| {
        if n == 1 {
            base.clone()
        } else {
            format!("{base}-{n}")
        }
    };
    // Two tests may have names that differ only in signs, which slugs do not keep.
    let paths = || (1..).map(|n| folder(source).join(format!("{}.snap", numbered(n))));
    let own = name.map(quoted);
    let existing = paths().take_while(|path| path.exists());
    let mut free = existing.filter(|path| !taken.contains(path));
    free.find(|path| own.is_some() && expression(path) == own)
        .or_else(|| {
            paths().find(|path| {
                !taken.contains(path) && !expression(path).is_some_and(|said| is_anothers(&said))
            })
        })
        .expect("finitely many are taken")
}

/// Returns the name of the test in the front matter of a snapshot, in quotation marks.
fn expression(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let text = normalised(&text);
    let (front, _) = text.strip_prefix("---\n")?.split_once("\n---\n")?;
    let said = front
        .lines()
        .find_map(|line| line.strip_prefix("expression: "));
    said.map(str::to_owned)
}

/// Returns the name in lower-case letters and digits, with hyphens for everything else.
fn slug(name: &str) -> String {
    let words = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

/// The most bytes of a test's part of a file name. Most systems limit names to 255 bytes, which
/// must also hold the source's stem, a number and the extension.
const LONGEST_SLUG: usize = 150;

/// Shortens a slug: if it is too long, keeps its beginning and adds a hash of the whole.
fn short(slug: String) -> String {
    if slug.len() <= LONGEST_SLUG {
        return slug;
    }
    let hash = format!("-{:016x}", xxh3_64(slug.as_bytes()));
    // A cut within a letter of several bytes would not be text.
    let kept = slug.floor_char_boundary(LONGEST_SLUG - hash.len());
    format!("{}{hash}", slug[..kept].trim_end_matches('-'))
}

/// Returns the snapshots in a folder, in alphabetical order; none if there is no folder.
pub fn existing(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let mut found: Vec<_> = entries
        .filter(|path| path.extension().is_some_and(|e| e == "snap"))
        .collect();
    found.sort();
    found
}

/// Returns the stem of the source to which a snapshot belongs.
pub fn stem(snapshot: &Path) -> String {
    let name = snapshot
        .file_stem()
        .map(OsStr::to_string_lossy)
        .unwrap_or_default();
    name.split('@').next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snapshots_are_named_after_file_and_test() {
        let mut taken = HashSet::new();
        let source = Path::new("games/classics.bid");
        let path = |name, taken: &HashSet<PathBuf>| snapshot_path(source, name, taken, |_| false);
        let first = path(Some("Figure 1: E ∧ A^2"), &taken);
        assert_eq!(
            first,
            Path::new("games/snapshots/classics@figure-1-e-a-2.snap")
        );
        taken.insert(first);
        let second = path(Some("figure 1 – E ∧ A^2"), &taken);
        assert_eq!(
            second,
            Path::new("games/snapshots/classics@figure-1-e-a-2-2.snap")
        );
        assert_eq!(
            path(None, &taken),
            Path::new("games/snapshots/classics.snap")
        );
        assert_eq!(stem(&second), "classics");
    }

    /// Tests names one byte below the limit, at it, above it, and in letters of three bytes.
    #[test]
    fn long_names_are_cut_short_and_stay_apart() {
        let file =
            |name: &str| snapshot_path(Path::new("a.bid"), Some(name), &HashSet::new(), |_| false);
        for len in [149, 150] {
            assert_eq!(
                file(&"x".repeat(len)),
                Path::new("snapshots").join(format!("a@{}.snap", "x".repeat(len)))
            );
        }
        for name in [
            "x".repeat(151),
            "x".repeat(152),
            "y".repeat(5000),
            "∧".repeat(9) + &"ℵ".repeat(100),
        ] {
            let path = file(&name);
            let name = path
                .file_name()
                .and_then(OsStr::to_str)
                .expect("a readable name");
            assert!(name.len() <= 157 && name.starts_with("a@"), "{name}");
        }
        assert_ne!(file(&"x".repeat(151)), file(&"x".repeat(152)));
    }

    #[test]
    fn line_ends_and_byte_order_marks_are_no_difference() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let path = folder.path().join("a.snap");
        let same = |text: &str, body: &str| {
            fs::write(&path, text).expect("it can be written");
            let (source, body) = (folder.path().join("a.bid"), body.to_owned());
            let snapshot = Snapshot {
                path: path.clone(),
                source,
                name: None,
                body,
            };
            snapshot
                .judge(false)
                .expect("the scratch folder is writable")
                == Verdict::Same
        };
        let text = "---\nsource: a.bid\n---\nx = 1\n\ny =\n  2\n";
        for text in [
            text.to_owned(),
            text.replace('\n', "\r\n"),
            format!("\u{feff}{text}"),
            text.replace("1\n", "1\r\n"),
        ] {
            assert!(same(&text, "x = 1\n\ny =\n  2"), "{text:?}");
            assert!(!same(&text, "x = 1\n\ny =\n  3"), "{text:?}");
        }
    }

    #[test]
    fn the_body_follows_the_front_matter() {
        assert_eq!(
            body("---\nsource: a.bid\nexpression: \"x\"\n---\nR(E) = 1/2\n---\nend\n"),
            "R(E) = 1/2\n---\nend"
        );
    }

    #[test]
    fn a_new_snapshot_is_pending_then_accepted_then_compared() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let at = |body: &str| Snapshot {
            path: folder.path().join("snapshots/a.snap"),
            source: folder.path().join("a.bid"),
            name: None,
            body: body.to_owned(),
        };
        let judge = |body: &str, accept| {
            at(body)
                .judge(accept)
                .expect("the scratch folder is writable")
        };
        assert_eq!(judge("R(E) = 1/2", false), Verdict::New);
        assert_eq!(judge("R(E) = 1/2", true), Verdict::Accepted);
        assert_eq!(judge("R(E) = 1/2", false), Verdict::Same);
        assert_eq!(
            judge("R(E) = 2/3", false),
            Verdict::Different {
                old: "R(E) = 1/2".to_owned()
            }
        );
        assert_eq!(judge("R(E) = 1/2", false), Verdict::Same);
        assert!(
            !folder.path().join("snapshots/a.snap.new").exists(),
            "a stale file is removed"
        );
    }
}
