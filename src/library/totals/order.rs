//! Queries about the order of games: `compare`, `games`, `hasse`.

use num_traits::ToPrimitive;

use crate::library::totals::closed::words;
use petgraph::algo::toposort;
use petgraph::algo::tred::{dag_to_toposorted_adjacency_list, dag_transitive_reduction_closure};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{EdgeRef, IntoEdgeReferences};

use crate::diagnostic::{Code, Diagnostic, Result, counted};
use crate::eval::{Builtin, Call, Evaluator, Fact, Placed, graphs, no_question, type_error};
use crate::game::print_game;
use crate::ir::{Kinds, Operand, Parameter, Value};
use crate::order::{Algebra, Laws, born_by};
use crate::player::GameId;
use crate::report::{Hasse, Listing, Report};
use crate::rules::admit::{self, ChipsQuestion};
use crate::scalar::Scalar;
use crate::solve::sequences::ClassId;
use crate::source::Span;

const TWO_GAMES: &[Parameter] = &[
    Parameter::new("G", Kinds::GAME),
    Parameter::new("H", Kinds::GAME),
];

/// The most steps of a proof that are shown.
const MOST_STEPS: usize = 40;

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = builtins! {
    "compare"(TWO_GAMES) -> Kinds::ANSWER, Some(graphs), compare,
        "The relation of G and H in the partial order, for every k, with a proof: by the players' moves \
         where such a proof is found, otherwise by the closed forms. Where ≤ fails, the answer gives the k for \
         which it fails. As a list: the relation.",
        "compare(A^2 ∧ E, A ∧ B^2)" => "claim                  why\nA^2 ∧ E ∥ A ∧ B^2\nnot A^2 ∧ E ≤ A ∧ B^2  fails for k ≡ 1 (mod 4)\n\
             not A ∧ B^2 ≤ A^2 ∧ E  fails for k ≡ 0 (mod 4)";
    "games"(&[]) -> Kinds::LIST, None, games,
        { named: &[Parameter::new("birthday", Kinds::INTEGER)] }
        "All games up to equivalence that are born by a day, in order of birth. A and B are born on \
         day 0. On each later day the new games are those in which each player can move and all \
         moves lead to games born before.",
        "games(birthday: 2)" => "[A, B, E, A^2, B^2]";
    "hasse"(&[Parameter::new("games", Kinds::SEQUENCE)]) -> Kinds::ANSWER, Some(no_question), hasse,
        "The Hasse diagram of some games: a game covers another if no game of the list lies between \
         them. Equivalent games are kept once. `svg`, `dot` and `latex` draw it.",
        "hasse([A, B, E, A^2])" => " B\n E\nA^2\n A\n\nbelow  above\nA      A^2\nE      B\nA^2    E\n\n4 games, 3 covers";
};

pub(crate) fn text(text: impl Into<String>) -> Scalar {
    Scalar::String(text.into())
}

fn compare(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let (g, h) = (call.game(), call.game_at(1));
    let facts = evaluator.facts(g, h)?;
    let [first, second] = [g, h].map(|game| print_game(&evaluator.world.games, game));
    let relation = match (&facts.at_most, &facts.at_least) {
        (Fact::Proved, Fact::Proved) => "≡",
        (Fact::Proved, Fact::Refuted(_)) => "<",
        (Fact::Refuted(_), Fact::Proved) => ">",
        (Fact::Refuted(_), Fact::Refuted(_)) => "∥",
        (Fact::Undecided(why), _) | (_, Fact::Undecided(why)) => return Err(why.clone()),
    };
    let mut rows = vec![vec![text(format!("{first} {relation} {second}")), text("")]];
    let counterexamples = facts.comparison.as_deref();
    let sides = [
        (
            g,
            h,
            &first,
            &second,
            &facts.at_most,
            counterexamples.map(|found| &found.above),
        ),
        (
            h,
            g,
            &second,
            &first,
            &facts.at_least,
            counterexamples.map(|found| &found.below),
        ),
    ];
    for (g, h, first, second, fact, failing) in sides {
        match fact {
            Fact::Proved => rows.extend(proved(evaluator, g, h, &format!("{first} ≤ {second}"))?),
            Fact::Refuted(least) => {
                let totals = failing.map_or_else(|| format!("k = {least} and perhaps more"), words);
                rows.push(vec![
                    text(format!("not {first} ≤ {second}")),
                    text(format!("fails for {totals}")),
                ]);
            }
            Fact::Undecided(_) => {}
        }
    }
    // A step on which both directions rest is shown once.
    let mut told = Vec::new();
    rows.retain(|row| {
        let claim = row[0].to_string();
        let new = !told.contains(&claim);
        told.push(claim);
        new
    });
    let listing = Listing::new(["claim", "why"], rows);
    let elements = [Value::text(relation)];
    Ok(Value::answer_row(Report::Listing(listing), elements))
}

fn proved(
    evaluator: &mut Evaluator<'_>,
    g: GameId,
    h: GameId,
    claim: &str,
) -> Result<Vec<Vec<Scalar>>> {
    let by_forms = || {
        vec![vec![
            text(claim),
            text("by the closed forms of both, for every k"),
        ]]
    };
    let Some((proof, first, second)) = evaluator.proof(g, h)? else {
        return Ok(by_forms());
    };
    // A longer proof is only counted, since nobody would read it.
    if proof.steps.len() > MOST_STEPS {
        let why = format!(
            "by a proof move against move, of {}",
            counted(proof.steps.len(), "step")
        );
        return Ok(vec![vec![text(claim), text(why)]]);
    }
    let mut rows = evaluator.told(&proof, &first, &second);
    if proof.circular {
        rows.push(vec![
            text("where steps rest on each other"),
            text("by induction on n, for the game on the right cut off after n moves"),
        ]);
    }
    Ok(rows)
}

fn games(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let rules = evaluator.rules();
    admit::chips(&rules, ChipsQuestion::Threshold)?;
    // The enumeration relies on `G ∧ G` being G, which does not hold under all rules.
    if !Laws::of(&rules).idempotent {
        return Err(Diagnostic::new(
            Code::NotSupported,
            "games are enumerated where one threshold describes a position and the winner of a bid decides who moves",
        )
        .help("use `ties: advantage` and `winner: chooses`")
        .into());
    }
    let Some(Operand { value, span }) = call.option("birthday") else {
        return Err(Diagnostic::new(Code::WrongCount, "`games` needs a day")
            .label(call.span, "called here")
            .help("write `games(birthday: 3)`")
            .into());
    };
    let day = match value {
        Value::Integer(day) => day.to_u32(),
        _ => None,
    };
    // The number of games grows so fast that later days are out of reach anyway.
    let day = day.filter(|day| *day <= 64).ok_or_else(|| bad_day(span))?;
    let context = evaluator.context;
    let born = born_by(
        &mut Algebra::new(&rules, context)?,
        &mut evaluator.world.games,
        day,
        context,
    )?;
    Ok(Value::list(
        born.into_iter().map(|born| Value::Game(born.game)),
    ))
}

fn bad_day(span: Span) -> Box<Diagnostic> {
    Diagnostic::new(Code::BadValue, "a birthday is a whole number, 0 or more")
        .label(span, "not a day")
        .help("days up to 4 take seconds")
        .into()
}

/// Returns the covering pairs of a strict order, its transitive reduction, in the order of the
/// vertices' numbers.
fn covers(order: &DiGraph<(), ()>) -> Vec<(usize, usize)> {
    // The reduction takes a graph in topological order.
    let sorted = toposort(order, None).expect("games that are at most each other are of one class");
    let (list, _) = dag_to_toposorted_adjacency_list::<_, NodeIndex>(order, &sorted);
    let (reduced, _) = dag_transitive_reduction_closure(&list);
    let edges = reduced.edge_references().map(|edge| {
        let [below, above] =
            [edge.source(), edge.target()].map(|place| sorted[place.index()].index());
        (below, above)
    });
    let mut covers: Vec<(usize, usize)> = edges.collect();
    covers.sort_unstable();
    covers
}

/// Returns the index of each game's conjugate. Returns `None` if a conjugate is missing, or if
/// conjugation does not reverse the order, as under rules that favour a player.
fn conjugates(
    evaluator: &mut Evaluator<'_>,
    algebra: &mut Algebra<'_>,
    found: &[(GameId, ClassId)],
    covers: &[(usize, usize)],
) -> Result<Option<Vec<usize>>> {
    let rules = evaluator.rules();
    let context = evaluator.context;
    let mut images = Vec::with_capacity(found.len());
    for (game, _) in found {
        let conjugate = evaluator.world.games.conjugate(*game);
        let place = evaluator.ask().locate(conjugate)?;
        let sequences = place.solved.sequences(&rules, context)?;
        let class = algebra.adopt(&sequences, sequences.class(place.node))?;
        match found.iter().position(|(_, known)| *known == class) {
            Some(image) => images.push(image),
            None => return Ok(None),
        }
    }
    let is_reversed = |&(below, above): &(usize, usize)| {
        covers
            .binary_search(&(images[above], images[below]))
            .is_ok()
    };
    // A picture can be mirrored only if the image of an image is the game itself.
    let is_involution = images
        .iter()
        .enumerate()
        .all(|(each, image)| images[*image] == each);
    Ok((is_involution && covers.iter().all(is_reversed)).then_some(images))
}

fn hasse(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let span = call.arguments[0].span;
    let rules = evaluator.rules();
    let context = evaluator.context;
    let mut algebra = Algebra::new(&rules, context).placed(call.span)?;
    let mut found: Vec<(GameId, ClassId)> = Vec::new();
    for item in call.sequence(0)?.iter() {
        let Value::Game(game) = item else {
            return Err(type_error(span, Kinds::GAME, item));
        };
        let place = evaluator.ask().locate(*game)?;
        let sequences = place.solved.sequences(&rules, context)?;
        let class = algebra.adopt(&sequences, sequences.class(place.node))?;
        // Classes are compared, not games, so that equivalent games are kept once.
        if found.iter().all(|(_, known)| *known != class) {
            found.push((*game, class));
        }
    }
    let mut order = DiGraph::<(), ()>::new();
    let nodes: Vec<NodeIndex> = found.iter().map(|_| order.add_node(())).collect();
    for (i, (_, g)) in found.iter().enumerate() {
        for (j, (_, h)) in found.iter().enumerate() {
            // Different classes cannot each be at most the other, so that the graph has no cycle.
            if i != j && algebra.at_most(*g, *h)? {
                order.add_edge(nodes[i], nodes[j], ());
            }
        }
    }
    let pairs = covers(&order);
    let conjugates = conjugates(evaluator, &mut algebra, &found, &pairs)?;
    let games = found
        .iter()
        .map(|(game, _)| print_game(&evaluator.world.games, *game))
        .collect();
    let elements = pairs
        .iter()
        .map(|&(i, j)| Value::tuple([Value::Game(found[i].0), Value::Game(found[j].0)]));
    let elements: Vec<Value> = elements.collect();
    Ok(Value::answer_row(
        Report::Hasse(Hasse {
            games,
            covers: pairs,
            conjugates,
        }),
        elements,
    ))
}
