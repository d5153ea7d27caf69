//! Writes the page. It can be read without its program, which makes it livelier: comments become
//! headings and links, tables are sorted, pictures are moved.

use std::fmt::{self, Display, Formatter, Write};
use std::ops::Range;

use bid::analysis::Meaning;
use bid::engine::{Finding, wire};
use bid_language::diagnostic::Severity;
use bid_language::syntax::Classified;
use bid_report::safe::xml;
use serde_json::json;

use super::answers::{AnswerPart, AnsweredCell};
use super::pieces::Piece;

/// The style and the program of the page, which `web/build.sh` makes.
const STYLE: &str = include_str!("../../../web/page/export.css");
const PROGRAM: &str = include_str!("../../../web/page/export.js");

/// The most characters of a value that stands on the line of its label.
const SHORT: usize = 120;

/// A file with its answers.
pub struct ExportedPage<'a> {
    /// The name of the file.
    pub name: &'a str,
    /// Its text.
    pub text: &'a str,
    /// The address of a playground, if the page is to have a link to one.
    pub playground: Option<&'a str>,
    /// The pieces of the text.
    pub pieces: &'a [Piece],
    /// The tokens of the text, in order.
    pub tokens: &'a [(Classified, Meaning)],
    /// The answers of the statements.
    pub answers: &'a [AnsweredCell],
}

impl Display for ExportedPage<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (title, name) = (xml(self.title()), xml(self.name));
        let version = env!("CARGO_PKG_VERSION");
        write!(
            f,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta name=\"generator\" content=\"bid {version}\">\n\
             <title>{title}</title>\n<link rel=\"icon\" href=\"data:,\">\n\
             <style>{STYLE}</style>\n</head>\n<body>\n\
             <header id=\"bar\"><span class=\"brand\">bid</span><span class=\"name\">{name}</span>\
             <span class=\"gap\"></span></header>\n<main>\n"
        )?;
        for piece in self.pieces {
            match piece {
                Piece::Prose(text) => prose(text, f)?,
                Piece::Code(range) => self.code(range, f)?,
                Piece::Answer(cell) => self.answers[*cell].write(f)?,
            }
        }
        // `<` is escaped, so that no text ends the element.
        let program = json!({
            "name": self.name,
            "text": self.text,
            "playground": self.playground,
        });
        let program = program.to_string().replace('<', "\\u003c");
        write!(
            f,
            "</main>\n<script type=\"application/json\" id=\"program\">{program}</script>\n\
             <script type=\"module\">{PROGRAM}</script>\n</body>\n</html>\n"
        )
    }
}

impl ExportedPage<'_> {
    /// Returns the first heading of the text, or the name of the file.
    fn title(&self) -> &str {
        let headings = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Prose(text) => text.lines().find_map(|line| line.strip_prefix("# ")),
            Piece::Code(_) | Piece::Answer(_) => None,
        });
        headings.map(str::trim).next().unwrap_or(self.name)
    }

    /// Writes a part of the text in the colours of its tokens.
    fn code(&self, range: &Range<usize>, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("<pre class=\"code\">")?;
        let first = self
            .tokens
            .partition_point(|(token, _)| (token.start as usize) < range.start);
        let mut at = range.start;
        for (token, meaning) in &self.tokens[first..] {
            let (start, end) = (token.start as usize, token.end as usize);
            // Tokens are in order, so no later one is within the part.
            if end > range.end {
                break;
            }
            let shade = wire::shade(token.class, *meaning);
            let (before, word) = (lines(&self.text[at..start]), lines(&self.text[start..end]));
            write!(f, "{before}<span class=\"t-{shade}\">{word}</span>")?;
            at = end;
        }
        writeln!(f, "{}</pre>", lines(&self.text[at..range.end]))
    }
}

impl AnsweredCell {
    /// Writes the answer; a statement without one leaves nothing.
    fn write(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.parts.is_empty() && self.checks == 0 {
            return Ok(());
        }
        let is_good =
            self.summary.errors + self.summary.failed_checks == 0 && !self.summary.stopped;
        let state = if is_good { "done" } else { "failed" };
        writeln!(f, "<div class=\"answer {state}\">")?;
        for part in &self.parts {
            match part {
                AnswerPart::Value { label, html } => value(label.as_deref(), html, f)?,
                AnswerPart::Finding(wrong) => finding(wrong, f)?,
                AnswerPart::Skipped(name) => writeln!(f, "<div>Not run: {}</div>", xml(name))?,
                AnswerPart::Match => f.write_str(
                    "<div class=\"match\">A match against the optimal player. It is played in a \
                     worksheet: <code>bid serve</code>, or a playground.</div>\n",
                )?,
            }
        }
        match self.checks {
            0 => {}
            1 => f.write_str("<div class=\"held\">✓ holds</div>\n")?,
            checks => writeln!(f, "<div class=\"held\">✓ {checks} checks hold</div>")?,
        }
        f.write_str("</div>\n")
    }
}

/// Writes a comment as paragraphs. Their text is exactly the comment's, which the page's program
/// reads.
fn prose(text: &str, f: &mut Formatter<'_>) -> fmt::Result {
    let paragraphs: Vec<String> = text
        .split("\n\n")
        .map(|paragraph| format!("<p>{}</p>", xml(paragraph)))
        .collect();
    writeln!(f, "<div class=\"prose\">{}</div>", paragraphs.join("\n\n"))
}

/// Writes a part of the text, whichever way its lines end.
fn lines(text: &str) -> String {
    xml(&text.replace("\r\n", "\n"))
}

fn value(label: Option<&str>, html: &str, f: &mut Formatter<'_>) -> fmt::Result {
    let is_short = ["<table", "<figure", "<pre"]
        .iter()
        .all(|element| !html.contains(element))
        && shown_length(html) < SHORT;
    let kind = if is_short { "value short" } else { "value" };
    write!(f, "<div class=\"{kind}\">")?;
    if let Some(label) = label {
        write!(f, "<div class=\"label\"><code>{}</code></div>", xml(label))?;
    }
    writeln!(f, "<div class=\"body\">{html}</div></div>")
}

/// Returns the number of characters of a fragment outside of its tags.
fn shown_length(html: &str) -> usize {
    let parts = html.split('<').map(|part| part.split_once('>'));
    parts
        .flatten()
        .map(|(_, text)| text.trim().chars().count())
        .sum()
}

fn finding(finding: &Finding, f: &mut Formatter<'_>) -> fmt::Result {
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    write!(
        f,
        "<div class=\"finding {severity}\"><div class=\"message\">{} <span class=\"code\">{}</span></div>",
        with_code(&finding.message),
        finding.code.as_str()
    )?;
    let label = finding.places.first().map(|place| place.text.clone());
    let notes = finding.notes.iter().map(|note| format!("Note: {note}"));
    let help = finding.help.iter().map(|help| format!("Help: {help}"));
    for line in label
        .into_iter()
        .filter(|label| !label.is_empty())
        .chain(notes)
        .chain(help)
    {
        write!(f, "<div>{}</div>", with_code(&line))?;
    }
    f.write_str("</div>\n")
}

/// Writes a sentence whose parts between backquotes are code.
fn with_code(text: &str) -> String {
    let mut html = String::new();
    // Backquotes come in pairs, so every second part is code.
    for (at, part) in text.split('`').enumerate() {
        let part = xml(part);
        let written = if at % 2 == 1 {
            write!(html, "<code>{part}</code>")
        } else {
            html.write_str(&part)
        };
        written.expect("a string can be written");
    }
    html
}
