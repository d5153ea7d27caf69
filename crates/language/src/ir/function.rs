//! Functions and families of games as values.

use std::rc::Rc;

use crate::ir::{FunctionCode, RulesetTemplate, Value};
use crate::rules::Overrides;

/// What can be called with parentheses besides builtins and games.
#[derive(Debug)]
pub enum Function {
    /// A `let` or `game … = …` with parameters.
    Closure {
        /// The code.
        code: Rc<FunctionCode>,
        /// The captured values.
        captured: Vec<Value>,
        /// The default rules of the file that defines it.
        defaults: Rc<Overrides>,
    },
    /// A ruleset with parameters: called, it gives the game at its start.
    Family {
        /// The template.
        ruleset: Rc<RulesetTemplate>,
    },
}

impl Function {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Self::Closure { code, .. } => &code.name,
            Self::Family { ruleset } => &ruleset.name,
        }
    }

    /// The names of its parameters.
    pub fn parameters(&self) -> &[String] {
        match self {
            Self::Closure { code, .. } => &code.parameters,
            Self::Family { ruleset } => ruleset.parameters.as_deref().unwrap_or_default(),
        }
    }
}
