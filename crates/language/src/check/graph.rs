//! Lowers explicit graphs, positions and moves. In these, a name without another meaning is a
//! label.

use std::rc::Rc;

use super::{Checker, Typed};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{
    Action, CheckedExpr, CheckedExprKind, CheckedGraphItem, CheckedGraphItemKind, CheckedMark,
    CheckedPly, Kinds, Value,
};
use crate::player::{Ending, Player};
use crate::source::Span;
use crate::syntax::ast;

impl Checker<'_> {
    pub(super) fn graph(&mut self, items: &[ast::GraphItem], span: Span) -> Typed {
        let starts = items
            .iter()
            .filter(|item| matches!(item.kind, ast::GraphItemKind::Start(_)));
        let starts: Vec<Span> = starts.map(|item| item.span).collect();
        match starts[..] {
            // A file of edges may name the start itself.
            [] if items
                .iter()
                .any(|item| matches!(item.kind, ast::GraphItemKind::File { .. })) => {}
            [] => self.report(no_start(span)),
            [first, second, ..] => self.report(two_starts(first, second)),
            [_] => {}
        }
        let items = items.iter().map(|item| self.graph_item(item)).collect();
        Typed::new(CheckedExprKind::Graph(items), Kinds::GAME, span)
    }

    fn graph_item(&mut self, item: &ast::GraphItem) -> CheckedGraphItem {
        let mark = self.locals.mark();
        // A line may apply to no value, so that its uses say nothing about the kinds of names.
        self.locals.conditionally(true);
        let clauses = self.clauses(&item.clauses, item.span);
        let kind = match &item.kind {
            ast::GraphItemKind::Start(node) => CheckedGraphItemKind::Start(self.node(node)),
            ast::GraphItemKind::Edges {
                owner,
                from,
                two_way,
                to,
                score,
                weight,
            } => CheckedGraphItemKind::Edges {
                owners: owner.map_or_else(|| Player::BOTH.to_vec(), |owner| vec![owner]),
                from: self.node(from),
                two_way: *two_way,
                to: self.nodes(to),
                score: score
                    .as_ref()
                    .map(|score| self.needs(score, Kinds::NUMBER, "a score is a number")),
                weight: weight
                    .as_ref()
                    .map(|weight| self.needs(weight, Kinds::NUMBER, "a weight is a number")),
            },
            ast::GraphItemKind::File {
                owners,
                path,
                turns,
                span,
            } => CheckedGraphItemKind::File {
                owners: owners.clone(),
                turns: *turns,
                path: path.as_str().into(),
                folder: Rc::clone(self.definitions.folder()),
                span: *span,
            },
            ast::GraphItemKind::Win(player, nodes) => {
                CheckedGraphItemKind::Ending(Ending::Win(*player), self.nodes(nodes))
            }
            ast::GraphItemKind::Draw(nodes) => {
                CheckedGraphItemKind::Ending(Ending::Draw, self.nodes(nodes))
            }
            ast::GraphItemKind::Score(score, nodes) => CheckedGraphItemKind::ScoredEnding(
                self.needs(score, Kinds::NUMBER, "a score is a number"),
                self.nodes(nodes),
            ),
            ast::GraphItemKind::Mark(mark, nodes) => {
                CheckedGraphItemKind::Mark(self.mark(mark), self.nodes(nodes))
            }
        };
        self.locals.conditionally(false);
        self.locals.unbind_to(mark);
        CheckedGraphItem {
            kind,
            clauses,
            span: item.span,
        }
    }

    fn mark(&mut self, mark: &ast::Mark) -> CheckedMark {
        match mark {
            ast::Mark::Turn(player) => CheckedMark::Turn(*player),
            ast::Mark::Accepting => CheckedMark::Accepting,
            ast::Mark::Priority(number) => CheckedMark::Priority(self.needs(
                number,
                Kinds::INTEGER,
                "a priority is a whole number",
            )),
            ast::Mark::Weight(number) => {
                CheckedMark::Weight(self.needs(number, Kinds::NUMBER, "a weight is a number"))
            }
            ast::Mark::Income(player, part) => CheckedMark::Income(
                *player,
                self.needs(part, Kinds::NUMBER, "income is a number"),
            ),
        }
    }

    fn nodes(&mut self, nodes: &[ast::Expr]) -> Vec<CheckedExpr> {
        nodes.iter().map(|node| self.node(node)).collect()
    }

    /// Lowers a vertex or position. In it, a bare name is a label unless it names a game or
    /// something that the user defined: `draw`, `top` and the like mean nothing as vertices.
    pub(super) fn node(&mut self, node: &ast::Expr) -> CheckedExpr {
        let label = |text: &str| CheckedExpr {
            kind: Box::new(CheckedExprKind::Constant(Value::text(text))),
            span: node.span,
        };
        match &*node.kind {
            ast::ExprKind::Name(name) => match self.known_name(name, node.span) {
                // Constants of the language such as `top` are labels here, but games such as `A`
                // are not.
                Some(typed) if !matches!(*typed.expr.kind, CheckedExprKind::Constant(_)) => {
                    self.refer(name, node.span);
                    typed.expr
                }
                _ => {
                    // As a label the name would silently mean something else than what is defined
                    // below.
                    if let Some(definition) = self.defined_later(name) {
                        let diagnostic = defined_later(name, node.span, definition);
                        self.report(diagnostic);
                    }
                    label(name)
                }
            },
            ast::ExprKind::Player(_, spelling) => label(spelling),
            ast::ExprKind::Tuple(parts) => {
                let parts = self.nodes(parts);
                CheckedExpr {
                    kind: Box::new(CheckedExprKind::Tuple(parts)),
                    span: node.span,
                }
            }
            _ => self.expr(node).expr,
        }
    }

    pub(super) fn plies(&mut self, plies: &[ast::Ply]) -> Vec<CheckedPly> {
        plies
            .iter()
            .map(|ply| CheckedPly {
                player: ply.player,
                action: self.action(&ply.action),
                span: ply.span,
            })
            .collect()
    }

    fn action(&mut self, action: &ast::Expr) -> Action {
        if let ast::ExprKind::Call { callee, arguments } = &*action.kind
            && let ast::ExprKind::Name(name) = &*callee.kind
            // If the name means something here, the call is an expression whose value names the
            // move.
            && self.known_name(name, callee.span).is_none()
        {
            let arguments = arguments
                .iter()
                .map(|argument| self.node(&argument.value))
                .collect();
            return Action::Named(name.clone(), arguments);
        }
        Action::Vertex(self.node(action))
    }
}

fn no_start(span: Span) -> Diagnostic {
    Diagnostic::new(Code::NoStart, "this graph has no start")
        .label(span, "no `start` line in here")
        .help("add a line `start x` with the vertex where the game begins")
}

fn defined_later(name: &str, span: Span, definition: Span) -> Diagnostic {
    Diagnostic::new(Code::UnknownName, format!("`{name}` is defined further down, so it would be a mere label here"))
        .label(span, "used here")
        .label(definition, "defined here")
        .help(format!(
            "move the definition before its first use, or write \"{name}\" if a vertex of that name is meant"
        ))
}

fn two_starts(first: Span, second: Span) -> Diagnostic {
    Diagnostic::new(Code::NoStart, "this graph has more than one start")
        .label(second, "a second `start` line")
        .label(first, "the first one")
        .help("keep one of them; other positions are reached with `at`")
}
