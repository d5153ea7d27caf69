//! Explicit graphs (the heading "Graphs" in the page of the language), line by line.

use super::games::{Game, GameId, Graph, Head, Vertex};
use super::value::{Number, Result, Value, placed, wrong};
use super::{Frame, Interpreter};
use crate::player::{Ending, Player};
use crate::syntax::ast::{Expr, ExprKind, GraphItem, GraphItemKind, Mark};

impl Interpreter<'_> {
    /// The game of an explicit graph.
    pub(super) fn graph(&mut self, items: &[GraphItem], frame: &mut Frame) -> Result<GameId> {
        let mut graph = Graph::default();
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
        // A vertex that ends the game has no moves of its own.
        for vertex in graph
            .vertices
            .iter_mut()
            .filter(|vertex| vertex.ending.is_some())
        {
            (vertex.moves, vertex.weights) = Default::default();
        }
        self.games.graphs.push(graph);
        Ok(self
            .games
            .add(Game::Vertex(self.games.graphs.len() - 1, start)))
    }

    fn line(
        &mut self,
        item: &GraphItem,
        graph: &mut Graph,
        start: &mut Option<usize>,
        frame: &mut Frame,
    ) -> Result<()> {
        match &item.kind {
            GraphItemKind::Start(node) => *start = Some(self.vertex(node, graph, frame)?),
            GraphItemKind::Win(player, nodes) => {
                self.end(nodes, Ending::Win(*player), graph, frame)?
            }
            GraphItemKind::Draw(nodes) => self.end(nodes, Ending::Draw, graph, frame)?,
            GraphItemKind::Edges {
                owner,
                from,
                two_way,
                to,
                score: None,
                weight,
            } => {
                let weight = weight.as_ref().map_or(Ok(Number::default()), |weight| {
                    self.weight(weight, graph, frame)
                })?;
                let tail = self.vertex(from, graph, frame)?;
                for node in to {
                    let head = match self.eval_node(node, frame)? {
                        Value::Game(_) if *two_way => {
                            return wrong("a game in place of a vertex has no edge back");
                        }
                        Value::Game(game) => Head::Game(game),
                        name => Head::Vertex(named(&name, graph)?),
                    };
                    let owners = owner.map_or_else(|| Player::BOTH.to_vec(), |owner| vec![owner]);
                    for owner in owners {
                        graph.vertices[tail].add(owner, head, weight);
                        if let (true, Head::Vertex(head)) = (*two_way, head) {
                            graph.vertices[head].add(owner, Head::Vertex(tail), weight);
                        }
                    }
                }
            }
            GraphItemKind::Mark(mark, nodes) => self.mark(mark, nodes, graph, frame)?,
            GraphItemKind::File { .. } => {
                return wrong("a certificate does not hold files of edges");
            }
            GraphItemKind::Edges { .. } | GraphItemKind::Score(..) => {
                return wrong("the checker does not know scores");
            }
        }
        Ok(())
    }

    fn weight(&mut self, weight: &Expr, graph: &mut Graph, frame: &mut Frame) -> Result<Number> {
        graph.weighted = true;
        self.eval(weight, frame)?.number()
    }

    /// Marks vertices; two marks of one kind must be the same.
    fn mark(
        &mut self,
        mark: &Mark,
        nodes: &[Expr],
        graph: &mut Graph,
        frame: &mut Frame,
    ) -> Result<()> {
        let mut given = Vertex::default();
        match mark {
            Mark::Turn(player) => (self.games.has_turns, given.owner) = (true, Some(*player)),
            Mark::Accepting => (graph.accepts, given.accepting) = (true, true),
            Mark::Priority(number) => {
                let number = self.eval(number, frame)?.whole()?;
                let Some(priority) = i32::try_from(number).ok().filter(|priority| *priority >= 0)
                else {
                    return wrong(format!("{number} is no priority that has a certificate"));
                };
                given.priority = Some(priority);
            }
            Mark::Weight(number) => given.weight = Some(self.weight(number, graph, frame)?),
        }
        for node in nodes {
            let vertex = self.vertex(node, graph, frame)?;
            let vertex = &mut graph.vertices[vertex];
            vertex.accepting |= given.accepting;
            let (priority, weight) = (
                vertex.priority.or(given.priority),
                vertex.weight.or(given.weight),
            );
            let owner = vertex.owner.or(given.owner);
            if given.owner.is_some_and(|_| given.owner != owner)
                || given.priority.is_some_and(|_| given.priority != priority)
                || given.weight.is_some_and(|_| given.weight != weight)
            {
                return wrong("a vertex is marked in two ways");
            }
            (vertex.owner, vertex.priority, vertex.weight) = (owner, priority, weight);
        }
        Ok(())
    }

    fn end(
        &mut self,
        nodes: &[Expr],
        ending: Ending,
        graph: &mut Graph,
        frame: &mut Frame,
    ) -> Result<()> {
        for node in nodes {
            let vertex = self.vertex(node, graph, frame)?;
            let slot = &mut graph.vertices[vertex].ending;
            if slot.is_some_and(|other| other != ending) {
                return wrong("a vertex ends the game in two ways");
            }
            *slot = Some(ending);
        }
        Ok(())
    }

    fn vertex(&mut self, node: &Expr, graph: &mut Graph, frame: &mut Frame) -> Result<usize> {
        let name = self.eval_node(node, frame)?;
        named(&name, graph)
    }

    /// The value of an expression for a vertex, in which a name without another meaning is a label.
    pub(super) fn eval_node(&mut self, node: &Expr, frame: &mut Frame) -> Result<Value> {
        match &*node.kind {
            ExprKind::Name(name) => {
                let primitive = matches!(name.as_str(), "A" | "B" | "E" | "Draw");
                let defined = self.modules[self.module].contains_key(name);
                if primitive || defined || frame.find(name).is_some() {
                    return self.eval(node, frame);
                }
                Ok(self
                    .rule_let(name, &[], frame)?
                    .unwrap_or_else(|| Value::Text(name.as_str().into())))
            }
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

impl Vertex {
    fn add(&mut self, owner: Player, head: Head, weight: Number) {
        self.moves[owner].push(head);
        self.weights[owner].push(weight);
    }
}

/// The vertex with this name, added if it is new.
fn named(name: &Value, graph: &mut Graph) -> Result<usize> {
    let mut key = String::new();
    if !vertex_name(name) || !name.key(&mut key) {
        return wrong(format!("{} is not the name of a vertex", name.kind()));
    }
    let (index, new) = graph.names.insert_full(key);
    if new {
        graph.vertices.push(Vertex::default());
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
