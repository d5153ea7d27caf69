//! Elements of lists and boards at an index that depends on the position.

use super::{first_fault, is_player, is_tuple};
use crate::convert::fit;
use crate::diagnostic::{Result, counted};
use crate::ruleset::program::{Bool, ComparisonOp, Int, IntOp};
use crate::ruleset::specialise::{Specialiser, malformed, tuple};
use crate::ruleset::term::{SpannedTerm, Term, compare};
use crate::source::Span;

impl Specialiser<'_> {
    /// Returns the element at an index, or the contents of a cell.
    pub(in crate::ruleset) fn index(
        &mut self,
        base: &Term,
        indices: &[SpannedTerm],
        span: Span,
    ) -> Result<Term> {
        if let Some(fault) = first_fault(
            [base]
                .into_iter()
                .chain(indices.iter().map(|index| &index.term)),
        ) {
            return Ok(fault);
        }
        if let Some(board) = base.as_board() {
            let cell = self.cell_number(board.rows, board.cols, indices, span)?;
            return self.pick(&cell, &board.cells, span);
        }
        let (Some(items), [index]) = (base.as_items(), indices) else {
            let (message, help) = if base.is_list() && indices.len() > 1 {
                (
                    format!("a list takes one index, but {} are given", indices.len()),
                    "each list within a list takes an index of its own: `b[r][c]`",
                )
            } else {
                (
                    format!("this is {}, not a list of known length", base.kind()),
                    "inside rulesets only boards and lists of known length take an index that depends on the position",
                )
            };
            return Err(malformed(&message, span, "indexed here", help));
        };
        let index = self.integer(index)?;
        let what = if is_tuple(base) {
            "this tuple"
        } else {
            "this list"
        };
        let index = self.within(index, items.len(), what, indices[0].span);
        self.pick(&index, &items, span)
    }

    /// Returns the number of a cell given as `(row, column)` or as two numbers; the program faults
    /// outside of the board.
    pub(in crate::ruleset) fn cell_number(
        &mut self,
        rows: usize,
        cols: usize,
        indices: &[SpannedTerm],
        span: Span,
    ) -> Result<Int> {
        if let Some(Term::Fault(site)) = first_fault(indices.iter().map(|index| &index.term)) {
            return Ok(Int::Fault(site));
        }
        let parts: Vec<SpannedTerm> = match indices {
            [cell] => cell
                .term
                .as_items()
                .unwrap_or_default()
                .into_iter()
                .map(|part| part.spanned(cell.span))
                .collect(),
            many => many.to_vec(),
        };
        let [row, col] = parts.as_slice() else {
            let help = "write `board[r, c]`, or `board[c]` with a cell c = (row, column)";
            return Err(malformed(
                "a cell of a board is a row and a column",
                span,
                "not a cell",
                help,
            ));
        };
        let (row_number, col_number) = (self.row(row, rows)?, self.column(col, cols)?);
        let start = self.apply(
            IntOp::Multiply,
            row_number,
            Int::Constant(fit::<i64>(cols)),
            span,
        );
        Ok(self.apply(IntOp::Add, start, col_number, span))
    }

    /// Returns the number of a row; the program faults outside of the board.
    pub(in crate::ruleset) fn row(&mut self, row: &SpannedTerm, rows: usize) -> Result<Int> {
        let number = self.integer(row)?;
        Ok(self.within(
            number,
            rows,
            &format!("the board's {}", counted(rows, "row")),
            row.span,
        ))
    }

    /// Returns the number of a column; the program faults outside of the board.
    pub(in crate::ruleset) fn column(&mut self, column: &SpannedTerm, cols: usize) -> Result<Int> {
        let number = self.integer(column)?;
        Ok(self.within(
            number,
            cols,
            &format!("the board's {}", counted(cols, "column")),
            column.span,
        ))
    }

    /// Restricts an index to `0 .. count − 1`; the program faults outside of that range.
    pub(in crate::ruleset) fn within(
        &mut self,
        index: Int,
        count: usize,
        what: &str,
        span: Span,
    ) -> Int {
        let inside = |n: i64| usize::try_from(n).is_ok_and(|n| n < count);
        match index {
            Int::Constant(n) if inside(n) => index,
            Int::Fault(_) => index,
            // The line may never be reached, so a wrong constant is a fault in play and no error
            // here.
            Int::Constant(_) => Int::Fault(self.index_site(what, count, span)),
            index => {
                let site = self.index_site(what, count, span);
                // Picking the index from the list of valid ones makes the program fault outside of
                // it.
                let numbers: Box<[Int]> = (0..fit::<i64>(count)).map(Int::Constant).collect();
                Int::Pick(Box::new(index), numbers, site)
            }
        }
    }

    fn pick(&mut self, index: &Int, items: &[Term], span: Span) -> Result<Term> {
        match index {
            Int::Constant(n) => {
                return Ok(items[usize::try_from(*n).expect("an index within the list")].clone());
            }
            Int::Fault(site) => return Ok(Term::Fault(*site)),
            _ => {}
        }
        let site = self.index_site("this", items.len(), span);
        let int = |programs: Vec<Int>| Int::Pick(Box::new(index.clone()), programs.into(), site);
        if let Some(numbers) = items.iter().map(Term::as_integer).collect() {
            return Ok(Term::Number(int(numbers), 1));
        }
        if let Some(cells) = items.iter().map(Term::as_cell).collect() {
            let players = items.iter().all(is_player);
            return Ok(if players {
                Term::Player(int(cells))
            } else {
                Term::Cell(int(cells))
            });
        }
        if let Some(truths) = items
            .iter()
            .map(Term::as_truth)
            .collect::<Option<Vec<Bool>>>()
        {
            return Ok(Term::Truth(Bool::Pick(
                Box::new(index.clone()),
                truths.into(),
                site,
            )));
        }
        self.pick_structure(index, items, span)
    }

    /// Selects among lists and tuples of equal length, part by part.
    fn pick_structure(&mut self, index: &Int, items: &[Term], span: Span) -> Result<Term> {
        let Some(rows) = items
            .iter()
            .map(Term::as_items)
            .collect::<Option<Vec<Vec<Term>>>>()
        else {
            return self.pick_by_choice(index, items, span);
        };
        let width = rows.first().map_or(0, Vec::len);
        if rows.iter().any(|row| row.len() != width)
            || items
                .iter()
                .any(|item| is_tuple(item) != is_tuple(&items[0]))
        {
            return self.pick_by_choice(index, items, span);
        }
        let column = |i: usize| rows.iter().map(|row| row[i].clone()).collect::<Vec<_>>();
        let parts: Result<Vec<Term>> = (0..width)
            .map(|i| self.pick(index, &column(i), span))
            .collect();
        Ok(if is_tuple(&items[0]) {
            tuple(parts?)
        } else {
            Term::list(parts?)
        })
    }

    fn pick_by_choice(&mut self, index: &Int, items: &[Term], span: Span) -> Result<Term> {
        let Some((last, others)) = items.split_last() else {
            return Ok(Term::Fault(self.index_site("this list", 0, span)));
        };
        let mut choice = last.clone();
        // The only item has no other beside it, so the index is compared with its own: an index
        // outside the list is noticed when it is compared.
        let compared = if others.is_empty() { items } else { others };
        for (n, item) in compared.iter().enumerate().rev() {
            // The last item is the default: no index outside the list is left then.
            let here = compare(
                ComparisonOp::Equal,
                index.clone(),
                Int::Constant(fit::<i64>(n)),
            );
            choice = self.either(&here, item, &choice, span)?;
        }
        Ok(choice)
    }
}
