//! What a builtin function looks like from outside: checking of calls, completion, help and the
//! tests of the examples read it.

use super::Kinds;

/// A builtin function as it is called and explained; what it does is the evaluator's.
#[derive(Debug)]
pub struct BuiltinSignature {
    /// The name it is called by.
    pub name: &'static str,
    /// The positional parameters in order.
    pub parameters: &'static [Parameter],
    /// How many of them must be given; the last one may be repeated if
    /// [`variadic`](Self::variadic).
    pub required: usize,
    /// Whether the last parameter may be given many times.
    pub variadic: bool,
    /// The named parameters, all optional.
    pub named: &'static [Parameter],
    /// Whether it answers under objectives of infinite play, or whatever the rules are.
    pub endless: bool,
    /// What comes out.
    pub result: Kinds,
    /// What it means, in a sentence or two.
    pub help: &'static str,
    /// Expressions with what they print.
    pub examples: &'static [(&'static str, &'static str)],
}

/// A parameter of a builtin.
#[derive(Debug)]
pub struct Parameter {
    /// What help calls it.
    pub name: &'static str,
    /// What it must be.
    pub kinds: Kinds,
}

impl BuiltinSignature {
    /// A builtin that takes exactly these arguments.
    pub const fn new(name: &'static str, parameters: &'static [Parameter], result: Kinds) -> Self {
        Self {
            name,
            parameters,
            required: parameters.len(),
            variadic: false,
            named: &[],
            endless: false,
            result,
            help: "",
            examples: &[],
        }
    }

    /// Whether it takes this many positional arguments.
    pub fn takes(&self, count: usize) -> bool {
        count >= self.required && (self.variadic || count <= self.parameters.len())
    }

    /// The parameter at a place.
    pub fn parameter(&self, index: usize) -> &Parameter {
        &self.parameters[index.min(self.parameters.len() - 1)]
    }

    /// How it is called: `f(G, k)`, `moves(G[, a, b])`, `pivotal(G[, samples: …, seed: …])`.
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
