//! Draws diagnostics over their source.
//!
//! ariadne draws an *excerpt* of each source. In it, control characters of terminals are replaced,
//! and so are characters that ariadne, unlike this program, takes for the end of a line. Long lines
//! are cut. The heads of the excerpts are written here, because ariadne knows only the excerpts.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use ariadne::{Cache, Color, Config, IndexType, Label, Report, ReportKind, Source};

use crate::safe::{picture, visible};
use bid_language::diagnostic::{Diagnostic, Severity};
use bid_language::source::{BYTE_ORDER_MARK, SourceId, SourceMap, Span};

/// The longest line that is shown in full, in bytes.
const LONG_LINE: usize = 240;

/// The length shown of a long line on either side of a label's start, in bytes.
const CONTEXT: usize = 60;

/// Writes the diagnostic as text, with or without colours.
pub fn diagnostic(sources: &SourceMap, diagnostic: &Diagnostic, colour: bool) -> String {
    match diagnostic.span() {
        Some(primary) => framed(sources, diagnostic, primary, colour),
        None => bare(diagnostic),
    }
}

/// Writes a diagnostic without its source.
pub fn bare(diagnostic: &Diagnostic) -> String {
    let kind = match diagnostic.severity() {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
    };
    let mut text = format!(
        "[{}] {kind}: {}",
        diagnostic.code.as_str(),
        diagnostic.message
    );
    for note in &diagnostic.notes {
        text.push_str(&format!("\n  Note: {note}"));
    }
    if let Some(help) = &diagnostic.help {
        text.push_str(&format!("\n  Help: {help}"));
    }
    visible(&text).into_owned()
}

fn framed(sources: &SourceMap, diagnostic: &Diagnostic, primary: Span, colour: bool) -> String {
    let mut excerpts = Excerpts::of(sources, diagnostic);
    let (kind, mark) = match diagnostic.severity() {
        Severity::Error => (ReportKind::Error, Color::Red),
        Severity::Warning => (ReportKind::Warning, Color::Yellow),
    };
    let mut report = Report::build(kind, excerpts.place(primary))
        .with_config(
            Config::new()
                .with_index_type(IndexType::Char)
                .with_color(colour),
        )
        .with_code(diagnostic.code.as_str())
        .with_message(visible(&diagnostic.message));
    for (index, label) in diagnostic.labels.iter().enumerate() {
        let colour = if index == 0 { mark } else { Color::Cyan };
        // ariadne would otherwise sort the labels by their places.
        let order = i32::try_from(index).unwrap_or(i32::MAX);
        let drawn = Label::new(excerpts.place(label.span))
            .with_message(visible(&label.text))
            .with_color(colour)
            .with_order(order);
        report.add_label(drawn);
    }
    report.with_notes(
        excerpts
            .notes
            .iter()
            .chain(&diagnostic.notes)
            .map(|note| visible(note)),
    );
    report.with_helps(diagnostic.help.as_deref().map(visible));
    let mut drawn = Vec::new();
    match report.finish().write(&mut excerpts, &mut drawn) {
        Ok(()) => trimmed(&headed(
            sources,
            diagnostic,
            &String::from_utf8_lossy(&drawn),
        )),
        Err(_) => bare(diagnostic),
    }
}

/// The name of every source for ariadne. In the drawn text it occurs only in the heads of excerpts.
const NAMELESS: char = '\u{1}';

/// Replaces the name in the head of each excerpt by the name, line and column of its first label.
fn headed(sources: &SourceMap, diagnostic: &Diagnostic, drawn: &str) -> String {
    let mut firsts = firsts(sources, diagnostic).into_iter();
    let mut parts = drawn.split(NAMELESS);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        // The place that ariadne writes is one in the excerpt, and is removed.
        let rest = part.trim_start_matches(|c: char| c == ':' || c == '?' || c.is_ascii_digit());
        if let Some(span) = firsts.next() {
            let (line, column) = sources.position(drawn_place(sources, span));
            text.push_str(&format!(
                "{}:{line}:{column}",
                visible(&sources.get(span.source).name)
            ));
        }
        text.push_str(rest);
    }
    text
}

/// Returns the first span of each excerpt. ariadne begins a new excerpt at a label that is in
/// another source than the one before it, or ends on an earlier line.
fn firsts(sources: &SourceMap, diagnostic: &Diagnostic) -> Vec<Span> {
    let mut firsts = Vec::new();
    let mut before: Option<(SourceId, usize)> = None;
    for label in &diagnostic.labels {
        let span = clamped(sources, label.span);
        let last = if span.start < span.end {
            span.end - 1
        } else {
            span.start
        };
        let text = sources.get(span.source).text.as_bytes();
        let line = text[..last as usize]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        if before.is_none_or(|(source, above)| source != span.source || above > line) {
            firsts.push(label.span);
        }
        before = Some((span.source, line));
    }
    firsts
}

/// Returns the place at which a span is drawn. A span after the last line feed is drawn at the end
/// of the line before it.
fn drawn_place(sources: &SourceMap, span: Span) -> Span {
    let span = clamped(sources, span);
    let text = &sources.get(span.source).text;
    let is_after_all = span.start as usize == text.len() && text.ends_with('\n');
    if is_after_all {
        Span {
            start: span.start - 1,
            ..span
        }
    } else {
        span
    }
}

/// Restricts a span to its text.
fn clamped(sources: &SourceMap, span: Span) -> Span {
    Span::new(
        span.source,
        clamp(&sources.get(span.source).text, span.range()),
    )
}

/// Removes spaces at the ends of lines.
fn trimmed(text: &str) -> String {
    text.lines()
        .map(str::trim_end)
        .collect::<Vec<_>>()
        .join("\n")
}

/// The sources of a diagnostic, with long lines cut down to the parts that the labels need.
struct Excerpts<'s> {
    sources: &'s SourceMap,
    drawn: HashMap<SourceId, Excerpt>,
    notes: Vec<String>,
}

/// A source as it is drawn.
struct Excerpt {
    source: Source<String>,
    /// The byte at which the drawn part of the text begins.
    start: usize,
    /// The number of lines above it.
    above: usize,
    /// The replacements in the drawn text, in order.
    edits: Vec<DrawnEdit>,
}

/// A range of the original, and the text drawn in its place.
struct DrawnEdit {
    range: Range<usize>,
    drawn: String,
}

/// The text drawn in the place of a cut.
const ELLIPSIS: &str = "…";

impl<'s> Excerpts<'s> {
    fn of(sources: &'s SourceMap, diagnostic: &Diagnostic) -> Self {
        let mut excerpts = Self {
            sources,
            drawn: HashMap::new(),
            notes: Vec::new(),
        };
        for label in &diagnostic.labels {
            let id = label.span.source;
            // The first label of a source has collected the spans of all.
            if excerpts.drawn.contains_key(&id) {
                continue;
            }
            let text = &sources.get(id).text;
            let spans = diagnostic
                .labels
                .iter()
                .filter(|other| other.span.source == id);
            let spans: Vec<_> = spans.map(|other| clamp(text, other.span.range())).collect();
            let cuts = cuts(text, &spans);
            if !cuts.is_empty() {
                let (line, column) = sources.position(clamped(sources, label.span));
                excerpts.notes.push(format!(
                    "a long line is shown in part; this is line {line}, column {column}"
                ));
            }
            let window = window(text, &spans);
            let edits = edits(text, &window, &cuts);
            // ariadne numbers lines from the start of its input, so empty lines replace those above
            // the window.
            let above = text[..window.start]
                .bytes()
                .filter(|byte| *byte == b'\n')
                .count();
            let source = Source::from("\n".repeat(above) + &edited(text, &window, &edits));
            excerpts.drawn.insert(
                id,
                Excerpt {
                    source,
                    start: window.start,
                    above,
                    edits,
                },
            );
        }
        excerpts
    }

    /// Returns the place of a span in the drawn source.
    fn place(&self, span: Span) -> (SourceId, Range<usize>) {
        let range = clamp(&self.sources.get(span.source).text, span.range());
        let place = |byte| {
            self.drawn
                .get(&span.source)
                .map_or(byte, |excerpt| excerpt.place(byte))
        };
        (span.source, place(range.start)..place(range.end))
    }
}

impl Excerpt {
    /// Returns the index of the drawn character for a byte of the original. Characters are counted
    /// instead of bytes, because ariadne mistakes the former for the latter in the heads of all
    /// excerpts but the first.
    fn place(&self, byte: usize) -> usize {
        let text = self.source.text();
        let byte = self.above + moved(byte, &self.edits).saturating_sub(self.start);
        text[..text.floor_char_boundary(byte)].chars().count()
    }
}

/// Returns the lines that the spans touch, and one more on either side. Drawing takes time for each
/// character of a source.
fn window(text: &str, spans: &[Range<usize>]) -> Range<usize> {
    let first = spans.iter().map(|span| span.start).min().unwrap_or(0);
    let last = spans
        .iter()
        .map(|span| span.end)
        .max()
        .unwrap_or(text.len());
    let start_of_line = |at: usize| text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end_of_line = |at: usize| {
        text[at..]
            .find('\n')
            .map_or(text.len(), |length| at + length + 1)
    };
    start_of_line(start_of_line(first).saturating_sub(1))..end_of_line(end_of_line(last))
}

/// Restricts a range to the text and to character boundaries. On others, ariadne panics.
fn clamp(text: &str, range: Range<usize>) -> Range<usize> {
    let start = text.floor_char_boundary(range.start.min(text.len()));
    let end = text.ceil_char_boundary(range.end.min(text.len()));
    start..end.max(start)
}

/// Returns the parts to leave out of the long lines that the spans touch.
fn cuts(text: &str, spans: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut kept: Vec<Range<usize>> = Vec::new();
    let mut lines: Vec<Range<usize>> = Vec::new();
    for end in spans.iter().flat_map(|span| [span.start, span.end]) {
        let start_of_line = text[..end].rfind('\n').map_or(0, |newline| newline + 1);
        let end_of_line = text[end..]
            .find('\n')
            .map_or(text.len(), |length| end + length);
        if end_of_line - start_of_line > LONG_LINE {
            lines.push(start_of_line..end_of_line);
            let (from, to) = (end.saturating_sub(CONTEXT), (end + CONTEXT).min(text.len()));
            kept.push(text.floor_char_boundary(from)..text.ceil_char_boundary(to));
        }
    }
    kept.sort_by_key(|range| range.start);
    lines.sort_by_key(|range| range.start);
    lines.dedup();
    lines
        .into_iter()
        .flat_map(|line| gaps(line, &kept))
        .collect()
}

/// Returns the parts of `line` that do not touch any of the kept ranges, which are in order.
fn gaps(line: Range<usize>, kept: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut gaps = Vec::new();
    let mut at = line.start;
    for range in kept
        .iter()
        .filter(|range| range.start < line.end && range.end > line.start)
    {
        // A cut that is no longer than the ellipsis saves nothing.
        if range.start > at + ELLIPSIS.len() {
            gaps.push(at..range.start);
        }
        at = at.max(range.end);
    }
    if line.end > at + ELLIPSIS.len() {
        gaps.push(at..line.end);
    }
    gaps
}

/// Returns the cuts and the replacements between them: a byte order mark before the text and
/// carriage returns before line feeds are removed, and other characters that must not be written
/// are replaced by their pictures.
fn edits(text: &str, window: &Range<usize>, cuts: &[Range<usize>]) -> Vec<DrawnEdit> {
    let mut edits = Vec::new();
    let mut cuts = cuts.iter().peekable();
    for (at, c) in text[window.clone()]
        .char_indices()
        .map(|(at, c)| (window.start + at, c))
    {
        if let Some(cut) = cuts.next_if(|cut| cut.start == at) {
            edits.push(DrawnEdit {
                range: cut.clone(),
                drawn: ELLIPSIS.to_owned(),
            });
        }
        // Characters within a cut are not shown, so that they need no pictures.
        let is_cut = edits.last().is_some_and(|edit| at < edit.range.end);
        let Some(picture) = picture(c).filter(|_| !is_cut) else {
            continue;
        };
        let range = at..at + c.len_utf8();
        let is_part_of_line_end = c == '\r' && text[range.end..].starts_with('\n');
        let is_invisible = is_part_of_line_end || c == BYTE_ORDER_MARK && at == 0;
        edits.push(DrawnEdit {
            range,
            drawn: if is_invisible {
                String::new()
            } else {
                picture.to_string()
            },
        });
    }
    edits
}

fn edited(text: &str, window: &Range<usize>, edits: &[DrawnEdit]) -> String {
    let mut shortened = String::new();
    let mut at = window.start;
    for edit in edits {
        shortened.push_str(&text[at..edit.range.start]);
        shortened.push_str(&edit.drawn);
        at = edit.range.end;
    }
    shortened + &text[at..window.end.max(at)]
}

/// Returns the place of a byte of the original in the edited text.
fn moved(byte: usize, edits: &[DrawnEdit]) -> usize {
    let before = edits.iter().take_while(|edit| edit.range.end <= byte);
    let (removed, added) = before.fold((0, 0), |(removed, added), edit| {
        (removed + edit.range.len(), added + edit.drawn.len())
    });
    byte - removed + added
}

impl Cache<SourceId> for Excerpts<'_> {
    type Storage = String;

    fn fetch(&mut self, id: &SourceId) -> Result<&Source<String>, impl fmt::Debug> {
        self.drawn
            .get(id)
            .map(|excerpt| &excerpt.source)
            .ok_or("a span of a source without a label")
    }

    fn display<'a>(&self, id: &'a SourceId) -> Option<impl fmt::Display + 'a> {
        self.drawn.get(id).map(|_| NAMELESS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bid_language::diagnostic::Code;

    fn drawn(text: &str, ranges: &[(usize, usize)]) -> String {
        let mut sources = SourceMap::default();
        let id = sources.add("input.bid", text);
        let start = Diagnostic::new(Code::UnknownName, "the name `H` is not known")
            .note("a note")
            .help("define it");
        let labelled = ranges.iter().fold(start, |drawn, &(from, to)| {
            drawn.label(Span::new(id, from..to), "not known")
        });
        diagnostic(&sources, &labelled, false)
    }

    #[test]
    fn spans_count_bytes_and_the_frame_counts_characters() {
        insta::assert_snapshot!(drawn("show A ∧ H\n", &[(11, 12)]));
    }

    #[test]
    fn spans_outside_characters_or_the_text_are_clamped() {
        insta::assert_snapshot!(drawn("A ∧ B", &[(3, 4), (900, 1000)]));
        insta::assert_snapshot!(drawn("", &[(0, 0)]));
        insta::assert_snapshot!(drawn("A\n", &[(2, 2)]));
    }

    #[test]
    fn long_lines_are_shown_in_part() {
        let brackets = "(".repeat(100_000);
        let text = drawn(&brackets, &[(256, 257)]);
        assert!(text.len() < 1000, "{text}");
        insta::assert_snapshot!(text);
    }

    fn heads(text: &str) -> Vec<&str> {
        text.lines()
            .filter_map(|line| line.split_once("─[ ")?.1.strip_suffix(" ]"))
            .collect()
    }

    /// The head of an excerpt gives the place of its first label in the source, as an editor counts
    /// it.
    #[test]
    fn every_excerpt_has_its_own_place() {
        let text = "let a = 1\nlet b = 2\n\nlet c = 3\n";
        assert_eq!(
            heads(&drawn(text, &[(25, 26), (4, 5)])),
            ["input.bid:4:5", "input.bid:1:5"]
        );
        assert_eq!(heads(&drawn(text, &[(4, 5), (25, 26)])), ["input.bid:1:5"]);
        let long = format!("let a = {}H", "1 + ".repeat(200));
        assert_eq!(heads(&drawn(&long, &[(808, 809)])), ["input.bid:1:809"]);
        let mut sources = SourceMap::default();
        let (first, second) = (
            sources.add("a.bid", text),
            sources.add("b.bid", "∧∧∧\n\n  ∧ x"),
        );
        let two = Diagnostic::new(Code::UnknownName, "two places")
            .label(Span::new(first, 14..15), "here")
            .label(Span::new(second, 17..18), "and there");
        assert_eq!(
            heads(&diagnostic(&sources, &two, false)),
            ["a.bid:2:5", "b.bid:3:5"]
        );
    }

    /// The margin numbers the lines as an editor does, regardless of the number of lines above.
    #[test]
    fn lines_have_their_numbers() {
        for above in [0, 1, 2, 3, 9, 998, 99_999] {
            let text = format!("{}let a = H\n\nlet b = H\n", "# é\n".repeat(above));
            let [first, second] = [8, 19].map(|at| at + 5 * above).map(|at| (at, at + 1));
            let drawn = drawn(&text, &[first, second]);
            for (line, shown) in [(above + 1, "let a = H"), (above + 3, "let b = H")] {
                assert!(
                    drawn
                        .lines()
                        .any(|row| row.trim_start() == format!("{line} │ {shown}")),
                    "{line}: {drawn}"
                );
            }
        }
    }

    /// Characters that other programs take for the end of a line, direction marks and escape
    /// sequences keep the text on one line, do not shift its places, and do not occur in the
    /// drawing.
    #[test]
    fn controls_are_drawn_and_shift_nothing() {
        for c in [
            '\u{c}', '\u{b}', '\r', '\u{85}', '\u{2028}', '\u{2029}', '\u{1b}', '\u{202e}', '\0',
            '\u{9b}', '\u{7f}',
        ] {
            let text = format!("show 1\nlet{c}a = H\n");
            let at = text.find('H').expect("it is there");
            let drawn = drawn(&text, &[(at, at + 1)]);
            assert_eq!(heads(&drawn), ["input.bid:2:9"], "{c:?}");
            assert!(!drawn.contains(c), "{c:?}: {drawn}");
            assert!(
                drawn
                    .lines()
                    .any(|line| line.starts_with(" 2 │ let") && line.ends_with("a = H")),
                "{c:?}: {drawn}"
            );
        }
        let marked = drawn("\u{feff}let a = H\r\nshow 1\r\n", &[(11, 12)]);
        assert_eq!(heads(&marked), ["input.bid:1:9"]);
        assert!(marked.contains(" 1 │ let a = H\n"), "{marked}");
        let coloured = {
            let mut sources = SourceMap::default();
            let id = sources.add("\u{1b}]0;name\u{7}.bid", "show \u{1b}[2J H");
            let wrong = Diagnostic::new(Code::UnknownName, "no \u{1b}[5m")
                .label(Span::new(id, 10..11), "\u{9b}1m");
            diagnostic(&sources, &wrong.note("\u{1b}c").help("\u{1b}c"), true)
        };
        assert!(
            !["\u{1b}]", "\u{1b}[2J", "\u{1b}[5m", "\u{9b}", "\u{1b}c"]
                .iter()
                .any(|part| coloured.contains(part))
        );
    }

    #[test]
    fn every_span_of_a_difficult_text_can_be_drawn() {
        let text = "\u{feff}A ∧ B\r\n\tε\u{1b}\n\n🎲\r";
        for start in 0..=text.len() + 1 {
            for end in start..=text.len() + 1 {
                assert!(drawn(text, &[(start, end)]).contains("not known"));
            }
        }
    }
}
