//! Reads the question of an expression: one query of one game, and the rules in force there.

use num_rational::BigRational;

use super::games::GameIndex;
use super::value::{Result, Value, exact, wrong};
use super::{Interpreter, LocalFrame};
use crate::check::Scope;
use crate::format::ListedPurses;
use crate::player::Player;
use crate::rules::{ChipMark, Credit, Objective, Overrides, Rules};
use crate::syntax::ast::{self, BinaryOp, Expr, ExprKind};

/// A query with its rules.
#[derive(Debug, Clone, PartialEq)]
pub struct GameQuery {
    /// The quantity in question.
    pub asked: AskedQuantity,
    /// The game in question.
    pub game: GameIndex,
    /// The rules in force.
    pub rules: Rules,
}

/// A query with its numbers.
#[derive(Debug, Clone, PartialEq)]
pub enum AskedQuantity {
    /// `R(G)`
    Richman,
    /// `P(G)`, `P(G, p)`. Without a probability the coin is fair.
    Probability(Option<BigRational>),
    /// `f(G, k)`, `f(G, k .. l)`
    Thresholds(Vec<i64>),
    /// `f(G, bob: b)`, `f(G, bob: b .. c)`
    Against(Vec<i64>),
    /// `G(a*, b)`
    Outcome(ListedPurses),
    /// `credit(G, a*, b)`
    Credit(ListedPurses),
    /// `v(G, a*, b)`
    AllPay(ListedPurses),
    /// `nash(G, a*, b)`
    Nash(ListedPurses),
}

impl Interpreter<'_> {
    /// Evaluates the question of an expression.
    ///
    /// # Errors
    /// If it is not a query that has a certificate.
    pub fn question(&mut self, loads: &[usize], expression: &str) -> Result<GameQuery> {
        let expr = self.expression(loads, expression)?;
        let question = self.asked(&expr, &Overrides::default(), &mut LocalFrame::default())?;
        self.has_proofs(&question)?;
        Ok(question)
    }

    /// Reads an expression as the only statement of a question.
    fn expression(&mut self, loads: &[usize], expression: &str) -> Result<Expr> {
        let id = self.sources.add("the question", expression);
        let mut scope = Scope::default();
        self.module = self.modules.len();
        self.modules.push(Default::default());
        for &used in loads {
            if used >= self.module {
                return wrong(format!("there is no text {used}"));
            }
            self.import(used, &mut scope);
        }
        let mut statements = self.parse(id)?;
        self.check(&statements, &mut scope)?;
        match (statements.pop().map(|last| last.kind), &statements[..]) {
            (Some(ast::StatementKind::Expr(expr)), []) => Ok(expr),
            _ => wrong("the question is not one expression"),
        }
    }

    /// Returns the two queries that an expression compares, with the operator, or `None` if it
    /// compares none.
    ///
    /// # Errors
    /// If one of the two is not a query that has a certificate.
    pub fn comparison(
        &mut self,
        loads: &[usize],
        expression: &str,
    ) -> Result<Option<(BinaryOp, [GameQuery; 2])>> {
        let expr = self.expression(loads, expression)?;
        let frame = &mut LocalFrame::default();
        let (inner, outside) = self.within_using(&expr, &Overrides::default(), frame)?;
        let ExprKind::Binary(op, left, right) = &*inner.kind else {
            return Ok(None);
        };
        let [left, right] = [left, right].map(|side| self.asked(side, &outside, frame));
        Ok(Some((*op, [left?, right?])))
    }

    /// Accepts questions for which there are proofs.
    fn has_proofs(&self, question: &GameQuery) -> Result<()> {
        if question.rules.robin_hood != Default::default() {
            return wrong("thresholds under `robin_hood` have no certificate");
        }
        if question.rules.income != Default::default() {
            return wrong("thresholds under `income` have no certificate");
        }
        let real = matches!(
            question.asked,
            AskedQuantity::Richman | AskedQuantity::Probability(_)
        );
        // The checks of chips do not provide for moves without a bid.
        if self.games.has_turns && !real {
            return wrong("where a player moves without a bid only `R` and `P` have a certificate");
        }
        Ok(())
    }

    /// Returns the expression inside of parentheses and `using`, with the rules in force there.
    fn within_using<'e>(
        &mut self,
        mut expr: &'e Expr,
        outside: &Overrides,
        frame: &mut LocalFrame,
    ) -> Result<(&'e Expr, Overrides)> {
        let mut inside = outside.clone();
        loop {
            expr = match &*expr.kind {
                ExprKind::Paren(inner) => inner,
                ExprKind::Using(inner, rules) => {
                    inside = match self.eval(rules, frame)? {
                        Value::Rules(rules) => inside.then(&rules),
                        other => {
                            return wrong(format!("`using` takes rules, not {}", other.kind()));
                        }
                    };
                    inner
                }
                _ => return Ok((expr, inside)),
            };
        }
    }

    fn asked(
        &mut self,
        expr: &Expr,
        outside: &Overrides,
        frame: &mut LocalFrame,
    ) -> Result<GameQuery> {
        let (expr, outside) = self.within_using(expr, outside, frame)?;
        match &*expr.kind {
            ExprKind::Let(definition, body) => self.within(definition, frame, |this, frame| {
                this.asked(body, &outside, frame)
            }),
            ExprKind::Call { callee, arguments } => {
                let (asked, game) = self.called(callee, arguments, frame)?;
                let mut rules = outside.over(&Rules::default());
                if matches!(asked, AskedQuantity::Credit(_)) {
                    // `credit` asks for the least credit, whatever objective the rules have.
                    (rules.objective, rules.energy) = (Objective::Energy, Credit::default());
                }
                Ok(GameQuery { asked, game, rules })
            }
            _ => wrong("this is not a query that has a certificate"),
        }
    }

    /// Returns the quantity that a call asks for, and its game.
    fn called(
        &mut self,
        callee: &Expr,
        arguments: &[ast::Argument],
        frame: &mut LocalFrame,
    ) -> Result<(AskedQuantity, GameIndex)> {
        let builtin = match &*callee.kind {
            // A definition of the same name hides the builtin.
            ExprKind::Name(name) if frame.find(name).is_none() => {
                Some(name.as_str()).filter(|name| !self.modules[self.module].contains_key(*name))
            }
            _ => None,
        };
        let values = arguments
            .iter()
            .map(|argument| self.eval(&argument.value, frame));
        let values = values.collect::<Result<Vec<_>>>()?;
        let names = arguments.iter().map(|argument| argument.name.as_ref());
        let names: Vec<Option<&str>> = names.map(|name| Some(name?.text.as_str())).collect();
        let (asked, game) = match (builtin, &values[..]) {
            (Some("f"), [game, budgets]) if names[..] == [None, Some("bob")] => {
                (AskedQuantity::Against(totals_of(budgets)?), game)
            }
            _ if names.iter().any(Option::is_some) => {
                return wrong("a query with these named arguments has no certificate");
            }
            (Some("R"), [game]) => (AskedQuantity::Richman, game),
            (Some("P"), [game]) => (AskedQuantity::Probability(None), game),
            (Some("P"), [game, coin]) => (
                AskedQuantity::Probability(Some(exact(&coin.number()?))),
                game,
            ),
            (Some("f"), [game, totals]) => (AskedQuantity::Thresholds(totals_of(totals)?), game),
            (Some("v"), [game, alice, bob]) => (AskedQuantity::AllPay(purses(alice, bob)?), game),
            (Some("credit"), [game, alice, bob]) => {
                (AskedQuantity::Credit(purses(alice, bob)?), game)
            }
            (Some("nash"), [game, alice, bob]) => (AskedQuantity::Nash(purses(alice, bob)?), game),
            (Some(name), _) if self.lookup(name, frame)?.is_none() => {
                return wrong(format!("`{name}` of these arguments has no certificate"));
            }
            (_, [alice, bob]) => match self.eval(callee, frame)? {
                Value::Game(game) => {
                    return Ok((AskedQuantity::Outcome(purses(alice, bob)?), game));
                }
                _ => return wrong("a call of a function has no certificate; ask the query itself"),
            },
            _ => return wrong("this is not a query that has a certificate"),
        };
        Ok((asked, game.game()?))
    }
}

fn totals_of(value: &Value) -> Result<Vec<i64>> {
    match value {
        Value::Number(_) => Ok(vec![value.whole()?]),
        list => list.items()?.iter().map(Value::whole).collect(),
    }
}

fn purses(alice: &Value, bob: &Value) -> Result<ListedPurses> {
    let read = |value: &Value| -> Result<(i64, ChipMark)> {
        match value {
            Value::Chips(n, mark) => Ok((*n, *mark)),
            other => Ok((other.whole()?, ChipMark::None)),
        }
    };
    let ((alice, of_alice), (bob, of_bob)) = (read(alice)?, read(bob)?);
    let holder = match (of_alice, of_bob) {
        // One mark says who holds the status, and two would contradict or repeat each other.
        (ChipMark::Star, ChipMark::None) | (ChipMark::None, ChipMark::MinusEpsilon) => {
            Some(Player::Alice)
        }
        (ChipMark::None, ChipMark::Star) | (ChipMark::MinusEpsilon, ChipMark::None) => {
            Some(Player::Bob)
        }
        (ChipMark::None, ChipMark::None) => None,
        _ => return wrong("these chip counts do not go together"),
    };
    match (i32::try_from(alice), i32::try_from(bob)) {
        (Ok(alice), Ok(bob)) => Ok(ListedPurses { alice, bob, holder }),
        _ => wrong("these are more chips than a certificate can hold"),
    }
}
