//! Converts paths to addresses and back.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::{env, fs};

use bid_language::files::{self, DiskFiles, Files};
use bid_language::watch::Context;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::protocol::Uri;

/// The characters that are not escaped in the path of an address.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// Returns the path that an address denotes; a text that is in no file has its address as its path.
pub fn path(uri: &Uri) -> PathBuf {
    let Some(rest) = uri.as_str().strip_prefix("file://") else {
        return PathBuf::from(uri.as_str());
    };
    // A host before the path is skipped, since files are of this machine.
    let path = rest.find('/').map_or("", |slash| &rest[slash..]);
    let decoded = percent_decode_str(path).decode_utf8_lossy().into_owned();
    let drive = decoded
        .strip_prefix('/')
        // On Windows the path after the slash begins with a drive.
        .filter(|rest| rest.as_bytes().get(1) == Some(&b':'));
    PathBuf::from(drive.unwrap_or(&decoded))
}

/// Returns the address of a path. A path in the program's own library is first copied to the user's
/// folder, so that editors can show it.
pub fn uri(path: &Path) -> Option<Uri> {
    if path.starts_with("<library>") {
        return uri(&copied(path)?);
    }
    let text = path.to_str()?.replace('\\', "/");
    if !path.is_absolute() {
        return Uri::from_str(&text).ok();
    }
    let slash = if text.starts_with('/') { "" } else { "/" };
    Uri::from_str(&format!(
        "file://{slash}{}",
        utf8_percent_encode(&text, KEPT)
    ))
    .ok()
}

/// Copies a file of the program's own library, and returns the copy.
fn copied(path: &Path) -> Option<PathBuf> {
    let cache = env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .filter(|folder| folder.is_absolute());
    let cache = cache.or_else(|| env::home_dir().map(|home| home.join(".cache")))?;
    let folder = cache
        .join("bid")
        .join(concat!("library-", env!("CARGO_PKG_VERSION")));
    let copy = folder.join(path.file_name()?);
    let text = DiskFiles.read(path, Context::plain()).ok()?;
    // A copy that the user has changed is written again, since it shows what the program uses.
    if fs::read(&copy).ok().as_ref() != Some(&text) {
        fs::create_dir_all(&folder).ok()?;
        files::replace(&copy, text).ok()?;
    }
    Some(copy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_come_back() {
        for written in ["/a/b.bid", "/a b/ä∧𝔸/%41#?.bid"] {
            let address = uri(Path::new(written)).expect("it is absolute");
            assert!(
                address.as_str().starts_with("file:///a"),
                "{}",
                address.as_str()
            );
            assert_eq!(path(&address), Path::new(written));
        }
        let untitled = Uri::from_str("untitled:Untitled-1").expect("it is an address");
        assert_eq!(path(&untitled), Path::new("untitled:Untitled-1"));
        assert_eq!(
            uri(&path(&untitled))
                .map(|uri| uri.as_str().to_owned())
                .as_deref(),
            Some("untitled:Untitled-1")
        );
        let windows = Uri::from_str("file:///c%3A/games/a.bid").expect("it is an address");
        assert_eq!(path(&windows), Path::new("c:/games/a.bid"));
    }
}
