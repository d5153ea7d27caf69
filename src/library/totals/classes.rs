//! Queries about equivalence: `simplify`, `minimise`, `classes`.

use num_traits::Zero;
use std::collections::HashMap;
use std::rc::Rc;

use crate::diagnostic::{Code, Diagnostic, Result, counted};
use crate::eval::{Builtin, Call, Evaluator, graphs};
use crate::game::{
    Edge, EndlessPlay, Explored, GameExpr, Games, Head, Marks, Network, NodeId, Score, print_game,
    print_position,
};
use crate::ir::{Kinds, Value};
use crate::library::GAME;
use crate::library::totals::order::text;
use crate::order::{Algebra, Laws, Merged, Merging, SimplifiedGame, simplest};
use crate::player::{GameId, PerPlayer, Player};
use crate::report::{Listing, Report};
use crate::rules::{Overrides, Rules, print_rules};
use crate::scalar::{NamedGame, Scalar};
use crate::solve::sequences::{ClassId, KnownSequences};
use crate::syntax::vertex_name;

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = builtins! {
    "simplify"(GAME) -> Kinds::GAME, Some(graphs), simplify,
        "The smallest game found that is equivalent to G: a wedge sum of A, B, E, A^n and B^n, or braces \
         with all moves that are needed, if different moves are best for different totals. The rules say what a \
         draw is worth; by default it is not a win.",
        "simplify({ A, E | B^2 ∧ B, E })" => "A ∧ B^3",
        "simplify({ A ∧ B^2, A^2 ∧ E | B })" => "{ A ∧ B^2, A^2 ∧ E | B }",
        "simplify(A ∧ (A ∧ E))" => "A^3";
    "minimise"(GAME) -> Kinds::ANSWER, Some(graphs), minimise,
        "G with equivalent positions merged: a graph with the same f(G, k) for every k. On a cycle, \
         a position is merged with an equivalent one that comes later in play, or with one from which \
         both players have the same moves, unless owners, priorities, weights or accepting positions \
         tell them apart. As a list: its positions; the \
         first, `minimise(G)[0]`, is the game.",
        "minimise(A^2 ∧ (E ∧ E))" => "   position       stands for  alice  bob\n0  A^2 ∧ (E ∧ E)  1           1, 2   1, 2\n\
                 1  A^2            1           3      2\n2  E              2           3, 4   3, 4\n3  A              1\n\
                 4  B              1\n\n5 positions and 10 moves, for 6 positions and 12 moves",
        "minimise(E ∧ E)[0] ≡ E" => "true";
    "classes"(GAME) -> Kinds::ANSWER, Some(graphs), classes,
        "The equivalence classes of the positions of G: for each the smallest game found, its Richman \
         value, the number of its positions, and the first of them. As a list: the games.",
        "classes(A^2 ∧ B)" => "class    R    positions  first\nA        0    1          A\nA^2      1/4  1          A^2\nE        1/2  1          E\n\
             A^2 ∧ B  5/8  1          A^2 ∧ B\nB        1    1          B\n\n5 classes of 5 positions";
};

fn simplify(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    let node = evaluator.ask().locate_start(game)?.node;
    Ok(Value::Game(
        simplest_of(evaluator, game, &[node])?.remove(0),
    ))
}

/// Finds the smallest games for positions of the graph in which a game lies.
fn simplest_of(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    nodes: &[NodeId],
) -> Result<Vec<GameId>> {
    let rules = evaluator.rules();
    let context = evaluator.context;
    let (explored, endless) = endless_play(evaluator, game)?;
    let source = SimplifiedGame {
        explored: &explored,
        known: &known_classes(evaluator, game, &endless)?,
        laws: Laws::of(&rules),
        has_endless_play: !endless.is_silent(),
    };
    simplest(
        Algebra::new(&rules, context)?,
        &mut evaluator.world.games,
        source,
        nodes,
    )
}

/// Returns the graph in which a game lies, and its labels for infinite play.
fn endless_play(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
) -> Result<(Rc<Explored>, EndlessPlay)> {
    let explored = Rc::clone(&evaluator.ask().locate_start(game)?.solved.explored);
    let endless = explored.endless_play(&mut evaluator.world.games, evaluator.context)?;
    Ok((explored, endless))
}

/// Returns the classes of the positions for which they are known. If play without end has a value,
/// only positions from which play always ends have classes.
fn known_classes(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    endless: &EndlessPlay,
) -> Result<KnownSequences> {
    let rules = evaluator.rules();
    let context = evaluator.context;
    let place = evaluator.ask().locate_start(game)?;
    if endless.is_silent() {
        place.solved.known_sequences(&rules, context)
    } else {
        place.solved.needs_wins()?;
        KnownSequences::where_closed(&place.solved.explored.graph, &rules, context)
    }
}

fn minimise(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    let rules = evaluator.rules();
    let start = evaluator.ask().locate_start(game)?.node;
    let (explored, endless) = endless_play(evaluator, game)?;
    let known = known_classes(evaluator, game, &endless)?;
    let class = |node| known.class(node);
    let merging = Merging::of(&explored.graph, start, &endless, class, evaluator.context)?;
    let (groups, merged) = (merging.groups(), merging.merged());
    let games = &mut evaluator.world.games;
    let positions: Vec<GameId> = merged
        .positions
        .iter()
        .map(|&node| explored.game(games, node))
        .collect();
    let title = format!(
        "{}[0]",
        under(&format!("minimise({})", print_game(games, game)), &rules)
    );
    let vertices = network(games, title, &merged, &endless, &positions)?;
    let graph = &merged.graph;
    let told = |heads: &[NodeId]| {
        heads
            .iter()
            .map(|head| head.index().to_string())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let row = |(node, stand_in): (NodeId, &NodeId)| {
        let [alice, bob] = Player::both(|player| text(told(graph.successors(node, player))));
        let mut row = vec![
            Scalar::from(node.index()),
            text(print_position(games, positions[node.index()])),
            Scalar::from(groups[stand_in].len()),
            alice,
            bob,
        ];
        let turn = graph.owner(node).map_or("", Player::word);
        row.extend(graph.has_owners().then(|| text(turn.to_owned())));
        row
    };
    let rows: Vec<_> = graph.nodes().zip(&merged.positions).map(row).collect();
    // The graph may have been explored from elsewhere, so only a part of it is counted.
    let reached = explored.graph.reachable(start);
    let moves: usize = reached
        .iter()
        .map(|&node| explored.graph.all_successors(node).count())
        .sum();
    let note = format!(
        "{} and {}, for {} and {}",
        counted(graph.len(), "position"),
        counted(graph.edge_count(), "move"),
        counted(reached.len(), "position"),
        counted(moves, "move")
    );
    let columns = ["", "position", "stands for", "alice", "bob"].into_iter();
    let columns = columns.chain(graph.has_owners().then_some("turn"));
    Ok(Value::answer_row(
        Report::Listing(Listing::new(columns, rows).noted(note)),
        vertices.into_iter().map(Value::Game),
    ))
}

/// Formats an expression with the rules under which it was evaluated, as far as they differ from
/// the default.
fn under(expression: &str, rules: &Rules) -> String {
    let default = Overrides::from(Rules::default()).fields();
    let mut other = Overrides::default();
    let fields = Overrides::from(rules.clone()).fields();
    fields
        .into_iter()
        .filter(|field| !default.contains(field))
        .for_each(|field| other.set(field));
    if other.fields().is_empty() {
        expression.to_owned()
    } else {
        format!("({expression} using {})", print_rules(&other))
    }
}

/// Converts a graph of positions to games: the vertices are named after the positions, and keep
/// their labels and endings.
fn network(
    games: &mut Games,
    title: String,
    merged: &Merged,
    endless: &EndlessPlay,
    positions: &[GameId],
) -> Result<Vec<GameId>> {
    let mut network = Network::titled(title);
    let graph = &merged.graph;
    let mut heads = Vec::new();
    for (node, &position) in graph.nodes().zip(positions) {
        heads.push(match graph.ending(node) {
            // Endings are games of their own and need no vertex.
            Some(ending) => Head::Game(games.ended(ending)),
            None => Head::Vertex(network.vertex_named(&new_name(games, &network, position))),
        });
    }
    // All vertices have to exist before the first edge is drawn.
    for (node, head) in graph.nodes().zip(&heads) {
        let Head::Vertex(vertex) = *head else {
            continue;
        };
        // Merged positions have equal labels, so that the first one speaks for all.
        let said = endless.marks(merged.positions[node.index()]);
        if said.accepting.bob.is_some() {
            return Err(for_bob("a smaller graph").into());
        }
        if said.accepting.alice.is_some() {
            network.accepts = true;
        }
        if said.weight.is_some() {
            network.weighted = true;
        }
        network.vertex_mut(vertex).set_marks(Marks {
            owner: graph.owner(node),
            accepting: said.accepting.alice == Some(true),
            priority: said.priority,
            weight: said.weight,
            // Games whose positions have income are not merged.
            income: PerPlayer::default(),
        });
        for player in Player::BOTH {
            let loads = merged.loads[node.index()][player].iter();
            let loads = loads.copied().chain(std::iter::repeat(Score::zero()));
            let moves = graph.successors(node, player).iter().zip(loads);
            // Games with scores have no classes, so no move of the merged graph has one.
            let edge =
                |(to, load): (&NodeId, Score)| Edge::new(heads[to.index()], Score::zero(), load);
            network.vertex_mut(vertex).edges[player] = moves.map(edge).collect();
        }
    }
    let network = games.add_network(network);
    Ok(heads
        .into_iter()
        .map(|head| match head {
            Head::Vertex(vertex) => games.vertex(network, vertex),
            Head::Game(game) => game,
        })
        .collect())
}

/// Makes the error that accepting vertices are Bob's aim, which lines of a graph cannot express.
pub(crate) fn for_bob(what: &str) -> Diagnostic {
    Diagnostic::new(
        Code::NotSupported,
        format!("{what} cannot say that accepting vertices are Bob's aim, as they are in a conjugate"),
    )
    .note("in a graph, `accepting: x` says that Alice wins if she comes to x again and again")
    .help("ask about the game itself instead of its conjugate, or say the same by priorities: 2 where it is accepting, 1 elsewhere")
}

/// Finds a name for a position that no vertex of the graph has yet.
fn new_name(games: &Games, network: &Network, position: GameId) -> String {
    let told = |text: String| vertex_name(&text);
    let short = match games.expr(games.beneath_rules(position)) {
        GameExpr::Vertex(..) => print_position(games, position),
        _ => told(print_position(games, position)),
    };
    let numbered =
        (2_u32..).map(|number| told(format!("{} {number}", print_game(games, position))));
    // The short name may be taken, because different games can print equal positions.
    [short, told(print_game(games, position))]
        .into_iter()
        .chain(numbered)
        .find(|name| network.find(name).is_none())
        .expect("numbers go on")
}

fn classes(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game();
    let rules = evaluator.rules();
    let context = evaluator.context;
    let place = evaluator.ask().locate_start(game)?;
    let (explored, start) = (place.solved.explored.clone(), place.node);
    let (sequences, values) = (
        place.solved.sequences(&rules, context)?,
        place.solved.richman(&rules, context)?,
    );
    let mut groups = HashMap::<ClassId, Vec<NodeId>>::new();
    for node in explored.graph.reachable(start) {
        groups.entry(sequences.class(node)).or_default().push(node);
    }
    let mut groups: Vec<Vec<NodeId>> = groups.into_values().collect();
    // The second key makes the order definite, since the map has none.
    groups.sort_by(|a, b| values.compare(a[0], b[0]).then(a[0].cmp(&b[0])));
    let firsts: Vec<NodeId> = groups.iter().map(|group| group[0]).collect();
    let found = simplest_of(evaluator, game, &firsts)?;
    let games = &mut evaluator.world.games;
    let mut rows = Vec::new();
    for (group, class) in groups.iter().zip(&found) {
        let position = explored.game(games, group[0]);
        rows.push(vec![
            Scalar::Game(NamedGame {
                text: print_game(games, *class),
                id: *class,
            }),
            Scalar::Rational(values.value(group[0])),
            Scalar::from(group.len()),
            text(print_position(games, position)),
        ]);
    }
    let positions: usize = groups.iter().map(Vec::len).sum();
    let note = format!(
        "{} of {}",
        counted(rows.len(), "class"),
        counted(positions, "position")
    );
    let listing = Listing::new(["class", "R", "positions", "first"], rows).noted(note);
    Ok(Value::answer_row(
        Report::Listing(listing),
        found.into_iter().map(Value::Game),
    ))
}
