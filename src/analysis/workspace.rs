//! The files that an editor shows, each with its analysis. The analysis of a file is dropped when
//! the file or one that it uses changes; the others are kept.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::check::{self, Declaration, Definitions, GlobalDefinition, Index, Scope};
use crate::diagnostic::{Code, Diagnostic, Result, Severity};
use crate::files::{self, Documents, Files};
use crate::library;
use crate::source::{SourceId, SourceMap, Span};
use crate::syntax::{self, ast};
use crate::watch::Context;

/// The analysis of a file, which is not run.
#[derive(Debug)]
pub struct Analysis {
    /// The file.
    pub path: PathBuf,
    /// Its text among the sources of the workspace.
    pub source: SourceId,
    /// The parts that could be parsed, and those that could not.
    pub file: ast::File,
    /// Its declarations and references, and the kinds of its expressions.
    pub index: Index,
    /// Its errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// The number of these diagnostics that are syntax errors.
    syntax_errors: usize,
    /// The files that it uses, in order.
    pub uses: Vec<Use>,
    /// `true` if all files that it uses, directly or indirectly, are free of errors. Otherwise
    /// names may be unknown because of those errors.
    all_is_known: bool,
    /// The names that are visible at its end, its own and those of the files that it uses.
    names: BTreeMap<String, GlobalDefinition>,
}

/// A `use` line.
#[derive(Debug, Clone)]
pub struct Use {
    /// The place of the path in quotes.
    pub span: Span,
    /// The file that it denotes.
    pub path: PathBuf,
    /// `true` if the file could be read.
    pub is_found: bool,
}

impl Analysis {
    /// Returns the names that are visible at its end, with their definitions, in alphabetical
    /// order.
    pub fn names(&self) -> impl Iterator<Item = (&str, &GlobalDefinition)> {
        self.names
            .iter()
            .map(|(name, definition)| (name.as_str(), definition))
    }

    /// Returns the definition of a name at its end.
    pub fn definition(&self, name: &str) -> Option<&GlobalDefinition> {
        self.names.get(name)
    }

    /// Returns the declaration of the name at a place.
    pub fn declaration(&self, name: Span) -> Option<&Declaration> {
        let declarations = &self.index.declarations;
        let at = declarations
            .binary_search_by_key(&name, |declaration| declaration.name_span)
            .ok()?;
        Some(&declarations[at])
    }

    /// Returns `true` if a part of it could not be parsed.
    pub fn is_unreadable(&self) -> bool {
        !self.file.broken.is_empty() || self.syntax_errors > 0
    }

    /// Returns `true` if it has errors; warnings do not count.
    pub fn is_wrong(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity() == Severity::Error)
    }
}

/// Files with their analyses.
pub struct Workspace {
    files: Documents,
    sources: SourceMap,
    ids: HashMap<PathBuf, SourceId>,
    paths: HashMap<SourceId, PathBuf>,
    known: HashMap<PathBuf, Rc<Analysis>>,
}

impl Workspace {
    /// Creates a workspace without analyses.
    pub fn new(files: Documents) -> Self {
        let (ids, paths, known) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self {
            files,
            sources: SourceMap::default(),
            ids,
            paths,
            known,
        }
    }

    /// Returns the sources to which spans refer.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// Returns the files.
    pub fn files(&self) -> &Documents {
        &self.files
    }

    /// Returns the file whose text a source is.
    pub fn path(&self, source: SourceId) -> Option<&Path> {
        self.paths.get(&source).map(PathBuf::as_path)
    }

    /// Returns all present analyses.
    pub fn known(&self) -> impl Iterator<Item = &Rc<Analysis>> {
        self.known.values()
    }

    /// Returns the declaration of the name at a place, in any file.
    pub fn declaration(&self, name: Span) -> Option<&Declaration> {
        self.known
            .get(self.paths.get(&name.source)?)?
            .declaration(name)
    }

    /// Drops the analyses of a file that has changed, of all files that use it, and of all files
    /// with a `use` that was not found.
    pub fn forget(&mut self, path: &Path) {
        let mut changed = vec![
            self.files
                .canonical(path)
                .unwrap_or_else(|_| path.to_owned()),
        ];
        self.known.retain(|path, analysis| {
            // The changed file may be the one that a `use` was missing, under any of the paths it
            // was sought at.
            let is_complete = analysis.uses.iter().all(|used| used.is_found);
            if !is_complete {
                changed.push(path.clone());
            }
            is_complete
        });
        while let Some(path) = changed.pop() {
            self.known.remove(&path);
            let uses =
                |analysis: &&Rc<Analysis>| analysis.uses.iter().any(|used| used.path == path);
            changed.extend(
                self.known
                    .values()
                    .filter(uses)
                    .map(|analysis| analysis.path.clone()),
            );
        }
    }

    /// Returns the analysis of a file.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, or the work is stopped.
    pub fn analysis(&mut self, path: &Path, context: &Context<'_>) -> Result<Rc<Analysis>> {
        self.analyse(path, &mut Vec::new(), context)
    }

    /// Returns the analysis of a file; `chain` are the files that use it, outermost first.
    fn analyse(
        &mut self,
        path: &Path,
        chain: &mut Vec<PathBuf>,
        context: &Context<'_>,
    ) -> Result<Rc<Analysis>> {
        let known = self
            .files
            .canonical(path)
            .ok()
            .and_then(|canonical| self.known.get(&canonical));
        if let Some(known) = known {
            return Ok(Rc::clone(known));
        }
        let (text, canonical) = files::text(&self.files, path, context).map_err(Box::new)?;
        if let Some(start) = chain.iter().position(|user| *user == canonical) {
            return Err(Box::new(files::circle(&chain[start..])));
        }
        let source = self.source(path, &canonical, text);
        let parsed = syntax::parse_watched(&self.sources, source, context)?;
        let syntax_errors = parsed.diagnostics.len();
        chain.push(canonical.clone());
        let mut reading = Reading {
            diagnostics: parsed.diagnostics,
            ..Reading::new()
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        for statement in &parsed.file.statements {
            if let ast::StatementKind::Use { path, span } = &statement.kind {
                self.import(&mut reading, path, *span, folder, chain, context)?;
            }
        }
        chain.pop();
        let Reading {
            mut definitions,
            mut scope,
            uses,
            mut diagnostics,
            all_is_known,
        } = reading;
        let mut index = Index::default();
        let (_, found) = check::check_file(
            &mut definitions,
            &mut scope,
            &parsed.file,
            context,
            Some(&mut index),
        )?;
        diagnostics.extend(
            found
                .into_iter()
                // A name may be unknown only because a used file is wrong, and that is reported
                // already.
                .filter(|found| all_is_known || found.code != Code::UnknownName),
        );
        let names = scope
            .iter()
            .map(|(name, id)| (name.to_owned(), definitions.get(id).clone()))
            .collect();
        let (path, file) = (canonical.clone(), parsed.file);
        let analysis = Rc::new(Analysis {
            path,
            source,
            file,
            index,
            diagnostics,
            syntax_errors,
            uses,
            all_is_known,
            names,
        });
        self.known.insert(canonical, Rc::clone(&analysis));
        Ok(analysis)
    }

    /// Makes the names of a used file visible.
    fn import(
        &mut self,
        reading: &mut Reading,
        path: &str,
        span: Span,
        folder: &Path,
        chain: &mut Vec<PathBuf>,
        context: &Context<'_>,
    ) -> Result<()> {
        let found = files::find(&self.files, path, folder);
        let used = if files::is_bid_file(&self.files, &found) {
            self.analyse(&found, chain, context)
        } else {
            Err(Box::new(files::no_bid_file(path)))
        };
        let (used_path, is_found) = match used {
            Ok(used) => {
                reading.all_is_known &= used.all_is_known && !used.is_wrong();
                let hidden = used.names.iter().filter(|(name, definition)| {
                    let known = reading.scope.find(name);
                    known.is_some_and(|id| reading.definitions.get(id).span != definition.span)
                });
                let hidden = check::hidden_names(hidden.map(|(name, _)| name.as_str()), span);
                reading.diagnostics.extend(hidden);
                for (name, definition) in &used.names {
                    let id = reading.definitions.add(definition.clone());
                    reading.scope.insert(name.clone(), id);
                }
                (used.path.clone(), true)
            }
            // A stop concerns the whole work and not this line, so it gets no label here.
            Err(diagnostic) if diagnostic.code.is_stop() => return Err(diagnostic),
            Err(diagnostic) => {
                let label = if diagnostic.code == Code::ImportCycle {
                    "closes the circle"
                } else {
                    "named here"
                };
                reading.all_is_known = false;
                reading.diagnostics.push(diagnostic.label(span, label));
                // A file that exists but cannot be read in full is remembered under the path by
                // which changes name it.
                let canonical = self.files.canonical(&found);
                let is_found = canonical.is_ok();
                (canonical.unwrap_or(found), is_found)
            }
        };
        reading.uses.push(Use {
            span,
            path: used_path,
            is_found,
        });
        Ok(())
    }

    /// Stores a text in place of the earlier one of its file.
    fn source(&mut self, path: &Path, canonical: &Path, text: String) -> SourceId {
        if let Some(&id) = self.ids.get(canonical) {
            self.sources.replace(id, text);
            return id;
        }
        let id = self.sources.add(path.display().to_string(), text);
        self.ids.insert(canonical.to_owned(), id);
        self.paths.insert(id, canonical.to_owned());
        id
    }
}

/// A file while it is read.
struct Reading {
    definitions: Definitions,
    scope: Scope,
    uses: Vec<Use>,
    diagnostics: Vec<Diagnostic>,
    /// `true` if all files that it uses, directly or indirectly, are free of errors.
    all_is_known: bool,
}

impl Reading {
    fn new() -> Self {
        Self {
            definitions: Definitions::new(library::signatures()),
            scope: Scope::default(),
            uses: Vec::new(),
            diagnostics: Vec::new(),
            all_is_known: true,
        }
    }
}
