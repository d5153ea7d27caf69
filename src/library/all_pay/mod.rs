//! All-pay bidding: `v`, `nash`, `precise`, `length`, `sure`.

pub(super) mod nash;
pub(super) mod sure;
mod turn;
mod value;

pub(crate) use turn::exact_turn;

use std::rc::Rc;

use num_rational::BigRational;

use crate::diagnostic::{Code, Diagnostic, Result, counted};
use crate::eval::{Builtin, Call, Evaluator, Placed};
use crate::game::{Explored, NodeId};
use crate::ir::{Kinds, Parameter};
use crate::library::{GAME_AND_CHIPS, asks};
use crate::player::{GameId, PerPlayer};
use crate::rules::admit;
use crate::rules::{Draws, Purses, TieBreak};
use crate::solve::all_pay::{self, AllPayValues, ExactOrCertified, FloatEnclosure, Matrix};
use crate::source::Span;
use crate::watch::Stop;

const GAME_AND_BUDGETS: &[Parameter] = &[
    Parameter::new("G", Kinds::GAME),
    Parameter::new("a", Kinds::PURSES),
    Parameter::new("b", Kinds::PURSES),
];
const GAME_AND_BOB: &[Parameter] = &[
    Parameter::new("G", Kinds::GAME),
    Parameter::new("b", Kinds::PURSES),
];

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = builtins! {
    "v"(GAME_AND_BUDGETS) -> Kinds::ANY, Some(asks::mixed), value::value,
        { required: 2, endless: true }
        "All-pay bidding: Alice's winning probability in G with these chips, exact where the game is small, \
         otherwise between proved bounds. `v(G, 0..n)` covers every split of n chips, `v(G, 0..m, 0..n)` all \
         pairs of budgets.",
        "v(B^2, 4, 4) using menz" => "1/5",
        "v(A, 0, 3) using menz" => "1";
    "nash"(GAME_AND_CHIPS) -> Kinds::ANSWER, Some(asks::mixed), nash::nash,
        { endless: true }
        "Both players' optimal mixed bids with these chips, and the move of each player after winning the \
         bid, or if the opponent makes the player move: under all-pay bidding, and in a game with scores.",
        "nash(A^2 ∧ B^2, 4, 3) using { pay: all_pay, ties: ladies_first }" => "alice wins with probability 46/55\n\
                 found by exact arithmetic\n\
                 \n\
                 alice with 4\n\
                 \x20 bid\n\
                 \x20   0  16/55  ███████████████████████████████████▌\n\
                 \x20   1  18/55  ████████████████████████████████████████\n\
                 \x20   2  18/55  ████████████████████████████████████████\n\
                 \x20   3  3/55   ██████▋\n\
                 \x20 on winning with 1 to 4 left: move to A^2\n\
                 \x20 if made to move with 5 to 7 left: move to A^2\n\
                 \n\
                 bob with 3\n\
                 \x20 bid\n\
                 \x20   0  3/55   ██████▋\n\
                 \x20   1  18/55  ████████████████████████████████████████\n\
                 \x20   2  18/55  ████████████████████████████████████████\n\
                 \x20   3  16/55  ███████████████████████████████████▌\n\
                 \x20 on winning with 0 to 1 left: move to A^2\n\
                 \x20 on winning with 2 left: move to B^2\n\
                 \x20 if made to move with 3 to 5 left: move to B^2\n\
                 \x20 if made to move with 6 to 7 left: move to A^2";
    "precise"(GAME_AND_CHIPS) -> Kinds::BOOL, Some(asks::mixed), turn::precise,
        "All-pay bidding: true if the turn is precise, that is, if one more chip is strictly better in \
         every state that the turn can lead to (Menz, Wang & Xie, section 2).",
        "precise(E, 2, 2) using menz" => "false";
    "length"(GAME_AND_CHIPS) -> Kinds::INTEGER, Some(asks::mixed), turn::length,
        "All-pay bidding: the least ℓ for which the player with the advantage has optimal bids below ℓ. In \
         a precise game, the length of the only optimal mixed bid.",
        "length(E, 2, 2) using menz" => "3";
    "sure"(GAME_AND_BOB) -> Kinds::ANY, Some(asks::sure), sure::sure,
        "All-pay bidding: the least number of chips with which Alice wins G for sure against b of \
         Bob's; over a range of his, a table. Under rules with a tie status, a star at b gives it to \
         Bob. With more chips she wins for sure as well, except under `ties: richer` with `winner: \
         moves`, where more chips can hurt: there the answer is the first number that is enough.",
        "sure(E, 3) using menz" => "3",
        "sure(B^2, 3) using menz" => "9";
};

/// A position of an explored graph with its values.
pub(crate) struct SolvedPosition {
    pub(crate) explored: Rc<Explored>,
    pub(crate) node: NodeId,
    pub(crate) solved: Rc<AllPayValues>,
}

impl SolvedPosition {
    /// Returns Alice's winning probability for each pair of bids with these purses.
    fn matrix(
        &self,
        evaluator: &Evaluator<'_>,
        purses: &Purses,
    ) -> Result<ExactOrCertified<Matrix<BigRational>, Matrix<FloatEnclosure>>, Stop> {
        let (graph, rules) = (&self.explored.graph, evaluator.rules());
        let (node, context) = (self.node, evaluator.context);
        self.solved.matrix(graph, &rules, node, purses, context)
    }

    /// Returns `true` if the game is over.
    fn is_over(&self) -> bool {
        self.explored.graph.ending(self.node).is_some()
    }
}

/// Reads purses, and checks that the rules allow mixed bids.
pub(crate) fn bidding_purses(evaluator: &Evaluator<'_>, call: &Call<'_>) -> Result<Purses> {
    admit::mixed_bids(&evaluator.rules()).placed(call.span)?;
    evaluator.holdings(&call.arguments[1], &call.arguments[2])
}

/// Reads purses for a match under such rules, and checks that some player wins every bid.
pub(crate) fn purses_of_match(evaluator: &Evaluator<'_>, call: &Call<'_>) -> Result<Purses> {
    if evaluator.rules().ties == TieBreak::Nobody {
        return Err(Diagnostic::unsupported("matches under `ties: nobody`")
            .label(call.span, "asked for here")
            .help("ask for the optimal bids, `nash(G, a, b)`; `ties: coin` is the nearest rule with matches")
            .into());
    }
    bidding_purses(evaluator, call)
}

/// Solves a game under all-pay bidding, for all purses that these chips can lead to.
pub(crate) fn solve_all_pay(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    chips: PerPlayer<u64>,
    span: Span,
) -> Result<SolvedPosition> {
    let rules = evaluator.rules();
    let context = evaluator.context;
    admit::mixed_bids(&rules).placed(span)?;
    // The size and the cycles of the graph decide whether values are exact, so that it has to be
    // the game's own. Without a winner of ties a turn may be repeated for ever, and is worth what
    // standing still is.
    let place = if rules.ties == TieBreak::Nobody {
        evaluator.ask().locate_standing(game, rules.objective)?
    } else {
        evaluator.needs_endings("all-pay bidding", span)?;
        evaluator.ask().locate_start(game)?
    };
    let (explored, node) = (Rc::clone(&place.solved.explored), place.node);
    all_pay::admit_draws(place.solved.standing(&rules), &rules, node).placed(span)?;
    let solved = place
        .solved
        .all_pay(&rules, chips, node, context)
        .placed(span)?;
    Ok(SolvedPosition {
        explored,
        node,
        solved,
    })
}

/// Warns that values are bounds found on cycles, of which the widest pair is `widest` apart. If all
/// bounds are equal, the values are exact and there is no warning.
fn warn_of_cycles(evaluator: &mut Evaluator<'_>, rounds: Option<u64>, widest: f64, span: Span) {
    let Some(rounds) = rounds.filter(|_| widest > 0.0) else {
        return;
    };
    if evaluator.rules().ties == TieBreak::Nobody {
        return evaluator.warnings.push(may_last(rounds, widest, span));
    }
    let endless = match evaluator.rules().draws {
        Draws::Neither => {
            "they hold whatever endless play is worth; say what it is worth to Alice with `draws`"
        }
        Draws::Alice => "endless play is worth a win to Alice, by `draws: alice`",
        Draws::Bob => "endless play is worth a win to Bob, by `draws: bob`",
        Draws::Half => "endless play is worth half a win to each, by `draws: half`",
    };
    let message = format!(
        "positions come back: the value is enclosed by {} of value iteration",
        counted(rounds, "round")
    );
    let warning = Diagnostic::new(Code::OnCycles, message)
        .label(span, format!("the bounds are {widest:.0e} apart"))
        .note(endless)
        .help("truncate the game for an exact value: `G[n]`");
    evaluator.warnings.push(warning);
}

/// Makes the warning that values are bounds of turns that may be repeated for ever.
fn may_last(rounds: u64, widest: f64, span: Span) -> Diagnostic {
    let message = format!(
        "both can bid nothing for ever: the value is enclosed in at most {}",
        counted(rounds, "step")
    );
    Diagnostic::new(Code::OnCycles, message)
        .label(span, format!("the bounds are {widest:.0e} apart"))
        .note("`draws` gives the value of standing still; under an objective of infinite play, the vertex gives it")
        .help("write `minimum_bid: 1` for exact values: then only players without chips bid nothing")
}
