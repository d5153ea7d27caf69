//! The findings of checking that editors use: the declarations, the references to them, and the
//! kinds of each expression.
//!
//! A declared name is identified by the place of its name, which is unique over all sources of a
//! session.

use std::collections::HashSet;

use super::ruleset::RulesetSection;
use super::{Checker, FunctionSignature};
use crate::ir::{GlobalId, Kinds};
use crate::source::Span;
use crate::syntax::ast;

/// The kinds of declared names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeclarationKind {
    /// `let x = …`.
    Value,
    /// `let f(n) = …`.
    Function,
    /// `game g = …`.
    Game,
    /// `game g(n) = …`, `game g(n) { … }`.
    Family,
    /// `rules r = …`.
    Rules,
    /// `test "…" { … }`.
    Test,
    /// A parameter.
    Parameter,
    /// A name of `let … in`, or of `for`.
    Variable,
    /// A state variable of a ruleset.
    State,
    /// A `let` line of a ruleset.
    RulesetLet,
    /// A kind of move of a ruleset.
    Move,
    /// A name whose definition could not be read.
    Unknown,
}

/// A declared name.
#[derive(Debug, Clone)]
pub struct Declaration {
    /// The name.
    pub name: String,
    /// The kind of declaration.
    pub kind: DeclarationKind,
    /// The statement, the line or the name that declares it.
    pub span: Span,
    /// The place of the name.
    pub name_span: Span,
    /// The span in which the name is visible, if that is only a part of its file. `None` if the
    /// name is visible from its definition to the end of the file and in every file that uses that
    /// file.
    pub visible: Option<Span>,
    /// Its `///` documentation.
    pub doc: Option<String>,
    /// The kinds that its value may have.
    pub kinds: Kinds,
    /// The signature, if it has parameters.
    pub signature: Option<FunctionSignature>,
}

/// The meaning of a name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Target {
    /// A declared name, given by the place of its name.
    Declared(Span),
    /// A function or a constant of the language.
    Builtin(String),
    /// A named parameter of a function of the language.
    Parameter(&'static str, &'static str),
    /// A field of rules.
    Field(&'static str),
    /// A value of a field of rules.
    FieldValue(&'static str, String),
}

impl Target {
    /// Returns the place of the name, if it is declared.
    pub fn declared(&self) -> Option<Span> {
        match self {
            Self::Declared(name) => Some(*name),
            Self::Builtin(_) | Self::Parameter(..) | Self::Field(_) | Self::FieldValue(..) => None,
        }
    }
}

/// A place where a name is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The place of the name.
    pub span: Span,
    /// The meaning of the name there.
    pub target: Target,
}

/// The declarations, references and kinds found in a checked file.
#[derive(Debug, Clone, Default)]
pub struct Index {
    /// The names that it declares, in the order of their places.
    pub declarations: Vec<Declaration>,
    /// The names that it uses, in the order of their places.
    pub references: Vec<Reference>,
    /// The kinds that each expression may have, in the order of their places, wider ones first.
    pub kinds: Vec<(Span, Kinds)>,
}

impl Index {
    /// Sorts all entries by place and removes duplicates, because some lines are checked twice.
    pub(super) fn sort(&mut self) {
        let mut seen = HashSet::new();
        self.declarations
            .retain(|declaration| seen.insert(declaration.name_span));
        self.declarations
            .sort_by_key(|declaration| declaration.name_span);
        self.references.sort_by_key(|reference| reference.span);
        self.references.dedup_by_key(|reference| reference.span);
        self.kinds
            .sort_by_key(|(span, _)| (span.source, span.start, std::cmp::Reverse(span.end)));
        self.kinds.dedup_by_key(|(span, _)| *span);
    }
}

/// The kind of a local name and the span in which it is visible.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalScope {
    /// The kind of declaration.
    pub kind: DeclarationKind,
    /// The span in which it is visible.
    pub visible: Span,
}

impl LocalScope {
    /// Creates the scope of a name of `let … in` or `for` that is visible in this span.
    pub fn variable(visible: Span) -> Self {
        Self {
            kind: DeclarationKind::Variable,
            visible,
        }
    }

    /// Creates the scope of a parameter that is visible in this span.
    pub fn parameter(visible: Span) -> Self {
        Self {
            kind: DeclarationKind::Parameter,
            visible,
        }
    }
}

impl Checker<'_> {
    /// Records a declaration, if an index is made.
    pub(super) fn declare(&mut self, declaration: impl FnOnce() -> Declaration) {
        if let Some(index) = self.index.as_deref_mut() {
            index.declarations.push(declaration());
        }
    }

    /// Records the declaration of a name that is visible in a part of a statement.
    pub(super) fn declare_local(
        &mut self,
        name: &ast::Name,
        part: LocalScope,
        span: Span,
        kinds: Kinds,
    ) {
        self.declare(|| Declaration {
            name: name.text.clone(),
            kind: part.kind,
            span,
            name_span: name.span,
            visible: Some(part.visible),
            doc: None,
            kinds,
            signature: None,
        });
    }

    /// Records the declaration of a top-level name.
    pub(super) fn declare_global(&mut self, id: GlobalId, kind: DeclarationKind, span: Span) {
        let (definition, visible) = (self.definitions.get(id), self.block);
        if let Some(index) = self.index.as_deref_mut() {
            index.declarations.push(Declaration {
                name: definition.name.clone(),
                kind,
                span,
                name_span: definition.span,
                visible,
                doc: definition.doc.clone(),
                kinds: definition.kinds,
                signature: definition.signature.clone(),
            });
        }
    }

    /// Replaces the recorded kinds of declared local names by those found later.
    pub(super) fn refine(&mut self, names: &[ast::Name], kinds: &[Kinds]) {
        let declarations = self
            .index
            .as_deref_mut()
            .into_iter()
            // The names were declared just now, so the search from the end meets them at once.
            .flat_map(|index| index.declarations.iter_mut().rev());
        let declared = declarations.filter_map(|declaration| {
            let at = names
                .iter()
                .position(|name| name.span == declaration.name_span)?;
            Some((declaration, kinds[at]))
        });
        declared
            .take(names.len())
            .for_each(|(declaration, kinds)| declaration.kinds = kinds);
    }

    /// Records a use of a name.
    pub(super) fn refer_to(&mut self, span: Span, target: impl FnOnce() -> Target) {
        if let Some(index) = self.index.as_deref_mut() {
            index.references.push(Reference {
                span,
                target: target(),
            });
        }
    }

    /// Records a use of a name under the meaning that it has here.
    pub(super) fn refer(&mut self, name: &str, span: Span) {
        if self.index.is_some() {
            let target = self.target(name);
            self.refer_to(span, || target);
        }
    }

    fn target(&self, name: &str) -> Target {
        let within = || match &self.within {
            Some(RulesetSection::Lines(names)) => names.declared(name),
            Some(RulesetSection::Start(constants)) => constants
                .iter()
                .rfind(|constant| constant.name.text == name)
                .map(|constant| constant.name.span),
            None => None,
        };
        let global = || {
            self.scope
                .find(name)
                .map(|id| self.definitions.get(id).span)
        };
        let is_mover = || {
            matches!(self.within, Some(RulesetSection::Lines(_))) && matches!(name, "me" | "other")
        };
        match self.locals.declared(name).or_else(within) {
            Some(span) => Target::Declared(span),
            // In lines `me` and `other` hide global names, but state variables of these names hide
            // them.
            None if is_mover() => Target::Builtin(name.to_owned()),
            None => global().map_or_else(|| Target::Builtin(name.to_owned()), Target::Declared),
        }
    }

    /// Records the kinds that an expression may have.
    pub(super) fn note_kinds(&mut self, span: Span, kinds: Kinds) {
        if let Some(index) = self.index.as_deref_mut() {
            index.kinds.push((span, kinds));
        }
    }
}
