//! Makes text safe for its destination: a terminal, JSON or XML.
//!
//! A source may contain any character in its strings and comments. None of them may control a
//! terminal, change the direction of the text around them, or make a picture malformed, so they are
//! replaced by visible ones. All output passes through here.

use std::borrow::Cow;
use std::fmt::Write;

/// Returns the visible replacement for a control character, or `None` for all others and for the
/// line feed and the tab.
///
/// Control characters are here those of Unicode (categories Cc, Zl and Zp), marks that change the
/// direction of writing, the byte order mark, and code points that are not characters. ASCII's
/// controls have pictures of their own in Unicode.
pub fn picture(c: char) -> Option<char> {
    match c {
        '\n' | '\t' => None,
        // Unicode has the pictures in the order of the characters.
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)),
        '\u{7f}' => Some('\u{2421}'),
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{fdd0}'..='\u{fdef}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' => Some(char::REPLACEMENT_CHARACTER),
        // The last two code points of each plane are not characters.
        _ if u32::from(c) & 0xFFFE == 0xFFFE => Some(char::REPLACEMENT_CHARACTER),
        _ => None,
    }
}

/// Makes text safe for a terminal or a picture. Line feeds and tabs are kept, all other control
/// characters are replaced.
pub fn visible(text: &str) -> Cow<'_, str> {
    replaced(text, |c, safe| safe.push(picture(c).unwrap_or(c)))
}

/// Makes JSON safe for a terminal. Control characters are escaped, so the document keeps its
/// meaning.
pub fn json(document: &str) -> Cow<'_, str> {
    replaced(document, |c, safe| match picture(c) {
        None => safe.push(c),
        Some(_) => {
            // JSON escapes code units of UTF-16, of which some characters have two.
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(safe, "\\u{unit:04x}").expect("writing to a string succeeds");
            }
        }
    })
}

/// Escapes text for XML, and for DOT's HTML-like labels.
pub fn xml(text: &str) -> String {
    visible(text)
        // This comes first, because the other replacements contain the sign.
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Writes text as a string of Graphviz's language, with its quotes. A line feed becomes a line
/// break.
pub fn dot(text: &str) -> String {
    let text = visible(text)
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    format!("\"{text}\"")
}

fn replaced(text: &str, push: impl Fn(char, &mut String)) -> Cow<'_, str> {
    // Almost all texts are harmless, so that they are not copied.
    if !text.chars().any(|c| picture(c).is_some()) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len());
    text.chars().for_each(|c| push(c, &mut safe));
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests every code point of the basic plane and the last two of each other plane: the result
    /// is allowed by XML 1.0 (section 2.2) and is not a control character.
    #[test]
    fn no_character_drives_anything() {
        let planes = (1..=16).flat_map(|plane| [plane << 16 | 0xFFFE, plane << 16 | 0xFFFF]);
        for c in (0..0x1_0000).chain(planes).filter_map(char::from_u32) {
            let text = format!("a{c}b");
            let shown = visible(&text);
            assert_eq!(shown.chars().count(), 3, "{c:?}");
            assert!(
                !shown
                    .chars()
                    .any(|c| c.is_control() && !matches!(c, '\n' | '\t')),
                "{c:?}"
            );
            let document = format!("<t>{}</t>", xml(&text));
            assert!(roxmltree::Document::parse(&document).is_ok(), "{c:?}");
            let json_text = serde_json::to_string(&text).expect("a text can be written");
            let safe = json(&json_text);
            assert_eq!(
                serde_json::from_str::<String>(&safe).expect("it is JSON"),
                text
            );
            assert_eq!(visible(&safe), safe, "{c:?}");
        }
    }

    #[test]
    fn what_is_harmless_stays() {
        assert!(matches!(visible("A ∧ B\n\tε 🎲 é"), Cow::Borrowed(_)));
        assert_eq!(visible("\u{1b}[31mred\u{7f}\r"), "␛[31mred␡␍");
        assert_eq!(json("\"\u{9b}\u{202e}\""), "\"\\u009b\\u202e\"");
        assert_eq!(xml("<a & \u{ffff}>"), "&lt;a &amp; \u{fffd}&gt;");
    }
}
