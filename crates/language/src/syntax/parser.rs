//! Parses text: scans it, resolves the layout, and applies the grammar to each statement
//! separately, so that an error in one leaves the others readable. Inside a block the lines are
//! separate in the same way.

use pest::Parser;
use pest::iterators::Pair;

use super::ast::{Broken, File, Name, Statement};
use super::build::{Cut, StatementBuilder, parts};
use super::grammar::{Grammar, Rule};
use super::layout::{self, Layout, Piece, layout};
use super::lines::{Long, long};
use super::mend;
use super::place::Place;
use super::syntax_error::complain;
use super::token::{self, Token, TokenKind};
use super::vocabulary::is_keyword;
use super::{Parsed, SourceId, SourceMap};
use crate::diagnostic::{Diagnostic, Findings};
use crate::source::Span;
use crate::watch::{Context, Stop};

/// The stack for the recursive descent, which the bounds of [`mod@layout`] keep sufficient.
const STACK: usize = 64 << 20;

/// The most errors reported in one statement.
const MAX_ERRORS: usize = 20;

/// The most statements with unmatched brackets that are repaired. Nobody is typing more at a time.
const MAX_MENDED: usize = 8;

pub fn parse(sources: &SourceMap, source: SourceId, context: &Context<'_>) -> Result<Parsed, Stop> {
    let text = &sources.get(source).text;
    let (tokens, mut diagnostics) = token::scan(text, source);
    let mut layout = layout(text, source, &tokens);
    diagnostics.append(std::mem::take(&mut layout.diagnostics));
    let mut reader = StatementReader {
        text,
        source,
        end: text.len(),
        layout,
        diagnostics,
        broken: Vec::new(),
        context,
    };
    // The descent is as deep as the nesting, which the stack of a thread may not allow.
    let statements = stacker::maybe_grow(STACK, STACK, || reader.statements())?;
    let StatementReader {
        layout,
        mut diagnostics,
        broken,
        ..
    } = reader;
    diagnostics.sort();
    Ok(Parsed {
        file: File {
            statements,
            comments: layout.comments,
            broken,
        },
        diagnostics: diagnostics.into_vec(),
    })
}

pub fn is_incomplete(text: &str) -> bool {
    let mut sources = SourceMap::default();
    let source = sources.add("", text);
    let (tokens, diagnostics) = token::scan(text, source);
    // More lines do not mend what the scanner has refused, so that it is reported at once.
    if !diagnostics.is_empty() {
        return false;
    }
    let layout = layout(text, source, &tokens);
    if layout.open_at_end {
        // The one diagnostic is that of the open bracket, which further lines may close.
        return layout.diagnostics.len() == 1;
    }
    let Some(last) = layout.tokens.last() else {
        return false;
    };
    layout.diagnostics.is_empty() && (layout::continues(*last, text) || lacks_else(&layout, text))
}

/// Returns `true` if the last statement has an `if … then` that still needs its `else`.
fn lacks_else(layout: &Layout, text: &str) -> bool {
    let Some(piece) = layout.pieces.last() else {
        return false;
    };
    let count = |word| {
        layout.tokens[piece.tokens.clone()]
            .iter()
            .filter(|token| token.text(text) == word)
            .count()
    };
    // An `if` in a comprehension has no `then`, so that it does not count.
    count("then") > count("else")
}

struct StatementReader<'s> {
    text: &'s str,
    source: SourceId,
    /// The end of the source. In a repaired text, the added brackets stand behind it.
    end: usize,
    layout: Layout,
    diagnostics: Findings,
    broken: Vec<Broken>,
    context: &'s Context<'s>,
}

/// The result of reading a statement line by line.
#[derive(Default)]
struct Sorted {
    /// The errors in it.
    wrong: Vec<Diagnostic>,
    /// The statement without the lines in error, if the rest can be read.
    rest: Option<Statement>,
}

impl StatementReader<'_> {
    fn statements(&mut self) -> Result<Vec<Statement>, Stop> {
        let pieces = std::mem::take(&mut self.layout.pieces);
        let mut statements = Vec::with_capacity(pieces.len());
        let mut scanned: Vec<u32> = self
            .diagnostics
            .iter()
            .filter_map(|d| d.span())
            .map(|span| span.start)
            .collect();
        // Sorted, the places within a statement are found by bisection.
        scanned.sort_unstable();
        let mut mended = 0;
        for piece in &pieces {
            self.context.check()?;
            if piece.sound {
                statements.extend(self.statement(piece, &scanned)?.into_iter().flatten());
                continue;
            }
            mended += 1;
            let rest = if mended > MAX_MENDED {
                None
            } else {
                self.mended(piece)?
            };
            self.keep_broken(piece, rest);
        }
        Ok(statements)
    }

    /// Reads a statement, or reports the errors in it.
    fn statement(
        &mut self,
        piece: &Piece,
        scanned: &[u32],
    ) -> Result<Option<Vec<Statement>>, Stop> {
        let tokens = &self.layout.tokens[piece.tokens.clone()];
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
            return Ok(None);
        };
        let (start, end) = (first.start, last.end);
        let from = scanned.partition_point(|&at| at < start);
        let scanned = &scanned[from..scanned.partition_point(|&at| at < end)];
        let masked = &self.layout.masked[start as usize..end as usize];
        // A statement in which the scanner found an error cannot be read as a whole.
        if scanned.is_empty() {
            // Long graphs come first, since the memory for reading them as a whole is the problem.
            if let Some(statements) = self.read_long(tokens)? {
                return Ok(Some(statements));
            }
            if let Ok(statements) = self.read(masked, start as usize) {
                return Ok(Some(statements));
            }
        }
        if let Some(parts) = self.parts(piece) {
            let mut statements = Vec::new();
            for part in parts {
                statements.extend(self.statement(&part, scanned)?.into_iter().flatten());
            }
            return Ok(Some(statements));
        }
        let mut rest = None;
        if self.diagnostics.are_enough() {
            self.diagnostics.count_error();
        } else {
            let sorted = self.sorted(masked.to_owned(), tokens, scanned)?;
            sorted
                .wrong
                .into_iter()
                .for_each(|diagnostic| self.diagnostics.push(diagnostic));
            rest = sorted.rest;
        }
        self.keep_broken(piece, rest);
        Ok(None)
    }

    /// Splits a statement that could not be read as one. A `let` at the left margin is more likely
    /// a new statement than the expression that the line before it lacks, provided that it can be
    /// read as a statement.
    fn parts(&self, piece: &Piece) -> Option<Vec<Piece>> {
        let (mut depth, mut starts) = (0_usize, vec![piece.tokens.start]);
        for at in piece.tokens.clone() {
            let token = self.layout.tokens[at];
            let at_margin =
                token.start > 0 && self.text.as_bytes()[token.start as usize - 1] == b'\n';
            match token.kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close => depth = depth.saturating_sub(1),
                TokenKind::Word if depth == 0 && at_margin && token.text(self.text) == "let" => {
                    starts.push(at)
                }
                _ => {}
            }
        }
        // A statement that begins with `let` has its beginning twice.
        starts.dedup();
        let ends = starts.iter().skip(1).copied().chain([piece.tokens.end]);
        let parts: Vec<Piece> = starts
            .iter()
            .zip(ends)
            .map(|(start, end)| Piece {
                tokens: *start..end,
                sound: true,
            })
            .collect();
        parts
            .iter()
            .skip(1)
            .any(|part| self.is_readable(part))
            .then_some(parts)
    }

    fn is_readable(&self, piece: &Piece) -> bool {
        let tokens = &self.layout.tokens[piece.tokens.clone()];
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
            return false;
        };
        self.read(
            &self.layout.masked[first.start as usize..last.end as usize],
            first.start as usize,
        )
        .is_ok()
    }

    /// Records a statement that could not be read, with its name if it defines one.
    fn keep_broken(&mut self, piece: &Piece, rest: Option<Statement>) {
        let tokens = &self.layout.tokens[piece.tokens.clone()];
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
            return;
        };
        let span = |start: u32, end: u32| Span {
            source: self.source,
            start,
            end,
        };
        let name = tokens.get(1).filter(|name| {
            let defines = matches!(first.text(self.text), "let" | "game" | "rules");
            defines && name.kind == TokenKind::Word && !is_keyword(name.text(self.text))
        });
        let name = name.map(|name| Name {
            text: name.text(self.text).to_owned(),
            span: span(name.start, name.end),
        });
        self.broken.push(Broken {
            span: span(first.start, last.end),
            name,
            rest,
        });
    }

    /// Reads a statement whose brackets do not match, after repairing them.
    fn mended(&self, piece: &Piece) -> Result<Option<Statement>, Stop> {
        let tokens = &self.layout.tokens[piece.tokens.clone()];
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
            return Ok(None);
        };
        let end = last.end as usize;
        let text = mend::mended(self.text, first.start as usize..end);
        let (tokens, _) = token::scan(&text, self.source);
        let mut layout = layout(&text, self.source, &tokens);
        let pieces = std::mem::take(&mut layout.pieces);
        let [
            Piece {
                tokens,
                sound: true,
            },
        ] = &pieces[..]
        else {
            return Ok(None);
        };
        // Doc comments are no part of the masked text, and their places are the same.
        layout.docs.clone_from(&self.layout.docs);
        let (context, source) = (self.context, self.source);
        let (diagnostics, broken) = (Findings::default(), Vec::new());
        let mended = StatementReader {
            text: &text,
            source,
            end,
            layout,
            diagnostics,
            broken,
            context,
        };
        let tokens = &mended.layout.tokens[tokens.clone()];
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
            return Ok(None);
        };
        let masked = mended.layout.masked[first.start as usize..last.end as usize].to_owned();
        Ok(mended.sorted(masked, tokens, &[])?.rest)
    }

    fn read(&self, masked: &str, base: usize) -> Result<Vec<Statement>, ParseFailure> {
        self.builder(base, None)
            .statements(parts(pair(Rule::file, masked)?))
            .map_err(ParseFailure::Meaning)
    }

    fn builder(&self, base: usize, cut: Option<Cut>) -> StatementBuilder<'_> {
        StatementBuilder {
            source: self.source,
            base,
            end: self.end,
            docs: &self.layout.docs,
            cut,
        }
    }

    /// Reads a statement that contains a long graph and no error. Returns `None` for others.
    fn read_long(&self, tokens: &[Token]) -> Result<Option<Vec<Statement>>, Stop> {
        let Some(Long {
            inside,
            parts: lines,
        }) = long(tokens, &self.layout.blocks, self.text)
        else {
            return Ok(None);
        };
        let (base, end) = (
            tokens[0].start as usize,
            tokens[tokens.len() - 1].end as usize,
        );
        let masked = &self.layout.masked;
        let mut items = Vec::new();
        for lines in lines {
            self.context.check()?;
            let Ok(read) = pair(Rule::lines, &masked[lines.clone()]) else {
                return Ok(None);
            };
            let Ok(mut read) = self.builder(lines.start, None).lines(parts(read)) else {
                return Ok(None);
            };
            items.append(&mut read);
        }
        let around = [&masked[base..inside.start], &masked[inside.end..end]].concat();
        let cut = Cut {
            at: inside.start - base,
            length: inside.len(),
            items: items.into(),
        };
        let Ok(file) = pair(Rule::file, &around) else {
            return Ok(None);
        };
        Ok(self.builder(base, Some(cut)).statements(parts(file)).ok())
    }

    /// Reads a statement with errors repeatedly, each time without the lines that have been
    /// reported. `scanned` contains the places where the scanner found errors.
    fn sorted(
        &self,
        mut masked: String,
        tokens: &[Token],
        scanned: &[u32],
    ) -> Result<Sorted, Stop> {
        let base = tokens[0].start as usize;
        let mut sorted = Sorted::default();
        // A text with so many errors is hardly of this language.
        if scanned.len() > MAX_ERRORS {
            return Ok(sorted);
        }
        for &start in scanned {
            let at = tokens.partition_point(|token| token.end <= start);
            if at < tokens.len() {
                blank_line(&mut masked, base, &self.place(tokens, at));
            }
            if masked.is_empty() {
                return Ok(sorted);
            }
        }
        while sorted.wrong.len() < MAX_ERRORS {
            self.context.check()?;
            // The grammar reports only the first error, so that the line is blanked and the rest
            // read again.
            let diagnostic = match self.read(&masked, base) {
                Ok(mut rest) => {
                    sorted.rest = rest.pop();
                    break;
                }
                Err(ParseFailure::Grammar(error)) => complain(&self.place(tokens, 0), base, &error),
                Err(ParseFailure::Meaning(diagnostic)) => *diagnostic,
            };
            let start = diagnostic.span().map_or(base, |span| span.start as usize);
            sorted.wrong.push(diagnostic);
            let at = tokens
                .partition_point(|token| (token.end as usize) <= start)
                .min(tokens.len() - 1);
            if !blank_line(&mut masked, base, &self.place(tokens, at)) {
                break;
            }
        }
        Ok(sorted)
    }

    fn place<'p>(&'p self, tokens: &'p [Token], at: usize) -> Place<'p> {
        Place {
            source: self.source,
            text: self.text,
            tokens,
            blocks: &self.layout.blocks,
            at,
        }
    }
}

/// Applies a rule for a whole text to a text.
fn pair(rule: Rule, masked: &str) -> Result<Pair<'_, Rule>, ParseFailure> {
    let mut pairs =
        Grammar::parse(rule, masked).map_err(|error| ParseFailure::Grammar(Box::new(error)))?;
    Ok(pairs.next().expect("such a rule yields one pair"))
}

/// The reason why a text could not be read.
enum ParseFailure {
    Grammar(Box<pest::error::Error<Rule>>),
    Meaning(Box<Diagnostic>),
}

/// Blanks the block line around a token, and returns `false` if it was blank already. Outside of
/// blocks nothing of the statement can be kept, so all of it is removed.
fn blank_line(masked: &mut String, base: usize, place: &Place) -> bool {
    let (line, block) = place.line();
    let Some(tokens) = place
        .tokens
        .get(line)
        // An empty line cannot be blanked, so that the reader would not get further.
        .filter(|line| block.is_some() && !line.is_empty())
    else {
        masked.clear();
        return false;
    };
    let bytes = tokens[0].start as usize - base..tokens[tokens.len() - 1].end as usize - base;
    let was_blank = masked[bytes.clone()].trim().is_empty();
    let length = bytes.len();
    masked.replace_range(bytes, &" ".repeat(length));
    !was_blank
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::Context;

    /// Lines of all kinds. Some extend over several lines of the text, or contain a graph of their
    /// own.
    const LINES: [&str; 12] = [
        "both 0 -> 1, 2",
        "alice k <-> k + 1 score 2 for k in 0..3 if k != 2 // a comment",
        "bob (0, \"a b\") -> 4*, 3-ε weight 1/2; win alice: 7",
        "draw: 8,\n    9",
        "score 0.5: [k,\n\n  k + 1]",
        "edges \"roads.csv\"",
        "accepting: 3",
        "priority 2: 4  ",
        "income alice 1/8: 4",
        "\n\nboth if a then b\n else c -> graph {\n both 1 -> 2; win bob: 2\n}",
        "weight f(k, { pay: poorman }): k",
        ";",
    ];

    fn reader<'s>(
        text: &'s str,
        tokens: &[Token],
        context: &'s Context<'s>,
    ) -> StatementReader<'s> {
        let source = SourceMap::default().add("", text);
        let layout = layout(text, source, tokens);
        let (diagnostics, broken) = (Findings::default(), Vec::new());
        StatementReader {
            text,
            source,
            end: text.len(),
            layout,
            diagnostics,
            broken,
            context,
        }
    }

    /// Reads a statement as a whole, and again with its long graph in parts, if it has one.
    fn both_ways(text: &str) -> (Option<String>, Option<String>) {
        let (tokens, _) = token::scan(text, SourceMap::default().add("", text));
        let reader = reader(text, &tokens, Context::plain());
        let [piece] = &reader.layout.pieces[..] else {
            panic!("{text} is no single statement")
        };
        let tokens = &reader.layout.tokens[piece.tokens.clone()];
        let (start, end) = (
            tokens[0].start as usize,
            tokens[tokens.len() - 1].end as usize,
        );
        let whole = reader.read(&reader.layout.masked[start..end], start).ok();
        let parts = reader.read_long(tokens).expect("nothing stops it");
        (
            whole.map(|read| format!("{read:?}")),
            parts.map(|read| format!("{read:?}")),
        )
    }

    #[test]
    fn long_graphs_are_read_in_parts_as_they_are_as_a_whole() {
        for (first, count) in
            (0..LINES.len()).flat_map(|first| [100, 127, 128, 129, 300].map(|count| (first, count)))
        {
            let lines: Vec<&str> = LINES
                .iter()
                .copied()
                .cycle()
                .skip(first)
                .take(count)
                .collect();
            let lines = lines.join("\n");
            for (before, after) in [
                ("/// About it.\ngame g(a, b, c) = graph {\n", "\n}"),
                ("check R(graph {", "\n} at 3) == 1/2 using { pay: poorman }"),
                (
                    "test \"größe\" {\n show graph { both 1 -> 2 }\n game h = graph {\n",
                    "\n}\n show R(h)\n}",
                ),
                ("show graph { both 1 -> graph {\n", "\n} }"),
            ] {
                let (whole, parts) = both_ways(&format!("// Before it.\n{before}{lines}{after}"));
                assert!(whole.is_some(), "{before}{lines}{after}");
                assert_eq!(parts, whole);
            }
            for wrong in ["both 1 - > 2", "both -> 2", "win alice 3", "start"] {
                let (whole, parts) =
                    both_ways(&format!("game g = graph {{\n{lines}\n{wrong}\n{lines}\n}}"));
                assert_eq!((whole, parts), (None, None), "{wrong}");
            }
        }
        assert_eq!(
            both_ways("show graph { both 1 -> 2; both 2 -> 3; win bob: 3 }").1,
            None,
            "it is short"
        );
    }
}
