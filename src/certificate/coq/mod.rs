//! Answers as theorems for Coq: the rules of the game in Gallina, a listing of its positions with
//! claims, and a theorem that Coq proves by checking the listing against the rules.
//!
//! proofs/README.md fixes the format. The listing is made by the checker's interpreter, the rules by
//! a translation of their own ([`rules`]): where the two differed, Coq would refuse the file.

mod claims;
mod clauses;
mod comparisons;
mod expressions;
mod functions;
mod graphs;
mod names;
mod operators;
mod positions;
mod rules;
mod scope;
mod stream;
mod terms;
mod theorems;
mod updates;

use std::fmt::{Display, Write};

use self::claims::{Outcomes, Stairs, Values, View};
use self::names::Names;
use self::positions::Translated;
use self::stream::Bits;
use super::explore::{diagnostic, explore_games};
use super::prove::failed;
use crate::check::Definitions;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::player::Player;
use crate::report::Report;
use crate::rules::{
    BidKind, Draws, MinimumBid, Objective, Payment, Rules, Stuck, TieBreak, Winner,
};
use crate::source::{SourceId, SourceMap};
use crate::verify::format::{Question, Text};
use crate::verify::{self, Asked, GameId, Graph, Interpreter};
use crate::watch::Context;

/// The texts that a question sees.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'s> {
    /// Their texts, in order.
    pub texts: &'s [Text],
    /// Their sources, into which diagnostics point.
    pub sources: &'s [SourceId],
}

/// Makes the file of a theorem that says that an expression has the value `answer`.
///
/// # Errors
/// If the theory does not know the question, the rules or the game, the work is stopped, or
/// what would be proved is not the answer.
pub fn write(
    seen: Seen<'_>,
    question: &Question,
    answer: &Report,
    builtins: &Definitions,
    context: &Context<'_>,
) -> Result<String> {
    file(seen.texts, question, answer, builtins, context).map_err(|mut diagnostic| {
        // The checker's interpreter has read the texts in their order.
        let mut map = SourceMap::default();
        let own: Vec<SourceId> = seen.texts.iter().map(|_| map.add("", "")).collect();
        diagnostic.labels.retain_mut(|label| {
            let found = own.iter().position(|source| *source == label.span.source);
            if let Some(text) = found {
                label.span.source = seen.sources[text];
            }
            found.is_some()
        });
        diagnostic
    })
}

fn file(
    texts: &[Text],
    question: &Question,
    answer: &Report,
    builtins: &Definitions,
    context: &Context<'_>,
) -> Result<String> {
    let mut interpreter = Interpreter::new(texts, builtins, context).map_err(diagnostic)?;
    let compared = interpreter
        .comparison(&question.loads, &question.expression)
        .map_err(diagnostic)?;
    let mut file = File::default();
    let mut names = Names::default();
    match compared {
        Some((op, sides)) => {
            comparisons::write(
                &mut interpreter,
                op,
                sides,
                answer,
                &mut file,
                &mut names,
                context,
            )?;
        }
        None => {
            let asked = interpreter
                .question(&question.loads, &question.expression)
                .map_err(diagnostic)?;
            let part = Part {
                prefix: "",
                file: &mut file,
                names: &mut names,
            };
            with_writer(&mut interpreter, &asked, part, context, |writer| {
                writer.prove(&asked.asked, answer)
            })?;
        }
    }
    Ok(file.text(question, answer))
}

/// The parts of the file, in their order.
#[derive(Debug, Default)]
struct File {
    rules: Vec<String>,
    positions: usize,
    listings: String,
    theorems: String,
}

/// Where the part of the file about one game goes.
struct Part<'p> {
    /// The prefix of the names of listings.
    prefix: &'static str,
    file: &'p mut File,
    names: &'p mut Names,
}

/// Lists the positions of a question's game, translates its rules, and lets a writer work on them.
fn with_writer<T>(
    interpreter: &mut Interpreter<'_>,
    asked: &verify::Question,
    part: Part<'_>,
    context: &Context<'_>,
    work: impl FnOnce(&mut Writer<'_, '_>) -> Result<T>,
) -> Result<T> {
    admit(&asked.rules, &asked.asked)?;
    let Part {
        prefix,
        file,
        names,
    } = part;
    let (listing, games) = explore_games(interpreter, asked, context)?;
    let graph = Graph::of(&listing, &asked.rules, context).map_err(failed)?;
    let translated = Translated::of(interpreter, &graph, &games, names, context)?;
    // Lines of rulesets that say so have been refused at their place.
    if interpreter.has_turns() {
        return Err(refused("moves without a bid are not in the theory"));
    }
    file.rules.push(translated.text.clone());
    file.positions += games.len();
    let mut writer = Writer {
        interpreter,
        games,
        view: View {
            graph: &graph,
            first: Player::Alice,
            context,
        },
        translated,
        prefix,
        file,
    };
    work(&mut writer)
}

/// Says that there is no theorem.
fn refused(why: impl Display) -> Box<Diagnostic> {
    let message = format!("no theorem can be written: {why}");
    Box::new(Diagnostic::new(Code::NotSupported, message).help(
        "docs/how_sure.md says which questions have one; a file that does not end in `.v` gets a certificate, which more of them have",
    ))
}

/// Passes what the theory knows.
fn admit(rules: &Rules, asked: &Asked) -> Result<()> {
    let unknown = |what: &str| Err(refused(format!("{what} is not in the theory")));
    if rules.pay != Payment::Richman {
        return unknown("this payment");
    }
    if rules.objective != Objective::Reachability {
        return unknown("this objective of infinite play");
    }
    if rules.minimum_bid != MinimumBid::default() {
        return unknown("a least bid");
    }
    if rules.stuck != Stuck::OpponentMoves {
        return unknown("this rule for players who cannot move");
    }
    match rules.draws {
        Draws::Neither => {}
        Draws::Bob if !matches!(asked, Asked::Outcome(_)) => {}
        Draws::Alice | Draws::Bob | Draws::Half => return unknown("this worth of draws"),
    }
    match asked {
        Asked::Richman if rules.winner == Winner::Moves => {
            unknown("`winner: moves` with real money")
        }
        Asked::Richman => Ok(()),
        Asked::Thresholds(_) | Asked::Outcome(_) if rules.bids == BidKind::Real => {
            unknown("a bid of any amount with chips")
        }
        Asked::Thresholds(_) | Asked::Outcome(_) => match rules.ties {
            TieBreak::Advantage
            | TieBreak::Marker
            | TieBreak::MakeItTakeIt
            | TieBreak::LosersBall
            | TieBreak::LadiesFirst
            | TieBreak::GentlemenFirst => Ok(()),
            TieBreak::Richer | TieBreak::Coin | TieBreak::Nobody | TieBreak::Attached => {
                unknown("this rule for ties")
            }
        },
        Asked::Probability(_) => unknown("`P`"),
        Asked::Against(_) => unknown("`f(G, bob: b)`"),
        Asked::AllPay(_) | Asked::Nash(_) => unknown("all-pay bidding"),
    }
}

/// The writer for one game.
struct Writer<'w, 'i> {
    interpreter: &'w Interpreter<'i>,
    games: Vec<GameId>,
    view: View<'w>,
    translated: Translated,
    /// The prefix of the names of listings.
    prefix: &'static str,
    file: &'w mut File,
}

/// The claim of a listing about each position.
enum Claims<'c> {
    Values(&'c Values),
    Stairs(&'c Stairs),
    Outcomes(&'c Outcomes),
}

impl Claims<'_> {
    fn reader(&self) -> String {
        match self {
            Self::Values(values) => values.reader(),
            Self::Stairs(stairs) => stairs.reader(),
            Self::Outcomes(outcomes) => outcomes.reader(),
        }
    }

    fn write(&self, position: usize, bits: &mut Bits) {
        match self {
            Self::Values(values) => values.write(position, bits),
            Self::Stairs(stairs) => stairs.write(position, bits),
            Self::Outcomes(outcomes) => outcomes.write(position, bits),
        }
    }
}

impl Writer<'_, '_> {
    /// Writes a listing under a name.
    fn list(&mut self, name: &str, claims: &Claims<'_>) -> Result<()> {
        let mut bits = Bits::default();
        for number in 0..self.games.len() {
            self.view.look("writing positions", number)?;
            self.translated
                .write(self.interpreter, &self.games, number, &mut bits)?;
            claims.write(number, &mut bits);
        }
        let listings = &mut self.file.listings;
        let stream = bits.define(&name.replace("listing", "data"), listings);
        let _ = writeln!(
            listings,
            "\nDefinition {name} := items {}\n  (both {} {})\n  {stream}.\n",
            self.games.len(),
            self.translated.reader(),
            claims.reader(),
        );
        Ok(())
    }
}

impl File {
    fn text(&self, question: &Question, answer: &Report) -> String {
        let said = format!("{} = {answer}", question.expression);
        let said = graphs::harmless(&said.replace('\n', " "));
        let positions = match self.positions {
            1 => "1 position".to_owned(),
            many => format!("{many} positions"),
        };
        format!(
            "(** {said}\n\n    Written by bid; the format is described in proofs/README.md. *)\n\n\
             From Proofs Require Import Answers.\n\n\
             (** * The rules *)\n\n{}\n\n\
             (** * The listing: {positions} *)\n\n{}\
             (** * The theorem *)\n{}",
            self.rules.join("\n\n"),
            self.listings,
            self.theorems,
        )
    }
}
