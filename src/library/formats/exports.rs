//! Exports of values in other formats: `json`, `csv`, `latex`, `html`, `svg`, `dot`.

use std::collections::{BTreeMap, HashMap};
use std::fmt::{self, Write};

use num_traits::Zero;

use super::draw;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::eval::{Builtin, Call, Evaluator, graphs, report};
use crate::game::{Explored, Games, NodeId, Score, for_alice, print_position};
use crate::ir::{Kinds, Operand, Parameter, Value};
use crate::library::formats::node_link::received;
use crate::player::{Ending, GameId, Player};
use crate::report::{Format, Page, Picture, Report, colour, safe};

const VALUE: &[Parameter] = &[Parameter::new("x", Kinds::ANY)];
const GAME_OR_DIAGRAM: &[Parameter] = &[Parameter::new("G", Kinds::GAME.or(Kinds::ANSWER))];

/// The builtins of this module.
pub const BUILTINS: &[Builtin] = builtins! {
    "json"(VALUE) -> Kinds::TEXT, None, |evaluator, call| export(evaluator, call, Format::Json),
        "The value as JSON text, in the schema of `--format json`.",
        "json(4*)" => "{\"type\":\"chips\",\"count\":\"4\",\"mark\":\"star\"}";
    "csv"(VALUE) -> Kinds::TEXT, None, |evaluator, call| export(evaluator, call, Format::Csv),
        "The value as comma-separated text. A list that a comprehension made has columns for its variables.",
        "csv(f(E, 0..3))" => "k,\"f(E, k)\"\n0,0*\n1,1\n2,1*\n3,2",
        "csv([R(A^n) for n in 1..3])" => "n,R(A^n)\n1,1/2\n2,1/4\n3,1/8";
    "latex"(VALUE) -> Kinds::TEXT, None, |evaluator, call| export(evaluator, call, Format::Latex),
        "The value as LaTeX, with tables in the papers' layout for the package booktabs.",
        "latex(f(E, 0..3))" => "\\begin{tabular}{lrrrr}\n\
                 \\toprule\n\
                 $k$ & $0$ & $1$ & $2$ & $3$ \\\\\n\
                 \\midrule\n\
                 $f(E, k)$ & $0^*$ & $1$ & $1^*$ & $2$ \\\\\n\
                 \\bottomrule\n\
                 \\end{tabular}";
    "html"(VALUE) -> Kinds::TEXT, None, |evaluator, call| export(evaluator, call, Format::Html),
        "The value as HTML for a page: tables, fractions as MathML, pictures as SVG.",
        "html(R(E))" => "<div class=\"bid\">\n<div><math><mfrac><mn>1</mn><mn>2</mn></mfrac></math></div>\n</div>";
    "svg"(VALUE) -> Kinds::TEXT, Some(graphs), svg,
        { income: true }
        "A picture as SVG text: the optimal moves of `tree(G)` with boards drawn as boards, the graph of `draw(G)`, the diagram of `hasse(games)`, the bars of \
         `nash(G, a, b)`, the heat map of `pivotal(G)`, and every `plot` and `heat`.",
        "svg(tree(A))" => "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"54\" height=\"76\" viewBox=\"0 0 54 76\" font-family=\"sans-serif\" font-size=\"12\">\n\
                 <title>Optimal moves</title>\n\
                 <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
                 <g class=\"vertex\" data-box=\"16.0 16.0 21.5 44.0\">\n\
                 <rect x=\"16.0\" y=\"16.0\" width=\"21.5\" height=\"24.0\" rx=\"5\" fill=\"#F4F4F4\" stroke=\"#555555\"/>\n\
                 <text x=\"26.8\" y=\"32.0\" text-anchor=\"middle\">A</text>\n\
                 <text x=\"26.8\" y=\"54.0\" text-anchor=\"middle\">0</text>\n\
                 </g>\n\
                 </svg>";
    "dot"(GAME_OR_DIAGRAM) -> Kinds::TEXT, Some(graphs), dot,
        { income: true, endless: true }
        "The graph of a game in the language of Graphviz, or the diagram of `tree(G)` or `hasse(games)`. \
         Alice's edges are vermilion and solid, Bob's blue and dashed; a diamond of a player's colour marks a \
         vertex where that player moves without a bid. Scores, weights, priorities and income stand beside vertices \
         and edges; accepting vertices have two borders.",
        "dot(E)" => "digraph game {\n\
                 \x20   node [shape=box, style=rounded]\n\
                 \x20   n0 [label=\"E\", penwidth=2]\n\
                 \x20   n1 [label=\"A\", style=\"rounded,filled\", fillcolor=\"#F4C7A8\"]\n\
                 \x20   n2 [label=\"B\", style=\"rounded,filled\", fillcolor=\"#A8CBE6\"]\n\
                 \x20   n0 -> n1 [color=\"#D55E00\"]\n\
                 \x20   n0 -> n2 [color=\"#D55E00\"]\n\
                 \x20   n0 -> n1 [color=\"#0072B2\", style=dashed]\n\
                 \x20   n0 -> n2 [color=\"#0072B2\", style=dashed]\n\
                 }";
};

fn export(evaluator: &Evaluator<'_>, call: &Call<'_>, format: Format) -> Result<Value> {
    let report = report(
        &evaluator.world.games,
        &call.arguments[0].value,
        evaluator.context,
    )?;
    Ok(Value::text(report.render(format, evaluator.context)?))
}

/// Returns the picture of an answer, if it has one.
fn picture(value: &Value) -> Option<Picture<'_>> {
    let Value::Answer(answer) = value else {
        return None;
    };
    answer.as_report::<Report>().picture()
}

fn svg(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    let Operand { value, span } = &call.arguments[0];
    if let Some(picture) = picture(value) {
        return Ok(Value::text(picture.svg(evaluator.context)?));
    }
    if let Value::Game(game) = value {
        let drawing = draw::graph(evaluator, *game, None)?;
        return Ok(Value::text(drawing.diagram().svg(evaluator.context)?));
    }
    Err(Diagnostic::new(Code::NotSupported, "this cannot be drawn yet")
        .label(*span, "`svg` draws graphs, plots, heat maps, trees of optimal moves, orders, optimal mixed bids and pivotal cells")
        .help("write `svg(draw(G))`, `svg(plot(x))`, `svg(heat(table))`, `svg(tree(G))`, `svg(hasse(games))`, `svg(nash(G, a, b))` or `svg(pivotal(G))`; for the graph of a game, `svg(draw(G))`")
        .into())
}

fn dot(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Result<Value> {
    if let Some(diagram) = picture(&call.arguments[0].value).and_then(Picture::diagram) {
        return Ok(Value::text(diagram.dot()));
    }
    let explored = evaluator.ask().explore(call.game())?;
    let labels = Labels::of(&explored, &mut evaluator.world.games)?;
    Ok(Value::text(Page::written(evaluator.context, |page| {
        write_graph(&explored, &labels, page)
    })?))
}

/// The labels of the vertices and edges of a game's graph.
pub(super) struct Labels {
    /// The name of each vertex's position and its attributes, by vertex.
    pub(super) vertices: Vec<String>,
    /// `true` for the vertices that Alice wants to visit again and again, by vertex.
    pub(super) accepting: Vec<bool>,
    /// The labels of edges, by player, tail and head.
    pub(super) edges: HashMap<(Player, NodeId, NodeId), String>,
}

impl Labels {
    pub(super) fn of(explored: &Explored, games: &mut Games) -> Result<Self> {
        let graph = &explored.graph;
        let is_scored = explored.is_scored(games);
        let mut labels = Self {
            vertices: Vec::with_capacity(graph.len()),
            accepting: Vec::with_capacity(graph.len()),
            edges: HashMap::new(),
        };
        for node in graph.nodes() {
            let game = explored.game(games, node);
            let marks = games.endless_marks(game);
            let mut lines = vec![print_position(games, game)];
            if is_scored && graph.ending(node).is_some() {
                lines.push(format!("score {}", games.ending_score(game)?));
            }
            lines.extend(
                marks
                    .priority
                    .map(|priority| format!("priority {priority}")),
            );
            lines.extend(marks.weight.map(|weight| format!("weight {weight}")));
            for player in Player::BOTH {
                let part = received(graph, node, player);
                lines.extend(part.map(|part| format!("income {} {part}", player.word())));
            }
            lines.extend(
                (marks.accepting.bob == Some(true)).then(|| "accepting for Bob".to_owned()),
            );
            labels.vertices.push(lines.join("\n"));
            labels.accepting.push(marks.accepting.alice == Some(true));
            // Play does not go on from an ending, so its edges have no labels.
            if graph.ending(node).is_some() {
                continue;
            }
            for player in Player::BOTH {
                labels.add_edges(explored, games, node, game, player, is_scored)?;
            }
        }
        Ok(labels)
    }

    /// Adds the scores of a player's moves from a vertex. Of several moves to the same position it
    /// takes the best for the player.
    fn add_edges(
        &mut self,
        explored: &Explored,
        games: &mut Games,
        tail: NodeId,
        game: GameId,
        player: Player,
        is_scored: bool,
    ) -> Result<()> {
        let mut words = BTreeMap::<NodeId, Vec<String>>::new();
        if is_scored {
            let mut best = BTreeMap::<NodeId, Score>::new();
            for (option, score) in games.scored_moves(game, player)? {
                let score = for_alice(player, score);
                let kept = best
                    .entry(explored.node_of_option(games, option))
                    .or_insert(score);
                // Scores are seen from the mover's side here, so the greatest is the best.
                *kept = score.max(*kept);
            }
            for (head, score) in best {
                words
                    .entry(head)
                    .or_default()
                    .push(format!("score {score}"));
            }
        }
        for (head, load) in explored.loads(games, tail, player)? {
            if !load.is_zero() {
                words
                    .entry(head)
                    .or_default()
                    .push(format!("weight {load}"));
            }
        }
        let labelled = words.into_iter();
        self.edges
            .extend(labelled.map(|(head, words)| ((player, tail, head), words.join(", "))));
        Ok(())
    }
}

fn write_graph(explored: &Explored, labels: &Labels, page: &mut Page<'_>) -> fmt::Result {
    let graph = &explored.graph;
    page.write_str("digraph game {\n    node [shape=box, style=rounded]\n")?;
    for node in graph.nodes() {
        let label = safe::dot(&labels.vertices[node.index()]);
        let filled = ending_colour(graph.ending(node));
        let start = if node == graph.start() {
            ", penwidth=2"
        } else {
            ""
        };
        let accepting = if labels.accepting[node.index()] {
            ", peripheries=2"
        } else {
            ""
        };
        let turn = graph.owner(node).map_or(String::new(), |owner| {
            format!(", shape=diamond, color=\"{}\"", colour(owner))
        });
        writeln!(
            page,
            "    n{} [label={label}{filled}{turn}{accepting}{start}]",
            node.index()
        )?;
    }
    for node in graph.nodes() {
        for player in Player::BOTH {
            for head in graph.successors(node, player) {
                let label = labels.edges.get(&(player, node, *head));
                writeln!(page, "    {}", edge(node, *head, player, label))?;
            }
        }
    }
    page.write_str("}")
}

/// Formats an edge.
fn edge(tail: NodeId, head: NodeId, player: Player, label: Option<&String>) -> String {
    // Dashes tell the players apart even without colours.
    let style = match player {
        Player::Alice => "",
        Player::Bob => ", style=dashed",
    };
    let label = label.map_or(String::new(), |label| format!(", label=\"{label}\""));
    format!(
        "n{} -> n{} [color=\"{}\"{style}{label}]",
        tail.index(),
        head.index(),
        colour(player)
    )
}

fn ending_colour(ending: Option<Ending>) -> &'static str {
    match ending {
        None => "",
        Some(Ending::Win(Player::Alice)) => ", style=\"rounded,filled\", fillcolor=\"#F4C7A8\"",
        Some(Ending::Win(Player::Bob)) => ", style=\"rounded,filled\", fillcolor=\"#A8CBE6\"",
        Some(Ending::Draw) => ", style=\"rounded,filled\", fillcolor=\"#DDDDDD\"",
    }
}
