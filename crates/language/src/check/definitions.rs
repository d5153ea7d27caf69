//! The top-level names: the session's table of definitions, and the names visible in a file.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{BuiltinSignature, GlobalId, Kinds};
use crate::source::Span;

/// A top-level name.
#[derive(Debug, Clone)]
pub struct GlobalDefinition {
    /// The name.
    pub name: String,
    /// The place of the definition.
    pub span: Span,
    /// Its `///` documentation.
    pub doc: Option<String>,
    /// The kinds that it may have.
    pub kinds: Kinds,
    /// The signature, if it has parameters.
    pub signature: Option<FunctionSignature>,
}

/// The parameters and the result of a definition with parameters.
#[derive(Debug, Clone)]
pub struct FunctionSignature {
    /// The names of the parameters, each with the kinds that it accepts.
    pub parameters: Vec<(String, Kinds)>,
    /// The kinds that the result may have.
    pub result: Kinds,
    /// `true` if a call may ask a question about games, whose answer depends on the rules.
    pub asks: bool,
}

impl FunctionSignature {
    /// Returns the names of the parameters.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.parameters.iter().map(|(name, _)| name.as_str())
    }
}

/// Formats a name with the parameters of its signature, if it has one.
pub fn heading(name: &str, signature: Option<&FunctionSignature>) -> String {
    signature.map_or_else(
        || name.to_owned(),
        |signature| {
            format!(
                "{name}({})",
                signature.names().collect::<Vec<_>>().join(", ")
            )
        },
    )
}

impl GlobalDefinition {
    /// Returns `name` or `name(a, b)`, as messages and help print it.
    pub fn heading(&self) -> String {
        heading(&self.name, self.signature.as_ref())
    }
}

/// All top-level definitions of a session. An id stays valid when a later definition hides the
/// name.
#[derive(Debug, Clone)]
pub struct Definitions {
    builtins: BTreeMap<&'static str, &'static BuiltinSignature>,
    all: Vec<GlobalDefinition>,
    /// The folder to which paths in the source that is being checked are relative.
    folder: Rc<Path>,
}

impl Definitions {
    /// Creates a table that knows these builtins and no definitions.
    pub fn new(builtins: impl IntoIterator<Item = &'static BuiltinSignature>) -> Self {
        let builtins = builtins
            .into_iter()
            .map(|builtin| (builtin.name, builtin))
            .collect();
        Self {
            builtins,
            all: Vec::new(),
            folder: Path::new("").into(),
        }
    }

    /// Returns the folder to which paths in the source that is being checked are relative.
    pub fn folder(&self) -> &Rc<Path> {
        &self.folder
    }

    /// Sets the folder to which paths in the sources checked from now on are relative.
    pub fn set_folder(&mut self, folder: &Path) {
        self.folder = folder.into();
    }

    /// Returns the builtin with this name.
    pub fn builtin(&self, name: &str) -> Option<&'static BuiltinSignature> {
        self.builtins.get(name).copied()
    }

    /// Returns the names of all builtins.
    pub fn builtin_names(&self) -> impl Iterator<Item = &'static str> {
        self.builtins.keys().copied()
    }

    /// Returns the first builtin by name that has a named parameter of this name.
    pub fn builtin_with(&self, parameter: &str) -> Option<&'static BuiltinSignature> {
        let mut builtins = self.builtins.values().copied();
        builtins.find(|builtin| builtin.named.iter().any(|named| named.name == parameter))
    }

    /// Adds a definition and returns its id.
    pub fn add(&mut self, definition: GlobalDefinition) -> GlobalId {
        self.all.push(definition);
        GlobalId(u32::try_from(self.all.len() - 1).expect("fewer than 2^32 definitions"))
    }

    /// Returns the definition with this id.
    pub fn get(&self, id: GlobalId) -> &GlobalDefinition {
        &self.all[id.0 as usize]
    }

    /// Returns the definition with this id, to be completed.
    pub fn get_mut(&mut self, id: GlobalId) -> &mut GlobalDefinition {
        &mut self.all[id.0 as usize]
    }

    /// Returns the number of definitions.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns `true` if there are no definitions.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Removes the definitions from the `len`-th on, which rolls back a failed statement.
    pub fn truncate(&mut self, len: usize) {
        self.all.truncate(len);
    }
}

/// The top-level names visible at a place.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Shared, because each input at the prompt keeps the names before it until it proves correct.
    names: Rc<BTreeMap<String, GlobalId>>,
}

impl Scope {
    /// Finds the definition that a name stands for.
    pub fn find(&self, name: &str) -> Option<GlobalId> {
        self.names.get(name).copied()
    }

    /// Makes a name stand for a definition.
    pub fn insert(&mut self, name: String, id: GlobalId) {
        // The names are copied only if another scope still shares them.
        Rc::make_mut(&mut self.names).insert(name, id);
    }

    /// Makes a name stand for its definition in `before`, or for nothing if it has none there.
    pub fn restore(&mut self, name: &str, before: &Self) {
        self.set(name, before.find(name));
    }

    /// Makes a name stand for a definition, or for nothing.
    pub fn set(&mut self, name: &str, id: Option<GlobalId>) {
        match id {
            Some(id) => self.insert(name.to_owned(), id),
            None => {
                Rc::make_mut(&mut self.names).remove(name);
            }
        }
    }

    /// Makes every name visible in `other` visible here too.
    pub fn import(&mut self, other: &Self) {
        Rc::make_mut(&mut self.names)
            .extend(other.names.iter().map(|(name, id)| (name.clone(), *id)));
    }

    /// Returns the names with their definitions, in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, GlobalId)> {
        self.names.iter().map(|(name, id)| (name.as_str(), *id))
    }
}

/// Warns of the names that a file brought in by the `use` at a place takes from files before it.
pub fn hidden_names<'a>(
    names: impl IntoIterator<Item = &'a str>,
    place: Span,
) -> Option<Diagnostic> {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    let hides = match names.len() {
        0 => return None,
        1 => "hides the definition",
        _ => "hide the definitions",
    };
    let message = format!(
        "{} of this file {hides} of a file that is used before it",
        names.join(", ")
    );
    let diagnostic = Diagnostic::new(Code::Shadowed, message).label(place, "used here");
    Some(diagnostic.help("rename one of them, or change the order: the last definition counts"))
}
