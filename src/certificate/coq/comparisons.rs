//! Comparisons of two games for given totals, such as `f(G, k) ≤ f(H, k)`.

use std::fmt::Write;

use super::super::count;
use super::names::TakenNames;
use super::{GallinaFile, GameSection, refused, with_writer};
use crate::diagnostic::Result;
use crate::report::Report;
use crate::syntax::ast::BinaryOp;
use crate::verify::stairs;
use crate::verify::{AskedQuantity, GameQuery, Interpreter};

/// The proved thresholds of a game.
struct Proved {
    game: String,
    start: String,
    name: String,
    /// The thresholds in half chips, for each total.
    halves: Vec<i32>,
}

/// Writes the relation of two games that follows from their thresholds.
pub(super) fn write(
    interpreter: &mut Interpreter<'_>,
    op: BinaryOp,
    sides: [GameQuery; 2],
    answer: &Report,
    file: &mut GallinaFile,
    names: &mut TakenNames,
) -> Result<()> {
    let totals = match [&sides[0].asked, &sides[1].asked] {
        [AskedQuantity::Thresholds(a), AskedQuantity::Thresholds(b)] if a == b => a.clone(),
        _ => {
            return Err(refused(
                "the theory compares only thresholds for the same totals, as in `f(G, k) ≤ f(H, k)`",
            ));
        }
    };
    if sides.iter().any(|side| !stairs::applies(&side.rules)) {
        return Err(refused(
            "the theory compares games only under the rules of Develin & Payne",
        ));
    }
    let mut proved = Vec::new();
    for (side, prefix) in sides.iter().zip(["first_", "second_"]) {
        let part = GameSection {
            prefix,
            file: &mut *file,
            names: &mut *names,
        };
        proved.push(with_writer(interpreter, side, part, |writer| {
            let mut halves = Vec::new();
            for total in &totals {
                let total = count(*total)?;
                if total < 0 {
                    return Err(refused("a total is not negative"));
                }
                let listing = format!("{prefix}listing_{total}");
                halves.push(writer.threshold_in_halves(total, &listing)?);
            }
            Ok(Proved {
                game: writer.translated.game.clone(),
                start: writer.translated.start.clone(),
                name: writer.translated.name.clone(),
                halves,
            })
        })?);
    }
    let [first, second] = &proved[..] else {
        unreachable!("there are two sides");
    };
    let (small, large) = match op {
        // The theory states one direction only, so `≥` exchanges the sides.
        BinaryOp::GreaterEqual => (second, first),
        _ => (first, second),
    };
    let relation = relation(op, answer, totals.len())?;
    for (index, total) in totals.iter().enumerate() {
        let (x, y) = (small.halves[index], large.halves[index]);
        let holds = match relation {
            ProvedRelation::AtMost => x <= y,
            ProvedRelation::More => x > y,
            ProvedRelation::Equal => x == y,
        };
        // Coq would refuse a false statement only after a long check, so it is found here.
        if !holds {
            return Err(refused(
                "the theorem would prove another answer; this is a bug in bid",
            ));
        }
        theorem(relation, [small, large], *total, file);
    }
    Ok(())
}

/// The proved relation of two games. The first is the one that is said to be less or equal.
#[derive(Debug, Clone, Copy)]
enum ProvedRelation {
    AtMost,
    More,
    Equal,
}

/// Returns the relation that an answer claims.
fn relation(op: BinaryOp, answer: &Report, totals: usize) -> Result<ProvedRelation> {
    let holds = answer.to_string() == "true";
    match op {
        BinaryOp::LessEqual | BinaryOp::GreaterEqual if totals > 1 => Err(refused(
            "lists are compared by their first difference: ask about one total",
        )),
        BinaryOp::LessEqual | BinaryOp::GreaterEqual if holds => Ok(ProvedRelation::AtMost),
        BinaryOp::LessEqual | BinaryOp::GreaterEqual => Ok(ProvedRelation::More),
        BinaryOp::Equal | BinaryOp::Equivalent if holds => Ok(ProvedRelation::Equal),
        BinaryOp::Equal | BinaryOp::Equivalent => Err(refused(
            "the theory proves only by `≤` or `≥` that two games differ",
        )),
        _ => Err(refused(
            "the theory compares games only by `≤`, `≥` and `==`",
        )),
    }
}

fn theorem(
    relation: ProvedRelation,
    [small, large]: [&Proved; 2],
    total: i64,
    file: &mut GallinaFile,
) {
    let relation = match relation {
        ProvedRelation::AtMost => "at_most",
        ProvedRelation::More => "~ at_most",
        ProvedRelation::Equal => "equally_good",
    };
    let _ = writeln!(
        file.theorems,
        "\nTheorem compared_{total} :\n  {relation} {total} {} {} {} {}.\nProof. by_both f_{}_{total} f_{}_{total}. Qed.",
        small.game, small.start, large.game, large.start, small.name, large.name,
    );
}
