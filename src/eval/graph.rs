//! Builds a [`Network`] from the lines of `graph { … }`.

mod warnings;

use std::collections::{BTreeMap, BTreeSet};

use num_traits::Zero;

use super::evaluator::{Evaluator, type_error};
use super::frame::Frame;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::{Edge, Head, Marks, Network, Score, for_alice, narrow};
use crate::interchange::EdgeList;
use crate::ir::{
    CheckedExpr, CheckedExprKind, CheckedGraphItem, CheckedGraphItemKind, CheckedMark, GlobalId,
    Kinds, Value,
};
use crate::player::{Ending, GameId, Player};
use crate::source::Span;

/// A network under construction.
pub(super) struct NetworkBuilder {
    pub network: Network,
    /// The place at which each vertex was first mentioned.
    mentioned: Vec<Span>,
    /// The place at which each vertex of a player's turn was first given to a player.
    owned: BTreeMap<u32, Span>,
    /// The place at which each vertex with income was first given income.
    paid: BTreeMap<u32, Span>,
    /// Vertices that were written as bare names.
    labels: BTreeSet<u32>,
    /// The definition and the place of the first name that has each vertex as its value.
    defined: BTreeMap<u32, (GlobalId, Span)>,
    /// The first vertex that is the value of two names, and where they stand.
    shared: Option<SharedVertex>,
    start: Option<u32>,
    /// `true` if some line names a start, perhaps for no value.
    has_start_line: bool,
    /// The line that has named the start.
    start_line: Option<Span>,
    /// The start that a file of edges names, used if no line names one.
    pub file_start: Option<u32>,
    /// The first line with a win, and the first line with a score.
    win: Option<Span>,
    score: Option<Span>,
}

/// A vertex that is the value of two names.
#[derive(Debug, Clone, Copy)]
struct SharedVertex {
    vertex: u32,
    first: Span,
    second: Span,
}

impl Evaluator<'_> {
    /// Evaluates an explicit graph to its game.
    pub(super) fn graph(
        &mut self,
        items: &[CheckedGraphItem],
        frame: &mut Frame,
        span: Span,
    ) -> Result<GameId> {
        let mut builder = NetworkBuilder::titled(&frame.title(&self.world.games));
        for item in items {
            self.for_each(&item.clauses, frame, &mut |evaluator, frame| {
                evaluator.graph_line(item, &mut builder, frame)
            })?;
        }
        let has_line =
            |item: &CheckedGraphItem| matches!(item.kind, CheckedGraphItemKind::Start(_));
        builder.has_start_line = items.iter().any(has_line);
        self.finished(builder, span)
    }

    /// Builds the game of a graph given as lists.
    ///
    /// # Errors
    /// Returns an error if the graph contradicts itself, or names no start.
    pub fn listed(&mut self, edges: &EdgeList, span: Span) -> Result<GameId> {
        let mut builder = NetworkBuilder::titled(&edges.title);
        self.step()?;
        builder.take(edges, &[], span, self.context)?;
        self.finished(builder, span)
    }

    /// Completes the game of a graph whose lines have been read.
    fn finished(&mut self, mut builder: NetworkBuilder, span: Span) -> Result<GameId> {
        // A `start` line of the program overrides that of a file.
        let Some(start) = builder.start.or(builder.file_start) else {
            return Err(no_start(builder.has_start_line, span));
        };
        builder.network.start = start;
        // Loops may give an edge more than once, and solvers expect each move once.
        builder.network.drop_repeated_edges();
        if let (Some(win), Some(score)) = (builder.win, builder.score) {
            return Err(win_and_score(win, score));
        }
        self.warnings.extend(builder.warnings(start));
        let network = self.world.games.add_network(builder.network);
        Ok(self.world.games.vertex(network, start))
    }

    fn graph_line(
        &mut self,
        item: &CheckedGraphItem,
        builder: &mut NetworkBuilder,
        frame: &mut Frame,
    ) -> Result<()> {
        match &item.kind {
            CheckedGraphItemKind::Start(node) => {
                builder.start = Some(self.vertex(node, builder, frame)?);
                builder.start_line = Some(item.span);
            }
            CheckedGraphItemKind::Ending(ending, nodes) => {
                if let Ending::Win(_) = ending {
                    builder.won(item.span);
                }
                for node in nodes {
                    let vertex = self.vertex(node, builder, frame)?;
                    builder.end(vertex, *ending, Score::zero(), node.span)?;
                }
            }
            CheckedGraphItemKind::ScoredEnding(score, nodes) => {
                let score = self.score(score, builder, frame)?;
                for node in nodes {
                    let vertex = self.vertex(node, builder, frame)?;
                    builder.end(vertex, Ending::Draw, score, node.span)?;
                }
            }
            CheckedGraphItemKind::Mark(mark, nodes) => self.mark(mark, nodes, builder, frame)?,
            CheckedGraphItemKind::File {
                owners,
                path,
                turns,
                folder,
                span,
            } => {
                let edges = self.edges_of_file(path, folder, *span)?;
                builder.take(&edges, owners, *span, self.context)?;
                if *turns {
                    builder.take_turns(&edges, owners, *span)?;
                }
            }
            CheckedGraphItemKind::Edges {
                owners,
                from,
                two_way,
                to,
                score,
                weight,
            } => {
                let score = score
                    .as_ref()
                    .map_or(Ok(Score::zero()), |score| self.score(score, builder, frame))?;
                let load = weight.as_ref().map_or(Ok(Score::zero()), |weight| {
                    self.weight(weight, builder, frame)
                })?;
                let tail = self.vertex(from, builder, frame)?;
                for node in to {
                    let head = self.head(node, builder, frame)?;
                    builder.connect(owners, tail, head, score, load);
                    match head {
                        Head::Vertex(head) if *two_way => {
                            builder.connect(owners, head, Head::Vertex(tail), score, load);
                        }
                        // A game in place of a vertex is no part of this graph and can have no
                        // edges in it.
                        Head::Game(_) if *two_way => return Err(back_from_game(node.span)),
                        Head::Vertex(_) | Head::Game(_) => {}
                    }
                }
            }
        }
        Ok(())
    }

    fn mark(
        &mut self,
        mark: &CheckedMark,
        nodes: &[CheckedExpr],
        builder: &mut NetworkBuilder,
        frame: &mut Frame,
    ) -> Result<()> {
        let given = match mark {
            CheckedMark::Turn(player) => Marks {
                owner: Some(*player),
                ..Marks::default()
            },
            CheckedMark::Accepting => {
                builder.network.accepts = true;
                Marks {
                    accepting: true,
                    ..Marks::default()
                }
            }
            CheckedMark::Priority(number) => Marks {
                priority: Some(self.priority(number, frame)?),
                ..Marks::default()
            },
            CheckedMark::Weight(number) => Marks {
                weight: Some(self.weight(number, builder, frame)?),
                ..Marks::default()
            },
            CheckedMark::Income(player, part) => {
                let mut marks = Marks::default();
                let income = self.narrow(part, frame)?;
                if income < Score::zero() {
                    return Err(negative_income(part.span));
                }
                marks.income[*player] = Some(income);
                marks
            }
        };
        for node in nodes {
            let vertex = self.vertex(node, builder, frame)?;
            builder.mark(vertex, &given, node.span)?;
        }
        Ok(())
    }

    fn score(
        &mut self,
        expr: &CheckedExpr,
        builder: &mut NetworkBuilder,
        frame: &mut Frame,
    ) -> Result<Score> {
        builder.scored(expr.span);
        self.narrow(expr, frame)
    }

    fn weight(
        &mut self,
        expr: &CheckedExpr,
        builder: &mut NetworkBuilder,
        frame: &mut Frame,
    ) -> Result<Score> {
        builder.network.weighted = true;
        self.narrow(expr, frame)
    }

    fn narrow(&mut self, expr: &CheckedExpr, frame: &mut Frame) -> Result<Score> {
        let value = self.eval(expr, frame)?;
        let number = value
            .as_rational()
            .ok_or_else(|| type_error(expr.span, Kinds::NUMBER, &value))?;
        narrow(&number).ok_or_else(|| too_large(expr.span))
    }

    fn priority(&mut self, expr: &CheckedExpr, frame: &mut Frame) -> Result<u32> {
        let value = self.eval(expr, frame)?;
        let number = match &value {
            Value::Integer(number) => number,
            Value::Rational(_) => return Err(bad_priority(expr.span)),
            _ => return Err(type_error(expr.span, Kinds::INTEGER, &value)),
        };
        u32::try_from(number).map_err(|_| bad_priority(expr.span))
    }

    fn head(
        &mut self,
        node: &CheckedExpr,
        builder: &mut NetworkBuilder,
        frame: &mut Frame,
    ) -> Result<Head> {
        match self.eval(node, frame)? {
            Value::Game(game) => Ok(Head::Game(game)),
            value => self.named_vertex(&value, node, builder).map(Head::Vertex),
        }
    }

    fn vertex(
        &mut self,
        node: &CheckedExpr,
        builder: &mut NetworkBuilder,
        frame: &mut Frame,
    ) -> Result<u32> {
        match self.eval(node, frame)? {
            Value::Game(_) => Err(game_as_tail(node.span)),
            value => self.named_vertex(&value, node, builder),
        }
    }

    fn named_vertex(
        &self,
        value: &Value,
        node: &CheckedExpr,
        builder: &mut NetworkBuilder,
    ) -> Result<u32> {
        if !can_be_vertex(value) {
            return Err(not_a_vertex(value, node.span));
        }
        let vertex = builder.named(&self.vertex_name(value)?, node.span);
        // Only written labels can be misspelt; computed ones come out right.
        match &*node.kind {
            CheckedExprKind::Constant(Value::Text(_)) => {
                builder.labels.insert(vertex);
            }
            CheckedExprKind::Global(definition) => {
                builder.written(vertex, *definition, node.span);
            }
            _ => {}
        }
        Ok(vertex)
    }
}

/// Returns `true` if a value can be a vertex: integers, strings, labels and tuples of them can.
fn can_be_vertex(value: &Value) -> bool {
    match value {
        Value::Integer(_)
        | Value::Rational(_)
        | Value::Text(_)
        | Value::Bool(_)
        | Value::Player(_) => true,
        Value::Tuple(parts) => parts.iter().all(can_be_vertex),
        _ => false,
    }
}

impl NetworkBuilder {
    fn titled(title: &str) -> Self {
        Self {
            network: Network::titled(title),
            mentioned: Vec::new(),
            owned: BTreeMap::new(),
            paid: BTreeMap::new(),
            labels: BTreeSet::new(),
            defined: BTreeMap::new(),
            shared: None,
            start: None,
            has_start_line: false,
            start_line: None,
            file_start: None,
            win: None,
            score: None,
        }
    }

    /// Returns the vertex of this name, which is added if it is new.
    pub fn named(&mut self, name: &str, span: Span) -> u32 {
        let vertex = self.network.vertex_named(name);
        // Vertices are numbered as they appear, so this one is new.
        if vertex as usize == self.mentioned.len() {
            self.mentioned.push(span);
        }
        vertex
    }

    /// Records the name of a definition whose value is a vertex.
    fn written(&mut self, vertex: u32, definition: GlobalId, second: Span) {
        let (known, first) = *self.defined.entry(vertex).or_insert((definition, second));
        if known != definition && self.shared.is_none() {
            self.shared = Some(SharedVertex {
                vertex,
                first,
                second,
            });
        }
    }

    /// Records a line by which a player wins.
    pub fn won(&mut self, span: Span) {
        self.win = self.win.or(Some(span));
    }

    /// Records a line with a score.
    pub fn scored(&mut self, span: Span) {
        self.score = self.score.or(Some(span));
        self.network.scored = true;
    }

    /// Adds the labels of a vertex for infinite play.
    pub fn mark(&mut self, vertex: u32, marks: &Marks, span: Span) -> Result<()> {
        if marks.priority > Some(GREATEST_PRIORITY) {
            return Err(bad_priority(span));
        }
        // A line's own income was looked at above; graphs of files and other programs come here too.
        let parts = [marks.income.alice, marks.income.bob];
        if parts.into_iter().flatten().any(|part| part < Score::zero()) {
            return Err(negative_income(span));
        }
        if marks.owner.is_some() {
            self.owned.entry(vertex).or_insert(span);
        }
        if marks.has_income() {
            self.paid.entry(vertex).or_insert(span);
        }
        let slot = self.network.vertex_mut(vertex);
        let mut all = slot.marks().clone();
        if !all.join(marks) {
            return Err(marked_twice(&slot.name, span));
        }
        slot.set_marks(all);
        Ok(())
    }

    pub fn end(&mut self, vertex: u32, ending: Ending, score: Score, span: Span) -> Result<()> {
        let slot = self.network.vertex_mut(vertex);
        match slot.ending {
            // Two lines may say the same, which is harmless.
            Some(other) if (other, slot.score) != (ending, score) => {
                let (name, before) = (&slot.name, words(other, slot.score));
                let error = Diagnostic::new(
                    Code::BadGraph,
                    format!("vertex {name} ends the game in two ways"),
                )
                .label(
                    span,
                    format!("{} here, {before} before", words(ending, score)),
                );
                let shared = self.shared.filter(|shared| shared.vertex == vertex);
                return Err(match shared {
                    Some(shared) => error
                        .label(shared.first, format!("this name has the value {name}"))
                        .help(RENAME),
                    None => {
                        error.help("name each vertex in one `win`, `draw` or `score` line only")
                    }
                }
                .into());
            }
            _ => (slot.ending, slot.score) = (Some(ending), score),
        }
        self.no_edges_from_endings(vertex);
        Ok(())
    }

    /// Adds edges with this `score` and `load`, the weight in the mean payoff, for their owners.
    pub fn connect(&mut self, owners: &[Player], tail: u32, head: Head, score: Score, load: Score) {
        for owner in owners {
            let edges = &mut self.network.vertex_mut(tail).edges[*owner];
            if edges.is_empty() {
                // Most vertices of large graphs have few edges, and a vector would begin with four.
                edges.reserve_exact(2);
            }
            // Scores count for Alice, so those that Bob's moves bring are negated.
            edges.push(Edge::new(head, for_alice(*owner, score), load));
        }
        self.no_edges_from_endings(tail);
    }

    /// Removes the edges from a vertex that ends the game, so that a two-way edge into it is
    /// one-way.
    fn no_edges_from_endings(&mut self, vertex: u32) {
        let slot = self.network.vertex_mut(vertex);
        if slot.ending.is_some() {
            slot.edges = Default::default();
        }
    }
}

/// The remedy for a graph in which two names are the same vertex.
const RENAME: &str = "a name that has a value stands for it: give one of the vertices another name, or write it in quotes";

fn words(ending: Ending, score: Score) -> String {
    match ending {
        Ending::Win(player) => format!("a win for {}", player.name()),
        Ending::Draw if !score.is_zero() => format!("a score of {score}"),
        Ending::Draw => "a draw".to_owned(),
    }
}

fn no_start(has_line: bool, span: Span) -> Box<Diagnostic> {
    if !has_line {
        return Diagnostic::new(Code::NoStart, "this graph has no start")
            .label(span, "neither a `start` line nor a file of edges names one")
            .help("add a line `start x` with the vertex where the game begins")
            .into();
    }
    Diagnostic::new(
        Code::NoStart,
        "this graph has no start with these parameters",
    )
    .label(span, "its `start` line applies to no value")
    .help("write the `start` line without a `for` or `if` that may hold for no value")
    .into()
}

fn win_and_score(win: Span, score: Span) -> Box<Diagnostic> {
    Diagnostic::new(Code::WinsAndScores, "this game has both wins and scores, but does not say what a win is worth")
        .label(win, "somebody wins")
        .label(score, "a score")
        .help("say it with a score: `score 10: x` in place of `win alice: x` ends the game with 10 points for Alice")
        .into()
}

fn too_large(span: Span) -> Box<Diagnostic> {
    Diagnostic::new(Code::BadValue, "this number does not fit in 64 bits")
        .label(span, "too large")
        .help("use smaller numbers or simpler fractions")
        .into()
}

/// The greatest priority. In a conjugate a priority is one more, and must still fit its type.
const GREATEST_PRIORITY: u32 = u32::MAX - 1;

fn bad_priority(span: Span) -> Box<Diagnostic> {
    let message = format!("a priority is a whole number from 0 to {GREATEST_PRIORITY}");
    Diagnostic::new(Code::BadValue, message)
        .label(span, "not a priority")
        .help("Alice wants the greatest priority that comes again and again to be even, Bob odd")
        .into()
}

fn negative_income(span: Span) -> Box<Diagnostic> {
    Diagnostic::new(Code::BadValue, "income is at least 0")
        .label(span, "negative here")
        .help("money that one player loses is income of the other: write `income bob 1/8: x`")
        .into()
}

fn marked_twice(name: &str, span: Span) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::BadGraph,
        format!("vertex {name} has two owners, two priorities, two weights or two incomes of a player"),
    )
    .label(span, "another one before")
    .help("name each vertex in one `turn`, one `priority`, one `weight` and for each player one `income` line only")
    .into()
}

fn back_from_game(span: Span) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::BadGraph,
        "a game in place of a vertex has no edge back",
    )
    .label(span, "this is a game")
    .help("write `->`")
    .into()
}

fn game_as_tail(span: Span) -> Box<Diagnostic> {
    Diagnostic::new(Code::BadGraph, "edges lead to games, but do not start from them")
        .label(span, "this is a game")
        .help("name a vertex here; if a label is meant, choose one that is not the name of a game, or quote it")
        .into()
}

fn not_a_vertex(value: &Value, span: Span) -> Box<Diagnostic> {
    let error = Diagnostic::new(
        Code::BadGraph,
        format!(
            "a vertex is an integer, string, label or tuple, but this is {}",
            value.kinds()
        ),
    )
    .label(span, "not a vertex");
    match value {
        Value::List(_) => error
            .help("several vertices stand side by side, as in `both 0 -> 1, 2`, or take a loop, as in `both 0 -> i for i in 1..2`"),
        _ => error,
    }
    .into()
}
