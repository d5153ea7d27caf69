//! Checking certificates: whether one proves the answer that it claims.
//!
//! The checker reads a certificate ([`format`](crate::format)), finds out with an
//! interpreter of its own ([`language`]) what was asked of which game, walks through all positions
//! of that game beside the listing ([`listing`]), and then checks the proof on the listing. It
//! shares no code with the solvers, the compiled rulesets or the evaluator; a test reads these
//! files and says so.
//!
//! Each kind of proof has its module, which states what is checked and why that is enough:
//! [`values`] for real-valued bids and random turns, [`bounds`] where thresholds lie between
//! bounds, [`endless`] for objectives of infinite play, [`sets`] for whole chips and [`never`]
//! where none are enough, [`guarantees`] for all-pay bidding.
//!
//! It is a package of its own, so that the compiler holds what the checker promises: it knows the
//! language and no solver.
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

pub mod bidding;
pub mod bounds;
mod encoding;
pub mod endless;
pub mod format;
pub mod guarantees;
mod language;
mod listing;
pub mod never;
pub mod notation;
pub mod sets;
pub mod values;

use std::io::Read;

use bid_language::{check, diagnostic, player, rules, source, syntax, watch};
use num_rational::BigRational;

pub use self::language::{
    Asked, Board, BoardSide, Budgets, Callable, Fate, Function, Game, GameId, Instance,
    Interpreter, Number, Question, Trouble, Value,
};
pub use self::listing::Graph;

use crate::check::Definitions;
use crate::diagnostic::json_trouble;
use crate::format::{
    Certificate, Claim, FORMAT, Fraction, Proof, Purses, Rows, RuleWords, VERSION,
};
use crate::player::PerPlayer;
use crate::rules::{BidKind, FieldValue, MinimumBid, Objective, Payment, Rules, Stuck, TieBreak};
use crate::watch::{Stop, Watch};

/// Why a certificate proves nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// It is no certificate: what is wrong with it, and where.
    Malformed(String),
    /// It is one, but what it says does not prove its claim.
    Unproved(String),
    /// A limit or an interrupt stopped the check.
    Stopped(Stop),
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// How a check went.
pub type Checked<T> = Result<T, Failure>;

/// Fails with [`Failure::Unproved`].
fn unproved<T>(why: impl Into<String>) -> Checked<T> {
    Err(Failure::Unproved(why.into()))
}

/// Fails with [`Failure::Malformed`].
fn malformed<T>(why: impl Into<String>) -> Checked<T> {
    Err(Failure::Malformed(why.into()))
}

/// Reads a certificate and checks it; gives what it proves, as a sentence. `builtins` are the
/// functions that its sources may name.
///
/// # Errors
/// Why it proves nothing.
pub fn verify(file: impl Read, builtins: &Definitions, watch: &dyn Watch) -> Checked<String> {
    let certificate = read(file, watch)?;
    check(&certificate, builtins, watch)
}

/// Reads a certificate.
///
/// # Errors
/// [`Failure::Malformed`] with the line and the column, or [`Failure::Stopped`].
pub fn read(file: impl Read, watch: &dyn Watch) -> Checked<Certificate> {
    let mut watched = Watched {
        file,
        watch,
        read: 0,
        stop: None,
    };
    let certificate: Result<Certificate, _> =
        serde_json::from_reader(std::io::BufReader::with_capacity(1 << 16, &mut watched));
    let certificate = match (certificate, watched.stop) {
        (_, Some(stop)) => return Err(stop.into()),
        (Err(error), None) => {
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

/// The beginning of a text, for messages.
fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

/// A file that is read under the watch.
struct Watched<'a, R> {
    file: R,
    watch: &'a dyn Watch,
    read: u64,
    stop: Option<Stop>,
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let limit = self.watch.limits().max_memory;
        let over = (self.read > limit).then_some(Stop::Memory(limit));
        if let Some(stop) = self.watch.check().err().or(over) {
            self.stop = Some(stop);
            return Err(std::io::Error::other("stopped"));
        }
        let read = self.file.read(buffer)?;
        self.read += read as u64;
        Ok(read)
    }
}

/// Checks a certificate; gives what it proves, as a sentence.
///
/// # Errors
/// Why it proves nothing.
pub fn check(
    certificate: &Certificate,
    builtins: &Definitions,
    watch: &dyn Watch,
) -> Checked<String> {
    let graph = Graph::of(&certificate.game, watch)?;
    let question = compare_with_source(certificate, builtins, &graph, watch)?;
    let rules = &question.rules;
    if certificate.rules != rule_words(rules, &question.asked) {
        return unproved("`rules` are not the rules under which the question is asked");
    }
    proof(certificate, &graph, &question, watch)?;
    Ok(format!(
        "{} = {}",
        certificate.question.expression.trim(),
        answer(&certificate.claim)
    ))
}

/// The answer of a claim, as the program prints it.
pub fn answer(claim: &Claim) -> String {
    match claim {
        Claim::Richman { answer } | Claim::Probability { answer, .. } => answer.0.to_string(),
        Claim::Between { low, high } => between(&low.0, &high.0),
        Claim::Thresholds { answers, .. } => answers.join(" "),
        Claim::Against { answers, .. } => words(answers),
        Claim::Outcome { answer, .. } => answer.clone(),
        Claim::Bounds { low, high, .. } => between(&low.0, &high.0),
        Claim::Nash {
            low,
            high,
            alice,
            bob,
            ..
        } => {
            format!(
                "{} by the bids {} against {}",
                between(&low.0, &high.0),
                mixed(alice),
                mixed(bob)
            )
        }
    }
}

/// The probabilities of bids from 0 on.
fn mixed(bids: &[Fraction]) -> String {
    let bids: Vec<String> = bids.iter().map(|bid| bid.0.to_string()).collect();
    format!("({})", bids.join(", "))
}

/// Least numbers of chips, those for each budget beside each other.
fn words(answers: &Rows) -> String {
    let word = |least: &i32| {
        if *least == never::NONE {
            "never".to_owned()
        } else {
            least.to_string()
        }
    };
    let row = |index| {
        answers
            .row(index)
            .iter()
            .map(word)
            .collect::<Vec<_>>()
            .join("/")
    };
    (0..answers.len()).map(row).collect::<Vec<_>>().join(" ")
}

/// An answer between bounds, in words.
pub fn between(low: &BigRational, high: &BigRational) -> String {
    if low == high {
        low.to_string()
    } else {
        format!("between {low} and {high}")
    }
}

/// Whether the listing is the game of the source, and what was asked of it.
fn compare_with_source(
    certificate: &Certificate,
    builtins: &Definitions,
    graph: &Graph<'_>,
    watch: &dyn Watch,
) -> Checked<Question> {
    let mut interpreter = Interpreter::new(&certificate.sources, builtins, watch)
        .map_err(|trouble| wrong_source(None, trouble))?;
    let question = &certificate.question;
    let question = interpreter.question(&question.loads, &question.expression);
    let question = question.map_err(|trouble| wrong_source(Some(&interpreter), trouble))?;
    listing::compare(graph, &mut interpreter, &question, watch)?;
    Ok(question)
}

/// What is said where a source has no meaning.
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

/// The rules that matter to a question, in words. `P` is about random turns, whoever pays; outcomes
/// know what a draw is.
pub fn rule_words(rules: &Rules, asked: &Asked) -> RuleWords {
    let word = |field: FieldValue| field.words().1;
    let pay = match asked {
        Asked::Probability(_) => Payment::Richman,
        Asked::Richman
        | Asked::Thresholds(_)
        | Asked::Against(_)
        | Asked::Outcome(_)
        | Asked::AllPay(_)
        | Asked::Nash(_) => rules.pay.clone(),
    };
    RuleWords {
        pay: word(FieldValue::Pay(pay)),
        ties: word(FieldValue::Ties(rules.ties)),
        winner: word(FieldValue::Winner(rules.winner)),
        draws: word(FieldValue::Draws(rules.draws)),
        objective: (rules.objective != Objective::Reachability)
            .then(|| word(FieldValue::Objective(rules.objective))),
    }
}

/// Whether the proof proves the claim of the listing, and the claim answers the question.
fn proof(
    certificate: &Certificate,
    graph: &Graph<'_>,
    question: &Question,
    watch: &dyn Watch,
) -> Checked<()> {
    let rules = &question.rules;
    known(rules, &question.asked)?;
    match rules.objective {
        Objective::Reachability => {}
        Objective::Buchi | Objective::Parity | Objective::MeanPayoff => {
            return endless(certificate, graph, question, watch);
        }
    }
    match (&question.asked, &certificate.claim, &certificate.proof) {
        (Asked::Richman, claim, proof) => threshold(graph, rules, claim, proof, watch),
        (
            Asked::Probability(asked),
            Claim::Probability { coin, answer },
            Proof::Values { values, ranks },
        ) => {
            if coin.0 != fair_or(asked) {
                return unproved("`coin` is not the coin that is asked about");
            }
            let theory = values::Theory::new(rules, values::Law::Tossed(coin.0.clone()));
            values::check(graph, &theory, values, ranks.as_deref(), watch)?;
            same(
                answer,
                &(BigRational::from_integer(1.into()) - &values[0].0),
            )
        }
        (Asked::Thresholds(asked), Claim::Thresholds { totals, answers }, Proof::Sets(proofs)) => {
            if !asked
                .iter()
                .copied()
                .eq(totals.iter().copied().map(i64::from))
            {
                return unproved("`totals` are not those that are asked about");
            }
            chips_admitted(rules)?;
            sets::thresholds(graph, rules, totals, answers, proofs, watch)
        }
        (Asked::Against(asked), Claim::Against { budgets, answers }, proof) => {
            if !asked
                .iter()
                .copied()
                .eq(budgets.iter().copied().map(i64::from))
            {
                return unproved("`budgets` are not those that are asked about");
            }
            chips_admitted(rules)?;
            let none = (0..answers.len()).any(|index| answers.row(index).contains(&never::NONE));
            match proof {
                Proof::Sets(sets) if !none => {
                    sets::against(graph, rules, budgets, answers, sets, watch)
                }
                Proof::Never(proof) if none => {
                    sets::against(graph, rules, budgets, answers, &proof.sets, watch)?;
                    never::check(graph, rules, budgets, answers, proof, watch)
                }
                _ => malformed("`claim` and `proof` are not about the same numbers of chips"),
            }
        }
        (Asked::Outcome(asked), Claim::Outcome { purses, answer }, Proof::Sets(proofs)) => {
            same_purses(asked, purses, rules)?;
            chips_admitted(rules)?;
            sets::outcome(graph, rules, purses, answer, proofs, watch)
        }
        (Asked::AllPay(asked), Claim::Bounds { purses, low, high }, Proof::Guarantees(listed)) => {
            same_purses(asked, purses, rules)?;
            let first = guarantees::check(graph, rules, purses, listed, watch)?;
            if [low, high] == [&first.alice.bound, &first.bob.bound] {
                return Ok(());
            }
            unproved("the bounds are not those of the first turn")
        }
        (
            Asked::Nash(asked),
            Claim::Nash {
                purses,
                low,
                high,
                alice,
                bob,
            },
            Proof::Guarantees(listed),
        ) => {
            same_purses(asked, purses, rules)?;
            let first = guarantees::check(graph, rules, purses, listed, watch)?;
            let claimed = ([low, high], [alice, bob]);
            if claimed
                == (
                    [&first.alice.bound, &first.bob.bound],
                    [&first.alice.bids, &first.bob.bids],
                )
            {
                return Ok(());
            }
            unproved("the bounds or the bids are not those of the first turn")
        }
        _ => malformed("`question`, `claim` and `proof` are not about the same query"),
    }
}

/// The part of the winning bid that goes to the bank.
pub fn bank(rules: &Rules) -> Checked<BigRational> {
    rules
        .pay
        .tax()
        .map_or_else(|| unproved("`R` has no meaning where both players pay"), Ok)
}

/// Whether a proof proves the critical threshold.
fn threshold(
    graph: &Graph<'_>,
    rules: &Rules,
    claim: &Claim,
    proof: &Proof,
    watch: &dyn Watch,
) -> Checked<()> {
    let bank = bank(rules)?;
    match (claim, proof) {
        (Claim::Richman { answer }, Proof::Values { values, ranks }) => {
            let theory = values::Theory::new(rules, values::Law::Taxed(bank));
            values::check(graph, &theory, values, ranks.as_deref(), watch)?;
            same(answer, &values[0].0)
        }
        (Claim::Richman { answer }, Proof::Bounds(bounds)) => {
            bounds::check(graph, rules, &bank, bounds, watch)?;
            match bounds::exact(bounds) {
                Some(value) => same(answer, &value),
                None => unproved("the bounds of position 0 do not meet"),
            }
        }
        (Claim::Between { low, high }, Proof::Bounds(bounds)) if bounds.mirror.is_none() => {
            bounds::check(graph, rules, &bank, bounds, watch)?;
            within([low, high], [&bounds.low[0], &bounds.high[0]])
        }
        _ => malformed("`claim` and `proof` do not go with `R`"),
    }
}

/// Passes a claim of bounds that holds those of position 0.
fn within([least, most]: [&Fraction; 2], [low, high]: [&Fraction; 2]) -> Checked<()> {
    if least.0 < most.0 && least.0 <= low.0 && high.0 <= most.0 {
        return Ok(());
    }
    unproved("the bounds of position 0 do not lie between those of the claim")
}

/// The same, and the chance under random turns, where endless play has a winner.
fn endless(
    certificate: &Certificate,
    graph: &Graph<'_>,
    question: &Question,
    watch: &dyn Watch,
) -> Checked<()> {
    let rules = &question.rules;
    let law = endless_law(rules, &question.asked)?;
    let (low, high) = match (&certificate.proof, rules.objective) {
        (Proof::Endless(proof), Objective::Buchi | Objective::Parity) => {
            endless::ranked(graph, rules, &law, proof, watch)?;
            (&proof.low[0], &proof.high[0])
        }
        (Proof::Means(proof), Objective::MeanPayoff) => {
            endless::paid(graph, rules, &law, proof, watch)?;
            (&proof.low[0], &proof.high[0])
        }
        _ => return malformed("`proof` is not one for this objective of infinite play"),
    };
    match (&certificate.claim, &question.asked) {
        (Claim::Richman { answer }, Asked::Richman) => {
            same(answer, &low.0).and_then(|()| same(answer, &high.0))
        }
        (
            Claim::Between {
                low: least,
                high: most,
            },
            Asked::Richman,
        ) => within([least, most], [low, high]),
        (Claim::Probability { coin, answer }, Asked::Probability(_))
            if law == values::Law::Tossed(coin.0.clone()) =>
        {
            let chance = BigRational::from_integer(1.into()) - &answer.0;
            same(&Fraction(chance.clone()), &low.0).and_then(|()| same(&Fraction(chance), &high.0))
        }
        _ => malformed("`question`, `claim` and `proof` are not about the same query"),
    }
}

/// The law of a question about infinite play.
pub fn endless_law(rules: &Rules, asked: &Asked) -> Checked<values::Law> {
    match asked {
        Asked::Richman => Ok(values::Law::Taxed(bank(rules)?)),
        Asked::Probability(coin) => Ok(values::Law::Tossed(fair_or(coin))),
        _ => unproved("of an objective of infinite play only `R` and `P` have a certificate"),
    }
}

/// The coin that is asked about: a fair one if none is named.
pub fn fair_or(coin: &Option<BigRational>) -> BigRational {
    coin.clone()
        .unwrap_or_else(|| BigRational::new(1.into(), 2.into()))
}

/// Passes the rules that the checks here are about.
fn known(rules: &Rules, asked: &Asked) -> Checked<()> {
    if rules.stuck != Stuck::OpponentMoves {
        return unproved("a rule for players who cannot move has no certificate");
    }
    if matches!(asked, Asked::Richman | Asked::Probability(_)) {
        return Ok(());
    }
    if matches!(rules.ties, TieBreak::Nobody | TieBreak::Attached) {
        return unproved("this rule for ties has no certificate");
    }
    if rules.minimum_bid != MinimumBid::default() {
        return unproved("least bids have no certificate");
    }
    Ok(())
}

/// Passes the rules under which thresholds in chips are defined.
fn chips_admitted(rules: &Rules) -> Checked<()> {
    let defined = rules.pay == Payment::Richman
        && rules.bids == BidKind::Discrete
        && rules.ties != TieBreak::Coin;
    if defined {
        Ok(())
    } else {
        unproved("these rules have no thresholds in chips")
    }
}

fn same(answer: &Fraction, value: &BigRational) -> Checked<()> {
    if answer.0 == *value {
        Ok(())
    } else {
        unproved(format!("the answer is not {}, but {value}", answer.0))
    }
}

fn same_purses(asked: &Budgets, claimed: &Purses, rules: &Rules) -> Checked<()> {
    let claimed_purses = Budgets {
        alice: claimed.alice.into(),
        bob: claimed.bob.into(),
        holder: claimed.holder.map(Into::into),
    };
    let chips = PerPlayer::new(asked.alice, asked.bob);
    if *asked != claimed_purses {
        return unproved("`purses` are not those that are asked about");
    }
    if chips.alice < 0 || chips.bob < 0 || asked.holder.is_some() != rules.ties.has_status() {
        return unproved("these purses do not go with the rule for ties");
    }
    Ok(())
}
