//! Completion at a place of a file: by the text before it, with the names that are visible there.

use super::ask::{builtin, innermost_call};
use super::complete::{Candidate, CandidateKind, Completion, Surroundings, complete, matching};
use super::workspace::{Analysis, Workspace};
use crate::check::DeclarationKind;
use crate::library;
use crate::rules::PRESETS;
use crate::syntax::vocabulary::constants;

impl Workspace {
    /// What may stand at a place.
    pub fn complete(&self, analysis: &Analysis, offset: usize) -> Completion {
        let (path, text) = self.text(analysis);
        let (start, end) = statement_before(analysis, offset);
        let Some(before) = text.get(start..offset) else { return Completion { start: offset, candidates: Vec::new() } };
        let names = self.names_at(analysis, end.min(offset));
        let folder = path.parent().unwrap_or(path);
        let found = complete(before, &Surroundings { names: &names, files: self.files(), folder });
        let mut candidates = found.candidates;
        let (left, word) = before.split_at(found.start);
        if left.trim_end().ends_with(['(', ','])
            && let Some(function) = innermost_call(left).and_then(|(name, _)| builtin(name))
        {
            let named = function.named.iter().map(|parameter| format!("{}: ", parameter.name));
            let named = named.map(|named| Candidate::new(&named, CandidateKind::Parameter));
            candidates = matching(word, named.chain(candidates));
        }
        Completion { start: start + found.start, candidates }
    }

    /// The names that may be used at a place: those of the file and of the files that it uses, local ones, those of the language.
    fn names_at(&self, analysis: &Analysis, offset: usize) -> Vec<String> {
        let global = analysis.names().map(|(name, _)| name.to_owned());
        let local = analysis.index.declarations.iter().filter(|declaration| {
            let is_name = !matches!(declaration.kind, DeclarationKind::Test | DeclarationKind::Move);
            let is_here =
                |visible: crate::source::Span| visible.range().start <= offset && offset <= visible.range().end;
            is_name && declaration.visible.is_some_and(is_here)
        });
        let local = local.map(|declaration| declaration.name.clone());
        let builtins = library::signatures().map(|builtin| builtin.name);
        let language = builtins.chain(constants()).chain(PRESETS.iter().map(|preset| preset.name));
        global.chain(local).chain(language.map(str::to_owned)).collect()
    }
}

/// Where the statement begins that a place is in, or the last one before it; and its end, if it could not be read and so goes on to the next
/// one.
fn statement_before(analysis: &Analysis, offset: usize) -> (usize, usize) {
    let whole = analysis.file.statements.iter().map(|statement| (statement.span.range().start, usize::MAX));
    let broken = analysis.file.broken.iter().map(|broken| (broken.span.range().start, broken.span.range().end));
    whole.chain(broken).filter(|(start, _)| *start <= offset).max().unwrap_or((0, usize::MAX))
}
