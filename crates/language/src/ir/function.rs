//! Functions and families of games as values.

use std::rc::Rc;

use crate::ir::{FunctionCode, RulesetTemplate, Value};
use crate::rules::Overrides;

/// A value that can be called with parentheses, other than builtins and games.
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
    /// A ruleset with parameters. A call yields the game at its start.
    Family {
        /// The template.
        ruleset: Rc<RulesetTemplate>,
    },
}

impl Function {
    /// Returns the name.
    pub fn name(&self) -> &str {
        match self {
            Self::Closure { code, .. } => &code.name,
            Self::Family { ruleset } => &ruleset.name,
        }
    }

    /// Returns the names of the parameters.
    pub fn parameters(&self) -> &[String] {
        match self {
            Self::Closure { code, .. } => &code.parameters,
            Self::Family { ruleset } => ruleset.parameters.as_deref().unwrap_or_default(),
        }
    }
}
