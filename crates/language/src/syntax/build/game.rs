//! Builds graph lines and ruleset lines (the headings "Graphs" and "Rulesets" in the page of the
//! language).

use super::expression::{player, unescape};
use super::{RulePair, StatementBuilder, next, parts};
use crate::diagnostic::Result;
use crate::player::Player;
use crate::syntax::ast::{
    AssignOp, Clause, Expr, GraphItem, GraphItemKind, Mark, Name, RuleItem, RuleItemKind,
    RulesetDefinition, StuckKind, SymmetryKind, Update, UpdateKind,
};
use crate::syntax::grammar::Rule;

impl StatementBuilder<'_> {
    pub(super) fn graph_item(&self, pair: RulePair) -> Result<GraphItem> {
        let span = self.span(&pair);
        let mut inner = parts(pair);
        let line = next(&mut inner);
        let kind = match line.as_rule() {
            Rule::start_line => GraphItemKind::Start(self.any_expression(next(&mut parts(line)))?),
            Rule::win_line => {
                let mut inner = parts(line);
                let (winner, _) = player(next(&mut inner).as_str());
                GraphItemKind::Win(winner, self.nodes(next(&mut inner))?)
            }
            Rule::draw_line => GraphItemKind::Draw(self.nodes(next(&mut parts(line)))?),
            Rule::score_line => {
                let mut inner = parts(line);
                GraphItemKind::Score(
                    self.any_expression(next(&mut inner))?,
                    self.nodes(next(&mut inner))?,
                )
            }
            Rule::turn_line => {
                let mut inner = parts(line);
                let mark = Mark::Turn(player(next(&mut inner).as_str()).0);
                GraphItemKind::Mark(mark, self.nodes(next(&mut inner))?)
            }
            Rule::accepting_line => {
                GraphItemKind::Mark(Mark::Accepting, self.nodes(next(&mut parts(line)))?)
            }
            Rule::priority_line => {
                let mut inner = parts(line);
                let mark = Mark::Priority(self.any_expression(next(&mut inner))?);
                GraphItemKind::Mark(mark, self.nodes(next(&mut inner))?)
            }
            Rule::weight_line => {
                let mut inner = parts(line);
                let mark = Mark::Weight(self.any_expression(next(&mut inner))?);
                GraphItemKind::Mark(mark, self.nodes(next(&mut inner))?)
            }
            Rule::income_line => {
                let mut inner = parts(line);
                let (who, _) = player(next(&mut inner).as_str());
                let mark = Mark::Income(who, self.any_expression(next(&mut inner))?);
                GraphItemKind::Mark(mark, self.nodes(next(&mut inner))?)
            }
            Rule::file_line => self.file(line),
            _ => self.edges(line)?,
        };
        let clauses = inner.map(|part| self.clause(part)).collect::<Result<_>>()?;
        Ok(GraphItem {
            kind,
            clauses,
            span,
        })
    }

    fn nodes(&self, pair: RulePair) -> Result<Vec<Expr>> {
        parts(pair).map(|part| self.any_expression(part)).collect()
    }

    fn file(&self, line: RulePair) -> GraphItemKind {
        let mut owners = Vec::new();
        let mut inner = parts(line);
        let mut path = next(&mut inner);
        if path.as_rule() != Rule::string {
            owners = if path.as_rule() == Rule::player {
                vec![player(path.as_str()).0]
            } else {
                Player::BOTH.to_vec()
            };
            path = next(&mut inner);
        }
        let turns = inner.next().is_some();
        GraphItemKind::File {
            owners,
            path: unescape(path.as_str()),
            turns,
            span: self.span(&path),
        }
    }

    fn edges(&self, line: RulePair) -> Result<GraphItemKind> {
        let mut inner = parts(line);
        let owner = next(&mut inner);
        let owner = (owner.as_rule() == Rule::player).then(|| player(owner.as_str()).0);
        let from = self.any_expression(next(&mut inner))?;
        let two_way = next(&mut inner).as_rule() == Rule::two_way;
        let to = self.nodes(next(&mut inner))?;
        let (mut score, mut weight) = (None, None);
        if let Some(part) = inner.next() {
            let number = if part.as_rule() == Rule::edge_weight {
                &mut weight
            } else {
                &mut score
            };
            *number = Some(self.any_expression(next(&mut parts(part)))?);
        }
        Ok(GraphItemKind::Edges {
            owner,
            from,
            two_way,
            to,
            score,
            weight,
        })
    }

    pub(super) fn ruleset(
        &self,
        name: Name,
        parameters: Option<Vec<Name>>,
        pair: RulePair,
    ) -> Result<RulesetDefinition> {
        let items = parts(pair)
            .map(|part| self.rule_item(part))
            .collect::<Result<_>>()?;
        Ok(RulesetDefinition {
            name,
            parameters,
            items,
        })
    }

    fn rule_item(&self, pair: RulePair) -> Result<RuleItem> {
        let span = self.span(&pair);
        let rule = pair.as_rule();
        let mut inner = parts(pair);
        let kind = match rule {
            Rule::state_line => RuleItemKind::State(
                self.name(&next(&mut inner)),
                self.any_expression(next(&mut inner))?,
            ),
            Rule::let_line => RuleItemKind::Let(self.definition(next(&mut inner))?),
            Rule::move_line => self.move_line(inner)?,
            Rule::win_if => RuleItemKind::Win(
                self.any_expression(next(&mut inner))?,
                self.any_expression(next(&mut inner))?,
            ),
            Rule::turn_if => RuleItemKind::Turn(
                self.any_expression(next(&mut inner))?,
                self.any_expression(next(&mut inner))?,
            ),
            Rule::income_if => RuleItemKind::Income(
                player(next(&mut inner).as_str()).0,
                self.any_expression(next(&mut inner))?,
                self.any_expression(next(&mut inner))?,
            ),
            Rule::draw_if => RuleItemKind::Draw(self.any_expression(next(&mut inner))?),
            Rule::score_if => RuleItemKind::Score(
                self.any_expression(next(&mut inner))?,
                self.any_expression(next(&mut inner))?,
            ),
            Rule::stuck_line => RuleItemKind::Stuck(self.stuck(inner)?),
            _ => self.symmetry(inner),
        };
        Ok(RuleItem { kind, span })
    }

    fn move_line<'i>(&self, inner: impl Iterator<Item = RulePair<'i>>) -> Result<RuleItemKind> {
        let mut inner = inner.peekable();
        let mover = inner
            .next_if(|part| part.as_rule() == Rule::player)
            .map(|part| player(part.as_str()).0);
        let name = self.name(&next(&mut inner));
        let arguments = inner.next_if(|part| part.as_rule() == Rule::move_arguments);
        let arguments = arguments.map_or_else(|| Ok(vec![]), |part| self.nodes(part))?;
        let mut clauses: Vec<Clause> = vec![];
        while let Some(part) = inner.next_if(|part| part.as_rule() != Rule::block) {
            clauses.push(self.clause(part)?);
        }
        let updates = self.block(next(&mut inner))?;
        Ok(RuleItemKind::Move {
            player: mover,
            name,
            arguments,
            clauses,
            updates,
        })
    }

    fn stuck<'i>(&self, mut inner: impl Iterator<Item = RulePair<'i>>) -> Result<StuckKind> {
        let word = next(&mut inner);
        Ok(match word.as_rule() {
            Rule::kw_loses => StuckKind::Loses,
            Rule::kw_wins => StuckKind::Wins,
            Rule::kw_draws => StuckKind::Draws,
            Rule::kw_passes => StuckKind::Passes,
            _ => StuckKind::Score(self.any_expression(word)?),
        })
    }

    fn symmetry<'i>(&self, mut inner: impl Iterator<Item = RulePair<'i>>) -> RuleItemKind {
        let first = next(&mut inner);
        let kind = match first.as_rule() {
            Rule::kw_mirror => SymmetryKind::Mirror,
            Rule::kw_rotate => SymmetryKind::Rotate,
            _ => return RuleItemKind::Symmetry(SymmetryKind::All, self.name(&first)),
        };
        RuleItemKind::Symmetry(kind, self.name(&next(&mut inner)))
    }

    fn block(&self, pair: RulePair) -> Result<Vec<Update>> {
        parts(pair).map(|part| self.update(part)).collect()
    }

    fn update(&self, pair: RulePair) -> Result<Update> {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::if_update => self.if_update(pair)?,
            Rule::assignment => self.assignment(pair)?,
            Rule::drop_update => {
                let mut inner = parts(pair);
                UpdateKind::Drop {
                    board: self.name(&next(&mut inner)),
                    column: self.any_expression(next(&mut inner))?,
                    value: self.any_expression(next(&mut inner))?,
                }
            }
            _ => UpdateKind::Score(self.any_expression(next(&mut parts(pair)))?),
        };
        Ok(Update { kind, span })
    }

    fn if_update(&self, pair: RulePair) -> Result<UpdateKind> {
        let mut inner = parts(pair);
        let condition = self.any_expression(next(&mut inner))?;
        let then = self.block(next(&mut inner))?;
        let otherwise = match inner.next() {
            None => vec![],
            Some(part) if part.as_rule() == Rule::block => self.block(part)?,
            // `else if` has a single update in the place of a block.
            Some(part) => vec![self.update(part)?],
        };
        Ok(UpdateKind::If {
            condition,
            then,
            otherwise,
        })
    }

    fn assignment(&self, pair: RulePair) -> Result<UpdateKind> {
        // `=` is punctuation elsewhere. Here it is one of three operators, so all parts are kept.
        let mut inner = pair.into_inner();
        let target = self.name(&next(&mut inner));
        let mut operator = next(&mut inner);
        let mut indices = vec![];
        while operator.as_rule() == Rule::indices {
            indices.extend(self.nodes(operator)?);
            operator = next(&mut inner);
        }
        let op = match operator.as_rule() {
            Rule::plus_equals => AssignOp::Add,
            Rule::minus_equals => AssignOp::Subtract,
            _ => AssignOp::Set,
        };
        Ok(UpdateKind::Assign {
            target,
            indices,
            op,
            value: self.any_expression(next(&mut inner))?,
        })
    }
}
