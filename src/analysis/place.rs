//! Completes text at a place of a file, by the text before it and the names that are visible there.

use std::collections::HashMap;

use super::ask::{builtin, innermost_call};
use super::complete::{
    Candidate, CandidateKind, Completion, Surroundings, complete, is_in_comment, matching,
};
use super::workspace::{Analysis, Workspace};
use crate::check::{Declaration, DeclarationKind};
use crate::ir::Kinds;
use crate::library;
use crate::rules::PRESETS;
use crate::source::Span;
use crate::syntax::vocabulary::constants;

impl Workspace {
    /// Returns the completions at a place.
    pub fn complete(&self, analysis: &Analysis, offset: usize) -> Completion {
        let (path, text) = self.text(analysis);
        let (start, end) = statement_before(analysis, offset);
        let Some(before) = text.get(start..offset) else {
            return Completion::none(offset);
        };
        if is_in_comment(before) {
            return Completion::none(offset);
        }
        if let Some((found, candidates)) = self.position_or_move(analysis, before) {
            return Completion {
                start: start + found,
                candidates,
            };
        }
        // The cursor may stand behind the end of an unfinished statement, whose local names it
        // still sees.
        let names = self.names_at(analysis, end.min(offset));
        let folder = path.parent().unwrap_or(path);
        let found = complete(
            before,
            &Surroundings {
                names: &names,
                files: self.files(),
                folder,
            },
        );
        let mut candidates = found.candidates;
        let (left, word) = before.split_at(found.start);
        if left.trim_end().ends_with(['(', ','])
            && let Some(function) = innermost_call(left).and_then(|(name, _)| builtin(name))
        {
            let named = function
                .named
                .iter()
                .map(|parameter| format!("{}: ", parameter.name));
            let named = named.map(|named| Candidate::new(&named, CandidateKind::Parameter));
            candidates = matching(word, named.chain(candidates));
        }
        let needed = needed(analysis, left);
        let locals: HashMap<&str, Kinds> = locals(analysis, offset)
            .map(|local| (local.name.as_str(), local.kinds))
            .collect();
        for candidate in candidates
            .iter_mut()
            .filter(|candidate| candidate.kind == CandidateKind::Name)
        {
            // A local name hides a definition of the same name, whose heading would mislead.
            let (heading, kinds) = match locals.get(candidate.text.as_str()) {
                Some(kinds) => (None, Some(*kinds)),
                None => usage(analysis, &candidate.text),
            };
            candidate.fits = kinds.is_none_or(|kinds| kinds.meets(needed));
            candidate.heading = heading;
        }
        Completion {
            start: start + found.start,
            candidates,
        }
    }

    /// Returns the names that may be used at a place: those of the file and of the files that it
    /// uses, local names, and those of the language.
    fn names_at(&self, analysis: &Analysis, offset: usize) -> Vec<String> {
        let global = analysis.names().map(|(name, _)| name.to_owned());
        let local = locals(analysis, offset).map(|declaration| declaration.name.clone());
        let builtins = library::signatures().map(|builtin| builtin.name);
        let language = builtins
            .chain(constants())
            .chain(PRESETS.iter().map(|preset| preset.name));
        global
            .chain(local)
            .chain(language.map(str::to_owned))
            .collect()
    }
}

/// Returns the kinds that the call around the end of a text needs there.
fn needed(analysis: &Analysis, left: &str) -> Kinds {
    let left = left.trim_end();
    let Some((function, argument)) =
        innermost_call(left).filter(|_| left.ends_with(['(', ',', ':']))
    else {
        return Kinds::ANY;
    };
    if let Some(definition) = analysis.definition(function) {
        let parameters = definition
            .signature
            .as_ref()
            .map(|signature| &signature.parameters);
        return parameters
            .and_then(|known| known.get(argument))
            .map_or(Kinds::ANY, |(_, kinds)| *kinds);
    }
    let Some(builtin) = builtin(function) else {
        return Kinds::ANY;
    };
    match left.strip_suffix(':') {
        Some(named) => {
            let named = builtin
                .named
                .iter()
                .find(|known| named.trim_end().ends_with(known.name));
            named.map_or(Kinds::ANY, |known| known.kinds)
        }
        None if builtin.counts().contains(&(argument + 1))
            || argument < builtin.parameters.len() =>
        {
            builtin.parameter(argument).kinds
        }
        None => Kinds::ANY,
    }
}

/// Returns the local names that may be used at a place.
fn locals(analysis: &Analysis, offset: usize) -> impl Iterator<Item = &Declaration> {
    analysis
        .index
        .declarations
        .iter()
        .filter(move |declaration| {
            let is_name = !matches!(
                declaration.kind,
                DeclarationKind::Test | DeclarationKind::Move
            );
            let is_here =
                |visible: Span| visible.range().start <= offset && offset <= visible.range().end;
            is_name && declaration.visible.is_some_and(is_here)
        })
}

/// Returns the form of use of a visible name, and the kinds of its value or of a call of it, as far
/// as they are known.
fn usage(analysis: &Analysis, name: &str) -> (Option<String>, Option<Kinds>) {
    if let Some(definition) = analysis.definition(name) {
        let called = definition
            .signature
            .as_ref()
            .map(|signature| signature.result);
        return (
            Some(definition.heading()),
            Some(called.unwrap_or(definition.kinds)),
        );
    }
    match builtin(name) {
        Some(builtin) => (Some(builtin.heading()), Some(builtin.result)),
        None => (None, None),
    }
}

/// Returns the beginning of the statement at a place, or of the last one before it. The end is that
/// of a statement that could not be parsed, which extends to the next one.
fn statement_before(analysis: &Analysis, offset: usize) -> (usize, usize) {
    let whole = analysis
        .file
        .statements
        .iter()
        .map(|statement| (statement.span.range().start, usize::MAX));
    let broken = analysis
        .file
        .broken
        .iter()
        .map(|broken| (broken.span.range().start, broken.span.range().end));
    whole
        .chain(broken)
        .filter(|(start, _)| *start <= offset)
        .max()
        .unwrap_or((0, usize::MAX))
}
