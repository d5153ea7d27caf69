//! Translates a ruleset to a game of the theory: its state becomes a type, its moves and endings
//! functions.

use std::rc::Rc;

use super::expressions::{Translator, untranslated};
use super::names::TakenNames;
use super::scope::TranslationScope;
use super::terms::{GallinaTerm, Type, level};
use crate::diagnostic::Result;
use crate::player::Player;
use crate::source::Span;
use crate::syntax::ast::{self, Clause, Expr, ExprKind, RuleItemKind, StuckKind};
use crate::verify::{Instance, Interpreter, Value};

/// A ruleset in Gallina.
#[derive(Debug)]
pub(super) struct GallinaRuleset {
    /// The name of the game in the file.
    pub name: String,
    /// The definitions, that of the game last.
    pub text: String,
    /// The types of the state variables.
    pub types: Vec<Type>,
    /// `true` if there are positions besides those of the state, at which a player could not move.
    pub stuck: bool,
    /// The place of its name in the source.
    pub span: Span,
    pub names: TakenNames,
}

/// The most rounds in which the types of the state variables are found: each round widens at least
/// one.
const MOST_ROUNDS: usize = 100;

/// Translates a ruleset; `starts` are the values of its state variables at which play may begin.
pub(super) fn translate(
    interpreter: &mut Interpreter<'_>,
    instance: &Rc<Instance>,
    starts: &[Vec<Value>],
    names: &TakenNames,
) -> Result<GallinaRuleset> {
    let mut types: Option<Vec<Type>> = None;
    for _ in 0..MOST_ROUNDS {
        let mut round = Round {
            // Each round starts with the same names, since its definitions replace those of the
            // last.
            translator: Translator::new(interpreter, names.clone()),
            instance: Rc::clone(instance),
            types: Vec::new(),
            wider: Vec::new(),
        };
        round.types = match types {
            Some(types) => types,
            None => round.types_at_start(starts)?,
        };
        round.wider = round.types.clone();
        let rules = round.rules()?;
        if round.wider == round.types {
            return Ok(rules);
        }
        types = Some(round.wider);
    }
    Err(untranslated(
        "no types are found for the state variables",
        instance.ruleset.name.span,
    ))
}

/// A translation with given types of the state variables.
struct Round<'t, 'i> {
    translator: Translator<'t, 'i>,
    instance: Rc<Instance>,
    types: Vec<Type>,
    /// The types that also cover all assigned values.
    wider: Vec<Type>,
}

impl Round<'_, '_> {
    fn types_at_start(&mut self, starts: &[Vec<Value>]) -> Result<Vec<Type>> {
        let instance = Rc::clone(&self.instance);
        let span = instance.ruleset.name.span;
        if instance.variables.is_empty() {
            return Err(untranslated("this ruleset has no state", span));
        }
        let mut types = Vec::new();
        for (place, (name, first)) in instance.variables.iter().enumerate() {
            let mut ty = self.translator.literal(first, span)?.ty;
            for start in starts {
                let here = self.translator.literal(&start[place], span)?.ty;
                ty = ty.join(&here).ok_or_else(|| {
                    untranslated(format!("`{name}` holds values without a common type"), span)
                })?;
            }
            types.push(ty);
        }
        Ok(types)
    }

    /// Returns the scope of a line of the ruleset.
    fn scope(&mut self, line: usize, me: Option<&str>) -> TranslationScope {
        let mut scope = TranslationScope::new(self.instance.module);
        scope.ruleset = Some((Rc::clone(&self.instance), line));
        scope.me = me.map(|me| GallinaTerm::atom(me, Type::Player));
        for ((name, _), ty) in self.instance.variables.iter().zip(&self.types) {
            scope.bind(name, ty.clone(), &self.translator.names);
        }
        scope.state = scope.variables.len();
        scope
    }

    fn rules(&mut self) -> Result<GallinaRuleset> {
        let instance = Rc::clone(&self.instance);
        let ruleset = &instance.ruleset;
        for item in &ruleset.items {
            match &item.kind {
                RuleItemKind::Turn(..) => {
                    return Err(untranslated(
                        "`turn` lines are not in the theory",
                        item.span,
                    ));
                }
                RuleItemKind::Score(..) | RuleItemKind::Stuck(StuckKind::Score(_)) => {
                    return Err(untranslated("scores are not in the theory", item.span));
                }
                _ => {}
            }
        }
        let name = self.translator.names.define(&ruleset.name.text);
        let pattern = self.pattern();
        let drawn = self.drawn()?;
        let inside = |text: String| text.trim_start().replace('\n', "\n    ");
        let moves = inside(self.moves(drawn.as_deref())?);
        let winner = inside(self.winner()?);
        let position: Vec<String> = self.types.iter().map(Type::text).collect();
        let record = format!(
            "{{|\n  position := {};\n  moves me {pattern} :=\n    {moves};\n  winner {pattern} :=\n    {winner}\n|}}",
            position.join(" * ")
        );
        let stuck = instance.stuck.is_some();
        let game = match fate(&instance.stuck) {
            None => record,
            Some(fate) => {
                let drawn = drawn.unwrap_or_else(|| "false".to_owned());
                format!("stuck {fate} {record}\n  (fun {pattern} => {drawn})")
            }
        };
        let mut text = String::new();
        for definition in &self.translator.definitions {
            text.push_str(definition);
            text.push_str("\n\n");
        }
        text.push_str(&format!("Definition {name} : game := {game}."));
        Ok(GallinaRuleset {
            name,
            text,
            types: self.types.clone(),
            stuck,
            span: ruleset.name.span,
            names: std::mem::take(&mut self.translator.names),
        })
    }

    /// Returns the state variables as a pattern.
    fn pattern(&mut self) -> String {
        let scope = self.scope(0, None);
        let names: Vec<&str> = scope
            .variables
            .iter()
            .map(|variable| variable.term.name())
            .collect();
        match names[..] {
            [one] => one.to_owned(),
            _ => format!("'({})", names.join(", ")),
        }
    }

    /// Returns the condition under which a `draw` line applies, regardless of the lines before it.
    fn drawn(&mut self) -> Result<Option<String>> {
        let instance = Rc::clone(&self.instance);
        let mut all: Vec<String> = Vec::new();
        for (line, item) in instance.ruleset.items.iter().enumerate() {
            if let RuleItemKind::Draw(condition) = &item.kind {
                all.push(self.either(line, condition)?.outside(level::SUM - 1));
            }
        }
        Ok((!all.is_empty()).then(|| all.join(" || ")))
    }

    /// Translates a condition that may hold with Alice or with Bob as the player who moves.
    fn either(&mut self, line: usize, condition: &Expr) -> Result<GallinaTerm> {
        let mut scope = self.scope(line, Some("Alice"));
        let alice = self.translator.truth(condition, &mut scope)?;
        if !scope.depends_on_mover(condition) {
            return Ok(alice);
        }
        let mut scope = self.scope(line, Some("Bob"));
        let bob = self.translator.truth(condition, &mut scope)?;
        Ok(GallinaTerm::infix(
            &alice,
            "||",
            &bob,
            level::SUM,
            Type::Bool,
        ))
    }

    /// Translates the winner: the lines are tested in order, the last one innermost.
    fn winner(&mut self) -> Result<String> {
        let instance = Rc::clone(&self.instance);
        let mut rest = "None".to_owned();
        for (line, item) in instance.ruleset.items.iter().enumerate().rev() {
            match &item.kind {
                RuleItemKind::Win(who, condition) => {
                    rest = self.win(line, who, condition, rest)?;
                }
                // A draw line with no win line after it leads to `None` in both cases.
                RuleItemKind::Draw(condition) if rest != "None" => {
                    let condition = self.either(line, condition)?;
                    rest = format!("if {} then None\nelse {rest}", condition.whole());
                }
                _ => {}
            }
        }
        Ok(rest)
    }

    fn win(&mut self, line: usize, who: &Expr, condition: &Expr, rest: String) -> Result<String> {
        let is_me = matches!(&*who.kind, ExprKind::Name(name) if name == "me");
        // If more lines follow, the players have to be tested in order, one by one.
        if is_me && rest == "None" {
            let mut scope = self.scope(line, Some("me"));
            let condition = self.translator.truth(condition, &mut scope)?;
            return Ok(format!("whoever (fun me => {})", condition.whole()));
        }
        let both = {
            let scope = self.scope(line, Some("Alice"));
            scope.depends_on_mover(condition) || scope.depends_on_mover(who)
        };
        let players = if both {
            &["Alice", "Bob"][..]
        } else {
            &["Alice"]
        };
        let mut rest = rest;
        // The text grows from the inside out, so that Alice is tested first.
        for me in players.iter().rev() {
            let mut scope = self.scope(line, Some(me));
            let condition = self.translator.truth(condition, &mut scope)?;
            let winner = self.translator.term(who, &mut scope)?;
            let winner = self.translator.of_type(winner, &Type::Content, who.span)?;
            rest = format!(
                "if {} then {}\nelse {rest}",
                condition.whole(),
                winner.outside(level::APPLICATION)
            );
        }
        Ok(rest)
    }

    /// Translates the moves of `me`: the lines of both players, or of each.
    fn moves(&mut self, drawn: Option<&str>) -> Result<String> {
        let instance = Rc::clone(&self.instance);
        let owners: Vec<Option<Player>> = instance
            .ruleset
            .items
            .iter()
            .filter_map(|item| match &item.kind {
                RuleItemKind::Move { player, .. } => Some(*player),
                _ => None,
            })
            .collect();
        let text = if owners.iter().all(Option::is_none) {
            self.moves_of(None)?
        } else {
            let [alice, bob] = [
                self.moves_of(Some(Player::Alice))?,
                self.moves_of(Some(Player::Bob))?,
            ];
            let [alice, bob] = [alice, bob].map(|list| list.replace('\n', "\n    "));
            format!("match me with\n| Alice =>\n    {alice}\n| Bob =>\n    {bob}\nend")
        };
        // A stuck player is tested before, and the lack of moves is not a draw there.
        Ok(match drawn.filter(|_| fate(&instance.stuck).is_none()) {
            Some(drawn) => format!("if {drawn} then []\nelse {text}"),
            None => text,
        })
    }

    /// Translates the move lines of a player, or of both.
    fn moves_of(&mut self, player: Option<Player>) -> Result<String> {
        let instance = Rc::clone(&self.instance);
        let mut all = Vec::new();
        for (line, item) in instance.ruleset.items.iter().enumerate() {
            let RuleItemKind::Move {
                player: owner,
                clauses,
                updates,
                ..
            } = &item.kind
            else {
                continue;
            };
            // A line without a player belongs to both.
            if owner.is_some() && *owner != player {
                continue;
            }
            all.push(self.one_move(line, clauses, updates, item.span)?);
        }
        let between = "\n++ ";
        Ok(match &all[..] {
            [] => "[]".to_owned(),
            [one] => one.whole(),
            many => {
                let many: Vec<String> = many
                    .iter()
                    .map(|list| list.outside(level::APPEND - 1))
                    .collect();
                many.join(between)
            }
        })
    }

    fn one_move(
        &mut self,
        line: usize,
        clauses: &[Clause],
        updates: &[ast::Update],
        span: Span,
    ) -> Result<GallinaTerm> {
        let mut scope = self.scope(line, Some("me"));
        let types = self.types.clone();
        let wider = &mut self.wider;
        self.translator
            .through(clauses, &mut scope, &mut |translator, scope| {
                let all: Vec<usize> = (0..types.len()).collect();
                let mut work = super::updates::UpdateTranslation {
                    translator,
                    types: &types,
                    wider,
                };
                work.result(updates, &all, scope, span)
            })
    }
}

/// Returns the fate of a player who must move and cannot, by its name in the theory.
fn fate(stuck: &Option<StuckKind>) -> Option<&'static str> {
    match stuck {
        None | Some(StuckKind::Score(_)) => None,
        Some(StuckKind::Passes) => Some("passes"),
        Some(StuckKind::Loses) => Some("loses"),
        Some(StuckKind::Wins) => Some("wins"),
        Some(StuckKind::Draws) => Some("draws"),
    }
}
