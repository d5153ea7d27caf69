//! Queries about all totals at once: `table`, `stable`, `openings`, and `period` of a game.

use std::collections::HashSet;
use std::rc::Rc;

use crate::diagnostic::{Result, counted};
use crate::eval::{Builtin, Call, Evaluator, graphs};
use crate::game::{Explored, NodeId, print_position};
use crate::ir::{Kinds, Parameter, Value};
use crate::library::GAME;
use crate::library::play::moves::node_of;
use crate::library::totals::budget_forms::against_all;
use crate::player::{GameId, Player};
use crate::report::{self, ClosedForm, Listing, Report, fact};
use crate::rules::{ChipMark, Chips};
use crate::scalar::Scalar;
use crate::solve::sequences::{
    FormulaCase, Sequences, Settling, ThresholdFormula, Totals, TotalsShape,
};

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = builtins! {
    "table"(GAME) -> Kinds::ANSWER, Some(graphs), table,
        { named: &[Parameter::new("bob", Kinds::INTEGER)] }
        "f(G, k) for all k in closed form, such as f(G, 4n + r) = 3n + t_r, with the finitely many \
         exceptions and the method of proof. As a list: the period, the increment, the list of the \
         t_r, the list of the exceptions (k, f). `table(G, bob: n)` is f(G, bob: b) for all budgets \
         b of Bob's, or sure(G, b) under all-pay bidding. It is proved where no play has a cycle; \
         otherwise it is the pattern seen up to b = n, a formula of the same kind or ⌊αb + β⌋. It \
         comes with the amount that real-valued bidding needs against 1, and the distance of the \
         chips from it.",
        "table(A ∧ B^2)" => "f(A ∧ B^2, 8n + r) = 3n + t_r\n\n8n + r  +0  +1  +2  +3  +4  +5  +6  +7\n0       0*  0*  1   1*  2   2   2*  3\n\n\
                 proved for every k: 5 positions with 5 sequences, computed exactly from those of\ntheir moves",
        "table(E) == [2, 1, [0*, 1], []]" => "true",
        "table(A ∧ B^2, bob: 40) using { pay: poorman, ties: ladies_first }" => "f(A ∧ B^2, bob: 3n + r) = 2n + t_r\n\n3n + r  +0  +1  +2\n0       0   0   1\n\n\
                 proved for every b: computed exactly from the thresholds after each move\n\n\
                 f/b at b = 40    13/20\nR/(1 − R)        2/3\nf − b·R/(1 − R)  from -2 to 2 for every b, proved";
    "stable"(GAME) -> Kinds::ANSWER, Some(graphs), stable,
        "The totals k for which G is stable: both players have optimal strategies whose every move is \
         optimal for real-valued bidding too, however the k chips are divided.",
        "stable(A ∧ B^2)" => "stable  all k";
    "openings"(GAME) -> Kinds::ANSWER, Some(graphs), openings,
        "The totals k for which each first move of either player is optimal: f(G, k) would be the \
         same without the player's other moves. Moves to positions that are equal up to symmetry are \
         listed once.",
        "openings(A^2 ∧ B)" => "player  to   optimal for\nalice   A^2  all k\nalice   B    no k\nbob     A^2  no k\nbob     B    all k";
};

/// A game as a vertex of a graph that is solved for all totals.
struct SolvedTotals {
    explored: Rc<Explored>,
    sequences: Rc<Sequences>,
    node: NodeId,
}

impl SolvedTotals {
    /// Returns the proof of the sequences, in words.
    fn proof(&self) -> String {
        let reachable = self.explored.graph.reachable(self.node);
        let classes: HashSet<_> = reachable
            .iter()
            .map(|&node| self.sequences.class(node))
            .collect();
        format!(
            "proved for every k: {} with {}, computed exactly from those of their moves{}",
            counted(reachable.len(), "position"),
            counted(classes.len(), "sequence"),
            self.window(),
        )
    }
}

impl SolvedTotals {
    /// Returns the part of the proof that is needed on cycles.
    fn window(&self) -> String {
        let Some(Settling { from, period }) = self.sequences.settling() else {
            return String::new();
        };
        format!(
            ";\non cycles by Develin & Payne, Theorems 3.12 to 3.14: stable play is optimal for k = {from} to {}, M = {} in a row",
            from + period - 1,
            counted(period, "total")
        )
    }
}

fn solved_for_all(evaluator: &mut Evaluator<'_>, game: GameId) -> Result<SolvedTotals> {
    let rules = evaluator.rules();
    let context = evaluator.context;
    let place = evaluator.ask().locate_start(game)?;
    let sequences = place.solved.sequences(&rules, context)?;
    Ok(SolvedTotals {
        explored: Rc::clone(&place.solved.explored),
        sequences,
        node: place.node,
    })
}

fn table(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    if let Some((_, budget)) = call.named.first() {
        return against_all(evaluator, call, &budget.value, budget.span);
    }
    let solved = solved_for_all(evaluator, call.game())?;
    let sequences = &solved.sequences;
    let formulas = sequences.formulas(sequences.class(solved.node));
    let proof = solved.proof();
    let values: Vec<Value> = formulas.iter().map(formula_value).collect();
    let label = &call.labels[0];
    let label = format!("f({label}, k)");
    let formulas = formulas
        .into_iter()
        .map(|formula| printed(&label, "k", formula))
        .collect();
    let closed = ClosedForm {
        formulas,
        lines: Vec::new(),
        proof,
        limits: Vec::new(),
    };
    let elements = match &values[..] {
        // With a single formula its parts are the answer, without a list around them.
        [Value::List(parts)] => parts.to_vec(),
        _ => values,
    };
    Ok(Value::answer_row(Report::Closed(closed), elements))
}

pub(crate) fn printed(
    label: &str,
    variable: &'static str,
    formula: ThresholdFormula,
) -> report::ClosedFormula {
    report::ClosedFormula {
        label: format!("{label}{}", whose(formula.part)),
        variable,
        period: formula.period,
        increment: formula.increment,
        terms: formula.terms.iter().map(scalar).collect(),
        exceptions: formula
            .exceptions
            .iter()
            .map(|(total, value, formula)| report::Exception {
                total: *total,
                value: scalar(value),
                formula: scalar(formula),
            })
            .collect(),
    }
}

/// Returns the cases in which a formula holds, in words.
pub(crate) fn whose(part: FormulaCase) -> &'static str {
    match part {
        FormulaCase::Whole => "",
        FormulaCase::With => " with the tie status",
        FormulaCase::Without => " without the tie status",
        FormulaCase::Richer => " where ties are won",
        FormulaCase::Poorer => " where ties are lost",
    }
}

fn scalar(chips: &Chips) -> Scalar {
    match chips.mark {
        ChipMark::None => Scalar::Integer(chips.count.clone()),
        ChipMark::Star | ChipMark::MinusEpsilon => Scalar::Chips(chips.clone()),
    }
}

pub(crate) fn formula_value(formula: &ThresholdFormula) -> Value {
    let terms = Value::list(formula.terms.iter().cloned().map(Value::chips));
    let exceptions = formula.exceptions.iter().map(|(total, value, _)| {
        Value::tuple([Value::integer(*total), Value::chips(value.clone())])
    });
    Value::list([
        Value::integer(formula.period),
        Value::integer(formula.increment),
        terms,
        Value::list(exceptions),
    ])
}

/// Evaluates `period(G)`: the period of each row that `table` has.
pub(crate) fn period(evaluator: &mut Evaluator<'_>, game: GameId, label: &str) -> Result<Value> {
    let solved = solved_for_all(evaluator, game)?;
    let formulas = solved
        .sequences
        .formulas(solved.sequences.class(solved.node));
    let facts = |formula: &ThresholdFormula| [formula.period, formula.from, formula.increment];
    if let [formula] = &formulas[..] {
        let facts = facts(formula);
        let named = NAMES.iter().zip(facts);
        let named = named.map(|(name, value)| fact(*name, value)).collect();
        return Ok(Value::answer_row(
            Report::Record(named),
            facts.map(Value::integer),
        ));
    }
    let row = |formula: &ThresholdFormula| {
        let named = Scalar::String(format!("f({label}, k){}", whose(formula.part)));
        std::iter::once(named)
            .chain(facts(formula).map(Scalar::from))
            .collect()
    };
    let columns = std::iter::once("").chain(NAMES);
    let listing = Listing::new(columns, formulas.iter().map(row).collect());
    let elements: Vec<Value> = formulas
        .iter()
        .map(|formula| Value::list(facts(formula).map(Value::integer)))
        .collect();
    Ok(Value::answer_row(Report::Listing(listing), elements))
}

/// The names of the values of a formula that `period` shows.
const NAMES: [&str; 3] = ["period", "from", "increment"];

fn stable(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    let solved = solved_for_all(evaluator, game)?;
    let rules = evaluator.rules();
    let context = evaluator.context;
    let values = evaluator
        .ask()
        .locate_start(game)?
        .solved
        .richman(&rules, context)?;
    let graph = &solved.explored.graph;
    let kept = |player| Sequences::solve_stable(graph, &rules, player, &values, context);
    let totals = solved.sequences.agreeing(
        &[&kept(Player::Alice)?, &kept(Player::Bob)?],
        solved.node,
        context,
    )?;
    let report = Report::Record(vec![fact("stable", words(&totals))]);
    Ok(Value::answer_row(report, [Value::text(words(&totals))]))
}

fn openings(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    let solved = solved_for_all(evaluator, game)?;
    let mut rows = Vec::new();
    for player in Player::BOTH {
        let mut heads: Vec<(NodeId, String, GameId)> = Vec::new();
        for named in evaluator.named_moves(game, player)? {
            let node = node_of(evaluator, &solved.explored, named.to);
            // Symmetric moves lead to one vertex, and the first stands for all of them.
            if heads.iter().all(|(known, ..)| *known != node) {
                heads.push((node, named.action, named.to));
            }
        }
        for (node, action, to) in heads {
            let totals = solved.sequences.optimal(
                &solved.explored.graph,
                solved.node,
                player,
                node,
                evaluator.context,
            )?;
            rows.push((
                player,
                action,
                print_position(&evaluator.world.games, to),
                words(&totals),
            ));
        }
    }
    let elements: Vec<Value> = rows
        .iter()
        .map(|(player, action, position, totals)| {
            // A move without a name is known by the position that it leads to.
            let told = if action.is_empty() { position } else { action };
            Value::tuple([
                Value::Player(*player),
                Value::text(told.as_str()),
                Value::text(totals.as_str()),
            ])
        })
        .collect();
    Ok(Value::answer_row(Report::Listing(listed(rows)), elements))
}

/// Makes the list of moves. The column of names is left out if no move has one: moves have names
/// only in rulesets.
fn listed(rows: Vec<(Player, String, String, String)>) -> Listing {
    let named = rows.iter().any(|(_, action, ..)| !action.is_empty());
    let columns = ["player", "move", "to", "optimal for"].into_iter();
    let columns = columns.filter(|column| named || *column != "move");
    let cells = |(player, action, position, totals): (Player, String, String, String)| {
        let mut cells = vec![Scalar::Player(player)];
        if named {
            cells.push(Scalar::String(action));
        }
        cells.extend([Scalar::String(position), Scalar::String(totals)]);
        cells
    };
    Listing::new(columns, rows.into_iter().map(cells).collect())
}

/// Formats a set of totals: `all k but 5`, `k ≡ 0, 3 (mod 8)`.
pub(crate) fn words(totals: &Totals) -> String {
    let list = |totals: &[u64]| {
        totals
            .iter()
            .map(u64::to_string)
            .collect::<Vec<_>>()
            .join(", ")
    };
    match totals.shape() {
        TotalsShape::AllBut(exceptions) if exceptions.is_empty() => "all k".to_owned(),
        TotalsShape::AllBut(exceptions) => format!("all k but {}", list(&exceptions)),
        TotalsShape::Only(members) if members.is_empty() => "no k".to_owned(),
        TotalsShape::Only(members) => format!("k = {}", list(&members)),
        TotalsShape::Residues {
            modulus,
            residues,
            also,
            but,
        } => {
            let mut text = format!("k ≡ {} (mod {modulus})", list(&residues));
            if !also.is_empty() {
                text.push_str(&format!(", and {}", list(&also)));
            }
            if !but.is_empty() {
                text.push_str(&format!(", but not {}", list(&but)));
            }
            text
        }
    }
}
