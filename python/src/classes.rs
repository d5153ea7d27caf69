//! The classes of the package from which answers are made, looked up once.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// Declares the classes, each under its name in the package.
macro_rules! classes {
    ($($field:ident = $name:literal in $module:literal;)*) => {
        /// Classes written in Python.
        pub struct Classes {
            $(pub $field: Py<PyAny>,)*
        }

        impl Classes {
            fn find(py: Python<'_>) -> PyResult<Self> {
                Ok(Self { $($field: py.import($module)?.getattr($name)?.unbind(),)* })
            }
        }
    };
}

classes! {
    player = "Player" in "bid._values";
    outcome = "Outcome" in "bid._values";
    never = "Never" in "bid._values";
    interval = "Interval" in "bid._values";
    rational = "Rational" in "numbers";
    real = "Real" in "numbers";
    fraction = "Fraction" in "fractions";
    decimal = "Decimal" in "decimal";
    game = "Game" in "bid._game";
    function = "Function" in "bid._game";
    rules = "Rules" in "bid._answers";
    facts = "Facts" in "bid._answers";
    table = "Table" in "bid._answers";
    strategy = "Strategy" in "bid._answers";
    advice = "Advice" in "bid._answers";
    ply = "Move" in "bid._answers";
    let_move = "LetMove" in "bid._answers";
    moves = "Moves" in "bid._answers";
    valued_move = "ValuedMove" in "bid._answers";
    tree = "Tree" in "bid._answers";
    tree_node = "TreeNode" in "bid._answers";
    tree_move = "TreeMove" in "bid._answers";
    nash = "Nash" in "bid._answers";
    mixed_bid = "MixedBid" in "bid._answers";
    decided = "Decided" in "bid._answers";
    closed = "ClosedForm" in "bid._answers";
    formula = "Formula" in "bid._answers";
    exception = "Exceptional" in "bid._answers";
    listing = "Listing" in "bid._answers";
    answer = "Answer" in "bid._answers";
}

/// Returns the classes.
pub fn classes(py: Python<'_>) -> PyResult<&'static Classes> {
    static CLASSES: PyOnceLock<Classes> = PyOnceLock::new();
    CLASSES.get_or_try_init(py, || Classes::find(py))
}

/// Returns `true` if an object is an instance of a class.
pub fn is_a(object: &Bound<'_, PyAny>, class: &Py<PyAny>) -> bool {
    class
        .bind(object.py())
        .cast::<PyType>()
        .is_ok_and(|class| object.is_instance(class).unwrap_or(false))
}
