//! Evaluates explicit graphs (the heading "Graphs" in the page of the language), line by line.

use super::games::{EdgeHead, ExplicitGraph, Game, GameIndex, GraphVertex};
use super::value::{Number, Result, Value, placed, wrong};
use super::{Interpreter, LocalFrame, NO_INCOME};
use crate::player::{Ending, Player};
use crate::syntax::ast::{Expr, ExprKind, GraphItem, GraphItemKind, Mark};

impl Interpreter<'_> {
    /// Returns the game of an explicit graph.
    pub(super) fn graph(
        &mut self,
        items: &[GraphItem],
        frame: &mut LocalFrame,
    ) -> Result<GameIndex> {
        let mut graph = ExplicitGraph::default();
        let mut start = None;
        for item in items {
            let line = self.each(&item.clauses, frame, &mut |this, frame| {
                this.line(item, &mut graph, &mut start, frame)
            });
            placed(line, item.span)?;
        }
        let Some(start) = start else {
            return wrong("this graph has no start");
        };
        // A vertex at which the game ends has no moves of its own.
        for vertex in &mut graph.vertices {
            if vertex.ending.is_some() {
                (vertex.moves, vertex.weights) = Default::default();
            }
        }
        self.games.graphs.push(graph);
        Ok(self
            .games
            .add(Game::Vertex(self.games.graphs.len() - 1, start)))
    }

    fn line(
        &mut self,
        item: &GraphItem,
        graph: &mut ExplicitGraph,
        start: &mut Option<usize>,
        frame: &mut LocalFrame,
    ) -> Result<()> {
        let marked = "a vertex is marked in two ways";
        let ended = "a vertex ends the game in two ways";
        match &item.kind {
            GraphItemKind::Start(node) => *start = Some(self.vertex(node, graph, frame)?),
            GraphItemKind::Win(player, nodes) => self.mark(nodes, graph, frame, |vertex| {
                set(&mut vertex.ending, Ending::Win(*player), ended)
            })?,
            GraphItemKind::Draw(nodes) => self.mark(nodes, graph, frame, |vertex| {
                set(&mut vertex.ending, Ending::Draw, ended)
            })?,
            GraphItemKind::Mark(Mark::Turn(player), nodes) => {
                self.mark(nodes, graph, frame, |vertex| {
                    set(&mut vertex.owner, *player, marked)
                })?;
                self.games.has_turns = true;
            }
            GraphItemKind::Mark(Mark::Accepting, nodes) => {
                self.mark(nodes, graph, frame, |vertex| {
                    set(&mut vertex.accepting, (), marked)
                })?;
                graph.accepts = true;
            }
            GraphItemKind::Mark(Mark::Priority(number), nodes) => {
                let number = self.eval(number, frame)?.whole()?;
                let Some(priority) = i32::try_from(number).ok().filter(|n| *n >= 0) else {
                    return wrong(format!("{number} is not a priority that has a certificate"));
                };
                self.mark(nodes, graph, frame, |vertex| {
                    set(&mut vertex.priority, priority, marked)
                })?;
            }
            GraphItemKind::Mark(Mark::Weight(number), nodes) => {
                let weight = self.weight(number, graph, frame)?;
                self.mark(nodes, graph, frame, |vertex| {
                    set(&mut vertex.weight, weight, marked)
                })?;
            }
            GraphItemKind::Edges {
                owner,
                from,
                two_way,
                to,
                score: None,
                weight,
            } => {
                let weight = match weight {
                    Some(weight) => self.weight(weight, graph, frame)?,
                    None => Number::default(),
                };
                let tail = self.vertex(from, graph, frame)?;
                for node in to {
                    let head = match self.eval_node(node, frame)? {
                        Value::Game(_) if *two_way => {
                            return wrong("a game in place of a vertex has no edge back");
                        }
                        Value::Game(game) => EdgeHead::Game(game),
                        name => EdgeHead::Vertex(named(&name, graph)?),
                    };
                    let owners = Player::BOTH.into_iter();
                    for owner in owners.filter(|player| owner.is_none_or(|owner| owner == *player))
                    {
                        graph.vertices[tail].add(owner, head, weight);
                        if let (true, EdgeHead::Vertex(head)) = (*two_way, head) {
                            graph.vertices[head].add(owner, EdgeHead::Vertex(tail), weight);
                        }
                    }
                }
            }
            GraphItemKind::Mark(Mark::Income(..), _) => return wrong(NO_INCOME),
            GraphItemKind::File { .. } => {
                return wrong("a certificate does not hold files of edges");
            }
            GraphItemKind::Edges { .. } | GraphItemKind::Score(..) => {
                return wrong("the checker does not know scores");
            }
        }
        Ok(())
    }

    fn mark(
        &mut self,
        nodes: &[Expr],
        graph: &mut ExplicitGraph,
        frame: &mut LocalFrame,
        mark: impl Fn(&mut GraphVertex) -> Result<()>,
    ) -> Result<()> {
        nodes.iter().try_for_each(|node| {
            let vertex = self.vertex(node, graph, frame)?;
            mark(&mut graph.vertices[vertex])
        })
    }

    fn weight(
        &mut self,
        weight: &Expr,
        graph: &mut ExplicitGraph,
        frame: &mut LocalFrame,
    ) -> Result<Number> {
        graph.weighted = true;
        self.eval(weight, frame)?.number()
    }

    fn vertex(
        &mut self,
        node: &Expr,
        graph: &mut ExplicitGraph,
        frame: &mut LocalFrame,
    ) -> Result<usize> {
        let name = self.eval_node(node, frame)?;
        named(&name, graph)
    }

    /// Evaluates an expression for a vertex, in which a name without another meaning is a label.
    pub(super) fn eval_node(&mut self, node: &Expr, frame: &mut LocalFrame) -> Result<Value> {
        match &*node.kind {
            ExprKind::Name(name) => {
                let primitive = matches!(name.as_str(), "A" | "B" | "E" | "Draw");
                let defined = self.modules[self.module].contains_key(name);
                // A name with a meaning keeps it, and only the others are labels.
                if primitive || defined || frame.find(name).is_some() {
                    return self.eval(node, frame);
                }
                Ok(self
                    .rule_let(name, &[], frame)?
                    .unwrap_or_else(|| Value::Text(name.as_str().into())))
            }
            // `left` and `alice` are one player, but two labels.
            ExprKind::Player(_, spelling) => Ok(Value::Text((*spelling).into())),
            ExprKind::Tuple(parts) => {
                let parts = parts
                    .iter()
                    .map(|part| self.eval_node(part, frame))
                    .collect::<Result<Vec<_>>>()?;
                Ok(Value::tuple(parts))
            }
            _ => self.eval(node, frame),
        }
    }
}

/// Marks a vertex. Two marks of one kind must be equal.
fn set<T: PartialEq>(slot: &mut Option<T>, given: T, otherwise: &str) -> Result<()> {
    match slot.as_ref().is_some_and(|known| *known != given) {
        true => wrong(otherwise),
        false => {
            *slot = Some(given);
            Ok(())
        }
    }
}

impl GraphVertex {
    fn add(&mut self, owner: Player, head: EdgeHead, weight: Number) {
        self.moves[owner].push(head);
        self.weights[owner].push(weight);
    }
}

/// Returns the vertex with this name, which is added if it is new.
fn named(name: &Value, graph: &mut ExplicitGraph) -> Result<usize> {
    if !vertex_name(name) {
        return wrong(format!("{} is not the name of a vertex", name.kind()));
    }
    let (index, new) = graph.names.insert_full(name.clone());
    if new {
        graph.vertices.push(GraphVertex::default());
    }
    Ok(index)
}

fn vertex_name(value: &Value) -> bool {
    match value {
        Value::Number(_) | Value::Text(_) | Value::Bool(_) | Value::Player(_) => true,
        Value::Tuple(parts) => parts.iter().all(vertex_name),
        _ => false,
    }
}
