//! Finds a game that distinguishes two games when it is played beside them (`distinguish`).

use crate::convert::fit;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Builtin, Call, Evaluator, graphs};
use crate::ir::{Kinds, Operand, Parameter, Value};
use crate::library::arguments;
use crate::player::GameId;
use crate::rules::admit::{self, ChipsQuestion};
use crate::rules::{Purses, Stuck};

const GAMES_AND_TOTAL: &[Parameter] = &[
    Parameter::new("G", Kinds::GAME),
    Parameter::new("H", Kinds::GAME),
    Parameter::new("TB", Kinds::INTEGER),
];
const BIRTHDAY: &[Parameter] = &[Parameter::new("birthday", Kinds::INTEGER)];

/// The last day whose games are enumerated: 256 are born by day 2, and more than 10¹⁵⁴ by day 3.
const LAST_DAY: u64 = 2;

/// The answer if no game distinguishes the two.
const NONE: &str = "none";

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = builtins! {
    "distinguish"(GAMES_AND_TOTAL) -> Kinds::GAME.or(Kinds::TEXT), Some(graphs), distinguish,
        { named: BIRTHDAY }
        "A game X born by this day, 2 at most, such that G + X and H + X have different winners for \
         some way to split TB chips, or `none`. `{ | }` is born on day 0; a game is born by a later \
         day if its options are born by the day before. The default is day 2. The rules must say \
         what happens to a player who cannot move.",
        "distinguish({ | }, { { | } | { | } }, 2) using { ties: attached, winner: moves, stuck: loses }" => "{ | }";
};

fn distinguish(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let rules = evaluator.rules();
    if rules.stuck == Stuck::OpponentMoves {
        return Err(nobody_wins(call));
    }
    admit::chips(&evaluator.play_rules(), ChipsQuestion::Threshold)?;
    let Operand { value, span } = &call.arguments[2];
    let total = arguments::total(value, *span)?;
    let day = call.count("birthday", 0)?.unwrap_or(LAST_DAY);
    if day > LAST_DAY {
        return Err(too_late(call));
    }
    let pairs = fit::<usize>(total)
        .saturating_add(1)
        .saturating_mul(rules.ties.holders().len());
    evaluator.admit_elements(pairs, size_of::<Purses>(), *span)?;
    let purses: Vec<Purses> = Purses::of_total(rules.ties, total).collect();
    for other in born_by(evaluator, day)? {
        let mut winners = |game: GameId| -> Result<_> {
            let games = &mut evaluator.world.games;
            let sum = games.sum([game, other])?;
            // The rule applies to the sum, since a player who is stuck in one part may move in the
            // other.
            let sum = games.ruled(sum, rules.stuck);
            evaluator.outcomes(sum, &purses, call.span)
        };
        if winners(call.game())? != winners(call.game_at(1))? {
            return Ok(Value::Game(other));
        }
    }
    Ok(Value::text(NONE))
}

/// Returns the games born by a day, those with the fewest options first.
fn born_by(evaluator: &mut Evaluator<'_>, day: u64) -> Result<Vec<GameId>> {
    let games = &mut evaluator.world.games;
    let mut born = vec![games.braces(Vec::new(), Vec::new())];
    for _ in 0..day {
        let subsets: Vec<Vec<GameId>> = (0..1_usize << born.len())
            .map(|set| {
                born.iter()
                    .enumerate()
                    .filter(|(place, _)| set >> place & 1 == 1)
                    .map(|(_, game)| *game)
                    .collect()
            })
            .collect();
        let mut pairs: Vec<_> = subsets
            .iter()
            .flat_map(|alice| subsets.iter().map(move |bob| (alice.clone(), bob.clone())))
            .collect();
        // The sort is stable and simple games come first, so the first difference is a simple one.
        pairs.sort_by_key(|(alice, bob)| alice.len() + bob.len());
        born = pairs
            .into_iter()
            .map(|(alice, bob)| games.braces(alice, bob))
            .collect();
    }
    Ok(born)
}

fn nobody_wins(call: &Call<'_>) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::RulesClash,
        "sums are told apart by who wins, and under these rules nobody wins a sum",
    )
    .label(call.span, "asked for here")
    .note("a sum ends when a player who must move cannot move")
    .help("say what happens then, as in `using { ties: attached, winner: moves, stuck: loses }`")
    .into()
}

fn too_late(call: &Call<'_>) -> Box<Diagnostic> {
    let span = call
        .option("birthday")
        .map_or(call.span, |given| given.span);
    Diagnostic::new(
        Code::BadValue,
        format!("only games born by day {LAST_DAY} are tried"),
    )
    .label(span, "too late")
    .note("256 games are born by day 2, and 2^512 by day 3")
    .help(format!("write `birthday: {LAST_DAY}`"))
    .into()
}
