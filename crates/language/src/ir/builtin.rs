//! The signatures and help of builtin functions, which the checking of calls, completion, help and
//! the tests of the examples read.

use std::ops::RangeInclusive;

use super::Kinds;

/// The signature and the explanation of a builtin function. Its behaviour belongs to the evaluator.
#[derive(Debug)]
pub struct BuiltinSignature {
    /// The name by which it is called.
    pub name: &'static str,
    /// The positional parameters in order.
    pub parameters: &'static [Parameter],
    /// The number of positional parameters that must be given. The last one may be repeated if
    /// [`variadic`](Self::variadic).
    pub required: usize,
    /// `true` if the last parameter may be given many times.
    pub variadic: bool,
    /// The named parameters, all optional.
    pub named: &'static [Parameter],
    /// `true` if it accepts objectives of infinite play.
    pub endless: bool,
    /// `true` if it takes account of the income that positions have.
    pub income: bool,
    /// The kinds of the result.
    pub result: Kinds,
    /// The meaning, in a sentence or two.
    pub help: &'static str,
    /// Expressions, each with its printed result.
    pub examples: &'static [(&'static str, &'static str)],
}

/// A parameter of a builtin.
#[derive(Debug)]
pub struct Parameter {
    /// The name in help.
    pub name: &'static str,
    /// The kinds that it accepts.
    pub kinds: Kinds,
}

impl Parameter {
    /// Creates a parameter.
    pub const fn new(name: &'static str, kinds: Kinds) -> Self {
        Self { name, kinds }
    }
}

impl BuiltinSignature {
    /// Creates a builtin that takes exactly these arguments.
    pub const fn new(name: &'static str, parameters: &'static [Parameter], result: Kinds) -> Self {
        Self {
            name,
            parameters,
            required: parameters.len(),
            variadic: false,
            named: &[],
            endless: false,
            income: false,
            result,
            help: "",
            examples: &[],
        }
    }

    /// Returns the numbers of positional arguments that it takes.
    pub fn counts(&self) -> RangeInclusive<usize> {
        let most = if self.variadic {
            usize::MAX
        } else {
            self.parameters.len()
        };
        self.required..=most
    }

    /// Returns the parameter of the argument at an index.
    pub fn parameter(&self, index: usize) -> &Parameter {
        // The last parameter stands for all further arguments of a variadic builtin.
        &self.parameters[index.min(self.parameters.len() - 1)]
    }

    /// Returns the form of a call: `f(G, k)`, `moves(G[, a, b])`, `pivotal(G[, samples: …, seed:
    /// …])`.
    pub fn heading(&self) -> String {
        let names: Vec<&str> = self
            .parameters
            .iter()
            .map(|parameter| parameter.name)
            .collect();
        let (required, optional) = names.split_at(self.required);
        let mut heading = format!("{}({}", self.name, required.join(", "));
        heading.push_str(if self.variadic { ", …" } else { "" });
        let named: Vec<String> = self
            .named
            .iter()
            .map(|parameter| format!("{}: …", parameter.name))
            .collect();
        let rest = [optional.join(", "), named.join(", ")]
            .into_iter()
            .filter(|rest| !rest.is_empty());
        let open = if required.is_empty() { "[" } else { "[, " };
        let rest: Vec<String> = rest.map(|rest| format!("{open}{rest}]")).collect();
        heading + &rest.join("") + ")"
    }
}
