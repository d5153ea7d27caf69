//! What is known of top-level names: the session's table and the names visible in a file.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use crate::ir::{BuiltinSignature, GlobalId, Kinds};
use crate::source::Span;

/// A top-level name.
#[derive(Debug, Clone)]
pub struct GlobalDefinition {
    /// The name.
    pub name: String,
    /// Where it was defined.
    pub span: Span,
    /// Its `///` documentation.
    pub doc: Option<String>,
    /// What it may be.
    pub kinds: Kinds,
    /// How it is called, if it has parameters.
    pub signature: Option<FunctionSignature>,
}

/// The parameters and the result of a definition with parameters.
#[derive(Debug, Clone)]
pub struct FunctionSignature {
    /// The names of the parameters with what each must be.
    pub parameters: Vec<(String, Kinds)>,
    /// What comes out.
    pub result: Kinds,
}

impl GlobalDefinition {
    /// `name` or `name(a, b)`.
    pub fn heading(&self) -> String {
        match &self.signature {
            None => self.name.clone(),
            Some(signature) => {
                let names: Vec<&str> = signature
                    .parameters
                    .iter()
                    .map(|(name, _)| name.as_str())
                    .collect();
                format!("{}({})", self.name, names.join(", "))
            }
        }
    }
}

/// All top-level definitions of a session; an id stays valid when a later definition hides the
/// name.
#[derive(Debug, Clone)]
pub struct Definitions {
    builtins: BTreeMap<&'static str, &'static BuiltinSignature>,
    all: Vec<GlobalDefinition>,
    /// The folder that paths in the source are relative to that is being checked.
    folder: Rc<Path>,
}

impl Definitions {
    /// Nothing defined; these builtins are known.
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

    /// The folder that paths are relative to in the source that is being checked.
    pub fn folder(&self) -> &Rc<Path> {
        &self.folder
    }

    /// From now on sources are checked whose paths are relative to this folder.
    pub fn set_folder(&mut self, folder: &Path) {
        self.folder = folder.into();
    }

    /// The builtin with this name.
    pub fn builtin(&self, name: &str) -> Option<&'static BuiltinSignature> {
        self.builtins.get(name).copied()
    }

    /// The names of all builtins.
    pub fn builtin_names(&self) -> impl Iterator<Item = &'static str> {
        self.builtins.keys().copied()
    }

    /// Keeps a definition.
    pub fn add(&mut self, definition: GlobalDefinition) -> GlobalId {
        self.all.push(definition);
        GlobalId(u32::try_from(self.all.len() - 1).expect("fewer than 2^32 definitions"))
    }

    /// A definition.
    pub fn get(&self, id: GlobalId) -> &GlobalDefinition {
        &self.all[id.0 as usize]
    }

    /// A definition, to be completed.
    pub fn get_mut(&mut self, id: GlobalId) -> &mut GlobalDefinition {
        &mut self.all[id.0 as usize]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Forgets the definitions from the `len`-th on: the roll-back of a failed statement.
    pub fn truncate(&mut self, len: usize) {
        self.all.truncate(len);
    }
}

/// The top-level names visible at a place.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Shared, as each input at the prompt keeps those before it until it is known to be right.
    names: Rc<BTreeMap<String, GlobalId>>,
}

impl Scope {
    /// What a name stands for.
    pub fn find(&self, name: &str) -> Option<GlobalId> {
        self.names.get(name).copied()
    }

    /// Makes a name stand for a definition.
    pub fn insert(&mut self, name: String, id: GlobalId) {
        Rc::make_mut(&mut self.names).insert(name, id);
    }

    /// Makes a name stand for what it stood for before, or for nothing.
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

    /// Makes everything visible here that is visible there.
    pub fn import(&mut self, other: &Self) {
        Rc::make_mut(&mut self.names)
            .extend(other.names.iter().map(|(name, id)| (name.clone(), *id)));
    }

    /// The names with their definitions, in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, GlobalId)> {
        self.names.iter().map(|(name, id)| (name.as_str(), *id))
    }
}
