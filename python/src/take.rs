//! Converts answers to Python's objects.

use std::sync::Arc;

use bid_language::player::{Outcome, Player};
use bid_language::scalar::{NamedGame, Scalar};
use bid_report::{
    ClosedForm, ClosedFormula, DecisionRange, MixedBid, Moves, Nash, Report, ReportedAdvice,
    ReportedDecision, ReportedPly, ReportedPromise, Rest, Strategy, Table, Tree, TreeNode, Weight,
};
use num_rational::BigRational;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::chips::{self, PyChips};
use crate::classes::{Classes, classes};
use crate::give::GameRef;
use crate::written::Written;

/// The bytes of the stack that a level of a nested list may take, and the bytes of a new stack if
/// they are not left.
const ROOM: usize = 64 << 10;
const MORE_ROOM: usize = 2 << 20;

type Object<'py> = Bound<'py, PyAny>;

/// The conversion of answers to Python's objects.
pub struct Taking<'py> {
    py: Python<'py>,
    classes: &'static Classes,
    /// The session to which games belong, and its number.
    session: Option<(Object<'py>, u64)>,
}

impl<'py> Taking<'py> {
    /// Creates the conversion for the answers of a session.
    pub fn of(session: &Object<'py>, number: u64) -> PyResult<Self> {
        let py = session.py();
        Ok(Self {
            py,
            classes: classes(py)?,
            session: Some((session.clone(), number)),
        })
    }

    /// Creates the conversion for answers without games in them.
    pub fn without_games(py: Python<'py>) -> PyResult<Self> {
        Ok(Self {
            py,
            classes: classes(py)?,
            session: None,
        })
    }

    /// Converts an answer.
    pub fn report(&self, report: Report) -> PyResult<Object<'py>> {
        match report {
            Report::Scalar(scalar) => self.scalar(&scalar),
            Report::List(items) => {
                let items = self.reports(items.into_items())?;
                Ok(PyList::new(self.py, items)?.into_any())
            }
            Report::Tuple(items) => Ok(PyTuple::new(self.py, self.reports(items)?)?.into_any()),
            answer @ (Report::Rules(_)
            | Report::Record(_)
            | Report::Table(_)
            | Report::Strategy(_)
            | Report::Moves(_)
            | Report::Tree(_)
            | Report::Nash(_)
            | Report::Closed(_)
            | Report::Listing(_)
            | Report::Hasse(_)
            | Report::Drawing(_)
            | Report::Plot(_)
            | Report::Heat(_)
            | Report::Pivotal(_)
            | Report::Sequence(_)) => self.answer(&Arc::new(answer)),
        }
    }

    /// Converts the elements of a list. A function of the language may nest lists more deeply than
    /// the stack of a Python thread allows.
    fn reports(&self, items: Vec<Report>) -> PyResult<Vec<Object<'py>>> {
        stacker::maybe_grow(ROOM, MORE_ROOM, || {
            items.into_iter().map(|item| self.report(item)).collect()
        })
    }

    /// Converts an answer that is more than a value to an object that can also be written.
    pub fn answer(&self, report: &Arc<Report>) -> PyResult<Object<'py>> {
        // An answer without games need not keep its session alive.
        let session = self.session.as_ref().filter(|_| report.mentions_games());
        let written = Written {
            report: Arc::clone(report),
            session: session.map(|(session, number)| (session.clone().unbind(), *number)),
        };
        let written = Bound::new(self.py, written)?.into_any();
        let plain = match &**report {
            Report::Sequence(both) => &both.answer,
            other => other,
        };
        match plain {
            Report::Rules(fields) => {
                let words = PyDict::new(self.py);
                for field in fields {
                    let (name, value) = field.words();
                    words.set_item(name, value)?;
                }
                self.make(&self.classes.rules, (written, words))
            }
            Report::Record(facts) => {
                let named = PyDict::new(self.py);
                for (name, fact) in facts {
                    named.set_item(name, self.report(fact.clone())?)?;
                }
                self.make(&self.classes.facts, (written, named))
            }
            Report::Table(table) => self.table(written, table),
            Report::Strategy(strategy) => self.strategy(written, strategy),
            Report::Moves(moves) => self.moves(written, moves),
            Report::Tree(tree) => self.tree(written, tree),
            Report::Nash(nash) => self.nash(written, nash),
            Report::Closed(form) => self.closed(written, form),
            Report::Listing(listing) => {
                let rows = listing
                    .rows
                    .iter()
                    .map(|row| self.scalars(row))
                    .collect::<PyResult<Vec<_>>>()?;
                self.make(
                    &self.classes.listing,
                    (written, listing.columns.clone(), rows, &listing.note),
                )
            }
            Report::Scalar(_)
            | Report::List(_)
            | Report::Tuple(_)
            | Report::Hasse(_)
            | Report::Drawing(_)
            | Report::Plot(_)
            | Report::Heat(_)
            | Report::Pivotal(_)
            | Report::Sequence(_) => self.make(&self.classes.answer, (written,)),
        }
    }

    fn make(
        &self,
        class: &Py<PyAny>,
        arguments: impl pyo3::call::PyCallArgs<'py>,
    ) -> PyResult<Object<'py>> {
        class.bind(self.py).call1(arguments)
    }

    /// Converts a single word or number.
    pub fn scalar(&self, scalar: &Scalar) -> PyResult<Object<'py>> {
        let py = self.py;
        Ok(match scalar {
            Scalar::Integer(value) => value.into_pyobject(py)?.into_any(),
            Scalar::Rational(value) => self.rational(value)?,
            Scalar::Chips(chips) => Bound::new(py, PyChips(chips.clone()))?.into_any(),
            Scalar::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
            Scalar::String(text) => text.into_pyobject(py)?.into_any(),
            Scalar::Player(player) => self.player(*player)?,
            Scalar::Outcome(outcome) => self.outcome(*outcome)?,
            Scalar::Word("never") => self.classes.never.bind(py).getattr("never")?,
            Scalar::Word(word) => word.into_pyobject(py)?.into_any(),
            Scalar::Game(game) => self.game(game)?,
            Scalar::Interval(bounds) => {
                let exact = |end| {
                    BigRational::from_float(end)
                        .ok_or_else(|| PyValueError::new_err(format!("{end} is not a bound")))
                };
                self.interval(&exact(bounds.low)?, &exact(bounds.high)?)?
            }
            Scalar::Bounds(bounds) => self.interval(&bounds.low, &bounds.high)?,
            Scalar::Equilibrium(value) => self.scalar(value)?,
            Scalar::Tuple(parts) => PyTuple::new(py, self.scalars(parts)?)?.into_any(),
            Scalar::Function { name, parameters } => {
                let session = self.session.as_ref().map(|(session, _)| session.clone());
                self.make(&self.classes.function, (session, name, parameters.clone()))?
            }
        })
    }

    fn scalars(&self, scalars: &[Scalar]) -> PyResult<Vec<Object<'py>>> {
        scalars.iter().map(|scalar| self.scalar(scalar)).collect()
    }

    fn rational(&self, value: &BigRational) -> PyResult<Object<'py>> {
        // A whole number becomes an `int`, which Python also accepts as an index.
        if value.is_integer() {
            return Ok(value.numer().into_pyobject(self.py)?.into_any());
        }
        Ok(value.into_pyobject(self.py)?.into_any())
    }

    fn interval(&self, low: &BigRational, high: &BigRational) -> PyResult<Object<'py>> {
        self.make(
            &self.classes.interval,
            (low.into_pyobject(self.py)?, high.into_pyobject(self.py)?),
        )
    }

    fn player(&self, player: Player) -> PyResult<Object<'py>> {
        self.classes.player.bind(self.py).getattr(player.word())
    }

    fn outcome(&self, outcome: Outcome) -> PyResult<Object<'py>> {
        self.classes.outcome.bind(self.py).getattr(outcome.word())
    }

    /// Converts a game of the session; without a session it becomes its text.
    pub fn game(&self, game: &NamedGame) -> PyResult<Object<'py>> {
        let Some((session, number)) = &self.session else {
            return Ok((&game.text).into_pyobject(self.py)?.into_any());
        };
        let reference = GameRef {
            session: *number,
            game: game.clone(),
        };
        self.make(
            &self.classes.game,
            (session, Bound::new(self.py, reference)?),
        )
    }

    fn table(&self, written: Object<'py>, table: &Table) -> PyResult<Object<'py>> {
        let labels: Vec<&str> = table.rows.iter().map(|row| row.label.as_str()).collect();
        self.make(
            &self.classes.table,
            (written, &table.parameter, labels, table.columns.len()),
        )
    }

    fn ply(&self, ply: &ReportedPly) -> PyResult<Object<'py>> {
        self.make(
            &self.classes.ply,
            (self.player(ply.player)?, &ply.action, &ply.position),
        )
    }

    fn decision(&self, decision: &ReportedDecision) -> PyResult<Object<'py>> {
        match decision {
            ReportedDecision::Move(ply) => self.ply(ply),
            ReportedDecision::LetMove(player) => {
                self.make(&self.classes.let_move, (self.player(*player)?,))
            }
        }
    }

    fn strategy(&self, written: Object<'py>, strategy: &Strategy) -> PyResult<Object<'py>> {
        let advice = strategy
            .advice
            .iter()
            .map(|advice| self.advice(advice))
            .collect::<PyResult<Vec<_>>>()?;
        self.make(&self.classes.strategy, (written, advice))
    }

    fn advice(&self, advice: &ReportedAdvice) -> PyResult<Object<'py>> {
        let decision = |decision: &Option<ReportedDecision>| {
            decision
                .as_ref()
                .map(|found| self.decision(found))
                .transpose()
        };
        let forced = |ply: &Option<ReportedPly>| ply.as_ref().map(|ply| self.ply(ply)).transpose();
        let (promise, score) = match &advice.promise {
            ReportedPromise::Win => ("win", None),
            ReportedPromise::NoLoss => ("no_loss", None),
            ReportedPromise::Nothing => ("nothing", None),
            ReportedPromise::AtLeast(score) => ("at_least", Some(self.scalar(score)?)),
            ReportedPromise::AtMost(score) => ("at_most", Some(self.scalar(score)?)),
        };
        let arguments = (
            self.player(advice.player)?,
            promise,
            score,
            advice
                .bid
                .as_ref()
                .map(|bid| self.rational(bid))
                .transpose()?,
            advice.use_advantage,
            decision(&advice.decision)?,
            decision(&advice.tied_decision)?,
            forced(&advice.forced)?,
            forced(&advice.tied_forced)?,
            advice
                .forced_by_more
                .iter()
                .map(|forced| Ok((forced.from, self.ply(&forced.ply)?)))
                .collect::<PyResult<Vec<_>>>()?,
        );
        self.make(&self.classes.advice, arguments)
    }

    fn moves(&self, written: Object<'py>, moves: &Moves) -> PyResult<Object<'py>> {
        let valued = moves.moves.iter().map(|valued| {
            let ply = &valued.ply;
            let arguments = (
                self.player(ply.player)?,
                &ply.action,
                &ply.position,
                self.scalar(&valued.value)?,
                valued.best,
            );
            self.make(&self.classes.valued_move, arguments)
        });
        self.make(
            &self.classes.moves,
            (
                written,
                &moves.measure,
                valued.collect::<PyResult<Vec<_>>>()?,
            ),
        )
    }

    fn tree(&self, written: Object<'py>, tree: &Tree) -> PyResult<Object<'py>> {
        let nodes = tree
            .nodes
            .iter()
            .map(|node| self.node(node))
            .collect::<PyResult<Vec<_>>>()?;
        self.make(&self.classes.tree, (written, &tree.measure, nodes))
    }

    fn node(&self, node: &TreeNode) -> PyResult<Object<'py>> {
        let moves = node.moves.iter().map(|edge| {
            self.make(
                &self.classes.tree_move,
                (self.player(edge.player)?, &edge.action, edge.to),
            )
        });
        let rest = match node.rest {
            Rest::Shown => "shown",
            Rest::Decided => "decided",
            Rest::LeftOut => "left_out",
        };
        let moves = moves.collect::<PyResult<Vec<_>>>()?;
        let turn = node.turn.map(|player| self.player(player)).transpose()?;
        let income = node.income.iter();
        let income = income
            .map(|income| Ok((self.player(income.player)?, self.scalar(&income.part)?)))
            .collect::<PyResult<Vec<_>>>()?;
        self.make(
            &self.classes.tree_node,
            (
                &node.position,
                self.scalar(&node.value)?,
                moves,
                rest,
                turn,
                income,
            ),
        )
    }

    fn nash(&self, written: Object<'py>, nash: &Nash) -> PyResult<Object<'py>> {
        let players = nash
            .players
            .iter()
            .map(|mixed| self.mixed(mixed))
            .collect::<PyResult<Vec<_>>>()?;
        self.make(
            &self.classes.nash,
            (written, self.scalar(&nash.value)?, nash.method, players),
        )
    }

    fn mixed(&self, mixed: &MixedBid) -> PyResult<Object<'py>> {
        let bids = PyDict::new(self.py);
        for (bid, weight) in &mixed.bids {
            match weight {
                Weight::Exact(exact) => bids.set_item(bid, self.rational(exact)?)?,
                Weight::Float(float) => bids.set_item(bid, *float)?,
            }
        }
        let decisions = mixed
            .decisions
            .iter()
            .map(|decided| self.decided(decided))
            .collect::<PyResult<Vec<_>>>()?;
        self.make(
            &self.classes.mixed_bid,
            (
                self.player(mixed.player)?,
                self.purse(&mixed.chips)?,
                bids,
                decisions,
            ),
        )
    }

    fn decided(&self, decided: &DecisionRange) -> PyResult<Object<'py>> {
        let range = |(least, most): &(String, String)| -> PyResult<_> {
            Ok((self.purse(least)?, self.purse(most)?))
        };
        let (least, most) = range(&decided.chips)?;
        let against = decided.against.as_ref().map(range).transpose()?;
        self.make(
            &self.classes.decided,
            (
                least,
                most,
                self.decision(&decided.decision)?,
                &decided.position,
                against,
                !decided.won,
            ),
        )
    }

    /// Converts a player's purse: an integer, or chips with their mark.
    fn purse(&self, text: &str) -> PyResult<Object<'py>> {
        match chips::read(text) {
            Some(chips) => self.scalar(&Scalar::from(&chips)),
            None => Ok(text.into_pyobject(self.py)?.into_any()),
        }
    }

    fn closed(&self, written: Object<'py>, form: &ClosedForm) -> PyResult<Object<'py>> {
        let formulas = form
            .formulas
            .iter()
            .map(|formula| self.formula(formula))
            .collect::<PyResult<Vec<_>>>()?;
        self.make(&self.classes.closed, (written, formulas, &form.proof))
    }

    fn formula(&self, formula: &ClosedFormula) -> PyResult<Object<'py>> {
        let exceptions = formula.exceptions.iter().map(|found| {
            let arguments = (
                found.total,
                self.scalar(&found.value)?,
                self.scalar(&found.formula)?,
            );
            self.make(&self.classes.exception, arguments)
        });
        let exceptions = exceptions.collect::<PyResult<Vec<_>>>()?;
        let terms = self.scalars(&formula.terms)?;
        self.make(
            &self.classes.formula,
            (
                &formula.label,
                formula.period,
                formula.increment,
                terms,
                exceptions,
            ),
        )
    }
}
