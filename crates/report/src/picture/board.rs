//! Boards as they are drawn: squares, or hexagons in rows that are each shifted half a cell to the
//! right of the row above.

use borsh::{BorshDeserialize, BorshSerialize};

use bid_language::player::Player;

/// The shape of a board's cells, and the sides that the players want to join.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, BorshSerialize, BorshDeserialize)]
pub struct BoardLook {
    /// `true` if the cells are hexagons, `false` if they are squares.
    pub hexagons: bool,
    /// The players who win by joining the left, the right, the upper and the lower side.
    pub sides: [Option<Player>; 4],
}

impl BoardLook {
    /// Returns the players who win by joining sides, with the names of the sides.
    pub fn joins(&self) -> impl Iterator<Item = (Player, String)> {
        const NAMES: [&str; 4] = ["left", "right", "top", "bottom"];
        let joined = |player| {
            let sides = NAMES.iter().zip(self.sides);
            let own = sides.filter(|(_, owner)| *owner == Some(player));
            let names: Vec<&str> = own.map(|(name, _)| *name).collect();
            (!names.is_empty()).then(|| (player, names.join(" and ")))
        };
        Player::BOTH.into_iter().filter_map(joined)
    }
}

/// The rows of a board from the top, a letter per cell, with the shape of the cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnBoard {
    rows: Vec<Vec<char>>,
    pub(super) look: BoardLook,
}

/// A point of a drawing: its distance to the right, and its distance down.
pub(crate) type Point = (f64, f64);

impl DrawnBoard {
    /// Reads a position that is a board: rows of `A`, `B` and `.` with `/` between them. Returns
    /// `None` for other positions.
    pub fn of(position: &str, look: BoardLook) -> Option<Self> {
        let rows: Vec<Vec<char>> = position
            .split('/')
            .map(|row| row.chars().collect())
            .collect();
        let is_cell = |cell: &char| matches!(cell, 'A' | 'B' | '.');
        let is_row = |row: &Vec<char>| row.len() == rows[0].len() && row.iter().all(is_cell);
        let is_board =
            // A single letter such as `A` is the name of a game, not a board of one cell.
            rows[0].len() + rows.len() > 2 && !rows[0].is_empty() && rows.iter().all(is_row);
        is_board.then_some(Self { rows, look })
    }

    /// Returns the rows for the terminal.
    pub fn lines(&self) -> Vec<String> {
        let line = |(place, row): (usize, &Vec<char>)| match self.look.hexagons {
            true => format!(
                "{}{}",
                " ".repeat(place),
                row.iter()
                    .map(char::to_string)
                    .collect::<Vec<_>>()
                    .join(" ")
            ),
            false => row.iter().collect(),
        };
        self.rows.iter().enumerate().map(line).collect()
    }

    /// Returns the rows for the terminal, between the numbers of rows and columns, both from 0.
    pub fn numbered_lines(&self) -> Vec<String> {
        let width = (self.rows.len() - 1).to_string().len();
        let cols = 0..self.rows[0].len();
        let digits =
            |digit: &dyn Fn(usize) -> String| cols.clone().map(digit).collect::<Vec<_>>().join(" ");
        let tens = |col: usize| {
            if col < 10 {
                " ".to_owned()
            } else {
                (col / 10).to_string()
            }
        };
        let ones = |col: usize| (col % 10).to_string();
        let head = if cols.len() > 10 {
            vec![digits(&tens), digits(&ones)]
        } else {
            vec![digits(&ones)]
        };
        let head = head
            .into_iter()
            .map(|line| format!("{:width$}  {line}", ""));
        let row = |(place, row): (usize, &Vec<char>)| {
            let shift = if self.look.hexagons { place } else { 0 };
            let cells: Vec<String> = row.iter().map(char::to_string).collect();
            format!("{:shift$}{place:>width$}  {}", "", cells.join(" "))
        };
        head.chain(self.rows.iter().enumerate().map(row)).collect()
    }

    /// Returns the cells with their rows and columns.
    pub(super) fn cells(&self) -> impl Iterator<Item = (usize, usize, char)> {
        let rows = self.rows.iter().enumerate();
        rows.flat_map(|(row, cells)| {
            cells
                .iter()
                .enumerate()
                .map(move |(col, cell)| (row, col, *cell))
        })
    }

    /// Returns the tiling of the board by cells of this width.
    pub(super) fn tiling(&self, cell: f64) -> Tiling {
        Tiling {
            rows: self.rows.len(),
            cols: self.rows[0].len(),
            hexagons: self.look.hexagons,
            cell,
        }
    }
}

/// Returns the player who owns a cell.
pub(super) fn owner(cell: char) -> Option<Player> {
    match cell {
        'A' => Some(Player::Alice),
        'B' => Some(Player::Bob),
        _ => None,
    }
}

/// The arrangement of a board's cells in the plane, measured from its upper left corner.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tiling {
    /// The number of rows.
    pub rows: usize,
    /// The number of cells in a row.
    pub cols: usize,
    /// `true` if cells are hexagons with a corner at the top, `false` if they are squares.
    pub hexagons: bool,
    /// The width of a cell.
    pub cell: f64,
}

impl Tiling {
    /// Returns the distance from the middle of a hexagon to its corners.
    fn radius(&self) -> f64 {
        self.cell / 3_f64.sqrt()
    }

    /// Returns the width and height of the board.
    pub fn size(&self) -> (f64, f64) {
        let (right, down) = (self.cols.saturating_sub(1), self.rows.saturating_sub(1));
        let (x, y) = self.middle(down, right);
        let half = if self.hexagons {
            self.radius()
        } else {
            self.cell / 2.0
        };
        (x + self.cell / 2.0, y + half)
    }

    /// Returns the middle of a cell.
    pub fn middle(&self, row: usize, col: usize) -> Point {
        let (row, col) = (row as f64, col as f64);
        if self.hexagons {
            (
                self.cell * (col + row / 2.0 + 0.5),
                // Rows of hexagons overlap by a quarter of their height.
                self.radius() * (1.5 * row + 1.0),
            )
        } else {
            (self.cell * (col + 0.5), self.cell * (row + 0.5))
        }
    }

    /// Returns the corners of a cell, in order.
    pub fn corners(&self, row: usize, col: usize) -> Vec<Point> {
        let (x, y) = self.middle(row, col);
        let half = self.cell / 2.0;
        if !self.hexagons {
            return vec![
                (x - half, y - half),
                (x + half, y - half),
                (x + half, y + half),
                (x - half, y + half),
            ];
        }
        let corner = |sixth: u32| {
            // Odd multiples of 30 degrees put a corner at the top and at the bottom.
            let angle = f64::from(2 * sixth + 1) * std::f64::consts::FRAC_PI_6;
            (
                x + self.radius() * angle.cos(),
                y + self.radius() * angle.sin(),
            )
        };
        (0..6).map(corner).collect()
    }
}

impl Tiling {
    /// Returns the outlines of the left, the right, the upper and the lower side, from corner to
    /// corner.
    pub fn sides(&self) -> [Vec<Point>; 4] {
        // The corners of the outer cells of each side, in order.
        let [left, right, top, bottom]: [&[usize]; 4] = if self.hexagons {
            [&[3, 2], &[5, 0], &[3, 4, 5], &[2, 1, 0]]
        } else {
            [&[0, 3], &[1, 2], &[0, 1], &[3, 2]]
        };
        let side = |cells: &[(usize, usize)], corners: &[usize]| {
            let of_cell = |&(row, col): &(usize, usize)| {
                let all = self.corners(row, col);
                corners
                    .iter()
                    .map(move |corner| all[*corner])
                    .collect::<Vec<_>>()
            };
            cells.iter().flat_map(of_cell).collect()
        };
        let column = |col| (0..self.rows).map(|row| (row, col)).collect::<Vec<_>>();
        let row = |row| (0..self.cols).map(|col| (row, col)).collect::<Vec<_>>();
        [
            side(&column(0), left),
            side(&column(self.cols.saturating_sub(1)), right),
            side(&row(0), top),
            side(&row(self.rows.saturating_sub(1)), bottom),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(hexagons: bool) -> BoardLook {
        BoardLook {
            hexagons,
            ..BoardLook::default()
        }
    }

    #[test]
    fn hexagonal_rows_are_half_a_cell_apart() {
        let board = DrawnBoard::of("A./.B/..", look(true)).expect("a board");
        assert_eq!(board.lines(), ["A .", " . B", "  . ."]);
        assert_eq!(
            DrawnBoard::of("A./.B/..", look(false))
                .expect("a board")
                .lines(),
            ["A.", ".B", ".."]
        );
        assert_eq!(DrawnBoard::of("A./.C", look(false)), None);
    }

    #[test]
    fn rows_and_columns_have_their_numbers() {
        let board = |hexagons| {
            DrawnBoard::of("A./.B", look(hexagons))
                .expect("a board")
                .numbered_lines()
        };
        assert_eq!(board(false), ["   0 1", "0  A .", "1  . B"]);
        assert_eq!(board(true), ["   0 1", "0  A .", " 1  . B"]);
        let wide = DrawnBoard::of(&[".".repeat(12), "B".repeat(12)].join("/"), look(false))
            .expect("a board");
        assert_eq!(
            wide.numbered_lines()[..2],
            ["                       1 1", "   0 1 2 3 4 5 6 7 8 9 0 1"]
        );
    }

    #[test]
    fn neighbours_share_two_corners_and_all_lie_on_the_board() {
        for hexagons in [false, true] {
            let tiling = Tiling {
                rows: 3,
                cols: 4,
                hexagons,
                cell: 10.0,
            };
            let shared = |(row, col): (usize, usize), (other_row, other_col): (usize, usize)| {
                let near = |a: &Point, b: &Point| (a.0 - b.0).abs() + (a.1 - b.1).abs() < 1e-6;
                let other = tiling.corners(other_row, other_col);
                tiling
                    .corners(row, col)
                    .iter()
                    .filter(|corner| other.iter().any(|point| near(corner, point)))
                    .count()
            };
            assert_eq!((shared((1, 1), (1, 2)), shared((1, 1), (2, 1))), (2, 2));
            // A hexagon also shares an edge with the cell below to the left, a square only a
            // corner.
            assert_eq!(shared((1, 1), (2, 0)), if hexagons { 2 } else { 1 });
            let (width, height) = tiling.size();
            let corners = (0..12).flat_map(|cell| tiling.corners(cell / 4, cell % 4));
            let is_inside = |(x, y): Point| {
                (-1e-6..=width + 1e-6).contains(&x) && (-1e-6..=height + 1e-6).contains(&y)
            };
            assert!(corners.into_iter().all(is_inside));
        }
    }

    #[test]
    fn sides_follow_the_outer_cells() {
        for hexagons in [false, true] {
            let tiling = Tiling {
                rows: 3,
                cols: 4,
                hexagons,
                cell: 10.0,
            };
            let [left, right, top, bottom] = tiling.sides();
            let near = |a: Point, b: Point| (a.0 - b.0).abs() + (a.1 - b.1).abs() < 1e-6;
            let ends = |side: &[Point]| (side[0], side[side.len() - 1]);
            assert!(near(ends(&left).0, ends(&top).0));
            assert!(near(ends(&left).1, ends(&bottom).0));
            assert!(near(ends(&right).0, ends(&top).1));
            assert!(near(ends(&right).1, ends(&bottom).1));
        }
        let joined = BoardLook {
            hexagons: true,
            sides: [Some(Player::Alice), Some(Player::Alice), None, None],
        };
        let joins: Vec<_> = joined.joins().collect();
        assert_eq!(joins, [(Player::Alice, "left and right".to_owned())]);
    }
}
