//! What counts where play is stopped, by the definition, position by position: as the program says, and true.

use std::collections::HashMap;

use bid::plan::Space;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::{asked, with_game};
use crate::support::transcript;

/// Two players' pieces, by column from the bottom up: 0 is Alice's, 1 is Bob's.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Board {
    rows: usize,
    line: usize,
    columns: Vec<Vec<usize>>,
}

impl Board {
    fn new(line: usize, rows: usize, columns: usize) -> Self {
        Self { rows, line, columns: vec![Vec::new(); columns] }
    }

    fn after(&self, column: usize, player: usize) -> Self {
        let mut after = self.clone();
        after.columns[column].push(player);
        after
    }

    fn open_columns(&self) -> Vec<usize> {
        (0..self.columns.len()).filter(|column| self.columns[*column].len() < self.rows).collect()
    }

    /// All lines, as cells by column and row.
    fn lines(&self) -> Vec<Vec<(usize, usize)>> {
        let mut lines = Vec::new();
        for column in 0..self.columns.len() {
            for row in 0..self.rows {
                for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    let cell = |step: usize| {
                        let row = row.checked_add_signed(up * step as isize)?;
                        Some((column + right * step, row))
                            .filter(|(column, row)| *column < self.columns.len() && *row < self.rows)
                    };
                    lines.extend((0..self.line).map(cell).collect::<Option<Vec<_>>>());
                }
            }
        }
        lines
    }

    /// The player's lines without a piece of the opponent's: how many moves in a row each needs, in which columns, and how many pieces it lacks.
    fn open_lines(&self, player: usize) -> Vec<(usize, Vec<usize>, usize)> {
        let mut found = Vec::new();
        for line in self.lines() {
            let piece = |(column, row): &(usize, usize)| self.columns[*column].get(*row).copied();
            if line.iter().any(|cell| piece(cell).is_some_and(|other| other != player)) {
                continue;
            }
            let missing: Vec<_> = line.iter().filter(|cell| piece(cell).is_none()).collect();
            let mut need = 0;
            let mut columns = Vec::new();
            for column in 0..self.columns.len() {
                if let Some(row) = missing.iter().filter(|cell| cell.0 == column).map(|cell| cell.1).max() {
                    need += row + 1 - self.columns[column].len();
                    columns.push(column);
                }
            }
            found.push((need, columns, missing.len()));
        }
        found
    }

    fn winner(&self) -> Option<usize> {
        (0..2).find(|player| self.open_lines(*player).iter().any(|(need, ..)| *need == 0))
    }

    /// The chance that the player has at least, in parts of 64.
    fn chance(&self, player: usize) -> u64 {
        let routes: Vec<_> = self.open_lines(player).into_iter().filter(|(need, ..)| *need <= 4).collect();
        let is_safe = self.open_lines(1 - player).iter().all(|(_, _, lack)| *lack >= 2);
        let mut best = 0.0_f64;
        for (a, columns, _) in &routes {
            let one = 0.5_f64.powi(*a as i32);
            best = best.max(one);
            for (b, others, _) in routes.iter().filter(|_| is_safe) {
                if columns.iter().all(|column| !others.contains(column)) {
                    best = best.max(1.0 - (1.0 - one) * (1.0 - 0.5_f64.powi(*b as i32)));
                }
            }
        }
        (64.0 * best) as u64
    }

    /// The bounds on what Alice needs if play is stopped here, a draw being no win.
    fn leaf(&self) -> [f64; 2] {
        match self.winner() {
            Some(0) => [0.0; 2],
            Some(_) => [1.0; 2],
            None if self.open_columns().is_empty() => [1.0; 2],
            None => [self.chance(1) as f64 / 64.0, 1.0 - self.chance(0) as f64 / 64.0],
        }
    }

    /// What Alice needs, of all positions from here on.
    fn value(&self, known: &mut HashMap<Self, f64>) -> f64 {
        if let Some(value) = known.get(self) {
            return *value;
        }
        let columns = self.open_columns();
        let value = if self.winner().is_some() || columns.is_empty() {
            self.leaf()[0]
        } else {
            let mut after = |player: usize| -> Vec<f64> {
                columns.iter().map(|column| self.after(*column, player).value(known)).collect()
            };
            let (least, greatest) =
                (after(0).into_iter().fold(1.0, f64::min), after(1).into_iter().fold(0.0, f64::max));
            f64::midpoint(least, greatest)
        };
        known.insert(self.clone(), value);
        value
    }
}

/// Every position of small boards: the bounds hold, and come no further apart with a move.
#[test]
fn what_counts_is_true_at_every_position() {
    for (line, rows, columns, least) in
        [(3, 3, 3, 500), (3, 3, 4, 5000), (4, 4, 4, 100_000), (2, 3, 3, 20), (3, 6, 2, 500)]
    {
        let mut known = HashMap::new();
        Board::new(line, rows, columns).value(&mut known);
        assert!(known.len() > least, "{} positions", known.len());
        let mut narrower = 0;
        for (board, value) in &known {
            let [low, high] = board.leaf();
            assert!(low <= *value && *value <= high, "{board:?}: {low} {value} {high}");
            narrower += usize::from(board.winner().is_none() && [low, high] != [0.0, 1.0]);
            if board.winner().is_some() || board.open_columns().is_empty() {
                continue;
            }
            for lane in 0..2 {
                let after = |player: usize| -> Vec<f64> {
                    board.open_columns().iter().map(|column| board.after(*column, player).leaf()[lane]).collect()
                };
                let least = after(0).into_iter().fold(1.0, f64::min);
                let mean = f64::midpoint(least, after(1).into_iter().fold(0.0, f64::max));
                let holds = if lane == 0 { low <= mean } else { mean <= high };
                assert!(holds, "{board:?}: {low} {high}, and {mean} after a move");
            }
        }
        assert!(narrower > known.len() / 10, "{narrower} of {} are narrower", known.len());
    }
}

/// What the program says without a move is what the definition says, and with a move more the mean of what the best moves lead to.
#[test]
fn boards_are_bounded_by_the_definition() {
    let mut narrower = 0;
    for seed in 0..120 {
        let mut dice = StdRng::seed_from_u64(seed);
        let (line, rows, columns) =
            [(4, 6, 7), (3, 3, 4), (4, 4, 5), (4, 5, 4), (3, 4, 3), (5, 5, 6)][seed as usize % 6];
        let mut board = Board::new(line, rows, columns);
        let mut moves = Vec::new();
        for _ in 0..dice.random_range(0..=rows * columns / 2) {
            let open = board.open_columns();
            let (column, player) = (open[dice.random_range(0..open.len())], dice.random_range(0..2));
            let after = board.after(column, player);
            if after.winner().is_some() {
                break;
            }
            moves.push(format!("{} drop({column})", ["alice", "bob"][player]));
            board = after;
        }
        let game = match moves.is_empty() {
            true => format!("connect({line}, {rows}, {columns})"),
            false => format!("(connect({line}, {rows}, {columns}) after [{}])", moves.join(", ")),
        };
        let mut session = with_game("", Space::Cheapest);
        transcript(&mut session, "use", "use \"games/classics.bid\"");
        let [low, high] = board.leaf().map(|bound| format!("{}/64", (64.0 * bound) as u64));
        let said = asked(&mut session, &format!("bounds({game}, moves: 0)"));
        let held = asked(&mut session, &format!("{said} == [{low}, {high}]"));
        assert_eq!(held, "true", "seed {seed}: {game}: {said}, and {low}, {high}");
        narrower += u32::from(said != "[0, 1]");
        // The same with the players exchanged.
        let exchanged = format!("let b = bounds(~{game}, moves: 0)\n[1 - b[1], 1 - b[0]] == {said}");
        assert_eq!(asked(&mut session, &exchanged), "true", "seed {seed}: ~{game}");
        for further in 1..=3 {
            let each = |player: usize, end: usize| -> String {
                let after = board.open_columns().into_iter().map(|column| {
                    let mut moves = moves.clone();
                    moves.push(format!("{} drop({column})", ["alice", "bob"][player]));
                    let game = format!("connect({line}, {rows}, {columns}) after [{}]", moves.join(", "));
                    format!("bounds({game}, moves: {})[{end}]", further - 1)
                });
                format!("[{}]", after.collect::<Vec<_>>().join(", "))
            };
            let mean = |end: usize| format!("(min({}) + max({})) / 2", each(0, end), each(1, end));
            let text = format!("bounds({game}, moves: {further}) == [{}, {}]", mean(0), mean(1));
            assert_eq!(asked(&mut session, &text), "true", "seed {seed}: {text}");
        }
    }
    assert!(narrower > 60, "{narrower} of 120 are narrower");
}
