//! Queries about moves: `moves`, `tree`.

use std::collections::HashMap;
use std::rc::Rc;

use num_traits::ToPrimitive;

use super::{Builtin, Call, Parameter, scoring};
use crate::check::Kinds;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Answer, Evaluator, Measure, Value, print_position, print_target, shows_hexagons, type_error};
use crate::game::{Explored, GameId, NodeId, Player};
use crate::report::{Moves, Ply, Report, Rest, Tree, TreeNode, ValuedMove};
use crate::solve::chips::{self, Asked};

const GAME_AND_CHIPS: &[Parameter] = &[
    Parameter { name: "G", kinds: Kinds::GAME },
    Parameter { name: "a", kinds: Kinds::HOLDING },
    Parameter { name: "b", kinds: Kinds::HOLDING },
];

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = &[
    Builtin {
        required: 1,
        help: "Every move with its value, best first: the Richman value of the position it leads to, or with chips \
               Alice's threshold there for the same total. In a game with scores, the score from here on, if the move's player \
               wins the bid with his best bid and makes it.",
        examples: &[(
            "moves(A ∧ B^2, 3*, 3)",
            "player  to   f\nalice   A    0   best\nalice   B^2  5*\nbob     B^2  5*  best\nbob     A    0",
        )],
        run: moves,
        ..Builtin::new("moves", GAME_AND_CHIPS, Kinds::ANSWER)
    },
    Builtin {
        required: 1,
        named: &[Parameter { name: "depth", kinds: Kinds::INTEGER }],
        help: "The optimal moves from G onwards with the value of each position: Richman values, or with a total k Alice's \
               thresholds. Nothing follows a position that is decided. `depth:` asks for the first moves only; `svg`, `dot` and `latex` draw \
               it, without the moves that decide the game. With both players' chips in a game with scores: the course of \
               play when both bid and move their best.",
        run: tree,
        ..Builtin::new("tree", GAME_AND_CHIPS, Kinds::ANSWER)
    },
];

fn moves(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game()?;
    let total = match &call.arguments[1..] {
        [] => None,
        [alice, bob] => {
            let asked = evaluator.asked(game)?;
            let purses = evaluator.purses(alice, bob, asked, call.span)?;
            if asked == Asked::Score {
                return scoring::moves(evaluator, call, game, purses);
            }
            chips::admit(&evaluator.rules(), asked)?;
            Some(purses.chips.alice + purses.chips.bob)
        }
        _ => return Err(half_a_split(call)),
    };
    let (measure, explored) = evaluator.measure_of_moves(game, total)?;
    let mut found = Vec::new();
    for player in Player::BOTH {
        found.extend(evaluator.valued_moves(game, player, &measure, &explored)?);
    }
    let report = Moves { measure: measure.name().to_owned(), moves: found };
    Ok(Value::Answer(Answer::report(Report::Moves(report)).into()))
}

fn half_a_split(call: &Call<'_>) -> Box<Diagnostic> {
    Diagnostic::new(Code::WrongCount, "`moves` takes a game alone, or with both players' chips")
        .label(call.span, "one chip count is given")
        .help("write `moves(G)` or `moves(G, 4*, 4)`")
        .into()
}

fn tree(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let game = call.game()?;
    if let [_, alice, bob] = &call.arguments[..] {
        let purses = evaluator.purses(alice, bob, Asked::Score, call.span)?;
        return scoring::line(evaluator, call, game, purses);
    }
    let total = match call.arguments.get(1) {
        None => None,
        Some((Value::Integer(k), span)) => {
            Some(chips::total(k).map_err(|error| error.label(*span, "the total of both players' chips"))?)
        }
        Some((other, span)) => return Err(type_error(*span, Kinds::INTEGER, other)),
    };
    let measure = evaluator.measure(game, total)?;
    let nodes = evaluator.optimal_tree(game, &measure, depth(call)?)?;
    let report = Tree { measure: measure.name().to_owned(), nodes };
    Ok(Value::Answer(Answer::report(Report::Tree(report)).into()))
}

/// How many moves deep the tree is asked for.
fn depth(call: &Call<'_>) -> Result<usize> {
    match call.named.first() {
        None => Ok(usize::MAX),
        Some((_, Value::Integer(depth), span)) => depth.to_usize().ok_or_else(|| {
            Diagnostic::new(Code::BadValue, "`depth` is a number of moves, 0 or more")
                .label(*span, "out of range")
                .into()
        }),
        Some((_, other, span)) => Err(type_error(*span, Kinds::INTEGER, other)),
    }
}

impl Evaluator<'_> {
    fn measure(&mut self, game: GameId, total: Option<u64>) -> Result<Measure> {
        let rules = self.rules();
        let watch = self.watch;
        Measure::solve(self.locate(game)?.chart, &rules, total, watch)
    }

    /// The values of the positions that a game's moves lead to, by their vertices in a graph.
    fn measure_of_moves(&mut self, game: GameId, total: Option<u64>) -> Result<(Measure, Rc<Explored>)> {
        let rules = self.rules();
        if let Some(near) = self.neighbourhood(game)?
            && let Some(measure) = self.swept_measure(&near, &rules, total)?
        {
            return Ok((measure, near.explored));
        }
        let measure = self.measure(game, total)?;
        Ok((measure, self.locate(game)?.chart.explored.clone()))
    }

    /// A player's moves, best first; moves that lead to the same position up to symmetry are kept apart.
    fn valued_moves(
        &mut self,
        game: GameId,
        player: Player,
        measure: &Measure,
        explored: &Explored,
    ) -> Result<Vec<ValuedMove>> {
        if self.world.games.ending(game)?.is_some() {
            return Ok(Vec::new());
        }
        let mut placed: Vec<(NodeId, Ply)> = Vec::new();
        for named in self.named_moves(game, player)? {
            let node = self.node_of(explored, named.to);
            let position = print_target(&self.world.games, game, named.to);
            placed.push((node, Ply { player, action: named.action, position }));
        }
        placed.sort_by(|(a, _), (b, _)| measure.preference(player, *a, *b));
        let best = placed.first().map(|(node, _)| *node);
        let is_best = |node| best.is_some_and(|best| measure.preference(player, best, node).is_eq());
        Ok(placed
            .into_iter()
            .map(|(node, ply)| ValuedMove { ply, value: measure.value(node), best: is_best(node) })
            .collect())
    }

    /// The vertex of a successor in the graph that its position was found in.
    pub(super) fn node_of(&self, explored: &Explored, game: GameId) -> NodeId {
        explored.node_of_option(&self.world.games, game)
    }

    /// The vertices in the order of their distance from the start, none further than the depth.
    fn optimal_tree(&mut self, game: GameId, measure: &Measure, depth: usize) -> Result<Vec<TreeNode>> {
        let place = self.locate(game)?;
        let (explored, start) = (place.chart.explored.clone(), place.node);
        let mut found = vec![(start, game, 0)];
        let mut index_of = HashMap::from([(start, 0)]);
        let mut nodes: Vec<TreeNode> = Vec::new();
        while let Some(&(node, position, moved)) = found.get(nodes.len()) {
            self.watch.check()?;
            let mut moves = Vec::new();
            let rest = match () {
                () if node != start && measure.is_decided(node) => Rest::Decided,
                () if moved >= depth => Rest::LeftOut,
                () => Rest::Shown,
            };
            for player in Player::BOTH.into_iter().filter(|_| rest == Rest::Shown) {
                let Some((action, head, to)) = self.best_move(&explored, (node, position), player, measure)? else {
                    continue;
                };
                let index = *index_of.entry(head).or_insert_with(|| {
                    found.push((head, to, moved + 1));
                    found.len() - 1
                });
                moves.push((player, action, index));
            }
            let hexagons = shows_hexagons(&self.world.games, position);
            let position = print_position(&self.world.games, position);
            nodes.push(TreeNode { position, hexagons, value: measure.value(node), moves, rest });
        }
        Ok(nodes)
    }

    /// A player's best move with its words, as a move of the position that is shown rather than of a symmetric one.
    fn best_move(
        &mut self,
        explored: &Explored,
        (node, position): (NodeId, GameId),
        player: Player,
        measure: &Measure,
    ) -> Result<Option<(String, NodeId, GameId)>> {
        let Some(best) = measure.best(&explored.graph, node, player) else { return Ok(None) };
        for named in self.named_moves(position, player)? {
            if self.node_of(explored, named.to) == best {
                return Ok(Some((named.action, best, named.to)));
            }
        }
        Ok(None)
    }
}
