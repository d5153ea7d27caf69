//! Finds the item at a place of a file, and the places where it is declared and used.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::words;
use super::workspace::{Analysis, Workspace};
use crate::check::{Declaration, DeclarationKind, Target, heading};
use crate::ir::{BuiltinSignature, Kinds};
use crate::library;
use crate::source::Span;
use crate::syntax::{self, Classified, Token, TokenClass, TokenKind};

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The file.
    pub path: PathBuf,
    /// The bytes of its text.
    pub range: Range<usize>,
}

/// The description of a place that an editor shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// The bytes that it describes.
    pub range: Range<usize>,
    /// The kinds of value that the expression there may have, if there is one.
    pub kinds: Option<Kinds>,
    /// The form, meaning and an example.
    pub text: String,
    /// The definition of the value that a name denotes, if there is a single one.
    pub constant: Option<Location>,
}

/// A declaration with those inside it.
#[derive(Debug, Clone)]
pub struct Outline {
    /// The declaration.
    pub declaration: Declaration,
    /// The declarations inside: the lines of a ruleset, the definitions in a test.
    pub inner: Vec<Outline>,
}

/// The meaning of a token, beyond its spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// A token that is determined by its spelling.
    Plain,
    /// A use of a declared name.
    Declared(DeclarationKind),
    /// The declaration of a name.
    Declaration(DeclarationKind),
    /// A function or constant of the language.
    Builtin,
    /// A named parameter.
    Parameter,
    /// A field of rules.
    Field,
    /// A value of a field of rules.
    FieldValue,
}

/// A call around a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallAt {
    /// The form of a call of the function.
    pub heading: String,
    /// Its parameters, the positional ones first.
    pub parameters: Vec<String>,
    /// The index of the argument at the place, from 0.
    pub argument: usize,
}

impl Workspace {
    /// Returns the target of the name at a place, and the range of the name.
    pub fn target_at(&self, analysis: &Analysis, offset: usize) -> Option<(Range<usize>, Target)> {
        let touches = |span: &Span| span.range().start <= offset && offset <= span.range().end;
        let references = &analysis.index.references;
        let before = references.partition_point(|reference| reference.span.range().start <= offset);
        let found = references[..before]
            .iter()
            .rev()
            // Only the last two can touch the offset: one that begins there and one that ends
            // there.
            .take(2)
            .find(|reference| touches(&reference.span));
        let used = found.map(|found| (found.span.range(), found.target.clone()));
        // The name in a declaration is no reference to it, so it is looked up separately.
        used.or_else(|| {
            let declarations = &analysis.index.declarations;
            let before =
                declarations.partition_point(|known| known.name_span.range().start <= offset);
            let found = declarations[..before]
                .last()
                .filter(|known| touches(&known.name_span))?;
            Some((found.name_span.range(), Target::Declared(found.name_span)))
        })
    }

    /// Returns the declaration of the name at a place; for the path of a `use`, the beginning of
    /// that file.
    pub fn definition(&self, analysis: &Analysis, offset: usize) -> Option<Location> {
        let used = analysis
            .uses
            .iter()
            .find(|used| used.is_found && used.span.range().contains(&offset));
        if let Some(used) = used {
            return Some(Location {
                path: used.path.clone(),
                range: 0..0,
            });
        }
        let (_, target) = self.target_at(analysis, offset)?;
        self.location(target.declared()?)
    }

    /// Returns the declaration and the uses of the name at a place, in all known files, in order.
    pub fn references(&self, analysis: &Analysis, offset: usize) -> Vec<Location> {
        let Some((_, target)) = self.target_at(analysis, offset) else {
            return Vec::new();
        };
        let references = self.known().flat_map(|known| &known.index.references);
        let uses = references
            .filter(|reference| reference.target == target)
            .map(|reference| reference.span);
        let mut places: Vec<Location> = uses
            .chain(target.declared())
            .filter_map(|span| self.location(span))
            .collect();
        places.sort_by(|a, b| (&a.path, a.range.start).cmp(&(&b.path, b.range.start)));
        places.dedup();
        places
    }

    /// Returns the location of a span.
    pub fn location(&self, span: Span) -> Option<Location> {
        Some(Location {
            path: self.path(span.source)?.to_owned(),
            range: span.range(),
        })
    }

    /// Describes a place.
    pub fn describe(&self, analysis: &Analysis, offset: usize) -> Option<Description> {
        let kinds_of = |range: &Range<usize>| {
            let found = analysis
                .index
                .kinds
                .iter()
                .find(|(span, _)| span.range() == *range);
            found.map(|(_, kinds)| *kinds)
        };
        if let Some((range, target)) = self.target_at(analysis, offset)
            && let Some(text) = self.explain(&target)
        {
            let declared = target.declared().and_then(|span| self.declaration(span));
            let constant = declared.filter(|known| is_constant(known));
            let constant = constant.and_then(|known| self.location(known.span));
            return Some(Description {
                kinds: kinds_of(&range),
                range,
                text,
                constant,
            });
        }
        let text = &self.sources().get(analysis.source).text;
        // A keyword or symbol has no target, but the tables of help may explain it.
        let word = syntax::classify(text)
            .into_iter()
            .find(|token| covers(token, offset))?;
        let range = word.start as usize..word.end as usize;
        let sections = match word.class {
            TokenClass::Keyword | TokenClass::Constant | TokenClass::Symbol => {
                words::all(&text[range.clone()])
            }
            _ => Vec::new(),
        };
        let kinds = kinds_of(&range);
        let text = sections.join("\n\n");
        (!sections.is_empty() || kinds.is_some()).then_some(Description {
            kinds,
            range,
            text,
            constant: None,
        })
    }

    /// Explains the target of a name, in words.
    fn explain(&self, target: &Target) -> Option<String> {
        match target {
            Target::Declared(span) => self.declaration(*span).map(heading_and_doc),
            Target::Builtin(name) => {
                let builtin = builtin(name).map(words::help_on_builtin);
                let sections: Vec<String> = builtin.into_iter().chain(words::all(name)).collect();
                (!sections.is_empty()).then(|| sections.join("\n\n"))
            }
            Target::Parameter(function, parameter) => {
                let known = builtin(function)?
                    .named
                    .iter()
                    .find(|known| known.name == *parameter)?;
                Some(format!(
                    "{}: {}, a parameter of {function}",
                    known.name, known.kinds
                ))
            }
            Target::Field(field) => Some(words::all(field).join("\n\n")),
            Target::FieldValue(field, value) => words::help_on_value(field, value),
        }
    }

    /// Returns the declarations of a file, with those inside others beneath them; parameters and
    /// variables are left out.
    pub fn outline(&self, analysis: &Analysis) -> Vec<Outline> {
        let shown =
            analysis
                .index
                .declarations
                .iter()
                .filter(|declaration| match declaration.kind {
                    DeclarationKind::Parameter | DeclarationKind::Variable => false,
                    DeclarationKind::Value
                    | DeclarationKind::Function
                    | DeclarationKind::Game
                    | DeclarationKind::Family
                    | DeclarationKind::Rules
                    | DeclarationKind::Test
                    | DeclarationKind::State
                    | DeclarationKind::RulesetLet
                    | DeclarationKind::Move
                    | DeclarationKind::Unknown => true,
                });
        let mut outline: Vec<Outline> = Vec::new();
        for declaration in shown {
            let new = Outline {
                declaration: declaration.clone(),
                inner: Vec::new(),
            };
            match outline.last_mut() {
                // Declarations are sorted by place, so only the latest outer one can enclose this
                // one.
                Some(outer) if declaration.span.end <= outer.declaration.span.end => {
                    outer.inner.push(new)
                }
                Some(_) | None => outline.push(new),
            }
        }
        outline
    }

    /// Returns the tokens of a file, each with its class and its meaning.
    pub fn tokens(&self, analysis: &Analysis) -> Vec<(Classified, Meaning)> {
        let classified = syntax::classify(&self.sources().get(analysis.source).text);
        classified
            .into_iter()
            .map(|token| (token, self.meaning(analysis, &token)))
            .collect()
    }

    fn meaning(&self, analysis: &Analysis, token: &Classified) -> Meaning {
        let span = Span {
            source: analysis.source,
            start: token.start,
            end: token.end,
        };
        let references = &analysis.index.references;
        if let Ok(at) = references.binary_search_by_key(&span, |reference| reference.span) {
            return match &references[at].target {
                Target::Declared(name) => Meaning::Declared(
                    self.declaration(*name)
                        .map_or(DeclarationKind::Unknown, |known| known.kind),
                ),
                Target::Builtin(_) => Meaning::Builtin,
                Target::Parameter(..) => Meaning::Parameter,
                Target::Field(_) => Meaning::Field,
                Target::FieldValue(..) => Meaning::FieldValue,
            };
        }
        analysis
            .declaration(span)
            .map_or(Meaning::Plain, |known| Meaning::Declaration(known.kind))
    }

    /// Returns the innermost call around a place whose function is known.
    pub fn call_at(&self, analysis: &Analysis, offset: usize) -> Option<CallAt> {
        let text = &self.sources().get(analysis.source).text;
        let (function, argument) = innermost_call(text.get(..offset)?)?;
        if let Some(definition) = analysis.definition(function) {
            let names = definition.signature.as_ref()?.names();
            let parameters = names.map(str::to_owned).collect();
            return Some(CallAt {
                heading: definition.heading(),
                parameters,
                argument,
            });
        }
        let builtin = builtin(function)?;
        let named = builtin
            .named
            .iter()
            .map(|parameter| format!("{}:", parameter.name));
        let parameters = builtin
            .parameters
            .iter()
            .map(|parameter| parameter.name.to_owned())
            .chain(named)
            .collect();
        Some(CallAt {
            heading: builtin.heading(),
            parameters,
            argument,
        })
    }

    /// Returns the path and text of a known file.
    pub fn text<'a>(&'a self, analysis: &'a Analysis) -> (&'a Path, &'a str) {
        (
            self.path(analysis.source).unwrap_or(&analysis.path),
            &self.sources().get(analysis.source).text,
        )
    }
}

/// Returns the function of the language with this name.
pub fn builtin(name: &str) -> Option<&'static BuiltinSignature> {
    library::signatures().find(|builtin| builtin.name == name)
}

/// Returns the function whose parentheses are open at the end of a text, and the number of commas
/// since.
pub fn innermost_call(before: &str) -> Option<(&str, usize)> {
    let tokens: Vec<Token> = syntax::tokens(before);
    let mut open: Vec<(Option<&str>, usize)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match (token.kind, token.text(before)) {
            (TokenKind::Open, bracket) => {
                let word = at.checked_sub(1).map(|before| tokens[before]);
                let word = word.filter(|word| {
                    bracket == "(" && word.kind == TokenKind::Word && word.end == token.start
                });
                open.push((word.map(|word| word.text(before)), 0));
            }
            (TokenKind::Close, _) => drop(open.pop()),
            (TokenKind::Symbol, ",") => {
                if let Some((_, commas)) = open.last_mut() {
                    *commas += 1;
                }
            }
            _ => {}
        }
    }
    open.into_iter()
        .rev()
        // Brackets that only group lie between the place and the call, and are passed over.
        .find_map(|(word, commas)| Some((word?, commas)))
}

/// Returns `true` if a name denotes one value wherever it is visible.
fn is_constant(known: &Declaration) -> bool {
    known.kind == DeclarationKind::Value && known.signature.is_none() && known.visible.is_none()
}

fn covers(token: &Classified, offset: usize) -> bool {
    token.start as usize <= offset && offset <= token.end as usize
}

/// Formats the heading of a declared name, with its documentation.
fn heading_and_doc(declaration: &Declaration) -> String {
    let what = match declaration.kind {
        DeclarationKind::Value | DeclarationKind::Function => "let ",
        DeclarationKind::Game | DeclarationKind::Family => "game ",
        DeclarationKind::Rules => "rules ",
        DeclarationKind::Test => "test ",
        DeclarationKind::State => "state ",
        DeclarationKind::Move => "move ",
        DeclarationKind::RulesetLet => "let ",
        DeclarationKind::Parameter | DeclarationKind::Variable | DeclarationKind::Unknown => "",
    };
    let heading = format!(
        "{what}{}",
        heading(&declaration.name, declaration.signature.as_ref())
    );
    match &declaration.doc {
        Some(doc) => format!("{heading}\n\n{}", doc.trim()),
        None => heading,
    }
}
