//! Writes answers as theorems for Coq: the rules of the game in Gallina, a listing of its positions
//! with claims, and a theorem that Coq proves by checking the listing against the rules.
//!
//! proofs/README.md defines the format. The listing comes from the checker's interpreter, the rules
//! from an independent translation ([`rules`]): if the two differed, Coq would refuse the file.

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

use self::claims::Claims;
use self::names::TakenNames;
use self::positions::TranslatedGame;
use self::stream::BitStreams;
use super::explore::{diagnostic, explore};
use super::prove::{Prover, failed};
use crate::check::Definitions;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::report::Report;
use crate::rules::{
    BidKind, Draws, MinimumBid, Objective, Payment, Rules, Stuck, TieBreak, Winner,
};
use crate::source::{SourceId, SourceMap};
use crate::verify::format::{SourceQuestion, SourceText};
use crate::verify::{self, AskedQuantity, CertifiedGraph, GameIndex, Interpreter};
use crate::watch::Context;

/// The texts that are visible to a question.
#[derive(Debug, Clone, Copy)]
pub struct VisibleTexts<'s> {
    /// The texts, in order.
    pub texts: &'s [SourceText],
    /// Their sources, to which diagnostics refer.
    pub sources: &'s [SourceId],
}

/// Makes the file of a theorem that an expression has the value `answer`.
///
/// # Errors
/// Returns an error if the theory does not cover the question, the rules or the game, the work is
/// stopped, or the proved value is not the answer.
pub fn write(
    seen: VisibleTexts<'_>,
    question: &SourceQuestion,
    answer: &Report,
    builtins: &Definitions,
    context: &Context<'_>,
) -> Result<String> {
    file(seen.texts, question, answer, builtins, context).map_err(|mut diagnostic| {
        // The checker's interpreter has numbered the texts in their order, so its spans are mapped
        // to the session's sources by that order.
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
    texts: &[SourceText],
    question: &SourceQuestion,
    answer: &Report,
    builtins: &Definitions,
    context: &Context<'_>,
) -> Result<String> {
    let mut interpreter = Interpreter::new(texts, builtins, context).map_err(diagnostic)?;
    // A comparison of games has two listings, so it is recognised before other questions.
    let compared = interpreter
        .comparison(&question.loads, &question.expression)
        .map_err(diagnostic)?;
    let mut file = GallinaFile::default();
    let mut names = TakenNames::default();
    match compared {
        Some((op, sides)) => {
            comparisons::write(&mut interpreter, op, sides, answer, &mut file, &mut names)?;
        }
        None => {
            let asked = interpreter
                .question(&question.loads, &question.expression)
                .map_err(diagnostic)?;
            let part = GameSection {
                prefix: "",
                file: &mut file,
                names: &mut names,
            };
            with_writer(&mut interpreter, &asked, part, |writer| {
                writer.prove(&asked.asked, answer)
            })?;
        }
    }
    Ok(file.text(question, answer))
}

/// The parts of the file, in their order.
#[derive(Debug, Default)]
struct GallinaFile {
    rules: Vec<String>,
    positions: usize,
    listings: String,
    theorems: String,
}

/// The destination of the part of the file about one game.
struct GameSection<'p> {
    /// The prefix of the names of listings.
    prefix: &'static str,
    file: &'p mut GallinaFile,
    names: &'p mut TakenNames,
}

/// Lists the positions of a question's game, translates its rules, and calls `work` with a writer
/// for them.
fn with_writer<T>(
    interpreter: &mut Interpreter<'_>,
    asked: &verify::GameQuery,
    part: GameSection<'_>,
    work: impl FnOnce(&mut GameWriter<'_, '_>) -> Result<T>,
) -> Result<T> {
    admit(&asked.rules, &asked.asked)?;
    let GameSection {
        prefix,
        file,
        names,
    } = part;
    let (listing, games) = explore(interpreter, asked)?;
    let graph = CertifiedGraph::of(&listing, &asked.rules, interpreter.context).map_err(failed)?;
    let translated = TranslatedGame::of(interpreter, &graph, &games, names)?;
    // Lines of rulesets with such moves have already been refused, with their place.
    if interpreter.has_turns() {
        return Err(refused("moves without a bid are not in the theory"));
    }
    file.rules.push(translated.text.clone());
    file.positions += games.len();
    let mut writer = GameWriter {
        interpreter,
        games,
        prover: Prover { graph: &graph },
        translated,
        prefix,
        file,
    };
    work(&mut writer)
}

/// Reports that there is no theorem.
fn refused(why: impl Display) -> Box<Diagnostic> {
    let message = format!("no theorem can be written: {why}");
    Box::new(Diagnostic::new(Code::NotSupported, message).help(
        "docs/how_sure.md says which questions have one; a file that does not end in `.v` gets a certificate, which more of them have",
    ))
}

/// Checks that the theory covers the rules and the question.
fn admit(rules: &Rules, asked: &AskedQuantity) -> Result<()> {
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
        Draws::Bob if !matches!(asked, AskedQuantity::Outcome(_)) => {}
        Draws::Alice | Draws::Bob | Draws::Half => return unknown("this worth of draws"),
    }
    match asked {
        AskedQuantity::Richman if rules.winner == Winner::Moves => {
            unknown("`winner: moves` with real money")
        }
        AskedQuantity::Richman => Ok(()),
        AskedQuantity::Thresholds(_) | AskedQuantity::Outcome(_) if rules.bids == BidKind::Real => {
            unknown("a bid of any amount with chips")
        }
        AskedQuantity::Thresholds(_) | AskedQuantity::Outcome(_) => match rules.ties {
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
        AskedQuantity::Probability(_) => unknown("`P`"),
        AskedQuantity::Against(_) => unknown("`f(G, bob: b)`"),
        AskedQuantity::Credit(_) => unknown("`credit`"),
        AskedQuantity::AllPay(_) | AskedQuantity::Nash(_) => unknown("all-pay bidding"),
    }
}

/// The writer for one game.
struct GameWriter<'w, 'i> {
    interpreter: &'w Interpreter<'i>,
    games: Vec<GameIndex>,
    prover: Prover<'w>,
    translated: TranslatedGame,
    /// The prefix of the names of listings.
    prefix: &'static str,
    file: &'w mut GallinaFile,
}

impl GameWriter<'_, '_> {
    /// Writes a listing under a name.
    fn list(&mut self, name: &str, claims: &dyn Claims) -> Result<()> {
        let mut streams = BitStreams::default();
        for number in 0..self.games.len() {
            self.prover.look("writing positions", number)?;
            let bits = streams.item();
            self.translated
                .write(self.interpreter, &self.games, number, bits)?;
            claims.write(number, bits);
        }
        let listings = &mut self.file.listings;
        let reader = format!("(both {} {})", self.translated.reader(), claims.reader());
        let items = streams.define(&name.replace("listing", "data"), &reader, listings);
        let _ = writeln!(listings, "\nDefinition {name} := {items}.\n");
        Ok(())
    }
}

impl GallinaFile {
    fn text(&self, question: &SourceQuestion, answer: &Report) -> String {
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
