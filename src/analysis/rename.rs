//! Renames a declared name: finds the places to edit, or the reason that it cannot be renamed.
//!
//! A new name is tested by trial: the texts with the new name are read and checked, each name in
//! them must denote the same item as before, and there must be no new errors.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::ask::Location;
use super::complete::is_word_part;
use super::workspace::{Analysis, Workspace};
use crate::check::{DeclarationKind, Target};
use crate::diagnostic::{Diagnostic, Result};
use crate::files::Documents;
use crate::ir::Kinds;
use crate::library;
use crate::rules::PRESETS;
use crate::source::{SourceMap, Span};
use crate::syntax::vocabulary::constants;
use crate::syntax::{self, TokenKind};
use crate::watch::Context;

/// The result of a request to rename.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Renamed {
    /// The new name is to be written at these places.
    At(Vec<Location>),
    /// It cannot be renamed, for this reason.
    Refused(String),
}

impl Workspace {
    /// Returns the places at which the name at a place is declared and used, if it can be renamed.
    pub fn renamable(&self, analysis: &Analysis, offset: usize) -> Renamed {
        self.own(analysis, offset).map_or_else(
            || {
                let why = "only names that are defined in these files can be changed";
                Renamed::Refused(why.to_owned())
            },
            Renamed::At,
        )
    }

    /// Returns the places of a name, unless it belongs to the language, to its library, or to a
    /// test.
    fn own(&self, analysis: &Analysis, offset: usize) -> Option<Vec<Location>> {
        let (_, Target::Declared(span)) = self.target_at(analysis, offset)? else {
            return None;
        };
        let is_test = self.declaration(span)?.kind == DeclarationKind::Test;
        let places = self.references(analysis, offset);
        // The library of games is built into the program, so its files cannot be edited.
        let is_fixed = is_test
            || places
                .iter()
                .any(|place| place.path.starts_with("<library>"));
        (!is_fixed).then_some(places)
    }

    /// Returns the places at which a new name for the one at a place is to be written.
    pub fn renamed(
        &self,
        analysis: &Analysis,
        offset: usize,
        name: &str,
        context: &Context<'_>,
    ) -> Result<Renamed> {
        let places = match self.renamable(analysis, offset) {
            Renamed::At(places) => places,
            refused @ Renamed::Refused(_) => return Ok(refused),
        };
        if !is_name(name) {
            return Ok(Renamed::Refused(format!("`{name}` cannot be a name")));
        }
        let renaming = Renaming {
            before: self,
            places: &places,
            old: self.text_at(&places[0]),
            new: name,
        };
        // A rename to the same name would find itself declared already and be refused.
        if renaming.old == name {
            return Ok(Renamed::At(places));
        }
        let refused = match renaming.taken().or_else(|| renaming.spoken()) {
            Some(why) => Some(why),
            None => renaming.tried(context)?,
        };
        Ok(refused.map_or(Renamed::At(places), Renamed::Refused))
    }

    fn text_at(&self, place: &Location) -> &str {
        let text = self.known_at(&place.path).map(|known| self.text(known).1);
        text.and_then(|text| text.get(place.range.clone()))
            .unwrap_or_default()
    }

    fn known_at(&self, path: &Path) -> Option<&Rc<Analysis>> {
        self.known().find(|known| known.path == path)
    }
}

/// A name that is to be renamed.
struct Renaming<'a> {
    before: &'a Workspace,
    places: &'a [Location],
    old: &'a str,
    new: &'a str,
}

impl Renaming<'_> {
    /// Returns the reason that the new name is not free: it already has a meaning at one of the
    /// places.
    fn taken(&self) -> Option<String> {
        let new = self.new;
        let is_builtin = library::signatures().any(|builtin| builtin.name == new)
            || constants().any(|constant| constant == new)
            || PRESETS.iter().any(|preset| preset.name == new);
        if is_builtin {
            return Some(format!("`{new}` is a name of the language"));
        }
        self.places.iter().find_map(|place| {
            let known = self.before.known_at(&place.path)?;
            let declared = known.index.declarations.iter().find(|declared| {
                declared.name == new
                    && declared.kind != DeclarationKind::Test
                    && declared.visible.is_none_or(|visible| {
                        let visible = visible.range();
                        visible.start <= place.range.start && place.range.end <= visible.end
                    })
            });
            let span = declared
                .map(|declared| declared.name_span)
                .or_else(|| known.definition(new).map(|definition| definition.span))?;
            Some(format!(
                "`{new}` is a name already: it is declared {}",
                position(self.before.sources(), span)
            ))
        })
    }

    /// Returns the reason that words which are looked up at run time would change their meaning.
    /// Such words are the moves in `after […]`, which may also come from a text.
    fn spoken(&self) -> Option<String> {
        let declared = |place: &Location| {
            let known = self.before.known_at(&place.path)?;
            let declared = known.index.declarations.iter();
            declared
                .filter(|declared| declared.name_span.range() == place.range)
                .find(|declared| declared.kind == DeclarationKind::Move)
        };
        self.places.iter().find_map(declared)?;
        self.before.known().find_map(|known| {
            let text = self.before.text(known).1;
            let is_spoken = |start: u32, end: u32, kind: TokenKind| {
                let range = start as usize..end as usize;
                match kind {
                    TokenKind::Word => {
                        [self.old, self.new].contains(&&text[range.clone()])
                            && !has_meaning(known, &range)
                    }
                    TokenKind::String => {
                        let mut words = text[range].split(|c: char| !is_word_part(c));
                        words.any(|word| word == self.old || word == self.new)
                    }
                    _ => false,
                }
            };
            let tokens = syntax::tokens(text);
            let found = tokens
                .iter()
                .find(|token| is_spoken(token.start, token.end, token.kind))?;
            let span = Span {
                source: known.source,
                start: found.start,
                end: found.end,
            };
            Some(format!(
                "moves are found by their names as the program runs, and {} occurs {}",
                found.text(text),
                position(self.before.sources(), span)
            ))
        })
    }

    /// Returns the reason that the texts with the new name have another meaning.
    fn tried(&self, context: &Context<'_>) -> Result<Option<String>> {
        let files = Documents::over(Rc::new(self.before.files().clone()));
        for (path, edits) in self.edits() {
            let Some(known) = self.before.known_at(path) else {
                continue;
            };
            let mut text = self.before.text(known).1.to_owned();
            // Edits go from the last to the first, so that the earlier ranges stay valid.
            for range in edits.iter().rev() {
                text.replace_range(range.clone(), self.new);
            }
            files.set(path, text);
        }
        let mut after = Workspace::new(files);
        let affected = self.affected();
        for known in self.before.known() {
            // Checking all files again would make each rename as slow as opening the whole folder.
            if !affected.contains(&*known.path) {
                continue;
            }
            let tried = after.analysis(&known.path, context)?;
            let (was, is) = (
                self.meaning(self.before, known, true),
                self.meaning(&after, &tried, false),
            );
            if was != is {
                return Ok(Some(self.difference(known, &was, &after, &tried, &is)));
            }
        }
        Ok(None)
    }

    /// Returns the files that are edited, and those that use one of them, directly or indirectly.
    /// The meaning of other files cannot change.
    fn affected(&self) -> BTreeSet<&Path> {
        let mut affected: BTreeSet<&Path> = self.edits().into_keys().collect();
        loop {
            let before = affected.len();
            let users = self.before.known().filter(|known| {
                let mut uses = known.uses.iter();
                uses.any(|used| affected.contains(&*used.path))
            });
            let users: Vec<&Path> = users.map(|known| &*known.path).collect();
            affected.extend(users);
            if affected.len() == before {
                return affected;
            }
        }
    }

    /// Returns the places of each file, in order.
    fn edits(&self) -> BTreeMap<&Path, Vec<Range<usize>>> {
        let mut edits: BTreeMap<&Path, Vec<Range<usize>>> = BTreeMap::new();
        for place in self.places {
            let of_file = edits.entry(&place.path).or_default();
            of_file.push(place.range.clone());
        }
        edits
    }

    /// Returns a place after the new name has been written.
    fn moved(&self, path: &Path, range: Range<usize>) -> Range<usize> {
        let moved = |byte: usize| {
            let written = self
                .places
                .iter()
                .filter(|place| place.path == path && place.range.start < byte)
                .count();
            // The addition comes first, because with a shorter name the difference alone would be
            // negative.
            byte + written * self.new.len() - written * self.old.len()
        };
        moved(range.start)..moved(range.end)
    }

    /// Returns the meaning of a file, with all places as they are after the new name has been
    /// written.
    fn meaning(&self, of: &Workspace, known: &Analysis, is_before: bool) -> FileMeaning {
        let place = |span: Span| {
            let path = of.path(span.source).unwrap_or(Path::new("")).to_owned();
            let range = if is_before {
                self.moved(&path, span.range())
            } else {
                span.range()
            };
            (path, range.start, range.end)
        };
        let stands_for = |target: &Target| match target {
            Target::Declared(span) => StandsFor::Declared(place(*span)),
            target => StandsFor::Other(target.clone()),
        };
        let mut wrong: Vec<_> = known
            .diagnostics
            .iter()
            .map(|wrong| (wrong.code.as_str(), wrong.span().map(place)))
            .collect();
        wrong.sort();
        let references = known.index.references.iter();
        let declarations = known.index.declarations.iter();
        let kinds = known.index.kinds.iter();
        FileMeaning {
            wrong,
            declared: declarations
                .map(|declared| (place(declared.name_span), declared.kind))
                .collect(),
            names: references
                .map(|used| (place(used.span), stands_for(&used.target)))
                .collect(),
            kinds: kinds.map(|(span, kinds)| (place(*span), *kinds)).collect(),
        }
    }

    /// Returns the reason that two meanings differ.
    fn difference(
        &self,
        known: &Analysis,
        was: &FileMeaning,
        after: &Workspace,
        tried: &Analysis,
        is: &FileMeaning,
    ) -> String {
        let new = self.new;
        // The places of errors have moved, so an error is recognised by its code and message.
        let told = |wrong: &&Diagnostic| {
            let told = known.diagnostics.iter();
            !told
                .map(|known| (known.code, &known.message))
                .any(|known| known == (wrong.code, &wrong.message))
        };
        if was.wrong != is.wrong
            && let Some(wrong) = tried.diagnostics.iter().find(told)
        {
            return format!("with the name `{new}` {}", wrong.message);
        }
        let other = is.names.iter().find(|used| !was.names.contains(used));
        match other {
            Some(((path, start, _), _)) => format!(
                "`{new}` would stand for something else {}",
                line(after, path, *start)
            ),
            None => format!("with the name `{new}` the program would have another meaning"),
        }
    }
}

type FileRange = (PathBuf, usize, usize);

/// The target of a name.
#[derive(PartialEq, Eq)]
enum StandsFor {
    Declared(FileRange),
    Other(Target),
}

/// The meaning of a file, as far as it is known without running it.
#[derive(PartialEq, Eq)]
struct FileMeaning {
    wrong: Vec<(&'static str, Option<FileRange>)>,
    declared: Vec<(FileRange, DeclarationKind)>,
    names: Vec<(FileRange, StandsFor)>,
    kinds: Vec<(FileRange, Kinds)>,
}

/// Returns `true` if a word is a name with a target, or declares a name.
fn has_meaning(known: &Analysis, range: &Range<usize>) -> bool {
    let references = known.index.references.iter();
    let declarations = known.index.declarations.iter();
    references
        .map(|used| used.span)
        .chain(declarations.map(|declared| declared.name_span))
        .any(|span| span.range() == *range)
}

/// Returns `true` if a text is a name that can be defined.
fn is_name(text: &str) -> bool {
    let tokens = syntax::tokens(text);
    matches!(&tokens[..], [only] if only.kind == TokenKind::Word && only.text(text) == text)
        && !syntax::is_keyword(text)
}

/// Formats the place of a span, for a sentence.
fn position(sources: &SourceMap, span: Span) -> String {
    let source = sources.get(span.source);
    let before = &source.text[..span.range().start];
    format!(
        "in line {} of {}",
        before.matches('\n').count() + 1,
        source.name
    )
}

fn line(workspace: &Workspace, path: &Path, byte: usize) -> String {
    let source = workspace.known_at(path).map(|known| known.source);
    source.map_or_else(String::new, |source| {
        let start = u32::try_from(byte).unwrap_or(u32::MAX);
        position(
            workspace.sources(),
            Span {
                source,
                start,
                end: start,
            },
        )
    })
}
