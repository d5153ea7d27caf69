//! Differences between a snapshot and the output of a test.

use bid_report::safe::visible;
use similar::{ChangeTag, TextDiff};

/// The number of equal lines printed around a difference.
const CONTEXT: usize = 3;

/// Formats the difference line by line: `-` for the snapshot, `+` for the output of the test.
pub fn lines(old: &str, new: &str, colour: bool) -> String {
    let diff = TextDiff::from_lines(old, new);
    let mut text = String::new();
    for (index, hunk) in diff.grouped_ops(CONTEXT).iter().enumerate() {
        if index > 0 {
            text.push_str("  …\n");
        }
        for change in hunk.iter().flat_map(|op| diff.iter_changes(op)) {
            text.push_str(&line(
                change.tag(),
                change.value().trim_end_matches('\n'),
                colour,
            ));
        }
    }
    text
}

fn line(tag: ChangeTag, text: &str, colour: bool) -> String {
    let (sign, paint) = match tag {
        ChangeTag::Equal => (' ', None),
        ChangeTag::Delete => ('-', Some("\x1b[31m")),
        ChangeTag::Insert => ('+', Some("\x1b[32m")),
    };
    // Control characters are replaced before colours are added, which are such characters.
    let text = visible(text);
    match paint.filter(|_| colour) {
        Some(paint) => format!("{paint}{sign} {text}\x1b[0m\n"),
        None => format!("{sign} {text}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn only_what_differs_is_marked() {
        assert_eq!(lines("a\nb\nc", "a\nB\nc", false), "  a\n- b\n+ B\n  c\n");
        assert!(lines("a", "b", true).contains("\x1b[31m- a"));
        assert_eq!(lines("\u{1b}[2J", "b", false), "- ␛[2J\n+ b\n");
    }
}
