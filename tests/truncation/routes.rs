//! Checks the value at which play is stopped, by its definition, position by position: the program
//! computes it, and it is a valid bound.

use std::collections::HashMap;

use bid_testing::share;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::{asked, with_game};
use crate::support::transcript;

/// A board and its lines, as sets of cells: eight of them for each column, from the bottom up.
struct Board {
    rows: u32,
    columns: u32,
    lines: Vec<u64>,
}

/// The pieces of both players, Alice's first.
type Pieces = [u64; 2];

/// A line that is still open for a player: the moves in a row that it needs, its columns, and the
/// pieces that it lacks.
struct OpenLine {
    need: u32,
    columns: u32,
    lack: u32,
}

impl Board {
    fn new(line: u32, rows: u32, columns: u32) -> Self {
        let mut lines = Vec::new();
        for column in 0..columns {
            for row in 0..rows {
                for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    let cell = |step: u32| {
                        let row = row
                            .checked_add_signed(up * step as i32)
                            .filter(|row| *row < rows)?;
                        (column + right * step < columns)
                            .then_some(1_u64 << (8 * (column + right * step) + row))
                    };
                    lines.extend((0..line).map(cell).sum::<Option<u64>>());
                }
            }
        }
        Self {
            rows,
            columns,
            lines,
        }
    }

    /// Returns the number of pieces in a column.
    fn height(pieces: Pieces, column: u32) -> u32 {
        (((pieces[0] | pieces[1]) >> (8 * column)) & 0xFF).count_ones()
    }

    fn open_columns(&self, pieces: Pieces) -> Vec<u32> {
        (0..self.columns)
            .filter(|column| Self::height(pieces, *column) < self.rows)
            .collect()
    }

    fn after(mut pieces: Pieces, column: u32, player: usize) -> Pieces {
        let row = Self::height(pieces, column);
        pieces[player] |= 1 << (8 * column + row);
        pieces
    }

    fn open_lines(&self, pieces: Pieces, player: usize) -> Vec<OpenLine> {
        let open = self
            .lines
            .iter()
            .filter(|line| **line & pieces[1 - player] == 0);
        let each = open.map(|line| {
            let missing = line & !pieces[player];
            let mut found = OpenLine {
                need: 0,
                columns: 0,
                lack: missing.count_ones(),
            };
            for column in 0..self.columns {
                let here = (missing >> (8 * column)) & 0xFF;
                if here != 0 {
                    found.need += here.ilog2() + 1 - Self::height(pieces, column);
                    found.columns |= 1 << column;
                }
            }
            found
        });
        each.collect()
    }

    fn winner(&self, pieces: Pieces) -> Option<usize> {
        (0..2).find(|player| self.lines.iter().any(|line| line & !pieces[*player] == 0))
    }

    /// Returns a lower bound on the player's chance, in parts of 64.
    fn chance(&self, pieces: Pieces, player: usize) -> u64 {
        let mut routes = self.open_lines(pieces, player);
        routes.retain(|route| route.need <= 4);
        let is_safe = self
            .open_lines(pieces, 1 - player)
            .iter()
            .all(|line| line.lack >= 2);
        let mut best = 0.0_f64;
        for first in &routes {
            let one = 0.5_f64.powi(first.need as i32);
            best = best.max(one);
            for second in routes
                .iter()
                .filter(|second| is_safe && first.columns & second.columns == 0)
            {
                best = best.max(1.0 - (1.0 - one) * (1.0 - 0.5_f64.powi(second.need as i32)));
            }
        }
        (64.0 * best) as u64
    }

    /// Returns the bounds on Alice's threshold if play is stopped here; a draw is not a win.
    fn leaf(&self, pieces: Pieces) -> [f64; 2] {
        match self.winner(pieces) {
            Some(0) => [0.0; 2],
            Some(_) => [1.0; 2],
            None if self.open_columns(pieces).is_empty() => [1.0; 2],
            None => [
                self.chance(pieces, 1) as f64 / 64.0,
                1.0 - self.chance(pieces, 0) as f64 / 64.0,
            ],
        }
    }

    /// Returns the mean of the best values that moves lead to, given the values of the positions
    /// after them.
    fn mean(&self, pieces: Pieces, mut known: impl FnMut(Pieces) -> f64) -> f64 {
        let columns = self.open_columns(pieces);
        let least = columns
            .iter()
            .map(|column| known(Self::after(pieces, *column, 0)))
            .fold(1.0, f64::min);
        let greatest = columns
            .iter()
            .map(|column| known(Self::after(pieces, *column, 1)))
            .fold(0.0, f64::max);
        f64::midpoint(least, greatest)
    }

    fn has_ended(&self, pieces: Pieces) -> bool {
        self.winner(pieces).is_some() || self.open_columns(pieces).is_empty()
    }

    /// Computes Alice's threshold, and the bounds, of all positions from here on.
    fn solve(&self, pieces: Pieces, known: &mut HashMap<Pieces, (f64, [f64; 2])>) -> f64 {
        if let Some((value, _)) = known.get(&pieces) {
            return *value;
        }
        let leaf = self.leaf(pieces);
        let value = if self.has_ended(pieces) {
            leaf[0]
        } else {
            self.mean(pieces, |after| self.solve(after, known))
        };
        known.insert(pieces, (value, leaf));
        value
    }
}

/// Checks every position of small boards: the bounds hold, and do not widen with a move.
#[test]
fn what_counts_is_true_at_every_position() {
    for (line, rows, columns, least) in [
        (3, 3, 3, 500),
        (3, 3, 4, 5000),
        (4, 4, 4, 50_000),
        (2, 3, 3, 20),
        (3, 6, 2, 500),
    ] {
        let board = Board::new(line, rows, columns);
        let mut known = HashMap::new();
        board.solve([0, 0], &mut known);
        assert!(
            known.len() > least,
            "{} positions of {line}, {rows}, {columns}",
            known.len()
        );
        let mut narrower = 0;
        for (pieces, (value, [low, high])) in &known {
            assert!(
                low <= value && value <= high,
                "{pieces:x?}: {low} {value} {high}"
            );
            if board.has_ended(*pieces) {
                continue;
            }
            narrower += usize::from([*low, *high] != [0.0, 1.0]);
            let mean = [0, 1].map(|end| board.mean(*pieces, |after| known[&after].1[end]));
            assert!(
                *low <= mean[0] && mean[1] <= *high,
                "{pieces:x?}: {low} {high}, and {mean:?} after a move"
            );
        }
        assert!(
            narrower > known.len() / 20,
            "{narrower} of {} are narrower",
            known.len()
        );
    }
}

/// Checks that the program's bounds without a move are those of the definition, and with one more
/// move the mean of those after the best moves. (Columns of three cells are joined to larger parts,
/// of which fewer lines count.)
#[test]
fn boards_are_bounded_by_the_definition() {
    let mut session = with_game("", None);
    transcript(&mut session, "use", "use \"games/classics.bid\"");
    let mut narrower = 0;
    for seed in 0..share(60) {
        let mut dice = StdRng::seed_from_u64(seed);
        let (line, rows, columns) = [
            (4, 6, 7),
            (3, 4, 4),
            (4, 4, 5),
            (4, 5, 4),
            (3, 4, 3),
            (5, 5, 6),
        ][seed as usize % 6];
        let board = Board::new(line, rows, columns);
        let mut pieces = [0, 0];
        let mut moves = Vec::new();
        for _ in 0..dice.random_range(0..=rows * columns / 2) {
            let open = board.open_columns(pieces);
            let (column, player) = (
                open[dice.random_range(0..open.len())],
                dice.random_range(0..2),
            );
            let after = Board::after(pieces, column, player);
            if board.winner(after).is_some() {
                break;
            }
            moves.push(format!("{} drop({column})", ["alice", "bob"][player]));
            pieces = after;
        }
        let game = |moves: &[String]| match moves.is_empty() {
            true => format!("connect({line}, {rows}, {columns})"),
            false => format!(
                "(connect({line}, {rows}, {columns}) after [{}])",
                moves.join(", ")
            ),
        };
        let [low, high] = board
            .leaf(pieces)
            .map(|bound| format!("{}/64", (64.0 * bound) as u64));
        let said = asked(
            &mut session,
            &format!("bounds({}, moves: 0, lines: true)", game(&moves)),
        );
        let held = asked(&mut session, &format!("{said} == [{low}, {high}]"));
        assert_eq!(
            held,
            "true",
            "seed {seed}: {}: {said}, and {low}, {high}",
            game(&moves)
        );
        narrower += u32::from(said != "[0, 1]");
        // The comparison is repeated with the players exchanged.
        let exchanged = format!(
            "[1 - b for b in bounds(~{}, moves: 0, lines: true)] == [{said}[1], {said}[0]]",
            game(&moves)
        );
        assert_eq!(
            asked(&mut session, &exchanged),
            "true",
            "seed {seed}: {exchanged}"
        );
        for further in 1..=2 {
            let each = |player: usize, end: usize| -> String {
                let after = board.open_columns(pieces).into_iter().map(|column| {
                    let mut moves = moves.clone();
                    moves.push(format!("{} drop({column})", ["alice", "bob"][player]));
                    format!(
                        "bounds({}, moves: {}, lines: true)[{end}]",
                        game(&moves),
                        further - 1
                    )
                });
                format!("[{}]", after.collect::<Vec<_>>().join(", "))
            };
            let mean = |end: usize| format!("(min({}) + max({})) / 2", each(0, end), each(1, end));
            let text = format!(
                "bounds({}, moves: {further}, lines: true) == [{}, {}]",
                game(&moves),
                mean(0),
                mean(1)
            );
            assert_eq!(asked(&mut session, &text), "true", "seed {seed}: {text}");
        }
    }
    assert!(narrower > share(30), "only {narrower} are narrower");
}
