//! What each cell of a selection game is worth: the board with the probability of being pivotal in every empty cell, as
//! text and as a heat map.

use super::Scalar;
use super::board::Tiling;
use super::heat::fill;
use super::picture::{Svg, colour, polygon};
use crate::player::Player;

/// The cells of a position and what they are worth.
#[derive(Debug, Clone, PartialEq)]
pub struct Pivotal {
    /// Whether the cells are hexagons: each row is drawn half a cell to the right of the one above.
    pub hexagons: bool,
    /// How many cells a row has.
    pub cols: usize,
    /// The cells, row by row from the top.
    pub cells: Vec<PivotalCell>,
    /// Alice's winning probability at random-turn play: a rational or an interval.
    pub win: Scalar,
    /// The best bid as a part of all chips; `None` if no cell is empty.
    pub bid: Option<Scalar>,
    /// How many fillings were judged, and which.
    pub method: String,
}

/// A cell.
#[derive(Debug, Clone, PartialEq)]
pub enum PivotalCell {
    /// A player has it.
    Taken(Player),
    /// It is empty.
    Open {
        /// The probability that it decides the game: a rational or an interval.
        probability: Scalar,
        /// Whether no other cell is seen to be better.
        best: bool,
    },
}

/// The width of a cell in text: a probability with four decimals and two spaces.
const CELL: usize = 8;

/// The width of a cell in the picture.
const WIDTH: f64 = 60.0;

impl Pivotal {
    /// For reading.
    pub fn text(&self) -> String {
        let mut lines = vec![format!("alice wins with probability {}", self.win), self.method.clone(), String::new()];
        for (row, cells) in self.cells.chunks(self.cols).enumerate() {
            let indent = if self.hexagons { row * CELL / 2 } else { 0 };
            let cells: String = cells.iter().map(|cell| format!("{:>CELL$}", cell.short())).collect();
            lines.push(format!("{}{cells}", " ".repeat(indent)).trim_end().to_owned());
        }
        if let Some(bid) = &self.bid {
            let best: Vec<String> = self.best().map(|(row, col)| format!("({row}, {col})")).collect();
            lines.extend([String::new(), format!("best   {}", best.join(", ")), format!("bid    {bid} of all chips")]);
        }
        lines.join("\n")
    }

    /// The best cells, as rows and columns.
    pub fn best(&self) -> impl Iterator<Item = (usize, usize)> {
        let best = |cell: &PivotalCell| matches!(cell, PivotalCell::Open { best: true, .. });
        let cells = self.cells.iter().enumerate().filter(move |(_, cell)| best(cell));
        cells.map(|(index, _)| (index / self.cols, index % self.cols))
    }

    /// A heat map: the darker a cell, the more likely it is pivotal.
    pub fn svg(&self) -> String {
        let rows = self.cells.len().div_ceil(self.cols.max(1));
        let tiling = Tiling { rows, cols: self.cols, hexagons: self.hexagons, cell: WIDTH };
        let (left, top) = (20.0, 60.0);
        let (width, height) = (tiling.size().0 + 2.0 * left, top + tiling.size().1 + 36.0);
        let head = format!("alice wins with probability {}", self.win);
        let widest = head.chars().count().max(self.method.chars().count()) as f64 * 7.0 + 40.0;
        let mut picture = Svg::new("Pivotal cells", (width.max(widest), height));
        picture.text((20.0, 24.0), "start", &head);
        picture.text((20.0, 42.0), "start", &self.method);
        let most = self.cells.iter().filter_map(PivotalCell::approximate).fold(0.0, f64::max);
        for (index, cell) in self.cells.iter().enumerate() {
            let (row, col) = (index / self.cols, index % self.cols);
            let (x, y) = tiling.middle(row, col);
            let outline = polygon(tiling.corners(row, col), (left, top));
            picture.line(drawn(cell, &outline, (left + x, top + y), most));
        }
        if let Some(bid) = &self.bid {
            picture.text((20.0, height - 12.0), "start", &format!("best bid: {bid} of all chips"));
        }
        picture.finish()
    }
}

impl PivotalCell {
    fn short(&self) -> String {
        match self {
            Self::Taken(Player::Alice) => "A".to_owned(),
            Self::Taken(Player::Bob) => "B".to_owned(),
            Self::Open { .. } => format!("{:.4}", self.approximate().unwrap_or_default()),
        }
    }

    fn approximate(&self) -> Option<f64> {
        match self {
            Self::Taken(_) => None,
            Self::Open { probability, .. } => probability.approximate(),
        }
    }
}

/// White for what never decides, dark blue for what decides most often; a ring around the best cells.
fn drawn(cell: &PivotalCell, outline: &str, (x, y): (f64, f64), most: f64) -> String {
    let share = cell.approximate().map_or(0.0, |value| if most > 0.0 { (value / most).max(0.0) } else { 0.0 });
    let (fill, ink) = fill(share);
    let polygon = format!("<polygon points=\"{outline}\" fill=\"{fill}\" stroke=\"#888888\"/>");
    let text = |content: &str, ink: &str| {
        format!("<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{ink}\">{content}</text>", y + 4.0)
    };
    match cell {
        PivotalCell::Taken(player) => {
            let (letter, colour) = (if *player == Player::Alice { "A" } else { "B" }, colour(*player));
            let stone = format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"{colour}\"/>", WIDTH * 0.34);
            format!("{polygon}{stone}{}", text(letter, "white"))
        }
        PivotalCell::Open { best, .. } => {
            let radius = WIDTH * 0.43;
            let ring = format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"none\" stroke=\"#E69F00\" stroke-width=\"3\"/>"
            );
            format!("{polygon}{}{}", if *best { &ring } else { "" }, text(&cell.short(), ink))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board() -> Pivotal {
        let open = |part: i64, best| PivotalCell::Open {
            probability: Scalar::Rational(num_rational::BigRational::new(part.into(), 8.into())),
            best,
        };
        Pivotal {
            hexagons: true,
            cols: 2,
            cells: vec![open(1, false), PivotalCell::Taken(Player::Bob), open(3, true), open(1, false)],
            win: Scalar::Integer(1.into()),
            bid: Some(Scalar::Rational(num_rational::BigRational::new(3.into(), 16.into()))),
            method: "all 8 fillings".into(),
        }
    }

    #[test]
    fn hexagonal_rows_are_half_a_cell_apart() {
        let text = board().text();
        assert!(
            text.contains("\n  0.1250       B\n      0.3750  0.1250\n\nbest   (1, 0)\nbid    3/16 of all chips"),
            "{text}"
        );
    }

    #[test]
    fn the_picture_has_a_polygon_for_each_cell() {
        let picture = board().svg();
        assert_eq!((picture.matches("<polygon").count(), picture.matches("<circle").count()), (4, 2));
        assert!(picture.starts_with("<svg") && picture.ends_with("</svg>"));
    }
}
