//! Remembers the values of calls. Functions are pure, so a call with the same arguments under the
//! same rules has the same value. Definitions such as `game points(a, b) = … points(a - 1, b) ∧
//! points(a, b - 1)` then take as many calls as there are games, not as many as there are paths.

use std::rc::Rc;

use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_hash::FxHashMap;

use crate::ir::{FunctionCode, Value};
use crate::player::{GameId, Player};
use crate::rules::Overrides;

/// The most calls that are remembered; all are dropped when the number is reached.
const MOST: usize = 1 << 20;

/// An argument that is cheap to compare.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Atom {
    Integer(BigInt),
    Rational(BigRational),
    Bool(bool),
    Player(Player),
    Game(GameId),
}

/// A call that can be remembered.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct CallKey {
    /// The address of the code, which lives as long as the evaluation.
    code: usize,
    arguments: Vec<Atom>,
}

/// The remembered calls, all under the same rules.
#[derive(Debug, Default)]
pub(super) struct Memo {
    values: FxHashMap<CallKey, Value>,
    rules: (Rc<Overrides>, Overrides),
}

impl Memo {
    /// Returns the key of a call, if all its arguments are simple.
    pub fn key(code: &Rc<FunctionCode>, arguments: &[Value]) -> Option<CallKey> {
        let atom = |argument: &Value| match argument {
            Value::Integer(n) => Some(Atom::Integer(n.clone())),
            Value::Rational(q) => Some(Atom::Rational(q.clone())),
            Value::Bool(value) => Some(Atom::Bool(*value)),
            Value::Player(player) => Some(Atom::Player(*player)),
            Value::Game(game) => Some(Atom::Game(*game)),
            // Long values would cost more to hash than most calls take.
            _ => None,
        };
        let arguments = arguments.iter().map(atom).collect::<Option<Vec<Atom>>>()?;
        Some(CallKey {
            code: Rc::as_ptr(code) as usize,
            arguments,
        })
    }

    /// Returns the value of a call under these rules, if it is remembered.
    pub fn recall(
        &mut self,
        key: &CallKey,
        defaults: &Rc<Overrides>,
        explicit: &Overrides,
    ) -> Option<Value> {
        // Rules change rarely, so forgetting all is cheaper than rules in each key.
        if self.rules.0 != *defaults || self.rules.1 != *explicit {
            self.values.clear();
            self.rules = (Rc::clone(defaults), explicit.clone());
        }
        self.values.get(key).cloned()
    }

    /// Remembers a call under the rules of the last [`recall`](Self::recall).
    pub fn remember(
        &mut self,
        key: CallKey,
        defaults: &Rc<Overrides>,
        explicit: &Overrides,
        value: &Value,
    ) {
        // A call inside may have changed to other rules, under which the value would be wrong.
        if self.rules.0 != *defaults || self.rules.1 != *explicit {
            return;
        }
        if self.values.len() == MOST {
            self.values.clear();
        }
        self.values.insert(key, value.clone());
    }
}
