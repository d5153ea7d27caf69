//! Two games compared for given totals: `f(G, k) ≤ f(H, k)` and its like.

use std::fmt::Write;

use super::super::{count, refused};
use super::names::Names;
use super::{File, with_writer};
use crate::diagnostic::Result;
use crate::report::Report;
use crate::syntax::ast::BinaryOp;
use crate::verify::{Asked, Interpreter, Question};
use crate::watch::Watch;

/// A game's thresholds as they are proved.
struct Proved {
    game: String,
    start: String,
    name: String,
    /// In half chips, for each total.
    halves: Vec<u64>,
}

/// Writes what two games' thresholds say about the games.
pub(super) fn write(
    interpreter: &mut Interpreter<'_>,
    op: BinaryOp,
    sides: [Question; 2],
    answer: &Report,
    file: &mut File,
    names: &mut Names,
    watch: &dyn Watch,
) -> Result<()> {
    let totals = match [&sides[0].asked, &sides[1].asked] {
        [Asked::Thresholds(a), Asked::Thresholds(b)] if a == b => a.clone(),
        _ => {
            return Err(refused(
                "of comparisons only `f(G, k) ≤ f(H, k)` and its like, with the same totals, are in the theory",
            ));
        }
    };
    if sides
        .iter()
        .any(|side| !super::theorems::is_classic(&side.rules))
    {
        return Err(refused(
            "games are compared in the theory under the rules of Develin & Payne only",
        ));
    }
    let mut proved = Vec::new();
    for (side, prefix) in sides.iter().zip(["first_", "second_"]) {
        let part = (prefix, &mut *file, &mut *names);
        proved.push(with_writer(interpreter, side, part, watch, |writer| {
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
    for (index, total) in totals.iter().enumerate() {
        let (a, b) = (first.halves[index], second.halves[index]);
        // An answer about many totals is one about each.
        let holds = answer.to_string() == "true";
        let (small, large, (x, y)) = match op {
            BinaryOp::LessEqual | BinaryOp::Equal | BinaryOp::Equivalent => (first, second, (a, b)),
            BinaryOp::GreaterEqual => (second, first, (b, a)),
            _ => {
                return Err(refused(
                    "games are compared by `≤`, `≥` and `==` in the theory",
                ));
            }
        };
        let equal = !matches!(op, BinaryOp::LessEqual | BinaryOp::GreaterEqual);
        if !equal && totals.len() > 1 {
            return Err(refused(
                "lists are compared by their first difference: ask about one total",
            ));
        }
        if equal && !holds {
            return Err(refused(
                "that two games differ is a theorem about `≤` or `≥`",
            ));
        }
        if holds != if equal { x == y } else { x <= y } {
            return Err(refused(
                "what would be proved is not the answer; this is a bug in bid",
            ));
        }
        theorem(small, large, *total, (equal, holds), file);
    }
    Ok(())
}

fn theorem(
    small: &Proved,
    large: &Proved,
    total: i64,
    (equal, holds): (bool, bool),
    file: &mut File,
) {
    let relation = if equal { "equally_good" } else { "at_most" };
    let not = if holds { "" } else { "~ " };
    let _ = writeln!(
        file.theorems,
        "\nTheorem compared_{total} :\n  {not}{relation} {total} {} {} {} {}.\nProof. by_both f_{}_{total} f_{}_{total}. Qed.",
        small.game, small.start, large.game, large.start, small.name, large.name,
    );
}
