//! Prints blocks: the lines of graphs, rulesets and moves, with the comments and empty lines
//! between them.

use super::brackets::PARENTHESES;
use super::{Doc, INDENT, Printed, Printer, printed};
use crate::player::Player;
use crate::source::Span;
use crate::syntax::ast::{
    AssignOp, Clause, Expr, GraphItem, GraphItemKind, Mark, Name, RuleItem, RuleItemKind,
    RulesetDefinition, Statement, StuckKind, SymmetryKind, Update, UpdateKind,
};
use crate::syntax::quoted;
use pretty::DocAllocator;

printed! {
    Statement: |line, printer| printer.statement(line);
    GraphItem: |item, printer| {
        let line = printer.graph_line(&item.kind);
        let clauses = printer.clauses(&item.clauses);
        line.append(clauses.nest(INDENT)).group()
    };
    RuleItem: |line, printer| printer.rule_line(line);
    Update: |update, printer| printer.update(update);
}

impl<'a> Printer<'a> {
    /// Prints the lines before byte `end`, each after a line end, with their comments and at most
    /// one empty line between two of them.
    pub(super) fn lines<T: Printed>(&mut self, lines: &'a [T], end: u32) -> Doc<'a> {
        let mut doc = self.nil();
        let mut last: Option<u32> = None;
        for line in lines {
            let place = line.place();
            doc = doc.append(self.own_lines(&mut last, place.start));
            doc = doc
                .append(self.line_end(last, place.start))
                .append(line.print(self));
            last = Some(place.end);
            doc = doc.append(self.trailing(&mut last, end));
        }
        doc.append(self.own_lines(&mut last, end))
    }

    /// Prints a line end, and an empty line if there was one in the source.
    fn line_end(&self, last: Option<u32>, start: u32) -> Doc<'a> {
        match last {
            Some(last) if self.blank_between(last, start) => {
                self.hardline().append(self.hardline())
            }
            _ => self.hardline(),
        }
    }

    /// Prints the comments before byte `end`, each on a line of its own.
    fn own_lines(&mut self, last: &mut Option<u32>, end: u32) -> Doc<'a> {
        let mut doc = self.nil();
        while let Some(comment) = self.pending(end) {
            doc = doc
                .append(self.line_end(*last, comment.span.start))
                .append(self.take_comment(comment));
            *last = Some(comment.span.end);
        }
        doc
    }

    /// Prints the comment behind an opening brace. The first line of the block starts at `first`.
    fn opening_comment(&mut self, first: u32) -> Doc<'a> {
        match self
            .pending(first)
            .filter(|comment| self.is_trailing(comment))
        {
            Some(comment) => self.space().append(self.take_comment(comment)),
            None => self.nil(),
        }
    }

    /// Prints the comments at the end of the line that ends at `last`.
    fn trailing(&mut self, last: &mut Option<u32>, end: u32) -> Doc<'a> {
        let mut doc = self.nil();
        let mut first = true;
        while let (Some(comment), Some(after)) = (self.pending(end), *last) {
            if self.breaks_between(after, comment.span.start) {
                break;
            }
            let lead = if std::mem::take(&mut first) {
                self.space()
            } else {
                self.hardline()
            };
            doc = doc.append(lead).append(self.take_comment(comment));
            *last = Some(after.max(comment.span.end));
        }
        doc
    }

    /// Prints `{ … }` whose lines end before byte `end`. If the user wrote it on one line, it may
    /// be printed on one line.
    pub(super) fn block<T: Printed>(
        &mut self,
        lines: &'a [T],
        end: u32,
        on_one_line: bool,
    ) -> Doc<'a> {
        // A comment needs lines, even in a block without statements.
        if lines.is_empty() && self.pending(end).is_none() {
            return self.text("{}");
        }
        if !on_one_line || self.pending(end).is_some() {
            let first = lines.first().map_or(end, |line| line.place().start);
            let opening = self.opening_comment(first);
            let inside = opening.append(self.lines(lines, end)).nest(INDENT);
            return self
                .text("{")
                .append(inside)
                .append(self.hardline())
                .append("}");
        }
        let mut inside = self.nil();
        for (i, line) in lines.iter().enumerate() {
            let separator = if i == 0 {
                self.nil()
            } else {
                self.nil().flat_alt(self.text(";"))
            };
            let lead = separator.append(self.line());
            inside = inside.append(lead).append(line.print(self));
        }
        self.text("{")
            .append(inside.nest(INDENT))
            .append(self.line())
            .append("}")
    }

    /// Finds the byte of the `}` that closes a block whose lines all end before `from`.
    fn closing_brace(&self, from: u32) -> u32 {
        let Some(source) = self.source else {
            return from;
        };
        let mut at = from as usize;
        // No strings lie between the last line and the brace, but a comment with a brace may.
        while let Some(found) = source.get(at..).and_then(|rest| rest.find('}')) {
            let brace = at + found;
            let inside = self
                .comments
                .partition_point(|comment| comment.span.end as usize <= brace);
            match self
                .comments
                .get(inside)
                .filter(|comment| (comment.span.start as usize) < brace)
            {
                Some(comment) => at = comment.span.end as usize,
                None => return u32::try_from(brace).unwrap_or(from),
            }
        }
        from
    }

    // ---- Graphs
    // ------------------------------------------------------------------------------------------------

    pub(super) fn graph(&mut self, items: &'a [GraphItem], span: Span) -> Doc<'a> {
        let on_one_line = !self.breaks_between(span.start, span.end);
        self.text("graph ").append(
            self.block(items, span.end.saturating_sub(1), on_one_line)
                .group(),
        )
    }

    fn graph_line(&mut self, kind: &'a GraphItemKind) -> Doc<'a> {
        match kind {
            GraphItemKind::Start(node) => self.text("start ").append(self.expr(node)),
            GraphItemKind::Edges {
                owner,
                from,
                two_way,
                to,
                score,
                weight,
            } => {
                let owner = owner.map_or("both", Player::word);
                let arrow = if *two_way { " <->" } else { " ->" };
                let from = self.expr(from);
                let edges = self
                    .text(owner)
                    .append(" ")
                    .append(from)
                    .append(arrow)
                    .append(self.nodes(to));
                match (score, weight) {
                    (Some(score), _) => edges.append(" score ").append(self.expr(score)),
                    (None, Some(weight)) => edges.append(" weight ").append(self.expr(weight)),
                    (None, None) => edges,
                }
            }
            GraphItemKind::File {
                owners,
                path,
                turns,
                ..
            } => {
                let owner = match owners[..] {
                    [] => "",
                    [only] => only.word(),
                    [_, ..] => "both",
                };
                let gap = if owner.is_empty() { "" } else { " " };
                self.text(owner)
                    .append(gap)
                    .append("edges ")
                    .append(quoted(path))
                    .append(if *turns { " turns" } else { "" })
            }
            GraphItemKind::Win(player, nodes) => self
                .text("win ")
                .append(player.word())
                .append(":")
                .append(self.nodes(nodes)),
            GraphItemKind::Draw(nodes) => self.text("draw:").append(self.nodes(nodes)),
            GraphItemKind::Score(score, nodes) => self
                .text("score ")
                .append(self.expr(score))
                .append(":")
                .append(self.nodes(nodes)),
            GraphItemKind::Mark(mark, nodes) => {
                let head = match mark {
                    Mark::Turn(player) => self.text("turn ").append(player.word()),
                    Mark::Accepting => self.text("accepting"),
                    Mark::Priority(number) => self.text("priority ").append(self.expr(number)),
                    Mark::Weight(number) => self.text("weight ").append(self.expr(number)),
                    Mark::Income(player, part) => self.income(*player, part),
                };
                head.append(":").append(self.nodes(nodes))
            }
        }
    }

    fn income(&mut self, player: Player, part: &'a Expr) -> Doc<'a> {
        self.text("income ")
            .append(player.word())
            .append(" ")
            .append(self.expr(part))
    }

    /// Prints ` a, b, c`.
    fn nodes(&mut self, nodes: &'a [Expr]) -> Doc<'a> {
        let mut doc = self.nil();
        for (i, node) in nodes.iter().enumerate() {
            let soft = if i == 0 {
                self.space()
            } else {
                self.arena.softline()
            };
            let gap = self.gap(node.span.start, soft);
            doc = doc
                .append(if i == 0 { "" } else { "," })
                .append(gap)
                .append(self.expr(node));
        }
        doc.nest(INDENT)
    }

    // ---- Rulesets
    // ----------------------------------------------------------------------------------------------

    pub(super) fn ruleset(&mut self, ruleset: &'a RulesetDefinition, span: Span) -> Doc<'a> {
        let head = self.head("game", &ruleset.name, ruleset.parameters.as_deref());
        head.append(" ")
            .append(self.block(&ruleset.items, span.end.saturating_sub(1), false))
    }

    fn rule_line(&mut self, item: &'a RuleItem) -> Doc<'a> {
        match &item.kind {
            RuleItemKind::State(name, initial) => {
                let head = self.text("state ").append(name.text.as_str());
                self.right_hand_side(head, initial)
            }
            RuleItemKind::Let(definition) => self.definition("let", definition),
            RuleItemKind::Move {
                player,
                name,
                arguments,
                clauses,
                updates,
            } => {
                let mover = player.map_or("", Player::word);
                let space = if player.is_some() { " " } else { "" };
                let head = self
                    .text("move ")
                    .append(mover)
                    .append(space)
                    .append(name.text.as_str());
                self.move_line(head, name, arguments, clauses, updates, item.span)
            }
            RuleItemKind::Win(player, condition) => {
                let head = self.text("win ").append(self.expr(player));
                self.ending(head, condition)
            }
            RuleItemKind::Turn(player, condition) => {
                let head = self.text("turn ").append(self.expr(player));
                self.ending(head, condition)
            }
            RuleItemKind::Income(player, part, condition) => {
                let head = self.income(*player, part);
                self.ending(head, condition)
            }
            RuleItemKind::Draw(condition) => {
                let head = self.text("draw");
                self.ending(head, condition)
            }
            RuleItemKind::Score(value, condition) => {
                let head = self.text("score ").append(self.expr(value));
                self.ending(head, condition)
            }
            RuleItemKind::Stuck(kind) => self.stuck(kind),
            RuleItemKind::Symmetry(kind, board) => {
                let board = self.text(board.text.as_str());
                match kind {
                    SymmetryKind::All => self.text("symmetry ").append(board),
                    SymmetryKind::Mirror => self.text("symmetry mirror(").append(board).append(")"),
                    SymmetryKind::Rotate => self.text("symmetry rotate(").append(board).append(")"),
                }
            }
        }
    }

    fn ending(&mut self, head: Doc<'a>, condition: &'a Expr) -> Doc<'a> {
        head.append(" if ")
            .append(self.expr(condition).nest(INDENT))
    }

    fn stuck(&mut self, kind: &'a StuckKind) -> Doc<'a> {
        match kind {
            StuckKind::Loses => self.text("stuck loses"),
            StuckKind::Wins => self.text("stuck wins"),
            StuckKind::Draws => self.text("stuck draws"),
            StuckKind::Passes => self.text("stuck passes"),
            StuckKind::Score(value) => self.text("stuck score ").append(self.expr(value)),
        }
    }

    fn move_line(
        &mut self,
        head: Doc<'a>,
        name: &Name,
        arguments: &'a [Expr],
        clauses: &'a [Clause],
        updates: &'a [Update],
        span: Span,
    ) -> Doc<'a> {
        let head = if arguments.is_empty() {
            head
        } else {
            head.append(self.bracketed(&PARENTHESES, arguments, 0))
        };
        let clauses = self.clauses(clauses).nest(2 * INDENT);
        let head = head.append(clauses).group();
        let body = updates.first().map_or(span.end, |update| update.span.start);
        let header_end = self.between(name.span.end, body).rfind('{');
        let open = header_end.map_or(name.span.end, |at| {
            name.span.end + u32::try_from(at).unwrap_or(0)
        });
        let on_one_line = !self.breaks_between(open, span.end);
        head.append(" ").append(
            self.block(updates, span.end.saturating_sub(1), on_one_line)
                .group(),
        )
    }

    fn update(&mut self, update: &'a Update) -> Doc<'a> {
        match &update.kind {
            UpdateKind::Assign {
                target,
                indices,
                op,
                value,
            } => {
                let target = self.text(target.text.as_str());
                let target = if indices.is_empty() {
                    target
                } else {
                    target.append(self.indices(indices))
                };
                let op = match op {
                    AssignOp::Set => " =",
                    AssignOp::Add => " +=",
                    AssignOp::Subtract => " -=",
                };
                let value = self.following(value.span.start, |printer| printer.expr(value));
                target.append(op).append(value)
            }
            UpdateKind::Drop {
                board,
                column,
                value,
            } => {
                let head = self.text("drop(").append(board.text.as_str()).append(",");
                let first = self
                    .gap(column.span.start, self.space())
                    .append(self.expr(column));
                let second = self
                    .gap(value.span.start, self.space())
                    .append(self.expr(value));
                head.append(first).append(",").append(second).append(")")
            }
            UpdateKind::Score(value) => self.text("score ").append(self.expr(value)),
            UpdateKind::If {
                condition,
                then,
                otherwise,
            } => {
                let on_one_line = !self.breaks_between(condition.span.end, update.span.end);
                self.if_update(condition, then, otherwise, update.span, on_one_line)
                    .group()
            }
        }
    }

    fn indices(&mut self, indices: &'a [Expr]) -> Doc<'a> {
        let mut doc = self.text("[");
        for (i, index) in indices.iter().enumerate() {
            let soft = if i == 0 { self.nil() } else { self.space() };
            let gap = self.gap(index.span.start, soft);
            doc = doc
                .append(if i == 0 { "" } else { "," })
                .append(gap)
                .append(self.expr(index));
        }
        doc.append("]")
    }

    fn if_update(
        &mut self,
        condition: &'a Expr,
        then: &'a [Update],
        otherwise: &'a [Update],
        span: Span,
        on_one_line: bool,
    ) -> Doc<'a> {
        let head = self.text("if ").append(self.expr(condition)).append(" ");
        let end = self.closing_brace(
            then.last()
                .map_or(condition.span.end, |update| update.span.end),
        );
        let doc = head.append(self.block(then, end, on_one_line));
        match otherwise {
            [] => doc,
            [
                Update {
                    kind:
                        UpdateKind::If {
                            condition,
                            then,
                            otherwise,
                        },
                    span,
                },
                // A comment before the inner `if` has no place in `else if`, so that a block is
                // printed.
            ] if self.pending(span.start).is_none() => doc.append(" else ").append(self.if_update(
                condition,
                then,
                otherwise,
                *span,
                on_one_line,
            )),
            _ => doc.append(" else ").append(self.block(
                otherwise,
                span.end.saturating_sub(1),
                on_one_line,
            )),
        }
    }
}
