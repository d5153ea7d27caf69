//! Checks whether certificates prove the answers that they claim.
//!
//! The checker reads a certificate ([`mod@format`]) and finds out the question and its
//! game with an interpreter of its own ([`language`]). It walks through all positions of that game
//! alongside the listing ([`listing`]), and then checks the proof on the listing.
//! `docs/certificates.md` describes each kind of proof in a section and proves that the check
//! suffices: [`promises`] for real-valued bids and random turns, [`stairs`] for whole chips under
//! the tie-breaking advantage, [`sets`] of [`states`] for whole chips under all rules,
//! [`guarantees`] for all-pay bidding.
//!
//! # Code shared with the rest of the program
//!
//! The checker is a package of its own, so that the compiler enforces its independence: it knows
//! the language but no solver, no compiled ruleset, and not the evaluator. Of the language it uses
//!
//! - `source`, `syntax`, `check` and `diagnostic`: a text is parsed, and its names and types are
//!   checked, by the same code. That code determines the form of a text, not its value: it yields a
//!   syntax tree, and [`language`] gives the tree its meaning;
//! - `rules`: the fields of rules, their words, their defaults, and the way in which one `using`
//!   overrides another. A certificate names the rules in force in words, so a reader sees the
//!   result. The meaning of rules is implemented here: who wins a tie, who has a status, who pays
//!   ([`bidding`]), which part goes to the bank ([`law`]), and the value of a draw. A test verifies
//!   this;
//! - `player`: the two players, and the endings of a game;
//! - `convert`: integers in other widths, where one that does not fit stops the check;
//! - `watch`: limits and interrupts, which can stop a check and change nothing else.
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

pub mod bidding;
mod encoding;
pub mod format;
pub mod guarantees;
mod language;
pub mod lasting;
mod listing;
pub mod notation;
pub mod promises;
pub mod sets;
pub mod stairs;
pub mod states;

use std::io::Read;

use bid_language::{check, convert, diagnostic, player, rules, source, syntax, watch};
use num_rational::BigRational;
use num_traits::{One, Zero};

pub use self::language::{
    AskedQuantity, BoardSide, BoardValue, Callable, FunctionValue, Game, GameIndex, GamePosition,
    GameQuery, Instance, Interpreter, Number, Trouble, Value, let_line,
};
pub use self::listing::{CertifiedGraph, CertifiedMove};

use crate::check::Definitions;
use crate::diagnostic::json_trouble;
use crate::format::{
    Certificate, Claim, FORMAT, Fraction, ListedPurses, Proof, RuleWords, VERSION,
};
use crate::promises::{ValueLaw, ValueTheory};
use crate::rules::{
    BidKind, Draws, FieldValue, MinimumBid, Objective, Payment, Rules, Stuck, TieBreak,
};
use crate::watch::{Context, Stop};

/// The reason why a certificate proves nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The file is not a certificate. Describes the mistake and its place.
    Malformed(String),
    /// The file is a certificate, but its contents do not prove its claim.
    Unproved(String),
    /// A limit or an interrupt stopped the check.
    Stopped(Stop),
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// The result of a check.
pub type Checked<T> = Result<T, Failure>;

/// Fails with [`Failure::Unproved`].
fn unproved<T>(why: impl Into<String>) -> Checked<T> {
    Err(Failure::Unproved(why.into()))
}

/// Fails with [`Failure::Malformed`].
fn malformed<T>(why: impl Into<String>) -> Checked<T> {
    Err(Failure::Malformed(why.into()))
}

/// Reads a certificate and checks it. Returns the proved statement as a sentence. `builtins` are
/// the functions that its sources may name.
///
/// # Errors
/// Returns the reason why it proves nothing.
pub fn verify(
    file: &mut dyn Read,
    builtins: &Definitions,
    context: &Context<'_>,
) -> Checked<String> {
    let certificate = read(file, context)?;
    check(&certificate, builtins, context)
}

/// Reads a certificate.
///
/// # Errors
/// Returns [`Failure::Malformed`] with the line and the column, or [`Failure::Stopped`].
pub fn read(file: &mut dyn Read, context: &Context<'_>) -> Checked<Certificate> {
    let mut watched = WatchedReader {
        file,
        context,
        read: 0,
        stop: None,
    };
    let certificate: Result<Certificate, _> =
        serde_json::from_reader(std::io::BufReader::with_capacity(1 << 16, &mut watched));
    let certificate = match (certificate, watched.stop) {
        (_, Some(stop)) => return Err(stop.into()),
        (Err(error), None) => {
            // The column is 0 before the first character of a line, and an error of reading has no
            // line.
            let (line, column) = (error.line().max(1), error.column().max(1));
            let what = json_trouble(&error);
            return malformed(format!("line {line}, column {column}: {what}"));
        }
        (Ok(certificate), None) => certificate,
    };
    if certificate.format != FORMAT {
        return malformed(format!(
            "`format` is {:?}, not {FORMAT:?}",
            shortened(&certificate.format)
        ));
    }
    if certificate.version != VERSION {
        return malformed(format!(
            "`version` is {}; this program knows version {VERSION}",
            certificate.version
        ));
    }
    Ok(certificate)
}

/// Returns the beginning of a text, for messages.
fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

/// A file whose reading can be stopped.
struct WatchedReader<'a> {
    file: &'a mut dyn Read,
    context: &'a Context<'a>,
    read: u64,
    stop: Option<Stop>,
}

impl Read for WatchedReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let limit = self.context.limits.max_memory;
        // A file longer than the limit is refused before its contents fill the memory.
        let over = (self.read > limit).then_some(Stop::Memory(limit));
        if let Some(stop) = self.context.check().err().or(over) {
            self.stop = Some(stop);
            return Err(std::io::Error::other("stopped"));
        }
        let read = self.file.read(buffer)?;
        self.read += read as u64;
        Ok(read)
    }
}

/// Checks a certificate. Returns the proved statement as a sentence.
///
/// # Errors
/// Returns the reason why it proves nothing.
pub fn check(
    certificate: &Certificate,
    builtins: &Definitions,
    context: &Context<'_>,
) -> Checked<String> {
    let interpreter = Interpreter::new(&certificate.sources, builtins, context);
    let mut interpreter = interpreter.map_err(|trouble| wrong_source(None, trouble))?;
    let (loads, expression) = (
        &certificate.question.loads,
        &certificate.question.expression,
    );
    let question = interpreter.question(loads, expression);
    let question = question.map_err(|trouble| wrong_source(Some(&interpreter), trouble))?;
    let GameQuery { asked, game, rules } = &question;
    let graph = CertifiedGraph::of(&certificate.game, rules, context)?;
    listing::compare(&graph, &mut interpreter, *game)?;
    // The words are compared because checkers without an interpreter rely on them.
    if certificate.rules != rule_words(rules, asked) {
        return unproved("`rules` are not the rules under which the question is asked");
    }
    // The walk is done, and the proof may need the memory of its games.
    drop(interpreter);
    proof(certificate, &graph, asked)?;
    Ok(format!(
        "{} = {}",
        expression.trim(),
        answer(&certificate.claim)
    ))
}

/// Returns the answer of a claim, as the program prints it.
pub fn answer(claim: &Claim) -> String {
    match claim {
        Claim::Richman { answer } | Claim::Probability { answer, .. } => answer.0.to_string(),
        Claim::Between { low, high } | Claim::Bounds { low, high, .. } => between(&low.0, &high.0),
        Claim::Thresholds { answers, .. } => answers.join(" "),
        Claim::Against { answers, .. } => {
            let row = |index| joined("/", answers.row(index).iter().map(least));
            joined(" ", (0..answers.len()).map(row))
        }
        Claim::Outcome { answer, .. } => answer.clone(),
        Claim::Credit { answer, .. } => match answer {
            Some(answer) => answer.0.to_string(),
            None => least(&sets::NONE),
        },
        Claim::Nash {
            low,
            high,
            alice,
            bob,
            ..
        } => {
            let [alice, bob] =
                [alice, bob].map(|bids| joined(", ", bids.iter().map(|bid| bid.0.to_string())));
            let bounds = between(&low.0, &high.0);
            format!("{bounds} by the bids ({alice}) against ({bob})")
        }
    }
}

fn joined(separator: &str, parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(separator)
}

/// Returns a least number of chips, or `never`, for messages.
fn least(chips: &i32) -> String {
    match *chips {
        sets::NONE => "never".to_owned(),
        chips => chips.to_string(),
    }
}

/// Describes an answer between bounds in words.
pub fn between(low: &BigRational, high: &BigRational) -> String {
    if low == high {
        low.to_string()
    } else {
        format!("between {low} and {high}")
    }
}

/// Builds the failure of a source that has no meaning.
fn wrong_source(interpreter: Option<&Interpreter<'_>>, trouble: Trouble) -> Failure {
    match trouble {
        Trouble::Stopped(stop) => stop.into(),
        Trouble::Wrong(why, span) => {
            let place = interpreter
                .zip(span)
                .map(|(interpreter, span)| format!(", at {}", interpreter.place(span)));
            Failure::Malformed(format!(
                "the source does not say what was asked: {why}{}",
                place.unwrap_or_default()
            ))
        }
    }
}

/// Returns the rules that affect a question, in words. `P` is about random turns, so its rules are
/// written with the default payment, whoever pays.
pub fn rule_words(rules: &Rules, asked: &AskedQuantity) -> RuleWords {
    let word = |field: FieldValue| field.words().1;
    let pay = match asked {
        AskedQuantity::Probability(_) => Payment::Richman,
        _ => rules.pay.clone(),
    };
    RuleWords {
        pay: word(FieldValue::Pay(pay)),
        ties: word(FieldValue::Ties(rules.ties)),
        winner: word(FieldValue::Winner(rules.winner)),
        draws: word(FieldValue::Draws(rules.draws)),
        objective: (rules.objective != Objective::Reachability)
            .then(|| word(FieldValue::Objective(rules.objective))),
        energy: (rules.objective == Objective::Energy).then(|| Fraction(rules.energy.0.clone())),
    }
}

/// Checks that the proof proves the claim for the listing, and that the claim answers the question.
fn proof(
    certificate: &Certificate,
    graph: &CertifiedGraph<'_>,
    asked: &AskedQuantity,
) -> Checked<()> {
    let (rules, claim, proof) = (graph.rules, &certificate.claim, &certificate.proof);
    admit(rules, asked)?;
    match (asked, claim, proof) {
        (AskedQuantity::Richman | AskedQuantity::Probability(_), claim, Proof::Promises(proof)) => {
            let theory = ValueTheory::new(graph, law(rules, asked)?);
            let [low, high] = promises::check(&theory, proof)?;
            answers(claim, &theory, [&low, &high], proof.mirror.is_some())
        }
        (AskedQuantity::Thresholds(asked), Claim::Thresholds { totals, answers }, proof) => {
            if !same_numbers(asked, totals) {
                return unproved("`totals` are not those that are asked about");
            }
            match proof {
                Proof::HalfChips(listed) => stairs::thresholds(graph, totals, answers, listed),
                Proof::Sets(proofs) => sets::thresholds(graph, totals, answers, proofs),
                _ => mismatched(),
            }
        }
        (AskedQuantity::Against(asked), Claim::Against { budgets, answers }, proof) => {
            if !same_numbers(asked, budgets) {
                return unproved("`budgets` are not those that are asked about");
            }
            let none = (0..answers.len()).any(|index| answers.row(index).contains(&sets::NONE));
            match proof {
                // A finite set of totals cannot show that no number is enough, so that such answers
                // need another proof.
                Proof::Sets(sets) if !none => sets::against(graph, budgets, answers, sets),
                Proof::Never(proof) if none => {
                    sets::against(graph, budgets, answers, &proof.sets)?;
                    sets::never(graph, budgets, answers, proof)
                }
                _ => malformed("`claim` and `proof` are not about the same numbers of chips"),
            }
        }
        (AskedQuantity::Outcome(asked), Claim::Outcome { purses, answer }, proof) => {
            same_purses(asked, purses, rules)?;
            match proof {
                Proof::HalfChips(listed) => stairs::outcome(graph, purses, answer, listed),
                Proof::Sets(proofs) => sets::outcome(graph, purses, answer, proofs),
                _ => mismatched(),
            }
        }
        (AskedQuantity::Credit(asked), Claim::Credit { purses, answer }, Proof::Sets(proofs)) => {
            same_purses(asked, purses, rules)?;
            sets::credit(graph, purses, answer.as_ref().map(|least| &least.0), proofs)
        }
        (
            AskedQuantity::AllPay(asked),
            Claim::Bounds { purses, low, high },
            Proof::Guarantees(listed),
        )
        | (
            AskedQuantity::Nash(asked),
            Claim::Nash {
                purses, low, high, ..
            },
            Proof::Guarantees(listed),
        ) => {
            same_purses(asked, purses, rules)?;
            let first = guarantees::check(graph, purses, listed)?;
            let (of_alice, of_bob) = (&first.alice, &first.bob);
            let by_these = match claim {
                Claim::Nash { alice, bob, .. } => (alice, bob) == (&of_alice.bids, &of_bob.bids),
                _ => true,
            };
            match by_these && [low, high] == [&of_alice.bound, &of_bob.bound] {
                true => Ok(()),
                false => unproved("the bounds or the bids are not those of the first turn"),
            }
        }
        _ => mismatched(),
    }
}

fn mismatched<T>() -> Checked<T> {
    malformed("`question`, `claim` and `proof` are not about the same query")
}

/// Returns the law by which values follow from each other in a question about real-valued bids or
/// random turns.
///
/// # Errors
/// If the question is not about these, or has no certificate under these rules.
pub fn law(rules: &Rules, asked: &AskedQuantity) -> Checked<ValueLaw> {
    let law = match (asked, &rules.pay) {
        (AskedQuantity::Probability(coin), _) => ValueLaw::Tossed(fair_or(coin)),
        (AskedQuantity::Richman, Payment::Richman) => ValueLaw::Taxed(BigRational::zero()),
        (AskedQuantity::Richman, Payment::Poorman) => ValueLaw::Taxed(BigRational::one()),
        (AskedQuantity::Richman, Payment::Taxman(part)) => ValueLaw::Taxed(part.clone()),
        (AskedQuantity::Richman, _) => {
            return unproved("thresholds in money have no meaning where both players pay");
        }
        _ => return unproved("only `R` and `P` are about real-valued bids and random turns"),
    };
    let (half, objective) = (rules.draws == Draws::Half, rules.objective);
    let (zero, one) = (BigRational::zero(), BigRational::one());
    match (&law, objective) {
        (ValueLaw::Tossed(coin), _) if *coin < zero || *coin > one => {
            unproved(format!("a coin does not fall with the probability {coin}"))
        }
        (ValueLaw::Taxed(_), _) if half && rules.pay != Payment::Richman => {
            unproved("half a win has no threshold where part of a bid goes to the bank")
        }
        (_, Objective::Reachability) => Ok(law),
        (_, Objective::Energy) => {
            unproved("with the energy objective only questions in chips have a certificate")
        }
        _ if half => unproved("half a win has no meaning for an objective of infinite play"),
        (ValueLaw::Tossed(coin), _) if *coin == zero || *coin == one => {
            unproved("without chance an objective of infinite play takes another proof")
        }
        (ValueLaw::Taxed(part), Objective::MeanPayoff) if *part != zero => unproved(
            "under poorman and taxman bidding the mean payoff depends on the share of the money that is left when play comes to a part of the graph; only enclosures of it are known",
        ),
        _ => Ok(law),
    }
}

/// Returns the coin of the question, which is a fair one if none is named.
pub fn fair_or(coin: &Option<BigRational>) -> BigRational {
    coin.clone()
        .unwrap_or_else(|| BigRational::new(1.into(), 2.into()))
}

/// Accepts a claim that follows from bounds of position 0. `mirror` says that they meet because the
/// position is its own mirror image.
fn answers(
    claim: &Claim,
    theory: &ValueTheory<'_>,
    [low, high]: [&BigRational; 2],
    mirror: bool,
) -> Checked<()> {
    let objective = theory.graph.rules.objective;
    if mirror && (objective != Objective::Reachability || !matches!(claim, Claim::Richman { .. })) {
        return malformed("`mirror` does not belong to this claim or objective");
    }
    let (answer, [low, high]) = match (claim, &theory.law) {
        (Claim::Richman { answer }, ValueLaw::Taxed(_)) => (answer, [low.clone(), high.clone()]),
        (Claim::Probability { coin, answer }, ValueLaw::Tossed(asked)) => {
            if coin.0 != *asked {
                return unproved("`coin` is not the coin that is asked about");
            }
            // Values are Bob's winning probabilities, so that Alice's have the bounds in reverse.
            (answer, [high, low].map(|bound| BigRational::one() - bound))
        }
        (
            Claim::Between {
                low: least,
                high: most,
            },
            ValueLaw::Taxed(_),
        ) => {
            // Equal bounds would be a value, which is claimed in another form.
            if least < most && least.0 <= *low && *high <= most.0 {
                return Ok(());
            }
            return unproved("the bounds of position 0 do not lie between those of the claim");
        }
        _ => return mismatched(),
    };
    match &answer.0 {
        _ if low != high => unproved("the bounds of position 0 do not meet"),
        answer if *answer == low => Ok(()),
        answer => unproved(format!("the answer is not {answer}, but {low}")),
    }
}

/// Accepts the rules under which a question can have a certificate.
///
/// # Errors
/// If it can have none.
pub fn admit(rules: &Rules, asked: &AskedQuantity) -> Checked<()> {
    if rules.stuck != Stuck::OpponentMoves {
        return unproved("a rule for players who cannot move has no certificate");
    }
    if matches!(
        asked,
        AskedQuantity::Richman | AskedQuantity::Probability(_)
    ) {
        return law(rules, asked).map(|_| ());
    }
    if matches!(rules.ties, TieBreak::Nobody | TieBreak::Attached) {
        let (name, value) = FieldValue::Ties(rules.ties).words();
        return unproved(format!(
            "`{name}: {value}` has no certificate; the nearest rule that has one is `ties: marker`"
        ));
    }
    if rules.minimum_bid != MinimumBid::default() {
        return unproved("least bids have no certificate");
    }
    let has_sets = matches!(
        asked,
        AskedQuantity::Thresholds(_) | AskedQuantity::Outcome(_) | AskedQuantity::Credit(_)
    );
    if rules.objective != Objective::Reachability && !has_sets {
        return unproved(
            "under an objective of infinite play only `R`, `P`, `f(G, k)`, outcomes and `credit` have a certificate",
        );
    }
    let discrete = rules.bids == BidKind::Discrete;
    match asked {
        // The proof of guarantees assumes that both players pay, whoever wins.
        AskedQuantity::AllPay(_) | AskedQuantity::Nash(_) => match rules.pay {
            Payment::AllPay | Payment::AllPayBank if discrete => Ok(()),
            _ => unproved("mixed bids are about whole chips that both players pay"),
        },
        _ if discrete && rules.pay == Payment::Richman && rules.ties != TieBreak::Coin => Ok(()),
        _ => unproved(
            "questions in chips where one player pays have certificates only under `pay: richman` with `bids: discrete`, and not under `ties: coin`",
        ),
    }
}

fn same_numbers(asked: &[i64], claimed: &[i32]) -> bool {
    asked
        .iter()
        .copied()
        .eq(claimed.iter().copied().map(i64::from))
}

fn same_purses(asked: &ListedPurses, claimed: &ListedPurses, rules: &Rules) -> Checked<()> {
    if asked != claimed {
        return unproved("`purses` are not those that are asked about");
    }
    let status = bidding::has_status(rules.ties);
    if asked.alice < 0 || asked.bob < 0 || asked.holder.is_some() != status {
        return unproved("these purses do not go with the rule for ties");
    }
    Ok(())
}
