//! All-pay bidding: `v`, `nash`, `precise`, `length`, `sure`.

use std::rc::Rc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

use super::{Builtin, Call, Parameter, mixed_scores};
use crate::check::Kinds;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Answer, Evaluator, Value, elements, placed, type_error};
use crate::game::{Explored, GameId, NodeId, PerPlayer, Player};
use crate::report::{Decided, Interval, MixedBid, Nash, Report, Row, Scalar, Table, Weight, Worth};
use crate::rules::{Chips, Mark, Purses};
use crate::solve::all_pay::{self, Enclosure, Equilibrium, Found, Method, Payoff, Precision, Solved};
use crate::solve::chips::Asked;
use crate::solve::decision::decisions;
use crate::source::Span;

const GAME_AND_BUDGETS: &[Parameter] = &[
    Parameter { name: "G", kinds: Kinds::GAME },
    Parameter { name: "a", kinds: Kinds::HOLDING.or(Kinds::LIST) },
    Parameter { name: "b", kinds: Kinds::HOLDING.or(Kinds::LIST) },
];
const GAME_AND_CHIPS: &[Parameter] = &[
    Parameter { name: "G", kinds: Kinds::GAME },
    Parameter { name: "a", kinds: Kinds::HOLDING },
    Parameter { name: "b", kinds: Kinds::HOLDING },
];
const GAME_AND_BOB: &[Parameter] =
    &[Parameter { name: "G", kinds: Kinds::GAME }, Parameter { name: "b", kinds: Kinds::HOLDING.or(Kinds::LIST) }];

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = &[
    Builtin {
        required: 2,
        help: "All-pay bidding: Alice's winning probability in G with these chips, exact where the game is small, else \
               between proved bounds. `v(G, 0..n)`: for every split of n chips; `v(G, 0..m, 0..n)`: for all pairs of budgets.",
        examples: &[("v(B^2, 4, 4) using menz", "1/5"), ("v(A, 0, 3) using menz", "1")],
        run: value,
        ..Builtin::new("v", GAME_AND_BUDGETS, Kinds::ANY)
    },
    Builtin {
        help: "Both players' optimal mixed bids with these chips, and what each does on winning: under all-pay bidding, and in a \
               game with scores.",
        run: nash,
        ..Builtin::new("nash", GAME_AND_CHIPS, Kinds::ANSWER)
    },
    Builtin {
        help: "All-pay bidding: whether the turn is precise, that is, in every state that it can lead to one more chip is \
               strictly better (Menz, Wang & Xie, section 2).",
        examples: &[("precise(E, 2, 2) using menz", "false")],
        run: precise,
        ..Builtin::new("precise", GAME_AND_CHIPS, Kinds::BOOL)
    },
    Builtin {
        help: "All-pay bidding: the least ℓ for which the player with the advantage has optimal bids below ℓ; in a precise \
               game the length of the only optimal mixed bid.",
        examples: &[("length(E, 2, 2) using menz", "3")],
        run: length,
        ..Builtin::new("length", GAME_AND_CHIPS, Kinds::INTEGER)
    },
    Builtin {
        help: "All-pay bidding: the least chips with which Alice wins G for sure against b of Bob's; over a range of his, a \
               table. A star at b gives Bob the tie status, under the rules that have one.",
        examples: &[("sure(E, 3) using menz", "3"), ("sure(B^2, 3) using menz", "9")],
        run: sure,
        ..Builtin::new("sure", GAME_AND_BOB, Kinds::ANY)
    },
];

/// A position with what is known of it.
struct Place {
    explored: Rc<Explored>,
    node: NodeId,
    solved: Rc<Solved>,
}

fn value(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game()?;
    match &call.arguments[1..] {
        [(list @ (Value::List(_) | Value::Answer(_)), span)] => {
            splits(evaluator, call, game, &elements(list, *span)?, *span)
        }
        [(_, span)] => Err(Diagnostic::new(Code::WrongCount, "`v` takes both players' chips, or a range of splits")
            .label(*span, "Alice's chips alone")
            .help("write `v(G, a, b)`, or `v(G, 0..n)` for every split of n chips")
            .into()),
        [alice, bob] if is_list(&alice.0) || is_list(&bob.0) => rectangle(evaluator, call, game, alice, bob),
        [alice, bob] => {
            let purses = evaluator.bidding_purses(alice, bob, call.span)?;
            let (_, value) = evaluator.winning_probability(game, purses, purses.chips, call.span)?;
            Ok(value)
        }
        _ => unreachable!("the checker counts the arguments"),
    }
}

fn is_list(value: &Value) -> bool {
    matches!(value, Value::List(_) | Value::Answer(_))
}

/// The splits of the greatest number of the list: Alice has each of them, Bob the rest.
fn splits(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    game: GameId,
    columns: &[Value],
    span: Span,
) -> Result<Value> {
    let alice = counts(columns, span)?;
    let total = alice.iter().copied().max().unwrap_or(0);
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    for status in evaluator.statuses() {
        let [own, other] = Player::BOTH.map(|player| if status == Some(player) { "*" } else { "" });
        let mut row = Row { label: format!("v({}, a{own}, {total} − a{other})", call.labels[0]), values: Vec::new() };
        for &a in &alice {
            let chips = PerPlayer::new(a, total - a);
            let (scalar, value) = evaluator.winning_probability(game, Purses { chips, status }, chips, call.span)?;
            row.values.push(scalar);
            values.push(value);
        }
        rows.push(row);
    }
    Ok(table("a", &alice, rows, values))
}

/// All pairs of budgets: a row for each of Alice's.
fn rectangle(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    game: GameId,
    alice: &(Value, Span),
    bob: &(Value, Span),
) -> Result<Value> {
    let [of_alice, of_bob] = [budgets(alice)?, budgets(bob)?];
    let most = PerPlayer::new(of_alice.iter().copied().max().unwrap_or(0), of_bob.iter().copied().max().unwrap_or(0));
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    for status in evaluator.statuses() {
        let [own, other] = Player::BOTH.map(|player| if status == Some(player) { "*" } else { "" });
        for &a in &of_alice {
            let mut row = Row { label: format!("v({}, {a}{own}, b{other})", call.labels[0]), values: Vec::new() };
            let mut line = Vec::new();
            for &b in &of_bob {
                let purses = Purses { chips: PerPlayer::new(a, b), status };
                let (scalar, value) = evaluator.winning_probability(game, purses, most, call.span)?;
                row.values.push(scalar);
                line.push(value);
            }
            rows.push(row);
            values.push(Value::list(line));
        }
    }
    Ok(table("b", &of_bob, rows, values))
}

fn table(parameter: &str, columns: &[u64], rows: Vec<Row>, values: Vec<Value>) -> Value {
    let columns = columns.iter().map(|count| Scalar::Integer(BigInt::from(*count))).collect();
    Value::Answer(Answer::row(Report::Table(Table { parameter: parameter.to_owned(), columns, rows }), values).into())
}

fn budgets((value, span): &(Value, Span)) -> Result<Vec<u64>> {
    match value {
        Value::List(_) | Value::Answer(_) => counts(&elements(value, *span)?, *span),
        single => counts(std::slice::from_ref(single), *span),
    }
}

fn counts(values: &[Value], span: Span) -> Result<Vec<u64>> {
    let count = |value: &Value| match value {
        Value::Integer(n) => crate::solve::chips::total(n).map_err(|error| placed(error, span)),
        other => Err(type_error(span, Kinds::INTEGER, other)),
    };
    values.iter().map(count).collect()
}

fn nash(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game()?;
    if evaluator.asked(game)? == Asked::Score {
        return mixed_scores::nash(evaluator, call, game);
    }
    let purses = evaluator.bidding_purses(&call.arguments[1], &call.arguments[2], call.span)?;
    let place = evaluator.solve_all_pay(game, purses.chips, call.span)?;
    let rules = evaluator.rules();
    let graph = &place.explored.graph;
    let value = match place.solved.value(place.node, &purses) {
        Found::Exact(value) => Scalar::from(value),
        Found::Certified(value) => Scalar::from(value),
    };
    if graph.ending(place.node).is_some() {
        let nash = Nash { worth: Worth::Probability, value, method: Method::Exact.words(), players: Vec::new() };
        return Ok(Value::Answer(Answer::report(Report::Nash(nash)).into()));
    }
    let (method, weights) = match place.solved.equilibrium(graph, &rules, place.node, &purses) {
        Found::Exact(found) => (found.method, weights(found, |weight| Weight::Exact(weight.clone()))),
        Found::Certified(found) => (found.method, weights(found, |weight| Weight::Float(*weight))),
    };
    let mut players = Vec::new();
    for player in Player::BOTH {
        let bids: Vec<(u64, Weight)> =
            (0..).zip(weights[player].iter().cloned()).filter(|(_, weight)| weight.approximate() > 0.0).collect();
        players.push(MixedBid {
            player,
            chips: starred(&purses, player),
            decisions: evaluator.decided(&place, game, &purses, player, &bids)?,
            bids: bids.into_iter().map(|(bid, weight)| (BigInt::from(bid), weight)).collect(),
        });
    }
    let nash = Nash { worth: Worth::Probability, value, method: method.words(), players };
    Ok(Value::Answer(Answer::report(Report::Nash(nash)).into()))
}

fn weights<N: Payoff>(found: Equilibrium<N>, weight: impl Fn(&N::Probability) -> Weight) -> PerPlayer<Vec<Weight>> {
    found.strategies.map(|bids| bids.iter().map(&weight).collect())
}

/// What a player holds, with the star.
pub(super) fn starred(purses: &Purses, player: Player) -> String {
    format!("{}{}", purses.chips[player], if purses.status == Some(player) { "*" } else { "" })
}

fn precise(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let Some((place, purses, advantage)) = evaluator.turn(call)? else { return Err(no_turn(call)) };
    let matrix = place.solved.matrix(&place.explored.graph, &evaluator.rules(), place.node, &purses);
    match all_pay::precision(&matrix, advantage) {
        Precision::Precise => Ok(Value::Bool(true)),
        Precision::Imprecise => Ok(Value::Bool(false)),
        Precision::Undecided => Err(needs_exact("the proved bounds do not tell whether every chip counts", call.span)),
    }
}

fn length(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let Some((place, purses, advantage)) = evaluator.turn(call)? else { return Err(no_turn(call)) };
    match place.solved.matrix(&place.explored.graph, &evaluator.rules(), place.node, &purses) {
        Found::Exact(matrix) => Ok(Value::integer(all_pay::length(&matrix, advantage))),
        Found::Certified(_) => {
            Err(needs_exact("the length of optimal bids is a question about exact values", call.span))
        }
    }
}

fn needs_exact(why: &str, span: Span) -> Box<Diagnostic> {
    Diagnostic::new(Code::NotSupported, why)
        .label(span, "solved between bounds, as the game is large")
        .help("ask for exact values: `using { solver: exact }`; that takes long for many chips or positions")
        .into()
}

fn no_turn(call: &Call<'_>) -> Box<Diagnostic> {
    Diagnostic::new(Code::BadValue, "the game is over, and nobody bids")
        .label(call.span, "there is no turn to ask about")
        .help("ask about a position where somebody can move")
        .into()
}

fn sure(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game()?;
    let (budget, span) = &call.arguments[1];
    if !is_list(budget) {
        let least = evaluator.sure_win(game, budget, *span, call.span)?;
        return Ok(least.map_or_else(|| Value::text(NEVER), Value::chips));
    }
    let columns = elements(budget, *span)?;
    let mut found = Vec::new();
    for column in &*columns {
        found.push(evaluator.sure_win(game, column, *span, call.span)?);
    }
    let scalar = |least: &Option<Chips>| match least {
        Some(chips) if chips.mark == Mark::None => Scalar::Integer(chips.count.clone()),
        Some(chips) => Scalar::Chips(chips.clone()),
        None => Scalar::Word(NEVER),
    };
    let row = Row { label: format!("sure({}, b)", call.labels[0]), values: found.iter().map(scalar).collect() };
    let values = found.into_iter().map(|least| least.map_or_else(|| Value::text(NEVER), Value::chips)).collect();
    Ok(table("b", &counts(&columns, *span)?, vec![row], values))
}

/// What `sure` says where no number of chips suffices.
const NEVER: &str = "never";

impl From<&BigRational> for Scalar {
    fn from(value: &BigRational) -> Self {
        if value.is_integer() { Self::Integer(value.to_integer()) } else { Self::Rational(value.clone()) }
    }
}

impl From<&Enclosure> for Scalar {
    fn from(value: &Enclosure) -> Self {
        Self::Interval(Interval { low: value.low, high: value.high })
    }
}

/// An enclosure as a value: its bounds, which are exact rationals, as a pair.
fn enclosed(found: &Enclosure) -> Value {
    let bound = |bound: f64| Value::rational(BigRational::from_float(bound).unwrap_or_else(BigRational::zero));
    Value::Answer(Answer::row(Report::Scalar(Scalar::from(found)), [bound(found.low), bound(found.high)]).into())
}

impl Evaluator<'_> {
    /// Who may have the tie status.
    fn statuses(&self) -> Vec<Option<Player>> {
        if self.rules().ties.has_status() { Player::BOTH.map(Some).into() } else { vec![None] }
    }

    /// Purses under rules by which both players pay.
    pub(super) fn bidding_purses(&self, alice: &(Value, Span), bob: &(Value, Span), span: Span) -> Result<Purses> {
        all_pay::admit(&self.rules()).map_err(|error| placed(error, span))?;
        self.holdings(alice, bob)
    }

    /// A game under all-pay bidding, solved for all purses that these chips can lead to.
    pub(super) fn solve_for_mixed_bids(
        &mut self,
        game: GameId,
        chips: PerPlayer<u64>,
        span: Span,
    ) -> Result<(Rc<Explored>, NodeId, Rc<Solved>)> {
        let rules = self.rules();
        let watch = self.watch;
        all_pay::admit(&rules).map_err(|error| placed(error, span))?;
        let place = self.locate(game)?;
        let (explored, node) = (Rc::clone(&place.chart.explored), place.node);
        all_pay::admit_draws(&explored.graph, &rules, node).map_err(|error| placed(error, span))?;
        let solved = place.chart.all_pay(&rules, chips, node, watch).map_err(|error| placed(error, span))?;
        Ok((explored, node, solved))
    }

    fn solve_all_pay(&mut self, game: GameId, chips: PerPlayer<u64>, span: Span) -> Result<Place> {
        let (explored, node, solved) = self.solve_for_mixed_bids(game, chips, span)?;
        Ok(Place { explored, node, solved })
    }

    /// Alice's winning probability with these purses, from a table that covers budgets up to `most`.
    fn winning_probability(
        &mut self,
        game: GameId,
        purses: Purses,
        most: PerPlayer<u64>,
        span: Span,
    ) -> Result<(Scalar, Value)> {
        // Where both pay each other a table covers one total; where both pay the bank, all budgets up to the greatest.
        let budgets = match self.rules().pay {
            crate::rules::Payment::AllPayBank => most,
            _ => purses.chips,
        };
        let place = self.solve_all_pay(game, budgets, span)?;
        Ok(match place.solved.value(place.node, &purses) {
            Found::Exact(value) => (Scalar::from(value), Value::rational(value.clone())),
            Found::Certified(value) => (Scalar::from(value), enclosed(value)),
        })
    }

    /// The turn that a query about the structure of bids asks for; `None` if the game is over.
    fn turn(&mut self, call: &Call<'_>) -> Result<Option<(Place, Purses, Player)>> {
        let game = call.game()?;
        let purses = self.bidding_purses(&call.arguments[1], &call.arguments[2], call.span)?;
        let advantage = all_pay::tie_winner(&self.rules(), &purses).map_err(|error| placed(error, call.span))?;
        let place = self.solve_all_pay(game, purses.chips, call.span)?;
        if place.explored.graph.ending(place.node).is_some() {
            return Ok(None);
        }
        Ok(Some((place, purses, advantage)))
    }

    /// What a player does on winning with one of these bids, in words.
    fn decided(
        &mut self,
        place: &Place,
        game: GameId,
        purses: &Purses,
        player: Player,
        bids: &[(u64, Weight)],
    ) -> Result<Vec<Decided>> {
        let rules = self.rules();
        let bids: Vec<u64> = bids.iter().map(|(bid, _)| *bid).collect();
        let graph = &place.explored.graph;
        let choice = |left: &Purses| Ok(all_pay::choice(&place.solved, graph, &rules, place.node, left, player));
        let found = decisions(&rules, purses, player, &bids, choice)?;
        self.decided_in_words(found, game, &place.explored, player)
    }

    fn sure_win(&mut self, game: GameId, budget: &Value, span: Span, asked: Span) -> Result<Option<Chips>> {
        let rules = self.rules();
        let watch = self.watch;
        all_pay::admit(&rules).map_err(|error| placed(error, asked))?;
        let Some(chips) = budget.as_chips() else { return Err(type_error(span, Kinds::HOLDING, budget)) };
        let bob = crate::solve::chips::total(&chips.count).map_err(|error| placed(error, span))?;
        let bob_holds = chips.mark == Mark::Star;
        if bob_holds && !rules.ties.has_status() {
            return Err(Diagnostic::new(Code::BadChips, "there is no star under these rules for ties")
                .label(span, "no such status here")
                .help("leave out the `*`: who wins a tie is settled by the rule alone")
                .into());
        }
        let holder = rules.ties.has_status().then_some(if bob_holds { Player::Bob } else { Player::Alice });
        self.locate(game)?.chart.needs_wins().map_err(|error| placed(error, asked))?;
        let (explored, node) = self.graph_of(game)?;
        let least = all_pay::sure(&explored.graph, &rules, node, (bob, holder), watch);
        let mark = if holder == Some(Player::Alice) { Mark::Star } else { Mark::None };
        Ok(least.map_err(|error| placed(error, asked))?.map(|least| Chips::new(BigInt::from(least), mark)))
    }
}
