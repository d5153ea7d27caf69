//! Declarations, folds and steps of selection in the terms of the protocol.

use std::ops::Range;
use std::path::Path;

use bid::analysis::{Fold, FoldKind, Outline};
use bid_language::check::DeclarationKind;
use bid_language::source::Columns;

use super::protocol::{
    DocumentSymbol, FoldingRange, FoldingRangeKind, Location, Position, SelectionRange,
    SymbolInformation, SymbolKind,
};
use super::texts::{Text, Texts};

/// Returns the declarations of a text.
#[allow(deprecated, reason = "the protocol's type has the field")]
pub fn document(text: &Text, outline: &[Outline], columns: Columns) -> Vec<DocumentSymbol> {
    let symbols = outline.iter().map(|entry| {
        let declaration = &entry.declaration;
        let inner = document(text, &entry.inner, columns);
        let doc = declaration
            .doc
            .as_ref()
            .and_then(|doc| doc.lines().next())
            .map(str::to_owned);
        DocumentSymbol {
            // Editors reject a symbol with an empty name.
            name: if declaration.name.is_empty() {
                "test".to_owned()
            } else {
                declaration.name.clone()
            },
            detail: doc,
            kind: kind(declaration.kind),
            tags: None,
            deprecated: None,
            range: text.range(declaration.span.range(), columns),
            selection_range: text.range(declaration.name_span.range(), columns),
            children: (!inner.is_empty()).then_some(inner),
        }
    });
    symbols.collect()
}

/// Returns the declarations of a file whose names contain the letters of a query in their order.
#[allow(deprecated, reason = "the protocol's type has the field")]
pub fn workspace(
    texts: &mut Texts,
    path: &Path,
    outline: &[Outline],
    query: &str,
) -> Vec<SymbolInformation> {
    let mut found = Vec::new();
    for entry in outline
        .iter()
        .filter(|entry| has_letters(&entry.declaration.name, query))
    {
        let declaration = &entry.declaration;
        let Some(location) = texts.location(path, declaration.name_span.range()) else {
            continue;
        };
        found.push(SymbolInformation {
            name: declaration.name.clone(),
            kind: kind(declaration.kind),
            tags: None,
            deprecated: None,
            location: Location { ..location },
            container_name: path
                .file_stem()
                .map(|stem| stem.to_string_lossy().into_owned()),
        });
    }
    found
}

fn has_letters(name: &str, query: &str) -> bool {
    let mut rest = name.chars().flat_map(char::to_lowercase);
    query
        .chars()
        .flat_map(char::to_lowercase)
        .all(|wanted| rest.any(|letter| letter == wanted))
}

fn kind(kind: DeclarationKind) -> SymbolKind {
    match kind {
        DeclarationKind::Value | DeclarationKind::Variable | DeclarationKind::Unknown => {
            SymbolKind::VARIABLE
        }
        DeclarationKind::Function | DeclarationKind::RulesetLet => SymbolKind::FUNCTION,
        DeclarationKind::Game | DeclarationKind::Family => SymbolKind::CLASS,
        DeclarationKind::Rules => SymbolKind::STRUCT,
        DeclarationKind::Test => SymbolKind::EVENT,
        DeclarationKind::Parameter => SymbolKind::TYPE_PARAMETER,
        DeclarationKind::State => SymbolKind::FIELD,
        DeclarationKind::Move => SymbolKind::METHOD,
    }
}

/// Returns the parts that can be folded, by lines: a closing bracket that begins its line stays
/// visible.
pub fn folds(text: &Text, folds: &[Fold], columns: Columns) -> Vec<FoldingRange> {
    let ranges = folds.iter().filter_map(|fold| {
        let (start, end) = (
            text.position(fold.range.start, columns),
            text.position(fold.range.end, columns),
        );
        // The range includes the closing bracket, so its place is one byte before the end.
        let closes = fold.kind == FoldKind::Brackets && begins_line(&text.text, fold.range.end - 1);
        let end_line = if closes {
            end.line.saturating_sub(1)
        } else {
            end.line
        };
        (end_line > start.line).then(|| FoldingRange {
            start_line: start.line,
            end_line,
            kind: match fold.kind {
                FoldKind::Brackets => None,
                FoldKind::Comment => Some(FoldingRangeKind::Comment),
                FoldKind::Uses => Some(FoldingRangeKind::Imports),
            },
            ..FoldingRange::default()
        })
    });
    let mut ranges: Vec<FoldingRange> = ranges.collect();
    // Of the folds that begin on one line, the widest is kept.
    ranges.sort_by_key(|range| (range.start_line, std::cmp::Reverse(range.end_line)));
    ranges.dedup_by_key(|range| range.start_line);
    ranges
}

fn begins_line(text: &str, byte: usize) -> bool {
    text[..byte]
        .rsplit('\n')
        .next()
        .is_some_and(|before| before.trim().is_empty())
}

/// Returns the ranges that contain a place, from the innermost one outwards.
pub fn selection(
    text: &Text,
    parts: &[Range<usize>],
    at: Position,
    columns: Columns,
) -> SelectionRange {
    let chain = parts
        .iter()
        // The chain is built from the outermost part, which is the parent of all others.
        .rev()
        .fold(None, |parent: Option<Box<SelectionRange>>, part| {
            Some(Box::new(SelectionRange {
                range: text.range(part.clone(), columns),
                parent,
            }))
        });
    let nothing = SelectionRange {
        range: super::protocol::Range { start: at, end: at },
        parent: None,
    };
    chain.map_or(nothing, |chain| *chain)
}
