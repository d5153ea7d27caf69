//! The picture of a game's graph: `draw`.

use std::collections::{HashMap, HashSet};

use super::exports::Labels;
use crate::ask::{About, Around, PositionValues};
use crate::diagnostic::{Code, Result};
use crate::eval::{Builtin, Call, Evaluator, look};
use crate::game::{Explored, NodeId, print_position};
use crate::ir::{Kinds, Parameter, Value};
use crate::library::asks;
use crate::player::{Ending, GameId, Outcome, Player};
use crate::report::{Drawing, GraphEdge, GraphVertex, Report};
use crate::rules::Objective;

const GAME_AND_TOTAL: &[Parameter] = &[
    Parameter::new("G", Kinds::GAME),
    Parameter::new("k", Kinds::INTEGER),
];

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = builtins! {
    "draw"(GAME_AND_TOTAL) -> Kinds::ANSWER, Some(asks::trees), draw,
        { required: 1 }
        "The graph of a game: its positions with their Richman values, or with Alice's thresholds for a total k, \
         and the moves of each player. Positions on cycles, endings, and players who move without a bid are \
         marked. `svg`, `dot` and `latex` draw it; the terminal lists the positions.",
        "draw(graph { start 0; both i <-> i + 1 for i in -1..0; alice 0 -> W; win alice: 1, W; win bob: -1 })" => "vertex  R    alice     bob\n\
             0       1/2  -1, 1, W  -1, 1  start\n\
             -1      1                     bob wins\n\
             1       0                     alice wins\n\
             W       0                     alice wins";
};

fn draw(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let drawing = graph(evaluator, call.game(), call.total(1)?)?;
    Ok(Value::answer(Report::Drawing(drawing)))
}

/// Returns the graph of a game with its values, if the rules in force have any.
pub(super) fn graph(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    total: Option<u64>,
) -> Result<Drawing> {
    let rules = evaluator.rules();
    let explored = evaluator.ask().explore(game)?;
    let has_values =
        rules.objective == Objective::Reachability && !explored.is_scored(&evaluator.world.games);
    let values = if has_values {
        match evaluator.ask().about(game, About::Tree(total), &rules) {
            Ok(around) => Some(around).filter(|around: &Around<PositionValues>| around.is_whole),
            // Nobody asked for values, so the graph is drawn without those that the rules lack.
            Err(error) if is_about_rules(error.code) && total.is_none() => None,
            Err(error) => return Err(error),
        }
    } else {
        None
    };
    match values {
        Some(Around {
            explored, solution, ..
        }) => drawing(evaluator, game, &explored, Some(&solution)),
        None => drawing(evaluator, game, &explored, None),
    }
}

/// Returns `true` for an error that says that there are no thresholds under the rules in force.
fn is_about_rules(code: Code) -> bool {
    matches!(
        code,
        Code::RulesClash | Code::WrongTheory | Code::NotSupported
    )
}

fn drawing(
    evaluator: &mut Evaluator<'_>,
    game: GameId,
    explored: &Explored,
    values: Option<&PositionValues>,
) -> Result<Drawing> {
    let labels = Labels::of(explored, &mut evaluator.world.games)?;
    let graph = &explored.graph;
    let start = explored.node_of_option(&evaluator.world.games, game);
    let mut index_of = HashMap::from([(start, 0)]);
    let mut order: Vec<NodeId> = vec![start];
    let mut edges: Vec<GraphEdge> = Vec::new();
    let mut next = 0;
    while let Some(&tail) = order.get(next) {
        evaluator.context.check()?;
        let mut own: HashMap<(usize, String), usize> = HashMap::new();
        for player in Player::BOTH {
            for head in graph.successors(tail, player) {
                let to = *index_of.entry(*head).or_insert_with(|| {
                    order.push(*head);
                    order.len() - 1
                });
                let label = labels.edges.get(&(player, tail, *head));
                let label = label.cloned().unwrap_or_default();
                // Edges with different labels stay apart, because a label belongs to one move.
                let place = *own.entry((to, label.clone())).or_insert(edges.len());
                match edges.get_mut(place) {
                    // The other player has the same edge.
                    Some(edge) => edge.player = edge.player.filter(|other| *other == player),
                    None => edges.push(GraphEdge {
                        player: Some(player),
                        from: next,
                        to,
                        label,
                    }),
                }
            }
        }
        next += 1;
    }
    let components = graph.components();
    let cyclic = components.iter().filter(|(_, cyclic)| *cyclic);
    let cyclic: HashSet<NodeId> = cyclic.flat_map(|(part, _)| part.iter().copied()).collect();
    let mut vertices = Vec::with_capacity(order.len());
    for node in order {
        evaluator.context.check()?;
        let position = explored.game(&mut evaluator.world.games, node);
        let games = &evaluator.world.games;
        let text = print_position(games, position);
        let mut marks: Vec<String> = labels.vertices[node.index()]
            // The label begins with the position, and the attributes are on the lines after it.
            .strip_prefix(text.as_str())
            .map(|rest| rest.lines().map(str::to_owned).collect())
            .unwrap_or_default();
        marks.retain(|mark| !mark.is_empty());
        if labels.accepting[node.index()] {
            marks.push("accepting".to_owned());
        }
        vertices.push(GraphVertex {
            board: look(games, position),
            position: text,
            value: values.map(|values| values.value(node)),
            marks,
            ending: graph.ending(node).map(|ending| match ending {
                Ending::Win(player) => Outcome::Wins(player),
                Ending::Draw => Outcome::Draw,
            }),
            turn: graph.owner(node),
            cyclic: cyclic.contains(&node),
        });
    }
    Ok(Drawing {
        measure: values.map(|values| values.name().to_owned()),
        vertices,
        edges,
    })
}
