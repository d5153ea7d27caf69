//! Draws a board with the probability of being pivotal in every empty cell, as text and as a heat
//! map.

use std::fmt;

use super::board::{Point, Tiling};
use super::colour;
use super::drawn::{draw_sides, outline, shifted};
use super::heat::shade;
use super::svg::{Svg, px};
use crate::{Page, Pivotal, PivotalCell, text};
use bid_language::player::Player;

/// The width of a cell in text: a probability with four decimals, and two spaces.
const CELL: usize = 8;

/// The width of a cell in the picture.
const WIDTH: f64 = 60.0;

/// Writes the board for reading.
pub(super) fn told(board: &Pivotal) -> String {
    let line = |(row, cells): (usize, &[PivotalCell])| {
        let indent = if board.look.hexagons {
            row * CELL / 2
        } else {
            0
        };
        let cells: String = cells
            .iter()
            .map(|cell| format!("{:>CELL$}", short(cell)))
            .collect();
        format!("{}{cells}", " ".repeat(indent))
            .trim_end()
            .to_owned()
    };
    board
        .cells
        .chunks(board.cols)
        .enumerate()
        .map(line)
        .collect::<Vec<_>>()
        .join("\n")
}

fn short(cell: &PivotalCell) -> String {
    match cell {
        PivotalCell::Taken(Player::Alice) => "A".to_owned(),
        PivotalCell::Taken(Player::Bob) => "B".to_owned(),
        PivotalCell::Open { .. } => format!("{:.4}", cell.approximate().unwrap_or_default()),
    }
}

/// Draws a heat map. The darker a cell, the more likely it is pivotal.
pub(super) fn svg(board: &Pivotal, page: &mut Page<'_>) -> fmt::Result {
    let rows = board.cells.len().div_ceil(board.cols.max(1));
    let tiling = Tiling {
        rows,
        cols: board.cols,
        hexagons: board.look.hexagons,
        cell: WIDTH,
    };
    let corner @ (left, top) = (20.0, 60.0);
    let below = 36.0 + 18.0 * board.look.joins().count() as f64;
    let (width, height) = (tiling.size().0 + 2.0 * left, top + tiling.size().1 + below);
    let head = page.part(|page| text::line(&board.sentence(), page))?;
    // The sentences may be wider than a small board.
    let widest = head.chars().count().max(board.method.chars().count()) as f64 * 7.0 + 40.0;
    Svg::draw(page, "Pivotal cells", (width.max(widest), height), |svg| {
        svg.text((20.0, 24.0), "start", &head)?;
        svg.text((20.0, 42.0), "start", &board.method)?;
        let most = board
            .cells
            .iter()
            .filter_map(PivotalCell::approximate)
            // Shades are relative to the greatest probability, since all of them are small on large
            // boards.
            .fold(0.0, f64::max);
        for (index, cell) in board.cells.iter().enumerate() {
            let (row, col) = (index / board.cols, index % board.cols);
            let outline = outline(tiling, (row, col), corner);
            let middle = shifted(tiling.middle(row, col), corner);
            draw(svg, cell, &outline, middle, most)?;
        }
        draw_sides(svg, tiling, board.look, corner)?;
        let joined: Vec<_> = board.look.joins().collect();
        for (place, (player, sides)) in joined.iter().enumerate() {
            let y = height - 12.0 - 18.0 * (joined.len() - 1 - place) as f64;
            let words = format!("{} joins {sides}", player.word());
            svg.styled((20.0, y), &[("fill", colour(*player))], &words)?;
        }
        let below = height - 12.0 - 18.0 * joined.len() as f64;
        match &board.bid {
            Some(bid) => svg.text(
                (20.0, below),
                "start",
                &format!(
                    "best bid: {bid} of all chips{}",
                    if board.lets {
                        ", to let the opponent move"
                    } else {
                        ""
                    }
                ),
            ),
            None => Ok(()),
        }
    })
}

/// Draws a cell: white if it never decides, dark blue if it decides most often, with a ring if it
/// is one of the best.
fn draw(
    svg: &mut Svg<'_, '_>,
    cell: &PivotalCell,
    outline: &str,
    (x, y): Point,
    most: f64,
) -> fmt::Result {
    let share = cell.approximate().map_or(0.0, |value| {
        if most > 0.0 {
            (value / most).max(0.0)
        } else {
            0.0
        }
    });
    let (fill, ink) = shade(share);
    let shape = [("points", outline), ("fill", &fill), ("stroke", "#888888")];
    let circle = |svg: &mut Svg<'_, '_>, radius: f64, style: &[(&str, &str)]| {
        let (cx, cy, r) = (px(x), px(y), px(WIDTH * radius));
        svg.shape(
            "circle",
            &[&[("cx", cx.as_str()), ("cy", &cy), ("r", &r)], style].concat(),
        )
    };
    let ink = match cell {
        PivotalCell::Taken(player) => {
            svg.shape("polygon", &shape)?;
            circle(svg, 0.34, &[("fill", colour(*player))])?;
            "white"
        }
        PivotalCell::Open { probability, best } => {
            svg.titled("polygon", &shape, &probability.to_string())?;
            if *best {
                circle(
                    svg,
                    0.43,
                    &[
                        ("fill", "none"),
                        ("stroke", "#E69F00"),
                        ("stroke-width", "3"),
                    ],
                )?;
            }
            ink
        }
    };
    svg.styled(
        (x, y + 4.0),
        &[("text-anchor", "middle"), ("fill", ink)],
        &short(cell),
    )
}

#[cfg(test)]
mod tests {
    use num_rational::BigRational;

    use super::*;
    use crate::{BoardLook, Report};
    use bid_language::scalar::Scalar;
    use bid_language::watch::Context;

    fn board() -> Pivotal {
        let part = |part: i64, of: i64| Scalar::Rational(BigRational::new(part.into(), of.into()));
        let open = |eighths, best| PivotalCell::Open {
            probability: part(eighths, 8),
            best,
        };
        Pivotal {
            lets: false,
            look: BoardLook {
                hexagons: true,
                sides: [Some(Player::Alice), Some(Player::Alice), None, None],
            },
            cols: 2,
            cells: vec![
                open(1, false),
                PivotalCell::Taken(Player::Bob),
                open(3, true),
                open(1, false),
            ],
            win: Scalar::Integer(1.into()),
            bid: Some(part(3, 16)),
            method: "all 8 fillings".into(),
        }
    }

    #[test]
    fn hexagonal_rows_are_half_a_cell_apart() {
        let text = Report::Pivotal(board()).to_string();
        assert!(
            text.contains("\n  0.1250       B\n      0.3750  0.1250\n\nbest   (1, 0)\nbid    3/16 of all chips"),
            "{text}"
        );
    }

    #[test]
    fn the_picture_has_a_polygon_for_each_cell() {
        let picture =
            Page::written(Context::plain(), |page| svg(&board(), page)).expect("nothing stops it");
        assert_eq!(
            (
                picture.matches("<polygon").count(),
                picture.matches("<circle").count()
            ),
            (4, 2)
        );
        assert!(picture.starts_with("<svg") && picture.ends_with("</svg>"));
    }
}
