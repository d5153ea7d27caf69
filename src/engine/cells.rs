//! Finds the statements of a document, and the statements that each of them needs.

use std::collections::BTreeSet;
use std::ops::Range;

use xxhash_rust::xxh3::Xxh3;

use super::message::{CellKind, DocumentCell};
use crate::analysis::Analysis;
use crate::check::Target;
use crate::source::Span;
use crate::syntax::ast::StatementKind;

/// Returns the statements of a document in order, including broken ones.
///
/// A statement needs those that define the names which it uses, those which these need, and every
/// `use` and `using` before them. Other statements in between do not affect its meaning.
pub fn cells(analysis: &Analysis, text: &str) -> Vec<DocumentCell> {
    let mut found: Vec<LocatedCell> = Vec::new();
    for statement in &analysis.file.statements {
        let (reach, kind) = match &statement.kind {
            StatementKind::Use { .. } | StatementKind::Using(_) => (Reach::All, CellKind::Silent),
            StatementKind::Let(_)
            | StatementKind::Game(_)
            | StatementKind::Ruleset(_)
            | StatementKind::Rules { .. } => (Reach::Users, CellKind::Silent),
            StatementKind::Show(_) | StatementKind::Expr(_) => (Reach::Users, CellKind::Show),
            StatementKind::Check(_) => (Reach::Users, CellKind::Check),
            StatementKind::Test { .. } => (Reach::Users, CellKind::Test),
        };
        found.push(LocatedCell {
            span: statement.span,
            reach,
            kind,
            is_readable: true,
        });
    }
    let broken = analysis.file.broken.iter();
    found.extend(broken.map(|broken| LocatedCell {
        span: broken.span,
        reach: Reach::Users,
        kind: CellKind::Silent,
        is_readable: false,
    }));
    found.sort_by_key(|found| found.span);
    let direct: Vec<BTreeSet<usize>> = (0..found.len())
        .map(|at| direct_needs(analysis, &found, at))
        .collect();
    let cells = found.iter().enumerate().map(|(at, cell)| DocumentCell {
        range: cell.span.range(),
        is_readable: cell.is_readable,
        is_for_all: cell.reach == Reach::All,
        kind: cell.kind,
        defines: defined_name(analysis, cell.span),
        needs: closure(&direct, at).into_iter().collect(),
        checksum: 0,
    });
    let mut cells: Vec<DocumentCell> = cells.collect();
    for at in 0..cells.len() {
        cells[at].checksum = checksum(text, &cells, at);
    }
    cells
}

/// Returns some cells and those that they need.
pub fn with_needs(
    cells: &[DocumentCell],
    some: impl IntoIterator<Item = usize>,
) -> BTreeSet<usize> {
    some.into_iter()
        .flat_map(|cell| cells[cell].needs.iter().copied().chain([cell]))
        .collect()
}

/// Computes a checksum of a statement and all statements that it needs.
fn checksum(text: &str, cells: &[DocumentCell], cell: usize) -> u128 {
    let mut hash = Xxh3::new();
    for part in with_needs(cells, [cell]) {
        // The mark tells the cell from its needs, since two cells may have the same parts.
        let own = if part == cell { b'=' } else { b'+' };
        hash.update(&[own]);
        hash.update(
            text.get(cells[part].range.clone())
                .unwrap_or_default()
                .as_bytes(),
        );
        // A separator keeps a text from running into the next one.
        hash.update(&[0]);
    }
    hash.digest128()
}

/// Returns the number of the cell at a byte: the last one that begins there or before.
pub fn cell_at(cells: &[DocumentCell], byte: usize) -> Option<usize> {
    cells
        .partition_point(|cell| cell.range.start <= byte)
        .checked_sub(1)
}

/// Replaces everything but some cells by spaces, so that places and lines stay the same.
pub fn only(text: &str, cells: &[DocumentCell], kept: &BTreeSet<usize>) -> String {
    let blank = |range: Range<usize>| {
        text[range]
            // One space for each byte, not for each character, keeps the offsets of what follows.
            .bytes()
            .map(|byte| if byte == b'\n' { '\n' } else { ' ' })
    };
    let (mut kept_text, mut at) = (String::with_capacity(text.len()), 0);
    for cell in kept.iter().map(|cell| &cells[*cell].range) {
        kept_text.extend(blank(at..cell.start));
        kept_text.push_str(&text[cell.clone()]);
        at = cell.end;
    }
    kept_text.extend(blank(at..text.len()));
    kept_text
}

struct LocatedCell {
    span: Span,
    reach: Reach,
    kind: CellKind,
    is_readable: bool,
}

/// The later statements whose meaning a statement affects.
#[derive(PartialEq, Eq)]
enum Reach {
    /// All later statements.
    All,
    /// The statements that use the name which it defines.
    Users,
}

/// Returns the statements that a statement needs directly.
fn direct_needs(analysis: &Analysis, found: &[LocatedCell], at: usize) -> BTreeSet<usize> {
    let span = found[at].span;
    let references = &analysis.index.references;
    let first = references.partition_point(|reference| reference.span.start < span.start);
    let inside = references[first..]
        .iter()
        .take_while(|reference| reference.span.end <= span.end);
    let defining = inside.filter_map(|reference| match &reference.target {
        Target::Declared(name) if name.source == span.source => found
            .partition_point(|other| other.span.start <= name.start)
            .checked_sub(1),
        _ => None,
    });
    let everywhere = (0..at).filter(|before| found[*before].reach == Reach::All);
    defining
        .chain(everywhere)
        // A recursive function refers to itself, which is no need.
        .filter(|need| *need != at)
        .collect()
}

/// Returns all statements that a statement needs, directly or indirectly.
fn closure(direct: &[BTreeSet<usize>], at: usize) -> BTreeSet<usize> {
    let mut all = BTreeSet::new();
    let mut open = vec![at];
    while let Some(next) = open.pop() {
        // Each cell is followed once, so that definitions in a circle end.
        open.extend(direct[next].iter().filter(|need| all.insert(**need)));
    }
    all.remove(&at);
    all
}

/// Returns the name that a statement defines.
fn defined_name(analysis: &Analysis, statement: Span) -> Option<String> {
    let declarations = &analysis.index.declarations;
    let first =
        declarations.partition_point(|declaration| declaration.name_span.start < statement.start);
    let inside = declarations[first..]
        .iter()
        .take_while(|declaration| declaration.name_span.end <= statement.end);
    let mut global =
        inside.filter(|declaration| declaration.span == statement && declaration.visible.is_none());
    global.next().map(|declaration| declaration.name.clone())
}
