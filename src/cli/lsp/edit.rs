//! Makes edits of texts, as small as possible.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use bid_language::source::Columns;
use similar::{DiffTag, TextDiff};

use super::protocol::{TextEdit, Uri, WorkspaceEdit};
use super::texts::{Text, Texts};

/// Converts edits of files; returns `None` if one of the files cannot be read.
#[allow(
    clippy::mutable_key_type,
    reason = "the protocol's own type: an address never changes"
)]
pub fn workspace<'a>(
    texts: &mut Texts,
    edits: impl Iterator<Item = (&'a Path, Range<usize>, &'a str)>,
) -> Option<WorkspaceEdit> {
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for (path, bytes, new) in edits {
        let place = texts.location(path, bytes)?;
        changes.entry(place.uri).or_default().push(TextEdit {
            range: place.range,
            new_text: new.to_owned(),
        });
    }
    Some(WorkspaceEdit {
        changes: Some(changes),
        ..WorkspaceEdit::default()
    })
}

/// Returns the edits that replace a part of a text, line by line: equal lines are not touched, so
/// the cursor there stays in place.
pub fn difference(text: &Text, part: Range<usize>, new: &str, columns: Columns) -> Vec<TextEdit> {
    let old = &text.text[part.clone()];
    let diff = TextDiff::from_lines(old, new);
    let starts = |pieces: &[&str]| {
        let ends = pieces.iter().scan(0, |end, piece| {
            *end += piece.len();
            Some(*end)
        });
        // The end of the text is included, so that a range of lines may reach it.
        std::iter::once(0).chain(ends).collect::<Vec<usize>>()
    };
    let (old_starts, new_starts) = (starts(diff.old_slices()), starts(diff.new_slices()));
    let changed = diff.ops().iter().filter(|op| op.tag() != DiffTag::Equal);
    let edits = changed.map(|op| {
        let (from, to) = (op.old_range(), op.new_range());
        let bytes = part.start + old_starts[from.start]..part.start + old_starts[from.end];
        let new_text = new[new_starts[to.start]..new_starts[to.end]].to_owned();
        TextEdit {
            range: text.range(bytes, columns),
            new_text,
        }
    });
    edits.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(text: &Text, edits: &[TextEdit], columns: Columns) -> String {
        let mut edited = text.text.clone();
        for edit in edits.iter().rev() {
            edited.replace_range(text.bytes(edit.range, columns), &edit.new_text);
        }
        edited
    }

    #[test]
    fn differences_make_the_new_text() {
        let pairs = [
            ("a\nb\nc\n", "a\nB\nc\n"),
            ("", "x\n"),
            ("x", ""),
            ("a\n𝔸 ∧\n", "𝔸 ∧\nb"),
            ("a\nb", "a\nb\n"),
            ("a\n", "a\n"),
        ];
        for (old, new) in pairs {
            let text = Text::new(format!("head 𝔸\n{old}"));
            let start = "head 𝔸\n".len();
            let edits = difference(&text, start..text.text.len(), new, Columns::Utf16);
            assert_eq!(
                applied(&text, &edits, Columns::Utf16),
                format!("head 𝔸\n{new}")
            );
            assert_eq!(edits.is_empty(), old == new);
        }
    }
}
