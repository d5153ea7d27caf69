//! Diagnostics drawn over their source.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use ariadne::{Cache, Color, Config, IndexType, Label, Report, ReportKind, Source};

use bid::diagnostic::{Diagnostic, Severity};
use bid::source::{SourceId, SourceMap, Span};

/// Longer lines are shown in part (bytes).
const LONG_LINE: usize = 240;

/// What is shown of a long line on either side of a label's start (bytes).
const CONTEXT: usize = 60;

/// The diagnostic as text, coloured or not.
pub fn diagnostic(sources: &SourceMap, diagnostic: &Diagnostic, colour: bool) -> String {
    match diagnostic.span() {
        Some(primary) => framed(sources, diagnostic, primary, colour),
        None => bare(diagnostic),
    }
}

/// A diagnostic without its source.
pub fn bare(diagnostic: &Diagnostic) -> String {
    let kind = match diagnostic.severity() {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
    };
    let mut text = format!("[{}] {kind}: {}", diagnostic.code.as_str(), diagnostic.message);
    for note in &diagnostic.notes {
        text.push_str(&format!("\n  Note: {note}"));
    }
    if let Some(help) = &diagnostic.help {
        text.push_str(&format!("\n  Help: {help}"));
    }
    text
}

fn framed(sources: &SourceMap, diagnostic: &Diagnostic, primary: Span, colour: bool) -> String {
    let mut excerpts = Excerpts::of(sources, diagnostic);
    let (kind, mark) = match diagnostic.severity() {
        Severity::Error => (ReportKind::Error, Color::Red),
        Severity::Warning => (ReportKind::Warning, Color::Yellow),
    };
    let mut report = Report::build(kind, excerpts.place(primary))
        .with_config(Config::new().with_index_type(IndexType::Byte).with_color(colour))
        .with_code(diagnostic.code.as_str())
        .with_message(&diagnostic.message);
    for (index, label) in diagnostic.labels.iter().enumerate() {
        let colour = if index == 0 { mark } else { Color::Cyan };
        let order = i32::try_from(index).unwrap_or(i32::MAX);
        let drawn =
            Label::new(excerpts.place(label.span)).with_message(&label.text).with_color(colour).with_order(order);
        report.add_label(drawn);
    }
    report.with_notes(excerpts.notes.iter().chain(&diagnostic.notes));
    report.with_helps(&diagnostic.help);
    let mut drawn = Vec::new();
    match report.finish().write(&mut excerpts, &mut drawn) {
        Ok(()) => trimmed(&String::from_utf8_lossy(&drawn)),
        Err(_) => bare(diagnostic),
    }
}

/// Without spaces at the ends of lines.
fn trimmed(text: &str) -> String {
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// The sources of a diagnostic, long lines cut down to what the labels need.
struct Excerpts<'s> {
    sources: &'s SourceMap,
    drawn: HashMap<SourceId, Excerpt>,
    notes: Vec<String>,
}

/// A source as it is drawn.
struct Excerpt {
    source: Source<String>,
    /// What was cut out: the ranges of the original, in order.
    cuts: Vec<Range<usize>>,
}

/// What is drawn in the place of a cut.
const ELLIPSIS: &str = "…";

impl<'s> Excerpts<'s> {
    fn of(sources: &'s SourceMap, diagnostic: &Diagnostic) -> Self {
        let mut excerpts = Self { sources, drawn: HashMap::new(), notes: Vec::new() };
        for label in &diagnostic.labels {
            let id = label.span.source;
            if excerpts.drawn.contains_key(&id) {
                continue;
            }
            let text = &sources.get(id).text;
            let spans = diagnostic.labels.iter().filter(|other| other.span.source == id);
            let cuts = cuts(text, &spans.map(|other| clamp(text, other.span.range())).collect::<Vec<_>>());
            if !cuts.is_empty() {
                let (line, column) = sources.position(label.span);
                excerpts.notes.push(format!("a long line is shown in part; this is line {line}, column {column}"));
            }
            excerpts.drawn.insert(id, Excerpt { source: Source::from(without(text, &cuts)), cuts });
        }
        excerpts
    }

    /// Where a span lies in the drawn source.
    fn place(&self, span: Span) -> (SourceId, Range<usize>) {
        let range = clamp(&self.sources.get(span.source).text, span.range());
        let cuts = self.drawn.get(&span.source).map_or(&[][..], |excerpt| &excerpt.cuts);
        (span.source, moved(range.start, cuts)..moved(range.end, cuts))
    }
}

/// The range inside the text and on character boundaries; ariadne panics on others.
fn clamp(text: &str, range: Range<usize>) -> Range<usize> {
    let start = text.floor_char_boundary(range.start.min(text.len()));
    let end = text.ceil_char_boundary(range.end.min(text.len()));
    start..end.max(start)
}

/// What to leave out of the long lines that the spans touch.
fn cuts(text: &str, spans: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut kept: Vec<Range<usize>> = Vec::new();
    let mut lines: Vec<Range<usize>> = Vec::new();
    for end in spans.iter().flat_map(|span| [span.start, span.end]) {
        let start_of_line = text[..end].rfind('\n').map_or(0, |newline| newline + 1);
        let end_of_line = text[end..].find('\n').map_or(text.len(), |length| end + length);
        if end_of_line - start_of_line > LONG_LINE {
            lines.push(start_of_line..end_of_line);
            let (from, to) = (end.saturating_sub(CONTEXT), (end + CONTEXT).min(text.len()));
            kept.push(text.floor_char_boundary(from)..text.ceil_char_boundary(to));
        }
    }
    kept.sort_by_key(|range| range.start);
    lines.sort_by_key(|range| range.start);
    lines.dedup();
    lines.into_iter().flat_map(|line| gaps(line, &kept)).collect()
}

/// The parts of `line` that none of the kept ranges, in order, touches.
fn gaps(line: Range<usize>, kept: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut gaps = Vec::new();
    let mut at = line.start;
    for range in kept.iter().filter(|range| range.start < line.end && range.end > line.start) {
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

fn without(text: &str, cuts: &[Range<usize>]) -> String {
    let mut shortened = String::new();
    let mut at = 0;
    for cut in cuts {
        shortened.push_str(&text[at..cut.start]);
        shortened.push_str(ELLIPSIS);
        at = cut.end;
    }
    shortened + &text[at..]
}

/// Where a byte of the original lies in the shortened text.
fn moved(byte: usize, cuts: &[Range<usize>]) -> usize {
    let before = cuts.iter().take_while(|cut| cut.end <= byte);
    let (removed, marks) = before.fold((0, 0), |(removed, marks), cut| (removed + cut.len(), marks + ELLIPSIS.len()));
    byte - removed + marks
}

impl Cache<SourceId> for Excerpts<'_> {
    type Storage = String;

    fn fetch(&mut self, id: &SourceId) -> Result<&Source<String>, impl fmt::Debug> {
        self.drawn.get(id).map(|excerpt| &excerpt.source).ok_or("a span of a source without a label")
    }

    fn display<'a>(&self, id: &'a SourceId) -> Option<impl fmt::Display + 'a> {
        Some(self.sources.get(*id).name.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bid::diagnostic::Code;

    fn drawn(text: &str, ranges: &[(usize, usize)]) -> String {
        let mut sources = SourceMap::default();
        let id = sources.add("input.bid", text);
        let start = Diagnostic::new(Code::UnknownName, "the name `H` is not known").note("a note").help("define it");
        let labelled =
            ranges.iter().fold(start, |drawn, &(from, to)| drawn.label(Span::new(id, from..to), "not known"));
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

    #[test]
    fn every_span_of_a_difficult_text_can_be_drawn() {
        let text = "A ∧ B\r\n\tε\n\n🎲";
        for start in 0..=text.len() + 1 {
            for end in start..=text.len() + 1 {
                assert!(drawn(text, &[(start, end)]).contains("not known"));
            }
        }
    }
}
