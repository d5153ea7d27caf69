//! Lowers rulesets to templates whose parameters are open.

mod endings;
mod updates;
mod within;

use std::rc::Rc;

use self::within::RulesetNames;
pub use self::within::RulesetSection;
use super::index::{DeclarationKind, LocalScope};
use super::{Checker, Typed, twice};
use crate::diagnostic::{Code, Diagnostic, Help};
use crate::ir::{
    EndingResult, EndingRule, IncomeRule, Kinds, MoveRule, RuleLet, RulesetTemplate, StateVariable,
    StuckRule, TurnRule,
};
use crate::player::Player;
use crate::rules::{Stuck, StuckResult};
use crate::source::Span;
use crate::syntax::ast::{self, RuleItemKind, StuckKind, UpdateKind};

impl Checker<'_> {
    /// Returns the names of the ruleset whose lines are being lowered.
    fn lines(&mut self) -> &mut RulesetNames {
        let Some(RulesetSection::Lines(names)) = &mut self.within else {
            unreachable!("lines are lowered within a ruleset")
        };
        names
    }

    /// Lowers the ruleset of the statement at `span`. The parameters take the first slots of the
    /// frame.
    pub(super) fn ruleset(
        &mut self,
        ruleset: &ast::RulesetDefinition,
        span: Span,
    ) -> Rc<RulesetTemplate> {
        self.locals.enter();
        self.parameters(ruleset.parameters.as_deref().unwrap_or_default(), span);
        let mut lowered = RulesetTemplate {
            name: ruleset.name.text.clone(),
            parameters: ruleset
                .parameters
                .as_ref()
                .map(|names| names.iter().map(|name| name.text.clone()).collect()),
            frame: 0,
            state: Vec::new(),
            lets: Vec::new(),
            moves: Vec::new(),
            endings: Vec::new(),
            turns: Vec::new(),
            incomes: Vec::new(),
            stuck: None,
            symmetries: Vec::new(),
            span: ruleset.name.span,
        };
        self.report_names_given_twice(ruleset);
        self.report_dead_endings(&ruleset.items);
        // The state comes first, because its kinds are needed for the other lines.
        self.within = Some(RulesetSection::Start(constants(&ruleset.items)));
        let (variables, kinds): (_, Vec<Kinds>) = self
            .state_variables(&ruleset.items, span)
            .into_iter()
            .unzip();
        lowered.state = variables;
        let names = lowered
            .state
            .iter()
            .zip(kinds)
            .map(|(known, kinds)| (known.name.clone(), kinds, known.span));
        self.within = Some(RulesetSection::Lines(RulesetNames::new(names.collect())));
        for item in &ruleset.items {
            self.declare_line(item, span);
            self.rule_item(item, &mut lowered);
        }
        self.within = None;
        (lowered.frame, _) = self.locals.leave();
        if lowered.state.is_empty() {
            self.report(no_state(ruleset.name.span));
        }
        if let (Some(win), Some(score)) = (first_win(&ruleset.items), first_score(&ruleset.items)) {
            self.report(win_and_score(win, score));
        }
        Rc::new(lowered)
    }

    /// Reports names with two meanings in a ruleset. A name is either a parameter, a state variable
    /// or the name of a `let` line, and none of the words that have a meaning in every ruleset. A variable of a `move` line must not have the name of a state
    /// variable, because the move would set the one and read the other.
    fn report_names_given_twice(&mut self, ruleset: &ast::RulesetDefinition) {
        let parameters = ruleset
            .parameters
            .iter()
            .flatten()
            .map(|name| ("parameter", name));
        let lines = ruleset.items.iter().filter_map(|item| match &item.kind {
            RuleItemKind::State(name, _) => Some(("state variable", name)),
            RuleItemKind::Let(definition) => Some(("name", &definition.name)),
            _ => None,
        });
        let mut given: Vec<(&str, &ast::Name)> = parameters.collect();
        for (what, name) in given.clone().into_iter().chain(lines.clone()) {
            if matches!(name.text.as_str(), "me" | "other" | "empty") {
                self.report(word_of_rulesets(what, name));
            }
        }
        for (what, name) in lines {
            match given.iter().find(|(_, first)| first.text == name.text) {
                Some((kind, first)) if *kind == what => {
                    self.report(twice(what, &name.text, name.span, first.span))
                }
                Some((kind, first)) => self.report(another_meaning(name, kind, first.span)),
                None => given.push((what, name)),
            }
        }
        for name in ruleset.items.iter().flat_map(move_variables) {
            let state = |(kind, first): &&(&str, &ast::Name)| {
                *kind == "state variable" && first.text == name.text
            };
            if let Some((kind, first)) = given.iter().find(state) {
                self.report(another_meaning(name, kind, first.span));
            }
        }
    }

    /// Reports the parameters of a move that no `for` gives a value.
    fn report_unbound(
        &mut self,
        action: &ast::Name,
        arguments: &[ast::Expr],
        clauses: &[ast::Clause],
    ) {
        for argument in arguments {
            let ast::ExprKind::Name(text) = &*argument.kind else {
                continue;
            };
            let is_bound = bound(clauses).any(|name| name.text == *text);
            if is_bound || self.known_name(text, argument.span).is_some() {
                continue;
            }
            let name = ast::Name {
                text: text.clone(),
                span: argument.span,
            };
            self.report(unbound(action, &name));
            // The rest of the line is read as if there were a `for`.
            self.locals.bind(&name, Kinds::ANY);
        }
    }

    /// Records the declaration of a line in the ruleset at `visible`, if an index is made.
    fn declare_line(&mut self, item: &ast::RuleItem, visible: Span) {
        let (kind, name) = match &item.kind {
            RuleItemKind::Let(definition) => (DeclarationKind::RulesetLet, &definition.name),
            RuleItemKind::Move { name, .. } => (DeclarationKind::Move, name),
            _ => return,
        };
        self.declare_local(name, LocalScope { kind, visible }, item.span, Kinds::ANY);
    }

    /// Lowers the state variables of the ruleset at `span`, each with the kinds that it may have.
    fn state_variables(
        &mut self,
        items: &[ast::RuleItem],
        span: Span,
    ) -> Vec<(StateVariable, Kinds)> {
        let mut variables: Vec<(StateVariable, Kinds)> = Vec::new();
        for item in items {
            let RuleItemKind::State(name, initial) = &item.kind else {
                continue;
            };
            let Typed {
                expr: initial,
                kinds,
            } = self.expr(initial);
            let part = LocalScope {
                kind: DeclarationKind::State,
                visible: span,
            };
            self.declare_local(name, part, item.span, state_kinds(kinds));
            let variable = StateVariable {
                name: name.text.clone(),
                initial,
                span: name.span,
            };
            variables.push((variable, state_kinds(kinds)));
        }
        variables
    }

    fn rule_item(&mut self, item: &ast::RuleItem, lowered: &mut RulesetTemplate) {
        let mark = self.locals.mark();
        self.locals.conditionally(true);
        match &item.kind {
            // State lines have been lowered before all others.
            RuleItemKind::State(..) => {}
            RuleItemKind::Let(definition) => {
                lowered.lets.push(self.rule_let_line(definition, item.span))
            }
            RuleItemKind::Move {
                player,
                name,
                arguments,
                clauses,
                updates,
            } => {
                self.report_unbound(name, arguments, clauses);
                let clauses = self.clauses(clauses, item.span);
                lowered.moves.push(MoveRule {
                    players: player.map_or_else(|| Player::BOTH.to_vec(), |player| vec![player]),
                    name: name.text.clone(),
                    arguments: arguments
                        .iter()
                        .map(|argument| self.expr(argument).expr)
                        .collect(),
                    clauses,
                    updates: self.updates(updates),
                    span: item.span,
                });
            }
            RuleItemKind::Win(who, condition) => {
                let result = self.winner(who);
                self.lines().mover_asked = false;
                let before = self.diagnostics.len();
                let ending = self.ending(result, condition, item.span);
                // A condition with a mistake may ask in the part that was not understood.
                let is_right =
                    self.diagnostics.len() == before && self.lines().variable("me").is_none();
                if matches!(ending.result, EndingResult::WinMe)
                    && is_right
                    && !self.lines().mover_asked
                {
                    self.report(mover_not_asked(who.span, condition.span));
                }
                lowered.endings.push(ending);
            }
            RuleItemKind::Turn(who, condition) => {
                self.lines().mover_asked = false;
                let player = self.needs(who, Kinds::PLAYER, "`turn` names a player");
                let condition = self.needs(condition, Kinds::BOOL, "a condition is true or false");
                if self.lines().mover_asked {
                    self.report(turn_of_mover(item.span));
                }
                lowered.turns.push(TurnRule { player, condition });
            }
            RuleItemKind::Income(player, part, condition) => {
                self.lines().mover_asked = false;
                let part = self.needs(part, Kinds::NUMBER, "income is a number");
                let condition = self.needs(condition, Kinds::BOOL, "a condition is true or false");
                if self.lines().mover_asked {
                    self.report(income_of_mover(item.span));
                }
                lowered.incomes.push(IncomeRule {
                    player: *player,
                    part,
                    condition,
                });
            }
            RuleItemKind::Draw(condition) => {
                lowered
                    .endings
                    .push(self.ending(EndingResult::Draw, condition, item.span));
            }
            RuleItemKind::Score(score, condition) => {
                let result =
                    EndingResult::Score(self.needs(score, Kinds::NUMBER, "a score is a number"));
                lowered
                    .endings
                    .push(self.ending(result, condition, item.span));
            }
            RuleItemKind::Stuck(stuck) => {
                if lowered.stuck.is_some() {
                    self.report(second_stuck(item.span));
                }
                lowered.stuck = Some(self.stuck(stuck));
            }
            RuleItemKind::Symmetry(kind, board) => {
                if let Some(target) = self.state_target(board) {
                    lowered.symmetries.push((target, *kind, item.span));
                }
            }
        }
        self.locals.conditionally(false);
        self.locals.unbind_to(mark);
    }

    fn rule_let_line(&mut self, definition: &ast::Definition, span: Span) -> RuleLet {
        let parameters =
            self.parameters(definition.parameters.as_deref().unwrap_or_default(), span);
        self.lines().defining = Some((definition.name.clone(), parameters.len()));
        self.lines().mover_asked = false;
        let body = self.expr(&definition.body).expr;
        // The name becomes visible only behind its line.
        self.lines().defining = None;
        self.lines().add_let(&definition.name, parameters.len());
        RuleLet {
            name: definition.name.text.clone(),
            parameters,
            body,
        }
    }

    /// Builds the error of a name that stands in the body of its own `let` line.
    pub(super) fn defined_by_itself(&self, name: &str, span: Span) -> Option<Diagnostic> {
        let Some(RulesetSection::Lines(names)) = &self.within else {
            return None;
        };
        let (defined, parameters) = names
            .defining
            .as_ref()
            .filter(|(defined, _)| defined.text == name)?;
        let help = if *parameters == 0 {
            "write `state` for a value that changes from move to move, and `let` for one that does not"
        } else {
            "define the function before the game, where it may call itself; its arguments must not depend on the position"
        };
        let diagnostic = Diagnostic::new(
            Code::BadRuleset,
            format!("`{name}` stands in its own definition"),
        )
        .label(span, "used here")
        .label(defined.span, "defined here");
        Some(diagnostic.help(help))
    }

    fn winner(&mut self, who: &ast::Expr) -> EndingResult {
        match &*who.kind {
            ast::ExprKind::Name(name) if name == "me" => EndingResult::WinMe,
            _ => EndingResult::Win(self.needs(who, Kinds::PLAYER, "`win` names a player")),
        }
    }

    fn ending(&mut self, result: EndingResult, condition: &ast::Expr, span: Span) -> EndingRule {
        let condition = self.needs(condition, Kinds::BOOL, "a condition is true or false");
        EndingRule {
            result,
            condition,
            span,
        }
    }

    fn stuck(&mut self, stuck: &StuckKind) -> StuckRule {
        match stuck {
            StuckKind::Loses => StuckRule::Fixed(Stuck::Ends(StuckResult::Loss)),
            StuckKind::Wins => StuckRule::Fixed(Stuck::Ends(StuckResult::Win)),
            StuckKind::Draws => StuckRule::Fixed(Stuck::Ends(StuckResult::Draw)),
            StuckKind::Passes => StuckRule::Fixed(Stuck::Passes),
            StuckKind::Score(score) => {
                StuckRule::Score(self.needs(score, Kinds::NUMBER, "a score is a number"))
            }
        }
    }
}

/// Returns the variables of the `for` clauses of a `move` line.
fn move_variables(item: &ast::RuleItem) -> impl Iterator<Item = &ast::Name> {
    bound(match &item.kind {
        RuleItemKind::Move { clauses, .. } => clauses.as_slice(),
        _ => &[],
    })
}

/// Returns the names that clauses give values.
fn bound(clauses: &[ast::Clause]) -> impl Iterator<Item = &ast::Name> {
    clauses.iter().flat_map(|clause| match clause {
        ast::Clause::For { pattern, .. } => pattern.as_slice(),
        ast::Clause::If(_) => &[],
    })
}

/// Returns the `let` lines without parameters, which the state at the start may use as constants.
fn constants(items: &[ast::RuleItem]) -> Vec<ast::Definition> {
    let constant = |item: &ast::RuleItem| match &item.kind {
        RuleItemKind::Let(definition) if definition.parameters.is_none() => {
            Some(definition.clone())
        }
        _ => None,
    };
    items.iter().filter_map(constant).collect()
}

/// Returns the kinds that a state variable may take, as far as its initial value tells.
fn state_kinds(initial: Kinds) -> Kinds {
    const CELL: Kinds = Kinds::PLAYER.or(Kinds::EMPTY);
    [
        Kinds::BOOL,
        CELL,
        Kinds::NUMBER,
        Kinds::BOARD,
        Kinds::LIST.or(Kinds::TUPLE),
    ]
    .into_iter()
    // A cell may start empty and hold a player later, so the kinds are grouped.
    .find(|kinds| initial.within(*kinds))
    .unwrap_or(Kinds::ANY)
}

/// Builds the error of a name that already has another meaning in this ruleset.
fn another_meaning(name: &ast::Name, kind: &str, first: Span) -> Diagnostic {
    Diagnostic::new(
        Code::DuplicateName,
        format!("`{}` is a {kind} of this ruleset already", name.text),
    )
    .label(name.span, "cannot be something else too")
    .label(first, format!("{kind} here"))
    .help("rename one of them")
}

fn word_of_rulesets(what: &str, name: &ast::Name) -> Diagnostic {
    let meaning = match name.text.as_str() {
        "me" => "the player who moves",
        "other" => "the opponent of the player who moves",
        _ => "the content of an empty cell",
    };
    let another = format!("{}_1", name.text);
    let help = Help::from(format!("choose another name, such as `{another}`"));
    Diagnostic::new(
        Code::DuplicateName,
        format!("in a ruleset `{}` is {meaning}", name.text),
    )
    .label(name.span, format!("cannot be a {what}"))
    .help(help)
}

fn unbound(action: &ast::Name, name: &ast::Name) -> Diagnostic {
    let (action, text) = (&action.text, &name.text);
    Diagnostic::new(
        Code::UnknownName,
        format!("no `for` gives `{text}` a value in the move `{action}`"),
    )
    .label(name.span, "has no value")
    .help(format!(
        "write the values behind the move: `move {action}(…) for {text} in 0..2 …`, or `for (r, c) in cells(board)` for the cells of a board"
    ))
}

fn no_state(span: Span) -> Diagnostic {
    Diagnostic::new(Code::BadRuleset, "this ruleset has no state")
        .label(span, "no `state` line")
        .help("add a line like `state board = grid(3, 3)` or `state n = 10`")
}

/// Finds the first line by which a player wins.
fn first_win(items: &[ast::RuleItem]) -> Option<Span> {
    let wins = |item: &&ast::RuleItem| {
        matches!(
            item.kind,
            RuleItemKind::Win(..) | RuleItemKind::Stuck(StuckKind::Loses | StuckKind::Wins)
        )
    };
    items.iter().find(wins).map(|item| item.span)
}

/// Finds the first line or update that scores.
fn first_score(items: &[ast::RuleItem]) -> Option<Span> {
    fn in_updates(updates: &[ast::Update]) -> Option<Span> {
        updates.iter().find_map(|update| match &update.kind {
            UpdateKind::Score(_) => Some(update.span),
            UpdateKind::If {
                then, otherwise, ..
            } => in_updates(then).or_else(|| in_updates(otherwise)),
            UpdateKind::Assign { .. } | UpdateKind::Drop { .. } => None,
        })
    }
    items.iter().find_map(|item| match &item.kind {
        RuleItemKind::Move { updates, .. } => in_updates(updates),
        RuleItemKind::Score(..) | RuleItemKind::Stuck(StuckKind::Score(_)) => Some(item.span),
        _ => None,
    })
}

fn win_and_score(win: Span, score: Span) -> Diagnostic {
    Diagnostic::new(
        Code::WinsAndScores,
        "this game has both wins and scores, but does not say what a win is worth",
    )
    .label(win, "somebody wins")
    .label(score, "a score")
    .help("say it with a score: `score 10 if …` ends the game with 10 points for Alice")
}

fn mover_not_asked(me: Span, condition: Span) -> Diagnostic {
    Diagnostic::new(Code::MoverNotAsked, "the condition does not ask who `me` is, so Alice wins whenever it holds")
        .label(me, "each player in turn, Alice first")
        .label(condition, "does not mention `me`")
        .help("a position does not record who moved last: keep that in a state variable, and compare it with `me`")
}

fn turn_of_mover(span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::BadRuleset,
        "a `turn` line says who moves, so nobody moves yet when it is read",
    )
    .label(span, "mentions `me` or `other`")
    .help("name the player, `turn alice if …`, or keep in a state variable whose turn it is")
}

fn income_of_mover(span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::BadRuleset,
        "income is received before the bid, so nobody moves yet when an `income` line is read",
    )
    .label(span, "mentions `me` or `other`")
    .help("name the player, `income alice 1/8 if …`")
}

fn second_stuck(span: Span) -> Diagnostic {
    Diagnostic::new(Code::BadRuleset, "a ruleset has at most one `stuck` line")
        .label(span, "a second one")
        .help("keep one of them")
}
